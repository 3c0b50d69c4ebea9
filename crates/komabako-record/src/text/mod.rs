//! Records as text (`spec/formats.md` §5.5): a module a format, and what they share.

pub(crate) mod csv;
mod fields;
pub(crate) mod jsonl;
pub(crate) mod plain;
pub(crate) mod sfen;
mod table;
pub(crate) mod tsv;

use alloc::vec::Vec;

use komabako_board::sfen::Sfen;

use crate::block::{Cut, Cuts};
use crate::fault::RecordFault;
use crate::record::Record;

/// A format of text.
pub(crate) struct Text {
    /// Reads a record.
    pub read: fn(&[u8]) -> Result<Record, RecordFault>,
    /// Appends a record; on an error nothing is appended.
    pub write: fn(&Record, &mut Vec<u8>) -> Result<(), RecordFault>,
    /// Cuts bytes into records, from a byte on; the last line is whole without a line end if the stream ends with it.
    pub cut: fn(&[u8], usize, bool) -> Cut,
    /// The line at the start of a file, with its line end; empty where the format has none.
    pub header: &'static str,
    /// The most bytes that a written record takes, its line end included.
    pub longest: usize,
    /// Whether a field that is unknown is written as unknown, and not as 0.
    pub has_unknown: bool,
}

/// The most bytes of an SFEN. A board of 40 pieces has 40 letters, at most 34 `+`, 41 digits and 8 slashes; hands, side and
/// ply are fewer than 100.
const LONGEST_SFEN: usize = 224;

/// The SFEN of a record; an unknown ply as 1, because many readers want one.
fn sfen_of(record: &Record) -> Sfen {
    Sfen { setup: record.setup, ply: Some(record.labels.ply.unwrap_or(1)) }
}

fn text(bytes: &[u8]) -> &str {
    str::from_utf8(bytes).unwrap_or_default()
}

fn integer<T: core::str::FromStr>(bytes: &[u8]) -> Option<T> {
    text(bytes).parse().ok()
}

/// The lines from `start` on: where each begins, its bytes without the line end, and where the next begins.
fn lines(bytes: &[u8], start: usize, at_end: bool) -> impl Iterator<Item = (usize, &[u8], usize)> {
    let mut at = start;
    core::iter::from_fn(move || {
        let rest = bytes.get(at..).filter(|rest| !rest.is_empty())?;
        let (line, next) = match rest.iter().position(|&byte| byte == b'\n') {
            Some(end) => (&rest[..end], at + end + 1),
            None if at_end => (rest, bytes.len()),
            None => return None,
        };
        let from = at;
        at = next;
        Some((from, line, next))
    })
}

/// The same, each without white space around it.
fn trimmed_lines(bytes: &[u8], start: usize, at_end: bool) -> impl Iterator<Item = (usize, &[u8], usize)> {
    lines(bytes, start, at_end).map(|(from, line, next)| {
        let indent = line.len() - line.trim_ascii_start().len();
        (from + indent, line.trim_ascii(), next)
    })
}

/// A record a line; blank lines between them belong to none.
fn cut_lines(bytes: &[u8], start: usize, at_end: bool) -> Cut {
    cut_where(trimmed_lines(bytes, start, at_end), |_| true)
}

/// A record a line, where the line is not blank and something holds of it.
fn cut_where<'a>(
    lines: impl Iterator<Item = (usize, &'a [u8], usize)>,
    is_record: impl Fn(&[u8]) -> bool,
) -> Cut {
    let mut cuts = Vec::new();
    let mut whole = 0;
    for (from, line, next) in lines {
        whole = next;
        if !line.is_empty() && is_record(line) {
            cuts.push((from as u32, (from + line.len()) as u32));
        }
    }
    Cut { cuts: Cuts::At(cuts), whole, damage: None }
}

//! Records as text (`spec/formats.md` §5.5): one module per format, and shared functions.

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
    /// Appends a record; on an error it appends nothing.
    pub write: fn(&Record, &mut Vec<u8>) -> Result<(), RecordFault>,
    /// Splits bytes into records, from a byte on. The last line needs no line end if the stream ends with it.
    pub cut: fn(&[u8], usize, bool) -> Cut,
    /// The header line of a file, with its line end; empty if the format has none.
    pub header: &'static str,
    /// The maximum size in bytes of a written record, including its line end.
    pub longest: usize,
    /// Whether an unknown field is written as unknown rather than as 0.
    pub has_unknown: bool,
}

/// The maximum size of an SFEN in bytes. A board of 40 pieces has 40 letters and at most 34 `+`, 41 digits and 8 slashes;
/// hands, side and ply take fewer than 100 bytes.
const LONGEST_SFEN: usize = 224;

/// The SFEN of a record; an unknown ply is written as 1, because many readers require a ply.
fn sfen_of(record: &Record) -> Sfen {
    Sfen { setup: record.setup, ply: Some(record.labels.ply.unwrap_or(1)) }
}

fn text(bytes: &[u8]) -> &str {
    str::from_utf8(bytes).unwrap_or_default()
}

fn integer<T: core::str::FromStr>(bytes: &[u8]) -> Option<T> {
    text(bytes).parse().ok()
}

/// The lines from `start` on: for each its start, its bytes without the line end, and the start of the next line.
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

/// The same lines without surrounding white space.
fn trimmed_lines(bytes: &[u8], start: usize, at_end: bool) -> impl Iterator<Item = (usize, &[u8], usize)> {
    lines(bytes, start, at_end).map(|(from, line, next)| {
        let indent = line.len() - line.trim_ascii_start().len();
        (from + indent, line.trim_ascii(), next)
    })
}

/// Splits lines into one record per line, skipping blank lines.
fn cut_lines(bytes: &[u8], start: usize, at_end: bool) -> Cut {
    cut_where(trimmed_lines(bytes, start, at_end), |_| true)
}

/// Splits lines into one record per line, skipping blank lines and those for which `is_record` returns false.
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

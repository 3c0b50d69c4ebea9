//! Where records end in a stream, format by format. Nothing is decoded further than that takes.

use alloc::vec::Vec;

use crate::FileFormat;
use crate::block::{Cuts, GameCut};
use crate::fault::Damage;
use crate::games::{self, GameEnd};

/// The whole records at the start of some bytes.
pub struct Cut {
    /// The records.
    pub cuts: Cuts,
    /// How many bytes they take, with the gaps before, between and after them.
    pub whole: usize,
    /// What makes it impossible to find the end of the next record.
    pub damage: Option<Damage>,
}

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Cuts bytes into whole records.
///
/// `at_end`: the stream ends with these bytes, so that a last line without a line end is whole. `at_start`: it starts
/// with them, so that a byte order mark is left out of text.
pub fn cut(format: FileFormat, bytes: &[u8], at_end: bool, at_start: bool) -> Cut {
    if let Some(size) = format.record_size() {
        let count = bytes.len() / size;
        return Cut { cuts: Cuts::Every { size, count }, whole: count * size, damage: None };
    }
    let start = if at_start && bytes.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
    match format {
        FileFormat::Hcpe3 | FileFormat::Pack => cut_games(format, bytes),
        FileFormat::Plain => cut_plain(bytes, start, at_end),
        _ => cut_lines(bytes, start, at_end),
    }
}

/// The lines from `start` on: where each begins, its text without white space around it, and where the next begins.
fn lines(bytes: &[u8], start: usize, at_end: bool) -> impl Iterator<Item = (usize, &[u8], usize)> {
    let mut at = start;
    core::iter::from_fn(move || {
        let rest = bytes.get(at..).filter(|rest| !rest.is_empty())?;
        let (line, next) = match rest.iter().position(|&byte| byte == b'\n') {
            Some(end) => (&rest[..end], at + end + 1),
            None if at_end => (rest, bytes.len()),
            None => return None,
        };
        let from = at + (line.len() - line.trim_ascii_start().len());
        at = next;
        Some((from, line.trim_ascii(), next))
    })
}

fn cut_lines(bytes: &[u8], start: usize, at_end: bool) -> Cut {
    let mut cuts = Vec::new();
    let mut whole = 0;
    for (from, line, next) in lines(bytes, start, at_end) {
        whole = next;
        if !line.is_empty() {
            cuts.push((from as u32, (from + line.len()) as u32));
        }
    }
    Cut { cuts: Cuts::At(cuts), whole, damage: None }
}

/// Blocks that end with a line `e`; blank lines between them belong to none.
fn cut_plain(bytes: &[u8], start: usize, at_end: bool) -> Cut {
    let mut cuts = Vec::new();
    let mut whole = 0;
    let mut open = None;
    for (from, line, next) in lines(bytes, start, at_end) {
        if line == b"e" {
            cuts.push((open.take().unwrap_or(from) as u32, (from + 1) as u32));
        } else if open.is_none() && !line.is_empty() {
            open = Some(from);
        }
        if open.is_none() {
            whole = next;
        }
    }
    Cut { cuts: Cuts::At(cuts), whole, damage: None }
}

/// Whole games. Each has as many records as moves, whether they are legal or not: what is found of the stream must not
/// depend on what is found in it.
fn cut_games(format: FileFormat, bytes: &[u8]) -> Cut {
    let mut cuts = Vec::new();
    let mut whole = 0;
    let mut first = 0;
    let damage = loop {
        match games::end_of(format, &bytes[whole..]) {
            GameEnd::At { length, moves } => {
                cuts.push(GameCut { start: whole as u32, end: (whole + length) as u32, first, moves });
                whole += length;
                first += moves;
            }
            GameEnd::Beyond => break None,
            GameEnd::Damaged(what) => break Some(what),
        }
    };
    Cut { cuts: Cuts::Games(cuts), whole, damage }
}

//! Finds the ends of records in a stream, for each format. It decodes no more than that requires.

use alloc::vec::Vec;

use super::{Cut, Cuts, GameCut};
use crate::FileFormat;
use crate::format::Shape;
use crate::format::binary::Packed;
use crate::games::{self, GameEnd};

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Splits bytes into whole records.
///
/// `at_end`: the stream ends with these bytes, so a last line without a line end is whole. `at_start`: the stream starts
/// with them, so a byte order mark in text is skipped.
pub fn cut(format: FileFormat, bytes: &[u8], at_end: bool, at_start: bool) -> Cut {
    match format.shape() {
        Shape::Packed(&Packed { size, .. }) => {
            let count = bytes.len() / size;
            Cut { cuts: Cuts::Every { size, count }, whole: count * size, damage: None }
        }
        Shape::Text(text) => {
            let has_mark = at_start && bytes.starts_with(BYTE_ORDER_MARK);
            (text.cut)(bytes, if has_mark { BYTE_ORDER_MARK.len() } else { 0 }, at_end)
        }
        Shape::Games => cut_games(format, bytes),
    }
}

/// Finds whole games. Each has as many records as moves, whether they are legal or not: the boundaries in a stream must
/// not depend on the validity of its content.
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
            GameEnd::Damaged(damage) => break Some(damage),
        }
    };
    Cut { cuts: Cuts::Games(cuts), whole, damage }
}

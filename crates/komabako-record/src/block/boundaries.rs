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
///
/// Lines and games have places of 32 bits, so only those within the first 4 GiB are found: [`Cut::whole`] says where the next
/// call goes on.
pub fn cut(format: FileFormat, bytes: &[u8], at_end: bool, at_start: bool) -> Cut {
    cut_within(u32::MAX as usize, format, bytes, at_end, at_start)
}

/// [`cut`], but of lines and games only those within the first `most` bytes.
fn cut_within(most: usize, format: FileFormat, bytes: &[u8], at_end: bool, at_start: bool) -> Cut {
    let near = &bytes[..bytes.len().min(most)];
    match format.shape() {
        Shape::Packed(&Packed { size, .. }) => {
            let count = bytes.len() / size;
            Cut { cuts: Cuts::Every { size, count }, whole: count * size, damage: None }
        }
        Shape::Text(text) => {
            let has_mark = at_start && bytes.starts_with(BYTE_ORDER_MARK);
            let is_last = at_end && near.len() == bytes.len();
            (text.cut)(near, if has_mark { BYTE_ORDER_MARK.len() } else { 0 }, is_last)
        }
        // No move takes less than a byte, so the numbers of the records fit in 32 bits too.
        Shape::Games => cut_games(format, near),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_beyond_the_places_of_32_bits_are_left_to_the_next_call() {
        let text = b"4k4/9/9/9/9/9/9/9/9 b P 7\n\n4k4/9/9/9/9/9/9/9/9 b P 8";
        for most in 0..text.len() {
            let cut = cut_within(most, FileFormat::Sfen, text, true, true);
            let whole = if most < 26 { 0 } else { 26 + usize::from(most > 26) };
            assert_eq!((cut.cuts.len(), cut.whole), (usize::from(most >= 26), whole), "{most}");
        }
        assert_eq!(cut_within(text.len(), FileFormat::Sfen, text, true, true).cuts.len(), 2);
    }
}

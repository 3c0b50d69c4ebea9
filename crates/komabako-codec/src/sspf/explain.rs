//! The fields of a word, for human readers.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use komabako_board::square;

use super::reference::{COLOR, IS_PROMOTED, KINGS, OCCUPIED, PT_BIT, SIDE_TO_MOVE};
use crate::explanation::{self, FieldValue};
use crate::word::{bit, number};
use crate::{Field, Word};

/// The ten fields in the order of their bits.
pub fn fields(word: &Word) -> Vec<FieldValue> {
    let ones = |bits: Range<usize>| bits.filter(|&index| bit(word, index)).count();
    let [pt0, pt1, pt2, pt3, pt4] = PT_BIT;
    let n = ones(OCCUPIED).min(pt0.len());
    let off_board = COLOR.start + n..COLOR.end;
    let kings = KINGS.map(|field| number(word, field.start, field.len()) as usize);
    let field = |field, bits: Range<usize>, meaning: String| {
        FieldValue::new(word, field, bits.start, bits.len(), meaning)
    };
    alloc::vec![
        field(Field::SideToMove, SIDE_TO_MOVE..SIDE_TO_MOVE + 1, explanation::side(bit(word, SIDE_TO_MOVE))),
        field(Field::Occupied, OCCUPIED, format!("{} pieces besides the kings", ones(OCCUPIED))),
        field(Field::Kings, KINGS[0].start..KINGS[1].end, explanation::kings(kings, square::from_index)),
        field(Field::IsPromoted, IS_PROMOTED, format!("{} promoted", ones(IS_PROMOTED))),
        field(Field::PtBit0, pt0.clone(), format!("{} not pawns", ones(pt0))),
        field(Field::PtBit1, pt1.clone(), format!("{} silvers, golds, bishops, rooks", ones(pt1))),
        field(Field::PtBit2, pt2.clone(), format!("{} knights, golds, bishops, rooks", ones(pt2))),
        field(Field::PtBit3, pt3.clone(), format!("{} bishops, rooks", ones(pt3))),
        field(Field::PtBit4, pt4.clone(), format!("{} rooks", ones(pt4))),
        field(
            Field::Color,
            COLOR,
            format!(
                "{} White's on the board, {} of {} in hands",
                ones(COLOR.start..off_board.start),
                ones(off_board.clone()),
                off_board.len()
            ),
        ),
    ]
}

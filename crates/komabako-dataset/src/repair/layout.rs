//! [`Layout`]: where the fields of a record lie that a repair rewrites.

use komabako_board::Color;

use crate::record::END_FLAGS;
use crate::{FileFormat, GameResult};

/// Where the fields of a record lie. The word of the position is first.
#[derive(Clone, Copy)]
pub(super) struct Layout {
    pub score: Option<usize>,
    pub best_move: Option<usize>,
    pub result: Option<ResultAt>,
}

/// Where the result lies, and by which convention.
#[derive(Clone, Copy)]
pub(super) enum ResultAt {
    /// The side to move's: −1, 0 or 1.
    Relative(usize),
    /// The winner's code, in the low bits.
    Absolute(usize),
}

impl Layout {
    /// The layout of a format that is repaired.
    pub fn of(format: FileFormat) -> Option<Layout> {
        match format {
            FileFormat::Psv => {
                Some(Layout { score: Some(32), best_move: Some(34), result: Some(ResultAt::Relative(38)) })
            }
            FileFormat::Hcpe | FileFormat::Hcpe2 => {
                Some(Layout { score: Some(32), best_move: Some(34), result: Some(ResultAt::Absolute(36)) })
            }
            FileFormat::PackedSfen => Some(Layout { score: None, best_move: None, result: None }),
            _ => None,
        }
    }
}

impl ResultAt {
    /// Writes a result.
    pub fn put(self, record: &mut [u8], result: GameResult, side: Color) {
        match self {
            ResultAt::Relative(at) => record[at] = result.to_relative(side).cast_unsigned(),
            ResultAt::Absolute(at) => record[at] = record[at] & END_FLAGS | result.to_absolute(),
        }
    }
}

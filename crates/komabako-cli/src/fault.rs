//! [`Fault`]: what can be wrong with one line or word.

use komabako::board::sfen::SfenError;
use komabako::codec::{PackError, UnpackError};
use komabako::variants::r238::RankError;

use crate::hex::HexError;

/// Why a line was refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// It is no SFEN.
    Sfen(SfenError),
    /// The format cannot hold the position.
    Pack(PackError),
    /// It is not the hex digits of a word.
    Hex(HexError),
    /// The word is refused by its format.
    Unpack(UnpackError),
    /// The number is no rank.
    Rank(RankError),
}

impl Fault {
    /// The name that stands for the fault in a line of output: the specification's, or `SFEN`, `HEX` and `LENGTH`.
    pub fn name(&self) -> &'static str {
        match self {
            Fault::Sfen(_) => "SFEN",
            Fault::Pack(error) => error.name(),
            Fault::Hex(HexError::Digit(_)) => "HEX",
            Fault::Hex(HexError::Length { .. }) => "LENGTH",
            Fault::Unpack(error) => error.name(),
            Fault::Rank(error) => error.name(),
        }
    }

    /// The column of the line at which it shows, counted from 1, if it shows at one.
    pub fn column(&self) -> Option<usize> {
        match self {
            Fault::Sfen(error) => Some(error.column),
            Fault::Hex(HexError::Digit(index)) => Some(index + 1),
            Fault::Pack(_) | Fault::Rank(_) | Fault::Hex(HexError::Length { .. }) => None,
            Fault::Unpack(error) => Some(usize::from(error.bit.min(255)) / 8 * 2 + 1),
        }
    }
}

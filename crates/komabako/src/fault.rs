//! [`Fault`]: an error in one line or word.

use komabako::board::sfen::SfenError;
use komabako::codec::{PackError, UnpackError};

use crate::hex::HexError;

/// Why a line was refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// It is not an SFEN.
    Sfen(SfenError),
    /// The moves after the position cannot be played, in the user's language.
    Moves(String),
    /// The format cannot hold the position.
    Pack(PackError),
    /// It is not a word in hex digits.
    Hex(HexError),
    /// The word is refused by its format.
    Unpack(UnpackError),
}

impl Fault {
    /// The name of the fault in a line of output: the specification's, or `SFEN`, `MOVES`, `HEX` and `LENGTH`.
    pub fn name(&self) -> &'static str {
        match self {
            Fault::Sfen(_) => "SFEN",
            Fault::Moves(_) => "MOVES",
            Fault::Pack(error) => error.name(),
            Fault::Hex(HexError::Digit(_)) => "HEX",
            Fault::Hex(HexError::Length { .. }) => "LENGTH",
            Fault::Unpack(error) => error.name(),
        }
    }

    /// The column of the fault in the line, counted from 1, if it has one.
    pub fn column(&self) -> Option<usize> {
        match self {
            Fault::Sfen(error) => Some(error.column),
            Fault::Hex(HexError::Digit(index)) => Some(index + 1),
            Fault::Moves(_) | Fault::Pack(_) | Fault::Hex(HexError::Length { .. }) => None,
            Fault::Unpack(error) => Some(usize::from(error.bit.min(255)) / 8 * 2 + 1),
        }
    }
}

//! Moves as text: USI, CSA, KIF and Japanese (KI2).
//!
//! USI text needs no position: [`Move16`] has `Display` and `FromStr`. CSA text names the piece after the move, KIF
//! text the piece before it, Japanese text what distinguishes the move from others, so that these are written and read by a
//! [`State`](crate::State).

mod csa;
mod japanese;
mod kif;
mod usi;
mod words;

use core::fmt;

use crate::Move16;

pub use csa::{Csa, csa_name, kind_of_csa};
pub use japanese::Japanese;
pub use kif::Kif;
pub use words::japanese_name;

/// Why text is no move of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum MoveTextError {
    /// The text is not built like a move, from this byte on, at which a character starts or the text ends.
    Syntax(usize),
    /// It is the other side's turn.
    Side,
    /// No legal move is like that.
    NoSuchMove,
    /// These two legal moves are like that, and perhaps more.
    Ambiguous(Move16, Move16),
}

impl fmt::Display for MoveTextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MoveTextError::Syntax(at) => write!(f, "byte {}: not the text of a move", at + 1),
            MoveTextError::Side => f.write_str("the text names a move of the side that is not to move"),
            MoveTextError::NoSuchMove => f.write_str("no legal move is like that"),
            MoveTextError::Ambiguous(a, b) => write!(f, "both {a} and {b} are like that"),
        }
    }
}

impl core::error::Error for MoveTextError {}

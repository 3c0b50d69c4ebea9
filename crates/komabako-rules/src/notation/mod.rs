//! Moves as text: USI, CSA, KIF and Japanese (KI2).
//!
//! USI text needs no position: [`Move16`] has `Display` and `FromStr`. CSA text names the piece after the move, KIF
//! text the piece before it, and Japanese text distinguishes the move from other legal moves, so that a
//! [`State`](crate::State) writes and reads these.

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

/// The reason why a text is not a move of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum MoveTextError {
    /// The text does not have the syntax of a move from this byte on, which is a character boundary.
    Syntax(usize),
    /// It is the other side's turn.
    Side,
    /// No legal move matches the text.
    NoSuchMove,
    /// These two legal moves match the text, and perhaps more.
    Ambiguous(Move16, Move16),
}

impl fmt::Display for MoveTextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MoveTextError::Syntax(at) => write!(f, "byte {}: not the text of a move", at + 1),
            MoveTextError::Side => f.write_str("the text names a move of the side that is not to move"),
            MoveTextError::NoSuchMove => f.write_str("no legal move matches the text"),
            MoveTextError::Ambiguous(a, b) => write!(f, "both {a} and {b} match the text"),
        }
    }
}

impl core::error::Error for MoveTextError {}

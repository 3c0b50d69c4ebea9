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

use komabako_messages::messages;

use crate::Move16;

pub use csa::{Csa, csa_name, kind_of_csa};
pub use japanese::Japanese;
pub use kif::Kif;
pub use words::japanese_name;

/// The reason why a text is not a move of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
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

messages! {
    MoveTextError {
        Syntax(at) with (byte = at + 1) => "byte {byte}: not the text of a move", "{byte} バイト目: 指し手として読めません";
        Side => "the text names a move of the side that is not to move", "手番でない側の指し手です";
        NoSuchMove => "no legal move matches the text", "この表記に当たる合法手がありません";
        Ambiguous(a, b) => "both {a} and {b} match the text", "{a} と {b} のどちらか決まりません";
    }
}

impl core::error::Error for MoveTextError {}

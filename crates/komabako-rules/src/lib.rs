//! The rules of shogi: attacks, legal moves, do and undo, Zobrist keys, perft.

#![cfg_attr(not(feature = "std"), no_std)]
#![forbid(unsafe_code)]

extern crate alloc;

mod army;
pub mod attacks;
mod checks;
mod code;
mod declaration;
pub mod double;
mod game;
mod generate;
mod legality;
mod list;
mod moves;
mod notation;
pub mod perft;
mod ranks;
mod state;
pub mod zobrist;

pub use declaration::{Declaration, DeclarationRule};
pub use game::{Game, IllegalMove, Repetition};
pub use generate::MoveSet;
pub use list::MoveList;
pub use moves::Move16;
pub use notation::{Csa, Japanese, MoveTextError};
pub use perft::{Leaves, perft};
pub use state::{OpponentInCheck, State, Undo};

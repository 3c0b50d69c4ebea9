//! The board and position model of Komabako, on the vocabulary of [`shogi_core`].
//!
//! [`Setup`] is anything that 40 shogi pieces can be arranged into, handicaps and tsume problems included;
//! [`Position`] is a setup that a game can be played from. [`sfen`] reads and writes both.
//!
//! The crate knows nothing of CPUs and is `no_std` with `alloc`.

#![cfg_attr(not(feature = "std"), no_std)]
#![deny(unsafe_code)]

extern crate alloc;

pub mod bitboard;
pub mod color;
mod found;
pub mod hand;
pub mod kind;
pub mod setup;
pub mod sfen;
pub mod square;
pub mod usi;

pub use bitboard::Bitboard;
pub use hand::Hand;
pub use kind::BaseKind;
pub use setup::{Setup, SetupError, SetupParts};
pub use sfen::{Sfen, SfenError};
pub use shogi_core::{Color, Move, Piece, PieceKind, Square, ToUsi};
pub use square::{File, Rank};

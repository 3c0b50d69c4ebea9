//! The board and position model of Komabako, on the vocabulary of [`shogi_core`].
//!
//! [`Setup`] is any arrangement of the 40 shogi pieces, handicaps and tsume problems included;
//! [`Position`] is a setup that a game can be played from. [`sfen`] and [`usi`] read and write text, [`diagram`] draws
//! boards, [`interop`] converts to and from the types of [`shogi_core`] that are not used here.
//!
//! The crate contains no code for particular CPUs and is `no_std` with `alloc`.

#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

pub mod bitboard;
pub mod color;
pub mod diagram;
mod found;
pub mod hand;
pub mod interop;
pub mod kind;
pub mod position;
pub mod setup;
pub mod sfen;
pub mod square;
pub mod usi;
mod words;

pub use bitboard::Bitboard;
pub use hand::Hand;
pub use kind::BaseKind;
pub use position::{Position, PositionError, PositionFault, PositionTextError};
pub use setup::{Setup, SetupError, SetupParts};
pub use sfen::{Sfen, SfenError};
pub use shogi_core::{Color, Move, Piece, PieceKind, Square, ToUsi};
pub use square::{File, Rank};

/// The README's code, which runs as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

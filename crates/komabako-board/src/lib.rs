//! The board and position model of Komabako, on the vocabulary of [`shogi_core`].
//!
//! [`Setup`] is any arrangement of the 40 shogi pieces, handicaps and tsume problems included;
//! [`Position`] is a setup that a game can be played from. [`sfen`] and [`usi`] read and write text, [`diagram`] draws
//! boards, [`interop`] converts to and from the types of [`shogi_core`] that are not used here.
//!
//! The crate contains no code for particular CPUs and is `no_std` with `alloc`.
//!
//! ```
//! use komabako_board::{BaseKind, Color, Position, Setup, Square};
//!
//! let setup: Setup = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1".parse()?;
//! assert_eq!(setup, Setup::START);
//! assert_eq!(setup.king(Color::Black), Some(Square::SQ_5I));
//! assert_eq!(setup.kind(BaseKind::Pawn).len(), 18);
//!
//! let tsume: Position = "8k/9/7S1/9/9/9/9/9/9 b 2G 1".parse()?;
//! assert_eq!(tsume.to_string(), "8k/9/7S1/9/9/9/9/9/9 b 2G");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

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

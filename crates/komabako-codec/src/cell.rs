//! The parts of a [`Cell`]: constants and conversions of the byte for a square in a [`ByteBoard`](crate::ByteBoard).
//!
//! ```
//! use komabako_codec::{Color, Piece, PieceKind, cell};
//! let white_lance = cell::WHITE | cell::LANCE;
//! assert_eq!(cell::to_piece(white_lance), Some(Piece::new(PieceKind::Lance, Color::White)));
//! assert_eq!(cell::from_piece(Piece::new(PieceKind::ProPawn, Color::Black)), cell::PROMOTED | cell::PAWN);
//! assert_eq!(cell::to_piece(cell::EMPTY), None);
//! ```

pub use crate::byte_board::{
    CELLS as COUNT, Cell, KING, PROMOTED, WHITE, cell as from_piece, piece as to_piece,
};

/// No piece.
pub const EMPTY: Cell = 0;
/// Black's pawn; likewise the other kinds.
pub const PAWN: Cell = 1;
/// A lance.
pub const LANCE: Cell = 2;
/// A knight.
pub const KNIGHT: Cell = 3;
/// A silver.
pub const SILVER: Cell = 4;
/// A gold.
pub const GOLD: Cell = 5;
/// A bishop.
pub const BISHOP: Cell = 6;
/// A rook.
pub const ROOK: Cell = 7;

//! Colours, kinds, squares and pieces as JSON.

use komabako::board::{BaseKind, Color, File, Piece, Rank, Square, kind};
use serde::{Serialize, Serializer};

/// `black` or `white`.
#[derive(Clone, Copy, Debug)]
pub struct ColorName(pub Color);

/// `P L N S G B R K`.
#[derive(Clone, Copy, Debug)]
pub struct KindName(pub BaseKind);

/// The USI name of a square: `7g`.
#[derive(Clone, Copy, Debug)]
pub struct SquareName(pub Square);

/// The SFEN name of a piece: `P`, `+R`, lower case for White.
#[derive(Clone, Copy, Debug)]
pub struct PieceName(pub Piece);

impl From<Color> for ColorName {
    fn from(color: Color) -> Self {
        Self(color)
    }
}

impl From<BaseKind> for KindName {
    fn from(kind: BaseKind) -> Self {
        Self(kind)
    }
}

impl From<Square> for SquareName {
    fn from(square: Square) -> Self {
        Self(square)
    }
}

impl From<Piece> for PieceName {
    fn from(piece: Piece) -> Self {
        Self(piece)
    }
}

impl Serialize for ColorName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(match self.0 {
            Color::Black => "black",
            Color::White => "white",
        })
    }
}

impl Serialize for KindName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_char(self.0.letter())
    }
}

impl Serialize for SquareName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{}{}", File::of(self.0).to_usi(), Rank::of(self.0).to_usi()))
    }
}

impl Serialize for PieceName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (piece_kind, color) = self.0.to_parts();
        let letter = BaseKind::of(piece_kind).letter();
        let letter = if color == Color::White { letter.to_ascii_lowercase() } else { letter };
        let mark = if kind::is_promoted(piece_kind) { "+" } else { "" };
        serializer.collect_str(&format_args!("{mark}{letter}"))
    }
}

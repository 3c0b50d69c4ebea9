//! Colours, kinds and squares as JSON.

use komabako::board::{BaseKind, Color, File, Rank, Square};
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

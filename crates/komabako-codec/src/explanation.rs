//! A word explained: its fields and, in a format of codes, every code.
//!
//! For human readers and for tools that show a word; decoding does not use this module. Every function accepts any word,
//! good or bad, and reads it as far as possible.

use alloc::format;
use alloc::string::String;

use komabako_board::{BaseKind, File, Piece, Rank, Square, color, kind};

pub use crate::owner::{Owner, Owners};
use crate::word::bit;
use crate::{Field, Word};

/// One field of a word.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FieldValue {
    /// The field.
    pub field: Field,
    /// Its first bit, 0..=256.
    pub offset: u16,
    /// The number of its bits.
    pub len: u16,
    /// Its bits, first bit first, as `0` and `1`.
    pub bits: String,
    /// Their meaning, e.g. `White to move`.
    pub meaning: String,
}

/// One code of a word: a square or a piece off the board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Symbol {
    /// The field that it belongs to.
    pub field: Field,
    /// Its first bit, 0..256.
    pub offset: u16,
    /// The number of its bits.
    pub len: u16,
    /// Its bits, first bit first, as `0` and `1`.
    pub bits: String,
    /// Its meaning, e.g. `7g Black pawn`.
    pub meaning: String,
    /// The square or the piece that it describes.
    pub owner: Owner,
}

impl FieldValue {
    /// The bits of a word from `offset`.
    pub fn new(word: &Word, field: Field, offset: usize, len: usize, meaning: String) -> Self {
        Self { field, offset: offset as u16, len: len as u16, bits: bits(word, offset, len), meaning }
    }
}

impl Symbol {
    /// The bits of a word from `offset`.
    pub fn new(word: &Word, field: Field, offset: usize, len: usize, meaning: String, owner: Owner) -> Self {
        Self { field, offset: offset as u16, len: len as u16, bits: bits(word, offset, len), meaning, owner }
    }
}

/// The bits of a word from `offset`, first bit first.
fn bits(word: &Word, offset: usize, len: usize) -> String {
    (offset..offset + len).map(|index| if bit(word, index) { '1' } else { '0' }).collect()
}

/// `Black to move` or `White to move`.
pub fn side(white: bool) -> String {
    format!("{:?} to move", color::from_bit(white))
}

/// The two king codes, each as a square, or as the bare code if it is not a square.
pub(crate) fn kings(codes: [usize; 2], to_square: impl Fn(usize) -> Option<Square>) -> String {
    let king = |code: usize| match to_square(code) {
        Some(square) => format!("{} ({code})", square_name(square)),
        None => format!("no square ({code})"),
    };
    format!("Black {}, White {}", king(codes[0]), king(codes[1]))
}

/// The square in USI, e.g. `7g`.
pub fn square_name(square: Square) -> String {
    let mut text = String::with_capacity(24);
    text.extend([File::of(square).to_usi(), Rank::of(square).to_usi()]);
    text
}

/// A square and what is on it, e.g. `7g Black pawn` or `5e empty`.
pub(crate) fn square_and_piece(square: Square, piece: Option<Piece>) -> String {
    let mut text = square_name(square);
    let Some((piece_kind, color)) = piece.map(Piece::to_parts) else { return text + " empty" };
    text += [" Black ", " White "][color.array_index()];
    text += if kind::is_promoted(piece_kind) { "promoted " } else { "" };
    text += kind_name(BaseKind::of(piece_kind));
    text
}

/// A kind in words, e.g. `rook`.
pub(crate) const fn kind_name(kind: BaseKind) -> &'static str {
    match kind {
        BaseKind::Pawn => "pawn",
        BaseKind::Lance => "lance",
        BaseKind::Knight => "knight",
        BaseKind::Silver => "silver",
        BaseKind::Gold => "gold",
        BaseKind::Bishop => "bishop",
        BaseKind::Rook => "rook",
        BaseKind::King => "king",
    }
}

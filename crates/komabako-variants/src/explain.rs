//! Shared parts of the explanations of the extension's and C250's fields.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use komabako_board::{Square, square};
use komabako_codec::contract::square_name;
use komabako_codec::explanation::FieldValue;
use komabako_codec::{Field, Word};

use crate::planes::Planes;
use crate::word::ones;

/// A field and its meaning.
pub fn field(word: &Word, field: Field, bits: Range<usize>, meaning: String) -> FieldValue {
    FieldValue::new(word, field, bits.start, bits.len(), meaning)
}

/// The squares that topped-up bits represent: the last ones, in order, of the squares without these pieces.
pub fn topped_up_squares(taken: &[Option<Square>]) -> Vec<Square> {
    let free: Vec<Square> = square::all().filter(|square| !taken.contains(&Some(*square))).collect();
    let off_board = taken.iter().filter(|place| place.is_none()).count();
    free[free.len().saturating_sub(off_board)..].to_vec()
}

/// An index off the board, with the square that its topped-up bit describes and that square's content.
pub fn off_board(what: &str, index: usize, topped_up: Option<Square>) -> String {
    let content = if index % 2 == 1 { "occupied" } else { "empty" };
    match topped_up {
        Some(square) => format!("{what} ({index}: {} is {content})", square_name(square)),
        None => format!("{what} ({index})"),
    }
}

/// Fields in the order of their bits. (A sort would be compiled for this type alone: 5 kB of the module for browsers.)
pub fn by_offset(fields: impl IntoIterator<Item = FieldValue>) -> Vec<FieldValue> {
    let mut sorted: Vec<FieldValue> = Vec::new();
    for field in fields {
        sorted.insert(sorted.partition_point(|other| other.offset <= field.offset), field);
    }
    sorted
}

/// The planes of a word with `on_board` pieces on the board; `meanings` describes the ones in `pt_bit1` and so on.
pub fn planes(word: &Word, planes: &Planes, on_board: usize, meanings: &[&str]) -> Vec<FieldValue> {
    let all = || planes.stages.iter().flat_map(|stage| stage.planes);
    let kinds = all().skip(1).zip(meanings).map(|((name, range, _), meaning)| {
        field(word, *name, range.clone(), format!("{} {meaning}", ones(word, range.clone())))
    });
    let with_tail = |name, range: &Range<usize>, on: &str, off: &str| {
        let tail = range.start + on_board.min(range.len())..range.end;
        let before = ones(word, range.start..tail.start);
        let len = tail.len();
        let in_tail = ones(word, tail);
        field(
            word,
            name,
            range.clone(),
            format!("{before} {on}; tail of {len} off the board, {in_tail} {off}"),
        )
    };
    let promoted = format!("{} promoted", ones(word, planes.is_promoted.clone()));
    let mut fields: Vec<FieldValue> = kinds.collect();
    fields.extend(all().take(1).map(|(name, range, _)| with_tail(*name, range, "not pawns", "removed")));
    fields.push(field(word, Field::IsPromoted, planes.is_promoted.clone(), promoted));
    fields.push(with_tail(Field::Color, &planes.color, "White's", "in White's hand"));
    fields
}

//! The fields and codes of a word, for people.

use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;

use super::reader::{OffBoard, PLACES, Reader};
use super::spec::Spec;
use crate::layout::{self, FieldValue, Symbol};
use crate::word::{BITS, bit};
use crate::{Field, Word};

/// The fields in the order of their bits. The board ends where the codes of its squares do, or the word; the hands
/// and the box where the place of their codes changes.
pub fn fields(spec: &Spec, word: &Word) -> Vec<FieldValue> {
    let (codes, board_end) = read(spec, word);
    let start = spec.board_start();
    let value = |field, from, to: usize, meaning| FieldValue::new(word, field, from, to - from, meaning);
    let side = |at| value(Field::SideToMove, at, at + 1, layout::side(bit(word, at)));
    let kings = Reader::new(spec, word).kings();
    let pieces = |field| codes.iter().filter(|code| code.field == field && code.len > 1).count();

    let mut fields = Vec::new();
    if !spec.side_after_board {
        fields.push(side(0));
    }
    fields.push(value(Field::Kings, start - 14, start, layout::kings(kings, |code| spec.square(code))));
    fields.push(value(
        Field::Board,
        start,
        board_end,
        format!("{} pieces besides the kings", pieces(Field::Board)),
    ));
    let mut at = board_end;
    if spec.side_after_board && at < BITS {
        fields.push(side(at));
        at += 1;
    }
    for place in PLACES {
        let end = codes.iter().rev().find(|code| code.field == place);
        let end = end.map_or(at, |code| usize::from(code.offset + code.len)).max(at);
        if place != Field::Box || spec.has_box {
            fields.push(value(place, at, end, format!("{} pieces", pieces(place))));
            at = end;
        }
    }
    fields
}

/// The codes in the order of the stream.
pub fn symbols(spec: &Spec, word: &Word) -> Vec<Symbol> {
    read(spec, word).0
}

/// The codes, and where the board ends. What is no code comes last, in one piece.
fn read(spec: &Spec, word: &Word) -> (Vec<Symbol>, usize) {
    let mut reader = Reader::new(spec, word);
    let mut codes = Vec::new();
    for square in reader.coded_squares().take(79) {
        let start = reader.at;
        let Some(piece) = reader.board_code() else { break };
        let what = piece.map_or("empty".to_string(), layout::piece_name);
        let meaning = format!("{} {what}", layout::square_name(square));
        codes.push(Symbol::new(word, Field::Board, start, reader.at - start, meaning));
    }
    let board_end = reader.at;
    reader.at += usize::from(spec.side_after_board);
    let mut field = Field::BlackHand;
    while reader.at < BITS {
        let start = reader.at;
        let meaning = match reader.tail_code() {
            Ok(OffBoard { place, kind }) => {
                field = place;
                layout::kind_name(kind).to_string()
            }
            Err(fault) => {
                reader.at = BITS;
                format!("{} bits that are no code: {fault}", BITS - start)
            }
        };
        codes.push(Symbol::new(word, field, start, reader.at - start, meaning));
    }
    (codes, board_end)
}

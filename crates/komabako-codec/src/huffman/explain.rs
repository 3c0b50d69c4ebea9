//! The fields and codes of a word, for human readers.

use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;

use komabako_board::{BaseKind, Color, Piece, Square};

use super::codebook::Codebook;
use super::reader::{OffBoard, PLACES, Reader};
use crate::explanation::{self, FieldValue, Owner, Owners, Symbol};
use crate::word::{BITS, bit};
use crate::{Field, UnpackFault, Word};

/// The fields in the order of their bits. The board ends with the codes of its squares, or with the word; the hands
/// and the box end where the place of their codes changes.
pub fn fields(codebook: &Codebook, word: &Word) -> Vec<FieldValue> {
    let spec = codebook.spec;
    let (codes, board_end) = read(codebook, word);
    let start = spec.board_start();
    let value = |field, from, to: usize, meaning| FieldValue::new(word, field, from, to - from, meaning);
    let side = |at| value(Field::SideToMove, at, at + 1, explanation::side(bit(word, at)));
    let kings = Reader::new(codebook, word).kings();
    let pieces = |field| codes.iter().filter(|code| code.field == field && code.len > 1).count();

    let mut fields = Vec::new();
    if !spec.side_after_board {
        fields.push(side(0));
    }
    fields.push(value(Field::Kings, start - 14, start, explanation::kings(kings, |code| spec.square(code))));
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
        let end = end.map_or(at, |code| code.offset + code.len).max(at);
        if place != Field::Box || spec.has_box {
            fields.push(value(place, at, end, format!("{} pieces", pieces(place))));
            at = end;
        }
    }
    fields
}

/// The codes in the order of the stream.
pub fn symbols(codebook: &Codebook, word: &Word) -> Vec<Symbol> {
    let symbol = |code: Code| {
        let owner = code.owner();
        let meaning = match code.meaning {
            Meaning::Square(square, piece) => explanation::square_and_piece(square, piece),
            Meaning::OffBoard(kind) => explanation::kind_name(kind).to_string(),
            Meaning::NoCode(fault) => format!("{} bits that are no code: {fault}", code.len),
        };
        Symbol::new(word, code.field, code.offset, code.len, meaning, owner)
    };
    read(codebook, word).0.into_iter().map(symbol).collect()
}

/// A code, and the bits that it takes.
struct Code {
    field: Field,
    offset: usize,
    len: usize,
    meaning: Meaning,
}

/// The meaning of a code.
#[derive(Clone, Copy)]
enum Meaning {
    Square(Square, Option<Piece>),
    OffBoard(BaseKind),
    NoCode(UnpackFault),
}

impl Code {
    fn owner(&self) -> Owner {
        match (self.meaning, self.field) {
            (Meaning::Square(square, _), _) => Owner::Square(square),
            (Meaning::OffBoard(kind), Field::BlackHand) => Owner::Hand(Color::Black, kind),
            (Meaning::OffBoard(kind), Field::WhiteHand) => Owner::Hand(Color::White, kind),
            (Meaning::OffBoard(kind), _) => Owner::Box(kind),
            (Meaning::NoCode(_), _) => Owner::Padding,
        }
    }
}

/// The owner of every bit, as far as the codes can be read.
pub fn owners(codebook: &Codebook, word: &Word) -> Owners {
    let spec = codebook.spec;
    let (codes, board_end) = read(codebook, word);
    let mut owners = Owners::NONE;
    let kings = Reader::new(codebook, word).kings();
    for ((start, code), color) in spec.kings().into_iter().zip(kings).zip([Color::Black, Color::White]) {
        owners.set(start..start + 7, Owner::King(color));
        if let Some(square) = spec.square(code) {
            owners.add_place(Owner::King(color), square);
        }
    }
    // After a truncated board there may be no bit left for the side.
    let side = if spec.side_after_board { board_end } else { 0 };
    if side < BITS {
        owners.set(side..side + 1, Owner::Side);
    }
    for code in codes {
        owners.set(code.offset..code.offset + code.len, code.owner());
    }
    owners
}

/// The codes, and the end of the board. Bits that are not a code come last, as one item.
fn read(codebook: &Codebook, word: &Word) -> (Vec<Code>, usize) {
    let mut reader = Reader::new(codebook, word);
    let mut codes = Vec::with_capacity(128);
    for square in reader.coded_squares().take(79) {
        let offset = reader.at;
        let Some(piece) = reader.board_code() else { break };
        let meaning = Meaning::Square(square, piece);
        codes.push(Code { field: Field::Board, offset, len: reader.at - offset, meaning });
    }
    let board_end = reader.at;
    reader.at += usize::from(codebook.spec.side_after_board);
    let mut field = Field::BlackHand;
    while reader.at < BITS {
        let offset = reader.at;
        let meaning = match reader.tail_code() {
            Ok(OffBoard { place, kind }) => {
                field = place;
                Meaning::OffBoard(kind)
            }
            Err(fault) => {
                reader.at = BITS;
                Meaning::NoCode(fault)
            }
        };
        codes.push(Code { field, offset, len: reader.at - offset, meaning });
    }
    (codes, board_end)
}

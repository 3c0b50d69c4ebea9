//! The fields of a word, for human readers.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use komabako_board::{Color, square};
use komabako_codec::contract::{side, square_name};
use komabako_codec::explanation::FieldValue;
use komabako_codec::{Field, Word};

use super::reference::{KINGS, OCCUPIED, PLANES, SIDE_TO_MOVE};
use crate::explain::{by_offset, field, off_board, planes, topped_up_squares};
use crate::word::{bit, number, ones};

/// The ten fields in the order of their bits.
pub fn fields(word: &Word) -> Vec<FieldValue> {
    let codes = KINGS.map(|range| number(word, range));
    let on_board = ones(word, OCCUPIED) + codes.iter().filter(|&&code| code == 127).count();
    let meanings =
        ["silvers, golds, bishops, rooks", "knights, golds, bishops, rooks", "bishops, rooks", "rooks"];
    let mut fields = alloc::vec![
        field(word, Field::SideToMove, SIDE_TO_MOVE..SIDE_TO_MOVE + 1, side(bit(word, SIDE_TO_MOVE))),
        field(word, Field::Occupied, OCCUPIED, format!("{} pieces besides the kings", ones(word, OCCUPIED))),
        field(word, Field::Kings, KINGS[0].start..KINGS[1].end, kings(codes)),
    ];
    fields.extend(planes(word, &PLANES, on_board, &meanings));
    by_offset(fields)
}

/// The king codes. The code of a missing king contains a topped-up bit of `occupied`.
fn kings(codes: [usize; 2]) -> String {
    let places = codes.map(square::from_index);
    let mut topped_up = topped_up_squares(&places).into_iter();
    let king = |(color, code): (Color, usize)| match square::from_index(code) {
        Some(square) => format!("{color:?} {} ({code})", square_name(square)),
        None if code >= 126 => format!("{color:?} {}", off_board("missing", code, topped_up.next())),
        None => format!("{color:?} on no square ({code})"),
    };
    let kings: Vec<String> = [Color::Black, Color::White].into_iter().zip(codes).map(king).collect();
    kings.join(", ")
}

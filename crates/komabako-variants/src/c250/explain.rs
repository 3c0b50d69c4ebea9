//! The fields of a word, for human readers.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use komabako_board::{Square, square};
use komabako_codec::contract::{side, square_name};
use komabako_codec::explanation::FieldValue;
use komabako_codec::{Field, Word};

use super::reference::{
    BISHOPS, KINGS, MAJOR_COLOR, MAJOR_PROMOTED, OCCUPIED, PAYLOAD, PLANES, ROOKS, pair_indices,
};
use crate::explain::{by_offset, field, off_board, planes, topped_up_squares};
use crate::word::{number, ones};

/// The eleven fields in the order of their bits.
pub fn fields(word: &Word) -> Vec<FieldValue> {
    let kings = number(word, KINGS);
    let pairs = [BISHOPS, ROOKS].map(|range| pair_indices(number(word, range)));
    let majors = [Some((kings % 83, kings / 83)), pairs[0], pairs[1]];
    let indices: Vec<usize> = majors.into_iter().flatten().flat_map(|(a, b)| [a, b]).collect();
    let places: Vec<Option<Square>> = indices.iter().map(|&index| square::from_index(index)).collect();
    let mut topped_up = topped_up_squares(&places).into_iter();
    let mut major = |index: usize, off: &str| match square::from_index(index) {
        Some(square) => format!("{} ({index})", square_name(square)),
        None if index <= 82 => off_board(off, index, topped_up.next()),
        None => off_board("removed", index, topped_up.next()),
    };
    let kings = if kings < 83 * 83 {
        format!("Black {}, White {}", major(kings % 83, "missing"), major(kings / 83, "missing"))
    } else {
        format!("no kings ({kings})")
    };
    let [bishops, rooks] = pairs.map(|pair| match pair {
        Some((a, b)) => format!("{}, {}", major(a, "in hand"), major(b, "in hand")),
        None => String::from("no pair"),
    });

    let white_to_move = ones(word, OCCUPIED) > 40;
    let in_field = if white_to_move { 75 - ones(word, OCCUPIED) } else { ones(word, OCCUPIED) };
    let on_board = in_field + indices.iter().filter(|&&index| index > 80 && index % 2 == 1).count();
    let inverted = if white_to_move { ", inverted" } else { "" };
    let mut fields = alloc::vec![
        field(
            word,
            Field::Occupied,
            OCCUPIED,
            format!("{in_field} pawns, lances, knights, silvers, golds{inverted}: {}", side(white_to_move)),
        ),
        field(word, Field::Kings, KINGS, kings),
        field(
            word,
            Field::MajorColor,
            MAJOR_COLOR,
            format!("{} of the bishops and rooks are White's", ones(word, MAJOR_COLOR)),
        ),
        field(
            word,
            Field::MajorPromoted,
            MAJOR_PROMOTED,
            format!("{} of the bishops and rooks are promoted", ones(word, MAJOR_PROMOTED)),
        ),
        field(word, Field::Bishops, BISHOPS, bishops),
        field(word, Field::Rooks, ROOKS, rooks),
        field(word, Field::Payload, PAYLOAD, format!("payload {}", number(word, PAYLOAD))),
    ];
    fields.extend(planes(word, &PLANES, on_board, &["silvers, golds", "knights, golds"]));
    by_offset(fields)
}

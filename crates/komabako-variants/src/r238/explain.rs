//! The single field of a rank, for human readers.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use komabako_board::{BaseKind, Color, Setup};
use komabako_codec::explanation::FieldValue;
use komabako_codec::{Field, PositionCodec, Word};

use super::wide::{Divisor, U256};
use super::{R238, rank_of, word_of};

/// The rank as one field of 240 bits: its class of positions, and the number in decimal.
pub fn fields(word: &Word) -> Vec<FieldValue> {
    let rank = rank_of(word);
    let class = match R238::new().unpack(word) {
        Ok(setup) => class(&setup),
        Err(_) => String::from("no position has it"),
    };
    let meaning = format!("{class}; number {}", decimal(U256::from_bytes(&word_of(&rank))));
    alloc::vec![FieldValue::new(word, Field::Rank, 0, 8 * rank.len(), meaning)]
}

/// The class `(kc, p, q)` of the specification's outer part, in words.
fn class(setup: &Setup) -> String {
    let kings = match [Color::Black, Color::White].map(|color| setup.king(color).is_some()) {
        [true, true] => "both kings",
        [true, false] => "Black's king only",
        [false, true] => "White's king only",
        [false, false] => "no kings",
    };
    let pawns = setup.kind(BaseKind::Pawn).len();
    let others = setup.occupied().len() - setup.kind(BaseKind::King).len() - pawns;
    format!("{kings}, {pawns} pawns, {others} others on the board")
}

fn decimal(mut number: U256) -> String {
    let ten = Divisor::new(10);
    let mut digits = Vec::new();
    loop {
        let (quotient, digit) = number.divided_by::<4>(ten);
        digits.push(char::from(b'0' + digit as u8));
        if quotient == U256::ZERO {
            return digits.into_iter().rev().collect();
        }
        number = quotient;
    }
}

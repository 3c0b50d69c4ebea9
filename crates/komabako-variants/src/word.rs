//! Access to a word's bits by field, for the reference implementations.

use core::ops::Range;

pub use komabako_codec::contract::{bit, set_bit};
use komabako_codec::{Field, UnpackError, UnpackFault, Word, contract};

/// The number in a field, first bit least significant.
pub fn number(word: &Word, field: Range<usize>) -> usize {
    contract::number(word, field.start, field.len()) as usize
}

/// Writes a number to a field whose bits are zero.
pub fn set_number(word: &mut Word, field: Range<usize>, number: usize) {
    contract::set_number(word, field.start, field.len(), number as u128);
}

/// The number of set bits in a field.
pub fn ones(word: &Word, field: Range<usize>) -> usize {
    field.filter(|&index| bit(word, index)).count()
}

/// The error for a fault at a bit of a field.
pub fn fault(fault: UnpackFault, field: Field, bit: usize) -> UnpackError {
    UnpackError { fault, field, bit: bit as u16 }
}

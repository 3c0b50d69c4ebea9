//! The bits of a word by field, for the references.

use core::ops::Range;

pub use komabako_codec::contract::{bit, set_bit};
use komabako_codec::{Field, UnpackError, UnpackFault, Word, contract};

/// The number that a field holds, its first bit least significant.
pub fn number(word: &Word, field: Range<usize>) -> usize {
    contract::number(word, field.start, field.len()) as usize
}

/// Writes a number to a field whose bits are zero.
pub fn put_number(word: &mut Word, field: Range<usize>, number: usize) {
    contract::put_number(word, field.start, field.len(), number as u128);
}

/// How many bits of a field are set.
pub fn ones(word: &Word, field: Range<usize>) -> usize {
    field.filter(|&index| bit(word, index)).count()
}

/// The error of a fault that shows at a bit of a field.
pub fn fault(fault: UnpackFault, field: Field, bit: usize) -> UnpackError {
    UnpackError { fault, field, bit: bit as u16 }
}

//! Scores (`spec/archive.md` §5): their distance from a prediction.

use alloc::boxed::Box;
use alloc::vec;

use super::coder::{Bit, Coder};
use crate::error::Malformed;

/// A coder of numbers of either sign, in `contexts` contexts.
pub(super) struct Signed {
    /// The bit length of the magnitude, by context.
    length: Box<[[Bit; 32]]>,
    /// The sign, by context and class of length.
    sign: Box<[[Bit; 4]]>,
    /// The three bits below the highest, by length.
    next_bits: [[Bit; 8]; LENGTHS],
}

/// The bit lengths of numbers of 17 bits and a sign, 0 included.
const LENGTHS: usize = 18;
/// The bits below the highest that are modelled.
const MODELLED: u32 = 3;

impl Signed {
    pub fn new(contexts: usize) -> Signed {
        Signed {
            length: vec![[Bit::NEW; 32]; contexts].into(),
            sign: vec![[Bit::NEW; 4]; contexts].into(),
            next_bits: [[Bit::NEW; 8]; LENGTHS],
        }
    }

    pub fn code<C: Coder>(&mut self, coder: &mut C, context: usize, value: i32) -> Result<i32, Malformed> {
        let magnitude = value.unsigned_abs();
        let length = coder.tree(&mut self.length[context], bit_length(magnitude));
        if length as usize >= LENGTHS {
            return Err(Malformed::Score);
        }
        if length == 0 {
            return Ok(0);
        }
        let class = match length {
            0..5 => 0,
            5..8 => 1,
            8..10 => 2,
            _ => 3,
        };
        let is_negative = coder.bit(&mut self.sign[context][class], value < 0);
        let mut decoded = 1;
        let mut below = length - 1;
        // The number of bits so far is in the prefix, whose highest bit is the magnitude's.
        while below > 0 && length - 1 - below < MODELLED {
            below -= 1;
            let bit = &mut self.next_bits[length as usize][decoded % 8];
            decoded = decoded * 2 + usize::from(coder.bit(bit, magnitude >> below & 1 == 1));
        }
        let mut decoded = decoded as i32;
        if below > 0 {
            let low = magnitude & ((1 << below) - 1);
            decoded = decoded << below | coder.raw(below, low) as i32;
        }
        Ok(if is_negative { -decoded } else { decoded })
    }
}

/// The number of bits of a number without leading zeros.
pub(super) fn bit_length(magnitude: u32) -> u32 {
    u32::BITS - magnitude.leading_zeros()
}

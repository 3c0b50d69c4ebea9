//! [`U256`]: the few operations on 256-bit numbers that the ranking needs.

use komabako_codec::Word;
use komabako_codec::contract::from_lanes;

/// An unsigned number of 256 bits, four words, least significant first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct U256([u64; 4]);

impl U256 {
    pub const ZERO: U256 = U256([0; 4]);
    pub const ONE: U256 = U256([1, 0, 0, 0]);

    #[inline(always)]
    pub const fn from_u128(value: u128) -> Self {
        Self([value as u64, (value >> 64) as u64, 0, 0])
    }

    /// The number stored in 32 bytes, least significant first.
    #[inline(always)]
    pub fn from_bytes(bytes: &[u8; 32]) -> Self {
        let mut number = [0; 4];
        for (index, bytes) in bytes.as_chunks().0.iter().enumerate() {
            number[index] = u64::from_le_bytes(*bytes);
        }
        Self(number)
    }

    /// The low 240 bits, least significant byte first.
    #[inline(always)]
    pub const fn to_bytes(self) -> [u8; 30] {
        let [a, b, c, d] = self.0;
        let words = [a.to_le_bytes(), b.to_le_bytes(), c.to_le_bytes(), d.to_le_bytes()];
        let mut bytes = [0; 30];
        bytes.copy_from_slice(words.as_flattened().split_at(30).0);
        bytes
    }

    /// All bits, least significant byte first.
    #[inline(always)]
    pub fn to_word(self) -> Word {
        from_lanes(self.0)
    }

    /// The low 128 bits.
    #[inline(always)]
    pub const fn low_u128(self) -> u128 {
        self.0[0] as u128 | (self.0[1] as u128) << 64
    }

    /// `self + other`; the callers' sums stay below 2^256.
    #[inline(always)]
    pub const fn plus(self, other: U256) -> Self {
        let mut sum = [0; 4];
        let mut carry = 0;
        let mut i = 0;
        while i < 4 {
            let word = self.0[i] as u128 + other.0[i] as u128 + carry;
            sum[i] = word as u64;
            carry = word >> 64;
            i += 1;
        }
        Self(sum)
    }

    /// `self - other` and whether that is negative.
    #[inline(always)]
    pub const fn minus(self, other: U256) -> (Self, bool) {
        let mut difference = [0; 4];
        let mut borrow = false;
        let mut i = 0;
        while i < 4 {
            let (word, first) = self.0[i].overflowing_sub(other.0[i]);
            let (word, second) = word.overflowing_sub(borrow as u64);
            difference[i] = word;
            borrow = first | second;
            i += 1;
        }
        (Self(difference), borrow)
    }

    #[inline(always)]
    pub const fn is_less_than(self, other: U256) -> bool {
        self.minus(other).1
    }

    /// `self * factor + addend`; the callers' results stay below 2^256.
    #[inline(always)]
    pub const fn times_plus(self, factor: u64, addend: u64) -> Self {
        let mut product = [0; 4];
        let mut carry = addend as u128;
        let mut i = 0;
        while i < 4 {
            let word = self.0[i] as u128 * factor as u128 + carry;
            product[i] = word as u64;
            carry = word >> 64;
            i += 1;
        }
        Self(product)
    }

    /// The number of bits up to the highest one.
    #[inline(always)]
    pub const fn bit_len(self) -> usize {
        let [a, b, c, d] = self.0;
        let (word, below) = if d != 0 {
            (d, 192)
        } else if c != 0 {
            (c, 128)
        } else if b != 0 {
            (b, 64)
        } else {
            (a, 0)
        };
        below + 64 - word.leading_zeros() as usize
    }

    /// Quotient and remainder of a division by a prepared divisor, if the quotient has at most `WORDS` words of 64 bits;
    /// otherwise the result is unspecified.
    #[inline(always)]
    pub const fn divided_by<const WORDS: usize>(self, divisor: Divisor) -> (Self, u64) {
        let shift = divisor.value.leading_zeros();
        let normalized = divisor.value << shift;
        let mut quotient = [0; 4];
        let mut rest = shifted(if WORDS < 4 { self.0[WORDS] } else { 0 }, self.0[WORDS - 1], shift);
        let mut i = WORDS;
        while i > 0 {
            i -= 1;
            let below = if i > 0 { self.0[i - 1] } else { 0 };
            (quotient[i], rest) = divisor.step(normalized, rest, shifted(self.0[i], below, shift));
        }
        (Self(quotient), rest >> shift)
    }
}

/// The upper word of `high:low << shift`. Not a shift of 128 bits, which is a slow instruction.
#[inline(always)]
const fn shifted(high: u64, low: u64, shift: u32) -> u64 {
    high << shift | low >> 1 >> (63 - shift)
}

/// A divisor with its reciprocal, so that division needs only multiplications (Möller and Granlund, *Improved
/// division by invariant integers*, IEEE Transactions on Computers 60, 2011, algorithm 4).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Divisor {
    pub value: u64,
    /// `floor((2^128 - 1) / normalized) - 2^64`, for the value shifted until its top bit is set.
    reciprocal: u64,
}

impl Divisor {
    /// # Panics
    /// If the value is 0.
    pub const fn new(value: u64) -> Self {
        let normalized = value << value.leading_zeros();
        Self { value, reciprocal: (u128::MAX / normalized as u128 - (1 << 64)) as u64 }
    }

    /// Divides `high:low` by the normalized divisor; `high` must be less than it.
    #[inline(always)]
    const fn step(self, normalized: u64, high: u64, low: u64) -> (u64, u64) {
        let estimate =
            (self.reciprocal as u128 * high as u128).wrapping_add((high as u128) << 64 | low as u128);
        let mut quotient = ((estimate >> 64) as u64).wrapping_add(1);
        let mut rest = low.wrapping_sub(quotient.wrapping_mul(normalized));
        if rest > estimate as u64 {
            quotient = quotient.wrapping_sub(1);
            rest = rest.wrapping_add(normalized);
        }
        if rest >= normalized {
            quotient = quotient.wrapping_add(1);
            rest -= normalized;
        }
        (quotient, rest)
    }
}

/// A divisor for numbers whose product with it is below 2^62, so that division needs only multiplications.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SmallDivisor {
    value: u64,
    /// `ceil(2^62 / value)`.
    reciprocal: u64,
}

impl SmallDivisor {
    /// # Panics
    /// If the value is 0.
    pub const fn new(value: u64) -> Self {
        Self { value, reciprocal: (1_u64 << 62).div_ceil(value) }
    }

    /// Quotient and remainder.
    #[inline(always)]
    pub const fn divide(self, number: u64) -> (u64, u64) {
        let product = (number << 2) as u128 * self.reciprocal as u128;
        let quotient = (product >> 64) as u64;
        (quotient, number - quotient * self.value)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Numbers of any length.
    fn number() -> impl Strategy<Value = U256> {
        (any::<[u64; 4]>(), 0..=4_usize)
            .prop_map(|(words, len)| U256(core::array::from_fn(|i| if i < len { words[i] } else { 0 })))
    }

    proptest! {
        #[test]
        fn division_satisfies_its_definition(number in number(), top: u64, shift in 0..64_u32) {
            let divisor = (top >> shift).max(1);
            let (quotient, remainder) = number.divided_by::<4>(Divisor::new(divisor));
            prop_assert!(remainder < divisor);
            prop_assert_eq!(quotient.times_plus(divisor, remainder), number);
            let words = quotient.bit_len().div_ceil(64);
            prop_assert!(words > 3 || number.divided_by::<3>(Divisor::new(divisor)) == (quotient, remainder));
            prop_assert!(words > 2 || number.divided_by::<2>(Divisor::new(divisor)) == (quotient, remainder));
        }

        #[test]
        fn small_division_satisfies_its_definition(divisor in 1..=6480_u64, share: u64) {
            let largest = ((1 << 62) - 1) / divisor;
            for number in [share % (largest + 1), largest] {
                prop_assert_eq!(SmallDivisor::new(divisor).divide(number), (number / divisor, number % divisor));
            }
        }

        #[test]
        fn lengths_are_those_of_the_bits(number in number()) {
            let words = number.0.iter().enumerate().rev().find(|(_, word)| **word != 0);
            prop_assert_eq!(number.bit_len(), words.map_or(0, |(i, word)| 64 * i + word.ilog2() as usize + 1));
        }

        #[test]
        fn arithmetic_agrees_with_u128(a: u64, b: u64, c: u64, d: u128) {
            let product = u128::from(a) * u128::from(b);
            let sum = u128::from(a) + d / 2;
            prop_assert_eq!(U256::from_u128(a.into()).times_plus(b, c).low_u128(), product + u128::from(c));
            prop_assert_eq!(U256::from_u128(a.into()).plus(U256::from_u128(d / 2)).low_u128(), sum);
            prop_assert_eq!(U256::from_u128(sum).minus(U256::from_u128(d / 2)), (U256::from_u128(a.into()), false));
        }

        #[test]
        fn addition_undoes_subtraction(a in number(), b in number()) {
            let (difference, is_negative) = a.minus(b);
            prop_assert_eq!(is_negative, a.0.iter().rev().lt(b.0.iter().rev()));
            if !is_negative {
                prop_assert_eq!(difference.plus(b), a);
            }
        }
    }
}

//! [`U256`]: the few operations on 256-bit numbers that the ranking needs.

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

    /// The number stored in 30 bytes, least significant first.
    #[inline(always)]
    pub fn from_bytes(bytes: &[u8; 30]) -> Self {
        let mut words = [[0; 8]; 4];
        words.as_flattened_mut()[..30].copy_from_slice(bytes);
        Self(words.map(u64::from_le_bytes))
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

    /// Quotient and remainder of a division by a prepared divisor.
    #[inline(always)]
    pub const fn divided_by(self, divisor: Divisor) -> (Self, u64) {
        let shift = divisor.value.leading_zeros();
        let normalized = divisor.value << shift;
        let [a, b, c, d] = self.0;
        let (q3, r) = divisor.step(normalized, shifted(0, d, shift), shifted(d, c, shift));
        let (q2, r) = divisor.step(normalized, r, shifted(c, b, shift));
        let (q1, r) = divisor.step(normalized, r, shifted(b, a, shift));
        let (q0, r) = divisor.step(normalized, r, shifted(a, 0, shift));
        (Self([q0, q1, q2, q3]), r >> shift)
    }
}

/// The upper word of `high:low << shift`.
#[inline(always)]
const fn shifted(high: u64, low: u64, shift: u32) -> u64 {
    (((high as u128) << 64 | low as u128) << shift >> 64) as u64
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
            let (quotient, remainder) = number.divided_by(Divisor::new(divisor));
            prop_assert!(remainder < divisor);
            prop_assert_eq!(quotient.times_plus(divisor, remainder), number);
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

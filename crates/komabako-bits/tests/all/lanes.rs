//! The lanes of every backend agree with 64-bit words, one by one.

use komabako_bits::{Backend, BitOps, Kernel, Lanes, dispatch};
use proptest::prelude::*;

/// Every operation on two vectors of words, and a shift.
#[derive(Clone)]
struct Check {
    a: [u64; 4],
    b: [u64; 4],
    places: u32,
}

impl Kernel for Check {
    type Output = ();

    #[inline(always)]
    fn run<B: BitOps>(self, ops: B) {
        let Check { a, b, places } = self;
        agree(ops.v256(a), ops.v256(b), a, b, places);
        let two = |[first, second, ..]: [u64; 4]| [first, second];
        agree(ops.v128(two(a)), ops.v128(two(b)), two(a), two(b), places);
    }
}

#[inline(always)]
fn agree<const N: usize, V: Lanes<N>>(v: V, w: V, a: [u64; N], b: [u64; N], places: u32) {
    let same = |name, found: V, expected: &dyn Fn(u64, u64) -> u64| {
        let expected: [u64; N] = std::array::from_fn(|i| expected(a[i], b[i]));
        assert_eq!(found.to_words(), expected, "{name} of {v:?} and {w:?} by {places}");
    };
    same("to_words", v, &|a, _| a);
    same("and", v & w, &|a, b| a & b);
    same("or", v | w, &|a, b| a | b);
    same("xor", v ^ w, &|a, b| a ^ b);
    same("without", v.without(w), &|a, b| a & !b);
    same("plus", v.plus(w), &u64::wrapping_add);
    same("minus", v.minus(w), &u64::wrapping_sub);
    same("equals", v.equals(w), &|a, b| if a == b { u64::MAX } else { 0 });
    same("shift_left", v.shift_left(places), &|a, _| a << places);
    same("shift_right", v.shift_right(places), &|a, _| a >> places);
    same("swap_bytes", v.swap_bytes(), &|a, _| a.swap_bytes());
    assert_eq!(v.swap_pairs().to_words(), std::array::from_fn(|i| a[i ^ 1]), "swap_pairs of {v:?}");
    assert_eq!(v.is_zero(), a == [0; N], "{v:?}");
    assert!(v.without(v).is_zero());
}

fn check(a: [u64; 4], b: [u64; 4], places: u32) {
    Backend::available().for_each(|backend| dispatch(backend, Check { a, b, places }));
}

#[test]
fn every_backend_agrees_on_carries_and_shifts() {
    let edges = [0, 1, u64::MAX, 1 << 63, (1 << 63) - 1, 0x0123_4567_89ab_cdef];
    for (index, &low) in edges.iter().enumerate() {
        for &high in &edges {
            for places in 0..64 {
                let other = edges[(index + 1) % edges.len()];
                check([low, high, other, low], [high, high, low, other], places);
            }
        }
    }
}

#[test]
fn words_with_one_bit_are_not_zero() {
    for bit in 0..256 {
        let mut words = [0; 4];
        words[bit / 64] = 1 << (bit % 64);
        check(words, [0; 4], 1);
    }
}

proptest! {
    #[test]
    fn every_backend_agrees_on_random_words(a: [u64; 4], b: [u64; 4], same: [bool; 4], places in 0..64u32) {
        let b = std::array::from_fn(|i| if same[i] { a[i] } else { b[i] });
        check(a, b, places);
    }
}

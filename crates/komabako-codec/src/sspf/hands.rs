//! The colour bits of the pieces in the hands: by kind, Black's zeros, then White's ones.

use komabako_bits::BitOps;
use komabako_board::Hand;

use crate::lanes;

/// One in each byte lane: multiplied by it, a number of lanes becomes its prefix sums.
const ONES: u64 = 0x0101_0101_0101_0101;
/// The lowest bit of each nibble.
const NIBBLES: u64 = 0x1111_1111_1111_1111;

/// Both hands as a field.
pub struct Packed {
    /// The colour bits.
    pub colors: u64,
    /// How many there are.
    pub len: u32,
}

/// Both hands from a field.
pub struct Unpacked {
    /// Black's and White's hand as [`Hand::bits`]; some numbers if the colour bits are not ordered.
    pub bits: [u32; 2],
    /// Whether, in every kind, Black's pieces come first.
    pub are_ordered: bool,
}

/// The colour bits of hands.
#[inline(always)]
pub fn pack<B: BitOps>(ops: B, hands: [Hand; 2]) -> Packed {
    if !B::GATHERS {
        let [black, white] = hands.map(lanes::of_hand);
        let ends = (black + white).wrapping_mul(ONES);
        return Packed { colors: ops.runs(ends.wrapping_sub(white), ends), len: (ends >> 48) as u32 & 0xff };
    }
    let [black, white] = hands.map(|hand| u64::from(hand.bits()));
    // A byte for each kind but pawns: Black's count below White's.
    let counts = ops.pdep(black, 0x000f_0f0f_0f0f_0fff) | ops.pdep(white, 0x00f0_f0f0_f0f0_f0ff);
    let slots = slots(counts >> 8);
    let (black_pawns, white_pawns) = (black as u32 & 0xff, white as u32 & 0xff);
    let pawns = black_pawns + white_pawns;
    let others = ops.pext(slots & 0xf0f0_f0f0_f0f0, slots);
    Packed {
        colors: low_ones(white_pawns) << black_pawns | others << pawns,
        len: pawns + ops.popcount(slots),
    }
}

/// The hands that hold so many pieces of each kind together, in [lanes], and have these colour bits.
#[inline(always)]
pub fn unpack<B: BitOps>(ops: B, both: u64, colors: u64) -> Unpacked {
    if !B::GATHERS {
        let ends = both.wrapping_mul(ONES);
        let ones_up_to_end = ops.ranks(colors, ends);
        let white = ones_up_to_end.wrapping_sub(ones_up_to_end << 8) & (u64::MAX >> 8);
        return Unpacked {
            bits: [both.wrapping_sub(white), white].map(lanes::to_bits),
            are_ordered: ops.runs(ends.wrapping_sub(white), ends) == colors,
        };
    }
    let both = ops.pext(both, 0x000f_0f0f_0f0f_0fff);
    let pawns = both as u32 & 0xff;
    let slots = slots(both >> 8);
    // Kinds apart, and pawns above the others.
    let all_pawns = low_ones(pawns);
    let whites = ops.pdep(colors.wrapping_shr(pawns), slots) | (colors & all_pawns) << 32;
    let places = slots | all_pawns << 32;
    let first_of_kinds = NIBBLES & 0xff_ffff | 1 << 32;
    let black_after_white = whites << 1 & places & !whites & !first_of_kinds;

    let pairs = whites - (whites >> 1 & 0x0055_5555);
    let others = (pairs & 0x0033_3333) + (pairs >> 2 & 0x0033_3333);
    let white = u64::from(ops.popcount(whites >> 32)) | others << 8;
    Unpacked { bits: [both.wrapping_sub(white) as u32, white as u32], are_ordered: black_after_white == 0 }
}

/// For each nibble but the highest, 0 to 4, as many low ones in it.
#[inline(always)]
const fn slots(counts: u64) -> u64 {
    let two_or_three = counts >> 1 & NIBBLES;
    let three = two_or_three & counts;
    let four = counts & NIBBLES << 2;
    counts | two_or_three | three << 2 | ((four << 2) - (four >> 2))
}

/// A number of `count` low ones, 0..=63.
#[inline(always)]
const fn low_ones(count: u32) -> u64 {
    1_u64.wrapping_shl(count) - 1
}

#[cfg(test)]
mod tests {
    use komabako_bits::{Backend, Kernel, dispatch};

    use super::*;

    /// A number of pieces in lanes, P L N S G B R.
    const fn lanes_of(counts: [u64; 7]) -> u64 {
        let (mut lanes, mut kind) = (0, 7);
        while kind > 0 {
            kind -= 1;
            lanes = lanes << 8 | counts[kind];
        }
        lanes
    }

    struct Check {
        black: u64,
        white: u64,
        colors: u64,
    }

    impl Kernel for Check {
        type Output = ();

        #[inline(always)]
        fn run<B: BitOps>(self, ops: B) {
            let hands = [self.black, self.white].map(lanes::to_hand);
            let packed = pack(ops, hands);
            assert_eq!(packed.colors, self.colors, "{ops:?}");
            assert_eq!(u64::from(packed.len), (self.black + self.white).wrapping_mul(ONES) >> 48 & 0xff);
            let unpacked = unpack(ops, self.black + self.white, self.colors);
            assert!(unpacked.are_ordered, "{ops:?}");
            assert_eq!(unpacked.bits, hands.map(Hand::bits), "{ops:?}");
        }
    }

    #[test]
    fn colors_are_zeros_then_ones_by_kind_and_tell_the_hands_apart() {
        for backend in Backend::available() {
            let check = |black, white, colors| {
                dispatch(backend, Check { black: lanes_of(black), white: lanes_of(white), colors });
            };
            // PPPPP L GGG R: 00011 1 011 0
            check([3, 0, 0, 0, 1, 0, 1], [2, 1, 0, 0, 2, 0, 0], 0b1_1011_1000);
            check([0; 7], [18, 4, 4, 4, 4, 2, 2], (1 << 38) - 1);
            check([18, 4, 4, 4, 4, 2, 2], [0; 7], 0);
            check([1; 7], [1; 7], 0b10_10_10_10_10_10_10);
        }
    }

    struct Disorder(u64, u64);

    impl Kernel for Disorder {
        type Output = ();

        #[inline(always)]
        fn run<B: BitOps>(self, ops: B) {
            assert!(!unpack(ops, self.0, self.1).are_ordered, "{ops:?}: {:#b}", self.1);
        }
    }

    #[test]
    fn whites_before_blacks_are_no_hands() {
        for backend in Backend::available() {
            let disorder = |both, colors| dispatch(backend, Disorder(lanes_of(both), colors));
            disorder([2, 0, 0, 0, 0, 0, 0], 0b01);
            (0..17).for_each(|white| disorder([18, 0, 0, 0, 0, 0, 0], 1 << white));
            disorder([0, 4, 0, 0, 0, 0, 0], 0b0111);
            disorder([1, 2, 0, 0, 0, 0, 2], 0b0_1000);
            disorder([0, 0, 0, 3, 4, 0, 0], 0b101_1110);
        }
    }
}

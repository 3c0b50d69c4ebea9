//! The colour bits of the pieces in the hands: by kind, Black's zeros, then White's ones.

use komabako_bits::BitOps;
use komabako_board::Hand;

use crate::lanes;

/// One in each byte lane: multiplying lanes by it gives their prefix sums.
const ONES: u64 = 0x0101_0101_0101_0101;
/// The bits of the lanes that a [`Hand`] has.
const LANES: u64 = 0x000f_0f0f_0f0f_0fff;

/// A byte of as many low ones, up to 8.
const LOW_ONES: [u8; 16] = {
    let mut table = [0xff; 16];
    let mut count = 0;
    while count < 8 {
        table[count] = (1 << count) - 1;
        count += 1;
    }
    table
};

/// The number of ones in four bits.
const POPCOUNTS: [u8; 16] = {
    let mut table = [0; 16];
    let mut bits = 0;
    while bits < 16 {
        table[bits] = (bits as u8).count_ones() as u8;
        bits += 1;
    }
    table
};

/// Both hands as a field.
#[derive(Debug)]
pub struct Packed {
    /// The colour bits.
    pub colors: u64,
    /// The number of colour bits.
    pub len: u32,
}

/// Both hands from a field.
#[derive(Debug)]
pub struct Unpacked {
    /// Black's and White's hand as [`Hand::bits`]; unspecified if the colour bits are not ordered.
    pub bits: [u32; 2],
    /// Whether, in every kind, Black's pieces come first.
    pub are_ordered: bool,
}

/// The colour bits of hands.
#[inline(always)]
pub fn pack<B: BitOps>(ops: B, hands: [Hand; 2]) -> Packed {
    if !B::GATHERS {
        let black = lanes::of_hand(hands[0]);
        let white = lanes::of_hand(hands[1]);
        // The prefix sums are the ends of the kinds in the field; a kind's ones, White's, end there too.
        let ends = (black + white).wrapping_mul(ONES);
        return Packed { colors: ops.runs(ends.wrapping_sub(white), ends), len: (ends >> 48) as u32 & 0xff };
    }
    let black = u64::from(hands[0].bits());
    let white = u64::from(hands[1].bits());
    let black_lanes = ops.pdep(black, LANES);
    let white_lanes = ops.pdep(white, LANES);
    let both = black_lanes + white_lanes;
    // Pawns are handled separately: eighteen do not fit into the eight places of a lane.
    let pawns = both as u32 & 0xff;
    let places = ops.lookup_word(both >> 8, &LOW_ONES);
    let blacks = ops.lookup_word(black_lanes >> 8, &LOW_ONES);
    let others = ops.pext(places ^ blacks, places);
    Packed {
        colors: low_ones(white as u32 & 63) << (black & 63) | others.wrapping_shl(pawns),
        len: pawns + ops.popcount(places),
    }
}

/// Both hands from the number of pieces of each kind that they hold together, in lanes, and the colour bits.
#[inline(always)]
pub fn unpack<B: BitOps>(ops: B, both: u64, colors: u64) -> Unpacked {
    if !B::GATHERS {
        let ends = both.wrapping_mul(ONES);
        let ones_up_to_end = ops.ranks(colors, ends);
        // Ones up to the end of a kind, less those up to the end of the kind before.
        let white = ones_up_to_end.wrapping_sub(ones_up_to_end << 8) & (u64::MAX >> 8);
        return Unpacked {
            bits: [lanes::to_bits(both.wrapping_sub(white)), lanes::to_bits(white)],
            // These hands pack to these bits only if the bits were in order.
            are_ordered: ops.runs(ends.wrapping_sub(white), ends) == colors,
        };
    }
    let spread = Spread::new(ops, both, colors);
    Unpacked { bits: spread.bits(ops), are_ordered: spread.are_ordered }
}

/// The colour bits, each in its kind's lane: their state before they are counted. Only for backends that gather bits with
/// single instructions.
#[derive(Clone, Copy, Debug)]
pub struct Spread {
    /// The pieces of both hands, in [lanes].
    both: u64,
    /// White's pieces without pawns, per lane: a run of ones at the high end of the lane's pieces.
    whites: u64,
    white_pawns: u32,
    /// See [`Unpacked::are_ordered`].
    pub are_ordered: bool,
}

impl Spread {
    /// Spreads the colour bits of `both`, the pieces of each kind together, in the lanes of the module `lanes`.
    #[inline(always)]
    pub fn new<B: BitOps>(ops: B, both: u64, colors: u64) -> Self {
        let pawns = both as u32 & 31;
        // With its high bit set, the pawns' lane stays empty.
        let places = ops.lookup_word(both | 0x80, &LOW_ONES);
        let whites = ops.pdep(colors.wrapping_shr(pawns), places);
        let pawn_colors = colors & low_ones(pawns);
        let white_pawns = ops.popcount(pawn_colors);
        let black_pawns = pawns.wrapping_sub(white_pawns) & 31;
        let out_of_order = whites << 1 & places & !whites | pawn_colors & low_ones(black_pawns);
        Self { both, whites, white_pawns, are_ordered: out_of_order == 0 }
    }

    /// See [`Unpacked::bits`].
    #[inline(always)]
    pub fn bits<B: BitOps>(&self, ops: B) -> [u32; 2] {
        let white = ops.lookup_word(self.whites, &POPCOUNTS) | u64::from(self.white_pawns);
        [ops.pext(self.both.wrapping_sub(white), LANES) as u32, ops.pext(white, LANES) as u32]
    }
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
        let mut lanes = 0;
        let mut kind = 7;
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
    fn colour_bits_are_zeros_then_ones_for_each_kind() {
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
    fn hands_with_white_before_black_are_refused() {
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

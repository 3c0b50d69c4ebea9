//! The colour bits of the pieces in the hands, to and from [lanes](crate::lanes).

use komabako_bits::BitOps;

/// One in each byte lane: multiplied by it, a number of lanes becomes its prefix sums.
const ONES: u64 = 0x0101_0101_0101_0101;

/// The colour bits of the pieces in both hands: by kind, Black's zeros, then White's ones.
#[inline(always)]
pub const fn colors(black: u64, white: u64) -> u64 {
    let ends = black.wrapping_add(white).wrapping_mul(ONES);
    let starts = ends.wrapping_sub(white);
    let (mut bits, mut kind) = (0_u64, 0);
    while kind < 7 {
        let (start, end) = ((starts >> (8 * kind)) as u32, (ends >> (8 * kind)) as u32);
        bits = bits.wrapping_add(1_u64.wrapping_shl(end)).wrapping_sub(1_u64.wrapping_shl(start));
        kind += 1;
    }
    bits
}

/// White's share of hands with `both` pieces by kind and these colour bits. For numbers beyond the inventory, some
/// number.
#[inline(always)]
pub fn white<B: BitOps>(ops: B, both: u64, colors: u64) -> u64 {
    let ends = both.wrapping_mul(ONES);
    let mut ones_up_to_end = 0;
    for kind in 0..7 {
        let below = 1_u64.wrapping_shl((ends >> (8 * kind)) as u32).wrapping_sub(1);
        ones_up_to_end |= u64::from(ops.popcount(colors & below)) << (8 * kind);
    }
    ones_up_to_end.wrapping_sub(ones_up_to_end << 8) & (u64::MAX >> 8)
}

#[cfg(test)]
mod tests {
    use komabako_bits::Backend;

    use super::*;
    use crate::lanes::INVENTORY;

    #[test]
    fn colors_are_zeros_then_ones_by_kind_and_tell_the_hands_apart() {
        // Black: 3 pawns, 1 gold, 1 rook. White: 2 pawns, 1 lance, 2 golds.
        let (black, white_hand) = (0x01_00_01_00_00_00_03, 0x00_00_02_00_00_01_02);
        let bits = 0b1_1011_1000; // PPPPP L GGG R: 00011 1 011 0
        assert_eq!(colors(black, white_hand), bits);
        let Some(Backend::Soft(ops)) = Backend::available().next() else { panic!("Soft is always there") };
        assert_eq!(white(ops, black + white_hand, bits), white_hand);
        assert_eq!(colors(0, INVENTORY), (1 << 38) - 1);
        assert_eq!(white(ops, INVENTORY, (1 << 38) - 1), INVENTORY);
    }
}

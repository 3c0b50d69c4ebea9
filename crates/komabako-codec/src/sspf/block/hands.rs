//! The functions of [`hands`](crate::sspf::hands), with only arithmetic on numbers of 64 bits. Both hands are one number:
//! [`Hand::bits`](komabako_board::Hand::bits) of Black's in the low half, of White's in the high half.

use crate::lanes;

/// One in each byte lane.
const ONES: u64 = 0x0101_0101_0101_0101;
/// Every other bit, and every other pair of bits, from the lowest on.
const EVEN_BITS: u64 = 0x55 * ONES;
const EVEN_PAIRS: u64 = 0x33 * ONES;

/// The colour bits of hands, and a one above the last.
#[inline(always)]
pub const fn pack(hands: u64) -> u64 {
    let both = hands + (hands >> 32);
    let mut colors = 1;
    let mut kind = 7;
    // From rooks down to pawns, which come first in the field: earlier bits move up, and each kind adds Black's zeros
    // and White's ones below. The initial one stays on top and marks the end of the bits.
    while kind > 0 {
        kind -= 1;
        let (place, field) = if kind == 0 { (0, 31) } else { (4 + 4 * kind, 15) };
        let black = hands >> place & field;
        let all = both >> place & field;
        colors = (colors << all) + (1 << all) - (1 << black);
    }
    colors
}

/// In each lane but the pawns', as many low ones as its number, up to 4.
#[inline(always)]
pub const fn places(both: u64) -> u64 {
    let others = both & !0xff;
    // After adding 8 - n, bit 3 of a lane is set if the lane is at least n.
    let one = others.wrapping_add(7 * ONES);
    let two = others.wrapping_add(6 * ONES);
    let three = others.wrapping_add(5 * ONES);
    let four = others.wrapping_add(4 * ONES);
    one >> 3 & ONES | two >> 2 & (ONES << 1) | three >> 1 & (ONES << 2) | four & (ONES << 3)
}

/// Hands from the number of pieces of each kind that they hold together, in [lanes]. `whites` are the colour bits spread over
/// [`places`]; the pawns' are the lowest of `colors`. The second result is 0 if Black's pieces come first in every kind.
#[inline(always)]
pub const fn unpack(both: u64, places: u64, whites: u64, colors: u64) -> (u64, u64) {
    let pawns = both & 31;
    let pawn_colors = colors & ((1 << pawns) - 1);
    let white_pawns = pawn_colors.count_ones() as u64;
    let black_pawns = pawns.wrapping_sub(white_pawns) & 31;
    // A one below a zero of the same kind is a White piece before a Black one.
    let out_of_order = whites << 1 & places & !whites | pawn_colors & ((1 << black_pawns) - 1);

    // A lane has at most four bits: two steps of a population count are enough.
    let pairs = whites - (whites >> 1 & EVEN_BITS);
    let white = (pairs & EVEN_PAIRS) + (pairs >> 2 & EVEN_PAIRS) + white_pawns;
    let black = both.wrapping_sub(white);
    (lanes::to_bits(black) as u64 | (lanes::to_bits(white) as u64) << 32, out_of_order)
}

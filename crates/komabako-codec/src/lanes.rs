//! Counts of pieces in seven byte lanes, P L N S G B R from the lowest.

use komabako_bits::BitOps;
use komabako_board::Hand;

/// The number of pieces of each kind in a set.
pub const INVENTORY: u64 = 0x02_02_04_04_04_04_12;

/// The lanes of the kinds on a board, from the sizes of sets of which each contains the next: all pieces but kings, without pawns,
/// also without lances, S G B R, G B R, B R, R.
#[inline(always)]
pub const fn of_nested([all, no_pawns, no_lances, sgbr, gbr, br, r]: [u64; 7]) -> u64 {
    let sets = (all | no_pawns << 8) | (no_lances | sgbr << 8) << 16 | (gbr | br << 8 | r << 16) << 32;
    // A kind is the difference of a set and the next.
    sets.wrapping_sub(sets >> 8)
}

/// The lanes of a hand.
#[inline(always)]
pub const fn of_hand(hand: Hand) -> u64 {
    let bits = hand.bits() as u64;
    let nibbles = bits >> 8;
    let nibbles = (nibbles | nibbles << 16) & 0x00ff_0000_ffff;
    let nibbles = (nibbles | nibbles << 8) & 0x00ff_00ff_00ff;
    let lanes = (nibbles | nibbles << 4) & 0x0f0f_0f0f_0f0f;
    bits & 0xff | lanes << 8
}

/// [`of_hand`] on a backend: one instruction where it has `PDEP`.
#[inline(always)]
pub fn of_hand_on<B: BitOps>(ops: B, hand: Hand) -> u64 {
    if B::GATHERS { ops.pdep(u64::from(hand.bits()), 0x0f_0f0f_0f0f_0fff) } else { of_hand(hand) }
}

/// The hand of lanes that are within the inventory.
#[inline(always)]
pub const fn to_hand(lanes: u64) -> Hand {
    Hand::from_bits_trusted(to_bits(lanes))
}

/// [`Hand::bits`] of lanes that are within the inventory; unspecified for others.
#[inline(always)]
pub const fn to_bits(lanes: u64) -> u32 {
    let others = lanes >> 8;
    let nibbles = (others | others >> 4) & 0x00ff_00ff_00ff;
    let nibbles = (nibbles | nibbles >> 8) & 0x00ff_0000_ffff;
    let nibbles = nibbles | nibbles >> 16;
    lanes as u32 & 0xff | (nibbles as u32) << 8
}

#[cfg(test)]
mod tests {
    use komabako_board::BaseKind;

    use super::*;

    #[test]
    fn lanes_hold_every_count_of_every_kind() {
        let all = BaseKind::IN_HAND.into_iter().fold(Hand::EMPTY, |h, k| h.with(k, k.inventory()).unwrap());
        assert_eq!(of_hand(all), INVENTORY);
        for (index, kind) in BaseKind::IN_HAND.into_iter().enumerate() {
            for count in 0..=kind.inventory() {
                let hand = all.with(kind, count).unwrap();
                let fewer = u64::from(kind.inventory() - count) << (8 * index);
                assert_eq!(of_hand(hand), INVENTORY - fewer);
                assert_eq!(to_hand(of_hand(hand)), hand);
            }
        }
    }
}

//! Ranks as a colour sees them, and shifts along files.

use komabako_board::{Bitboard, Hand, Rank};

/// The first `count` ranks from the far side of a colour.
const fn far(count: u8, white: bool) -> Bitboard {
    let mut set = 0;
    let mut number = 1;
    while number <= count {
        let Some(rank) = Rank::new(if white { 10 - number } else { number }) else { unreachable!() };
        set |= Bitboard::rank(rank).to_u128();
        number += 1;
    }
    Bitboard::from_u128(set)
}

/// The three ranks in which a colour's pieces promote.
#[inline(always)]
pub(crate) const fn promotion_zone<const WHITE: bool>() -> Bitboard {
    const { far(3, WHITE) }
}

/// The rank on which a colour's pawns and lances have no move.
#[inline(always)]
pub(crate) const fn last<const WHITE: bool>() -> Bitboard {
    const { far(1, WHITE) }
}

/// The two ranks on which a colour's knights have no move.
#[inline(always)]
pub(crate) const fn last_two<const WHITE: bool>() -> Bitboard {
    const { far(2, WHITE) }
}

/// The squares in front of a colour's pieces.
#[inline(always)]
pub(crate) fn forward<const WHITE: bool>(set: Bitboard) -> Bitboard {
    let [low, high] = set.without(last::<WHITE>()).lanes();
    Bitboard::from_lanes(if WHITE { [low << 1, high << 1] } else { [low >> 1, high >> 1] })
}

/// The files without any of these pawns, whole (the nifu mask); no file may have two.
///
/// Adding a pawn to a file whose first eight ranks are ones carries into the ninth.
#[inline(always)]
pub(crate) fn files_without(pawns: Bitboard) -> Bitboard {
    const NINTHS: [u64; 2] = far(1, true).lanes();
    const OTHERS: [u64; 2] = [NINTHS[0] - (NINTHS[0] >> 8), NINTHS[1] - (NINTHS[1] >> 8)];
    let file = |pawns: u64, lane: usize| {
        let free = !(pawns + OTHERS[lane]) & NINTHS[lane];
        (free << 1).wrapping_sub(free >> 8)
    };
    let [low, high] = pawns.lanes();
    Bitboard::from_lanes([file(low, 0), file(high, 1)])
}

/// The kinds in a hand, one bit each in the order P L N S G B R.
///
/// Adding the greatest count to each field carries into its top bit exactly when the field is not zero.
#[inline(always)]
pub(crate) fn hand_kinds(hand: Hand) -> usize {
    const FULL: u32 = 0x7777_777f;
    // One bit per nibble, from the lowest: P has two nibbles, of which the upper one carries.
    let bits = (hand.bits() + FULL) >> 7 & 0x0111_1111;
    let pairs = (bits | bits >> 3) & 0x0303_0303;
    let fours = (pairs | pairs >> 6) & 0x000f_000f;
    ((fours | fours >> 12) & 0x7f) as usize
}

#[cfg(test)]
mod tests {
    use komabako_board::{BaseKind, square};

    use super::*;

    #[test]
    fn every_set_of_kinds_is_read_at_every_count() {
        for kinds in 0..128usize {
            for most in [false, true] {
                let hand = BaseKind::IN_HAND.into_iter().filter(|&kind| kinds >> kind as usize & 1 == 1);
                let hand = hand.fold(Hand::EMPTY, |hand, kind| {
                    hand.with(kind, if most { kind.inventory() } else { 1 }).unwrap()
                });
                assert_eq!(hand_kinds(hand), kinds);
            }
        }
    }

    #[test]
    fn a_pawn_on_any_rank_closes_its_file_and_no_other() {
        for files in 0..512u32 {
            for rank in 0..9 {
                let pawns = square::all().filter(|square| {
                    square.array_index() % 9 == (rank + square.array_index() / 9) % 9
                        && files >> (square.array_index() / 9) & 1 == 1
                });
                let free = square::all().filter(|square| files >> (square.array_index() / 9) & 1 == 0);
                assert_eq!(files_without(pawns.collect()), free.collect());
            }
        }
    }
}

//! Queries about hands, computed on packed fields: the kinds in a hand, and the files on which a pawn may be dropped.
//!
//! | query | functions | method |
//! |---|---|---|
//! | kinds in a hand | [`kinds_by_folding`], `kinds_by_pext` | carries of one addition to all fields |
//! | files without a pawn (nifu) | [`free_files_by_borrow`], `free_files_by_table` | carries of one addition to all files |
//!
//! The two functions of a row agree on every hand and on every set of pawns. The generator uses [`kinds`] and
//! [`free_files`]. The second functions, which it does not use, are behind the feature `alternatives`.

#[cfg(any(feature = "alternatives", test))]
use komabako_bits::BitOps;
use komabako_board::{Bitboard, Hand};

#[cfg(any(feature = "alternatives", test))]
use crate::attacks::gather_nines;
use crate::ranks::far;

/// The kinds in a hand, one bit each in the order P L N S G B R, with the method that is fast on every backend.
#[inline(always)]
pub fn kinds(hand: Hand) -> usize {
    kinds_by_folding(hand)
}

/// The complete files without any of these pawns, with the method that is fast on every backend.
///
/// No file may have two pawns.
#[inline(always)]
pub fn free_files(pawns: Bitboard) -> Bitboard {
    free_files_by_borrow(pawns)
}

/// Adds to each field of a hand the number that makes it carry into its top bit exactly when the field is not zero: bits 7
/// (P), 11, 15, … 31 of the result are the kinds.
#[inline(always)]
const fn carries(hand: Hand) -> u32 {
    // No field overflows: a count is at most 18 in eight bits, 4 in four.
    hand.bits() + 0x7777_777f
}

/// [`kinds`] by `PEXT` of the carries.
///
/// ```
/// use komabako_bits::{Backend, BitOps, Kernel, dispatch};
/// use komabako_board::{BaseKind, Hand};
/// use komabako_rules::hands;
///
/// struct Kinds(Hand);
/// impl Kernel for Kinds {
///     type Output = usize;
///     #[inline(always)]
///     fn run<B: BitOps>(self, ops: B) -> usize {
///         hands::kinds_by_pext(ops, self.0)
///     }
/// }
///
/// let hand = Hand::EMPTY.with(BaseKind::Pawn, 3).unwrap().with(BaseKind::Silver, 1).unwrap();
/// assert_eq!(dispatch(Backend::detect(), Kinds(hand)), 0b000_1001);
/// ```
#[cfg(any(feature = "alternatives", test))]
#[inline(always)]
pub fn kinds_by_pext<B: BitOps>(ops: B, hand: Hand) -> usize {
    ops.pext_few::<7>(carries(hand).into(), 0x8888_8880) as usize
}

/// [`kinds`] by folding the carries together in three steps.
#[inline(always)]
pub const fn kinds_by_folding(hand: Hand) -> usize {
    // Seven bits, four apart: folded to pairs, to a four and a three, and to seven neighbours.
    let bits = carries(hand) >> 7 & 0x0111_1111;
    let pairs = (bits | bits >> 3) & 0x0303_0303;
    let fours = (pairs | pairs >> 6) & 0x000f_000f;
    ((fours | fours >> 12) & 0x7f) as usize
}

/// The ninth rank.
const NINTHS: [u64; 2] = far(1, true).lanes();
/// The other ranks.
const OTHERS: [u64; 2] = [NINTHS[0] - (NINTHS[0] >> 8), NINTHS[1] - (NINTHS[1] >> 8)];

/// The ninth square of each file that has a pawn: adding ones on the first eight squares carries into it.
#[inline(always)]
const fn taken(pawns: Bitboard) -> [u64; 2] {
    let [low, high] = pawns.lanes();
    [(low + OTHERS[0]) & NINTHS[0], (high + OTHERS[1]) & NINTHS[1]]
}

/// [`free_files`] with a subtraction, which fills each free file from its ninth square.
#[inline(always)]
pub const fn free_files_by_borrow(pawns: Bitboard) -> Bitboard {
    let [low, high] = taken(pawns);
    // Now each free file has its ninth square set: twice that, less the first square, sets all nine.
    let low = low ^ NINTHS[0];
    let high = high ^ NINTHS[1];
    Bitboard::from_lanes([(low << 1).wrapping_sub(low >> 8), (high << 1).wrapping_sub(high >> 8)])
}

/// [`free_files`] with a lookup in 1 KiB and another in 32 bytes, one bit of an index per file.
#[cfg(any(feature = "alternatives", test))]
#[inline(always)]
pub fn free_files_by_table(pawns: Bitboard) -> Bitboard {
    let [low, high] = taken(pawns);
    let low = FREE_LOW[gather_nines(low >> 8) as usize & 127];
    let high = FREE_HIGH[(high >> 8 | high >> 16) as usize & 3];
    Bitboard::from_lanes([low, high])
}

/// The free files of the first lane.
#[cfg(any(feature = "alternatives", test))]
static FREE_LOW: [u64; 128] = free();
/// The free files of the second lane.
#[cfg(any(feature = "alternatives", test))]
static FREE_HIGH: [u64; 4] = free();

/// The files whose bits are not set.
#[cfg(any(feature = "alternatives", test))]
const fn free<const N: usize>() -> [u64; N] {
    let mut table = [0; N];
    let mut taken = 0;
    while taken < N {
        let mut file = 0;
        while 1 << file < N {
            if taken >> file & 1 == 0 {
                table[taken] |= 0x1ff << (9 * file);
            }
            file += 1;
        }
        taken += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use komabako_bits::{Kernel, dispatch};
    use komabako_board::BaseKind;

    use super::*;

    /// Every possible hand, 106,875 in all.
    struct EveryHand;

    impl Kernel for EveryHand {
        type Output = usize;

        #[inline(always)]
        fn run<B: BitOps>(self, ops: B) -> usize {
            let mut hands = vec![Hand::EMPTY];
            for kind in BaseKind::IN_HAND {
                let counts = 0..=kind.inventory();
                hands = counts
                    .flat_map(|count| hands.iter().filter_map(move |hand| hand.with(kind, count)))
                    .collect();
            }
            for &hand in &hands {
                let expected = hand.counts().fold(0, |kinds, (kind, _)| kinds | 1 << kind as usize);
                assert_eq!(kinds_by_folding(hand), expected, "{hand:?}");
                assert_eq!(kinds_by_pext(ops, hand), expected, "{hand:?} on {ops:?}");
            }
            hands.len()
        }
    }

    #[test]
    fn the_kinds_of_every_hand_are_found_on_every_backend() {
        komabako_testkit::backends::for_each_backend(|backend| {
            assert_eq!(dispatch(backend, EveryHand), 19 * 5 * 5 * 5 * 5 * 3 * 3);
        });
    }

    /// Every arrangement of at most one pawn per file on some files, and the files without a pawn.
    fn every_set(files: usize) -> impl Iterator<Item = (u64, u64)> {
        (0..10_u64.pow(files as u32)).map(move |number| {
            let mut pawns = 0;
            let mut free = 0;
            let mut rest = number;
            for file in 0..files {
                match rest % 10 {
                    9 => free |= 0x1ff << (9 * file),
                    rank => pawns |= 1 << (9 * file as u64 + rank),
                }
                rest /= 10;
            }
            (pawns, free)
        })
    }

    /// The lanes are independent, so testing all sets of each lane alone covers all sets.
    #[test]
    fn the_free_files_of_every_set_of_pawns_are_found() {
        let check = |pawns, free| {
            let pawns = Bitboard::from_lanes(pawns);
            let free = Bitboard::from_lanes(free);
            assert_eq!(free_files_by_borrow(pawns), free, "{pawns:?}");
            assert_eq!(free_files_by_table(pawns), free, "{pawns:?}");
        };
        let [low, high] = Bitboard::ALL.lanes();
        every_set(7).for_each(|(pawns, free)| check([pawns, 0], [free, high]));
        every_set(2).for_each(|(pawns, free)| check([0, pawns], [low, free]));
    }
}

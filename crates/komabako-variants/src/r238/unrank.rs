//! Rank to setup (`spec/r238.md`).

use core::hint::select_unpredictable;

use komabako_bits::BitOps;
use komabako_board::{BaseKind, Bitboard, Hand, Setup, color};
use komabako_codec::contract::squares;

use super::tables::{
    CLASS_OFFSET, FEW, FEW_DIVISORS, FREE, HINT, INNER, INVENTORY, KING_DIVISORS, LEAST_FREE, OTHER_DIVISORS,
    OTHERS, OTHERS_HINT, PAIR, PAWN_DIVISORS, PAWNS, PAWNS_HINT, SPLIT, SPLIT_DIVISORS, TWICE, cell, class,
};
use super::wide::U256;

/// Writes the setups with these ranks. Returns `false`, and writes nothing, if a rank is not below the number of positions.
///
/// Nearly every step depends on the one before it, so each is done for all ranks in turn.
#[inline(always)]
pub(super) fn unrank<B: BitOps, const N: usize>(ops: B, ranks: [U256; N], setups: &mut [Setup; N]) -> bool {
    let mut classes = [Class { kings: 0, pawns: 0, others: 0 }; N];
    for i in 0..N {
        let Some(class) = Class::new(ranks[i]) else { return false };
        classes[i] = class;
    }
    // The digits, least significant first: the quotients of the divisions are below 2^189, 2^139 and 2^77.
    let mut numbers = ranks;
    let mut small = [0; N];
    let mut places = [[0; 2]; N];
    for i in 0..N {
        (numbers[i], _) = ranks[i].minus(classes[i].offset());
        (numbers[i], small[i]) =
            numbers[i].divided_by::<3>(PAWN_DIVISORS[classes[i].kings][classes[i].pawns][0]);
    }
    for i in 0..N {
        let divisor = PAWN_DIVISORS[classes[i].kings][classes[i].pawns][1];
        (numbers[i], places[i][0]) = numbers[i].divided_by::<3>(divisor);
    }
    for i in 0..N {
        let free = FREE[classes[i].kings] - classes[i].pawns;
        let divisor = OTHER_DIVISORS[classes[i].others][free - LEAST_FREE];
        (numbers[i], places[i][1]) = numbers[i].divided_by::<2>(divisor);
    }
    let sets = colex_sets(&classes, places);
    let mut inner = [Inner { sets: [0; 6], white: 0, promoted: 0, hands: [0; 2] }; N];
    for i in 0..N {
        inner[i] = Inner::new(ops, classes[i].others, numbers[i].low_u128());
    }
    for i in 0..N {
        write(ops, classes[i], small[i], sets[i], &inner[i], &mut setups[i]);
    }
    true
}

/// The class of a rank.
#[derive(Clone, Copy)]
struct Class {
    /// The king class.
    kings: usize,
    /// The pawns and the other pieces on the board.
    pawns: usize,
    others: usize,
}

impl Class {
    #[inline(always)]
    fn new(rank: U256) -> Option<Self> {
        let mut kings = 0;
        while !rank.is_less_than(CLASS_OFFSET[class(kings + 1, 0, 0)]) {
            kings += 1;
            if kings == FREE.len() {
                return None;
            }
        }
        let bits = rank.minus(CLASS_OFFSET[class(kings, 0, 0)]).0.bit_len();
        let mut pawns = usize::from(PAWNS_HINT[kings][bits / 2]);
        pawns += usize::from(!rank.is_less_than(CLASS_OFFSET[class(kings, pawns + 1, 0)]));
        let bits = rank.minus(CLASS_OFFSET[class(kings, pawns, 0)]).0.bit_len();
        let mut others = usize::from(OTHERS_HINT[kings][pawns][bits / 2]);
        others += usize::from(!rank.is_less_than(CLASS_OFFSET[class(kings, pawns, others + 1)]));
        Some(Self { kings, pawns, others })
    }

    /// Its first rank.
    #[inline(always)]
    fn offset(self) -> U256 {
        CLASS_OFFSET[class(self.kings, self.pawns, self.others)]
    }
}

/// Writes a setup. `small` is the digit of the side, the kings' squares, the pawns in hands and the pawns' colours and promotions;
/// `sets` are the places of the pawns and of the others among the free squares.
#[inline(always)]
fn write<B: BitOps>(ops: B, class: Class, small: u64, sets: [u128; 2], inner: &Inner, setup: &mut Setup) {
    let p = class.pawns;
    let (rest, king_digit) = KING_DIVISORS[class.kings].divide(small / 2);
    let (flags, pawn_split) = SPLIT_DIVISORS[PAWNS - p].divide(rest);

    let black_and_white_king = place_kings(class.kings, king_digit);
    let kings = black_and_white_king[0] | black_and_white_king[1];
    let pawns = Bitboard::from_lanes(ops.board_mask((!kings).lanes()).expand(sets[0]));
    let others = Bitboard::from_lanes(ops.board_mask((!(kings | pawns)).lanes()).expand(sets[1]));
    let pawn_mask = ops.board_mask(pawns.lanes());
    let other_mask = ops.board_mask(others.lanes());

    let white = Bitboard::from_lanes(pawn_mask.expand_u64(flags))
        | Bitboard::from_lanes(other_mask.expand_u64(inner.white))
        | black_and_white_king[1];
    let [black_pawns, white_pawns] = SPLIT[pawn_split as usize];
    let parts = setup.parts_mut_trusted();
    parts.colors = [(kings | pawns | others).without(white), white];
    parts.kinds[BaseKind::Pawn as usize] = pawns;
    for index in 0..6 {
        parts.kinds[1 + index] = Bitboard::from_lanes(other_mask.expand_u64(inner.sets[index]));
    }
    parts.kinds[BaseKind::King as usize] = kings;
    parts.promoted = Bitboard::from_lanes(pawn_mask.expand_u64(flags >> p))
        | Bitboard::from_lanes(other_mask.expand_u64(inner.promoted));
    parts.hands = [
        Hand::from_bits_trusted(inner.hands[0] | u32::from(black_pawns)),
        Hand::from_bits_trusted(inner.hands[1] | u32::from(white_pawns)),
    ];
    parts.side = color::from_bit(small & 1 != 0);
}

/// The squares of Black's and White's king.
#[inline(always)]
fn place_kings(king_class: usize, digit: u64) -> [Bitboard; 2] {
    match king_class {
        0 => {
            let black = digit / 80;
            let white = digit % 80;
            [squares::set(black), squares::set(white + u64::from(white >= black))]
        }
        1 => [squares::set(digit), Bitboard::EMPTY],
        2 => [Bitboard::EMPTY, squares::set(digit)],
        _ => [Bitboard::EMPTY; 2],
    }
}

/// The pieces besides kings and pawns, as sets of their places in the sequence of these pieces.
#[derive(Clone, Copy)]
struct Inner {
    sets: [u64; 6],
    white: u64,
    promoted: u64,
    /// The packed hands without pawns.
    hands: [u32; 2],
}

impl Inner {
    #[inline(always)]
    fn new<B: BitOps>(ops: B, q: usize, number: u128) -> Self {
        let mut place = usize::from(INNER.hint[q][(number >> INNER.shift[q]) as usize]);
        while place + 1 < usize::from(INNER.start[q + 1]) && INNER.offset[place + 1] <= number {
            place += 1;
        }
        let counts = INNER.counts[place];
        let number = number - INNER.offset[place];

        let (number, mut split) = divide_80_by_21_bits(number, INNER.hands[place].into());
        let mut hands = [0; 2];
        for index in 0..6 {
            let (quotient, digit) =
                SPLIT_DIVISORS[INVENTORY[index] - usize::from(counts[index])].divide(split);
            let [black, white] = SPLIT[digit as usize];
            hands[0] |= u32::from(black) << (8 + 4 * index);
            hands[1] |= u32::from(white) << (8 + 4 * index);
            split = quotient;
        }

        let promotable_count = q - usize::from(counts[BaseKind::Gold as usize - 1]);
        let white = number as u64 & ((1 << q) - 1);
        let promotions = (number >> q) as u64 & ((1 << promotable_count) - 1);
        let mut places = (number >> (q + promotable_count)) as u64;

        let mut unassigned = (1 << q) - 1;
        let mut left = q;
        let mut sets = [0; 6];
        // The last kind has the places that are left.
        for index in 0..5 {
            let count = usize::from(counts[index]);
            let (quotient, digit) = FEW_DIVISORS[count][left].divide(places);
            sets[index] = ops.pdep(u64::from(FEW.get(count, digit as usize)), unassigned);
            places = quotient;
            left -= count;
            unassigned &= !sets[index];
        }
        sets[5] = unassigned;
        let promotable = ((1 << q) - 1) & !sets[BaseKind::Gold as usize - 1];
        Self { sets, white, promoted: ops.pdep(promotions, promotable), hands }
    }
}

/// Quotient and remainder of a number below 2^80 and a divisor below 2^21, with two divisions of 64 bits.
#[inline(always)]
fn divide_80_by_21_bits(number: u128, divisor: u64) -> (u128, u64) {
    let high = (number >> 40) as u64;
    let low = number as u64 & ((1 << 40) - 1);
    let rest = (high % divisor) << 40 | low;
    (u128::from(high / divisor) << 40 | u128::from(rest / divisor), rest % divisor)
}

/// The sets of the pawns' and the others' places with these colex numbers.
///
/// Each element depends on the one before it, so the sets are computed in parallel to hide the latency.
#[inline(always)]
fn colex_sets<const N: usize>(classes: &[Class; N], numbers: [[u64; 2]; N]) -> [[u128; 2]; N] {
    let mut counts = [[0; 2]; N];
    // In two words each: a shift of 128 bits is slow.
    let mut sets = [[[0; 2]; 2]; N];
    // Twice the rest of each number, and 1: none is zero, and octaves are those of the rests.
    let mut odds = [[0; 2]; N];
    for i in 0..N {
        counts[i] = [classes[i].pawns, classes[i].others];
        odds[i] = [2 * numbers[i][0] + 1, 2 * numbers[i][1] + 1];
    }
    let mut k = OTHERS + 1;
    while k > 3 {
        k -= 1;
        for i in 0..N {
            for j in 0..2 {
                if k <= counts[i][j] {
                    let least = usize::from(HINT[k - 3][cell(odds[i][j])]);
                    let row = &TWICE[k];
                    let is_next = row[least + 1] <= odds[i][j];
                    insert(&mut sets[i][j], least as u64 + u64::from(is_next));
                    // Not a branch, which would be mispredicted, and no load that waits for the comparison.
                    odds[i][j] -= select_unpredictable(is_next, row[least + 1], row[least]);
                }
            }
        }
    }
    for i in 0..N {
        for j in 0..2 {
            let rest = odds[i][j] / 2;
            if counts[i][j] > 1 {
                let [high, low] = PAIR[rest as usize];
                insert(&mut sets[i][j], high.into());
                insert(&mut sets[i][j], low.into());
            } else if counts[i][j] > 0 {
                insert(&mut sets[i][j], rest);
            }
        }
    }
    let mut joined = [[0; 2]; N];
    for i in 0..N {
        for j in 0..2 {
            joined[i][j] = u128::from(sets[i][j][0]) | u128::from(sets[i][j][1]) << 64;
        }
    }
    joined
}

/// Inserts an element below 128.
#[inline(always)]
fn insert(set: &mut [u64; 2], element: u64) {
    set[(element >> 6 & 1) as usize] |= 1 << (element & 63);
}

#[cfg(test)]
mod tests {
    use komabako_bits::Soft;

    use super::super::Reference;
    use super::super::tables::{BINOMIAL, CLASSES};
    use super::*;

    /// If a class is wrong, it is wrong at its first or last rank.
    #[test]
    fn first_and_last_rank_of_each_class_agree_with_the_reference() {
        let reference = Reference::new();
        for index in 0..CLASSES {
            let (last, _) = CLASS_OFFSET[index + 1].minus(U256::ONE);
            let ranks = [CLASS_OFFSET[index], last];
            let mut setups = [Setup::EMPTY; 2];
            assert!(unrank(Soft, ranks, &mut setups), "class {index}");
            for (rank, setup) in ranks.into_iter().zip(setups) {
                let mut alone = [Setup::EMPTY];
                assert!(unrank(Soft, [rank], &mut alone), "class {index}");
                assert_eq!(alone, [setup], "class {index}");
                assert_eq!(reference.unrank(&rank.to_bytes()), Ok(setup), "class {index}");
            }
        }
        assert!(!unrank(Soft, [CLASS_OFFSET[CLASSES]], &mut [Setup::EMPTY]));
    }

    /// If a hint is wrong, it is wrong next to a binomial coefficient.
    #[test]
    fn hints_lead_to_the_highest_element() {
        for (count, row) in BINOMIAL.iter().enumerate().skip(1) {
            for highest in count - 1..80 {
                let least = row[highest];
                let end = row[highest + 1];
                for number in [least, least + 1, end - 1].into_iter().filter(|&number| number < end) {
                    let class = Class { kings: 0, pawns: 0, others: count };
                    let [[_, set]] = colex_sets(&[class], [[0, number]]);
                    assert_eq!(set.ilog2() as usize, highest, "element {count} of {number}");
                    assert_eq!(set.count_ones() as usize, count);
                }
            }
        }
    }
}

//! Rank to setup (`spec/r238.md`).

use komabako_bits::BitOps;
use komabako_board::{BaseKind, Bitboard, Hand, Setup, SetupParts, color};

use super::tables::{
    BINOMIAL, CLASS_OFFSET, CLASSES, FEW, FREE, HINT, INNER, INVENTORY, KING_PLACES, LEAST_FREE,
    OTHER_DIVISORS, OTHERS, PAWN_DIVISORS, PAWNS, SPLIT, cell, splits,
};
use super::wide::U256;

/// The setup with this rank, or `None` if it is not below the number of positions.
#[inline(always)]
pub(super) fn unrank<B: BitOps>(ops: B, rank: U256) -> Option<Setup> {
    let index = last(&CLASS_OFFSET[..], |offset| !rank.is_less_than(*offset));
    if index == CLASSES {
        return None;
    }
    let q = index % (OTHERS + 1);
    let p = index / (OTHERS + 1) % (PAWNS + 1);
    let king_class = index / (OTHERS + 1) / (PAWNS + 1);

    let (number, _) = rank.minus(CLASS_OFFSET[index]);
    let [small_divisor, pawn_divisor] = PAWN_DIVISORS[king_class][p];
    let (number, small) = number.divided_by(small_divisor);
    let (number, pawn_places) = number.divided_by(pawn_divisor);
    let (number, other_places) = number.divided_by(OTHER_DIVISORS[q][FREE[king_class] - p - LEAST_FREE]);

    let side = color::from_bit(small & 1 != 0);
    let rest = small / 2 / KING_PLACES[king_class];
    let king_digit = small / 2 % KING_PLACES[king_class];
    let flags = rest / splits(PAWNS - p);
    let pawn_split = rest % splits(PAWNS - p);

    let black_and_white_king = place_kings(king_class, king_digit as usize);
    let kings = black_and_white_king[0] | black_and_white_king[1];
    let [pawn_set, other_set] = colex_sets([p, q], [pawn_places, other_places]);
    let pawns = Bitboard::from_lanes(ops.board_mask((!kings).lanes()).expand(pawn_set));
    let others = Bitboard::from_lanes(ops.board_mask((!(kings | pawns)).lanes()).expand(other_set));
    let pawn_mask = ops.board_mask(pawns.lanes());
    let other_mask = ops.board_mask(others.lanes());
    let expand = |set: u64| Bitboard::from_lanes(other_mask.expand_u64(set));

    let inner = Inner::new(ops, q, number.low_u128());
    let mut kinds = [Bitboard::EMPTY; 8];
    kinds[BaseKind::Pawn as usize] = pawns;
    for (kind, set) in kinds[1..].iter_mut().zip(inner.sets) {
        *kind = expand(set);
    }
    kinds[BaseKind::King as usize] = kings;
    let white =
        Bitboard::from_lanes(pawn_mask.expand_u64(flags)) | expand(inner.white) | black_and_white_king[1];
    let promoted = Bitboard::from_lanes(pawn_mask.expand_u64(flags >> p)) | expand(inner.promoted);
    let [black_pawns, white_pawns] = SPLIT[pawn_split as usize];
    Some(Setup::from_parts_trusted(SetupParts {
        colors: [(kings | pawns | others).without(white), white],
        kinds,
        promoted,
        hands: [
            Hand::from_bits_trusted(inner.hands[0] | u32::from(black_pawns)),
            Hand::from_bits_trusted(inner.hands[1] | u32::from(white_pawns)),
        ],
        side,
    }))
}

/// The squares of Black's and White's king.
#[inline(always)]
fn place_kings(king_class: usize, digit: usize) -> [Bitboard; 2] {
    match king_class {
        0 => {
            let black = digit / 80;
            let white = digit % 80;
            [Bitboard::of_index(black), Bitboard::of_index(white + usize::from(white >= black))]
        }
        1 => [Bitboard::of_index(digit), Bitboard::EMPTY],
        2 => [Bitboard::EMPTY, Bitboard::of_index(digit)],
        _ => [Bitboard::EMPTY; 2],
    }
}

/// The pieces besides kings and pawns, as sets of their places in the sequence of these pieces.
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
        let start = usize::from(INNER.start[q]);
        let end = usize::from(INNER.start[q + 1]);
        let place = start + last(&INNER.offset[start..end], |&offset| offset <= number);
        let counts = INNER.counts[place].map(usize::from);
        let number = number - INNER.offset[place];

        let mut hands_radix = 1;
        for (count, inventory) in counts.into_iter().zip(INVENTORY) {
            hands_radix *= splits(inventory - count);
        }
        let (number, mut split) = divide_80_by_21_bits(number, hands_radix);
        let mut hands = [0; 2];
        for (index, (count, inventory)) in counts.into_iter().zip(INVENTORY).enumerate() {
            let radix = splits(inventory - count);
            let [black, white] = SPLIT[(split % radix) as usize];
            hands[0] |= u32::from(black) << (8 + 4 * index);
            hands[1] |= u32::from(white) << (8 + 4 * index);
            split /= radix;
        }

        let promotable_count = q - counts[BaseKind::Gold as usize - 1];
        let white = number as u64 & ((1 << q) - 1);
        let promotions = (number >> q) as u64 & ((1 << promotable_count) - 1);
        let mut places = (number >> (q + promotable_count)) as u64;

        let mut unassigned = (1 << q) - 1;
        let mut left = q;
        let mut sets = [0; 6];
        for (set, count) in sets.iter_mut().zip(counts) {
            let radix = BINOMIAL[count][left];
            *set = ops.pdep(u64::from(FEW.get(count, (places % radix) as usize)), unassigned);
            places /= radix;
            left -= count;
            unassigned &= !*set;
        }
        let promotable = ((1 << q) - 1) & !sets[BaseKind::Gold as usize - 1];
        Self { sets, white, promoted: ops.pdep(promotions, promotable), hands }
    }
}

/// The index of the last element that satisfies a condition; the first element and all before the result satisfy it. The
/// standard library's `partition_point` is too large to be inlined into a kernel.
#[inline(always)]
fn last<T>(sorted: &[T], is_low: impl Fn(&T) -> bool) -> usize {
    let mut low = 0;
    let mut size = sorted.len();
    while size > 1 {
        let half = size / 2;
        if is_low(&sorted[low + half]) {
            low += half;
        }
        size -= half;
    }
    low
}

/// Quotient and remainder of a number below 2^80 and a divisor below 2^21, with two divisions of 64 bits.
#[inline(always)]
fn divide_80_by_21_bits(number: u128, divisor: u64) -> (u128, u64) {
    let high = (number >> 40) as u64;
    let low = number as u64 & ((1 << 40) - 1);
    let rest = (high % divisor) << 40 | low;
    (u128::from(high / divisor) << 40 | u128::from(rest / divisor), rest % divisor)
}

/// The sets of `counts[i]` elements with colex numbers `numbers[i]`.
///
/// Each element depends on the one before it, so the two sets are computed in parallel to hide the latency.
#[inline(always)]
fn colex_sets(counts: [usize; 2], numbers: [u64; 2]) -> [u128; 2] {
    let mut first = Colex { count: counts[0], number: numbers[0], set: 0 };
    let mut second = Colex { count: counts[1], number: numbers[1], set: 0 };
    while first.count > 2 && second.count > 2 {
        first.step();
        second.step();
    }
    [first.finish(), second.finish()]
}

/// A set under construction, from its highest element down.
struct Colex {
    count: usize,
    number: u64,
    set: u128,
}

impl Colex {
    /// Finds the highest element of a set of three or more.
    #[inline(always)]
    fn step(&mut self) {
        let row = &BINOMIAL[self.count];
        let hint = usize::from(HINT[self.count - 3][cell(self.number)]);
        let element =
            hint + usize::from(row[hint + 1] <= self.number) + usize::from(row[hint + 2] <= self.number);
        self.number -= row[element];
        self.set |= 1 << element;
        self.count -= 1;
    }

    #[inline(always)]
    fn finish(mut self) -> u128 {
        while self.count > 2 {
            self.step();
        }
        if self.count == 2 {
            // The greatest n with n (n - 1) / 2 <= number.
            let element = u64::from((8 * self.number as u16 + 1).isqrt().div_ceil(2));
            self.number -= element * (element - 1) / 2;
            self.set |= 1 << element;
            self.count = 1;
        }
        if self.count == 1 {
            self.set |= 1 << self.number;
        }
        self.set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// If a hint is wrong, it is wrong next to a binomial coefficient.
    #[test]
    fn hints_lead_to_the_highest_element() {
        for (count, row) in BINOMIAL.iter().enumerate().skip(1) {
            for highest in count - 1..81 {
                let least = row[highest];
                let end = row[highest + 1];
                for number in [least, least + 1, end - 1].into_iter().filter(|&number| number < end) {
                    let [set, _] = colex_sets([count, 0], [number, 0]);
                    assert_eq!(set.ilog2() as usize, highest, "element {count} of {number}");
                    assert_eq!(set.count_ones() as usize, count);
                }
            }
        }
    }
}

//! [`Hand`]: the pieces in one player's hand, packed in 32 bits.

use core::fmt;

use crate::BaseKind;

/// The pieces in one hand: eight bits for pawns, four for each other kind.
///
/// | bits | 0–7 | 8–11 | 12–15 | 16–19 | 20–23 | 24–27 | 28–31 |
/// |---|---|---|---|---|---|---|---|
/// | kind | P | L | N | S | G | B | R |
///
/// The fields have the order of the codecs' tails. No count exceeds the kind's
/// [inventory](BaseKind::inventory), so that every field keeps a spare top bit for borrow tricks.
///
/// ```
/// use komabako_board::{BaseKind, Hand};
/// let hand = Hand::EMPTY.with(BaseKind::Pawn, 3).unwrap().with(BaseKind::Rook, 1).unwrap();
/// assert_eq!(hand.count(BaseKind::Pawn), 3);
/// assert_eq!(hand.len(), 4);
/// assert_eq!(Hand::EMPTY.with(BaseKind::Rook, 3), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Hand(u32);

impl Hand {
    /// No piece.
    pub const EMPTY: Hand = Hand(0);

    /// Every piece of a set but the kings: 38.
    pub const FULL: Hand = Hand(0x2244_4412);

    /// The number of pieces of a kind in the hand; 0 for kings.
    #[inline(always)]
    pub const fn count(self, kind: BaseKind) -> u8 {
        match kind {
            BaseKind::Pawn => self.0 as u8,
            BaseKind::King => 0,
            _ => (self.0 >> shift(kind)) as u8 & 0xf,
        }
    }

    /// The hand with `count` pieces of a kind, or `None` if a set has fewer or the kind is King.
    #[inline]
    pub const fn with(self, kind: BaseKind, count: u8) -> Option<Self> {
        if matches!(kind, BaseKind::King) || count > kind.inventory() {
            return None;
        }
        let field = if matches!(kind, BaseKind::Pawn) { 0xff } else { 0xf } << shift(kind);
        Some(Self(self.0 & !field | (count as u32) << shift(kind)))
    }

    /// The hand with these counts, P L N S G B R, or `None` if one of them exceeds the kind's inventory.
    ///
    /// ```
    /// use komabako_board::{BaseKind, Hand};
    /// let hand = Hand::from_counts([3, 0, 0, 0, 0, 0, 1]).unwrap();
    /// assert_eq!((hand.count(BaseKind::Pawn), hand.count(BaseKind::Rook)), (3, 1));
    /// assert_eq!(Hand::from_counts([0, 0, 0, 0, 0, 0, 3]), None);
    /// ```
    #[inline]
    pub const fn from_counts(counts: [u8; 7]) -> Option<Self> {
        let mut bits = 0;
        let mut is_good = true;
        let mut index = 0;
        while index < counts.len() {
            let kind = BaseKind::IN_HAND[index];
            is_good &= counts[index] <= kind.inventory();
            bits |= (counts[index] as u32) << shift(kind);
            index += 1;
        }
        if is_good { Some(Self(bits)) } else { None }
    }

    /// The hand with one more piece of a kind, or `None` if the set has no more.
    #[inline]
    pub const fn added(self, kind: BaseKind) -> Option<Self> {
        self.with(kind, self.count(kind) + 1)
    }

    /// The hand with one piece of a kind less, or `None` if it has none of the kind.
    #[inline]
    pub const fn removed(self, kind: BaseKind) -> Option<Self> {
        match self.count(kind) {
            0 => None,
            count => self.with(kind, count - 1),
        }
    }

    /// Whether the hand holds at least as many pieces of every kind as another (優越 or equal).
    ///
    /// One subtraction for all kinds: a field that falls short borrows the spare top bit set before.
    ///
    /// ```
    /// use komabako_board::{BaseKind, Hand};
    /// let pawn = Hand::EMPTY.with(BaseKind::Pawn, 1).unwrap();
    /// let more = pawn.with(BaseKind::Gold, 1).unwrap();
    /// assert!(more.is_at_least(pawn) && !pawn.is_at_least(more));
    /// ```
    #[inline(always)]
    pub const fn is_at_least(self, other: Hand) -> bool {
        ((self.0 | SPARE) - other.0) & SPARE == SPARE
    }

    /// All bits of the fields in which the hand holds at least as many pieces as another.
    #[inline(always)]
    const fn at_least_mask(self, other: Hand) -> u32 {
        let spare = ((self.0 | SPARE) - other.0) & SPARE;
        // Each field's top bit, moved to its bottom and multiplied by a full field.
        ((spare >> 7 & 1) * 0xff) | (((spare >> 11 & 0x11_1111) * 0xf) << 8)
    }

    /// For each kind, the larger count of the two hands.
    ///
    /// ```
    /// use komabako_board::{BaseKind, Hand};
    /// let pawns = Hand::EMPTY.with(BaseKind::Pawn, 3).unwrap();
    /// let gold = Hand::EMPTY.with(BaseKind::Gold, 1).unwrap();
    /// assert_eq!(pawns.kindwise_max(gold), pawns.with(BaseKind::Gold, 1).unwrap());
    /// assert_eq!(pawns.kindwise_min(gold), Hand::EMPTY);
    /// ```
    #[inline(always)]
    pub const fn kindwise_max(self, other: Hand) -> Hand {
        let mask = self.at_least_mask(other);
        Hand(self.0 & mask | other.0 & !mask)
    }

    /// For each kind, the smaller count of the two hands.
    #[inline(always)]
    pub const fn kindwise_min(self, other: Hand) -> Hand {
        let mask = self.at_least_mask(other);
        Hand(other.0 & mask | self.0 & !mask)
    }

    /// The sum of both hands, each count limited to the kind's inventory.
    #[inline(always)]
    pub const fn saturating_add(self, other: Hand) -> Hand {
        Hand(self.0 + other.kindwise_min(Hand(Self::FULL.0 - self.0)).0)
    }

    /// The hand less the pieces of another, each count at least 0.
    #[inline(always)]
    pub const fn saturating_sub(self, other: Hand) -> Hand {
        Hand(self.0 - self.kindwise_min(other).0)
    }

    /// The pieces of the kinds that are absent in another hand.
    #[inline(always)]
    pub const fn of_kinds_absent_in(self, other: Hand) -> Hand {
        Hand(self.0 & Self::EMPTY.at_least_mask(other))
    }

    /// The pieces of the kinds that are present in another hand.
    #[inline(always)]
    pub const fn of_kinds_present_in(self, other: Hand) -> Hand {
        Hand(self.0 & !Self::EMPTY.at_least_mask(other))
    }

    /// The number of pieces in the hand.
    ///
    /// ```
    /// use komabako_board::{BaseKind, Hand};
    /// let hand = BaseKind::IN_HAND.into_iter().fold(Hand::EMPTY, |hand, kind| hand.with(kind, kind.inventory()).unwrap());
    /// assert_eq!(hand.len(), 38);
    /// ```
    #[inline(always)]
    pub const fn len(self) -> u32 {
        let others = self.0 >> 8;
        let pairs = (others & 0x0f_0f0f) + (others >> 4 & 0x0f_0f0f);
        (self.0 & 0xff) + (pairs.wrapping_mul(0x01_0101) >> 16 & 0xff)
    }

    /// Whether the hand is empty.
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The kinds in the hand and their counts, in the order P L N S G B R.
    pub fn counts(self) -> impl Iterator<Item = (BaseKind, u8)> {
        BaseKind::IN_HAND
            .into_iter()
            .map(move |kind| (kind, self.count(kind)))
            .filter(|&(_, count)| count > 0)
    }

    /// The packed fields.
    #[inline(always)]
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// The hand with these packed fields, or `None` if a count exceeds the kind's inventory.
    pub const fn from_bits(bits: u32) -> Option<Self> {
        let mut index = 0;
        while index < BaseKind::IN_HAND.len() {
            let kind = BaseKind::IN_HAND[index];
            if Self(bits).count(kind) > kind.inventory() {
                return None;
            }
            index += 1;
        }
        Some(Self(bits))
    }

    /// The hand with these packed fields, checked only in debug builds: for decoders, which have counted already.
    ///
    /// # Panics
    /// In debug builds, if a count exceeds the kind's inventory.
    #[inline(always)]
    pub const fn from_bits_trusted(bits: u32) -> Self {
        debug_assert!(Self::from_bits(bits).is_some());
        Self(bits)
    }
}

/// The top bit of each field, which no count reaches.
const SPARE: u32 = 0x8888_8880;

const fn shift(kind: BaseKind) -> u32 {
    match kind {
        BaseKind::Pawn => 0,
        _ => 4 + 4 * kind as u32,
    }
}

impl fmt::Debug for Hand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.counts().map(|(kind, count)| (kind.letter(), count))).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_at_least_compares_kind_by_kind() {
        for kind in BaseKind::IN_HAND {
            for others in [0, 1, 2] {
                let rest = BaseKind::IN_HAND.into_iter().filter(|&other| other != kind);
                let rest = rest.fold(Hand::EMPTY, |hand, other| hand.with(other, others).unwrap());
                for a in 0..=kind.inventory() {
                    for b in 0..=kind.inventory() {
                        let more = rest.with(kind, a).unwrap();
                        let less = rest.with(kind, b).unwrap();
                        assert_eq!(more.is_at_least(less), a >= b, "{more:?} {less:?}");
                        assert_eq!(more.is_at_least(Hand::EMPTY.with(kind, b).unwrap()), a >= b);
                    }
                }
            }
        }
    }

    #[test]
    fn kindwise_operations_treat_each_kind_alone() {
        for kind in BaseKind::IN_HAND {
            for (mine, theirs) in [(0, 0), (2, 0), (0, 1), (2, 1), (1, 2)] {
                let others = |count| {
                    let others = BaseKind::IN_HAND.into_iter().filter(|&other| other != kind);
                    others.fold(Hand::EMPTY, |hand, other| hand.with(other, count).unwrap())
                };
                for a in 0..=kind.inventory() {
                    for b in 0..=kind.inventory() {
                        let x = others(mine).with(kind, a).unwrap();
                        let y = others(theirs).with(kind, b).unwrap();
                        let each = |op: &dyn Fn(u8, u8, u8) -> u8| {
                            BaseKind::IN_HAND.into_iter().fold(Hand::EMPTY, |hand, kind| {
                                hand.with(kind, op(x.count(kind), y.count(kind), kind.inventory())).unwrap()
                            })
                        };
                        assert_eq!(x.kindwise_max(y), each(&|x, y, _| x.max(y)));
                        assert_eq!(x.kindwise_min(y), each(&|x, y, _| x.min(y)));
                        assert_eq!(x.saturating_add(y), each(&|x, y, all| (x + y).min(all)));
                        assert_eq!(x.saturating_sub(y), each(&|x, y, _| x.saturating_sub(y)));
                        assert_eq!(x.of_kinds_absent_in(y), each(&|x, y, _| if y == 0 { x } else { 0 }));
                        assert_eq!(x.of_kinds_present_in(y), each(&|x, y, _| if y > 0 { x } else { 0 }));
                    }
                }
            }
        }
    }

    #[test]
    fn counts_of_kinds_are_independent() {
        let full = Hand(0x2244_4412);
        assert!(Hand::from_bits(full.0).is_some());
        for kind in BaseKind::IN_HAND {
            assert_eq!(full.count(kind), kind.inventory());
            for count in 0..=kind.inventory() {
                let hand = full.with(kind, count).unwrap();
                assert_eq!(hand.count(kind), count);
                assert_eq!(hand.len(), 38 - u32::from(kind.inventory() - count));
                assert_eq!(hand.with(kind, kind.inventory()), Some(full));
                assert_eq!(
                    hand.removed(kind).and_then(|fewer| fewer.added(kind)),
                    (count > 0).then_some(hand)
                );
            }
            assert_eq!(full.added(kind), None);
        }
        assert_eq!(full.with(BaseKind::King, 0), None);
    }
}

//! The specification, transcribed literally (`spec/r238.md`), without tables.

use alloc::vec::Vec;

use komabako_board::{BaseKind, Color, Hand, Piece, Setup, Square, color, kind, square};
use komabako_codec::UnpackError;

use super::tables::{FREE, INVENTORY, KING_PLACES, OTHER_KINDS};
use super::wide::{Divisor, U256};
use super::{OUT_OF_RANGE, Rank, word_of};
use crate::builder::{Builder, piece};

/// The counts of L N S G B R on the board.
type Counts = [usize; 6];

/// King class, pawns, others.
type Class = (usize, usize, usize);

const GOLD: usize = 3;

/// R238 as a slow transcription of its specification: an oracle for tests. Ranking and unranking take about 0.1 ms.
#[derive(Clone, Debug)]
pub struct Reference {
    /// The number of inner numbers for each number of pieces that are neither kings nor pawns.
    inner_totals: [U256; 21],
}

impl Reference {
    /// The oracle.
    #[expect(clippy::new_without_default, reason = "it is no value to default to")]
    pub fn new() -> Self {
        Self {
            inner_totals: core::array::from_fn(|q| {
                all_counts(q).map(inner_size).fold(U256::ZERO, U256::plus)
            }),
        }
    }

    /// The rank of a setup.
    pub fn rank(&self, setup: &Setup) -> Rank {
        rank(setup, |class| self.class_size(class)).to_bytes()
    }

    /// The setup with a rank.
    ///
    /// # Errors
    /// `RANGE` if the number is not below [`T`](super::T).
    pub fn unrank(&self, rank: &Rank) -> Result<Setup, UnpackError> {
        unrank(U256::from_bytes(&word_of(rank)), |class| self.class_size(class)).ok_or(OUT_OF_RANGE)
    }

    /// The number of positions.
    #[cfg(test)]
    pub(super) fn count(&self) -> U256 {
        classes().map(|class| self.class_size(class)).fold(U256::ZERO, U256::plus)
    }

    fn class_size(&self, class: Class) -> U256 {
        outer_radices(class)
            .into_iter()
            .fold(self.inner_totals[class.2], |size, radix| size.times_plus(radix, 0))
    }
}

fn rank(setup: &Setup, class_size: impl Fn(Class) -> U256) -> U256 {
    let counts = OTHER_KINDS.map(|kind| setup.kind(kind).len() as usize);
    let p = setup.kind(BaseKind::Pawn).len() as usize;
    let q = counts.iter().sum::<usize>();
    let (kings, king_digit) =
        match [Color::Black, Color::White].map(|color| setup.king(color).map(Square::array_index)) {
            [Some(black), Some(white)] => (0, black * 80 + white - usize::from(white > black)),
            [Some(black), None] => (1, black),
            [None, Some(white)] => (2, white),
            [None, None] => (3, 0),
        };

    // The contents of the squares without a king, of the squares without a king or pawn, and the pieces themselves.
    let free = square::all().map(|square| setup.piece_at(square));
    let free: Vec<Option<Piece>> =
        free.filter(|content| !content.is_some_and(|piece| is(piece, BaseKind::King))).collect();
    let is_pawn = |content: &Option<Piece>| content.is_some_and(|piece| is(piece, BaseKind::Pawn));
    let rest: Vec<Option<Piece>> = free.iter().copied().filter(|content| !is_pawn(content)).collect();
    let pawns: Vec<Piece> = free.iter().copied().filter(is_pawn).flatten().collect();
    let others: Vec<Piece> = rest.iter().copied().flatten().collect();

    let outer = [
        setup.side_to_move().array_index() as u64,
        king_digit as u64,
        split(setup, BaseKind::Pawn),
        binary(pawns.iter().map(|piece| is_white(*piece))),
        binary(pawns.iter().map(|piece| is_promoted(*piece))),
        colex(free.iter().map(is_pawn)),
        colex(rest.iter().map(Option::is_some)),
    ];
    let mut inner = OTHER_KINDS.map(|kind| split(setup, kind)).to_vec();
    inner.push(binary(others.iter().map(|piece| is_white(*piece))));
    inner.push(binary(
        others.iter().filter(|piece| !is(**piece, BaseKind::Gold)).map(|piece| is_promoted(*piece)),
    ));
    let mut unassigned = others;
    for kind in OTHER_KINDS.into_iter().take(5) {
        inner.push(colex(unassigned.iter().map(|piece| is(*piece, kind))));
        unassigned.retain(|piece| !is(*piece, kind));
    }

    let before =
        all_counts(q).take_while(|other| *other != counts).map(inner_size).fold(U256::ZERO, U256::plus);
    let inner = mixed_radix(&inner, &inner_radices(counts), U256::ZERO).plus(before);
    let before =
        classes().take_while(|class| *class != (kings, p, q)).map(class_size).fold(U256::ZERO, U256::plus);
    mixed_radix(&outer, &outer_radices((kings, p, q)), inner).plus(before)
}

fn unrank(rank: U256, class_size: impl Fn(Class) -> U256) -> Option<Setup> {
    let (class, number) = find(rank, classes(), class_size)?;
    let (kings, p, q) = class;
    let (outer, inner) = digits(number, &outer_radices(class));
    let (counts, number) = find(inner, all_counts(q), inner_size)?;
    let (inner, _) = digits(number, &inner_radices(counts));

    let mut hands = [Hand::EMPTY; 2];
    let splits =
        [(BaseKind::Pawn, outer[2])].into_iter().chain(OTHER_KINDS.into_iter().zip(inner.iter().copied()));
    for (kind, number) in splits {
        let shares =
            (0..=kind.inventory()).flat_map(|total| (0..=total).map(move |white| [total - white, white]));
        for (hand, share) in hands.iter_mut().zip(shares.clone().nth(number as usize)?) {
            *hand = hand.with(kind, share)?;
        }
    }
    let mut builder = Builder::new(color::from_bit(outer[0] == 1), hands);

    let mut free: Vec<Square> = square::all().collect();
    let digit = outer[1] as usize;
    let king_squares = match kings {
        0 => [Some(digit / 80), Some(digit % 80 + usize::from(digit % 80 >= digit / 80))],
        1 => [Some(digit), None],
        2 => [None, Some(digit)],
        _ => [None, None],
    };
    for (king, color) in king_squares.into_iter().zip([Color::Black, Color::White]) {
        if let Some(king) = king.and_then(square::from_index) {
            builder.place(king, piece(BaseKind::King, false, color));
            free.retain(|square| *square != king);
        }
    }

    let pawns = remove_subset(&mut free, p, outer[5]);
    for (i, square) in pawns.into_iter().enumerate() {
        builder.place(
            square,
            piece(BaseKind::Pawn, outer[4] >> i & 1 != 0, color::from_bit(outer[3] >> i & 1 != 0)),
        );
    }

    let others = remove_subset(&mut free, q, outer[6]);
    let mut kinds = alloc::vec![BaseKind::Rook; q];
    let mut unassigned: Vec<usize> = (0..q).collect();
    for ((kind, count), number) in OTHER_KINDS.into_iter().zip(counts).zip(inner[8..].iter()) {
        remove_subset(&mut unassigned, count, *number).into_iter().for_each(|place| kinds[place] = kind);
    }
    let mut promotions = inner[7];
    for (i, (square, kind)) in others.into_iter().zip(kinds).enumerate() {
        let promoted = kind != BaseKind::Gold && promotions & 1 != 0;
        if kind != BaseKind::Gold {
            promotions >>= 1;
        }
        builder.place(square, piece(kind, promoted, color::from_bit(inner[6] >> i & 1 != 0)));
    }
    Some(builder.finish())
}

/// The number of the split of a kind among the hands and the box.
fn split(setup: &Setup, kind: BaseKind) -> u64 {
    let [black, white] = [Color::Black, Color::White].map(|color| u64::from(setup.hand(color).count(kind)));
    (black + white) * (black + white + 1) / 2 + white
}

/// The number of splits with `on_board` pieces of an inventory on the board.
fn split_radix(inventory: usize, on_board: usize) -> u64 {
    binomial(inventory - on_board + 2, 2)
}

fn binomial(n: usize, k: usize) -> u64 {
    (0..k).fold(1_u128, |product, i| product * n.saturating_sub(i) as u128 / (i as u128 + 1)) as u64
}

/// The sum of `C(z_i, i)` over the taken places `z_1 < z_2 < …`.
fn colex(taken: impl Iterator<Item = bool>) -> u64 {
    let places = taken.enumerate().filter(|(_, taken)| *taken);
    places.zip(1..).map(|((place, _), i)| binomial(place, i)).sum()
}

/// Removes from a list the items at the places of the set with this colex number, and returns them.
fn remove_subset<T: Copy>(list: &mut Vec<T>, count: usize, number: u64) -> Vec<T> {
    let mut rest = number;
    let mut taken = Vec::new();
    for i in (1..=count).rev() {
        let place = (0..list.len()).rev().find(|&place| binomial(place, i) <= rest).unwrap_or(0);
        rest -= binomial(place, i);
        taken.insert(0, list[place]);
        list.remove(place);
    }
    taken
}

/// Bits as a number, the first least significant.
fn binary(bits: impl Iterator<Item = bool>) -> u64 {
    bits.enumerate().map(|(i, bit)| u64::from(bit) << i).sum()
}

fn is(piece: Piece, kind: BaseKind) -> bool {
    BaseKind::of(piece.to_parts().0) == kind
}

fn is_white(piece: Piece) -> bool {
    piece.to_parts().1 == Color::White
}

fn is_promoted(piece: Piece) -> bool {
    kind::is_promoted(piece.to_parts().0)
}

/// Every class in order.
fn classes() -> impl Iterator<Item = Class> {
    (0..4).flat_map(|kings| (0..=18).flat_map(move |p| (0..=20).map(move |q| (kings, p, q))))
}

/// The counts of the six kinds for `q` other pieces, all of them, lexicographically.
fn all_counts(q: usize) -> impl Iterator<Item = Counts> {
    let each = |inventory: usize| 0..=inventory;
    let [l, n, s, g, b, r] = INVENTORY;
    each(l)
        .flat_map(move |l| each(n).map(move |n| (l, n)))
        .flat_map(move |(l, n)| each(s).map(move |s| (l, n, s)))
        .flat_map(move |(l, n, s)| each(g).map(move |g| (l, n, s, g)))
        .flat_map(move |(l, n, s, g)| each(b).map(move |b| (l, n, s, g, b)))
        .flat_map(move |(l, n, s, g, b)| each(r).map(move |r| [l, n, s, g, b, r]))
        .filter(move |counts| counts.iter().sum::<usize>() == q)
}

fn outer_radices((kings, p, q): Class) -> Vec<u64> {
    let n = FREE[kings];
    alloc::vec![2, KING_PLACES[kings], split_radix(18, p), 1 << p, 1 << p, binomial(n, p), binomial(n - p, q)]
}

fn inner_radices(counts: Counts) -> Vec<u64> {
    let q: usize = counts.iter().sum();
    let splits = INVENTORY.into_iter().zip(counts).map(|(inventory, count)| split_radix(inventory, count));
    let mut radices: Vec<u64> = splits.chain([1 << q, 1 << (q - counts[GOLD])]).collect();
    let mut unassigned = q;
    for count in counts.into_iter().take(5) {
        radices.push(binomial(unassigned, count));
        unassigned -= count;
    }
    radices
}

fn inner_size(counts: Counts) -> U256 {
    inner_radices(counts).into_iter().fold(U256::ONE, |size, radix| size.times_plus(radix, 0))
}

/// The number with these digits, least significant first, and `top` above them.
fn mixed_radix(digits: &[u64], radices: &[u64], top: U256) -> U256 {
    digits.iter().zip(radices).rev().fold(top, |number, (digit, radix)| number.times_plus(*radix, *digit))
}

/// The digits of a number, least significant first, and the quotient above them.
fn digits(number: U256, radices: &[u64]) -> (Vec<u64>, U256) {
    let mut rest = number;
    let digits = radices.iter().map(|radix| {
        let (quotient, digit) = rest.divided_by::<4>(Divisor::new(*radix));
        rest = quotient;
        digit
    });
    (digits.collect(), rest)
}

/// The item whose range contains a number, and the offset in that range; the ranges have these sizes and follow each other.
fn find<T: Copy>(
    number: U256,
    items: impl Iterator<Item = T>,
    size: impl Fn(T) -> U256,
) -> Option<(T, U256)> {
    let mut rest = number;
    for item in items {
        match rest.minus(size(item)) {
            (_, true) => return Some((item, rest)),
            (next, false) => rest = next,
        }
    }
    None
}

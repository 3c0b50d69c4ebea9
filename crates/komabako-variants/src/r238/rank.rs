//! Setup to rank (`spec/r238.md`).

use komabako_bits::{BitOps, BoardMask};
use komabako_board::{BaseKind, Color, Setup};

use super::tables::{
    BINOMIAL, CLASS_OFFSET, FEW_BINOMIAL, INNER, INVENTORY, KING_PLACES, OTHER_KINDS, PAWNS, class,
    counts_code, small_radix, splits,
};
use super::wide::U256;

#[inline(always)]
pub(super) fn rank<B: BitOps>(ops: B, setup: &Setup) -> U256 {
    let parts = setup.parts();
    let kings = setup.kind(BaseKind::King);
    let pawns = setup.kind(BaseKind::Pawn);
    let others = setup.occupied().without(kings | pawns);

    let free = ops.board_mask((!kings).lanes());
    let free_of_pawns = ops.board_mask((!(kings | pawns)).lanes());
    let pawn_mask = ops.board_mask(pawns.lanes());
    let other_mask = ops.board_mask(others.lanes());
    let p = pawn_mask.len() as usize;
    let q = other_mask.len() as usize;

    let (king_class, king_digit) = place_kings(setup);
    let white = setup.color(Color::White).lanes();
    let flags = pawn_mask.compress_u64(white) | pawn_mask.compress_u64(parts.promoted.lanes()) << p;
    let king_places = KING_PLACES[king_class];
    let small = parts.side.array_index() as u64
        + 2 * (king_digit + king_places * (split(setup, BaseKind::Pawn) + splits(PAWNS - p) * flags));

    U256::from_u128(inner(ops, setup, &other_mask))
        .times_plus(BINOMIAL[q][free_of_pawns.len() as usize], colex(free_of_pawns.compress(others.lanes())))
        .times_plus(BINOMIAL[p][free.len() as usize], colex(free.compress(pawns.lanes())))
        .times_plus(small_radix(king_class, p), small)
        .plus(CLASS_OFFSET[class(king_class, p, q)])
}

/// The king class (0 both, 1 Black's only, 2 White's only, 3 none) and the number of the kings' places in it.
#[inline(always)]
fn place_kings(setup: &Setup) -> (usize, u64) {
    let kings = setup.kind(BaseKind::King);
    let black = (kings & setup.color(Color::Black)).first_index() as u64;
    let white = (kings & setup.color(Color::White)).first_index() as u64;
    match (black < 81, white < 81) {
        (true, true) => (0, 80 * black + white - u64::from(white > black)),
        (true, false) => (1, black),
        (false, true) => (2, white),
        (false, false) => (3, 0),
    }
}

/// The number of the split of a kind's pieces off the board among the hands and the box.
#[inline(always)]
fn split(setup: &Setup, kind: BaseKind) -> u64 {
    let black = u64::from(setup.hand(Color::Black).count(kind));
    let white = u64::from(setup.hand(Color::White).count(kind));
    let in_hands = black + white;
    in_hands * (in_hands + 1) / 2 + white
}

/// The identities of the pieces besides kings and pawns, given their squares: the last digit.
#[inline(always)]
fn inner<B: BitOps>(ops: B, setup: &Setup, other_mask: &BoardMask<B>) -> u128 {
    let q = other_mask.len();
    let all = (1u64 << q) - 1;

    let mut unassigned = all;
    let mut counts = [0; 6];
    let mut places = 0;
    let mut places_radix = 1;
    for (count, kind) in counts.iter_mut().zip(OTHER_KINDS) {
        let set = other_mask.compress_u64(setup.kind(kind).lanes());
        let left = unassigned.count_ones() as usize;
        *count = set.count_ones() as usize;
        places += places_radix * few_colex(ops.pext(set, unassigned));
        places_radix *= BINOMIAL[*count][left];
        unassigned &= !set;
    }

    let promotable = all & !other_mask.compress_u64(setup.kind(BaseKind::Gold).lanes());
    let white = other_mask.compress_u64(setup.color(Color::White).lanes());
    let promoted = other_mask.compress_u64(setup.promoted().lanes());
    let flags = white | ops.pext(promoted, promotable) << q;
    let flag_bits = q + promotable.count_ones();

    let mut hands = 0;
    let mut hands_radix = 1;
    for (kind, (count, inventory)) in OTHER_KINDS.into_iter().zip(counts.into_iter().zip(INVENTORY)) {
        hands += hands_radix * split(setup, kind);
        hands_radix *= splits(inventory - count);
    }

    let place = INNER.place[counts_code(counts)];
    INNER.offset[usize::from(place)]
        + u128::from(hands)
        + u128::from(hands_radix) * (u128::from(flags) | u128::from(places) << flag_bits)
}

/// The colex number of a set of up to 20 elements below 81: the sum of `C(z_i, i)` over its elements `z_1 < z_2 < …`.
#[inline(always)]
fn colex(set: u128) -> u64 {
    let mut number = 0;
    let mut rows = BINOMIAL[1..].iter();
    for (mut word, base) in [(set as u64, 0), ((set >> 64) as u64, 64)] {
        while word != 0 {
            let Some(row) = rows.next() else { return number };
            number += row[base + word.trailing_zeros() as usize];
            word &= word - 1;
        }
    }
    number
}

/// [`colex`] of up to four elements below 20, without branches.
#[inline(always)]
fn few_colex(set: u64) -> u64 {
    let mut rest = set;
    let mut number = 0;
    for row in &FEW_BINOMIAL {
        number += u64::from(row[(rest as u32 | 1 << 31).trailing_zeros() as usize]);
        rest &= rest.wrapping_sub(1);
    }
    number
}

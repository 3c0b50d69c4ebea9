//! The planes that dlshogi can add to `features2`: the distance of each colour from declaring a win by an entered king.

use komabako_board::{BaseKind, Bitboard, Color, Rank, Setup, color};

/// The number of these planes per colour.
const PLANES_PER_COLOR: u32 = 31;
/// The first plane of the lacking pieces, and of the lacking points.
const PIECES: u32 = 1;
const POINTS: u32 = 11;
/// The largest numbers of lacking pieces and points that have a plane.
const MAX_PIECES: u32 = POINTS - PIECES - 1;
const MAX_POINTS: u32 = PLANES_PER_COLOR - POINTS - 1;

/// Three ranks starting with the given one, counted from 1.
const fn three_ranks(first: u8) -> Bitboard {
    let mut set = 0;
    let mut number = first;
    while number < first + 3 {
        let Some(rank) = Rank::new(number) else { unreachable!() };
        set |= Bitboard::rank(rank).to_u128();
        number += 1;
    }
    Bitboard::from_u128(set)
}

/// 31 planes per colour as bits, the side to move first: whether its king is in the three far ranks (bit 0), the number
/// of pieces that it lacks there to ten (one of bits 1 to 10: none, one, … nine), and the number of points that it lacks
/// to 28 for Black or 27 for White (one of bits 11 to 30: none, one, … nineteen). With more pieces or points than needed,
/// no bit is set.
///
/// ```
/// use komabako_board::sfen;
/// use komabako_features::dlshogi::entering_king;
/// let setup = sfen::parse("4k4/PPPP5/PPPPP4/9/9/9/9/9/4K4 b - 1")?.setup;
/// assert_eq!(entering_king(&setup), 1 << (1 + 1) | 1 << (11 + 19)); // a piece is lacking, and 19 points
/// # Ok::<(), komabako_board::sfen::SfenError>(())
/// ```
#[inline(always)]
pub fn entering_king(setup: &Setup) -> u64 {
    let side = setup.side_to_move();
    entering_planes(setup, side) | entering_planes(setup, color::opponent(side)) << PLANES_PER_COLOR
}

#[inline(always)]
fn entering_planes(setup: &Setup, color: Color) -> u64 {
    let (far, needed) = match color {
        Color::Black => (const { three_ranks(1) }, 28),
        Color::White => (const { three_ranks(7) }, 27),
    };
    let entered = setup.color(color) & far;
    let kings = setup.kind(BaseKind::King);
    let majors = setup.kind(BaseKind::Bishop) | setup.kind(BaseKind::Rook);
    let pieces = entered.without(kings).len();
    let hand = setup.hand(color);
    let majors_in_hand = u32::from(hand.count(BaseKind::Bishop) + hand.count(BaseKind::Rook));
    // Bishops and rooks are already counted once; four more make five points.
    let points = pieces + hand.len() + 4 * ((entered & majors).len() + majors_in_hand);
    u64::from(entered.intersects(kings))
        | lacking(PIECES, MAX_PIECES, 10, pieces)
        | lacking(POINTS, MAX_POINTS, needed, points)
}

/// The bit for the difference of `needed` and `count`, where bit `first` means none.
#[inline(always)]
fn lacking(first: u32, max: u32, needed: u32, count: u32) -> u64 {
    if count <= needed && needed - count <= max { 1 << (first + needed - count) } else { 0 }
}

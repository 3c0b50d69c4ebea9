//! The planes that dlshogi can add to `features2`: how far each colour is from declaring a win by an entered king.

use komabako_board::{BaseKind, Bitboard, Color, Rank, Setup, color};

/// How many of these planes a colour has.
const PLANES_A_COLOR: u32 = 31;
/// The first plane of the pieces that are lacking, and of the points.
const PIECES: u32 = 1;
const POINTS: u32 = 11;
/// Other numbers of lacking pieces and points set no plane.
const MOST_PIECES_LACKING: u32 = POINTS - PIECES - 1;
const MOST_POINTS_LACKING: u32 = PLANES_A_COLOR - POINTS - 1;

/// 31 planes a colour as bits, the side to move's first: whether its king is in the three far ranks (bit 0), how many pieces it
/// lacks there to ten (one of bits 1 to 10: none, one, … nine), and how many points to 28 for Black or 27 for White (one of bits
/// 11 to 30: none, one, … nineteen). More pieces or points than needed set no bit.
///
/// ```
/// use komabako_board::sfen;
/// use komabako_features::dlshogi::entering_king;
/// let setup = sfen::parse("4k4/PPPP5/PPPPP4/9/9/9/9/9/4K4 b - 1")?.setup;
/// assert_eq!(entering_king(&setup), 1 << (1 + 1) | 1 << (11 + 19)); // a piece is lacking, and 19 points
/// # Ok::<(), komabako_board::sfen::SfenError>(())
/// ```
pub fn entering_king(setup: &Setup) -> u64 {
    let side = setup.side_to_move();
    of_color(setup, side) | of_color(setup, color::opponent(side)) << PLANES_A_COLOR
}

fn of_color(setup: &Setup, color: Color) -> u64 {
    let (ranks, needed) = match color {
        Color::Black => (0..3, 28),
        Color::White => (6..9, 27),
    };
    let ranks = Rank::all().skip(ranks.start).take(ranks.len());
    let far = ranks.fold(Bitboard::EMPTY, |far, rank| far | Bitboard::rank(rank));
    let entered = setup.color(color) & far;
    let kings = setup.kind(BaseKind::King);
    let majors = setup.kind(BaseKind::Bishop) | setup.kind(BaseKind::Rook);
    let pieces = entered.without(kings).len();
    let hand = setup.hand(color);
    let majors_in_hand = u32::from(hand.count(BaseKind::Bishop) + hand.count(BaseKind::Rook));
    // Bishops and rooks have been counted once already: four more make five.
    let points = pieces + hand.len() + 4 * ((entered & majors).len() + majors_in_hand);
    let lacking =
        |needed: u32, count: u32, most| needed.checked_sub(count).filter(|&lacking| lacking <= most);
    let mut bits = u64::from(entered.intersects(kings));
    if let Some(pieces) = lacking(10, pieces, MOST_PIECES_LACKING) {
        bits |= 1 << (PIECES + pieces);
    }
    if let Some(points) = lacking(needed, points, MOST_POINTS_LACKING) {
        bits |= 1 << (POINTS + points);
    }
    bits
}

//! Random setups: repeatable ones by [`Family`], and [`mod@proptest`] strategies over them.
//!
//! ```
//! use komabako_testkit::setups;
//! let some: Vec<_> = setups::random(1).take(8).collect();
//! assert!(some.iter().copied().eq(setups::random(1).take(8)));
//! ```

use std::ops::RangeInclusive;

use komabako_board::{BaseKind, Bitboard, Color, File, Piece, Rank, Setup, Square, color, square};
use proptest::prelude::*;

/// A repeatable source of random numbers: `SplitMix64` (Steele, Lea, Flood 2014).
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// The source with this seed.
    pub const fn new(seed: u64) -> Rng {
        Rng(seed)
    }

    /// The next 64 random bits.
    pub const fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number in `0..bound`.
    ///
    /// # Panics
    /// If `bound` is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        assert!(bound > 0, "no number is below 0");
        ((u128::from(self.next_u64()) * bound as u128) >> 64) as usize
    }

    /// True in `percent` of 100 cases.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// Each square of the board in `percent` of 100 cases.
    pub fn squares(&mut self, percent: usize) -> Bitboard {
        let mut squares = Bitboard::EMPTY;
        for square in Bitboard::ALL {
            if self.chance(percent) {
                squares |= Bitboard::of(square);
            }
        }
        squares
    }

    /// Either colour.
    pub fn color(&mut self) -> Color {
        color::from_bit(self.chance(50))
    }

    /// A square of a set, or `None` if the set is empty.
    pub fn square_of(&mut self, set: Bitboard) -> Option<Square> {
        let place = self.below(set.len().max(1) as usize);
        set.into_iter().nth(place)
    }
}

/// A kind of random setup. Promotions and the side to move are random in all of them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Family {
    /// All 40 pieces on any square or in a hand: setups that every codec holds. Doubled pawns and dead ends included.
    Base,
    /// All 40 pieces, a few in hands, each side's mostly in its own half: playable, without doubled pawns or dead ends.
    Midgame,
    /// The start position without some of one side's pieces, sometimes including its king.
    Handicap,
    /// One king of either colour, some pieces on the board, the rest in the hands or removed.
    Tsume,
    /// No kings, the rest anywhere or removed.
    NoKings,
    /// Both kings on the board, everything else in the hands.
    InHand,
    /// A board that is empty except for random kings; at most one other piece is in a hand.
    Removed,
    /// All 40 pieces on the board, next to each other, most of them promoted.
    Crowded,
}

impl Family {
    /// Every family.
    pub const ALL: [Family; 8] = [
        Family::Base,
        Family::Midgame,
        Family::Handicap,
        Family::Tsume,
        Family::NoKings,
        Family::InHand,
        Family::Removed,
        Family::Crowded,
    ];

    /// A random setup of the family.
    pub fn generate(self, rng: &mut Rng) -> Setup {
        let mut setup = match self {
            Family::Base => {
                let mix =
                    Mix { boxed: 0, on_board: rng.below(101), promoted: rng.below(101), area: Bitboard::ALL };
                mix.add_to(kings(&[Color::Black, Color::White], rng), rng)
            }
            Family::Midgame => midgame(rng),
            Family::Handicap => handicap(rng),
            Family::Tsume => {
                let boxed = if rng.chance(30) { rng.below(101) } else { 0 };
                let mix = Mix { boxed, on_board: rng.below(60), promoted: 30, area: Bitboard::ALL };
                let mated = rng.color();
                mix.add_to(kings(&[mated], rng), rng)
            }
            Family::NoKings => {
                let mix = Mix {
                    boxed: rng.below(101),
                    on_board: rng.below(101),
                    promoted: 30,
                    area: Bitboard::ALL,
                };
                mix.add_to(Setup::EMPTY, rng)
            }
            Family::InHand => {
                let mix = Mix { boxed: 0, on_board: 0, promoted: 0, area: Bitboard::EMPTY };
                mix.add_to(kings(&[Color::Black, Color::White], rng), rng)
            }
            Family::Removed => removed(rng),
            Family::Crowded => {
                let area = Bitboard::from_u128(((1 << 40) - 1) << rng.below(42));
                let mix = Mix { boxed: 0, on_board: 100, promoted: 80, area };
                mix.add_to(kings_in(area, &[Color::Black, Color::White], rng), rng)
            }
        };
        setup.set_side_to_move(rng.color());
        setup
    }
}

/// Endless random setups, the families taking turns.
pub fn random(seed: u64) -> impl Iterator<Item = Setup> {
    let mut rng = Rng::new(seed);
    Family::ALL.into_iter().cycle().map(move |family| family.generate(&mut rng))
}

/// A strategy for any setup. Half of them shrink towards the empty board; the rest are of a random [`Family`].
pub fn setup() -> impl Strategy<Value = Setup> {
    prop_oneof![scattered(), (prop::sample::select(&Family::ALL[..]), any::<u64>()).prop_map(of_family)]
}

/// A strategy for setups with all 40 pieces, kings on the board: setups that every codec holds.
pub fn base_setup() -> impl Strategy<Value = Setup> {
    (
        prop::sample::select(&[Family::Base, Family::Midgame, Family::InHand, Family::Crowded][..]),
        any::<u64>(),
    )
        .prop_map(of_family)
}

fn of_family((family, seed): (Family, u64)) -> Setup {
    family.generate(&mut Rng::new(seed))
}

/// Randomly placed pieces; pieces that the set lacks are left out.
fn scattered() -> impl Strategy<Value = Setup> {
    let on_board = prop::collection::vec((0..square::COUNT, 0..Piece::all().len()), 0..60);
    let in_hand = prop::collection::vec((any::<bool>(), 0..7_usize, 0..=18_u8), 0..14);
    (on_board, in_hand, any::<bool>()).prop_map(|(on_board, in_hand, white)| {
        let mut setup = Setup::EMPTY;
        setup.set_side_to_move(color::from_bit(white));
        for (index, piece) in on_board {
            let square = square::from_index(index).expect("the index is below 81");
            // A refusal leaves the setup unchanged.
            let _ = setup.place(square, Piece::all()[piece]);
        }
        for (white, kind, count) in in_hand {
            let _ = setup.set_hand_count(color::from_bit(white), BaseKind::IN_HAND[kind], count);
        }
        setup
    })
}

/// The distribution of the pieces of a set other than the kings, in percent.
struct Mix {
    /// The pieces left out.
    boxed: usize,
    /// The pieces on the board, out of those not left out.
    on_board: usize,
    /// The promoted pieces, out of those on the board that can promote.
    promoted: usize,
    /// The squares for pieces on the board.
    area: Bitboard,
}

impl Mix {
    fn add_to(&self, mut setup: Setup, rng: &mut Rng) -> Setup {
        for kind in all_but_kings() {
            let color = rng.color();
            if rng.chance(self.boxed) {
                continue;
            }
            if rng.chance(self.on_board) {
                let promoted = rng.chance(self.promoted);
                place_randomly(&mut setup, kind, promoted, color, self.area, rng);
            } else {
                add_to_hand(&mut setup, kind, color);
            }
        }
        setup
    }
}

fn kings(colors: &[Color], rng: &mut Rng) -> Setup {
    kings_in(Bitboard::ALL, colors, rng)
}

fn kings_in(area: Bitboard, colors: &[Color], rng: &mut Rng) -> Setup {
    let mut setup = Setup::EMPTY;
    for &color in colors {
        place_randomly(&mut setup, BaseKind::King, false, color, area, rng);
    }
    setup
}

fn midgame(rng: &mut Rng) -> Setup {
    let mut setup = Setup::EMPTY;
    for color in [Color::Black, Color::White] {
        place_randomly(&mut setup, BaseKind::King, false, color, own_half(color), rng);
    }
    for kind in all_but_kings() {
        let color = rng.color();
        let promoted = kind.can_promote() && rng.chance(8);
        let half = if promoted || rng.chance(15) { !own_half(color) } else { own_half(color) };
        let area = if promoted { half } else { half.without(forbidden(&setup, kind, color)) };
        if rng.chance(10) || !place_randomly(&mut setup, kind, promoted, color, area, rng) {
            add_to_hand(&mut setup, kind, color);
        }
    }
    setup
}

fn handicap(rng: &mut Rng) -> Setup {
    let mut setup = Setup::START;
    let giver = if rng.chance(80) { Color::White } else { Color::Black };
    for _ in 0..=rng.below(12) {
        if let Some(square) = rng.square_of(setup.color(giver)) {
            setup.clear(square);
        }
    }
    setup
}

fn removed(rng: &mut Rng) -> Setup {
    let mut setup = match rng.below(3) {
        0 => Setup::EMPTY,
        1 => kings(&[rng.color()], rng),
        _ => kings(&[Color::Black, Color::White], rng),
    };
    if rng.chance(50) {
        let kind = BaseKind::IN_HAND[rng.below(7)];
        add_to_hand(&mut setup, kind, rng.color());
    }
    setup
}

/// The 38 pieces that are not kings, rarer kinds first, since they are harder to place.
fn all_but_kings() -> impl Iterator<Item = BaseKind> {
    BaseKind::SFEN_HAND.into_iter().flat_map(|kind| std::iter::repeat_n(kind, kind.inventory().into()))
}

/// Puts a piece on an empty square of an area, if one exists. Kinds that do not promote stay unpromoted.
fn place_randomly(
    setup: &mut Setup,
    kind: BaseKind,
    promoted: bool,
    color: Color,
    area: Bitboard,
    rng: &mut Rng,
) -> bool {
    let piece_kind = match kind.promoted() {
        Some(kind) if promoted => kind,
        _ => kind.unpromoted(),
    };
    let Some(square) = rng.square_of(area.without(setup.occupied())) else { return false };
    setup.place(square, Piece::new(piece_kind, color)).expect("no more pieces are placed than a set has");
    true
}

fn add_to_hand(setup: &mut Setup, kind: BaseKind, color: Color) {
    let count = setup.hand(color).count(kind) + 1;
    setup.set_hand_count(color, kind, count).expect("no more pieces are given than a set has");
}

/// The five ranks nearest to a player.
fn own_half(color: Color) -> Bitboard {
    ranks(color, 5..=9)
}

/// The squares that are forbidden for an unpromoted piece: a rank that it could never leave, a file with a pawn of its side.
fn forbidden(setup: &Setup, kind: BaseKind, color: Color) -> Bitboard {
    match kind {
        BaseKind::Pawn => {
            let pawns = setup.kind(kind).without(setup.promoted()) & setup.color(color);
            let files = pawns.into_iter().map(|pawn| Bitboard::file(File::of(pawn)));
            files.fold(ranks(color, 1..=1), |all, file| all | file)
        }
        BaseKind::Lance => ranks(color, 1..=1),
        BaseKind::Knight => ranks(color, 1..=2),
        _ => Bitboard::EMPTY,
    }
}

/// Ranks by number as the player of a colour counts them, the farthest first.
fn ranks(color: Color, numbers: RangeInclusive<u8>) -> Bitboard {
    let seen_by = |rank: Rank| if color == Color::Black { rank.number() } else { 10 - rank.number() };
    let chosen = Rank::all().filter(|&rank| numbers.contains(&seen_by(rank)));
    chosen.fold(Bitboard::EMPTY, |all, rank| all | Bitboard::rank(rank))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_have_their_properties() {
        let mut rng = Rng::new(5);
        for _ in 0..500 {
            let kings = |setup: Setup| setup.kind(BaseKind::King).len();
            let boxed = |setup: Setup| BaseKind::IN_HAND.map(|kind| setup.removed(kind)).iter().sum::<u8>();
            for family in [Family::Base, Family::Midgame, Family::InHand, Family::Crowded] {
                assert!(family.generate(&mut rng).is_complete(), "{family:?}");
            }
            assert_eq!(kings(Family::Tsume.generate(&mut rng)), 1);
            assert_eq!(kings(Family::NoKings.generate(&mut rng)), 0);
            assert_eq!(Family::InHand.generate(&mut rng).occupied().len(), 2);
            assert!(boxed(Family::Removed.generate(&mut rng)) >= 37);
            assert_eq!(Family::Crowded.generate(&mut rng).occupied().len(), 40);
            assert!(!Family::Handicap.generate(&mut rng).is_complete());
        }
    }
}

//! The planes of dlshogi's networks (`spec/features.md` §1).

mod batch;
mod entering;

use komabako_board::{BaseKind, Bitboard, Color, Hand, Setup};
use komabako_rules::attacks::{Kindergarten, Sliders};

use crate::attackers::{Attackers, step};

pub use batch::{PlaneValue, write_bits, write_bits_with_entering, write_planes, write_planes_with_entering};
pub use entering::entering_king;

/// The number of planes of 81 squares in `features1`: 31 per colour.
pub const FEATURES1: usize = 62;
/// The number of planes in `features2`, each all ones or all zeros.
pub const FEATURES2: usize = 57;
/// The number of planes in `features2` followed by those of [`entering_king`].
pub const FEATURES2_WITH_ENTERING: usize = FEATURES2 + 62;
/// The size of packed `features1` in bytes: 62 · 81 = 5,022 bits.
pub const FEATURES1_BYTES: usize = 628;
/// The size of packed `features2` in bytes: one bit per plane.
pub const FEATURES2_BYTES: usize = 8;
/// The size of packed `features2` with [`entering_king`] in bytes: one bit per plane.
pub const FEATURES2_WITH_ENTERING_BYTES: usize = 16;

const PLANES_PER_COLOR: usize = FEATURES1 / 2;
/// The first plane of a colour's attacks, and of its numbers of attackers.
const ATTACKS: usize = 14;
const ATTACKERS: usize = 28;

/// The planes of one position, as sets of squares: square s is bit s.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Planes {
    features1: [u128; FEATURES1],
    features2: u64,
}

/// The kinds in hand with their number of planes, in the order of the planes.
const HAND: [(BaseKind, u32); 7] = [
    (BaseKind::Pawn, 8),
    (BaseKind::Lance, 4),
    (BaseKind::Knight, 4),
    (BaseKind::Silver, 4),
    (BaseKind::Gold, 4),
    (BaseKind::Bishop, 2),
    (BaseKind::Rook, 2),
];
/// The planes of one colour's hand.
const HAND_PLANES: u32 = 28;
const IN_CHECK: u32 = 2 * HAND_PLANES;

/// The planes of kinds, in YaneuraOu's order: P L N S B R G K, then the promoted ones.
#[inline(always)]
const fn plane_of(kind: BaseKind, promoted: bool) -> usize {
    let plane = kind.yaneuraou_number() as usize - 1;
    if promoted { plane + 8 } else { plane }
}

/// One colour's pieces, as seen by the side to move.
struct Army<'a> {
    view: &'a View,
    own: u128,
    /// Whether this is the side to move, which moves up.
    moves_up: bool,
}

/// A position as seen by the side to move.
struct View {
    kinds: [u128; 8],
    promoted: u128,
    colors: [u128; 2],
    occupied: Bitboard,
}

impl View {
    fn new(setup: &Setup) -> Self {
        let side = setup.side_to_move();
        let turn = |set: Bitboard| match side {
            Color::Black => set.to_u128(),
            Color::White => step::turned(set.to_u128()),
        };
        let colors = [side, komabako_board::color::opponent(side)].map(|color| turn(setup.color(color)));
        View {
            kinds: BaseKind::ALL.map(|kind| turn(setup.kind(kind))),
            promoted: turn(setup.promoted()),
            colors,
            occupied: Bitboard::from_u128(colors[0] | colors[1]),
        }
    }

    fn kind(&self, kind: BaseKind) -> u128 {
        self.kinds[kind as usize]
    }
}

impl Army<'_> {
    fn pieces(&self, kind: BaseKind, promoted: bool) -> u128 {
        let state = if promoted { self.view.promoted } else { !self.view.promoted };
        self.view.kind(kind) & self.own & state
    }

    fn forward(&self, set: u128) -> u128 {
        if self.moves_up { step::up(set) } else { step::down(set) }
    }

    fn backward(&self, set: u128) -> u128 {
        if self.moves_up { step::down(set) } else { step::up(set) }
    }

    /// Fills the colour's 31 planes.
    ///
    /// Steppers are moved as whole sets: all golds step left at once. Two of them may attack the same square from
    /// different sides, so each direction is counted separately; within one direction no two pieces attack the same
    /// square. Sliders are handled one by one.
    fn fill(&self, planes: &mut [u128]) {
        use BaseKind::*;
        let occupied = self.view.occupied;
        let mut attackers = Attackers::NONE;
        for kind in BaseKind::ALL {
            planes[plane_of(kind, false)] = self.pieces(kind, false);
            if kind.promoted().is_some() {
                planes[plane_of(kind, true)] = self.pieces(kind, true);
            }
        }
        let mut add = |plane: usize, directions: &[u128]| {
            for &attacked in directions {
                planes[ATTACKS + plane] |= attacked;
                attackers.add(attacked);
            }
        };
        add(plane_of(Pawn, false), &[self.forward(self.pieces(Pawn, false))]);
        let jump = self.forward(self.forward(self.pieces(Knight, false)));
        add(plane_of(Knight, false), &[step::left(jump), step::right(jump)]);
        let silver = self.pieces(Silver, false);
        let front = self.forward(silver);
        let back = self.backward(silver);
        add(
            plane_of(Silver, false),
            &[front, step::left(front), step::right(front), step::left(back), step::right(back)],
        );
        for (kind, promoted) in [(Gold, false), (Pawn, true), (Lance, true), (Knight, true), (Silver, true)] {
            let golds = self.pieces(kind, promoted);
            let front = self.forward(golds);
            add(
                plane_of(kind, promoted),
                &[
                    front,
                    step::left(front),
                    step::right(front),
                    step::left(golds),
                    step::right(golds),
                    self.backward(golds),
                ],
            );
        }
        let king = self.pieces(King, false);
        let column = step::up(king) | king | step::down(king);
        add(plane_of(King, false), &[step::sides(column) | (column ^ king)]);
        let color = if self.moves_up { Color::Black } else { Color::White };
        for square in Bitboard::from_u128(self.pieces(Lance, false)) {
            add(plane_of(Lance, false), &[Kindergarten.lance(color, square, occupied).to_u128()]);
        }
        for promoted in [false, true] {
            for square in Bitboard::from_u128(self.pieces(Bishop, promoted)) {
                let own = Bitboard::of(square).to_u128();
                let steps = step::up(own) | step::down(own) | step::sides(own);
                let slides = Kindergarten.bishop(square, occupied).to_u128();
                add(plane_of(Bishop, promoted), &[if promoted { slides | steps } else { slides }]);
            }
            for square in Bitboard::from_u128(self.pieces(Rook, promoted)) {
                let own = Bitboard::of(square).to_u128();
                let steps = step::sides(step::up(own) | step::down(own));
                let slides = Kindergarten.rook(square, occupied).to_u128();
                add(plane_of(Rook, promoted), &[if promoted { slides | steps } else { slides }]);
            }
        }
        planes[ATTACKERS..ATTACKERS + 3].copy_from_slice(&attackers.more_than);
    }
}

/// One bit for each piece in hand, starting with the lowest plane of each kind.
#[inline(always)]
fn thermometers(hand: Hand) -> u64 {
    let mut bits = 0;
    let mut at = 0;
    for (kind, planes) in HAND {
        let count = u32::from(hand.count(kind)).min(planes);
        bits |= ((1 << count) - 1) << at;
        at += planes;
    }
    bits
}

impl Planes {
    /// The planes of a position with any number of kings.
    ///
    /// For many positions [`write_bits`] and [`write_planes`] are several times faster.
    pub fn new(setup: &Setup) -> Self {
        let view = View::new(setup);
        let mut features1 = [0; FEATURES1];
        let (own, other) = features1.split_at_mut(PLANES_PER_COLOR);
        Army { view: &view, own: view.colors[0], moves_up: true }.fill(own);
        Army { view: &view, own: view.colors[1], moves_up: false }.fill(other);
        let side = setup.side_to_move();
        let hands =
            [side, komabako_board::color::opponent(side)].map(|color| thermometers(setup.hand(color)));
        let king = view.kind(BaseKind::King) & view.colors[0];
        let is_in_check = features1[PLANES_PER_COLOR + ATTACKERS] & king != 0;
        let features2 = hands[0] | hands[1] << HAND_PLANES | u64::from(is_in_check) << IN_CHECK;
        Planes { features1, features2 }
    }

    /// `features1` as sets of squares. 31 per colour, the side to move first: 14 of pieces, 14 of their attacks, three of
    /// the squares attacked by more than 0, 1 and 2 pieces.
    pub const fn pieces_and_attacks(&self) -> &[u128; FEATURES1] {
        &self.features1
    }

    /// The squares that more than 0, 1 and 2 pieces of the side to move attack, then those of its opponent.
    pub(crate) const fn attackers(&self) -> [[u128; 3]; 2] {
        let planes = &self.features1;
        let other = PLANES_PER_COLOR + ATTACKERS;
        [
            [planes[ATTACKERS], planes[ATTACKERS + 1], planes[ATTACKERS + 2]],
            [planes[other], planes[other + 1], planes[other + 2]],
        ]
    }

    /// `features2` as bits, plane k in bit k: 28 for each hand, the side to move first, and whether it is in check.
    pub const fn hands_and_check(&self) -> u64 {
        self.features2
    }

    /// Writes both as planes of 81 values, each `zero` or `one`, of any type (`f32`, half floats, bytes).
    pub fn expand<T: Copy>(
        &self,
        [zero, one]: [T; 2],
        features1: &mut [[T; 81]; FEATURES1],
        features2: &mut [[T; 81]; FEATURES2],
    ) {
        for (&set, plane) in self.features1.iter().zip(features1) {
            // Most planes are nearly empty, so filling and then setting is faster than testing each square.
            plane.fill(zero);
            for square in Bitboard::from_u128(set) {
                plane[square.array_index()] = one;
            }
        }
        for (number, plane) in features2.iter_mut().enumerate() {
            plane.fill(if self.features2 >> number & 1 == 1 { one } else { zero });
        }
    }

    /// Both as bits, the lowest first: plane by plane without gaps, like dlshogi's packed inputs.
    pub fn to_bits(&self) -> ([u8; FEATURES1_BYTES], [u8; FEATURES2_BYTES]) {
        let mut bytes = [0; FEATURES1_BYTES];
        // A plane may start within a byte. At most 7 bits of the previous plane are pending, so `waiting` holds at most
        // 88 bits.
        let mut waiting = 0u128;
        let mut bits = 0;
        let mut at = 0;
        for &set in &self.features1 {
            waiting |= set << bits;
            bits += 81;
            while bits >= 8 {
                bytes[at] = waiting as u8;
                (waiting, bits, at) = (waiting >> 8, bits - 8, at + 1);
            }
        }
        bytes[at] = waiting as u8;
        (bytes, self.features2.to_le_bytes())
    }
}

//! The numbers of attackers of each square, of both colours at once in one vector of four words.
//!
//! A board has 81 squares and a word 64 bits, so each colour takes two words. With the split used elsewhere in this
//! workspace, 63 + 18, a step to the left or right would carry from one word to the other, which is slow in vectors.
//! Instead the words overlap: the first holds files 1 to 7, the second files 3 to 9. No stepper moves more than one file,
//! so its attacks on files 1 to 5 are right in the first word and those on files 6 to 9 in the second. Only at the very
//! end are the two cut and joined there:
//!
//! ```text
//!            files    1 2 3 4 5 6 7 8 9
//! first word          # # # # # - -            # taken   - wrong or double
//! second word             - - - # # # #
//! ```
//!
//! A vector contains the first and second word of the side to move, then of its opponent. The colours differ only in
//! forward and backward, which masks of two words select. Sliders are handled one by one in ordinary registers: there are
//! at most eight.

use komabako_bits::{BitOps, Lanes};
use komabako_board::{BaseKind, Bitboard, Color, Setup, Square};
use komabako_rules::attacks::{Kindergarten, Sliders};

/// Steps on sets of the board's 81 squares, represented as numbers.
///
/// A file is nine bits, rank a the lowest. A step off the board along a file must not enter the next file, so the last
/// rank is cleared first. A step off the left or right falls out of the 81 bits by itself.
pub mod step {
    const RANK_A: u128 = {
        let mut set = 0;
        let mut file = 0;
        while file < 9 {
            set |= 1u128 << (9 * file);
            file += 1;
        }
        set
    };
    const ALL: u128 = (1 << 81) - 1;

    #[inline(always)]
    pub const fn up(set: u128) -> u128 {
        (set & !RANK_A) >> 1
    }
    #[inline(always)]
    pub const fn down(set: u128) -> u128 {
        (set & !(RANK_A << 8)) << 1
    }
    #[inline(always)]
    pub const fn right(set: u128) -> u128 {
        set >> 9
    }
    #[inline(always)]
    pub const fn left(set: u128) -> u128 {
        (set << 9) & ALL
    }
    #[inline(always)]
    pub const fn sides(set: u128) -> u128 {
        left(set) | right(set)
    }
    /// The board turned by 180°.
    pub const fn turned(set: u128) -> u128 {
        set.reverse_bits() >> (128 - 81)
    }
}

/// The number of attackers of each square, as sets: adding a piece carries from one set to the next.
pub struct Attackers {
    /// The squares with more than 0, 1 and 2 attackers.
    pub more_than: [u128; 3],
}

impl Attackers {
    /// No attackers.
    pub const NONE: Self = Self { more_than: [0; 3] };

    /// Adds a piece, or several pieces that do not attack a common square.
    #[inline(always)]
    pub fn add(&mut self, attacked: u128) {
        let [none, one, two] = &mut self.more_than;
        *two |= *one & attacked;
        *one |= *none & attacked;
        *none |= attacked;
    }
}

/// The squares of rank a on the seven files of a word.
const RANK_A: u64 = 0x0040_2010_0804_0201;
/// The squares of the seven files in a word: all bits but the last.
const FILES: u64 = (1 << 63) - 1;
/// Masks of the words of the colour that sees, and of the other.
const OWN: [u64; 4] = [u64::MAX, u64::MAX, 0, 0];
const OTHER: [u64; 4] = [0, 0, u64::MAX, u64::MAX];

/// The two words of a set.
#[inline(always)]
fn words(set: Bitboard) -> [u64; 2] {
    let [low, high] = set.lanes();
    [low, low >> 18 | high << 45]
}

/// The sets represented by the words of both colours, as numbers: files 1 to 5 of the first word, 6 to 9 of the second.
#[inline(always)]
pub fn to_sets<B: BitOps>(ops: B, vector: B::V256) -> [u128; 2] {
    const FIRST: u64 = (1 << 45) - 1;
    // The second word starts with file 3.
    let low = vector & ops.v256([FIRST, 0, FIRST, 0])
        | vector.swap_pairs().shift_left(18) & ops.v256([!FIRST, 0, !FIRST, 0]);
    let high = vector.shift_right(64 - 18) & ops.v256([0, 0x1_ffff, 0, 0x1_ffff]);
    let [a, b, c, d] = (low | high).to_words();
    [u128::from(a) | u128::from(b) << 64, u128::from(c) | u128::from(d) << 64]
}

/// A position's sets as seen by one colour, in two words each.
pub struct View {
    /// P L N S G B R K, promoted pieces, pieces of this colour, pieces of the other.
    first: [u64; 11],
    second: [u64; 11],
}

const PROMOTED: usize = 8;
const COLORS: usize = 9;

impl View {
    #[inline(always)]
    pub fn new(setup: &Setup, perspective: Color) -> View {
        let parts = setup.parts();
        let is_white = perspective == Color::White;
        let [own, other] = if is_white { [parts.colors[1], parts.colors[0]] } else { parts.colors };
        let [p, l, n, s, g, b, r, k] = parts.kinds;
        let sets = [p, l, n, s, g, b, r, k, parts.promoted, own, other];
        let mut view = View { first: [0; 11], second: [0; 11] };
        for (index, set) in sets.iter().enumerate() {
            [view.first[index], view.second[index]] = words(*set);
        }
        if is_white {
            // File 1 becomes file 9, so the first word becomes the second.
            for index in 0..sets.len() {
                let first = view.first[index];
                view.first[index] = view.second[index].reverse_bits() >> 1;
                view.second[index] = first.reverse_bits() >> 1;
            }
        }
        view
    }

    /// A set in both halves of a vector.
    #[inline(always)]
    fn in_both_halves<B: BitOps>(&self, ops: B, set: usize) -> B::V256 {
        let first = self.first[set];
        let second = self.second[set];
        ops.v256([first, second, first, second])
    }

    #[inline(always)]
    fn board(&self, set: usize) -> Bitboard {
        Bitboard::from_lanes([self.first[set] & FILES, self.second[set] >> 45])
    }
}

/// Receives the sets that [`count`] meets on its way. Who needs only the numbers ignores them: [`Ignored`].
pub trait Sets {
    /// The squares of both colours' pieces of a kind.
    fn add_pieces<B: BitOps>(&mut self, ops: B, kind: BaseKind, is_promoted: bool, squares: B::V256);
    /// What the steppers of a kind attack, of both colours.
    fn add_steps<B: BitOps>(&mut self, ops: B, kind: BaseKind, is_promoted: bool, attacked: B::V256);
    /// What one slider of a colour (0 that sees, 1 the other) attacks.
    fn add_slides(&mut self, color: usize, kind: BaseKind, is_promoted: bool, attacked: u128);
}

/// For the numbers alone.
pub struct Ignored;

impl Sets for Ignored {
    #[inline(always)]
    fn add_pieces<B: BitOps>(&mut self, _: B, _: BaseKind, _: bool, _: B::V256) {}
    #[inline(always)]
    fn add_steps<B: BitOps>(&mut self, _: B, _: BaseKind, _: bool, _: B::V256) {}
    #[inline(always)]
    fn add_slides(&mut self, _: usize, _: BaseKind, _: bool, _: u128) {}
}

/// The attackers of each square: those of the colour that sees, and those of the other.
///
/// Steppers are moved as whole sets: all golds step left at once. Two of them may attack the same square from different
/// sides, so each direction is counted separately; within one direction no two pieces attack the same square.
#[inline(always)]
pub fn count<B: BitOps, S: Sets>(ops: B, view: &View, sets: &mut S) -> [Attackers; 2] {
    use BaseKind::{Gold, King, Knight, Lance, Pawn, Silver};
    let colors =
        ops.v256([view.first[COLORS], view.second[COLORS], view.first[COLORS + 1], view.second[COLORS + 1]]);
    let promoted = view.in_both_halves(ops, PROMOTED) & colors;
    let none = ops.v256([0; 4]);
    let mut pieces = [[none; 2]; 8];
    for kind in BaseKind::ALL {
        let both = view.in_both_halves(ops, kind as usize) & colors;
        pieces[kind as usize] = [both.without(promoted), both & promoted];
        sets.add_pieces(ops, kind, false, pieces[kind as usize][0]);
        if kind.can_promote() {
            sets.add_pieces(ops, kind, true, pieces[kind as usize][1]);
        }
    }

    let mut counts = Counts::<B> { more_than: [none; 3] };
    let pawns = forward(ops, pieces[Pawn as usize][0]);
    counts.add(pawns);
    sets.add_steps(ops, Pawn, false, pawns);

    let jump = forward(ops, forward(ops, pieces[Knight as usize][0]));
    let attacked = counts.add(jump.shift_left(9)) | counts.add(jump.shift_right(9));
    sets.add_steps(ops, Knight, false, attacked);

    let silver = pieces[Silver as usize][0];
    let front = forward(ops, silver);
    let back = backward(ops, silver);
    let attacked = counts.add(front)
        | counts.add(front.shift_left(9))
        | counts.add(front.shift_right(9))
        | counts.add(back.shift_left(9))
        | counts.add(back.shift_right(9));
    sets.add_steps(ops, Silver, false, attacked);

    for (kind, is_promoted) in [(Gold, false), (Pawn, true), (Lance, true), (Knight, true), (Silver, true)] {
        let golds = pieces[kind as usize][usize::from(is_promoted)];
        let front = forward(ops, golds);
        let attacked = counts.add(front)
            | counts.add(front.shift_left(9))
            | counts.add(front.shift_right(9))
            | counts.add(golds.shift_left(9))
            | counts.add(golds.shift_right(9))
            | counts.add(backward(ops, golds));
        sets.add_steps(ops, kind, is_promoted, attacked);
    }

    // There is only one king, so all its directions can be counted together.
    let king = pieces[King as usize][0];
    let ends = forward(ops, king) | backward(ops, king);
    let column = ends | king;
    let attacked = counts.add(ends | column.shift_left(9) | column.shift_right(9));
    sets.add_steps(ops, King, false, attacked);

    let mut attackers = counts.by_color(ops);
    count_sliders(view, &mut attackers, sets);
    attackers
}

/// One step forward along the file for each colour.
#[inline(always)]
fn forward<B: BitOps>(ops: B, set: B::V256) -> B::V256 {
    let up = ops.v256(masked(OWN, !RANK_A));
    let down = ops.v256(masked(OTHER, !(RANK_A << 8)));
    (set & up).shift_right(1) | (set & down).shift_left(1)
}

#[inline(always)]
fn backward<B: BitOps>(ops: B, set: B::V256) -> B::V256 {
    let up = ops.v256(masked(OTHER, !RANK_A));
    let down = ops.v256(masked(OWN, !(RANK_A << 8)));
    (set & up).shift_right(1) | (set & down).shift_left(1)
}

/// A mask of the squares from which a step stays on the board, in the words of one colour.
const fn masked(color: [u64; 4], squares: u64) -> [u64; 4] {
    [color[0] & squares, color[1] & squares, color[2] & squares, color[3] & squares]
}

/// Like [`Attackers`], for both colours.
struct Counts<B: BitOps> {
    more_than: [B::V256; 3],
}

impl<B: BitOps> Counts<B> {
    /// Adds the attacks of some pieces, which must not overlap, and returns them.
    #[inline(always)]
    fn add(&mut self, attacked: B::V256) -> B::V256 {
        let [none, one, two] = self.more_than;
        self.more_than = [none | attacked, one | none & attacked, two | one & attacked];
        attacked
    }

    #[inline(always)]
    fn by_color(&self, ops: B) -> [Attackers; 2] {
        let mut attackers = [Attackers::NONE; 2];
        for (place, &vector) in self.more_than.iter().enumerate() {
            let [own, other] = to_sets(ops, vector);
            attackers[0].more_than[place] = own;
            attackers[1].more_than[place] = other;
        }
        attackers
    }
}

/// Adds lances, bishops and rooks, one piece after another. One loop covers both colours' pieces of a kind, since its
/// number of iterations is then mostly constant and well predicted.
#[inline(always)]
fn count_sliders<S: Sets>(view: &View, attackers: &mut [Attackers; 2], sets: &mut S) {
    use BaseKind::{Bishop, Lance, Rook};
    let other = view.board(COLORS + 1);
    let promoted = view.board(PROMOTED);
    let occupied = view.board(COLORS) | other;
    for square in view.board(Lance as usize).without(promoted) {
        let color = usize::from(other.contains(square));
        let side = if color == 0 { Color::Black } else { Color::White };
        let attacked = Kindergarten.lance(side, square, occupied).to_u128();
        sets.add_slides(color, Lance, false, attacked);
        attackers[color].add(attacked);
    }
    for square in view.board(Bishop as usize) {
        let color = usize::from(other.contains(square));
        let is_promoted = promoted.contains(square);
        let attacked = Kindergarten.bishop(square, occupied).to_u128() | steps(is_promoted, square);
        sets.add_slides(color, Bishop, is_promoted, attacked);
        attackers[color].add(attacked);
    }
    for square in view.board(Rook as usize) {
        let color = usize::from(other.contains(square));
        let is_promoted = promoted.contains(square);
        let attacked = Kindergarten.rook(square, occupied).to_u128() | steps(is_promoted, square);
        sets.add_slides(color, Rook, is_promoted, attacked);
        attackers[color].add(attacked);
    }
}

/// What a bishop or rook attacks besides its slides: the squares around it if it is promoted.
#[inline(always)]
fn steps(is_promoted: bool, square: Square) -> u128 {
    if is_promoted { STEPS[square.array_index()] } else { 0 }
}

/// For each square, the squares around it.
static STEPS: [u128; 81] = {
    let mut steps = [0; 81];
    let mut square = 0;
    while square < steps.len() {
        let own = 1 << square;
        let column = step::up(own) | own | step::down(own);
        steps[square] = step::sides(column) | column ^ own;
        square += 1;
    }
    steps
};

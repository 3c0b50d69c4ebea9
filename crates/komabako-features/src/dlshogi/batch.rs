//! The planes of many positions, both colours at once in one vector of four words.
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

use komabako_bits::{Backend, BitOps, Kernel, Lanes, dispatch};
use komabako_board::{BaseKind, Bitboard, Color, Setup, Square};
use komabako_rules::attacks::{Kindergarten, Sliders};

use super::{
    ATTACKERS, ATTACKS, Attackers, FEATURES1, FEATURES1_BYTES, FEATURES2, FEATURES2_BYTES,
    FEATURES2_WITH_ENTERING, FEATURES2_WITH_ENTERING_BYTES, HAND_PLANES, IN_CHECK, PLANES_PER_COLOR, Planes,
    entering_king, plane_of, step, thermometers,
};

/// A type of plane values: `f32`, a half float as its bits (`u16`), `u8`.
pub trait PlaneValue: Copy + Default + sealed::Sealed {
    /// 0 and 1.
    const VALUES: [Self; 2];
}

impl PlaneValue for f32 {
    const VALUES: [f32; 2] = [0.0, 1.0];
}

impl PlaneValue for u16 {
    const VALUES: [u16; 2] = [0, 0x3c00];
}

impl PlaneValue for u8 {
    const VALUES: [u8; 2] = [0, 1];
}

mod sealed {
    use super::{Backend, FEATURES1, Setup, Write, dispatch};

    /// Dispatches for one type of values. Not generic, so that the kernels are compiled only in this crate.
    pub trait Sealed: Sized {
        /// Writes the planes. `features2` has the planes of all positions one after another, the same number for each.
        fn dispatch(
            backend: Backend,
            setups: &[Setup],
            features1: &mut [[[Self; 81]; FEATURES1]],
            features2: &mut [[Self; 81]],
        );
    }

    macro_rules! plane_values {
        ($($value:ty),*) => {$(
            impl Sealed for $value {
                fn dispatch(
                    backend: Backend,
                    setups: &[Setup],
                    features1: &mut [[[Self; 81]; FEATURES1]],
                    features2: &mut [[Self; 81]],
                ) {
                    dispatch(backend, Write { setups, features1, features2 });
                }
            }
        )*};
    }

    plane_values!(f32, u16, u8);
}

/// Writes the planes of many positions as values.
///
/// ```
/// use komabako_board::Setup;
/// use komabako_features::{Backend, dlshogi};
/// let (mut features1, mut features2) = (vec![[[0.0f32; 81]; 62]], vec![[[0.0f32; 81]; 57]]);
/// dlshogi::write_planes(Backend::detect(), &[Setup::START], &mut features1, &mut features2);
/// assert_eq!(features1[0][0].iter().sum::<f32>(), 9.0); // own pawns
/// ```
///
/// # Panics
/// If an output has fewer rows than there are positions.
pub fn write_planes<T: PlaneValue>(
    backend: Backend,
    setups: &[Setup],
    features1: &mut [[[T; 81]; FEATURES1]],
    features2: &mut [[[T; 81]; FEATURES2]],
) {
    let features2 = features2[..setups.len()].as_flattened_mut();
    T::dispatch(backend, setups, &mut features1[..setups.len()], features2);
}

/// [`write_planes`] with the planes of [`entering_king`] in `features2`.
///
/// # Panics
/// If an output has fewer rows than there are positions.
pub fn write_planes_with_entering<T: PlaneValue>(
    backend: Backend,
    setups: &[Setup],
    features1: &mut [[[T; 81]; FEATURES1]],
    features2: &mut [[[T; 81]; FEATURES2_WITH_ENTERING]],
) {
    let features2 = features2[..setups.len()].as_flattened_mut();
    T::dispatch(backend, setups, &mut features1[..setups.len()], features2);
}

/// Writes the planes of many positions in the form of [`Planes::to_bits`].
///
/// # Panics
/// If an output has fewer rows than there are positions.
pub fn write_bits(
    backend: Backend,
    setups: &[Setup],
    features1: &mut [[u8; FEATURES1_BYTES]],
    features2: &mut [[u8; FEATURES2_BYTES]],
) {
    let features2 = features2[..setups.len()].as_flattened_mut();
    dispatch(backend, WriteBits { setups, features1: &mut features1[..setups.len()], features2 });
}

/// [`write_bits`] with a bit for each plane of [`entering_king`] after the others of `features2`.
///
/// # Panics
/// If an output has fewer rows than there are positions.
pub fn write_bits_with_entering(
    backend: Backend,
    setups: &[Setup],
    features1: &mut [[u8; FEATURES1_BYTES]],
    features2: &mut [[u8; FEATURES2_WITH_ENTERING_BYTES]],
) {
    let features2 = features2[..setups.len()].as_flattened_mut();
    dispatch(backend, WriteBits { setups, features1: &mut features1[..setups.len()], features2 });
}

struct Write<'a, T> {
    setups: &'a [Setup],
    features1: &'a mut [[[T; 81]; FEATURES1]],
    /// All planes one after another: 57 per position, or 119.
    features2: &'a mut [[T; 81]],
}

impl<T: PlaneValue> Kernel for Write<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<B: BitOps>(self, ops: B) {
        let [zero, one] = T::VALUES;
        let mut planes = Planes { features1: [0; FEATURES1], features2: 0 };
        let width = self.features2.len() / self.setups.len().max(1);
        let rows = self.features2.chunks_exact_mut(width.max(1));
        for ((setup, first), second) in self.setups.iter().zip(self.features1).zip(rows) {
            fill(ops, setup, &mut planes);
            let bits = with_entering(setup, &planes, width > FEATURES2);
            for (&set, plane) in planes.features1.iter().zip(first) {
                let bytes = ops.boards_to_bytes(&[Bitboard::from_u128(set).lanes()]);
                for (value, byte) in plane.iter_mut().zip(bytes) {
                    *value = if byte != 0 { one } else { zero };
                }
            }
            for (number, plane) in second.iter_mut().enumerate() {
                *plane = [if bits >> number & 1 == 1 { one } else { zero }; 81];
            }
        }
    }
}

/// The bits of `features2`, followed by those of the entering kings if `include_entering`.
#[inline(always)]
fn with_entering(setup: &Setup, planes: &Planes, include_entering: bool) -> u128 {
    let entering = if include_entering { entering_king(setup) } else { 0 };
    u128::from(planes.features2) | u128::from(entering) << FEATURES2
}

struct WriteBits<'a> {
    setups: &'a [Setup],
    features1: &'a mut [[u8; FEATURES1_BYTES]],
    /// All bytes one after another: eight per position, or sixteen.
    features2: &'a mut [u8],
}

impl Kernel for WriteBits<'_> {
    type Output = ();

    #[inline(always)]
    fn run<B: BitOps>(self, ops: B) {
        let mut planes = Planes { features1: [0; FEATURES1], features2: 0 };
        let width = self.features2.len() / self.setups.len().max(1);
        let rows = self.features2.chunks_exact_mut(width.max(1));
        for ((setup, first), second) in self.setups.iter().zip(self.features1).zip(rows) {
            fill(ops, setup, &mut planes);
            pack_planes(&planes.features1, first);
            let bits = with_entering(setup, &planes, width > FEATURES2_BYTES);
            second.copy_from_slice(&bits.to_le_bytes()[..width]);
        }
    }
}

/// The size of eight planes: exactly 81 bytes. Plane k of them starts at bit k of byte 10 k.
const EIGHT_PLANES: usize = 81;

/// Joins the planes without gaps.
#[inline(always)]
fn pack_planes(planes: &[u128; FEATURES1], bytes: &mut [u8; FEATURES1_BYTES]) {
    let (eights, rest) = planes.as_chunks::<8>();
    for (number, eight) in eights.iter().enumerate() {
        pack_eight_planes(eight, &mut bytes[EIGHT_PLANES * number..]);
    }
    let mut last = [0; 8];
    let mut buffer = [0; EIGHT_PLANES + 5];
    last[..rest.len()].copy_from_slice(rest);
    pack_eight_planes(&last, &mut buffer);
    let bytes = &mut bytes[EIGHT_PLANES * eights.len()..];
    bytes.copy_from_slice(&buffer[..bytes.len()]);
}

/// Writes eight planes, followed by five zero bytes: each plane is written as a 16-byte number whose end the next one
/// overwrites.
#[inline(always)]
fn pack_eight_planes(planes: &[u128; 8], bytes: &mut [u8]) {
    let bytes = &mut bytes[..EIGHT_PLANES + 5];
    let mut carried = 0;
    for (place, &plane) in planes.iter().enumerate() {
        let bits = plane << place | carried;
        bytes[10 * place..10 * place + 16].copy_from_slice(&bits.to_le_bytes());
        carried = bits >> 80;
    }
}

/// The squares of rank a on the seven files of a word.
const RANK_A: u64 = 0x0040_2010_0804_0201;
/// The squares of the seven files in a word: all bits but the last.
const FILES: u64 = (1 << 63) - 1;
/// Masks of the words of the side to move, and of its opponent.
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
fn to_sets<B: BitOps>(ops: B, vector: B::V256) -> [u128; 2] {
    const FIRST: u64 = (1 << 45) - 1;
    // The second word starts with file 3.
    let low = vector & ops.v256([FIRST, 0, FIRST, 0])
        | vector.swap_pairs().shift_left(18) & ops.v256([!FIRST, 0, !FIRST, 0]);
    let high = vector.shift_right(64 - 18) & ops.v256([0, 0x1_ffff, 0, 0x1_ffff]);
    let [a, b, c, d] = (low | high).to_words();
    [u128::from(a) | u128::from(b) << 64, u128::from(c) | u128::from(d) << 64]
}

/// A position's sets as seen by the side to move, in two words each.
struct View {
    /// P L N S G B R K, promoted pieces, pieces of the side to move, pieces of its opponent.
    first: [u64; 11],
    second: [u64; 11],
}

/// The planes of each kind, unpromoted and promoted. A table, because [`plane_of`] would be a jump in a loop over kinds.
/// Golds and kings do not promote.
const PLANES: [[usize; 2]; 8] = {
    let mut planes = [[usize::MAX; 2]; 8];
    let mut kind = 0;
    while kind < 8 {
        let base = BaseKind::ALL[kind];
        planes[kind][0] = plane_of(base, false);
        if base.can_promote() {
            planes[kind][1] = plane_of(base, true);
        }
        kind += 1;
    }
    planes
};

const PROMOTED: usize = 8;
const COLORS: usize = 9;

impl View {
    #[inline(always)]
    fn new(setup: &Setup) -> View {
        let parts = setup.parts();
        let is_white = parts.side == Color::White;
        let [own, other] = if is_white { [parts.colors[1], parts.colors[0]] } else { parts.colors };
        let [p, l, n, s, g, b, r, k] = parts.kinds;
        let sets = [p, l, n, s, g, b, r, k, parts.promoted, own, other];
        let mut view = View { first: [0; 11], second: [0; 11] };
        for (index, set) in sets.into_iter().enumerate() {
            [view.first[index], view.second[index]] = words(set);
        }
        if is_white {
            // File 1 becomes file 9, so the first word becomes the second.
            for (first, second) in view.first.iter_mut().zip(&mut view.second) {
                (*first, *second) = (second.reverse_bits() >> 1, first.reverse_bits() >> 1);
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

/// Fills the planes of a position.
///
/// Steppers are moved as whole sets: all golds step left at once. Two of them may attack the same square from different
/// sides, so each direction is counted separately; within one direction no two pieces attack the same square.
#[inline(always)]
fn fill<B: BitOps>(ops: B, setup: &Setup, planes: &mut Planes) {
    use BaseKind::{Gold, King, Knight, Lance, Pawn, Silver};
    let view = View::new(setup);
    let colors =
        ops.v256([view.first[COLORS], view.second[COLORS], view.first[COLORS + 1], view.second[COLORS + 1]]);
    let promoted = view.in_both_halves(ops, PROMOTED) & colors;
    let none = ops.v256([0; 4]);
    let mut pieces = [[none; 2]; 8];
    let mut kind = 0;
    while kind < 8 {
        let both = view.in_both_halves(ops, kind) & colors;
        pieces[kind] = [both.without(promoted), both & promoted];
        let [plane, promoted_plane] = PLANES[kind];
        write_plane(ops, planes, plane, pieces[kind][0]);
        if promoted_plane < ATTACKS {
            write_plane(ops, planes, promoted_plane, pieces[kind][1]);
        }
        kind += 1;
    }

    let mut counts = Counts::<B> { more_than: [none; 3] };
    let pawns = forward(ops, pieces[Pawn as usize][0]);
    counts.add(pawns);
    write_plane(ops, planes, ATTACKS + plane_of(Pawn, false), pawns);

    let jump = forward(ops, forward(ops, pieces[Knight as usize][0]));
    let attacked = counts.add(jump.shift_left(9)) | counts.add(jump.shift_right(9));
    write_plane(ops, planes, ATTACKS + plane_of(Knight, false), attacked);

    let silver = pieces[Silver as usize][0];
    let front = forward(ops, silver);
    let back = backward(ops, silver);
    let attacked = counts.add(front)
        | counts.add(front.shift_left(9))
        | counts.add(front.shift_right(9))
        | counts.add(back.shift_left(9))
        | counts.add(back.shift_right(9));
    write_plane(ops, planes, ATTACKS + plane_of(Silver, false), attacked);

    for (kind, promotion) in [(Gold, 0), (Pawn, 1), (Lance, 1), (Knight, 1), (Silver, 1)] {
        let golds = pieces[kind as usize][promotion];
        let front = forward(ops, golds);
        let attacked = counts.add(front)
            | counts.add(front.shift_left(9))
            | counts.add(front.shift_right(9))
            | counts.add(golds.shift_left(9))
            | counts.add(golds.shift_right(9))
            | counts.add(backward(ops, golds));
        write_plane(ops, planes, ATTACKS + PLANES[kind as usize][promotion], attacked);
    }

    // There is only one king, so all its directions can be counted together.
    let king = pieces[King as usize][0];
    let ends = forward(ops, king) | backward(ops, king);
    let column = ends | king;
    let attacked = counts.add(ends | column.shift_left(9) | column.shift_right(9));
    write_plane(ops, planes, ATTACKS + plane_of(King, false), attacked);

    let mut attackers = counts.by_color(ops);
    fill_sliders(&view, &mut attackers, planes);
    for (color, Attackers { more_than }) in attackers.iter().enumerate() {
        let start = PLANES_PER_COLOR * color + ATTACKERS;
        planes.features1[start] = more_than[0];
        planes.features1[start + 1] = more_than[1];
        planes.features1[start + 2] = more_than[2];
    }

    let [own, other] = setup.parts().hands;
    let [own, other] = if setup.side_to_move() == Color::White { [other, own] } else { [own, other] };
    let king = planes.features1[plane_of(King, false)];
    let is_in_check = attackers[1].more_than[0] & king != 0;
    planes.features2 =
        thermometers(own) | thermometers(other) << HAND_PLANES | u64::from(is_in_check) << IN_CHECK;
}

/// Writes a plane of both colours.
#[inline(always)]
fn write_plane<B: BitOps>(ops: B, planes: &mut Planes, plane: usize, vector: B::V256) {
    let [own, other] = to_sets(ops, vector);
    planes.features1[plane] = own;
    planes.features1[PLANES_PER_COLOR + plane] = other;
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
        let mut attackers = [Attackers::default(), Attackers::default()];
        for (place, &vector) in self.more_than.iter().enumerate() {
            let [own, other] = to_sets(ops, vector);
            attackers[0].more_than[place] = own;
            attackers[1].more_than[place] = other;
        }
        attackers
    }
}

/// Fills the planes of lances, bishops and rooks, one piece after another. One loop covers both colours' pieces of a
/// kind, since its number of iterations is then mostly constant and well predicted.
#[inline(always)]
fn fill_sliders(view: &View, attackers: &mut [Attackers; 2], planes: &mut Planes) {
    use BaseKind::{Bishop, Lance, Rook};
    let other = view.board(COLORS + 1);
    let promoted = view.board(PROMOTED);
    let occupied = view.board(COLORS) | other;
    for color in 0..2 {
        for kind in [Lance, Bishop, Rook] {
            planes.features1[PLANES_PER_COLOR * color + ATTACKS + plane_of(kind, false)] = 0;
        }
        for kind in [Bishop, Rook] {
            planes.features1[PLANES_PER_COLOR * color + ATTACKS + plane_of(kind, true)] = 0;
        }
    }
    for square in view.board(Lance as usize).without(promoted) {
        let color = usize::from(other.contains(square));
        let side = if color == 0 { Color::Black } else { Color::White };
        let attacked = Kindergarten.lance(side, square, occupied).to_u128();
        planes.features1[PLANES_PER_COLOR * color + ATTACKS + plane_of(Lance, false)] |= attacked;
        attackers[color].add(attacked);
    }
    for square in view.board(Bishop as usize) {
        let color = usize::from(other.contains(square));
        let (plane, steps) = major(Bishop, promoted.contains(square), square);
        let attacked = Kindergarten.bishop(square, occupied).to_u128() | steps;
        planes.features1[PLANES_PER_COLOR * color + ATTACKS + plane] |= attacked;
        attackers[color].add(attacked);
    }
    for square in view.board(Rook as usize) {
        let color = usize::from(other.contains(square));
        let (plane, steps) = major(Rook, promoted.contains(square), square);
        let attacked = Kindergarten.rook(square, occupied).to_u128() | steps;
        planes.features1[PLANES_PER_COLOR * color + ATTACKS + plane] |= attacked;
        attackers[color].add(attacked);
    }
}

/// The plane of a bishop or rook, and its additional steps if it is promoted.
#[inline(always)]
fn major(kind: BaseKind, is_promoted: bool, square: Square) -> (usize, u128) {
    if is_promoted { (plane_of(kind, true), STEPS[square.array_index()]) } else { (plane_of(kind, false), 0) }
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

//! The planes of many positions.
//!
//! The attacks come from [`crate::attackers`], which works on both colours at once.

use komabako_bits::{Backend, BitOps, Kernel, dispatch};
use komabako_board::{BaseKind, Bitboard, Color, Setup};

use crate::attackers::{Attackers, Sets, View, count, to_sets};
use crate::copy;

use super::{
    ATTACKERS, ATTACKS, FEATURES1, FEATURES1_BYTES, FEATURES2, FEATURES2_BYTES, FEATURES2_WITH_ENTERING,
    FEATURES2_WITH_ENTERING_BYTES, HAND_PLANES, IN_CHECK, PLANES_PER_COLOR, Planes, entering_king, plane_of,
    thermometers,
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
        for (row, setup) in self.setups.iter().enumerate() {
            fill(ops, setup, &mut planes);
            let bits = with_entering(setup, &planes, width > FEATURES2);
            for (number, plane) in self.features1[row].iter_mut().enumerate() {
                let set = Bitboard::from_u128(planes.features1[number]);
                let bytes = ops.boards_to_bytes(&[set.lanes()]);
                for (square, value) in plane.iter_mut().enumerate() {
                    *value = if bytes[square] != 0 { one } else { zero };
                }
            }
            for (number, plane) in self.features2[width * row..][..width].iter_mut().enumerate() {
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
        for (row, setup) in self.setups.iter().enumerate() {
            fill(ops, setup, &mut planes);
            pack_planes(&planes.features1, &mut self.features1[row]);
            let bits = with_entering(setup, &planes, width > FEATURES2_BYTES).to_le_bytes();
            copy(&mut self.features2[width * row..][..width], &bits);
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
    copy(&mut last[..rest.len()], rest);
    pack_eight_planes(&last, &mut buffer);
    copy(&mut bytes[EIGHT_PLANES * eights.len()..], &buffer);
}

/// Writes eight planes, followed by five zero bytes: each plane is written as a 16-byte number whose end the next one
/// overwrites.
#[inline(always)]
fn pack_eight_planes(planes: &[u128; 8], bytes: &mut [u8]) {
    let bytes = &mut bytes[..EIGHT_PLANES + 5];
    let mut carried = 0;
    for (place, &plane) in planes.iter().enumerate() {
        let bits = plane << place | carried;
        *bytes[10 * place..].first_chunk_mut().expect("16 bytes are left") = bits.to_le_bytes();
        carried = bits >> 80;
    }
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

/// Fills the planes of a position.
#[inline(always)]
fn fill<B: BitOps>(ops: B, setup: &Setup, planes: &mut Planes) {
    // Sliders are added one by one.
    for color in [0, PLANES_PER_COLOR] {
        planes.features1[color + ATTACKS + plane_of(BaseKind::Lance, false)] = 0;
        for kind in [BaseKind::Bishop, BaseKind::Rook] {
            planes.features1[color + ATTACKS + plane_of(kind, false)] = 0;
            planes.features1[color + ATTACKS + plane_of(kind, true)] = 0;
        }
    }
    let attackers = count(ops, &View::new(setup, setup.side_to_move()), planes);
    for (color, Attackers { more_than }) in attackers.iter().enumerate() {
        let start = PLANES_PER_COLOR * color + ATTACKERS;
        planes.features1[start] = more_than[0];
        planes.features1[start + 1] = more_than[1];
        planes.features1[start + 2] = more_than[2];
    }

    let [own, other] = setup.parts().hands;
    let [own, other] = if setup.side_to_move() == Color::White { [other, own] } else { [own, other] };
    let king = planes.features1[plane_of(BaseKind::King, false)];
    let is_in_check = attackers[1].more_than[0] & king != 0;
    planes.features2 =
        thermometers(own) | thermometers(other) << HAND_PLANES | u64::from(is_in_check) << IN_CHECK;
}

impl Sets for Planes {
    #[inline(always)]
    fn add_pieces<B: BitOps>(&mut self, ops: B, kind: BaseKind, is_promoted: bool, squares: B::V256) {
        write_plane(ops, self, PLANES[kind as usize][usize::from(is_promoted)], squares);
    }

    #[inline(always)]
    fn add_steps<B: BitOps>(&mut self, ops: B, kind: BaseKind, is_promoted: bool, attacked: B::V256) {
        write_plane(ops, self, ATTACKS + PLANES[kind as usize][usize::from(is_promoted)], attacked);
    }

    #[inline(always)]
    fn add_slides(&mut self, color: usize, kind: BaseKind, is_promoted: bool, attacked: u128) {
        let plane = PLANES[kind as usize][usize::from(is_promoted)];
        self.features1[PLANES_PER_COLOR * color + ATTACKS + plane] |= attacked;
    }
}

/// Writes a plane of both colours.
#[inline(always)]
fn write_plane<B: BitOps>(ops: B, planes: &mut Planes, plane: usize, vector: B::V256) {
    let [own, other] = to_sets(ops, vector);
    planes.features1[plane] = own;
    planes.features1[PLANES_PER_COLOR + plane] = other;
}

//! Converts a word of one format into the word of the same position in another, without unpacking it.
//!
//! PSV and HCP have the same header, the same order of squares and of pieces off the board, and for each piece codes of
//! the same length (`spec/formats.md`, "PSV and HCP"). So corresponding codes have the same position in both words, and the
//! words differ by an exclusive-or that each code determines by itself:
//!
//! ```text
//! until all squares are read:
//!     look up eleven bits: the whole codes at their start, and the bits in which these codes differ between the formats
//!     shift the difference into place and continue after the codes
//! the same for the tail
//! the word is good if its pieces make up a set, as in unpacking
//! ```
//!
//! Words with pieces in the box, and refused words, are converted through a setup, which is slower.

use core::array::{from_mut, from_ref};
use core::marker::PhantomData;

use komabako_bits::{Backend, BitOps, Kernel, dispatch};
use komabako_board::Setup;

use super::codes::{self, CODED_SQUARES, CODES, LOOKUPS, Sum};
use super::spec::Spec;
use super::tail::{self, Visit};
use super::{Scheme, fields, tables, unpack};
use crate::kernels::Format;
use crate::word::BITS;
use crate::{SliceError, UnpackError, Word};

/// The number of words recoded side by side: a lookup depends on the one before it.
///
/// When four chains are only checked, the compiler vectorises them with AVX-512, with a gather for each lookup, which takes 123 ns
/// per word instead of 51; it does not vectorise three. For recoding, four chains need more registers than the CPU has: 66 ns,
/// three 59, two 69 (a Xeon of model 106).
const SIDE_BY_SIDE: usize = 3;

/// By window: the bits in which its whole codes differ in the other format.
struct Differences {
    board: [u16; 1 << codes::WINDOW],
    tail: [u16; 1 << tail::WINDOW],
}

/// See [`Differences`]. The codes of a window are the ones counted by [`codes::Codes`].
const fn differences_of_board(from: &Spec, to: &Spec) -> [u16; 1 << codes::WINDOW] {
    assert!(!from.side_after_board && !to.side_after_board && !from.ranks_from_below && !to.ranks_from_below);
    assert!(!from.empty_bit() && !to.empty_bit());
    let cells = tables::board(&tables::codes(from));
    let others = tables::codes(to);
    let mut differences = [0; 1 << codes::WINDOW];
    let mut window = 0;
    while window < differences.len() {
        let mut count = 0;
        let mut len = 0;
        while count < CODES {
            let bits = (window >> len) % cells.len();
            let cell = cells[bits] % 32;
            let code_len = (cells[bits] >> 5) as usize + 1;
            if len + code_len > codes::WINDOW {
                break;
            }
            let other = others[cell as usize];
            assert!((other >> 8) as usize == code_len, "the codes have the same length");
            let code = bits % (1 << code_len);
            differences[window] |= ((code as u16) ^ (other & 0xff)) << len;
            len += code_len;
            count += 1;
        }
        window += 1;
    }
    differences
}

/// See [`Differences`]. The codes of a window are the ones counted by [`tail::Runs`].
const fn differences_of_tail(from: &Spec, to: &Spec) -> [u16; 1 << tail::WINDOW] {
    let (codes, _, _) = tables::tail(from);
    let mut differences = [0; 1 << tail::WINDOW];
    let mut window = 0;
    while window < differences.len() {
        let mut len = 0;
        let mut rank = 0;
        loop {
            let bits = (window >> len) % codes.len();
            let code = &codes[bits];
            if code.place > 1 || code.rank < rank || len + code.len as usize > tail::WINDOW {
                break;
            }
            let other = to.tail[code.kind as usize][code.place as usize];
            assert!(other.len() == code.len as usize, "the codes have the same length");
            let own = bits % (1 << code.len);
            differences[window] |= ((own as u64 ^ tables::parse(other)) as u16) << len;
            len += code.len as usize;
            rank = code.rank;
        }
        window += 1;
    }
    differences
}

/// Changes at most 57 bits of a word from bit `at` on; bits beyond its end are dropped.
#[inline(always)]
fn change(word: &mut Word, at: usize, difference: u64) {
    let from = (at / 8).min(24);
    let eight: &mut [u8; 8] = word[from..].first_chunk_mut().expect("eight bytes from byte 24 on");
    let skipped = at - 8 * from;
    let difference = if skipped < 64 { difference << skipped } else { 0 };
    *eight = (u64::from_le_bytes(*eight) ^ difference).to_le_bytes();
}

/// Recodes the tail while it is read.
struct Tail<'a> {
    table: &'static [u16; 1 << tail::WINDOW],
    difference: u64,
    recoded: &'a mut Word,
}

impl Visit for Tail<'_> {
    #[inline(always)]
    fn visit(&mut self, window: usize, after: usize) {
        self.difference |= u64::from(self.table[window]).wrapping_shl(after as u32);
    }

    #[inline(always)]
    fn end(&mut self, start: usize) {
        change(self.recoded, start, self.difference);
        self.difference = 0;
    }
}

/// A [`Sum`] plus [`TO_GO`] codes: its highest bit is set once it has the codes of all squares.
#[derive(Clone, Copy)]
struct Progress(u64);

const TO_GO: u64 = Sum::new((1 << 11) - CODED_SQUARES, 0, 0).0;

impl Progress {
    #[inline(always)]
    fn is_end(self) -> bool {
        self.0.cast_signed() < 0
    }
}

/// By window of a board: the [`Sum`] of its whole codes, as in [`codes::Codes`], in a table of half the size.
struct Sums<F>(PhantomData<F>);

impl<F: Scheme> Sums<F> {
    const SUMS: &'static [u64; 1 << codes::WINDOW] = &sums(&F::SPEC);
}

const fn sums(spec: &Spec) -> [u64; 1 << codes::WINDOW] {
    let codes = codes::Codes::new(&tables::board(&tables::codes(spec)));
    let mut sums = [0; 1 << codes::WINDOW];
    let mut window = 0;
    while window < sums.len() {
        sums[window] = codes.sum(window).0;
        window += 1;
    }
    sums
}

/// A visitor of the codes of a board. A trait for the same reason as [`Visit`].
trait VisitBoard {
    /// The bits in which the codes of a window change.
    fn difference(&self, window: usize) -> u64;

    /// Changes bits of eight bytes, from this byte on.
    fn change(&mut self, from: usize, difference: u64);
}

impl VisitBoard for () {
    #[inline(always)]
    fn difference(&self, _: usize) -> u64 {
        0
    }

    #[inline(always)]
    fn change(&mut self, _: usize, _: u64) {}
}

/// Recodes a board.
struct RecodedBoard<'a> {
    table: &'static [u16; 1 << codes::WINDOW],
    recoded: &'a mut Word,
}

impl VisitBoard for RecodedBoard<'_> {
    #[inline(always)]
    fn difference(&self, window: usize) -> u64 {
        self.table[window].into()
    }

    #[inline(always)]
    fn change(&mut self, from: usize, difference: u64) {
        let eight: &mut [u8; 8] =
            self.recoded[from..].first_chunk_mut().expect("eight bytes from byte 24 on");
        *eight = (u64::from_le_bytes(*eight) ^ difference).to_le_bytes();
    }
}

/// Five lookups of one board, continuing after the codes in `read`. `before` becomes the codes read before the lookup that
/// reached the end of the board; codes from that lookup on are not visited.
///
/// No branches: the end may be anywhere in a round, and the results beyond it are dropped.
#[inline(always)]
fn round<F: Scheme>(word: &Word, read: &mut Progress, before: &mut Progress, visitor: &mut impl VisitBoard) {
    // Places are counted from this byte on, so that a difference needs one shift.
    let from = (usize::from(read.0 as u16) / 8).min(24);
    let base = 8 * from as u64;
    let eight = u64::from_le_bytes(*word[from..].first_chunk().expect("eight bytes from byte 24 on"));
    let mut here = read.0.wrapping_sub(base);
    let mut kept = before.0.wrapping_sub(base);
    let mut bits = eight.wrapping_shr(here as u32);
    let mut changed = 0;
    for _ in 0..LOOKUPS {
        let window = bits as usize % (1 << codes::WINDOW);
        let sum = Sums::<F>::SUMS[window];
        let more = changed | visitor.difference(window).wrapping_shl(here as u32);
        here = here.wrapping_add(sum);
        (changed, kept) = if Progress(here).is_end() { (changed, kept) } else { (more, here) };
        bits = bits.wrapping_shr(sum as u32);
    }
    visitor.change(from, changed);
    *read = Progress(here.wrapping_add(base));
    *before = Progress(kept.wrapping_add(base));
}

/// Recodes words side by side. Returns for each whether it is good and has been recoded; otherwise its result is unspecified.
///
/// The words take turns by rounds: a CPU looks ahead for a few rounds, and so runs the chains of lookups of several words at
/// once.
#[inline(always)]
fn recode<F: Scheme, T: Scheme, const N: usize>(words: &[Word; N], recoded: &mut [Word; N]) -> [bool; N] {
    let differences = Recode::<F, T>::DIFFERENCES;
    *recoded = *words;
    let start = Progress(Sum::new(0, F::SPEC.board_start(), 0).0 + TO_GO);
    let mut read = [start; N];
    let mut before = [start; N];
    while !all_boards(&read) {
        for index in 0..N {
            let mut visitor = RecodedBoard { table: &differences.board, recoded: &mut recoded[index] };
            round::<F>(&words[index], &mut read[index], &mut before[index], &mut visitor);
        }
    }
    let mut good = [false; N];
    for index in 0..N {
        let word = &words[index];
        let recoded = &mut recoded[index];
        let before = Sum(before[index].0.wrapping_sub(TO_GO));
        let last = codes::last::<F>(word, before);
        let window = last.window as usize % (1 << codes::WINDOW);
        change(recoded, before.bits(), differences.board[window].into());
        let mut visitor = Tail { table: &differences.tail, difference: 0, recoded };
        good[index] = is_good::<F>(word, before, &last, &mut visitor);
    }
    good
}

/// Whether a word is good, given the codes read so far and the last codes of the board.
#[inline(always)]
fn is_good<F: Scheme>(word: &Word, read: Sum, last: &codes::Last, visitor: &mut impl Visit) -> bool {
    let end = read.bits() + last.len;
    // All bits and all pieces are counted: a word that is misread somewhere ends elsewhere, or is not a set.
    if end > BITS || unpack::kings::<F>(word).is_none() {
        return false;
    }
    let Some([black, white]) = tail::read_runs::<F>(word, end, visitor) else { return false };
    black.wrapping_add(white).wrapping_add(read.plus(last.sum).pieces()) == fields::INVENTORY
}

/// Whether each word is good and has no piece in the box: like [`recode`], but writes nothing.
#[inline(always)]
fn are_good<F: Scheme, const N: usize>(words: &[Word; N]) -> [bool; N] {
    let start = Progress(Sum::new(0, F::SPEC.board_start(), 0).0 + TO_GO);
    let mut read = [start; N];
    let mut before = [start; N];
    while !all_boards(&read) {
        for index in 0..N {
            round::<F>(&words[index], &mut read[index], &mut before[index], &mut ());
        }
    }
    let mut good = [false; N];
    for index in 0..N {
        // The last codes are read separately, cut off at the end of the board: a window may reach into the tail.
        let before = Sum(before[index].0.wrapping_sub(TO_GO));
        let last = codes::last::<F>(&words[index], before);
        good[index] = is_good::<F>(&words[index], before, &last, &mut ());
    }
    good
}

/// Whether these are the codes of all squares. A loop, since closures would not be compiled with the backend's instructions.
#[inline(always)]
fn all_boards<const N: usize>(read: &[Progress; N]) -> bool {
    let mut all = true;
    for progress in read {
        all &= progress.is_end();
    }
    all
}

/// Recodes words up to the first that cannot be recoded here. Returns its index, or the number of words.
struct Recode<'a, F, T> {
    words: &'a [Word],
    recoded: &'a mut [Word],
    formats: PhantomData<(F, T)>,
}

impl<F: Scheme, T: Scheme> Recode<'_, F, T> {
    const DIFFERENCES: &'static Differences = &Differences {
        board: differences_of_board(&F::SPEC, &T::SPEC),
        tail: differences_of_tail(&F::SPEC, &T::SPEC),
    };
}

impl<F: Scheme, T: Scheme> Kernel for Recode<'_, F, T> {
    type Output = usize;

    #[inline(always)]
    fn run<B: BitOps>(self, _: B) -> usize {
        let Self { words, recoded, formats: _ } = self;
        let (groups, _) = words.as_chunks::<SIDE_BY_SIDE>();
        let (recoded_groups, rest) = recoded.as_chunks_mut::<SIDE_BY_SIDE>();
        let mut done = 0;
        for (group, recoded) in recoded_groups.iter_mut().enumerate() {
            for is_good in recode::<F, T, SIDE_BY_SIDE>(&groups[group], recoded) {
                if !is_good {
                    return done;
                }
                done += 1;
            }
        }
        for word in rest {
            let [is_good] = recode::<F, T, 1>(&[words[done]], from_mut(word));
            if !is_good {
                return done;
            }
            done += 1;
        }
        done
    }
}

/// Checks words up to the first that is not known to be good. Returns its index, or the number of words.
struct Check<'a, F>(&'a [Word], PhantomData<F>);

impl<F: Scheme> Kernel for Check<'_, F> {
    type Output = usize;

    #[inline(always)]
    fn run<B: BitOps>(self, _: B) -> usize {
        let words = self.0;
        let (groups, rest) = words.as_chunks::<SIDE_BY_SIDE>();
        let mut done = 0;
        for words in groups {
            for is_good in are_good::<F, SIDE_BY_SIDE>(words) {
                if !is_good {
                    return done;
                }
                done += 1;
            }
        }
        // Too few to be read side by side.
        for word in rest {
            if are_good::<F, 1>(from_ref(word)) == [false] {
                return done;
            }
            done += 1;
        }
        done
    }
}

/// Checks a slice of words.
///
/// # Errors
/// The first word that is refused, by its index.
#[inline(always)]
pub fn check<F: Scheme + Format>(backend: Backend, words: &[Word]) -> Result<(), SliceError<UnpackError>> {
    let mut done = 0;
    loop {
        // As in recoding, the kernel stops before a word with pieces in the box, which may be good.
        done += dispatch(backend.scalar(), Check(&words[done..], PhantomData::<F>));
        let Some(word) = words.get(done) else { return Ok(()) };
        (F::KERNELS.unpack)(backend, word, &mut { Setup::EMPTY })
            .map_err(|error| SliceError { index: done, error })?;
        done += 1;
    }
}

/// Recodes a slice of words.
///
/// # Errors
/// The first word that is refused, by its index; the words before it are recoded.
///
/// # Panics
/// If the slices differ in length.
#[inline(always)]
pub fn slice<F: Scheme + Format, T: Scheme + Format>(
    backend: Backend,
    words: &[Word],
    recoded: &mut [Word],
) -> Result<(), SliceError<UnpackError>> {
    const { assert!(CODED_SQUARES == 79) };
    assert_eq!(words.len(), recoded.len(), "the slices differ in length");
    let mut done = 0;
    loop {
        // The kernel stops before a word that it cannot recode: this word is converted through a setup, and the kernel
        // continues after it.
        let rest =
            Recode { words: &words[done..], recoded: &mut recoded[done..], formats: PhantomData::<(F, T)> };
        done += dispatch(backend.scalar(), rest);
        if done == words.len() {
            return Ok(());
        }
        let mut setup = Setup::EMPTY;
        (F::KERNELS.unpack)(backend, &words[done], &mut setup)
            .map_err(|error| SliceError { index: done, error })?;
        (T::KERNELS.pack)(backend, &setup, &mut recoded[done]).expect("both formats hold the same positions");
        done += 1;
    }
}

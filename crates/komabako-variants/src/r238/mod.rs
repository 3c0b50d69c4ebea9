//! R238: every possible position, numbered from 0 to T − 1 (`spec/r238.md`).

mod explain;
mod rank;
mod reference;
mod tables;
mod unrank;
mod wide;

pub use explain::fields;
use komabako_bits::{Backend, BitOps, Kernel, dispatch};
use komabako_board::Setup;
use komabako_codec::{Field, SliceError, UnpackError, UnpackFault, Word};
pub use reference::Reference;
use wide::U256;

/// A rank: a number below [`T`], least significant byte first. Bits 238 and 239 are zero.
pub type Rank = [u8; 30];

/// The number of setups: 429748156297650891564026411523713396984178892356330656935899954045630000, about 2^237.96.
///
/// Ranks are the numbers below it, least significant byte first.
pub const T: Rank = [
    0x30, 0xb6, 0xb1, 0x60, 0xb7, 0xf6, 0xcf, 0xee, 0x6d, 0x45, 0x83, 0xd2, 0x80, 0x14, 0xe4, 0x55, 0xbf,
    0x1a, 0xfe, 0xc3, 0xee, 0xeb, 0x1d, 0x3f, 0x4b, 0x53, 0xbb, 0x3e, 0x44, 0x3e,
];

/// The error for a number that is not below [`T`].
const OUT_OF_RANGE: UnpackError = UnpackError { fault: UnpackFault::Range, field: Field::Rank, bit: 0 };

/// The word that starts with a rank; the rest is zero.
pub fn word_of(rank: &Rank) -> Word {
    let mut word = [0; 32];
    word[..rank.len()].copy_from_slice(rank);
    word
}

/// The rank at the start of a word.
pub fn rank_of(word: &Word) -> Rank {
    let mut rank = [0; 30];
    rank.copy_from_slice(&word[..30]);
    rank
}

const LENGTHS: &str = "the slices differ in length";

/// R238: the bijection between setups and the numbers below [`T`].
///
/// Every setup has a rank, and `x < T` is the only condition for a rank. [`spec::r238`](crate::spec::r238) is the
/// specification.
///
/// ```
/// use komabako_board::Setup;
/// use komabako_variants::{R238, r238};
/// let r238 = R238::new();
/// let rank = r238.rank(&Setup::START);
/// assert_eq!(rank[..4], [0xe8, 0x67, 0xb5, 0x1d]);
/// assert_eq!(r238.unrank(&rank)?, Setup::START);
/// assert_eq!(r238.unrank(&r238::T).unwrap_err().name(), "RANGE");
/// # Ok::<(), komabako_codec::UnpackError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct R238 {
    backend: Backend,
}

impl R238 {
    /// The ranking's name in the program.
    pub const NAME: &'static str = "r238";

    /// The ranking on the fastest backend of this CPU.
    #[inline(always)]
    pub fn new() -> Self {
        Self::with_backend(Backend::detect())
    }

    /// The ranking on a chosen backend.
    #[inline(always)]
    pub const fn with_backend(backend: Backend) -> Self {
        Self { backend }
    }

    /// The rank of a setup.
    pub fn rank(&self, setup: &Setup) -> Rank {
        dispatch(self.backend, RankOne(setup))
    }

    /// The setup with a rank.
    ///
    /// # Errors
    /// `RANGE` if the number is not below [`T`].
    pub fn unrank(&self, rank: &Rank) -> Result<Setup, UnpackError> {
        dispatch(self.backend, UnrankOne(rank))
    }

    /// The ranks of a slice of setups.
    ///
    /// # Panics
    /// If the slices differ in length.
    pub fn rank_slice(&self, setups: &[Setup], ranks: &mut [Rank]) {
        assert_eq!(setups.len(), ranks.len(), "{LENGTHS}");
        for (setup, rank) in setups.iter().zip(ranks) {
            *rank = self.rank(setup);
        }
    }

    /// The setups of a slice of ranks.
    ///
    /// # Errors
    /// The first rank that is not below [`T`], by its index; the setups before it are written.
    ///
    /// # Panics
    /// If the slices differ in length.
    pub fn unrank_slice(&self, ranks: &[Rank], setups: &mut [Setup]) -> Result<(), SliceError<UnpackError>> {
        assert_eq!(ranks.len(), setups.len(), "{LENGTHS}");
        for (index, (rank, setup)) in ranks.iter().zip(setups).enumerate() {
            *setup = self.unrank(rank).map_err(|error| SliceError { index, error })?;
        }
        Ok(())
    }
}

impl Default for R238 {
    fn default() -> Self {
        Self::new()
    }
}

// The methods above must not be inlined: a crate that inlines a kernel compiles it again for every backend. Slices have no
// kernels of their own: a position takes about a hundred nanoseconds, choosing its backend two.

struct RankOne<'a>(&'a Setup);

impl Kernel for RankOne<'_> {
    type Output = Rank;

    #[inline(always)]
    fn run<B: BitOps>(self, ops: B) -> Rank {
        rank::rank(ops, self.0).to_bytes()
    }
}

struct UnrankOne<'a>(&'a Rank);

impl Kernel for UnrankOne<'_> {
    type Output = Result<Setup, UnpackError>;

    #[inline(always)]
    fn run<B: BitOps>(self, ops: B) -> Self::Output {
        unrank::unrank(ops, U256::from_bytes(self.0)).ok_or(OUT_OF_RANGE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// T with the digits of the specification.
    #[test]
    fn t_is_the_sum_of_the_class_sizes() {
        let field = &fields(&T)[0];
        let decimal = "429748156297650891564026411523713396984178892356330656935899954045630000";
        assert_eq!(field.meaning, alloc::format!("no position has it; number {decimal}"));
        assert_eq!(Reference::new().count().to_bytes(), T);
        assert_eq!(tables::CLASS_OFFSET[tables::CLASSES].to_bytes(), T);
    }
}

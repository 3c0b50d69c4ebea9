//! R238: every possible position, numbered from 0 to T − 1 (`spec/r238.md`).

mod explain;
mod rank;
mod reference;
mod tables;
mod unrank;
mod wide;

use alloc::vec::Vec;

use komabako_bits::BitOps;
use komabako_board::Setup;
use komabako_codec::contract::{Algorithm, Format, Kernels};
use komabako_codec::explanation::{FieldValue, Owners, Symbol};
use komabako_codec::{Codec, Field, PackError, SliceError, UnpackError, UnpackFault, Word};
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

/// R238: the bijection between setups and the numbers below [`T`].
///
/// Every setup has a rank, and `x < T` is the only condition for a rank. As a
/// [`PositionCodec`](komabako_codec::PositionCodec) it packs the rank into the first 30 bytes of a word, see [`rank_of`] and
/// [`word_of`]. [`spec::r238`](crate::spec::r238) is the specification.
///
/// ```
/// use komabako_board::Setup;
/// use komabako_codec::PositionCodec;
/// use komabako_variants::{R238, r238};
/// let word = R238::new().pack(&Setup::START)?;
/// assert_eq!(r238::rank_of(&word)[..4], [0xe8, 0x67, 0xb5, 0x1d]);
/// assert_eq!(word[R238::SIZE..], [0, 0]);
/// assert_eq!(R238::new().unpack(&word)?, Setup::START);
/// assert_eq!(R238::new().unpack(&r238::word_of(&r238::T)).unwrap_err().name(), "RANGE");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type R238 = Codec<Ranking>;

/// The algorithm of [`R238`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ranking;

impl Algorithm for Ranking {
    const NAME: &'static str = "r238";

    const SIZE: usize = size_of::<Rank>();

    #[inline(always)]
    fn pack_to<B: BitOps>(ops: B, setup: &Setup, word: &mut Word) -> Result<(), PackError> {
        *word = rank::rank(ops, setup).to_word();
        Ok(())
    }

    #[inline(always)]
    fn unpack_to<B: BitOps>(ops: B, word: &Word, setup: &mut Setup) -> Result<(), UnpackError> {
        // With a bit above the rank's, the number is too large.
        let setup = core::array::from_mut(setup);
        if unrank::unrank(ops, [U256::from_bytes(word)], setup) { Ok(()) } else { Err(OUT_OF_RANGE) }
    }

    #[inline(always)]
    fn unpack_slice<B: BitOps>(
        ops: B,
        words: &[Word],
        setups: &mut [Setup],
    ) -> Result<(), SliceError<UnpackError>> {
        // Not in a module for browsers, which is loaded over a network: the code for two is 11 kB more.
        let in_pairs = !cfg!(target_family = "wasm");
        let mut index = 0;
        while index < words.len() {
            if in_pairs
                && let (Some([word, next]), Some(setups)) =
                    (words[index..].first_chunk(), setups[index..].first_chunk_mut())
                && unrank::unrank(ops, [U256::from_bytes(word), U256::from_bytes(next)], setups)
            {
                index += 2;
            } else {
                // The last word, or one of two that may be no rank.
                let unpacked = Self::unpack_to(ops, &words[index], &mut setups[index]);
                unpacked.map_err(|error| SliceError { index, error })?;
                index += 1;
            }
        }
        Ok(())
    }

    fn reference_pack(setup: &Setup) -> Result<Word, PackError> {
        Ok(word_of(&Reference::new().rank(setup)))
    }

    fn reference_unpack(word: &Word) -> Result<Setup, UnpackError> {
        if is_rank(word) { Reference::new().unrank(&rank_of(word)) } else { Err(OUT_OF_RANGE) }
    }

    fn fields(word: &Word) -> Vec<FieldValue> {
        explain::fields(word)
    }

    fn symbols(_: &Word) -> Vec<Symbol> {
        Vec::new()
    }

    fn owners(_: &Word) -> Option<Owners> {
        None
    }
}

static KERNELS: Kernels = Kernels::packs_one_at_a_time::<Ranking>();

impl Format for Ranking {
    const KERNELS: &'static Kernels = &KERNELS;
}

/// Whether the bytes after the rank are zero.
fn is_rank(word: &Word) -> bool {
    word[size_of::<Rank>()..] == [0; 2]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// T with the digits of the specification.
    #[test]
    fn t_is_the_sum_of_the_class_sizes() {
        let field = &Ranking::fields(&word_of(&T))[0];
        let decimal = "429748156297650891564026411523713396984178892356330656935899954045630000";
        assert_eq!(field.meaning, alloc::format!("no position has it; number {decimal}"));
        assert_eq!(Reference::new().count().to_bytes(), T);
        assert_eq!(tables::CLASS_OFFSET[tables::CLASSES].to_bytes(), T);
    }
}

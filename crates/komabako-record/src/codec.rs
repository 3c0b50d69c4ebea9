//! [`Codec`]: the position codec of a format.

use komabako_board::Setup;
use komabako_codec::{Backend, Format, PositionCodec, SliceError, UnpackError, Word, recode};
use komabako_variants::r238::Rank;
use komabako_variants::{C250, R238, SspfExt};

use crate::fault::RecordFault;

/// Recodes words of one codec as words of another; stops at the first refused word.
pub(crate) type Recode = fn(Backend, &[Word], &mut [Word]) -> Result<(), SliceError<RecordFault>>;

/// A codec of komabako-codec or komabako-variants, chosen at run time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Codec {
    /// A codec of komabako-codec.
    Base(Format),
    /// [`SspfExt`].
    SspfExt,
    /// [`C250`], with payload 0; the payload is a label.
    C250,
    /// [`R238`]: the first 30 bytes of a word, the rest zero.
    R238,
}

impl Codec {
    /// Whether the codec is SSPFv1 or its extension, which allow pieces off the board in any order within a kind.
    pub fn is_sspf(self) -> bool {
        matches!(self, Codec::SspfExt | Codec::Base(Format::Sspf))
    }

    /// The function that recodes words of this codec for another in one step, if one exists. For the same codec it checks
    /// and copies the words.
    pub(crate) fn recoding(self, to: Codec) -> Option<Recode> {
        match (self, to) {
            (Codec::Base(Format::PackedSfen), Codec::Base(Format::Hcp)) => {
                Some(|backend, psv, hcp| recode::psv_to_hcp(backend, psv, hcp).map_err(unpack_fault))
            }
            (Codec::Base(Format::Hcp), Codec::Base(Format::PackedSfen)) => {
                Some(|backend, hcp, psv| recode::hcp_to_psv(backend, hcp, psv).map_err(unpack_fault))
            }
            (Codec::Base(Format::PackedSfen), Codec::Base(Format::PackedSfen)) => {
                Some(|backend, words, copies| {
                    copies.copy_from_slice(words);
                    recode::check_psv(backend, words).map_err(unpack_fault)
                })
            }
            (Codec::Base(Format::Hcp), Codec::Base(Format::Hcp)) => Some(|backend, words, copies| {
                copies.copy_from_slice(words);
                recode::check_hcp(backend, words).map_err(unpack_fault)
            }),
            _ => None,
        }
    }

    /// Packs setups.
    ///
    /// # Errors
    /// The first setup that the codec cannot hold, with its index; the setups before it are packed.
    pub fn pack_slice(
        self,
        backend: Backend,
        setups: &[Setup],
        words: &mut [Word],
    ) -> Result<(), SliceError<RecordFault>> {
        let packed = match self {
            Codec::Base(format) => format.pack_slice_on(backend, setups, words),
            Codec::SspfExt => SspfExt::with_backend(backend).pack_slice(setups, words),
            Codec::C250 => C250::with_backend(backend).pack_slice(setups, words),
            Codec::R238 => {
                let r238 = R238::with_backend(backend);
                for (setup, word) in setups.iter().zip(words) {
                    *word = word_of(&r238.rank(setup));
                }
                Ok(())
            }
        };
        packed.map_err(|SliceError { index, error }| SliceError { index, error: RecordFault::Pack(error) })
    }

    /// Unpacks words, strictly.
    ///
    /// # Errors
    /// The first refused word, with its index; the words before it are unpacked.
    pub fn unpack_slice(
        self,
        backend: Backend,
        words: &[Word],
        setups: &mut [Setup],
    ) -> Result<(), SliceError<RecordFault>> {
        let unpacked = match self {
            Codec::Base(format) => format.unpack_slice_on(backend, words, setups),
            Codec::SspfExt => SspfExt::with_backend(backend).unpack_slice(words, setups),
            Codec::C250 => C250::with_backend(backend).unpack_slice(words, setups),
            Codec::R238 => return unrank_slice(backend, words, setups),
        };
        unpacked.map_err(unpack_fault)
    }
}

fn unpack_fault(SliceError { index, error }: SliceError<UnpackError>) -> SliceError<RecordFault> {
    SliceError { index, error: RecordFault::Unpack(error) }
}

fn unrank_slice(
    backend: Backend,
    words: &[Word],
    setups: &mut [Setup],
) -> Result<(), SliceError<RecordFault>> {
    let r238 = R238::with_backend(backend);
    for (index, (word, setup)) in words.iter().zip(setups).enumerate() {
        let unranked = r238.unrank(&rank_of(word));
        *setup = unranked.map_err(|error| SliceError { index, error: RecordFault::Rank(error) })?;
    }
    Ok(())
}

/// The word that represents a rank within a batch.
pub(crate) fn word_of(rank: &Rank) -> Word {
    let mut word = [0; 32];
    word[..rank.len()].copy_from_slice(rank);
    word
}

/// The rank in a word of [`word_of`].
pub(crate) fn rank_of(word: &Word) -> Rank {
    *word.first_chunk().expect("a word is longer than a rank")
}

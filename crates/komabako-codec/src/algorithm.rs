//! [`Algorithm`]: the packing and unpacking of one format.

use alloc::vec::Vec;

use komabako_bits::{Backend, BitOps};
use komabako_board::Setup;

use crate::explanation::{FieldValue, Owners, Symbol};
use crate::kernels::{Format, Pack, Unpack, UnpackBytes, one_by_one};
use crate::{ByteBoard, PackError, SliceError, UnpackError, Word};

/// The packing and unpacking of one format.
///
/// Each format has a slow transcription of its specification, the *reference*, and a fast form written against
/// [`BitOps`]. The fast form of `unpack` decides only whether a word is good; a word that it refuses goes to the
/// reference, which names the fault.
#[expect(clippy::missing_errors_doc, reason = "they are those of PositionCodec's methods")]
pub trait Algorithm: Copy + Send + Sync + 'static {
    /// See [`PositionCodec::NAME`](crate::PositionCodec::NAME).
    const NAME: &'static str;

    /// See [`PositionCodec::SIZE`](crate::PositionCodec::SIZE).
    const SIZE: usize = size_of::<Word>();

    /// Packs, fast, in place. For a refused setup it may write an arbitrary word.
    fn pack_to<B: BitOps>(ops: B, setup: &Setup, word: &mut Word) -> Result<(), PackError>;

    /// Unpacks, fast, in place. A refused word leaves the setup unchanged.
    fn unpack_to<B: BitOps>(ops: B, word: &Word, setup: &mut Setup) -> Result<(), UnpackError>;

    /// Packs a slice of setups to as many words, up to the first setup that is refused.
    #[inline(always)]
    fn pack_slice<B: BitOps>(
        ops: B,
        setups: &[Setup],
        words: &mut [Word],
    ) -> Result<(), SliceError<PackError>> {
        one_by_one::<B, Pack<Self>>(ops, setups, words, 0)
    }

    /// The backend on which slices of words are unpacked.
    #[inline(always)]
    fn for_slices(backend: Backend) -> Backend {
        backend
    }

    /// Unpacks a slice of words to as many setups, up to the first word that is refused.
    #[inline(always)]
    fn unpack_slice<B: BitOps>(
        ops: B,
        words: &[Word],
        setups: &mut [Setup],
    ) -> Result<(), SliceError<UnpackError>> {
        one_by_one::<B, Unpack<Self>>(ops, words, setups, 0)
    }

    /// Packs by the specification, bit by bit.
    fn reference_pack(setup: &Setup) -> Result<Word, PackError>;

    /// Unpacks by the specification, bit by bit.
    fn reference_unpack(word: &Word) -> Result<Setup, UnpackError>;

    /// See [`Explain::fields`](crate::Explain::fields).
    fn fields(word: &Word) -> Vec<FieldValue>;

    /// See [`Explain::symbols`](crate::Explain::symbols).
    fn symbols(word: &Word) -> Vec<Symbol>;

    /// See [`Explain::owners`](crate::Explain::owners).
    fn owners(word: &Word) -> Option<Owners>;
}

/// A format that holds every setup, and whose words carry something besides it. The methods of [`PositionCodec`] write
/// [`NONE`](Self::NONE) for it and refuse any other value; those of its [`Codec`](crate::Codec) with a payload accept all.
///
/// [`PositionCodec`]: crate::PositionCodec
pub trait WithPayload: Format {
    /// What the words carry.
    type Payload: Copy;

    /// The value of words that carry nothing.
    const NONE: Self::Payload;

    /// The payload of a word.
    fn payload(word: &Word) -> Self::Payload;

    /// The word with another payload.
    fn with_payload(word: &Word, payload: Self::Payload) -> Word;
}

/// The packing and unpacking of byte boards, for formats that do it faster directly than through a [`Setup`].
#[expect(clippy::missing_errors_doc, reason = "they are those of ByteBoardCodec's methods")]
pub trait ByteAlgorithm: Algorithm {
    /// Packs, fast, in place. For a refused board it may write an arbitrary word.
    fn pack_bytes<B: BitOps>(ops: B, board: &ByteBoard, word: &mut Word) -> Result<(), PackError>;

    /// Unpacks, fast, in place: copying bytes that have just been written costs as much as writing them. A refused word leaves
    /// the board unchanged.
    fn unpack_bytes<B: BitOps>(ops: B, word: &Word, board: &mut ByteBoard) -> Result<(), UnpackError>;

    /// Unpacks a slice of words to as many byte boards, up to the first word that is refused.
    #[inline(always)]
    fn unpack_bytes_slice<B: BitOps>(
        ops: B,
        words: &[Word],
        boards: &mut [ByteBoard],
    ) -> Result<(), SliceError<UnpackError>> {
        one_by_one::<B, UnpackBytes<Self>>(ops, words, boards, 0)
    }
}

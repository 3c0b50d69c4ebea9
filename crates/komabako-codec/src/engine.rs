//! [`Codec`]: the one implementation of [`PositionCodec`], over the [`Algorithm`] of a format.

use alloc::vec::Vec;
use core::marker::PhantomData;

use komabako_bits::{Backend, BitOps, Kernel, dispatch};
use komabako_board::Setup;

use crate::byte_board::ByteBoard;
use crate::layout::{FieldValue, Symbol};
use crate::{PackError, PositionCodec, Sink, SliceError, Source, UnpackError, Word};

/// What one format does with one position.
///
/// Each format has a slow transcription of its specification, the *reference*, and a fast form written against
/// [`BitOps`]. The fast form of `unpack` decides only whether a word is good; a word that it doubts goes to the
/// reference, which names the fault.
///
/// Public because [`Codec`] names it, and for the formats of `komabako-variants`; it may change in any release.
#[expect(clippy::missing_errors_doc, reason = "they are those of PositionCodec's methods")]
pub trait Algorithm: Copy + Send + Sync + 'static {
    /// See [`PositionCodec::NAME`].
    const NAME: &'static str;

    /// Packs, fast.
    fn pack<B: BitOps>(ops: B, setup: &Setup) -> Result<Word, PackError>;

    /// Unpacks, fast.
    fn unpack<B: BitOps>(ops: B, word: &Word) -> Result<Setup, UnpackError>;

    /// Packs a byte board, fast.
    #[inline(always)]
    fn pack_bytes<B: BitOps>(ops: B, board: &ByteBoard) -> Result<Word, PackError> {
        Self::pack(ops, &board.setup(ops))
    }

    /// Unpacks to a byte board, fast.
    #[inline(always)]
    fn unpack_bytes<B: BitOps>(ops: B, word: &Word) -> Result<ByteBoard, UnpackError> {
        match Self::unpack(ops, word) {
            Ok(setup) => Ok(ByteBoard::from_setup(ops, &setup)),
            Err(error) => Err(error),
        }
    }

    /// Packs by the specification, bit by bit.
    fn reference_pack(setup: &Setup) -> Result<Word, PackError>;

    /// Unpacks by the specification, bit by bit.
    fn reference_unpack(word: &Word) -> Result<Setup, UnpackError>;

    /// See [`PositionCodec::fields`].
    fn fields(word: &Word) -> Vec<FieldValue>;

    /// See [`PositionCodec::symbols`].
    fn symbols(word: &Word) -> Vec<Symbol>;
}

/// The codec of one format, on the [`Backend`] of your choice.
///
/// Named by the aliases [`Sspf`](crate::Sspf), [`PackedSfen`](crate::PackedSfen), [`Hcp`](crate::Hcp) and
/// [`Nshogi`](crate::Nshogi); its methods are those of [`PositionCodec`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Codec<A> {
    backend: Backend,
    algorithm: PhantomData<A>,
}

impl<A: Algorithm> Default for Codec<A> {
    fn default() -> Self {
        Self::new()
    }
}

impl<A: Algorithm> PositionCodec for Codec<A> {
    const NAME: &'static str = A::NAME;

    #[inline(always)]
    fn with_backend(backend: Backend) -> Self {
        Self { backend, algorithm: PhantomData }
    }

    #[inline(always)]
    fn backend(&self) -> Backend {
        self.backend
    }

    #[inline]
    fn pack(&self, setup: &Setup) -> Result<Word, PackError> {
        dispatch(self.backend, Pack::<A>(setup, PhantomData))
    }

    #[inline]
    fn unpack(&self, word: &Word) -> Result<Setup, UnpackError> {
        dispatch(self.backend, Unpack::<A>(word, PhantomData))
    }

    fn pack_slice(&self, setups: &[Setup], words: &mut [Word]) -> Result<(), SliceError<PackError>> {
        dispatch(self.backend, PackSlice::<A>(setups, words, PhantomData))
    }

    fn unpack_slice(&self, words: &[Word], setups: &mut [Setup]) -> Result<(), SliceError<UnpackError>> {
        dispatch(self.backend, UnpackSlice::<A>(words, setups, PhantomData))
    }

    #[inline]
    fn pack_bytes(&self, board: &ByteBoard) -> Result<Word, PackError> {
        dispatch(self.backend, PackBytes::<A>(board, PhantomData))
    }

    #[inline]
    fn unpack_bytes(&self, word: &Word) -> Result<ByteBoard, UnpackError> {
        dispatch(self.backend, UnpackBytes::<A>(word, PhantomData))
    }

    fn pack_bytes_slice(
        &self,
        boards: &[ByteBoard],
        words: &mut [Word],
    ) -> Result<(), SliceError<PackError>> {
        dispatch(self.backend, PackBytesSlice::<A>(boards, words, PhantomData))
    }

    fn unpack_bytes_slice(
        &self,
        words: &[Word],
        boards: &mut [ByteBoard],
    ) -> Result<(), SliceError<UnpackError>> {
        dispatch(self.backend, UnpackBytesSlice::<A>(words, boards, PhantomData))
    }

    fn pack_from(&self, source: &impl Source) -> Result<Word, PackError> {
        dispatch(self.backend, PackFrom::<A, _>(source, PhantomData))
    }

    fn unpack_into(&self, word: &Word, sink: &mut impl Sink) -> Result<(), UnpackError> {
        self.unpack_bytes(word)?.write_to(sink);
        Ok(())
    }

    fn reference_pack(setup: &Setup) -> Result<Word, PackError> {
        A::reference_pack(setup)
    }

    fn reference_unpack(word: &Word) -> Result<Setup, UnpackError> {
        A::reference_unpack(word)
    }

    fn fields(&self, word: &Word) -> Vec<FieldValue> {
        A::fields(word)
    }

    fn symbols(&self, word: &Word) -> Vec<Symbol> {
        A::symbols(word)
    }
}

struct Pack<'a, A>(&'a Setup, PhantomData<A>);

impl<A: Algorithm> Kernel for Pack<'_, A> {
    type Output = Result<Word, PackError>;

    #[inline(always)]
    fn run<B: BitOps>(self, ops: B) -> Self::Output {
        A::pack(ops, self.0)
    }
}

struct Unpack<'a, A>(&'a Word, PhantomData<A>);

impl<A: Algorithm> Kernel for Unpack<'_, A> {
    type Output = Result<Setup, UnpackError>;

    #[inline(always)]
    fn run<B: BitOps>(self, ops: B) -> Self::Output {
        A::unpack(ops, self.0)
    }
}

struct PackFrom<'a, A, S>(&'a S, PhantomData<A>);

impl<A: Algorithm, S: Source> Kernel for PackFrom<'_, A, S> {
    type Output = Result<Word, PackError>;

    #[inline(always)]
    fn run<B: BitOps>(self, ops: B) -> Self::Output {
        A::pack(ops, &ByteBoard::read_setup(ops, self.0)?)
    }
}

struct PackBytes<'a, A>(&'a ByteBoard, PhantomData<A>);

impl<A: Algorithm> Kernel for PackBytes<'_, A> {
    type Output = Result<Word, PackError>;

    #[inline(always)]
    fn run<B: BitOps>(self, ops: B) -> Self::Output {
        A::pack_bytes(ops, self.0)
    }
}

struct UnpackBytes<'a, A>(&'a Word, PhantomData<A>);

impl<A: Algorithm> Kernel for UnpackBytes<'_, A> {
    type Output = Result<ByteBoard, UnpackError>;

    #[inline(always)]
    fn run<B: BitOps>(self, ops: B) -> Self::Output {
        A::unpack_bytes(ops, self.0)
    }
}

struct PackSlice<'a, A>(&'a [Setup], &'a mut [Word], PhantomData<A>);

impl<A: Algorithm> Kernel for PackSlice<'_, A> {
    type Output = Result<(), SliceError<PackError>>;

    #[inline(always)]
    fn run<B: BitOps>(self, ops: B) -> Self::Output {
        fill(self.0, self.1, |setup| A::pack(ops, setup))
    }
}

struct UnpackSlice<'a, A>(&'a [Word], &'a mut [Setup], PhantomData<A>);

impl<A: Algorithm> Kernel for UnpackSlice<'_, A> {
    type Output = Result<(), SliceError<UnpackError>>;

    #[inline(always)]
    fn run<B: BitOps>(self, ops: B) -> Self::Output {
        fill(self.0, self.1, |word| A::unpack(ops, word))
    }
}

struct PackBytesSlice<'a, A>(&'a [ByteBoard], &'a mut [Word], PhantomData<A>);

impl<A: Algorithm> Kernel for PackBytesSlice<'_, A> {
    type Output = Result<(), SliceError<PackError>>;

    #[inline(always)]
    fn run<B: BitOps>(self, ops: B) -> Self::Output {
        fill(self.0, self.1, |board| A::pack_bytes(ops, board))
    }
}

struct UnpackBytesSlice<'a, A>(&'a [Word], &'a mut [ByteBoard], PhantomData<A>);

impl<A: Algorithm> Kernel for UnpackBytesSlice<'_, A> {
    type Output = Result<(), SliceError<UnpackError>>;

    #[inline(always)]
    fn run<B: BitOps>(self, ops: B) -> Self::Output {
        fill(self.0, self.1, |word| A::unpack_bytes(ops, word))
    }
}

/// Converts element by element, up to the first error.
#[inline(always)]
fn fill<T, U, E>(
    from: &[T],
    to: &mut [U],
    convert: impl Fn(&T) -> Result<U, E>,
) -> Result<(), SliceError<E>> {
    assert_eq!(from.len(), to.len(), "the slices differ in length");
    for (index, (from, to)) in from.iter().zip(to).enumerate() {
        match convert(from) {
            Ok(converted) => *to = converted,
            Err(error) => return Err(SliceError { index, error }),
        }
    }
    Ok(())
}

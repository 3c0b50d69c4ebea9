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

    /// Packs, fast, in place. Of a setup that is refused it may write some word.
    #[inline(always)]
    fn pack_to<B: BitOps>(ops: B, setup: &Setup, word: &mut Word) -> Result<(), PackError> {
        *word = Self::pack(ops, setup)?;
        Ok(())
    }

    /// Unpacks, fast, in place. A word that is refused leaves the setup as it was.
    #[inline(always)]
    fn unpack_to<B: BitOps>(ops: B, word: &Word, setup: &mut Setup) -> Result<(), UnpackError> {
        *setup = Self::unpack(ops, word)?;
        Ok(())
    }

    /// Packs a byte board, fast.
    #[inline(always)]
    fn pack_bytes<B: BitOps>(ops: B, board: &ByteBoard) -> Result<Word, PackError> {
        Self::pack(ops, &board.setup(ops))
    }

    /// Unpacks to a byte board, fast, in place: to copy bytes that have just been written costs as much as to write them.
    /// A word that is refused leaves the board as it was.
    #[inline(always)]
    fn unpack_bytes<B: BitOps>(ops: B, word: &Word, board: &mut ByteBoard) -> Result<(), UnpackError> {
        *board = ByteBoard::from_setup(ops, &Self::unpack(ops, word)?);
        Ok(())
    }

    /// Packs a slice of setups to as many words, up to the first setup that is refused.
    #[inline(always)]
    fn pack_slice<B: BitOps>(
        ops: B,
        setups: &[Setup],
        words: &mut [Word],
    ) -> Result<(), SliceError<PackError>> {
        pack_rest::<B, Self>(ops, setups, words, 0)
    }

    /// Unpacks a slice of words to as many setups, up to the first word that is refused.
    #[inline(always)]
    fn unpack_slice<B: BitOps>(
        ops: B,
        words: &[Word],
        setups: &mut [Setup],
    ) -> Result<(), SliceError<UnpackError>> {
        unpack_rest::<B, Self>(ops, words, setups, 0)
    }

    /// Unpacks a slice of words to as many byte boards, up to the first word that is refused.
    #[inline(always)]
    fn unpack_bytes_slice<B: BitOps>(
        ops: B,
        words: &[Word],
        boards: &mut [ByteBoard],
    ) -> Result<(), SliceError<UnpackError>> {
        one_by_one::<B, UnpackBytes<Self>>(ops, words, boards, 0)
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
        dispatch(self.backend, PackOne::<A>(setup, PhantomData))
    }

    #[inline]
    fn unpack(&self, word: &Word) -> Result<Setup, UnpackError> {
        dispatch(self.backend, UnpackOne::<A>(word, PhantomData))
    }

    #[inline]
    fn pack_to(&self, setup: &Setup, word: &mut Word) -> Result<(), PackError> {
        dispatch(self.backend, One::<Pack<A>>(setup, word))
    }

    #[inline]
    fn unpack_to(&self, word: &Word, setup: &mut Setup) -> Result<(), UnpackError> {
        dispatch(self.backend, One::<Unpack<A>>(word, setup))
    }

    fn pack_slice(&self, setups: &[Setup], words: &mut [Word]) -> Result<(), SliceError<PackError>> {
        dispatch(self.backend, PackSlice::<A>(setups, words, PhantomData))
    }

    fn unpack_slice(&self, words: &[Word], setups: &mut [Setup]) -> Result<(), SliceError<UnpackError>> {
        dispatch(self.backend, UnpackSlice::<A>(words, setups, PhantomData))
    }

    #[inline]
    fn pack_bytes(&self, board: &ByteBoard) -> Result<Word, PackError> {
        dispatch(self.backend, PackBytesOne::<A>(board, PhantomData))
    }

    #[inline]
    fn unpack_bytes(&self, word: &Word) -> Result<ByteBoard, UnpackError> {
        let mut board = ByteBoard::EMPTY;
        dispatch(self.backend, One::<UnpackBytes<A>>(word, &mut board))?;
        Ok(board)
    }

    fn pack_bytes_slice(
        &self,
        boards: &[ByteBoard],
        words: &mut [Word],
    ) -> Result<(), SliceError<PackError>> {
        dispatch(self.backend, Slice::<PackBytes<A>>(boards, words))
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

/// One conversion of one position. A trait and not a closure, which might be compiled without the backend's
/// instructions.
trait Step {
    type From;
    type To;
    type Error;

    fn convert<B: BitOps>(ops: B, from: &Self::From, to: &mut Self::To) -> Result<(), Self::Error>;
}

/// Declares the [`Step`] that is a method of [`Algorithm`].
macro_rules! step {
    ($name:ident: $from:ty => $to:ty, $error:ty, |$ops:ident, $input:ident, $output:ident| $convert:expr) => {
        struct $name<A>(PhantomData<A>);

        impl<A: Algorithm> Step for $name<A> {
            type From = $from;
            type To = $to;
            type Error = $error;

            #[inline(always)]
            fn convert<B: BitOps>($ops: B, $input: &$from, $output: &mut $to) -> Result<(), $error> {
                $convert
            }
        }
    };
}

step!(Pack: Setup => Word, PackError, |ops, setup, word| A::pack_to(ops, setup, word));
step!(Unpack: Word => Setup, UnpackError, |ops, word, setup| A::unpack_to(ops, word, setup));
step!(PackBytes: ByteBoard => Word, PackError, |ops, board, word| {
    *word = A::pack_bytes(ops, board)?;
    Ok(())
});
step!(UnpackBytes: Word => ByteBoard, UnpackError, |ops, word, board| A::unpack_bytes(ops, word, board));

/// One step.
struct One<'a, S: Step>(&'a S::From, &'a mut S::To);

impl<S: Step> Kernel for One<'_, S> {
    type Output = Result<(), S::Error>;

    #[inline(always)]
    fn run<B: BitOps>(self, ops: B) -> Self::Output {
        S::convert(ops, self.0, self.1)
    }
}

/// A step on each element of a slice from an index on, up to the first error.
#[inline(always)]
fn one_by_one<B: BitOps, S: Step>(
    ops: B,
    from: &[S::From],
    to: &mut [S::To],
    first: usize,
) -> Result<(), SliceError<S::Error>> {
    for (index, (from, to)) in from[first..].iter().zip(&mut to[first..]).enumerate() {
        if let Err(error) = S::convert(ops, from, to) {
            return Err(SliceError { index: first + index, error });
        }
    }
    Ok(())
}

/// Packs the setups of a slice from an index on, one by one.
#[inline(always)]
pub(crate) fn pack_rest<B: BitOps, A: Algorithm>(
    ops: B,
    setups: &[Setup],
    words: &mut [Word],
    first: usize,
) -> Result<(), SliceError<PackError>> {
    one_by_one::<B, Pack<A>>(ops, setups, words, first)
}

/// Unpacks the words of a slice from an index on, one by one.
#[inline(always)]
pub(crate) fn unpack_rest<B: BitOps, A: Algorithm>(
    ops: B,
    words: &[Word],
    setups: &mut [Setup],
    first: usize,
) -> Result<(), SliceError<UnpackError>> {
    one_by_one::<B, Unpack<A>>(ops, words, setups, first)
}

/// A step on each element of a slice.
struct Slice<'a, S: Step>(&'a [S::From], &'a mut [S::To]);

impl<S: Step> Kernel for Slice<'_, S> {
    type Output = Result<(), SliceError<S::Error>>;

    #[inline(always)]
    fn run<B: BitOps>(self, ops: B) -> Self::Output {
        assert_eq!(self.0.len(), self.1.len(), "{LENGTHS}");
        one_by_one::<B, S>(ops, self.0, self.1, 0)
    }
}

const LENGTHS: &str = "the slices differ in length";

struct PackSlice<'a, A>(&'a [Setup], &'a mut [Word], PhantomData<A>);

impl<A: Algorithm> Kernel for PackSlice<'_, A> {
    type Output = Result<(), SliceError<PackError>>;

    #[inline(always)]
    fn run<B: BitOps>(self, ops: B) -> Self::Output {
        assert_eq!(self.0.len(), self.1.len(), "{LENGTHS}");
        A::pack_slice(ops, self.0, self.1)
    }
}

struct UnpackSlice<'a, A>(&'a [Word], &'a mut [Setup], PhantomData<A>);

impl<A: Algorithm> Kernel for UnpackSlice<'_, A> {
    type Output = Result<(), SliceError<UnpackError>>;

    #[inline(always)]
    fn run<B: BitOps>(self, ops: B) -> Self::Output {
        assert_eq!(self.0.len(), self.1.len(), "{LENGTHS}");
        A::unpack_slice(ops, self.0, self.1)
    }
}

struct UnpackBytesSlice<'a, A>(&'a [Word], &'a mut [ByteBoard], PhantomData<A>);

impl<A: Algorithm> Kernel for UnpackBytesSlice<'_, A> {
    type Output = Result<(), SliceError<UnpackError>>;

    #[inline(always)]
    fn run<B: BitOps>(self, ops: B) -> Self::Output {
        assert_eq!(self.0.len(), self.1.len(), "{LENGTHS}");
        A::unpack_bytes_slice(ops, self.0, self.1)
    }
}

struct PackOne<'a, A>(&'a Setup, PhantomData<A>);

impl<A: Algorithm> Kernel for PackOne<'_, A> {
    type Output = Result<Word, PackError>;

    #[inline(always)]
    fn run<B: BitOps>(self, ops: B) -> Self::Output {
        A::pack(ops, self.0)
    }
}

struct UnpackOne<'a, A>(&'a Word, PhantomData<A>);

impl<A: Algorithm> Kernel for UnpackOne<'_, A> {
    type Output = Result<Setup, UnpackError>;

    #[inline(always)]
    fn run<B: BitOps>(self, ops: B) -> Self::Output {
        A::unpack(ops, self.0)
    }
}

struct PackBytesOne<'a, A>(&'a ByteBoard, PhantomData<A>);

impl<A: Algorithm> Kernel for PackBytesOne<'_, A> {
    type Output = Result<Word, PackError>;

    #[inline(always)]
    fn run<B: BitOps>(self, ops: B) -> Self::Output {
        A::pack_bytes(ops, self.0)
    }
}

/// Packs a caller's board.
struct PackFrom<'a, A, S>(&'a S, PhantomData<A>);

impl<A: Algorithm, S: Source> Kernel for PackFrom<'_, A, S> {
    type Output = Result<Word, PackError>;

    #[inline(always)]
    fn run<B: BitOps>(self, ops: B) -> Self::Output {
        A::pack(ops, &ByteBoard::read_setup(ops, self.0)?)
    }
}

//! [`Kernels`]: the functions with which the kernels of a format are compiled only once.
//!
//! A kernel is generic, and a generic function is compiled in each crate that calls it: each crate and each test program would
//! compile each kernel again for each backend, and once did, for most of this project's build time. So a [`Format`] has one
//! static [`Kernels`] in its own crate, where its functions are compiled, and all other crates call through that.

use alloc::vec::Vec;
use core::marker::PhantomData;

use komabako_bits::{Backend, BitOps, Kernel, dispatch, prefetch_ahead_for_write};
use komabako_board::Setup;

use crate::algorithm::{Algorithm, ByteAlgorithm};
use crate::explanation::{FieldValue, Owners, Symbol};
use crate::own_board::Codes;
use crate::{ByteBoard, PackError, PieceBoards, SliceError, UnpackError, Word};

/// An algorithm whose kernels are compiled in the crate that has it.
pub trait Format: Algorithm {
    /// Its functions, which are a `static` of that crate.
    const KERNELS: &'static Kernels;
}

/// Converts one position in place.
pub type One<From, To, Error> = fn(Backend, &From, &mut To) -> Result<(), Error>;

/// Converts a slice of positions, up to the first error. The slices have one length.
pub type Many<From, To, Error> = fn(Backend, &[From], &mut [To]) -> Result<(), SliceError<Error>>;

/// The functions of a format on a chosen backend, for callers who choose the format at run time and for its
/// [`Codec`](crate::Codec).
#[derive(Debug)]
pub struct Kernels {
    /// See [`PositionCodec::NAME`](crate::PositionCodec::NAME).
    pub name: &'static str,
    /// See [`PositionCodec::SIZE`](crate::PositionCodec::SIZE).
    pub size: usize,
    /// Packs a setup.
    pub pack: One<Setup, Word, PackError>,
    /// Unpacks a word.
    pub unpack: One<Word, Setup, UnpackError>,
    /// Packs a slice of setups.
    pub pack_slice: Many<Setup, Word, PackError>,
    /// Unpacks a slice of words.
    pub unpack_slice: Many<Word, Setup, UnpackError>,
    /// The format's own code for byte boards; without it they are converted by way of a setup.
    pub(crate) bytes: Option<ByteKernels>,
    /// Packs and checks boards without a setup in between, if the format can. Returns whether it did; if not, the word is unspecified.
    pub(crate) pack_boards: Option<fn(Backend, &PieceBoards, &mut Word) -> bool>,
    /// The same for the codes of a mailbox.
    pub(crate) pack_codes: Option<fn(Backend, &Codes, &mut Word) -> bool>,
    /// See [`Explain::fields`](crate::Explain::fields).
    pub fields: fn(&Word) -> Vec<FieldValue>,
    /// See [`Explain::symbols`](crate::Explain::symbols).
    pub symbols: fn(&Word) -> Vec<Symbol>,
    /// See [`Explain::owners`](crate::Explain::owners).
    pub owners: fn(&Word) -> Option<Owners>,
}

#[derive(Debug)]
pub(crate) struct ByteKernels {
    pack: One<ByteBoard, Word, PackError>,
    unpack: One<Word, ByteBoard, UnpackError>,
    pack_slice: Many<ByteBoard, Word, PackError>,
    unpack_slice: Many<Word, ByteBoard, UnpackError>,
}

const LENGTHS: &str = "the slices differ in length";

impl Kernels {
    /// Those of a format that converts byte boards by way of a setup.
    pub const fn by_setup<A: Format>() -> Self {
        Kernels {
            name: A::NAME,
            size: A::SIZE,
            pack: pack::<A>,
            unpack: unpack::<A>,
            pack_slice: pack_slice::<A>,
            unpack_slice: unpack_slice::<A>,
            bytes: None,
            pack_boards: None,
            pack_codes: None,
            fields: A::fields,
            symbols: A::symbols,
            owners: A::owners,
        }
    }

    /// Those of a format whose positions take much longer to pack than choosing a backend: packing slices has no kernel of its own.
    pub const fn packs_one_at_a_time<A: Format>() -> Self {
        Kernels { pack_slice: pack_each::<A>, ..Self::by_setup::<A>() }
    }

    /// Those of a format with its own code for byte boards. Without the feature `byte-boards` they are not compiled, and byte
    /// boards are converted by way of a setup.
    pub const fn with_byte_boards<A: Format + ByteAlgorithm>() -> Self {
        if !cfg!(feature = "byte-boards") {
            return Self::by_setup::<A>();
        }
        let bytes = ByteKernels {
            pack: pack_bytes::<A>,
            unpack: unpack_bytes::<A>,
            pack_slice: pack_bytes_slice::<A>,
            unpack_slice: unpack_bytes_slice::<A>,
        };
        Kernels { bytes: Some(bytes), ..Self::by_setup::<A>() }
    }

    #[inline]
    pub(crate) fn pack_bytes(
        &self,
        backend: Backend,
        board: &ByteBoard,
        word: &mut Word,
    ) -> Result<(), PackError> {
        match &self.bytes {
            Some(bytes) => (bytes.pack)(backend, board, word),
            None => (self.pack)(backend, &board.setup_on(backend), word),
        }
    }

    #[inline]
    pub(crate) fn unpack_bytes(
        &self,
        backend: Backend,
        word: &Word,
        board: &mut ByteBoard,
    ) -> Result<(), UnpackError> {
        if let Some(bytes) = &self.bytes {
            return (bytes.unpack)(backend, word, board);
        }
        let mut setup = Setup::EMPTY;
        (self.unpack)(backend, word, &mut setup)?;
        *board = ByteBoard::of_setup_on(backend, &setup);
        Ok(())
    }

    /// By way of a setup several are packed at a time: two dispatches per chunk instead of per position.
    #[inline]
    pub(crate) fn pack_bytes_slice(
        &self,
        backend: Backend,
        boards: &[ByteBoard],
        words: &mut [Word],
    ) -> Result<(), SliceError<PackError>> {
        if let Some(bytes) = &self.bytes {
            return (bytes.pack_slice)(backend, boards, words);
        }
        assert_eq!(boards.len(), words.len(), "{LENGTHS}");
        let mut setups = [Setup::EMPTY; CHUNK];
        for (chunk, (boards, words)) in boards.chunks(CHUNK).zip(words.chunks_mut(CHUNK)).enumerate() {
            let setups = &mut setups[..boards.len()];
            ByteBoard::to_setups(backend, boards, setups);
            (self.pack_slice)(backend, setups, words)
                .map_err(|SliceError { index, error }| SliceError { index: chunk * CHUNK + index, error })?;
        }
        Ok(())
    }

    /// By way of a setup several are unpacked at a time, so that a format can read the codes of several words side by side.
    #[inline]
    pub(crate) fn unpack_bytes_slice(
        &self,
        backend: Backend,
        words: &[Word],
        boards: &mut [ByteBoard],
    ) -> Result<(), SliceError<UnpackError>> {
        if let Some(bytes) = &self.bytes {
            return (bytes.unpack_slice)(backend, words, boards);
        }
        assert_eq!(words.len(), boards.len(), "{LENGTHS}");
        let mut setups = [Setup::EMPTY; CHUNK];
        for (chunk, (words, boards)) in words.chunks(CHUNK).zip(boards.chunks_mut(CHUNK)).enumerate() {
            let unpacked = (self.unpack_slice)(backend, words, &mut setups[..words.len()]);
            let good = unpacked.map_or_else(|error| error.index, |()| words.len());
            ByteBoard::of_setups(backend, &setups[..good], &mut boards[..good]);
            unpacked
                .map_err(|SliceError { index, error }| SliceError { index: chunk * CHUNK + index, error })?;
        }
        Ok(())
    }
}

// Functions and not closures: a pointer to a closure calls it through a shim, in which the compiler inlined less of the portable
// backend's code (up to a quarter more instructions).

fn pack<A: Format>(backend: Backend, setup: &Setup, word: &mut Word) -> Result<(), PackError> {
    dispatch(backend, Single::<Pack<A>>(setup, word))
}

fn unpack<A: Format>(backend: Backend, word: &Word, setup: &mut Setup) -> Result<(), UnpackError> {
    dispatch(backend, Single::<Unpack<A>>(word, setup))
}

fn pack_slice<A: Format>(
    backend: Backend,
    setups: &[Setup],
    words: &mut [Word],
) -> Result<(), SliceError<PackError>> {
    dispatch(backend, PackSlice::<A>(setups, words, PhantomData))
}

fn unpack_slice<A: Format>(
    backend: Backend,
    words: &[Word],
    setups: &mut [Setup],
) -> Result<(), SliceError<UnpackError>> {
    dispatch(A::for_slices(backend), UnpackSlice::<A>(words, setups, PhantomData))
}

fn pack_each<A: Format>(
    backend: Backend,
    setups: &[Setup],
    words: &mut [Word],
) -> Result<(), SliceError<PackError>> {
    assert_eq!(setups.len(), words.len(), "{LENGTHS}");
    for (index, (setup, word)) in setups.iter().zip(words).enumerate() {
        (A::KERNELS.pack)(backend, setup, word).map_err(|error| SliceError { index, error })?;
    }
    Ok(())
}

fn pack_bytes<A: ByteAlgorithm>(
    backend: Backend,
    board: &ByteBoard,
    word: &mut Word,
) -> Result<(), PackError> {
    dispatch(backend, Single::<PackBytes<A>>(board, word))
}

fn unpack_bytes<A: ByteAlgorithm>(
    backend: Backend,
    word: &Word,
    board: &mut ByteBoard,
) -> Result<(), UnpackError> {
    dispatch(backend, Single::<UnpackBytes<A>>(word, board))
}

fn pack_bytes_slice<A: ByteAlgorithm>(
    backend: Backend,
    boards: &[ByteBoard],
    words: &mut [Word],
) -> Result<(), SliceError<PackError>> {
    dispatch(backend, PackBytesSlice::<A>(boards, words, PhantomData))
}

fn unpack_bytes_slice<A: ByteAlgorithm>(
    backend: Backend,
    words: &[Word],
    boards: &mut [ByteBoard],
) -> Result<(), SliceError<UnpackError>> {
    dispatch(A::for_slices(backend), UnpackBytesSlice::<A>(words, boards, PhantomData))
}

/// The number of setups converted at a time between byte boards and words: three kilobytes, which stay in the L1 cache.
const CHUNK: usize = 15;

/// One conversion of one position. A trait, since a closure might be compiled without the backend's instructions.
pub(crate) trait Step {
    type From;
    type To;
    type Error;

    fn convert<B: BitOps>(ops: B, from: &Self::From, to: &mut Self::To) -> Result<(), Self::Error>;
}

/// Declares the [`Step`] for a method of an algorithm.
macro_rules! step {
    ($name:ident: $algorithm:ident::$method:ident, $from:ty => $to:ty, $error:ty) => {
        pub(crate) struct $name<A>(PhantomData<A>);

        impl<A: $algorithm> Step for $name<A> {
            type From = $from;
            type To = $to;
            type Error = $error;

            #[inline(always)]
            fn convert<B: BitOps>(ops: B, from: &$from, to: &mut $to) -> Result<(), $error> {
                A::$method(ops, from, to)
            }
        }
    };
}

step!(Pack: Algorithm::pack_to, Setup => Word, PackError);
step!(Unpack: Algorithm::unpack_to, Word => Setup, UnpackError);
step!(PackBytes: ByteAlgorithm::pack_bytes, ByteBoard => Word, PackError);
step!(UnpackBytes: ByteAlgorithm::unpack_bytes, Word => ByteBoard, UnpackError);

/// One step.
struct Single<'a, S: Step>(&'a S::From, &'a mut S::To);

impl<S: Step> Kernel for Single<'_, S> {
    type Output = Result<(), S::Error>;

    #[inline(always)]
    fn run<B: BitOps>(self, ops: B) -> Self::Output {
        S::convert(ops, self.0, self.1)
    }
}

/// A step on each element of a slice from an index on, up to the first error.
#[inline(always)]
pub(crate) fn one_by_one<B: BitOps, S: Step>(
    ops: B,
    from: &[S::From],
    to: &mut [S::To],
    first: usize,
) -> Result<(), SliceError<S::Error>> {
    let from = &from[first..];
    let to = &mut to[first..][..from.len()];
    for (index, from) in from.iter().enumerate() {
        let to = &mut to[index];
        // Without it, the stores of consecutive setups would wait for memory. A word shares its cache line with the one
        // before.
        if size_of::<S::To>() > size_of::<Word>() {
            prefetch_ahead_for_write(to, 1);
        }
        if let Err(error) = S::convert(ops, from, to) {
            return Err(SliceError { index: first + index, error });
        }
    }
    Ok(())
}

/// Declares the kernel that runs a method of an algorithm on slices.
macro_rules! slices {
    ($name:ident: $algorithm:ident, $from:ty => $to:ty, $error:ty, |$ops:ident, $input:ident, $output:ident| $run:expr) => {
        struct $name<'a, A>(&'a [$from], &'a mut [$to], PhantomData<A>);

        impl<A: $algorithm> Kernel for $name<'_, A> {
            type Output = Result<(), SliceError<$error>>;

            #[inline(always)]
            fn run<B: BitOps>(self, $ops: B) -> Self::Output {
                let $input = self.0;
                let $output = self.1;
                assert_eq!($input.len(), $output.len(), "{LENGTHS}");
                $run
            }
        }
    };
}

slices!(PackSlice: Algorithm, Setup => Word, PackError, |ops, setups, words| A::pack_slice(ops, setups, words));
slices!(UnpackSlice: Algorithm, Word => Setup, UnpackError, |ops, words, setups| {
    A::unpack_slice(ops, words, setups)
});
slices!(PackBytesSlice: ByteAlgorithm, ByteBoard => Word, PackError, |ops, boards, words| {
    one_by_one::<B, PackBytes<A>>(ops, boards, words, 0)
});
slices!(UnpackBytesSlice: ByteAlgorithm, Word => ByteBoard, UnpackError, |ops, words, boards| {
    A::unpack_bytes_slice(ops, words, boards)
});

//! [`EntryPoints`]: the functions with which the kernels of a format are compiled only once.
//!
//! A kernel is generic, and a generic function is compiled in each crate that calls it: each crate and each test program
//! would compile each kernel again for each backend, and once did, for most of this project's build time. So the functions
//! here that dispatch are called only by the functions of [`EntryPoints`], which are not generic: they are compiled in the
//! crate that has the format, and all other crates call them.

use core::marker::PhantomData;

use komabako_bits::{Backend, BitOps, Kernel, dispatch, prefetch_ahead_for_write};
use komabako_board::Setup;

use crate::algorithm::{Algorithm, ByteAlgorithm};
use crate::{ByteBoard, PackError, SliceError, UnpackError, Word};

/// The number of setups converted at a time between byte boards and words, in a format without its own code for byte boards:
/// three kilobytes, which stay in the L1 cache.
const CHUNK: usize = 15;

/// A format's functions on a chosen backend, implemented by `entry_points!`.
#[expect(clippy::missing_errors_doc, reason = "they are those of PositionCodec's methods")]
pub trait EntryPoints: Algorithm {
    /// See [`PositionCodec::pack_to`](crate::PositionCodec::pack_to).
    fn pack_on(backend: Backend, setup: &Setup, word: &mut Word) -> Result<(), PackError>;

    /// See [`PositionCodec::unpack_to`](crate::PositionCodec::unpack_to).
    fn unpack_on(backend: Backend, word: &Word, setup: &mut Setup) -> Result<(), UnpackError>;

    /// See [`PositionCodec::pack_slice`](crate::PositionCodec::pack_slice).
    fn pack_slice_on(
        backend: Backend,
        setups: &[Setup],
        words: &mut [Word],
    ) -> Result<(), SliceError<PackError>>;

    /// See [`PositionCodec::unpack_slice`](crate::PositionCodec::unpack_slice).
    fn unpack_slice_on(
        backend: Backend,
        words: &[Word],
        setups: &mut [Setup],
    ) -> Result<(), SliceError<UnpackError>>;

    /// See [`ByteBoardCodec::pack_bytes`](crate::ByteBoardCodec::pack_bytes).
    #[inline]
    fn pack_bytes_on(backend: Backend, board: &ByteBoard, word: &mut Word) -> Result<(), PackError> {
        Self::pack_on(backend, &board.setup_on(backend), word)
    }

    /// See [`ByteBoardCodec::unpack_bytes`](crate::ByteBoardCodec::unpack_bytes).
    #[inline]
    fn unpack_bytes_on(backend: Backend, word: &Word, board: &mut ByteBoard) -> Result<(), UnpackError> {
        let mut setup = Setup::EMPTY;
        Self::unpack_on(backend, word, &mut setup)?;
        *board = ByteBoard::of_setup_on(backend, &setup);
        Ok(())
    }

    /// See [`ByteBoardCodec::pack_bytes_slice`](crate::ByteBoardCodec::pack_bytes_slice).
    fn pack_bytes_slice_on(
        backend: Backend,
        boards: &[ByteBoard],
        words: &mut [Word],
    ) -> Result<(), SliceError<PackError>> {
        assert_eq!(boards.len(), words.len(), "{LENGTHS}");
        // Several setups at a time: two dispatches per chunk instead of per position.
        let mut setups = [Setup::EMPTY; CHUNK];
        let chunks = boards.chunks(CHUNK).zip(words.chunks_mut(CHUNK));
        for (chunk, (boards, words)) in chunks.enumerate() {
            let setups = &mut setups[..boards.len()];
            ByteBoard::to_setups(backend, boards, setups);
            Self::pack_slice_on(backend, setups, words)
                .map_err(|SliceError { index, error }| SliceError { index: chunk * CHUNK + index, error })?;
        }
        Ok(())
    }

    /// See [`ByteBoardCodec::unpack_bytes_slice`](crate::ByteBoardCodec::unpack_bytes_slice).
    fn unpack_bytes_slice_on(
        backend: Backend,
        words: &[Word],
        boards: &mut [ByteBoard],
    ) -> Result<(), SliceError<UnpackError>> {
        assert_eq!(words.len(), boards.len(), "{LENGTHS}");
        // Several setups at a time, so that a format can read the codes of several words side by side.
        let mut setups = [Setup::EMPTY; CHUNK];
        let chunks = words.chunks(CHUNK).zip(boards.chunks_mut(CHUNK));
        for (chunk, (words, boards)) in chunks.enumerate() {
            let unpacked = Self::unpack_slice_on(backend, words, &mut setups[..words.len()]);
            let good = unpacked.map_or_else(|error| error.index, |()| words.len());
            ByteBoard::of_setups(backend, &setups[..good], &mut boards[..good]);
            unpacked
                .map_err(|SliceError { index, error }| SliceError { index: chunk * CHUNK + index, error })?;
        }
        Ok(())
    }
}

/// Implements [`EntryPoints`] for an [`Algorithm`]. Byte boards are converted through a setup, except `with byte boards`,
/// which needs a [`ByteAlgorithm`] and the feature `byte-boards`.
#[doc(hidden)]
#[macro_export]
macro_rules! entry_points {
    ($algorithm:ty $(, $($rest:tt)*)?) => {
        impl $crate::contract::EntryPoints for $algorithm {
            fn pack_on(
                backend: $crate::Backend,
                setup: &$crate::contract::Setup,
                word: &mut $crate::Word,
            ) -> Result<(), $crate::PackError> {
                $crate::contract::entry::pack::<Self>(backend, setup, word)
            }

            fn unpack_on(
                backend: $crate::Backend,
                word: &$crate::Word,
                setup: &mut $crate::contract::Setup,
            ) -> Result<(), $crate::UnpackError> {
                $crate::contract::entry::unpack::<Self>(backend, word, setup)
            }

            fn pack_slice_on(
                backend: $crate::Backend,
                setups: &[$crate::contract::Setup],
                words: &mut [$crate::Word],
            ) -> Result<(), $crate::SliceError<$crate::PackError>> {
                $crate::contract::entry::pack_slice::<Self>(backend, setups, words)
            }

            fn unpack_slice_on(
                backend: $crate::Backend,
                words: &[$crate::Word],
                setups: &mut [$crate::contract::Setup],
            ) -> Result<(), $crate::SliceError<$crate::UnpackError>> {
                $crate::contract::entry::unpack_slice::<Self>(backend, words, setups)
            }

            $($crate::entry_points! { @ $($rest)* })?
        }
    };
    (@ with byte boards) => {
        $crate::byte_entry_points! {}
    };
}

/// The kernels of byte boards.
#[cfg(feature = "byte-boards")]
#[doc(hidden)]
#[macro_export]
macro_rules! byte_entry_points {
    () => {
        fn pack_bytes_on(
            backend: $crate::Backend,
            board: &$crate::ByteBoard,
            word: &mut $crate::Word,
        ) -> Result<(), $crate::PackError> {
            $crate::contract::entry::pack_bytes::<Self>(backend, board, word)
        }

        fn unpack_bytes_on(
            backend: $crate::Backend,
            word: &$crate::Word,
            board: &mut $crate::ByteBoard,
        ) -> Result<(), $crate::UnpackError> {
            $crate::contract::entry::unpack_bytes::<Self>(backend, word, board)
        }

        fn pack_bytes_slice_on(
            backend: $crate::Backend,
            boards: &[$crate::ByteBoard],
            words: &mut [$crate::Word],
        ) -> Result<(), $crate::SliceError<$crate::PackError>> {
            $crate::contract::entry::pack_bytes_slice::<Self>(backend, boards, words)
        }

        fn unpack_bytes_slice_on(
            backend: $crate::Backend,
            words: &[$crate::Word],
            boards: &mut [$crate::ByteBoard],
        ) -> Result<(), $crate::SliceError<$crate::UnpackError>> {
            $crate::contract::entry::unpack_bytes_slice::<Self>(backend, words, boards)
        }
    };
}

/// Empty: byte boards are converted through a setup.
#[cfg(not(feature = "byte-boards"))]
#[doc(hidden)]
#[macro_export]
macro_rules! byte_entry_points {
    () => {};
}

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
pub(crate) fn one_by_one<B: BitOps, S: Step>(
    ops: B,
    from: &[S::From],
    to: &mut [S::To],
    first: usize,
) -> Result<(), SliceError<S::Error>> {
    // Sliced instead of skipped: `skip` would keep the iterator in memory.
    for (index, (from, to)) in from[first..].iter().zip(&mut to[first..]).enumerate() {
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

const LENGTHS: &str = "the slices differ in length";

/// Declares the kernel that runs a method of an algorithm on slices.
macro_rules! slices {
    ($name:ident: $algorithm:ident, $from:ty => $to:ty, $error:ty, |$ops:ident, $input:ident, $output:ident| $run:expr) => {
        struct $name<'a, A>(&'a [$from], &'a mut [$to], PhantomData<A>);

        impl<A: $algorithm> Kernel for $name<'_, A> {
            type Output = Result<(), SliceError<$error>>;

            #[inline(always)]
            fn run<B: BitOps>(self, $ops: B) -> Self::Output {
                let ($input, $output) = (self.0, self.1);
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

/// The bodies of the functions of [`EntryPoints`].
#[expect(clippy::missing_errors_doc, reason = "they are those of PositionCodec's methods")]
pub mod functions {
    use super::*;

    /// Runs [`Algorithm::pack_to`].
    #[inline(always)]
    pub fn pack<A: Algorithm>(backend: Backend, setup: &Setup, word: &mut Word) -> Result<(), PackError> {
        dispatch(backend, One::<Pack<A>>(setup, word))
    }

    /// Runs [`Algorithm::unpack_to`].
    #[inline(always)]
    pub fn unpack<A: Algorithm>(backend: Backend, word: &Word, setup: &mut Setup) -> Result<(), UnpackError> {
        dispatch(backend, One::<Unpack<A>>(word, setup))
    }

    /// Runs [`Algorithm::pack_slice`].
    #[inline(always)]
    pub fn pack_slice<A: Algorithm>(
        backend: Backend,
        setups: &[Setup],
        words: &mut [Word],
    ) -> Result<(), SliceError<PackError>> {
        dispatch(backend, PackSlice::<A>(setups, words, PhantomData))
    }

    /// Runs [`Algorithm::unpack_slice`].
    #[inline(always)]
    pub fn unpack_slice<A: Algorithm>(
        backend: Backend,
        words: &[Word],
        setups: &mut [Setup],
    ) -> Result<(), SliceError<UnpackError>> {
        dispatch(backend, UnpackSlice::<A>(words, setups, PhantomData))
    }

    /// Runs [`ByteAlgorithm::pack_bytes`].
    #[inline(always)]
    pub fn pack_bytes<A: ByteAlgorithm>(
        backend: Backend,
        board: &ByteBoard,
        word: &mut Word,
    ) -> Result<(), PackError> {
        dispatch(backend, One::<PackBytes<A>>(board, word))
    }

    /// Runs [`ByteAlgorithm::unpack_bytes`].
    #[inline(always)]
    pub fn unpack_bytes<A: ByteAlgorithm>(
        backend: Backend,
        word: &Word,
        board: &mut ByteBoard,
    ) -> Result<(), UnpackError> {
        dispatch(backend, One::<UnpackBytes<A>>(word, board))
    }

    /// Runs [`ByteAlgorithm::pack_bytes`] on a slice.
    #[inline(always)]
    pub fn pack_bytes_slice<A: ByteAlgorithm>(
        backend: Backend,
        boards: &[ByteBoard],
        words: &mut [Word],
    ) -> Result<(), SliceError<PackError>> {
        dispatch(backend, PackBytesSlice::<A>(boards, words, PhantomData))
    }

    /// Runs [`ByteAlgorithm::unpack_bytes_slice`].
    #[inline(always)]
    pub fn unpack_bytes_slice<A: ByteAlgorithm>(
        backend: Backend,
        words: &[Word],
        boards: &mut [ByteBoard],
    ) -> Result<(), SliceError<UnpackError>> {
        dispatch(backend, UnpackBytesSlice::<A>(words, boards, PhantomData))
    }
}

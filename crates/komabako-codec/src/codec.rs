//! [`PositionCodec`]: what every position format offers.

use komabako_bits::Backend;
use komabako_board::Setup;

use crate::{PackError, SliceError, UnpackError};

/// A packed position: 256 bits. Bit `i` is bit `i % 8` of byte `i / 8` (`spec/formats.md`, conventions).
pub type Word = [u8; 32];

/// A format that holds one position in 256 bits.
///
/// Implementors are small `Copy` values that remember the [`Backend`] they run on.
pub trait PositionCodec: Copy + Send + Sync {
    /// The name by which the program and [`Format`](crate::Format) know the codec, e.g. `"psv"`.
    const NAME: &'static str;

    /// The codec on the backend that is fastest here.
    fn new() -> Self {
        Self::with_backend(Backend::detect())
    }

    /// The codec on a chosen backend.
    fn with_backend(backend: Backend) -> Self;

    /// Packs a setup.
    ///
    /// # Errors
    /// The format cannot hold the setup: a king is missing or, where the format has no box, a piece is removed.
    fn pack(&self, setup: &Setup) -> Result<Word, PackError>;

    /// Unpacks a word, strictly: every word that is not the packed form of some setup is refused.
    ///
    /// # Errors
    /// The first fault in the order of the format's specification, with its field and bit.
    fn unpack(&self, word: &Word) -> Result<Setup, UnpackError>;

    /// Packs a slice with one choice of backend.
    ///
    /// # Errors
    /// The first setup that the format cannot hold, by its index; the words before it are written.
    ///
    /// # Panics
    /// If the slices differ in length.
    fn pack_slice(&self, setups: &[Setup], words: &mut [Word]) -> Result<(), SliceError<PackError>>;

    /// Unpacks a slice with one choice of backend.
    ///
    /// # Errors
    /// The first word that is refused, by its index; the setups before it are written.
    ///
    /// # Panics
    /// If the slices differ in length.
    fn unpack_slice(&self, words: &[Word], setups: &mut [Setup]) -> Result<(), SliceError<UnpackError>>;
}

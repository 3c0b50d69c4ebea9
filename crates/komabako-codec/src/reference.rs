//! The slow transcriptions of the specifications: the oracles of the tests.

use komabako_board::Setup;

use crate::{PackError, PositionCodec, UnpackError, Word};

/// A second implementation of a codec, code by code and bit by bit like its specification.
///
/// Slow, and for tests and explanations: the fast forms are compared with it on every backend.
pub trait Reference: PositionCodec {
    /// Packs with the slow transcription of the specification.
    ///
    /// # Errors
    /// As [`pack`](PositionCodec::pack).
    fn reference_pack(setup: &Setup) -> Result<Word, PackError>;

    /// Unpacks with the slow transcription of the specification.
    ///
    /// # Errors
    /// As [`unpack`](PositionCodec::unpack).
    fn reference_unpack(word: &Word) -> Result<Setup, UnpackError>;
}

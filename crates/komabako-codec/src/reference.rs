//! The slow transcriptions of the specifications: the oracles of the tests.

use komabako_board::Setup;

use crate::{PackError, PositionCodec, UnpackError, Word};

/// A codec written a second time, code by code and bit by bit as its specification reads.
///
/// Slow, and for tests and explanations: what the fast forms do is compared with this on every backend.
pub trait Reference: PositionCodec {
    /// Packs by the slow transcription of the specification.
    ///
    /// # Errors
    /// As [`pack`](PositionCodec::pack).
    fn reference_pack(setup: &Setup) -> Result<Word, PackError>;

    /// Unpacks by the slow transcription of the specification.
    ///
    /// # Errors
    /// As [`unpack`](PositionCodec::unpack).
    fn reference_unpack(word: &Word) -> Result<Setup, UnpackError>;
}

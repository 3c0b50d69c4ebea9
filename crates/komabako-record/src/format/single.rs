//! Conversion of a single record of any format from its bytes and back.

use alloc::vec::Vec;

use komabako_board::Setup;
use komabako_codec::packed_sfen::PhantomPawns;
use komabako_codec::{Backend, PackedSfen, PositionCodec, UnpackError, Word};

use komabako_variants::WordFormat;

use crate::FileFormat;
use crate::fault::RecordFault;
use crate::format::Shape;
use crate::record::{Labels, Record};

impl FileFormat {
    /// Reads one record from the bytes of [`Block::record`](crate::Block::record). Records of games are read with
    /// [`Block::decode`](crate::Block::decode).
    ///
    /// # Errors
    /// The fault of the record. The move is only checked when it is written or decoded.
    ///
    /// # Panics
    /// If the bytes are not one whole record, or the format [holds games](FileFormat::holds_games).
    pub fn decode(self, record: &[u8]) -> Result<Record, RecordFault> {
        let packed = match self.shape() {
            Shape::Packed(packed) => packed,
            Shape::Text(text) => return (text.read)(record),
            Shape::Games => panic!("a game of {self} is not a record"),
        };
        let (word, labels) = (packed.read)(record)?;
        let backend = Backend::detect();
        if self == FileFormat::PsvLenient {
            let setup = unpack_lenient(backend, &word).map_err(RecordFault::Unpack)?;
            return Ok(Record { setup, labels });
        }
        Ok(Record { setup: packed.codec.unpack_on(backend, &word)?, labels })
    }

    /// Appends one record.
    ///
    /// # Errors
    /// The fault, if the format cannot hold the record; nothing is appended.
    ///
    /// # Panics
    /// If the format [cannot be written](FileFormat::can_write), or [holds games](FileFormat::holds_games).
    pub fn encode(self, record: &Record, out: &mut Vec<u8>) -> Result<(), RecordFault> {
        assert!(self.can_write(), "{self} is not written");
        let packed = match self.shape() {
            Shape::Packed(packed) => packed,
            Shape::Text(text) => return (text.write)(record, out),
            Shape::Games => panic!("{self} is not written record by record"),
        };
        (packed.write)(&packed.codec.pack(&record.setup)?, &record.labels, out)
    }

    /// Appends one record with other labels; its position keeps its bytes.
    ///
    /// # Errors
    /// The fault of the record, or of the new labels if the format cannot hold them; nothing is appended.
    ///
    /// # Panics
    /// As [`FileFormat::decode`] and [`FileFormat::encode`].
    pub fn relabel(
        self,
        record: &[u8],
        out: &mut Vec<u8>,
        change: impl FnOnce(&mut Labels),
    ) -> Result<(), RecordFault> {
        assert!(self.can_write(), "{self} is not written");
        match self.shape() {
            Shape::Packed(packed) => {
                let (word, mut labels) = (packed.read)(record)?;
                change(&mut labels);
                (packed.write)(&word, &labels, out)
            }
            Shape::Text(text) => {
                let mut record = (text.read)(record)?;
                change(&mut record.labels);
                (text.write)(&record, out)
            }
            Shape::Games => panic!("a game of {self} is not a record"),
        }
    }
}

/// The packed position at the start of a record, as its bytes are, and its format. `None` for text, for games, and for a
/// record that is too short.
pub fn packed_word(format: FileFormat, record: &[u8]) -> Option<(WordFormat, Word)> {
    if format.holds_games() {
        return None;
    }
    let codec = format.codec()?;
    let bytes = record.get(..codec.size())?;
    let mut word = [0; 32];
    word[..bytes.len()].copy_from_slice(bytes);
    if matches!(format, FileFormat::Compact36 | FileFormat::Compact32) {
        // The result is in the two bits that a rank leaves free.
        word[29] &= 0x3f;
    }
    Some((codec, word))
}

/// The packed position of a record in a format of packed records, and its labels.
///
/// # Errors
/// The fault of the labels.
///
/// # Panics
/// If the bytes are not one whole record, or the format is text or holds games.
pub fn read_packed(format: FileFormat, bytes: &[u8]) -> Result<(Word, Labels), RecordFault> {
    match format.shape() {
        Shape::Packed(packed) => (packed.read)(bytes),
        Shape::Text(_) | Shape::Games => panic!("records of {format} are not packed"),
    }
}

/// Reads a PSV word of any variant. If trailing zeros may be either pawns or removed pieces, the word is refused: a
/// conversion does not guess.
pub(crate) fn unpack_lenient(backend: Backend, word: &Word) -> Result<Setup, UnpackError> {
    PackedSfen::with_backend(backend).unpack_lenient(word, PhantomPawns::Error).map(|lenient| lenient.setup)
}

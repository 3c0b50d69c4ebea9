//! One record of any format, from its bytes and to them.

use komabako_board::Setup;
use komabako_codec::packed_sfen::PhantomPawns;
use komabako_codec::{Backend, PackedSfen, PositionCodec, UnpackError, Word};
use zerocopy::{FromBytes, IntoBytes};

use crate::error::RecordFault;
use crate::record::{Hcpe, Labels, Psv, Record};
use crate::{FileFormat, games, text};

impl FileFormat {
    /// Reads one record, as [`Block::record`](crate::Block::record) gives it.
    ///
    /// # Errors
    /// What is wrong with the record. The move is not checked before it is written or decoded.
    ///
    /// # Panics
    /// If the bytes are not one whole record.
    pub fn decode(self, record: &[u8]) -> Result<Record, RecordFault> {
        let Some(codec) = self.codec() else { return text::read(self, record) };
        let (word, labels) = read_packed(self, record)?;
        let setup = match self {
            FileFormat::PsvLenient => unpack_lenient(Backend::detect(), &word),
            _ => codec.unpack(&word),
        };
        Ok(Record { setup: setup.map_err(RecordFault::Unpack)?, labels })
    }

    /// Appends one record.
    ///
    /// # Errors
    /// What the format cannot hold; nothing is appended.
    ///
    /// # Panics
    /// If the format [cannot be written](FileFormat::can_write).
    pub fn encode(self, record: &Record, out: &mut Vec<u8>) -> Result<(), RecordFault> {
        let Some(codec) = self.codec() else { return text::write(self, record, out) };
        let word = codec.pack(&record.setup).map_err(RecordFault::Pack)?;
        write_packed(self, word, &record.labels, out)
    }
}

/// Reads a PSV word of any variant. Where zeros may be pawns as well as room of removed pieces, it is refused: a
/// conversion does not guess.
pub(crate) fn unpack_lenient(backend: Backend, word: &Word) -> Result<Setup, UnpackError> {
    PackedSfen::with_backend(backend).unpack_lenient(word, PhantomPawns::Error).map(|lenient| lenient.setup)
}

/// The packed position of a record in a format with a codec, and its labels.
#[inline]
pub(crate) fn read_packed(format: FileFormat, bytes: &[u8]) -> Result<(Word, Labels), RecordFault> {
    const WHOLE: &str = "the bytes are one whole record";
    Ok(match format {
        FileFormat::Psv | FileFormat::PsvLenient => {
            let record = Psv::ref_from_bytes(bytes).expect(WHOLE);
            (record.position, record.labels()?)
        }
        FileFormat::Hcpe => {
            let record = Hcpe::ref_from_bytes(bytes).expect(WHOLE);
            (record.position, record.labels()?)
        }
        FileFormat::Hcpe2 => {
            let record = Hcpe::ref_from_bytes(bytes).expect(WHOLE);
            (record.position, record.labels2()?)
        }
        FileFormat::Hcpe3 => games::hcpe3_start(bytes)?,
        FileFormat::Pack => games::pack_start(bytes),
        _ => (*Word::ref_from_bytes(bytes).expect(WHOLE), Labels::default()),
    })
}

/// Appends a record of a packed position, in a format with that codec.
#[inline]
pub(crate) fn write_packed(
    format: FileFormat,
    word: Word,
    labels: &Labels,
    out: &mut Vec<u8>,
) -> Result<(), RecordFault> {
    match format {
        FileFormat::Psv => out.extend_from_slice(Psv::new(word, labels)?.as_bytes()),
        FileFormat::Hcpe => out.extend_from_slice(Hcpe::new(word, labels)?.as_bytes()),
        FileFormat::Hcpe2 => out.extend_from_slice(Hcpe::new2(word, labels)?.as_bytes()),
        FileFormat::PsvLenient | FileFormat::Hcpe3 | FileFormat::Pack => {
            panic!("{format} cannot be written")
        }
        _ => out.extend_from_slice(&word),
    }
    Ok(())
}

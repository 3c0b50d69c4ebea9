//! One record of any format, from its bytes and to them.

use alloc::vec::Vec;

use komabako_board::Setup;
use komabako_codec::packed_sfen::PhantomPawns;
use komabako_codec::{Backend, PackedSfen, PositionCodec, UnpackError, Word};
use komabako_variants::c250;
use komabako_variants::r238::Rank;

use crate::fault::RecordFault;
use crate::record::{Compact32, Compact36, Ext36, Extras, Hcpe, Labels, Psv, Record};
use crate::{FileFormat, codec, text};

impl FileFormat {
    /// Reads one record, as [`Block::record`](crate::Block::record) gives it. Records of games are read by
    /// [`Block::decode`](crate::Block::decode).
    ///
    /// # Errors
    /// What is wrong with the record. The move is not checked before it is written or decoded.
    ///
    /// # Panics
    /// If the bytes are not one whole record, or the format [holds games](FileFormat::holds_games).
    pub fn decode(self, record: &[u8]) -> Result<Record, RecordFault> {
        let Some(codec) = self.codec() else { return text::read(self, record) };
        let (word, labels) = read_packed(self, record)?;
        let backend = Backend::detect();
        if self == FileFormat::PsvLenient {
            let setup = unpack_lenient(backend, &word).map_err(RecordFault::Unpack)?;
            return Ok(Record { setup, labels });
        }
        let mut setup = [Setup::EMPTY];
        codec.unpack_slice(backend, &[word], &mut setup).map_err(|slice| slice.error)?;
        Ok(Record { setup: setup[0], labels })
    }

    /// Appends one record.
    ///
    /// # Errors
    /// What the format cannot hold; nothing is appended.
    ///
    /// # Panics
    /// If the format [cannot be written](FileFormat::can_write), or [holds games](FileFormat::holds_games).
    pub fn encode(self, record: &Record, out: &mut Vec<u8>) -> Result<(), RecordFault> {
        let Some(codec) = self.codec() else { return text::write(self, record, out) };
        let mut word = [[0; 32]];
        codec.pack_slice(Backend::detect(), &[record.setup], &mut word).map_err(|slice| slice.error)?;
        write_packed(self, word[0], &record.labels, out)
    }
}

/// Reads a PSV word of any variant. Where zeros may be pawns as well as room of removed pieces, it is refused: a
/// conversion does not guess.
pub fn unpack_lenient(backend: Backend, word: &Word) -> Result<Setup, UnpackError> {
    PackedSfen::with_backend(backend).unpack_lenient(word, PhantomPawns::Error).map(|lenient| lenient.setup)
}

/// The packed position of a record in a format with a codec, and its labels.
#[inline]
pub fn read_packed(format: FileFormat, bytes: &[u8]) -> Result<(Word, Labels), RecordFault> {
    const WHOLE: &str = "the bytes are one whole record";
    Ok(match format {
        FileFormat::Psv | FileFormat::PsvLenient => {
            let record = Psv::from_bytes(bytes.try_into().expect(WHOLE));
            (record.position, record.labels()?)
        }
        FileFormat::Hcpe => {
            let record = Hcpe::from_bytes(bytes.try_into().expect(WHOLE));
            (record.position, record.labels()?)
        }
        FileFormat::Hcpe2 => {
            let record = Hcpe::from_bytes(bytes.try_into().expect(WHOLE));
            (record.position, record.labels2()?)
        }
        FileFormat::Compact36 => {
            let record = Compact36::from_bytes(bytes.try_into().expect(WHOLE));
            (codec::word_of(&record.position.rank()), record.labels()?)
        }
        FileFormat::Compact32 => {
            let record = Compact32::from_bytes(bytes.try_into().expect(WHOLE));
            (codec::word_of(&record.position.rank()), record.labels()?)
        }
        FileFormat::Ext36 => {
            let record = Ext36::from_bytes(bytes.try_into().expect(WHOLE));
            (record.position, record.labels())
        }
        FileFormat::C250 => {
            let word = <&Word>::try_from(bytes).expect(WHOLE);
            let extras = Extras { payload: c250::payload(word), ..Extras::default() };
            (c250::position_key(word), Labels { extras, ..Labels::default() })
        }
        FileFormat::R238 => (codec::word_of(<&Rank>::try_from(bytes).expect(WHOLE)), Labels::default()),
        FileFormat::Hcpe3 | FileFormat::Pack => panic!("a game of {format} is no record"),
        _ => (*<&Word>::try_from(bytes).expect(WHOLE), Labels::default()),
    })
}

/// Appends a record of a packed position, in a format with that codec.
#[inline]
pub fn write_packed(
    format: FileFormat,
    word: Word,
    labels: &Labels,
    out: &mut Vec<u8>,
) -> Result<(), RecordFault> {
    match format {
        FileFormat::Psv => out.extend_from_slice(&Psv::new(word, labels)?.to_bytes()),
        FileFormat::Hcpe => out.extend_from_slice(&Hcpe::new(word, labels)?.to_bytes()),
        FileFormat::Hcpe2 => out.extend_from_slice(&Hcpe::new2(word, labels)?.to_bytes()),
        FileFormat::Compact36 => {
            out.extend_from_slice(&Compact36::new(codec::rank_of(&word), labels)?.to_bytes());
        }
        FileFormat::Compact32 => {
            out.extend_from_slice(&Compact32::new(codec::rank_of(&word), labels).to_bytes());
        }
        FileFormat::Ext36 => out.extend_from_slice(&Ext36::new(word, labels)?.to_bytes()),
        FileFormat::C250 => out.extend_from_slice(&c250::with_payload(&word, labels.extras.payload)),
        FileFormat::R238 => out.extend_from_slice(&codec::rank_of(&word)),
        FileFormat::PsvLenient | FileFormat::Hcpe3 | FileFormat::Pack => {
            panic!("{format} is not written record by record")
        }
        _ => out.extend_from_slice(&word),
    }
    Ok(())
}

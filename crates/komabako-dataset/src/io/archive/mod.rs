//! Archives (`.kmb`) as streams of the records in them: blocks are encoded and decoded on several threads, in order.

mod places;
mod reader;
mod summary;
mod writer;

use std::io;

use komabako_archive::Header;

pub use self::summary::Summary;
pub use komabako_archive::{ArchiveError, Codec, Fault, Joints, Source};

use crate::{DatasetError, FileFormat};

pub(crate) use self::places::Members;
pub(crate) use self::reader::ArchiveReader;
pub(crate) use self::writer::ArchiveWriter;

/// How records are archived.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Archiving {
    /// The format of the records. The job that writes them sets it.
    pub source: Source,
    /// The codec of the blocks.
    pub codec: Codec,
    /// The level of zstd in [`Codec::Columns`], 1 to 19.
    pub level: i32,
    /// The records of a block, [`Archiving::BLOCKS`].
    pub block_records: u32,
    /// The memory in bytes within which records are put together to games, which loses their order; `None` keeps it.
    pub unordered: Option<u64>,
}

impl Archiving {
    /// The smallest archive, in blocks of 65,536 records.
    pub const SMALL: Archiving = Archiving {
        source: Source::Psv,
        codec: Codec::Model,
        level: 3,
        block_records: 1 << 16,
        unordered: None,
    };
    /// An archive that is read as fast as a file that is not compressed.
    pub const FAST: Archiving = Archiving { codec: Codec::Columns, ..Archiving::SMALL };
    /// The numbers of records that a block may have.
    pub const BLOCKS: std::ops::RangeInclusive<u32> = 1024..=komabako_archive::MAX_RECORDS;

    /// The memory for encoding one block: its records several times, and what the codec learns.
    pub(crate) fn memory(self) -> u64 {
        4 * u64::from(self.block_records) * self.source.record_size() as u64 + (8 << 20)
    }

    /// The records that are put together at once.
    fn window_records(self, memory: u64) -> usize {
        // Each twice, before and after, and what finding its game takes.
        let of_record = 2 * self.source.record_size() as u64 + 70;
        usize::try_from(memory / of_record).unwrap_or(usize::MAX).clamp(1, MOST_JOINED)
    }

    /// The same for records of a format.
    ///
    /// # Errors
    /// [`DatasetError::NotArchived`] unless archives hold records of the format.
    pub(crate) fn of(self, format: FileFormat) -> Result<Archiving, DatasetError> {
        match format {
            FileFormat::Psv => Ok(Archiving { source: Source::Psv, ..self }),
            FileFormat::Hcpe => Ok(Archiving { source: Source::Hcpe, ..self }),
            format => Err(DatasetError::NotArchived(format)),
        }
    }
}

/// The most records that are put together at once.
const MOST_JOINED: usize = u32::MAX as usize - 1;

/// The format of an archive's records.
pub(crate) const fn format_of(source: Source) -> FileFormat {
    match source {
        Source::Hcpe => FileFormat::Hcpe,
        _ => FileFormat::Psv,
    }
}

/// The format of the records of an archive, from its first bytes; `None` if they are none.
pub(crate) fn format_of_head(head: &[u8]) -> Option<FileFormat> {
    if !head.starts_with(&komabako_archive::MAGIC) {
        return None;
    }
    Some(format_of(Source::from_number(*head.get(Header::SOURCE as usize)?)?))
}

/// An error of an archive as one of reading it.
fn failure(error: ArchiveError) -> io::Error {
    let kind = if error.fault == Fault::Truncated {
        io::ErrorKind::UnexpectedEof
    } else {
        io::ErrorKind::InvalidData
    };
    io::Error::new(kind, error)
}

/// What is wrong with an archive, if that is why it could not be read.
pub(crate) fn damage(error: &io::Error) -> Option<ArchiveError> {
    error.get_ref()?.downcast_ref().copied()
}

//! Archives (`.kmb`) as streams of the records in them: blocks are encoded and decoded on several threads, in order.

mod about;
mod contents;
mod game_sorter;
mod kept;
mod picked;
mod places;
mod reader;
mod writer;

use std::io::{self, Read};

use komabako_archive::{BlockHeader, MAX_METADATA, MAX_PAYLOAD, decode_block, find_block, find_header};

pub use self::contents::{Contents, Summary};
pub(crate) use komabako_archive::Header;
pub use komabako_archive::{ArchiveError, Codec, Fault, Joints, Source};

use crate::{DatasetError, FileFormat};

pub(crate) use self::about::About;
use self::game_sorter::GameSorter;
use self::kept::Kept;
pub(crate) use self::picked::Picked;
pub(crate) use self::places::{BlockPlace, Members};
pub(crate) use self::reader::ArchiveReader;
pub(crate) use self::writer::ArchiveWriter;

/// The memory that is reserved for a payload before it is read: enough for most.
const MOST_RESERVED: usize = 1 << 20;

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
    /// The memory in bytes within which records are put together to games, which loses their order; `None` keeps it. Records
    /// that need more are put together in temporary files.
    pub unordered: Option<u64>,
    /// Whether each block is decoded again and compared before it is written.
    pub verify: bool,
}

impl Archiving {
    /// The smallest archive, in blocks of 65,536 records.
    pub const SMALL: Archiving = Archiving {
        source: Source::Psv,
        codec: Codec::Model,
        level: 3,
        block_records: 1 << 16,
        unordered: None,
        verify: true,
    };
    /// An archive that is read as fast as a file that is not compressed.
    pub const FAST: Archiving = Archiving { codec: Codec::Columns, ..Archiving::SMALL };
    /// The numbers of records that a block may have.
    pub const BLOCKS: std::ops::RangeInclusive<u32> = 1024..=komabako_archive::MAX_RECORDS;

    /// The memory for encoding one block: its records several times, and what the codec learns.
    pub(crate) fn memory(self) -> u64 {
        4 * u64::from(self.block_records) * self.source.record_size() as u64 + (8 << 20)
    }

    /// The records that are put together in memory.
    fn window_records(self, memory: u64) -> usize {
        // Each twice, before and after, and what finding its game takes.
        let of_record = 2 * self.source.record_size() as u64 + 70;
        usize::try_from(memory / of_record).unwrap_or(usize::MAX).clamp(1, GameSorter::MOST)
    }

    /// The bytes of temporary files for records of `bytes`, and of more than there are.
    pub(crate) fn spilled(self, bytes: u64) -> u64 {
        let Some(memory) = self.unordered else { return 0 };
        let records = bytes / self.source.record_size() as u64;
        if records <= self.window_records(memory) as u64 {
            return 0;
        }
        records.min(GameSorter::most(memory) as u64).saturating_mul(GameSorter::bytes_of_record(self.source))
    }

    /// These settings for records of a format.
    ///
    /// # Errors
    /// [`DatasetError::NotArchived`] unless archives hold records of the format.
    pub(crate) fn holding(self, format: FileFormat) -> Result<Archiving, DatasetError> {
        match format {
            FileFormat::Psv => Ok(Archiving { source: Source::Psv, ..self }),
            FileFormat::Hcpe => Ok(Archiving { source: Source::Hcpe, ..self }),
            format => Err(DatasetError::NotArchived(format)),
        }
    }
}

/// The memory for decoding a block: what is stored, its columns and its records, and what the codec learns.
fn decoder_memory(records: u64, source: Source, stored: u64) -> u64 {
    stored + 2 * records * source.record_size() as u64 + (8 << 20)
}

/// The memory for decoding a block of which nothing is known: of the default size, not compressed.
pub(crate) fn ordinary_decoder_memory() -> u64 {
    let records = u64::from(Archiving::SMALL.block_records);
    decoder_memory(records, Source::Psv, records * Source::Psv.record_size() as u64)
}

/// The format of an archive's records.
pub(crate) const fn format_of(source: Source) -> FileFormat {
    match source {
        Source::Psv => FileFormat::Psv,
        Source::Hcpe => FileFormat::Hcpe,
    }
}

/// The format that the byte for it names.
pub(crate) fn named_format(head: &[u8]) -> Option<FileFormat> {
    Source::from_number(*head.get(Header::SOURCE as usize)?).map(format_of)
}

/// The header at the start of an archive, if it is whole.
fn whole_header(head: &[u8]) -> Option<Header> {
    find_header(head).filter(|(place, _)| *place == 0).map(|(_, header)| header)
}

/// The format of the records of an archive, whose start is read into `head`, and the header if it is whole: it says so; if it is
/// damaged, the first block that can be decoded shows the format. `None` if there is none.
pub(crate) fn detect_format(
    archive: &mut dyn Read,
    head: &mut Vec<u8>,
) -> io::Result<(Option<FileFormat>, Option<Header>)> {
    archive.take(Header::FIXED as u64).read_to_end(head)?;
    if let Some(Ok(rest)) = head.first_chunk().map(Header::length_of_rest) {
        archive.take(rest as u64).read_to_end(head)?;
    }
    let header = whole_header(head);
    let mut source = header.as_ref().map(|header| header.source);
    // A header that is not damaged names the format, though its member cannot be read.
    if Header::parse(head).is_err_and(Fault::is_unsupported) {
        source = head.get(Header::SOURCE as usize).and_then(|&number| Source::from_number(number));
    }
    if header.is_none() {
        // Blocks are looked for in as much as the longest header takes.
        archive.take(MAX_METADATA as u64 + 24).read_to_end(head)?;
    }
    let mut start = 0;
    while source.is_none()
        && head.len() < MAX_PAYLOAD as usize
        && let Some((place, header)) = find_block(&head[start..])
    {
        start += place + BlockHeader::SIZE;
        let end = start + header.payload as usize;
        // With the header of the block that follows.
        let wanted = (end + BlockHeader::SIZE).saturating_sub(head.len());
        archive.take(wanted as u64).read_to_end(head)?;
        source = head.get(start..end).and_then(|payload| source_of_block(&header, payload));
    }
    Ok((source.map(format_of).or_else(|| named_format(head)), header))
}

/// The format of the records of a block, for which its sums are right.
fn source_of_block(header: &BlockHeader, payload: &[u8]) -> Option<Source> {
    [Source::Psv, Source::Hcpe].into_iter().find(|source| decode_block(*source, header, payload).is_ok())
}

/// An error of an archive as one of reading it.
pub(crate) fn failure(error: ArchiveError) -> io::Error {
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

//! Whole archives in memory.

use alloc::vec::Vec;

use crate::container::{BlockHeader, Event, Footer, Header, Index, IndexEntry, Parser};
use crate::error::{ArchiveError, Fault};
use crate::{Encoding, Source, decode_block, encode_block};

/// An archive in memory.
#[derive(Clone, Copy, Debug)]
pub struct Archive<'a>(&'a [u8]);

impl<'a> Archive<'a> {
    /// The archive with these bytes, which are not yet examined.
    pub const fn new(bytes: &'a [u8]) -> Archive<'a> {
        Archive(bytes)
    }

    /// All records of all members.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn records(self) -> Result<Vec<u8>, ArchiveError> {
        let mut records = Vec::new();
        self.read(&mut records)?;
        Ok(records)
    }

    /// Appends all records of all members.
    ///
    /// # Errors
    /// The first fault and its place; the records of the blocks before it are appended.
    pub fn read(self, records: &mut Vec<u8>) -> Result<(), ArchiveError> {
        let mut rest = self.0;
        let mut parser = Parser::new();
        while !(rest.is_empty() && parser.may_end()) {
            let bytes = rest.split_off(..parser.wanted()).ok_or_else(|| parser.truncated())?;
            let before = parser.error(Fault::Truncated);
            match parser.accept(bytes)? {
                Event::Block(header) => {
                    let source = parser.source().unwrap_or(Source::Psv);
                    let decoded = decode_block(source, &header, bytes);
                    records.extend(decoded.map_err(|fault| ArchiveError { fault, ..before })?);
                }
                Event::Part | Event::Header(_) | Event::Column(_) | Event::Index(_) | Event::End(_) => {}
            }
        }
        Ok(())
    }

    /// The records of the block that holds a record, and the number of the first of them, over all members, by the index of its
    /// member.
    ///
    /// ```
    /// # use komabako_archive::{Archive, Codec, Encoding, Header, Source, write_archive};
    /// # let header = Header::new(Source::Psv);
    /// # let bytes = write_archive(&header, &[7; 40 * 5], 2, &Encoding::new(Codec::Stored)).unwrap();
    /// let (first, records) = Archive::new(&bytes).seek(3)?;
    /// assert_eq!((first, records.len()), (2, 80));
    /// # Ok::<(), komabako_archive::Fault>(())
    /// ```
    ///
    /// # Errors
    /// [`Fault::NoSuchRecord`] if the archive has fewer; [`Fault::Footer`] also if its end is missing; [`Fault::Index`] also if the block
    /// differs from its entry in the index.
    pub fn seek(self, record: u64) -> Result<(u64, Vec<u8>), Fault> {
        // Of each member, from the last to the first: its bytes and its end.
        let mut members = Vec::new();
        let mut source = None;
        let mut rest = self.0;
        while !rest.is_empty() {
            let footer = Footer::parse(rest.last_chunk().ok_or(Fault::Truncated)?)?;
            let start = (rest.len() as u64).checked_sub(footer.length).ok_or(Fault::Footer)?;
            let (before, member) = rest.split_at(start as usize);
            let own = source_of(member)?;
            if *source.get_or_insert(own) != own {
                return Err(Fault::MixedSources);
            }
            members.push((member, footer));
            rest = before;
        }
        let mut before = 0;
        for (member, footer) in members.into_iter().rev() {
            if record - before < footer.records {
                let (first, records) = seek_in(member, &footer, record - before)?;
                return Ok((before + first, records));
            }
            before += footer.records;
        }
        Err(Fault::NoSuchRecord)
    }
}

/// The source format of a member, from its header.
fn source_of(member: &[u8]) -> Result<Source, Fault> {
    let fixed = member.first_chunk().ok_or(Fault::Truncated)?;
    let length = Header::FIXED + Header::length_of_rest(fixed)?;
    Ok(Header::parse(member.get(..length).ok_or(Fault::Truncated)?)?.source)
}

/// The records of the block of a member that holds one of its records, and the number of the first of them in the member.
fn seek_in(member: &[u8], footer: &Footer, record: u64) -> Result<(u64, Vec<u8>), Fault> {
    let (header, payload) = block_at(member, footer.index)?;
    header.check_payload(payload)?;
    let index = Index::parse(payload)?;
    if !header.is_index() || index.records() != footer.records {
        return Err(Fault::Index);
    }
    let entry = index.find(record).ok_or(Fault::Index)?;
    let (header, payload) = block_at(member, entry.offset)?;
    if (header.first, header.records) != (entry.first, entry.records) {
        return Err(Fault::Index);
    }
    Ok((entry.first, decode_block(source_of(member)?, &header, payload)?))
}

/// The block at an offset of a member.
fn block_at(member: &[u8], offset: u64) -> Result<(BlockHeader, &[u8]), Fault> {
    let bytes = usize::try_from(offset).ok().and_then(|offset| member.get(offset..)).ok_or(Fault::Index)?;
    let (header, rest) = bytes.split_first_chunk().ok_or(Fault::Truncated)?;
    let header = BlockHeader::parse(header)?;
    Ok((header, rest.get(..header.payload as usize).ok_or(Fault::Truncated)?))
}

/// An archive of one member, with blocks of `block` records.
///
/// # Errors
/// [`Fault::MetadataLength`], or [`Fault::Truncated`] if the last record is not whole.
///
/// # Panics
/// Unless `block` is 1 to [`MAX_RECORDS`](crate::MAX_RECORDS).
pub fn write_archive(
    header: &Header,
    records: &[u8],
    block: usize,
    encoding: &Encoding,
) -> Result<Vec<u8>, Fault> {
    let size = header.source.record_size();
    if !records.len().is_multiple_of(size) {
        return Err(Fault::Truncated);
    }
    let mut archive = header.to_bytes()?;
    let mut index = Index::default();
    for records in records.chunks(block * size) {
        let entry = IndexEntry {
            offset: archive.len() as u64,
            first: index.records(),
            records: (records.len() / size) as u32,
        };
        archive.extend(encode_block(header.source, records, entry.first, encoding));
        index.blocks.push(entry);
    }
    let end = index.to_end(archive.len() as u64)?;
    archive.extend(end);
    Ok(archive)
}

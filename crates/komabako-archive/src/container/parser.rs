//! [`Parser`]: reads an archive forward, from bytes that the caller brings.

use alloc::vec::Vec;

use super::block::USER_COLUMN;
use super::{BlockHeader, Footer, Header, Index, IndexEntry};
use crate::Source;
use crate::error::{ArchiveError, Fault};

/// What some bytes of an archive are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// A part of what follows.
    Part,
    /// The header of a member.
    Header(Header),
    /// The bytes are the payload of a block of records with this header. Its sum is right.
    Block(BlockHeader),
    /// The bytes are the payload of a user's [`Column`](super::Column) for the block before it. Its sum is right.
    Column(BlockHeader),
    /// The index of a member.
    Index(BlockHeader),
    /// The end of a member; another may follow.
    End(Footer),
}

/// Reads an archive forward.
///
/// It has no input of its own: the caller brings the [next](Parser::wanted) bytes, and learns [what](Event) they are. Every
/// length is checked against its limit before it is asked for. Records and blocks are counted over all members.
///
/// ```
/// # use komabako_archive::{ArchiveError, Event, Parser};
/// fn blocks(mut archive: &[u8]) -> Result<usize, ArchiveError> {
///     let mut parser = Parser::new();
///     let mut blocks = 0;
///     while !(archive.is_empty() && parser.may_end()) {
///         let bytes = archive.split_off(..parser.wanted()).ok_or_else(|| parser.truncated())?;
///         if let Event::Block(_) = parser.accept(bytes)? {
///             blocks += 1;
///         }
///     }
///     Ok(blocks)
/// }
/// assert!(blocks(b"no archive").is_err());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Parser {
    next: Next,
    /// The start of the next bytes.
    offset: u64,
    /// The records of the members before this one.
    records_before: u64,
    member: Member,
    /// The blocks of records so far, in all members.
    blocks: u64,
    source: Option<Source>,
}

#[derive(Clone, Debug, Default)]
struct Member {
    start: u64,
    /// The blocks that were read, which the index must repeat.
    index: Index,
    /// The sums of these blocks' records, but for the first `unread` of them, which only an index has told.
    sums: Vec<u64>,
    unread: usize,
    /// The offset of the index, once it was read.
    index_offset: u64,
    /// Whether blocks are missing in `index`.
    has_gap: bool,
}

#[derive(Clone, Debug, Default)]
enum Next {
    #[default]
    Fixed,
    Metadata([u8; Header::FIXED], usize),
    BlockHeader,
    Payload(BlockHeader),
    Footer,
}

impl Parser {
    /// A parser at the start of an archive.
    pub fn new() -> Parser {
        Parser::default()
    }

    /// A parser that stands at a block: `offset` bytes after the `start` of its member, behind the blocks of an index and the
    /// records of members before.
    pub fn within(start: u64, offset: u64, records_before: u64, before: Index, source: Source) -> Parser {
        Parser {
            next: Next::BlockHeader,
            offset: start + offset,
            records_before,
            blocks: before.blocks.len() as u64,
            member: Member { start, unread: before.blocks.len(), index: before, ..Member::default() },
            source: Some(source),
        }
    }

    /// Goes on at a block that was [found](super::find_block) behind damage, at an offset of the archive. Returns the number of
    /// records before it that are lost. What comes between is not compared with the member's index any more.
    ///
    /// `None`, without a change, if the block is not to be read: it is here a second time or too late, so that its records would have
    /// the numbers of others; or it is the column of a lost block.
    pub fn resume(&mut self, offset: u64, header: &BlockHeader) -> Option<u64> {
        let before = self.member.index.records();
        let mut lost = 0;
        if header.codec == USER_COLUMN {
            if !self.member.has_column(header) {
                return None;
            }
        } else if header.first >= before {
            lost = header.first - before;
            self.member.pass(lost);
        } else if header.holds_records() && self.member.contradicts(header) {
            // Another member, whose start is damaged with the end of the one before it.
            lost = header.first;
            self.records_before = self.record();
            self.member = Member { start: offset, ..Member::default() };
            self.member.pass(lost);
        } else {
            return None;
        }
        self.member.has_gap = true;
        self.offset = offset;
        self.next = Next::BlockHeader;
        Some(lost)
    }

    /// Goes on at a member that was [found](super::find_magic) behind damage, at an offset of the archive, `lost` records after those
    /// that were read.
    pub fn resume_member(&mut self, offset: u64, lost: u64) {
        self.member.pass(lost);
        self.offset = offset;
        self.next = Next::Fixed;
    }

    /// The format of the records, once a header has told it or the caller has found it.
    pub fn source(&self) -> Option<Source> {
        self.source
    }

    /// Takes the records to be of a format, which a block has shown where the header is damaged.
    pub fn set_source(&mut self, source: Source) {
        self.source = Some(source);
    }

    /// The number of bytes to bring next.
    pub fn wanted(&self) -> usize {
        match &self.next {
            Next::Fixed => Header::FIXED,
            Next::Metadata(_, length) => *length,
            Next::BlockHeader => BlockHeader::SIZE,
            Next::Payload(header) => header.payload as usize,
            Next::Footer => Footer::SIZE,
        }
    }

    /// Whether the archive may end here: after a member.
    pub fn may_end(&self) -> bool {
        matches!(self.next, Next::Fixed) && self.offset > 0
    }

    /// Whether the next bytes are the payload of a block of records.
    pub fn is_at_records(&self) -> bool {
        matches!(&self.next, Next::Payload(header) if header.holds_records())
    }

    /// The start of the next bytes.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// The number of the next record, over all members.
    pub fn record(&self) -> u64 {
        self.records_before.saturating_add(self.member.index.records())
    }

    /// The number of records of this member so far, those that are lost included.
    pub fn records_of_member(&self) -> u64 {
        self.member.index.records()
    }

    /// The error for an archive that ends before the [wanted](Parser::wanted) bytes.
    pub fn truncated(&self) -> ArchiveError {
        self.error(Fault::Truncated)
    }

    /// The error for an archive that ends before the wanted bytes, though what is left has a whole block among it: their length is
    /// wrong, or a part is missing.
    pub fn cut(&self) -> ArchiveError {
        self.error(match &self.next {
            Next::Payload(_) => Fault::PayloadSum,
            // What else is read is shorter than a block.
            _ => Fault::HeaderSum,
        })
    }

    /// The error for a fault in the next bytes.
    pub fn error(&self, fault: Fault) -> ArchiveError {
        let offset = match &self.next {
            // A header is one thing, though it is read in two parts.
            Next::Metadata(..) => self.member.start,
            _ => self.offset,
        };
        let lost = match &self.next {
            Next::Payload(header) if header.holds_records() => u64::from(header.records),
            _ => 0,
        };
        ArchiveError { offset, block: self.blocks, record: self.record(), lost, fault }
    }

    /// Reads the next bytes.
    ///
    /// # Errors
    /// What is wrong with them, and where. After [`Fault::PayloadSum`], [`Fault::Column`] and [`Fault::Index`] the parser stands
    /// behind the block and may go on.
    ///
    /// # Panics
    /// If they are not as many as [wanted](Parser::wanted).
    pub fn accept(&mut self, bytes: &[u8]) -> Result<Event, ArchiveError> {
        assert_eq!(bytes.len(), self.wanted(), "the parser says how many bytes it wants");
        let place = self.error(Fault::Truncated);
        self.read(bytes).map_err(|fault| ArchiveError { fault, ..place })
    }

    fn read(&mut self, bytes: &[u8]) -> Result<Event, Fault> {
        let offset = self.offset;
        let event = match core::mem::take(&mut self.next) {
            Next::Fixed => {
                let fixed = bytes.first_chunk().ok_or(Fault::Truncated)?;
                self.records_before = self.record();
                self.member = Member { start: offset, ..Member::default() };
                let rest = Header::length_of_rest(fixed)?;
                self.next = Next::Metadata(*fixed, rest);
                Event::Part
            }
            Next::Metadata(fixed, _) => {
                let mut whole = fixed.to_vec();
                whole.extend_from_slice(bytes);
                let header = Header::parse(&whole).inspect_err(|fault| {
                    // It names the format all the same: the members behind it have no other.
                    if fault.is_unsupported() {
                        self.source = self.source.or(Source::from_number(fixed[Header::SOURCE as usize]));
                    }
                })?;
                if self.source.is_some_and(|source| source != header.source) {
                    return Err(Fault::MixedSources);
                }
                self.source = Some(header.source);
                self.next = Next::BlockHeader;
                Event::Header(header)
            }
            Next::BlockHeader => {
                let header = BlockHeader::parse(bytes.first_chunk().ok_or(Fault::Truncated)?)?;
                self.check_first(&header)?;
                self.next = Next::Payload(header);
                Event::Part
            }
            Next::Payload(header) => {
                self.offset += bytes.len() as u64;
                self.next = if header.is_index() { Next::Footer } else { Next::BlockHeader };
                return self.payload(header, offset - BlockHeader::SIZE as u64, bytes);
            }
            Next::Footer => {
                let footer = Footer::parse(bytes.first_chunk().ok_or(Fault::Truncated)?)?;
                let length = offset + Footer::SIZE as u64 - self.member.start;
                let index = self.member.index_offset;
                let read = Footer { length, records: self.member.index.records(), index };
                if footer != read && !self.member.has_gap {
                    return Err(Fault::Footer);
                }
                Event::End(footer)
            }
        };
        self.offset += bytes.len() as u64;
        Ok(event)
    }

    /// Checks the number of a block's first record. A column that belongs to no block is named once its payload was read.
    fn check_first(&self, header: &BlockHeader) -> Result<(), Fault> {
        let expected = self.member.index.records();
        if header.first == expected || header.codec == USER_COLUMN {
            return Ok(());
        }
        Err(Fault::FirstRecord { expected, found: header.first })
    }

    /// Reads a payload; the header of its block is at `offset`.
    fn payload(&mut self, header: BlockHeader, offset: u64, payload: &[u8]) -> Result<Event, Fault> {
        let offset = offset - self.member.start;
        if header.holds_records() {
            // Whether its payload is whole or not, the records after it have their numbers.
            self.blocks += 1;
            let entry = IndexEntry { offset, first: header.first, records: header.records };
            self.member.index.blocks.push(entry);
            self.member.sums.push(header.records_sum);
        }
        if header.is_index() {
            self.member.index_offset = offset;
            let is_sound = header.check_payload(payload).is_ok() && header.records_sum == header.payload_sum;
            let is_of_blocks = Index::parse(payload)? == self.member.index || self.member.has_gap;
            return if is_sound && is_of_blocks { Ok(Event::Index(header)) } else { Err(Fault::Index) };
        }
        if header.holds_records() {
            header.check_payload(payload)?;
            return Ok(Event::Block(header));
        }
        if header.check_payload(payload).is_err() || !self.member.has_column(&header) {
            return Err(Fault::Column);
        }
        Ok(Event::Column(header))
    }
}

impl Member {
    /// Leaves a gap of lost records, so that those after it keep their numbers.
    fn pass(&mut self, lost: u64) {
        let first = self.index.records().saturating_add(lost);
        self.index.blocks.push(IndexEntry { offset: 0, first, records: 0 });
        self.sums.push(0);
    }

    /// Whether a column is one of the block before it.
    fn has_column(&self, column: &BlockHeader) -> bool {
        let last = self.index.blocks.last();
        last.is_some_and(|last| (last.first, last.records) == (column.first, column.records))
    }

    /// Whether blocks that were read have other records with the numbers of a block's: then it belongs to another member.
    fn contradicts(&self, header: &BlockHeader) -> bool {
        let end = header.first + u64::from(header.records);
        let blocks = &self.index.blocks;
        let start = blocks.partition_point(|block| block.first + u64::from(block.records) <= header.first);
        let read = blocks.iter().enumerate().skip(start.max(self.unread));
        let mut overlapping = read.take_while(|(_, block)| block.first < end);
        overlapping.any(|(number, block)| {
            let sum = self.sums[number - self.unread];
            let is_same =
                (block.first, block.records, sum) == (header.first, header.records, header.records_sum);
            // A gap has no records.
            block.records > 0 && !is_same
        })
    }
}

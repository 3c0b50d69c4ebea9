//! [`ArchiveReader`]: the records of an archive as a stream of bytes.

use std::collections::VecDeque;
use std::io::{self, Read};
use std::ops::Range;
use std::thread::{self, JoinHandle};

use komabako_archive::{
    ArchiveError, BlockHeader, Column, Event, Fault, Footer, Joints, Parser, Source, decode_range,
    decode_with_joints,
};

use super::{Contents, MOST_RESERVED, failure};
use crate::io::compression::Content;

/// Reads the records of an archive. Blocks are decoded on several threads, but the first: often no more is read than its start.
///
/// After an error in a block it may be read on: the next whole block follows, found by its sync.
pub(crate) struct ArchiveReader<'a> {
    content: Content<'a>,
    /// Bytes that were read too far while looking for a block; they come before the rest of the content.
    ahead: io::Cursor<Vec<u8>>,
    parser: Parser,
    /// What was found, for others.
    contents: Contents,
    /// Blocks that were read ahead.
    blocks: VecDeque<Block>,
    /// Whether no more blocks can be read.
    is_at_end: bool,
    /// The records of a block, and the number of their bytes that were passed on.
    records: Vec<u8>,
    passed: usize,
    /// The numbers of the records to pass on. Those before them are left out by their numbers, whatever damage lies between.
    wanted: Range<u64>,
    is_first: bool,
}

/// The bytes that are searched for a block at a time.
const SEARCHED: u64 = 1 << 16;

/// A block's records with how they are joined, or what is wrong with it.
type Decoded = Result<(Vec<u8>, Joints), ArchiveError>;

/// A block's records, or the thread that decodes them; or why it could not be read.
enum Block {
    Failed(io::Error),
    Decoded(Decoded),
    Decoding(JoinHandle<Decoded>),
}

impl<'a> ArchiveReader<'a> {
    /// A reader of a whole archive.
    pub fn new(content: Content<'a>, contents: Contents) -> ArchiveReader<'a> {
        ArchiveReader::of_range(content, Parser::new(), 0..u64::MAX, contents)
    }

    /// A reader of the records with some numbers, which starts at a block, where the parser stands. Blocks that have other records
    /// too are decoded as far as needed.
    pub fn of_range(
        content: Content<'a>,
        parser: Parser,
        wanted: Range<u64>,
        contents: Contents,
    ) -> ArchiveReader<'a> {
        ArchiveReader {
            content,
            ahead: io::Cursor::default(),
            parser,
            contents,
            blocks: VecDeque::new(),
            is_at_end: false,
            records: Vec::new(),
            passed: 0,
            wanted,
            is_first: true,
        }
    }

    /// Reads the next block of wanted records, if there is one.
    fn read_block(&mut self) -> io::Result<Option<(ArchiveError, BlockHeader, Vec<u8>)>> {
        loop {
            if self.parser.record() >= self.wanted.end && self.parser.is_at_records() {
                return Ok(None);
            }
            let wanted = self.parser.wanted();
            let mut bytes = Vec::with_capacity(wanted.min(MOST_RESERVED));
            self.ahead.by_ref().take(wanted as u64).read_to_end(&mut bytes)?;
            self.content.by_ref().take((wanted - bytes.len()) as u64).read_to_end(&mut bytes)?;
            if bytes.is_empty() && wanted > 0 && self.parser.may_end() {
                return Ok(None);
            }
            if bytes.len() < wanted && komabako_archive::find_block(&bytes).is_some() {
                return Err(failure(self.find_block(self.parser.cut(), bytes)?));
            }
            if bytes.len() < wanted {
                return Err(failure(self.parser.truncated()));
            }
            // The place of what is found wrong only when the block is decoded.
            let place = self.parser.error(Fault::RecordsSum);
            let event = match self.parser.accept(&bytes) {
                Ok(event) => event,
                // The parser stands behind the block.
                Err(error) if matches!(error.fault, Fault::PayloadSum | Fault::Column | Fault::Index) => {
                    return Err(failure(error));
                }
                Err(error) if error.fault.can_be_passed() => {
                    return Err(failure(self.find_block(error, bytes)?));
                }
                Err(error) => return Err(failure(error)),
            };
            self.contents.update(|summary| summary.bytes = summary.bytes.max(self.parser.offset()));
            match event {
                Event::Block(header) => {
                    self.contents.update(|summary| summary.add_block(header.codec));
                    return Ok(Some((place, header, bytes)));
                }
                Event::Header(header) => self.contents.update(|summary| summary.add_header(header)),
                Event::Column(_) => {
                    let name = Column::name_of(&bytes).unwrap_or("?");
                    self.contents.update(|summary| summary.add_column(name));
                }
                Event::Part | Event::Index(_) | Event::End(_) => {}
            }
        }
    }

    /// Looks for the next block or member behind damage in some bytes, where the parser stands. Returns the error with the records
    /// that are lost.
    fn find_block(&mut self, error: ArchiveError, damaged: Vec<u8>) -> io::Result<ArchiveError> {
        // Not the damaged header itself again.
        let skipped = usize::from(matches!(error.fault, Fault::MetadataLength(_)));
        let mut start = self.parser.offset() + skipped as u64;
        let mut bytes = damaged;
        bytes.drain(..skipped.min(bytes.len()));
        loop {
            let block = komabako_archive::find_block(&bytes);
            let member = komabako_archive::find_magic(&bytes);
            let (place, error) = match (block, member) {
                (Some((place, header)), member) if member.is_none_or(|member| place < member) => {
                    let lost = self.parser.resume(start + place as u64, &header);
                    (Some(place), ArchiveError { lost, ..error })
                }
                (_, Some(place)) => {
                    let error = self.before_end(error, &bytes[..place]);
                    self.parser.resume_member(start + place as u64);
                    (Some(place), error)
                }
                (_, None) => (None, error),
            };
            if let Some(place) = place {
                bytes.drain(..place);
                let rest = self.ahead.position() as usize;
                bytes.extend_from_slice(&self.ahead.get_ref()[rest..]);
                self.ahead = io::Cursor::new(bytes);
                return Ok(error);
            }
            // A header may begin in the last bytes.
            let passed = bytes.len().saturating_sub(BlockHeader::SIZE - 1);
            start += passed as u64;
            bytes.drain(..passed);
            let known = bytes.len();
            self.ahead.by_ref().take(SEARCHED).read_to_end(&mut bytes)?;
            self.content.by_ref().take(SEARCHED).read_to_end(&mut bytes)?;
            if bytes.len() == known {
                self.is_at_end = true;
                let error = self.before_end(error, &bytes);
                let is_of_header =
                    matches!(error.fault, Fault::Magic | Fault::MetadataLength(_) | Fault::HeaderSum);
                // What the header was that of is not known.
                return Ok(if is_of_header {
                    ArchiveError { fault: Fault::NoBlock, ..error }
                } else {
                    error
                });
            }
        }
    }

    /// The error of damage behind which a member ends, with some bytes: a footer tells how many records are lost. If none are, what is
    /// damaged is the index.
    fn before_end(&self, error: ArchiveError, bytes: &[u8]) -> ArchiveError {
        let footer = bytes.last_chunk().and_then(|bytes| Footer::parse(bytes).ok());
        let Some(footer) = footer else { return error };
        if error.fault.spares_records() {
            return error;
        }
        match footer.records.checked_sub(self.parser.records_of_member()) {
            Some(0) => ArchiveError { fault: Fault::Index, lost: 0, ..error },
            Some(lost) if error.lost == 0 => ArchiveError { lost, ..error },
            _ => error,
        }
    }

    /// Reads blocks ahead and starts to decode them.
    fn read_ahead(&mut self) {
        let threads = self.contents.threads();
        let most = if self.is_first { 1 } else { threads };
        while self.blocks.len() < most && !self.is_at_end {
            match self.read_block() {
                Ok(Some((place, header, payload))) => {
                    if self.parser.source().is_none()
                        && let Some(source) = super::source_of_block(&header, &payload)
                    {
                        self.parser.set_source(source);
                    }
                    let source = self.parser.source().unwrap_or(Source::Psv);
                    let in_block =
                        |record: u64| record.saturating_sub(place.record).min(header.records.into());
                    let part = in_block(self.wanted.start) as usize..in_block(self.wanted.end) as usize;
                    let decode = move |payload: &[u8]| {
                        decode_part(source, &header, payload, part)
                            .map_err(|fault| ArchiveError { fault, ..place })
                    };
                    let block = if self.is_first || threads == 1 {
                        Block::Decoded(decode(&payload))
                    } else {
                        Block::start(payload, decode)
                    };
                    self.blocks.push_back(block);
                    self.is_first = false;
                }
                Ok(None) => self.is_at_end = true,
                Err(error) => {
                    self.is_at_end |=
                        !super::damage(&error).is_some_and(|damage| damage.fault.can_be_passed());
                    self.blocks.push_back(Block::Failed(error));
                }
            }
        }
    }
}

/// Decodes some records of a block. Only of a whole block is it known how they are joined.
fn decode_part(
    source: Source,
    header: &BlockHeader,
    payload: &[u8],
    part: Range<usize>,
) -> Result<(Vec<u8>, Joints), Fault> {
    if part == (0..header.records as usize) {
        return decode_with_joints(source, header, payload);
    }
    Ok((decode_range(source, header, payload, part)?, Joints::default()))
}

impl Block {
    /// Decodes a payload on a thread, or on this one if the system refuses another.
    fn start(payload: Vec<u8>, decode: impl FnOnce(&[u8]) -> Decoded + Clone + Send + 'static) -> Block {
        let payload = std::sync::Arc::new(payload);
        let of_thread = (std::sync::Arc::clone(&payload), decode.clone());
        match thread::Builder::new().spawn(move || of_thread.1(&of_thread.0)) {
            Ok(thread) => Block::Decoding(thread),
            Err(_) => Block::Decoded(decode(&payload)),
        }
    }

    fn wait(self) -> io::Result<(Vec<u8>, Joints)> {
        let decoded = match self {
            Block::Failed(error) => return Err(error),
            Block::Decoded(records) => records,
            Block::Decoding(thread) => thread.join().map_err(|_| io::Error::other("a decoder panicked"))?,
        };
        decoded.map_err(failure)
    }
}

impl Read for ArchiveReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.passed == self.records.len() {
            self.read_ahead();
            let Some(block) = self.blocks.pop_front() else { return Ok(0) };
            self.records.clear();
            self.passed = 0;
            let (records, joints) = block.wait()?;
            self.records = records;
            self.contents.update(|summary| summary.add_records(joints));
        }
        let rest = &self.records[self.passed..];
        let length = rest.len().min(buffer.len());
        buffer[..length].copy_from_slice(&rest[..length]);
        self.passed += length;
        Ok(length)
    }
}

//! [`ArchiveReader`]: the records of an archive as a stream of bytes.

use std::collections::VecDeque;
use std::io::{self, Read};
use std::ops::Range;
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use komabako_archive::{
    ArchiveError, BlockHeader, Column, Event, Fault, Footer, Joints, Parser, Source, decode_into,
    decode_range,
};

use super::{Contents, Kept, MOST_RESERVED, failure};
use crate::Name;
use crate::io::compression::Content;
use crate::io::error::{Tail, TailCause};

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
    /// The memory of blocks that were passed on, for the next ones.
    spare: Vec<Vec<u8>>,
    /// The records of all blocks that were passed on, if they are kept.
    kept: Option<Vec<Vec<u8>>>,
    /// Once there is more than one block to decode.
    decoders: Option<Decoders>,
    /// The numbers of the records to pass on. Those before them are left out by their numbers, whatever damage lies between.
    wanted: Range<u64>,
    is_first: bool,
}

/// The bytes that are searched for a block at a time.
const SEARCHED: u64 = 1 << 16;

/// A block's records with how they are joined, or what is wrong with it.
type Decoded = Result<(Vec<u8>, Joints), ArchiveError>;

/// A block's records, once they are decoded; or why it could not be read.
enum Block {
    Failed(io::Error),
    Decoded(Decoded),
    Decoding(Receiver<Decoded>),
}

/// A block to decode.
struct Work {
    source: Source,
    header: BlockHeader,
    payload: Vec<u8>,
    /// The wanted records.
    part: Range<usize>,
    place: ArchiveError,
    /// Memory for the records.
    records: Vec<u8>,
}

impl<'a> ArchiveReader<'a> {
    /// A reader of a whole archive.
    pub fn new(content: Content<'a>, contents: Contents) -> ArchiveReader<'a> {
        let kept = contents.keeps_records().then(Vec::new);
        ArchiveReader { kept, ..ArchiveReader::of_range(content, Parser::new(), 0..u64::MAX, contents) }
    }

    /// The same of an archive that will be read to its end: the first block is not decoded alone.
    pub fn decoding_ahead(self) -> ArchiveReader<'a> {
        ArchiveReader { is_first: false, ..self }
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
            spare: Vec::new(),
            kept: None,
            decoders: None,
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
                return Err(failure(self.find_block(self.parser.cut(), self.parser.offset(), bytes)?));
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
                    // A payload that is cut off has taken what follows for its rest.
                    if komabako_archive::find_block(&bytes).is_some()
                        || komabako_archive::find_magic(&bytes).is_some()
                    {
                        let start = self.parser.offset() - bytes.len() as u64;
                        return Err(failure(self.find_block(error, start, bytes)?));
                    }
                    return Err(failure(error));
                }
                Err(error) if error.fault.can_be_passed() => {
                    return Err(failure(self.find_block(error, self.parser.offset(), bytes)?));
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

    /// Looks for the next block or member behind damage in some bytes, which start at an offset of the archive; behind a header whose
    /// member is of another kind, for the next member. Returns the error with the records that are lost.
    fn find_block(&mut self, error: ArchiveError, offset: u64, damaged: Vec<u8>) -> io::Result<ArchiveError> {
        // The records of a damaged payload, which the parser has passed.
        let passed = if self.parser.record() > error.record { error.lost } else { 0 };
        // Not the damaged header itself again.
        let skipped = usize::from(matches!(error.fault, Fault::MetadataLength(_)));
        let mut start = offset + skipped as u64;
        let mut bytes = damaged;
        bytes.drain(..skipped.min(bytes.len()));
        loop {
            let member = komabako_archive::find_magic(&bytes);
            let block = if error.fault.is_of_member() {
                None
            } else {
                self.resume_at_block(start, &bytes[..member.unwrap_or(bytes.len())])
            };
            let (place, error) = match (block, member) {
                (Some((place, lost)), _) => (Some(place), ArchiveError { lost: passed + lost, ..error }),
                (None, Some(place)) => {
                    let error = self.before_end(error, &bytes[..place]);
                    self.parser.resume_member(start + place as u64, error.lost - passed);
                    (Some(place), error)
                }
                (None, None) => (None, error),
            };
            if let Some(place) = place {
                bytes.drain(..place);
                let rest = self.ahead.position() as usize;
                bytes.extend_from_slice(&self.ahead.get_ref()[rest..]);
                self.ahead = io::Cursor::new(bytes);
                return Ok(error);
            }
            // A header may begin in the last bytes.
            let searched = bytes.len().saturating_sub(BlockHeader::SIZE - 1);
            start += searched as u64;
            bytes.drain(..searched);
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

    /// Lets the parser go on at the first block that is to be read in some bytes, which start at an offset of the archive. Returns the
    /// block's place, and the number of records before it that are lost.
    fn resume_at_block(&mut self, offset: u64, bytes: &[u8]) -> Option<(usize, u64)> {
        let mut start = 0;
        while let Some((place, header)) = komabako_archive::find_block(&bytes[start..]) {
            let place = start + place;
            if let Some(lost) = self.parser.resume(offset + place as u64, &header) {
                return Some((place, lost));
            }
            start = place + 1;
        }
        None
    }

    /// The error of damage behind which a member ends, with some bytes: a footer tells how many records are lost. If none are, what is
    /// damaged is the index.
    fn before_end(&self, error: ArchiveError, bytes: &[u8]) -> ArchiveError {
        let footer = bytes.last_chunk().and_then(|bytes| Footer::parse(bytes).ok());
        let Some(footer) = footer else { return error };
        // What ends a member of another version is not known.
        if error.fault.spares_records() || matches!(error.fault, Fault::MajorVersion(_)) {
            return error;
        }
        match footer.records.checked_sub(self.parser.records_of_member()) {
            Some(0) if error.lost == 0 && !error.fault.is_of_member() => {
                ArchiveError { fault: Fault::Index, lost: 0, ..error }
            }
            Some(lost) if error.lost == 0 => ArchiveError { lost, ..error },
            _ => error,
        }
    }

    /// Reads on without decoding, to the first member of another kind, if any.
    pub fn find_other_member(mut self, input: Name) -> io::Result<Option<Tail>> {
        while !self.is_at_end {
            match self.read_block() {
                Ok(Some(_)) => {}
                Ok(None) => break,
                Err(error) => {
                    let Some(error) = super::damage(&error) else { return Err(error) };
                    if error.fault.is_of_member() {
                        let size = self.parser.source().map_or(0, Source::record_size);
                        let offset = error.record.saturating_mul(size as u64);
                        let cause = TailCause::Archive(error);
                        return Ok(Some(Tail { input, records: error.record, offset, length: 0, cause }));
                    }
                    if !error.fault.can_be_passed() {
                        break;
                    }
                }
            }
        }
        Ok(None)
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
                    let records = self.spare.pop().unwrap_or_default();
                    let work = Work { source, header, payload, part, place, records };
                    let block = if self.is_first || threads == 1 {
                        Block::Decoded(work.decode())
                    } else {
                        self.decoders.get_or_insert_with(|| Decoders::start(threads)).decode(work)
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

impl Work {
    /// Only of a whole block is it known how the records are joined.
    fn decode(self) -> Decoded {
        let Work { source, header, payload, part, place, mut records } = self;
        let decoded = if part == (0..header.records as usize) {
            decode_into(source, &header, &payload, &mut records).map(|joints| (records, joints))
        } else {
            decode_range(source, &header, &payload, part).map(|records| (records, Joints::default()))
        };
        decoded.map_err(|fault| ArchiveError { fault, ..place })
    }
}

/// Threads that decode blocks. They end when this is dropped.
struct Decoders(Sender<(Work, Sender<Decoded>)>);

impl Decoders {
    /// Starts them, as many as the system allows.
    fn start(threads: usize) -> Decoders {
        let (sender, receiver) = mpsc::channel::<(Work, Sender<Decoded>)>();
        let receiver = Arc::new(Mutex::new(receiver));
        for _ in 0..threads {
            let receiver = Arc::clone(&receiver);
            let run = move || {
                loop {
                    let next = receiver.lock().unwrap_or_else(PoisonError::into_inner).recv();
                    let Ok((work, done)) = next else { return };
                    // The reader may be gone.
                    let _ = done.send(work.decode());
                }
            };
            if thread::Builder::new().spawn(run).is_err() {
                break;
            }
        }
        Decoders(sender)
    }

    /// Decodes a block on one of the threads; if none could be started, at once.
    fn decode(&self, work: Work) -> Block {
        let (done, decoded) = mpsc::channel();
        match self.0.send((work, done)) {
            Ok(()) => Block::Decoding(decoded),
            Err(mpsc::SendError((work, _))) => Block::Decoded(work.decode()),
        }
    }
}

impl Block {
    fn wait(self) -> io::Result<(Vec<u8>, Joints)> {
        let decoded = match self {
            Block::Failed(error) => return Err(error),
            Block::Decoded(records) => records,
            Block::Decoding(decoded) => decoded.recv().map_err(|_| io::Error::other("a decoder panicked"))?,
        };
        decoded.map_err(failure)
    }
}

impl Read for ArchiveReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.passed == self.records.len() {
            let is_first = self.is_first;
            self.passed = 0;
            if self.records.capacity() > 0 {
                let memory = self.kept.as_mut().unwrap_or(&mut self.spare);
                memory.push(std::mem::take(&mut self.records));
            }
            self.read_ahead();
            let Some(block) = self.blocks.pop_front() else {
                if let Some(kept) = self.kept.take() {
                    self.contents.set_kept(Kept::new(kept));
                }
                return Ok(0);
            };
            // All threads decode while this block is passed on.
            if !is_first {
                self.read_ahead();
            }
            // Of a damaged archive nothing is kept: each pass reports the damage.
            let (records, joints) = block.wait().inspect_err(|_| self.kept = None)?;
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

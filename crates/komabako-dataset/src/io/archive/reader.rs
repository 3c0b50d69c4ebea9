//! [`ArchiveReader`]: the records of an archive as a stream of bytes.

use std::collections::VecDeque;
use std::io::{self, Read};
use std::thread::{self, JoinHandle};

use komabako_archive::{ArchiveError, BlockHeader, Event, Fault, Parser, Source, decode_block};

use super::failure;

/// Reads the records of an archive. Blocks are decoded on several threads, but the first: often no more is read than its start.
pub(crate) struct ArchiveReader<R> {
    content: R,
    parser: Parser,
    source: Source,
    threads: usize,
    blocks: VecDeque<Block>,
    /// Why no more blocks are read.
    end: Option<Result<(), io::Error>>,
    /// The records of a block, and the number of their bytes that were passed on.
    records: Vec<u8>,
    passed: usize,
    /// Bytes to leave out at the start.
    skipped: usize,
    is_first: bool,
}

/// A block's records, or the thread that decodes them.
enum Block {
    Decoded(Result<Vec<u8>, ArchiveError>),
    Decoding(JoinHandle<Result<Vec<u8>, ArchiveError>>),
}

impl<R: Read> ArchiveReader<R> {
    /// A reader of a whole archive.
    pub fn new(content: R) -> ArchiveReader<R> {
        ArchiveReader::starting_at(content, Parser::new(), Source::Psv, 0)
    }

    /// A reader from a block on, but for bytes at its start. The parser stands there.
    pub fn starting_at(content: R, parser: Parser, source: Source, skipped: usize) -> ArchiveReader<R> {
        ArchiveReader {
            content,
            parser,
            source,
            threads: thread::available_parallelism().map_or(1, usize::from),
            blocks: VecDeque::new(),
            end: None,
            records: Vec::new(),
            passed: 0,
            skipped,
            is_first: true,
        }
    }

    /// Reads the next block of records, if there is one.
    fn read_block(&mut self) -> io::Result<Option<(ArchiveError, BlockHeader, Vec<u8>)>> {
        loop {
            let wanted = self.parser.wanted();
            let mut bytes = Vec::new();
            self.content.by_ref().take(wanted as u64).read_to_end(&mut bytes)?;
            if bytes.is_empty() && wanted > 0 && self.parser.may_end() {
                return Ok(None);
            }
            if bytes.len() < wanted {
                return Err(failure(self.parser.truncated()));
            }
            // The place of what is found wrong only when the block is decoded.
            let place = self.parser.error(Fault::RecordsSum);
            match self.parser.accept(&bytes).map_err(failure)? {
                Event::Header(header) => self.source = header.source,
                Event::Block(header) => return Ok(Some((place, header, bytes))),
                Event::Part | Event::Other(_) | Event::End(_) => {}
            }
        }
    }

    /// Reads blocks ahead and starts to decode them.
    fn read_ahead(&mut self) {
        let most = if self.is_first { 1 } else { self.threads };
        while self.blocks.len() < most && self.end.is_none() {
            match self.read_block() {
                Ok(Some((place, header, payload))) => {
                    let source = self.source;
                    let decode = move |payload: &[u8]| {
                        decode_block(source, &header, payload)
                            .map_err(|fault| ArchiveError { fault, ..place })
                    };
                    self.blocks.push_back(if self.is_first || self.threads == 1 {
                        Block::Decoded(decode(&payload))
                    } else {
                        Block::start(payload, decode)
                    });
                    self.is_first = false;
                }
                Ok(None) => self.end = Some(Ok(())),
                Err(error) => self.end = Some(Err(error)),
            }
        }
    }
}

impl Block {
    /// Decodes a payload on a thread, or on this one if the system refuses another.
    fn start(
        payload: Vec<u8>,
        decode: impl FnOnce(&[u8]) -> Result<Vec<u8>, ArchiveError> + Clone + Send + 'static,
    ) -> Block {
        let payload = std::sync::Arc::new(payload);
        let of_thread = (std::sync::Arc::clone(&payload), decode.clone());
        match thread::Builder::new().spawn(move || of_thread.1(&of_thread.0)) {
            Ok(thread) => Block::Decoding(thread),
            Err(_) => Block::Decoded(decode(&payload)),
        }
    }

    fn wait(self) -> io::Result<Vec<u8>> {
        let decoded = match self {
            Block::Decoded(records) => records,
            Block::Decoding(thread) => thread.join().map_err(|_| io::Error::other("a decoder panicked"))?,
        };
        decoded.map_err(failure)
    }
}

impl<R: Read> Read for ArchiveReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.passed == self.records.len() {
            self.read_ahead();
            let Some(block) = self.blocks.pop_front() else {
                // An error is passed on once; then the stream is at its end.
                return self.end.replace(Ok(())).unwrap_or(Ok(())).map(|()| 0);
            };
            match block.wait() {
                Ok(records) => self.records = records,
                Err(error) => {
                    self.records.clear();
                    self.passed = 0;
                    self.blocks.clear();
                    self.end = Some(Ok(()));
                    return Err(error);
                }
            }
            self.passed = self.skipped.min(self.records.len());
            self.skipped -= self.passed;
        }
        let rest = &self.records[self.passed..];
        let length = rest.len().min(buffer.len());
        buffer[..length].copy_from_slice(&rest[..length]);
        self.passed += length;
        Ok(length)
    }
}

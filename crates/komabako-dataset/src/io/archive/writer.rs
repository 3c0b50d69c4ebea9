//! [`ArchiveWriter`]: an archive of the records that are written to it.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::thread::{self, JoinHandle};

use komabako_archive::{Encoding, Header, Index, IndexEntry, encode_block, join_games};

use super::Archiving;

/// Writes an archive of one member. Blocks are encoded on several threads and written in order.
pub(crate) struct ArchiveWriter<W> {
    sink: W,
    archiving: Archiving,
    threads: usize,
    /// Records that are not yet put together to games.
    window: Vec<u8>,
    /// The records of the block that is not yet full.
    records: Vec<u8>,
    encoding: VecDeque<(u32, Block)>,
    /// The number of the next block's first record.
    first: u64,
    index: Index,
    offset: u64,
}

/// A block, or the thread that encodes it.
enum Block {
    Encoded(Vec<u8>),
    Encoding(JoinHandle<Vec<u8>>),
}

impl<W: Write> ArchiveWriter<W> {
    /// An archive whose header is written.
    pub fn new(mut sink: W, archiving: Archiving, threads: usize) -> io::Result<ArchiveWriter<W>> {
        let program = concat!("{\"program\":\"komabako ", env!("CARGO_PKG_VERSION"), "\"}");
        let order_lost = archiving.unordered.is_some();
        let header = Header { source: archiving.source, order_lost, metadata: program.into() };
        let header = header.to_bytes().map_err(io::Error::other)?;
        sink.write_all(&header)?;
        Ok(ArchiveWriter {
            sink,
            archiving,
            threads: threads.max(1),
            window: Vec::new(),
            records: Vec::new(),
            encoding: VecDeque::new(),
            first: 0,
            index: Index::default(),
            offset: header.len() as u64,
        })
    }

    /// Adds records, whose bytes may end within one, in their order.
    fn add(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        let block = self.archiving.block_records as usize * self.archiving.source.record_size();
        while !bytes.is_empty() {
            let (taken, rest) = bytes.split_at(bytes.len().min(block - self.records.len()));
            self.records.extend_from_slice(taken);
            if self.records.len() == block {
                self.end_block()?;
            }
            bytes = rest;
        }
        Ok(())
    }

    /// Adds the records that wait for those of their games.
    fn end_window(&mut self) -> io::Result<()> {
        let whole = self.window.len() - self.window.len() % self.archiving.source.record_size();
        let joined = join_games(self.archiving.source, &self.window[..whole]);
        self.window.drain(..whole);
        self.add(&joined)
    }

    /// Starts to encode the records so far as a block.
    fn end_block(&mut self) -> io::Result<()> {
        while self.encoding.len() >= self.threads {
            self.write_block()?;
        }
        let Archiving { source, codec, level, .. } = self.archiving;
        let records = std::mem::take(&mut self.records);
        let count = (records.len() / source.record_size()) as u32;
        let first = self.first;
        self.first += u64::from(count);
        let encoding = Encoding { level, ..Encoding::new(codec) };
        let records = std::sync::Arc::new(records);
        let of_thread = std::sync::Arc::clone(&records);
        let thread = thread::Builder::new().spawn(move || encode_block(source, &of_thread, first, &encoding));
        // On this thread if the system refuses another.
        let block = match thread {
            Ok(thread) => Block::Encoding(thread),
            Err(_) => Block::Encoded(encode_block(source, &records, first, &encoding)),
        };
        self.encoding.push_back((count, block));
        Ok(())
    }

    /// Writes the first of the blocks that are being encoded.
    fn write_block(&mut self) -> io::Result<()> {
        let Some((records, block)) = self.encoding.pop_front() else { return Ok(()) };
        let block = match block {
            Block::Encoded(block) => block,
            Block::Encoding(thread) => thread.join().map_err(|_| io::Error::other("an encoder panicked"))?,
        };
        self.sink.write_all(&block)?;
        let entry = IndexEntry { offset: self.offset, first: self.index.records(), records };
        self.index.blocks.push(entry);
        self.offset += block.len() as u64;
        Ok(())
    }

    /// Writes the last block, the index and the footer, and returns the sink.
    pub fn finish(mut self) -> io::Result<W> {
        self.end_window()?;
        if !(self.window.len() + self.records.len()).is_multiple_of(self.archiving.source.record_size()) {
            return Err(io::Error::other("the last record is not whole"));
        }
        if !self.records.is_empty() {
            self.end_block()?;
        }
        while !self.encoding.is_empty() {
            self.write_block()?;
        }
        let end = self.index.to_end(self.offset).map_err(io::Error::other)?;
        self.sink.write_all(&end)?;
        Ok(self.sink)
    }
}

impl<W: Write> Write for ArchiveWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let Some(memory) = self.archiving.unordered else {
            self.add(bytes)?;
            return Ok(bytes.len());
        };
        let most = self.archiving.window_records(memory) * self.archiving.source.record_size();
        let taken = &bytes[..bytes.len().min(most - self.window.len())];
        self.window.extend_from_slice(taken);
        if self.window.len() == most {
            self.end_window()?;
        }
        Ok(taken.len())
    }

    /// Records of a block that is not full stay until it is.
    fn flush(&mut self) -> io::Result<()> {
        self.sink.flush()
    }
}

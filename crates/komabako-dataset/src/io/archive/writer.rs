//! [`ArchiveWriter`]: an archive of the records that are written to it.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::thread::{self, JoinHandle};

use komabako_archive::{Encoding, Header, Index, IndexEntry, encode_block, join_games};

use crate::DatasetError;
use crate::io::input::check_stopped;

use super::{About, Archiving, GameSorter};

/// Writes an archive of one member. Blocks are encoded on several threads and written in order.
pub(crate) struct ArchiveWriter<W> {
    sink: W,
    archiving: Archiving,
    threads: usize,
    /// What the header says.
    about: About,
    /// The directory for temporary files.
    place: PathBuf,
    /// Records that are not yet put together to games; if there is a sorter, those that it does not have yet.
    window: Vec<u8>,
    /// Records that are put together in files, since memory is too small.
    sorter: Option<GameSorter>,
    /// The records of the block that is not yet full.
    records: Vec<u8>,
    encoding: VecDeque<(u32, Block)>,
    /// The number of the next block's first record.
    first: u64,
    index: Index,
    offset: u64,
}

/// The bytes of records that a sorter is given at once.
const SORTED: usize = 1 << 20;

/// A block, or the thread that encodes it.
enum Block {
    Encoded(Vec<u8>),
    Encoding(JoinHandle<Vec<u8>>),
}

impl<W: Write> ArchiveWriter<W> {
    /// An archive of which nothing is written yet.
    pub fn new(sink: W, archiving: Archiving, threads: usize) -> ArchiveWriter<W> {
        ArchiveWriter {
            sink,
            archiving,
            threads: threads.max(1),
            about: About::default(),
            place: std::env::temp_dir(),
            window: Vec::new(),
            sorter: None,
            records: Vec::new(),
            encoding: VecDeque::new(),
            first: 0,
            index: Index::default(),
            offset: 0,
        }
    }

    /// Sets what the header says besides the format, before records are written.
    pub fn describe(&mut self, about: About) {
        self.about = about;
    }

    /// Sets the directory for temporary files.
    pub fn spill_in(&mut self, place: &Path) {
        self.place = place.to_owned();
    }

    /// Writes the header, if that was not done.
    fn write_header(&mut self) -> io::Result<()> {
        if self.offset > 0 {
            return Ok(());
        }
        let order_lost = self.about.order_lost || self.archiving.unordered.is_some();
        let header =
            Header { source: self.archiving.source, order_lost, metadata: self.about.metadata.clone() };
        let header = header.to_bytes().map_err(io::Error::other)?;
        self.offset = header.len() as u64;
        self.sink.write_all(&header)
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

    /// Adds the records that wait for those of their games, to the archive or to the sorter.
    fn end_window(&mut self, memory: u64, is_last: bool) -> io::Result<()> {
        let whole = self.window.len() - self.window.len() % self.archiving.source.record_size();
        if self.sorter.is_none() && is_last {
            let joined = join_games(self.archiving.source, &self.window[..whole]);
            self.window.drain(..whole);
            return self.add(&joined);
        }
        let sorter = match self.sorter.take() {
            Some(sorter) => sorter,
            None => GameSorter::new(self.archiving.source, memory, self.threads, &self.place)
                .map_err(temporary)?,
        };
        let sorter = self.sorter.insert(sorter);
        sorter.add(&self.window[..whole]).map_err(temporary)?;
        self.window.drain(..whole);
        // The memory of the first window is the sorter's now.
        self.window.shrink_to(SORTED);
        if is_last || sorter.len() >= GameSorter::most(memory) {
            self.end_sorter()?;
        }
        Ok(())
    }

    /// Adds the records that a sorter has put together.
    fn end_sorter(&mut self) -> io::Result<()> {
        match self.sorter.take() {
            Some(sorter) => sorter.finish(|records| self.add(records)),
            None => Ok(()),
        }
    }

    /// The bytes of records that wait at most.
    fn window_bytes(&self, memory: u64) -> usize {
        let records = match &self.sorter {
            Some(sorter) => (SORTED / 40).min(GameSorter::most(memory) - sorter.len()),
            None => self.archiving.window_records(memory),
        };
        records * self.archiving.source.record_size()
    }

    /// Starts to encode the records so far as a block.
    fn end_block(&mut self) -> io::Result<()> {
        while self.encoding.len() >= self.threads {
            self.write_block()?;
        }
        let Archiving { source, codec, level, verify, .. } = self.archiving;
        let records = std::mem::take(&mut self.records);
        let count = (records.len() / source.record_size()) as u32;
        let first = self.first;
        self.first += u64::from(count);
        let encoding = Encoding { level, verify, ..Encoding::new(codec) };
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
        check_stopped()?;
        let Some((records, block)) = self.encoding.pop_front() else { return Ok(()) };
        let block = match block {
            Block::Encoded(block) => block,
            Block::Encoding(thread) => thread.join().map_err(|_| io::Error::other("an encoder panicked"))?,
        };
        self.write_header()?;
        self.sink.write_all(&block)?;
        let entry = IndexEntry { offset: self.offset, first: self.index.records(), records };
        self.index.blocks.push(entry);
        self.offset += block.len() as u64;
        Ok(())
    }

    /// Writes the last block, the index and the footer, and returns the sink.
    pub fn finish(mut self) -> io::Result<W> {
        if let Some(memory) = self.archiving.unordered {
            self.end_window(memory, true)?;
        }
        if !(self.window.len() + self.records.len()).is_multiple_of(self.archiving.source.record_size()) {
            return Err(io::Error::other("the last record is not whole"));
        }
        if !self.records.is_empty() {
            self.end_block()?;
        }
        while !self.encoding.is_empty() {
            self.write_block()?;
        }
        self.write_header()?;
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
        let most = self.window_bytes(memory);
        if self.window.len() >= most {
            self.end_window(memory, false)?;
        }
        let most = self.window_bytes(memory);
        let taken = &bytes[..bytes.len().min(most - self.window.len())];
        self.window.extend_from_slice(taken);
        Ok(taken.len())
    }

    /// Records of a block that is not full stay until it is.
    fn flush(&mut self) -> io::Result<()> {
        self.sink.flush()
    }
}

/// An error of a temporary file as one of writing the archive.
pub(super) fn temporary(error: DatasetError) -> io::Error {
    match error {
        DatasetError::Write(name, error) => io::Error::new(error.kind(), format!("{name}: {error}")),
        error => io::Error::other(error.to_string()),
    }
}

//! [`Picked`]: some records of an archive, of which only the blocks with these records are read.

use std::fs::File;
use std::io::{self, Read};
use std::ops::Range;
use std::sync::Arc;

use komabako_archive::{ArchiveError, BlockHeader, Fault, Source, decode_range};

use super::places::{BlockPlace, Members};
use super::{Contents, failure};
use crate::engine::threads::find_on_threads;
use crate::io::input::{Counter, Counting, Watch};

/// Some records of an archive in a file.
pub(crate) struct Picked {
    source: Source,
    /// All blocks.
    blocks: Vec<BlockPlace>,
    file: Counting<Arc<File>>,
    contents: Contents,
    /// The numbers of the records, ascending.
    numbers: Arc<[u64]>,
    /// How many of them are in `records` or before.
    read: usize,
    records: io::Cursor<Vec<u8>>,
}

/// A block that has records of them.
struct Block {
    place: BlockPlace,
    /// Its header and payload; `None` if they are damaged.
    content: Option<(BlockHeader, Vec<u8>)>,
    /// Which of the numbers are those of its records.
    numbers: Range<usize>,
}

impl Block {
    /// Decodes it from the first to the last of the records with some numbers, and takes them out of it.
    fn pick(&self, source: Source, numbers: &[u64]) -> Result<Vec<u8>, ArchiveError> {
        let numbers = &numbers[self.numbers.clone()];
        let (Some(&first), Some(&last)) = (numbers.first(), numbers.last()) else { return Ok(Vec::new()) };
        let range = (first - self.place.record) as usize..(last + 1 - self.place.record) as usize;
        let decoded = match &self.content {
            Some((header, payload)) => decode_range(source, header, payload, range),
            None => Err(Fault::BlockSum),
        };
        let records = decoded.map_err(|fault| self.place.error(fault))?;
        let mut picked = Vec::new();
        for number in numbers {
            let start = (number - first) as usize * source.record_size();
            picked.extend_from_slice(&records[start..start + source.record_size()]);
        }
        Ok(picked)
    }
}

impl Picked {
    /// The records with some numbers, ascending, of an archive in a file.
    pub fn new(
        members: &Members,
        watch: &Watch,
        numbers: Arc<[u64]>,
        counter: &Counter,
        contents: Contents,
    ) -> Picked {
        let file = counter.counting(watch.file());
        let source = members.source();
        let blocks = members.blocks().collect();
        Picked { source, blocks, file, contents, numbers, read: 0, records: io::Cursor::default() }
    }

    /// Reads the next blocks with records, one for each thread.
    fn read_blocks(&mut self) -> io::Result<()> {
        let mut blocks = Vec::new();
        while blocks.len() < self.contents.threads()
            && let Some(&number) = self.numbers.get(self.read)
            && let Some(before) = self.blocks.partition_point(|block| block.record <= number).checked_sub(1)
        {
            let place = self.blocks[before];
            let end = place.record + place.records;
            let start = self.read;
            self.read += self.numbers[start..].partition_point(|&number| number < end);
            let content = place.read(&mut self.file)?;
            blocks.push(Block { place, content, numbers: start..self.read });
        }
        let source = self.source;
        let numbers = &self.numbers;
        let mut records = Vec::new();
        for picked in find_on_threads(blocks.iter(), |block| block.pick(source, numbers)) {
            records.append(&mut picked.map_err(failure)?);
        }
        self.records = io::Cursor::new(records);
        Ok(())
    }
}

impl Read for Picked {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.records.position() == self.records.get_ref().len() as u64 {
            self.read_blocks()?;
        }
        self.records.read(buffer)
    }
}

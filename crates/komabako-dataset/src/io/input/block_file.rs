//! [`BlockFile`]: a file of records whose blocks are read in any order.

use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;

use komabako_archive::{BlockHeader, Fault, decode_block};

use super::{Source, Watch};
use crate::block::{Cuts, StreamPlace};
use crate::io::archive::{BlockPlace, Members};
use crate::io::error::{Tail, TailCause};
use crate::move16::MoveEncoding;
use crate::{Block, Compression, DatasetError, FileFormat, Name, boundaries};

/// A file of records whose blocks are read in any order, from several threads: an uncompressed file, or an archive; or records in
/// memory.
///
/// ```no_run
/// use komabako_dataset::{Block, Input, Inputs};
/// let inputs = Inputs::examine(vec![Input::path("games.psv")], None, false)?;
/// let file = inputs.sources()[0].block_file(65_536)?.expect("a file that is not compressed");
/// let mut block = Block::default();
/// file.read_block(file.blocks() - 1, &mut Vec::new(), &mut block)?;
/// # Ok::<(), komabako_dataset::DatasetError>(())
/// ```
pub struct BlockFile {
    name: Name,
    format: FileFormat,
    moves: Option<MoveEncoding>,
    content: Content,
    places: Places,
}

/// Where the bytes are.
enum Content {
    File(Watch),
    Memory(Arc<[u8]>),
}

impl Content {
    fn size(&self) -> u64 {
        match self {
            Content::File(watch) => watch.stamp().bytes,
            Content::Memory(bytes) => bytes.len() as u64,
        }
    }

    fn check_unchanged(&self) -> Result<(), DatasetError> {
        match self {
            Content::File(watch) => watch.check_stamp(),
            Content::Memory(_) => Ok(()),
        }
    }

    fn read_at(&self, name: &Name, offset: u64, bytes: &mut [u8]) -> Result<(), DatasetError> {
        let watch = match self {
            Content::File(watch) => watch,
            Content::Memory(all) => {
                bytes.copy_from_slice(&all[offset as usize..][..bytes.len()]);
                return Ok(());
            }
        };
        match watch.read_exact_at(bytes, offset) {
            Ok(()) => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Err(watch.altered()),
            Err(error) => Err(DatasetError::Read { input: name.clone(), offset, error }),
        }
    }
}

/// Where the blocks are.
enum Places {
    /// Records of one size, and so many in each block but the last.
    Records { size: u64, block: u64, records: u64 },
    /// The blocks of an archive.
    Archive { members: Arc<Members>, blocks: Vec<BlockPlace> },
    /// The starts of blocks of whole games, and the end of the last.
    Games(Vec<StreamPlace>),
}

impl Source<'_> {
    /// The blocks of the file: those of an archive, otherwise of `records` each, the last shorter; of games as many whole ones as
    /// reach that number, which takes a scan. `None` if the input must be read from its start.
    ///
    /// # Errors
    /// The file cannot be read, or has changed since it was examined.
    pub fn block_file(&self, records: u64) -> Result<Option<BlockFile>, DatasetError> {
        let (Some(path), Some(stamp)) = (self.path(), self.stamp()) else { return Ok(None) };
        // An empty file whose name suggests no format has no records in any format.
        let format = self.detection().format.unwrap_or(FileFormat::Psv);
        let size = format.record_size().map(|size| size as u64);
        let watch = Watch::open(path, stamp)?;
        let places = match (self.find_members(&watch)?, size, self.is_compressed()) {
            (Some(members), ..) => {
                let blocks = members.blocks().collect();
                Places::Archive { members, blocks }
            }
            (None, Some(size), false) => {
                Places::Records { size, block: records, records: stamp.bytes / size }
            }
            (None, None, false) if format.holds_games() => Places::Games(self.scan_games(records)?),
            _ => return Ok(None),
        };
        let name = self.name().clone();
        Ok(Some(BlockFile { name, format, moves: self.moves(), content: Content::File(watch), places }))
    }

    /// The places of an archive's blocks. If they could not be read when it was examined, they are looked for again: without them, an
    /// archive whose index fails to be read would seem to have none.
    fn find_members(&self, watch: &Watch) -> Result<Option<Arc<Members>>, DatasetError> {
        let known = self.members();
        if known.is_some() || !matches!(self.detection().compression, Compression::Archive(_)) {
            return Ok(known);
        }
        match Members::find(&mut watch.file(), watch.stamp().bytes) {
            Ok(found) => Ok(found.map(Arc::new)),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(None),
            Err(error) => Err(DatasetError::Read { input: self.name().clone(), offset: 0, error }),
        }
    }

    /// The starts of blocks of whole games that reach a number of records, and the end of the last.
    fn scan_games(&self, records: u64) -> Result<Vec<StreamPlace>, DatasetError> {
        let mut starts = vec![StreamPlace::default()];
        let mut end = StreamPlace::default();
        self.each_block(0, false, &mut |block| {
            for game in block.games() {
                let start = starts[starts.len() - 1];
                if end.record - start.record >= records {
                    starts.push(end);
                }
                end.record += game.moves as u64;
                end.game += 1;
                end.offset = game.offset + game.bytes.len() as u64;
            }
            ControlFlow::Continue(())
        })?;
        starts.push(end);
        starts.dedup_by_key(|place| place.record);
        Ok(starts)
    }
}

impl BlockFile {
    /// Records of one size in memory, `block` of them in each block but the last. `None` if the format has no such records. Bytes
    /// after the last whole record are left out.
    pub fn in_memory(
        name: Name,
        format: FileFormat,
        moves: Option<MoveEncoding>,
        bytes: Arc<[u8]>,
        block: u64,
    ) -> Option<BlockFile> {
        let size = format.record_size()? as u64;
        let places = Places::Records { size, block, records: bytes.len() as u64 / size };
        Some(BlockFile { name, format, moves, content: Content::Memory(bytes), places })
    }

    /// Its name.
    pub fn name(&self) -> &Name {
        &self.name
    }

    /// The format of its records.
    pub fn format(&self) -> FileFormat {
        self.format
    }

    /// The size of the file in bytes.
    pub fn size(&self) -> u64 {
        self.content.size()
    }

    /// The number of its blocks.
    pub fn blocks(&self) -> u64 {
        match &self.places {
            Places::Records { block, records, .. } => records.div_ceil(*block),
            Places::Archive { blocks, .. } => blocks.len() as u64,
            Places::Games(starts) => starts.len() as u64 - 1,
        }
    }

    /// The number of its records.
    pub fn records(&self) -> u64 {
        match &self.places {
            Places::Records { records, .. } => *records,
            Places::Archive { blocks, .. } => blocks.last().map_or(0, |last| last.record + last.records),
            Places::Games(starts) => starts[starts.len() - 1].record,
        }
    }

    /// The number of the first record of a block.
    ///
    /// # Panics
    /// If there is no such block.
    pub fn first_record(&self, block: u64) -> u64 {
        match &self.places {
            Places::Records { block: size, .. } => block * size,
            Places::Archive { blocks, .. } => blocks[block as usize].record,
            Places::Games(starts) => starts[block as usize].record,
        }
    }

    /// The number of records of a block.
    ///
    /// # Panics
    /// If there is no such block.
    pub fn records_of(&self, block: u64) -> u64 {
        let end = if block + 1 < self.blocks() { self.first_record(block + 1) } else { self.records() };
        end - self.first_record(block)
    }

    /// Reads a block; `buffer` is for its bytes and is reused.
    ///
    /// # Errors
    /// [`DatasetError::Read`], [`DatasetError::Altered`] if the file has changed since it was examined, and
    /// [`DatasetError::Tail`] if a block of an archive is damaged.
    ///
    /// # Panics
    /// If there is no such block.
    pub fn read_block(
        &self,
        number: u64,
        buffer: &mut Vec<u8>,
        block: &mut Block,
    ) -> Result<(), DatasetError> {
        let records = self.records_of(number) as usize;
        match &self.places {
            Places::Records { size, .. } => {
                let first = self.first_record(number);
                let place = StreamPlace { record: first, offset: first * size, ..StreamPlace::default() };
                let size = *size as usize;
                self.refill(block, place, records * size)?;
                block.set_cuts(Cuts::Every { size, count: records });
            }
            Places::Archive { members, blocks } => {
                let place = blocks[number as usize];
                let size = members.source().record_size();
                let start = place.record * size as u64;
                block.restart(StreamPlace { record: place.record, offset: start, ..StreamPlace::default() });
                *block.buffer() = self.decode(members, &place, buffer)?;
                block.set_cuts(Cuts::Every { size, count: records });
            }
            Places::Games(starts) => {
                let start = starts[number as usize];
                let end = starts[number as usize + 1].offset;
                self.refill(block, start, (end - start.offset) as usize)?;
                let cut = boundaries::cut(self.format, block.bytes(), true, start.offset == 0);
                if cut.cuts.len() != records {
                    let Content::File(watch) = &self.content else { unreachable!("games are in a file") };
                    return Err(watch.altered());
                }
                block.set_cuts(cut.cuts);
            }
        }
        block.set_moves(self.moves);
        self.check_unchanged()
    }

    /// Appends the bytes of a record, in a file of records of one size.
    ///
    /// # Errors
    /// As [`read_block`](Self::read_block).
    ///
    /// # Panics
    /// If the records have no places of their own.
    pub fn read_record(&self, record: u64, bytes: &mut Vec<u8>) -> Result<(), DatasetError> {
        let Places::Records { size, .. } = self.places else { panic!("records of one size") };
        let start = bytes.len();
        bytes.resize(start + size as usize, 0);
        self.content.read_at(&self.name, record * size, &mut bytes[start..])
    }

    /// Whether every record can be read by itself.
    pub fn has_places(&self) -> bool {
        matches!(self.places, Places::Records { .. })
    }

    /// The encoding in which its moves are read, if not its format's own.
    pub fn moves(&self) -> Option<MoveEncoding> {
        self.moves
    }

    /// Checks that the file has not changed since it was examined.
    ///
    /// # Errors
    /// [`DatasetError::Altered`].
    pub fn check_unchanged(&self) -> Result<(), DatasetError> {
        self.content.check_unchanged()
    }

    /// Refills a block from a place in the file. Its bytes keep their length until then: they are not set to zero before they are
    /// read.
    fn refill(&self, block: &mut Block, place: StreamPlace, length: usize) -> Result<(), DatasetError> {
        let mut bytes = std::mem::take(block.buffer());
        let result = self.read(place.offset, length, &mut bytes);
        block.restart(place);
        *block.buffer() = bytes;
        result
    }

    /// Replaces the content of a buffer by bytes of the file.
    fn read(&self, offset: u64, length: usize, bytes: &mut Vec<u8>) -> Result<(), DatasetError> {
        bytes.resize(length, 0);
        self.content.read_at(&self.name, offset, bytes)
    }

    /// Decodes a block of an archive.
    fn decode(
        &self,
        members: &Members,
        place: &BlockPlace,
        buffer: &mut Vec<u8>,
    ) -> Result<Vec<u8>, DatasetError> {
        self.read(place.offset, BlockHeader::SIZE, buffer)?;
        let failed = |fault| {
            // What reads as damage may be a change.
            if let Err(altered) = self.check_unchanged() {
                return altered;
            }
            let cause = TailCause::Archive(place.error(fault));
            let offset = place.record * members.source().record_size() as u64;
            let tail = Tail { input: self.name.clone(), records: place.record, offset, length: 0, cause };
            DatasetError::Tail(Box::new(tail))
        };
        let header = buffer.first_chunk().ok_or_else(|| failed(Fault::Truncated))?;
        let header = BlockHeader::parse(header).map_err(failed)?;
        if u64::from(header.records) != place.records || header.first != place.first {
            return Err(failed(Fault::Index));
        }
        self.read(place.offset + BlockHeader::SIZE as u64, header.payload as usize, buffer)?;
        decode_block(members.source(), &header, buffer).map_err(failed)
    }
}

//! [`Inputs`]: files and streams of records whose formats are known.

mod counter;
mod opened;
mod stretches;
mod waiting;
mod watch;
mod window;

use std::fs;
use std::io::{self, Read};
use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub(crate) use self::counter::Counter;
pub(crate) use self::opened::{Opened, open};
pub(crate) use self::stretches::Spread;
pub(crate) use self::waiting::Stopped;
pub use self::waiting::{Waiting, stop_waiting_when};
pub(crate) use self::watch::{Stamp, Watch};
pub(crate) use self::window::Window;
use crate::block::Block;
use crate::io::archive::Members;
use crate::io::detect::{self, Content, Detection};
use crate::io::error::{Mismatch, Tail, TailCause};
use crate::io::name::Name;
use crate::move16::MoveEncoding;
use crate::{Compression, DatasetError, Field, FileFormat, Loss, Partition, RecordReader, losses};

/// A source of records.
pub enum Input<'a> {
    /// A file.
    Path(PathBuf),
    /// A stream, such as standard input, and its name for messages; the name's extension suggests a format, as a file's does.
    Stream(String, Box<dyn Read + Send + 'a>),
}

impl Input<'_> {
    /// A file.
    pub fn path(path: impl Into<PathBuf>) -> Self {
        Input::Path(path.into())
    }

    /// The name.
    pub fn name(&self) -> Name {
        match self {
            Input::Path(path) => Name::from(&**path),
            Input::Stream(name, _) => Name::Stream(name.as_str().into()),
        }
    }
}

/// An input whose format is known.
pub struct Source<'a> {
    name: Name,
    detection: Detection,
    /// Of a regular file, when it was examined.
    stamp: Option<Stamp>,
    content: SourceContent<'a>,
    /// The encoding in which its moves are read, if not its format's own.
    moves: Option<MoveEncoding>,
    /// Of an archive in a regular file, unless its ends are damaged.
    members: Option<Arc<Members>>,
}

/// The place of a source's content.
enum SourceContent<'a> {
    /// In a file, opened when its turn comes.
    File(PathBuf),
    /// In a stream that has been opened.
    Stream(Content<'a>),
}

/// The format that a path's extension names, before the extension of a [`Compression`] if it has one.
///
/// ```
/// use std::path::Path;
/// use komabako_dataset::{FileFormat, format_of};
/// assert_eq!(format_of(Path::new("a/b.psv.zst")), Some(FileFormat::Psv));
/// assert_eq!(format_of(Path::new("b.xz")), None);
/// ```
pub fn format_of(path: &Path) -> Option<FileFormat> {
    let inner = match Compression::from_path(path) {
        Compression::None => path,
        _ => Path::new(path.file_stem()?),
    };
    FileFormat::from_extension(inner.extension()?.to_str()?)
}

/// The members of an archive.
fn members_of(path: &Path, stamp: Stamp) -> Result<Option<Arc<Members>>, DatasetError> {
    let watch = Watch::open(path, stamp)?;
    // Whatever cannot be read here, its reader reports.
    Ok(Members::find(&mut watch.file(), stamp.bytes).unwrap_or(None).map(Arc::new))
}

impl<'a> Source<'a> {
    fn examine(input: Input<'a>, given: Option<FileFormat>, counter: &Counter) -> Result<Self, DatasetError> {
        let name = input.name();
        let path = match input {
            Input::Stream(_, stream) => {
                let hint = format_of(Path::new(&*name));
                let (detection, content) =
                    detect::open_stream(counter.counting(stream), &name, None, hint, given)?;
                return Ok(Source {
                    name,
                    detection,
                    stamp: None,
                    content: SourceContent::Stream(content),
                    moves: None,
                    members: None,
                });
            }
            Input::Path(path) => path,
        };
        let hint = format_of(&path);
        match open(&path)? {
            Opened::File(file, stamp) => {
                let (detection, _) = detect::open_stream(file, &name, Some(stamp.bytes), hint, given)?;
                let members = match detection.compression {
                    Compression::Archive(_) => members_of(&path, stamp)?,
                    _ => None,
                };
                let stamp = Some(stamp);
                let content = SourceContent::File(path);
                Ok(Source { name, detection, stamp, content, moves: None, members })
            }
            Opened::Stream(stream) => {
                let (detection, content) =
                    detect::open_stream(counter.counting(stream), &name, None, hint, given)?;
                let content = SourceContent::Stream(content);
                Ok(Source { name, detection, stamp: None, content, moves: None, members: None })
            }
        }
    }

    /// The input's name.
    pub fn name(&self) -> &Name {
        &self.name
    }

    /// The format and compression of the input.
    pub fn detection(&self) -> &Detection {
        &self.detection
    }

    /// The size of the input in bytes, if it is a regular file.
    pub fn size(&self) -> Option<u64> {
        self.stamp.map(|stamp| stamp.bytes)
    }

    /// The size and time that the input had when it was examined, if it is a regular file.
    pub(crate) fn stamp(&self) -> Option<Stamp> {
        self.stamp
    }

    /// Checks that the input is the file that a reader of it examined before, with this stamp.
    ///
    /// # Errors
    /// [`DatasetError::Altered`].
    pub(crate) fn check_stamp(&self, before: Option<Stamp>) -> Result<(), DatasetError> {
        match (self.path(), before) {
            (Some(path), Some(_)) if before != self.stamp => Err(DatasetError::Altered(path.to_owned())),
            _ => Ok(()),
        }
    }

    /// The path, if the input is a regular file and can be read any number of times.
    pub fn path(&self) -> Option<&Path> {
        match &self.content {
            SourceContent::File(path) => Some(path),
            SourceContent::Stream(_) => None,
        }
    }

    /// The encoding in which its moves are read, if not its format's own.
    pub(crate) fn moves(&self) -> Option<MoveEncoding> {
        self.moves
    }

    /// Sets the encoding in which its moves are read. Text and games keep their own.
    pub(crate) fn read_moves_in(&mut self, encoding: MoveEncoding) {
        let own = self.detection.format.filter(|format| format.record_size().is_some());
        let own = own.and_then(FileFormat::move_encoding);
        self.moves = own.filter(|&own| own != encoding).map(|_| encoding);
    }

    /// The first bytes of the content, at most `most`. Later reads of the content still start at its beginning.
    ///
    /// # Errors
    /// If it cannot be opened. A failure to read is left to the reader of the records, which reports it.
    pub(crate) fn peek(&mut self, most: u64) -> Result<Vec<u8>, DatasetError> {
        let mut bytes = Vec::new();
        match &mut self.content {
            SourceContent::File(path) => {
                let file = open(path)?;
                if let Ok(content) = self.detection.compression.decoder(file) {
                    // The bytes before an error are enough.
                    let _ = content.take(most).read_to_end(&mut bytes);
                }
            }
            SourceContent::Stream(content) => {
                let failure = content.by_ref().take(most).read_to_end(&mut bytes).err();
                // The bytes read are put back in front, with the error behind them, so that the reader of the records meets
                // both.
                let rest = std::mem::replace(content, Box::new(io::empty()));
                let read = io::Cursor::new(bytes.clone());
                *content = match failure {
                    Some(error) => Box::new(read.chain(detect::Failing(Some(error))).chain(rest)),
                    None => Box::new(read.chain(rest)),
                };
            }
        }
        Ok(bytes)
    }

    /// Replaces the content with a stream of records of the format, free of the damage.
    pub(crate) fn replace_content(&mut self, format: FileFormat, content: Content<'a>) {
        self.content = SourceContent::Stream(content);
        self.stamp = None;
        self.members = None;
        self.detection.compression = Compression::None;
        self.detection.format = Some(format);
    }

    /// The same input again, if it is a regular file.
    pub(crate) fn reopen(&self) -> Option<Source<'static>> {
        let path = self.path()?.to_owned();
        let name = self.name.clone();
        let detection = self.detection.clone();
        Some(Source {
            name,
            detection,
            stamp: self.stamp,
            content: SourceContent::File(path),
            moves: self.moves,
            members: self.members.clone(),
        })
    }

    /// The same input as a file: `copy` writes a stream to the path, decompressed.
    pub(crate) fn spool(
        self,
        path: PathBuf,
        copy: impl FnOnce(&str, Content<'a>, &Path) -> Result<(), DatasetError>,
    ) -> Result<Source<'static>, DatasetError> {
        let Source { name, detection, stamp, content, moves, members } = self;
        match content {
            SourceContent::File(path) => {
                Ok(Source { name, detection, stamp, content: SourceContent::File(path), moves, members })
            }
            SourceContent::Stream(content) => {
                copy(&name, content, &path)?;
                let copied = fs::metadata(&path);
                let stamp = copied.map_err(|error| DatasetError::Open(path.clone(), error))?;
                // The copy is decompressed already.
                let detection = Detection { compression: Compression::None, decoder_memory: 0, ..detection };
                let stamp = Some(Stamp::new(&stamp));
                Ok(Source {
                    name,
                    detection,
                    stamp,
                    content: SourceContent::File(path),
                    moves,
                    members: None,
                })
            }
        }
    }

    /// The number of whole records, if known without reading: for a regular, uncompressed file of records of
    /// one size, and for an archive in a file.
    pub fn records(&self) -> Option<u64> {
        if let Some(members) = &self.members {
            return Some(members.records());
        }
        let (size, record) = self.size_and_record()?;
        Some(size / record)
    }

    /// The number of whole records; counts them where it is not known without reading.
    fn count(&self, salvage: bool) -> Result<u64, DatasetError> {
        if let Some(records) = self.records() {
            return Ok(records);
        }
        let mut records = 0;
        self.each_block(0, salvage, &mut |block| {
            // Records that are lost by damage have numbers too.
            records = block.first_record() + block.len() as u64;
            ControlFlow::Continue(())
        })?;
        Ok(records)
    }

    /// The first start of a game at or after `record`, or else the end of the input.
    fn next_game(&self, record: u64, salvage: bool) -> Result<u64, DatasetError> {
        let mut found = record;
        self.each_block(record, salvage, &mut |block| {
            let first = block.first_record();
            // Blocks have whole games, so that the next game starts at the end of this block.
            found = first + block.len() as u64;
            if found < record {
                return ControlFlow::Continue(());
            }
            let starts = block.games().map(|game| first + game.first as u64);
            found = starts.filter(|&start| start >= record).min().unwrap_or(found);
            ControlFlow::Break(())
        })?;
        Ok(found)
    }

    /// Reads the file and calls `each` for its blocks until it breaks. The records before `record` are skipped if the format
    /// allows a seek.
    fn each_block(
        &self,
        record: u64,
        salvage: bool,
        each: &mut dyn FnMut(&mut Block) -> ControlFlow<()>,
    ) -> Result<(), DatasetError> {
        let Some(format) = self.detection.format else { return Ok(()) };
        let file = self.reopen().ok_or_else(|| DatasetError::ReadOnce(self.name.to_string()))?;
        let skipped = self.records().map_or(0, |records| records.min(record));
        let mut reader = file.reader(format, &Counter::default(), skipped)?;
        let mut block = Block::default();
        loop {
            match reader.next_block(&mut block) {
                Ok(true) if each(&mut block).is_break() => return Ok(()),
                Ok(true) => {}
                Ok(false) => return Ok(()),
                // Reported by the pass that reads the records.
                Err(DatasetError::Tail(_)) if salvage => {}
                Err(error) => return Err(error),
            }
        }
    }

    fn size_and_record(&self) -> Option<(u64, u64)> {
        match self.detection {
            Detection { compression: Compression::None, format: Some(format), .. } => {
                Some((self.size()?, format.record_size()? as u64))
            }
            _ => None,
        }
    }

    /// Reports a truncated last record, which the size alone shows, before anything is read.
    fn check_size(&self) -> Result<(), DatasetError> {
        let Some((size, record)) = self.size_and_record() else { return Ok(()) };
        let length = size % record;
        if length == 0 {
            return Ok(());
        }
        Err(DatasetError::Tail(Box::new(Tail {
            input: self.name.clone(),
            records: size / record,
            offset: size - length,
            length,
            cause: TailCause::Truncated,
        })))
    }

    /// A reader of the records from one on, whose bytes are counted. It fails at its end if the file has changed since it was
    /// examined.
    ///
    /// # Panics
    /// If the source's records cannot be [counted](Source::records) and `first` is not 0.
    pub(crate) fn reader(
        self,
        format: FileFormat,
        counter: &Counter,
        first: u64,
    ) -> Result<RecordReader<Content<'a>>, DatasetError> {
        assert!(first == 0 || self.records().is_some(), "a place in the content is one in the file");
        let offset = first * format.record_size().unwrap_or(0) as u64;
        let name = self.name.clone();
        let (content, watch) = self.open(counter, offset)?;
        Ok(RecordReader::new(content, format, name).starting_at(first, offset).watching(watch))
    }

    /// The content from a byte offset, and its file, if it is one.
    pub(crate) fn open(
        self,
        counter: &Counter,
        offset: u64,
    ) -> Result<(Content<'a>, Option<Watch>), DatasetError> {
        let path = match self.content {
            SourceContent::Stream(content) => return Ok((content, None)),
            SourceContent::File(path) => path,
        };
        let watch = Watch::open(&path, self.stamp.unwrap_or_default())?;
        let failed = |error| DatasetError::Read { input: self.name.clone(), offset, error };
        if let Some(members) = self.members.filter(|_| offset > 0) {
            let content = members.content_from(&watch, offset, counter).map_err(failed)?;
            return Ok((content, Some(watch)));
        }
        let content = counter.counting(watch.content(offset).map_err(failed)?);
        let content = self.detection.compression.decoder(content).map_err(failed)?;
        Ok((content, Some(watch)))
    }

    /// Stretches of the records, if they can be found without reading those before them.
    ///
    /// # Errors
    /// The file cannot be read, or has changed since it was examined.
    pub(crate) fn stretches(&self, spread: Spread) -> Result<Option<Vec<Vec<u8>>>, DatasetError> {
        let (Some(path), Some(stamp)) = (self.path(), self.stamp) else { return Ok(None) };
        let Some((bytes, size)) = self.size_and_record() else { return Ok(None) };
        let watch = Watch::open(path, stamp)?;
        match spread.of_file(&mut watch.file(), size as usize, bytes / size) {
            Ok(stretches) => Ok(Some(stretches)),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Err(watch.altered()),
            Err(error) => Err(DatasetError::Read { input: self.name.clone(), offset: 0, error }),
        }
    }
}

/// Inputs that can be read: every one opens, and its format is known.
pub struct Inputs<'a> {
    sources: Vec<Source<'a>>,
    /// Counts the bytes taken from the inputs, from the start for streams.
    counter: Counter,
    salvage: bool,
    window: Window,
    /// The mismatches of the inputs that are repaired while they are read.
    repaired: Vec<Mismatch>,
}

/// Finds the first record, at or after a given one, with which a partition may begin. Its arguments: the inputs, the number of
/// records up to the end of each input, and the given record. Its results must not decrease as the record increases.
type NextUnit<'n> = dyn FnMut(&Inputs, &[u64], u64) -> Result<u64, DatasetError> + 'n;

impl<'a> Inputs<'a> {
    /// Examines inputs, up to 256 KiB of each. `from` is the format of all of them; `None` detects it. With `salvage`
    /// the whole records of a truncated or damaged input are read and its tail is reported; otherwise it is an error.
    ///
    /// # Errors
    /// If an input cannot be opened or recognised or, without `salvage`, if its size shows that it is truncated.
    pub fn examine(
        inputs: Vec<Input<'a>>,
        from: Option<FileFormat>,
        salvage: bool,
    ) -> Result<Self, DatasetError> {
        let counter = Counter::default();
        let mut sources = Vec::with_capacity(inputs.len());
        for input in inputs {
            let source = Source::examine(input, from, &counter)?;
            if !salvage {
                source.check_size()?;
            }
            sources.push(source);
        }
        Ok(Inputs { sources, counter, salvage, window: Window::of_range(0..u64::MAX), repaired: Vec::new() })
    }

    /// The same inputs, to be read again, if every one is a regular file.
    pub(crate) fn reopen(&self) -> Option<Inputs<'static>> {
        let sources = self.sources.iter().map(Source::reopen).collect::<Option<_>>()?;
        let window = Window::of_range(self.window.range().clone());
        Some(Inputs {
            sources,
            counter: Counter::default(),
            salvage: self.salvage,
            window,
            repaired: Vec::new(),
        })
    }

    /// The same inputs as files: [`Source::spool`] copies each stream to the path for its number.
    pub(crate) fn spool(
        mut self,
        path: impl Fn(usize) -> PathBuf,
        mut copy: impl FnMut(&str, Content<'a>, &Path) -> Result<(), DatasetError>,
    ) -> Result<Inputs<'static>, DatasetError> {
        let mut sources = Vec::with_capacity(self.sources.len());
        for (number, source) in std::mem::take(&mut self.sources).into_iter().enumerate() {
            let source = source.spool(path(number), &mut copy)?;
            if !self.salvage {
                source.check_size()?;
            }
            sources.push(source);
        }
        let Inputs { salvage, window, repaired, .. } = self;
        Ok(Inputs { sources, counter: Counter::default(), salvage, window, repaired })
    }

    /// Checks that the files are those that were examined.
    ///
    /// # Errors
    /// [`DatasetError::Altered`], or [`DatasetError::Open`] if one is gone.
    pub(crate) fn check_unchanged(&self) -> Result<(), DatasetError> {
        self.files().into_iter().flatten().try_for_each(|(path, stamp)| Watch::open(&path, stamp).map(drop))
    }

    /// For each input the file, if it is one, and its stamp when it was examined.
    pub(crate) fn files(&self) -> Vec<Option<(PathBuf, Stamp)>> {
        self.sources.iter().map(|source| Some((source.path()?.to_owned(), source.stamp?))).collect()
    }

    /// The losses of converting the inputs to a format; each once.
    pub fn losses(&self, to: FileFormat) -> Vec<Loss> {
        let mut all = Vec::new();
        for loss in self.formats().flat_map(|from| losses(from, to)) {
            if !all.contains(&loss) {
                all.push(loss);
            }
        }
        all
    }

    /// The mismatches of the inputs that are [repaired](crate::MoveReading::Repaired) while they are read.
    pub fn repaired(&self) -> &[Mismatch] {
        &self.repaired
    }

    /// The inputs, for changing how they are read, and the mismatches of those that are repaired.
    pub(crate) fn sources_mut(&mut self) -> (&mut [Source<'a>], &mut Vec<Mismatch>) {
        (&mut self.sources, &mut self.repaired)
    }

    /// The inputs, in order.
    pub fn sources(&self) -> &[Source<'a>] {
        &self.sources
    }

    /// The size of all inputs in bytes, if every one is a regular file.
    pub fn size(&self) -> Option<u64> {
        self.sources.iter().map(Source::size).sum()
    }

    /// The number of whole records of all inputs, if known without reading.
    pub fn records(&self) -> Option<u64> {
        self.sources.iter().map(Source::records).sum()
    }

    /// The number of records that a job will read, if known without reading.
    pub(crate) fn expected(&self) -> Option<u64> {
        let range = self.window.range();
        Some(self.records()?.min(range.end).saturating_sub(range.start))
    }

    /// The number of whole records of all inputs; counts them where it is not known without reading.
    ///
    /// # Errors
    /// [`DatasetError::ReadOnce`] if an input to be counted is a stream, or any error of reading.
    pub fn count(&self) -> Result<u64, DatasetError> {
        self.sources.iter().map(|source| source.count(self.salvage)).sum()
    }

    /// The formats of the inputs, in order, repeated or not. An empty input whose name suggests no format has
    /// none.
    pub fn formats(&self) -> impl Iterator<Item = FileFormat> + '_ {
        self.sources.iter().filter_map(|source| source.detection.format)
    }

    /// The one format of all inputs; `None` if none has a format.
    ///
    /// # Errors
    /// [`DatasetError::MixedFormats`] with two that differ.
    pub fn one_format(&self) -> Result<Option<FileFormat>, DatasetError> {
        let mut formats = self.formats();
        let Some(first) = formats.next() else { return Ok(None) };
        match formats.find(|&format| format != first) {
            Some(other) => Err(DatasetError::MixedFormats(first, other)),
            None => Ok(Some(first)),
        }
    }

    /// The unusually large part of the memory for decompression. One input is read at a time.
    pub(crate) fn decoder_memory(&self) -> u64 {
        self.sources.iter().map(|source| source.detection.decoder_memory).max().unwrap_or(0)
    }

    pub(crate) fn counter(&self) -> &Counter {
        &self.counter
    }

    /// Checks that every input has a field.
    ///
    /// # Errors
    /// [`DatasetError::FieldMissing`] with the first input that lacks it.
    pub(crate) fn demand(&self, field: Field) -> Result<(), DatasetError> {
        let lacks = |source: &&Source| source.detection.format.is_some_and(|format| !format.holds(field));
        match self.sources.iter().find(lacks) {
            Some(source) => Err(DatasetError::FieldMissing(source.name.to_string(), field)),
            None => Ok(()),
        }
    }

    /// Limits the inputs to a range of the numbers of all their records, counted from 0. In files of records of one size, the
    /// records before it are not read; nothing after it is read.
    pub(crate) fn limit(&mut self, range: Range<u64>) {
        self.window = Window::of_range(range);
    }

    /// Limits the inputs to the records of a partition. Games are not divided.
    ///
    /// # Errors
    /// [`DatasetError::ReadOnce`] where records must be counted and an input is a stream, or any error of reading.
    pub(crate) fn keep_part(&mut self, partition: Partition) -> Result<(), DatasetError> {
        self.keep_part_of(partition, &mut |inputs, ends, record| inputs.next_unit(ends, record))
    }

    /// Limits the inputs to the records of a partition, which begins where `next_unit` allows.
    ///
    /// # Errors
    /// As for [`keep_part`](Self::keep_part), and the errors of `next_unit`.
    pub(crate) fn keep_part_of(
        &mut self,
        partition: Partition,
        next_unit: &mut NextUnit,
    ) -> Result<(), DatasetError> {
        if partition == Partition::WHOLE {
            return Ok(());
        }
        let mut ends = Vec::with_capacity(self.sources.len());
        let mut total = 0;
        for source in &self.sources {
            total += source.count(self.salvage)?;
            ends.push(total);
        }
        let Range { start, end } = partition.range(total);
        let start = next_unit(self, &ends, start)?;
        // The last partition also has games without records after the last record.
        let end = if partition.is_last() { u64::MAX } else { next_unit(self, &ends, end)? };
        self.window = Window::of_part(start..end, ends, partition.is_first());
        Ok(())
    }

    /// The record with this number or, if that is inside a game, the first record of the next game.
    fn next_unit(&self, ends: &[u64], record: u64) -> Result<u64, DatasetError> {
        let index = ends.partition_point(|&end| end <= record);
        let start = index.checked_sub(1).map_or(0, |before| ends[before]);
        if record > start
            && let Some(source) = self.sources.get(index)
            && source.detection.format.is_some_and(FileFormat::holds_games)
        {
            return Ok(start + source.next_game(record - start, self.salvage)?);
        }
        Ok(record)
    }

    /// Reads the inputs, which are files, from a record or a little before it, and calls `each` for their blocks, numbered as
    /// in a job, until it breaks. `ends`: as in [`keep_part_of`](Self::keep_part_of).
    pub(crate) fn each_block_from(
        &self,
        ends: &[u64],
        record: u64,
        each: &mut dyn FnMut(FileFormat, &Block) -> ControlFlow<()>,
    ) -> Result<(), DatasetError> {
        let first = ends.partition_point(|&end| end <= record);
        for (number, source) in self.sources.iter().enumerate().skip(first) {
            let Some(format) = source.detection.format else { continue };
            let start = number.checked_sub(1).map_or(0, |before| ends[before]);
            let mut is_over = false;
            source.each_block(record.saturating_sub(start), self.salvage, &mut |block| {
                block.set_ordinal(start + block.first_record());
                block.set_source(number);
                block.set_moves(source.moves);
                let flow = each(format, block);
                is_over = flow.is_break();
                flow
            })?;
            if is_over {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Makes the reader also read the record after a partition.
    pub(crate) fn look_ahead(&mut self) {
        self.window = self.window.clone().looking_ahead();
    }

    pub(crate) fn window(&self) -> &Window {
        &self.window
    }

    pub(crate) fn salvage(&self) -> bool {
        self.salvage
    }

    pub(crate) fn into_sources(self) -> Vec<Source<'a>> {
        self.sources
    }
}

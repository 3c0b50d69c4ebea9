//! [`Inputs`]: files and streams of records whose formats are known.

mod block_file;
mod counter;
mod opened;
mod source;
mod stretches;
mod waiting;
mod watch;
mod window;

use std::io::Read;
use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};

pub use self::block_file::BlockFile;
pub(crate) use self::counter::{Counter, Counting};
pub use self::opened::read_whole;
pub(crate) use self::opened::{Opened, open};
pub use self::source::Source;
pub(crate) use self::source::peek;
pub(crate) use self::stretches::Spread;
pub(crate) use self::waiting::{Stopped, check_stopped, descriptor};
pub use self::waiting::{Waiting, stop_waiting_when};
pub(crate) use self::watch::{Stamp, Watch};
pub(crate) use self::window::Window;
use crate::block::Block;
use crate::io::archive::{About, ArchiveError, Contents, Header};
use crate::io::compression::Content;
use crate::io::error::Mismatch;
use crate::io::name::Name;
use crate::move16::MoveEncoding;
use crate::{Compression, DatasetError, Field, FileFormat, Loss, Partition, losses};

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

    /// The same inputs as files: [`Source::spool`] copies each stream to the path for its number. `copy` returns the damage of an archive
    /// that it met, each after so many bytes of the copy.
    pub(crate) fn spool(
        mut self,
        path: impl Fn(usize) -> PathBuf,
        mut copy: impl FnMut(&str, Content<'a>, &Path) -> Result<Vec<(u64, ArchiveError)>, DatasetError>,
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
        self.sources.iter().map(|source| Some((source.path()?.to_owned(), source.stamp()?))).collect()
    }

    /// Sets the number of threads that decode archives; 0 for one per CPU.
    pub(crate) fn use_threads(&self, threads: usize) {
        self.archives().iter().for_each(|archive| archive.use_threads(threads));
    }

    /// What is found in the archives among the inputs while they are read.
    pub(crate) fn archives(&self) -> Vec<Contents> {
        self.sources.iter().filter_map(|source| source.detection().archive.clone()).collect()
    }

    /// What an archive of the inputs' records says of them, in a format. `changed`: the names of metadata that are not true of them any
    /// more.
    pub(crate) fn about(&self, to: FileFormat, changed: &[&str]) -> About {
        let headers: Vec<Header> = self.sources.iter().flat_map(Source::headers).collect();
        let others = self.sources.iter().any(|source| source.detection().archive.is_none());
        About::new(&headers, others, to, changed)
    }

    /// The names of the archives among the inputs whose order was given up.
    pub(crate) fn unordered(&self) -> Vec<String> {
        let is_unordered = |source: &&Source| source.headers().iter().any(|header| header.order_lost);
        self.sources.iter().filter(is_unordered).map(|source| source.name().to_string()).collect()
    }

    /// Whether the records of all inputs are [found](Self::pick) without reading others: they are archives in files, with indices.
    pub(crate) fn are_indexed(&self) -> bool {
        self.sources.iter().all(Source::is_indexed_archive)
    }

    /// Limits inputs that are [indexed](Self::are_indexed) to the records with some numbers, ascending.
    pub(crate) fn pick(&mut self, numbers: &[u64]) {
        let mut first = 0;
        let mut left = numbers;
        for source in &mut self.sources {
            let end = first + source.records().unwrap_or(0);
            let (own, rest) = left.split_at(left.partition_point(|&number| number < end));
            source.pick(own.iter().map(|number| number - first).collect());
            left = rest;
            first = end;
        }
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

    /// Sets the encoding in which the moves are read. Text and games keep their own.
    pub fn read_moves_in(&mut self, encoding: MoveEncoding) {
        self.sources.iter_mut().for_each(|source| source.read_moves_in(encoding));
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
        self.check_repaired()?;
        self.sources.iter().map(|source| source.count(self.salvage)).sum()
    }

    /// Refuses to read twice what is repaired while it is read.
    ///
    /// # Errors
    /// [`DatasetError::RepairedOnce`].
    pub(crate) fn check_repaired(&self) -> Result<(), DatasetError> {
        match self.repaired.first() {
            Some(mismatch) => Err(DatasetError::RepairedOnce(mismatch.input.to_string())),
            None => Ok(()),
        }
    }

    /// The formats of the inputs, in order, repeated or not. An empty input whose name suggests no format has
    /// none.
    pub fn formats(&self) -> impl Iterator<Item = FileFormat> + '_ {
        self.sources.iter().filter_map(|source| source.detection().format)
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

    /// The unusually large part of the memory for reading. One input is read at a time.
    pub(crate) fn decoder_memory(&self) -> u64 {
        self.sources.iter().map(Source::decoder_memory).max().unwrap_or(0)
    }

    /// Lets the first pass keep the decoded records of indexed archives for the next ones.
    pub(crate) fn keep_decoded(&self) {
        for source in self.sources.iter().filter(|source| source.is_indexed_archive()) {
            source.detection().archive.iter().for_each(Contents::keep_records);
        }
    }

    /// The memory that this takes.
    pub(crate) fn decoded_bytes(&self) -> u64 {
        self.sources.iter().map(Source::decoded_bytes).sum()
    }

    pub(crate) fn counter(&self) -> &Counter {
        &self.counter
    }

    /// Checks that every input has a field.
    ///
    /// # Errors
    /// [`DatasetError::FieldMissing`] with the first input that lacks it.
    pub(crate) fn demand(&self, field: Field) -> Result<(), DatasetError> {
        let lacks = |source: &&Source| source.detection().format.is_some_and(|format| !format.holds(field));
        match self.sources.iter().find(lacks) {
            Some(source) => Err(DatasetError::FieldMissing(source.name().to_string(), field)),
            None => Ok(()),
        }
    }

    /// Limits the inputs to a range of the numbers of all their records, counted from 0. In files of records of one size, the
    /// records before it are not read; nothing after it is read.
    pub(crate) fn limit(&mut self, range: Range<u64>) {
        let mut first = 0;
        for source in &mut self.sources {
            source.limit(range.start.saturating_sub(first)..range.end.saturating_sub(first));
            let Some(records) = source.records() else { break };
            first += records;
        }
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
            && source.detection().format.is_some_and(FileFormat::holds_games)
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
            let Some(format) = source.detection().format else { continue };
            let start = number.checked_sub(1).map_or(0, |before| ends[before]);
            let mut is_over = false;
            source.each_block(record.saturating_sub(start), self.salvage, &mut |block| {
                block.set_ordinal(start + block.first_record());
                block.set_source(number);
                block.set_moves(source.moves());
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

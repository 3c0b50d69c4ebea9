//! [`Source`]: a file or stream of records whose format is known.

use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Counter, Input, Opened, Spread, Stamp, Watch, format_of, open};
use crate::block::Block;
use crate::io::archive::{self, ArchiveError, ArchiveReader, Header, Members, Picked};
use crate::io::compression::Content;
use crate::io::detect::{self, Detection};
use crate::io::error::{Tail, TailCause};
use crate::io::name::Name;
use crate::move16::MoveEncoding;
use crate::{Compression, DatasetError, FileFormat, RecordReader};

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
    /// The numbers of the records that a job wants. An indexed archive is not decoded beyond them.
    wanted: Range<u64>,
    /// The numbers of the records to read of it, ascending, if not all.
    picked: Option<Arc<[u64]>>,
    /// Of the copy of an archive from a stream, the damage after so many bytes.
    damage: Vec<(u64, ArchiveError)>,
}

/// The place of a source's content.
enum SourceContent<'a> {
    /// In a file, opened when its turn comes.
    File(PathBuf),
    /// In a stream that has been opened.
    Stream(Content<'a>),
}

/// The members of an archive.
fn members_of(path: &Path, stamp: Stamp) -> Result<Option<Arc<Members>>, DatasetError> {
    let watch = Watch::open(path, stamp)?;
    // Whatever cannot be read here, its reader reports.
    Ok(Members::find(&mut watch.file(), stamp.bytes).unwrap_or(None).map(Arc::new))
}

/// The first bytes of a stream, as [`Source::peek`] returns them.
pub(crate) fn peek(content: &mut Content<'_>, most: u64) -> Vec<u8> {
    let mut rest = std::mem::replace(content, Box::new(io::empty()));
    let read = read_past_damage(&mut rest, most);
    let bytes = read.iter().flat_map(|(bytes, _)| bytes).copied().collect();
    // The bytes read are put back in front, each with the error behind it, so that the reader of the records meets all.
    *content = read.into_iter().rfold(rest, |rest, (bytes, error)| {
        Box::new(io::Cursor::new(bytes).chain(detect::Failing(error)).chain(rest))
    });
    bytes
}

/// Reads some bytes of a content, at most `most`, in parts, each with the error after it: behind a damaged block of an archive the
/// next one is read.
fn read_past_damage(content: &mut Content, most: u64) -> Vec<(Vec<u8>, Option<io::Error>)> {
    let mut parts = Vec::new();
    let mut left = most;
    loop {
        let mut bytes = Vec::new();
        let error = content.by_ref().take(left).read_to_end(&mut bytes).err();
        left -= bytes.len() as u64;
        let damage = error.as_ref().and_then(archive::damage);
        let is_last = left == 0 || !damage.is_some_and(|damage| damage.fault.can_be_passed());
        parts.push((bytes, error));
        // Each error takes some bytes of the file; the most parts bound the time where all blocks are damaged.
        if is_last || parts.len() == MOST_PARTS {
            return parts;
        }
    }
}

/// The content of the copy of an archive, with the damage in its places.
fn damaged_copy(damage: &[(u64, ArchiveError)], watch: &Watch) -> io::Result<Content<'static>> {
    let mut content = watch.content(0)?;
    let mut parts: Content = Box::new(io::empty());
    let mut start = 0;
    // The parts read the file one after the other, from where it stands.
    for &(end, error) in damage {
        let part = watch.file().take(end - start);
        parts = Box::new(parts.chain(part).chain(detect::Failing(Some(archive::failure(error)))));
        start = end;
    }
    content.set_limit(content.limit().saturating_sub(start));
    Ok(Box::new(parts.chain(content)))
}

/// The most damaged blocks that are passed over for a sample.
const MOST_PARTS: usize = 1 << 10;

impl<'a> Source<'a> {
    pub(super) fn examine(
        input: Input<'a>,
        given: Option<FileFormat>,
        counter: &Counter,
    ) -> Result<Self, DatasetError> {
        let name = input.name();
        let (hint, stream): (_, Content<'a>) = match input {
            Input::Stream(_, stream) => (format_of(Path::new(&*name)), stream),
            Input::Path(path) => match open(&path)? {
                Opened::File(file, stamp) => return Source::examine_file(name, path, file, stamp, given),
                Opened::Stream(stream) => (format_of(&path), Box::new(stream)),
            },
        };
        let (detection, content) =
            detect::open_stream(Box::new(counter.counting(stream)), &name, None, hint, given)?;
        Ok(Source::new(name, detection, SourceContent::Stream(content)))
    }

    fn examine_file(
        name: Name,
        path: PathBuf,
        file: File,
        stamp: Stamp,
        given: Option<FileFormat>,
    ) -> Result<Self, DatasetError> {
        let hint = format_of(&path);
        let (detection, _) = detect::open_stream(Box::new(file), &name, Some(stamp.bytes), hint, given)?;
        let members = match detection.compression {
            Compression::Archive(_) => members_of(&path, stamp)?,
            _ => None,
        };
        if let (Some(members), Some(contents)) = (&members, &detection.archive) {
            contents.add_columns(members.columns());
        }
        let source = Source::new(name, detection, SourceContent::File(path));
        Ok(Source { stamp: Some(stamp), members, ..source })
    }

    /// A source of which no more is known.
    fn new(name: Name, detection: Detection, content: SourceContent<'a>) -> Source<'a> {
        Source {
            name,
            detection,
            stamp: None,
            content,
            moves: None,
            members: None,
            wanted: 0..u64::MAX,
            picked: None,
            damage: Vec::new(),
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

    /// The unusually large part of the memory for reading it: for an archive the blocks that are decoded at once, and one more.
    pub(crate) fn decoder_memory(&self) -> u64 {
        let contents = match &self.detection.archive {
            Some(contents) if self.detection.compression.is_archive() => contents,
            _ => return self.detection.decoder_memory,
        };
        let of_block = match &self.members {
            Some(members) => members.decoder_memory(),
            None => archive::ordinary_decoder_memory(),
        };
        (contents.threads() as u64 + 1) * of_block
    }

    /// The memory for the decoded records of an archive in a file; 0 for others.
    pub(crate) fn decoded_bytes(&self) -> u64 {
        let members = self.members.as_ref();
        members.map_or(0, |members| members.records() * members.source().record_size() as u64)
    }

    /// The encoding in which its moves are read, if not its format's own.
    pub(crate) fn moves(&self) -> Option<MoveEncoding> {
        self.moves
    }

    /// The places of an archive's records.
    pub(super) fn members(&self) -> Option<Arc<Members>> {
        self.members.clone()
    }

    /// Whether the content of the file is not the file's.
    pub(super) fn is_compressed(&self) -> bool {
        self.detection.compression != Compression::None
    }

    /// A reader of all records of a file, from the first; it can be had any number of times. It fails at its end if the file has
    /// changed since it was examined.
    ///
    /// # Errors
    /// [`DatasetError::ReadOnce`] for a stream; the file cannot be opened, or has changed.
    pub fn read_again(&self) -> Result<RecordReader<Content<'static>>, DatasetError> {
        let mut file = self.reopen().ok_or_else(|| DatasetError::ReadOnce(self.name.to_string()))?;
        file.limit(0..u64::MAX);
        // An empty file whose name suggests no format has no records in any format.
        let format = self.detection.format.unwrap_or(FileFormat::Psv);
        file.reader(format, &Counter::default(), 0)
    }

    /// Sets the encoding in which its moves are read. Text and games keep their own.
    pub(crate) fn read_moves_in(&mut self, encoding: MoveEncoding) {
        let own = self.detection.format.filter(|format| format.record_size().is_some());
        let own = own.and_then(FileFormat::move_encoding);
        self.moves = own.filter(|&own| own != encoding).map(|_| encoding);
    }

    /// The first bytes of the content, at most `most`, but for those that damage has lost. Later reads of the content still start at
    /// its beginning.
    ///
    /// # Errors
    /// If it cannot be opened. A failure to read is left to the reader of the records, which reports it.
    pub(crate) fn peek(&mut self, most: u64) -> Result<Vec<u8>, DatasetError> {
        match &mut self.content {
            SourceContent::File(path) => {
                let file = open(path)?;
                let Ok(mut content) = self.detection.compression.decoder(file) else { return Ok(Vec::new()) };
                Ok(read_past_damage(&mut content, most).into_iter().flat_map(|(bytes, _)| bytes).collect())
            }
            SourceContent::Stream(content) => Ok(peek(content, most)),
        }
    }

    /// The headers of an archive's members, as far as they are known before it is read.
    pub(crate) fn headers(&self) -> Vec<Header> {
        match (&self.members, &self.detection.archive) {
            (Some(members), _) => members.headers().cloned().collect(),
            (None, Some(contents)) => contents.first_header().into_iter().collect(),
            (None, None) => Vec::new(),
        }
    }

    /// Whether its records are found without reading those before them.
    pub(crate) fn is_indexed_archive(&self) -> bool {
        self.members.is_some()
    }

    /// Tells which records are wanted, by their numbers.
    pub(super) fn limit(&mut self, wanted: Range<u64>) {
        self.wanted = wanted;
    }

    /// Limits the records of an [indexed archive](Self::is_indexed_archive) to those with some numbers, ascending.
    pub(crate) fn pick(&mut self, numbers: Vec<u64>) {
        self.picked = Some(numbers.into());
    }

    /// Replaces the content with a stream of records of the format, free of the damage.
    pub(crate) fn replace_content(&mut self, format: FileFormat, content: Content<'a>) {
        self.content = SourceContent::Stream(content);
        self.stamp = None;
        self.members = None;
        self.picked = None;
        // What the archive says of its records is still noted.
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
            wanted: self.wanted.clone(),
            picked: self.picked.clone(),
            damage: self.damage.clone(),
        })
    }

    /// The same input as a file: `copy` writes a stream to the path, decompressed.
    pub(crate) fn spool(
        self,
        path: PathBuf,
        copy: impl FnOnce(&str, Content<'a>, &Path) -> Result<Vec<(u64, ArchiveError)>, DatasetError>,
    ) -> Result<Source<'static>, DatasetError> {
        let Source { name, detection, stamp, content, moves, members, wanted, picked, damage } = self;
        match content {
            SourceContent::File(path) => {
                let content = SourceContent::File(path);
                Ok(Source { name, detection, stamp, content, moves, members, wanted, picked, damage })
            }
            SourceContent::Stream(content) => {
                let damage = copy(&name, content, &path)?;
                let copied = fs::metadata(&path);
                let stamp = copied.map_err(|error| DatasetError::Open(path.clone(), error))?;
                // The copy is decompressed already.
                let detection = Detection { compression: Compression::None, decoder_memory: 0, ..detection };
                let stamp = Some(Stamp::new(&stamp));
                let source = Source::new(name, detection, SourceContent::File(path));
                Ok(Source { stamp, moves, damage, ..source })
            }
        }
    }

    /// The number of whole records, if known without reading: for a regular, uncompressed file of records of
    /// one size, and for an archive in a file.
    pub fn records(&self) -> Option<u64> {
        if let Some(picked) = &self.picked {
            return Some(picked.len() as u64);
        }
        if let Some(members) = &self.members {
            return Some(members.records());
        }
        let (size, record) = self.size_and_record()?;
        Some(size / record)
    }

    /// The number of whole records; counts them where it is not known without reading.
    pub(super) fn count(&self, salvage: bool) -> Result<u64, DatasetError> {
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
    pub(super) fn next_game(&self, record: u64, salvage: bool) -> Result<u64, DatasetError> {
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
    pub(super) fn each_block(
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
            // Records that are lost by damage have numbers too.
            _ if !self.damage.is_empty() => None,
            Detection { compression: Compression::None, format: Some(format), .. } => {
                Some((self.size()?, format.record_size()? as u64))
            }
            _ => None,
        }
    }

    /// Reports a truncated last record, which the size alone shows, before anything is read.
    pub(super) fn check_size(&self) -> Result<(), DatasetError> {
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
        let contents = self.detection.archive.clone().unwrap_or_default();
        if let (Some(members), Some(picked)) = (&self.members, &self.picked) {
            let picked = Picked::new(members, &watch, Arc::clone(picked), counter, contents);
            return Ok((Box::new(picked), Some(watch)));
        }
        if (offset > 0 || self.wanted.end < u64::MAX)
            && let Some(members) = self.members
        {
            let size = members.source().record_size();
            let wanted = offset / size as u64..self.wanted.end;
            if let Some(records) = contents.sampled(wanted.clone(), size) {
                return Ok((Box::new(io::Cursor::new(records)), Some(watch)));
            }
            let content = members.content_of(&watch, wanted, counter, contents).map_err(failed)?;
            return Ok((content, Some(watch)));
        }
        if !self.damage.is_empty() {
            let content = damaged_copy(&self.damage, &watch).map_err(failed)?;
            return Ok((Box::new(counter.counting(content)), Some(watch)));
        }
        if let Some(kept) = contents.kept() {
            return Ok((Box::new(kept.content()), Some(watch)));
        }
        let content = counter.counting(watch.content(offset).map_err(failed)?);
        let content = match self.detection.compression {
            Compression::Archive(_) => {
                let reader = ArchiveReader::new(Box::new(BufReader::new(content)), contents);
                let has_several = self.members.is_some_and(|members| members.blocks().nth(1).is_some());
                Box::new(if has_several { reader.decoding_ahead() } else { reader })
            }
            compression => compression.decoder(content).map_err(failed)?,
        };
        Ok((content, Some(watch)))
    }

    /// Stretches of the records, if they can be found without reading those before them.
    ///
    /// # Errors
    /// The file cannot be read, or has changed since it was examined.
    pub(crate) fn stretches(&self, spread: Spread) -> Result<Option<Vec<Vec<u8>>>, DatasetError> {
        let (Some(path), Some(stamp)) = (self.path(), self.stamp) else { return Ok(None) };
        let open = || Watch::open(path, stamp);
        let (watch, stretches) = match (&self.members, self.size_and_record()) {
            (Some(members), _) => {
                let watch = open()?;
                let contents = self.detection.archive.clone().unwrap_or_default();
                let stretches = members.stretches(&open, spread, &self.wanted, &contents)?;
                (watch, stretches)
            }
            (None, Some((bytes, size))) => {
                let watch = open()?;
                let stretches = spread.of_file(&mut watch.file(), size as usize, bytes / size);
                (watch, stretches)
            }
            (None, None) => return Ok(None),
        };
        match stretches {
            Ok(stretches) => Ok(Some(stretches)),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Err(watch.altered()),
            Err(error) => Err(DatasetError::Read { input: self.name.clone(), offset: 0, error }),
        }
    }
}

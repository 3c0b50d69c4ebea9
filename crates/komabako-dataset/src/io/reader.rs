//! [`RecordReader`], which divides a stream into blocks.

use std::io::{self, Read};

use crate::Name;
use crate::block::{StreamPlace, line_ends};
use crate::io::archive::{self, ArchiveError};
use crate::io::compression;
use crate::io::error::{Damage, DatasetError, Tail, TailCause};
use crate::io::input::Watch;
use crate::{Block, FileFormat, boundaries, games};

/// The bytes that a reader requests of its stream at a time, and about the size of a block.
const BLOCK_BYTES: usize = 1 << 19;

/// The same for games, whose records take as few as four bytes.
const GAMES_BLOCK_BYTES: usize = 1 << 17;

/// The longest record of a format, in bytes.
fn record_limit(format: FileFormat) -> usize {
    match format {
        FileFormat::Hcpe3 => games::LONGEST_HCPE3,
        _ => Damage::LONGEST,
    }
}

/// Divides a stream of one format, already decompressed, into blocks of whole records.
///
/// Reads in large chunks and allocates nothing per record; a block that is passed in again is reused. Bytes are examined only as
/// far as needed to find the ends of records.
pub struct RecordReader<R> {
    source: R,
    input: Name,
    format: FileFormat,
    /// The bytes read past the last whole record.
    rest: Vec<u8>,
    /// The start of the next record.
    place: StreamPlace,
    /// The records before it that are lost by damage: they keep their numbers.
    lost: u64,
    end: Option<End>,
    /// The file of the stream, until its end is found.
    watch: Option<Watch>,
}

/// Why a reader has stopped.
enum End {
    /// The stream is at its end.
    Whole,
    /// The last whole record is followed by this.
    Tail(TailCause),
    /// The stream cannot be read.
    Failed(io::Error),
    /// The end was reported.
    Reported,
}

impl<R: Read> RecordReader<R> {
    /// A reader of a stream; `input` is its name in errors.
    pub fn new(source: R, format: FileFormat, input: impl Into<Name>) -> Self {
        RecordReader {
            source,
            input: input.into(),
            format,
            rest: Vec::new(),
            place: StreamPlace::default(),
            lost: 0,
            end: None,
            watch: None,
        }
    }

    /// The same for a stream that starts in the middle of the input, at a record and a byte.
    pub(crate) fn starting_at(mut self, record: u64, offset: u64) -> Self {
        self.place = StreamPlace { record, offset, ..self.place };
        self
    }

    /// The same for the content of a file that must not change while it is read.
    pub(crate) fn watching(mut self, watch: Option<Watch>) -> Self {
        self.watch = watch;
        self
    }

    /// Checks that the file has not changed. A reader that is not read to its end needs this call.
    ///
    /// # Errors
    /// [`DatasetError::Altered`].
    pub(crate) fn check_unchanged(&mut self) -> Result<(), DatasetError> {
        self.watch.take().map_or(Ok(()), |watch| watch.check())
    }

    /// The number of the next record in the input, counted from 0.
    pub(crate) fn next_record(&self) -> u64 {
        self.place.record
    }

    /// Fills a block with the next records: at least one, or at least one game where the format holds games. A game may have no
    /// moves and so no records. Returns `false`, with an empty block, at the end of the stream.
    ///
    /// # Errors
    /// After the last whole record: [`DatasetError::Tail`] if the stream does not end there, [`DatasetError::Read`]
    /// if reading fails, and for a file of a job [`DatasetError::Altered`] if it has changed. Each is returned once, then `false`.
    pub fn next_block(&mut self, block: &mut Block) -> Result<bool, DatasetError> {
        block.restart(self.place);
        if self.end.is_none() {
            // The start of the next record, from the end of the previous block.
            block.buffer().append(&mut self.rest);
        }
        while self.end.is_none() {
            self.read(block.buffer());
            let cut = boundaries::cut(self.format, block.bytes(), self.end.is_some(), self.place.offset == 0);
            let is_found = cut.cuts.units() > 0;
            // Comments and blank lines, however many, are not buffered until a record comes.
            if !is_found && cut.whole > 0 && self.end.is_none() {
                self.place = self.place.after_text(&block.bytes()[..cut.whole]);
                let rest = block.bytes()[cut.whole..].to_vec();
                block.restart(self.place);
                block.buffer().extend(rest);
                continue;
            }
            if is_found || self.end.is_some() || cut.damage.is_some() {
                // Less than a record, copied once per block of half a megabyte.
                self.rest.extend_from_slice(&block.bytes()[cut.whole..]);
                self.place.record += cut.cuts.len() as u64;
                self.place.game += cut.cuts.games().len() as u64;
                self.place.offset += cut.whole as u64;
                if self.format.is_text() {
                    self.place.line += line_ends(&block.bytes()[..cut.whole]);
                }
                block.set_cuts(cut.cuts);
                self.note_end(cut.damage);
                if is_found {
                    return Ok(true);
                }
            } else if block.bytes().len() > record_limit(self.format) {
                // The tail reports how many bytes were examined.
                self.rest.append(block.buffer());
                self.end = Some(End::Tail(TailCause::Damaged(Damage::TooLong)));
            }
        }
        let end = self.end.replace(End::Reported);
        if let Some(End::Tail(cause @ TailCause::Archive(error))) = end
            && error.fault.can_be_passed()
        {
            // The blocks behind it may be whole: the next call reads on.
            self.watch.as_ref().map_or(Ok(()), Watch::check_stamp)?;
            self.end = None;
            let tail = self.tail(cause);
            self.pass_lost(error);
            return Err(DatasetError::Tail(Box::new(tail)));
        }
        // The other ends of a file may be those of its change.
        if !matches!(end, Some(End::Failed(_))) {
            self.check_unchanged()?;
        }
        match end {
            Some(End::Tail(cause)) => Err(DatasetError::Tail(Box::new(self.tail(cause)))),
            Some(End::Failed(error)) => {
                let offset = self.place.offset + self.rest.len() as u64;
                Err(DatasetError::Read { input: self.input.clone(), offset, error })
            }
            _ => Ok(false),
        }
    }

    /// Appends the next chunk of the stream.
    fn read(&mut self, bytes: &mut Vec<u8>) {
        let want = if self.format.holds_games() { GAMES_BLOCK_BYTES } else { BLOCK_BYTES } as u64;
        match self.source.by_ref().take(want).read_to_end(bytes) {
            Ok(read) if (read as u64) < want => self.end = Some(End::Whole),
            Ok(_) => {}
            Err(error) if let Some(damage) = archive::damage(&error) => {
                self.end = Some(End::Tail(TailCause::Archive(damage)));
            }
            // A truncated file, not a failing disk or connection.
            Err(error) if compression::ends_early(&error) => {
                self.end = Some(End::Tail(TailCause::Compressed));
            }
            Err(error) if compression::is_corruption(&error) => {
                self.end = Some(End::Tail(TailCause::Corrupt));
            }
            Err(error) => self.end = Some(End::Failed(error)),
        }
    }

    /// Records why the stream ends, from the remainder of the last cut.
    fn note_end(&mut self, damage: Option<Damage>) {
        match (damage, &self.end) {
            (Some(what), _) => self.end = Some(End::Tail(TailCause::Damaged(what))),
            (None, Some(End::Whole)) if !self.rest.is_empty() => {
                self.end = Some(End::Tail(TailCause::Truncated));
            }
            _ => {}
        }
    }

    /// Goes on behind the records that an archive's damage has lost.
    fn pass_lost(&mut self, error: ArchiveError) {
        let next = error.record.saturating_add(error.lost);
        let lost = next.saturating_sub(self.place.record);
        let bytes = lost.saturating_mul(self.format.record_size().unwrap_or(0) as u64);
        self.lost += lost;
        self.place.record += lost;
        self.place.offset = self.place.offset.saturating_add(bytes);
    }

    fn tail(&self, cause: TailCause) -> Tail {
        Tail {
            input: self.input.clone(),
            records: self.place.record - self.lost,
            offset: self.place.offset,
            length: self.rest.len() as u64,
            cause,
        }
    }
}

//! [`Batch`]: a few hundred records, decoded from one format and encoded in another.

mod recoding;
mod refusals;
#[cfg(test)]
mod tests;

use alloc::vec::Vec;
use core::ops::Range;
use core::{fmt, mem};

use komabako_board::Setup;
use komabako_codec::{Backend, SliceError, UnpackError, Word};

use crate::FileFormat;
use crate::block::{Block, BlockGame};
use crate::fault::RecordFault;
use crate::format::binary::Packed;
use crate::format::{Shape, single};
use crate::games::{self, GameFragments, Paused, Replay};
use crate::record::{Labels, Record};
use komabako_variants::WordFormat;
use recoding::{Recode, recoding};
use refusals::Refusals;

/// The recommended size of a batch in records: enough for the codecs' slices, few enough that their setups (208 bytes
/// each) stay in the second-level cache.
pub const BATCH: usize = 256;

/// Records stored column by column, so that the codecs work on slices. A reused batch does not allocate.
pub struct Batch {
    /// The backend of the codecs.
    backend: Backend,
    /// The index in the block of each record that is still good.
    rows: Vec<usize>,
    labels: Vec<Labels>,
    /// Which of the next two columns hold the positions of the rows.
    columns: Columns,
    /// One setup per row, followed by spare ones.
    setups: Vec<Setup>,
    /// One canonical word per row.
    words: Vec<Word>,
    /// The output buffer of a recoding.
    recoded: Vec<Word>,
    /// The bad records by their index in the block, in no order.
    faults: Vec<(usize, RecordFault)>,
    /// The indices in the columns of the records that a codec has just refused, ascending.
    refused: Vec<usize>,
    /// The game in the middle of which the last range ended.
    unfinished: Option<Unfinished>,
    /// The number of replayed moves.
    #[cfg(test)]
    replayed: u64,
}

impl fmt::Debug for Batch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Batch")
            .field("rows", &self.rows)
            .field("faults", &self.faults)
            .finish_non_exhaustive()
    }
}

/// The columns that hold the positions of a batch.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Columns {
    Setups,
    Words(WordFormat),
    Both(WordFormat),
}

impl Columns {
    /// The codec of the words, if there are any.
    fn codec(self) -> Option<WordFormat> {
        match self {
            Columns::Setups => None,
            Columns::Words(codec) | Columns::Both(codec) => Some(codec),
        }
    }

    fn has_setups(self) -> bool {
        !matches!(self, Columns::Words(_))
    }
}

/// The good records of a batch, column by column.
#[derive(Clone, Copy, Debug)]
pub struct Records<'a> {
    /// The index of each in the block.
    pub rows: &'a [usize],
    /// The positions.
    pub setups: &'a [Setup],
    /// The labels.
    pub labels: &'a [Labels],
    /// The words, as [`Batch::words`].
    pub words: &'a [Word],
}

/// A game replayed up to the end of a range. Replaying it from its start for every range would take n² / 512 moves for a
/// game of n moves: 24 s for 280,000.
struct Unfinished {
    game: GameId,
    /// The index in the block of the game's next record.
    row: usize,
    /// The state of the game at that record; `None` if a fault stopped the replay before it.
    replay: Option<Paused>,
}

/// Identifies a game of a job.
#[derive(Clone, Copy, PartialEq, Eq)]
struct GameId {
    format: FileFormat,
    source: usize,
    number: u64,
    offset: u64,
    length: usize,
}

impl Batch {
    /// An empty batch whose codecs run on `backend`.
    pub fn new(backend: Backend) -> Batch {
        Batch {
            backend,
            rows: Vec::new(),
            labels: Vec::new(),
            columns: Columns::Setups,
            setups: Vec::new(),
            words: Vec::new(),
            recoded: Vec::new(),
            faults: Vec::new(),
            refused: Vec::new(),
            unfinished: None,
            #[cfg(test)]
            replayed: 0,
        }
    }

    /// Splits a range of a block's records into ranges of at most [`BATCH`], each to be [decoded](Batch::decode)
    /// separately.
    pub fn ranges(records: Range<usize>) -> impl Iterator<Item = Range<usize>> {
        let end = records.end;
        records.step_by(BATCH).map(move |start| start..end.min(start + BATCH))
    }

    /// Reads a range of a block's records, replacing the content of the batch.
    pub fn decode(&mut self, format: FileFormat, block: &Block, range: Range<usize>) {
        self.clear();
        match format.shape() {
            Shape::Games => {
                self.setups.clear();
                let games = block.games_from(range.start).take_while(|game| game.first < range.end);
                games.for_each(|game| self.replay(format, block.source(), &game, &range));
            }
            Shape::Packed(packed) => {
                self.read_words(packed, block, range);
                self.unpack(packed.codec, format == FileFormat::PsvLenient);
            }
            Shape::Text(text) => {
                self.setups.clear();
                for row in range {
                    match (text.read)(block.record(row)) {
                        Ok(record) => {
                            self.rows.push(row);
                            self.setups.push(record.setup);
                            self.labels.push(record.labels);
                        }
                        Err(fault) => self.faults.push((row, fault)),
                    }
                }
            }
        }
    }

    /// Like [`Batch::decode_words`], for records to be written in the format `to`.
    pub fn decode_for(&mut self, to: FileFormat, format: FileFormat, block: &Block, range: Range<usize>) {
        match to.shape() {
            Shape::Packed(target) => self.decode_words(target.codec, format, block, range),
            Shape::Text(_) | Shape::Games => self.decode(format, block, range),
        }
    }

    /// Reads a range of a block's records to obtain their words in `codec`, replacing the content of the batch.
    ///
    /// After a call of [`Batch::pack`], the records and faults are the same as after [`Batch::decode`] and
    /// [`Batch::pack`]. But words of PSV and HCP are recoded directly, and unpacked only if a method needs the positions.
    pub fn decode_words(
        &mut self,
        codec: WordFormat,
        format: FileFormat,
        block: &Block,
        range: Range<usize>,
    ) {
        let Shape::Packed(packed) = format.shape() else { return self.decode(format, block, range) };
        match recoding(packed.codec, codec) {
            // Words that only the lenient reader accepts cannot be recoded.
            Some(recode) if format != FileFormat::PsvLenient => {
                self.clear();
                self.read_words(packed, block, range);
                self.recode(recode, codec);
            }
            _ => self.decode(format, block, range),
        }
    }

    /// Removes all records.
    fn clear(&mut self) {
        self.rows.clear();
        self.labels.clear();
        self.words.clear();
        self.columns = Columns::Setups;
        self.faults.clear();
    }

    /// Reads the words and labels of a range of records.
    fn read_words(&mut self, packed: &Packed, block: &Block, range: Range<usize>) {
        for row in range {
            match (packed.read)(block.record(row)) {
                Ok((word, mut labels)) => {
                    if let (Some(encoding), Some(best_move)) = (block.moves(), &mut labels.best_move) {
                        best_move.encoding = encoding;
                    }
                    self.rows.push(row);
                    self.words.push(word);
                    self.labels.push(labels);
                }
                Err(fault) => self.faults.push((row, fault)),
            }
        }
    }

    /// Reads one record, replacing the content of the batch. For many records, conversions and [`crate::legality`] work
    /// on slices.
    ///
    /// The replay of a game pauses at the record and resumes from there for a later record of the same game: reading any
    /// number of records in ascending order from a game of n moves replays n moves in total.
    ///
    /// # Errors
    /// The fault of the record.
    ///
    /// # Panics
    /// If the block has no record of that index, or is of another format.
    pub fn decode_one(
        &mut self,
        format: FileFormat,
        block: &Block,
        index: usize,
    ) -> Result<Record, RecordFault> {
        self.decode(format, block, index..index + 1);
        match (self.labels.first(), self.faults()) {
            (Some(&labels), _) => Ok(Record { setup: self.setups[0], labels }),
            (None, [(_, fault)]) => Err(*fault),
            _ => panic!("record {index} of a block of {}", block.len()),
        }
    }

    /// Replays a game and appends its records within `range`.
    fn replay(&mut self, format: FileFormat, source: usize, game: &BlockGame, range: &Range<usize>) {
        let number = game.number;
        let offset = game.offset;
        let length = game.bytes.len();
        let id = GameId { format, source, number, offset, length };
        let unfinished = self.unfinished.take().filter(|it| it.game == id && it.row <= range.start);
        let (start, mut replay) = match unfinished {
            None => (game.first, Replay::open(format, game.bytes).map(Some)),
            Some(Unfinished { row, replay, .. }) => {
                (row, Ok(replay.map(|paused| Replay::resume(paused, format, game.bytes))))
            }
        };
        let end = game.first + game.moves;
        for row in start..end.min(range.end) {
            let is_wanted = range.contains(&row);
            let step = match &mut replay {
                Ok(Some(replay)) => replay.step().expect("a game has a record for every move"),
                // The game stopped earlier; that fault has been reported.
                Ok(None) => {
                    if is_wanted {
                        self.faults.push((row, RecordFault::Unreached));
                    }
                    continue;
                }
                Err(cause) => Err(*cause),
            };
            #[cfg(test)]
            {
                self.replayed += 1;
            }
            match step {
                Ok(record) if is_wanted => {
                    self.rows.push(row);
                    self.setups.push(record.setup);
                    self.labels.push(record.labels);
                }
                Ok(_) => {}
                Err(cause) => {
                    let number = (row - game.first) as u32 + 1;
                    let fault = RecordFault::Game(games::fault_of(format, game, number, cause));
                    if is_wanted {
                        self.faults.push((row, fault));
                    }
                    replay = Ok(None);
                }
            }
        }
        if range.end < end {
            let replay = replay.ok().flatten().map(Replay::pause);
            self.unfinished = Some(Unfinished { game: id, row: range.end, replay });
        }
    }

    /// Unpacks the words into setups; refused words become faults.
    fn unpack(&mut self, codec: WordFormat, lenient: bool) {
        let Self { backend, words, setups, .. } = self;
        if setups.len() < words.len() {
            setups.resize(words.len(), Setup::EMPTY);
        }
        let refusals =
            &mut Refusals { rows: &self.rows, faults: &mut self.faults, refused: &mut self.refused };
        refusals.collect(words.len(), |range| {
            let words = &words[range.clone()];
            let setups = &mut setups[range];
            if lenient {
                unpack_lenient(*backend, words, setups)
            } else {
                codec.unpack_slice(*backend, words, setups)
            }
        });
        // Words that only the lenient reader accepts differ from those that the codec writes.
        self.columns = if lenient { Columns::Setups } else { Columns::Both(codec) };
        self.remove_refused();
    }

    /// Recodes the words for another codec; refused words become faults.
    fn recode(&mut self, recode: Recode, to: WordFormat) {
        self.recoded.resize(self.words.len(), [0; 32]);
        let Self { backend, words, recoded, .. } = self;
        let refusals =
            &mut Refusals { rows: &self.rows, faults: &mut self.faults, refused: &mut self.refused };
        refusals.collect(words.len(), |range| recode(*backend, &words[range.clone()], &mut recoded[range]));
        mem::swap(&mut self.words, &mut self.recoded);
        self.columns = Columns::Words(to);
        self.remove_refused();
    }

    /// Unpacks words that were recoded.
    fn unpack_recoded(&mut self) {
        if let Columns::Words(codec) = self.columns {
            self.unpack(codec, false);
        }
    }

    /// Packs the setups into words; setups that the codec cannot hold become faults.
    pub fn pack(&mut self, codec: WordFormat) {
        if self.columns.codec() == Some(codec) {
            return;
        }
        self.unpack_recoded();
        self.words.resize(self.rows.len(), [0; 32]);
        let Self { backend, words, setups, .. } = self;
        let refusals =
            &mut Refusals { rows: &self.rows, faults: &mut self.faults, refused: &mut self.refused };
        refusals.collect(words.len(), |range| {
            codec.pack_slice(*backend, &setups[range.clone()], &mut words[range])
        });
        self.columns = Columns::Both(codec);
        self.remove_refused();
    }

    /// Removes the refused records from all columns in one pass: removing one record at a time would move each setup of a
    /// batch of bad records a hundred times.
    fn remove_refused(&mut self) {
        let Some(&first) = self.refused.first() else { return };
        let mut kept = first;
        let mut refused = self.refused.drain(..).peekable();
        for index in first..self.rows.len() {
            if refused.next_if_eq(&index).is_some() {
                continue;
            }
            self.rows[kept] = self.rows[index];
            self.labels[kept] = self.labels[index];
            if self.columns.codec().is_some() {
                self.words[kept] = self.words[index];
            }
            if self.columns.has_setups() {
                self.setups[kept] = self.setups[index];
            }
            kept += 1;
        }
        drop(refused);
        self.truncate(kept);
    }

    /// Keeps the first `kept` good records.
    fn truncate(&mut self, kept: usize) {
        self.rows.truncate(kept);
        self.labels.truncate(kept);
        self.words.truncate(kept);
    }

    /// Writes the good records in a format and returns their number. Records that the format refuses become faults.
    ///
    /// # Panics
    /// If the format cannot be written record by record.
    pub fn encode(&mut self, format: FileFormat, out: &mut Vec<u8>) -> usize {
        assert!(format.can_write(), "{format} is not written");
        match format.shape() {
            Shape::Packed(packed) => {
                self.pack(packed.codec);
                self.write(out, |batch, index, out| {
                    (packed.write)(&batch.words[index], &batch.labels[index], out)
                })
            }
            Shape::Text(text) => {
                self.unpack_recoded();
                self.write(out, |batch, index, out| {
                    let setup = batch.setups[index];
                    let labels = batch.labels[index];
                    (text.write)(&Record { setup, labels }, out)
                })
            }
            Shape::Games => panic!("{format} is not written record by record"),
        }
    }

    /// Appends each good record that `append` does not refuse, and returns the number of appended records.
    fn write(
        &mut self,
        out: &mut Vec<u8>,
        append: impl Fn(&Batch, usize, &mut Vec<u8>) -> Result<(), RecordFault>,
    ) -> usize {
        let mut written = 0;
        for index in 0..self.rows.len() {
            match append(self, index, out) {
                Ok(()) => written += 1,
                Err(fault) => self.faults.push((self.rows[index], fault)),
            }
        }
        written
    }

    /// Joins the good records into games, for a format of games, and returns their number. Records that cannot be a
    /// position of a game become faults.
    pub fn join(&mut self, format: FileFormat, fragments: &mut GameFragments) -> usize {
        self.unpack_recoded();
        let mut joined = 0;
        for ((&row, setup), labels) in self.rows.iter().zip(&self.setups).zip(&self.labels) {
            match fragments.push(format, setup, labels) {
                Ok(()) => joined += 1,
                Err(fault) => self.faults.push((row, fault)),
            }
        }
        joined
    }

    /// Calls `change` with each good record's index in the block and its labels.
    pub fn relabel(&mut self, mut change: impl FnMut(usize, &mut Labels)) {
        for (&row, labels) in self.rows.iter().zip(&mut self.labels) {
            change(row, labels);
        }
    }

    /// Keeps the good records for which `keep` returns true, given the index in the block, the position and the labels.
    pub fn retain(&mut self, mut keep: impl FnMut(usize, &Setup, &Labels) -> bool) {
        self.unpack_recoded();
        self.retain_by(|batch, index| keep(batch.rows[index], &batch.setups[index], &batch.labels[index]));
    }

    /// Keeps the good records for which `keep` returns true, given the index in the block.
    pub fn retain_rows(&mut self, mut keep: impl FnMut(usize) -> bool) {
        self.retain_by(|batch, index| keep(batch.rows[index]));
    }

    /// Keeps the good records for which `keep` returns true, given the index in the columns.
    fn retain_by(&mut self, mut keep: impl FnMut(&Batch, usize) -> bool) {
        let mut kept = 0;
        for index in 0..self.rows.len() {
            if !keep(self, index) {
                continue;
            }
            if kept < index {
                self.rows[kept] = self.rows[index];
                self.labels[kept] = self.labels[index];
                if self.columns.has_setups() {
                    self.setups.swap(kept, index);
                }
                if self.columns.codec().is_some() {
                    self.words.swap(kept, index);
                }
            }
            kept += 1;
        }
        self.truncate(kept);
    }

    /// The good records, with their positions.
    pub fn records(&mut self) -> Records<'_> {
        self.unpack_recoded();
        Records {
            rows: &self.rows,
            setups: &self.setups[..self.rows.len()],
            labels: &self.labels,
            words: self.words(),
        }
    }

    /// The index in the block of each good record, and its labels.
    pub fn labels(&self) -> (&[usize], &[Labels]) {
        (&self.rows, &self.labels)
    }

    /// The words of the good records, in the codec that packed them last; empty if none did.
    pub fn words(&self) -> &[Word] {
        if self.columns.codec().is_some() { &self.words } else { &[] }
    }

    /// The bad records by their index in the block, in no order.
    pub fn faults(&self) -> &[(usize, RecordFault)] {
        &self.faults
    }
}

impl Block {
    /// Reads one record. In a format of games this replays the game up to the record: to read several, use
    /// [`Batch::decode_one`].
    ///
    /// # Errors
    /// The fault of the record.
    ///
    /// # Panics
    /// If the block has no record of that index, or is of another format.
    pub fn decode(&self, format: FileFormat, index: usize) -> Result<Record, RecordFault> {
        if format.holds_games() {
            Batch::new(Backend::detect()).decode_one(format, self, index)
        } else {
            format.decode(self.record(index))
        }
    }
}

fn unpack_lenient(
    backend: Backend,
    words: &[Word],
    setups: &mut [Setup],
) -> Result<(), SliceError<UnpackError>> {
    for (index, (word, setup)) in words.iter().zip(setups).enumerate() {
        *setup = single::unpack_lenient(backend, word).map_err(|error| SliceError { index, error })?;
    }
    Ok(())
}

//! [`Batch`]: a few hundred records, decoded from one format and encoded in another.

mod recoding;
mod refusals;
#[cfg(test)]
mod tests;

use alloc::vec::Vec;
use core::mem;
use core::ops::Range;

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
    /// One setup per row, followed by spare ones.
    setups: Vec<Setup>,
    /// One word per row if `words_in` is a codec.
    words: Vec<Word>,
    /// The codec of which `words` are the setups' canonical words.
    words_in: Option<WordFormat>,
    /// Whether `setups` is filled, rather than only `words`.
    has_setups: bool,
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
            setups: Vec::new(),
            words: Vec::new(),
            words_in: None,
            has_setups: true,
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
    /// [`Batch::pack`]. But between words of PSV and HCP the batch recodes directly and has no positions:
    /// [`Batch::records`] and [`Batch::retain`] must not be called.
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
        self.words_in = None;
        self.has_setups = true;
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
        match (self.records(), self.faults()) {
            ((_, [setup], [labels]), _) => Ok(Record { setup: *setup, labels: *labels }),
            (_, [(_, fault)]) => Err(*fault),
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
        self.remove_refused();
        // Words that only the lenient reader accepts differ from those that the codec writes.
        self.words_in = if lenient { None } else { Some(codec) };
    }

    /// Recodes the words for another codec; refused words become faults.
    fn recode(&mut self, recode: Recode, to: WordFormat) {
        self.recoded.resize(self.words.len(), [0; 32]);
        let Self { backend, words, recoded, .. } = self;
        let refusals =
            &mut Refusals { rows: &self.rows, faults: &mut self.faults, refused: &mut self.refused };
        refusals.collect(words.len(), |range| recode(*backend, &words[range.clone()], &mut recoded[range]));
        mem::swap(&mut self.words, &mut self.recoded);
        self.has_setups = false;
        self.remove_refused();
        self.words_in = Some(to);
    }

    /// Packs the setups into words; setups that the codec cannot hold become faults.
    ///
    /// # Panics
    /// After [`Batch::decode_words`] for another codec, which left no positions.
    pub fn pack(&mut self, codec: WordFormat) {
        if self.words_in == Some(codec) {
            return;
        }
        assert!(self.has_setups, "{NO_POSITIONS}");
        self.words.resize(self.rows.len(), [0; 32]);
        let Self { backend, words, setups, .. } = self;
        let refusals =
            &mut Refusals { rows: &self.rows, faults: &mut self.faults, refused: &mut self.refused };
        refusals.collect(words.len(), |range| {
            codec.pack_slice(*backend, &setups[range.clone()], &mut words[range])
        });
        self.remove_refused();
        self.words_in = Some(codec);
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
            self.words[kept] = self.words[index];
            if self.has_setups {
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
            Shape::Text(text) => self.write(out, |batch, index, out| {
                assert!(batch.has_setups, "{NO_POSITIONS}");
                let setup = batch.setups[index];
                let labels = batch.labels[index];
                (text.write)(&Record { setup, labels }, out)
            }),
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
    ///
    /// # Panics
    /// After [`Batch::decode_words`], which may have left no positions.
    pub fn join(&mut self, format: FileFormat, fragments: &mut GameFragments) -> usize {
        assert!(self.has_setups, "{NO_POSITIONS}");
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
    ///
    /// # Panics
    /// If the batch has [no positions](Batch::decode_for).
    pub fn retain(&mut self, mut keep: impl FnMut(usize, &Setup, &Labels) -> bool) {
        assert!(self.has_setups, "{NO_POSITIONS}");
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
                if self.has_setups {
                    self.setups.swap(kept, index);
                }
                if self.words_in.is_some() {
                    self.words.swap(kept, index);
                }
            }
            kept += 1;
        }
        self.truncate(kept);
    }

    /// The good records: the index of each in the block, its position and its labels.
    ///
    /// # Panics
    /// If the batch has [no positions](Batch::decode_for).
    pub fn records(&self) -> (&[usize], &[Setup], &[Labels]) {
        assert!(self.has_setups, "{NO_POSITIONS}");
        (&self.rows, &self.setups[..self.rows.len()], &self.labels)
    }

    /// The index in the block of each good record, and its labels.
    pub fn labels(&self) -> (&[usize], &[Labels]) {
        (&self.rows, &self.labels)
    }

    /// The words of the good records, in the codec that packed them last.
    pub fn words(&self) -> &[Word] {
        &self.words
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

const NO_POSITIONS: &str = "the batch was decoded for a conversion of words";

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

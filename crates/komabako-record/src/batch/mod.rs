//! [`Batch`]: a few hundred records on their way from one format to another.

mod refusals;
#[cfg(test)]
mod tests;

use alloc::vec::Vec;
use core::mem;
use core::ops::Range;

use komabako_board::Setup;
use komabako_codec::{Backend, SliceError, Word};

use crate::binary::Packed;
use crate::block::{Block, BlockGame};
use crate::codec::{Codec, Recode};
use crate::fault::RecordFault;
use crate::format::Shape;
use crate::games::{self, GameFragments, Paused, Replay};
use crate::record::{Labels, Record};
use crate::{FileFormat, single};
use refusals::Refusals;

/// How many records a batch should have: enough for the codecs' slices, few enough that their setups (208 bytes each)
/// stay in the second-level cache.
pub const BATCH: usize = 256;

/// Records column by column, so that the codecs work on slices. Reused, it allocates nothing.
pub struct Batch {
    /// The backend of the codecs.
    backend: Backend,
    /// The index in the block of each record that is still good.
    rows: Vec<usize>,
    labels: Vec<Labels>,
    /// One a row, and then spare ones.
    setups: Vec<Setup>,
    /// One a row if `words_in` is a format.
    words: Vec<Word>,
    /// The codec by which `words` are the setups' canonical words.
    words_in: Option<Codec>,
    /// Whether there are setups, and not only words.
    has_setups: bool,
    /// Room for words that are being recoded.
    recoded: Vec<Word>,
    /// The bad records by their index in the block, in no order.
    faults: Vec<(usize, RecordFault)>,
    /// The columns' indices of records that a codec has just refused, ascending.
    refused: Vec<usize>,
    /// The game in whose middle the last range ended.
    unfinished: Option<Unfinished>,
    /// The moves that were replayed.
    #[cfg(test)]
    replayed: u64,
}

/// A game that was replayed as far as a range went. Replayed from its start for every range, a game of n moves would take
/// n² / 512 of them: 24 s for 280,000.
struct Unfinished {
    game: GameId,
    /// The index in the block of its next record.
    row: usize,
    /// The game at that record; `None` if it stopped at a fault before.
    replay: Option<Paused>,
}

/// Which game of a job it is.
#[derive(Clone, Copy, PartialEq, Eq)]
struct GameId {
    format: FileFormat,
    source: usize,
    number: u64,
    offset: u64,
    length: usize,
}

impl Batch {
    /// An empty batch whose codecs run on a backend.
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

    /// Cuts some records of a block into ranges of at most [`BATCH`], each to be [decoded](Batch::decode) by itself.
    pub fn ranges(records: Range<usize>) -> impl Iterator<Item = Range<usize>> {
        let end = records.end;
        records.step_by(BATCH).map(move |start| start..end.min(start + BATCH))
    }

    /// Reads a range of a block's records, in place of what was there.
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

    /// [`Batch::decode_words`], for records that are to be written in a format.
    pub fn decode_for(&mut self, to: FileFormat, format: FileFormat, block: &Block, range: Range<usize>) {
        match to.shape() {
            Shape::Packed(target) => self.decode_words(target.codec, format, block, range),
            Shape::Text(_) | Shape::Games => self.decode(format, block, range),
        }
    }

    /// Reads a range of a block's records of which the words of a codec are wanted, in place of what was there.
    ///
    /// The same records and faults as of [`Batch::decode`], and of [`Batch::pack`], which is then to be called. But where
    /// words of PSV or HCP are to be words of either, there are no positions: [`Batch::records`] and [`Batch::retain`] are
    /// not to be asked.
    pub fn decode_words(&mut self, codec: Codec, format: FileFormat, block: &Block, range: Range<usize>) {
        let Shape::Packed(packed) = format.shape() else { return self.decode(format, block, range) };
        match packed.codec.recoding(codec) {
            // What the lenient reader alone accepts is no word that can be recoded.
            Some(recode) if format != FileFormat::PsvLenient => {
                self.clear();
                self.read_words(packed, block, range);
                self.recode(recode, codec);
            }
            _ => self.decode(format, block, range),
        }
    }

    /// Forgets all records.
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

    /// Reads one record, in place of what was there. To read many, conversions and [`crate::legality`] work on slices.
    ///
    /// A game is left where the record is, and a later record of it is replayed from there: records of a game of n moves that
    /// are asked for in ascending order take n moves together, however many they are.
    ///
    /// # Errors
    /// What is wrong with the record.
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

    /// Replays a game and takes those of its records that are in a range.
    fn replay(&mut self, format: FileFormat, source: usize, game: &BlockGame, range: &Range<usize>) {
        let (number, offset, length) = (game.number, game.offset, game.bytes.len());
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
                // The game stopped before; that fault has been reported.
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

    /// Turns the words into setups; those that are refused become faults.
    fn unpack(&mut self, codec: Codec, lenient: bool) {
        let Self { backend, words, setups, .. } = self;
        if setups.len() < words.len() {
            setups.resize(words.len(), Setup::EMPTY);
        }
        let refusals =
            &mut Refusals { rows: &self.rows, faults: &mut self.faults, refused: &mut self.refused };
        refusals.collect(words.len(), |range| {
            let (words, setups) = (&words[range.clone()], &mut setups[range]);
            if lenient {
                unpack_lenient(*backend, words, setups)
            } else {
                codec.unpack_slice(*backend, words, setups)
            }
        });
        self.remove_refused();
        // Words that only the lenient reader accepts are not the ones that the codec writes.
        self.words_in = if lenient { None } else { Some(codec) };
    }

    /// Turns the words into those of another codec; those that are refused become faults.
    fn recode(&mut self, recode: Recode, to: Codec) {
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

    /// Turns the setups into words; those that the codec cannot hold become faults.
    ///
    /// # Panics
    /// After [`Batch::decode_words`] for another codec, which left no positions.
    pub fn pack(&mut self, codec: Codec) {
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

    /// Takes the refused records out of all columns, in one pass: a record at a time, a batch of nothing but bad records
    /// would move each of its setups a hundred times.
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

    /// Keeps the first good records.
    fn truncate(&mut self, kept: usize) {
        self.rows.truncate(kept);
        self.labels.truncate(kept);
        self.words.truncate(kept);
    }

    /// Writes the good records in a format and returns how many there were. What the format refuses becomes a fault.
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
                let (setup, labels) = (batch.setups[index], batch.labels[index]);
                (text.write)(&Record { setup, labels }, out)
            }),
            Shape::Games => panic!("{format} is not written record by record"),
        }
    }

    /// Appends each good record, which may be refused, and returns how many were not.
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

    /// Joins the good records, for a format of games, and returns how many there were. What cannot be a position of a game
    /// becomes a fault.
    ///
    /// # Panics
    /// After [`Batch::decode_words`], which may have left no positions.
    pub fn join(&mut self, format: FileFormat, stretches: &mut GameFragments) -> usize {
        assert!(self.has_setups, "{NO_POSITIONS}");
        let mut joined = 0;
        for ((&row, setup), labels) in self.rows.iter().zip(&self.setups).zip(&self.labels) {
            match stretches.push(format, setup, labels) {
                Ok(()) => joined += 1,
                Err(fault) => self.faults.push((row, fault)),
            }
        }
        joined
    }

    /// Changes the labels of the good records, each with its index in the block.
    pub fn relabel(&mut self, mut change: impl FnMut(usize, &mut Labels)) {
        for (&row, labels) in self.rows.iter().zip(&mut self.labels) {
            change(row, labels);
        }
    }

    /// Keeps the good records of which something holds: of the index in the block, the position, the labels.
    ///
    /// # Panics
    /// If there are [no positions](Batch::decode_for).
    pub fn retain(&mut self, mut keep: impl FnMut(usize, &Setup, &Labels) -> bool) {
        assert!(self.has_setups, "{NO_POSITIONS}");
        self.retain_by(|batch, index| keep(batch.rows[index], &batch.setups[index], &batch.labels[index]));
    }

    /// Keeps the good records of which something holds: of the index in the block.
    pub fn retain_rows(&mut self, mut keep: impl FnMut(usize) -> bool) {
        self.retain_by(|batch, index| keep(batch.rows[index]));
    }

    /// Keeps the good records of which something holds: of the index in the columns.
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
    /// If there are [no positions](Batch::decode_for).
    pub fn records(&self) -> (&[usize], &[Setup], &[Labels]) {
        assert!(self.has_setups, "{NO_POSITIONS}");
        (&self.rows, &self.setups[..self.rows.len()], &self.labels)
    }

    /// The index in the block of each good record, and its labels.
    pub fn labels(&self) -> (&[usize], &[Labels]) {
        (&self.rows, &self.labels)
    }

    /// The words of the good records, in the codec by which they were packed last.
    pub fn words(&self) -> &[Word] {
        &self.words
    }

    /// The bad records by their index in the block, in no order.
    pub fn faults(&self) -> &[(usize, RecordFault)] {
        &self.faults
    }
}

impl Block {
    /// Reads one record. Of games this replays the game up to the record: for more than one, ask
    /// [`Batch::decode_one`].
    ///
    /// # Errors
    /// What is wrong with the record.
    ///
    /// # Panics
    /// If the block has no record of that index, or is of another format.
    pub fn decode(&self, format: FileFormat, index: usize) -> Result<Record, RecordFault> {
        match format.holds_games() {
            true => Batch::new(Backend::detect()).decode_one(format, self, index),
            false => format.decode(self.record(index)),
        }
    }
}

const NO_POSITIONS: &str = "the batch was decoded for a conversion of words";

fn unpack_lenient(
    backend: Backend,
    words: &[Word],
    setups: &mut [Setup],
) -> Result<(), SliceError<RecordFault>> {
    for (index, (word, setup)) in words.iter().zip(setups).enumerate() {
        *setup = single::unpack_lenient(backend, word)
            .map_err(|error| SliceError { index, error: RecordFault::Unpack(error) })?;
    }
    Ok(())
}

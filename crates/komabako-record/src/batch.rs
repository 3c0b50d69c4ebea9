//! [`Batch`]: a few hundred records on their way from one format to another.

use alloc::vec::Vec;
use core::ops::Range;

use komabako_board::Setup;
use komabako_codec::{Backend, SliceError, Word};

use crate::block::{Block, BlockGame};
use crate::codec::Codec;
use crate::fault::RecordFault;
use crate::format::Shape;
use crate::games::{self, GameFragments, Paused, Replay};
use crate::record::{Labels, Record};
use crate::{FileFormat, single};

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
    /// The bad records by their index in the block, in no order.
    faults: Vec<(usize, RecordFault)>,
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
            faults: Vec::new(),
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
        self.rows.clear();
        self.labels.clear();
        self.words.clear();
        self.words_in = None;
        self.faults.clear();
        match format.shape() {
            Shape::Games => {
                self.setups.clear();
                let games = block.games_from(range.start).take_while(|game| game.first < range.end);
                games.for_each(|game| self.replay(format, block.source(), &game, &range));
            }
            Shape::Packed(packed) => {
                for row in range {
                    match (packed.read)(block.record(row)) {
                        Ok((word, mut labels)) => {
                            if let (Some(encoding), Some(best_move)) = (block.moves(), &mut labels.best_move)
                            {
                                best_move.encoding = encoding;
                            }
                            self.rows.push(row);
                            self.words.push(word);
                            self.labels.push(labels);
                        }
                        Err(fault) => self.faults.push((row, fault)),
                    }
                }
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
        if self.setups.len() < self.words.len() {
            self.setups.resize(self.words.len(), Setup::EMPTY);
        }
        let mut start = 0;
        loop {
            let (words, setups) = (&self.words[start..], &mut self.setups[start..self.words.len()]);
            let unpacked = if lenient {
                unpack_lenient(self.backend, words, setups)
            } else {
                codec.unpack_slice(self.backend, words, setups)
            };
            let Err(SliceError { index, error }) = unpacked else { break };
            start += index;
            self.reject(start, error);
        }
        // Words that only the lenient reader accepts are not the ones that the codec writes.
        self.words_in = if lenient { None } else { Some(codec) };
    }

    /// Turns the setups into words; those that the codec cannot hold become faults.
    pub fn pack(&mut self, codec: Codec) {
        if self.words_in == Some(codec) {
            return;
        }
        self.words.resize(self.rows.len(), [0; 32]);
        let mut start = 0;
        loop {
            let (setups, words) = (&self.setups[start..self.rows.len()], &mut self.words[start..]);
            let Err(SliceError { index, error }) = codec.pack_slice(self.backend, setups, words) else {
                break;
            };
            start += index;
            self.reject(start, error);
        }
        self.words_in = Some(codec);
    }

    /// Takes a record out. Slow, for the rare bad one.
    fn reject(&mut self, index: usize, fault: RecordFault) {
        self.faults.push((self.rows.remove(index), fault));
        self.labels.remove(index);
        self.setups.remove(index);
        self.words.remove(index);
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
    pub fn join(&mut self, format: FileFormat, stretches: &mut GameFragments) -> usize {
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
    pub fn retain(&mut self, mut keep: impl FnMut(usize, &Setup, &Labels) -> bool) {
        let mut kept = 0;
        for index in 0..self.rows.len() {
            if !keep(self.rows[index], &self.setups[index], &self.labels[index]) {
                continue;
            }
            if kept < index {
                self.rows[kept] = self.rows[index];
                self.labels[kept] = self.labels[index];
                self.setups.swap(kept, index);
                if self.words_in.is_some() {
                    self.words.swap(kept, index);
                }
            }
            kept += 1;
        }
        self.rows.truncate(kept);
        self.labels.truncate(kept);
        self.words.truncate(kept);
    }

    /// The good records: the index of each in the block, its position and its labels.
    pub fn records(&self) -> (&[usize], &[Setup], &[Labels]) {
        (&self.rows, &self.setups[..self.rows.len()], &self.labels)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::boundaries;
    use crate::games::GameWriter;
    use crate::move16::MoveField;
    use crate::{GameResult, legality};

    /// Rooks that go to and fro: a `.pack` game of `moves` moves.
    fn shuffling(moves: usize) -> Block {
        let (mut stretches, mut state) =
            (GameFragments::default(), legality::state_of(&Setup::START).unwrap());
        let turns = ["2h3h", "8b7b", "3h2h", "7b8b"].map(|mv| mv.parse::<MoveField>().unwrap());
        for mv in turns.into_iter().cycle().take(moves) {
            let labels = Labels {
                score: Some(0),
                best_move: Some(mv.into()),
                result: Some(GameResult::Draw),
                ..Labels::default()
            };
            stretches.push(FileFormat::Pack, &state.setup(), &labels).unwrap();
            state.do_move(mv.to_move16());
        }
        let mut writer = GameWriter::new(FileFormat::Pack);
        let mut bytes = writer.add(&[], 0, &stretches).to_vec();
        bytes.extend_from_slice(writer.finish());
        let cuts = boundaries::cut(FileFormat::Pack, &bytes, true, true).cuts;
        Block::new(bytes, cuts)
    }

    type Decoded = (Vec<(usize, Setup)>, Vec<(usize, RecordFault)>, u64);

    /// Decodes a block range by range, and returns the records, what is wrong, and how many moves that took.
    fn decoded(block: &Block, size: usize) -> Decoded {
        let mut batch = Batch::new(Backend::detect());
        let (mut records, mut faults) = (Vec::new(), Vec::new());
        for start in (0..block.len()).step_by(size) {
            batch.decode(FileFormat::Pack, block, start..block.len().min(start + size));
            let (rows, setups, _) = batch.records();
            records.extend(rows.iter().copied().zip(setups.iter().copied()));
            faults.extend_from_slice(batch.faults());
        }
        (records, faults, batch.replayed)
    }

    #[test]
    fn a_long_game_is_replayed_once() {
        let block = shuffling(10_000);
        assert_eq!(block.len(), 10_000);
        let whole = decoded(&block, 10_000);
        assert_eq!((whole.0.len(), whole.1.len(), whole.2), (10_000, 0, 10_000));
        for size in [1, 7, BATCH] {
            assert!(decoded(&block, size) == whole, "{size}");
        }
    }

    #[test]
    fn a_game_that_stops_is_not_replayed_up_to_there_again() {
        let block = shuffling(10_000);
        let mut bytes = block.bytes().to_vec();
        // Any fault in the middle will do.
        let middle = (bytes.len() / 2) & !1;
        bytes[middle - 8..middle].fill(0x11);
        let block = block.with_bytes(bytes);
        let whole = decoded(&block, 10_000);
        assert!(whole.0.len() > 4_000 && whole.1.len() > 4_000 && whole.2 < 6_000);
        assert_eq!(whole.0.len() + whole.1.len(), 10_000);
        assert!(decoded(&block, BATCH) == whole);
    }

    #[test]
    fn single_records_in_ascending_order_replay_a_game_once() {
        let block = shuffling(10_000);
        let (records, ..) = decoded(&block, 10_000);
        let mut batch = Batch::new(Backend::detect());
        for index in (0..10_000).step_by(7) {
            let record = batch.decode_one(FileFormat::Pack, &block, index).unwrap();
            assert!(record.setup == records[index].1, "{index}");
        }
        assert!(batch.replayed <= 10_000, "{}", batch.replayed);
    }

    #[test]
    fn ranges_in_any_order_read_the_same() {
        let block = shuffling(1_000);
        let (records, ..) = decoded(&block, 1_000);
        let mut batch = Batch::new(Backend::detect());
        for range in [500..600, 600..610, 0..10, 610..620, 990..1_000, 10..20] {
            batch.decode(FileFormat::Pack, &block, range.clone());
            let (rows, setups, _) = batch.records();
            let read: Vec<_> = rows.iter().copied().zip(setups.iter().copied()).collect();
            assert_eq!(read, records[range]);
        }
    }
}

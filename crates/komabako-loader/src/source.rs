//! [`OpenSource`]: a source whose blocks are decoded to PSV, and marked by a selection.

use std::sync::{Mutex, PoisonError};

use komabako_board::{Position, Setup};
use komabako_codec::{Backend, PackError, Word, recode};
use komabako_dataset::convert::Rescale;
use komabako_dataset::select::expression::Facts;
use komabako_dataset::{
    Batch, Block, BlockFile, DatasetError, FileFormat, Inputs, Name, RecordError, RecordReader,
};
use komabako_record::record::Psv;
use komabako_record::{RecordFault, batch, games, order::Permutation};
use komabako_rules::{Move16, State};
use komabako_variants::WordFormat;

use crate::order::Draws;
use crate::output::{Record, Visits, unpack_fault, word_of};
use crate::select::{Selector, mark};

/// A source that is open.
pub(crate) struct OpenSource {
    /// Its number, a part of the keys of its random numbers.
    pub number: u64,
    pub name: Name,
    pub format: FileFormat,
    pub rescale: Option<Rescale>,
    pub skip_repetition: bool,
    pub access: Access,
    /// The size of its blocks, but of the last.
    pub block: u64,
}

/// How a source is read.
pub(crate) enum Access {
    /// Block by block.
    Random(BlockFile),
    /// From its start.
    Sequential(Mutex<Inputs<'static>>),
}

/// What becomes of records that cannot be used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Treatment {
    /// The mark of bad records.
    pub bad: u8,
    /// The mark of those that lack a king.
    pub kingless: u8,
    /// Whether words are read again later, where a bad one is found.
    pub is_checked_later: bool,
    /// Whether positions that hcpe3 marks as not for training are left out: they have no policy.
    pub drops_unfit: bool,
    /// Whether the candidates of hcpe3 are wanted.
    pub has_visits: bool,
}

/// The buffers of a thread that decodes.
pub(crate) struct Decoder {
    batch: Batch,
    bytes: Vec<u8>,
    /// The block that was read.
    pub block: Block,
    /// Whether its records are those of the block, as they are.
    pub is_in_block: bool,
    words: Vec<Word>,
    /// The rows of the words.
    rows: Vec<usize>,
    setups: Vec<Setup>,
    /// The decoded records, in the order of the block, unless they are in it.
    pub records: Vec<Record>,
    /// Their marks.
    pub marks: Vec<u8>,
    /// The faults of those that are bad, by index.
    pub faults: Vec<(u32, RecordFault)>,
    /// Their candidates, if they are wanted.
    pub visits: Visits,
    /// The offsets and lines of bad records are not kept: the number of the first record of the block suffices.
    pub first: u64,
    /// The inner order of a block.
    pub order: Vec<u32>,
    backend: Backend,
}

impl Decoder {
    pub fn new(backend: Backend) -> Decoder {
        Decoder {
            batch: Batch::new(backend),
            bytes: Vec::new(),
            block: Block::default(),
            is_in_block: false,
            words: Vec::new(),
            rows: Vec::new(),
            setups: Vec::new(),
            records: Vec::new(),
            marks: Vec::new(),
            faults: Vec::new(),
            visits: Visits::default(),
            first: 0,
            order: Vec::new(),
            backend,
        }
    }
}

/// What is said of the records of a source in an epoch.
#[derive(Clone, Copy)]
pub(crate) struct Judge<'a> {
    /// Which of them are kept.
    pub selector: &'a Selector,
    /// What becomes of the others, and of bad ones.
    pub treatment: Treatment,
    /// The draws of the rules by chance.
    pub draws: Draws,
}

/// The numbers of the records of a block.
#[derive(Clone, Copy)]
enum Numbers<'a> {
    From(u64),
    Listed(&'a [(u64, usize)]),
}

impl Numbers<'_> {
    fn at(self, row: usize) -> u64 {
        match self {
            Numbers::From(first) => first + row as u64,
            Numbers::Listed(numbers) => numbers[row].0,
        }
    }
}

impl OpenSource {
    /// The number of its records, if it is known.
    pub fn records(&self) -> Option<u64> {
        match &self.access {
            Access::Random(file) => Some(file.records()),
            Access::Sequential(_) => None,
        }
    }

    /// The size of its file.
    pub fn size(&self) -> u64 {
        match &self.access {
            Access::Random(file) => file.size(),
            Access::Sequential(inputs) => {
                inputs.lock().unwrap_or_else(PoisonError::into_inner).size().unwrap_or(0)
            }
        }
    }

    /// The number of its blocks; the most there can be of a source that is read from its start.
    pub fn blocks(&self) -> u64 {
        match &self.access {
            Access::Random(file) => file.blocks(),
            Access::Sequential(_) => MOST_BLOCKS,
        }
    }

    /// The number of records of a block.
    pub fn records_of(&self, block: u64) -> u64 {
        match &self.access {
            Access::Random(file) => file.records_of(block),
            Access::Sequential(_) => self.block,
        }
    }

    /// Decodes a block.
    pub fn decode_block(&self, block: u64, decoder: &mut Decoder, judge: Judge) -> Result<(), DatasetError> {
        let Access::Random(file) = &self.access else { return Ok(()) };
        let mut read = std::mem::take(&mut decoder.block);
        let result = file.read_block(block, &mut decoder.bytes, &mut read);
        decoder.first = file.first_record(block);
        if result.is_ok() {
            if self.is_psv(&read) && !self.skip_repetition {
                decoder.start_in_block(read.len());
            } else {
                decoder.start(read.len());
            }
            let numbers = Numbers::From(decoder.first);
            self.decode(&read, 0, numbers, decoder, judge);
        }
        decoder.block = read;
        result
    }

    /// The error of a bad record.
    pub fn record_error(&self, record: u64, fault: RecordFault) -> RecordError {
        let size = self.format.record_size().unwrap_or(0) as u64;
        let format = Some(self.format);
        RecordError { input: self.name.clone(), format, record, offset: record * size, line: None, fault }
    }

    /// Decodes a block to places from `at` on, and marks its records.
    fn decode(&self, block: &Block, at: usize, numbers: Numbers, decoder: &mut Decoder, judge: Judge) {
        if self.is_psv(block) {
            self.copy(block, at, decoder, judge);
            // A record that is read from the start of its file could not be found again.
            let is_checked_later =
                judge.treatment.is_checked_later && matches!(self.access, Access::Random(_));
            let task = if judge.selector.needs_positions() {
                Words::Unpack
            } else if is_checked_later {
                Words::Leave
            } else {
                Words::Check
            };
            read_psv(block, at, numbers, task, decoder, judge);
        } else {
            self.convert(block, at, numbers, decoder, judge);
        }
        if self.skip_repetition {
            leave_out_repetitions(block, at, decoder);
        }
        if judge.treatment.has_visits {
            note_visits(block, at, decoder, judge.treatment.bad);
        }
    }

    /// Whether the records of a block need no conversion.
    fn is_psv(&self, block: &Block) -> bool {
        self.format == FileFormat::Psv && block.moves().is_none() && self.rescale.is_none()
    }

    /// Marks records that are PSV already, and copies them unless they stay in their block.
    fn copy(&self, block: &Block, at: usize, decoder: &mut Decoder, judge: Judge) {
        let records = block.bytes().as_chunks::<40>().0;
        if !decoder.is_in_block {
            decoder.records[at..at + records.len()].copy_from_slice(records);
        }
        for (index, record) in (at..).zip(records) {
            let result = record[38].cast_signed();
            if (-1..=1).contains(&result) {
                let score = i16::from_le_bytes([record[32], record[33]]);
                decoder.marks[index] = judge.selector.mark_by_score(score);
            } else {
                decoder.marks[index] = judge.treatment.bad;
                decoder.faults.push((index as u32, RecordFault::Result(i16::from(result))));
            }
        }
    }

    /// Converts records, and asks the selection about each.
    fn convert(&self, block: &Block, at: usize, numbers: Numbers, decoder: &mut Decoder, judge: Judge) {
        let Decoder { batch, records, marks, faults, .. } = decoder;
        for rows in Batch::ranges(0..block.len()) {
            if judge.selector.asks() {
                batch.decode(self.format, block, rows);
            } else {
                batch.decode_for(FileFormat::Psv, self.format, block, rows);
            }
            if let Some(rescale) = self.rescale {
                batch.relabel(|_, labels| {
                    if let Some(score) = &mut labels.score {
                        *score = rescale.apply(*score).0;
                    }
                });
            }
            batch.pack(WordFormat::PackedSfen);
            for &(row, fault) in batch.faults() {
                if matches!(fault, RecordFault::Pack(PackError::KingMissing(_))) {
                    marks[at + row] = judge.treatment.kingless;
                } else {
                    marks[at + row] = judge.treatment.bad;
                    faults.push(((at + row) as u32, fault));
                }
            }
            let (indices, labels) = batch.labels();
            for ((&row, labels), word) in indices.iter().zip(labels).zip(batch.words()) {
                match Psv::new(*word, labels) {
                    Ok(psv) => {
                        records[at + row] = psv.to_bytes();
                        let is_left_out = judge.treatment.drops_unfit && labels.extras.is_unfit;
                        marks[at + row] = if is_left_out {
                            mark::LEFT_OUT
                        } else {
                            judge.selector.mark_by_score(psv.score)
                        };
                    }
                    Err(fault) => {
                        marks[at + row] = judge.treatment.bad;
                        faults.push(((at + row) as u32, fault));
                    }
                }
            }
            if !judge.selector.asks() {
                continue;
            }
            let good = batch.records();
            for ((&row, setup), labels) in good.rows.iter().zip(good.setups).zip(good.labels) {
                if marks[at + row] != mark::KEPT {
                    continue;
                }
                let facts = Facts { setup, labels, place: Some((block, row)) };
                marks[at + row] = if judge.selector.leaves_out(&facts) {
                    mark::LEFT_OUT
                } else {
                    judge.selector.mark(&facts, judge.draws, numbers.at(row))
                };
            }
        }
    }
}

/// The most blocks of a source that is read from its start.
const MOST_BLOCKS: u64 = 1 << 40;

/// What is done with the words of records that are PSV already.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Words {
    /// They are unpacked, for the selection.
    Unpack,
    Check,
    /// They are unpacked in their batch.
    Leave,
}

/// Asks the selection about records that are PSV already, and reads the words of those that their labels do not leave out.
fn read_psv(block: &Block, at: usize, numbers: Numbers, task: Words, decoder: &mut Decoder, judge: Judge) {
    let records = block.bytes().as_chunks::<40>().0;
    let asks = judge.selector.asks();
    if task == Words::Leave && !asks {
        return;
    }
    for rows in Batch::ranges(0..records.len()) {
        decoder.words.clear();
        decoder.rows.clear();
        for row in rows {
            if decoder.marks[at + row] != mark::KEPT {
                continue;
            }
            if asks {
                let psv = Psv::from_bytes(&records[row]);
                let Ok(labels) = psv.labels() else { continue };
                let facts = Facts::of_labels(&labels, psv.side_to_move(), Some((block, row)));
                if judge.selector.leaves_out(&facts) {
                    decoder.marks[at + row] = mark::LEFT_OUT;
                    continue;
                }
            }
            decoder.words.push(word_of(&records[row]));
            decoder.rows.push(row);
        }
        decoder.read_words(at, task, judge);
        if !asks {
            continue;
        }
        for (index, &row) in decoder.rows.iter().enumerate() {
            if decoder.marks[at + row] != mark::KEPT {
                continue;
            }
            // Read again instead of kept in another list.
            let psv = Psv::from_bytes(&records[row]);
            let Ok(labels) = psv.labels() else { continue };
            let mut facts = Facts::of_labels(&labels, psv.side_to_move(), Some((block, row)));
            if task == Words::Unpack {
                facts.setup = &decoder.setups[index];
            }
            decoder.marks[at + row] = judge.selector.mark(&facts, judge.draws, numbers.at(row));
        }
    }
}

impl Decoder {
    /// Reads the words of some rows.
    fn read_words(&mut self, at: usize, task: Words, judge: Judge) {
        self.setups.resize(batch::BATCH, Setup::EMPTY);
        let mut start = 0;
        loop {
            let words = &self.words[start..];
            let result = match task {
                Words::Unpack => {
                    let setups = &mut self.setups[start..self.words.len()];
                    WordFormat::PackedSfen.unpack_slice(self.backend, words, setups)
                }
                Words::Check => recode::check_psv(self.backend, words),
                Words::Leave => Ok(()),
            };
            let Err(error) = result else { return };
            let index = at + self.rows[start + error.index];
            self.faults.push((index as u32, RecordFault::from(error.error)));
            self.marks[index] = judge.treatment.bad;
            start += error.index + 1;
        }
    }

    /// Makes room for records.
    fn start(&mut self, records: usize) {
        self.start_in_block(records);
        self.is_in_block = false;
        self.records.resize(records, [0; 40]);
    }

    /// Makes room for the marks of records that stay in the block.
    fn start_in_block(&mut self, records: usize) {
        self.is_in_block = true;
        self.records.clear();
        self.marks.clear();
        self.marks.resize(records, mark::LEFT_OUT);
        self.faults.clear();
        self.visits.clear();
    }
}

/// Notes the candidates of each record. A record of several without visits is bad: they have no shares.
fn note_visits(block: &Block, at: usize, decoder: &mut Decoder, bad: u8) {
    let mut index = at;
    for game in block.games() {
        for candidates in games::candidates(game.bytes) {
            let has_visits = candidates.iter().any(|[_, _, low, high]| [*low, *high] != [0, 0]);
            if has_visits || candidates.len() < 2 {
                decoder.visits.push(candidates);
            } else {
                decoder.visits.push(&[]);
                if mark::is_usable(decoder.marks[index]) {
                    decoder.marks[index] = bad;
                    decoder.faults.push((index as u32, RecordFault::NoVisits));
                }
            }
            index += 1;
        }
    }
}

/// Leaves out records of games whose move leads to a position that has occurred in the game before.
fn leave_out_repetitions(block: &Block, at: usize, decoder: &mut Decoder) {
    let mut seen = std::collections::HashSet::new();
    for game in block.games() {
        let records = at + game.first..at + game.first + game.moves;
        seen.clear();
        for index in records.clone() {
            // A move leads to the position of the next record.
            if !seen.insert(word_of(&decoder.records[index])) && mark::is_usable(decoder.marks[index - 1]) {
                decoder.marks[index - 1] = mark::LEFT_OUT;
            }
        }
        if let Some(last) = records.last()
            && mark::is_usable(decoder.marks[last])
            && position_after(&decoder.records[last]).is_some_and(|word| seen.contains(&word))
        {
            decoder.marks[last] = mark::LEFT_OUT;
        }
    }
}

/// The word of the position after a record's move.
fn position_after(record: &Record) -> Option<Word> {
    let setup = WordFormat::PackedSfen.unpack(&word_of(record)).ok()?;
    let mut state = State::<()>::new(&Position::new(setup).ok()?).ok()?;
    let mv = Move16::from_bits(Psv::from_bytes(record).best_move);
    if !state.is_legal(mv) {
        return None;
    }
    state.do_move(mv);
    WordFormat::PackedSfen.pack(&state.setup()).ok()
}

/// A source that is being read from its start, in blocks of a fixed number of records.
pub(crate) struct Sequence {
    reader: RecordReader<Box<dyn std::io::Read + Send>>,
    block: Block,
    /// The records of the block that were passed on.
    passed: usize,
    buffered: Buffered,
    /// Records of the stream so far, passed on or not.
    first: u64,
    is_over: bool,
}

/// Records that were decoded but not passed on, with their marks and faults.
#[derive(Default)]
struct Buffered {
    records: Vec<Record>,
    marks: Vec<u8>,
    faults: Vec<(u32, RecordFault)>,
    visits: Visits,
}

impl Sequence {
    /// Opens a source.
    pub fn open(source: &OpenSource) -> Result<Sequence, DatasetError> {
        let Access::Sequential(inputs) = &source.access else {
            unreachable!("a source that is read from its start");
        };
        let inputs = inputs.lock().unwrap_or_else(PoisonError::into_inner);
        let reader = inputs.sources()[0].read_again()?;
        Ok(Sequence {
            reader,
            block: Block::default(),
            passed: 0,
            buffered: Buffered::default(),
            first: 0,
            is_over: false,
        })
    }

    /// Decodes the next block: fewer records than a block has, or none, at the end.
    pub fn decode_next(
        &mut self,
        source: &OpenSource,
        decoder: &mut Decoder,
        judge: Judge,
    ) -> Result<(), DatasetError> {
        let wanted = source.block as usize;
        while self.buffered.records.len() - self.passed < wanted && !self.is_over {
            if !self.reader.next_block(&mut self.block)? {
                self.is_over = true;
                break;
            }
            decoder.start(self.block.len());
            let numbers = Numbers::From(self.block.first_record());
            source.decode(&self.block, 0, numbers, decoder, judge);
            self.drop_passed();
            let before = self.buffered.records.len() as u32;
            self.buffered.records.extend_from_slice(&decoder.records);
            self.buffered.marks.extend_from_slice(&decoder.marks);
            for &(index, fault) in &decoder.faults {
                self.buffered.faults.push((before + index, fault));
            }
            if judge.treatment.has_visits {
                for index in 0..decoder.records.len() {
                    self.buffered.visits.push(decoder.visits.get(index));
                }
            }
        }
        let end = self.buffered.records.len().min(self.passed + wanted);
        let range = self.passed..end;
        decoder.start(range.len());
        decoder.records.copy_from_slice(&self.buffered.records[range.clone()]);
        decoder.marks.copy_from_slice(&self.buffered.marks[range.clone()]);
        for &(index, fault) in &self.buffered.faults {
            if range.contains(&(index as usize)) {
                decoder.faults.push((index - range.start as u32, fault));
            }
        }
        if judge.treatment.has_visits {
            for index in range.clone() {
                decoder.visits.push(self.buffered.visits.get(index));
            }
        }
        decoder.first = self.first;
        self.first += range.len() as u64;
        self.passed = end;
        Ok(())
    }

    /// Removes the records that were passed on.
    fn drop_passed(&mut self) {
        let Buffered { records, marks, faults, visits } = &mut self.buffered;
        visits.drop_first(self.passed);
        records.drain(..self.passed);
        marks.drain(..self.passed);
        let passed = self.passed as u32;
        faults.retain_mut(|(index, _)| {
            let is_left = *index >= passed;
            if is_left {
                *index -= passed;
            }
            is_left
        });
        self.passed = 0;
    }
}

/// All sources in one shuffled order of single records, which is that of the Python package's `shuffle`.
#[derive(Clone)]
pub(crate) struct Uniform {
    order: Permutation,
    /// The number of records up to the end of each source.
    ends: Vec<u64>,
    streams: u64,
    stream: u64,
}

impl Uniform {
    pub fn new(ends: Vec<u64>, seed: u64, epoch: u64, streams: u64, stream: u64) -> Uniform {
        let records = ends.last().copied().unwrap_or(0);
        Uniform { order: Permutation::new(records, &[seed, epoch]), ends, streams, stream }
    }

    /// The number of records of the stream.
    pub fn records(&self) -> u64 {
        let all = self.ends.last().copied().unwrap_or(0);
        all.saturating_sub(self.stream).div_ceil(self.streams)
    }

    /// The source and number of the record at a place of the stream.
    pub fn record(&self, place: u64) -> (usize, u64) {
        let number = self.order.at(place * self.streams + self.stream);
        let source = self.ends.partition_point(|&end| end <= number);
        let start = source.checked_sub(1).map_or(0, |before| self.ends[before]);
        (source, number - start)
    }

    /// Decodes the records at some places of the stream.
    pub fn decode<'a>(
        &self,
        sources: &[OpenSource],
        places: std::ops::Range<u64>,
        decoder: &mut Decoder,
        judge_of: impl Fn(u64) -> Judge<'a>,
    ) -> Result<(), DatasetError> {
        let count = (places.end - places.start) as usize;
        let mut wanted = vec![Vec::new(); sources.len()];
        for (place, index) in places.zip(0..) {
            let (source, record) = self.record(place);
            wanted[source].push((record, index));
        }
        let mut records = vec![[0; 40]; count];
        let mut marks = vec![mark::LEFT_OUT; count];
        let mut faults = Vec::new();
        for (source, mut numbers) in sources.iter().zip(wanted) {
            let Access::Random(file) = &source.access else { continue };
            let Some(size) = file.format().record_size() else { continue };
            if numbers.is_empty() {
                continue;
            }
            numbers.sort_unstable();
            let mut bytes = std::mem::take(&mut decoder.bytes);
            bytes.clear();
            for &(record, _) in &numbers {
                file.read_record(record, &mut bytes)?;
            }
            file.check_unchanged()?;
            let cuts = komabako_record::block::Cuts::Every { size, count: numbers.len() };
            let mut block = Block::new(bytes, cuts);
            block.set_moves(file.moves());
            decoder.start(numbers.len());
            let listed = Numbers::Listed(&numbers);
            source.decode(&block, 0, listed, decoder, judge_of(source.number));
            for (row, &(_, place)) in numbers.iter().enumerate() {
                records[place] = decoder.records[row];
                marks[place] = decoder.marks[row];
            }
            for &(row, fault) in &decoder.faults {
                faults.push((numbers[row as usize].1 as u32, fault));
            }
            decoder.bytes = block.into_bytes();
        }
        decoder.records = records;
        decoder.marks = marks;
        decoder.faults = faults;
        Ok(())
    }
}

/// The fault of a record that cannot be unpacked.
pub(crate) fn word_fault(record: &Record) -> RecordFault {
    unpack_fault(record).unwrap_or(RecordFault::Unreached)
}

//! [`PositionScores`]: scores by position, for records in another order or number.

use std::path::{Path, PathBuf};

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use komabako_codec::{Backend, Word};

use crate::Batch;
use crate::block::Block;
use crate::codec::Codec;
use crate::engine::pipeline::{self, ProcessedBlock, Sink, Work};
use crate::engine::temporary::slot_hash;
use crate::io::error::{RecordFault, Tail};
use crate::io::score_column::UNKNOWN;
use crate::job::preflight::default_memory;
use crate::preflight::Shortage;
use crate::{DatasetError, Field, FileFormat, Input, Inputs, Progress};

/// The codec that has a word for every position, the same whatever the position was read from.
pub(super) const CANONICAL: Codec = Codec::SspfExt;

/// The bytes of a position at most: its word and score, and a slot of 9 bytes in a table of which 7 in 16 are used after it grew.
const POSITION_BYTES: u64 = 32 + 2 + 21;

/// The scores of a file of records, by position: board, hands and side to move. All of them are in memory.
pub struct PositionScores {
    /// The file, which no output may overwrite.
    path: Option<PathBuf>,
    words: Vec<Word>,
    scores: Vec<i16>,
    /// The place of each position in both.
    table: HashTable<u64>,
    conflicts: u64,
}

impl PositionScores {
    /// Reads the scores of a file. Of a position that comes again the last score counts. Records without a score are passed over.
    ///
    /// # Errors
    /// [`DatasetError::Shortage`] before it is read if the records could take more than `memory` (`None` for half of the
    /// machine's), some 55 bytes each; [`DatasetError::ReadOnce`] of a stream, whose records cannot be counted before;
    /// [`DatasetError::Record`] at its first bad record; [`DatasetError::FieldMissing`] if its format has no scores.
    pub fn read(
        input: Input<'_>,
        from: Option<FileFormat>,
        memory: Option<u64>,
        threads: usize,
        backend: Backend,
        progress: &mut dyn Progress,
    ) -> Result<PositionScores, DatasetError> {
        let inputs = Inputs::look_at(vec![input], from, false)?;
        inputs.demand(Field::Score)?;
        let path = inputs.sources()[0].path().map(Path::to_owned);
        // Counted first: the table is reserved at once, or refused before hours have gone into reading.
        let records = inputs.count()?;
        let allowed = memory.unwrap_or_else(default_memory);
        let needed = records.saturating_mul(POSITION_BYTES);
        if needed > allowed {
            return Err(DatasetError::Shortage(Shortage::Memory { needed, allowed }));
        }
        let mut scores = PositionScores {
            path,
            words: Vec::with_capacity(records as usize),
            scores: Vec::with_capacity(records as usize),
            table: HashTable::with_capacity(records as usize),
            conflicts: 0,
        };
        pipeline::run(inputs, pipeline::threads(threads), &Extraction { backend }, progress, &mut scores)?;
        Ok(scores)
    }

    /// The number of positions.
    pub fn positions(&self) -> u64 {
        self.words.len() as u64
    }

    /// How many records had another score than an earlier one of the same position.
    pub fn conflicts(&self) -> u64 {
        self.conflicts
    }

    /// The file of the scores, as an input.
    pub(super) fn input(&self) -> Option<Input<'static>> {
        self.path.as_ref().map(Input::path)
    }

    /// The bytes that they take.
    pub(super) fn memory(&self) -> u64 {
        self.positions() * POSITION_BYTES
    }

    /// The score of a position.
    pub(super) fn find(&self, word: &Word) -> Option<i16> {
        let place = self.table.find(slot_hash(word), |&place| self.words[place as usize] == *word)?;
        Some(self.scores[*place as usize])
    }

    fn insert(&mut self, word: &Word, score: i16) {
        let PositionScores { words, scores, table, conflicts, .. } = self;
        let hash = |place: &u64| slot_hash(&words[*place as usize]);
        match table.entry(slot_hash(word), |&place| words[place as usize] == *word, hash) {
            // The last score wins, in the order of the file: blocks come in that order whatever the threads.
            Entry::Occupied(known) => {
                let known = &mut scores[*known.get() as usize];
                *conflicts += u64::from(*known != score);
                *known = score;
            }
            Entry::Vacant(vacant) => {
                vacant.insert(scores.len() as u64);
                words.push(*word);
                scores.push(score);
            }
        }
    }
}

/// Takes positions and scores out of blocks.
struct Extraction {
    backend: Backend,
}

/// Those of a block, and its first bad record.
#[derive(Default)]
struct Extracted {
    scores: Vec<(Word, i16)>,
    fault: Option<(usize, RecordFault)>,
}

impl Work for Extraction {
    type Scratch = Batch;
    type Product = Extracted;

    fn scratch(&self) -> Batch {
        Batch::new(self.backend)
    }

    fn work(&self, batch: &mut Batch, from: FileFormat, block: &Block, extracted: &mut Extracted) {
        let Extracted { scores, fault } = extracted;
        scores.clear();
        *fault = None;
        for range in Batch::ranges(0..block.len()) {
            batch.decode(from, block, range);
            batch.pack(CANONICAL);
            let (_, labels) = batch.labels();
            let known =
                batch.words().iter().zip(labels).filter_map(|(word, labels)| Some((*word, labels.score?)));
            scores.extend(known.filter(|&(_, score)| score != UNKNOWN));
            // A bad record is an error here: the file is a reference, and its scores would be missing in silence.
            let first = batch.faults().iter().min_by_key(|&&(index, _)| index);
            *fault = fault.or(first.copied());
        }
    }
}

impl Sink<Extracted> for PositionScores {
    fn receive(&mut self, processed: &ProcessedBlock<Extracted>) -> Result<(), DatasetError> {
        let Extracted { scores, fault } = &processed.product;
        if let Some((index, fault)) = *fault {
            return Err(DatasetError::Record(Box::new(processed.error(index, fault))));
        }
        for (word, score) in scores {
            self.insert(word, *score);
        }
        Ok(())
    }

    fn truncated(&mut self, _: Tail) {
        unreachable!("a tail is an error, since nothing is salvaged");
    }

    fn bad(&self) -> u64 {
        0
    }
}

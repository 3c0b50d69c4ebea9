//! Statistics of files of records: counts, histograms, and how well scores predict results.
//!
//! [`Stats`] accumulates statistics of records: single ones ([`Stats::add`]), blocks ([`Stats::add_block`]) or the
//! statistics of other records ([`Stats::merge`]). Its size is constant, about 0.5 MiB. [`Figures`] are the results for
//! programs.
//!
//! ```
//! use komabako_record::stats::{Figures, Stats};
//! use komabako_record::{Batch, Block, FileFormat};
//! let bytes = b"sfen startpos\nmove 7g7f\nscore 57\nply 1\nresult 1\ne\n";
//! let cut = komabako_record::boundaries::cut(FileFormat::Plain, bytes, true, true);
//! let block = Block::new(bytes.to_vec(), cut.cuts);
//! let mut stats = Stats::default();
//! let faults = stats.add_block(&mut Batch::new(komabako_codec::Backend::detect()), FileFormat::Plain, &block);
//! assert!(faults.is_empty());
//! assert_eq!(Figures::new(&stats).scores.mean, Some(57.0));
//! ```

mod distinct;
pub mod figures;
mod fit;
mod moves;
mod pieces;
mod plies;
mod results;
mod saved;
mod scores;
mod spread;

pub use distinct::{Distinct, Estimate};
pub use figures::Figures;
pub use fit::Fit;
pub use moves::MoveCounts;
pub use pieces::{KingSquares, PieceCounts};
pub use plies::Plies;
pub use results::{Outcome, Results};
pub use saved::SavedStatsFault;
pub use scores::{ScoreBin, Scores};
pub use spread::Spread;

use alloc::vec::Vec;
use core::ops::Range;

use komabako_board::{Position, Setup};
use komabako_codec::{PositionCodec, Word};
use komabako_rules::State;
use komabako_variants::SspfExt;

use crate::record::Labels;
use komabako_variants::WordFormat;

use crate::batch::Records;
use crate::{Batch, Block, FileFormat, Record, RecordFault};

/// The statistics of the records seen so far.
///
/// ```
/// use komabako_record::FileFormat;
/// use komabako_record::stats::Stats;
/// let block = b"sfen startpos\nmove 7g7f\nscore 57\nply 1\nresult 1\ne\n";
/// let mut stats = Stats::default();
/// stats.add(&FileFormat::Plain.decode(block).expect("a good record"));
/// assert_eq!((stats.records, stats.results.black), (1, 1));
/// assert_eq!(stats.scores.spread.mean(), Some(57.0));
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Stats {
    /// The number of records.
    pub records: u64,
    /// The number of records with each colour to move: Black, White.
    pub side_to_move: [u64; 2],
    /// The number of records in which the side to move is in check.
    pub in_check: u64,
    /// The number of positions from which no game can be played: nifu, pieces without a move, the side that is not to
    /// move in check. They are not examined for check of the side to move. A missing king does not matter.
    pub unplayable: u64,
    /// The results of the games.
    pub results: Results,
    /// The plies.
    pub plies: Plies,
    /// The scores, with the results of their games.
    pub scores: Scores,
    /// The pieces on the boards and in the hands.
    pub pieces: PieceCounts,
    /// The squares of the kings.
    pub kings: KingSquares,
    /// The recorded moves.
    pub moves: MoveCounts,
    /// The number of distinct positions.
    pub distinct: Distinct,
}

impl Stats {
    /// Adds a record. About 0.3 µs.
    #[expect(clippy::missing_panics_doc, reason = "the extension holds every position")]
    pub fn add(&mut self, record: &Record) {
        let word = SspfExt::new().pack(&record.setup).expect("the extension holds every position");
        self.add_packed(&record.setup, &record.labels, &word);
    }

    /// Adds the good records of a block. Returns the faults of the bad ones with their indices in the block, ascending.
    /// About 0.3 µs per record.
    pub fn add_block(
        &mut self,
        batch: &mut Batch,
        format: FileFormat,
        block: &Block,
    ) -> Vec<(usize, RecordFault)> {
        self.add_rows(batch, format, block, 0..block.len())
    }

    /// Like [`Stats::add_block`], but only for the records with the indices `rows`.
    ///
    /// # Panics
    /// If the range is not within the block.
    pub fn add_rows(
        &mut self,
        batch: &mut Batch,
        format: FileFormat,
        block: &Block,
        rows: Range<usize>,
    ) -> Vec<(usize, RecordFault)> {
        let mut faults = Vec::new();
        for range in Batch::ranges(rows) {
            batch.decode(format, block, range);
            // The positions of every format are packed with one codec, so that equal positions have equal words.
            batch.pack(WordFormat::SspfExt);
            let Records { setups, labels, words, .. } = batch.records();
            for ((setup, labels), word) in setups.iter().zip(labels).zip(words) {
                self.add_packed(setup, labels, word);
            }
            faults.extend_from_slice(batch.faults());
        }
        faults.sort_unstable_by_key(|&(index, _)| index);
        faults
    }

    /// Like [`Stats::add`], with the position's word of SSPFv1's extension.
    fn add_packed(&mut self, setup: &Setup, labels: &Labels, word: &Word) {
        let side = setup.side_to_move();
        self.records += 1;
        self.side_to_move[side.array_index()] += 1;
        // Under the rules for tsume problems a missing king alone does not make a position unplayable.
        match Position::new_tsume(*setup).ok().and_then(|position| State::<()>::new(&position).ok()) {
            Some(state) => self.in_check += u64::from(state.is_in_check(side)),
            None => self.unplayable += 1,
        }
        self.results.add(labels.result, side);
        self.plies.add(labels.ply);
        self.scores.add(labels.score, Outcome::for_side(labels.result, side));
        self.pieces.add(setup);
        self.kings.add(setup);
        self.moves.add(labels.best_move, setup);
        self.distinct.add(word);
    }

    /// Adds the statistics of other records, which follow these.
    pub fn merge(&mut self, other: &Stats) {
        self.records += other.records;
        add_all(&mut self.side_to_move, &other.side_to_move);
        self.in_check += other.in_check;
        self.unplayable += other.unplayable;
        self.results.merge(&other.results);
        self.plies.merge(&other.plies);
        self.scores.merge(&other.scores);
        self.pieces.merge(&other.pieces);
        self.kings.merge(&other.kings);
        self.moves.merge(&other.moves);
        self.distinct.merge(&other.distinct);
    }
}

/// Adds counts to counts.
fn add_all(counts: &mut [u64], others: &[u64]) {
    for (count, other) in counts.iter_mut().zip(others) {
        *count += other;
    }
}

//! [`Job`]: counts the records of whole files.

use std::ops::Range;
use std::time::Instant;

use komabako_codec::Backend;

use super::{GameFields, GameStats, Stats};
use crate::Batch;
use crate::block::Block;
use crate::engine::pipeline::{self, ProcessedBlock, Sink, Work};
use crate::io::error::{RecordFault, Tail};
use crate::job::{Plan, Request};
use crate::{
    Compression, Counts, DatasetError, FileFormat, Input, JobOptions, Partition, Preflight, Progress,
    sample_check,
};

/// A count of the records of files.
pub struct Job<'a> {
    /// The inputs, counted together.
    pub inputs: Vec<Input<'a>>,
    /// The partition of the records to count.
    pub partition: Partition,
    /// Options common to all jobs; the figures do not depend on threads and backend.
    pub options: JobOptions,
}

/// The outcome of a count.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Summary {
    /// The statistics of the good records.
    pub stats: Stats,
    /// Of inputs in formats of games, the statistics of their games.
    pub games: GameStats,
    /// The records read, and the bad ones, which are left out.
    pub counts: Counts,
    /// The number of ends of inputs that were not read, in the runs whose [saved](super::Saved) statistics these are. The
    /// reports of those runs describe them and the first bad records.
    pub merged_tails: u64,
}

impl<'a> Job<'a> {
    /// A job that detects formats and uses all CPUs.
    pub fn new(inputs: Vec<Input<'a>>) -> Job<'a> {
        Job { inputs, partition: Partition::WHOLE, options: JobOptions::default() }
    }

    /// Examines the inputs, up to 256 KiB of each.
    ///
    /// # Errors
    /// Inputs that cannot be opened or recognised or, unless the job salvages, whose size shows that they are truncated; for a
    /// partition, inputs whose records cannot be counted beforehand ([`DatasetError::ReadOnce`]).
    pub fn plan(mut self) -> Result<Plan<'a, Job<'a>>, DatasetError> {
        let mut inputs = sample_check::open_inputs(std::mem::take(&mut self.inputs), &self.options)?;
        inputs.keep_part(self.partition)?;
        self.options.threads = pipeline::threads(self.options.threads);
        let preflight = Preflight::of_pass(&inputs, self.options.threads);
        let compression = Compression::None;
        Ok(Plan { request: self, inputs, to: None, compression, preflight, ready: () })
    }
}

/// Takes about 0.3 µs per record and core; memory is constant, some megabytes per thread. Bad records are not errors.
impl<'a> Request<'a> for Job<'a> {
    type To = Option<FileFormat>;
    type Ready = ();
    type Summary = Summary;

    fn perform(plan: Plan<'a, Self>, progress: &mut dyn Progress) -> Result<Summary, DatasetError> {
        let start = Instant::now();
        let Plan { request: Job { options, .. }, inputs, .. } = plan;
        let mut summary = Summary::default();
        let range = inputs.window().range().clone();
        let work = Counting { backend: options.backend, range };
        summary.counts.bytes_read = pipeline::run(inputs, options.threads, &work, progress, &mut summary)?;
        summary.counts.seconds = start.elapsed().as_secs_f64();
        Ok(summary)
    }
}

struct Counting {
    backend: Backend,
    /// The numbers of the records to count: a block may straddle the ends of the range.
    range: Range<u64>,
}

/// The statistics of one block.
#[derive(Default)]
struct Counted {
    stats: Stats,
    games: GameStats,
    read: usize,
    /// The bad records, ascending by index in the block.
    faults: Vec<(usize, RecordFault)>,
}

impl Work for Counting {
    type Scratch = Batch;
    type Product = Counted;

    fn scratch(&self) -> Batch {
        Batch::new(self.backend)
    }

    fn work(&self, batch: &mut Batch, from: FileFormat, block: &Block, counted: &mut Counted) {
        let rows = block.indices(&self.range);
        counted.stats = Stats::default();
        counted.read = rows.len();
        counted.faults = counted.stats.add_rows(batch, from, block, rows);
        counted.games = GameStats::default();
        if from.holds_games() {
            for game in block.games() {
                // A game belongs to the partition of its first record.
                if self.range.contains(&(block.ordinal() + game.first as u64)) {
                    counted.games.add(&GameFields::from_stored(from, &game));
                }
            }
        }
    }
}

impl Sink<Counted> for Summary {
    fn receive(&mut self, processed: &ProcessedBlock<Counted>) -> Result<(), DatasetError> {
        let Counted { stats, games, read, faults } = &processed.product;
        self.stats.merge(stats);
        self.games.merge(games);
        self.counts.read += *read as u64;
        for &(index, fault) in faults {
            self.counts.count_bad(fault.name());
            // One illegal move makes the rest of its game bad: all records are counted, the first is shown.
            if !fault.is_consequence() {
                self.counts.keep_sample(processed.error(index, fault));
            }
        }
        Ok(())
    }

    fn truncated(&mut self, tail: Tail) {
        self.counts.tails.push(tail);
    }

    fn bad(&self) -> u64 {
        self.counts.bad_total()
    }
}

//! [`Job`]: counts the records of whole files.

use std::collections::BTreeMap;
use std::time::Instant;

use komabako_codec::Backend;

use super::Stats;
use crate::Batch;
use crate::block::Block;
use crate::codec::Codec;
use crate::engine::pipeline::{self, ProcessedBlock, Sink, Work};
use crate::io::error::{RecordError, RecordFault, Tail};
use crate::{DatasetError, FileFormat, Input, Inputs, MoveReading, Preflight, Progress, sample_check};

/// Files to count the records of.
pub struct Job<'a> {
    /// The inputs, counted together.
    pub inputs: Vec<Input<'a>>,
    /// The format of every input; `None` to find out.
    pub from: Option<FileFormat>,
    /// How moves are read, and whether a sample of each input is checked first.
    pub moves: MoveReading,
    /// Whether to count the whole records of a truncated or damaged input; otherwise it is an error.
    pub salvage: bool,
    /// The number of counting threads; 0 for one a CPU. The figures do not depend on it.
    pub threads: usize,
    /// What unpacks.
    pub backend: Backend,
}

/// A job that can be done: every input opens, and every format is known.
pub struct Plan<'a> {
    inputs: Inputs<'a>,
    threads: usize,
    backend: Backend,
    preflight: Preflight,
}

/// The outcome of a count.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Summary {
    /// What the good records are.
    pub stats: Stats,
    /// Bad records, which are left out, by the name of the fault ([`RecordFault::name`]).
    pub bad: BTreeMap<&'static str, u64>,
    /// The first bad records, at most [`Summary::SAMPLES`].
    pub samples: Vec<RecordError>,
    /// Ends of inputs that were not read ([`Job::salvage`]).
    pub tails: Vec<Tail>,
    /// Bytes read, as they are in the inputs.
    pub bytes_read: u64,
    /// The time it took.
    pub seconds: f64,
}

impl<'a> Job<'a> {
    /// A job with formats found out, on all CPUs.
    pub fn new(inputs: Vec<Input<'a>>) -> Job<'a> {
        Job {
            inputs,
            from: None,
            moves: MoveReading::Checked,
            salvage: false,
            threads: 0,
            backend: Backend::detect(),
        }
    }

    /// Looks at the inputs: up to 256 KiB of each.
    ///
    /// # Errors
    /// Inputs that cannot be opened or recognised or, unless the job salvages, whose size shows that they are truncated.
    pub fn plan(self) -> Result<Plan<'a>, DatasetError> {
        let Job { inputs, from, moves, salvage, threads, backend } = self;
        let mut inputs = Inputs::look_at(inputs, from, salvage)?;
        sample_check::apply(&mut inputs, moves)?;
        let threads = pipeline::threads(threads);
        let preflight = Preflight::of_pass(&inputs, threads);
        Ok(Plan { inputs, threads, backend, preflight })
    }
}

impl<'a> Plan<'a> {
    /// The inputs.
    pub fn inputs(&self) -> &Inputs<'a> {
        &self.inputs
    }

    /// The resources that counting needs, and those available.
    pub fn preflight(&self) -> &Preflight {
        &self.preflight
    }

    /// Counts. About 0.3 µs a record and core; memory is constant, some megabytes a thread.
    ///
    /// # Errors
    /// [`DatasetError::Shortage`] of memory; if an input cannot be read on or has a tail, or if `progress` cancels. Bad
    /// records are no error.
    pub fn run(self, progress: &mut dyn Progress) -> Result<Summary, DatasetError> {
        let start = Instant::now();
        self.preflight.check()?;
        let mut summary = Summary::default();
        let work = Counting { backend: self.backend };
        summary.bytes_read = pipeline::run(self.inputs, self.threads, &work, progress, &mut summary)?;
        summary.seconds = start.elapsed().as_secs_f64();
        Ok(summary)
    }
}

impl Summary {
    /// How many bad records are kept as samples.
    pub const SAMPLES: usize = crate::job::SAMPLES;

    /// The number of bad records.
    pub fn bad_total(&self) -> u64 {
        self.bad.values().sum()
    }
}

struct Counting {
    backend: Backend,
}

/// The statistics of one block.
#[derive(Default)]
struct Counted {
    stats: Stats,
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
        let Counted { stats, faults } = counted;
        *stats = Stats::default();
        faults.clear();
        for range in Batch::ranges(0..block.len()) {
            batch.decode(from, block, range);
            // Every format's positions become words of one, so that equal positions are equal words.
            batch.pack(Codec::SspfExt);
            let (_, setups, labels) = batch.records();
            for ((setup, labels), word) in setups.iter().zip(labels).zip(batch.words()) {
                stats.add_packed(setup, labels, word);
            }
            faults.extend_from_slice(batch.faults());
        }
        faults.sort_unstable_by_key(|&(index, _)| index);
    }
}

impl Sink<Counted> for Summary {
    fn receive(&mut self, processed: &ProcessedBlock<Counted>) -> Result<(), DatasetError> {
        let Counted { stats, faults } = &processed.product;
        self.stats.merge(stats);
        for &(index, fault) in faults {
            *self.bad.entry(fault.name()).or_default() += 1;
            // One illegal move makes the rest of its game bad: all are counted, the first is shown.
            if !fault.is_consequence() && self.samples.len() < Summary::SAMPLES {
                self.samples.push(processed.error(index, fault));
            }
        }
        Ok(())
    }

    fn truncated(&mut self, tail: Tail) {
        self.tails.push(tail);
    }

    fn bad(&self) -> u64 {
        self.bad_total()
    }
}

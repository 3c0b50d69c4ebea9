//! [`Extraction`]: writes the scores of records as a column.

use std::time::Instant;

use komabako_codec::Backend;

use super::Width;
use crate::Batch;
use crate::block::Block;
use crate::engine::pipeline::{self, ProcessedBlock, Sink, Work};
use crate::io::error::{RecordFault, Tail};
use crate::io::output::Compressed;
use crate::io::score_column::known;
use crate::job::preflight::Amount;
use crate::job::{Plan, Request};
use crate::{
    Counts, DatasetError, Field, FileFormat, Input, JobOptions, MoveReading, Output, Preflight, Progress,
    sample_check,
};

/// Extracts one score from every record; a bad record is an error.
pub struct Extraction<'a> {
    /// The inputs, treated as one.
    pub inputs: Vec<Input<'a>>,
    /// The destination of the column; its extensions determine the [`Width`] and the compression.
    pub output: Output<'a>,
    /// Options common to all jobs: format, threads, backend, and whether outputs may be replaced.
    pub options: JobOptions,
}

/// The outcome of an extraction.
#[derive(Clone, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct Summary {
    /// The records read, and the scores written: one each.
    pub counts: Counts,
    /// The number of scores that are [`UNKNOWN`](super::UNKNOWN) or NaN, because the record has none, or 32002 or −32768.
    pub unknown: u64,
}

impl<'a> Extraction<'a> {
    /// An extraction that detects formats, uses all CPUs and overwrites nothing.
    pub fn new(inputs: Vec<Input<'a>>, output: Output<'a>) -> Extraction<'a> {
        Extraction { inputs, output, options: JobOptions::default() }
    }

    /// Examines the inputs and the output.
    ///
    /// # Errors
    /// [`DatasetError::FieldMissing`] if the format of an input has no scores; [`DatasetError::ScoreSign`]; inputs that cannot be read, an output that
    /// exists or is an input.
    pub fn plan(mut self) -> Result<Plan<'a, Extraction<'a>>, DatasetError> {
        let inputs = std::mem::take(&mut self.inputs);
        let Extraction { output, options, .. } = &mut self;
        let compression = output.column_compression(&[], &inputs, options.force)?;
        let width = Width::of_written(output)?;
        // Moves are not read, so they are not checked either.
        options.moves = MoveReading::AsIs;
        let inputs = sample_check::open_inputs(inputs, options)?;
        inputs.demand(Field::Score)?;
        options.threads = pipeline::threads(options.threads);
        let content = inputs
            .expected()
            .map_or(Amount::UNKNOWN, |records| Amount::exactly(width.bytes() as u64 * records));
        let preflight = Preflight::of_copy(&inputs, output, content, compression, options.threads);
        Ok(Plan { request: self, inputs, to: None, compression, preflight, ready: width })
    }

    /// Extracts.
    ///
    /// # Errors
    /// The errors of [`Extraction::plan`] and [`Plan::run`].
    pub fn run(self, progress: &mut dyn Progress) -> Result<Summary, DatasetError> {
        self.plan()?.run(progress)
    }
}

impl<'a> Request<'a> for Extraction<'a> {
    type To = Option<FileFormat>;
    type Ready = Width;
    type Summary = Summary;

    fn perform(plan: Plan<'a, Self>, progress: &mut dyn Progress) -> Result<Summary, DatasetError> {
        let start = Instant::now();
        let Plan { request: Extraction { output, options, .. }, inputs, compression, ready: width, .. } =
            plan;
        let JobOptions { threads, backend, force, .. } = options;
        let out = Compressed::open(output, compression, threads, force)?;
        let mut writer = ColumnWriter { out, width, summary: Summary::default() };
        let window = inputs.window().clone();
        let bytes_read = pipeline::run(inputs, threads, &Scores { backend, width }, progress, &mut writer)?;
        writer.pass_to(window.passed())?;
        let ColumnWriter { out, mut summary, .. } = writer;
        summary.counts.bytes_read = bytes_read;
        summary.counts.bytes_written = out.bytes;
        out.complete()?;
        summary.counts.seconds = start.elapsed().as_secs_f64();
        Ok(summary)
    }
}

struct Scores {
    backend: Backend,
    width: Width,
}

/// The scores of a block.
#[derive(Default)]
struct Extracted {
    bytes: Vec<u8>,
    unknown: u64,
    /// The first bad record.
    fault: Option<(usize, RecordFault)>,
}

impl Work for Scores {
    type Scratch = Batch;
    type Product = Extracted;

    fn scratch(&self) -> Batch {
        Batch::new(self.backend)
    }

    fn work(&self, batch: &mut Batch, from: FileFormat, block: &Block, extracted: &mut Extracted) {
        *extracted = Extracted { bytes: std::mem::take(&mut extracted.bytes), ..Extracted::default() };
        extracted.bytes.clear();
        for range in Batch::ranges(0..block.len()) {
            batch.decode(from, block, range);
            let (_, labels) = batch.labels();
            for labels in labels {
                let score = labels.score.and_then(known);
                extracted.unknown += u64::from(score.is_none());
                self.width.append(score, &mut extracted.bytes);
            }
            // A missing score would shift all scores after it: the first bad record ends the job.
            let first = batch.faults().iter().min_by_key(|&&(index, _)| index);
            extracted.fault = extracted.fault.or(first.copied());
        }
    }
}

struct ColumnWriter<'a> {
    out: Compressed<'a>,
    width: Width,
    summary: Summary,
}

impl ColumnWriter<'_> {
    /// Writes no scores for the records up to one: they are lost by damage, and have numbers.
    fn pass_to(&mut self, record: u64) -> Result<(), DatasetError> {
        let mut bytes = Vec::new();
        let counts = &mut self.summary.counts;
        while counts.written < record {
            self.width.append(None, &mut bytes);
            counts.written += 1;
            self.summary.unknown += 1;
        }
        self.out.write(&bytes)
    }
}

impl Sink<Extracted> for ColumnWriter<'_> {
    fn receive(&mut self, processed: &ProcessedBlock<Extracted>) -> Result<(), DatasetError> {
        let Extracted { bytes, unknown, fault } = &processed.product;
        if let Some((index, fault)) = *fault {
            return Err(DatasetError::Record(Box::new(processed.error(index, fault))));
        }
        self.pass_to(processed.block.ordinal())?;
        self.out.write(bytes)?;
        self.summary.counts.read += processed.block.len() as u64;
        self.summary.counts.written += processed.block.len() as u64;
        self.summary.unknown += unknown;
        Ok(())
    }

    fn truncated(&mut self, tail: Tail) {
        self.summary.counts.tails.push(tail);
    }
}

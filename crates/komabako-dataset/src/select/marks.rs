//! [`Marking`]: writes one bit for each record, whether a filter keeps it.

use std::time::Instant;

use komabako_codec::Backend;

use super::Filter;
use super::expression::Facts;
use crate::Batch;
use crate::block::Block;
use crate::engine::pipeline::{self, ProcessedBlock, Sink, Work};
use crate::io::error::{RecordFault, Tail};
use crate::io::output::Compressed;
use crate::job::preflight::Amount;
use crate::job::{OnBadRecord, Plan, Rejects, Request};
use crate::{Counts, DatasetError, FileFormat, Input, JobOptions, Output, Preflight, Progress, sample_check};

/// Writes a [`Mask`](super::Mask) of the records that a filter keeps, which selects the same places of any file beside them.
pub struct Marking<'a> {
    /// The inputs, treated as one.
    pub inputs: Vec<Input<'a>>,
    /// The destination of the mask; its extension determines the compression.
    pub output: Output<'a>,
    /// The filter.
    pub filter: Filter,
    /// The policy for bad records: one that does not stop the job has a bit, which is 0.
    pub on_bad_record: OnBadRecord,
    /// Options common to all jobs: format, threads, backend, and whether outputs may be replaced.
    pub options: JobOptions,
}

/// The outcome.
#[derive(Clone, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct Marked {
    /// The records read, and those that the filter keeps as written.
    pub counts: Counts,
}

impl<'a> Marking<'a> {
    /// A job that detects formats, stops at bad records, uses all CPUs and overwrites nothing.
    pub fn new(inputs: Vec<Input<'a>>, output: Output<'a>, filter: Filter) -> Marking<'a> {
        let options = JobOptions::default();
        Marking { inputs, output, filter, on_bad_record: OnBadRecord::Stop, options }
    }

    /// Examines the inputs and the output.
    ///
    /// # Errors
    /// [`DatasetError::FieldMissing`] if an input lacks what the filter asks for; inputs that cannot be read, an output that exists or
    /// is an input.
    pub fn plan(mut self) -> Result<Plan<'a, Marking<'a>>, DatasetError> {
        let inputs = std::mem::take(&mut self.inputs);
        let Marking { output, options, filter, on_bad_record, .. } = &mut self;
        let rejects = Rejects::paths(on_bad_record);
        let compression = output.column_compression(&rejects, &inputs, options.force)?;
        let inputs = sample_check::open_inputs(inputs, options)?;
        Rejects::check(on_bad_record.collected(), &inputs)?;
        for &field in filter.expression.fields() {
            inputs.demand(field)?;
        }
        options.threads = pipeline::threads(options.threads);
        let content =
            inputs.expected().map_or(Amount::UNKNOWN, |records| Amount::exactly(records.div_ceil(8)));
        let mut preflight = Preflight::of_copy(&inputs, output, content, compression, options.threads);
        preflight.add_rejects(&inputs, self.on_bad_record.collected());
        Ok(Plan { request: self, inputs, to: None, compression, preflight, ready: () })
    }
}

impl<'a> Request<'a> for Marking<'a> {
    type To = Option<FileFormat>;
    type Ready = ();
    type Summary = Marked;

    fn perform(plan: Plan<'a, Self>, progress: &mut dyn Progress) -> Result<Marked, DatasetError> {
        let start = Instant::now();
        let Plan { request, inputs, compression, .. } = plan;
        let Marking { output, filter, on_bad_record, options, .. } = request;
        let JobOptions { threads, backend, force, .. } = options;
        let is_text = inputs.formats().any(FileFormat::is_text);
        let out = Compressed::open(output, compression, threads, force)?;
        let rejects = Rejects::open(&on_bad_record, is_text, force)?;
        let marked = Marked::default();
        let mut writer = MarkWriter { out, rejects, bits: Vec::new(), used: 0, next: 0, marked };
        let window = inputs.window().clone();
        let bytes_read = pipeline::run(inputs, threads, &Judging { filter, backend }, progress, &mut writer)?;
        writer.pass_to(window.passed());
        writer.write_whole_bytes(true)?;
        let MarkWriter { out, rejects, mut marked, .. } = writer;
        marked.counts.bytes_read = bytes_read;
        marked.counts.bytes_written = rejects.complete_after(out)?;
        marked.counts.seconds = start.elapsed().as_secs_f64();
        Ok(marked)
    }
}

struct Judging {
    filter: Filter,
    backend: Backend,
}

/// The records of a block that the filter keeps.
#[derive(Default)]
struct Judged {
    kept: Vec<bool>,
    faults: Vec<(usize, RecordFault)>,
}

impl Work for Judging {
    type Scratch = Batch;
    type Product = Judged;

    fn scratch(&self) -> Batch {
        Batch::new(self.backend)
    }

    fn work(&self, batch: &mut Batch, from: FileFormat, block: &Block, judged: &mut Judged) {
        judged.kept.clear();
        judged.kept.resize(block.len(), false);
        judged.faults.clear();
        for range in Batch::ranges(0..block.len()) {
            batch.decode(from, block, range);
            let records = batch.records();
            for ((&row, setup), labels) in records.rows.iter().zip(records.setups).zip(records.labels) {
                judged.kept[row] = self.filter.keeps(&Facts { setup, labels, place: Some((block, row)) });
            }
            judged.faults.extend_from_slice(batch.faults());
        }
        judged.faults.sort_unstable_by_key(|&(index, _)| index);
    }
}

struct MarkWriter<'a> {
    out: Compressed<'a>,
    rejects: Rejects,
    /// Bits that are not written yet, and how many of them are used.
    bits: Vec<u8>,
    used: usize,
    /// The number of the next record.
    next: u64,
    marked: Marked,
}

impl MarkWriter<'_> {
    /// Adds the bit of the next record.
    fn add(&mut self, is_kept: bool) {
        if self.used.is_multiple_of(8) {
            self.bits.push(0);
        }
        if is_kept {
            self.bits[self.used / 8] |= 1 << (self.used % 8);
            self.marked.counts.written += 1;
        }
        self.used += 1;
        self.next += 1;
    }

    /// Adds bits for the records up to one: they are lost by damage, and have numbers.
    fn pass_to(&mut self, record: u64) {
        while self.next < record {
            self.add(false);
        }
    }

    /// Writes the whole bytes, or all at the end.
    fn write_whole_bytes(&mut self, is_end: bool) -> Result<(), DatasetError> {
        let whole = if is_end { self.bits.len() } else { self.used / 8 };
        self.out.write(&self.bits[..whole])?;
        self.bits.drain(..whole);
        self.used %= 8;
        Ok(())
    }
}

impl Sink<Judged> for MarkWriter<'_> {
    fn receive(&mut self, processed: &ProcessedBlock<Judged>) -> Result<(), DatasetError> {
        let Judged { kept, faults } = &processed.product;
        self.rejects.add_faults(processed, faults, &mut self.marked.counts)?;
        self.pass_to(processed.block.ordinal());
        kept.iter().for_each(|&is_kept| self.add(is_kept));
        self.marked.counts.read += kept.len() as u64;
        self.write_whole_bytes(false)
    }

    fn truncated(&mut self, tail: Tail) {
        self.marked.counts.tails.push(tail);
    }

    fn bad(&self) -> u64 {
        self.marked.counts.bad_total()
    }
}

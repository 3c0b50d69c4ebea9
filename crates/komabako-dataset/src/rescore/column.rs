//! [`write`]: the scores of the answers as a column.

use komabako_codec::Backend;

use super::{Answer, Answers};
use crate::Batch;
use crate::block::Block;
use crate::convert::{self, Summary};
use crate::engine::pipeline::{self, ProcessedBlock, Sink, Work};
use crate::engine::progress::Progress;
use crate::io::error::{RecordFault, Tail};
use crate::io::output::Compressed;
use crate::io::score_column::{UNKNOWN, Width};
use crate::job::Rejects;
use crate::{Compression, DatasetError, FileFormat, Inputs};

/// Writes the scores of the answers as a column. A bad record, and one at which the engine failed, has a row too, without a score:
/// the rows after it belong to the records after it. It is counted, and collected on request, as in a file of records.
pub(super) fn write(
    job: convert::Job,
    inputs: Inputs,
    compression: Compression,
    answers: &Answers,
    progress: &mut dyn Progress,
) -> Result<Summary, DatasetError> {
    let convert::Job { output, on_bad_record, options, .. } = job;
    let is_text = inputs.formats().any(FileFormat::is_text);
    let width = Width::of_written(&output)?;
    let mut writer = Writer {
        answers,
        width,
        out: Compressed::open(output, compression, options.threads, options.force)?,
        rejects: Rejects::open(&on_bad_record, is_text, options.force)?,
        next: 0,
        found: Vec::new(),
        summary: Summary::default(),
    };
    let faults = Faults { backend: options.backend };
    let window = inputs.window().clone();
    let bytes_read = pipeline::run(inputs, options.threads, &faults, progress, &mut writer)?;
    writer.pass_to(window.passed())?;
    let Writer { out, rejects, mut summary, .. } = writer;
    summary.counts.bytes_read = bytes_read;
    summary.counts.bytes_written = rejects.complete_after(out)?;
    Ok(summary)
}

/// Finds the records that cannot be decoded, since the answers do not say why.
struct Faults {
    backend: Backend,
}

impl Work for Faults {
    type Scratch = Batch;
    /// Of a block: the indices of its bad records, and their faults.
    type Product = Vec<(usize, RecordFault)>;

    fn scratch(&self) -> Batch {
        Batch::new(self.backend)
    }

    fn work(
        &self,
        batch: &mut Batch,
        from: FileFormat,
        block: &Block,
        faults: &mut Vec<(usize, RecordFault)>,
    ) {
        faults.clear();
        for range in Batch::ranges(0..block.len()) {
            batch.decode(from, block, range);
            faults.extend_from_slice(batch.faults());
        }
    }
}

struct Writer<'a> {
    answers: &'a Answers,
    width: Width,
    out: Compressed<'a>,
    rejects: Rejects,
    /// The number of the next record.
    next: u64,
    /// The answers for a block.
    found: Vec<Answer>,
    summary: Summary,
}

impl Writer<'_> {
    /// Writes rows without scores for the records up to one: they are lost by damage, and have numbers.
    fn pass_to(&mut self, record: u64) -> Result<(), DatasetError> {
        let mut bytes = Vec::new();
        while self.next < record {
            self.width.append(None, &mut bytes);
            self.next += 1;
        }
        self.out.write(&bytes)
    }
}

impl Sink<Vec<(usize, RecordFault)>> for Writer<'_> {
    fn receive(&mut self, processed: &ProcessedBlock<Vec<(usize, RecordFault)>>) -> Result<(), DatasetError> {
        let first = processed.block.ordinal();
        let count = processed.block.len();
        self.pass_to(first)?;
        self.next += count as u64;
        self.answers.fetch(first, count, &mut self.found).map_err(|error| DatasetError::Read {
            input: self.answers.name(),
            offset: self.answers.offset(first),
            error,
        })?;
        let mut faults = processed.product.clone();
        let mut bytes = Vec::with_capacity(self.width.bytes() * count);
        for (index, answer) in self.found.iter().enumerate() {
            if *answer == Answer::Failed {
                faults.push((index, RecordFault::Unanswered));
            }
            let score = answer.score();
            self.width.append((score != UNKNOWN).then_some(score), &mut bytes);
        }
        faults.sort_unstable_by_key(|&(index, _)| index);
        let counts = &mut self.summary.counts;
        self.rejects.add_faults(processed, &faults, counts)?;
        counts.read += count as u64;
        counts.written += count as u64;
        self.out.write(&bytes)
    }

    fn truncated(&mut self, tail: Tail) {
        self.summary.counts.tails.push(tail);
    }

    fn bad(&self) -> u64 {
        self.summary.counts.bad_total()
    }
}

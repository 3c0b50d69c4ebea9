//! [`Plan`]: a job whose inputs have been examined.

use super::{Job, OnBadRecord, PositionScores, Rescale, whole_games};
use crate::engine::pipeline;
use crate::io::output::{self};
use crate::io::score_column::Column;
use crate::job::Rejects;
use crate::job::preflight::Amount;
use crate::{
    Compression, DatasetError, Field, FileFormat, Inputs, JobOptions, Loss, Output, Partition, Preflight,
    Selection, sample_check,
};

/// A job that can run: every input opens, every format is known, and the output can be written.
pub struct Plan<'a> {
    pub(super) inputs: Inputs<'a>,
    pub(super) output: Output<'a>,
    pub(super) to: FileFormat,
    pub(super) compression: Compression,
    pub(super) select: Selection,
    pub(super) partition: Partition,
    pub(super) copy: bool,
    pub(super) scores: Option<Column<'a>>,
    pub(super) by_position: Option<PositionScores>,
    pub(super) rescale: Option<Rescale>,
    pub(super) on_bad_record: OnBadRecord,
    pub(super) options: JobOptions,
    pub(super) preflight: Preflight,
}

impl<'a> Plan<'a> {
    /// The inputs.
    pub fn inputs(&self) -> &Inputs<'a> {
        &self.inputs
    }

    /// The resources that the conversion needs, and those available.
    pub fn preflight(&self) -> &Preflight {
        &self.preflight
    }

    /// The format to write.
    pub fn to(&self) -> FileFormat {
        self.to
    }

    /// The compression of the output.
    pub fn compression(&self) -> Compression {
        self.compression
    }

    /// The losses of the conversion, from all inputs; each once.
    pub fn losses(&self) -> Vec<Loss> {
        self.inputs.losses(self.to)
    }
}

impl<'a> Job<'a> {
    /// Examines the inputs and the output without writing anything. Reads up to 256 KiB of each input.
    ///
    /// # Errors
    /// Every error that can be found before the conversion: inputs that cannot be opened or recognised or, unless the
    /// job salvages, that have a tail; an output that exists, is an input, or whose format is unknown or cannot be written; a
    /// partition of a job that cannot be divided ([`DatasetError::PartitionUndivided`]) or whose
    /// records cannot be counted beforehand ([`DatasetError::ReadOnce`]).
    pub fn plan(self) -> Result<Plan<'a>, DatasetError> {
        let Job { inputs, output, to, compression, select, partition, copy, scores, .. } = self;
        let Job { by_position, rescale, on_bad_record, mut options, .. } = self;
        let compression = output.compression(compression);
        let rejects = Rejects::paths(&on_bad_record);
        let column = scores.as_ref().and_then(Column::input);
        let written = || output.named().into_iter().chain(rejects.iter().map(AsRef::as_ref));
        // The column of scores is read while the output is written, as an input is.
        let known = by_position.as_ref().and_then(PositionScores::input);
        for read in [&inputs[..], column.as_slice(), known.as_slice()] {
            output::check_paths(read, written(), options.force)?;
        }
        // Fails on an output that cannot be written before reading any input.
        let named = match &output {
            output if to.is_none() && output.takes_any_format() => None,
            output => Some(written_format(output, to, &select)?),
        };
        let mut inputs = sample_check::open_inputs(inputs, &options)?;
        let to = match named {
            Some(format) => format,
            None => {
                // A stream has no extension that names a format.
                let kept = kept_format(&inputs, &output)?;
                written_format(&output, Some(kept), &select)?
            }
        };
        let compression = compression.of(to)?;
        if (scores.is_some() || by_position.is_some() || rescale.is_some()) && !to.holds(Field::Score) {
            return Err(DatasetError::FieldMissing(output.name(), Field::Score));
        }
        if let Some(column) = &scores {
            // As far as it is known: a compressed column or input is counted while it is read.
            column.check(inputs.records())?;
        } else if rescale.is_some() {
            inputs.demand(Field::Score)?;
        }
        if partition != Partition::WHOLE {
            let is_scored = scores.is_some() || by_position.is_some() || rescale.is_some();
            check_partition(partition, &select, &inputs, to, is_scored)?;
            if joins_games(&inputs, to) {
                whole_games::keep_part(&mut inputs, partition, to, &select, options.backend)?;
            } else {
                inputs.keep_part(partition)?;
            }
        }
        let select = narrow(select, &mut inputs)?;
        if on_bad_record.collected().is_some() {
            inputs.one_format()?;
        }
        options.threads = pipeline::threads(options.threads);
        let content = output_size(
            &inputs,
            to,
            &select,
            copy && scores.is_none() && by_position.is_none() && rescale.is_none(),
        );
        let mut preflight = Preflight::of_copy(&inputs, &output, content, compression, options.threads);
        preflight.memory += by_position.as_ref().map_or(0, PositionScores::memory);
        preflight.add_rejects(&inputs, on_bad_record.collected());
        preflight.memory = preflight.memory.saturating_add(retained_memory(&inputs, to, &select));
        Ok(Plan {
            inputs,
            output,
            to,
            compression,
            select,
            partition,
            copy,
            scores,
            by_position,
            rescale,
            on_bad_record,
            options,
            preflight,
        })
    }
}

/// Refuses a partition of a selection that depends on the whole job.
fn check_partition(
    partition: Partition,
    select: &Selection,
    inputs: &Inputs,
    to: FileFormat,
    is_scored: bool,
) -> Result<(), DatasetError> {
    let is_of_the_whole =
        matches!(select, Selection::Range(_) | Selection::Last(_) | Selection::Sample { .. });
    // The starts of games are found before the new scores are read, by the records that the filter leaves out.
    let needs_scores = is_scored && matches!(select, Selection::Filter(_)) && joins_games(inputs, to);
    if is_of_the_whole || needs_scores {
        return Err(DatasetError::PartitionUndivided(partition.to_string()));
    }
    Ok(())
}

/// Whether records are joined to games.
fn joins_games(inputs: &Inputs, to: FileFormat) -> bool {
    to.holds_games() && inputs.formats().any(|from| from != to)
}

/// The size of the selected records in a format, assuming that none is bad.
fn output_size(inputs: &Inputs, to: FileFormat, select: &Selection, copied: bool) -> Amount {
    let all = Amount::of_all(inputs, to, copied);
    match select {
        Selection::All => all,
        Selection::Sample { count, .. } => match inputs.expected() {
            Some(records) => Amount::of_records(Some(records.min(*count)), to),
            None => Amount::of_records(Some(*count), to).or_less(),
        },
        Selection::Last(count) => Amount::of_records(Some(*count), to).or_less(),
        _ => all.or_less(),
    }
}

/// The memory of a retained record besides its bytes.
const RETAINED_BYTES: u64 = 48;

/// The memory of the records that are retained; 0 if their number is unknown.
fn retained_memory(inputs: &Inputs, to: FileFormat, select: &Selection) -> u64 {
    let count = match select {
        Selection::Sample { count, .. } => inputs.expected().map_or(0, |records| records.min(*count)),
        _ => 0,
    };
    count.saturating_mul(RETAINED_BYTES + to.record_size().unwrap_or(0) as u64)
}

/// The format to write.
fn written_format(
    output: &Output,
    given: Option<FileFormat>,
    select: &Selection,
) -> Result<FileFormat, DatasetError> {
    match select {
        Selection::Sample { .. } => output.record_format(given),
        _ => output.format(given),
    }
}

/// The format of an output that keeps the inputs' format. If no input has one, nothing is written and any format will do.
fn kept_format(inputs: &Inputs, output: &Output) -> Result<FileFormat, DatasetError> {
    match inputs.one_format() {
        Ok(Some(FileFormat::Hcpe)) if output.compression(None).is_archive() => Ok(FileFormat::Hcpe),
        _ if output.compression(None).is_archive() => Ok(FileFormat::Psv),
        Ok(format) => Ok(format.unwrap_or(FileFormat::Sfen)),
        Err(_) => Err(DatasetError::OutputFormat(output.name())),
    }
}

/// Applies a selection to the inputs as far as the reader can do it, and returns the rest.
fn narrow(select: Selection, inputs: &mut Inputs) -> Result<Selection, DatasetError> {
    match (select, inputs.records()) {
        // In files of records of one size the reader seeks to the range; the records before it are never read.
        (Selection::Range(range), _) => {
            inputs.limit(range);
            Ok(Selection::All)
        }
        (Selection::Last(count), Some(records)) => {
            inputs.limit(records.saturating_sub(count)..records);
            Ok(Selection::All)
        }
        (Selection::Filter(filter), _) => {
            for &field in filter.expression.fields() {
                inputs.demand(field)?;
            }
            Ok(Selection::Filter(filter))
        }
        (select, _) => Ok(select),
    }
}

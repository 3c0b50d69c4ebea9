//! [`Plan`]: a job whose inputs have been looked at.

use komabako_codec::Backend;

use super::{Job, OnError};
use crate::output::{self, Rejects};
use crate::scores::Column;
use crate::{Compression, DatasetError, Field, FileFormat, Inputs, Loss, Output, Selection, pipeline};

/// A job that can be done: every input opens, every format is known, and the output can be written.
pub struct Plan<'a> {
    pub(super) inputs: Inputs<'a>,
    pub(super) output: Output<'a>,
    pub(super) to: FileFormat,
    pub(super) compression: Compression,
    pub(super) select: Selection,
    pub(super) copy: bool,
    pub(super) scores: Option<Column>,
    pub(super) on_error: OnError,
    pub(super) threads: usize,
    pub(super) backend: Backend,
    pub(super) force: bool,
}

impl<'a> Plan<'a> {
    /// The inputs.
    pub fn inputs(&self) -> &Inputs<'a> {
        &self.inputs
    }

    /// The format to write.
    pub fn to(&self) -> FileFormat {
        self.to
    }

    /// How the output is compressed.
    pub fn compression(&self) -> Compression {
        self.compression
    }

    /// What the conversion does not carry over, from any of the inputs; each once.
    pub fn losses(&self) -> Vec<Loss> {
        self.inputs.losses(self.to)
    }
}

impl<'a> Job<'a> {
    /// Looks at the inputs and the output without writing anything. Reads up to 256 KiB of each input.
    ///
    /// # Errors
    /// Everything that can be known before the conversion: inputs that cannot be opened or recognised, or, unless the
    /// job salvages, that have a tail; an output that exists, is an input, or whose format is not known or not written.
    pub fn plan(self) -> Result<Plan<'a>, DatasetError> {
        let Job { inputs, output, from, to, compression, select, copy, scores, on_error, .. } = self;
        let Job { salvage, threads, backend, force, .. } = self;
        let compression = output.compression(compression);
        let rejects = Rejects::paths(&on_error);
        let path = match &output {
            Output::Path(path) => Some(path.as_path()),
            Output::Stream(..) => None,
        };
        output::check_paths(&inputs, path.into_iter().chain(rejects.iter().map(AsRef::as_ref)), force)?;
        // An output that cannot be written is told before the inputs are looked at.
        let named = match &output {
            Output::Stream(..) if to.is_none() => None,
            output => Some(written_format(output, to, &select)?),
        };
        let mut inputs = Inputs::look_at(inputs, from, salvage)?;
        let to = match named {
            Some(format) => format,
            None => {
                let kept = kept_format(&inputs, &output)?;
                written_format(&output, Some(kept), &select)?
            }
        };
        if let Some(column) = &scores {
            if !to.holds(Field::Score) {
                return Err(DatasetError::FieldMissing(output.name(), Field::Score));
            }
            check_scores(column, inputs.records())?;
        }
        let select = narrowed(select, &mut inputs)?;
        if let OnError::Collect(_) = on_error {
            inputs.one_format()?;
        }
        let threads = pipeline::threads(threads);
        Ok(Plan { inputs, output, to, compression, select, copy, scores, on_error, threads, backend, force })
    }
}

/// A column must have one score for each record, if their number is known.
pub(super) fn check_scores(column: &Column, records: Option<u64>) -> Result<(), DatasetError> {
    let scores = column.len();
    match records {
        Some(records) if records != scores => {
            Err(DatasetError::ScoreCount { column: column.name().to_owned(), scores, records })
        }
        _ => Ok(()),
    }
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

/// The format of an output that keeps that of the inputs. If none has a format there is nothing to write, in any.
fn kept_format(inputs: &Inputs, output: &Output) -> Result<FileFormat, DatasetError> {
    match inputs.one_format() {
        Ok(format) => Ok(format.unwrap_or(FileFormat::Sfen)),
        Err(_) => Err(DatasetError::OutputFormat(output.name())),
    }
}

/// Leaves to the reader of the inputs what it can do of a selection, and returns the rest.
fn narrowed(select: Selection, inputs: &mut Inputs) -> Result<Selection, DatasetError> {
    match (select, inputs.records()) {
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

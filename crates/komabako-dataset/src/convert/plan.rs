//! The plan of a conversion.

use komabako_record::order::Reservoir;

use super::conversion::Copies;
use super::{Job, ScoreChange, whole_games};
use crate::engine::pipeline;
use crate::io::output;
use crate::io::output::Appended;
use crate::job::preflight::Amount;
use crate::job::{Plan, Rejects};
use crate::{DatasetError, Field, FileFormat, Inputs, Output, Partition, Preflight, Selection, sample_check};

impl<'a> Job<'a> {
    /// Examines the inputs and the output without writing anything. Reads up to 256 KiB of each input.
    ///
    /// # Errors
    /// Every error that can be found before the conversion: inputs that cannot be opened or recognised or, unless the
    /// job salvages, that have a tail; an output that exists, is an input, or whose format is unknown or cannot be written; a
    /// partition of a job that cannot be divided ([`DatasetError::PartitionUndivided`]) or whose
    /// records cannot be counted beforehand ([`DatasetError::ReadOnce`]).
    pub fn plan(mut self) -> Result<Plan<'a, Job<'a>>, DatasetError> {
        let read = std::mem::take(&mut self.inputs);
        let force = self.options.force;
        let rejects = Rejects::paths(&self.on_bad_record);
        let written = || self.output.named().into_iter().chain(rejects.iter().map(AsRef::as_ref));
        // New scores are read while the output is written, as an input is, and a mask is wanted again.
        let mask = match &self.select {
            Selection::Mask(mask) => mask.input(),
            _ => None,
        };
        for beside in [self.scores.input(), mask] {
            output::check_conflicts(beside.as_slice(), written(), true)?;
        }
        output::check_conflicts(&read, written(), force || self.append)?;
        if !self.makes_directory {
            written().try_for_each(output::check_directory)?;
        }
        let existing = if self.append { self.output.named().map(Appended::open).transpose()? } else { None };
        let existing = existing.flatten();
        if self.append {
            output::check_conflicts(&read, rejects.iter().map(AsRef::as_ref), force)?;
        }
        if let Some(Appended { format, .. }) = existing {
            let given = *self.to.get_or_insert(format);
            if given != format {
                return Err(DatasetError::OtherArchive { input: self.output.name(), given, found: format });
            }
        }
        // Fails on an output that cannot be written before reading any input.
        let named = match &self.output {
            output if self.to.is_none() && output.takes_any_format() => None,
            _ => Some(self.written_format(self.to)?),
        };
        // In files of records of one size the reader seeks to the range; the records before it are never read.
        let range = match &self.select {
            Selection::Range(range) => range.clone(),
            _ => 0..u64::MAX,
        };
        let mut inputs = sample_check::open_range(read, range, &self.options)?;
        let to = match named {
            Some(format) => format,
            // A stream has no extension that names a format.
            None => self.written_format(Some(kept_format(&inputs, &self.output)?))?,
        };
        if !self.scores.keeps() && !to.holds(Field::Score) {
            return Err(DatasetError::FieldMissing(self.output.name().to_string(), Field::Score));
        }
        match &self.scores {
            // As far as it is known: a compressed column or input is counted while it is read.
            ScoreChange::Column(column) => column.check(inputs.records())?,
            ScoreChange::Rescale(_) => inputs.demand(Field::Score)?,
            ScoreChange::ByPosition(_) | ScoreChange::Answers(_) | ScoreChange::Keep => {}
        }
        if self.partition != Partition::WHOLE {
            self.check_partition(&inputs, to)?;
            if joins_games(&inputs, to) {
                whole_games::keep_part(&mut inputs, &self, to)?;
            } else {
                inputs.keep_part(self.partition)?;
            }
        }
        if let (Selection::Mask(mask), Some(records)) = (&self.select, inputs.records()) {
            mask.check(records)?;
        }
        let copies_all = self.copies() == Copies::All
            && !self.options.salvage
            && inputs.formats().all(|format| format == to);
        self.select = narrow(self.select, &mut inputs, copies_all)?;
        Rejects::check(self.on_bad_record.collected(), &inputs)?;
        self.options.threads = pipeline::threads(self.options.threads);
        let compression = self.output.compression(self.compression).holding(to)?;
        if let (true, false, Some(path)) = (self.append, compression.is_archive(), self.output.named()) {
            return Err(DatasetError::NotAppended(path.to_owned()));
        }
        let content = output_size(&inputs, to, &self.select, self.copies() != Copies::No);
        let mut preflight =
            Preflight::of_copy(&inputs, &self.output, content, compression, self.options.threads);
        if let (Some(existing), Some(path)) = (&existing, self.output.file()) {
            let all = content.compressed(compression) + Amount::exactly(existing.bytes());
            preflight.add_stage(&[(output::directory_of(path), all)]);
        }
        if let ScoreChange::ByPosition(known) = &self.scores {
            preflight.memory += known.memory();
        }
        preflight.add_rejects(&inputs, self.on_bad_record.collected());
        preflight.memory = preflight.memory.saturating_add(retained_memory(&inputs, to, &self.select));
        Ok(Plan { request: self, inputs, to, compression, preflight, ready: existing })
    }

    /// Whether records that stay in their format are copied.
    pub(super) fn copies(&self) -> Copies {
        match self.select {
            _ if !self.copy || !self.scores.keeps() => Copies::No,
            // A filter must decode records to judge them, so bad ones are found; other selections go by number.
            Selection::Filter(_) => Copies::Good,
            _ => Copies::All,
        }
    }

    /// Refuses a partition of a selection that depends on the whole job.
    fn check_partition(&self, inputs: &Inputs, to: FileFormat) -> Result<(), DatasetError> {
        let is_of_the_whole = self.limit.is_some()
            || matches!(self.select, Selection::Range(_) | Selection::Last(_) | Selection::Sample { .. })
            || matches!(&self.select, Selection::Games(choice) if choice.unique);
        // The starts of games are found before the new scores are read, by the records that the filter leaves out.
        let needs_scores =
            !self.scores.keeps() && matches!(self.select, Selection::Filter(_)) && joins_games(inputs, to);
        if is_of_the_whole || needs_scores {
            return Err(DatasetError::PartitionUndivided(self.partition.to_string()));
        }
        Ok(())
    }

    /// The format to write.
    fn written_format(&self, given: Option<FileFormat>) -> Result<FileFormat, DatasetError> {
        match self.select {
            Selection::Sample { .. } => self.output.record_format(given),
            _ => self.output.format(given),
        }
    }
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

/// The format of an output that keeps the inputs' format. If no input has one, nothing is written and any format will do.
fn kept_format(inputs: &Inputs, output: &Output) -> Result<FileFormat, DatasetError> {
    match inputs.one_format() {
        Ok(Some(FileFormat::Hcpe)) if output.compression(None).is_archive() => Ok(FileFormat::Hcpe),
        _ if output.compression(None).is_archive() => Ok(FileFormat::Psv),
        Ok(format) => Ok(format.unwrap_or(FileFormat::Sfen)),
        Err(_) => Err(DatasetError::OutputFormat(output.name().to_string())),
    }
}

/// Applies a selection to the inputs as far as the reader can do it, and returns the rest.
/// `copies`: whether every record of the inputs is copied, so that the numbers of those to write are known.
fn narrow(select: Selection, inputs: &mut Inputs, copies: bool) -> Result<Selection, DatasetError> {
    match (select, inputs.records()) {
        // The inputs were opened for it.
        (Selection::Range(_), _) => Ok(Selection::All),
        (Selection::Last(count), Some(records)) => {
            inputs.limit(records.saturating_sub(count)..records);
            Ok(Selection::All)
        }
        (Selection::Sample { count, seed }, Some(records)) if copies && inputs.are_indexed() => {
            inputs.pick(&Reservoir::numbers(count, seed, records));
            Ok(Selection::All)
        }
        (Selection::Filter(filter), _) => {
            for &field in filter.expression.fields() {
                inputs.demand(field)?;
            }
            Ok(Selection::Filter(filter))
        }
        (Selection::Games(choice), _) => {
            inputs.demand(Field::Games)?;
            Ok(Selection::Games(choice))
        }
        (select, _) => Ok(select),
    }
}

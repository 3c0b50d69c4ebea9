//! The plan of a job, whose inputs are counted.

use std::path::{Path, PathBuf};

use super::Job;
use super::extract::{KeyExtractor, Log};
use super::finished::{Finished, absolute, delete_inputs};
use super::journal::Journal;
use super::layout::{Demand, Load, Partitioning, Partitions};
use super::manifest::{FileIdentity, Identity, Manifest, Settings};
use super::means::Columns;
use super::resources::resources;
use super::run::{Stages, reopen_from};
use super::work_dir::WorkDir;
use super::{Keep, Leftover, NotAveraged, Partition, Sameness, Summary, Unique};
use crate::engine::pipeline;
use crate::engine::temporary::spool;
use crate::io::error::ResumeMismatch;
use crate::io::output::{self, Files, directory_of, identity};
use crate::job::{OnBadRecord, Plan, Rejects};
use crate::{
    Compression, Counts, DatasetError, FileFormat, Input, Inputs, JobOptions, Progress, sample_check,
};

/// What only the plan of these jobs has.
pub struct Ready {
    /// The files to delete at the end.
    pub(super) delete: Vec<PathBuf>,
    /// The path where the output is written, if it is among the temporary files: a later run can resume it, and the parts in it
    /// can be removed.
    pub(super) unfinished: Option<PathBuf>,
    pub(super) stages: Stages,
    leftovers: Vec<Leftover>,
}

impl<'a> Job<'a> {
    /// Examines the inputs and counts their records, which takes a pass over them if they are compressed or text. Streams are
    /// copied to a temporary file, which is removed with the plan.
    ///
    /// # Errors
    /// Every error that can be found before the job, except a lack of memory or disk: inputs that cannot be read or
    /// recognised; an output that exists, is an input, or whose format is unknown or cannot be written; a reference that is an
    /// input to delete ([`DatasetError::DeletesReference`]); an impossible partition ([`DatasetError::PartitionDeletes`],
    /// [`DatasetError::PartitionUndivided`]); because of an earlier run, [`DatasetError::Unfinished`],
    /// [`DatasetError::Changed`], [`DatasetError::Complete`] (see [`Job::finish_earlier`]), or [`DatasetError::InUse`] if it is
    /// still running.
    pub fn plan(mut self, progress: &mut dyn Progress) -> Result<Plan<'a, Job<'a>>, DatasetError> {
        // Checked before anything is opened: a mistake about the files to delete must not be found after hours.
        self.check_partition()?;
        if self.delete_inputs && self.output.file().is_none() {
            return Err(DatasetError::DeletesWithoutFile(self.output.name().to_string()));
        }
        self.check_columns()?;
        self.check_earlier()?;
        let delete = self.deletable()?;
        let (inputs, references) = self.open_inputs()?;
        let to = self.written_format(&inputs)?;
        let compression = self.output.compression(self.compression).holding(to)?;
        let mut work_dir = WorkDir::locate(&self.limits, &self.output);
        let leftovers = if self.output.file().is_none() { work_dir.leftovers() } else { Vec::new() };
        let are_files = inputs.size().is_some() && references.size().is_some();
        let resumable = are_files && self.output.file().is_some();
        // A stream cannot be read again: such a job starts from its beginning.
        self.resume &= resumable;
        // The lock comes before the manifest is read: the other run might be writing it.
        claim(&mut work_dir, self.resume, are_files)?;
        let inputs = spool(inputs, |number| work_dir.file("stream", number), progress)?;
        let references = spool(references, |number| work_dir.file("reference", number), progress)?;
        let identity = Identity {
            settings: self.settings(to, compression, &work_dir),
            inputs: FileIdentity::of_inputs(&inputs),
            references: FileIdentity::of_inputs(&references),
        };
        let left = if self.resume { left_by(&identity, &work_dir)? } else { None };
        if let Some(left) = &left {
            work_dir.take_over_files(&left.directories)?;
        }
        work_dir.keep(left.as_ref().is_some_and(Manifest::is_worth_keeping));
        // Counting text or compressed files takes a pass over them, which an earlier run has already made.
        let load = match &left {
            Some(left) => left.load,
            None => Load::count(&inputs, &references, progress)?,
        };
        let by = self.unique.as_ref().map(|unique| unique.by);
        let keep = self.keep();
        let key_shape = by.map(|of| KeyExtractor::shape_of(of, to, keep == Keep::Mean));
        // Records that stay in their format have a known size; for others only the maximum is
        // known.
        let alone = inputs.formats().all(|format| format == to);
        let mut demand = Demand::new(&load, to, alone, key_shape, keep, self.shuffle);
        demand.keep_part(self.partition, self.divides_keys());
        demand.decoder_memory = inputs.decoder_memory().max(references.decoder_memory());
        if self.unique.is_some() || demand.phased {
            demand.archived = inputs.decoded_bytes();
        }
        let threads = pipeline::threads(self.options.threads);
        let partitions = left.as_ref().map(|left| left.partitions);
        let layout = Partitioning::new(&demand, compression, &self.limits, threads, partitions);
        if layout.keeps_archived {
            inputs.keep_decoded();
        }
        let unfinished = if resumable { self.unfinished(&layout, &work_dir) } else { None };
        if unfinished.is_none() && left.as_ref().is_some_and(|left| left.written.is_some()) {
            // The same path now leads elsewhere.
            let directory = work_dir.home().to_owned();
            return Err(DatasetError::Changed { directory, what: ResumeMismatch::Output });
        }
        let mut preflight = resources(&self, &demand, &layout, &work_dir, unfinished.is_some());
        preflight.add_rejects(&inputs, self.on_bad_record.collected());
        preflight.records = Some(load.records);
        preflight.add_repairs(&inputs);
        preflight.add_repairs(&references);
        preflight.input_bytes =
            inputs.size().zip(references.size()).map(|(inputs, references)| inputs + references);
        let manifest = left.unwrap_or_else(|| Manifest::new(identity, load, layout.partitions));
        let log = Log {
            stop: self.on_bad_record == OnBadRecord::Stop,
            bad: manifest.bad.clone(),
            samples: Vec::new(),
            tails: Vec::new(),
            read: None,
            bad_references: manifest.bad_references,
            reference_samples: Vec::new(),
        };
        let stages = Stages {
            inputs,
            references,
            to,
            unique: by,
            keep,
            columns: None,
            shuffle: self.shuffle,
            partition: self.partition,
            divides_keys: self.divides_keys(),
            threads,
            backend: self.options.backend,
            layout,
            demand,
            journal: Journal::new(manifest, work_dir, resumable),
            log,
        };
        let inputs = reopen_from(&stages.inputs, 0);
        let ready = Ready { delete, unfinished, stages, leftovers };
        Ok(Plan { request: self, inputs, to, compression, preflight, ready })
    }

    /// The path where the output is written, if it is among the job's temporary files.
    fn unfinished(&self, layout: &Partitioning, work_dir: &WorkDir) -> Option<PathBuf> {
        let is_dealt = self.shuffle.is_some_and(|shuffle| !shuffle.phased) && layout.partitions.order > 1;
        let is_plain = self.output.compression(self.compression) == Compression::None;
        if !is_dealt || !is_plain {
            return None;
        }
        let path = self.output.file()?;
        // The output grows while files are removed, if both are on one disk.
        let place = self.limits.directories.first();
        if place.is_some_and(|place| identity(place) != identity(directory_of(path))) {
            return None;
        }
        output::unfinished(work_dir.home(), path)
    }

    /// Refuses a partition of an output that has none, or whose other partitions would lose their inputs.
    fn check_partition(&self) -> Result<(), DatasetError> {
        match self.partition {
            Partition::WHOLE => Ok(()),
            partition if self.delete_inputs => Err(DatasetError::PartitionDeletes(partition.to_string())),
            partition if self.shuffle.is_none() && self.unique.is_none() => {
                Err(DatasetError::PartitionUndivided(partition.to_string()))
            }
            _ => Ok(()),
        }
    }

    /// Which of equal records is kept: the mean of records that are equal in all bytes is the first.
    pub(super) fn keep(&self) -> Keep {
        match &self.unique {
            Some(Unique { by: Sameness::Record, keep: Keep::Mean, .. }) | None => Keep::First,
            Some(unique) => unique.keep,
        }
    }

    /// The prefix of the columns beside the output, if any.
    pub(super) fn columns(&self) -> Option<&Path> {
        self.unique.as_ref()?.columns.as_deref()
    }

    /// The outputs with a path, the main one last: the files of bad records are made only if there are any.
    pub(super) fn outputs(&self) -> Vec<PathBuf> {
        let mut outputs = Rejects::paths(&self.on_bad_record);
        outputs.extend(self.columns().map(Columns::paths).into_iter().flatten());
        outputs.extend(self.output.named().map(Path::to_owned));
        outputs
    }

    /// Refuses columns that nothing fills.
    fn check_columns(&self) -> Result<(), DatasetError> {
        if self.columns().is_none() {
            return Ok(());
        }
        if self.keep() != Keep::Mean {
            return Err(NotAveraged::Kept.into());
        }
        if self.shuffle.is_some() { Err(NotAveraged::Shuffled.into()) } else { Ok(()) }
    }

    /// Whether a partition of the output has the keys in a range of hashes. A partition of a shuffled output has a run of
    /// buckets, which are drawn over the remaining records of all keys.
    fn divides_keys(&self) -> bool {
        self.shuffle.is_none() && self.unique.is_some()
    }

    /// The inputs to delete at the end: none may be a reference.
    pub(super) fn deletable(&self) -> Result<Vec<PathBuf>, DatasetError> {
        let files = self.inputs.iter().filter_map(|input| match input {
            Input::Path(path) if self.delete_inputs && path.is_file() => Some(path.clone()),
            _ => None,
        });
        let files: Vec<PathBuf> = files.collect();
        let references = self.unique.iter().flat_map(|unique| &unique.references);
        let references: Vec<Input> = references.map(Input::path).collect();
        let references = Files::of_inputs(&references);
        match files.iter().find(|path| references.contains(path)) {
            Some(path) => Err(DatasetError::DeletesReference(path.clone())),
            None => Ok(files),
        }
    }

    /// Opens the inputs and the references, none of which may be the output.
    fn open_inputs(&mut self) -> Result<(Inputs<'a>, Inputs<'static>), DatasetError> {
        let inputs = std::mem::take(&mut self.inputs);
        let references = self.unique.iter().flat_map(|unique| &unique.references);
        let references: Vec<Input> = references.map(Input::path).collect();
        let rejects = Rejects::paths(&self.on_bad_record);
        let columns: Vec<PathBuf> = self.columns().map(Columns::paths).into_iter().flatten().collect();
        let beside = || rejects.iter().chain(&columns).map(AsRef::as_ref);
        let outputs = || self.output.named().into_iter().chain(beside());
        output::check_paths(&references, outputs(), true)?;
        output::check_paths(&inputs, outputs(), self.options.force)?;
        // That is the format of the inputs. A reference read in a wrong one would have other positions, and leave none out.
        let detected = JobOptions { from: None, ..self.options.clone() };
        let references = sample_check::open_inputs(references, &detected)?;
        let inputs = sample_check::open_inputs(inputs, &self.options)?;
        Rejects::check(self.on_bad_record.collected(), &inputs)?;
        Ok((inputs, references))
    }

    /// The format to write: the output's, or else the inputs'.
    fn written_format(&self, inputs: &Inputs) -> Result<FileFormat, DatasetError> {
        // A position with its candidates stands alone.
        if self.keep() == Keep::Mean && inputs.formats().all(|format| format == FileFormat::Hcpe3) {
            match self.output.format(self.to) {
                Ok(FileFormat::Hcpe3) => return Ok(FileFormat::Hcpe3),
                Err(DatasetError::OutputFormat(_)) if inputs.formats().next().is_some() => {
                    return Ok(FileFormat::Hcpe3);
                }
                _ => {}
            }
        }
        match self.output.record_format(self.to) {
            Err(DatasetError::OutputFormat(name)) => inputs
                .one_format()?
                .filter(|format| format.can_write() && !format.holds_games())
                .ok_or(DatasetError::OutputFormat(name)),
            format => format,
        }
    }

    /// The first option, of those that can be compared before the inputs are read, that differs from an earlier job's.
    pub(super) fn difference_from(&self, earlier: &Settings) -> Option<ResumeMismatch> {
        let compared = [
            (earlier.sameness == self.sameness(), ResumeMismatch::Sameness),
            (earlier.keep == self.keep().name(), ResumeMismatch::Keep),
            (earlier.columns == self.columns().map(absolute), ResumeMismatch::Columns),
            (earlier.seed == self.shuffle.map(|shuffle| shuffle.seed), ResumeMismatch::Seed),
            (earlier.partition == self.partition.to_string(), ResumeMismatch::Partition),
        ];
        compared.into_iter().find(|(is_same, _)| !is_same).map(|(_, what)| what)
    }

    fn sameness(&self) -> Option<String> {
        self.unique.as_ref().map(|unique| unique.by.name().to_owned())
    }

    fn settings(&self, to: FileFormat, compression: Compression, work_dir: &WorkDir) -> Settings {
        Settings {
            output: self.output.named().map_or_else(String::new, absolute),
            directories: work_dir.places().map(absolute).collect(),
            format: to.name().to_owned(),
            compression: compression.name().to_owned(),
            sameness: self.sameness(),
            keep: self.keep().name().to_owned(),
            columns: self.columns().map(absolute),
            seed: self.shuffle.map(|shuffle| shuffle.seed),
            phased: self.shuffle.is_some_and(|shuffle| shuffle.phased),
            partition: self.partition.to_string(),
            skip_bad: self.on_bad_record != OnBadRecord::Stop,
            salvage: self.options.salvage,
        }
    }
}

impl Job<'_> {
    /// Finishes an earlier run of this job that was stopped after its outputs were complete: gives those their names that lack
    /// them, and deletes the inputs that remain, if that was and is requested, and its temporary files. `None` if there is no such
    /// run or the job is not to [resume](Job::resume); then it can be [planned](Job::plan).
    ///
    /// # Errors
    /// [`DatasetError::Changed`] if that run had other options, [`DatasetError::InUse`] if it is still running,
    /// [`DatasetError::Exists`] if another file has the name of an output, [`DatasetError::Unnamed`], [`DatasetError::Delete`].
    pub fn finish_earlier(&self) -> Result<Option<Summary>, DatasetError> {
        if !self.resume {
            return Ok(None);
        }
        let Some((mut work_dir, manifest, finished)) = self.earlier() else { return Ok(None) };
        let outputs = self.outputs();
        // The files of bad records come first, and exist only if there were bad records.
        let missing = if manifest.bad.total() > 0 { 0 } else { Rejects::paths(&self.on_bad_record).len() };
        let mut difference = self.difference_from(&manifest.identity.settings);
        if difference.is_none() && !finished.are_outputs(&outputs[missing..]) {
            difference = Some(ResumeMismatch::BadRecords);
        }
        if let Some(what) = difference {
            return Err(DatasetError::Changed { directory: work_dir.home().to_owned(), what });
        }
        work_dir.take_over()?;
        work_dir.take_over_files(&manifest.directories)?;
        finished.name_all(work_dir.home(), self.options.force)?;
        let mut changed_inputs = Vec::new();
        if finished.may_delete {
            changed_inputs = delete_inputs(self.deletable()?, &manifest.identity.inputs, &outputs)?;
        }
        work_dir.keep(false);
        let counts = Counts {
            read: manifest.load.records,
            written: finished.written,
            bytes_written: finished.bytes_written,
            bad: manifest.bad.0.clone(),
            ..Counts::default()
        };
        Ok(Some(Summary {
            counts,
            duplicates: manifest.duplicates(),
            other_parts: manifest.other_parts,
            bad_references: manifest.bad_references,
            resumed: true,
            kept_inputs: self.delete_inputs && !finished.may_delete,
            changed_inputs,
            ..Summary::default()
        }))
    }

    /// Fails if an earlier run has completed this output, and was stopped before it had named all outputs or removed the rest.
    pub(super) fn check_earlier(&self) -> Result<(), DatasetError> {
        let Some((work_dir, _, finished)) = self.earlier() else { return Ok(()) };
        // That run may still be removing them.
        work_dir.existing()?;
        match self.output.named() {
            Some(output) if finished.are_named() => Err(DatasetError::Complete(output.to_owned())),
            _ => Err(DatasetError::Unfinished(work_dir.home().to_owned())),
        }
    }

    /// An earlier run that has completed this output, all of whose outputs are there, and its directories. A manifest that cannot
    /// be read is an error of the plan.
    fn earlier(&self) -> Option<(WorkDir, Manifest, Finished)> {
        self.output.named()?;
        let work_dir = WorkDir::locate(&self.limits, &self.output);
        let manifest = Manifest::load(work_dir.home()).ok()??;
        let finished = manifest.finished.clone().filter(|finished| finished.are_there(work_dir.home()))?;
        Some((work_dir, manifest, finished))
    }
}

impl<'a> Plan<'a, Job<'a>> {
    /// The number of parts for the keys and for the records to be shuffled; 1 if that is done in memory.
    pub fn parts(&self) -> (usize, usize) {
        let Partitions { keys, holds_keys, order } = self.ready.stages.layout.partitions;
        (if holds_keys { 1 } else { keys }, order)
    }

    /// The directory that a run leaves behind if a later one can resume it.
    pub fn directory(&self) -> &Path {
        self.ready.stages.journal.work_dir.home()
    }

    /// Directories of temporary files that killed jobs on streams left beside those of this job, if its output is a stream too.
    pub fn leftovers(&self) -> &[Leftover] {
        &self.ready.leftovers
    }
}

/// Takes over the directories of an earlier run, if requested; creates directories for copies of streams.
fn claim(work_dir: &mut WorkDir, resume: bool, are_files: bool) -> Result<(), DatasetError> {
    if let Some(directory) = work_dir.existing()? {
        if !resume {
            return Err(DatasetError::Unfinished(directory.to_owned()));
        }
        work_dir.take_over()?;
    }
    if are_files { Ok(()) } else { work_dir.create() }
}

/// The manifest of an earlier run of the same job.
fn left_by(identity: &Identity, work_dir: &WorkDir) -> Result<Option<Manifest>, DatasetError> {
    let mut left = Manifest::load(work_dir.home())?;
    match left.as_mut().and_then(|left| left.resume_as(identity)) {
        Some(what) => Err(DatasetError::Changed { directory: work_dir.home().to_owned(), what }),
        None => Ok(left),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Write;

    use super::*;
    use crate::Output;
    use crate::engine::temporary::directory::lock;
    use crate::io::output::Target;
    use crate::large::Shuffle;
    use crate::leftovers::{self, State};

    const RECORDS: u64 = 3;

    /// The files of a run that was killed while it deleted its inputs `a.psv`, which is gone, and `b.psv`.
    struct Killed(tempfile::TempDir);

    impl Killed {
        fn new(may_delete: bool) -> Killed {
            let place = tempfile::tempdir().unwrap();
            let path = |name: &str| place.path().join(name);
            fs::write(path("b.psv"), [1; 80]).unwrap();
            let directory = path(".out.psv.komabako");
            fs::create_dir(&directory).unwrap();
            let settings = Settings {
                keep: "first".into(),
                seed: Some(7),
                partition: "0/1".into(),
                ..Settings::default()
            };
            let identity = Identity {
                settings,
                inputs: ["a.psv", "b.psv"].map(|name| FileIdentity::of_file(&path(name))).into(),
                references: Vec::new(),
            };
            let load = Load { records: RECORDS, ..Load::default() };
            let mut manifest =
                Manifest::new(identity, load, Partitions { keys: 1, holds_keys: true, order: 1 });
            let mut output = Target::open(Output::path(path("out.psv")), false).unwrap();
            output.write_all(&[2; 120]).unwrap();
            let outputs = [output];
            manifest.finished = Some(Finished::sync(&outputs, (RECORDS, 120), may_delete).unwrap());
            manifest.save(&directory).unwrap();
            let [output] = outputs;
            output.complete().unwrap();
            Killed(place)
        }

        /// The same command again, on the inputs that remain.
        fn job(&self, resume: bool, seed: u64) -> Job<'static> {
            let input = Input::path(self.0.path().join("b.psv"));
            let shuffle = Some(Shuffle { seed, phased: false });
            let job = Job::new(vec![input], Output::path(self.0.path().join("out.psv")));
            Job { shuffle, resume, delete_inputs: true, ..job }
        }

        fn names(&self) -> Vec<String> {
            let entries = fs::read_dir(self.0.path()).unwrap();
            let mut names: Vec<_> =
                entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
            names.sort_unstable();
            names
        }
    }

    #[test]
    fn an_output_that_is_complete_is_not_written_again() {
        let killed = Killed::new(true);
        let names = killed.names();
        for force in [false, true] {
            let mut job = killed.job(false, 7);
            job.options.force = force;
            assert!(job.finish_earlier().unwrap().is_none());
            assert!(matches!(job.plan(&mut ()), Err(DatasetError::Complete(_))));
        }
        let other = killed.job(true, 8).finish_earlier();
        assert!(matches!(other, Err(DatasetError::Changed { .. })));
        assert_eq!(killed.names(), names);
    }

    #[test]
    fn resuming_it_removes_the_rest() {
        let killed = Killed::new(true);
        let summary = killed.job(true, 7).finish_earlier().unwrap().unwrap();
        assert_eq!((summary.counts.written, summary.resumed, summary.kept_inputs), (RECORDS, true, false));
        assert_eq!(killed.names(), ["out.psv"]);
        assert_eq!(fs::read(killed.0.path().join("out.psv")).unwrap(), [2; 120]);
    }

    #[test]
    fn inputs_with_other_data_are_kept() {
        let killed = Killed::new(false);
        assert!(killed.job(true, 7).finish_earlier().unwrap().unwrap().kept_inputs);
        assert_eq!(killed.names(), ["b.psv", "out.psv"]);

        let killed = Killed::new(true);
        fs::write(killed.0.path().join("b.psv"), [3; 40]).unwrap();
        let summary = killed.job(true, 7).finish_earlier().unwrap().unwrap();
        assert_eq!(summary.changed_inputs, [killed.0.path().join("b.psv")]);
        assert_eq!(killed.names(), ["b.psv", "out.psv"]);
    }

    #[test]
    fn a_file_that_replaced_the_output_is_not_taken_for_it() {
        let killed = Killed::new(true);
        fs::write(killed.0.path().join("out.psv"), [4; 40]).unwrap();
        assert!(killed.job(true, 7).finish_earlier().unwrap().is_none());
        assert!(!matches!(killed.job(false, 7).plan(&mut ()), Err(DatasetError::Complete(_))));
        assert_eq!(killed.names(), [".out.psv.komabako", "b.psv", "out.psv"]);
    }

    /// A run that was killed after it had named its bad records.
    #[test]
    fn resuming_names_the_outputs_that_lack_their_names() {
        let killed = Killed::new(false);
        let path = |name: &str| killed.0.path().join(name);
        let directory = path(".out.psv.komabako");
        fs::remove_file(path("out.psv")).unwrap();
        let collected = OnBadRecord::Collect(path("bad.psv"));
        let job = |resume| Job { on_bad_record: collected.clone(), ..killed.job(resume, 7) };
        let outputs = job(true).outputs().into_iter().map(|path| {
            let mut output = Target::open(Output::path(&path), false).unwrap();
            output.write_all(path.as_os_str().as_encoded_bytes()).unwrap();
            output
        });
        let outputs: Vec<Target> = outputs.collect();
        let mut manifest = Manifest::load(&directory).unwrap().unwrap();
        manifest.bad.count("fault");
        manifest.finished = Some(Finished::sync(&outputs, (RECORDS, 120), false).unwrap());
        manifest.save(&directory).unwrap();
        let mut outputs = outputs.into_iter();
        outputs.next().unwrap().complete().unwrap();
        for output in outputs {
            output.file().unwrap().unlock().unwrap();
            std::mem::forget(output);
        }

        assert!(matches!(job(false).plan(&mut ()), Err(DatasetError::Unfinished(_))));
        // `komabako clean` leaves what can be resumed.
        drop(lock(&directory, None).unwrap());
        let left = leftovers::find(killed.0.path()).unwrap();
        assert!(left.len() == 3 && left.iter().all(|left| left.state == State::Resumable), "{left:?}");
        let other = killed.job(true, 7).finish_earlier();
        assert!(
            matches!(other, Err(DatasetError::Changed { what, .. }) if what == ResumeMismatch::BadRecords)
        );
        let mine = path("out.psv");
        fs::write(&mine, "mine").unwrap();
        assert!(matches!(job(true).finish_earlier(), Err(DatasetError::Exists(path)) if path == mine));
        assert_eq!(fs::read(&mine).unwrap(), b"mine");
        fs::remove_file(mine).unwrap();
        assert!(job(true).finish_earlier().unwrap().is_some());
        assert_eq!(killed.names(), ["b.psv", "bad.psv", "bad.psv.reasons.tsv", "out.psv"]);
        for path in job(true).outputs() {
            assert_eq!(fs::read(&path).unwrap(), path.as_os_str().as_encoded_bytes());
        }
    }
}

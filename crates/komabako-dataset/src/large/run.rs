//! Runs a plan, stage by stage.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::thread;
use std::time::Instant;

use komabako_codec::Backend;

use super::entries::NUMBER_BYTES;
use super::excluded::Excluded;
use super::extract::{KeyExtractor, Log, RecordFeed, RecordSink, key_codec};
use super::find_duplicates::{
    LIST_BUFFER, REFERENCE, is_known, new_list, push_duplicate, push_key, push_number,
};
use super::finished::{Finished, delete_inputs};
use super::journal::Journal;
use super::key_set::KeySet;
use super::layout::{Demand, Partitioning, Size};
use super::manifest::Checkpoint;
use super::means::{Columns, Means};
use super::plan::Ready;
use super::writer::OutputWriter;
use super::{Job, Keep, Partition, Sameness, Shuffle, Summary};
use crate::engine::pipeline;
use crate::engine::progress::InPhase;
use crate::engine::temporary::{PartitionWriter, Shape, TempFile};
use crate::io::error::RecordError;
use crate::io::output::{self, Target};
use crate::job::{Note, Plan, Rejects, Request};
use crate::{
    Counts, DatasetError, Field, FileFormat, Inputs, Loss, LossKind, Lost, Output, Phase, Progress, leftovers,
};

/// The state that the stages of a job share.
pub(super) struct Stages {
    pub inputs: Inputs<'static>,
    pub references: Inputs<'static>,
    pub to: FileFormat,
    pub unique: Option<Sameness>,
    pub keep: Keep,
    /// The files of columns, while the output is written.
    pub columns: Option<Columns>,
    pub shuffle: Option<Shuffle>,
    pub partition: Partition,
    /// Whether the partition has the keys in a range of hashes.
    pub divides_keys: bool,
    pub threads: usize,
    pub backend: Backend,
    pub layout: Partitioning,
    pub demand: Demand,
    /// The finished work.
    pub journal: Journal,
    pub log: Log,
}

impl<'a> Request<'a> for Job<'a> {
    type To = FileFormat;
    type Ready = Ready;
    type Summary = Summary;

    /// Temporary files are left only if a later run can resume from them.
    fn perform(plan: Plan<'a, Self>, progress: &mut dyn Progress) -> Result<Summary, DatasetError> {
        let start = Instant::now();
        let mut losses = Lost::uncounted(&plan.inputs, plan.to, true);
        if plan.request.keep() == Keep::Mean && plan.to.holds_games() {
            // A mean is a position without its game.
            let of_games = |field| Loss { field, kind: LossKind::Dropped };
            let of_games = [Field::Games, Field::EndFlags].map(of_games);
            losses.extend(of_games.map(|loss| Lost { loss, count: None }));
        }
        let Plan { request, compression, ready, .. } = plan;
        let columns = request.columns().map(Path::to_owned);
        let outputs = request.outputs();
        let Job { output, on_bad_record, options, resume, .. } = request;
        let Ready { delete, unfinished, mut stages, .. } = ready;
        let force = options.force;
        let is_text = stages.inputs.formats().any(FileFormat::is_text);
        let resumed = stages.journal.manifest.is_worth_keeping();
        // A killed run could not remove its temporary outputs.
        if resume {
            outputs.iter().for_each(|path| leftovers::remove_abandoned(path));
        }
        let deletes_inputs = !delete.is_empty();
        let about = stages.inputs.about(stages.to, &[]);
        let archives = stages.inputs.archives();
        let mut rejects = Rejects::open(&on_bad_record, is_text, force)?;
        let columns = columns.map(|prefix| Columns::open(&prefix, force));
        stages.columns = columns.transpose()?;
        let result = thread::scope(|scope| {
            let has_header = stages.partition.is_first();
            let start = |target| {
                let about = about.clone();
                OutputWriter::start(target, stages.to, has_header, compression, stages.threads, about, scope)
            };
            let mut writer = match (&output, unfinished) {
                (Output::Path(path), Some(unfinished)) => {
                    let (records, bytes, hasher) = stages.journal.resume_output(&unfinished)?;
                    start(Target::reopen(path, &unfinished, force)?)?.resuming(records, bytes, hasher)
                }
                _ => start(Target::open(output, force)?)?,
            };
            stages.write(&mut writer, progress)?;
            if on_bad_record.collected().is_some() && stages.log.bad.total() > 0 {
                stages.collect(&mut rejects, progress)?;
            }
            // They may have changed since the last pass, and are perhaps deleted.
            stages.inputs.check_unchanged()?;
            stages.references.check_unchanged()?;
            // Everything is written before anything is renamed to its name.
            let mut files = rejects.finish()?;
            files.extend(stages.columns.take().map(Columns::finish).transpose()?.unwrap_or_default());
            let (target, counts) = writer.finish()?;
            files.push(target);
            let (written, bytes_written) = counts;
            let notes = Note::all(&about, compression.is_archive(), &archives);
            let is_lossless = notes.is_empty() && (losses.is_empty() || written == 0);
            let may_delete = is_lossless
                && stages.has_all_records(on_bad_record.collected().is_some(), resumed)
                && !(deletes_inputs && has_comments(&stages.inputs));
            stages.save_finished(&files, counts, may_delete, deletes_inputs && may_delete)?;
            output::complete_all(files.into_iter().map(Target::finish))?;
            Ok::<_, DatasetError>((written, bytes_written, may_delete, notes))
        });
        if let Err(DatasetError::Altered(_)) = result {
            // The finished work is that of other content.
            stages.journal.work_dir.keep(false);
        }
        let (written, bytes_written, may_delete, notes) = result?;
        let read = stages.log.read.unwrap_or(stages.journal.manifest.load.records);
        let Log { bad, samples, tails, bad_references, reference_samples, .. } = stages.log;
        let counts = Counts {
            read,
            written,
            bad: bad.0,
            samples,
            tails,
            notes,
            bytes_written,
            seconds: start.elapsed().as_secs_f64(),
            ..Counts::default()
        };
        let duplicates = stages.journal.manifest.duplicates();
        let losses = if written > 0 { losses } else { Vec::new() };
        let other_parts = stages.journal.manifest.other_parts;
        let kept_inputs = !may_delete && deletes_inputs;
        let mut changed_inputs = Vec::new();
        if may_delete && deletes_inputs {
            let read = &stages.journal.manifest.identity.inputs;
            changed_inputs = delete_inputs(delete, read, &outputs)?;
        }
        // Nothing is left to resume.
        stages.journal.work_dir.keep(false);
        Ok(Summary {
            counts,
            duplicates,
            other_parts,
            bad_references,
            reference_samples,
            losses,
            resumed,
            kept_inputs,
            changed_inputs,
        })
    }
}

impl Stages {
    /// Runs the stages that write the output.
    fn write(&mut self, writer: &mut OutputWriter, progress: &mut dyn Progress) -> Result<(), DatasetError> {
        if let Some(by) = self.unique {
            self.find_duplicates(by, progress)?;
        }
        match self.shuffle {
            None => self.pass(Phase::Write, 0, progress, &mut |record: &[u8]| writer.write(record)),
            Some(Shuffle { seed, phased: true }) => self.shuffle_in_rounds(seed, writer, progress),
            Some(Shuffle { seed, phased: false }) => self.shuffle(seed, writer, progress),
        }
    }

    /// Whether all records of the inputs were read, and none that is bad was dropped.
    fn has_all_records(&self, collects_bad: bool, resumed: bool) -> bool {
        // A resumed run may not reach the damaged end of an input that an earlier run has met.
        let may_lack_end = resumed && self.journal.manifest.identity.settings.salvage;
        self.log.tails.is_empty() && !may_lack_end && (collects_bad || self.log.bad.total() == 0)
    }

    /// Saves that the outputs are complete, if there are several, or temporary files or inputs are left to remove: see
    /// [`Finished`].
    fn save_finished(
        &mut self,
        outputs: &[Target],
        counts: (u64, u64),
        may_delete: bool,
        deletes: bool,
    ) -> Result<(), DatasetError> {
        if outputs.last().is_none_or(|output| output.file().is_none()) {
            return Ok(());
        }
        let journal = &mut self.journal;
        if deletes || outputs.len() > 1 {
            journal.work_dir.create()?;
        } else if !journal.work_dir.home().exists() {
            return Ok(());
        }
        journal.manifest.finished = Some(Finished::sync(outputs, counts, may_delete)?);
        journal.save_finished(&self.log.bad)
    }

    /// Writes the lists of records to leave out: first of bad ones and those of other partitions, then of the duplicates in
    /// every part.
    fn find_duplicates(&mut self, by: Sameness, progress: &mut dyn Progress) -> Result<(), DatasetError> {
        if self.journal.manifest.lists.is_empty() {
            self.journal.work_dir.create()?;
            self.journal.save(&self.log.bad)?;
            self.read_keys(by, progress)?;
        }
        if self.journal.manifest.keys.is_some() { self.find_in_files(by, progress) } else { Ok(()) }
    }

    pub(super) fn extractor(&self, of: Sameness) -> KeyExtractor {
        let codec = key_codec(self.inputs.formats().chain(self.references.formats()));
        let votes = self.keep == Keep::Mean && of != Sameness::Record;
        KeyExtractor { of, to: self.to, codec, votes, backend: self.backend }
    }

    /// A set for the keys in one of `parts` parts.
    pub(super) fn key_set(&self, shape: Shape, parts: usize) -> KeySet {
        let Size { count, bytes } = self.layout.part_of(self.demand.held, parts);
        KeySet::with_capacity(shape, count, bytes)
    }

    /// Reads all keys: into a set that finds duplicates at once, into memory, where they are found then, or into files.
    fn read_keys(&mut self, by: Sameness, progress: &mut dyn Progress) -> Result<(), DatasetError> {
        let extractor = self.extractor(by);
        let shape = extractor.shape();
        let parts = self.layout.partitions.keys;
        let partition = if self.divides_keys { self.partition } else { Partition::WHOLE };
        let done = self.journal.begin();
        let start = done.as_ref().map_or(0, |done| done.records);
        let resumes = done.is_some();
        let mut reader = if self.layout.partitions.holds_keys {
            let size = self.layout.part_of(self.demand.keys, parts).with(NUMBER_BYTES) as usize;
            let held = (0..parts).map(|_| Vec::with_capacity(size)).collect();
            let unwanted = new_list(&self.journal.work_dir, 0)?;
            KeyReader { keys: Keys::Held(held, shape, by), partition, unwanted, entries: 0 }
        } else if parts == 1 && self.demand.decides_at_once {
            let keys = Keys::Set(self.key_set(shape, 1), new_list(&self.journal.work_dir, 1)?);
            KeyReader { keys, partition, unwanted: new_list(&self.journal.work_dir, 0)?, entries: 0 }
        } else {
            let buffer = self.layout.budget.buffer(parts);
            let work_dir = &self.journal.work_dir;
            let paths = (0..parts).map(|part| work_dir.file("keys", part));
            let (files, unwanted, entries) = match done {
                None => (PartitionWriter::create(paths, buffer)?, new_list(&self.journal.work_dir, 0)?, 0),
                Some(Checkpoint { entries, mut files, .. }) => {
                    // The list of unwanted records is the last of the files.
                    let unwanted = files.pop().map(|unwanted| (work_dir.file("list", 0), unwanted));
                    (
                        PartitionWriter::reopen(paths.zip(files), buffer)?,
                        PartitionWriter::reopen(unwanted, LIST_BUFFER)?,
                        entries,
                    )
                }
            };
            KeyReader { keys: Keys::Files(files, shape, parts, by), partition, unwanted, entries }
        };
        let mut reading = InPhase { progress: &mut *progress, phase: Phase::Keys };
        // References come first, so that their keys precede those of the inputs: the input's record is the
        // duplicate. Checkpoints are made only after the references are done.
        if !resumes {
            let mut sink = ReferenceKeys(&mut reader.keys, partition);
            let mut feed = RecordFeed { sink: &mut sink, start: 0, log: &mut self.log, journal: None };
            let references = reopen_from(&self.references, 0);
            pipeline::run(references, self.threads, &extractor, &mut reading, &mut feed)?;
            self.journal.manifest.bad_references = self.log.bad_references;
        }
        let journal = Some(&mut self.journal);
        self.log.read = Some(start);
        let mut feed = RecordFeed { sink: &mut reader, start, log: &mut self.log, journal };
        pipeline::run(reopen_from(&self.inputs, start), self.threads, &extractor, &mut reading, &mut feed)?;
        let KeyReader { keys, unwanted, .. } = reader;
        // The list of unwanted records comes first, then the lists of duplicates, by part.
        let mut lists = unwanted.finish()?;
        // Counted before another pass adds bad records that only it finds.
        let listed: u64 = lists.iter().map(|list| list.bytes / NUMBER_BYTES).sum();
        let other_parts = listed - self.log.bad.total();
        let mut means = Vec::new();
        let keys = match keys {
            Keys::Set(_, list) => {
                lists.append(&mut list.finish()?);
                None
            }
            // Nothing is saved before all lists are complete: a later run could not find the rest.
            Keys::Held(parts, ..) => {
                for (list, of_means) in self.find_in_memory(by, parts, progress)? {
                    lists.push(list);
                    means.extend(of_means);
                }
                None
            }
            Keys::Files(files, ..) => Some(files.finish()?),
        };
        self.journal.end(&self.log.bad, |manifest| {
            manifest.lists = lists;
            manifest.means = means;
            manifest.keys = keys;
            manifest.other_parts = other_parts;
        })
    }

    /// Passes all records from `start` on that are not left out to `writer`, in the output's format.
    pub(super) fn pass<E: WriteRecord>(
        &mut self,
        phase: Phase,
        start: u64,
        progress: &mut dyn Progress,
        writer: &mut E,
    ) -> Result<(), DatasetError> {
        let excluded =
            Excluded::open(self.journal.lists(), self.journal.manifest.load.records, self.layout.window)?;
        let means = match self.keep {
            Keep::Mean => Some(Means::open(self.journal.means(), self.layout.means)?),
            _ => None,
        };
        let extractor = self.extractor(Sameness::Record);
        let columns = self.columns.as_mut();
        let mut kept = SkipExcluded { excluded, means, columns, to: self.to, record: Vec::new(), writer };
        let journal = Some(&mut self.journal);
        self.log.read = Some(start);
        let mut feed = RecordFeed { sink: &mut kept, start, log: &mut self.log, journal };
        let mut progress = InPhase { progress, phase };
        pipeline::run(reopen_from(&self.inputs, start), self.threads, &extractor, &mut progress, &mut feed)
            .map(drop)
    }
}

/// Receives the records of a pass that are not left out.
pub(super) trait WriteRecord {
    /// Called for each record.
    fn write(&mut self, record: &[u8]) -> Result<(), DatasetError>;

    /// As [`RecordSink::checkpoint`].
    fn checkpoint(&mut self) -> Result<Option<(Vec<TempFile>, u64)>, DatasetError> {
        Ok(None)
    }
}

impl<F: FnMut(&[u8]) -> Result<(), DatasetError>> WriteRecord for F {
    fn write(&mut self, record: &[u8]) -> Result<(), DatasetError> {
        self(record)
    }
}

/// Skips the excluded records, and gives the others their means.
struct SkipExcluded<'a, E> {
    excluded: Excluded,
    means: Option<Means>,
    columns: Option<&'a mut Columns>,
    to: FileFormat,
    /// The record that was changed last.
    record: Vec<u8>,
    writer: &'a mut E,
}

impl<E: WriteRecord> RecordSink for SkipExcluded<'_, E> {
    #[inline]
    fn record(&mut self, number: u64, record: &[u8]) -> Result<(), DatasetError> {
        if self.excluded.contains(number)? {
            return Ok(());
        }
        let Some(means) = &mut self.means else { return self.writer.write(record) };
        let Some(mean) = means.find(number)? else { return Ok(()) };
        self.record.clear();
        mean.write(self.to, record, &mut self.record)
            .expect("the format holds its own records and their labels");
        if let Some(columns) = &mut self.columns {
            columns.write(mean)?;
        }
        self.writer.write(self.record.strip_suffix(self.to.record_end()).unwrap_or(&self.record))
    }

    fn bad_record(&mut self, number: u64, error: RecordError, log: &mut Log) -> Result<(), DatasetError> {
        if self.excluded.contains(number)? { Ok(()) } else { log.add_bad_record(error) }
    }

    fn checkpoint(&mut self) -> Result<Option<(Vec<TempFile>, u64)>, DatasetError> {
        self.writer.checkpoint()
    }
}

/// Reads the keys of the inputs.
struct KeyReader {
    keys: Keys,
    partition: Partition,
    /// The list of bad records and of those of other partitions.
    unwanted: PartitionWriter,
    /// The number of keys so far.
    entries: u64,
}

impl RecordSink for KeyReader {
    #[inline]
    fn fetch(&mut self, key: &[u8]) {
        if let Keys::Set(key_set, ..) = &mut self.keys {
            key_set.fetch(KeySet::hash_of(key));
        }
    }

    fn fetches(&self) -> bool {
        matches!(self.keys, Keys::Set(..))
    }

    #[inline]
    fn record(&mut self, number: u64, key: &[u8]) -> Result<(), DatasetError> {
        self.entries += 1;
        if self.keys.add(number, key, self.partition)? {
            Ok(())
        } else {
            push_number(&mut self.unwanted, number)
        }
    }

    fn bad_record(&mut self, number: u64, error: RecordError, log: &mut Log) -> Result<(), DatasetError> {
        log.add_bad_record(error)?;
        push_number(&mut self.unwanted, number)
    }

    fn checkpoint(&mut self) -> Result<Option<(Vec<TempFile>, u64)>, DatasetError> {
        let Keys::Files(keys, ..) = &mut self.keys else { return Ok(None) };
        let mut files = keys.checkpoint()?;
        files.append(&mut self.unwanted.checkpoint()?);
        Ok(Some((files, self.entries)))
    }
}

/// Reads the keys of the references.
struct ReferenceKeys<'k>(&'k mut Keys, Partition);

impl RecordSink for ReferenceKeys<'_> {
    fn record(&mut self, _: u64, key: &[u8]) -> Result<(), DatasetError> {
        self.0.add(REFERENCE, key, self.1).map(drop)
    }

    fn bad_record(&mut self, _: u64, error: RecordError, log: &mut Log) -> Result<(), DatasetError> {
        log.add_bad_reference(error)
    }
}

/// The destination of keys.
enum Keys {
    /// A set of the keys of references; the numbers of records with one of them go into a list.
    Set(KeySet, PartitionWriter),
    /// Parts in memory, with the records' numbers and votes.
    Held(Vec<Vec<u8>>, Shape, Sameness),
    /// Files of the parts, with the records' numbers and votes.
    Files(PartitionWriter, Shape, usize, Sameness),
}

impl Keys {
    /// Adds a key, with its vote if it has one; returns `false` if it belongs to another partition.
    #[inline]
    fn add(&mut self, number: u64, bytes: &[u8], partition: Partition) -> Result<bool, DatasetError> {
        match self {
            Keys::Set(key_set, list) => {
                if partition.segment_of_key(bytes, 1).is_none() {
                    return Ok(false);
                }
                if is_known(key_set, number, KeySet::hash_of(bytes), bytes) {
                    push_duplicate(list, number)?;
                }
            }
            Keys::Held(parts, shape, by) => {
                let (key, _) = KeyExtractor::split(*by, bytes);
                let Some(part) = partition.segment_of_key(key, parts.len()) else { return Ok(false) };
                push_key(number, *shape, bytes, &mut parts[part]);
            }
            Keys::Files(files, shape, parts, by) => {
                let (key, _) = KeyExtractor::split(*by, bytes);
                let Some(part) = partition.segment_of_key(key, *parts) else { return Ok(false) };
                files.push(part, |out| push_key(number, *shape, bytes, out))?;
            }
        }
        Ok(true)
    }
}

/// Whether an input has comments, which are not copied. One that cannot be read again counts as if it had.
fn has_comments(inputs: &Inputs<'static>) -> bool {
    let counter = inputs.counter().clone();
    reopen_from(inputs, 0).into_sources().into_iter().any(|source| {
        source.detection().format == Some(FileFormat::Sfen)
            && source.open(&counter, 0).map_or(true, |(content, _)| {
                let mut lines = BufReader::new(content).split(b'\n');
                lines.any(|line| line.map_or(true, |line| line.trim_ascii_start().starts_with(b"#")))
            })
    })
}

/// The inputs, to be read again from a record on.
pub(super) fn reopen_from(inputs: &Inputs<'static>, start: u64) -> Inputs<'static> {
    let mut inputs = inputs.reopen().expect("streams have been copied to files");
    inputs.limit(start..u64::MAX);
    inputs
}

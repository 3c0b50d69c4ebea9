//! Carries out a [`Plan`], stage by stage.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Instant;

use komabako_codec::Backend;

use super::distinct::Distinct;
use super::dropped::Dropped;
use super::journal::Journal;
use super::layout::{Demand, Layout, Size};
use super::make::{Log, Maker, Rows, Taker};
use super::manifest::{Checkpoint, FileIdentity, Identity};
use super::mark::{LIST_BUFFER, REFERENCE, new_list, put_duplicate, put_key, put_number};
use super::writer::Writer;
use super::{Plan, Sameness, Shuffle, Summary};
use crate::engine::pipeline;
use crate::engine::progress::InPhase;
use crate::engine::temporary::{PartitionWriter, Shape, TempFile, part_of};
use crate::io::error::RecordError;
use crate::io::output::{self, Target};
use crate::{DatasetError, FileFormat, Inputs, Lost, Output, Phase, Progress};

/// The state that the stages of a job share.
pub(super) struct Stages {
    pub inputs: Inputs<'static>,
    pub references: Inputs<'static>,
    pub to: FileFormat,
    pub unique: Option<Sameness>,
    pub shuffle: Option<Shuffle>,
    pub threads: usize,
    pub backend: Backend,
    pub layout: Layout,
    pub demand: Demand,
    /// What has been done.
    pub journal: Journal,
    pub log: Log,
}

impl Plan<'_> {
    /// Does the job.
    ///
    /// # Errors
    /// [`DatasetError::Shortage`] before anything is written; then the first of what goes wrong. No output is left behind
    /// then, and inputs are as they were. Temporary files are left only if a later run can resume from them.
    pub fn run(self, progress: &mut dyn Progress) -> Result<Summary, DatasetError> {
        let start = Instant::now();
        self.preflight.check()?;
        let losses = Lost::uncounted(self.inputs(), self.to());
        let Plan { output, compression, force, resume, delete, unfinished, mut stages, .. } = self;
        let resumed = stages.journal.manifest.is_worth_keeping();
        // A killed run could not remove its temporary output.
        if let (Output::Path(path), true) = (&output, resume) {
            output::remove_abandoned(path);
        }
        let file = output.file().map(Path::to_owned);
        let (written, bytes_written) = thread::scope(|scope| {
            let start = |target| Writer::start(target, stages.to, compression, stages.threads, scope);
            let mut writer = match (&output, unfinished) {
                (Output::Path(path), Some(unfinished)) => {
                    let (records, bytes, hasher) = stages.journal.resume_output(&unfinished)?;
                    start(Target::reopen(path, &unfinished, force)?)?.going_on(records, bytes, hasher)
                }
                _ => start(Target::open(output, force)?)?,
            };
            stages.write(&mut writer, progress)?;
            // Keys were read in one pass and records in another: if a file changed between them, the numbers of
            // duplicates are those of other records.
            stages.check_inputs()?;
            writer.finish()
        })?;
        stages.journal.store.keep(false);
        // Before the inputs go, the output must be on the disk and not only in the cache of the system.
        if let (Some(path), false) = (file, delete.is_empty()) {
            output::sync(&path)?;
        }
        delete.into_iter().try_for_each(remove_input)?;
        let bad = std::mem::take(&mut stages.log.bad);
        let read = stages.journal.manifest.load.records;
        Ok(Summary {
            read,
            written,
            duplicates: read - written - bad.total(),
            bad: bad.0,
            samples: std::mem::take(&mut stages.log.samples),
            tails: std::mem::take(&mut stages.log.tails),
            losses: if written > 0 { losses } else { Vec::new() },
            bytes_written,
            resumed,
            seconds: start.elapsed().as_secs_f64(),
        })
    }
}

impl Stages {
    /// Goes through the stages that make the output.
    fn write(&mut self, writer: &mut Writer, progress: &mut dyn Progress) -> Result<(), DatasetError> {
        if let Some(by) = self.unique {
            self.find_duplicates(by, progress)?;
        }
        match self.shuffle {
            None => self.pass(Phase::Write, 0, progress, &mut |record: &[u8]| writer.put(record)),
            Some(Shuffle { seed, phased: true }) => self.shuffle_in_rounds(seed, writer, progress),
            Some(Shuffle { seed, phased: false }) => self.shuffle(seed, writer, progress),
        }
    }

    /// Several passes over inputs are of use only if these stay the same.
    fn check_inputs(&mut self) -> Result<(), DatasetError> {
        let Identity { inputs, references, .. } = &self.journal.manifest.identity;
        for (known, files) in [(inputs, &self.inputs), (references, &self.references)] {
            if let Some(path) = FileIdentity::changed(known, &FileIdentity::of(files)) {
                let path = path.into();
                self.journal.store.keep(false);
                return Err(DatasetError::Altered(path));
            }
        }
        Ok(())
    }

    /// Makes lists of the records to leave out: first of the bad ones, then of the duplicates of every part.
    fn find_duplicates(&mut self, by: Sameness, progress: &mut dyn Progress) -> Result<(), DatasetError> {
        if self.journal.manifest.lists.is_empty() {
            self.journal.store.make()?;
            self.journal.save(&self.log.bad)?;
            self.read_keys(by, progress)?;
        }
        if self.journal.manifest.keys.is_some() { self.mark(by, progress) } else { Ok(()) }
    }

    pub(super) fn maker(&self, of: Sameness) -> Maker {
        Maker { of, to: self.to, backend: self.backend }
    }

    /// A set for the keys of one of `parts` parts.
    pub(super) fn distinct(&self, shape: Shape, parts: usize) -> Distinct {
        let Size { count, bytes } = self.layout.part_of(self.demand.keys, parts);
        Distinct::with_capacity(shape, count, bytes)
    }

    /// Reads all keys: into a set that finds duplicates at once, or into files.
    fn read_keys(&mut self, by: Sameness, progress: &mut dyn Progress) -> Result<(), DatasetError> {
        let maker = self.maker(by);
        let shape = maker.shape();
        let parts = self.layout.cut.keys;
        let done = self.journal.begin();
        let start = done.as_ref().map_or(0, |done| done.records);
        let goes_on = done.is_some();
        let mut reader = if parts == 1 {
            let keys = Keys::Set(self.distinct(shape, 1), new_list(&self.journal.store, 1)?);
            KeyReader { keys, bad: new_list(&self.journal.store, 0)?, entries: 0 }
        } else {
            let buffer = self.layout.room.buffer(parts);
            let store = &self.journal.store;
            let paths = (0..parts).map(|part| store.file("keys", part));
            let (files, bad, entries) = match done {
                None => (PartitionWriter::create(paths, buffer)?, new_list(&self.journal.store, 0)?, 0),
                Some(Checkpoint { entries, mut files, .. }) => {
                    // The list of bad records is the last of the files.
                    let bad = files.pop().map(|bad| (store.file("list", 0), bad));
                    (
                        PartitionWriter::reopen(paths.zip(files), buffer)?,
                        PartitionWriter::reopen(bad, LIST_BUFFER)?,
                        entries,
                    )
                }
            };
            KeyReader { keys: Keys::Files(files, shape, parts), bad, entries }
        };
        let mut progress = InPhase { progress, phase: Phase::Keys };
        if !goes_on {
            let mut taker = ReferenceKeys(&mut reader.keys);
            let mut rows = Rows { taker: &mut taker, start: 0, log: &mut self.log, journal: None };
            let references = again(&self.references, 0);
            pipeline::run(references, self.threads, &maker, &mut progress, &mut rows)?;
        }
        let journal = Some(&mut self.journal);
        let mut rows = Rows { taker: &mut reader, start, log: &mut self.log, journal };
        pipeline::run(again(&self.inputs, start), self.threads, &maker, &mut progress, &mut rows)?;
        let KeyReader { keys, bad, .. } = reader;
        let mut lists = bad.finish()?;
        let keys = match keys {
            Keys::Set(_, list) => {
                lists.append(&mut list.finish()?);
                None
            }
            Keys::Files(files, ..) => Some(files.finish()?),
        };
        self.journal.end(&self.log.bad, |manifest| (manifest.lists, manifest.keys) = (lists, keys))
    }

    /// Goes over all records from a number on that are not left out, in the output's format.
    pub(super) fn pass<E: End>(
        &mut self,
        phase: Phase,
        start: u64,
        progress: &mut dyn Progress,
        end: &mut E,
    ) -> Result<(), DatasetError> {
        let dropped =
            Dropped::open(self.journal.lists(), self.journal.manifest.load.records, self.layout.window)?;
        let maker = self.maker(Sameness::Record);
        let mut sieve = Sieve { dropped, end };
        let journal = Some(&mut self.journal);
        let mut rows = Rows { taker: &mut sieve, start, log: &mut self.log, journal };
        let mut progress = InPhase { progress, phase };
        pipeline::run(again(&self.inputs, start), self.threads, &maker, &mut progress, &mut rows).map(drop)
    }
}

/// Takes the records of a pass that are not left out.
pub(super) trait End {
    /// Takes one.
    fn put(&mut self, record: &[u8]) -> Result<(), DatasetError>;

    /// As [`Taker::rest`].
    fn rest(&mut self) -> Result<Option<(Vec<TempFile>, u64)>, DatasetError> {
        Ok(None)
    }
}

impl<F: FnMut(&[u8]) -> Result<(), DatasetError>> End for F {
    fn put(&mut self, record: &[u8]) -> Result<(), DatasetError> {
        self(record)
    }
}

/// Leaves records out.
struct Sieve<'a, E> {
    dropped: Dropped,
    end: &'a mut E,
}

impl<E: End> Taker for Sieve<'_, E> {
    #[inline]
    fn take(&mut self, number: u64, record: &[u8]) -> Result<(), DatasetError> {
        if self.dropped.contains(number)? { Ok(()) } else { self.end.put(record) }
    }

    fn refuse(&mut self, number: u64, error: RecordError, log: &mut Log) -> Result<(), DatasetError> {
        if self.dropped.contains(number)? { Ok(()) } else { log.note(error) }
    }

    fn rest(&mut self) -> Result<Option<(Vec<TempFile>, u64)>, DatasetError> {
        self.end.rest()
    }
}

/// Reads the keys of the inputs.
struct KeyReader {
    keys: Keys,
    /// The list of bad records.
    bad: PartitionWriter,
    /// Keys so far.
    entries: u64,
}

impl Taker for KeyReader {
    #[inline]
    fn take(&mut self, number: u64, key: &[u8]) -> Result<(), DatasetError> {
        self.entries += 1;
        self.keys.add(number, key)
    }

    fn refuse(&mut self, number: u64, error: RecordError, log: &mut Log) -> Result<(), DatasetError> {
        log.note(error)?;
        put_number(&mut self.bad, number)
    }

    fn rest(&mut self) -> Result<Option<(Vec<TempFile>, u64)>, DatasetError> {
        let Keys::Files(keys, ..) = &mut self.keys else { return Ok(None) };
        let mut files = keys.rest()?;
        files.append(&mut self.bad.rest()?);
        Ok(Some((files, self.entries)))
    }
}

/// Reads the keys of the references.
struct ReferenceKeys<'k>(&'k mut Keys);

impl Taker for ReferenceKeys<'_> {
    fn take(&mut self, _: u64, key: &[u8]) -> Result<(), DatasetError> {
        self.0.add(REFERENCE, key)
    }

    fn refuse(&mut self, _: u64, error: RecordError, log: &mut Log) -> Result<(), DatasetError> {
        log.tolerate(error)
    }
}

/// Where keys go.
enum Keys {
    /// Into a set; a duplicate's number into a list.
    Set(Distinct, PartitionWriter),
    /// With their numbers into files by part.
    Files(PartitionWriter, Shape, usize),
}

impl Keys {
    #[inline]
    fn add(&mut self, number: u64, key: &[u8]) -> Result<(), DatasetError> {
        match self {
            Keys::Set(distinct, list) => {
                if distinct.insert(key) {
                    Ok(())
                } else {
                    put_duplicate(list, number)
                }
            }
            Keys::Files(files, shape, parts) => {
                files.put(part_of(key, *parts), |out| put_key(number, *shape, key, out))
            }
        }
    }
}

/// Deletes an input. One that was named twice is gone already.
fn remove_input(path: PathBuf) -> Result<(), DatasetError> {
    match fs::remove_file(&path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(DatasetError::Delete(path, error)),
        _ => Ok(()),
    }
}

/// Inputs to be read once more, from a record on.
fn again(inputs: &Inputs<'static>, start: u64) -> Inputs<'static> {
    let mut inputs = inputs.reopen().expect("streams have been copied to files");
    inputs.limit(start..u64::MAX);
    inputs
}

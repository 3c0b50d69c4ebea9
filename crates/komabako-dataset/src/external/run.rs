//! Carries out a [`Plan`], stage by stage.

use std::fs;
use std::time::Instant;

use komabako_codec::Backend;

use super::distinct::Distinct;
use super::dropped::Dropped;
use super::layout::{Layout, Size};
use super::make::{Log, Maker, Row, Rows};
use super::manifest::Manifest;
use super::order::{self, Buckets};
use super::store::Store;
use super::writer::Writer;
use super::{Plan, Sameness, Shuffle, Summary};
use crate::output;
use crate::pipeline;
use crate::progress::InPhase;
use crate::temporary::{Part, Shape, Spill, part_of};
use crate::{DatasetError, FileFormat, Inputs, Output, Phase, Progress, Step};

/// What the stages of a job work with.
pub(super) struct Stages {
    pub inputs: Inputs<'static>,
    pub references: Inputs<'static>,
    pub to: FileFormat,
    pub unique: Option<Sameness>,
    pub shuffle: Option<Shuffle>,
    pub threads: usize,
    pub backend: Backend,
    pub layout: Layout,
    /// The keys, and the records to be ordered.
    pub keys: Size,
    pub ordered: Size,
    pub store: Store,
    /// What has been done.
    pub manifest: Manifest,
    /// Whether a later run can go on from it: not if a stream is read or written.
    pub resumable: bool,
    pub log: Log,
}

/// The number of every record of a reference.
const REFERENCE: u64 = u64::MAX;
/// The bytes of a record's number.
pub(super) const NUMBER_BYTES: u64 = 8;
/// What is collected of a list before it is written.
const LIST_BUFFER: usize = 1 << 16;
/// How many records are written between two reports of progress.
const REPORT_EVERY: u64 = 1 << 16;

impl Plan<'_> {
    /// Does the job.
    ///
    /// # Errors
    /// [`DatasetError::Shortage`] before anything is written; then the first of what goes wrong. No output is left behind
    /// then, and inputs are as they were. Temporary files are left only if a job can go on from them.
    pub fn run(self, progress: &mut dyn Progress) -> Result<Summary, DatasetError> {
        let start = Instant::now();
        self.preflight.check().map_err(DatasetError::Shortage)?;
        let losses = self.losses();
        let Plan { output, compression, force, resume, delete, mut stages, .. } = self;
        let resumed = stages.manifest.is_worth_keeping();
        if let (Output::Path(path), true) = (&output, resume) {
            output::remove_abandoned(path);
        }
        let mut writer = Writer::open(output, stages.to, compression, stages.threads, force)?;
        if let Some(by) = stages.unique {
            stages.find_duplicates(by, progress)?;
        }
        match stages.shuffle {
            None => stages.pass(Phase::Write, progress, &mut |record| writer.put(record))?,
            Some(Shuffle { seed, phased: true }) => stages.shuffle_in_rounds(seed, &mut writer, progress)?,
            Some(Shuffle { seed, phased: false }) => stages.shuffle(seed, &mut writer, progress)?,
        }
        let (written, bytes_written) = writer.finish()?;
        stages.store.keep(false);
        for input in delete {
            fs::remove_file(&input)
                .map_err(|error| DatasetError::Write(input.display().to_string(), error))?;
        }
        let bad = stages.log.bad;
        let read = stages.manifest.load.records;
        Ok(Summary {
            read,
            written,
            duplicates: read - written - bad,
            bad,
            samples: std::mem::take(&mut stages.log.samples),
            tails: std::mem::take(&mut stages.log.tails),
            losses,
            bytes_written,
            resumed,
            seconds: start.elapsed().as_secs_f64(),
        })
    }
}

impl Stages {
    /// Makes lists of the records to leave out: first of the bad ones, then of the duplicates of every part.
    fn find_duplicates(&mut self, by: Sameness, progress: &mut dyn Progress) -> Result<(), DatasetError> {
        if self.manifest.lists.is_empty() {
            self.store.make()?;
            self.save()?;
            self.read_keys(by, progress)?;
            self.save()?;
        }
        if self.manifest.keys.is_some() { self.mark(by, progress) } else { Ok(()) }
    }

    fn maker(&self, of: Sameness) -> Maker {
        Maker { of, to: self.to, backend: self.backend }
    }

    /// Writes down what has been done.
    fn save(&mut self) -> Result<(), DatasetError> {
        self.manifest.bad = self.log.bad;
        if self.resumable {
            self.manifest.save(self.store.first())?;
            self.store.keep(self.manifest.is_worth_keeping());
        }
        Ok(())
    }

    /// An empty list, by its number.
    fn list(&self, number: usize) -> Result<Spill, DatasetError> {
        Spill::create([self.store.file("list", number)], LIST_BUFFER)
    }

    /// A set for the keys of one of so many parts.
    fn distinct(&self, shape: Shape, parts: usize) -> Distinct {
        let Size { count, bytes } = self.layout.part_of(self.keys, parts);
        Distinct::with_capacity(shape, count, bytes)
    }

    /// Reads all keys: into a set that tells duplicates at once, or into files.
    fn read_keys(&mut self, by: Sameness, progress: &mut dyn Progress) -> Result<(), DatasetError> {
        let maker = self.maker(by);
        let shape = maker.shape();
        let parts = self.layout.cut.keys;
        let mut bad = self.list(0)?;
        let mut keys = if parts == 1 {
            Keys::Set(self.distinct(shape, 1), self.list(1)?)
        } else {
            let paths = (0..parts).map(|part| self.store.file("keys", part));
            Keys::Files(Spill::create(paths, self.layout.buffer(parts))?, shape, parts)
        };
        let mut progress = InPhase { progress, phase: Phase::Keys };
        let references = again(&self.references);
        let mut each = |_, row: Row, log: &mut Log| match row {
            Ok(key) => keys.add(REFERENCE, key),
            Err(error) => log.tolerate(error),
        };
        let mut rows = Rows { each: &mut each, next: 0, log: &mut self.log };
        pipeline::run(references, self.threads, &maker, &mut progress, &mut rows)?;
        let mut each = |number, row: Row, log: &mut Log| match row {
            Ok(key) => keys.add(number, key),
            Err(error) => {
                log.note(error)?;
                put_number(&mut bad, number)
            }
        };
        let mut rows = Rows { each: &mut each, next: 0, log: &mut self.log };
        pipeline::run(again(&self.inputs), self.threads, &maker, &mut progress, &mut rows)?;
        self.manifest.lists.append(&mut bad.finish()?);
        match keys {
            Keys::Set(_, list) => self.manifest.lists.append(&mut list.finish()?),
            Keys::Files(files, ..) => self.manifest.keys = Some(files.finish()?),
        }
        Ok(())
    }

    /// Finds the duplicates of each part of the keys.
    fn mark(&mut self, by: Sameness, progress: &mut dyn Progress) -> Result<(), DatasetError> {
        let parts = self.manifest.keys.clone().unwrap_or_default();
        let shape = self.maker(by).shape();
        let mut distinct = self.distinct(shape, parts.len());
        let total = Some(parts.iter().map(|part| part.bytes).sum());
        let mut step = Step { phase: Phase::Mark, total, ..Step::default() };
        for (number, part) in parts.iter().enumerate() {
            let path = self.store.file("keys", number);
            // The first list is that of bad records.
            if number + 1 < self.manifest.lists.len() {
                step.bytes += part.bytes;
            } else {
                let mut list = self.list(number + 1)?;
                distinct.clear();
                part.scan(&path, |piece| {
                    let mut rest = piece;
                    while let Some((number, key, next)) = split_key(shape, rest) {
                        if !distinct.insert(key) && number != REFERENCE {
                            put_number(&mut list, number)?;
                        }
                        step.records += 1;
                        rest = next;
                    }
                    step.bytes += (piece.len() - rest.len()) as u64;
                    report(progress, &step)?;
                    Ok(piece.len() - rest.len())
                })?;
                self.manifest.lists.append(&mut list.finish()?);
                self.save()?;
            }
            // A run that was killed may have removed it.
            let _ = fs::remove_file(path);
        }
        Ok(())
    }

    /// Goes over all records that are not left out, in the output's format.
    fn pass(
        &mut self,
        phase: Phase,
        progress: &mut dyn Progress,
        each: &mut dyn FnMut(&[u8]) -> Result<(), DatasetError>,
    ) -> Result<(), DatasetError> {
        let lists = self.manifest.lists.iter().enumerate();
        let lists = lists.map(|(number, part)| (self.store.file("list", number), part.clone()));
        let mut dropped = Dropped::open(lists, self.manifest.load.records, self.layout.window)?;
        let mut each = |number, row: Row, log: &mut Log| {
            if dropped.contains(number)? {
                return Ok(());
            }
            match row {
                Ok(record) => each(record),
                Err(error) => log.note(error),
            }
        };
        let maker = self.maker(Sameness::Record);
        let mut rows = Rows { each: &mut each, next: 0, log: &mut self.log };
        let mut progress = InPhase { progress, phase };
        pipeline::run(again(&self.inputs), self.threads, &maker, &mut progress, &mut rows).map(drop)
    }

    /// Shuffles in memory or, part by part, through files.
    fn shuffle(
        &mut self,
        seed: u64,
        writer: &mut Writer,
        progress: &mut dyn Progress,
    ) -> Result<(), DatasetError> {
        let shape = Shape::of(self.to);
        let parts = self.layout.cut.order;
        let mut buckets = Buckets::new(seed);
        if parts == 1 {
            let mut entries = Vec::with_capacity(self.ordered.with(order::BUCKET_BYTES) as usize);
            self.pass(Phase::Deal, progress, &mut |record| {
                order::put(buckets.draw(), shape, record, &mut entries);
                Ok(())
            })?;
            return self.write_part(seed, &entries, writer, progress);
        }
        if self.manifest.dealt.is_none() {
            self.store.make()?;
            self.save()?;
            let paths = (0..parts).map(|part| self.store.file("order", part));
            let mut files = Spill::create(paths, self.layout.buffer(parts))?;
            self.pass(Phase::Deal, progress, &mut |record| {
                let bucket = buckets.draw();
                files.put(order::part_of(bucket, parts), |out| order::put(bucket, shape, record, out))
            })?;
            self.manifest.dealt = Some(files.finish()?);
            self.save()?;
        }
        let dealt: Vec<Part> = self.manifest.dealt.clone().unwrap_or_default();
        for (number, part) in dealt.iter().enumerate() {
            let entries = part.load(&self.store.file("order", number))?;
            self.write_part(seed, &entries, writer, progress)?;
        }
        Ok(())
    }

    /// Shuffles in rounds, each of which reads all records and keeps those of one part.
    fn shuffle_in_rounds(
        &mut self,
        seed: u64,
        writer: &mut Writer,
        progress: &mut dyn Progress,
    ) -> Result<(), DatasetError> {
        let shape = Shape::of(self.to);
        let parts = self.layout.cut.order;
        let before = self.log.clone();
        let mut entries = Vec::new();
        for part in 0..parts {
            // Every round meets the same bad records.
            self.log = before.clone();
            let mut buckets = Buckets::new(seed);
            entries.clear();
            entries
                .reserve_exact(self.layout.part_of(self.ordered, parts).with(order::BUCKET_BYTES) as usize);
            self.pass(Phase::Deal, progress, &mut |record| {
                let bucket = buckets.draw();
                if order::part_of(bucket, parts) == part {
                    order::put(bucket, shape, record, &mut entries);
                }
                Ok(())
            })?;
            self.write_part(seed, &entries, writer, progress)?;
        }
        Ok(())
    }

    /// Writes the records of a part in their shuffled order.
    fn write_part(
        &self,
        seed: u64,
        entries: &[u8],
        writer: &mut Writer,
        progress: &mut dyn Progress,
    ) -> Result<(), DatasetError> {
        let dropped: u64 = self.manifest.lists.iter().map(|list| list.bytes / NUMBER_BYTES).sum();
        let records = self.manifest.load.records - dropped;
        let total = self.to.record_size().map(|size| records * size as u64);
        order::in_order(seed, Shape::of(self.to), entries, |record| {
            writer.put(record)?;
            if writer.records.is_multiple_of(REPORT_EVERY) {
                let (bytes, records) = (writer.bytes, writer.records);
                report(progress, &Step { phase: Phase::Write, bytes, total, records, bad: self.log.bad })?;
            }
            Ok(())
        })
    }
}

/// Where keys go.
enum Keys {
    /// Into a set; a duplicate's number into a list.
    Set(Distinct, Spill),
    /// With their numbers into files by part.
    Files(Spill, Shape, usize),
}

impl Keys {
    #[inline]
    fn add(&mut self, number: u64, key: &[u8]) -> Result<(), DatasetError> {
        match self {
            Keys::Set(distinct, list) => {
                if !distinct.insert(key) && number != REFERENCE {
                    put_number(list, number)?;
                }
                Ok(())
            }
            Keys::Files(files, shape, parts) => files.put(part_of(key, *parts), |out| {
                out.extend_from_slice(&number.to_le_bytes());
                shape.put(key, out);
            }),
        }
    }
}

/// The number and the key at the start of some entries, and what follows.
fn split_key(shape: Shape, entries: &[u8]) -> Option<(u64, &[u8], &[u8])> {
    let (number, rest) = entries.split_first_chunk()?;
    let (key, rest) = shape.split(rest)?;
    Some((u64::from_le_bytes(*number), key, rest))
}

fn put_number(list: &mut Spill, number: u64) -> Result<(), DatasetError> {
    list.put(0, |out| out.extend_from_slice(&number.to_le_bytes()))
}

/// Inputs to be read once more.
fn again(inputs: &Inputs<'static>) -> Inputs<'static> {
    inputs.again().expect("streams have been copied to files")
}

fn report(progress: &mut dyn Progress, step: &Step) -> Result<(), DatasetError> {
    if progress.update(step).is_break() { Err(DatasetError::Cancelled) } else { Ok(()) }
}

//! Runs the plan of a comparison.

use std::fs;
use std::iter;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Instant;

use komabako_codec::Backend;

use super::compare::{Comparing, Gatherer, Gathering, Judge};
use super::plan::{Partitioning, Places, Ready};
use super::table::{Entry, Fields, Table};
use super::tally::Tally;
use super::{Job, Summary};
use crate::Name;
use crate::engine::parallel::{self, ProgressSender};
use crate::engine::pipeline;
use crate::engine::progress::InPhase;
use crate::engine::temporary::{PartitionWriter, TempFile, part_of};
use crate::io::input::Stamp;
use crate::job::{Plan, Request};
use crate::{
    Counts, DatasetError, FileFormat, Input, Inputs, JobOptions, MoveReading, Output, Phase, Progress,
    Selection, Step, convert,
};

impl Job<'_> {
    /// Compares, and writes the requested outputs.
    ///
    /// # Errors
    /// The errors of [`Job::plan`] and [`Plan::run`]. A bad record is an error, since it cannot be compared.
    pub fn run(self, progress: &mut dyn Progress) -> Result<Summary, DatasetError> {
        self.plan(progress)?.run(progress)
    }
}

impl<'a> Request<'a> for Job<'a> {
    type To = Option<FileFormat>;
    type Ready = Ready<'a>;
    type Summary = Summary;

    fn perform(plan: Plan<'a, Self>, progress: &mut dyn Progress) -> Result<Summary, DatasetError> {
        let start = Instant::now();
        let Plan { request: job, inputs: a, ready, .. } = plan;
        let Ready { b, records_a, fields, layout, mut places } = ready;
        let JobOptions { threads, backend, .. } = job.options;
        let second_passes = [&a, &b, &b].map(|inputs| SecondPass::over(inputs, &job));
        let mut tally = Tally::new(fields.clone(), job.outputs().map(|path| path.is_some()));
        let mut comparison = Comparison { fields, threads, backend, counts: Counts::default() };
        if layout.parts == 1 {
            comparison.in_memory(a, b, records_a, &mut tally, progress)?;
        } else {
            comparison.in_parts(a, b, layout, &mut places, &mut tally, progress)?;
        }
        let Tally { masks, mut summary, .. } = tally;
        for ((second_passes, path), mask) in second_passes.into_iter().zip(job.outputs()).zip(masks) {
            if let (Some(second_passes), Some(path), Some(mask)) = (second_passes, path, mask) {
                let written = second_passes.write(path, Selection::Mask(mask), progress)?;
                comparison.counts.written += written.written;
                comparison.counts.bytes_written += written.bytes_written;
            }
        }
        summary.counts = comparison.counts;
        summary.counts.read = summary.records_a + summary.records_b;
        summary.counts.seconds = start.elapsed().as_secs_f64();
        Ok(summary)
    }
}

/// The state of a comparison.
struct Comparison {
    fields: Fields,
    threads: usize,
    backend: Backend,
    /// The counts of the records of both inputs and of the outputs.
    counts: Counts,
}

impl Comparison {
    /// Compares with one table of all records of A.
    fn in_memory(
        &mut self,
        a: Inputs,
        b: Inputs,
        records_a: u64,
        tally: &mut Tally,
        progress: &mut dyn Progress,
    ) -> Result<(), DatasetError> {
        let mut entries = Vec::with_capacity(records_a as usize);
        self.gather(a, progress, &mut |entry| {
            entries.push(*entry);
            Ok(())
        })?;
        let table = Table::new(entries);
        let work = Comparing { backend: self.backend, fields: self.fields.clone(), table: &table };
        let seen = vec![false; table.entries().len()];
        let mut judge = Judge { table: &table, seen, tally, tails: &mut self.counts.tails };
        let mut progress = InPhase { progress, phase: Phase::Compare };
        let bytes = pipeline::run(b, self.threads, &work, &mut progress, &mut judge)?;
        judge.finish();
        self.counts.bytes_read += bytes;
        Ok(())
    }

    /// Compares part by part; a part has all records of its positions.
    fn in_parts(
        &mut self,
        a: Inputs,
        b: Inputs,
        layout: Partitioning,
        places: &mut Places,
        tally: &mut Tally,
        progress: &mut dyn Progress,
    ) -> Result<(), DatasetError> {
        // Partitioned by a hash of the position, both inputs have all records of a position in parts of the same
        // number, so that a pair of parts is compared without the others.
        let files_a = places.files("a-part")?;
        let files_b = places.files("b-part")?;
        let parts_a = self.partition_input(a, layout, &files_a, progress)?;
        let parts_b = self.partition_input(b, layout, &files_b, progress)?;
        let total = parts_a.iter().chain(&parts_b).map(|part| part.bytes).sum();
        let mut step = Step { phase: Phase::Compare, total: Some(total), ..Step::default() };
        let tally = Mutex::new(tally);
        let compare = |number: usize, (): &mut (), reports: &ProgressSender| {
            let path_a = files_a(number);
            let path_b = files_b(number);
            let mut entries = Vec::with_capacity(parts_a[number].bytes as usize / Entry::SIZE);
            read(&parts_a[number], &path_a, reports, |chunk| entries.extend(chunk))?;
            let table = Table::new(entries);
            let mut seen = vec![false; table.entries().len()];
            // Lookups take most of the time and need no lock; the lock is held only to count the verdicts.
            let mut judged = Vec::new();
            read(&parts_b[number], &path_b, reports, |chunk| {
                judged.extend(chunk.map(|entry| (entry, table.judge(&entry.word, entry.digest))));
                let tally = &mut *tally.lock().expect("no thread panics with it");
                for (entry, verdict) in judged.drain(..) {
                    tally.add(&table, &mut seen, &entry, verdict);
                }
            })?;
            tally.lock().expect("no thread panics with it").add_unseen(&table, &seen);
            for path in [path_a, path_b] {
                // Parts are removed as soon as they are compared, to make space for the outputs.
                fs::remove_file(&path).map_err(|error| DatasetError::Write(Name::from(&path), error))?;
            }
            Ok(())
        };
        parallel::each(0..layout.parts, &mut vec![(); layout.at_once], &mut step, progress, compare).map(drop)
    }

    /// Partitions the records of an input.
    fn partition_input(
        &mut self,
        inputs: Inputs,
        layout: Partitioning,
        path: impl Fn(usize) -> PathBuf,
        progress: &mut dyn Progress,
    ) -> Result<Vec<TempFile>, DatasetError> {
        let mut parts = PartitionWriter::create((0..layout.parts).map(path), layout.buffer)?;
        self.gather(inputs, progress, &mut |entry| {
            parts.push(part_of(&entry.word, layout.parts), |out| entry.append(out))
        })?;
        parts.finish()
    }

    /// Passes all records of an input to a function.
    fn gather(
        &mut self,
        inputs: Inputs,
        progress: &mut dyn Progress,
        each: &mut dyn FnMut(&Entry) -> Result<(), DatasetError>,
    ) -> Result<(), DatasetError> {
        let work = Gathering { backend: self.backend, fields: self.fields.clone() };
        let mut gatherer = Gatherer { each, tails: &mut self.counts.tails };
        let mut progress = InPhase { progress, phase: Phase::Keys };
        self.counts.bytes_read += pipeline::run(inputs, self.threads, &work, &mut progress, &mut gatherer)?;
        Ok(())
    }
}

/// Passes the entries of a part to a function, in chunks.
fn read(
    part: &TempFile,
    path: &Path,
    reports: &ProgressSender,
    mut each: impl FnMut(&mut dyn Iterator<Item = Entry>),
) -> Result<(), DatasetError> {
    part.scan(path, |chunk| {
        let mut rest = chunk;
        let mut records = 0;
        each(&mut iter::from_fn(|| {
            let (entry, next) = Entry::split(rest)?;
            rest = next;
            records += 1;
            Some(entry)
        }));
        let used = chunk.len() - rest.len();
        reports.send(records, used as u64)?;
        Ok(used)
    })
}

/// The options for reading an input again.
struct SecondPass {
    path: PathBuf,
    stamp: Option<Stamp>,
    to: Option<FileFormat>,
    options: JobOptions,
}

impl SecondPass {
    /// A second pass over the only one of these inputs, if it is a file.
    fn over(inputs: &Inputs, job: &Job) -> Option<SecondPass> {
        let source = inputs.sources().first()?;
        let options = JobOptions {
            from: source.detection().format,
            // The input has been checked, and one that was repaired has been copied.
            moves: source.moves().map_or(MoveReading::AsIs, MoveReading::In),
            salvage: inputs.salvage(),
            ..job.options
        };
        Some(SecondPass { path: source.path()?.to_owned(), stamp: source.stamp(), to: job.to, options })
    }

    /// Writes a selection of the records, and counts them.
    fn write(
        self,
        path: &Path,
        select: Selection,
        progress: &mut dyn Progress,
    ) -> Result<Counts, DatasetError> {
        let SecondPass { path: input, stamp, to, options } = self;
        let job = convert::Job {
            to,
            select,
            copy: true,
            options,
            ..convert::Job::new(vec![Input::path(input)], Output::path(path))
        };
        let mut progress = InPhase { progress, phase: Phase::Write };
        let plan = job.plan().map_err(DatasetError::after_check)?;
        plan.inputs().sources().iter().try_for_each(|source| source.check_stamp(stamp))?;
        Ok(plan.run(&mut progress)?.counts)
    }
}

//! The plan of a comparison.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::Job;
use super::table::{Entry, Fields, Table};
use crate::engine::census::count_records;
use crate::engine::pipeline;
use crate::engine::temporary::directory::TemporaryDirectory;
use crate::engine::temporary::{MemoryBudget, planned, spool};
use crate::io::output;
use crate::job::preflight::{Amount, default_memory};
use crate::job::{JobOptions, Limits, Plan};
use crate::{Compression, DatasetError, Input, Inputs, Output, Preflight, Progress, sample_check};

/// What only the plan of a comparison has.
pub struct Ready<'a> {
    pub(super) b: Inputs<'a>,
    pub(super) records_a: u64,
    pub(super) fields: Fields,
    pub(super) layout: Partitioning,
    pub(super) places: Places,
}

impl<'a> Job<'a> {
    /// Examines the inputs and counts the records of A, which takes a pass over it if it is compressed or text. A stream
    /// that has to be read more than once is copied to a temporary file.
    ///
    /// # Errors
    /// Every error that can be found before the comparison, except a lack of memory or disk.
    pub fn plan(mut self, progress: &mut dyn Progress) -> Result<Plan<'a, Job<'a>>, DatasetError> {
        let inputs = [&mut self.a, &mut self.b].map(|input| std::mem::replace(input, Input::path("")));
        for path in self.outputs().into_iter().flatten() {
            Output::path(path).format(self.to)?;
        }
        output::check_paths(&inputs, self.outputs().into_iter().flatten(), self.options.force)?;
        let [a, b] = inputs;
        let mut a = sample_check::open_inputs(vec![a], &self.options)?;
        let mut b = sample_check::open_inputs(vec![b], &self.options)?;
        let mut places = Places::new(&self);
        // A is counted and then read.
        if a.size().is_none() {
            a = spool(a, places.files("a")?, progress)?;
        }
        // B is read once for the comparison, and again only if its records are to be written.
        if b.size().is_none() && self.outputs()[1..].iter().any(Option::is_some) {
            b = spool(b, places.files("b")?, progress)?;
        }
        let fields = Fields::shared_by(a.formats().next(), b.formats().next());
        self.options.threads = pipeline::threads(self.options.threads);
        let records_a = count_records(&a, progress)?.0;
        let records_b = b.records();
        let decoder_memory = a.decoder_memory().max(b.decoder_memory());
        let layout = Partitioning::new(records_a, records_b, &self, decoder_memory);
        let records = records_b.map(|records| records + records_a);
        let preflight = Preflight::new(records, layout.memory, self.limits.memory);
        let input_bytes = a.size().zip(b.size()).map(|(a, b)| a + b);
        let mut preflight = Preflight { input_bytes, ..preflight };
        preflight.add_repairs(&a);
        preflight.add_repairs(&b);
        if layout.parts > 1 {
            let bytes = records.map_or(Amount::UNKNOWN, |all| Amount::exactly(all * Entry::SIZE as u64));
            preflight.add_stage(&places.share(bytes));
        }
        let content = self.outputs().into_iter().zip([&a, &b, &b]).filter_map(|(path, input)| {
            let output = Output::path(path?);
            let all = output.format(self.to).map_or(Amount::UNKNOWN, |to| Amount::of_all(input, to, true));
            // A device or a pipe takes no disk space.
            output.file()?;
            Some((output::directory_of(path?), all.or_less()))
        });
        preflight.add_stage(&content.collect::<Vec<_>>());
        let ready = Ready { b, records_a, fields, layout, places };
        let compression = Compression::None;
        Ok(Plan { request: self, inputs: a, to: None, compression, preflight, ready })
    }

    /// The requested outputs: for the records that are only in A, only in B, and changed.
    pub(super) fn outputs(&self) -> [Option<&Path>; 3] {
        [&self.only_a, &self.only_b, &self.changed].map(Option::as_deref)
    }
}

impl<'a> Plan<'a, Job<'a>> {
    /// The number of parts; 1 if the records of A fit in memory.
    pub fn parts(&self) -> usize {
        self.ready.layout.parts
    }
}

/// The division of a comparison into parts that fit in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Partitioning {
    pub parts: usize,
    /// The number of parts in memory at once.
    pub at_once: usize,
    /// The buffer size for each part.
    pub buffer: usize,
    /// The maximum memory of the comparison.
    memory: u64,
}

impl Partitioning {
    fn new(records_a: u64, records_b: Option<u64>, job: &Job, decoder_memory: u64) -> Partitioning {
        let Job { limits, options: JobOptions { threads, .. }, .. } = job;
        let threads = *threads;
        let records = [records_a, records_b.unwrap_or(0), records_b.unwrap_or(0)];
        let wanted = job.outputs().into_iter().zip(records).filter(|(path, _)| path.is_some());
        // One bit per record, and the slack of a vector that grows.
        let masks: u64 = wanted.map(|(_, records)| records / 4).sum();
        let fixed = pipeline::memory(threads) + decoder_memory + masks;
        let budget = MemoryBudget::new(limits.memory.unwrap_or_else(default_memory), fixed);
        let table = records_a * Table::ENTRY_BYTES;
        let parts = limits.parts.unwrap_or_else(|| budget.parts(table, threads)).clamp(1, Limits::MAX_PARTS);
        let at_once = budget.at_once(table, parts, threads);
        // The tables and the buffers of the parts never exist at the same time: the larger of the two counts.
        let taken = (at_once as u64 * planned(table, parts)).max(budget.buffers(parts));
        Partitioning { parts, at_once, buffer: budget.buffer(parts), memory: fixed + taken }
    }
}

/// The directories of temporary files: created when they are first needed, and removed at the end.
pub(super) struct Places {
    places: Vec<PathBuf>,
    made: Vec<Arc<TemporaryDirectory>>,
}

impl Places {
    fn new(job: &Job) -> Places {
        let beside =
            job.outputs().into_iter().flatten().next().map(|path| output::directory_of(path).to_owned());
        let places = match &job.limits.directories[..] {
            [] => vec![beside.unwrap_or_else(std::env::temp_dir)],
            directories => directories.to_vec(),
        };
        Places { places, made: Vec::new() }
    }

    /// The paths of files of a kind, by number; files are spread over the directories in turn.
    pub fn files(&mut self, kind: &'static str) -> Result<impl Fn(usize) -> PathBuf + use<>, DatasetError> {
        for place in &self.places[self.made.len()..] {
            self.made.push(Arc::new(TemporaryDirectory::make(place)?));
        }
        let directories = self.made.clone();
        Ok(move |number: usize| directories[number % directories.len()].file(kind, number))
    }

    /// Each directory's share of `bytes`.
    fn share(&self, bytes: Amount) -> Vec<(&Path, Amount)> {
        let count = self.places.len() as u64;
        let share =
            Amount { least: bytes.least / count, most: bytes.most.map(|bytes| bytes.div_ceil(count)) };
        self.places.iter().map(|place| (place.as_path(), share)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn oversized_jobs_are_partitioned_within_the_limit() {
        let layout = |records, memory| {
            let mut job = Job::new(Input::path("a"), Input::path("b"));
            job.limits.memory = Some(memory);
            job.options.threads = 2;
            Partitioning::new(records, None, &job, 0)
        };
        assert_eq!(layout(1_000_000, 1 << 30).parts, 1);
        for records in [100_000_000, 100_000_000_000] {
            let layout = layout(records, 1 << 30);
            assert!(layout.parts > 1 && layout.memory <= 1 << 30, "{layout:?}");
        }
        assert!(layout(1_000_000, 1 << 20).memory > 1 << 20);
    }
}

//! What several tests need.

use std::fmt::Display;
use std::path::PathBuf;

use komabako_dataset::record::Psv;
use komabako_dataset::{Input, Output, convert};
use komabako_loader::{Batch, Loader, LoaderError, Plan, Record, Source};
use tempfile::TempDir;

/// The rows of a table with a header line, in cells.
pub fn rows(table: &str) -> Vec<Vec<&str>> {
    table.lines().skip(1).map(|line| line.split('\t').collect()).collect()
}

/// The items with commas between them.
pub fn joined<T: Display>(items: impl IntoIterator<Item = T>) -> String {
    items.into_iter().map(|item| item.to_string()).collect::<Vec<_>>().join(",")
}

/// A directory of files.
pub struct Files(TempDir);

impl Files {
    pub fn new() -> Files {
        Files(TempDir::new().unwrap())
    }

    /// The path of a file.
    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes a file.
    pub fn write(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, bytes).unwrap();
        path
    }

    /// Writes PSV records to a file in another format.
    pub fn convert(&self, name: &str, psv: &[Record]) -> PathBuf {
        let from = self.write(&format!("{name}.psv"), psv.as_flattened());
        let path = self.path(name);
        let job = convert::Job::new(vec![Input::path(from)], Output::path(path.clone()));
        job.plan().unwrap().run(&mut ()).unwrap();
        path
    }
}

/// Records of the sample, each with a number of its own, from `first` on.
pub fn numbered_from(first: usize, count: usize) -> Vec<Record> {
    let sample = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/sample.psv")).unwrap();
    let sample = sample.as_chunks::<40>().0;
    let record = |number: usize| {
        let mut psv = Psv::from_bytes(&sample[number % sample.len()]);
        psv.ply = number as u16;
        psv.padding = (number >> 16) as u8;
        psv.to_bytes()
    };
    (first..first + count).map(record).collect()
}

/// Records of the sample, each with a number of its own.
pub fn numbered(count: usize) -> Vec<Record> {
    numbered_from(0, count)
}

/// The number of a record.
pub fn number_of(record: &Record) -> u64 {
    let Psv { ply, padding, .. } = Psv::from_bytes(record);
    u64::from(padding) << 16 | u64::from(ply)
}

/// The numbers of the records of a batch.
pub fn numbers(batch: &Batch) -> Vec<u64> {
    batch.records.iter().map(number_of).collect()
}

/// A plan for small files: blocks of 64 records, one of them a tick, over 8 ticks, and batches of 48.
pub fn small(sources: Vec<Source>) -> Plan {
    Plan { sources, batch: 48, block: 64, per_tick: Some(1), lag: 8, seed: 7, ..Plan::new() }
}

/// The batches of the rest of an epoch.
pub fn epoch(loader: &mut Loader) -> Result<Vec<Batch>, LoaderError> {
    let mut batches = Vec::new();
    while let Some(batch) = loader.next()? {
        batches.push(batch);
    }
    Ok(batches)
}

/// The numbers of the records of an epoch, in order.
pub fn order_of(plan: &Plan) -> Vec<u64> {
    let mut loader = plan.start().unwrap();
    epoch(&mut loader).unwrap().iter().flat_map(numbers).collect()
}

/// The same, sorted.
pub fn sorted(mut numbers: Vec<u64>) -> Vec<u64> {
    numbers.sort_unstable();
    numbers
}

//! Duplicates and shuffles: the same bytes for any limits, equal to slow references, and resumed after an interruption.

mod averages;
mod collection;
mod deletion;
mod disturbance;
mod duplicates;
mod formats;
mod partition;
mod resources;
mod resumption;
mod shuffle;

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::common::sample;
use komabako_dataset::large::{Job, Sameness, Shuffle, Summary, Unique};
use komabako_dataset::{DatasetError, Input, Output};
use tempfile::TempDir;

const PSV: usize = 40;

struct Place(TempDir);

impl Place {
    fn new() -> Place {
        Place(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn file(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, content).unwrap();
        path
    }

    fn names(&self) -> Vec<String> {
        crate::common::names(self.0.path())
    }
}

/// The sample's records with different scores: `count` records, all different.
fn scored(count: usize) -> Vec<u8> {
    let records = sample("sample.psv");
    let mut bytes: Vec<u8> = records.into_iter().cycle().take(count * PSV).collect();
    for (number, record) in bytes.chunks_exact_mut(PSV).enumerate() {
        record[32..34].copy_from_slice(&((number / 2000) as i16).to_le_bytes());
    }
    bytes
}

fn job(inputs: &[&Path], output: &Path) -> Job<'static> {
    let inputs = inputs.iter().map(|&path| Input::path(path)).collect();
    let mut job = Job::new(inputs, Output::path(output));
    job.options.threads = 2;
    job
}

/// The job, set to overwrite an existing output.
fn forced(mut job: Job<'static>) -> Job<'static> {
    job.options.force = true;
    job
}

fn forced_job(inputs: &[&Path], output: &Path) -> Job<'static> {
    forced(job(inputs, output))
}

fn run(job: Job) -> Result<Summary, DatasetError> {
    job.plan(&mut ())?.run(&mut ())
}

fn unique(by: Sameness) -> Option<Unique> {
    Some(Unique { by, ..Default::default() })
}

const fn shuffle(seed: u64) -> Option<Shuffle> {
    Some(Shuffle { seed, phased: false })
}

/// The records, of which the first of each key is kept.
fn naive<K: Eq + std::hash::Hash>(records: &[u8], size: usize, key: impl Fn(&[u8]) -> K) -> Vec<u8> {
    let mut seen = HashSet::new();
    records.chunks_exact(size).filter(|record| seen.insert(key(record))).flatten().copied().collect()
}

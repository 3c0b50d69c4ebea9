//! Options that all jobs share.

use std::path::{Path, PathBuf};

/// The policy for bad records.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum OnBadRecord {
    /// Stop at the first with [`DatasetError::Record`](crate::DatasetError::Record).
    #[default]
    Stop,
    /// Leave them out and count them.
    Skip,
    /// Leave them out, and write them to this file as they are in the input. A list beside it, with `.reasons.tsv`
    /// added to the name, says for each where it was and what is wrong. Neither is made if no record is bad.
    Collect(PathBuf),
}

impl OnBadRecord {
    /// The file for bad records, if they are collected.
    pub fn collected(&self) -> Option<&Path> {
        match self {
            OnBadRecord::Collect(path) => Some(path),
            OnBadRecord::Stop | OnBadRecord::Skip => None,
        }
    }
}

/// The memory, threads and directories that a job may use, this one or a [comparison](crate::diff).
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Where temporary files go, spread over all; without one, the output's directory or, for a stream, that of the system.
    pub directories: Vec<PathBuf>,
    /// Bytes of memory; `None` for [`default_memory`](crate::job::preflight::default_memory).
    pub memory: Option<u64>,
    /// How many parts to work in, at most [`Limits::MOST_PARTS`]; `None` for what is fastest within the memory. The output
    /// does not depend on it.
    pub parts: Option<usize>,
    /// The number of threads that decode and encode; 0 for one a CPU.
    pub threads: usize,
}

impl Limits {
    /// The most parts that there are.
    pub const MOST_PARTS: usize = 1 << 16;
}

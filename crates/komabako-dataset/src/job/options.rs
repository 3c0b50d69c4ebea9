//! Options that all jobs share.

use std::path::{Path, PathBuf};

use komabako_codec::Backend;

use crate::FileFormat;
use crate::move16::MoveEncoding;

/// What all jobs on files of records are told: how inputs are read, what the work runs on, and whether outputs may be
/// replaced.
///
/// ```
/// use komabako_dataset::JobOptions;
/// let options = JobOptions { salvage: true, threads: 4, ..JobOptions::default() };
/// assert!(!options.force);
/// ```
#[derive(Clone, Debug)]
pub struct JobOptions {
    /// The format of every input; `None` to find out.
    pub from: Option<FileFormat>,
    /// How moves are read, and whether a sample of each input is checked first. [`validate`](crate::validate) and
    /// [`repair`](crate::repair), which judge moves themselves, do not look at it, and neither do scores.
    pub moves: MoveReading,
    /// Whether to keep the whole records of a truncated or damaged input; otherwise it is an error. Validation, which
    /// reports such an input, always reads them.
    pub salvage: bool,
    /// The number of working threads; 0 for one a CPU. No result depends on it.
    pub threads: usize,
    /// What packs, unpacks and judges.
    pub backend: Backend,
    /// Whether to overwrite existing outputs.
    pub force: bool,
}

impl Default for JobOptions {
    /// Formats found out and checked, truncated inputs refused, all CPUs, nothing overwritten.
    fn default() -> Self {
        JobOptions {
            from: None,
            moves: MoveReading::default(),
            salvage: false,
            threads: 0,
            backend: Backend::detect(),
            force: false,
        }
    }
}

/// How a job reads moves, and whether it looks at a sample first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum MoveReading {
    /// As the formats say. An input whose sample shows another encoding, codec or order of hands is an error
    /// ([`DatasetError::Mismatch`](crate::DatasetError::Mismatch)) before anything is written.
    #[default]
    Checked,
    /// As the formats say, without a look at a sample.
    AsIs,
    /// In this encoding, where the format stores moves in 16 bits and is not one of games. Written, they are in that of
    /// the output's format.
    In(MoveEncoding),
    /// As the formats say. An input whose sample shows a mismatch is [repaired](crate::repair) on the way.
    Repaired,
}

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

/// The memory and directories that a job may use which can be larger than memory: a [large](crate::large) one or a
/// [comparison](crate::diff).
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Where temporary files go, spread over all; without one, the output's directory or, for a stream, that of the system.
    pub directories: Vec<PathBuf>,
    /// Bytes of memory; `None` for [`default_memory`](crate::job::preflight::default_memory).
    pub memory: Option<u64>,
    /// How many parts to work in, at most [`Limits::MOST_PARTS`]; `None` for what is fastest within the memory. The output
    /// does not depend on it.
    pub parts: Option<usize>,
}

impl Limits {
    /// The most parts that there are.
    pub const MOST_PARTS: usize = 1 << 16;
}

//! Options that all jobs share.

use std::path::{Path, PathBuf};

use komabako_codec::Backend;

use crate::FileFormat;
use crate::move16::MoveEncoding;

/// Options common to all jobs on files of records: how inputs are read, the threads and backend of the work, and whether outputs
/// may be replaced.
///
/// ```
/// use komabako_dataset::JobOptions;
/// let options = JobOptions { salvage: true, threads: 4, ..JobOptions::default() };
/// assert!(!options.force);
/// ```
#[derive(Clone, Debug)]
pub struct JobOptions {
    /// The format of every input; `None` to detect it. That of a [reference](crate::large::Unique::references) is always
    /// detected.
    pub from: Option<FileFormat>,
    /// The encoding in which moves are read, and whether a sample of each input is checked first.
    /// [`validate`](crate::validate) and [`repair`](crate::repair), which judge moves themselves, ignore it, and so does
    /// [`scores`](crate::scores).
    pub moves: MoveReading,
    /// Whether to keep the whole records of a truncated or damaged input; otherwise it is an error. Validation always reads
    /// them, since it reports such an input.
    pub salvage: bool,
    /// The number of working threads; 0 for one per CPU. No result depends on it.
    pub threads: usize,
    /// The backend that packs, unpacks and judges positions.
    pub backend: Backend,
    /// Whether to overwrite existing outputs.
    pub force: bool,
}

impl Default for JobOptions {
    /// Formats are detected and checked, truncated inputs refused, all CPUs used, and nothing overwritten.
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

/// The way in which a job reads moves, and whether it examines a sample first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum MoveReading {
    /// In the encodings of the formats. An input whose sample shows another encoding, codec or order of hands is an error
    /// ([`DatasetError::Mismatch`](crate::DatasetError::Mismatch)) before anything is written.
    #[default]
    Checked,
    /// In the encodings of the formats, without examining a sample.
    AsIs,
    /// In this encoding, if the format stores 16-bit moves and does not hold games. They are written in the encoding of
    /// the output's format.
    In(MoveEncoding),
    /// In the encodings of the formats. An input whose sample shows a mismatch is [repaired](crate::repair) while it is read.
    Repaired,
}

/// The policy for bad records.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum OnBadRecord {
    /// Stop at the first one with [`DatasetError::Record`](crate::DatasetError::Record).
    #[default]
    Stop,
    /// Leave them out and count them.
    Skip,
    /// Leave them out, and write them to this file unchanged. A list beside it, with `.reasons.tsv`
    /// added to the name, has the place and the fault of each. Neither file is created if no record is bad.
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

/// The memory and directories available to a job that may exceed memory: a [large](crate::large) one or a
/// [comparison](crate::diff).
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Directories for temporary files, spread over all; if empty, the output's directory or, for a stream, the system's.
    pub directories: Vec<PathBuf>,
    /// Bytes of memory; `None` for [`default_memory`](crate::job::preflight::default_memory).
    pub memory: Option<u64>,
    /// The number of parts to work in, at most [`Limits::MAX_PARTS`]; `None` for the fastest number within the memory. The
    /// output does not depend on it.
    pub parts: Option<usize>,
}

impl Limits {
    /// The maximum number of parts.
    pub const MAX_PARTS: usize = 1 << 16;
}

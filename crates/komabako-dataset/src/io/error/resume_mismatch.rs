//! [`ResumeMismatch`]: why an interrupted job cannot be resumed.

use core::fmt;

/// The difference between a job and the one that an earlier run left unfinished.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ResumeMismatch {
    /// The version of the program, where it changes temporary files.
    Version,
    /// The output.
    Output,
    /// The list of temporary directories.
    Directories,
    /// The format to write, or its compression.
    Format,
    /// The definition of equal records.
    Sameness,
    /// The seed of the shuffle, or whether there is one.
    Seed,
    /// Whether the shuffle is phased.
    Phased,
    /// The partition of the output.
    Partition,
    /// The treatment of bad records.
    BadRecords,
    /// Whether whole records of damaged inputs are kept.
    Salvage,
    /// The number of inputs or references.
    FileCount,
    /// An input or a reference of this name: its path, size, time of change or format.
    File(String),
}

impl fmt::Display for ResumeMismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ResumeMismatch::Version => "the version of the program",
            ResumeMismatch::Output => "the output",
            ResumeMismatch::Directories => "the list of temporary directories",
            ResumeMismatch::Format => "the format to write",
            ResumeMismatch::Sameness => "the definition of equal records",
            ResumeMismatch::Seed => "the seed",
            ResumeMismatch::Phased => "whether the shuffle is phased",
            ResumeMismatch::Partition => "the partition",
            ResumeMismatch::BadRecords => "the treatment of bad records",
            ResumeMismatch::Salvage => "the treatment of damaged inputs",
            ResumeMismatch::FileCount => "the number of files",
            ResumeMismatch::File(name) => name,
        })
    }
}

//! [`Difference`]: why an interrupted job cannot be resumed.

use core::fmt;

/// In what a job differs from the one that an earlier run has left.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Difference {
    /// The version of the program, as far as it writes other temporary files.
    Version,
    /// The output.
    Output,
    /// The list of temporary directories.
    Directories,
    /// The format to write, or its compression.
    Format,
    /// What makes two records the same.
    Sameness,
    /// The seed of the shuffle, or whether there is one.
    Seed,
    /// Whether the shuffle is phased.
    Phased,
    /// What becomes of bad records.
    BadRecords,
    /// Whether whole records of damaged inputs are kept.
    Salvage,
    /// The number of inputs or references.
    FileCount,
    /// An input or a reference of this name: its path, size, time of change or format.
    File(String),
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Difference::Version => "the version of the program",
            Difference::Output => "the output",
            Difference::Directories => "the list of temporary directories",
            Difference::Format => "the format to write",
            Difference::Sameness => "what makes records the same",
            Difference::Seed => "the seed",
            Difference::Phased => "the way of shuffling",
            Difference::BadRecords => "what becomes of bad records",
            Difference::Salvage => "what becomes of damaged inputs",
            Difference::FileCount => "the number of files",
            Difference::File(name) => name,
        })
    }
}

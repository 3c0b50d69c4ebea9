//! [`Reason`]: the reasons for the format of a file.

use core::fmt;

use super::Evidence;
use crate::FileFormat;
use crate::io::compression::Compression;

/// A reason to read a file in a format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Reason {
    /// The format was given by the caller, and the content was not examined.
    Given(FileFormat),
    /// The file starts with the magic number of a compression.
    Compressed(Compression),
    /// An observation about the name or the decompressed content.
    Evidence(Evidence),
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Given(format) => write!(f, "read as {format}, as requested"),
            Reason::Compressed(compression) => {
                write!(f, "starts with the magic number of {}", compression.name())
            }
            Reason::Evidence(evidence) => evidence.fmt(f),
        }
    }
}

//! What a file is, by its content first and its name second, and why (`spec/formats.md` §9).

use core::fmt;

use crate::FileFormat;
use crate::compression::Compression;

/// What a file was found to be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Detection {
    /// How it is compressed.
    pub compression: Compression,
    /// Its format; `None` only for an empty file whose name says nothing, which is a valid file of every format.
    pub format: Option<FileFormat>,
    /// What speaks for it, and what was tried before.
    pub why: Vec<Evidence>,
}

/// One observation about a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Evidence {
    /// There is no content.
    Empty,
    /// The first bytes are those of a compression.
    Compressed(Compression),
    /// The name has an extension of the format.
    Extension(FileFormat),
    /// The content is not a whole number of records.
    Size {
        /// The format.
        format: FileFormat,
        /// The size of the content in bytes.
        size: u64,
        /// The size of a record in bytes.
        record: usize,
    },
    /// So many of the first records decode.
    Decoded {
        /// The format.
        format: FileFormat,
        /// How many of them decode.
        good: usize,
        /// How many were tried.
        sampled: usize,
    },
    /// The content starts as text of the format does.
    Text(FileFormat),
    /// The content starts with so many whole games, and nothing else before the end of what was looked at.
    Games(FileFormat, usize),
    /// Some records are flagged as only hcpe2 does.
    Flags,
}

impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Evidence::Empty => f.write_str("empty, which is a valid file of every format"),
            Evidence::Compressed(compression) => {
                write!(f, "starts with the magic number of {}", compression.name())
            }
            Evidence::Extension(format) => write!(f, "the name has an extension of {format}"),
            Evidence::Size { format, size, record } => {
                write!(f, "not {format}: {size} bytes are no multiple of {record}")
            }
            Evidence::Decoded { format, good, sampled } => {
                write!(f, "{good} of the first {sampled} records decode as {format}")
            }
            Evidence::Text(format) => write!(f, "starts as {format} text does"),
            Evidence::Games(format, games) => write!(f, "starts with {games} whole games of {format}"),
            Evidence::Flags => f.write_str("byte 36 of some records has flags of hcpe2"),
        }
    }
}

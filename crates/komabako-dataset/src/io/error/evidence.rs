//! [`Evidence`]: why a file was taken for what it is.

use core::fmt;

use komabako_codec::Format;

use super::Damage;
use crate::FileFormat;
use crate::io::compression::Compression;

/// One observation about a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Evidence {
    /// The file is empty.
    Empty,
    /// The format was given by the caller, and the content was not looked at.
    Given(FileFormat),
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
    /// After these nobody knows where the next record starts.
    Damaged {
        /// The format.
        format: FileFormat,
        /// Why.
        damage: Damage,
    },
    /// The name and the content disagree, and the content is believed.
    NameIgnored(FileFormat),
    /// The records are of the format but for their positions, which make sense in the codec of another.
    OtherCodec {
        /// The format.
        format: FileFormat,
        /// The codec.
        codec: Format,
        /// How many records make sense in it.
        good: usize,
        /// How many were tried.
        sampled: usize,
    },
}

impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Evidence::Empty => f.write_str("empty, which is a valid file of every format"),
            Evidence::Given(format) => write!(f, "read as {format}, as asked"),
            Evidence::Compressed(compression) => {
                write!(f, "starts with the magic number of {}", compression.name())
            }
            Evidence::Extension(format) => write!(f, "the extension is one of {format} files"),
            Evidence::Size { format, size, record } => {
                write!(f, "{format}: {size} bytes are no multiple of {record}")
            }
            Evidence::Decoded { format, sampled: 0, .. } => {
                write!(f, "{format}: no whole record at the start")
            }
            Evidence::Decoded { format, good, sampled } => {
                write!(f, "{format}: {good} of the first {sampled} records decode")
            }
            Evidence::Damaged { format, damage } => write!(f, "{format}: {damage}"),
            Evidence::OtherCodec { format, codec, good, sampled } => {
                write!(
                    f,
                    "{format}, with positions in the codec of {codec}: {good} of the first {sampled} records"
                )
            }
            Evidence::NameIgnored(format) => write!(f, "the name says {format}, but the content does not"),
        }
    }
}

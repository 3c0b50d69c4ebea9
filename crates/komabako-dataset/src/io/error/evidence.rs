//! [`Evidence`]: the reasons for a detected format.

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
    /// The format was given by the caller, and the content was not examined.
    Given(FileFormat),
    /// The content starts with the magic number of a compression.
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
    /// This many of the first records decode.
    Decoded {
        /// The format.
        format: FileFormat,
        /// The number that decode.
        good: usize,
        /// The number of records tried.
        sampled: usize,
    },
    /// After these records the start of the next one is unknown.
    Damaged {
        /// The format.
        format: FileFormat,
        /// The cause.
        damage: Damage,
    },
    /// The name and the content disagree; the content decides.
    NameIgnored(FileFormat),
    /// The records have this format, except that their positions make sense in another format's codec.
    OtherCodec {
        /// The format.
        format: FileFormat,
        /// The codec.
        codec: Format,
        /// The number of records that make sense in it.
        good: usize,
        /// The number of records tried.
        sampled: usize,
    },
}

impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Evidence::Empty => f.write_str("empty, which is a valid file of every format"),
            Evidence::Given(format) => write!(f, "read as {format}, as requested"),
            Evidence::Compressed(compression) => {
                write!(f, "starts with the magic number of {}", compression.name())
            }
            Evidence::Extension(format) => write!(f, "the file name has an extension of {format}"),
            Evidence::Size { format, size, record } => {
                write!(f, "{format}: {size} bytes is not a multiple of {record}")
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
            Evidence::NameIgnored(format) => {
                write!(f, "the file name suggests {format}, but the content does not match")
            }
        }
    }
}

//! [`Evidence`]: the reasons for a detected format.

use core::fmt;

use komabako_variants::WordFormat;

use crate::FileFormat;
use crate::fault::Damage;

/// One observation about a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Evidence {
    /// The file is empty.
    Empty,
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
        codec: WordFormat,
        /// The number of records that make sense in it.
        good: usize,
        /// The number of records tried.
        sampled: usize,
    },
}

impl Evidence {
    /// A stable name for programs.
    pub const fn name(&self) -> &'static str {
        match self {
            Evidence::Empty => "EMPTY",
            Evidence::Extension(_) => "EXTENSION",
            Evidence::Size { .. } => "SIZE",
            Evidence::Decoded { .. } => "DECODED",
            Evidence::Damaged { .. } => "DAMAGED",
            Evidence::NameIgnored(_) => "NAME_IGNORED",
            Evidence::OtherCodec { .. } => "OTHER_CODEC",
        }
    }

    /// The format that it is about; `None` if it is about no particular one.
    pub const fn format(&self) -> Option<FileFormat> {
        match *self {
            Evidence::Empty => None,
            Evidence::Extension(format)
            | Evidence::Size { format, .. }
            | Evidence::Decoded { format, .. }
            | Evidence::Damaged { format, .. }
            | Evidence::NameIgnored(format)
            | Evidence::OtherCodec { format, .. } => Some(format),
        }
    }
}

impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Evidence::Empty => f.write_str("empty, which is a valid file of every format"),
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

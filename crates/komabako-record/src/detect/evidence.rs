//! [`Evidence`]: the reasons for a detected format.

use core::fmt;

use komabako_messages::{Grouped, Lang, Message, say_match};
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

impl Message for Evidence {
    fn write(&self, lang: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        say_match!(f, lang, self;
            Evidence::Empty => "empty, which is a valid file of every format",
                "空のファイル (どの形式としても正しい)";
            Evidence::Extension(format) => "the file name has an extension of {format}",
                "拡張子が {format} 用", format;
            Evidence::Size { format, size, record } => "{format}: {size} bytes is not a multiple of {record}",
                "{format}: {size} バイトは {record} の倍数でない", format, size = Grouped(*size), record;
            Evidence::Decoded { format, sampled: 0, .. } => "{format}: no whole record at the start",
                "{format}: 完全なレコードで始まらない", format;
            Evidence::Decoded { format, good, sampled } =>
                "{format}: {good} of the first {sampled} records can be decoded",
                "{format}: 先頭の {sampled} レコードのうち {good} 件が復号できる",
                format, good = Grouped(*good as u64), sampled = Grouped(*sampled as u64);
            Evidence::Damaged { format, damage } => "{format}: {damage}", "{format}: {damage}", format, damage;
            Evidence::OtherCodec { format, codec, good, sampled } =>
                "{format}, with positions in the codec of {codec}: {good} of the first {sampled} records",
                "{format} で、局面が {codec} の符号語: 先頭の {sampled} レコードのうち {good} 件",
                format, codec, good = Grouped(*good as u64), sampled = Grouped(*sampled as u64);
            Evidence::NameIgnored(format) => "the file name suggests {format}, but the content does not match",
                "名前は {format} だが、内容は異なる", format;
        )
    }
}

komabako_messages::english!(Evidence);

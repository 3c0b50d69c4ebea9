//! [`RecordError`] and [`Tail`]: faults and their places in an input.

use core::fmt;

use komabako_messages::{Grouped, Lang, Message, say_match};

use super::{BYTES, Damage, RecordFault, WHOLE_RECORDS};
use crate::io::archive::{ArchiveError, Fault};
use crate::{FileFormat, Name};

/// A bad record and its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordError<F = RecordFault> {
    /// The name of the input.
    pub input: Name,
    /// The format in which the input is read; `None` if it has no format of records.
    pub format: Option<FileFormat>,
    /// The number of the record in the input, counted from 0.
    pub record: u64,
    /// The byte offset of the record or its game in the input after decompression.
    pub offset: u64,
    /// The line on which the record starts, counted from 1, if the input is text.
    pub line: Option<u64>,
    /// The fault.
    pub fault: F,
}

impl<F> RecordError<F> {
    /// Another fault at the same place.
    pub(crate) fn with_fault<G>(self, fault: G) -> RecordError<G> {
        let RecordError { input, format, record, offset, line, .. } = self;
        RecordError { input, format, record, offset, line, fault }
    }
}

impl<F: Message> Message for RecordError<F> {
    fn write(&self, lang: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RecordError { input, record, line, fault, .. } = self;
        let offset = Grouped(self.offset);
        say_match!(f, lang, line.map(Grouped);
            Some(line) => "{input}: record {record} (line {line}, byte {offset}): {fault}",
                "{input}: レコード {record} ({line} 行目、バイト {offset}): {fault}", input, record, line, offset, fault;
            None => "{input}: record {record} (byte {offset}): {fault}",
                "{input}: レコード {record} (バイト {offset}): {fault}", input, record, offset, fault;
        )
    }
}

impl<F: Message> fmt::Display for RecordError<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(Lang::En, f)
    }
}

impl<F: core::error::Error + Message> core::error::Error for RecordError<F> {}

/// The rest of an input after its last whole record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tail {
    /// The name of the input.
    pub input: Name,
    /// The number of whole records before it.
    pub records: u64,
    /// The byte at which it starts, in the input after decompression.
    pub offset: u64,
    /// Its length in bytes; if damaged, the number of bytes examined; if compressed, the number left over after decompression.
    pub length: u64,
    /// Why it is not read.
    pub cause: TailCause,
}

/// Why the end of an input cannot be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TailCause {
    /// The input ends inside a record.
    Truncated,
    /// The compressed data ends inside its stream, perhaps between records.
    Compressed,
    /// The compressed data makes no sense, or its checksum is wrong: earlier records may be wrong too.
    Corrupt,
    /// The next bytes make no sense, and the start of the next record is unknown.
    Damaged(Damage),
    /// The next block of an archive is damaged or missing. The records before it are right: their sums were checked.
    Archive(ArchiveError),
}

impl TailCause {
    /// Whether the input ends early, rather than being wrong.
    pub const fn is_truncation(self) -> bool {
        match self {
            TailCause::Truncated | TailCause::Compressed => true,
            TailCause::Corrupt | TailCause::Damaged(_) => false,
            TailCause::Archive(error) => matches!(error.fault, Fault::Truncated),
        }
    }

    /// Whether the input is whole, but a newer program wrote it.
    pub const fn is_unsupported(self) -> bool {
        matches!(self, TailCause::Archive(error) if error.fault.is_unsupported())
    }

    /// Whether no record is lost by it.
    pub const fn spares_records(self) -> bool {
        matches!(self, TailCause::Archive(error) if error.fault.spares_records() && error.lost == 0)
    }
}

impl Message for Tail {
    fn write(&self, lang: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tail { input, cause, .. } = self;
        let records = WHOLE_RECORDS.count(self.records);
        let offset = Grouped(self.offset);
        say_match!(f, lang, cause;
            TailCause::Truncated => "{input}: truncated: {records}, then {length} of another (from byte {offset})",
                "{input}: 途中で切れています: 完全な {records}の後に {length}の端数 (バイト {offset} から)",
                input, records, offset, length = BYTES.count(self.length);
            TailCause::Compressed => "{input}: the compressed data ends early, after {records} ({offset} bytes)",
                "{input}: 圧縮データが途中で終わっています (完全な {records}、{offset} バイトの後)", input, records, offset;
            TailCause::Corrupt =>
                "{input}: the compressed data is corrupt, after {records} ({offset} bytes), which may be wrong too",
                "{input}: 圧縮データが壊れています (完全な {records}、{offset} バイトの後)。それより前にも誤りがあるかもしれません",
                input, records, offset;
            TailCause::Damaged(why) => "{input}: damaged at byte {offset}, after {records}: {why}",
                "{input}: バイト {offset} で壊れています (完全な {records}の後): {why}", input, records, offset, why;
            TailCause::Archive(damage) if cause.is_unsupported() =>
                "{input}: this archive was written by a newer version, after {records}: {damage}",
                "{input}: 新しいバージョンで書かれたアーカイブです ({records}の後): {damage}", input, records, damage;
            TailCause::Archive(damage) if cause.spares_records() =>
                "{input}: damaged archive, but no record is lost by it, after {records}: {damage}",
                "{input}: アーカイブが壊れていますが、これで失われるレコードはありません ({records}の後): {damage}",
                input, records, damage;
            TailCause::Archive(damage) => "{input}: damaged archive, after {records}: {damage}",
                "{input}: アーカイブが壊れています (完全な {records}の後): {damage}", input, records, damage;
        )
    }
}

komabako_messages::english!(Tail);

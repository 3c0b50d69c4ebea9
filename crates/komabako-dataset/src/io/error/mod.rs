//! Errors of a file, and of one record in it.

use core::any::Any;
use core::fmt::Write;
use std::io;
use std::path::PathBuf;

mod mismatch;
mod reason;
mod record;
mod resume_mismatch;
mod shortage;

pub use self::mismatch::{Mismatch, OtherCodec, OtherMoves, OtherOrder};
pub use self::reason::Reason;
pub use self::record::{RecordError, Tail, TailCause};
pub use self::resume_mismatch::ResumeMismatch;
pub use self::shortage::Shortage;
pub use komabako_record::detect::{Evidence, Foreign};
pub use komabako_record::fault::{CellFault, Damage, PlainFault, RecordFault};

use crate::Name;
use komabako_messages::Message;

use crate::{Field, FileFormat};

/// Why a file cannot be read, recognised, converted or written.
#[derive(Debug, thiserror::Error)]
pub enum DatasetError {
    /// An input cannot be opened.
    #[error("{}: cannot open: {}", .0.display(), .1)]
    Open(PathBuf, #[source] io::Error),
    /// A searched folder has a pipe, a socket or a device with the name of a file to read.
    #[error(
        "{}: is a pipe or a device; only files are read in a searched folder: move it elsewhere, or name it as an input",
        .0.display()
    )]
    SpecialFile(PathBuf),
    /// An input cannot be read or decompressed beyond this byte of its content.
    #[error("{input}: cannot read past byte {offset} of its content: {error}")]
    Read {
        /// The name of the input.
        input: Name,
        /// The byte, after decompression.
        offset: u64,
        /// The cause.
        #[source]
        error: io::Error,
    },
    /// An input is of a known kind that this program does not read.
    #[error("{input}: {what}")]
    Unsupported {
        /// The name of the input.
        input: Name,
        /// The kind of file.
        what: Foreign,
    },
    /// The format of an input is not recognised.
    #[error("{input}: the format is not recognised; name it if you know it{}", lines(why))]
    Unrecognized {
        /// The name of the input.
        input: Name,
        /// The formats that were tried, and why they do not fit.
        why: Vec<Reason>,
    },
    /// The output's format is neither given nor clear from its name.
    #[error("{0}: its name does not determine the format to write; name one")]
    OutputFormat(String),
    /// The output's name ends in the extension of a compression that cannot be written.
    #[error(
        "{0}: this compression cannot be written; choose a name that ends in .kmb, .zst, .gz or .xz, or is not compressed"
    )]
    OutputCompression(String),
    /// Archives hold no records of this format.
    #[error("an archive (.kmb) holds records of psv or hcpe, and not of {0}; choose one of them")]
    NotArchived(FileFormat),
    /// An archive inside a compressed file, or a name that asks for one.
    #[error(
        "{0}: an archive is not compressed once more, since nothing is left to save; decompress the file first, or choose a name that ends in .kmb"
    )]
    CompressedArchive(Name),
    /// A file to which records are to be added is no archive, or does not end as one.
    #[error("{}: records are added only to an archive (.kmb) that ends whole; repair it first, or write another file", .0.display())]
    NotAppended(PathBuf),
    /// An archive holds records of another format than the one that was given.
    #[error("{input}: is an archive of {found}, and not of {given}; leave the format out")]
    OtherArchive {
        /// The name of the input.
        input: Name,
        /// The format that was given.
        given: FileFormat,
        /// The format of its records.
        found: FileFormat,
    },
    /// Files of this format hold games, which need records in game order.
    #[error("{0} holds games, but this job does not keep records in game order; choose another format")]
    GamesInOrder(FileFormat),
    /// Files of this format are read and not written.
    #[error("{0} can be read but not written; choose another format")]
    ReadOnly(FileFormat),
    /// The output exists, and overwriting was not asked for.
    #[error("{}: already exists; choose another name, or force overwriting", .0.display())]
    Exists(PathBuf),
    /// A file that was not there when the job began has the output's name. The output was not written.
    #[error(
        "{}: appeared while the job ran, and was not replaced; the output was not written; choose another name", .0.display()
    )]
    Appeared(PathBuf),
    /// The output or the file for bad records is one of the inputs, or both are the same file.
    #[error("{}: is used twice; inputs are never overwritten, choose another name", .0.display())]
    SameFile(PathBuf),
    /// An output cannot be created.
    #[error("{}: cannot create: {}", .0.display(), .1)]
    Create(PathBuf, #[source] io::Error),
    /// An output cannot be written or renamed to its destination.
    #[error("{0}: cannot write: {1}; no unfinished file was left behind")]
    Write(Name, #[source] io::Error),
    /// Bad records are to be collected from inputs of different formats.
    #[error("bad records of {0} and {1} cannot be collected in one file; convert one format at a time")]
    MixedFormats(FileFormat, FileFormat),
    /// An input's format lacks a field that the job needs.
    #[error("{0}: its format has no field `{name}`; choose inputs that have it", name = .1.name())]
    FieldMissing(String, Field),
    /// A column of scores has an odd number of bytes.
    #[error("{0}: {1} bytes is not a multiple of 2, the size of a score; is it the right file?")]
    ScoreSize(String, u64),
    /// The number of scores in a column is not the number of records.
    #[error("{column}: {scores} scores for {records} records; does the column belong to these records?")]
    ScoreCount {
        /// The name of the column.
        column: String,
        /// The number of scores in the column.
        scores: u64,
        /// The number of records.
        records: u64,
    },
    /// The number of names for a split's parts is not the number of parts, or a pattern has no place for the part's number.
    #[error("{}", part_names(*parts))]
    PartNames {
        /// The number of parts, if it is known beforehand.
        parts: Option<u64>,
    },
    /// A split would have more parts than are allowed.
    #[error("{parts} parts are too many; the maximum is {most}; ask for fewer, or give their size")]
    TooManyParts {
        /// The number asked for.
        parts: u64,
        /// The maximum.
        most: u64,
    },
    /// The ratio of a split has no weight, too many, or weights that are too large.
    #[error(
        "a ratio has 1 to 256 weights, one of them more than 0, that add up to less than 2^64, e.g. 98:1:1"
    )]
    Ratio,
    /// An input that must be read a second time is not a file.
    #[error("{0}: is a stream and would have to be read twice; write it to a file first")]
    ReadOnce(String),
    /// A bad record, in a job that stops at bad records.
    #[error(transparent)]
    Record(Box<RecordError>),
    /// An input ends inside a record or is damaged beyond reading, and salvaging was not asked for.
    #[error("{0}; check that the file is complete, or salvage the whole records before this point")]
    Tail(Box<Tail>),
    /// The job would not finish: this machine lacks memory or disk space for it.
    #[error("{0}")]
    Shortage(#[from] Shortage),
    /// An earlier run of a job with this output left this directory, and resuming was not asked for.
    #[error(
        "{}: left by an unfinished job with this output; resume it, or remove it with `komabako clean --all`",
        .0.display()
    )]
    Unfinished(PathBuf),
    /// The output of an earlier run with this output is complete, but the run was stopped while it deleted its inputs and
    /// temporary files.
    #[error(
        "{}: complete, but the run that wrote it was stopped while it removed its inputs and temporary files; resume it to finish that",
        .0.display()
    )]
    Complete(PathBuf),
    /// Another run is still working in this directory.
    #[error(
        "{}: in use by another job; wait until it ends, or name another output or directory",
        .0.display()
    )]
    InUse(PathBuf),
    /// The interrupted job was a different one; this differs.
    #[error(
        "{}: left by another job: {what} differs; run the job with the same settings, or remove it with `komabako clean --all`",
        directory.display()
    )]
    Changed {
        /// The directory that it left.
        directory: PathBuf,
        /// The difference.
        what: ResumeMismatch,
    },
    /// A file is both an input to be deleted and a reference, which is only read.
    #[error(
        "{}: is a reference, which is only read, and an input to delete; delete no inputs, or leave it out of one",
        .0.display()
    )]
    DeletesReference(PathBuf),
    /// Inputs are to be deleted, but the output is no file: nothing might be left of them.
    #[error("{0}: is not a file, so the inputs cannot be deleted; write to a file, or keep the inputs")]
    DeletesWithoutFile(String),
    /// Inputs are to be deleted after one partition of the output, though the other partitions need them.
    #[error(
        "partition {0} cannot delete the inputs, which the other partitions still need; delete them when all are complete"
    )]
    PartitionDeletes(String),
    /// This output cannot be divided into partitions: that of a [large](crate::large) job that neither shuffles nor removes
    /// duplicates, or that of a conversion of a range of records, the last ones or a sample.
    #[error("partition {0}: this output cannot be divided into partitions")]
    PartitionUndivided(String),
    /// An input cannot be deleted after the output was completed.
    #[error("{}: cannot delete: {}; the output is complete", .0.display(), .1)]
    Delete(PathBuf, #[source] io::Error),
    /// An input changed while a job was reading it, or its content ends before its size. Nothing was given its final name.
    #[error(
        "{}: changed while it was being read, or ends before its size; the output was not written; run the job again when no program writes to it, or on a copy",
        .0.display()
    )]
    Altered(PathBuf),
    /// A temporary file is corrupt or missing.
    #[error(
        "{}: temporary file is corrupt (checksum mismatch); check the disk, remove the job's files with `komabako clean --all`, and \
         start again",
        .0.display()
    )]
    Part(PathBuf),
    /// A sample of an input contradicts its format; nothing was written.
    #[error("{0}")]
    Mismatch(Box<Mismatch>),
    /// An error specific to one job, such as [`RepairError`](crate::repair::RepairError).
    #[error("{0}")]
    Job(Box<dyn JobError>),
    /// The system refused to start a thread.
    #[error("cannot start a thread: {0}; ask for fewer threads, or raise the limit of processes or memory")]
    Thread(#[source] io::Error),
    /// The progress callback asked to stop.
    #[error("cancelled; no unfinished file was left behind")]
    Cancelled,
}

impl DatasetError {
    /// The error of an output that did not exist when the job began: a file that exists now has [appeared](Self::Appeared).
    pub fn after_check(self) -> DatasetError {
        match self {
            DatasetError::Exists(path) => DatasetError::Appeared(path),
            error => error,
        }
    }

    /// The error's kind for programs, e.g. `truncated`.
    pub fn kind(&self) -> &'static str {
        match self {
            DatasetError::Open(..) => "open",
            DatasetError::SpecialFile(_) => "special_file",
            DatasetError::Read { .. } => "read",
            DatasetError::Unsupported { .. } => "unsupported",
            DatasetError::Unrecognized { .. } => "unrecognized",
            DatasetError::OutputFormat(_) => "output_format",
            DatasetError::OutputCompression(_) => "output_compression",
            DatasetError::NotArchived(_) => "not_archived",
            DatasetError::CompressedArchive(_) => "compressed_archive",
            DatasetError::NotAppended(_) => "not_appended",
            DatasetError::OtherArchive { .. } => "other_format",
            DatasetError::GamesInOrder(_) => "games_in_order",
            DatasetError::ReadOnly(_) => "read_only_format",
            DatasetError::Exists(_) => "exists",
            DatasetError::Appeared(_) => "appeared",
            DatasetError::SameFile(_) => "same_file",
            DatasetError::Create(..) => "create",
            DatasetError::Write(..) => "write",
            DatasetError::MixedFormats(..) => "mixed_formats",
            DatasetError::FieldMissing(..) => "field_missing",
            DatasetError::ScoreSize(..) => "score_size",
            DatasetError::ScoreCount { .. } => "score_count",
            DatasetError::PartNames { .. } => "part_names",
            DatasetError::TooManyParts { .. } => "too_many_parts",
            DatasetError::Ratio => "ratio",
            DatasetError::ReadOnce(_) => "read_once",
            DatasetError::Record(_) => "record",
            DatasetError::Tail(tail) if tail.cause.is_truncation() => "truncated",
            DatasetError::Tail(tail) if tail.cause.is_unsupported() => "unsupported",
            DatasetError::Tail(_) => "damaged",
            DatasetError::Shortage(Shortage::Memory { .. }) => "memory",
            DatasetError::Shortage(Shortage::Disk { .. }) => "disk",
            DatasetError::Unfinished(_) => "unfinished",
            DatasetError::Complete(_) => "complete",
            DatasetError::InUse(_) => "in_use",
            DatasetError::Changed { .. } => "changed",
            DatasetError::DeletesWithoutFile(_) => "delete_inputs",
            DatasetError::DeletesReference(_) => "deletes_reference",
            DatasetError::PartitionDeletes(_) => "partition_deletes",
            DatasetError::PartitionUndivided(_) => "partition_undivided",
            DatasetError::Delete(..) => "delete",
            DatasetError::Altered(_) => "altered",
            DatasetError::Part(_) => "part",
            DatasetError::Mismatch(_) => "mismatch",
            DatasetError::Job(error) => error.kind(),
            DatasetError::Thread(_) => "thread",
            DatasetError::Cancelled => "cancelled",
        }
    }
}

/// An error specific to one job. Errors common to all jobs are the other variants of [`DatasetError`].
pub trait JobError: core::error::Error + Message + Any + Send + Sync {
    /// The error's kind for programs, e.g. `undecided`.
    fn kind(&self) -> &'static str;
}

impl<E: JobError> From<E> for DatasetError {
    fn from(error: E) -> DatasetError {
        DatasetError::Job(Box::new(error))
    }
}

impl DatasetError {
    /// The error of a job, if it is of type `E`.
    pub fn of_job<E: JobError>(&self) -> Option<&E> {
        match self {
            DatasetError::Job(error) => (&**error as &dyn Any).downcast_ref(),
            _ => None,
        }
    }
}

/// The reasons, one line each.
fn lines(why: &[Reason]) -> String {
    why.iter().fold(String::new(), |mut lines, reason| {
        let _ = write!(lines, "\n  {reason}");
        lines
    })
}

/// The message for a wrong number of part names.
fn part_names(parts: Option<u64>) -> String {
    let place = "with `{}` for the number in the file name";
    match parts {
        Some(parts) => format!("there are {parts} parts: give {parts} names, or one {place}"),
        None => format!("the number of parts is not known in advance: give one name {place}"),
    }
}

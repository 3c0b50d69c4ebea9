//! What can go wrong with a file, and with one record of it.

use core::any::Any;
use core::fmt;
use std::io;
use std::path::PathBuf;

mod evidence;
mod foreign;
mod mismatch;
mod record;
mod resume_mismatch;
mod shortage;

pub use self::evidence::Evidence;
pub use self::foreign::Foreign;
pub use self::mismatch::{Mismatch, OtherCodec, OtherMoves, OtherOrder};
pub use self::record::{RecordError, Tail, TailCause};
pub use self::resume_mismatch::ResumeMismatch;
pub use self::shortage::Shortage;
pub use komabako_record::fault::{CellFault, Damage, PlainFault, RecordFault};

use crate::{Field, FileFormat};

/// Why a file cannot be read, recognised, converted or written.
#[derive(Debug)]
#[non_exhaustive]
pub enum DatasetError {
    /// An input cannot be opened.
    Open(PathBuf, io::Error),
    /// An input cannot be read or decompressed any further than this byte of its content.
    Read {
        /// The name of the input.
        input: String,
        /// The byte, after decompression.
        offset: u64,
        /// The cause.
        error: io::Error,
    },
    /// An input is in a known format of another kind, which this program does not read.
    Unsupported {
        /// The name of the input.
        input: String,
        /// What it is.
        what: Foreign,
    },
    /// The format of an input is not recognised.
    Unrecognized {
        /// The name of the input.
        input: String,
        /// What was tried and why it does not fit.
        why: Vec<Evidence>,
    },
    /// The output's format is not given and its name does not say it.
    OutputFormat(String),
    /// Files of this format hold games, which are made of records in game order.
    GamesInOrder(FileFormat),
    /// Files of this format are read and not written.
    ReadOnly(FileFormat),
    /// The output exists, and overwriting was not asked for.
    Exists(PathBuf),
    /// The output, or the file for bad records, is one of the inputs or the other one.
    SameFile(PathBuf),
    /// An output cannot be created.
    Create(PathBuf, io::Error),
    /// An output cannot be written or put in its place.
    Write(String, io::Error),
    /// Bad records are to be collected from inputs of different formats.
    MixedFormats(FileFormat, FileFormat),
    /// An input's format has no place for a field that the job needs.
    FieldMissing(String, Field),
    /// A column of scores has an odd number of bytes.
    ScoreSize(String, u64),
    /// A column has not one score for each record.
    ScoreCount {
        /// The name of the column.
        column: String,
        /// The scores of the column.
        scores: u64,
        /// The records.
        records: u64,
    },
    /// The names of a split's parts are not as many as the parts, or a pattern has no place for their number.
    PartNames {
        /// The number of parts, if it is known beforehand.
        parts: Option<u64>,
    },
    /// A split is to have more parts than are written.
    TooManyParts {
        /// So many are asked for.
        parts: u64,
        /// So many are written.
        most: u64,
    },
    /// The ratio of a split has no weight, too many, or too large ones.
    Ratio,
    /// An input that must be read a second time is not a file.
    ReadOnce(String),
    /// A bad record, where they are to stop the conversion.
    Record(Box<RecordError>),
    /// An input that ends inside a record or is damaged past reading, where that is not to be salvaged.
    Tail(Box<Tail>),
    /// The job would not finish: this machine lacks what it needs.
    Shortage(Shortage),
    /// An earlier run of a job with this output left this directory, and resuming was not asked for.
    Unfinished(PathBuf),
    /// Another run that is not at its end works in this directory.
    InUse(PathBuf),
    /// The interrupted job was another one; this differs.
    Changed {
        /// The directory that it left.
        directory: PathBuf,
        /// What differs.
        what: ResumeMismatch,
    },
    /// A file is an input that is to be deleted, and a reference, which is only read.
    DeletesReference(PathBuf),
    /// An input cannot be deleted, after the output was put in its place.
    Delete(PathBuf, io::Error),
    /// An input changed while a job read it more than once.
    Altered(PathBuf),
    /// A temporary file is not as it was written.
    Part(PathBuf),
    /// A sample of an input shows that it is not what its format says; nothing was written.
    Mismatch(Box<Mismatch>),
    /// An error that only one job has, such as [`RepairError`](crate::repair::RepairError).
    Job(Box<dyn JobError>),
    /// The progress callback asked to stop.
    Cancelled,
}

impl DatasetError {
    /// The error's kind for programs, e.g. `truncated`.
    pub fn kind(&self) -> &'static str {
        match self {
            DatasetError::Open(..) => "open",
            DatasetError::Read { .. } => "read",
            DatasetError::Unsupported { .. } => "unsupported",
            DatasetError::Unrecognized { .. } => "unrecognized",
            DatasetError::OutputFormat(_) => "output_format",
            DatasetError::GamesInOrder(_) => "games_in_order",
            DatasetError::ReadOnly(_) => "read_only_format",
            DatasetError::Exists(_) => "exists",
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
            DatasetError::Tail(tail) => match tail.cause {
                TailCause::Truncated | TailCause::Compressed => "truncated",
                TailCause::Corrupt | TailCause::Damaged(_) => "damaged",
            },
            DatasetError::Shortage(Shortage::Memory { .. }) => "memory",
            DatasetError::Shortage(Shortage::Disk { .. }) => "disk",
            DatasetError::Unfinished(_) => "unfinished",
            DatasetError::InUse(_) => "in_use",
            DatasetError::Changed { .. } => "changed",
            DatasetError::DeletesReference(_) => "deletes_reference",
            DatasetError::Delete(..) => "delete",
            DatasetError::Altered(_) => "altered",
            DatasetError::Part(_) => "part",
            DatasetError::Mismatch(_) => "mismatch",
            DatasetError::Job(error) => error.kind(),
            DatasetError::Cancelled => "cancelled",
        }
    }
}

impl From<Shortage> for DatasetError {
    fn from(shortage: Shortage) -> DatasetError {
        DatasetError::Shortage(shortage)
    }
}

/// An error that only one job has. What all jobs have are the other kinds of [`DatasetError`].
pub trait JobError: core::error::Error + Any + Send + Sync {
    /// The error's kind for programs, e.g. `undecided`.
    fn kind(&self) -> &'static str;
}

impl<E: JobError> From<E> for DatasetError {
    fn from(error: E) -> DatasetError {
        DatasetError::Job(Box::new(error))
    }
}

impl DatasetError {
    /// The error of a job, if it is one of that type.
    pub fn of_job<E: JobError>(&self) -> Option<&E> {
        match self {
            DatasetError::Job(error) => (&**error as &dyn Any).downcast_ref(),
            _ => None,
        }
    }
}

impl fmt::Display for DatasetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DatasetError::Open(path, error) => write!(f, "{}: cannot open: {error}", path.display()),
            DatasetError::Read { input, offset, error } => {
                write!(f, "{input}: cannot read past byte {offset} of its content: {error}")
            }
            DatasetError::Unsupported { input, what } => write!(f, "{input}: {what}"),
            DatasetError::Unrecognized { input, why } => {
                write!(f, "{input}: the format is not recognised; name it if you know it")?;
                why.iter().try_for_each(|evidence| write!(f, "\n  {evidence}"))
            }
            DatasetError::OutputFormat(name) => {
                write!(f, "{name}: its name does not say the format to write; name one")
            }
            DatasetError::GamesInOrder(format) => {
                write!(f, "{format} holds games, and these records do not stay in game order; choose another format")
            }
            DatasetError::ReadOnly(format) => {
                write!(f, "{format} can be read but not written; choose another format")
            }
            DatasetError::Exists(path) => {
                write!(f, "{}: exists; choose another name, or force overwriting", path.display())
            }
            DatasetError::SameFile(path) => {
                write!(
                    f,
                    "{}: is used twice; inputs are never overwritten, choose another name",
                    path.display()
                )
            }
            DatasetError::Create(path, error) => write!(f, "{}: cannot create: {error}", path.display()),
            DatasetError::Write(name, error) => {
                write!(f, "{name}: cannot write: {error}; no unfinished file was left behind")
            }
            DatasetError::MixedFormats(one, other) => write!(
                f,
                "bad records of {one} and {other} cannot be collected in one file; convert one format at a time"
            ),
            DatasetError::FieldMissing(input, field) => {
                write!(
                    f,
                    "{input}: its format has no place for `{}`; choose inputs that have one",
                    field.name()
                )
            }
            DatasetError::ScoreSize(column, bytes) => {
                write!(f, "{column}: {bytes} bytes are no column of scores, which have two each; is it the right file?")
            }
            DatasetError::ScoreCount { column, scores, records } => {
                write!(f, "{column}: {scores} scores for {records} records; is it the column of these records?")
            }
            DatasetError::PartNames { parts: Some(parts) } => {
                write!(f, "there are {parts} parts: give {parts} names, or one with `{{}}` for the number in the file name")
            }
            DatasetError::PartNames { parts: None } => {
                f.write_str("the number of parts is not known: give one name with `{}` for the number in the file name")
            }
            DatasetError::TooManyParts { parts, most } => {
                write!(f, "{parts} parts are too many, {most} is the most; ask for fewer, or give their size")
            }
            DatasetError::Ratio => f.write_str(
                "a ratio has 1 to 256 weights, one of them more than 0, that add up to less than 2^64, e.g. 98:1:1",
            ),
            DatasetError::ReadOnce(input) => {
                write!(f, "{input}: would have to be read twice; write it to a file first")
            }
            DatasetError::Record(error) => error.fmt(f),
            DatasetError::Tail(tail) => {
                write!(f, "{tail}; check that the file is complete, or salvage the whole records before it")
            }
            DatasetError::Shortage(shortage) => shortage.fmt(f),
            DatasetError::Unfinished(directory) => write!(
                f,
                "{}: left by an unfinished job with this output; resume it, or remove the directory",
                directory.display()
            ),
            DatasetError::InUse(directory) => write!(
                f,
                "{}: another job works in it; wait for its end, or name another output or directory",
                directory.display()
            ),
            DatasetError::Changed { directory, what } => write!(
                f,
                "{}: left by another job: {what} differs; run the job as it was, or remove the directory",
                directory.display()
            ),
            DatasetError::DeletesReference(path) => write!(
                f,
                "{}: is a reference, which is only read, and an input to delete; delete no inputs, or leave it out of one",
                path.display()
            ),
            DatasetError::Delete(path, error) => {
                write!(f, "{}: cannot delete: {error}; the output is complete", path.display())
            }
            DatasetError::Altered(path) => write!(
                f,
                "{}: changed while the job read it; start again when nothing writes to it",
                path.display()
            ),
            DatasetError::Part(path) => write!(
                f,
                "{}: is not as it was written; check the disk, remove the directory and start again",
                path.display()
            ),
            DatasetError::Mismatch(mismatch) => mismatch.fmt(f),
            DatasetError::Job(error) => fmt::Display::fmt(error, f),
            DatasetError::Cancelled => f.write_str("cancelled; no unfinished file was left behind"),
        }
    }
}

impl core::error::Error for DatasetError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            DatasetError::Open(_, error)
            | DatasetError::Create(_, error)
            | DatasetError::Write(_, error)
            | DatasetError::Delete(_, error)
            | DatasetError::Read { error, .. } => Some(error),
            DatasetError::Record(error) => Some(&error.fault),
            DatasetError::Shortage(shortage) => Some(shortage),
            _ => None,
        }
    }
}

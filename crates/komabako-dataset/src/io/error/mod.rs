//! Errors of a file, and of one record in it.

use core::any::Any;
use std::io;
use std::path::{self, Path, PathBuf};

mod mismatch;
mod reason;
mod record;
mod resume_mismatch;
mod shortage;
mod system;

pub use self::mismatch::{Mismatch, OtherCodec, OtherMoves, OtherOrder};
pub use self::reason::Reason;
pub use self::record::{RecordError, Tail, TailCause};
pub use self::resume_mismatch::ResumeMismatch;
pub use self::shortage::Shortage;
pub use self::system::SystemError;
pub use komabako_record::detect::{Evidence, Foreign};
pub use komabako_record::fault::{CellFault, Damage, PlainFault, RecordFault};

use komabako_messages::{Count, Grouped, Message, Noun, from_fn, messages, say};

use crate::escape::Escaped;
use crate::{Field, FileFormat, Name};

/// What errors and reports count.
pub const RECORDS: Noun = Noun::new("record", "records", "レコード");
pub(crate) const WHOLE_RECORDS: Noun = Noun::new("whole record", "whole records", "レコード");
/// See [`RECORDS`].
pub const BYTES: Noun = Noun::new("byte", "bytes", "バイト");
/// See [`RECORDS`].
pub const SCORES: Noun = Noun::new("score", "scores", "個の評価値");

/// Why a file cannot be read, recognised, converted or written.
#[derive(Debug)]
pub enum DatasetError {
    /// An input cannot be opened.
    Open(PathBuf, io::Error),
    /// A searched folder has a pipe, a socket or a device with the name of a file to read.
    SpecialFile(PathBuf),
    /// An input cannot be read or decompressed beyond this byte of its content.
    Read {
        /// The name of the input.
        input: Name,
        /// The byte, after decompression.
        offset: u64,
        /// The cause.
        error: io::Error,
    },
    /// An input is of a known kind that this program does not read.
    Unsupported {
        /// The name of the input.
        input: Name,
        /// The kind of file.
        what: Foreign,
    },
    /// An input is text in UTF-16.
    Utf16(Name),
    /// The format of an input is not recognised.
    Unrecognized {
        /// The name of the input.
        input: Name,
        /// The formats that were tried, and why they do not fit.
        why: Vec<Reason>,
    },
    /// The output's format is neither given nor clear from its name.
    OutputFormat(String),
    /// The output's name ends in the extension of a compression that cannot be written.
    OutputCompression(String),
    /// Archives hold no records of this format.
    NotArchived(FileFormat),
    /// An archive inside a compressed file, or a name that asks for one.
    CompressedArchive(Name),
    /// A file to which records are to be added is no archive, or does not end as one.
    NotAppended(PathBuf),
    /// An archive holds records of another format than the one that was given.
    OtherArchive {
        /// The name of the input.
        input: Name,
        /// The format that was given.
        given: FileFormat,
        /// The format of its records.
        found: FileFormat,
    },
    /// Files of this format hold games, which need records in game order.
    GamesInOrder(FileFormat),
    /// Files of this format are read and not written.
    ReadOnly(FileFormat),
    /// The output exists, and overwriting was not asked for.
    Exists(PathBuf),
    /// A file that was not there when the job began has the output's name. The output was not written.
    Appeared(PathBuf),
    /// An output is complete, but cannot be renamed to its destination, where a file may have appeared.
    Unnamed {
        /// Its destination.
        path: PathBuf,
        /// The cause.
        error: io::Error,
        /// The name under which it is kept.
        kept: PathBuf,
    },
    /// The output or the file for bad records is one of the inputs, or both are the same file.
    SameFile(PathBuf),
    /// An output cannot be created.
    Create(PathBuf, io::Error),
    /// An output cannot be written.
    Write(Name, io::Error),
    /// Bad records are to be collected from inputs of different formats.
    MixedFormats(FileFormat, FileFormat),
    /// The name of the file for bad records tells another format than theirs, or a compression.
    RejectsName(PathBuf, FileFormat),
    /// An input's format lacks a field that the job needs.
    FieldMissing(String, Field),
    /// The bytes of a column of scores are not whole numbers.
    ScoreSize {
        /// The name of the column.
        column: String,
        /// Its size in bytes.
        size: u64,
        /// The bytes of a number.
        each: u64,
    },
    /// Scores, which have signs, are to be written as numbers without signs.
    ScoreSign(String),
    /// The number of scores in a column is not the number of records.
    ScoreCount {
        /// The name of the column.
        column: String,
        /// The number of scores in the column.
        scores: u64,
        /// The number of records.
        records: u64,
    },
    /// The number of names for a split's parts is not the number of parts, or a pattern has no place for the part's number.
    PartNames {
        /// The number of parts, if it is known beforehand.
        parts: Option<u64>,
    },
    /// The names of these two parts of a split tell different formats, and no format is given.
    PartFormats(PathBuf, PathBuf),
    /// A split would have more parts than are allowed.
    TooManyParts {
        /// The number asked for.
        parts: u64,
        /// The maximum.
        most: u64,
    },
    /// The ratio of a split has no weight, too many, or weights that are too large.
    Ratio,
    /// An input that must be read a second time is not a file.
    ReadOnce(String),
    /// An input that must be read a second time is repaired while it is read.
    RepairedOnce(String),
    /// A bad record, in a job that stops at bad records.
    Record(Box<RecordError>),
    /// An input ends inside a record or is damaged beyond reading, and salvaging was not asked for.
    Tail(Box<Tail>),
    /// The job would not finish: this machine lacks memory or disk space for it.
    Shortage(Shortage),
    /// An earlier run of a job with this output left this directory, and resuming was not asked for.
    Unfinished(PathBuf),
    /// The output of an earlier run with this output is complete, but the run was stopped while it deleted its inputs and
    /// temporary files.
    Complete(PathBuf),
    /// Another run is still working in this directory.
    InUse(PathBuf),
    /// The interrupted job was a different one; this differs.
    Changed {
        /// The directory that it left.
        directory: PathBuf,
        /// The difference.
        what: ResumeMismatch,
    },
    /// A file is both an input to be deleted and a reference, which is only read.
    DeletesReference(PathBuf),
    /// Inputs are to be deleted, but the output is no file: nothing might be left of them.
    DeletesWithoutFile(String),
    /// Inputs are to be deleted after one partition of the output, though the other partitions need them.
    PartitionDeletes(String),
    /// This output cannot be divided into partitions: that of a [large](crate::large) job that neither shuffles nor removes
    /// duplicates, or that of a conversion of a range of records, the last ones or a sample.
    PartitionUndivided(String),
    /// An input cannot be deleted after the output was completed.
    Delete(PathBuf, io::Error),
    /// An input changed while a job was reading it, or its content ends before its size. Nothing was given its final name.
    Altered(PathBuf),
    /// A temporary file is corrupt or missing.
    Part(PathBuf),
    /// A sample of an input contradicts its format; nothing was written.
    Mismatch(Box<Mismatch>),
    /// An error specific to one job, such as [`RepairError`](crate::repair::RepairError).
    Job(Box<dyn JobError>),
    /// The system refused to start a thread.
    Thread(io::Error),
    /// The progress callback asked to stop.
    Cancelled,
}

messages! {
    DatasetError {
        Open(path as file, error as system) => "{path}: cannot open: {error}", "{path}: 開けません: {error}";
        SpecialFile(path as file) => "{path}: is a pipe or a device; only files are read in a searched folder",
            "{path}: パイプまたはデバイスです。フォルダーの検索で読むのはファイルだけです";
        Read { input, offset as grouped, error as system } => "{input}: cannot read past byte {offset} of its content: {error}",
            "{input}: 内容のバイト {offset} から先を読み込めません: {error}";
        Unsupported { input, what } => "{input}: {what}", "{input}: {what}";
        Utf16(input) => "{input}: the file is in UTF-16, which is not read", "{input}: UTF-16 は読めません";
        Unrecognized { input as Escaped, why as lines } => "{input}: the format is not recognised{why}",
            "{input}: 形式を判別できません{why}";
        OutputFormat(name) => "{name}: the name does not say which format to write", "{name}: 名前から出力形式が分かりません";
        OutputCompression(name) => "{name}: this compression cannot be written", "{name}: この圧縮形式では出力できません";
        NotArchived(format) => "an archive (`.kmb`) holds records of psv or hcpe, and not of {format}",
            "アーカイブ (`.kmb`) に入るのは psv か hcpe のレコードです ({format} は入りません)";
        CompressedArchive(name) => "{name}: an archive is not compressed once more, since nothing is left to save",
            "{name}: アーカイブをさらに圧縮しても小さくならないため、扱いません";
        NotAppended(path as file) => "{path}: records are added only to an archive (`.kmb`) that ends whole",
            "{path}: 追加できるのは、末尾まで完全なアーカイブ (`.kmb`) だけです";
        OtherArchive { input, given, found } => "{input}: is an archive of {found}, and not of {given}",
            "{input}: {given} ではなく {found} のアーカイブです";
        GamesInOrder(format) => "{format} holds games, and sampled, shuffled or deduplicated records do not form games",
            "{format} は棋譜の形式で、抽出、シャッフル、重複除去をしたレコードは棋譜になりません";
        ReadOnly(format) => "{format} can be read but not written", "{format} は読み込み専用の形式です";
        Exists(path as file) => "{path}: already exists", "{path}: すでに存在します";
        Appeared(path as file) => "{path}: appeared while the job ran, and was not replaced; the output was not written",
            "{path}: 処理の間に作られたため、置き換えませんでした。出力は書いていません";
        Unnamed { path as file, error as system, kept as file } =>
            "{path}: the output is complete, but cannot get this name: {error}; it is kept as {kept}",
            "{path}: 出力は完成しましたが、この名前にできません: {error}。{kept} として残しました";
        SameFile(path as file) => "{path}: is used twice", "{path}: 二重に指定されています";
        Create(path as file, error as system) => "{path}: cannot create: {error}", "{path}: 作成できません: {error}";
        Write(name, error as system) => "{name}: cannot write: {error}", "{name}: 書き込めません: {error}";
        MixedFormats(one, other) => "bad records of {one} and {other} cannot be collected in one file",
            "{one} と {other} の不正なレコードを 1 つのファイルには集められません";
        RejectsName(path as file, format) => "{path}: bad records are written as they are, in {format} and not compressed",
            "{path}: 不正なレコードは元のまま、{format} で、圧縮せずに書き出します";
        FieldMissing(input, field as field_name) => "{input}: its format does not hold `{field}`",
            "{input}: この形式に `{field}` はありません";
        ScoreSize { column, size as bytes, each } => "{column}: {size}: this column has {each} bytes per score",
            "{column}: {size}では {each} バイトずつの評価値の列になりません";
        ScoreSign(column) => "{column}: scores have a sign, and a column of u32 has none",
            "{column}: 評価値には負の値がありますが、u32 の列には入りません";
        ScoreCount { column, scores as score_count, records as record_count } => "{column}: {scores} for {records}",
            "{column}: {records}に対して {scores}があります";
        PartNames { parts as part_names } => "{parts}", "{parts}";
        PartFormats(one as file, other as file) => "{one}, {other}: the parts of a split have one format",
            "{one}、{other}: 分割したパートは同じ形式になります";
        TooManyParts { parts as grouped, most as grouped } => "{parts} parts are too many: the limit is {most}",
            "{parts} 個のパートには分けられません ({most} 個まで)";
        Ratio => "these weights do not form a ratio", "比として使えない数です";
        ReadOnce(input) => "{input}: would have to be read twice", "{input}: 2 回読む必要があります";
        RepairedOnce(input) => "{input}: would have to be read twice, and is repaired while it is read",
            "{input}: 2 回読む必要がありますが、修復しながらでは 1 回しか読めません";
        Record(error) => "{error}", "{error}";
        Tail(tail) => "{tail}", "{tail}";
        Shortage(shortage) => "{shortage}", "{shortage}";
        Unfinished(directory as file) => "{directory}: left by an unfinished job with this output",
            "{directory}: この出力の、終わっていない処理が残したものです";
        Complete(output as file) =>
            "{output}: complete, but the run that wrote it was stopped while it removed its inputs and temporary files",
            "{output}: 完成していますが、書き出した実行が、入力と一時ファイルの削除中に止められています";
        InUse(directory as file) => "{directory}: in use by another job", "{directory}: 別の処理が使用中です";
        Changed { directory as file, what } => "{directory}: left by another job: {what} differs",
            "{directory}: 別の処理が残したものです (相違点: {what})";
        DeletesReference(path as file) => "{path}: is an input to delete and a reference to keep",
            "{path}: 削除する入力であり、残す参照 (`--reference`) でもあります";
        DeletesWithoutFile(output) => "{output}: is not a file, so the inputs cannot be deleted",
            "{output}: ファイルではないため、入力を削除できません";
        PartitionDeletes(partition) =>
            "partition {partition} must not delete the inputs: the other partitions are made from them",
            "分担 {partition} では入力を削除できません。ほかの分担も同じ入力から作られます";
        PartitionUndivided(partition) => "partition {partition}: this output cannot be divided",
            "分担 {partition}: この出力は分担できません";
        Delete(path as file, error as system) => "{path}: cannot delete: {error}", "{path}: 削除できません: {error}";
        Altered(path as file) => "{path}: changed while it was being read, or ends before its size",
            "{path}: 読んでいる間に内容が変わったか、サイズより前で終わっています";
        Part(path as file) => "{path}: temporary file is corrupt (checksum mismatch)",
            "{path}: 一時ファイルが壊れています (チェックサムが一致しません)";
        Mismatch(mismatch) => "{mismatch}", "{mismatch}";
        Job(error) => "{error}", "{error}";
        Thread(error as system) => "cannot start a thread: {error}", "スレッドを開始できません: {error}";
        Cancelled => "cancelled; no partial file was left", "中断しました。不完全なファイルは残していません";
    }
}

fn file(path: &Path) -> Escaped<path::Display<'_>> {
    Escaped(path.display())
}

const fn system(error: &io::Error) -> SystemError<'_> {
    SystemError(error)
}

const fn grouped(number: &u64) -> Grouped {
    Grouped(*number)
}

const fn field_name(field: &Field) -> &'static str {
    field.name()
}

const fn bytes(number: &u64) -> Count {
    BYTES.count(*number)
}

const fn score_count(number: &u64) -> Count {
    SCORES.count(*number)
}

const fn record_count(number: &u64) -> Count {
    RECORDS.count(*number)
}

/// The reasons, one line each.
fn lines(why: &[Reason]) -> impl Message {
    from_fn(move |lang, f| {
        for reason in why {
            write!(f, "\n  {}", Escaped(reason.in_lang(lang)))?;
        }
        Ok(())
    })
}

/// What is wrong with the names of a split's parts.
fn part_names(parts: &Option<u64>) -> impl Message {
    from_fn(move |lang, f| match parts {
        Some(parts) => say!(
            f,
            lang,
            "there are {parts} parts, but a different number of names",
            "パートは {parts} 個ですが、名前の数が合いません",
            parts
        ),
        None => say!(
            f,
            lang,
            "the number of parts is not known in advance, so they cannot be named one by one",
            "パートの数が前もって分からないので、1 つずつ名前を付けられません"
        ),
    })
}

impl core::error::Error for DatasetError {
    /// The sentence says what the inner error says, so it is followed by that one's source.
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            DatasetError::Open(_, error)
            | DatasetError::Read { error, .. }
            | DatasetError::Create(_, error)
            | DatasetError::Write(_, error)
            | DatasetError::Unnamed { error, .. }
            | DatasetError::Delete(_, error)
            | DatasetError::Thread(error) => error.source(),
            _ => None,
        }
    }
}

impl From<Shortage> for DatasetError {
    fn from(shortage: Shortage) -> DatasetError {
        DatasetError::Shortage(shortage)
    }
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
            DatasetError::Unsupported { .. } | DatasetError::Utf16(_) => "unsupported",
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
            DatasetError::Unnamed { error, .. } if error.kind() == io::ErrorKind::AlreadyExists => "appeared",
            DatasetError::Unnamed { .. } => "write",
            DatasetError::SameFile(_) => "same_file",
            DatasetError::Create(..) => "create",
            DatasetError::Write(..) => "write",
            DatasetError::MixedFormats(..) => "mixed_formats",
            DatasetError::RejectsName(..) => "rejects_name",
            DatasetError::FieldMissing(..) => "field_missing",
            DatasetError::ScoreSize { .. } => "score_size",
            DatasetError::ScoreSign(_) => "score_sign",
            DatasetError::ScoreCount { .. } => "score_count",
            DatasetError::PartNames { .. } => "part_names",
            DatasetError::PartFormats(..) => "part_formats",
            DatasetError::TooManyParts { .. } => "too_many_parts",
            DatasetError::Ratio => "ratio",
            DatasetError::ReadOnce(_) => "read_once",
            DatasetError::RepairedOnce(_) => "repaired_once",
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

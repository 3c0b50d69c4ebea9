//! [`ResumeMismatch`]: why an interrupted job cannot be resumed.

use komabako_messages::messages;

/// The difference between a job and the one that an earlier run left unfinished.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ResumeMismatch {
    /// The version of the program, where it changes temporary files.
    Version,
    /// The output.
    Output,
    /// The list of temporary directories.
    Directories,
    /// The format to write, or its compression.
    Format,
    /// The definition of equal records.
    Sameness,
    /// Which of equal records is kept.
    Keep,
    /// The columns beside the output.
    Columns,
    /// The seed of the shuffle, or whether there is one.
    Seed,
    /// Whether the shuffle is phased.
    Phased,
    /// The partition of the output.
    Partition,
    /// The treatment of bad records.
    BadRecords,
    /// Whether whole records of damaged inputs are kept.
    Salvage,
    /// The number of inputs or references.
    FileCount,
    /// An input or a reference of this name: its path, size, time of change or format.
    File(String),
}

messages! {
    ResumeMismatch {
        Version => "the version of the program", "プログラムのバージョン";
        Output => "the output", "出力";
        Directories => "the list of temporary directories", "一時ディレクトリ";
        Format => "the format to write", "出力形式";
        Sameness => "the definition of equal records", "同じとみなす基準";
        Keep => "which of equal records is kept", "残すレコード (`--keep`)";
        Columns => "the columns beside the output", "出力に添える列 (`--columns`)";
        Seed => "the seed", "乱数シード";
        Phased => "whether the shuffle is phased", "シャッフルの方法";
        Partition => "the partition", "分担 (`--partition`)";
        BadRecords => "the treatment of bad records", "不正なレコードの扱い";
        Salvage => "the treatment of damaged inputs", "壊れた入力の扱い";
        FileCount => "the number of files", "ファイルの数";
        File(name) => "{name}", "{name}";
    }
}

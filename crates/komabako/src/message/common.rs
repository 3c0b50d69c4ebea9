//! Labels, numbers, and errors of input and output.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::io;

use komabako::dataset::error::{self, SystemError};
use komabako::messages::{Grouped, Noun, Size};

use super::lang::Lang;

texts! {
    error => "error:", "エラー:";
    warning => "warning:", "警告:";
    help => " help:", "  対処:";
    completed_label => " complete:", "  完成済み:";
    stdin => "standard input", "標準入力";
    stdout => "standard output", "標準出力";
    cannot_read(path, why) => "{path}: cannot read: {why}", "{path}: 読み込めません: {why}";
    cannot_write(path, why) => "{path}: cannot write: {why}", "{path}: 書き込めません: {why}";
    file_as_command(path, argument) => "`{path}` is a file; `komabako info {argument}` shows its contents",
        "`{path}` はファイルです。中身は `komabako info {argument}` で分かります";
    manifest_help => "the outputs are complete; keep this as their manifest:",
        "出力は完成しています。次の内容がそのマニフェストなので、保存してください:";
    man_help => "name a writable directory", "書き込めるディレクトリを指定してください";
}

reports! {
    stdout_is_closed as "write" => "standard output is closed; the records would be lost",
        "標準出力が閉じられているため、レコードが失われます",
        help "name an output file, or use `> /dev/null` to discard the output; to only check records, use `komabako validate`",
        "出力ファイルを指定してください。捨てるなら `> /dev/null` を、検査だけなら `komabako validate` を使ってください";
    stdout_is_not_read(names) as "write" => "standard output: closed before the end, so this was not written: {names}",
        "標準出力: 最後まで読まれずに閉じられたため、次のファイルは書いていません: {names}",
        help "read the output to its end, or write it to a file",
        "出力を最後まで読むか、ファイルに書き出してください";
}

counts! {
    games: Noun::new("game", "games", "局");
    other_files: Noun::new("other file", "other files", "ファイル");
    positions_left_out: Noun::new("position", "positions", "局面");
    records: error::RECORDS;
    bad_lines: Noun::new("bad line", "bad lines", "行");
    bytes: error::BYTES;
    scores: error::SCORES;
    nodes: Noun::new("node", "nodes", "ノード");
    plies_counted: Noun::new("ply", "plies", "手");
}

impl Lang {
    /// An error of input or output, in words.
    pub fn io(self, error: &io::Error) -> String {
        self.say(&SystemError(error))
    }

    /// A number of bytes, in three digits or so.
    pub fn size(self, bytes: u64) -> String {
        self.say(&Size(bytes))
    }
}

/// A number with commas between groups of three digits.
pub fn grouped(number: u64) -> String {
    Grouped(number).to_string()
}

impl Lang {
    /// Items of a list on one line.
    pub fn comma_separated(self, items: &[String]) -> String {
        items.join(match self {
            Lang::En => ", ",
            Lang::Ja => "、",
        })
    }
}

/// Names of faults, each with its number of records.
pub fn counted<N: Display>(counts: &BTreeMap<N, u64>) -> String {
    let counts: Vec<String> =
        counts.iter().map(|(name, count)| format!("{name} {}", grouped(*count))).collect();
    counts.join(", ")
}

//! Labels, numbers, and errors of input and output.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::io;

use komabako::messages::Grouped;

use super::lang::Lang;
use crate::standard;

texts! {
    error() { "error:", "エラー:" }
    warning() { "warning:", "警告:" }
    help() { " help:", "  対処:" }
    completed_label() { " complete:", "  完成済み:" }
    stdin() { "standard input", "標準入力" }
    stdout() { "standard output", "標準出力" }
    cannot_open(path, why) { "{path}: cannot open: {why}", "{path}: 開けません: {why}" }
    open_help() {
        "check the name, and that you have permission to read it",
        "名前と、読み取り権限を確かめてください"
    }
    directory_help() {
        "name the files in it one by one, or with a shell wildcard",
        "中のファイルを 1 つずつ、またはシェルのワイルドカードで指定してください"
    }
    is_directory_help() { "name a file in it", "中のファイル名まで指定してください" }
    write_help() { "make room on the disk or choose another place; no partial file was left", "空きを作るか、別の場所にしてください。不完全なファイルは残していません" }
    write_gone_help() {
        "another program removed the directory or the unfinished file; write to another place, or run the job again",
        "ほかのプログラムがディレクトリか書きかけのファイルを削除しました。別の場所に書くか、やり直してください"
    }
    write_failed_help() {
        "check the disk or the connection to it, or choose another place; no partial file was left",
        "ディスクやその接続を確かめるか、別の場所にしてください。不完全なファイルは残していません"
    }
    replace_help() {
        "close the programs that have it open, check that you have permission to write it, or choose another name; no partial \
         file was left",
        "ほかのプログラムで開いていれば閉じ、書き込み権限を確かめるか、別の名前にしてください。不完全なファイルは残していません"
    }
    open_files_help() {
        "raise the limit of open files (`ulimit -n 4096`), or ask for fewer parts",
        "開けるファイル数の上限を上げるか (`ulimit -n 4096`)、パートの数を減らしてください"
    }
    memory_read_help() {
        "give the program more memory, or compress the file again with a smaller window (`zstd -dc --long=31 FILE | zstd`)",
        "使えるメモリを増やすか、小さいウィンドウで圧縮し直してください (`zstd -dc --long=31 FILE | zstd`)"
    }
    long_name_help() {
        "choose a shorter name: the temporary file next to it has a name 13 bytes longer",
        "名前を短くしてください (一時ファイルの名前はこれより 13 バイト長くなります)"
    }
    cannot_read(path, why) { "{path}: cannot read: {why}", "{path}: 読み込めません: {why}" }
    cannot_write(path, why) { "{path}: cannot write: {why}", "{path}: 書き込めません: {why}" }
    is_empty_input() {
        "it is empty, and would replace an existing file with an empty one",
        "入力が空です。既存のファイルが空のファイルで置き換わるところでした"
    }
    empty_input_help() {
        "check the command that should have written it; if you want an empty file, move or remove the old one first",
        "入力を書き出すはずのコマンドを確かめてください。空のファイルにしたいときは、先に古いファイルを削除してください"
    }
    stdout_is_closed() {
        "standard output is closed; the records would be lost",
        "標準出力が閉じられているため、レコードが失われます"
    }
    stdout_is_closed_help() {
        "name an output file, or use `> /dev/null` to discard the output; to only check records, use `komabako validate`",
        "出力ファイルを指定してください。捨てるなら `> /dev/null` を、検査だけなら `komabako validate` を使ってください"
    }
    file_as_command(path) {
        "`{path}` is a file; `komabako info {path}` shows its contents",
        "`{path}` はファイルです。中身は `komabako info {path}` で分かります"
    }
    man_help() {
        "name a writable directory",
        "書き込めるディレクトリを指定してください"
    }
}

counts! {
    games { "game", "games", "局" }
    other_files { "other file", "other files", "ファイル" }
    positions_left_out { "position", "positions", "局面" }
    records { "record", "records", "レコード" }
    whole_records { "whole record", "whole records", "レコード" }
    bad_lines { "bad line", "bad lines", "行" }
    bytes { "byte", "bytes", "バイト" }
    scores { "score", "scores", "個の評価値" }
    nodes { "node", "nodes", "ノード" }
    plies_counted { "ply", "plies", "手" }
}

impl Lang {
    /// An error of input or output, in words.
    pub fn io(self, error: &io::Error) -> String {
        let (en, ja) = match error.kind() {
            _ if has_too_many_open(error) => ("Too many open files", "開いているファイルが多すぎます"),
            io::ErrorKind::FileTooLarge => {
                ("File too large", "ファイルサイズの上限 (`ulimit -f`) を超えます")
            }
            io::ErrorKind::InvalidFilename => {
                ("File name too long or invalid", "名前が長すぎるか、使えない文字があります")
            }
            io::ErrorKind::NotFound => {
                ("No such file or directory", "ファイルまたはディレクトリがありません")
            }
            io::ErrorKind::PermissionDenied => ("Permission denied", "許可がありません"),
            io::ErrorKind::AlreadyExists => ("File exists", "すでに存在します"),
            io::ErrorKind::StorageFull => ("No space left on device", "ディスクに空きがありません"),
            io::ErrorKind::IsADirectory => ("Is a directory", "ディレクトリです"),
            io::ErrorKind::NotADirectory => ("Not a directory", "ディレクトリではありません"),
            io::ErrorKind::ReadOnlyFilesystem => {
                ("Read-only file system", "読み取り専用のファイルシステムです")
            }
            io::ErrorKind::OutOfMemory => ("Cannot allocate memory", "メモリが足りません"),
            io::ErrorKind::InvalidData => ("", "データが壊れています"),
            io::ErrorKind::UnexpectedEof => ("", "途中でファイルが終わっています"),
            _ => ("", ""),
        };
        match self {
            _ if standard::is_empty(error) => self.is_empty_input(),
            Lang::Ja if !ja.is_empty() => ja.to_owned(),
            // Windows words it in the language of the system.
            Lang::En if cfg!(windows) && !en.is_empty() => en.to_owned(),
            // The system's text, without the number that Rust appends to it.
            _ => match error.to_string().split_once(" (os error") {
                Some((text, _)) => text.to_owned(),
                None => error.to_string(),
            },
        }
    }

    /// The advice for a file that cannot be opened.
    pub fn opening_help(self, error: &io::Error) -> String {
        match error.kind() {
            _ if has_too_many_open(error) => self.open_files_help(),
            io::ErrorKind::IsADirectory => self.directory_help(),
            io::ErrorKind::NotFound
            | io::ErrorKind::PermissionDenied
            | io::ErrorKind::NotADirectory
            | io::ErrorKind::InvalidFilename => self.open_help(),
            _ => self.read_help(),
        }
    }

    /// The advice for a file that cannot be written, or not renamed to its final name.
    pub fn writing_help(self, error: &io::Error) -> String {
        match error.kind() {
            _ if has_too_many_open(error) => self.open_files_help(),
            // Windows does not replace a file that another program has open.
            io::ErrorKind::PermissionDenied => self.replace_help(),
            io::ErrorKind::NotFound => self.write_gone_help(),
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
                self.write_help()
            }
            _ => self.write_failed_help(),
        }
    }

    /// The advice for a file that cannot be created.
    pub fn creation_help(self, error: &io::Error) -> String {
        match error.kind() {
            _ if has_too_many_open(error) => self.open_files_help(),
            io::ErrorKind::IsADirectory => self.is_directory_help(),
            io::ErrorKind::InvalidFilename => self.long_name_help(),
            _ => self.create_help(),
        }
    }
}

/// Whether the program has reached the limit of open files: an error without its own kind, which only the number in the text
/// identifies if a path was added to the error.
fn has_too_many_open(error: &io::Error) -> bool {
    let number = if cfg!(windows) { 4 } else { 24 };
    error.to_string().contains(&format!("(os error {number})"))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_many_open_files_is_found_in_nested_errors() {
        let bare = || io::Error::from_raw_os_error(if cfg!(windows) { 4 } else { 24 });
        let wrapped = io::Error::other(format!("{} at path \"a.psv\"", bare()));
        for error in [bare(), wrapped] {
            assert!(Lang::En.creation_help(&error).contains("ulimit"), "{error}");
            assert_eq!(Lang::Ja.io(&error), "開いているファイルが多すぎます");
        }
        assert!(!Lang::En.opening_help(&io::Error::from_raw_os_error(2)).contains("ulimit"));
    }

    #[test]
    fn advice_to_make_room_is_for_a_full_disk() {
        use io::ErrorKind::{BrokenPipe, NotFound, QuotaExceeded, StorageFull};
        let open_files = io::Error::from_raw_os_error(if cfg!(windows) { 4 } else { 24 });
        assert_eq!(Lang::En.writing_help(&open_files), Lang::En.open_files_help());
        for kind in [StorageFull, QuotaExceeded, NotFound, BrokenPipe] {
            let advice = Lang::En.writing_help(&kind.into());
            assert_eq!(advice.contains("make room"), matches!(kind, StorageFull | QuotaExceeded), "{kind}");
        }
    }

    #[test]
    fn one_is_singular() {
        assert_eq!(
            (Lang::En.records(1), Lang::En.records(0)),
            ("1 record".to_owned(), "0 records".to_owned())
        );
        assert_eq!(
            (Lang::En.bytes(2258), Lang::Ja.bytes(1)),
            ("2,258 bytes".to_owned(), "1 バイト".to_owned())
        );
    }

    #[test]
    fn the_system_s_error_number_is_left_out() {
        let error = io::Error::from_raw_os_error(2);
        assert_eq!(Lang::En.io(&error), "No such file or directory");
    }
}

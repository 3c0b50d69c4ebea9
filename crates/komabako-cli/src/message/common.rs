//! Labels, numbers, and errors of input and output.

use std::collections::BTreeMap;
use std::io;

use super::Lang;

texts! {
    error() { "error:", "エラー:" }
    warning() { "warning:", "警告:" }
    help() { " help:", "  対処:" }
    stdin() { "standard input", "標準入力" }
    stdout() { "standard output", "標準出力" }
    cannot_open(path, why) { "{path}: cannot open: {why}", "{path}: 開けません: {why}" }
    open_help() {
        "check its name, and that you may read it",
        "名前と、読み取りの許可を確かめてください"
    }
    cannot_read(path, why) { "{path}: cannot read: {why}", "{path}: 読み込めません: {why}" }
    cannot_write(path, why) { "{path}: cannot write: {why}", "{path}: 書き込めません: {why}" }
    man_help() {
        "name a directory that exists and can be written",
        "書き込める既存のディレクトリを指定してください"
    }
}

impl Lang {
    /// An error of input or output, in words.
    pub fn io(self, error: &io::Error) -> String {
        let ja = match error.kind() {
            io::ErrorKind::NotFound => "ファイルまたはディレクトリがありません",
            io::ErrorKind::PermissionDenied => "許可がありません",
            io::ErrorKind::AlreadyExists => "すでに存在します",
            io::ErrorKind::StorageFull => "ディスクに空きがありません",
            io::ErrorKind::IsADirectory => "ディレクトリです",
            io::ErrorKind::NotADirectory => "ディレクトリではありません",
            io::ErrorKind::ReadOnlyFilesystem => "読み取り専用のファイルシステムです",
            io::ErrorKind::UnexpectedEof => "途中でファイルが終わっています",
            _ => return error.to_string(),
        };
        match self {
            // The system's text, without the number that Rust appends to it.
            Lang::En => match error.to_string().split_once(" (os error") {
                Some((text, _)) => text.to_owned(),
                None => error.to_string(),
            },
            Lang::Ja => ja.to_owned(),
        }
    }
}

/// A number with commas between groups of three digits.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Names of faults and how many records have each.
pub fn counted(counts: &BTreeMap<&'static str, u64>) -> String {
    let counts: Vec<String> =
        counts.iter().map(|(name, count)| format!("{name} {}", grouped(*count))).collect();
    counts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_grouped_by_threes() {
        for (number, text) in [(0, "0"), (999, "999"), (1_000, "1,000"), (1_234_567, "1,234,567")] {
            assert_eq!(grouped(number), text);
        }
    }

    #[test]
    fn the_system_s_error_number_is_left_out() {
        let error = io::Error::from_raw_os_error(2);
        assert_eq!(Lang::En.io(&error), "No such file or directory");
    }
}

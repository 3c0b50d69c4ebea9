//! The difference between an input's format and its records, as a sample shows it, and the command that restores the records.

use std::path::Path;

use komabako::dataset::sample_check::Mismatch;

use super::lang::Lang;
use crate::escape::is_escaped;

texts! {
    repair_command_help(command) =>
        "this restores every record: {command}\n       or in one pass: `--repair`; if you know the encoding: `--moves A`, \
         `B`, `C` or `as-is`",
        "次のコマンドですべてのレコードを元に戻せます: {command}\n        一度に済ませるなら `--repair`、このまま読むなら `--moves A`、`B`、`C`、`as-is`";
    repair_stream_help(command) =>
        "write it to a file, and restore every record: {command}\n       if you know the encoding: `--moves A`, `B`, `C` or \
         `as-is`",
        "いったんファイルに保存し、次のコマンドですべてのレコードを元に戻してください: {command}\n        このまま読むなら `--moves A`、`B`、`C`、`as-is`";
    repair_next(command) => "restore every record: {command}", "すべてのレコードを元に戻せます: {command}";
    repaired_on_the_fly(input, what) => "{input}: repaired on the fly: {what}", "{input}: 修復しながら読みます: {what}";
    repair_alone_help(help) => "run `komabako repair` on the input first: {help}",
        "先に入力を `komabako repair` で修復してください: {help}";
    wrong_label => "wrong", "問題";
    next_label => "next", "対処";
    wrong_of_sampled(found, sampled) => "in {sampled} records sampled: {found}",
        "調べた {sampled} レコード中: {found}";
    validate_next(command) => "see all findings: {command}", "詳しく調べる: {command}";
}

/// The advice for a mismatch.
pub fn advice(mismatch: &Mismatch, lang: Lang) -> String {
    let command = repair_command(mismatch);
    match mismatch.path {
        Some(_) => lang.repair_command_help(command),
        None => lang.repair_stream_help(command),
    }
}

/// The command that restores every record.
pub fn repair_command(mismatch: &Mismatch) -> String {
    repair_words(mismatch).iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
}

/// The words of that command.
pub fn repair_words(mismatch: &Mismatch) -> Vec<String> {
    let mut words = vec!["komabako".to_owned(), "repair".to_owned()];
    words.extend(mismatch.repair_options());
    let name = |path: Option<&Path>, otherwise: &str| {
        path.map_or_else(|| otherwise.to_owned(), |path| path.display().to_string())
    };
    words.push(name(mismatch.path.as_deref(), "IN"));
    words.push(name(mismatch.repaired_path().as_deref(), "OUT"));
    words
}

/// A word as a shell reads it; a character that is never shown raw is in bash's notation for bytes.
pub fn quoted(word: &str) -> String {
    let is_plain = |letter: char| {
        !letter.is_ascii() || letter.is_ascii_alphanumeric() || "._/-+=:,@%{}".contains(letter)
    };
    let has_escapes = word.contains(is_escaped);
    if !has_escapes && !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    if !has_escapes {
        return format!("'{}'", word.replace('\'', r"'\''"));
    }
    let mut quoted = String::from("$'");
    for letter in word.chars() {
        if is_escaped(letter) {
            quoted.extend(letter.to_string().bytes().map(|byte| format!(r"\x{byte:02x}")));
        } else {
            quoted.extend(matches!(letter, '\'' | '\\').then_some('\\'));
            quoted.push(letter);
        }
    }
    quoted.push('\'');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_if_a_shell_would_split_them() {
        assert_eq!(quoted("a/b-1.psv"), "a/b-1.psv");
        assert_eq!(quoted("駒 箱.psv"), "'駒 箱.psv'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
        assert_eq!(quoted(""), "''");
    }

    #[test]
    fn controls_are_quoted_as_bytes() {
        assert_eq!(quoted("棋\u{202e}"), r"$'棋\xe2\x80\xae'");
        assert_eq!(quoted("it's\u{1b}[m\\\n\u{9b}"), r"$'it\'s\x1b[m\\\x0a\xc2\x9b'");
    }
}

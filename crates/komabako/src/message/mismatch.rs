//! The difference between an input's format and its records, as a sample shows it, and the command that restores the records.

use std::ffi::OsString;

use komabako::dataset::sample_check::Mismatch;

use super::lang::Lang;
use super::shell;

texts! {
    repair_command_help(command) =>
        "this restores every record: {command}\n       or in one pass: `--repair`; if you know the encoding: `--moves A`, \
         `B`, `C` or `as-is`",
        "次のコマンドですべてのレコードを元に戻せます: {command}\n        一度に済ませるなら `--repair`、エンコーディングが分かっていれば `--moves A`、`B`、`C`、`as-is`";
    repair_stream_help(command) =>
        "write it to a file, and restore every record: {command}\n       if you know the encoding: `--moves A`, `B`, `C` or \
         `as-is`",
        "いったんファイルに保存し、次のコマンドですべてのレコードを元に戻してください: {command}\n        エンコーディングが分かっていれば `--moves A`、`B`、`C`、`as-is`";
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
    repair_words(mismatch).iter().map(shell::quoted).collect::<Vec<_>>().join(" ")
}

/// The words of that command.
pub fn repair_words(mismatch: &Mismatch) -> Vec<OsString> {
    let mut words = vec!["komabako".into(), "repair".into()];
    words.extend(mismatch.repair_options().into_iter().map(OsString::from));
    for (path, otherwise) in [(mismatch.path.clone(), "IN"), (mismatch.repaired_path(), "OUT")] {
        words.push(path.map_or_else(|| otherwise.into(), |path| shell::argument(&path).into()));
    }
    words
}

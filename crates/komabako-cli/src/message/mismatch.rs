//! The difference between an input's format and its records, as a sample shows it, and the command that restores the records.

use std::path::Path;

use komabako::dataset::move16::MoveEncoding;
use komabako::dataset::sample_check::{Mismatch, OtherCodec, OtherMoves, OtherOrder};

use super::common::grouped;
use super::lang::Lang;
use super::report::Report;
use crate::escape::is_escaped;

texts! {
    moves_in_other(encoding, own, other, encoding_dependent, percent) {
        "its moves are in encoding {encoding}, not {own}: of {encoding_dependent} drops and promotions sampled, {other} ({percent} %) \
         are illegal in {own} but legal in {encoding}",
        "指し手がエンコーディング {own} ではなく {encoding} です。調べた駒打ちと成り {encoding_dependent} 手のうち {other} 手 ({percent} %) が、{own} では反則、\
         {encoding} では合法です"
    }
    moves_mixed_in(encodings, own, other, encoding_dependent, percent) {
        "it mixes moves in the encodings {encodings}: of {encoding_dependent} drops and promotions sampled, {other} ({percent} %) are \
         illegal in {own} but legal in another",
        "指し手のエンコーディング {encodings} が混在しています。調べた駒打ちと成り {encoding_dependent} 手のうち {other} 手 ({percent} %) が、{own} では反則、\
         別のエンコーディングでは合法です"
    }
    positions_in_other(codec, records, sampled, percent) {
        "its positions are in the codec of {codec}: {records} of {sampled} sampled ({percent} %) make sense only in that codec",
        "局面が {codec} の符号語です。調べた {sampled} 局面のうち {records} 局面 ({percent} %) が {codec} としてのみ成り立ちます"
    }
    positions_mixed_in(codec, records, sampled, percent) {
        "it mixes positions in the codec of {codec} with its own: {records} of {sampled} sampled ({percent} %) make sense \
         only in that codec",
        "{codec} の符号語の局面が混在しています。調べた {sampled} 局面のうち {records} 局面 ({percent} %) が {codec} としてのみ成り立ちます"
    }
    positions_in_order(records, sampled, percent, which) {
        "its positions are in the form of older programs: {records} of {sampled} sampled ({percent} %) have their pieces in \
         another order ({which})",
        "局面が古いプログラムの書き方です。調べた {sampled} 局面のうち {records} 局面 ({percent} %) で駒の並びが違います ({which})"
    }
    repair_command_help(command) {
        "this restores every record: {command}\n       or in one pass: `--repair`; if you know the encoding: `--moves A`, \
         `B`, `C` or `as-is`",
        "次のコマンドですべてのレコードを元に戻せます: {command}\n        一度に済ませるなら `--repair`、このまま読むなら `--moves A`、`B`、`C`、`as-is`"
    }
    repair_stream_help(command) {
        "write it to a file, and restore every record: {command}\n       if you know the encoding: `--moves A`, `B`, `C` or \
         `as-is`",
        "いったんファイルに保存し、次のコマンドですべてのレコードを元に戻してください: {command}\n        このまま読むなら `--moves A`、`B`、`C`、`as-is`"
    }
    repair_next(command) { "restore every record: {command}", "すべてのレコードを元に戻せます: {command}" }
    repaired_on_the_fly(input, what) { "{input}: repaired on the fly: {what}", "{input}: 修復しながら読みます: {what}" }
    repair_alone_help(help) {
        "run `komabako repair` on the input first: {help}",
        "先に入力を `komabako repair` で修復してください: {help}"
    }
    wrong_label() { "wrong", "問題" }
    next_label() { "next", "対処" }
    wrong_of_sampled(found, sampled) {
        "in {sampled} records sampled: {found}",
        "調べた {sampled} レコード中: {found}"
    }
    validate_next(command) { "see all findings: {command}", "詳しく調べる: {command}" }
}

impl Lang {
    /// The report of a mismatch, with advice.
    pub fn mismatch(self, mismatch: &Mismatch) -> Report {
        let what = format!("{}: {}", mismatch.input, self.mismatch_text(mismatch));
        let command = repair_command(mismatch);
        let help = match mismatch.path {
            Some(_) => self.repair_command_help(command),
            None => self.repair_stream_help(command),
        };
        Report { mismatch: Some(Box::new(mismatch.clone())), ..Report::new(what, help) }
    }

    /// The text of a mismatch.
    pub fn mismatch_text(self, mismatch: &Mismatch) -> String {
        let sampled = grouped(mismatch.sampled);
        let of_sampled = |records| percent(records, mismatch.sampled);
        let mut texts = Vec::new();
        if let Some(moves) = &mismatch.moves {
            let OtherMoves { own, encodings, encoding_dependent, other, .. } = *moves;
            let share = percent(other, encoding_dependent);
            let own = own.letter();
            let other = grouped(other);
            let encoding_dependent = grouped(encoding_dependent);
            let letters: Vec<String> =
                encodings.iter().map(|encoding| encoding.letter().to_string()).collect();
            texts.push(match moves.encoding().map(MoveEncoding::letter) {
                Some(one) => self.moves_in_other(one, own, other, encoding_dependent, share),
                None => {
                    self.moves_mixed_in(self.comma_separated(&letters), own, other, encoding_dependent, share)
                }
            });
        }
        if let Some(OtherCodec { codec, records, is_mixed }) = mismatch.codec {
            let share = of_sampled(records);
            let records = grouped(records);
            texts.push(if is_mixed {
                self.positions_mixed_in(codec, records, &sampled, share)
            } else {
                self.positions_in_other(codec, records, &sampled, share)
            });
        }
        if let Some(order) = &mismatch.order {
            let share = of_sampled(order.records());
            texts.push(self.positions_in_order(grouped(order.records()), &sampled, share, orders(order)));
        }
        texts.join("; ")
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
    let is_plain =
        |letter: char| !letter.is_ascii() || letter.is_ascii_alphanumeric() || "._/-+=:,@%".contains(letter);
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

fn percent(part: u64, whole: u64) -> String {
    format!("{:.1}", part as f64 * 100.0 / whole.max(1) as f64)
}

/// The writers of the orders found, each with its number of positions.
fn orders(order: &OtherOrder) -> String {
    let OtherOrder { variant_b, variant_c, other, off_board, .. } = *order;
    let all = [("B", variant_b), ("C", variant_c), ("?", other), ("SSPFv1", off_board)];
    let some = all.into_iter().filter(|&(_, count)| count > 0);
    some.map(|(name, count)| format!("{name}: {}", grouped(count))).collect::<Vec<_>>().join(", ")
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

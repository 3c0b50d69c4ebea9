//! Texts of `validate`: findings about records, diagnoses of whole files, and advice.

use komabako::board::Color;
use komabako::dataset::legality::LegalityFault;
use komabako::dataset::record::MoveBits;
use komabako::dataset::repair::is_repairable;
use komabako::dataset::validate::{Contradiction, Diagnosis, FileReport, Finding, Mirror, WrongField};

use super::common::grouped;
use super::lang::Lang;
use super::shell;

texts! {
    file_and_records(name, format, records) => "{name}{format}: {records}", "{name}{format}: {records}";
    in_order => "ok", "正常";
    first_numbers(numbers) => "records {numbers}", "レコード {numbers}";
    at_record_only(record, offset, why) => "record {record} (byte {offset}): {why}",
        "レコード {record} (バイト {offset}): {why}";
    at_record_and_line_only(record, line, offset, why) =>
        "record {record} (line {line}, byte {offset}): {why}",
        "レコード {record} ({line} 行目、バイト {offset}): {why}";
    undecoded(records) => "rules and moves were not checked where the position cannot be read: {records}",
        "局面を読めない {records}では、盤面の規則と指し手を調べていません";
    correlations(black, white) =>
        "score and result correlate by {black} with Black to move, {white} with White to move",
        "評価値と勝敗の相関: 先手番 {black}、後手番 {white}";
    nothing_found => "nothing wrong:", "問題なし:";
    something_found => "something is wrong:", "問題あり:";
    stopped_at_first => "stopped at the first finding (--fail-fast)", "最初の問題で停止しました (--fail-fast)";
    whichever_side => "whichever side is to move", "どちらの手番でも";
    with_side_to_move(side) => "with {side} to move", "{side}番で";
    correct_help(options) => "correct it: komabako repair {options} IN OUT",
        "修正できます: komabako repair {options} IN OUT";
    stored_move(bits, text) => "move {bits}: {text}", "指し手 {bits}: {text}";
}

impl Lang {
    /// A move as it is stored, and its meaning.
    pub fn recorded_move(self, best_move: MoveBits) -> String {
        let bits = format!("{:#06x}", best_move.bits);
        match best_move.decode() {
            Ok(mv) => self.stored_move(bits, mv),
            Err(_) => self.stored_move(bits, self.bad_move()),
        }
    }

    /// A finding about a record.
    pub fn finding(self, finding: &Finding) -> String {
        match finding {
            Finding::Record(fault) | Finding::Legality(LegalityFault::Record(fault)) => {
                self.record_fault(fault)
            }
            _ => format!("{} ({})", self.say(finding), finding.name()),
        }
    }

    /// The diagnosis of a file as a whole.
    pub fn diagnosis(self, diagnosis: &Diagnosis) -> String {
        match_text!(self, *diagnosis;
            Diagnosis::OtherFormat(format) => "the content is {format}", "内容は {format} です";
            Diagnosis::Misnamed(format) => "the name implies {format}, but the content is of another format",
                "名前は {format} ですが、内容は別の形式です";
            Diagnosis::Variants(count) => "{count} positions are not canonical: older programs wrote them",
                "{count} 局面が正規の形ではありません (古いプログラムの出力)", count = grouped(count);
            Diagnosis::OtherCodec(count) => "{count} positions are in the codec of another format",
                "{count} 局面が別の形式の符号語です", count = grouped(count);
            Diagnosis::OtherEncoding { encoding_dependent, other } =>
                "of {all} drops and promotions, {other} are in another encoding of moves",
                "駒打ちと成りの {all} 手のうち {other} 手が別のエンコーディングです",
                all = grouped(encoding_dependent), other = grouped(other);
            Diagnosis::PlyShifted => "the plies are off by one: Black's are even", "手数が 1 ずれています (先手番が偶数)";
            Diagnosis::Mirrored(Mirror { side }) =>
                "score and result agree, but the material contradicts both {when}: they are from the other side's view",
                "{when}評価値と勝敗がともに駒の損得と合いません。相手側から見た値です", when = self.when(side);
            Diagnosis::Contradiction(Contradiction { side, wrong_field, .. }) =>
                "score and result contradict each other {when}; {which}", "{when}評価値と勝敗が食い違っています。{which}",
                when = self.when(side), which = self.which_is_wrong(wrong_field);
        )
    }

    fn which_is_wrong(self, field: Option<WrongField>) -> String {
        match_text!(self, field;
            Some(WrongField::Score) => "the material contradicts the score", "駒の損得と合わないのは評価値です";
            Some(WrongField::Result) => "the material contradicts the result", "駒の損得と合わないのは勝敗です";
            None => "the material does not show which is wrong", "どちらが誤りかは駒の損得からは分かりません";
        )
    }

    /// The advice for a diagnosis.
    pub fn diagnosis_help(self, diagnosis: &Diagnosis, file: &FileReport) -> String {
        match_text!(self, *diagnosis;
            Diagnosis::OtherFormat(format) => "read it as this format: komabako validate --from {format} {name}",
                "この形式として読んでください: komabako validate --from {format} {name}", name = shell::file(file.name.plain());
            Diagnosis::Misnamed(_) => "rename it: other programs rely on the name",
                "名前を変えてください。ほかのプログラムは名前で判断します";
            Diagnosis::OtherCodec(_) if !file.format.is_some_and(is_repairable) =>
                "if all of them are, read the file in its actual format, with `--from`",
                "全体がそうなら、`--from` で正しい形式を指定して読んでください";
            // Up to a tenth may be legal by chance.
            Diagnosis::OtherEncoding { encoding_dependent, other } if other * 10 <= encoding_dependent * 9 =>
                "the file is mixed; rewrite them with `komabako repair --moves mixed`",
                "混在しています。`komabako repair --moves mixed` で書き直してください";
            Diagnosis::Variants(_) | Diagnosis::OtherCodec(_) | Diagnosis::OtherEncoding { .. } =>
                "rewrite them with `komabako repair`", "`komabako repair` で書き直してください";
            Diagnosis::PlyShifted => "the program that wrote it counts from 0; treat its plies as unknown",
                "書き出したプログラムが 0 から数えています。手数は不明として扱ってください";
            Diagnosis::Mirrored(Mirror { side }) => {
                let side = flipped_side(side);
                self.correct_help(format!("--flip-score{side} --flip-result{side}"))
            };
            Diagnosis::Contradiction(Contradiction { side, wrong_field: Some(WrongField::Score), .. }) =>
                { self.correct_help(format!("--flip-score{}", flipped_side(side))) };
            Diagnosis::Contradiction(Contradiction { side, wrong_field: Some(WrongField::Result), .. }) =>
                { self.correct_help(format!("--flip-result{}", flipped_side(side))) };
            Diagnosis::Contradiction(Contradiction { side, wrong_field: None, .. }) =>
                "look at some records to see which is wrong (`komabako info`), then correct it with \
                 `komabako repair --flip-score{side}` or `--flip-result{side}`",
                "どちらが誤りかレコードを見て確かめ (`komabako info`)、`komabako repair --flip-score{side}` か \
                 `--flip-result{side}` で修正してください", side = flipped_side(side);
        )
    }

    fn when(self, side: Option<Color>) -> String {
        side.map_or_else(|| self.whichever_side(), |side| self.with_side_to_move(self.say(&side)))
    }
}

/// The value of an option that changes signs.
fn flipped_side(side: Option<Color>) -> &'static str {
    match side {
        None => "",
        Some(Color::Black) => "=black",
        Some(Color::White) => "=white",
    }
}

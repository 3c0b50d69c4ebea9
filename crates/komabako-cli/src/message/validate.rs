//! Texts of `validate`: findings about records, diagnoses of whole files, and advice.

use komabako::board::Color;
use komabako::dataset::legality::LegalityFault;
use komabako::dataset::record::MoveBits;
use komabako::dataset::repair::is_repairable;
use komabako::dataset::validate::{Contradiction, Diagnosis, FileReport, Finding, WrongField};

use super::common::grouped;
use super::lang::Lang;
use super::mismatch::quoted;

texts! {
    file_and_records(name, format, records) { "{name}{format}: {records}", "{name}{format}: {records}" }
    in_order() { "ok", "正常" }
    first_numbers(numbers) { "records {numbers}", "レコード {numbers}" }
    at_record_only(record, offset, why) {
        "record {record} (byte {offset}): {why}",
        "レコード {record} (バイト {offset}): {why}"
    }
    at_record_and_line_only(record, line, offset, why) {
        "record {record} (line {line}, byte {offset}): {why}",
        "レコード {record} ({line} 行目、バイト {offset}): {why}"
    }
    undecoded(records) {
        "rules and moves were not checked where the position cannot be read: {records}",
        "局面を読めない {records}では、盤面の規則と指し手を調べていません"
    }
    correlations(black, white) {
        "score and result correlate by {black} with Black to move, {white} with White to move",
        "評価値と結果の相関: 先手番 {black}、後手番 {white}"
    }
    nothing_found() { "nothing wrong:", "問題なし:" }
    something_found() { "something is wrong:", "問題あり:" }
    stopped_at_first() { "stopped at the first finding (--fail-fast)", "最初の問題で停止しました (--fail-fast)" }
    stored_move(bits, text) { "move {bits}: {text}", "指し手 {bits}: {text}" }
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
        match (self, diagnosis) {
            (Lang::En, Diagnosis::OtherFormat(format)) => format!("the content is {format}"),
            (Lang::Ja, Diagnosis::OtherFormat(format)) => format!("内容は {format} です"),
            (Lang::En, Diagnosis::Misnamed(format)) => {
                format!("the name implies {format}, but the content is of another format")
            }
            (Lang::Ja, Diagnosis::Misnamed(format)) => format!("名前は {format} ですが、内容は別の形式です"),
            (Lang::En, Diagnosis::Variants(count)) => {
                format!("{} positions are not canonical: older programs wrote them", grouped(*count))
            }
            (Lang::Ja, Diagnosis::Variants(count)) => {
                format!("{} 局面が正規の形ではありません (古いプログラムの出力)", grouped(*count))
            }
            (Lang::En, Diagnosis::OtherCodec(count)) => {
                format!("{} positions are in the codec of another format", grouped(*count))
            }
            (Lang::Ja, Diagnosis::OtherCodec(count)) => {
                format!("{} 局面が別の形式の符号語です", grouped(*count))
            }
            (Lang::En, Diagnosis::OtherEncoding { encoding_dependent, other }) => format!(
                "of {} drops and promotions, {} are in another encoding of moves",
                grouped(*encoding_dependent),
                grouped(*other)
            ),
            (Lang::Ja, Diagnosis::OtherEncoding { encoding_dependent, other }) => format!(
                "駒打ちと成りの {} 手のうち {} 手が別のエンコーディングです",
                grouped(*encoding_dependent),
                grouped(*other)
            ),
            (Lang::En, Diagnosis::PlyShifted) => "the plies are off by one: Black's are even".to_owned(),
            (Lang::Ja, Diagnosis::PlyShifted) => "手数が 1 ずれています (先手番が偶数)".to_owned(),
            (Lang::En, Diagnosis::Mirrored(it)) => format!(
                "score and result agree, but the material contradicts both {}: they are from the other side's view",
                when_en(it.side)
            ),
            (Lang::Ja, Diagnosis::Mirrored(it)) => {
                format!("{}評価値と結果がともに駒の損得と合いません。相手側から見た値です", when_ja(it.side))
            }
            (Lang::En, Diagnosis::Contradiction(it)) => contradiction_en(it),
            (Lang::Ja, Diagnosis::Contradiction(it)) => contradiction_ja(it),
            _ => diagnosis.name().to_owned(),
        }
    }

    /// The advice for a diagnosis.
    pub fn diagnosis_help(self, diagnosis: &Diagnosis, file: &FileReport) -> String {
        let name = quoted(&file.name);
        match (self, diagnosis) {
            (Lang::En, Diagnosis::OtherFormat(format)) => {
                format!("read it as this format: komabako validate --from {format} {name}")
            }
            (Lang::Ja, Diagnosis::OtherFormat(format)) => {
                format!("この形式として読んでください: komabako validate --from {format} {name}")
            }
            (Lang::En, Diagnosis::Misnamed(_)) => "rename it: other programs rely on the name".to_owned(),
            (Lang::Ja, Diagnosis::Misnamed(_)) => {
                "名前を変えてください。他のプログラムは名前で判断します".to_owned()
            }
            (Lang::En, Diagnosis::OtherCodec(_)) if !file.format.is_some_and(is_repairable) => {
                "if all of them are, read the file in its actual format, with `--from`".to_owned()
            }
            (Lang::Ja, Diagnosis::OtherCodec(_)) if !file.format.is_some_and(is_repairable) => {
                "全体がそうなら、`--from` で正しい形式を指定して読んでください".to_owned()
            }
            (Lang::En, Diagnosis::Variants(_) | Diagnosis::OtherCodec(_)) => {
                "rewrite them with `komabako repair`".to_owned()
            }
            (Lang::Ja, Diagnosis::Variants(_) | Diagnosis::OtherCodec(_)) => {
                "`komabako repair` で書き直してください".to_owned()
            }
            // Up to a tenth may be legal by chance.
            (Lang::En, Diagnosis::OtherEncoding { encoding_dependent, other })
                if other * 10 > encoding_dependent * 9 =>
            {
                "rewrite them with `komabako repair`".to_owned()
            }
            (Lang::Ja, Diagnosis::OtherEncoding { encoding_dependent, other })
                if other * 10 > encoding_dependent * 9 =>
            {
                "`komabako repair` で書き直してください".to_owned()
            }
            (Lang::En, Diagnosis::OtherEncoding { .. }) => {
                "the file is mixed; rewrite them with `komabako repair --moves mixed`".to_owned()
            }
            (Lang::Ja, Diagnosis::OtherEncoding { .. }) => {
                "混在しています。`komabako repair --moves mixed` で書き直してください".to_owned()
            }
            (Lang::En, Diagnosis::PlyShifted) => {
                "the program that wrote it counts from 0; treat its plies as unknown".to_owned()
            }
            (Lang::Ja, Diagnosis::PlyShifted) => {
                "書き出したプログラムが 0 から数えています。手数は不明として扱ってください".to_owned()
            }
            (_, Diagnosis::Mirrored(mirror)) => {
                let side = flipped_side(mirror.side);
                let command = format!("komabako repair --flip-score{side} --flip-result{side} IN OUT");
                match self {
                    Lang::En => format!("correct them: {command}"),
                    Lang::Ja => format!("修正できます: {command}"),
                }
            }
            (_, Diagnosis::Contradiction(contradiction)) => self.contradiction_help(contradiction),
            _ => String::new(),
        }
    }

    fn contradiction_help(self, contradiction: &Contradiction) -> String {
        let side = flipped_side(contradiction.side);
        match (self, contradiction.wrong_field) {
            (Lang::En, Some(WrongField::Score)) => {
                format!("correct it: komabako repair --flip-score{side} IN OUT")
            }
            (Lang::En, Some(WrongField::Result)) => {
                format!("correct it: komabako repair --flip-result{side} IN OUT")
            }
            (Lang::En, None) => format!(
                "look at some records to see which is wrong (`komabako info`), then correct it with \
                 `komabako repair --flip-score{side}` or `--flip-result{side}`"
            ),
            (Lang::Ja, Some(WrongField::Score)) => {
                format!("修正できます: komabako repair --flip-score{side} IN OUT")
            }
            (Lang::Ja, Some(WrongField::Result)) => {
                format!("修正できます: komabako repair --flip-result{side} IN OUT")
            }
            (Lang::Ja, None) => format!(
                "どちらが誤りかレコードを見て確かめ (`komabako info`)、`komabako repair --flip-score{side}` か \
                 `--flip-result{side}` で修正してください"
            ),
        }
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

fn when_en(side: Option<Color>) -> String {
    side.map_or("whichever side is to move".to_owned(), |side| format!("with {side:?} to move"))
}

fn when_ja(side: Option<Color>) -> String {
    side.map_or("どちらの手番でも".to_owned(), |side| format!("{}番で", Lang::Ja.say(&side)))
}

fn contradiction_en(contradiction: &Contradiction) -> String {
    let what = when_en(contradiction.side);
    let which = match contradiction.wrong_field {
        Some(WrongField::Score) => "the material contradicts the score",
        Some(WrongField::Result) => "the material contradicts the result",
        None => "the material does not show which is wrong",
    };
    format!("score and result contradict each other {what}; {which}")
}

fn contradiction_ja(contradiction: &Contradiction) -> String {
    let what = when_ja(contradiction.side);
    let which = match contradiction.wrong_field {
        Some(WrongField::Score) => "駒の損得と合わないのは評価値です",
        Some(WrongField::Result) => "駒の損得と合わないのは結果です",
        None => "どちらが誤りかは駒の損得からは分かりません",
    };
    format!("{what}評価値と結果が食い違っています。{which}")
}

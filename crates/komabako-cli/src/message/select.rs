//! Texts of the commands that select records, and of their expressions.

use komabako::dataset::select::expression::{Expression, ExpressionError, ExpressionFault};

use super::lang::Lang;
use super::report::Report;

texts! {
    beyond_the_end(records) {
        "the inputs end before the range does: {records} missing",
        "入力が範囲より先に終わりました ({records}不足)"
    }
    no_probability(given) { "{given} is not a probability", "{given} は確率ではありません" }
    probability_help() { "give a number from 0 to 1", "0 から 1 の数を指定してください" }
    lacks_field(input, field) {
        "{input}: its format does not hold `{field}`",
        "{input}: この形式に `{field}` はありません"
    }
    lacks_field_help() { "`komabako formats` lists the labels of each format", "各形式が持つ項目は `komabako formats` を参照" }
    at_expression_column(text, column, why) {
        "`{text}`, column {column}: {why}",
        "`{text}` の {column} 桁目: {why}"
    }
    expression_help() {
        "write it like `score > -300 and ply >= 20 and not in_check`, see `komabako filter --help`",
        "`score > -300 and ply >= 20 and not in_check` のように書いてください (`komabako filter --help` を参照)"
    }
    names_help(names) { "valid names: {names}", "使える名前: {names}" }
}

impl Lang {
    /// Why a text is not an expression.
    pub fn expression_error(self, text: &str, error: &ExpressionError) -> Report {
        let what = match self {
            Lang::En => error.fault.to_string(),
            Lang::Ja => expression_fault_ja(&error.fault),
        };
        let help = match error.fault {
            ExpressionFault::Name(_) => self.names_help(Expression::names().collect::<Vec<_>>().join(", ")),
            _ => self.expression_help(),
        };
        Report::new(self.at_expression_column(text, error.column, what), help)
    }
}

fn expression_fault_ja(fault: &ExpressionFault) -> String {
    let found = |found: &Option<String>| {
        found
            .as_ref()
            .map_or("ここで式が終わっています".to_owned(), |found| format!("ここは `{found}`"))
    };
    match fault {
        ExpressionFault::Operand(token) => format!("名前、数、`(` のいずれかが必要です ({})", found(token)),
        ExpressionFault::Operator(token) => format!("`{token}` の前に演算子が必要です"),
        ExpressionFault::Bracket(token) => format!("`)` が必要です ({})", found(token)),
        ExpressionFault::Chained => {
            "比較は続けて書けません。`1 < ply and ply < 3` のように書いてください".to_owned()
        }
        ExpressionFault::Letter('=') => "`=` は使えません。等しいことは `==` と書きます".to_owned(),
        ExpressionFault::Letter('&') => "`&` は使えません。`&&` か `and` と書きます".to_owned(),
        ExpressionFault::Letter('|') => "`|` は使えません。`||` か `or` と書きます".to_owned(),
        ExpressionFault::Letter(letter) => format!("`{letter}` は使えません"),
        ExpressionFault::Name(name) => match Expression::closest_name(name) {
            Some(closest) => format!("`{name}` という名前はありません。`{closest}` のことですか"),
            None => format!("`{name}` という名前はありません"),
        },
        ExpressionFault::Function(name) => {
            format!("この引数を取る関数 `{name}` はありません (関数は abs(a)、min(a, b)、max(a, b))")
        }
        ExpressionFault::NotANumber => "数が必要ですが、条件です".to_owned(),
        ExpressionFault::NotATruth => "条件が必要ですが、数です".to_owned(),
        ExpressionFault::Range => "64 ビットの整数が必要です".to_owned(),
        ExpressionFault::TooLong => format!("式は {} バイトまでです", ExpressionFault::MAX_LENGTH),
        ExpressionFault::TooDeep => {
            format!("括弧や符号の入れ子は {} 段までです", ExpressionFault::MAX_DEPTH)
        }
        other => other.to_string(),
    }
}

//! Texts of the commands that select records, and of their expressions.

use komabako::dataset::select::expression::{Expression, ExpressionError, ExpressionFault};

use super::Lang;
use crate::outcome::Report;

texts! {
    beyond_the_end(count) {
        "{count} records of the range are beyond the end of the inputs",
        "範囲のうち {count} レコードは入力の終わりより先です"
    }
    no_probability(given) { "{given} is no probability", "{given} は確率ではありません" }
    probability_help() { "give a number from 0 to 1", "0 から 1 の数を指定してください" }
    lacks_field(input, field) {
        "{input}: its format has no place for `{field}`",
        "{input}: この形式に `{field}` はありません"
    }
    lacks_field_help() { "see `komabako formats` for what each format holds", "各形式が持つ項目は `komabako formats` を参照" }
    at_expression_column(text, column, why) {
        "`{text}`, column {column}: {why}",
        "`{text}` の {column} 桁目: {why}"
    }
    expression_help() {
        "write it like `score > -300 && ply >= 20 && !in_check`, see `komabako filter --help`",
        "`score > -300 && ply >= 20 && !in_check` のように書いてください (`komabako filter --help` を参照)"
    }
    names_help(names) { "the names are {names}", "使える名前: {names}" }
}

impl Lang {
    /// Why a text is no expression.
    pub fn expression_error(self, text: &str, error: &ExpressionError) -> Report {
        let what = match (self, &error.fault) {
            (Lang::En, ExpressionFault::Name(name)) => format!("nothing is called `{name}`"),
            (Lang::En, fault) => fault.to_string(),
            (Lang::Ja, ExpressionFault::Syntax(text)) => format!("式として読めません ({text})"),
            (Lang::Ja, ExpressionFault::Unsupported) => {
                "ここには名前、数、`true`、`false`、`&& || ! == != < <= > >= + - * / %`、`( )` が必要です"
                    .to_owned()
            }
            (Lang::Ja, ExpressionFault::Name(name)) => format!("`{name}` という名前はありません"),
            (Lang::Ja, ExpressionFault::Function(name)) => {
                format!("この引数を取る関数 `{name}` はありません (関数は abs(a)、min(a, b)、max(a, b))")
            }
            (Lang::Ja, ExpressionFault::NotANumber) => "数が必要ですが、真偽値です".to_owned(),
            (Lang::Ja, ExpressionFault::NotATruth) => "真偽値が必要ですが、数です".to_owned(),
            (Lang::Ja, ExpressionFault::Range) => "64 ビットの整数が必要です".to_owned(),
            (Lang::Ja, ExpressionFault::TooLong) => {
                format!("式は {} バイトまでです", ExpressionFault::LONGEST)
            }
            (Lang::Ja, fault) => fault.to_string(),
        };
        let help = match error.fault {
            ExpressionFault::Name(_) => self.names_help(Expression::names().collect::<Vec<_>>().join(", ")),
            _ => self.expression_help(),
        };
        Report::new(self.at_expression_column(text, error.column, what), help)
    }
}

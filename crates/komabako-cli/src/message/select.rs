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
    at_expression_column(text, column, why) {
        "`{text}`, column {column}: {why}",
        "`{text}` の {column} 桁目: {why}"
    }
    expression_help() {
        "write it like `score > -300 and ply >= 20 and not in_check`, see `komabako filter --help`",
        "`score > -300 and ply >= 20 and not in_check` のように書いてください (`komabako filter --help` を参照)"
    }
    marked_label() { "marked", "該当" }
    names_help(names) { "valid names: {names}", "使える名前: {names}" }
}

impl Lang {
    /// Why a text is not an expression.
    pub fn expression_error(self, text: &str, error: &ExpressionError) -> Report {
        let help = match error.fault {
            ExpressionFault::Name(..) => self.names_help(Expression::names().collect::<Vec<_>>().join(", ")),
            _ => self.expression_help(),
        };
        Report::new(self.at_expression_column(text, error.column, self.say(&error.fault)), help)
    }
}

//! Texts of the commands that select records, and of their expressions.

use komabako::dataset::select::expression::{Expression, ExpressionError, ExpressionFault};
use komabako::dataset::select::games::GameExpression;

use super::lang::Lang;
use super::report::Report;

texts! {
    beyond_the_end(records) => "the inputs end before the range does: {records} missing",
        "入力が範囲より先に終わりました ({records}不足)";
    smaller_sample(records) => "the inputs have fewer records than the sample: {records} missing",
        "入力のレコードが標本より少ないため、すべてを書きました ({records}不足)";
    at_expression_column(text, column, why) => "`{text}`, column {column}: {why}",
        "`{text}` の {column} 桁目: {why}";
    expression_help =>
        "write it like `score > -300 and ply >= 20 and not in_check`, see `komabako filter --help`",
        "`score > -300 and ply >= 20 and not in_check` のように書いてください (`komabako filter --help` を参照)";
    marked_label => "marked", "該当";
    games_not_chosen_label => "not chosen", "選外";
    games_unknown_label => "unknown if chosen", "判定不能";
    games_duplicate_label => "duplicate games", "重複局";
    games_all_left_out(path) => "{path}: not written, because no game was chosen",
        "{path}: 選ばれた棋譜がないため、書き込みませんでした";
    game_expression_help =>
        "write it like `rating_min >= 3500 and plies >= 60 and black contains \"elmo\"`, see `komabako kifu --help`",
        "`rating_min >= 3500 and plies >= 60 and black contains \"elmo\"` のように書いてください (`komabako kifu --help` を参照)";
    names_help(names) => "valid names: {names}", "使える名前: {names}";
}

reports! {
    no_probability(given) as "ratio" => "{given} is not a probability",
        "{given} は確率ではありません",
        help "give a number from 0 to 1", "0 から 1 の数を指定してください";
}

impl Lang {
    /// Why a text is not an expression.
    pub fn expression_error(self, text: &str, error: &ExpressionError) -> Report {
        self.why_no_expression(text, error, &Expression::names().collect::<Vec<_>>(), self.expression_help())
    }

    /// Why a text is not an expression on games.
    pub fn game_expression_error(self, text: &str, error: &ExpressionError) -> Report {
        let names: Vec<_> = GameExpression::names().collect();
        self.why_no_expression(text, error, &names, self.game_expression_help())
    }

    fn why_no_expression(self, text: &str, error: &ExpressionError, names: &[&str], help: String) -> Report {
        let help = match error.fault {
            ExpressionFault::Name(..) => self.names_help(names.join(", ")),
            _ => help,
        };
        Report::new(self.at_expression_column(text, error.column, self.say(&error.fault)), help)
    }
}

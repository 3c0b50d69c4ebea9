//! [`Expression`]: a condition on records, such as `score.abs() < 1000 && !in_check`.
//!
#![doc = include_str!("../../../EXPRESSIONS.md")]

mod mates;
mod name;
pub(crate) mod parse;
mod split;
mod tactics;
mod token;
pub(crate) mod tree;
pub(crate) mod vocabulary;

use core::fmt;
use core::str::FromStr;

use komabako_messages::{Lang, Message, Phrase, messages, say_match};

use self::name::Records;
pub use self::name::{Facts, NumberName};
use self::tree::TruthTree;
use crate::Field;

/// A compiled condition on records. Evaluation takes some nanoseconds per record, with names that ask the rules, such as
/// `quiet`, some hundreds, with `mate_in` milliseconds. The cheaper side of `and` and `or` comes first, however they are written.
///
/// ```
/// use komabako_dataset::select::expression::Expression;
/// let expression: Expression = "ply > 20 && abs(score) < 1000".parse()?;
/// assert_eq!(expression.fields().len(), 2);
/// let error = "ply > 20 && scroe < 1000".parse::<Expression>().unwrap_err();
/// assert_eq!(error.column, 13);
/// # Ok::<(), komabako_dataset::select::expression::ExpressionError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Expression {
    /// Two conditions that must both hold: the first needs no more of the position than the side to move.
    by_labels: TruthTree<Records>,
    by_position: TruthTree<Records>,
    fields: Vec<Field>,
}

impl Expression {
    /// The names that expressions may use.
    pub fn names() -> impl Iterator<Item = &'static str> {
        vocabulary::names::<Records>()
    }

    /// The name with the closest spelling, if it is close enough.
    pub fn closest_name(name: &str) -> Option<&'static str> {
        vocabulary::closest_name::<Records>(name)
    }

    /// The fields of a record that the expression needs, each once.
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// Whether the expression holds for a record.
    #[inline]
    pub fn holds(&self, facts: &Facts) -> bool {
        self.labels_hold(facts) && self.position_holds(facts)
    }

    /// Whether the part of the expression that asks only for labels and the side to move holds. If not, the expression does not hold.
    #[inline]
    pub fn labels_hold(&self, facts: &Facts) -> bool {
        self.by_labels.value(facts)
    }

    /// Whether the other part holds. If both do, the expression holds.
    #[inline]
    pub fn position_holds(&self, facts: &Facts) -> bool {
        self.by_position.value(facts)
    }

    /// Whether there is such a part, so that the position must be known.
    pub fn needs_position(&self) -> bool {
        self.by_position != TruthTree::Constant(true)
    }
}

impl FromStr for Expression {
    type Err = ExpressionError;

    fn from_str(text: &str) -> Result<Expression, ExpressionError> {
        let (tree, fields) = parse::parse::<Records>(text)?;
        let [by_labels, by_position] = tree.split();
        Ok(Expression { by_labels, by_position, fields })
    }
}

/// Why a text is not an expression, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExpressionError {
    /// The column of the fault, in characters, counted from 1.
    pub column: usize,
    /// The fault.
    pub fault: ExpressionFault,
}

/// Why a text is not an expression.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ExpressionFault {
    /// A name, a number or a bracket is needed here instead of this token or the end.
    Operand(Option<String>),
    /// An operator is needed before this token.
    Operator(String),
    /// A closing bracket is needed here instead of this token or the end.
    Bracket(Option<String>),
    /// A comparison of a comparison, such as `1 < ply < 3`.
    Chained,
    /// A character that is not used in expressions.
    Letter(char),
    /// An unknown name, and the known one with the closest spelling, if it is close enough.
    Name(String, Option<&'static str>),
    /// An unknown function, or a wrong number of arguments.
    Function(String),
    /// Something of another type is needed here.
    Type {
        /// What is needed.
        expected: ValueType,
        /// What is there.
        found: ValueType,
    },
    /// The number does not fit in 64 bits.
    Range,
    /// The text is not a decimal number.
    Decimal,
    /// A text without its closing quotation mark.
    Quote,
    /// The text is not a date, with which a date is compared.
    Date,
    /// The text is not one of these, with which a name of few values is compared.
    NeverEqual(&'static [&'static str]),
    /// The text is longer than [`ExpressionFault::MAX_LENGTH`].
    TooLong,
    /// Brackets and signs are nested more deeply than [`ExpressionFault::MAX_DEPTH`].
    TooDeep,
}

/// The type of a part of an expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ValueType {
    /// A number.
    Number,
    /// True or false.
    Condition,
    /// A text.
    Text,
}

messages! {
    ValueType {
        Number => "a number", "数";
        Condition => "a condition", "条件";
        Text => "a text", "文字列";
    }
}

impl ExpressionFault {
    /// The maximum length of an expression in bytes. It bounds the stack that evaluation needs.
    pub const MAX_LENGTH: usize = 1000;
    /// The maximum nesting depth of brackets and signs, including the whole expression.
    pub const MAX_DEPTH: usize = 100;
}

impl Message for ExpressionFault {
    fn write(&self, lang: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const END: Phrase = Phrase::new("found the end", "ここで式が終わっています");
        say_match!(f, lang, self;
            ExpressionFault::Operand(None) => "expected a name, a number or `(`, {end}",
                "名前、数、`(` のいずれかが必要です ({end})", end = END;
            ExpressionFault::Operand(Some(found)) => "expected a name, a number or `(`, found `{found}`",
                "名前、数、`(` のいずれかが必要です (ここは `{found}`)", found;
            ExpressionFault::Operator(found) => "expected an operator, found `{found}`",
                "`{found}` の前に演算子が必要です", found;
            ExpressionFault::Bracket(None) => "expected `)`, {end}", "`)` が必要です ({end})", end = END;
            ExpressionFault::Bracket(Some(found)) => "expected `)`, found `{found}`",
                "`)` が必要です (ここは `{found}`)", found;
            ExpressionFault::Chained => "comparisons cannot be chained; write `1 < ply and ply < 3`",
                "比較は続けて書けません。`1 < ply and ply < 3` のように書いてください";
            ExpressionFault::Letter('=') => "unexpected `=`; equality is written `==`",
                "`=` は使えません。等しいことは `==` と書きます";
            ExpressionFault::Letter('&') => "unexpected `&`; write `&&` or `and`",
                "`&` は使えません。`&&` か `and` と書きます";
            ExpressionFault::Letter('|') => "unexpected `|`; write `||` or `or`",
                "`|` は使えません。`||` か `or` と書きます";
            ExpressionFault::Letter(letter) => "unexpected `{letter}`", "`{letter}` は使えません", letter;
            ExpressionFault::Name(name, Some(closest)) => "unknown name `{name}`; did you mean `{closest}`?",
                "`{name}` という名前はありません。`{closest}` のことですか", name, closest;
            ExpressionFault::Name(name, None) => "unknown name `{name}`",
                "`{name}` という名前はありません", name;
            ExpressionFault::Function(name) =>
                "no function `{name}` takes these arguments; the functions are abs(a), min(a, b), max(a, b)",
                "この引数を取る関数 `{name}` はありません (関数は abs(a)、min(a, b)、max(a, b))", name;
            ExpressionFault::Type { expected, found } => "expected {expected}, found {found}",
                "{expected}が必要ですが、{found}です", expected, found;
            ExpressionFault::Range => "expected an integer of 64 bits", "64 ビットの整数が必要です";
            ExpressionFault::Decimal => "expected a number such as 3500 or 0.5",
                "3500 や 0.5 のような数が必要です";
            ExpressionFault::Quote => "the text has no closing quotation mark",
                "文字列の終わりの引用符がありません";
            ExpressionFault::Date => "a date is written like \"2026-07-19\", \"2026-07\" or \"2026\"",
                "日付は \"2026-07-19\"、\"2026-07\"、\"2026\" のように書きます";
            ExpressionFault::NeverEqual(values) => "it is never equal to this; its values are {values}",
                "この値にはなりません。値は {values} です", values = values.join(", ");
            ExpressionFault::TooLong => "an expression has at most {most} bytes",
                "式は {most} バイトまでです", most = Self::MAX_LENGTH;
            ExpressionFault::TooDeep => "brackets and signs are nested at most {most} deep",
                "括弧や符号の入れ子は {most} 段までです", most = Self::MAX_DEPTH;
        )
    }
}

komabako_messages::english!(ExpressionFault);

impl fmt::Display for ExpressionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "column {}: {}", self.column, self.fault)
    }
}

impl core::error::Error for ExpressionError {}

#[cfg(test)]
mod tests {
    use komabako_board::{Color, Setup, sfen};

    use super::*;
    use crate::GameResult;
    use crate::move16::Move16;
    use crate::record::Labels;

    #[track_caller]
    fn holds(text: &str) -> bool {
        let sfen = "4k4/9/4P4/9/9/9/9/9/4K4 b Gr2p 31";
        let setup = sfen::parse(sfen.as_bytes()).unwrap().setup;
        let mv: Move16 = "5c5b+".parse().unwrap();
        let labels = Labels {
            score: Some(-120),
            best_move: Some(mv.into()),
            result: Some(GameResult::BlackWin),
            ply: Some(31),
            ..Labels::default()
        };
        text.parse::<Expression>().unwrap().holds(&Facts { setup: &setup, labels: &labels, place: None })
    }

    #[track_caller]
    fn refused(text: &str) -> (usize, ExpressionFault) {
        let ExpressionError { column, fault } = text.parse::<Expression>().unwrap_err();
        (column, fault)
    }

    #[test]
    fn every_name_has_its_value() {
        let truths = [
            "score == -120",
            "ply == 31 && ply % 2 == 1",
            "result == 1 && won && !lost && !drawn && black_won && !white_won",
            "board_pieces == 3 && hand_pieces == 4 && black_hand == 1 && white_hand == 3",
            "removed_pieces == 33",
            "black_to_move && !white_to_move && !in_check",
            "has_move && promotion && !capture && !drop && legal",
            "moved_piece == pawn && captured_piece == 0 && rook == 7 && lance + knight == silver + 1",
            "bishop == 6 && gold == 5 && king == 8",
            "black_king_file == 5 && black_king_rank == 9 && white_king_file == 5 && white_king_rank == 1",
            "!mating && !mated",
            "mate_in == 1",
            "mate_in <= 7",
            "7 >= mate_in",
            "mate_in < 2 and mate_in > 0",
            "not mate_in > 1",
            "mate_in + 1 == 2",
            "mate_in_one && gives_check && !quiet_move && !quiet",
            "see(move) == -90 && best_capture == -90 && !hanging",
            // Only games have the number of plies left.
            "plies_left == 0",
        ];
        for text in truths {
            assert!(holds(text), "{text}");
            assert!(!holds(&format!("!({text})")), "{text}");
        }
        let tested: Vec<&str> =
            Expression::names().filter(|name| truths.iter().any(|text| text.contains(name))).collect();
        assert_eq!(tested.len(), Expression::names().count());
    }

    #[test]
    fn operators_bind_as_in_rust() {
        assert!(holds("1 + 2 * 3 == 7 && -7 / 2 == -3 && -7 % 2 == -1"));
        assert!(holds("abs(score) == 120 && score.abs() == 120 && min(ply, 3) == 3 && max(ply, 3) == 31"));
        assert!(holds("false && false || true") && !holds("false && (false || true)"));
        assert!(holds("won == black_to_move") && holds("won != lost") && holds("won ^ lost"));
        assert!(holds("1 / (ply - 31) == 0") && holds("9_223_372_036_854_775_807 + 1 > 0"));
    }

    #[test]
    fn words_join_conditions_too() {
        assert!(holds("won and not lost or lost") && holds("not score > 0 and ply == 31"));
        assert!(!holds("not (won and black_to_move)") && holds("not not won"));
    }

    #[test]
    fn mate_scores_start_at_30000() {
        let holds = |text: &str, score: i16| {
            let setup = Setup::START;
            let labels = Labels { score: Some(score), ..Labels::default() };
            text.parse::<Expression>().unwrap().holds(&Facts { setup: &setup, labels: &labels, place: None })
        };
        assert!(holds("mating", 30_000) && holds("mated", -31_999) && !holds("mating or mated", 29_999));
    }

    #[test]
    fn names_are_suggested_if_they_are_close() {
        for (name, closest) in [
            ("scroe", Some("score")),
            ("scor", Some("score")),
            ("incheck", Some("in_check")),
            ("see", Some("see(move)")),
            ("elo", None),
        ] {
            assert_eq!(Expression::closest_name(name), closest, "{name}");
        }
    }

    #[test]
    fn a_king_under_attack_is_in_check() {
        let setup = sfen::parse(b"4k4/9/9/9/9/9/9/4r4/4K4 b - 1").unwrap().setup;
        let facts = Facts { setup: &setup, labels: &Labels::default(), place: None };
        assert!("in_check".parse::<Expression>().unwrap().holds(&facts));
    }

    #[test]
    fn quiet_positions_have_nothing_to_win() {
        let holds = |text: &str, sfen: &str, mv: &str| {
            let setup = sfen::parse(sfen.as_bytes()).unwrap().setup;
            let labels =
                Labels { best_move: Some(mv.parse::<Move16>().unwrap().into()), ..Labels::default() };
            text.parse::<Expression>().unwrap().holds(&Facts { setup: &setup, labels: &labels, place: None })
        };
        assert!(holds("quiet and quiet_move and not hanging", "startpos", "7g7f"));
        assert!(holds("best_capture == 0 and see(move) == 0 and not gives_check", "startpos", "7g7f"));
        // A move that is not legal is no move: nothing is known of it.
        assert!(!holds("quiet or quiet_move", "startpos", "7g7e"));
        // A pawn is not enough to win, a silver is; a quiet move may leave one hanging.
        assert!(holds("best_capture == 90 and quiet", "4k4/9/9/9/4p4/4P4/9/9/4K4 b - 1", "5i5h"));
        assert!(holds("hanging and quiet_move and not quiet", "4k4/9/9/9/4s4/4P4/9/9/4K4 b - 1", "5i5h"));
        // In check no position is quiet.
        assert!(holds("in_check and quiet_move and not quiet", "4k4/9/9/9/4r4/9/9/9/4K4 b - 1", "5i4i"));
    }

    #[test]
    fn only_moves_of_pieces_are_legal() {
        let expression: Expression = "legal".parse().unwrap();
        let holds = |best_move: Option<Move16>| {
            let labels = Labels { best_move: best_move.map(Into::into), ..Labels::default() };
            expression.holds(&Facts { setup: &Setup::START, labels: &labels, place: None })
        };
        assert!(holds("7g7f".parse().ok()) && !holds("7g7e".parse().ok()));
        for none in [Move16::NONE, Move16::RESIGN, Move16::WIN, Move16::NULL] {
            assert!(!holds(Some(none)), "{none}");
        }
        assert!(!holds(None));
    }

    #[test]
    fn the_cheaper_side_comes_first() {
        let read = |text: &str| text.parse::<Expression>().unwrap();
        let same = |one: &str, other: &str| {
            let [one, other] = [read(one), read(other)];
            one.by_labels == other.by_labels && one.by_position == other.by_position
        };
        assert!(same("mate_in == 3 and in_check", "in_check and mate_in == 3"));
        assert!(same("hanging or in_check or won", "won or (in_check or hanging)"));
        assert!(same("not (quiet and capture)", "not (capture and quiet)"));
        assert!(!same("won and lost", "lost and won"));
    }

    #[test]
    fn labels_are_asked_first() {
        let read = |text: &str| text.parse::<Expression>().unwrap();
        let both = read("in_check and (won or ply > 3) and (drop or hanging) and abs(score) < 9");
        assert_eq!(both.by_labels, read("abs(score) < 9 and (won or ply > 3)").by_labels);
        assert_eq!(both.by_position, read("in_check and (drop or hanging)").by_position);
        assert!(both.needs_position() && !read("won and ply > 3 or has_move").needs_position());
        let labels = Labels { score: Some(8), ply: Some(4), ..Labels::default() };
        let facts = Facts::of_labels(&labels, Color::White, None);
        assert!(both.labels_hold(&facts) && read("white_to_move").holds(&facts));
    }

    #[test]
    fn errors_name_their_column() {
        const NOT_A_NUMBER: ExpressionFault =
            ExpressionFault::Type { expected: ValueType::Number, found: ValueType::Condition };
        const NOT_A_TRUTH: ExpressionFault =
            ExpressionFault::Type { expected: ValueType::Condition, found: ValueType::Number };
        assert_eq!(
            refused("ply > 20 && scroe < 1"),
            (13, ExpressionFault::Name("scroe".into(), Some("score")))
        );
        assert_eq!(refused("ply && won"), (1, NOT_A_TRUTH));
        assert_eq!(refused("score > won"), (9, NOT_A_NUMBER));
        assert_eq!(refused("score"), (1, NOT_A_TRUTH));
        assert_eq!(refused("won == ply"), (8, NOT_A_TRUTH));
        assert_eq!(refused("won < lost"), (1, NOT_A_NUMBER));
        assert_eq!(refused("sqrt(score) > 1"), (1, ExpressionFault::Function("sqrt".into())));
        assert_eq!(refused("abs(score, 1) > 1"), (1, ExpressionFault::Function("abs".into())));
        assert_eq!(refused("score > 1.5"), (9, ExpressionFault::Range));
        assert_eq!(refused("score > 1i16"), (9, ExpressionFault::Range));
        assert_eq!(refused("won as i32 == 1"), (5, ExpressionFault::Operator("as".into())));
        assert_eq!(refused("won)"), (4, ExpressionFault::Operator(")".into())));
        assert_eq!(refused("1 < ply < 3"), (9, ExpressionFault::Chained));
        assert_eq!(refused("score >"), (8, ExpressionFault::Operand(None)));
        assert_eq!(refused("score > and won"), (9, ExpressionFault::Operand(Some("and".into()))));
        assert_eq!(refused("(won"), (5, ExpressionFault::Bracket(None)));
        assert_eq!(refused("min(ply 3) > 1"), (9, ExpressionFault::Bracket(Some("3".into()))));
        assert_eq!(refused("score = 1"), (7, ExpressionFault::Letter('=')));
        assert_eq!(refused("勝ち ≥ 1"), (4, ExpressionFault::Letter('≥')));
        assert_eq!(refused("see"), (1, ExpressionFault::Name("see".into(), Some("see(move)"))));
        assert_eq!(
            refused("abs(move) > 1"),
            (1, ExpressionFault::Name("abs(move)".into(), Some("see(move)")))
        );
        assert_eq!(refused("won.len"), (1, ExpressionFault::Function("len".into())));
        assert_eq!(refused(""), (1, ExpressionFault::Operand(None)));
        let text_for_number = ExpressionFault::Type { expected: ValueType::Number, found: ValueType::Text };
        assert_eq!(refused("score == 'x'"), (10, text_for_number));
        assert_eq!(refused("won and \"x"), (9, ExpressionFault::Quote));
        assert_eq!(refused(&"(".repeat(1001)), (1001, ExpressionFault::TooLong));
    }

    /// No expression, however deep, overflows the stack of a thread.
    #[test]
    fn the_deepest_expressions_are_read() {
        for open in ["(", "!"] {
            let nested = |depth: usize| {
                let close = if open == "(" { ")".repeat(depth) } else { String::new() };
                format!("{}true{close}", open.repeat(depth))
            };
            let deepest = ExpressionFault::MAX_DEPTH - 1;
            assert!(holds(&nested(deepest)) == (open == "(" || deepest.is_multiple_of(2)));
            assert_eq!(refused(&nested(deepest + 1)), (deepest + 2, ExpressionFault::TooDeep));
            assert_eq!(refused(&nested(400)), (deepest + 2, ExpressionFault::TooDeep));
        }
        let sum = format!("1{} == 333", " + 1".repeat(246).replace(' ', ""));
        assert!(!holds(&sum));
    }
}

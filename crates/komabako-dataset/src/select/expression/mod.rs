//! [`Expression`]: a condition on records, such as `score.abs() < 1000 && !in_check`.
//!
#![doc = include_str!("../../../EXPRESSIONS.md")]

mod name;
mod parse;
mod tree;

use core::fmt;
use core::str::FromStr;

pub(crate) use self::name::Facts;
use self::tree::TruthTree;
use crate::Field;

/// A condition on records, compiled. A record takes some nanoseconds, with `in_check` about 100.
///
/// ```
/// use komabako_dataset::select::expression::Expression;
/// let expression: Expression = "ply > 20 && abs(score) < 1000".parse()?;
/// assert_eq!(expression.fields().len(), 2);
/// let error = "ply > 20 && scroe < 1000".parse::<Expression>().unwrap_err();
/// assert_eq!(error.column, 13);
/// # Ok::<(), komabako_dataset::select::expression::ExpressionError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Expression {
    tree: TruthTree,
    fields: Vec<Field>,
}

impl Expression {
    /// The names that expressions know.
    pub fn names() -> impl Iterator<Item = &'static str> {
        name::NAMES.iter().map(|name| name.text)
    }

    /// The fields that records need for it, each once.
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// Whether it holds of a record.
    #[inline]
    pub(crate) fn holds(&self, facts: &Facts) -> bool {
        self.tree.value(facts)
    }
}

impl FromStr for Expression {
    type Err = ExpressionError;

    fn from_str(text: &str) -> Result<Expression, ExpressionError> {
        parse::parse(text)
    }
}

/// Why a text is no expression, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExpressionError {
    /// The column at which it shows, in characters, counted from 1.
    pub column: usize,
    /// What is wrong.
    pub fault: ExpressionFault,
}

/// What is wrong with a text that is no expression.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ExpressionFault {
    /// It is no expression of Rust, in the words of its parser.
    Syntax(String),
    /// It is one of a kind that is not known here.
    Unsupported,
    /// No name is spelled like this.
    Name(String),
    /// No function is called like this and takes so many arguments.
    Function(String),
    /// A number is needed here.
    NotANumber,
    /// Something true or false is needed here.
    NotATruth,
    /// The number does not fit in 64 bits.
    Range,
    /// It is longer than [`ExpressionFault::LONGEST`].
    TooLong,
}

impl ExpressionFault {
    /// The bytes that an expression may have: its depth is bounded, and so is the stack that it needs.
    pub const LONGEST: usize = 1000;
}

impl fmt::Display for ExpressionFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ExpressionFault::Syntax(text) => f.write_str(text),
            ExpressionFault::Unsupported => f.write_str(
                "expected names, numbers, `true`, `false`, `&& || ! == != < <= > >= + - * / %` or `( )`",
            ),
            ExpressionFault::Name(name) => {
                write!(f, "nothing is called `{name}`; the names are")?;
                Expression::names().try_for_each(|name| write!(f, " {name}"))
            }
            ExpressionFault::Function(name) => write!(
                f,
                "no function `{name}` takes these arguments; the functions are abs(a), min(a, b), max(a, b)"
            ),
            ExpressionFault::NotANumber => f.write_str("expected a number, found what is true or false"),
            ExpressionFault::NotATruth => f.write_str("expected what is true or false, found a number"),
            ExpressionFault::Range => f.write_str("expected an integer of 64 bits"),
            ExpressionFault::TooLong => {
                write!(f, "an expression has at most {} bytes", ExpressionFault::LONGEST)
            }
        }
    }
}

impl fmt::Display for ExpressionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "column {}: {}", self.column, self.fault)
    }
}

impl core::error::Error for ExpressionError {}

#[cfg(test)]
mod tests {
    use komabako_board::sfen;

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
        text.parse::<Expression>().unwrap().holds(&Facts { setup: &setup, labels: &labels })
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
            "has_move && promotion && !capture && !drop",
        ];
        for text in truths {
            assert!(holds(text), "{text}");
            assert!(!holds(&format!("!({text})")), "{text}");
        }
        let told: Vec<&str> =
            Expression::names().filter(|name| truths.iter().any(|text| text.contains(name))).collect();
        assert_eq!(told.len(), name::NAMES.len());
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
    fn a_king_under_attack_is_in_check() {
        let setup = sfen::parse(b"4k4/9/9/9/9/9/9/4r4/4K4 b - 1").unwrap().setup;
        let facts = Facts { setup: &setup, labels: &Labels::default() };
        assert!("in_check".parse::<Expression>().unwrap().holds(&facts));
    }

    #[test]
    fn what_is_wrong_is_named_with_its_column() {
        assert_eq!(refused("ply > 20 && scroe < 1"), (13, ExpressionFault::Name("scroe".into())));
        assert_eq!(refused("ply && won"), (1, ExpressionFault::NotATruth));
        assert_eq!(refused("score > won"), (9, ExpressionFault::NotANumber));
        assert_eq!(refused("score"), (1, ExpressionFault::NotATruth));
        assert_eq!(refused("won == ply"), (8, ExpressionFault::NotATruth));
        assert_eq!(refused("won < lost"), (1, ExpressionFault::NotANumber));
        assert_eq!(refused("sqrt(score) > 1"), (1, ExpressionFault::Function("sqrt".into())));
        assert_eq!(refused("abs(score, 1) > 1"), (1, ExpressionFault::Function("abs".into())));
        assert_eq!(refused("score > 1.5"), (9, ExpressionFault::Range));
        assert_eq!(refused("score > 1i16"), (9, ExpressionFault::Range));
        assert_eq!(refused("won as i32 == 1"), (1, ExpressionFault::Unsupported));
        assert!(matches!(refused("1 < ply < 3"), (_, ExpressionFault::Syntax(_))));
        assert!(matches!(refused("score >"), (8, ExpressionFault::Syntax(_))));
        assert!(matches!(refused(""), (1, ExpressionFault::Syntax(_))));
        assert_eq!(refused(&"(".repeat(1001)), (1001, ExpressionFault::TooLong));
    }

    /// However deep, no expression takes the stack of a thread.
    #[test]
    fn the_deepest_expressions_are_read() {
        for open in ["(", "!"] {
            let depth = 500 - 2;
            let close = if open == "(" { ")".repeat(depth) } else { String::new() };
            assert!(holds(&format!("{}true{close}", open.repeat(depth))));
        }
        let sum = format!("1{} == 333", " + 1".repeat(246).replace(' ', ""));
        assert!(!holds(&sum));
    }
}

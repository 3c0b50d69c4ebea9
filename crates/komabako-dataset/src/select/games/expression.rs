//! [`GameExpression`]: a condition on games, such as `rating_min >= 3500 and plies > 60`.
//!
#![doc = include_str!("../../../GAME_EXPRESSIONS.md")]

use core::str::FromStr;

use super::GameFields;
use crate::select::expression::tree::{Comparison, NumberTree, Operation, TextTree, TruthTree};
use crate::select::expression::vocabulary::{Name, Value, Vocabulary, names};
use crate::select::expression::{ExpressionError, ExpressionFault, parse};

/// A condition on games, which is true, false or, because something is not known of a game, unknown.
///
/// ```
/// use komabako_dataset::select::games::{GameExpression, GameFields};
/// let expression: GameExpression = "black contains 'elmo' and not (plies < 60)".parse()?;
/// let mut fields = GameFields { plies: 80, ..GameFields::default() };
/// assert_eq!(expression.value(&fields), None);
/// fields.black = Some("elmo_2026");
/// assert_eq!(expression.value(&fields), Some(true));
/// # Ok::<(), komabako_dataset::select::expression::ExpressionError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct GameExpression {
    tree: TruthTree<Games>,
}

impl GameExpression {
    /// The names that expressions may use.
    pub fn names() -> impl Iterator<Item = &'static str> {
        names::<Games>()
    }

    /// Whether it holds for a game; `None` if that is unknown.
    pub fn value(&self, fields: &GameFields) -> Option<bool> {
        self.tree.value(fields)
    }
}

impl FromStr for GameExpression {
    type Err = ExpressionError;

    fn from_str(text: &str) -> Result<GameExpression, ExpressionError> {
        let (tree, _) = parse::parse(text)?;
        Ok(GameExpression { tree })
    }
}

/// The vocabulary of games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Games;

/// A number of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Number {
    RatingMin,
    RatingMax,
    BlackRating,
    WhiteRating,
    Plies,
    Scored,
    Variations,
}

/// A property that is true or false for a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Truth {
    HasScores,
}

/// A text of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Text {
    Black,
    White,
    Event,
    Site,
    Date,
    TimeControl,
    Handicap,
    Ending,
    Winner,
}

/// The values of `winner`.
const WINNERS: &[&str] = &["black", "white", "draw"];

impl Vocabulary for Games {
    type Number = Number;
    type Truth = Truth;
    type Text = Text;
    type Constant = f64;

    const NAMES: &'static [Name<Games>] = &[
        text("black", Text::Black),
        text("white", Text::White),
        number("rating_min", Number::RatingMin),
        number("rating_max", Number::RatingMax),
        number("black_rating", Number::BlackRating),
        number("white_rating", Number::WhiteRating),
        text("event", Text::Event),
        text("site", Text::Site),
        text("date", Text::Date),
        text("time_control", Text::TimeControl),
        text("handicap", Text::Handicap),
        number("plies", Number::Plies),
        text("ending", Text::Ending),
        text("winner", Text::Winner),
        Name { text: "has_scores", value: Value::Truth(Truth::HasScores), field: None },
        number("scored", Number::Scored),
        number("variations", Number::Variations),
    ];

    fn constant(digits: &str) -> Result<f64, ExpressionFault> {
        digits.replace('_', "").parse().map_err(|_| ExpressionFault::Decimal)
    }

    fn check_text(name: Text, text: &str) -> Result<(), ExpressionFault> {
        match name {
            Text::Date if !is_date(text) => Err(ExpressionFault::Date),
            Text::Winner if !WINNERS.contains(&text) => Err(ExpressionFault::NeverEqual(WINNERS)),
            _ => Ok(()),
        }
    }
}

const fn number(text: &'static str, number: Number) -> Name<Games> {
    Name { text, value: Value::Number(number), field: None }
}

const fn text(text: &'static str, value: Text) -> Name<Games> {
    Name { text, value: Value::Text(value), field: None }
}

/// Whether a text is `2026-07-19T10:00:03`, or a beginning of it that ends with a number.
fn is_date(text: &str) -> bool {
    const FORM: &str = "0000-00-00T00:00:00";
    const LENGTHS: [usize; 6] = [4, 7, 10, 13, 16, 19];
    let fits = |(form, byte): (u8, u8)| if form == b'0' { byte.is_ascii_digit() } else { byte == form };
    LENGTHS.contains(&text.len()) && FORM.bytes().zip(text.bytes()).all(fits)
}

impl Number {
    pub(super) fn value(self, fields: &GameFields) -> Option<f64> {
        match self {
            Number::RatingMin => fields.rating_min(),
            Number::RatingMax => fields.rating_max(),
            Number::BlackRating => fields.black_rating,
            Number::WhiteRating => fields.white_rating,
            Number::Plies => Some(fields.plies as f64),
            Number::Scored => Some(fields.scored as f64),
            Number::Variations => Some(fields.variations as f64),
        }
    }
}

impl Truth {
    pub(super) fn value(self, fields: &GameFields) -> bool {
        match self {
            Truth::HasScores => fields.has_scores(),
        }
    }
}

impl Text {
    pub(super) fn value<'f>(self, fields: &'f GameFields) -> Option<&'f str> {
        match self {
            Text::Black => fields.black,
            Text::White => fields.white,
            Text::Event => fields.event,
            Text::Site => fields.site,
            Text::Date => fields.date.as_deref(),
            Text::TimeControl => fields.time_control,
            Text::Handicap => fields.handicap,
            Text::Ending => fields.ending.as_deref(),
            Text::Winner => fields.winner(),
        }
    }
}

impl NumberTree<Games> {
    /// The value; `None` if it is unknown, as a quotient by 0 is.
    fn value(&self, fields: &GameFields) -> Option<f64> {
        Some(match self {
            NumberTree::Constant(value) => *value,
            NumberTree::Of(number) => number.value(fields)?,
            NumberTree::Negative(tree) => -tree.value(fields)?,
            NumberTree::Absolute(tree) => tree.value(fields)?.abs(),
            NumberTree::Pair(operation, pair) => {
                let a = pair[0].value(fields)?;
                let b = pair[1].value(fields)?;
                match operation {
                    Operation::Add => a + b,
                    Operation::Subtract => a - b,
                    Operation::Multiply => a * b,
                    Operation::Divide | Operation::Remainder if b == 0.0 => return None,
                    Operation::Divide => a / b,
                    Operation::Remainder => a % b,
                    Operation::Lesser => a.min(b),
                    Operation::Greater => a.max(b),
                }
            }
        })
    }
}

impl TruthTree<Games> {
    /// The value, as in SQL: `None` if it depends on what is unknown.
    fn value(&self, fields: &GameFields) -> Option<bool> {
        match self {
            TruthTree::Constant(value) => Some(*value),
            TruthTree::Of(truth) => Some(truth.value(fields)),
            TruthTree::Not(tree) => tree.value(fields).map(|value| !value),
            TruthTree::And(pair) => joined(pair, false, fields),
            TruthTree::Or(pair) => joined(pair, true, fields),
            TruthTree::Same(pair) => Some(pair[0].value(fields)? == pair[1].value(fields)?),
            TruthTree::Compare(comparison, pair) => {
                Some(comparison.holds(&pair[0].value(fields)?, &pair[1].value(fields)?))
            }
            TruthTree::CompareTexts(comparison, pair) => compare_texts(*comparison, pair, fields),
            TruthTree::Contains(pair) => Some(pair[0].value(fields)?.contains(pair[1].value(fields)?)),
        }
    }
}

/// Two conditions joined by an operator that has the value `decisive` as soon as one of them has it.
fn joined(pair: &[TruthTree<Games>; 2], decisive: bool, fields: &GameFields) -> Option<bool> {
    let first = pair[0].value(fields);
    if first == Some(decisive) {
        return first;
    }
    let second = pair[1].value(fields);
    if second == Some(decisive) {
        return second;
    }
    first.and(second)
}

/// Compares two texts. A date is compared with a written one as far as that goes: `2026-07-19` is in `2026-07`.
fn compare_texts(comparison: Comparison, pair: &[TextTree<Games>; 2], fields: &GameFields) -> Option<bool> {
    let mut a = pair[0].value(fields)?;
    let mut b = pair[1].value(fields)?;
    if let [TextTree::Of(Text::Date), TextTree::Constant(written)] = pair {
        a = a.get(..written.len())?;
    }
    if let [TextTree::Constant(written), TextTree::Of(Text::Date)] = pair {
        b = b.get(..written.len())?;
    }
    Some(comparison.holds(a, b))
}

impl TextTree<Games> {
    fn value<'f>(&'f self, fields: &'f GameFields) -> Option<&'f str> {
        match self {
            TextTree::Constant(text) => Some(text),
            TextTree::Of(text) => text.value(fields),
        }
    }
}

#[cfg(test)]
mod tests {
    use komabako_board::Color;
    use komabako_kifu::Outcome;

    use super::*;

    fn fields() -> GameFields<'static> {
        GameFields {
            black: Some("elmo_2026"),
            black_rating: Some(3012.5),
            event: Some("wdoor+floodgate-300-10F+a+b+20260719100003"),
            date: Some("2026-07-19T10:00:03".to_owned()),
            time_control: Some("300-10F"),
            handicap: Some("平手"),
            plies: 123,
            ending: Some("TORYO".into()),
            outcome: Some(Outcome::Win(Color::White)),
            scored: 100,
            ..GameFields::default()
        }
    }

    #[track_caller]
    fn value(text: &str) -> Option<bool> {
        text.parse::<GameExpression>().unwrap().value(&fields())
    }

    #[test]
    fn every_name_has_its_value() {
        let truths = [
            "black == \"elmo_2026\" and black contains 'elmo' and black != 'elmo'",
            "black_rating == 3012.5 and black_rating > 3_012",
            "event contains 'floodgate' and time_control == '300-10F' and handicap == \"平手\"",
            "plies == 123 and plies / 2 == 61.5 and min(plies, 1) == 1 and plies.abs() > scored",
            "ending == 'TORYO' and winner == 'white' and 'white' == winner",
            "has_scores and scored * 2 > plies and variations == 0",
            "date >= '2026-07-19' and date <= '2026-07-19' and date == '2026-07' and '2025' < date",
            "date > '2026-07-19T09' and date contains '-07-'",
        ];
        for text in truths {
            assert_eq!(value(text), Some(true), "{text}");
            assert_eq!(value(&format!("not ({text})")), Some(false), "{text}");
        }
        let unknown = [
            "white == 'a'",
            "white contains 'a'",
            "rating_min >= 3500",
            "not (rating_max >= 3500)",
            "white_rating < 1",
            "site == 'a'",
            "plies / variations > 1",
            "(date < '2026-07-19T10:00:03') == (site == 'a')",
        ];
        for text in unknown {
            assert_eq!(value(text), None, "{text}");
            assert_eq!(value(&format!("not ({text})")), None, "{text}");
        }
        let all = [truths.join(" "), unknown.join(" ")].join(" ");
        assert!(GameExpression::names().all(|name| all.contains(name)));
    }

    #[test]
    fn what_is_unknown_does_not_matter_if_the_rest_decides() {
        assert_eq!(value("rating_min >= 3500 and plies < 1"), Some(false));
        assert_eq!(value("plies < 1 and rating_min >= 3500"), Some(false));
        assert_eq!(value("rating_min >= 3500 or plies > 1"), Some(true));
        assert_eq!(value("rating_min >= 3500 or plies < 1"), None);
        assert_eq!(value("rating_min >= 3500 and plies > 1"), None);
        assert_eq!(value("(rating_min >= 3500) == true"), None);
    }

    #[test]
    fn a_date_known_in_part_is_compared_as_far_as_it_is_known() {
        let fields = GameFields { date: Some("2026".to_owned()), ..fields() };
        let value = |text: &str| text.parse::<GameExpression>().unwrap().value(&fields);
        assert_eq!(value("date >= '2026'"), Some(true));
        assert_eq!(value("date >= '2026-07'"), None);
    }

    #[test]
    fn errors_name_their_column() {
        let refused = |text: &str| {
            let ExpressionError { column, fault } = text.parse::<GameExpression>().unwrap_err();
            (column, fault)
        };
        assert_eq!(refused("date >= '2026/07/19'"), (9, ExpressionFault::Date));
        assert_eq!(refused("plies > 1 and winner == 'sente'"), (25, ExpressionFault::NeverEqual(WINNERS)));
        assert_eq!(refused("plies > 3x"), (9, ExpressionFault::Decimal));
        assert_eq!(refused("rating > 1"), (1, ExpressionFault::Name("rating".into(), None)));
        assert_eq!(refused("blak == 'a'"), (1, ExpressionFault::Name("blak".into(), Some("black"))));
        assert_eq!(refused("black == 'a"), (10, ExpressionFault::Quote));
        assert!(matches!(refused("black > 1"), (9, ExpressionFault::Type { .. })));
        assert!(matches!(refused("plies contains '1'"), (1, ExpressionFault::Type { .. })));
    }
}

//! The names that expressions may use.

use komabako_board::{BaseKind, Color, File, Move, Piece, Rank, Setup, Square};

use super::ExpressionFault;
use super::mates::{NO_MATE, mate_in, mates_within};
use super::tactics;
use super::tree::{Comparison, NumberTree, TruthTree};
use super::vocabulary::{Name, Value, Vocabulary};
use crate::block::Block;
use crate::io::score_column::{MATE, UNKNOWN};
use crate::record::Labels;
use crate::{Field, GameResult};

/// The data of a record for evaluating names.
#[derive(Clone, Copy)]
pub struct Facts<'a> {
    /// The position.
    pub setup: &'a Setup,
    /// Its labels.
    pub labels: &'a Labels,
    /// The record's block and its index there, which the number of plies left needs.
    pub place: Option<(&'a Block, usize)>,
}

/// Boards without pieces, by the side to move.
static EMPTY: [Setup; 2] = {
    let mut white = Setup::EMPTY;
    white.set_side_to_move(Color::White);
    [Setup::EMPTY, white]
};

impl<'a> Facts<'a> {
    /// Those of a record of whose position only the side to move is known, for [`labels_hold`](super::Expression::labels_hold).
    pub fn of_labels(labels: &'a Labels, side: Color, place: Option<(&'a Block, usize)>) -> Facts<'a> {
        Facts { setup: &EMPTY[side.array_index()], labels, place }
    }
}

/// The name of a number, such as `ply`.
///
/// ```
/// use komabako_dataset::select::expression::NumberName;
/// assert!(NumberName::find("ply").is_some());
/// assert!(NumberName::find("in_check").is_none()); // true or false
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NumberName {
    number: Number,
    field: Option<Field>,
}

impl NumberName {
    /// The number with a name; `None` if no number has it.
    pub fn find(name: &str) -> Option<NumberName> {
        let name = NAMES.iter().find(|known| known.text == name)?;
        match name.value {
            Value::Number(number) => Some(NumberName { number, field: name.field }),
            Value::Truth(_) | Value::Text(_) | Value::Constant(_) => None,
        }
    }

    /// Whether the position must be known, beyond the side to move.
    pub fn needs_position(self) -> bool {
        self.number.needs_position()
    }

    /// The field of a record that it needs.
    pub fn field(self) -> Option<Field> {
        self.field
    }

    /// The number for a record; 0 if it is not known.
    pub fn value(self, facts: &Facts) -> i64 {
        self.number.value(facts)
    }
}

/// The vocabulary of records. Their names are numbers, or true or false.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Records;

/// The name of a text of a record. Records have no texts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NoText {}

impl Vocabulary for Records {
    type Number = Number;
    type Truth = Truth;
    type Text = NoText;
    type Constant = i64;

    const NAMES: &'static [Name<Records>] = &NAMES;

    /// Digits, which may be grouped by `_`.
    fn constant(digits: &str) -> Result<i64, ExpressionFault> {
        digits.replace('_', "").parse().map_err(|_| ExpressionFault::Range)
    }

    /// Turns a comparison of `mate_in` with a number into a test for a mate within a number of plies, which takes
    /// far fewer nodes than finding the shortest mate.
    fn shortcut(comparison: Comparison, pair: &[NumberTree<Records>; 2]) -> Option<TruthTree<Records>> {
        let (comparison, plies) = match pair {
            [NumberTree::Of(Number::MateIn), NumberTree::Constant(plies)] => (comparison, *plies),
            [NumberTree::Constant(plies), NumberTree::Of(Number::MateIn)] => (comparison.mirrored(), *plies),
            _ => return None,
        };
        if plies >= NO_MATE {
            return None;
        }
        let within = |plies: i64| TruthTree::Of(Truth::MateWithin(plies.max(0) as u16));
        Some(match comparison {
            Comparison::LessOrEqual => within(plies),
            Comparison::Less => within(plies.saturating_sub(1)),
            Comparison::Greater => TruthTree::Not(within(plies).into()),
            Comparison::GreaterOrEqual => TruthTree::Not(within(plies.saturating_sub(1)).into()),
            Comparison::Equal | Comparison::NotEqual => return None,
        })
    }
}

/// A number of a record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Number {
    Score,
    Ply,
    PliesLeft,
    Result,
    BoardPieces,
    HandPieces,
    BlackHand,
    WhiteHand,
    RemovedPieces,
    KingFile(Color),
    KingRank(Color),
    MovedPiece,
    CapturedPiece,
    MateIn,
    Exchange,
    BestCapture,
}

/// A property that is true or false for a record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Truth {
    BlackToMove,
    WhiteToMove,
    InCheck,
    Won,
    Lost,
    Drawn,
    BlackWon,
    WhiteWon,
    HasMove,
    Capture,
    Promotion,
    Drop,
    Legal,
    Mating,
    Mated,
    GivesCheck,
    QuietMove,
    Quiet,
    Hanging,
    MateInOne,
    /// `mate_in` compared with a number, see [`Records::shortcut`](Vocabulary::shortcut).
    MateWithin(u16),
}

/// All names.
const NAMES: [Name<Records>; 46] = [
    number("score", Number::Score, Some(Field::Score)),
    number("ply", Number::Ply, Some(Field::Ply)),
    number("plies_left", Number::PliesLeft, Some(Field::Games)),
    number("result", Number::Result, Some(Field::Result)),
    number("board_pieces", Number::BoardPieces, None),
    number("hand_pieces", Number::HandPieces, None),
    number("black_hand", Number::BlackHand, None),
    number("white_hand", Number::WhiteHand, None),
    number("removed_pieces", Number::RemovedPieces, None),
    truth("black_to_move", Truth::BlackToMove, None),
    truth("white_to_move", Truth::WhiteToMove, None),
    truth("in_check", Truth::InCheck, None),
    truth("won", Truth::Won, Some(Field::Result)),
    truth("lost", Truth::Lost, Some(Field::Result)),
    truth("drawn", Truth::Drawn, Some(Field::Result)),
    truth("black_won", Truth::BlackWon, Some(Field::Result)),
    truth("white_won", Truth::WhiteWon, Some(Field::Result)),
    truth("has_move", Truth::HasMove, Some(Field::Move)),
    truth("capture", Truth::Capture, Some(Field::Move)),
    truth("promotion", Truth::Promotion, Some(Field::Move)),
    truth("drop", Truth::Drop, Some(Field::Move)),
    truth("legal", Truth::Legal, Some(Field::Move)),
    truth("mating", Truth::Mating, Some(Field::Score)),
    truth("mated", Truth::Mated, Some(Field::Score)),
    number("black_king_file", Number::KingFile(Color::Black), None),
    number("black_king_rank", Number::KingRank(Color::Black), None),
    number("white_king_file", Number::KingFile(Color::White), None),
    number("white_king_rank", Number::KingRank(Color::White), None),
    number("mate_in", Number::MateIn, None),
    truth("mate_in_one", Truth::MateInOne, None),
    number("see(move)", Number::Exchange, Some(Field::Move)),
    number("best_capture", Number::BestCapture, None),
    truth("hanging", Truth::Hanging, None),
    truth("gives_check", Truth::GivesCheck, Some(Field::Move)),
    truth("quiet_move", Truth::QuietMove, Some(Field::Move)),
    truth("quiet", Truth::Quiet, Some(Field::Move)),
    number("moved_piece", Number::MovedPiece, Some(Field::Move)),
    number("captured_piece", Number::CapturedPiece, Some(Field::Move)),
    kind("pawn", BaseKind::Pawn),
    kind("lance", BaseKind::Lance),
    kind("knight", BaseKind::Knight),
    kind("silver", BaseKind::Silver),
    kind("gold", BaseKind::Gold),
    kind("bishop", BaseKind::Bishop),
    kind("rook", BaseKind::Rook),
    kind("king", BaseKind::King),
];

const fn kind(text: &'static str, kind: BaseKind) -> Name<Records> {
    Name { text, value: Value::Constant(kind as i64 + 1), field: None }
}

const fn number(text: &'static str, number: Number, field: Option<Field>) -> Name<Records> {
    Name { text, value: Value::Number(number), field }
}

const fn truth(text: &'static str, truth: Truth, field: Option<Field>) -> Name<Records> {
    Name { text, value: Value::Truth(truth), field }
}

/// What a name costs, about in nanoseconds. Only the order of costs matters.
pub(super) type Cost = u64;

/// What labels say, and the number or place of pieces.
const READ: Cost = 1;
/// Looks at the attackers of a square.
const ATTACKS: Cost = 10;
/// Makes a state of the rules.
const RULES: Cost = 100;
/// Searches.
const SEARCH: Cost = 1_000_000;

impl Number {
    /// Whether it depends on more of the position than the side to move.
    pub fn needs_position(self) -> bool {
        !matches!(self, Number::Score | Number::Ply | Number::PliesLeft | Number::Result)
    }

    pub fn cost(self) -> Cost {
        match self {
            Number::MateIn => SEARCH,
            Number::Exchange => RULES,
            Number::BestCapture => 2 * RULES,
            _ => READ,
        }
    }

    /// The number for a record; 0 if it is not known.
    pub fn value(self, facts: &Facts) -> i64 {
        let Facts { setup, labels, place } = facts;
        let hand = |color| i64::from(setup.hand(color).len());
        match self {
            Number::Score => labels.score.unwrap_or(0).into(),
            Number::Ply => labels.ply.unwrap_or(0).into(),
            Number::PliesLeft => place.and_then(|(block, index)| block.plies_left(index)).unwrap_or(0).into(),
            Number::Result => {
                labels.result.map_or(0, |result| result.to_relative(setup.side_to_move())).into()
            }
            Number::BoardPieces => setup.occupied().len().into(),
            Number::HandPieces => hand(Color::Black) + hand(Color::White),
            Number::BlackHand => hand(Color::Black),
            Number::WhiteHand => hand(Color::White),
            Number::RemovedPieces => {
                40 - i64::from(setup.occupied().len()) - hand(Color::Black) - hand(Color::White)
            }
            Number::KingFile(color) => setup.king(color).map_or(0, |square| File::of(square).number().into()),
            Number::KingRank(color) => setup.king(color).map_or(0, |square| Rank::of(square).number().into()),
            Number::MateIn => mate_in(setup),
            Number::Exchange => tactics::exchange(setup, labels),
            Number::BestCapture => tactics::best_capture(setup),
            Number::MovedPiece => match piece_move(labels) {
                Some(Move::Normal { from, .. }) => kind_on(setup, from),
                Some(Move::Drop { piece, .. }) => kind_of(piece),
                None => 0,
            },
            Number::CapturedPiece => match piece_move(labels) {
                Some(Move::Normal { to, .. }) => kind_on(setup, to),
                _ => 0,
            },
        }
    }
}

impl Truth {
    /// Whether it depends on more of the position than the side to move.
    pub fn needs_position(self) -> bool {
        match self {
            Truth::InCheck
            | Truth::Capture
            | Truth::Legal
            | Truth::GivesCheck
            | Truth::QuietMove
            | Truth::Quiet
            | Truth::Hanging
            | Truth::MateInOne
            | Truth::MateWithin(_) => true,
            Truth::BlackToMove
            | Truth::WhiteToMove
            | Truth::Won
            | Truth::Lost
            | Truth::Drawn
            | Truth::BlackWon
            | Truth::WhiteWon
            | Truth::HasMove
            | Truth::Promotion
            | Truth::Drop
            | Truth::Mating
            | Truth::Mated => false,
        }
    }

    pub fn cost(self) -> Cost {
        match self {
            Truth::MateWithin(_) => SEARCH,
            Truth::InCheck => ATTACKS,
            Truth::Legal | Truth::GivesCheck | Truth::QuietMove => RULES,
            Truth::Hanging | Truth::Quiet => 2 * RULES,
            Truth::MateInOne => 5 * RULES,
            _ => READ,
        }
    }

    /// Whether the property is true for a record; `false` if it is not known.
    pub fn value(self, facts: &Facts) -> bool {
        let Facts { setup, labels, .. } = facts;
        let side = setup.side_to_move();
        let relative = |code| labels.result.is_some_and(|result| result.to_relative(side) == code);
        match self {
            Truth::BlackToMove => side == Color::Black,
            Truth::WhiteToMove => side == Color::White,
            Truth::InCheck => tactics::is_in_check(setup),
            Truth::GivesCheck => tactics::gives_check(setup, labels),
            Truth::QuietMove => tactics::has_quiet_move(setup, labels),
            Truth::Quiet => tactics::is_quiet(setup, labels),
            Truth::Hanging => tactics::is_hanging(setup),
            Truth::MateInOne => tactics::mates_in_one(setup),
            Truth::Won => relative(1),
            Truth::Lost => relative(-1),
            Truth::Drawn => relative(0),
            Truth::BlackWon => labels.result == Some(GameResult::BlackWin),
            Truth::WhiteWon => labels.result == Some(GameResult::WhiteWin),
            Truth::HasMove => piece_move(labels).is_some(),
            Truth::Capture => match piece_move(labels) {
                Some(Move::Normal { to, .. }) => setup.occupied().contains(to),
                _ => false,
            },
            Truth::Promotion => matches!(piece_move(labels), Some(Move::Normal { promote: true, .. })),
            Truth::Drop => matches!(piece_move(labels), Some(Move::Drop { .. })),
            Truth::Legal => tactics::is_legal(setup, labels),
            Truth::Mating => labels.score.is_some_and(|score| score >= MATE && score != UNKNOWN),
            Truth::MateWithin(plies) => mates_within(setup, plies),
            Truth::Mated => labels.score.is_some_and(|score| score <= -MATE && score != i16::MIN),
        }
    }
}

/// The kind of the piece on a square as a number, promoted or not; 0 for an empty square.
fn kind_on(setup: &Setup, square: Square) -> i64 {
    setup.piece_at(square).map_or(0, kind_of)
}

/// The kind of a piece as a number.
fn kind_of(piece: Piece) -> i64 {
    BaseKind::of(piece.to_parts().0) as i64 + 1
}

/// The recorded move, if it is one of a piece. The colour of a dropped piece has no meaning.
fn piece_move(labels: &Labels) -> Option<Move> {
    labels.best_move?.decode().ok()?.to_move(Color::Black)
}

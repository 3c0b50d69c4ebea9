//! [`Failure`]: why a call failed, in the form that the page's dictionary needs.

use std::fmt::Display;

use komabako::board::sfen::SfenFault;
use komabako::board::{BaseKind, Color, File, PositionFault, SetupError, SfenError};
use komabako::codec::{PackError, UnpackError};
use komabako::kifu::handicap::similar_names;
use komabako::kifu::{Fault, KifuError, UnplayableSetup};
use komabako::record::RecordFault;
use komabako::record::findings::Finding;
use komabako::record::legality::LegalityFault;
use komabako::rules::{Illegality, MoveTextError};
use serde::Serialize;

use crate::vocabulary::{ColorName, KindName, SquareName};

/// Why a call failed: a stable name, and the values for a sentence.
#[derive(Serialize, Debug, Default)]
#[serde(rename_all = "camelCase")]
pub struct Failure {
    name: &'static str,
    /// The sentence in English.
    sentence: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    game: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    quoted: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fault: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    field: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bit: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    color: Option<ColorName>,
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<KindName>,
    #[serde(skip_serializing_if = "Option::is_none")]
    square: Option<SquareName>,
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    index: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    usi: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<[String; 2]>,
    /// Names that may be meant.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    names: Vec<&'static str>,
}

impl Failure {
    /// A failure without further fields.
    pub fn new(name: &'static str, sentence: impl Display) -> Self {
        Self { name, sentence: sentence.to_string(), ..Self::default() }
    }

    /// The failure with the index and text of a move in a list.
    pub fn at_move(self, index: usize, usi: &str) -> Self {
        Self { index: Some(index), usi: Some(usi.to_owned()), ..self }
    }

    /// The failure with a colour.
    pub fn about_color(self, color: Option<Color>) -> Self {
        Self { color: color.map(ColorName), ..self }
    }

    /// The failure with a line of a text.
    pub fn at_line(self, line: u32) -> Self {
        Self { line: Some(line), ..self }
    }

    /// The failure with a column of a text.
    pub fn at_column(self, column: usize) -> Self {
        Self { column: Some(column), ..self }
    }
}

impl From<SfenError> for Failure {
    fn from(error: SfenError) -> Self {
        let failure = Self::new("SFEN", error);
        let fault = error.fault;
        let quoted = error.found.map(String::from);
        let failure = Self { column: Some(error.column), fault: Some(fault.name()), quoted, ..failure };
        match fault {
            SfenFault::DoesNotPromote(kind) | SfenFault::TooMany(kind) => {
                Self { kind: Some(kind.into()), ..failure }
            }
            SfenFault::SecondKing(color) => Self { color: Some(color.into()), ..failure },
            SfenFault::RankTooLong(rank) => Self { count: Some(rank.number().into()), ..failure },
            SfenFault::RankTooShort(rank, _) => Self { count: Some(rank.number().into()), ..failure },
            SfenFault::RanksMissing(ranks) => Self { count: Some(ranks.into()), ..failure },
            _ => failure,
        }
    }
}

impl From<KifuError> for Failure {
    fn from(error: KifuError) -> Self {
        let moves = match error.fault {
            Fault::Ambiguous(a, b) => Some([a.to_string(), b.to_string()]),
            _ => None,
        };
        let failure = match error.fault {
            Fault::Setup(why) => Self::from(why),
            _ => Self::default(),
        };
        let names = match error.fault {
            Fault::UnknownHandicap => similar_names(&error.text),
            _ => Vec::new(),
        };
        Self {
            game: error.game,
            line: Some(error.line),
            column: Some(error.column as usize),
            quoted: Some(error.text.clone()),
            moves,
            names,
            name: error.fault.name(),
            sentence: error.to_string(),
            ..failure
        }
    }
}

impl From<PackError> for Failure {
    fn from(error: PackError) -> Self {
        let failure = Self::new(error.name(), error);
        match error {
            PackError::KingMissing(color) => Self { color: Some(color.into()), ..failure },
            PackError::PieceRemoved(kind) => Self { kind: Some(kind.into()), ..failure },
            _ => failure,
        }
    }
}

impl From<UnpackError> for Failure {
    fn from(error: UnpackError) -> Self {
        Self { field: Some(error.field.name()), bit: Some(error.bit), ..Self::new(error.name(), error.fault) }
    }
}

impl From<UnplayableSetup> for Failure {
    fn from(error: UnplayableSetup) -> Self {
        let failure = |fault| Self { fault: Some(fault), ..Self::new("SETUP", error) };
        match error {
            UnplayableSetup::Set(SetupError::SecondKing(color)) => {
                failure("SECOND_KING").about_color(Some(color))
            }
            UnplayableSetup::Set(SetupError::TooMany(kind)) => {
                Self { kind: Some(kind.into()), ..failure("TOO_MANY") }
            }
            UnplayableSetup::Position(PositionFault::Nifu(color, pawns)) => {
                let file = pawns.first().map(|pawn| File::of(pawn).number().into());
                Self { count: file, ..failure("NIFU").about_color(Some(color)) }
            }
            UnplayableSetup::Position(PositionFault::DeadEnd(square, piece)) => {
                let (kind, color) = piece.to_parts();
                let failure = failure("DEAD_END").about_color(Some(color));
                Self { square: Some(square.into()), kind: Some(BaseKind::of(kind).into()), ..failure }
            }
            UnplayableSetup::InCheck(color) => failure("IN_CHECK").about_color(Some(color)),
            _ => Self::new("SETUP", error),
        }
    }
}

impl From<Illegality> for Failure {
    fn from(why: Illegality) -> Self {
        let failure = Self::new(why.name(), why);
        match why {
            Illegality::NotInHand(kind) => Self { kind: Some(kind.into()), ..failure },
            Illegality::Occupied(square)
            | Illegality::NoPiece(square)
            | Illegality::OpponentsPiece(square)
            | Illegality::OwnPiece(square) => Self { square: Some(square.into()), ..failure },
            Illegality::Nifu(file) => Self { count: Some(file.number().into()), ..failure },
            _ => failure,
        }
    }
}

impl From<Finding> for Failure {
    fn from(finding: Finding) -> Self {
        match finding {
            Finding::Record(RecordFault::Unpack(error)) => error.into(),
            Finding::Legality(LegalityFault::Illegal(why)) => why.into(),
            _ => Self::new(finding.name(), finding),
        }
    }
}

impl From<MoveTextError> for Failure {
    fn from(error: MoveTextError) -> Self {
        let name = match error {
            MoveTextError::Syntax(_) => "MOVE_TEXT",
            MoveTextError::Side => "MOVE_SIDE",
            MoveTextError::NoSuchMove => "MOVE_NO_SUCH",
            MoveTextError::Ambiguous(..) => "MOVE_AMBIGUOUS",
            _ => "MOVE",
        };
        let moves = match error {
            MoveTextError::Ambiguous(a, b) => Some([a.to_string(), b.to_string()]),
            _ => None,
        };
        Self { moves, ..Self::new(name, error) }
    }
}

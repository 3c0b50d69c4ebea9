//! [`Failure`]: why a call failed, and [`Sentence`]: what a person reads.

use komabako::board::SfenError;
use komabako::codec::{PackError, UnpackError};
use komabako::kifu::{KifuError, UnplayableSetup};
use komabako::messages::{Lang, Message};
use komabako::record::RecordFault;
use komabako::record::findings::Finding;
use komabako::record::legality::LegalityFault;
use komabako::rules::{Illegality, MoveTextError};
use serde::Serialize;

/// A sentence in both languages: the page may change its language at any time.
#[derive(Serialize, Debug, Default)]
pub struct Sentence {
    en: String,
    ja: String,
}

impl Sentence {
    /// What a message says.
    pub fn of(message: &dyn Message) -> Self {
        let message = &message;
        Self { en: message.in_lang(Lang::En).to_string(), ja: message.in_lang(Lang::Ja).to_string() }
    }
}

/// Why a call failed: a stable name, the sentence, and the place.
#[derive(Serialize, Debug, Default)]
#[serde(rename_all = "camelCase")]
pub struct Failure {
    name: &'static str,
    sentence: Sentence,
    #[serde(skip_serializing_if = "Option::is_none")]
    game: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<usize>,
    /// The first bit of the fault, for a word.
    #[serde(skip_serializing_if = "Option::is_none")]
    bit: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    index: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    usi: Option<String>,
}

impl Failure {
    /// A failure without a place.
    pub fn new(name: &'static str, message: &dyn Message) -> Self {
        Self { name, sentence: Sentence::of(message), ..Self::default() }
    }

    /// The failure with the index and text of a move in a list.
    pub fn at_move(self, index: usize, usi: &str) -> Self {
        Self { index: Some(index), usi: Some(usi.to_owned()), ..self }
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
        Self::new("SFEN", &error.with_advice()).at_column(error.column)
    }
}

impl From<KifuError> for Failure {
    fn from(error: KifuError) -> Self {
        let failure = Self::new(error.fault.name(), &error.with_advice());
        Self { game: error.game, ..failure.at_line(error.line).at_column(error.column as usize) }
    }
}

impl From<PackError> for Failure {
    fn from(error: PackError) -> Self {
        Self::new(error.name(), &error)
    }
}

impl From<UnpackError> for Failure {
    fn from(error: UnpackError) -> Self {
        Self { bit: Some(error.bit), ..Self::new(error.name(), &error) }
    }
}

impl From<UnplayableSetup> for Failure {
    fn from(error: UnplayableSetup) -> Self {
        Self::new("SETUP", &error)
    }
}

impl From<Illegality> for Failure {
    fn from(why: Illegality) -> Self {
        Self::new(why.name(), &why)
    }
}

impl From<Finding> for Failure {
    fn from(finding: Finding) -> Self {
        match finding {
            Finding::Record(RecordFault::Unpack(error)) => error.into(),
            Finding::Legality(LegalityFault::Illegal(why)) => why.into(),
            _ => Self::new(finding.name(), &finding),
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
        };
        Self::new(name, &error)
    }
}

//! [`GameChoice`]: the choice of whole games, by what is known of them and by their moves.

mod expression;
mod fields;
mod seen;
mod stats;

use komabako_kifu::Record;
use serde::Serialize;

pub use self::expression::GameExpression;
pub use self::fields::GameFields;
pub(crate) use self::seen::{SeenGames, record_hash, stored_hash};
pub use self::stats::{GameFigures, GameStats, NumberBin, NumberFigures, TextCount, TextFigures};
use crate::DatasetError;

/// The games that are taken: all, unless something is asked of them.
///
/// ```
/// use komabako_dataset::select::games::{GameChoice, GameFields, LeftOut};
/// let text = "N+elmo\n'black_rate:elmo+1:3012.5\nPI\n+\n+7776FU\n%TORYO\n";
/// let game = &komabako_kifu::read(text.as_bytes(), None)?[0];
/// let choice = |text: &str| GameChoice { games: Some(text.parse().unwrap()), ..GameChoice::default() };
/// let fields = GameFields::from_record(&game.record);
/// assert_eq!(choice("black == 'elmo' and black_rating > 3000").judge(&fields), None);
/// assert_eq!(choice("plies > 100").judge(&fields), Some(LeftOut::NotChosen));
/// assert_eq!(choice("rating_min > 3000").judge(&fields), Some(LeftOut::Unknown));
/// # Ok::<(), komabako_kifu::KifuError>(())
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct GameChoice {
    /// What must be true of a game.
    pub games: Option<GameExpression>,
    /// Whether of games with the same moves from the same start only the first is taken.
    pub unique: bool,
}

/// Takes or leaves out game records, one after the other.
pub struct GameChooser {
    choice: GameChoice,
    seen: SeenGames,
}

impl GameChooser {
    /// A chooser that has seen no game.
    pub fn new(choice: GameChoice) -> GameChooser {
        GameChooser { choice, seen: SeenGames::default() }
    }

    /// Why the next game is left out; `None` if it is taken.
    ///
    /// # Errors
    /// If a temporary file cannot be written or read, which the hashes of very many games need.
    pub fn judge(&mut self, record: &Record) -> Result<Option<LeftOut>, DatasetError> {
        let why = match self.choice.games {
            Some(_) => self.choice.judge(&GameFields::from_record(record)),
            None => None,
        };
        if why.is_none() && self.choice.unique && !self.seen.insert(record_hash(record))? {
            return Ok(Some(LeftOut::Duplicate));
        }
        Ok(why)
    }
}

/// Why a game is left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LeftOut {
    /// The expression is false.
    NotChosen,
    /// The expression is neither true nor false, because something is not known of the game.
    Unknown,
    /// An earlier game has the same start and moves.
    Duplicate,
}

/// The numbers of games that were left out, by the reason.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct LeftOutCounts {
    /// The expression is false.
    pub not_chosen: u64,
    /// Something is not known that the expression needs.
    pub unknown: u64,
    /// An earlier game has the same start and moves.
    pub duplicates: u64,
}

impl GameChoice {
    /// Why the expression leaves out a game; `None` if the game is taken, unless it is a duplicate.
    pub fn judge(&self, fields: &GameFields) -> Option<LeftOut> {
        match self.games.as_ref().map_or(Some(true), |games| games.value(fields)) {
            Some(true) => None,
            Some(false) => Some(LeftOut::NotChosen),
            None => Some(LeftOut::Unknown),
        }
    }

    /// Whether all games are taken.
    pub fn takes_all(&self) -> bool {
        self.games.is_none() && !self.unique
    }
}

impl LeftOutCounts {
    /// Counts a game.
    pub fn add(&mut self, why: LeftOut) {
        let count = match why {
            LeftOut::NotChosen => &mut self.not_chosen,
            LeftOut::Unknown => &mut self.unknown,
            LeftOut::Duplicate => &mut self.duplicates,
        };
        *count += 1;
    }

    /// Adds other counts.
    pub fn add_all(&mut self, other: LeftOutCounts) {
        self.not_chosen += other.not_chosen;
        self.unknown += other.unknown;
        self.duplicates += other.duplicates;
    }

    /// The number of all games that were left out.
    pub fn total(&self) -> u64 {
        self.not_chosen + self.unknown + self.duplicates
    }
}

//! [`GameFields`]: what is known of a game as a whole.

use std::borrow::Cow;

use komabako_board::Color;
use komabako_kifu::handicap::Handicap;
use komabako_kifu::{Outcome, Record};

use crate::block::BlockGame;
use crate::games;
use crate::record::{DECLARATION, EndReason, MOVE_LIMIT, REPETITION};
use crate::{FileFormat, GameResult};

/// The facts about a whole game. [`GameExpression`](super::GameExpression) has a name for each member.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct GameFields<'a> {
    /// The name of Black.
    pub black: Option<&'a str>,
    /// The name of White.
    pub white: Option<&'a str>,
    /// The rating of Black.
    pub black_rating: Option<f64>,
    /// The rating of White.
    pub white_rating: Option<f64>,
    /// The event (棋戦).
    pub event: Option<&'a str>,
    /// The place (場所).
    pub site: Option<&'a str>,
    /// The date by ISO 8601, as far as it is known: `2026-07-19T10:00:03` or a beginning of it.
    pub date: Option<String>,
    /// The time control (持ち時間), in the words of the record.
    pub time_control: Option<&'a str>,
    /// The KIF name of the start position, such as `平手`; `その他` for one without a name.
    pub handicap: Option<&'a str>,
    /// The number of moves of the main line.
    pub plies: u64,
    /// The ending by its name in CSA files (`TORYO`), or else by its word in KIF files.
    pub ending: Option<Cow<'a, str>>,
    /// The outcome.
    pub outcome: Option<Outcome>,
    /// The number of moves of the main line that have a score.
    pub scored: u64,
    /// The number of lines besides the main line.
    pub variations: u64,
}

impl<'a> GameFields<'a> {
    /// The fields of a game record.
    pub fn from_record(record: &'a Record) -> Self {
        let filled = |text: Option<&'a str>| text.filter(|text| !text.is_empty());
        GameFields {
            black: filled(record.player(Color::Black)),
            white: filled(record.player(Color::White)),
            black_rating: record.rating(Color::Black),
            white_rating: record.rating(Color::White),
            event: record.event(),
            site: record.site(),
            date: record.iso_date(),
            time_control: record.time_control(),
            handicap: Some(record.handicap()),
            plies: record.plies() as u64,
            ending: record.ending_name(),
            outcome: record.result(),
            scored: record.scored() as u64,
            variations: record.variation_count() as u64,
        }
    }

    /// The fields of a game of records. Every move has a score there; names, ratings and dates are unknown.
    pub(crate) fn from_stored(format: FileFormat, game: &BlockGame) -> GameFields<'static> {
        let labels = games::labels(format, game.bytes);
        let name = |start| Handicap::of_setup(&start).map_or("その他", |known| known.name);
        let ending = match (labels.extras.end_reason, labels.extras.end_flags) {
            (Some(reason), _) => Some(reason),
            (None, REPETITION) => Some(EndReason::Repetition),
            (None, MOVE_LIMIT) => Some(EndReason::MoveLimit),
            (None, DECLARATION) => Some(EndReason::Declaration27),
            _ => None,
        };
        GameFields {
            handicap: labels.start.map(name),
            plies: game.moves as u64,
            ending: ending.and_then(ending_name).map(Cow::Borrowed),
            outcome: labels.result.map(|result| match result {
                GameResult::BlackWin => Outcome::Win(Color::Black),
                GameResult::WhiteWin => Outcome::Win(Color::White),
                GameResult::Draw => Outcome::Draw,
            }),
            scored: game.moves as u64,
            ..GameFields::default()
        }
    }

    /// The lower rating of the two.
    pub fn rating_min(&self) -> Option<f64> {
        Some(self.black_rating?.min(self.white_rating?))
    }

    /// The higher rating of the two.
    pub fn rating_max(&self) -> Option<f64> {
        Some(self.black_rating?.max(self.white_rating?))
    }

    /// The winner as a word: `black`, `white` or `draw`.
    pub fn winner(&self) -> Option<&'static str> {
        Some(match self.outcome? {
            Outcome::Win(Color::Black) => "black",
            Outcome::Win(Color::White) => "white",
            Outcome::Draw => "draw",
        })
    }

    /// Whether a move has a score.
    pub fn has_scores(&self) -> bool {
        self.scored > 0
    }
}

/// The name in CSA files of a reason for an ending.
fn ending_name(reason: EndReason) -> Option<&'static str> {
    Some(match reason {
        EndReason::Resignation => "TORYO",
        EndReason::Repetition => "SENNICHITE",
        EndReason::MoveLimit => "MAX_MOVES",
        EndReason::Interruption => "CHUDAN",
        EndReason::TimeOut => "TIME_UP",
        EndReason::IllegalMove | EndReason::PerpetualCheck => "ILLEGAL_MOVE",
        EndReason::Declaration24 | EndReason::Declaration27 | EndReason::Try => "KACHI",
        EndReason::DeclaredDraw24 => "JISHOGI",
        _ => return None,
    })
}

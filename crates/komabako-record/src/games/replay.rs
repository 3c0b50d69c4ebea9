//! [`Replay`]: reads the records of a game one by one.

use komabako_board::Setup;
use komabako_codec::Word;
use komabako_rules::State;
use komabako_variants::WordFormat;

use super::fields::Fields;
use super::join::state_of;
use super::{GameCause, GameFault, GamePlace, hcpe3, pack};
use crate::block::BlockGame;
use crate::move16::MoveEncoding;
use crate::record::{Extras, Labels, MoveBits};
use crate::{FileFormat, GameResult, Record};

/// A whole game as stored.
pub(super) struct StoredGame<'a> {
    pub start: Start,
    /// The ply of the start position, if it is known.
    pub ply: Option<u32>,
    /// The result, or an invalid code.
    pub result: Result<GameResult, u8>,
    pub extras: Extras,
    /// The number of bytes before the moves.
    pub header: usize,
    /// The bytes of the moves only.
    pub moves: Fields<'a>,
}

/// The start position of a game.
pub(super) enum Start {
    /// The start position of an even game.
    Even,
    /// A word of HuffmanCodedPos.
    Stored(Word),
}

/// A move as stored.
pub(super) struct StoredMove {
    /// In Apery's encoding.
    pub bits: u16,
    pub score: i16,
    /// Whether the position is marked as not for training.
    pub is_unfit: bool,
}

/// The word of a position of a game.
///
/// # Panics
/// If a king is missing.
pub(super) fn word(setup: &Setup) -> Word {
    WordFormat::Hcp.pack(setup).expect("the position of a game has both kings")
}

/// Reads the next move of a game.
type Next = fn(&mut Fields) -> Option<StoredMove>;

/// A whole game, and the reader of its moves.
fn stored(format: FileFormat, game: &[u8]) -> (StoredGame<'_>, Next) {
    match format {
        FileFormat::Hcpe3 => (hcpe3::open(game), hcpe3::next),
        _ => (pack::open(game), pack::next),
    }
}

/// The stored bytes of each move of a game.
pub(super) fn entries(format: FileFormat, game: &[u8]) -> impl Iterator<Item = &[u8]> {
    let (StoredGame { mut moves, .. }, next) = stored(format, game);
    core::iter::from_fn(move || {
        let Fields(entry) = moves;
        next(&mut moves)?;
        Some(&entry[..entry.len() - moves.0.len()])
    })
}

/// The byte of a whole game at which the entry of a move starts; moves are counted from 1.
fn offset_of(format: FileFormat, game: &[u8], number: usize) -> usize {
    let (StoredGame { header, .. }, _) = stored(format, game);
    header + entries(format, game).take(number - 1).map(<[u8]>::len).sum::<usize>()
}

/// The fault of a game of a block, or of one of its moves, counted from 1.
pub(crate) fn fault_of(format: FileFormat, game: &BlockGame, number: u32, cause: GameCause) -> GameFault {
    let within = if cause.is_of_move() { offset_of(format, game.bytes, number as usize) } else { 0 };
    let place = GamePlace { game: game.number, number };
    GameFault { place, offset: game.offset + within as u64, cause }
}

/// What a stored game says as a whole.
#[derive(Clone, Debug)]
pub struct GameLabels {
    /// The start position; `None` if its word is damaged.
    pub start: Option<Setup>,
    /// The result; `None` if its code is invalid.
    pub result: Option<GameResult>,
    /// The reason of the end, or its flags.
    pub extras: Extras,
}

/// What a whole game says, without playing its moves.
pub fn labels(format: FileFormat, game: &[u8]) -> GameLabels {
    let (StoredGame { start, result, extras, .. }, _) = stored(format, game);
    let start = match start {
        Start::Even => Some(Setup::START),
        Start::Stored(word) => WordFormat::Hcp.unpack(&word).ok(),
    };
    GameLabels { start, result: result.ok(), extras }
}

/// The word of the start position of a whole game in HuffmanCodedPos, and its moves in Apery's encoding.
pub fn start_and_moves(format: FileFormat, game: &[u8]) -> (Word, impl Iterator<Item = u16>) {
    let (StoredGame { start, mut moves, .. }, next) = stored(format, game);
    let start = match start {
        Start::Even => word(&Setup::START),
        Start::Stored(word) => word,
    };
    (start, core::iter::from_fn(move || next(&mut moves).map(|mv| mv.bits)))
}

/// The records of a whole game. After a fault the iterator must not be advanced.
pub fn records(format: FileFormat, game: &[u8]) -> impl Iterator<Item = Result<Record, GameCause>> {
    let mut replay = Replay::open(format, game);
    core::iter::from_fn(move || match &mut replay {
        Ok(replay) => replay.step(),
        Err(cause) => Some(Err(*cause)),
    })
}

/// A replay that is paused in the middle of its game.
pub(crate) struct Paused {
    state: State<()>,
    labels: Labels,
    /// The number of bytes of moves still to be read.
    left: usize,
}

/// A game that is being replayed.
pub(crate) struct Replay<'a> {
    state: State<()>,
    /// The labels of the next record, without its move and score.
    labels: Labels,
    moves: Fields<'a>,
    next: Next,
}

impl<'a> Replay<'a> {
    /// Sets up the start of a whole game.
    ///
    /// # Errors
    /// A fault of the game other than in its moves.
    pub fn open(format: FileFormat, game: &'a [u8]) -> Result<Replay<'a>, GameCause> {
        let (StoredGame { start, ply, result, extras, moves, .. }, next) = stored(format, game);
        let setup = match start {
            Start::Even => Setup::START,
            Start::Stored(word) => WordFormat::Hcp.unpack(&word).map_err(GameCause::Start)?,
        };
        let result = Some(result.map_err(GameCause::Result)?);
        let state = state_of(&setup)?;
        let labels = Labels { result, ply, extras, ..Labels::default() };
        Ok(Replay { state, labels, moves, next })
    }

    /// Pauses the replay; [`Replay::resume`] continues it.
    pub fn pause(self) -> Paused {
        Paused { state: self.state, labels: self.labels, left: self.moves.0.len() }
    }

    /// Resumes the replay of a game.
    ///
    /// # Panics
    /// May panic if another game was paused.
    pub fn resume(paused: Paused, format: FileFormat, game: &'a [u8]) -> Replay<'a> {
        let Paused { state, labels, left } = paused;
        let (StoredGame { moves: Fields(all), .. }, next) = stored(format, game);
        Replay { state, labels, moves: Fields(&all[all.len() - left..]), next }
    }

    /// Returns the next record and plays its move; `None` at the end of the game.
    ///
    /// # Errors
    /// The reason why the move cannot be played. No further step is possible then.
    pub fn step(&mut self) -> Option<Result<Record, GameCause>> {
        let StoredMove { bits, score, is_unfit } = (self.next)(&mut self.moves)?;
        let best_move = MoveBits { bits, encoding: MoveEncoding::Apery };
        Some(self.play(best_move).map(|setup| {
            let Labels { result, ply, extras, .. } = self.labels;
            self.labels.ply = ply.map(|ply| ply + 1);
            let extras = Extras { is_unfit, ..extras };
            let labels = Labels { score: Some(score), best_move: Some(best_move), result, ply, extras };
            Record { setup, labels }
        }))
    }

    /// Plays a move and returns the position before it.
    fn play(&mut self, mv: MoveBits) -> Result<Setup, GameCause> {
        let mv = mv.decode().map_err(GameCause::Bits)?;
        let piece_move = mv;
        self.state.judge(piece_move).map_err(|reason| GameCause::Illegal(mv, reason))?;
        let setup = self.state.setup();
        self.state.do_move(piece_move);
        Ok(setup)
    }

    /// The current position, after the moves played so far.
    pub fn state(&self) -> &State<()> {
        &self.state
    }

    /// The outcome of the whole game: its result and the extras that describe its end.
    pub fn outcome(&self) -> (GameResult, Extras) {
        (self.labels.result.expect("a replay has a result"), self.labels.extras)
    }
}

//! [`GameFault`]: where a game cannot be replayed further, and why.

use core::fmt;

use komabako_board::PositionFault;
use komabako_codec::UnpackError;
use komabako_rules::{Illegality, OpponentInCheck};

use super::GamePlace;
use super::replay::offset_of;
use crate::FileFormat;
use crate::block::BlockGame;
use crate::move16::{Move16, MoveFault};

/// Where a game stops, and why.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameFault {
    /// The game, and the move that is at fault; move 1 if it is the game as a whole.
    pub place: GamePlace,
    /// The byte of the stream at which that move starts, or the game.
    pub offset: u64,
    /// What is wrong.
    pub cause: GameCause,
}

/// Why a game cannot be replayed further, or a record be a position of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum GameCause {
    /// The start position does not decode.
    Start(UnpackError),
    /// No game can be played from the start position; its first fault.
    Position(PositionFault),
    /// At the start, the side that is not to move is in check.
    OpponentInCheck,
    /// The code of the result is not one of the format's.
    Result(u8),
    /// The bits of the move are not well-formed.
    Bits(MoveFault),
    /// The rules forbid the move.
    Illegal(Move16, Illegality),
}

impl GameFault {
    /// The fault of a game of a block, or of one of its moves, counted from 1.
    pub(crate) fn of(format: FileFormat, game: &BlockGame, number: u32, cause: GameCause) -> GameFault {
        let within = if cause.is_of_move() { offset_of(format, game.bytes, number as usize) } else { 0 };
        let place = GamePlace { game: game.number, number };
        GameFault { place, offset: game.offset + within as u64, cause }
    }
}

impl GameCause {
    /// The cause's name for reports, e.g. `MOVE_NIFU`.
    pub const fn name(&self) -> &'static str {
        match self {
            GameCause::Start(error) => error.name(),
            GameCause::Position(PositionFault::Nifu(..)) => "POSITION_NIFU",
            GameCause::Position(PositionFault::DeadEnd(..)) => "POSITION_DEAD_END",
            GameCause::Position(_) => "POSITION",
            GameCause::OpponentInCheck => "POSITION_OPPONENT_IN_CHECK",
            GameCause::Result(_) => "RESULT",
            GameCause::Bits(fault) => fault.name(),
            GameCause::Illegal(_, reason) => reason.name(),
        }
    }

    /// Whether a move is at fault, not the game as a whole.
    pub const fn is_of_move(&self) -> bool {
        matches!(self, GameCause::Bits(_) | GameCause::Illegal(..))
    }
}

impl fmt::Display for GameFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let GamePlace { game, number } = self.place;
        match &self.cause {
            GameCause::Bits(_) | GameCause::Illegal(..) => {
                write!(f, "game {game}, move {number} (byte {}): {}", self.offset, self.cause)
            }
            GameCause::Result(_) => write!(f, "game {game}, {}", self.cause),
            _ => write!(f, "game {game}, start {}", self.cause),
        }
    }
}

impl fmt::Display for GameCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GameCause::Start(error) => write!(f, "position: {error}"),
            GameCause::Position(fault) => write!(f, "position: {fault}"),
            GameCause::OpponentInCheck => write!(f, "position: {OpponentInCheck}"),
            GameCause::Result(code) => write!(f, "result: {code} is not a result in this format"),
            GameCause::Bits(fault) => fault.fmt(f),
            GameCause::Illegal(mv, reason) => write!(f, "{mv} is illegal: {reason}"),
        }
    }
}

impl core::error::Error for GameFault {}

impl core::error::Error for GameCause {}

//! [`check`]: whether games are played by the rules to the ends that are declared (`spec/formats.md` §10, level 10).

use core::fmt;

use komabako_board::{BaseKind, Color, Setup, color};
use komabako_rules::{DeclarationRule, MoveList};

use super::replay::{Replay, records};
use super::{EndReason, GameFault, GamePlace};
use crate::block::{Block, BlockGame};
use crate::record::DECLARATION;
use crate::{FileFormat, GameResult};

/// A game that is not in order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StreamFinding {
    /// The number of the game in the stream, counted from 0.
    pub game: u64,
    /// The byte of the stream at which it starts.
    pub offset: u64,
    /// What is wrong.
    pub fault: StreamFault,
}

/// What is wrong with a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum StreamFault {
    /// It cannot be replayed to its end.
    Replay(GameFault),
    /// Its result, or why it is said to have ended, does not fit its final position.
    End(EndFault),
}

/// What is wrong with the end of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum EndFault {
    /// The side to move has no legal move and is not said to have lost.
    Mated(Color),
    /// The result is not the one that this reason has for the side to move.
    Outcome(EndReason),
    /// The side to move may not declare what it is said to have.
    Declaration(Color),
    /// The game is said to end by a repetition, and its final position has not occurred before.
    Repetition,
}

impl StreamFault {
    /// The fault's name for reports, e.g. `MOVE_NIFU` or `END_MATED`.
    pub const fn name(&self) -> &'static str {
        match self {
            StreamFault::Replay(fault) => fault.cause.name(),
            StreamFault::End(EndFault::Mated(_)) => "END_MATED",
            StreamFault::End(EndFault::Outcome(_)) => "END_OUTCOME",
            StreamFault::End(EndFault::Declaration(_)) => "END_DECLARATION",
            StreamFault::End(EndFault::Repetition) => "END_REPETITION",
        }
    }
}

impl fmt::Display for StreamFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StreamFault::Replay(fault) => fault.fmt(f),
            StreamFault::End(fault) => fault.fmt(f),
        }
    }
}

impl fmt::Display for EndFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EndFault::Mated(side) => write!(f, "{side:?} is mated and is not said to have lost"),
            EndFault::Outcome(reason) => {
                write!(f, "the result is not that of the reason {} ({})", reason.code(), reason.name())
            }
            EndFault::Declaration(side) => write!(f, "{side:?} may not declare what it is said to have"),
            EndFault::Repetition => {
                f.write_str("the position that is said to be repeated has not occurred before")
            }
        }
    }
}

impl core::error::Error for StreamFault {}

impl core::error::Error for EndFault {}

/// Judges the games of a block: every move by the rules, then the result and the reason of the end by the final
/// position. At most one finding a game, in the order of the games; none if the format has no games. The end of a stream
/// inside a game is the [reader's](crate::RecordReader) to tell.
///
/// A repetition is looked for only in `.pack` games from the even-game position, since others may have a history that is
/// not stored, and the try rule is not applied. About 100 ns a move.
///
/// # Panics
/// If the block is of another format.
pub fn check(format: FileFormat, block: &Block) -> Vec<StreamFinding> {
    let judged = block.games().filter_map(|game| {
        let fault = judge(format, &game).err()?;
        Some(StreamFinding { game: game.number, offset: game.offset, fault })
    });
    judged.collect()
}

fn judge(format: FileFormat, game: &BlockGame) -> Result<(), StreamFault> {
    let at = |number, cause| {
        StreamFault::Replay(GameFault { place: GamePlace { game: game.number, number }, cause })
    };
    let mut replay = Replay::open(format, game.bytes).map_err(|cause| at(1, cause))?;
    let start = replay.state().setup();
    let mut number = 1;
    while let Some(step) = replay.step() {
        step.map_err(|cause| at(number, cause))?;
        number += 1;
    }
    judge_end(&replay, &start).map_err(StreamFault::End)?;
    let (_, extras) = replay.outcome();
    let repeats = matches!(extras.end_reason, Some(EndReason::Repetition | EndReason::PerpetualCheck));
    if repeats && start == Setup::START && !occurred(&replay.state().setup(), format, game) {
        return Err(StreamFault::End(EndFault::Repetition));
    }
    Ok(())
}

/// Judges the final position.
fn judge_end(replay: &Replay, start: &Setup) -> Result<(), EndFault> {
    let state = replay.state();
    let (result, extras) = replay.outcome();
    let side = state.side_to_move();
    let (wins, loses) = (GameResult::win_of(side), GameResult::win_of(color::opponent(side)));
    let mut moves = MoveList::new();
    state.legal_moves(&mut moves);
    if moves.is_empty() && result != loses {
        return Err(EndFault::Mated(side));
    }
    let is_declared = match extras.end_reason {
        None => extras.end_flags & DECLARATION != 0 && result != GameResult::Draw,
        Some(reason) => {
            let expected = match reason {
                EndReason::Interruption => result,
                EndReason::Repetition | EndReason::MoveLimit | EndReason::DeclaredDraw24 => GameResult::Draw,
                EndReason::Declaration24 | EndReason::Declaration27 | EndReason::Try => wins,
                EndReason::Resignation
                | EndReason::TimeOut
                | EndReason::IllegalMove
                | EndReason::PerpetualCheck => loses,
            };
            if result != expected {
                return Err(EndFault::Outcome(reason));
            }
            matches!(reason, EndReason::Declaration24 | EndReason::DeclaredDraw24 | EndReason::Declaration27)
        }
    };
    if is_declared && !may_declare(replay, result, start) {
        return Err(EndFault::Declaration(side));
    }
    Ok(())
}

/// Whether the side to move, which is said to have declared, may do so. A win by the 27 points is enough, because GenSfen
/// gives the same code to every declaration.
fn may_declare(replay: &Replay, result: GameResult, start: &Setup) -> bool {
    let state = replay.state();
    let bonus = match state.side_to_move() {
        Color::Black => 0,
        Color::White => removed_points(start),
    };
    let rule = match result {
        GameResult::Draw => DeclarationRule::Points24,
        _ => DeclarationRule::Points27,
    };
    result.winner().is_none_or(|winner| winner == state.side_to_move())
        && state.declare(rule, bonus).is_some()
}

/// The points of the pieces that a handicap leaves out.
fn removed_points(start: &Setup) -> u32 {
    let points = |kind| match kind {
        BaseKind::Bishop | BaseKind::Rook => 5,
        _ => 1,
    };
    BaseKind::IN_HAND.into_iter().map(|kind| u32::from(start.removed(kind)) * points(kind)).sum()
}

/// Whether a position occurs in a game before a move.
fn occurred(setup: &Setup, format: FileFormat, game: &BlockGame) -> bool {
    records(format, game.bytes).any(|record| record.is_ok_and(|record| record.setup == *setup))
}

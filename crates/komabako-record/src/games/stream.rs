//! [`check`]: whether games follow the rules up to their declared end (`spec/formats.md` §10, level 10).

use alloc::vec::Vec;

use komabako_board::{BaseKind, Color, Setup, color};
use komabako_messages::messages;
use komabako_rules::{DeclarationRule, MoveList, State};

use super::replay::{Replay, fault_of, records};
use super::{EndReason, GameFault};
use crate::block::{Block, BlockGame};
use crate::record::DECLARATION;
use crate::{FileFormat, GameResult};

/// A game with a fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StreamFinding {
    /// The number of the game in the stream, counted from 0.
    pub game: u64,
    /// The byte of the stream at which it starts.
    pub offset: u64,
    /// The number in the stream of the faulty record: the record of the faulty move, or the last record if the end of the
    /// game is at fault. For a game without moves, the number that its first record would have.
    pub record: u64,
    /// The fault.
    pub fault: StreamFault,
}

/// A fault of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum StreamFault {
    /// It cannot be replayed to its end.
    Replay(GameFault),
    /// Its result, or the declared reason of its end, does not fit its final position.
    End(EndFault),
}

/// A fault of the end of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum EndFault {
    /// The side to move has no legal move, but the game is not recorded as lost for it.
    Mated(Color),
    /// The result contradicts this reason, given the side to move.
    Outcome(EndReason),
    /// The game is recorded as declared, but the side to move may not declare.
    Declaration(Color),
    /// The game is recorded as ended by repetition, but its final position has not occurred before.
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

messages! {
    StreamFault {
        Replay(fault) => "{fault}", "{fault}";
        End(fault) => "{fault}", "{fault}";
    }
}

messages! {
    EndFault {
        Mated(side) => "{side} is mated, but is not recorded as the loser", "{side}が詰んでいるのに負けになっていません";
        Outcome(reason) => "the result contradicts the reason {reason}", "勝敗が終局の理由 {reason} と合いません";
        Declaration(side) => "a declaration of {side} is recorded, but not allowed", "{side}は宣言の条件を満たしていません";
        Repetition => "a repetition is recorded, but the final position has not occurred before",
            "千日手とされた局面が前に現れていません";
    }
}

impl core::error::Error for StreamFault {}

impl core::error::Error for EndFault {}

/// Judges the games of a block: every move by the rules, then the result and the reason of the end by the final position.
/// Returns at most one finding per game, in the order of the games; none if the format has no games. A stream that ends
/// inside a game must be reported by its reader.
///
/// Repetition is checked only in `.pack` games from the even-game position, since other games may have an earlier history
/// that is not stored. The try rule is not checked. About 100 ns per move.
///
/// # Panics
/// If the block is of another format.
pub fn check(format: FileFormat, block: &Block) -> Vec<StreamFinding> {
    let judged = block.games().filter_map(|game| {
        let fault = judge(format, &game).err()?;
        let index = match fault {
            StreamFault::Replay(fault) => fault.place.number as usize - 1,
            StreamFault::End(_) => game.moves.saturating_sub(1),
        };
        let record = block.first_record() + (game.first + index) as u64;
        Some(StreamFinding { game: game.number, offset: game.offset, record, fault })
    });
    judged.collect()
}

fn judge(format: FileFormat, game: &BlockGame) -> Result<(), StreamFault> {
    let at = |number, cause| StreamFault::Replay(fault_of(format, game, number, cause));
    let mut replay = Replay::open(format, game.bytes).map_err(|cause| at(1, cause))?;
    let start = replay.state().setup();
    let mut number = 1;
    while let Some(step) = replay.step() {
        step.map_err(|cause| at(number, cause))?;
        number += 1;
    }
    let last = replay.state().setup();
    let repeats =
        || records(format, game.bytes).any(|record| record.is_ok_and(|record| record.setup == last));
    judge_end(&replay, &start, repeats).map_err(StreamFault::End)
}

/// Judges the result and the reason of a replayed game. `repeats` returns whether the final position occurred before.
fn judge_end(replay: &Replay, start: &Setup, repeats: impl Fn() -> bool) -> Result<(), EndFault> {
    let state = replay.state();
    let (result, extras) = replay.outcome();
    let side = state.side_to_move();
    let mut moves = MoveList::new();
    state.legal_moves(&mut moves);
    if moves.is_empty() && result != GameResult::win_of(color::opponent(side)) {
        return Err(EndFault::Mated(side));
    }
    match extras.end_reason {
        Some(reason) => judge_reason(reason, result, state, start, repeats),
        None => judge_flags(extras.end_flags, result, state, start),
    }
}

/// Judges the flags of an hcpe3 game by the result, the start and the final position.
pub(super) fn judge_flags(
    flags: u8,
    result: GameResult,
    state: &State<()>,
    start: &Setup,
) -> Result<(), EndFault> {
    // With a draw, dlshogi's flag does not say which side declared.
    if flags & DECLARATION == 0 || result == GameResult::Draw {
        return Ok(());
    }
    judge_reason(EndReason::Declaration27, result, state, start, || false)
        .map_err(|_| EndFault::Declaration(state.side_to_move()))
}

/// Judges a reason by the result, the start and the final position.
pub(super) fn judge_reason(
    reason: EndReason,
    result: GameResult,
    state: &State<()>,
    start: &Setup,
    repeats: impl Fn() -> bool,
) -> Result<(), EndFault> {
    let side = state.side_to_move();
    let expected = match reason {
        EndReason::Interruption => result,
        EndReason::Repetition | EndReason::MoveLimit | EndReason::DeclaredDraw24 => GameResult::Draw,
        EndReason::Declaration24 | EndReason::Declaration27 | EndReason::Try => GameResult::win_of(side),
        EndReason::Resignation | EndReason::TimeOut | EndReason::IllegalMove | EndReason::PerpetualCheck => {
            GameResult::win_of(color::opponent(side))
        }
    };
    if result != expected {
        return Err(EndFault::Outcome(reason));
    }
    match reason {
        // Enough points for a win by the 27-point rule suffice, because GenSfen writes the same code for every declared
        // win.
        EndReason::Declaration24 | EndReason::Declaration27
            if !may_declare(DeclarationRule::Points27, state, start) =>
        {
            Err(EndFault::Declaration(side))
        }
        EndReason::DeclaredDraw24 if !may_declare(DeclarationRule::Points24, state, start) => {
            Err(EndFault::Declaration(side))
        }
        EndReason::Repetition | EndReason::PerpetualCheck if *start == Setup::START && !repeats() => {
            Err(EndFault::Repetition)
        }
        _ => Ok(()),
    }
}

/// Whether the side to move may declare.
fn may_declare(rule: DeclarationRule, state: &State<()>, start: &Setup) -> bool {
    let bonus = match state.side_to_move() {
        Color::Black => 0,
        Color::White => removed_points(start),
    };
    state.declare(rule, bonus).is_some()
}

/// The points of the pieces that a handicap removes.
fn removed_points(start: &Setup) -> u32 {
    let points = |kind| match kind {
        BaseKind::Bishop | BaseKind::Rook => 5,
        _ => 1,
    };
    BaseKind::IN_HAND.into_iter().map(|kind| u32::from(start.removed(kind)) * points(kind)).sum()
}

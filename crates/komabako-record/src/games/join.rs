//! [`GameFragments`]: records in game order, joined to pieces of games.

use alloc::vec::Vec;

use komabako_board::{Position, Setup};
use komabako_rules::{Move16, OpponentInCheck, State};

use super::GameCause;
use crate::fault::RecordFault;
use crate::move16::{self, MoveAction};
use crate::record::{Extras, Labels};
use crate::{FileFormat, GameResult};

/// Records that follow one another by their moves, in pieces of games.
///
/// A worker joins the records of a block; [`GameWriter`](super::GameWriter) joins the pieces of the blocks, in order.
#[derive(Default)]
pub struct GameFragments {
    stretches: Vec<Stretch>,
    moves: Vec<PlayedMove>,
    /// The position after the last move, if that is known.
    state: Option<State<()>>,
}

/// Consecutive positions of a game.
pub(super) struct Stretch {
    pub opening: Opening,
    /// The position after the last move.
    pub next: Setup,
    /// Where its moves end among those of the block.
    end: usize,
}

/// The header of a game, or of a stretch of one.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Opening {
    pub start: Setup,
    /// The ply of the start, if it is known.
    pub ply: Option<u32>,
    pub outcome: Outcome,
}

/// The labels that all records of a game share.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Outcome {
    pub result: Option<GameResult>,
    /// Those that are of a game, not of a position.
    pub extras: Extras,
}

/// A move that is legal where it is played.
#[derive(Clone, Copy)]
pub(super) struct PlayedMove {
    pub mv: move16::MoveField,
    pub score: i16,
    /// Whether the position is not for training.
    pub is_unfit: bool,
}

impl PlayedMove {
    /// The move as the rules have it.
    pub fn move16(&self) -> Move16 {
        self.mv.to_move16()
    }
}

impl Opening {
    fn new(setup: &Setup, labels: &Labels) -> Opening {
        let Extras { end_flags, end_reason, opponent, .. } = labels.extras;
        let extras = Extras { end_flags, end_reason, opponent, ..Extras::default() };
        Opening { start: *setup, ply: labels.ply, outcome: Outcome { result: labels.result, extras } }
    }

    /// The header of a stretch that continues this one after some moves.
    pub fn after(&self, moves: usize, next: &Setup) -> Opening {
        let ply = self.ply.map(|ply| ply.saturating_add(moves as u32));
        Opening { start: *next, ply, outcome: self.outcome }
    }
}

impl GameFragments {
    /// Forgets the records of an earlier block.
    pub fn clear(&mut self) {
        self.stretches.clear();
        self.moves.clear();
        self.state = None;
    }

    /// Adds a record.
    ///
    /// # Errors
    /// Why it cannot be a position of a game in the format; it is left out.
    pub fn push(&mut self, format: FileFormat, setup: &Setup, labels: &Labels) -> Result<(), RecordFault> {
        let mv = labels.best_move.ok_or(RecordFault::NotPlayed)?.decode().map_err(RecordFault::Move)?;
        if !matches!(mv.action(), MoveAction::Normal { .. } | MoveAction::Drop { .. }) {
            return Err(RecordFault::NotPlayed);
        }
        if format == FileFormat::Pack {
            labels.ply16()?;
        }
        let opening = Opening::new(setup, labels);
        let follows = self.stretches.last().is_some_and(|last| self.opening_after(last) == opening);
        let mut state = match self.state.take().filter(|_| follows) {
            Some(state) => state,
            None => state_of(setup).map_err(RecordFault::Unplayable)?,
        };
        let piece_move = mv.to_move16();
        state.judge(piece_move).map_err(|reason| RecordFault::Unplayable(GameCause::Illegal(mv, reason)))?;
        state.do_move(piece_move);
        let (score, is_unfit) = (labels.score.unwrap_or(0), labels.extras.is_unfit);
        self.moves.push(PlayedMove { mv, score, is_unfit });
        let (next, end) = (state.setup(), self.moves.len());
        self.state = Some(state);
        match self.stretches.last_mut().filter(|_| follows) {
            Some(last) => (last.next, last.end) = (next, end),
            None => self.stretches.push(Stretch { opening, next, end }),
        }
        Ok(())
    }

    /// Whether the first record continues the game of the last record of `earlier`.
    pub fn continues(&self, earlier: &GameFragments) -> bool {
        let (Some(last), Some(first)) = (earlier.stretches.last(), self.stretches.first()) else {
            return false;
        };
        earlier.opening_after(last) == first.opening
    }

    /// Whether it has no record.
    pub fn is_empty(&self) -> bool {
        self.stretches.is_empty()
    }

    fn opening_after(&self, last: &Stretch) -> Opening {
        let start = self.stretches.len().checked_sub(2).map_or(0, |index| self.stretches[index].end);
        last.opening.after(last.end - start, &last.next)
    }

    /// The pieces with their moves.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&Stretch, &[PlayedMove])> {
        let mut start = 0;
        self.stretches.iter().map(move |stretch| {
            let moves = &self.moves[start..stretch.end];
            start = stretch.end;
            (stretch, moves)
        })
    }
}

/// The state to play from.
pub(super) fn state_of(setup: &Setup) -> Result<State<()>, GameCause> {
    let position = Position::new(*setup).map_err(|error| GameCause::Position(error.faults()[0]))?;
    State::new(&position).map_err(|OpponentInCheck| GameCause::OpponentInCheck)
}

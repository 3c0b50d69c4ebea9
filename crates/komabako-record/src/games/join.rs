//! [`GameFragments`]: records in game order, joined to fragments of games.

use alloc::boxed::Box;
use alloc::vec::Vec;

use komabako_board::{Position, Setup};
use komabako_rules::{Move16, OpponentInCheck, State};

use super::GameCause;
use crate::fault::RecordFault;
use crate::record::{Extras, Labels};
use crate::{FileFormat, GameResult};

/// Fragments of games: runs of records whose moves lead from one to the next.
///
/// A worker joins the records of a block; [`GameWriter`](super::GameWriter) joins the fragments of the blocks, in order.
#[derive(Debug, Default)]
pub struct GameFragments {
    fragments: Vec<Fragment>,
    moves: Vec<PlayedMove>,
    /// The position after the last move, if it is known.
    state: Option<State<()>>,
}

/// Consecutive positions of a game.
#[derive(Debug)]
pub(super) struct Fragment {
    pub header: GameHeader,
    /// The position after the last move.
    pub next: Setup,
    /// The end of its moves in [`GameFragments::moves`].
    end: usize,
}

/// The header of a game, or of a fragment of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct GameHeader {
    pub start: Setup,
    /// The ply of the start position, if it is known.
    pub ply: Option<u32>,
    pub outcome: Outcome,
}

/// The labels that all records of a game share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Outcome {
    pub result: Option<GameResult>,
    /// Only the extras that belong to a game rather than to a position.
    pub extras: Extras,
}

/// A move that was checked to be legal.
#[derive(Clone, Debug)]
pub(super) struct PlayedMove {
    pub mv: Move16,
    pub score: i16,
    /// Whether the position is not for training.
    pub is_unfit: bool,
    /// The candidates of the search and their visits, if the source has them.
    pub candidates: Box<[(Move16, u16)]>,
}

impl GameHeader {
    fn new(setup: &Setup, labels: &Labels) -> GameHeader {
        let Extras { end_flags, end_reason, opponent, .. } = labels.extras;
        let extras = Extras { end_flags, end_reason, opponent, ..Extras::default() };
        GameHeader { start: *setup, ply: labels.ply, outcome: Outcome { result: labels.result, extras } }
    }

    /// The header of a fragment that continues this one after `moves` moves.
    pub fn after(&self, moves: usize, next: &Setup) -> GameHeader {
        let ply = self.ply.map(|ply| ply.saturating_add(moves as u32));
        GameHeader { start: *next, ply, outcome: self.outcome }
    }
}

impl GameFragments {
    /// Removes the records of an earlier block.
    pub fn clear(&mut self) {
        self.fragments.clear();
        self.moves.clear();
        self.state = None;
    }

    /// Adds a record.
    ///
    /// # Errors
    /// The reason why it cannot be a position of a game in the format; it is then left out.
    pub fn push(&mut self, format: FileFormat, setup: &Setup, labels: &Labels) -> Result<(), RecordFault> {
        let mv = labels.best_move.ok_or(RecordFault::NotPlayed)?.decode().map_err(RecordFault::Move)?;
        if !mv.is_well_formed() {
            return Err(RecordFault::NotPlayed);
        }
        if format == FileFormat::Pack {
            labels.ply16()?;
        }
        let header = GameHeader::new(setup, labels);
        let follows = self.fragments.last().is_some_and(|last| self.header_after(last) == header);
        let mut state = match self.state.take() {
            Some(state) if follows => state,
            _ => state_of(setup).map_err(RecordFault::Unplayable)?,
        };
        let piece_move = mv;
        state.judge(piece_move).map_err(|reason| RecordFault::Unplayable(GameCause::Illegal(mv, reason)))?;
        state.do_move(piece_move);
        let score = labels.score.unwrap_or(0);
        let is_unfit = labels.extras.is_unfit;
        self.moves.push(PlayedMove { mv, score, is_unfit, candidates: Box::default() });
        let next = state.setup();
        let end = self.moves.len();
        self.state = Some(state);
        if follows && let Some(last) = self.fragments.last_mut() {
            last.next = next;
            last.end = end;
        } else {
            self.fragments.push(Fragment { header, next, end });
        }
        Ok(())
    }

    /// Sets the candidates of the record added last: the legal moves that a search visited, each once, with their visits.
    /// Only hcpe3 keeps them.
    pub fn set_candidates(&mut self, candidates: Box<[(Move16, u16)]>) {
        if let Some(last) = self.moves.last_mut() {
            last.candidates = candidates;
        }
    }

    /// Whether the first record continues the game of the last record of `earlier`.
    pub fn continues(&self, earlier: &GameFragments) -> bool {
        let (Some(last), Some(first)) = (earlier.fragments.last(), self.fragments.first()) else {
            return false;
        };
        earlier.header_after(last) == first.header
    }

    /// Whether there are no records.
    pub fn is_empty(&self) -> bool {
        self.fragments.is_empty()
    }

    fn header_after(&self, last: &Fragment) -> GameHeader {
        let start = self.fragments.len().checked_sub(2).map_or(0, |index| self.fragments[index].end);
        last.header.after(last.end - start, &last.next)
    }

    /// The fragments with their moves.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&Fragment, &[PlayedMove])> {
        let mut start = 0;
        self.fragments.iter().map(move |fragment| {
            let moves = &self.moves[start..fragment.end];
            start = fragment.end;
            (fragment, moves)
        })
    }
}

/// The state at a position, from which moves can be played.
pub(super) fn state_of(setup: &Setup) -> Result<State<()>, GameCause> {
    let position = Position::new(*setup).map_err(|error| GameCause::Position(error.faults()[0]))?;
    State::new(&position).map_err(|OpponentInCheck| GameCause::OpponentInCheck)
}

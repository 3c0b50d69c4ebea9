//! Further analysis of one problem: the author's line, every first check, and the defender's other replies.

use alloc::vec::Vec;

use komabako_board::Hand;
use komabako_rules::{Move16, MoveList, MoveSet};

use crate::check::{LineError, validate};
use crate::line::Ranking;
use crate::outcome::{Convention, Limits, Reason};
use crate::problem::{Problem, Root};
use crate::runner::Runner;
use crate::search::TsumeState;
use crate::solver::Solver;

/// The line that authors and collections print: the longest defence that leaves no pieces over.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct AuthorLine {
    /// The moves. If they are fewer than the length Λ, the longest defence leaves pieces over (変化長手数・駒余り).
    pub line: Vec<Move16>,
    /// The attacker's hand at its end.
    pub left: Hand,
}

/// A first check and its result.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct FirstCheck {
    /// The check.
    pub mv: Move16,
    /// The exact length of the mate that it begins; `Ok(None)` if it does not mate.
    pub length: Result<Option<u16>, Reason>,
    /// The line, beginning with this check.
    pub line: Vec<Move16>,
}

/// Another reply of the defender and the moves after it.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Variation {
    /// The ply of the reply, from 1.
    pub ply: u16,
    /// The reply and the moves after it.
    pub line: Vec<Move16>,
    /// The variations of these moves, if requested.
    pub variations: Vec<Variation>,
}

impl Solver {
    /// The author's line of a mate. `Ok(None)` if no mate exists.
    ///
    /// # Errors
    /// The limit that ended the search.
    pub fn author_line(
        &mut self,
        problem: &Problem,
        limits: &Limits<'_>,
    ) -> Result<Option<AuthorLine>, Reason> {
        let mut runner = Runner::new(self.engine(), problem, limits);
        let attacks = problem.root() == Root::Attack;
        let Some(length) = runner.length(&problem.state, attacks, Convention::Tsume)? else {
            return Ok(None);
        };
        let ranking = Ranking::Author;
        let (line, left) =
            runner.run(|prover| prover.determined_line(&problem.state, attacks, length, ranking))?;
        Ok(Some(AuthorLine { line, left }))
    }

    /// Every first check with the exact length of its mate, in the order of their bits. The limit of nodes applies to each.
    pub fn first_checks(
        &mut self,
        problem: &Problem,
        convention: Convention,
        limits: &Limits<'_>,
    ) -> Vec<FirstCheck> {
        let mut runner = Runner::new(self.engine(), problem, limits);
        let mut state = problem.state.clone();
        let mut checks = MoveList::new();
        if problem.root() == Root::Attack {
            state.generate(MoveSet::Checks, &mut checks);
        }
        let mut checks = checks.to_vec();
        checks.sort_unstable();
        let mut first = Vec::new();
        for mv in checks {
            let undo = state.do_move(mv);
            let mate = runner.shortest(&state, false, convention);
            state.undo_move(undo);
            let mut line = Vec::from([mv]);
            let length = mate.map(|mate| {
                mate.map(|mate| {
                    line.extend(mate.line);
                    mate.length + 1
                })
            });
            first.push(FirstCheck { mv, length, line });
        }
        first
    }

    /// The defender's other counted replies along a line of this problem, each with the rest of the mate and its own
    /// variations, down to `depth` levels; or else the limit that ended the search.
    ///
    /// # Errors
    /// [`LineError`] if the line contains a move that is not a legal check or reply. Nothing was searched then.
    pub fn variations(
        &mut self,
        problem: &Problem,
        line: &[Move16],
        convention: Convention,
        depth: usize,
        limits: &Limits<'_>,
    ) -> Result<Result<Vec<Variation>, Reason>, LineError> {
        validate(problem, line)?;
        let mut runner = Runner::new(self.engine(), problem, limits);
        let attacks = problem.root() == Root::Attack;
        Ok(variations_of(&mut runner, &problem.state, attacks, line, 1, convention, depth))
    }
}

/// The recursion depth is the number of levels requested, not the length of the line.
fn variations_of(
    runner: &mut Runner<'_>,
    state: &TsumeState,
    attacks: bool,
    line: &[Move16],
    first_ply: u16,
    convention: Convention,
    depth: usize,
) -> Result<Vec<Variation>, Reason> {
    let mut found = Vec::new();
    if depth == 0 {
        return Ok(found);
    }
    let mut state = state.clone();
    let mut attacks = attacks;
    for (ply, &mv) in (first_ply..).zip(line) {
        if !attacks {
            let mut list = MoveList::new();
            state.evasions(&mut list);
            let length = runner.length(&state, false, convention)?.unwrap_or(0);
            let mut replies: Vec<Move16> = list.iter().copied().filter(|&reply| reply != mv).collect();
            replies.sort_unstable();
            for reply in replies {
                let tests = convention == Convention::Tsume && reply.is_drop();
                if tests && runner.run(|prover| prover.is_useless(&mut state, reply, length))? {
                    continue;
                }
                let undo = state.do_move(reply);
                let mate = runner.shortest(&state, true, convention);
                let below = match &mate {
                    Ok(Some(mate)) => {
                        variations_of(runner, &state, true, &mate.line, ply + 1, convention, depth - 1)
                    }
                    _ => Ok(Vec::new()),
                };
                state.undo_move(undo);
                if let Some(mate) = mate? {
                    let line = core::iter::once(reply).chain(mate.line).collect();
                    found.push(Variation { ply, line, variations: below? });
                }
            }
        }
        state.do_move(mv);
        attacks = !attacks;
    }
    Ok(found)
}

//! Lines of mates whose length need not be exact: walked move by move along the proofs in the table.

use alloc::collections::BTreeSet;
use alloc::vec::Vec;
use core::cmp::Reverse;

use komabako_board::{Color, Hand};
use komabako_rules::{Move16, MoveList, MoveSet};

use crate::counting::Counting;
use crate::line::promotion_of;
use crate::outcome::Convention;
use crate::search::TsumeState;
use crate::search::{Question, Stopped, below};
use crate::session::{Prover, any_mate};
use crate::table::UNBOUNDED;

/// A partly walked line.
#[derive(Clone, Debug)]
pub(crate) struct Walk {
    state: TsumeState,
    attacks: bool,
    convention: Convention,
    /// The mate from the present position is at most as long; [`UNBOUNDED`] if the line may have any length.
    bound: u16,
    /// The positions of a line of any length, which may not repeat.
    seen: BTreeSet<u128>,
    line: Vec<Move16>,
    end: Option<End>,
}

/// The reason why a line ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum End {
    Mate,
    /// It is too long, or a result that it relied on does not hold within its bound.
    Cut,
}

/// The next move of a line.
enum Next {
    Move(Move16),
    End(End),
}

/// A walked line.
#[derive(Clone, Debug, Default)]
pub(crate) struct WalkedLine {
    pub line: Vec<Move16>,
    /// The attacker's hand at its end.
    pub left: Hand,
    /// Whether it ends in the mate.
    pub is_complete: bool,
}

/// The length at which a line is cut: a guard against loops among proofs of different lengths.
const LONGEST: usize = 20_000;

impl Prover<'_> {
    /// Walks a line that mates within a bound, using the proofs in the table and new searches where they are gone: the attacker
    /// plays the shortest known mate, the defender the longest defence. With [`UNBOUNDED`] the lengths are strict.
    pub fn walk(
        &mut self,
        root: &TsumeState,
        attacks: bool,
        bound: u16,
        convention: Convention,
    ) -> Result<WalkedLine, Stopped> {
        let key = (root.key(), bound);
        let mut walk = self.session.walks.remove(&key).unwrap_or_else(|| Walk {
            state: root.clone(),
            attacks,
            convention,
            bound,
            seen: BTreeSet::new(),
            line: Vec::new(),
            end: None,
        });
        let result = self.walk_on(&mut walk);
        let line = walk.so_far(self.attacker);
        self.session.walks.insert(key, walk);
        result.map(|()| line)
    }

    /// The beginning of the line within a bound, as far as it was walked.
    pub fn walked(&self, root: &TsumeState, bound: u16) -> Option<WalkedLine> {
        Some(self.session.walks.get(&(root.key(), bound))?.so_far(self.attacker))
    }

    fn walk_on(&mut self, walk: &mut Walk) -> Result<(), Stopped> {
        while walk.end.is_none() {
            match if walk.attacks { self.known_check(walk) } else { self.longest_reply(walk) }? {
                Next::Move(mv) if walk.line.len() < LONGEST => walk.play(mv),
                Next::Move(_) => walk.end = Some(End::Cut),
                Next::End(end) => walk.end = Some(end),
            }
        }
        Ok(())
    }

    fn known_check(&mut self, walk: &mut Walk) -> Result<Next, Stopped> {
        let after = walk.question_after();
        let mut list = MoveList::new();
        let Walk { state, seen, .. } = walk;
        state.generate(MoveSet::Checks, &mut list);
        let mut mates = Vec::new();
        for &mv in &list {
            let undo = state.do_move(mv);
            let length = if !state.has_legal_move() {
                Some(0)
            } else if seen.contains(&state.key()) {
                None
            } else {
                self.known_length(state, after)
            };
            state.undo_move(undo);
            mates.extend(length.map(|length| (mv, length)));
        }
        let best = (0..mates.len()).min_by_key(|&place| (mates[place].1, mates[place].0));
        if let Some(best) = best {
            return Ok(Next::Move(mates[promotion_of(state, &mates, best).unwrap_or(best)].0));
        }
        let answer = self.ask(state, Question { attacks: true, bound: walk.bound, ..after })?;
        Ok(answer.best.map_or(Next::End(End::Cut), Next::Move))
    }

    fn longest_reply(&mut self, walk: &mut Walk) -> Result<Next, Stopped> {
        if walk.bound == 0 {
            return Ok(Next::End(End::Mate));
        }
        let after = walk.question_after();
        let mut list = MoveList::new();
        let Walk { state, seen, bound, .. } = walk;
        state.evasions(&mut list);
        let mut defences = Vec::new();
        for &mv in &list {
            let tests = after.counting == Counting::Tsume && mv.is_drop();
            if tests && self.is_useless(state, mv, *bound)? {
                continue;
            }
            let undo = state.do_move(mv);
            let length = if seen.contains(&state.key()) {
                Ok(Some(0))
            } else {
                match self.known_length(state, after) {
                    Some(length) => Ok(Some(length)),
                    None => {
                        self.ask(state, after).map(|answer| answer.mates().then_some(answer.found.length))
                    }
                }
            };
            state.undo_move(undo);
            let Some(length) = length? else { return Ok(Next::End(End::Cut)) };
            defences.push((mv, length));
        }
        // Lengths are those of known mates. Among the longest, one that is known to be no shorter.
        let longest = defences.iter().map(|defence| defence.1).max().unwrap_or(0);
        let shorter = Question { bound: longest.saturating_sub(2), ..after };
        let mut lasts = Vec::new();
        for &(mv, length) in &defences {
            let undo = state.do_move(mv);
            lasts.push(length == longest && longest > 2 && self.is_refuted(state, shorter));
            state.undo_move(undo);
        }
        let best = (0..defences.len())
            .max_by_key(|&place| (defences[place].1, lasts[place], Reverse(defences[place].0)));
        let Some(best) = best else { return Ok(Next::End(End::Mate)) };
        Ok(Next::Move(defences[promotion_of(state, &defences, best).unwrap_or(best)].0))
    }
}

impl WalkedLine {
    /// Whether it mates within a number of plies.
    pub fn fits(&self, length: u16) -> bool {
        self.is_complete && self.line.len() <= usize::from(length)
    }
}

impl Walk {
    /// The question whether the position after a move is a mate within the bound.
    fn question_after(&self) -> Question {
        Question { counting: self.convention.into(), bound: below(self.bound, 1), ..any_mate(!self.attacks) }
    }

    fn play(&mut self, mv: Move16) {
        if self.bound == UNBOUNDED {
            self.seen.insert(self.state.key());
        }
        self.state.do_move(mv);
        self.line.push(mv);
        self.attacks = !self.attacks;
        self.bound = below(self.bound, 1);
    }

    fn so_far(&self, attacker: Color) -> WalkedLine {
        let line = self.line.clone();
        let left = self.state.hand(attacker);
        WalkedLine { line, left, is_complete: self.end == Some(End::Mate) }
    }
}

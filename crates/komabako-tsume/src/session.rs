//! The facts known about the problem being solved, question by question.
//!
//! The code that decides which questions to ask (`solver`, `line`, `examine`) is written as if every question were answered at
//! once. After each pause of the search it is run again from the start and finds the answers so far here, so a search can
//! stop at any node without a saved state for every goal. The first question without an answer is the one being searched.

use alloc::collections::{BTreeMap, BTreeSet};

use komabako_board::{BaseKind, Color};
use komabako_rules::{Move16, MoveList, MoveSet};

use crate::counting::Counting;
use crate::engine::Engine;
use crate::line::{Ending, Ranking};
use crate::outcome::Convention;
use crate::search::{Answer, Question, Stopped, distance_to_king, position_key};
use crate::search::{Found, TsumeState};
use crate::table::{Known, Query, UNBOUNDED};
use crate::walk::Walk;

/// The facts about one problem.
pub(crate) struct Session {
    /// Answers from searches and from the table.
    facts: BTreeMap<(u128, Question), Fact>,
    pub endings: BTreeMap<(u128, Ranking), Ending>,
    /// Questions that were not answered within their nodes.
    given_up: BTreeSet<(u128, Question)>,
    pending: Option<(u128, Question)>,
    /// The search stops at this number of nodes.
    pub until: u64,
    /// What is known of the lengths of mates.
    bounds: BTreeMap<(u128, Convention), Bounds>,
    /// Lines as far as they have been walked, by their beginnings and bounds.
    pub walks: BTreeMap<(u128, u16), Walk>,
    /// The total number of nodes at which a question is given up.
    ends: BTreeMap<(u128, Question), u64>,
    /// The tsume lengths of mates that follow from free ones, see `verify.rs`.
    pub tsume_mates: BTreeMap<u128, u16>,
    /// The longest bounds within which positions were found to be no mates by tsume lengths, see `verify.rs`.
    pub tsume_failures: BTreeMap<u128, u16>,
    /// Whether free mates, given by their questions, hold for tsume lengths.
    pub verified: BTreeMap<(u128, Question), bool>,
}

/// An answer, and whether it comes from a search and therefore names the move.
#[derive(Clone, Copy)]
struct Fact {
    answer: Answer,
    searched: bool,
}

/// What is known of the length of a position's shortest mate.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Bounds {
    /// The shortest mate found so far.
    pub shortest: Option<u16>,
    /// The longest length excluded.
    pub excluded: Option<u16>,
    /// The length of the first mate over its whole proof.
    pub proof_length: Option<u16>,
    /// The number of nodes at which it was found.
    pub mate_nodes: Option<u64>,
}

impl Bounds {
    /// The length of the shortest mate, if it is exact.
    pub fn exact(&self) -> Option<u16> {
        self.shortest
            .filter(|&length| length <= 1 || self.excluded.is_some_and(|excluded| excluded + 2 >= length))
    }

    /// Notes a mate.
    pub fn add_mate(&mut self, length: u16) {
        self.shortest = Some(self.shortest.map_or(length, |known| known.min(length)));
    }

    /// Notes that there is no mate within a length.
    pub fn exclude(&mut self, length: u16) {
        self.excluded = self.excluded.max(Some(length));
    }
}

/// A problem's facts and the engine that adds to them.
pub(crate) struct Prover<'a> {
    pub engine: &'a mut Engine,
    pub session: &'a mut Session,
    pub attacker: Color,
}

impl Session {
    pub fn new() -> Self {
        Self {
            facts: BTreeMap::new(),
            endings: BTreeMap::new(),
            given_up: BTreeSet::new(),
            pending: None,
            until: 0,
            bounds: BTreeMap::new(),
            walks: BTreeMap::new(),
            ends: BTreeMap::new(),
            tsume_mates: BTreeMap::new(),
            tsume_failures: BTreeMap::new(),
            verified: BTreeMap::new(),
        }
    }

    /// What is known of the length of a state's shortest mate.
    pub fn bounds(&self, state: &TsumeState, convention: Convention) -> Bounds {
        self.bounds.get(&(state.key(), convention)).copied().unwrap_or_default()
    }
}

impl Prover<'_> {
    /// What is known of the length of a state's shortest mate.
    pub fn bounds(&self, state: &TsumeState, convention: Convention) -> Bounds {
        self.session.bounds(state, convention)
    }

    /// The same, to add to it.
    pub fn bounds_mut(&mut self, state: &TsumeState, convention: Convention) -> &mut Bounds {
        self.session.bounds.entry((state.key(), convention)).or_default()
    }

    /// The answer to a question about a state.
    pub fn ask(&mut self, state: &TsumeState, question: Question) -> Result<Answer, Stopped> {
        let key = (state.key(), question);
        if let Some(&Fact { answer, searched: true }) = self.session.facts.get(&key) {
            return Ok(answer);
        }
        if self.session.pending != Some(key) {
            // Starting opens a node: without this check, a series of questions answered by one node each would overrun the stop.
            if self.engine.nodes() >= self.session.until {
                return Err(Stopped::Pause);
            }
            self.session.pending = Some(key);
            self.engine.start(state, self.attacker, question);
        }
        let answer = self.engine.run(self.session.until)?;
        self.session.pending = None;
        self.session.facts.insert(key, Fact { answer, searched: true });
        Ok(answer)
    }

    /// The answer to a question, or `None` if the engine's total reaches this number of nodes first.
    pub fn ask_before(
        &mut self,
        state: &TsumeState,
        question: Question,
        nodes: u64,
    ) -> Result<Option<Answer>, Stopped> {
        self.limited_to_total(state, question, nodes, |prover| prover.ask(state, question))
    }

    /// The answer to a question, or `None` if it takes more than this number of nodes.
    pub fn ask_within(
        &mut self,
        state: &TsumeState,
        question: Question,
        nodes: u64,
    ) -> Result<Option<Answer>, Stopped> {
        self.limited(state, question, nodes, |prover| prover.ask(state, question))
    }

    /// What `find` finds for a question, or `None` if it takes more than this number of nodes.
    pub fn limited<T>(
        &mut self,
        state: &TsumeState,
        question: Question,
        nodes: u64,
        find: impl FnOnce(&mut Self) -> Result<T, Stopped>,
    ) -> Result<Option<T>, Stopped> {
        let now = self.engine.nodes();
        let end = *self.session.ends.entry((state.key(), question)).or_insert(now.saturating_add(nodes));
        self.limited_to_total(state, question, end, find)
    }

    fn limited_to_total<T>(
        &mut self,
        state: &TsumeState,
        question: Question,
        total: u64,
        find: impl FnOnce(&mut Self) -> Result<T, Stopped>,
    ) -> Result<Option<T>, Stopped> {
        let key = (state.key(), question);
        if self.session.given_up.contains(&key) {
            return Ok(None);
        }
        let until = self.session.until;
        self.session.until = until.min(total);
        let found = find(self);
        self.session.until = until;
        match found {
            Err(Stopped::Pause) if self.engine.nodes() >= total => {
                self.session.given_up.insert(key);
                self.session.pending = None;
                Ok(None)
            }
            found => found.map(Some),
        }
    }

    /// Whether there is a mate within a bound, from the table if it knows.
    pub fn mates(
        &mut self,
        state: &TsumeState,
        attacks: bool,
        counting: Counting,
        bound: u16,
    ) -> Result<bool, Stopped> {
        self.mates_without(state, attacks, counting, bound, 0)
    }

    /// [`mates`](Self::mates), without the defender's drops at distance `drops_below` from his king or farther.
    pub fn mates_without(
        &mut self,
        state: &TsumeState,
        attacks: bool,
        counting: Counting,
        bound: u16,
        drops_below: u8,
    ) -> Result<bool, Stopped> {
        let question = Question { attacks, counting, bound, drops_below, forbidding: false };
        if let Some(found) = self.known(state, question) {
            return Ok(found.pn == 0);
        }
        if counting == Counting::Tsume {
            // Most questions by tsume lengths have the answer of the same question by free ones, which takes fewer nodes.
            let free = Question { counting: Counting::Free, ..question };
            if !self.mates_without(state, attacks, Counting::Free, bound, drops_below)? {
                return Ok(false);
            }
            if self.holds_for_tsume(state, free)? {
                return Ok(true);
            }
        }
        Ok(self.ask(state, question)?.mates())
    }

    /// The length of a mate that is already proven, if any.
    pub fn known_length(&mut self, state: &TsumeState, question: Question) -> Option<u16> {
        let found = self.known(state, question)?;
        (found.pn == 0).then_some(found.length)
    }

    /// Whether it is already proven that there is no mate.
    pub fn is_refuted(&mut self, state: &TsumeState, question: Question) -> bool {
        self.known(state, question).is_some_and(|found| found.pn > 0)
    }

    /// The answer of the facts or the table to a question. An answer from the table is recorded as a fact, since the table may
    /// drop it.
    fn known(&mut self, state: &TsumeState, question: Question) -> Option<Found> {
        let fact = (state.key(), question);
        if let Some(fact) = self.session.facts.get(&fact) {
            return Some(fact.answer.found);
        }
        let key = position_key(state, self.attacker, question.drops_below, question.forbidding);
        let hand = state.hand(self.attacker);
        let Question { counting, bound, .. } = question;
        let found = match self.engine.shared.table.look_up(&Query { key, hand, counting, bound }) {
            Known::Mate { length, strict, .. } => Found::mate(hand, length, strict),
            Known::NoMate { excluded, .. } => Found { length: excluded, ..Found::open(1, 0, hand) },
            Known::Open { .. } | Known::Nothing => return None,
        };
        let answer = Answer { found, best: None };
        self.session.facts.insert(fact, Fact { answer, searched: false });
        Some(found)
    }

    /// Whether a drop of the defender, who lasts no longer than `length`, is useless: see `interposition.rs`.
    pub fn is_useless(&mut self, state: &mut TsumeState, drop: Move16, length: u16) -> Result<bool, Stopped> {
        let Some(kind) = drop.dropped() else { return Ok(false) };
        let distance = distance_to_king(state, drop);
        let mut within = length;
        loop {
            if !self.capture_mates(state, drop, kind, within)? {
                return Ok(false);
            }
            if within < 2 || !self.mates_without(state, false, Counting::Tsume, within - 2, distance)? {
                return Ok(true);
            }
            within -= 2;
        }
    }

    /// Whether a capture of the drop mates within a bound even with the piece given back.
    fn capture_mates(
        &mut self,
        state: &mut TsumeState,
        drop: Move16,
        kind: BaseKind,
        within: u16,
    ) -> Result<bool, Stopped> {
        let undo = state.do_move(drop);
        let mut captures = MoveList::new();
        state.generate(MoveSet::Checks, &mut captures);
        captures.retain(|mv| !mv.is_drop() && mv.to() == drop.to());
        let mut mates = Ok(false);
        for &capture in &captures {
            let undo = state.do_move(capture);
            state.give(kind, self.attacker);
            mates = self.mates(state, false, Counting::Tsume, within);
            state.give(kind, komabako_board::color::opponent(self.attacker));
            state.undo_move(undo);
            if mates != Ok(false) {
                break;
            }
        }
        state.undo_move(undo);
        mates
    }
}

/// The question whether there is any mate.
pub(crate) fn any_mate(attacks: bool) -> Question {
    Question { attacks, counting: Counting::Strict, bound: UNBOUNDED, drops_below: 0, forbidding: false }
}

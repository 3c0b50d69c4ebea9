//! Whether a mate by free lengths (Λ°) holds for tsume lengths (Λ).
//!
//! By free lengths the attacker may capture a piece that the defender drops between and give it back, and neither ply counts. By tsume
//! lengths that is so only if the drop is useless: V, the position after that capture, is a mate within b, the exact number of plies that
//! the defender lasts without this drop and those farther out. So the proof is walked, and where such a capture answers a drop, b is
//! compared with the length v of V:
//!
//! ```text
//! holds(Q, n):       the defender is to move and mated within n by free lengths
//!     for each reply:
//!         a check after it mates within n - 2 plies        the reply counts: holds(the position after that check, its length)
//!         the reply is a drop, and V mates within v ≤ n    v = 0, or not b ≤ v - 2: the drop is useless, and holds(V, v)
//!                                                          otherwise does V mate within v - 2?  the same again with that v
//!         none of these                                    the drop counts, and the proof does not hold
//! ```
//!
//! "Not b ≤ v − 2" is asked by free lengths too: what the defender lasts by them, he lasts by tsume lengths. Lengths proven here go to the
//! table as tsume lengths, for the search of the line.

use alloc::vec::Vec;

use komabako_board::{BaseKind, color};
use komabako_rules::{Move16, MoveList, MoveSet, Undo};

use crate::counting::Counting;
use crate::search::{Question, Stopped, TsumeState, distance_to_king};
use crate::session::{Prover, any_mate};

/// A position of the defender on the way.
struct Level {
    key: u128,
    /// The number of plies within which he is mated by free lengths.
    within: u16,
    replies: Vec<Move16>,
    next: usize,
    /// How the position below was reached.
    step: Option<Step>,
}

/// A reply and the attacker's answer.
struct Step {
    reply: Undo<u128>,
    check: Undo<u128>,
    returned: Option<BaseKind>,
}

/// A check, the length of the mate after it, and the kind of the captured piece that goes back to the defender.
struct Answered {
    check: Move16,
    length: u16,
    returned: Option<BaseKind>,
}

impl Prover<'_> {
    /// Whether a mate by free lengths, which answers this question, holds for tsume lengths too.
    pub fn holds_for_tsume(&mut self, root: &TsumeState, question: Question) -> Result<bool, Stopped> {
        let mut state = root.clone();
        let mut within = question.bound;
        if question.attacks {
            let Some(first) = self.free_check(&mut state, within, true)? else { return Ok(false) };
            state.do_move(first.check);
            within = first.length;
        }
        let mut first = new_level(&state, within);
        if question.drops_below > 0 {
            let is_near = |drop| distance_to_king(&state, drop) < question.drops_below;
            first.replies.retain(|&mv| !mv.is_drop() || is_near(mv));
        }
        let mut levels = Vec::from([first]);
        while let Some(level) = levels.last_mut() {
            if let Some(step) = level.step.take() {
                self.go_back(&mut state, step);
            }
            let Some(&reply) = level.replies.get(level.next) else {
                let Level { key, within, .. } = *level;
                levels.pop();
                if !levels.is_empty() || question.drops_below == 0 {
                    self.session.tsume_mates.insert(key, within);
                    self.engine.note_tsume_mate(&state, self.attacker, within);
                }
                continue;
            };
            level.next += 1;
            let within = level.within;
            let undo = state.do_move(reply);
            let Some(answered) = self.tsume_answer(&mut state, reply, undo, within)? else {
                return Ok(false);
            };
            let Answered { check, length, returned } = answered;
            let check = state.do_move(check);
            if let Some(kind) = returned {
                state.give(kind, self.attacker);
            }
            level.step = Some(Step { reply: undo, check, returned });
            let key = state.key();
            if self.session.tsume_mates.get(&key).is_some_and(|&known| known <= length) {
                continue;
            }
            // A drop that would be useless only if it is useless.
            if levels.iter().any(|level| level.key == key && level.within <= length) {
                return Ok(false);
            }
            levels.push(new_level(&state, length));
        }
        Ok(true)
    }

    fn go_back(&self, state: &mut TsumeState, step: Step) {
        if let Some(kind) = step.returned {
            state.give(kind, color::opponent(self.attacker));
        }
        state.undo_move(step.check);
        state.undo_move(step.reply);
    }

    /// The attacker's answer to a reply of the defender, who is mated within a bound: a check that mates in time, or the free capture of
    /// a drop that is useless. The state is the one after the reply.
    fn tsume_answer(
        &mut self,
        state: &mut TsumeState,
        reply: Move16,
        undo: Undo<u128>,
        within: u16,
    ) -> Result<Option<Answered>, Stopped> {
        let Some(kind) = reply.dropped() else { return self.free_check(state, within - 1, true) };
        let has_checks = within >= 2;
        if has_checks && let Some(check) = self.free_check(state, within - 1, false)? {
            return Ok(Some(check));
        }
        let mut capture = self.free_capture(state, reply, kind, within)?;
        while let Some(Answered { length, .. }) = capture
            && length > 0
        {
            state.undo_move(undo);
            let distance = distance_to_king(state, reply);
            let is_shorter = self.mates_without(state, false, Counting::Free, length - 2, distance);
            state.do_move(reply);
            if !is_shorter? {
                break;
            }
            // The proof in the table may not be the shortest.
            capture = self.free_capture(state, reply, kind, length - 2)?;
        }
        if capture.is_none() && has_checks {
            return self.free_check(state, within - 1, true);
        }
        Ok(capture)
    }

    /// The check of the shortest known mate within a bound; if none is known and it `asks`, that of a search.
    fn free_check(
        &mut self,
        state: &mut TsumeState,
        within: u16,
        asks: bool,
    ) -> Result<Option<Answered>, Stopped> {
        let after = Question { counting: Counting::Free, bound: within - 1, ..any_mate(false) };
        let mut checks = MoveList::new();
        state.generate(MoveSet::Checks, &mut checks);
        let mut best: Option<Answered> = None;
        for &check in &checks {
            if state.is_mate_after(check) {
                return Ok(Some(Answered { check, length: 0, returned: None }));
            }
            let undo = state.do_move(check);
            let known = self.known_length(state, after);
            state.undo_move(undo);
            if let Some(length) = known
                && best.as_ref().is_none_or(|best| length < best.length)
            {
                best = Some(Answered { check, length, returned: None });
            }
        }
        if best.is_some() || !asks {
            return Ok(best);
        }
        let question = Question { attacks: true, bound: within, ..after };
        let Some(check) = self.ask(state, question)?.best else { return Ok(None) };
        let undo = state.do_move(check);
        let answer = self.ask(state, after);
        state.undo_move(undo);
        let found = answer?.found;
        Ok((found.pn == 0).then_some(Answered { check, length: found.length, returned: None }))
    }

    /// The capture of a drop after which, with the piece given back, the mate within a bound is the shortest.
    fn free_capture(
        &mut self,
        state: &mut TsumeState,
        drop: Move16,
        kind: BaseKind,
        within: u16,
    ) -> Result<Option<Answered>, Stopped> {
        let question = Question { counting: Counting::Free, bound: within, ..any_mate(false) };
        let mut captures = MoveList::new();
        state.generate(MoveSet::Checks, &mut captures);
        captures.retain(|mv| !mv.is_drop() && mv.to() == drop.to());
        let mut best: Option<Answered> = None;
        for &check in &captures {
            let undo = state.do_move(check);
            state.give(kind, self.attacker);
            let answer = match self.known_length(state, question) {
                Some(length) => Ok(Some(length)),
                None => self.ask(state, question).map(|answer| answer.mates().then_some(answer.found.length)),
            };
            state.give(kind, color::opponent(self.attacker));
            state.undo_move(undo);
            if let Some(length) = answer?
                && best.as_ref().is_none_or(|best| length < best.length)
            {
                best = Some(Answered { check, length, returned: Some(kind) });
            }
        }
        Ok(best)
    }
}

fn new_level(state: &TsumeState, within: u16) -> Level {
    let mut replies = MoveList::new();
    state.evasions(&mut replies);
    let mut replies = replies.to_vec();
    replies.sort_unstable();
    Level { key: state.key(), within, replies, next: 0, step: None }
}

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
//!         none of these                                    Q does not hold: the attacker tries another answer before it
//! ```
//!
//! A position whose strict mate is short enough holds as it is. What holds, and what does not, is kept for the positions that come later.
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
    /// The number of plies within which he has to be mated.
    within: u16,
    /// The length of the longest mate after the replies so far.
    length: u16,
    replies: Vec<Move16>,
    next: usize,
    /// The answers to the next reply after which he is not mated in time.
    failed: Vec<Answer>,
    /// Whether one of them failed because it leads to a position on the way, so that it may do elsewhere.
    repeats: bool,
    /// How the position below was reached.
    step: Option<Step>,
}

/// A reply and the attacker's answer.
struct Step {
    reply: Undo<u128>,
    check: Undo<u128>,
    answer: Answer,
}

/// A check, the number of plies within which it has to mate, and the kind of the captured piece that goes back to the defender.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Answer {
    check: Move16,
    within: u16,
    returned: Option<BaseKind>,
}

impl Level {
    fn new(state: &TsumeState, within: u16) -> Self {
        let mut replies = MoveList::new();
        state.evasions(&mut replies);
        let mut replies = replies.to_vec();
        replies.sort_unstable();
        let failed = Vec::new();
        Self { key: state.key(), within, length: 0, replies, next: 0, failed, repeats: false, step: None }
    }

    /// Notes that the next reply is answered by a mate of this length.
    fn accept(&mut self, answer: Answer, length: u16) {
        if answer.returned.is_none() {
            self.length = self.length.max(length + 2);
        }
        self.next += 1;
        self.failed.clear();
    }

    /// Notes that an answer to the next reply fails.
    fn reject(&mut self, answer: Answer, repeats: bool) {
        self.failed.push(answer);
        self.repeats |= repeats;
    }
}

impl Prover<'_> {
    /// Whether a mate by free lengths, which answers this question, holds for tsume lengths too.
    pub fn holds_for_tsume(&mut self, root: &TsumeState, question: Question) -> Result<bool, Stopped> {
        let key = (root.key(), question);
        if let Some(&holds) = self.session.verified.get(&key) {
            return Ok(holds);
        }
        let holds = self.walk_proof(root, question)?;
        self.session.verified.insert(key, holds);
        Ok(holds)
    }

    fn walk_proof(&mut self, root: &TsumeState, question: Question) -> Result<bool, Stopped> {
        let mut state = root.clone();
        if !question.attacks {
            return self.reply_holds(&mut state, question.bound, question.drops_below);
        }
        let mut failed = Vec::new();
        while let Some(first) = self.free_check(&mut state, question.bound, &failed, true)? {
            let undo = state.do_move(first.check);
            if self.reply_holds(&mut state, first.within, 0)? {
                return Ok(true);
            }
            state.undo_move(undo);
            failed.push(first);
        }
        Ok(false)
    }

    /// The same where the defender is to move, without his drops at distance `drops_below` from his king or farther.
    fn reply_holds(&mut self, state: &mut TsumeState, within: u16, drops_below: u8) -> Result<bool, Stopped> {
        let mut first = Level::new(state, within);
        if drops_below > 0 {
            let is_near = |drop| distance_to_king(state, drop) < drops_below;
            first.replies.retain(|&mv| !mv.is_drop() || is_near(mv));
        }
        let is_whole = |levels: &[Level]| !levels.is_empty() || drops_below == 0;
        let mut levels = Vec::from([first]);
        while let Some(level) = levels.last_mut() {
            let Some(&reply) = level.replies.get(level.next) else {
                let Level { key, length, .. } = *level;
                levels.pop();
                if is_whole(&levels) {
                    self.session.tsume_mates.insert(key, length);
                    self.engine.note_tsume_mate(state, self.attacker, length);
                }
                if let Some(parent) = levels.last_mut() {
                    let answer = self.go_back(state, parent);
                    parent.accept(answer, length);
                }
                continue;
            };
            let within = level.within;
            let undo = state.do_move(reply);
            let Some(answer) = self.tsume_answer(state, reply, undo, within, &level.failed)? else {
                state.undo_move(undo);
                let Level { key, repeats, .. } = *level;
                levels.pop();
                if is_whole(&levels) && !repeats {
                    let known = self.session.tsume_failures.entry(key).or_default();
                    *known = within.max(*known);
                }
                let Some(parent) = levels.last_mut() else { return Ok(false) };
                let answer = self.go_back(state, parent);
                parent.reject(answer, repeats);
                continue;
            };
            let check = state.do_move(answer.check);
            if let Some(kind) = answer.returned {
                state.give(kind, self.attacker);
            }
            level.step = Some(Step { reply: undo, check, answer });
            let key = state.key();
            let in_time = Question { counting: Counting::Tsume, bound: answer.within, ..any_mate(false) };
            let known = match self.session.tsume_mates.get(&key) {
                Some(&length) if length <= answer.within => Some(length),
                _ => self.known_length(state, in_time),
            };
            let fails = self.session.tsume_failures.get(&key).is_some_and(|&known| known >= answer.within);
            // A drop that would be useless only if it is useless.
            let repeats = levels.iter().any(|level| level.key == key && level.within <= answer.within);
            if known.is_none() && !fails && !repeats {
                levels.push(Level::new(state, answer.within));
                continue;
            }
            let level = levels.last_mut().expect("the level of the answer");
            self.go_back(state, level);
            match known {
                Some(length) => level.accept(answer, length),
                None => level.reject(answer, repeats),
            }
        }
        Ok(true)
    }

    /// Takes back the step to the level below.
    fn go_back(&self, state: &mut TsumeState, level: &mut Level) -> Answer {
        let Step { reply, check, answer } = level.step.take().expect("the level below was reached by a step");
        if let Some(kind) = answer.returned {
            state.give(kind, color::opponent(self.attacker));
        }
        state.undo_move(check);
        state.undo_move(reply);
        answer
    }

    /// The attacker's best answer to a reply of the defender, who is mated within a bound, apart from those that failed: a check that
    /// mates in time, or the free capture of a drop that is useless. The state is the one after the reply.
    fn tsume_answer(
        &mut self,
        state: &mut TsumeState,
        reply: Move16,
        undo: Undo<u128>,
        within: u16,
        failed: &[Answer],
    ) -> Result<Option<Answer>, Stopped> {
        let has_checks = within >= 2;
        let dropped = reply.dropped();
        if has_checks && let Some(check) = self.free_check(state, within - 1, failed, dropped.is_none())? {
            return Ok(Some(check));
        }
        let Some(kind) = dropped else { return Ok(None) };
        let mut capture = self.free_capture(state, reply, kind, within, failed)?;
        while let Some(Answer { within, .. }) = capture
            && within > 0
        {
            state.undo_move(undo);
            let distance = distance_to_king(state, reply);
            let is_shorter = self.mates_without(state, false, Counting::Free, within - 2, distance);
            state.do_move(reply);
            if !is_shorter? {
                break;
            }
            // The proof in the table may not be the shortest.
            capture = self.free_capture(state, reply, kind, within - 2, failed)?;
        }
        if capture.is_none() && has_checks {
            return self.free_check(state, within - 1, failed, true);
        }
        Ok(capture)
    }

    /// The check of the shortest known mate within a bound, apart from those that failed; if none is known and it `asks`, that of a search.
    fn free_check(
        &mut self,
        state: &mut TsumeState,
        within: u16,
        failed: &[Answer],
        asks: bool,
    ) -> Result<Option<Answer>, Stopped> {
        let after = Question { counting: Counting::Free, bound: within - 1, ..any_mate(false) };
        let answer = |check| Answer { check, within: within - 1, returned: None };
        let mut checks = MoveList::new();
        state.generate(MoveSet::Checks, &mut checks);
        checks.retain(|check| !failed.contains(&answer(check)));
        let mut best = None;
        for &check in &checks {
            if state.is_mate_after(check) {
                return Ok(Some(answer(check)));
            }
            let undo = state.do_move(check);
            let known = self.known_length(state, after);
            state.undo_move(undo);
            if let Some(length) = known
                && best.is_none_or(|(least, _)| length < least)
            {
                best = Some((length, check));
            }
        }
        if let Some((_, check)) = best {
            return Ok(Some(answer(check)));
        }
        if !asks {
            return Ok(None);
        }
        if failed.is_empty() {
            let best = self.ask(state, Question { attacks: true, bound: within, ..after })?.best;
            return Ok(best.map(answer));
        }
        for &check in &checks {
            let undo = state.do_move(check);
            let mates = self.mates(state, false, Counting::Free, within - 1);
            state.undo_move(undo);
            if mates? {
                return Ok(Some(answer(check)));
            }
        }
        Ok(None)
    }

    /// The capture of a drop after which, with the piece given back, the mate within a bound is the shortest, apart from those that failed.
    fn free_capture(
        &mut self,
        state: &mut TsumeState,
        drop: Move16,
        kind: BaseKind,
        within: u16,
        failed: &[Answer],
    ) -> Result<Option<Answer>, Stopped> {
        let question = Question { counting: Counting::Free, bound: within, ..any_mate(false) };
        let mut captures = MoveList::new();
        state.generate(MoveSet::Checks, &mut captures);
        captures.retain(|mv| !mv.is_drop() && mv.to() == drop.to());
        let mut best: Option<Answer> = None;
        for &check in &captures {
            let undo = state.do_move(check);
            state.give(kind, self.attacker);
            let length = match self.known_length(state, question) {
                Some(length) => Ok(Some(length)),
                None => self.ask(state, question).map(|answer| answer.mates().then_some(answer.found.length)),
            };
            state.give(kind, color::opponent(self.attacker));
            state.undo_move(undo);
            let Some(length) = length? else { continue };
            let mut answer = Answer { check, within: length, returned: Some(kind) };
            while failed.contains(&answer) {
                answer.within += 2;
            }
            if answer.within <= within && best.is_none_or(|best| answer.within < best.within) {
                best = Some(answer);
            }
        }
        Ok(best)
    }
}

//! Writes mates by tsume lengths: useless interpositions do not count.
//!
//! ```text
//! for each reply of a defender mated within n plies:
//!     a drop that a capture mates at once, the piece given back            that capture
//!     a mate within n - 1 is known: a node, strict, or by tsume lengths    that node
//!     a drop, V (the position after its capture, the piece given back) mates within m, and not free "b ≤ m - 2"
//!                                                                          that capture, then what refutes b ≤ m - 2
//!     otherwise                                                            the node of a mate within n - 1, by a search
//! ```
//!
//! Where the strict mate is known, nodes are those of strict lengths, shown for the least hand. Others hold for their own hand only, unless all
//! useless drops below them are captured with mate, see `check.rs`.

use alloc::vec::Vec;

use komabako_board::Hand;
use komabako_rules::{Move16, MoveSet};

use super::extract::{Extractor, Shown};
use super::player::{Played, Role};
use super::{CertificateRule, CertifyError, RETURNED, write_varint};
use crate::counting::Counting;
use crate::runner::Runner;
use crate::search::{Question, TsumeState, distance_to_king};
use crate::session::any_mate;
use crate::table::Known;

/// A node on the way to the one being written, with the defender to move.
struct Level {
    number: usize,
    /// The board and the role of the node.
    key: (u128, u64),
    /// The key of the defender's position.
    position: u128,
    /// The attacker's hand before pieces changed hands.
    hand: Hand,
    replies: Vec<Move16>,
    next: usize,
    /// The moves to the node below; the node's own check comes first.
    played: Vec<Played>,
    /// The plies of that check: none after a capture with the piece given back.
    own: u16,
    /// The plies left to the defender.
    within: u16,
    longest: u16,
    /// Whether only strict mates are written below.
    is_strict: bool,
    is_plain: bool,
    /// The length of the mate after the last reply, if that is a drop which is useless only if the defender lasts as long without it.
    useless: u16,
}

impl Level {
    /// Notes the mate after a reply.
    fn accept(&mut self, length: u16, is_plain: bool, is_returned: bool) {
        self.is_plain &= is_plain;
        if is_returned {
            self.is_plain &= length == 0;
            self.useless = length;
        } else {
            self.longest = self.longest.max(length + 1);
        }
    }
}

/// What is written after a reply.
enum Answer {
    /// A node that is written already.
    Shown(Shown),
    /// A capture with the piece given back, to a node that is written already.
    ShownCapture(Move16, Shown),
    /// A capture with the piece given back, after which the defender is mated within a number of plies.
    Capture(Move16, u16),
    /// A strict mate within a number of plies, shown for this hand.
    Strict(u16, Hand),
    /// A check, after which the defender is mated within a number of plies.
    Check(Move16, u16),
}

impl Runner<'_> {
    /// The rule by which a mate within a number of plies is certified.
    pub(super) fn rule_of_mate(
        &mut self,
        state: &TsumeState,
        plies: u16,
    ) -> Result<CertificateRule, CertifyError> {
        let nodes = self.engine.nodes();
        let question = Question { bound: plies, ..any_mate(true) };
        let strict = self.run(|prover| prover.ask_within(state, question, nodes))?;
        if strict.is_some_and(|answer| answer.mates()) {
            return Ok(CertificateRule::Strict);
        }
        let mates = self.run(|prover| prover.mates(state, true, Counting::Tsume, plies))?;
        if mates { Ok(CertificateRule::Tsume) } else { Err(CertifyError::False) }
    }
}

impl Extractor<&mut Runner<'_>> {
    /// Writes a mate within a number of plies. Returns its length.
    pub fn tsume_mate(&mut self, within: u16) -> Result<u16, CertifyError> {
        let mut levels: Vec<Level> = Vec::new();
        let (check, left) = self.tsume_check(within, true)?.ok_or(CertifyError::Uncertain)?;
        let hand = self.player.hand();
        levels.push(self.open_check(true, hand, check, left, false)?);
        while let Some(level) = levels.last_mut() {
            self.player.take_back(level.played.split_off(usize::from(level.own)));
            let useless = core::mem::take(&mut level.useless);
            if useless > 0 {
                let distance = distance_to_king(&self.player.state, level.replies[level.next - 1]);
                let (reply, below) = self.defend(&[], useless - 2, distance)?;
                self.refute_all(below.into_iter().collect())?;
                self.player.take_back(reply.into_iter().collect());
            }
            let Some(&reply) = level.replies.get(level.next) else {
                let Some(level) = levels.pop() else { break };
                let length = level.longest + level.own;
                self.finish_mate(level.key, level.number, length, level.is_plain);
                self.player.take_back(level.played);
                self.player.set_hand(level.hand);
                let Some(above) = levels.last_mut() else { return Ok(length) };
                above.accept(length, level.is_plain, level.own == 0);
                continue;
            };
            level.next += 1;
            let is_strict = level.is_strict;
            let answer = self.answer(&levels, reply)?;
            let mut played = Vec::from([self.player.play(reply, false)]);
            if let Answer::ShownCapture(capture, _) | Answer::Capture(capture, _) = answer {
                write_varint(&mut self.body, RETURNED);
                self.body.extend_from_slice(&capture.bits().to_le_bytes());
                played.push(self.player.play(capture, true));
            }
            let own = self.player.hand();
            let below = match answer {
                Answer::Shown(shown) | Answer::ShownCapture(_, shown) => {
                    self.write_reference(shown.number);
                    if let Some(level) = levels.last_mut() {
                        level.accept(shown.plies, shown.is_plain, played.len() > 1);
                    }
                    None
                }
                Answer::Capture(_, within) => Some(self.open_capture(within)?),
                Answer::Strict(within, hand) => Some(self.open_strict(within, hand)?),
                Answer::Check(check, left) => Some(self.open_check(false, own, check, left, is_strict)?),
            };
            if let Some(level) = levels.last_mut() {
                level.played.extend(played);
            }
            levels.extend(below);
        }
        Err(CertifyError::False)
    }

    /// What is written after a reply of the defender.
    fn answer(&mut self, levels: &[Level], reply: Move16) -> Result<Answer, CertifyError> {
        let Some(&Level { within, is_strict, .. }) = levels.last() else { return Err(CertifyError::False) };
        let may_be_useless = reply.is_drop() && !is_strict;
        if may_be_useless && let Some(answer) = self.capture(levels, reply, 0)? {
            return Ok(answer);
        }
        if let Some(answer) = self.node_after(reply, within, is_strict, !may_be_useless)? {
            return Ok(answer);
        }
        let mut left = if may_be_useless { within } else { 0 };
        while left >= 2 {
            let Some(answer) = self.capture(levels, reply, left)? else { break };
            left -= 2;
            let state = &self.player.state;
            let distance = distance_to_king(state, reply);
            let is_shorter = self
                .results
                .run(|prover| prover.mates_without(state, false, Counting::Free, left, distance))?;
            if !is_shorter {
                return Ok(answer);
            }
        }
        self.node_after(reply, within, is_strict, true)?.ok_or(CertifyError::Uncertain)
    }

    /// A capture of a dropped piece after which, with the piece given back, the defender is mated within a number of plies.
    fn capture(
        &mut self,
        levels: &[Level],
        drop: Move16,
        within: u16,
    ) -> Result<Option<Answer>, CertifyError> {
        let dropped = self.player.play(drop, false);
        let mut best = None;
        for capture in self.player.checks(drop.to()).1 {
            let played = self.player.play(capture, true);
            let position = self.player.state.key();
            let repeats = levels.iter().any(|level| level.position == position && level.within <= within);
            let mut answer = None;
            if let Some(shown) = self.shown_mate(Role::Returned, within) {
                answer = Some(Answer::ShownCapture(capture, shown));
            } else if best.is_none() && !repeats && self.mates(false, within)? {
                answer = Some(Answer::Capture(capture, within));
            }
            self.player.undo(played);
            let is_shown = matches!(answer, Some(Answer::ShownCapture(..)));
            best = answer.or(best);
            if is_shown {
                break;
            }
        }
        self.player.undo(dropped);
        Ok(best)
    }

    /// A node of a mate after a reply of the defender, who has a number of plies left: one that is known, or if it `asks` any.
    fn node_after(
        &mut self,
        reply: Move16,
        within: u16,
        is_strict: bool,
        asks: bool,
    ) -> Result<Option<Answer>, CertifyError> {
        let Some(within) = within.checked_sub(1) else { return Ok(None) };
        let played = self.player.play(reply, false);
        let shown = self.shown_mate(Role::Mate, within).filter(|shown| shown.is_plain || !is_strict);
        let answer = if let Some(shown) = shown {
            Some(Answer::Shown(shown))
        } else if let Known::Mate { hand, length, .. } = self.known(Counting::Strict, within) {
            Some(Answer::Strict(length, hand))
        } else if is_strict {
            let (length, hand) = self.proof(within)?;
            Some(Answer::Strict(length, hand))
        } else {
            self.tsume_check(within, asks)?.map(|(check, left)| Answer::Check(check, left))
        };
        self.player.undo(played);
        Ok(answer)
    }

    /// The check of the shortest mate within a bound that is known by tsume lengths, and the plies after it; if it `asks`, that of a search.
    fn tsume_check(&mut self, within: u16, asks: bool) -> Result<Option<(Move16, u16)>, CertifyError> {
        let checks = self.player.moves(MoveSet::Checks);
        let mut best: Option<(Move16, u16)> = None;
        for &check in &checks {
            if self.player.state.is_mate_after(check) {
                return Ok(Some((check, 0)));
            }
            let played = self.player.play(check, false);
            if let Known::Mate { length, .. } = self.known(Counting::Tsume, within - 1)
                && best.is_none_or(|best| length < best.1)
            {
                best = Some((check, length));
            }
            self.player.undo(played);
        }
        if best.is_some() || !asks || !self.mates(true, within)? {
            return Ok(best);
        }
        if let Some(known) = self.tsume_check(within, false)? {
            return Ok(Some(known));
        }
        for check in checks {
            let played = self.player.play(check, false);
            let mates = self.mates(false, within - 1);
            self.player.undo(played);
            if mates? {
                return Ok(Some((check, within - 1)));
            }
        }
        Ok(None)
    }

    /// Whether the present position is a mate within a bound by tsume lengths.
    fn mates(&mut self, attacks: bool, within: u16) -> Result<bool, CertifyError> {
        let state = &self.player.state;
        Ok(self.results.run(|prover| prover.mates(state, attacks, Counting::Tsume, within))?)
    }

    fn open_strict(&mut self, within: u16, hand: Hand) -> Result<Level, CertifyError> {
        let own = self.player.hand();
        let number = self.write_node(false, Role::Mate, own, hand, within)?;
        let (check, left) = self.shortest_check(within)?;
        Ok(self.level_after(number, own, check, left, true))
    }

    fn open_check(
        &mut self,
        is_root: bool,
        own: Hand,
        check: Move16,
        left: u16,
        is_strict: bool,
    ) -> Result<Level, CertifyError> {
        let number = self.write_node(is_root, Role::Mate, own, own, left + 1)?;
        Ok(self.level_after(number, own, check, left, is_strict))
    }

    /// Writes a node's check and plays it.
    fn level_after(
        &mut self,
        number: usize,
        hand: Hand,
        check: Move16,
        within: u16,
        is_strict: bool,
    ) -> Level {
        self.body.extend_from_slice(&check.bits().to_le_bytes());
        let key = (self.player.state.board_key(), Role::Mate.number());
        let played = Vec::from([self.player.play(check, false)]);
        self.level(number, key, hand, played, within, is_strict)
    }

    /// Begins the node of the defender after a capture with the piece given back.
    fn open_capture(&mut self, within: u16) -> Result<Level, CertifyError> {
        let hand = self.player.hand();
        let number = self.write_node(false, Role::Returned, hand, hand, within)?;
        let key = (self.player.state.board_key(), Role::Returned.number());
        Ok(self.level(number, key, hand, Vec::new(), within, false))
    }

    fn level(
        &self,
        number: usize,
        key: (u128, u64),
        hand: Hand,
        played: Vec<Played>,
        within: u16,
        is_strict: bool,
    ) -> Level {
        Level {
            number,
            key,
            position: self.player.state.key(),
            hand,
            replies: self.player.moves(MoveSet::Legal),
            next: 0,
            own: played.len() as u16,
            played,
            within,
            longest: 0,
            is_strict,
            is_plain: true,
            useless: 0,
        }
    }
}

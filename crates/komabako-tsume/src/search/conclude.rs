//! Step 4 at its end: the result of a node that its children settle, with the hands and the length for which it holds.

use komabako_board::Hand;

use super::Search;
use super::hands::{all_of_held_kinds, before_check, before_reply, keep_from_defender};
use super::node::{Child, Found, Interposition, NO_REPETITION, above};
use crate::counting::Counting;
use crate::table::UNBOUNDED;

impl Search {
    /// The result of the node on top, which its children settle; `by_one` if a single child settles it for the side to move.
    pub(super) fn conclude(&self, by_one: bool) -> Found {
        match (self.path.top().attacks, by_one) {
            (true, true) => self.proven_attack(),
            (true, false) => self.refuted_attack(),
            (false, true) => self.refuted_defence(),
            (false, false) => self.proven_defence(),
        }
    }

    /// A check mates: the shortest of the known mates.
    fn proven_attack(&self) -> Found {
        let mates = self.path.top_children().iter().filter(|child| child.found.pn == 0);
        let length = |child: &&Child| above(child.found.length, child.plies);
        let Some(child) = mates.min_by_key(length) else { unreachable!("a check mates") };
        let strict = child.found.strict && !child.returned;
        let hand = if !strict && !self.dominates() {
            self.path.top().hand
        } else if child.returned {
            child.found.hand
        } else {
            before_check(&self.state, child.mv, child.found.hand)
        };
        Found::mate(hand, length(&child), strict)
    }

    /// Every check is refuted. The result holds at least for the hand of this node, so `hand` is never below it in any kind; and
    /// for no larger one if it depends on a repetition, since the path was compared with this hand.
    fn refuted_attack(&self) -> Found {
        let own = self.path.top().hand;
        let top = self.path.top();
        let mut hand = all_of_held_kinds(&self.state);
        let mut excluded = if top.has_checks() { UNBOUNDED } else { top.bound };
        let mut repetition = NO_REPETITION;
        for child in self.path.top_children() {
            let own = child.found.hand;
            let own = if child.returned { own } else { before_check(&self.state, child.mv, own) };
            hand = hand.kindwise_min(own);
            excluded = excluded.min(above(child.found.length, child.plies));
            repetition = repetition.min(child.found.repetition);
        }
        let hand = if repetition == NO_REPETITION { hand.kindwise_max(own) } else { own };
        Found::no_mate(hand, excluded, repetition)
    }

    /// A reply refutes: preferably one that depends on no repetition, and then the one that excludes the longest mates.
    /// Hands as in `refuted_attack`.
    fn refuted_defence(&self) -> Found {
        let own = self.path.top().hand;
        let refutes = |child: &&Child| child.found.dn == 0 && child.interposition == Interposition::Counts;
        let replies = self.path.top_children().iter().filter(refutes);
        let best = replies.max_by_key(|child| (child.found.repetition, child.found.length));
        let Some(child) = best else { unreachable!("a reply refutes") };
        // The reply may be a drop that counts only because of a node above, on which its test leans.
        let repetition = child.found.repetition.min(self.path.top().leans_on);
        let hand = before_reply(&self.state, child.mv, child.found.hand);
        let hand = if repetition == NO_REPETITION { hand.kindwise_max(own) } else { own };
        Found::no_mate(hand, above(child.found.length, child.plies), repetition)
    }

    /// Whether results hold for larger or smaller hands even if they are not strict.
    fn dominates(&self) -> bool {
        self.question.counting == Counting::Free
    }

    /// Every reply that counts is answered by a mate.
    fn proven_defence(&self) -> Found {
        let mut hand = Hand::EMPTY;
        let mut length = 0;
        let mut strict = true;
        for child in self.path.top_children() {
            strict &= child.found.strict;
            if child.interposition == Interposition::Counts {
                hand = hand.kindwise_max(child.found.hand);
                length = length.max(above(child.found.length, child.plies));
            }
        }
        let dominates = strict || self.dominates();
        let hand = if dominates { keep_from_defender(&self.state, hand) } else { self.path.top().hand };
        Found::mate(hand, length, strict)
    }
}

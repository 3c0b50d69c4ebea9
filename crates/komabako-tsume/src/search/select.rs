//! Step 4 of the search: the numbers of the node on top, the child to search, and its limits.

use super::guide::guide;
use super::node::{Child, Found, Interposition, NO_CHILD};
use super::{Counting, Search};
use crate::shared::{PathMarks, Shared};
use crate::table::INFINITE;

/// What to do with the node on top.
pub(super) enum Next {
    /// Return to its parent with this result.
    Return(Found),
    /// Search a child, given by its number, with these limits.
    Descend { child: u32, pn_limit: u32, dn_limit: u32 },
    /// Test whether a drop is useless.
    Test { child: u32 },
    /// Evaluate a drop whose turn has come.
    EvaluateDrop { child: u32 },
}

/// What [`Search::select`] accumulates over the children whose turn has come.
///
/// A child's own number is the one that the side to move here wants to be 0, the paper's δ of the child; its other number is
/// φ of the child.
struct Tally {
    /// The least own number.
    least: u32,
    /// The number of open children, and the largest of their other numbers. Together they make the weak number that stands for
    /// the sum of the paper.
    open: u32,
    most: u32,
    /// The child to search: that of the least own number, and among equals of the least other number.
    best: u32,
    best_own: u32,
    best_other: u32,
    /// The least own number of the others: the paper's δ₂.
    second: u32,
}

impl Tally {
    const EMPTY: Self = Self {
        least: INFINITE,
        open: 0,
        most: 0,
        best: NO_CHILD,
        best_own: INFINITE,
        best_other: 0,
        second: INFINITE,
    };

    /// Compares a child with the best so far.
    #[inline]
    fn compare(&mut self, index: usize, own: u32, other: u32) {
        if own < self.best_own || own == self.best_own && self.best != NO_CHILD && other < self.best_other {
            self.second = self.best_own;
            self.best = index as u32;
            self.best_own = own;
            self.best_other = other;
        } else {
            self.second = self.second.min(own);
        }
    }

    /// The sum of the open children's other numbers: as a weak number, the largest plus `further` for each other child.
    fn sum(&self, further: u32) -> u32 {
        (self.most + (self.open - 1) * further).min(INFINITE - 1)
    }
}

impl Search {
    /// Step 4: decides what to do with the node on top, from its children.
    pub(super) fn select(&mut self, shared: &Shared) -> Next {
        let frame = self.path.top();
        let children = self.path.top_children();
        let attacks = frame.attacks;
        let own_limit = if attacks { frame.pn_limit } else { frame.dn_limit };
        let tests = self.question.counting == Counting::Tsume;

        // 4a: the numbers, over the children whose turn has come.
        let mut tally = Tally::EMPTY;
        let mut drop_open = false;
        for (index, child) in children.iter().enumerate() {
            let own = child.found.own(attacks);
            let other = child.found.other(attacks);
            let is_untested = child.interposition == Interposition::Untested;
            if own == 0 && !is_untested {
                return Next::Return(self.conclude(true));
            }
            if other > 0 {
                if !attacks && child.mv.is_drop() {
                    // In tsume lengths a drop waits until everything before it is answered.
                    if drop_open || tests && tally.open > 0 {
                        continue;
                    }
                    drop_open = true;
                    if child.unseen {
                        return Next::EvaluateDrop { child: index as u32 };
                    }
                    if is_untested {
                        return Next::Test { child: index as u32 };
                    }
                }
                if waits_for_promotion(child, children, attacks) {
                    continue;
                }
                tally.open += 1;
                tally.most = tally.most.max(other);
            }
            tally.least = tally.least.min(own);
            // A check that another thread is searching counts as worse by one, but stays below the limit, so that threads
            // separate at checks that are about equally good. At replies they need not separate: all of them have to be
            // answered, and one thread finds the other's results in the table.
            let own = match &shared.marks {
                Some(marks) if attacks && marks.is_marked(PathMarks::slot(child.key, child.hand)) => {
                    own.max((own + 1).min(own_limit.saturating_sub(1)))
                }
                _ => own,
            };
            tally.compare(index, own, other);
        }
        if tally.open == 0 {
            return Next::Return(self.conclude(false));
        }

        // TCA: while new nodes have to be opened because of old children, limits are above the numbers.
        let guide = guide(frame.bound);
        let further = if attacks { 1 } else { guide.further_reply };
        let sum = tally.sum(further);
        let (pn, dn) = if attacks { (tally.least, sum) } else { (sum, tally.least) };
        let mut pn_limit = frame.pn_limit;
        let mut dn_limit = frame.dn_limit;
        if self.old > 0 {
            pn_limit = pn_limit.max(pn + 1);
            dn_limit = dn_limit.max(dn + 1);
        }
        if pn >= pn_limit || dn >= dn_limit {
            return Next::Return(Found::open(pn, dn, frame.hand));
        }

        // 4b: the best child is searched until it is clearly worse than the second (the 1+ε trick; the paper has δ₂ + 1), or
        // until this node's sum reaches its limit. Either way at least until its numbers change.
        let (own_limit, sum_limit) = if attacks { (pn_limit, dn_limit) } else { (dn_limit, pn_limit) };
        let margin = 1 + tally.second / guide.inverse_epsilon;
        let child_own = own_limit.min(tally.second.saturating_add(margin)).min(INFINITE);
        let child_other = sum_limit.saturating_sub(tally.open - 1).max(tally.best_other + 1).min(INFINITE);
        let (pn_limit, dn_limit) = if attacks { (child_own, child_other) } else { (child_other, child_own) };
        Next::Descend { child: tally.best, pn_limit, dn_limit }
    }
}

/// Whether a child waits for the promotion of the same move, which is still open.
fn waits_for_promotion(child: &Child, children: &[Child], attacks: bool) -> bool {
    child.after != NO_CHILD && children[child.after as usize].found.other(attacks) > 0
}

//! Useless interpositions (無駄合): drops of the defender that do not count in tsume lengths.
//!
//! A drop on the i-th square from the king is useless if the attacker can capture it with check such that, with the piece
//! given back, the position V after the capture is a mate within b. Here b is the exact number of plies that the defender
//! lasts with his other moves and the drops that count on nearer squares. The search asks for mates within a bound n, and
//! when it reaches this drop it knows that b ≤ n:
//!
//! ```text
//! m = n
//! loop:
//!     is some V a mate within m?                 no: the drop counts
//!     is b ≤ m − 2 (a node without this drop
//!     and those farther out, within m − 2)?      no: V is a mate within b, so the drop is useless
//!     m = m − 2
//! ```
//!
//! The last step holds because b and the length of V are even, as those of every node of the defender: b ≤ m and not b ≤ m − 2
//! leave one value, and V takes no more.
//!
//! Both questions are separate searches, whose frames are pushed above this one with limits that no number reaches. V is
//! the same for every kind dropped on a square, so the table answers all tests but the first.
//!
//! Usually the checker of V is nearer to the king. The exception: if the capture discovers another slider, a drop on that
//! slider's line may be captured by the same piece moving back, and V is the position in which the test began. A drop whose
//! uselessness would depend on itself is not useless: such a V counts as no mate within m. Refutations that depend on this
//! are stored only for the position that they lead back to, like refutations by repetition. Bounds never grow along the stack
//! (a move lowers them, a test keeps or lowers them). So frames with the same bound are contiguous, and only those have to be
//! searched for V: with a lower bound it is another question, which no frame above waits for.

use komabako_board::color;
use komabako_rules::{Move16, MoveSet};

use super::Search;
use super::node::{Entered, Found, Frame, Interposition, Test};
use super::position::distance_to_king;
use crate::shared::Shared;
use crate::table::{Known, Query};

impl Search {
    /// Begins to test a drop of the top frame. All moves before the drop are answered.
    pub(super) fn begin_test(&mut self, shared: &Shared, child: u32) {
        let frame = self.path.top_mut();
        let within = frame.bound;
        frame.test = Some(Test { child, within, capture: 0, base: false });
        self.continue_test(shared, None);
    }

    /// Continues the test of the top frame, given the answer to its last question, until a question needs a search or
    /// the test ends.
    pub(super) fn continue_test(&mut self, shared: &Shared, answer: Option<bool>) {
        let mut answer = answer;
        while let Some(mut test) = self.path.top().test {
            match (test.base, answer) {
                (false, Some(true)) => test.base = true,
                (false, Some(false)) => test.capture += 1,
                (true, Some(true)) => {
                    test.base = false;
                    test.within -= 2;
                }
                (true, Some(false)) => return self.end_test(test, true),
                (_, None) => {}
            }
            self.path.top_mut().test = Some(test);
            answer = if test.base {
                if test.within < 2 {
                    return self.end_test(test, true);
                }
                self.test_without_drop(shared, test)
            } else {
                let drop = self.path.child(self.path.place(test.child)).mv;
                match self.test_capture(shared, test, drop) {
                    TestAnswer::NoCapture => return self.end_test(test, false),
                    TestAnswer::Known(answer) => Some(answer),
                    TestAnswer::Searching => None,
                }
            };
            if answer.is_none() {
                return;
            }
        }
    }

    fn end_test(&mut self, test: Test, useless: bool) {
        self.path.top_mut().test = None;
        let place = self.path.place(test.child);
        let child = self.path.child_mut(place);
        if useless {
            child.interposition = Interposition::Useless;
            child.found = Found::mate(child.hand, 0, false);
        } else {
            child.interposition = Interposition::Counts;
        }
    }

    /// Whether the defender lasts two plies less without the drop.
    fn test_without_drop(&mut self, shared: &Shared, test: Test) -> Option<bool> {
        let drop = self.path.child(self.path.place(test.child)).mv;
        let drops_below = distance_to_king(&self.state, drop);
        self.look_up_or_push(shared, Entered::InPlace, drops_below, test.within - 2)
    }

    /// Whether the next capture mates even with the piece given back.
    fn test_capture(&mut self, shared: &Shared, test: Test, drop_move: Move16) -> TestAnswer {
        let drop = self.state.do_move(drop_move);
        self.state.generate(MoveSet::Checks, &mut self.checks);
        let capture = self
            .checks
            .iter()
            .copied()
            .filter(|mv| !mv.is_drop() && mv.to() == drop_move.to())
            .nth(test.capture.into());
        let (Some(capture), Some(kind)) = (capture, drop_move.dropped()) else {
            self.state.undo_move(drop);
            return TestAnswer::NoCapture;
        };
        let capture = self.state.do_move(capture);
        self.state.give(kind, self.attacker);
        match self.look_up_or_push(shared, Entered::Returned { drop, capture, kind }, 0, test.within) {
            None => TestAnswer::Searching,
            Some(answer) => {
                self.state.give(kind, color::opponent(self.attacker));
                self.state.undo_move(capture);
                self.state.undo_move(drop);
                TestAnswer::Known(answer)
            }
        }
    }

    /// Whether the defender is mated within a bound in the current state: from the table, or `None` after pushing a frame
    /// whose search will decide it.
    fn look_up_or_push(
        &mut self,
        shared: &Shared,
        entered: Entered,
        drops_below: u8,
        bound: u16,
    ) -> Option<bool> {
        let key = self.frame_key(drops_below);
        let hand = self.state.hand(self.attacker);
        let counting = self.question.counting;
        if let Some(depth) = self.path.find_within(key, hand, bound) {
            let frame = self.path.top_mut();
            frame.leans_on = frame.leans_on.min(depth);
            return Some(false);
        }
        match shared.table.look_up(&Query { key, hand, counting, bound }) {
            Known::Mate { .. } => return Some(true),
            Known::NoMate { .. } => return Some(false),
            Known::Open { .. } | Known::Nothing => {}
        }
        let depth = self.path.top().depth + 1;
        let frame = self.new_frame(entered, false, key, bound, depth, 0);
        self.push(shared, Frame { drops_below, ..frame });
        None
    }
}

enum TestAnswer {
    NoCapture,
    Known(bool),
    Searching,
}

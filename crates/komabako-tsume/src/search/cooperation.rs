//! What a search takes from the other threads that search the same question.

use super::Search;
use super::node::{Found, Frame};
use crate::shared::{PathMarks, Shared};
use crate::table::Query;

impl Search {
    /// Updates a child with the results of another thread. Returns whether its numbers changed.
    pub(super) fn refresh_child(&mut self, shared: &Shared, child: u32) -> bool {
        let place = self.path.place(child);
        let child = self.path.child(place);
        let mut has_old = false;
        let Some(found) = self.known(shared, self.path.top(), child, &mut has_old) else { return false };
        let is_changed = (found.pn, found.dn) != (child.found.pn, child.found.dn);
        if is_changed {
            let child = self.path.child_mut(place);
            child.found = found;
            child.fresh = false;
            // Not `+=` as in `expand`: this node may be counted already, and is refreshed again and again.
            self.old = self.old.max(u32::from(has_old));
        }
        is_changed
    }

    /// If another thread settled a node on the path, leaves that node (the first such one, the root excepted) and delivers the
    /// result.
    pub(super) fn leave_settled(&mut self, shared: &Shared, marks: &PathMarks) {
        let (number, slot) = marks.last_settled();
        if number == self.seen_settled {
            return;
        }
        self.seen_settled = number;
        let frames = self.path.frames().iter().enumerate().skip(1);
        let settled = frames.filter(|(_, frame)| PathMarks::slot(frame.key, frame.hand) == slot).find_map(
            |(index, frame)| {
                let &Frame { key, hand, bound, .. } = frame;
                let query = Query { key, hand, counting: self.question.counting, bound };
                Some((index, Found::settled(shared.table.look_up(&query))?))
            },
        );
        if let Some((index, found)) = settled {
            while self.path.len() > index {
                self.leave(shared);
            }
            self.deliver(shared, found);
        }
    }

    /// Marks all positions of the path.
    #[cfg(feature = "std")]
    pub fn mark_path(&self, marks: &PathMarks) {
        for frame in self.path.frames() {
            marks.add(PathMarks::slot(frame.key, frame.hand));
        }
    }
}

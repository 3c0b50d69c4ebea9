//! [`Comments`]: the lines of comment of all nodes of a record.

use alloc::string::String;
use alloc::vec::Vec;
use core::num::NonZeroUsize;

/// The lines of comment of all nodes, in the order in which they were added.
///
/// One string for all: a string for each node with a comment made a third of the instructions of reading floodgate's games
/// `malloc` and `free`. A node may get lines at any time, so its lines need not stand together. They are a ring instead: each
/// names the next one and the last one the first, so that the last one is all that a node has to know.
///
/// ```text
/// text   "* 35 -3334FU" "(book)" "* 40"      node 1 has the last line 2, node 2 the last line 1
/// next          2           1       0
/// ```
#[derive(Clone, Debug, Default)]
pub(super) struct Comments {
    text: String,
    lines: Vec<Line>,
}

#[derive(Clone, Copy, Debug)]
struct Line {
    /// Where it ends in the text; it starts where the line before ends.
    end: usize,
    next: LineId,
}

/// The place of a line: its index plus one, so that an `Option` takes no more room.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct LineId(NonZeroUsize);

impl LineId {
    const fn index(self) -> usize {
        self.0.get() - 1
    }
}

impl Comments {
    /// Adds a line, which must hold no line end, to those of the node whose last one is `last`.
    #[inline]
    pub fn push(&mut self, last: &mut Option<LineId>, line: &str) {
        let id = LineId(NonZeroUsize::MIN.saturating_add(self.lines.len()));
        let next = match *last {
            Some(last) => core::mem::replace(&mut self.lines[last.index()].next, id),
            None => id,
        };
        if self.lines.is_empty() {
            // A game with one comment has more: growing from nothing would take six steps.
            self.text.reserve(512);
            self.lines.reserve(16);
        }
        self.text.push_str(line);
        self.lines.push(Line { end: self.text.len(), next });
        *last = Some(id);
    }

    /// The lines of the node whose last one is `last`.
    pub fn lines(&self, last: Option<LineId>) -> impl Iterator<Item = &str> + Clone + use<'_> {
        let next = |line: LineId| self.lines[line.index()].next;
        let ring =
            core::iter::successors(
                last.map(next),
                move |&line| {
                    if Some(line) == last { None } else { Some(next(line)) }
                },
            );
        ring.map(|line| self.text_of(line))
    }

    fn text_of(&self, line: LineId) -> &str {
        let start = line.index().checked_sub(1).map_or(0, |before| self.lines[before].end);
        &self.text[start..self.lines[line.index()].end]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comment_lines_of_several_nodes_may_be_interleaved() {
        let mut comments = Comments::default();
        let mut nodes = [None; 3];
        for (node, line) in [(0, "a"), (2, "b"), (0, ""), (2, "c"), (0, "d")] {
            comments.push(&mut nodes[node], line);
        }
        let lines = nodes.map(|last| comments.lines(last).collect::<Vec<_>>());
        assert_eq!(lines, [vec!["a", "", "d"], vec![], vec!["b", "c"]]);
    }
}

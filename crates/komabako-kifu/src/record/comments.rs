//! [`Comments`]: the comment lines of all nodes of a record.

use alloc::string::String;
use alloc::vec::Vec;
use core::num::NonZeroUsize;

/// The comment lines of all nodes, in the order in which they were added.
///
/// All share one string: with a string per commented node, a third of the instructions of reading floodgate's games were
/// in `malloc` and `free`. A node may get lines at any time, so its lines need not be adjacent. They form a ring: each
/// line links to the next and the last to the first, so a node only stores its last line.
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
    /// Its end in the text; it starts at the end of the previous line.
    end: usize,
    next: LineId,
}

/// A line's index plus one, so that an `Option` takes no extra space.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct LineId(NonZeroUsize);

impl LineId {
    const fn index(self) -> usize {
        self.0.get() - 1
    }
}

impl Comments {
    /// Adds a line, which must not contain a line end, to the node whose last line is `last`.
    #[inline]
    pub fn push(&mut self, last: &mut Option<LineId>, line: &str) {
        let id = LineId(NonZeroUsize::MIN.saturating_add(self.lines.len()));
        let next = match *last {
            Some(last) => core::mem::replace(&mut self.lines[last.index()].next, id),
            None => id,
        };
        if self.lines.is_empty() {
            // A game with one comment usually has one for every other move, and growing from zero would take ten steps.
            self.text.reserve(2048);
            self.lines.reserve(64);
        }
        self.text.push_str(line);
        self.lines.push(Line { end: self.text.len(), next });
        *last = Some(id);
    }

    /// The lines of the node whose last line is `last`.
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

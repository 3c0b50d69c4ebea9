//! [`Node`]: a move, an end, or the start of a record, with its time and text.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::num::NonZeroU32;

use komabako_rules::{Move16, State};

use super::Record;
use super::comments::LineId;
use crate::clock::Millis;
use crate::ending::Ending;
use crate::score::Score;
use crate::search::{Candidate, Search};

/// The identifier of a node in its record.
// Its index plus one, so that an `Option` takes no extra space and a node fits in a cache line.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(NonZeroU32);

/// The content of a node.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Step {
    /// The start position.
    Start,
    /// A move.
    Move(Move16),
    /// The end of the line.
    End(Ending),
}

/// A node of a record, see [`Record::node`]: a move, an end, or the start, with its time and text.
///
/// A view of three words, to be passed by value; the text of all nodes is stored in the record.
#[derive(Clone, Copy)]
pub struct Node<'a> {
    record: &'a Record,
    id: NodeId,
    data: &'a NodeData,
}

/// The data of a node within a record.
#[derive(Clone)]
pub(super) struct NodeData {
    /// The number of steps from the start to this node.
    pub ply: u32,
    pub parent: Option<NodeId>,
    pub first_child: Option<NodeId>,
    pub last_child: Option<NodeId>,
    pub next_sibling: Option<NodeId>,
    pub time: Option<Millis>,
    pub step: Step,
    /// The last of its comment lines.
    pub comment: Option<LineId>,
}

const _: () = assert!(size_of::<NodeData>() <= 64, "a node is a cache line");

impl NodeId {
    /// Its index among the nodes of the record: below [`Record::node_count`], ascending in the order of appending.
    pub const fn index(self) -> usize {
        self.0.get() as usize - 1
    }

    /// The id of the start.
    pub(crate) const START: NodeId = NodeId(NonZeroU32::MIN);

    /// The id of the node that follows `count` others.
    pub(crate) const fn after(count: usize) -> Self {
        NodeId(Self::START.0.saturating_add(count as u32))
    }
}

impl NodeData {
    #[inline]
    pub const fn new(step: Step, ply: u32, parent: Option<NodeId>) -> Self {
        Self {
            ply,
            parent,
            first_child: None,
            last_child: None,
            next_sibling: None,
            time: None,
            step,
            comment: None,
        }
    }
}

impl<'a> Node<'a> {
    #[inline]
    pub(super) fn new(record: &'a Record, id: NodeId) -> Self {
        Self { record, id, data: &record.nodes[id.index()] }
    }

    /// The number of steps from the start; 0 for the start itself.
    pub const fn ply(&self) -> u32 {
        self.data.ply
    }

    /// The previous node, or `None` for the start.
    pub const fn parent(&self) -> Option<NodeId> {
        self.data.parent
    }

    /// The next alternative to this node.
    pub const fn next_sibling(&self) -> Option<NodeId> {
        self.data.next_sibling
    }

    /// The next node; on the main line, its continuation.
    pub const fn first_child(&self) -> Option<NodeId> {
        self.data.first_child
    }

    /// The step of the node.
    pub const fn step(&self) -> &'a Step {
        &self.data.step
    }

    /// The move, if the step is one.
    pub const fn as_move(&self) -> Option<Move16> {
        match self.data.step {
            Step::Move(mv) => Some(mv),
            _ => None,
        }
    }

    /// The time spent on the move.
    pub const fn time(&self) -> Option<Millis> {
        self.data.time
    }

    /// The comment lines, verbatim.
    pub fn comments(&self) -> impl Iterator<Item = &'a str> + Clone + use<'a> {
        self.record.comments.lines(self.data.comment)
    }

    /// The bookmark.
    pub fn bookmark(&self) -> Option<&'a str> {
        self.record.bookmarks.get(&self.id).map(String::as_str)
    }

    /// The scores in its comments, in order, see [`Score`].
    pub fn scores(&self) -> impl Iterator<Item = Score> + use<'a> {
        self.comments().filter_map(Score::from_comment)
    }

    /// The moves that a search considered before this one, with their visits, from a comment of `AobaZero`; `before` is the
    /// position before the move.
    pub fn candidates(&self, before: &State<()>) -> Vec<Candidate> {
        let search = self.comments().find_map(Search::read);
        search.map_or_else(Vec::new, |search| search.candidates(before))
    }

    /// Whether two nodes are equal except for their links, which records compare by the order of a walk.
    pub(super) fn content_eq(&self, other: &Node<'_>) -> bool {
        let NodeData { ply, time, step, .. } = other.data;
        self.data.ply == *ply
            && self.data.step == *step
            && self.data.time == *time
            && self.comments().eq(other.comments())
            && self.bookmark() == other.bookmark()
    }
}

impl fmt::Debug for Node<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Node")
            .field("ply", &self.ply())
            .field("step", &self.step())
            .field("time", &self.time())
            .field("comments", &self.comments().collect::<Vec<_>>())
            .field("bookmark", &self.bookmark())
            .finish()
    }
}

//! [`Node`]: a move, an end, or the start of a record, with its time and text.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::num::NonZeroU32;

use komabako_rules::Move16;

use super::Record;
use super::comments::LineId;
use crate::clock::Millis;
use crate::ending::Ending;
use crate::score::Score;

/// The place of a node in its record.
// Its index plus one, so that an `Option` takes no more room: a node is a cache line.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(NonZeroU32);

/// What happened at a node.
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
/// A view of three words, to be passed by value: the text of all nodes lies in the record.
#[derive(Clone, Copy)]
pub struct Node<'a> {
    record: &'a Record,
    id: NodeId,
    data: &'a NodeData,
}

/// What a record keeps of a node.
#[derive(Clone)]
pub(super) struct NodeData {
    /// Moves from the start to this one.
    pub ply: u32,
    pub parent: Option<NodeId>,
    pub first_child: Option<NodeId>,
    pub last_child: Option<NodeId>,
    pub next_sibling: Option<NodeId>,
    pub time: Option<Millis>,
    pub step: Step,
    /// The last of its lines of comment.
    pub comment: Option<LineId>,
}

const _: () = assert!(size_of::<NodeData>() <= 64, "a node is a cache line");

impl NodeId {
    /// Its index among the nodes of the record: below [`Record::node_count`], ascending in the order of appending.
    pub const fn index(self) -> usize {
        self.0.get() as usize - 1
    }

    /// The place of the start.
    pub(crate) const START: NodeId = NodeId(NonZeroU32::MIN);

    /// The place of a node that has `count` before it.
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

    /// How many steps it is from the start; the start has 0.
    pub const fn ply(&self) -> u32 {
        self.data.ply
    }

    /// The node before, or `None` for the start.
    pub const fn parent(&self) -> Option<NodeId> {
        self.data.parent
    }

    /// The next alternative to this node.
    pub const fn next_sibling(&self) -> Option<NodeId> {
        self.data.next_sibling
    }

    /// The node after it that is on the main line, if it is.
    pub const fn first_child(&self) -> Option<NodeId> {
        self.data.first_child
    }

    /// What happened.
    pub const fn step(&self) -> &'a Step {
        &self.data.step
    }

    /// The move, if it is one.
    pub const fn as_move(&self) -> Option<Move16> {
        match self.data.step {
            Step::Move(mv) => Some(mv),
            _ => None,
        }
    }

    /// The time that the move took.
    pub const fn time(&self) -> Option<Millis> {
        self.data.time
    }

    /// The lines of comment, verbatim.
    pub fn comments(&self) -> impl Iterator<Item = &'a str> + Clone + use<'a> {
        self.record.comments.lines(self.data.comment)
    }

    /// The bookmark.
    pub fn bookmark(&self) -> Option<&'a str> {
        self.record.bookmarks.get(&self.id).map(String::as_str)
    }

    /// The scores that its comments hold, in their order, see [`Score`].
    pub fn scores(&self) -> impl Iterator<Item = Score> + use<'a> {
        self.comments().filter_map(Score::from_comment)
    }

    /// Whether two nodes are equal but for their links: records compare those by the order of a walk.
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

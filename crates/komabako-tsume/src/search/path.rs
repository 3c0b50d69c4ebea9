//! [`Path`]: the nodes from the root to the one being searched, each with its children.

use alloc::vec;
use alloc::vec::Vec;

use komabako_board::Hand;

use super::node::{Child, Entered, Frame};
use crate::table::BoardKey;

/// The bytes that the children along the path may take if the table takes less: enough for paths of
/// [`MAX_DEPTH`](super::MAX_DEPTH), unless they lead through positions with unusually many moves.
const LEAST_STACK: usize = 64 << 20;
/// The nominal size of a child, the same on every platform, so that limits are reached at the same node.
const CHILD_BYTES: usize = 64;
/// The most children that are added from one call of [`Path::reserve_round`] to the next: a step pushes at most one frame, and
/// leaving a node that another thread settled may push one for a test that goes on. Each has fewer than 600 moves.
const CHILDREN_OF_A_ROUND: usize = 2 * 600;

/// The nodes from the root to the one being searched.
pub(super) struct Path {
    frames: Vec<Frame>,
    /// The children of all frames, from the root on. Those of a frame that is being expanded are the last, before the frame
    /// itself is pushed.
    children: Vec<Child>,
    max_children: usize,
    index: Index,
}

impl Path {
    /// An empty path, to accompany a table of this many bytes.
    pub fn new(bytes: usize) -> Self {
        Self {
            frames: Vec::new(),
            children: Vec::new(),
            max_children: bytes.max(LEAST_STACK) / CHILD_BYTES,
            index: Index::new(),
        }
    }

    #[cfg(test)]
    pub fn limit_children(&mut self, most: usize) {
        self.max_children = most;
    }

    pub fn clear(&mut self) {
        // Removing the frames one by one has emptied the index; filling its 16 KiB anew takes as long as a few nodes.
        if !self.frames.is_empty() {
            self.index.clear();
        }
        self.frames.clear();
        self.children.clear();
    }

    /// Reserves the memory that one round may need, so that no other allocation can fail. Returns `false` if there is not enough.
    pub fn reserve_round(&mut self) -> bool {
        self.children.len() <= self.max_children
            && self.children.try_reserve(CHILDREN_OF_A_ROUND).is_ok()
            && self.frames.try_reserve(2).is_ok()
    }

    pub fn len(&self) -> usize {
        self.frames.len()
    }

    pub fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }

    /// The nodes, from the root on.
    pub fn frames(&self) -> &[Frame] {
        &self.frames
    }

    /// The node being searched.
    pub fn top(&self) -> &Frame {
        &self.frames[self.frames.len() - 1]
    }

    pub fn top_mut(&mut self) -> &mut Frame {
        let top = self.frames.len() - 1;
        &mut self.frames[top]
    }

    /// Adds a node, whose children are the last ones. If it is `indexed`, [`Path::find`] finds it.
    pub fn push(&mut self, mut frame: Frame, indexed: bool) {
        if indexed {
            frame.link = self.index.push(frame.key, self.frames.len() as u32);
        }
        self.frames.push(frame);
    }

    /// Removes the last node and its children.
    pub fn pop(&mut self, indexed: bool) -> Option<Frame> {
        let frame = self.frames.pop()?;
        if indexed {
            self.index.pop(frame.key, frame.link);
        }
        self.children.truncate(frame.children as usize);
        Some(frame)
    }

    /// The number of children of all nodes.
    pub fn child_count(&self) -> usize {
        self.children.len()
    }

    /// The children from a place on.
    pub fn children_from(&self, start: usize) -> &[Child] {
        &self.children[start..]
    }

    /// The children of the root.
    pub fn first_children(&self) -> &[Child] {
        let end = self.frames.get(1).map_or(self.children.len(), |next| next.children as usize);
        &self.children[..end]
    }

    /// The children of the node being searched.
    pub fn top_children(&self) -> &[Child] {
        &self.children[self.top().children as usize..]
    }

    /// The place of a child of the node being searched, given by its number among them.
    pub fn place(&self, child: u32) -> usize {
        (self.top().children + child) as usize
    }

    pub fn child(&self, place: usize) -> &Child {
        &self.children[place]
    }

    pub fn child_mut(&mut self, place: usize) -> &mut Child {
        &mut self.children[place]
    }

    pub fn add_child(&mut self, child: Child) {
        self.children.push(child);
    }

    pub fn truncate_children(&mut self, count: usize) {
        self.children.truncate(count);
    }

    /// The least depth at which the board occurs on the path with a hand at least as large: the last one found, since the links
    /// lead from the newest frame to the oldest.
    ///
    /// Any such depth makes a sound refutation. The greatest would depend on fewer nodes; the least is the cautious choice.
    pub fn find(&self, key: BoardKey, hand: Hand) -> Option<u32> {
        let mut least = None;
        let mut index = self.index.newest(key);
        while let Some(frame) = self.frames.get(index as usize) {
            if frame.key == key && frame.hand.is_at_least(hand) {
                least = Some(frame.depth);
            }
            index = frame.link;
        }
        least
    }

    /// The least depth at which the board occurs on the path with this hand, among the last nodes with this bound.
    pub fn find_within(&self, key: BoardKey, hand: Hand, bound: u16) -> Option<u32> {
        let same_bound = self.frames.iter().rev().take_while(|frame| frame.bound == bound);
        same_bound.filter(|frame| frame.key == key && frame.hand == hand).map(|frame| frame.depth).last()
    }

    /// The moves of the path.
    pub fn moves(&self) -> impl Iterator<Item = komabako_rules::Move16> {
        self.frames.iter().filter_map(|frame| match frame.entered {
            Entered::Move(undo) => Some(undo.mv()),
            Entered::Captured { capture, .. } => Some(capture.mv()),
            Entered::InPlace | Entered::Returned { .. } => None,
        })
    }
}

const SLOTS: usize = 4096;

/// The index of no frame.
pub(super) const NO_FRAME: u32 = u32::MAX;

/// Finds the frames of a board on the path. A slot holds its newest frame, and each frame links to the one before it.
struct Index(Vec<u32>);

impl Index {
    fn new() -> Self {
        Self(vec![NO_FRAME; SLOTS])
    }

    fn clear(&mut self) {
        self.0.fill(NO_FRAME);
    }

    fn slot(key: BoardKey) -> usize {
        (key.low >> 20) as usize % SLOTS
    }

    fn newest(&self, key: BoardKey) -> u32 {
        self.0[Self::slot(key)]
    }

    /// Adds a frame. Returns the link to store in it.
    fn push(&mut self, key: BoardKey, frame: u32) -> u32 {
        core::mem::replace(&mut self.0[Self::slot(key)], frame)
    }

    /// Removes the newest frame.
    fn pop(&mut self, key: BoardKey, link: u32) {
        self.0[Self::slot(key)] = link;
    }
}

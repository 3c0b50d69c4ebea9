//! Walks over the tree that track the position.

use alloc::vec::Vec;
use core::fmt;

use komabako_rules::{State, Undo};

use super::{Node, NodeId, Record};

/// A walk over all nodes, see [`Record::walk`]. Its memory is proportional to the longest line.
pub struct Walk<'a> {
    record: &'a Record,
    /// The position before the current node.
    state: State<()>,
    undos: Vec<Undo<()>>,
    at: Option<NodeId>,
}

impl fmt::Debug for Walk<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Walk").field("at", &self.at).finish_non_exhaustive()
    }
}

impl<'a> Walk<'a> {
    pub(super) fn new(record: &'a Record) -> Self {
        // Enough for the main line of most games.
        let undos = Vec::with_capacity(record.nodes.len().min(160));
        Self { record, state: record.initial.clone(), undos, at: Some(record.start()) }
    }

    /// The position before the last returned node.
    pub fn state(&self) -> &State<()> {
        &self.state
    }

    /// The record.
    pub fn record(&self) -> &'a Record {
        self.record
    }

    fn node(&self, id: NodeId) -> Node<'a> {
        self.record.node(id)
    }
}

impl Iterator for Walk<'_> {
    type Item = NodeId;

    fn next(&mut self) -> Option<NodeId> {
        let here = self.at?;
        if let Some(child) = self.node(here).first_child() {
            if let Some(mv) = self.node(here).as_move() {
                self.undos.push(self.state.do_move(mv));
            }
            self.at = Some(child);
            return self.at;
        }
        let mut done = here;
        self.at = loop {
            if let Some(sibling) = self.node(done).next_sibling() {
                break Some(sibling);
            }
            let Some(parent) = self.node(done).parent() else { break None };
            if self.node(parent).as_move().is_some()
                && let Some(undo) = self.undos.pop()
            {
                self.state.undo_move(undo);
            }
            done = parent;
        };
        self.at
    }
}

/// The positions of the main line, see [`Record::positions`].
pub struct Positions<'a> {
    record: &'a Record,
    state: State<()>,
    next: Option<NodeId>,
}

impl fmt::Debug for Positions<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Positions").field("next", &self.next).finish_non_exhaustive()
    }
}

impl<'a> Positions<'a> {
    pub(super) fn new(record: &'a Record) -> Self {
        Self { record, state: record.initial.clone(), next: Some(record.start()) }
    }
}

impl Iterator for Positions<'_> {
    /// A node and the position after it; for an ending, the position before it.
    type Item = (NodeId, State<()>);

    fn next(&mut self) -> Option<(NodeId, State<()>)> {
        let id = self.next?;
        let node = self.record.node(id);
        if let Some(mv) = node.as_move() {
            self.state.do_move(mv);
        }
        self.next = node.first_child();
        Some((id, self.state.clone()))
    }
}

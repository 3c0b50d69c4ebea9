//! Repetitions: where a position stands on the path, and refutations that hold on one path alone.

use alloc::vec;
use alloc::vec::Vec;

use komabako_board::Hand;

use crate::node::{Frame, NO_CHILD};
use crate::table::BoardKey;

const SLOTS: usize = 4096;

/// Finds the frames of a board on the path: the newest frame of each slot, each linked to the one before it.
pub(crate) struct PathIndex {
    newest: Vec<u32>,
}

impl PathIndex {
    pub fn new() -> Self {
        Self { newest: vec![NO_CHILD; SLOTS] }
    }

    pub fn clear(&mut self) {
        self.newest.fill(NO_CHILD);
    }

    fn slot(key: BoardKey) -> usize {
        (key.low >> 20) as usize % SLOTS
    }

    /// Adds a frame; returns the link that it must keep.
    pub fn push(&mut self, key: BoardKey, frame: u32) -> u32 {
        core::mem::replace(&mut self.newest[Self::slot(key)], frame)
    }

    /// Removes the newest frame.
    pub fn pop(&mut self, key: BoardKey, link: u32) {
        self.newest[Self::slot(key)] = link;
    }

    /// The least depth at which the board stood on the path with a hand at least as large. `last` is the frame that is
    /// being expanded and not yet indexed.
    pub fn find(&self, frames: &[Frame], last: &Frame, key: BoardKey, hand: Hand) -> Option<u32> {
        let mut least = None;
        let mut place = self.newest[Self::slot(key)];
        while let Some(frame) = frames.get(place as usize) {
            if frame.key == key && frame.hand.is_at_least(hand) {
                least = Some(frame.depth);
            }
            place = frame.link;
        }
        debug_assert!(last.key != key, "a move changes the side to move");
        least
    }
}

/// Refutations that lean on a repetition, by the path: the moves from the root, in order, and which search it was.
///
/// A slot holds the newest. What is lost is searched again.
pub(crate) struct PathTable {
    slots: Vec<(u128, u32)>,
}

impl PathTable {
    /// A table of at most `slots` slots.
    pub fn new(slots: usize) -> Self {
        let mut bits = (slots / 8).clamp(1 << 10, 1 << 18).ilog2();
        let mut slots: Vec<(u128, u32)> = Vec::new();
        while bits > 10 && slots.try_reserve_exact(1 << bits).is_err() {
            bits -= 1;
        }
        slots.resize(1 << bits, (0, 0));
        Self { slots }
    }

    fn slot(&self, path: u128) -> usize {
        (path >> 90) as usize & (self.slots.len() - 1)
    }

    pub fn insert(&mut self, path: u128, depth: u32) {
        let slot = self.slot(path);
        self.slots[slot] = (path, depth);
    }

    pub fn get(&self, path: u128) -> Option<u32> {
        let (known, depth) = self.slots[self.slot(path)];
        (known == path).then_some(depth)
    }
}

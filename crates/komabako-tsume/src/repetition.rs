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
/// A slot holds the newest. What is lost is searched again. Half full, the table doubles up to an eighth of the memory and
/// 256 MiB. That saves little: of the nodes of Microcosmos less than a thousandth, while 2^23 slots from the start, in which
/// hardly anything is lost, saved 4 %, but would have to be cleared for every solver.
pub(crate) struct PathTable {
    slots: Vec<(u128, u32)>,
    /// The part in use, a power of two: each problem begins with a small one, whatever those before it needed, so that it
    /// is searched by the same nodes.
    size: usize,
    first_size: usize,
    max_size: usize,
    used: usize,
}

impl PathTable {
    /// A table for a memory of this number of slots.
    pub fn new(slots: usize) -> Self {
        let max_bits = (slots / 8).clamp(1 << 10, 1 << 23).ilog2();
        let mut bits = max_bits.min(18);
        let mut slots: Vec<(u128, u32)> = Vec::new();
        while bits > 10 && slots.try_reserve_exact(1 << bits).is_err() {
            bits -= 1;
        }
        let size = 1 << bits;
        slots.resize(size, (0, 0));
        Self { slots, size, first_size: size, max_size: 1 << max_bits, used: 0 }
    }

    /// Begins another problem. Its paths are other ones, so nothing has to be forgotten.
    pub fn clear(&mut self) {
        self.size = self.first_size;
        self.used = 0;
    }

    fn slot(&self, path: u128) -> usize {
        (path >> 90) as usize & (self.size - 1)
    }

    pub fn insert(&mut self, path: u128, depth: u32) {
        let slot = self.slot(path);
        self.used += usize::from(self.slots[slot].0 != path);
        self.slots[slot] = (path, depth);
        if self.used * 2 > self.size && self.size < self.max_size {
            self.grow();
        }
    }

    pub fn get(&self, path: u128) -> Option<u32> {
        let (known, depth) = self.slots[self.slot(path)];
        (known == path).then_some(depth)
    }

    #[cold]
    fn grow(&mut self) {
        let old = self.size;
        let missing = (2 * old).saturating_sub(self.slots.len());
        if self.slots.try_reserve_exact(missing).is_err() {
            self.max_size = old;
            return;
        }
        self.slots.resize(self.slots.len() + missing, (0, 0));
        self.size = 2 * old;
        // One more bit of the path counts: an entry stays, or goes as far up as the table was long. Empty slots stay.
        for place in 0..old {
            let slot = self.slot(self.slots[place].0);
            if slot == place + old {
                self.slots.swap(place, slot);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn path_table_keeps_its_entries_when_it_grows() {
        // Slots come from the bits from the 90th on; the lowest say which problem it is.
        let path_of = |problem: u128, number: u32| u128::from(number) << 90 | problem;
        let mut paths = PathTable::new(8 << 20);
        assert_eq!((paths.size, paths.max_size), (1 << 18, 1 << 20));
        for problem in 1..3 {
            let path = |number| path_of(problem, number);
            for number in 0..200_000 {
                paths.insert(path(number), number);
                paths.insert(path(number), number);
            }
            assert_eq!(paths.size, 1 << 19);
            assert!((0..200_000).all(|number| paths.get(path(number)) == Some(number)));
            assert_eq!(paths.get(path(200_000)), None);
            paths.clear();
            assert_eq!(paths.size, 1 << 18);
        }
        (0..2_000_000).for_each(|number| paths.insert(path_of(3, number), number));
        assert_eq!((paths.size, paths.get(path_of(3, 1_999_999))), (1 << 20, Some(1_999_999)));
    }
}

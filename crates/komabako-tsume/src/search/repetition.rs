//! [`PathTable`]: refutations that hold on one path only.

use alloc::vec::Vec;

use komabako_rules::Move16;

use super::node::Child;

/// Refutations that depend on a repetition, by path: a hash of the moves from the root in order and of the search's number.
///
/// A path maps to one cache line, which holds the newest four of the paths that share it. A lost entry is searched again.
/// The table doubles when `used` reaches half of its entries, up to a sixteenth of the memory and at most 128 MiB. With one entry per line more
/// entries were lost: Microcosmos took 4 % more nodes.
pub(super) struct PathTable {
    lines: Vec<PathLine>,
    /// The number of lines in use, a power of two. Each problem starts with the first size, whatever earlier problems needed, so
    /// that its search takes the same nodes.
    size: usize,
    first_size: usize,
    max_size: usize,
    /// The number of entries added since [`PathTable::clear`], those that replaced others included.
    used: usize,
}

/// Entries from the oldest to the newest: 96 bits of the path, then 32 bits of depth.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct PathLine([u128; PathLine::ENTRIES]);

impl PathLine {
    const ENTRIES: usize = 4;
    const EMPTY: Self = Self([EMPTY; Self::ENTRIES]);

    /// Adds an entry in place of the oldest.
    fn push(&mut self, entry: u128) {
        self.0.rotate_left(1);
        self.0[Self::ENTRIES - 1] = entry;
    }
}

const EMPTY: u128 = 0;
/// The bits of an entry that hold its depth.
const DEPTH: u128 = 0xffff_ffff;

impl PathTable {
    /// A table to accompany a [`Table`](crate::table::Table) of this number of slots.
    pub fn new(slots: usize) -> Self {
        let max_bits = (slots / 8 / PathLine::ENTRIES).clamp(1 << 8, 1 << 21).ilog2();
        let mut bits = max_bits.min(16);
        let mut lines: Vec<PathLine> = Vec::new();
        while bits > 8 && lines.try_reserve_exact(1 << bits).is_err() {
            bits -= 1;
        }
        let size = 1 << bits;
        lines.resize(size, PathLine::EMPTY);
        Self { lines, size, first_size: size, max_size: 1 << max_bits, used: 0 }
    }

    /// Begins another problem. Old entries may stay: the new problem's path keys are different.
    pub fn clear(&mut self) {
        self.size = self.first_size;
        self.used = 0;
    }

    fn index(&self, path: u128) -> usize {
        (path >> 90) as usize & (self.size - 1)
    }

    /// Adds a refutation that depends on the position at a depth of the path.
    pub fn insert(&mut self, path: u128, depth: u32) {
        let index = self.index(path);
        let line = &mut self.lines[index];
        let entry = path & !DEPTH | u128::from(depth);
        if let Some(known) = line.0.iter_mut().find(|known| (**known ^ path) & !DEPTH == 0) {
            *known = entry;
            return;
        }
        line.push(entry);
        self.used += 1;
        if self.used * 2 > self.size * PathLine::ENTRIES && self.size < self.max_size {
            self.grow();
        }
    }

    /// The depth that the refutation at the end of a path depends on.
    pub fn get(&self, path: u128) -> Option<u32> {
        let line = &self.lines[self.index(path)];
        line.0.iter().find(|known| (**known ^ path) & !DEPTH == 0).map(|known| (known & DEPTH) as u32)
    }

    #[cold]
    fn grow(&mut self) {
        let old = self.size;
        let missing = (2 * old).saturating_sub(self.lines.len());
        if self.lines.try_reserve_exact(missing).is_err() {
            self.max_size = old;
            return;
        }
        self.lines.resize(self.lines.len() + missing, PathLine::EMPTY);
        self.size = 2 * old;
        // The index takes one more bit of the path: an entry stays or moves up by the old size, keeping the order of age.
        for index in 0..old {
            let line = core::mem::replace(&mut self.lines[index], PathLine::EMPTY);
            self.lines[index + old] = PathLine::EMPTY;
            for entry in line.0.into_iter().filter(|&entry| entry != EMPTY) {
                let index = self.index(entry);
                self.lines[index].push(entry);
            }
        }
    }
}

/// The key of a path extended by one move.
fn path_after(path: u128, mv: Move16) -> u128 {
    (path ^ u128::from(mv.bits()) << 40 ^ u128::from(mv.bits()) << 3)
        .wrapping_mul(0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645)
        .rotate_left(61)
}

/// The key of a path extended by the move of a child. A capture with the piece given back is another step than the capture.
pub(super) fn path_after_child(path: u128, child: &Child) -> u128 {
    let after = path_after(path, child.mv);
    if child.returned { path_after(after, child.mv) } else { after }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn path_table_keeps_its_entries_when_it_grows() {
        // Bits from the 90th up select the line; the bits below contain the problem's number.
        let path_of = |problem: u128, number: u32| u128::from(number) << 90 | problem << 40;
        let mut paths = PathTable::new(8 << 20);
        assert_eq!((paths.size, paths.max_size), (1 << 16, 1 << 18));
        for problem in 1..3 {
            let path = |number| path_of(problem, number);
            for number in 0..200_000 {
                paths.insert(path(number), number);
                paths.insert(path(number), number);
            }
            assert_eq!(paths.size, 1 << 17);
            assert!((0..200_000).all(|number| paths.get(path(number)) == Some(number)));
            assert_eq!(paths.get(path(200_000)), None);
            paths.clear();
            assert_eq!(paths.size, 1 << 16);
        }
        (0..2_000_000).for_each(|number| paths.insert(path_of(3, number), number));
        assert_eq!((paths.size, paths.get(path_of(3, 1_999_999))), (1 << 18, Some(1_999_999)));
    }
}

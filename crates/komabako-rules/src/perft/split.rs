//! Perft move by move, on several threads, and with a table of positions met before.

use alloc::vec;
use alloc::vec::Vec;

use super::{Leaves, perft};
use crate::Move16;
use crate::list::MoveList;
use crate::state::State;
use crate::zobrist::Key;

/// [`perft`] of each legal move: the move and the number of sequences that start with it, in the order of the list.
///
/// # Panics
/// If `depth` is 0.
///
/// ```
/// use komabako_rules::{Leaves, State, perft};
/// let divided = perft::divide(&State::<()>::start(), 2, Leaves::Count);
/// assert_eq!(divided.len(), 30);
/// assert_eq!(divided.iter().map(|&(_, nodes)| nodes).sum::<u64>(), 900);
/// ```
pub fn divide<K: Key>(state: &State<K>, depth: u32, leaves: Leaves) -> Vec<(Move16, u64)> {
    assert!(depth > 0, "a perft of depth 0 has no first move");
    children(state).map(|(mv, child)| (mv, perft(&child, depth - 1, leaves))).collect()
}

fn children<K: Key>(state: &State<K>) -> impl Iterator<Item = (Move16, State<K>)> + use<K> {
    let mut moves = MoveList::new();
    state.legal_moves(&mut moves);
    let state = state.clone();
    (0..moves.len()).map(move |index| {
        let mut child = state.clone();
        child.do_move(moves[index]);
        (moves[index], child)
    })
}

/// [`perft`] on several threads, which share the positions two plies on.
///
/// # Panics
/// If the system refuses a thread.
#[cfg(feature = "std")]
pub fn perft_threads<K: Key + Send + Sync>(
    state: &State<K>,
    depth: u32,
    leaves: Leaves,
    threads: usize,
) -> u64 {
    use core::sync::atomic::{AtomicUsize, Ordering};

    if depth < 3 || threads < 2 {
        return perft(state, depth, leaves);
    }
    let states: Vec<State<K>> =
        children(state).flat_map(|(_, child)| children(&child)).map(|(_, state)| state).collect();
    let next = AtomicUsize::new(0);
    let work = || {
        let mut nodes = 0;
        while let Some(state) = states.get(next.fetch_add(1, Ordering::Relaxed)) {
            nodes += perft(state, depth - 2, leaves);
        }
        nodes
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        let own = work();
        // A worker panics only if `perft` does.
        workers
            .into_iter()
            .map(|worker| worker.join().expect("perft does not panic"))
            .fold(own, u64::wrapping_add)
    })
}

/// What [`perft_hashed`] remembers: the counts of positions, told apart by keys of 128 bits.
#[derive(Clone, Debug)]
pub struct PerftTable {
    entries: Vec<Entry>,
}

#[derive(Clone, Copy, Default, Debug)]
struct Entry {
    key: u128,
    depth: u32,
    nodes: u64,
}

impl PerftTable {
    /// A table of at most `bytes` bytes, at least one entry of 32 bytes.
    pub fn new(bytes: usize) -> Self {
        let entries = (bytes / size_of::<Entry>()).max(1);
        Self { entries: vec![Entry::default(); 1 << entries.ilog2()] }
    }

    fn entry(&mut self, key: u128) -> &mut Entry {
        let index = (key >> 64) as usize & (self.entries.len() - 1);
        &mut self.entries[index]
    }
}

/// [`perft`] that looks positions up in a table. Right unless two positions share a key of 128 bits.
pub fn perft_hashed(state: &State<u128>, depth: u32, table: &mut PerftTable) -> u64 {
    // Near the leaves counting is faster than looking up.
    if depth < 3 {
        return perft(state, depth, Leaves::Count);
    }
    let key = state.key();
    let known = table.entry(key);
    if (known.key, known.depth) == (key, depth) {
        return known.nodes;
    }
    let nodes = children(state).map(|(_, child)| perft_hashed(&child, depth - 1, table)).sum();
    *table.entry(key) = Entry { key, depth, nodes };
    nodes
}

//! Perft per move, and on several threads.

use alloc::vec::Vec;

use komabako_bits::Backend;

use super::{Leaves, perft_on};
use crate::Move16;
use crate::generator::Generator;
use crate::list::MoveList;
use crate::state::{Keyless, State};
use crate::zobrist::Key;

/// [`perft`](super::perft) of each legal move: the move and the number of sequences that start with it, in the order of
/// the list.
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
pub fn divide(state: &Keyless, depth: u32, leaves: Leaves) -> Vec<(Move16, u64)> {
    assert!(depth > 0, "a perft of depth 0 has no first move");
    let backend = Backend::detect();
    let state = State::<()>::from(state.clone());
    children(backend, &state).map(|(mv, child)| (mv, perft_on(backend, &child, depth - 1, leaves))).collect()
}

/// The legal moves and the states after them.
pub(super) fn children<K: Key>(
    backend: Backend,
    state: &State<K>,
) -> impl Iterator<Item = (Move16, State<K>)> + use<K> {
    let mut moves = MoveList::new();
    Generator::new(backend).legal_moves(state, &mut moves);
    let state = state.clone();
    (0..moves.len()).map(move |index| {
        let mut child = state.clone();
        child.do_move(moves[index]);
        (moves[index], child)
    })
}

/// [`perft_on`] on several threads; on one if the target has no threads (WebAssembly).
///
/// # Panics
/// If the system cannot start a thread.
#[cfg(feature = "std")]
pub fn perft_threads(backend: Backend, state: &Keyless, depth: u32, leaves: Leaves, threads: usize) -> u64 {
    let state = State::<()>::from(state.clone());
    shared(backend, &state, depth, threads, |state, depth| perft_on(backend, state, depth, leaves))
}

/// A count by several threads, which share the positions two plies later.
#[cfg(feature = "std")]
pub(super) fn shared<K: Key + Send + Sync>(
    backend: Backend,
    state: &State<K>,
    depth: u32,
    threads: usize,
    count: impl Fn(&State<K>, u32) -> u64 + Sync,
) -> u64 {
    use core::sync::atomic::{AtomicUsize, Ordering};

    if depth < 3 || threads < 2 || cfg!(target_family = "wasm") {
        return count(state, depth);
    }
    // Two plies give hundreds of positions: if each thread takes the next one when it is free, all finish at about the same
    // time, although some positions take far longer than others.
    let states: Vec<State<K>> = children(backend, state)
        .flat_map(|(_, child)| children(backend, &child))
        .map(|(_, state)| state)
        .collect();
    let next = AtomicUsize::new(0);
    let work = || {
        let mut nodes = 0;
        while let Some(state) = states.get(next.fetch_add(1, Ordering::Relaxed)) {
            nodes += count(state, depth - 2);
        }
        nodes
    };
    std::thread::scope(|scope| {
        // If the system refuses a thread, the others do its work.
        let start = |_| std::thread::Builder::new().spawn_scoped(scope, work).ok();
        let workers: Vec<_> = (1..threads).map_while(start).collect();
        let own = work();
        // A worker panics only if `count` does.
        workers
            .into_iter()
            .map(|worker| worker.join().expect("perft does not panic"))
            .fold(own, u64::wrapping_add)
    })
}

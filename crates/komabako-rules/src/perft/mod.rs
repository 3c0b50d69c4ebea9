//! Perft: the number of move sequences of a given length.

#[cfg(target_has_atomic = "64")]
mod hashed;
mod making;
mod split;

use alloc::vec::Vec;

use komabako_bits::{Backend, BitOps, Kernel, dispatch};

use crate::generate::{self, Count};
use crate::list::MoveList;
use crate::state::{Keyless, State, Undo};
use crate::zobrist::Key;

#[cfg(all(feature = "std", target_has_atomic = "64"))]
pub use hashed::perft_hashed_threads;
#[cfg(target_has_atomic = "64")]
pub use hashed::{PerftTable, perft_hashed};
pub(crate) use making::PerftByMaking;
pub use split::divide;
#[cfg(feature = "std")]
pub use split::perft_threads;

/// How [`perft`] counts the last ply.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Leaves {
    /// By the sizes of target sets; no list is made.
    #[default]
    Count,
    /// By the lengths of the lists of moves.
    List,
    /// Every move is made and taken back.
    Make,
}

/// The number of sequences of `depth` legal moves from a state.
///
/// Keys are kept where the last moves are made ([`Leaves::Make`]); a count needs none and keeps none.
///
/// ```
/// use komabako_rules::{Leaves, State, perft};
/// assert_eq!(perft(&State::<()>::start(), 3, Leaves::Count), 25_470);
/// ```
pub fn perft<K: Key>(state: &State<K>, depth: u32, leaves: Leaves) -> u64 {
    perft_on(Backend::detect(), state, depth, leaves)
}

/// [`perft`] with the instructions of a given backend.
pub fn perft_on<K: Key>(backend: Backend, state: &State<K>, depth: u32, leaves: Leaves) -> u64 {
    match leaves {
        _ if depth == 0 => 1,
        Leaves::Make => K::perft_by_making(backend, state, depth),
        Leaves::Count | Leaves::List => perft_without_key(backend, state, depth, leaves == Leaves::List),
    }
}

fn perft_without_key(backend: Backend, state: &Keyless, depth: u32, lists: bool) -> u64 {
    let state = State::<()>::from(state.clone());
    if lists {
        dispatch(backend, Perft::<(), LIST> { state, depth })
    } else {
        dispatch(backend, Perft::<(), COUNT> { state, depth })
    }
}

/// The values of [`Leaves`] as a kernel has them.
const COUNT: u8 = 0;
const LIST: u8 = 1;
const MAKE: u8 = 2;

struct Perft<K: Key, const LEAVES: u8> {
    state: State<K>,
    depth: u32,
}

/// One ply of the walk: its moves, the next one to make, and how to return from it to the ply before.
struct Ply<K: Key> {
    moves: MoveList,
    next: usize,
    back: Option<Undo<K>>,
}

impl<K: Key, const LEAVES: u8> Kernel for Perft<K, LEAVES> {
    type Output = u64;

    #[inline(always)]
    fn run<B: BitOps>(mut self, ops: B) -> u64 {
        let state = &mut self.state;
        // A stack of plies and a loop: a function that calls itself cannot be inlined into the kernel, and would be
        // compiled without the backend's instructions.
        let mut plies: Vec<Ply<K>> =
            (0..self.depth).map(|_| Ply { moves: MoveList::new(), next: 0, back: None }).collect();
        let mut nodes = 0;
        let mut at = 0;
        // Beside the state: to read back what a move has just stored would wait for the store.
        let mut threats = state.threats;
        loop {
            // Enter the position at ply `at`.
            let is_last = at + 1 == plies.len();
            if LEAVES == COUNT && is_last {
                let mut count = Count(0);
                generate::legal(ops, state, threats, &mut count);
                nodes += u64::from(count.0);
            } else {
                let ply = &mut plies[at];
                let mut writer = ply.moves.write();
                generate::legal(ops, state, threats, &mut writer);
                writer.finish();
                ply.next = 0;
                if is_last {
                    nodes += ply.moves.len() as u64;
                    if LEAVES == MAKE {
                        for &mv in &ply.moves {
                            if state.white {
                                let undo = state.make::<true>(mv);
                                state.unmake::<true>(undo);
                            } else {
                                let undo = state.make::<false>(mv);
                                state.unmake::<false>(undo);
                            }
                        }
                    }
                }
            }
            if is_last {
                let Some(undo) = plies[at].back else { return nodes };
                state.undo_inlined(undo);
                at -= 1;
            }
            // Make the next move of this ply or of the nearest one before that has some left.
            loop {
                let ply = &mut plies[at];
                if let Some(&mv) = ply.moves.get(ply.next) {
                    ply.next += 1;
                    let undo = if state.white { state.make::<true>(mv) } else { state.make::<false>(mv) };
                    at += 1;
                    threats = state.threats;
                    plies[at].back = Some(undo);
                    break;
                }
                let Some(undo) = ply.back else { return nodes };
                state.undo_inlined(undo);
                at -= 1;
            }
        }
    }
}

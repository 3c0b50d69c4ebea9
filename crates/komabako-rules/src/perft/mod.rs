//! Perft: the number of move sequences of a given length.

#[cfg(target_has_atomic = "64")]
mod hashed;
mod making;
mod split;

use alloc::vec::Vec;

use komabako_bits::{Backend, BitOps, Kernel, dispatch};

use crate::generate::{self, Bulk, Count};
use crate::list::MoveList;
use crate::state::{Keyless, State, Undo};
use crate::zobrist::Key;

#[cfg(all(feature = "std", target_has_atomic = "64"))]
pub use hashed::perft_hashed_threads;
#[cfg(target_has_atomic = "64")]
pub use hashed::{PerftTable, perft_hashed};
pub use making::perft_by_making;
pub use split::divide;
#[cfg(feature = "std")]
pub use split::perft_threads;

/// The way in which [`perft`] counts the last ply.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Leaves {
    /// By the sizes of target sets; no list is made.
    #[default]
    Count,
    /// By the lengths of the lists of moves.
    List,
}

/// The number of sequences of `depth` legal moves from a state.
///
/// Counting needs no key and keeps none; [`perft_by_making`] also makes the last moves, and keeps keys.
///
/// ```
/// use komabako_rules::{Leaves, State, perft};
/// assert_eq!(perft(&State::<()>::start(), 3, Leaves::Count), 25_470);
/// ```
pub fn perft(state: &Keyless, depth: u32, leaves: Leaves) -> u64 {
    perft_on(Backend::detect(), state, depth, leaves)
}

/// [`perft`] with a given backend's instructions.
pub fn perft_on(backend: Backend, state: &Keyless, depth: u32, leaves: Leaves) -> u64 {
    if depth == 0 {
        return 1;
    }
    dispatch(backend.scalar(), Perft { state: State::from(state.clone()), depth, leaves })
}

struct Perft {
    state: State<()>,
    depth: u32,
    leaves: Leaves,
}

impl Kernel for Perft {
    type Output = u64;

    #[inline(always)]
    fn run<B: BitOps>(mut self, ops: B) -> u64 {
        walk(ops, &mut self.state, self.depth, self.leaves)
    }
}

impl LastPly<()> for Leaves {
    #[inline(always)]
    fn listed(self) -> bool {
        self == Leaves::List
    }

    #[inline(always)]
    fn count(self, _: &mut State<()>, moves: &MoveList) -> u64 {
        moves.len() as u64
    }
}

/// Counts the moves of a position on the last ply.
///
/// A trait, since a closure is not inlined into a kernel and would be compiled without the backend's instructions.
trait LastPly<K: Key>: Copy {
    /// Whether the moves are listed instead of only counted.
    fn listed(self) -> bool;

    /// Counts listed moves.
    fn count(self, state: &mut State<K>, moves: &MoveList) -> u64;
}

/// One ply of the walk: its moves, the next one to make, and the undo that returns to the ply before.
struct Ply<K: Key> {
    moves: MoveList,
    next: usize,
    back: Option<Undo<K>>,
}

/// Makes every sequence of `depth - 1` moves and adds up the counts of `last` after each.
#[inline(always)]
fn walk<K: Key, B: BitOps>(ops: B, state: &mut State<K>, depth: u32, last: impl LastPly<K>) -> u64 {
    // A stack of plies and a loop: a recursive function cannot be inlined into the kernel.
    let mut plies: Vec<Ply<K>> =
        (0..depth).map(|_| Ply { moves: MoveList::new(), next: 0, back: None }).collect();
    let mut nodes = 0;
    let mut at = 0;
    // Kept outside the state: reading back the threats that a move has just stored would wait for the store.
    let mut threats = state.threats;
    loop {
        // Enter the position at ply `at`.
        let at_last = at + 1 == plies.len();
        if at_last && !last.listed() {
            let mut count = Count::all();
            generate::legal(state, threats, &mut count);
            nodes += u64::from(count.moves());
        } else {
            let ply = &mut plies[at];
            let mut moves = Bulk(ply.moves.write(ops));
            generate::legal(state, threats, &mut moves);
            moves.0.finish();
            ply.next = 0;
            if at_last {
                nodes += last.count(state, &ply.moves);
            }
        }
        if at_last {
            let Some(undo) = plies[at].back else { return nodes };
            state.undo_inlined(undo);
            at -= 1;
        }
        // Make the next move of this ply, or of the nearest earlier ply that has moves left.
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

//! Perft that makes the moves of the last ply too.

use komabako_bits::{Backend, BitOps, Kernel, dispatch};

use super::{LastPly, walk};
use crate::list::MoveList;
use crate::state::State;
use crate::zobrist::Key;

/// The number of sequences of `depth` legal moves from a state. Each move is made and taken back, even on the last ply, with
/// keys of the state's width, so the time is the cost of moves in a search.
///
/// ```
/// use komabako_rules::{State, perft::perft_by_making};
/// assert_eq!(perft_by_making(komabako_bits::Backend::detect(), &State::<u64>::start(), 3), 25_470);
/// ```
// Compiled in the calling crate, not here for every width: it is for measurements, and would slow every build.
pub fn perft_by_making<K: Key>(backend: Backend, state: &State<K>, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    dispatch(backend.scalar(), PerftByMaking { state: state.clone(), depth })
}

struct PerftByMaking<K: Key> {
    state: State<K>,
    depth: u32,
}

impl<K: Key> Kernel for PerftByMaking<K> {
    type Output = u64;

    #[inline(always)]
    fn run<B: BitOps>(mut self, ops: B) -> u64 {
        walk(ops, &mut self.state, self.depth, Made)
    }
}

#[derive(Clone, Copy)]
struct Made;

impl<K: Key> LastPly<K> for Made {
    #[inline(always)]
    fn listed(self) -> bool {
        true
    }

    #[inline(always)]
    fn count(self, state: &mut State<K>, moves: &MoveList) -> u64 {
        for &mv in moves {
            if state.white {
                let undo = state.make::<true>(mv);
                state.unmake::<true>(undo);
            } else {
                let undo = state.make::<false>(mv);
                state.unmake::<false>(undo);
            }
        }
        moves.len() as u64
    }
}

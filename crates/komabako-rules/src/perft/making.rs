//! Perft with the last moves made.

use komabako_bits::{Backend, BitOps, Kernel, dispatch};

use super::{LastPly, walk};
use crate::checks::Threats;
use crate::generate;
use crate::list::MoveList;
use crate::state::State;
use crate::zobrist::Key;

/// The number of sequences of `depth` legal moves from a state, each move made and taken back, those of the last ply too,
/// with keys of the state's width: what a search pays for its moves.
///
/// ```
/// use komabako_rules::{State, perft::perft_by_making};
/// assert_eq!(perft_by_making(komabako_bits::Backend::detect(), &State::<u64>::start(), 3), 25_470);
/// ```
// Compiled where it is called, not here for every width: it is for measurements, and every program would wait for it.
pub fn perft_by_making<K: Key>(backend: Backend, state: &State<K>, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    dispatch(backend, PerftByMaking { state: state.clone(), depth })
}

struct PerftByMaking<K: Key> {
    state: State<K>,
    depth: u32,
}

impl<K: Key> Kernel for PerftByMaking<K> {
    type Output = u64;

    #[inline(always)]
    fn run<B: BitOps>(mut self, ops: B) -> u64 {
        walk(ops, &mut self.state, self.depth, &mut Made(MoveList::new()))
    }
}

struct Made(MoveList);

impl<K: Key> LastPly<K> for Made {
    #[inline(always)]
    fn count<B: BitOps>(&mut self, ops: B, state: &mut State<K>, threats: Threats) -> u64 {
        let mut writer = self.0.write();
        generate::legal(ops, state, threats, &mut writer);
        writer.finish();
        for &mv in &self.0 {
            if state.white {
                let undo = state.make::<true>(mv);
                state.unmake::<true>(undo);
            } else {
                let undo = state.make::<false>(mv);
                state.unmake::<false>(undo);
            }
        }
        self.0.len() as u64
    }
}

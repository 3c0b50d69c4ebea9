//! Perft with the last moves made, for each width of key in a function that is compiled once: here.

use komabako_bits::{Backend, dispatch};

use super::{MAKE, Perft};
use crate::state::State;
use crate::zobrist::Key;

/// A width of key with which moves are made and taken back.
pub trait PerftByMaking: Sized {
    /// Counts the sequences of `depth` moves, 1 at least.
    fn perft_by_making(backend: Backend, state: &State<Self>, depth: u32) -> u64
    where
        Self: Key;
}

macro_rules! perft_by_making {
    ($($key:ty)*) => {
        $(impl PerftByMaking for $key {
            fn perft_by_making(backend: Backend, state: &State<Self>, depth: u32) -> u64 {
                dispatch(backend, Perft::<$key, MAKE> { state: state.clone(), depth })
            }
        })*
    };
}

perft_by_making!(() u64 u128);

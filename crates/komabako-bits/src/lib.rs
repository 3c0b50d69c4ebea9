//! Bit compress and expand (`pext`, `pdep`) on words and two-lane boards, with the fastest instructions of the CPU.
//!
//! A [`Kernel`] is code written once against [`BitOps`]; [`dispatch`] runs it on a [`Backend`], compiled with that
//! backend's instructions. Dispatch once per position or, better, once per slice of positions: a dispatch takes about
//! two nanoseconds, a quarter of the time to pack a position.
//!
//! ```
//! use komabako_bits::{Backend, BitOps, Kernel, dispatch};
//!
//! /// Packs the bits of each word that its mask selects.
//! struct Pack<'a>(&'a [(u64, u64)]);
//!
//! impl Kernel for Pack<'_> {
//!     type Output = Vec<u64>;
//!     #[inline(always)]
//!     fn run<B: BitOps>(self, ops: B) -> Vec<u64> {
//!         self.0.iter().map(|&(word, mask)| ops.pext(word, mask)).collect()
//!     }
//! }
//!
//! let packed = dispatch(Backend::detect(), Pack(&[(0b1010_0101, 0b1111_0000), (u64::MAX, 0b101)]));
//! assert_eq!(packed, [0b1010, 0b11]);
//! ```
//!
//! All that the crate knows about shogi is the shape of the board: 81 squares as 63 + 18 bits.

#![cfg_attr(not(feature = "std"), no_std)]
// CPU instructions are unsafe to call: only this crate contains them, so that no other needs `unsafe`.
#![allow(unsafe_code)]

#[macro_use]
mod lanes;

mod arch;
mod backend;
mod board;
mod choice;
mod gaps;
mod memory;
mod ops;

pub use arch::generic::{Reference, Soft};
pub use backend::{Backend, Kernel, UnknownBackend, Witness, WitnessVisitor, dispatch};
pub use board::{BoardMask, Bytes};
pub use choice::{Candidate, Verdict};
pub use gaps::Closed;
pub use lanes::{Lanes, Vectors};
pub use memory::{advise_huge_pages, prefetch, prefetch_ahead_for_write, prefetch_for_write};
pub use ops::BitOps;

/// The README's code, which runs as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

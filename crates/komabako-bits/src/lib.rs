//! Bit compress and expand (`pext`, `pdep`) on words and two-lane boards, by the fastest means of the CPU at hand.
//!
//! A [`Kernel`] is code written once against [`BitOps`]; [`dispatch`] runs it on a [`Backend`], compiled with that
//! backend's instructions. Dispatch once for a position or, better, once for a slice of them: the choice costs about
//! two nanoseconds, a quarter of what packing a position takes.
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
//! The crate knows nothing of shogi beyond the shape of its boards: 81 squares as 63 + 18 bits.

#![cfg_attr(not(feature = "std"), no_std)]
// CPU instructions are unsafe to call: this crate is the workspace's room for them, so that no other needs any.
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

//! Inputs and labels of shogi's neural networks, without allocation: for one position, or for many with kernels for the
//! current CPU.
//!
//! * [`dlshogi`]: the 62 + 57 planes of dlshogi and its family, as floats or packed bits.
//! * [`nnue`]: the indices of active inputs, `HalfKP`, `HalfKA_hm` and their relatives ([`FeatureSet`](nnue::FeatureSet)).
//! * [`bucket`]: layer-stack buckets by hands, kings and progress.
//! * [`label`]: moves as classes (2,187 or 1,496), and masks of the legal moves.
//! * [`target`]: scores and results as numbers from 0 to 1.
//! * [`board`]: positions as arrays of numbers, one byte per square.
//! * [`turn`]: positions with colours or sides exchanged.
//!
//! Everything is seen by the side to move unless stated otherwise: for White the board is turned by 180° and the colours
//! are exchanged. Squares are numbered from 0 (1a) file by file to 80 (9i). The numbers agree with the programs that
//! define them; the crate's specification, `spec/features.md`, describes the comparisons.
//!
//! ```
//! use komabako_features::{dlshogi::Planes, label, nnue, sfen};
//! let setup = sfen::parse("startpos")?.setup;
//! let planes = Planes::new(&setup);
//! assert_eq!(planes.pieces_and_attacks()[0].count_ones(), 9); // own pawns
//! let half_kp = nnue::half_kp(&setup, setup.side_to_move())?;
//! assert_eq!((half_kp.len(), half_kp.iter().min()), (38, Some(&68_208)));
//! assert_eq!(label::label("7g7f".parse()?, setup.side_to_move()), Some(59));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg_attr(not(feature = "std"), no_std)]
#![forbid(unsafe_code)]

pub use komabako_bits::Backend;
/// The board types of the interface, so that a first program needs no other crate.
pub use komabako_board::{Color, Setup, sfen};

mod attackers;
pub mod board;
pub mod bucket;
pub mod dlshogi;
pub mod label;
pub mod nnue;
pub mod target;
pub mod turn;

/// The README's code, which runs as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// Fills a slice from the start of another. For kernels, from which `copy_from_slice` is called instead of inlined.
#[inline(always)]
fn copy<T: Copy>(to: &mut [T], from: &[T]) {
    let from = &from[..to.len()];
    for (place, to) in to.iter_mut().enumerate() {
        *to = from[place];
    }
}

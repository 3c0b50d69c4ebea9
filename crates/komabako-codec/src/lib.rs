//! Byte-exact codecs of shogi positions in 256 bits.
//!
//! | codec | used by |
//! |---|---|
//! | [`Sspf`] | SSPFv1: fixed fields |
//! | [`PackedSfen`] | YaneuraOu's PSV records and most trainers |
//! | [`Hcp`] | Apery, cshogi, dlshogi: `hcpe`, `hcpe3`, GenSfen `.pack` |
//! | [`Nshogi`] | nshogi's teachers |
//!
//! Each packs a [`Setup`] into a [`Word`] and back through one trait, [`PositionCodec`]. One position has one word in
//! a format, and no other word is accepted, so equal words are equal positions. Decoding is total: any 32 bytes give a
//! setup or a typed error that names the field and the bit.

#![cfg_attr(not(feature = "std"), no_std)]
#![forbid(unsafe_code)]

extern crate alloc;

mod codec;
mod error;

pub use codec::{PositionCodec, Word};
pub use error::{Field, PackError, SliceError, UnpackError, UnpackFault};

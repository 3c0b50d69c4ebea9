//! Byte-exact codecs of shogi positions in 256 bits.
//!
//! | codec | name | used by | missing kings | removed pieces |
//! |---|---|---|---|---|
//! | [`Sspf`] | `sspfv1` | the SSPFv1 packer: fixed fields | refused | refused |
//! | [`PackedSfen`] | `psv` | YaneuraOu's PSV records and most trainers | refused | held |
//! | [`Hcp`] | `hcp` | Apery, cshogi, dlshogi: `hcpe`, `hcpe3`, GenSfen `.pack` | refused | held |
//! | [`Nshogi`] | `nshogi` | nshogi's teachers | refused | refused |
//!
//! Each packs a [`Setup`] into a [`Word`] and back through one trait, [`PositionCodec`]. One
//! position has one word in a format, and no other word is accepted, so equal words are equal positions. Decoding is
//! total: any 32 bytes give a setup or a typed error that names the field and the bit. [`PackedSfen`] also has a
//! [lenient reader](PackedSfen::unpack_lenient) for the words of older programs.
//!
//! Engines pack and unpack their own boards with [`ByteBoardCodec`]: sets of squares ([`PieceBoards`]), a byte per square in
//! the engine's codes ([`Mailbox`]) or ours ([`ByteBoard`]), and any other board through [`Source`] and [`Sink`].
//! [`recode`] converts between PSV and HCP in one step; [`GameWord`] packs the positions of a game by its moves. `komabako_variants::WordFormat` chooses a codec at run time,
//! [`explanation`] explains a word field by field, and [`spec`] holds the specifications.
//!
//! ```
//! use komabako_codec::{Hcp, PackedSfen, PositionCodec, Setup};
//!
//! let setup: Setup = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1".parse()?;
//! let word = PackedSfen::new().pack(&setup)?;
//! assert_eq!(PackedSfen::new().unpack(&word)?, setup);
//! assert_ne!(Hcp::new().pack(&setup)?, word);
//!
//! let error = PackedSfen::new().unpack(&[0xff; 32]).unwrap_err();
//! assert_eq!((error.name(), error.bit), ("KING_CODE", 1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg_attr(not(feature = "std"), no_std)]
#![forbid(unsafe_code)]

extern crate alloc;

mod algorithm;
mod byte_board;
pub mod cell;
mod codec;
pub mod contract;
mod error;
pub mod explanation;
mod gaps;
mod hcp;
mod huffman;
mod kernels;
mod lanes;
mod nshogi;
mod own_board;
mod owner;
pub mod packed_sfen;
pub mod recode;
pub mod reference;
mod source;
pub mod spec;
mod squares;
mod sspf;
mod traits;
mod word;

pub use byte_board::{ByteBoard, Cell};
pub use codec::Codec;
pub use error::{Field, PackError, SliceError, UnpackError, UnpackFault};
pub use hcp::Hcp;
pub use huffman::game_word::GameWord;
pub use komabako_bits::Backend;
/// The board types of the codecs' interfaces, so that packing positions needs no other crate.
pub use komabako_board::{
    BaseKind, Bitboard, Color, Hand, Piece, PieceKind, Setup, SetupError, SetupParts, Square,
};
pub use nshogi::Nshogi;
pub use own_board::{Mailbox, PieceBoards, PieceTable};
pub use packed_sfen::PackedSfen;
pub use source::{Form, Sink, Source};
pub use sspf::Sspf;
pub use traits::{ByteBoardCodec, Explain, PositionCodec};
pub use word::Word;

/// The README's code, which runs as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

//! The formats that are one stream of codes: PSV, HCP and nshogi. They differ in what a [`Spec`] says, and share all
//! else.
//!
//! A square costs one bit and a piece on it 3, 5 or 7 more; off the board the piece costs exactly those. So the codes
//! of every position with two kings have the same length, and fill the 256 bits.

mod explain;
mod fast;
pub mod reader;
mod reference;
pub mod spec;
mod tables;

use alloc::vec::Vec;

use komabako_bits::{BitOps, Soft};
use komabako_board::{BaseKind, Color, Setup};

use crate::byte_board::ByteBoard;
use crate::engine::Algorithm;
use crate::layout::{FieldValue, Symbol};
use crate::{PackError, UnpackError, Word};
use spec::Spec;
use tables::Tables;

/// A format of this family.
pub trait Scheme: Copy + Send + Sync + 'static {
    /// See [`PositionCodec::NAME`](crate::PositionCodec::NAME).
    const NAME: &'static str;
    /// The codes and their order.
    const SPEC: Spec;
    /// What the fast form looks up.
    const TABLES: &'static Tables = &Tables::new(&Self::SPEC);
}

impl<S: Scheme> Algorithm for S {
    const NAME: &'static str = S::NAME;

    #[inline(always)]
    fn pack<B: BitOps>(ops: B, setup: &Setup) -> Result<Word, PackError> {
        let (Some(black), Some(white)) = (setup.king(Color::Black), setup.king(Color::White)) else {
            return Err(refusal(&S::SPEC, setup));
        };
        let mut removed = 0;
        if !setup.is_complete() {
            if !S::SPEC.has_box {
                return Err(refusal(&S::SPEC, setup));
            }
            removed = removed_lanes(setup);
        }
        let kings = [black.array_index(), white.array_index()];
        Ok(fast::pack::<S>(&ByteBoard::from_setup(ops, setup), kings, removed))
    }

    #[inline(always)]
    fn unpack<B: BitOps>(ops: B, word: &Word) -> Result<Setup, UnpackError> {
        Self::unpack_bytes(ops, word).map(|board| board.to_setup(ops))
    }

    #[inline(always)]
    fn unpack_bytes<B: BitOps>(_: B, word: &Word) -> Result<ByteBoard, UnpackError> {
        fast::unpack::<S>(word).map_or_else(|| judge::<S>(word), Ok)
    }

    fn reference_pack(setup: &Setup) -> Result<Word, PackError> {
        reference::pack(&S::SPEC, setup)
    }

    fn reference_unpack(word: &Word) -> Result<Setup, UnpackError> {
        reference::unpack(&S::SPEC, word)
    }

    fn fields(word: &Word) -> Vec<FieldValue> {
        explain::fields(&S::SPEC, word)
    }

    fn symbols(word: &Word) -> Vec<Symbol> {
        explain::symbols(&S::SPEC, word)
    }
}

/// Has the reference name the fault of a word that the fast form doubts.
#[cold]
#[inline(never)]
fn judge<S: Scheme>(word: &Word) -> Result<ByteBoard, UnpackError> {
    reference::unpack(&S::SPEC, word).map(|setup| ByteBoard::from_setup(Soft, &setup))
}

/// What a setup has that the format cannot hold: the first of Black's king, White's king, removed pieces by kind.
///
/// # Panics
/// If the format can hold it.
#[cold]
fn refusal(spec: &Spec, setup: &Setup) -> PackError {
    reference::pack(spec, setup).expect_err("the format cannot hold the setup")
}

/// The removed pieces in [lanes](crate::lanes).
#[cold]
fn removed_lanes(setup: &Setup) -> u64 {
    BaseKind::IN_HAND.into_iter().rev().fold(0, |lanes, kind| lanes << 8 | u64::from(setup.removed(kind)))
}

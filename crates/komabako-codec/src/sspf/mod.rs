//! SSPFv1, base form: fixed fields, one bit plane each (`spec/sspf-family.md` §2).

mod block;
mod explain;
mod fast;
mod gather;
pub mod hands;
pub mod planes;
mod reference;
mod symbols;

use alloc::vec::Vec;

use komabako_bits::{Backend, BitOps, Kernel, dispatch};
use komabako_board::Setup;

use crate::algorithm::{Algorithm, ByteAlgorithm};
use crate::codec::Codec;
use crate::explanation::{FieldValue, Owners, Symbol};
use crate::kernels::{Format, Kernels, Pack, Unpack, one_by_one};
use crate::own_board::Codes;
use crate::{ByteBoard, PackError, PieceBoards, SliceError, UnpackError, Word};

/// SSPFv1, the format of fixed bit planes: both kings on the board, the 38 other pieces on it or in a hand.
///
/// [`spec::sspf_family`](crate::spec::sspf_family) is the specification; its decoder's checks run in its order.
///
/// ```
/// use komabako_codec::{PositionCodec, Sspf};
/// let start = *b"\x8a\x1e\x2f\x5a\x54\x54\xb4\xe8\xf1\xa2\x2c\x12\0\0\0\0\
///                \x39\x67\x92\x39\x27\xf6\x6f\xf0\x3c\xcf\xb0\xcd\x31\xd3\xcc\x31";
/// let setup = Sspf::new().unpack(&start)?;
/// assert!(setup.is_complete());
/// assert_eq!(Sspf::new().pack(&setup), Ok(start));
///
/// let error = Sspf::new().unpack(&[0; 32]).unwrap_err();
/// assert_eq!((error.name(), error.bit), ("KINGS_COLLIDE", 87));
/// # Ok::<(), komabako_codec::UnpackError>(())
/// ```
pub type Sspf = Codec<Base>;

/// The algorithm of [`Sspf`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Base;

impl Algorithm for Base {
    const NAME: &'static str = "sspfv1";

    #[inline(always)]
    fn pack_to<B: BitOps>(ops: B, setup: &Setup, word: &mut Word) -> Result<(), PackError> {
        if fast::pack(ops, setup, word) { Ok(()) } else { Err(refusal(setup)) }
    }

    #[inline(always)]
    fn unpack_to<B: BitOps>(ops: B, word: &Word, setup: &mut Setup) -> Result<(), UnpackError> {
        if fast::unpack(ops, word, setup) { Ok(()) } else { Err(fault(word)) }
    }

    #[inline(always)]
    fn pack_slice<B: BitOps>(
        ops: B,
        setups: &[Setup],
        words: &mut [Word],
    ) -> Result<(), SliceError<PackError>> {
        let packed = if B::GATHERS { block::pack(ops, setups, words) } else { 0 };
        one_by_one::<B, Pack<Self>>(ops, setups, words, packed)
    }

    #[inline(always)]
    fn unpack_slice<B: BitOps>(
        ops: B,
        words: &[Word],
        setups: &mut [Setup],
    ) -> Result<(), SliceError<UnpackError>> {
        let unpacked = if B::GATHERS { block::unpack(ops, words, setups) } else { 0 };
        one_by_one::<B, Unpack<Self>>(ops, words, setups, unpacked)
    }

    fn reference_pack(setup: &Setup) -> Result<Word, PackError> {
        reference::pack(setup)
    }

    fn reference_unpack(word: &Word) -> Result<Setup, UnpackError> {
        reference::unpack(word)
    }

    fn fields(word: &Word) -> Vec<FieldValue> {
        explain::fields(word)
    }

    fn symbols(_: &Word) -> Vec<Symbol> {
        Vec::new()
    }

    fn owners(word: &Word) -> Option<Owners> {
        Some(reference::owners(word))
    }
}

impl ByteAlgorithm for Base {
    #[inline(always)]
    fn pack_bytes<B: BitOps>(ops: B, board: &ByteBoard, word: &mut Word) -> Result<(), PackError> {
        if fast::pack_bytes(ops, board, word) { Ok(()) } else { Err(refusal(&board.setup(ops))) }
    }

    #[inline(always)]
    fn unpack_bytes<B: BitOps>(ops: B, word: &Word, board: &mut ByteBoard) -> Result<(), UnpackError> {
        if fast::unpack_bytes(ops, word, board) { Ok(()) } else { Err(fault(word)) }
    }
}

static KERNELS: Kernels = if cfg!(feature = "byte-boards") {
    Kernels {
        pack_boards: Some(pack_boards),
        pack_codes: Some(pack_codes),
        ..Kernels::with_byte_boards::<Base>()
    }
} else {
    Kernels::by_setup::<Base>()
};

fn pack_boards(backend: Backend, boards: &PieceBoards, word: &mut Word) -> bool {
    dispatch(backend, PackBoards(boards, word))
}

fn pack_codes(backend: Backend, codes: &Codes, word: &mut Word) -> bool {
    dispatch(backend, PackCodes(codes, word))
}

struct PackBoards<'a>(&'a PieceBoards, &'a mut Word);

impl Kernel for PackBoards<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<B: BitOps>(self, ops: B) -> bool {
        B::GATHERS && gather::pack_boards(ops, self.0, self.1)
    }
}

struct PackCodes<'a>(&'a Codes<'a>, &'a mut Word);

impl Kernel for PackCodes<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<B: BitOps>(self, ops: B) -> bool {
        fast::pack_codes(ops, self.0, self.1)
    }
}

impl Format for Base {
    const KERNELS: &'static Kernels = &KERNELS;
}

/// The fault that the reference finds in a word that the fast form refuses.
///
/// # Panics
/// If the reference finds no fault.
#[cold]
#[inline(never)]
fn fault(word: &Word) -> UnpackError {
    let Err(error) = reference::unpack(word) else { unreachable!("the fast form accepts every good word") };
    error
}

/// The first thing in a setup that the base form cannot hold: Black's king, White's king, removed pieces by kind.
///
/// # Panics
/// If it can hold the setup.
#[cold]
#[inline(never)]
fn refusal(setup: &Setup) -> PackError {
    let Err(error) = reference::pack(setup) else { unreachable!("the base form holds every complete setup") };
    error
}

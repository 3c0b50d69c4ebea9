//! The formats that are one stream of codes: PSV, HCP and nshogi. They differ only in their [`Spec`].
//!
//! A square costs one bit and a piece on it 3, 5 or 7 more; off the board the piece costs the same 3, 5 or 7. So the codes
//! of every position with two kings have the same length, and fill the 256 bits.

mod board;
pub mod codebook;
mod codes;
mod explain;
mod fields;
pub mod game_word;
mod pack;
pub mod reader;
pub mod recode;
mod reference;
pub mod spec;
mod stream;
mod tables;
mod tail;
mod unpack;

use alloc::vec::Vec;

use komabako_bits::{Backend, BitOps, Bytes};
use komabako_board::{BaseKind, Bitboard, Color, Setup, square};

use crate::algorithm::{Algorithm, ByteAlgorithm};
use crate::byte_board::{self, ByteBoard};
use crate::explanation::{FieldValue, Owners, Symbol};
use crate::{PackError, SliceError, UnpackError, Word};
use codebook::Codebook;
use spec::Spec;
use tables::Tables;
use unpack::Unpacked;

/// A format of this family.
pub trait Scheme: Copy + Send + Sync + 'static {
    /// See [`PositionCodec::NAME`](crate::PositionCodec::NAME).
    const NAME: &'static str;
    /// The codes and their order.
    const SPEC: Spec;
    /// The tables of the slow readers.
    const CODEBOOK: &'static Codebook = &Codebook::new(&Self::SPEC);
    /// The tables of the fast form.
    const TABLES: &'static Tables = &Tables::new(&Self::SPEC);

    /// The cells of a board, the squares in the order of their numbers in the format. Its own inverse.
    #[inline(always)]
    fn cells_by_number(cells: &Bytes) -> Bytes {
        if Self::SPEC.ranks_from_below { turn_cells(cells) } else { *cells }
    }

    /// The board whose lanes are in the order of the format's numbers.
    #[inline(always)]
    fn by_square(lanes: [u64; 2]) -> Bitboard {
        Bitboard::from_lanes_trusted(if Self::SPEC.ranks_from_below { turn_files(lanes) } else { lanes })
    }
}

impl<S: Scheme> Algorithm for S {
    const NAME: &'static str = S::NAME;

    #[inline(always)]
    fn pack_to<B: BitOps>(ops: B, setup: &Setup, word: &mut Word) -> Result<(), PackError> {
        let (Some(black), Some(white)) = (setup.king(Color::Black), setup.king(Color::White)) else {
            return Err(refusal(&S::SPEC, setup));
        };
        // Nearly every setup is complete and needs no count of removed pieces.
        let mut removed = 0;
        if !setup.is_complete() {
            if !S::SPEC.has_box {
                return Err(refusal(&S::SPEC, setup));
            }
            removed = removed_lanes(setup);
        }
        let kings =
            [S::SPEC.renumber(black.array_index()) as u64, S::SPEC.renumber(white.array_index()) as u64];
        let [a, b, c, d, whites] = byte_board::planes(setup);
        let cells = ops.boards_to_bytes(&[a.lanes(), b.lanes(), c.lanes(), d.lanes(), whites.lanes()]);
        let cells = S::cells_by_number(&cells);
        *word = pack::pack::<B, S>(ops, &cells, kings, setup.side_to_move(), setup.parts().hands, removed);
        Ok(())
    }

    #[inline(always)]
    fn unpack_to<B: BitOps>(ops: B, word: &Word, setup: &mut Setup) -> Result<(), UnpackError> {
        if setup.unpack::<B, S>(ops, word, None) { Ok(()) } else { Err(fault(S::CODEBOOK, word)) }
    }

    /// `Avx512` reads all codes of a word at once, but several words, side by side, are faster on `Bmi2`: 0.83 of the time on Intel's
    /// Sapphire Rapids, 0.87 on Zen 4. Side by side on `Avx512` took 1.4 on Ice Lake: the compiler gathers.
    #[inline(always)]
    fn for_slices(backend: Backend) -> Backend {
        backend.narrow()
    }

    #[inline(always)]
    fn unpack_slice<B: BitOps>(
        ops: B,
        words: &[Word],
        setups: &mut [Setup],
    ) -> Result<(), SliceError<UnpackError>> {
        up_to_fault::<S>(words, unpack::slice::<B, S, _>(ops, words, setups))
    }

    fn reference_pack(setup: &Setup) -> Result<Word, PackError> {
        reference::pack(&S::SPEC, setup)
    }

    fn reference_unpack(word: &Word) -> Result<Setup, UnpackError> {
        reference::unpack(S::CODEBOOK, word)
    }

    fn fields(word: &Word) -> Vec<FieldValue> {
        explain::fields(S::CODEBOOK, word)
    }

    fn symbols(word: &Word) -> Vec<Symbol> {
        explain::symbols(S::CODEBOOK, word)
    }

    fn owners(word: &Word) -> Option<Owners> {
        Some(explain::owners(S::CODEBOOK, word))
    }
}

/// Reads and writes cells directly, without a setup.
impl<S: Scheme> ByteAlgorithm for S {
    #[inline(always)]
    fn pack_bytes<B: BitOps>(ops: B, board: &ByteBoard, word: &mut Word) -> Result<(), PackError> {
        let [black, white] = board.kings;
        let [low, high] = ops.nonzero(&board.cells);
        let in_hands = board.hands[0].len() + board.hands[1].len();
        // Pieces have been removed, which is rare: packing from a setup counts them, or refuses.
        if ops.popcount(low) + ops.popcount(high) + in_hands != 40 {
            return Self::pack_to(ops, &board.setup(ops), word);
        }
        let kings = [S::SPEC.renumber(black.into()) as u64, S::SPEC.renumber(white.into()) as u64];
        let cells = S::cells_by_number(&board.cells);
        *word = pack::pack::<B, S>(ops, &cells, kings, board.side, board.hands, 0);
        Ok(())
    }

    #[inline(always)]
    fn unpack_bytes<B: BitOps>(ops: B, word: &Word, board: &mut ByteBoard) -> Result<(), UnpackError> {
        if board.unpack::<B, S>(ops, word, None) { Ok(()) } else { Err(fault(S::CODEBOOK, word)) }
    }

    #[inline(always)]
    fn unpack_bytes_slice<B: BitOps>(
        ops: B,
        words: &[Word],
        boards: &mut [ByteBoard],
    ) -> Result<(), SliceError<UnpackError>> {
        up_to_fault::<S>(words, unpack::slice::<B, S, _>(ops, words, boards))
    }
}

/// The fault of the word at `index`, if any.
#[inline(always)]
fn up_to_fault<S: Scheme>(words: &[Word], index: Option<usize>) -> Result<(), SliceError<UnpackError>> {
    match index {
        None => Ok(()),
        Some(index) => Err(SliceError { index, error: fault(S::CODEBOOK, &words[index]) }),
    }
}

/// The fault that the reference finds in a word that the fast form refuses.
///
/// # Panics
/// If the reference finds no fault.
#[cold]
#[inline(never)]
fn fault(codebook: &Codebook, word: &Word) -> UnpackError {
    let Err(error) = reference::unpack(codebook, word) else {
        unreachable!("the fast form accepts every good word")
    };
    error
}

/// The reason why the format cannot hold a setup: the first of Black's king, White's king, removed pieces by kind.
///
/// # Panics
/// If the format can hold it.
#[cold]
fn refusal(spec: &Spec, setup: &Setup) -> PackError {
    let Err(error) = reference::pack(spec, setup) else { unreachable!("the format cannot hold the setup") };
    error
}

/// The removed pieces in [lanes](crate::lanes).
#[cold]
fn removed_lanes(setup: &Setup) -> u64 {
    BaseKind::IN_HAND.into_iter().rev().fold(0, |lanes, kind| lanes << 8 | u64::from(setup.removed(kind)))
}

/// The board with every file reversed, rank 9 in the place of rank 1 and so on: nine bits reversed, seven times in a lane.
/// Nine bits are three groups of three: the outer groups are exchanged, then the outer bits of each group.
#[inline(always)]
const fn turn_files([low, high]: [u64; 2]) -> [u64; 2] {
    const FIRST_THREE: u64 = 0x01c0_e070_381c_0e07;
    const FIRST_OF_THREE: u64 = 0x1249_2492_4924_9249;
    const fn turn(lane: u64) -> u64 {
        exchange(exchange(lane, FIRST_THREE, 6), FIRST_OF_THREE, 2)
    }
    /// Exchanges these bits with the bits `distance` above them.
    const fn exchange(lane: u64, bits: u64, distance: u32) -> u64 {
        let different = (lane ^ lane >> distance) & bits;
        lane ^ different ^ different << distance
    }
    [turn(low), turn(high)]
}

/// The cells of a board with each file's nine reversed, eight of them at once. Packing reverses cells instead of planes:
/// that takes a fifth of the instructions for reversing five [boards](turn_files).
#[inline(always)]
fn turn_cells(cells: &Bytes) -> Bytes {
    let mut turned = [0; 96];
    for (file, from) in cells[..square::COUNT].as_chunks::<9>().0.iter().enumerate() {
        let to = &mut turned.as_chunks_mut::<9>().0[file];
        let [ninth, eight @ ..] = from;
        *to.first_chunk_mut().expect("nine bytes are more than eight") =
            u64::from_le_bytes(*eight).to_be_bytes();
        to[8] = *ninth;
    }
    turned
}

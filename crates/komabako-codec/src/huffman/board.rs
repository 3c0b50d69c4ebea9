//! The board of a word, from the codes of the squares. They are looked up, several at a time, or read all at once, as
//! bytes or as bit planes: the fastest way for a single word depends on the CPU.

use core::array::from_ref;

use komabako_bits::{BitOps, Bytes};
use komabako_board::Bitboard;

use super::codes::{self, CODED_SQUARES, CodedBoard};
use super::stream::code_starts;
use super::tail::Tail;
use super::{Scheme, fields};
use crate::byte_board;
use crate::word::to_lanes;
use crate::{Word, gaps, squares};

/// A board in some form, the squares in the order of their numbers.
pub struct Board<T> {
    /// The [`Cell`](crate::Cell)s of the squares.
    pub cells: T,
    /// The pieces besides the kings, in [fields].
    pub pieces: u32,
    /// The rest of the word.
    pub tail: Tail,
}

/// The five bits of the cells of a board with kings on these squares, from its codes if they have been read.
/// `None` for some words that are not good.
#[inline(always)]
pub fn planes<B: BitOps, S: Scheme>(
    ops: B,
    word: &Word,
    codes: Option<&CodedBoard>,
    kings: [u64; 2],
) -> Option<Board<[[u64; 2]; 5]>> {
    // Apart from the first, the conditions are constants of the backend, so that only one branch is compiled.
    let Board { cells: [a, b, c, d, w], pieces, tail } = if let Some(codes) = codes {
        planes_of::<B, S>(ops, word, codes, kings)?
    } else if B::EXPANDS_BYTES {
        let Board { cells, pieces, tail } = cells_by_windows::<B, S>(ops, word, kings)?;
        Board { cells: ops.bytes_to_boards(&cells), pieces, tail }
    } else {
        let mut boards = [CodedBoard::EMPTY];
        codes::read::<S, 1>(from_ref(word), &mut boards);
        planes_of::<B, S>(ops, word, &boards[0], kings)?
    };
    let white = squares::set(kings[1]);
    let both = squares::set(kings[0]) | white;
    let or = |[low, high]: [u64; 2], set: Bitboard| [low | set.lanes()[0], high | set.lanes()[1]];
    Some(Board { cells: [a, b, c, or(d, both), or(w, white)], pieces, tail })
}

/// The cells of a board, from its codes if they have been read. The cells of the kings' squares are arbitrary.
/// `None` for some words that are not good.
#[inline(always)]
pub fn cells<B: BitOps, S: Scheme>(
    ops: B,
    word: &Word,
    codes: Option<&CodedBoard>,
    kings: [u64; 2],
) -> Option<Board<Bytes>> {
    if let Some(codes) = codes {
        cells_of::<B, S>(ops, word, codes, kings)
    } else if B::EXPANDS_BYTES {
        cells_by_windows::<B, S>(ops, word, kings)
    } else if B::GATHERS {
        let dense = dense::<B, S>(ops, word, kings)?;
        let cells = ops.dense_to_bytes(&dense.planes(), dense.squares.lanes());
        Some(Board { cells, pieces: dense.pieces, tail: dense.tail })
    } else {
        let mut boards = [CodedBoard::EMPTY];
        codes::read::<S, 1>(from_ref(word), &mut boards);
        cells_of::<B, S>(ops, word, &boards[0], kings)
    }
}

/// Opens the kings' squares between the coded squares.
#[inline(always)]
fn planes_of<B: BitOps, S: Scheme>(
    ops: B,
    word: &Word,
    codes: &CodedBoard,
    kings: [u64; 2],
) -> Option<Board<[[u64; 2]; 5]>> {
    let tail = Tail::read::<S>(word, codes.end)?;
    Some(Board { cells: ops.open_boards(codes.cells(), ascending(kings)), pieces: codes.pieces, tail })
}

/// Opens the kings' squares, whose cells are then arbitrary, between the coded squares.
#[inline(always)]
fn cells_of<B: BitOps, S: Scheme>(
    ops: B,
    word: &Word,
    codes: &CodedBoard,
    kings: [u64; 2],
) -> Option<Board<Bytes>> {
    let tail = Tail::read::<S>(word, codes.end)?;
    Some(Board { cells: ops.open_bytes(codes.cells(), ascending(kings)), pieces: codes.pieces, tail })
}

#[inline(always)]
fn ascending([black, white]: [u64; 2]) -> [u8; 2] {
    [black.min(white) as u8, black.max(white) as u8]
}

/// Looks up the codes of all squares at once. The kings' squares are empty.
#[inline(always)]
fn cells_by_windows<B: BitOps, S: Scheme>(ops: B, word: &Word, kings: [u64; 2]) -> Option<Board<Bytes>> {
    let starts = code_starts::<S>(word);
    let tail = Tail::read::<S>(word, end(ops, starts))?;
    // The starts of the codes are known without reading them, so that no lookup depends on the one before.
    let coded = ops.windows_to_bytes(to_lanes(word), starts, &S::TABLES.cells);
    let kings = squares::set(kings[0]) | squares::set(kings[1]);
    let cells = ops.expand_bytes(&coded, Bitboard::ALL.without(kings).lanes());
    let [a, b, c] = ops.bytes_to_boards(&cells);
    let kinds = [Bitboard::from_lanes(a), Bitboard::from_lanes(b), Bitboard::from_lanes(c)];
    let mut counts = [0; 7];
    for (index, kind) in byte_board::kinds(kinds).iter().enumerate() {
        let [low, high] = kind.lanes();
        counts[index] = ops.popcount(low) + ops.popcount(high);
    }
    Some(Board { cells, pieces: fields::of_each(counts), tail })
}

/// The pieces of a board but the kings, a bit for each.
pub struct Dense {
    /// The pieces of each kind, P L N S G B R.
    pub kinds: [u64; 7],
    /// The promoted pieces, and any bits beyond the last piece.
    pub promoted: u64,
    /// White's pieces, and any bits beyond the last piece.
    pub whites: u64,
    /// The squares of the pieces.
    pub squares: Bitboard,
    /// The number of pieces, in [fields].
    pub pieces: u32,
    /// The rest of the word after the board.
    pub tail: Tail,
}

impl Dense {
    /// The five bits of their cells.
    #[inline(always)]
    fn planes(&self) -> [u64; 5] {
        let [pawn, lance, knight, silver, gold, bishop, rook] = self.kinds;
        [
            pawn | knight | gold | rook,
            lance | knight | bishop | rook,
            silver | gold | bishop | rook,
            self.promoted,
            self.whites,
        ]
    }
}

/// Reads the codes of all pieces at once, as planes of bits. `None` for some words that are not good.
#[inline(always)]
pub fn dense<B: BitOps, S: Scheme>(ops: B, word: &Word, kings: [u64; 2]) -> Option<Dense> {
    let shape = const { S::SPEC.shape() };
    let bits = to_lanes(word);
    let starts = code_starts::<S>(word);
    let tail = Tail::read::<S>(word, end(ops, starts))?;
    let empty = if S::SPEC.empty_bit() { u64::MAX } else { 0 };
    let is_piece = [bits[0] ^ empty, bits[1] ^ empty, bits[2] ^ empty, bits[3] ^ empty];

    // One bit per square: whether it has a piece. At least fourteen bits come before the board, so that the first two lanes
    // have at most 50 + 64 codes, and only the codes of the last lane may be shifted out of range, if all squares come before.
    let [a, b, c, d] = ops.pext_x4(is_piece, starts);
    let [_, before_b, before_c, before_d] = codes_before(ops, starts);
    let d = if before_d < CODED_SQUARES as u32 { d } else { 0 };
    let occupied = u128::from(a)
        | u128::from(b).wrapping_shl(before_b)
        | u128::from(c).wrapping_shl(before_c)
        | u128::from(d).wrapping_shl(before_d);
    let occupied = [occupied as u64 & (u64::MAX >> 1), (occupied >> 63) as u64 & 0xffff];
    let squares = gaps::open::<2, _>(ops, occupied, squares::set(kings[0]) | squares::set(kings[1]));
    let n = squares.len();
    // More pieces are not a set, and might exceed the bits of the numbers below.
    if n > 38 {
        return None;
    }

    // Seven bits of each piece: its code after the first bit, and beyond.
    let pieces_start =
        [is_piece[0] & starts[0], is_piece[1] & starts[1], is_piece[2] & starts[2], is_piece[3] & starts[3]];
    let all = (1_u64 << n) - 1;
    let [_, b1, b2, b3, b4, b5, b6, b7] = ops.windows(bits, pieces_start);
    let nonpawn = b1 & all;
    let gbr = nonpawn & b2 & b3;
    let major = gbr & if shape.majors_first { !b4 } else { b4 };
    let gold = gbr ^ major;
    let rook = major & b5;
    let bishop = major ^ rook;
    let pawn = all ^ nonpawn;
    let lns = nonpawn ^ gbr;
    let lance = lns & !b2 & !b3;
    let (knight, silver) = if shape.silver_first { (lns & b2, lns & b3) } else { (lns & b3, lns & b2) };
    // The last two bits of a code, promoted and White's in either order, come after one, three or five bits.
    let first = pawn & b2 | lns & b4 | major & b6;
    let second = pawn & b3 | lns & b5 | major & b7;
    let (promoted, whites) = if shape.color_first { (second, first) } else { (first, second) };

    let kinds = [pawn, lance, knight, silver, gold, bishop, rook];
    let mut counts = [0; 7];
    for (index, kind) in kinds.iter().enumerate() {
        counts[index] = ops.popcount(*kind);
    }
    let pieces = fields::of_each(counts);
    Some(Dense { kinds, promoted, whites: whites | gold & b5, squares, pieces, tail })
}

/// The number of codes that begin before each lane.
#[inline(always)]
fn codes_before<B: BitOps>(ops: B, starts: [u64; 4]) -> [u32; 4] {
    let a = ops.popcount(starts[0]);
    let b = a + ops.popcount(starts[1]);
    [0, a, b, b + ops.popcount(starts[2])]
}

/// The first bit after a board whose codes begin at these bits: the start of the next code. Only the starts are needed, so
/// that the tail can be read at the same time as the board.
#[inline(always)]
fn end<B: BitOps>(ops: B, starts: [u64; 4]) -> usize {
    let before = codes_before(ops, starts);
    let mut lane = 0;
    let mut left = CODED_SQUARES as u32;
    let mut after = starts[0];
    for index in 1..4 {
        if before[index] <= CODED_SQUARES as u32 {
            (lane, left, after) = (index, CODED_SQUARES as u32 - before[index], starts[index]);
        }
    }
    // A code begins in every eight bits, so that `left` is less than 64.
    64 * lane + ops.pdep(1_u64.wrapping_shl(left), after).trailing_zeros() as usize
}

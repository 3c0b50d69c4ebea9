//! The board of a word: the codes of the squares. They are read as bytes or as bit planes, all at once, or one by one:
//! what is the fastest differs from CPU to CPU.

use komabako_bits::{BitOps, Bytes};
use komabako_board::Bitboard;

use super::Scheme;
use super::stream::code_starts;
use crate::byte_board;
use crate::word::to_lanes;
use crate::{Word, gaps, squares};

/// How many squares have a code.
const CODED_SQUARES: usize = 79;

/// A board in some form, the squares in the order of their numbers.
pub struct Board<T> {
    /// The [`Cell`](crate::Cell)s of the squares.
    pub cells: T,
    /// The pieces besides the kings, in [lanes](crate::lanes); some number if a kind has more pieces than a set.
    pub pieces: u64,
    /// The first bit after the board; beyond the word for some words that are not good.
    pub end: usize,
}

/// The five bits of the cells of a board whose kings stand on these squares. `None` for some words that are not good.
#[inline(always)]
pub fn planes<B: BitOps, S: Scheme>(ops: B, word: &Word, kings: [u64; 2]) -> Option<Board<[[u64; 2]; 5]>> {
    let ([a, b, c, d, w], pieces, end) = if B::GATHERS && !B::EXPANDS_BYTES {
        let Dense { planes, squares, pieces, end } = dense::<B, S>(ops, word, kings)?;
        (ops.dense_to_boards(&planes, squares.lanes()), pieces, end)
    } else {
        let Board { cells, pieces, end } = cells::<B, S>(ops, word, kings)?;
        (ops.bytes_to_boards(&cells), pieces, end)
    };
    let [black, white] = kings.map(squares::set);
    let or = |[low, high]: [u64; 2], set: Bitboard| [low | set.lanes()[0], high | set.lanes()[1]];
    Some(Board { cells: [a, b, c, or(d, black | white), or(w, white)], pieces, end })
}

/// The cells of a board whose kings stand on these squares; these are empty. `None` for some words that are not good.
#[inline(always)]
pub fn cells<B: BitOps, S: Scheme>(ops: B, word: &Word, kings: [u64; 2]) -> Option<Board<Bytes>> {
    if B::EXPANDS_BYTES {
        return Some(cells_by_windows::<B, S>(ops, word, kings));
    }
    if !B::GATHERS {
        return Some(cells_by_codes::<S>(word, kings));
    }
    let Dense { planes, squares, pieces, end } = dense::<B, S>(ops, word, kings)?;
    Some(Board { cells: ops.dense_to_bytes(&planes, squares.lanes()), pieces, end })
}

/// Looks up the codes of all squares at once. The kings' squares are empty.
#[inline(always)]
fn cells_by_windows<B: BitOps, S: Scheme>(ops: B, word: &Word, kings: [u64; 2]) -> Board<Bytes> {
    let starts = code_starts::<S>(word);
    let coded = ops.windows_to_bytes(to_lanes(word), starts, &S::TABLES.cells);
    let [black, white] = kings.map(squares::set);
    let cells = ops.expand_bytes(&coded, Bitboard::ALL.without(black | white).lanes());
    let [a, b, c] = ops.bytes_to_boards(&cells).map(Bitboard::from_lanes);
    let mut pieces = 0;
    for kind in byte_board::kinds([a, b, c]).into_iter().rev() {
        let [low, high] = kind.lanes();
        pieces = pieces << 8 | u64::from(ops.popcount(low) + ops.popcount(high));
    }
    Board { cells, pieces, end: end(ops, starts) }
}

/// The pieces of a board but the kings.
struct Dense {
    /// The five bits of their cells.
    planes: [u64; 5],
    /// Where they stand.
    squares: Bitboard,
    /// How many there are, in [lanes](crate::lanes).
    pieces: u64,
    /// As [`Board::end`].
    end: usize,
}

/// Reads the codes of all pieces at once, as planes of bits. `None` for some words that are not good.
#[inline(always)]
fn dense<B: BitOps, S: Scheme>(ops: B, word: &Word, kings: [u64; 2]) -> Option<Dense> {
    let shape = const { S::SPEC.shape() };
    let bits = to_lanes(word);
    let starts = code_starts::<S>(word);
    let empty = if S::SPEC.empty_bit() { u64::MAX } else { 0 };
    let is_piece = [bits[0] ^ empty, bits[1] ^ empty, bits[2] ^ empty, bits[3] ^ empty];

    // One bit for each square: whether it has a piece.
    let (mut occupied, mut place) = (0_u128, 0);
    for (coded, starts) in ops.pext_x4(is_piece, starts).into_iter().zip(starts) {
        let coded = if place < CODED_SQUARES as u32 { coded } else { 0 };
        occupied |= u128::from(coded).wrapping_shl(place);
        place += ops.popcount(starts);
    }
    let occupied = [occupied as u64 & (u64::MAX >> 1), (occupied >> 63) as u64 & 0xffff];
    let [black, white] = kings.map(squares::set);
    let squares = gaps::open(ops, occupied, black | white);
    let n = squares.len();
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
    let first = pawn & b2 | lns & b4 | major & b6;
    let second = pawn & b3 | lns & b5 | major & b7;
    let (promoted, whites) = if shape.color_first { (second, first) } else { (first, second) };

    let planes = [
        pawn | knight | gold | rook,
        lance | knight | bishop | rook,
        silver | gold | bishop | rook,
        promoted,
        whites | gold & b5,
    ];
    let mut count = 0;
    for plane in [rook, bishop, gold, silver, knight, lance, pawn] {
        count = count << 8 | u64::from(ops.popcount(plane));
    }
    Some(Dense { planes, squares, pieces: count, end: end(ops, starts) })
}

/// Reads the codes of the pieces one by one. The kings' squares are empty.
#[inline(always)]
fn cells_by_codes<S: Scheme>(word: &Word, kings: [u64; 2]) -> Board<Bytes> {
    let tables = S::TABLES;
    let start = S::SPEC.board_start();
    let empty = if S::SPEC.empty_bit() { u64::MAX } else { 0 };
    let mut cells: Bytes = [0; 96];
    let [black, white] = [kings[0] as usize, kings[1] as usize];
    let (first, second) = (black.min(white), black.max(white));

    let mut bytes = [0; 34];
    bytes[..32].copy_from_slice(word);
    // A square's number is its place among the codes and the kings before it; its place is its first bit less the bits
    // that the pieces before it take beyond one each.
    let (mut extra, mut counts) = (0, 0_u64);
    'board: for (lane, (bits, starts)) in to_lanes(word).into_iter().zip(code_starts::<S>(word)).enumerate() {
        let mut pieces = starts & (bits ^ empty);
        while pieces != 0 {
            let bit = 64 * lane + pieces.trailing_zeros() as usize;
            pieces &= pieces - 1;
            let place = bit - start - extra;
            if place >= CODED_SQUARES {
                break 'board;
            }
            let code = tables.board
                [usize::from(u16::from_le_bytes([bytes[bit / 8], bytes[bit / 8 + 1]]) >> (bit % 8)) & 0xff];
            extra += usize::from(code >> 5);
            let number = place + usize::from(place >= first);
            let number = number + usize::from(number >= second);
            cells[number] = code & 31;
            counts += 1 << (8 * (code & 7));
        }
    }
    Board { cells, pieces: counts >> 8, end: start + CODED_SQUARES + extra }
}

/// The first bit after a board whose codes begin at these bits: where the next code would. Nothing but the starts is
/// needed, so that the tail can be read while the board is.
#[inline(always)]
fn end<B: BitOps>(ops: B, starts: [u64; 4]) -> usize {
    let (mut word, mut place, mut left, mut after) = (0, 0, CODED_SQUARES as u32, starts[0]);
    for index in 1..4 {
        place += ops.popcount(starts[index - 1]);
        if place <= CODED_SQUARES as u32 {
            (word, left, after) = (index, CODED_SQUARES as u32 - place, starts[index]);
        }
    }
    // There is a code in every eight bits, so that `left` is less than 64.
    64 * word + ops.pdep(1_u64.wrapping_shl(left), after).trailing_zeros() as usize
}

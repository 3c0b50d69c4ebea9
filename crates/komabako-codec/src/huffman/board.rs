//! The board of a word: the codes of the squares. They are read as bytes or as bit planes, all at once, or one by one:
//! what is the fastest differs from CPU to CPU.

use komabako_bits::{BitOps, Bytes};
use komabako_board::Bitboard;

use super::stream::code_starts;
use super::tail::Tail;
use super::{Scheme, fields};
use crate::byte_board;
use crate::word::to_lanes;
use crate::{Word, gaps, squares};

/// How many squares have a code.
const CODED_SQUARES: usize = 79;

/// A board in some form, the squares in the order of their numbers.
pub struct Board<T> {
    /// The [`Cell`](crate::Cell)s of the squares.
    pub cells: T,
    /// The pieces besides the kings, in [fields].
    pub pieces: u32,
    /// What follows.
    pub tail: Tail,
}

/// The five bits of the cells of a board whose kings stand on these squares. `None` for some words that are not good.
#[inline(always)]
pub fn planes<B: BitOps, S: Scheme>(ops: B, word: &Word, kings: [u64; 2]) -> Option<Board<[[u64; 2]; 5]>> {
    let Board { cells: [a, b, c, d, w], pieces, tail } = if B::GATHERS && !B::EXPANDS_BYTES {
        let Dense { planes, squares, pieces, tail } = dense::<B, S>(ops, word, kings)?;
        Board { cells: ops.dense_to_boards(&planes, squares.lanes()), pieces, tail }
    } else if B::SHUFFLES {
        let Board { cells, pieces, tail } = cells::<B, S>(ops, word, kings)?;
        Board { cells: ops.bytes_to_boards(&cells), pieces, tail }
    } else {
        read_codes::<S, _>(word, kings, Boards::default())?.map(Boards::planes)
    };
    let [black, white] = kings.map(squares::set);
    let or = |[low, high]: [u64; 2], set: Bitboard| [low | set.lanes()[0], high | set.lanes()[1]];
    Some(Board { cells: [a, b, c, or(d, black | white), or(w, white)], pieces, tail })
}

/// The cells of a board whose kings stand on these squares; these are empty. `None` for some words that are not good.
#[inline(always)]
pub fn cells<B: BitOps, S: Scheme>(ops: B, word: &Word, kings: [u64; 2]) -> Option<Board<Bytes>> {
    if B::EXPANDS_BYTES {
        return cells_by_windows::<B, S>(ops, word, kings);
    }
    if !B::GATHERS {
        return read_codes::<S, _>(word, kings, [0; 96]);
    }
    let Dense { planes, squares, pieces, tail } = dense::<B, S>(ops, word, kings)?;
    Some(Board { cells: ops.dense_to_bytes(&planes, squares.lanes()), pieces, tail })
}

/// Looks up the codes of all squares at once. The kings' squares are empty.
#[inline(always)]
fn cells_by_windows<B: BitOps, S: Scheme>(ops: B, word: &Word, kings: [u64; 2]) -> Option<Board<Bytes>> {
    let starts = code_starts::<S>(word);
    let tail = Tail::read::<S>(word, end(ops, starts))?;
    let coded = ops.windows_to_bytes(to_lanes(word), starts, &S::TABLES.cells);
    let [black, white] = kings.map(squares::set);
    let cells = ops.expand_bytes(&coded, Bitboard::ALL.without(black | white).lanes());
    let [a, b, c] = ops.bytes_to_boards(&cells).map(Bitboard::from_lanes);
    let mut counts = [0; 7];
    for (count, kind) in counts.iter_mut().zip(byte_board::kinds([a, b, c])) {
        let [low, high] = kind.lanes();
        *count = ops.popcount(low) + ops.popcount(high);
    }
    Some(Board { cells, pieces: fields::of_each(counts), tail })
}

/// The pieces of a board but the kings.
struct Dense {
    /// The five bits of their cells.
    planes: [u64; 5],
    /// Where they stand.
    squares: Bitboard,
    /// How many there are, in [fields].
    pieces: u32,
    /// What follows the board.
    tail: Tail,
}

/// Reads the codes of all pieces at once, as planes of bits. `None` for some words that are not good.
#[inline(always)]
fn dense<B: BitOps, S: Scheme>(ops: B, word: &Word, kings: [u64; 2]) -> Option<Dense> {
    let shape = const { S::SPEC.shape() };
    let bits = to_lanes(word);
    let starts = code_starts::<S>(word);
    let tail = Tail::read::<S>(word, end(ops, starts))?;
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
    let mut counts = [0; 7];
    for (count, plane) in counts.iter_mut().zip([pawn, lance, knight, silver, gold, bishop, rook]) {
        *count = ops.popcount(plane);
    }
    Some(Dense { planes, squares, pieces: fields::of_each(counts), tail })
}

/// Where pieces are put one by one.
trait Pieces {
    /// Puts a cell on an empty square.
    fn put(&mut self, number: usize, cell: u8);
}

impl Pieces for Bytes {
    #[inline(always)]
    fn put(&mut self, number: usize, cell: u8) {
        self[number] = cell;
    }
}

/// The squares of the pieces of each kind, and of those with each of the four pairs of the two high bits of a cell.
#[derive(Default)]
struct Boards {
    kinds: [[u64; 2]; 8],
    flags: [[u64; 2]; 4],
}

impl Pieces for Boards {
    #[inline(always)]
    fn put(&mut self, number: usize, cell: u8) {
        let (lane, square) = if number < 63 { (0, 1 << number) } else { (1, 1 << (number - 63)) };
        self.kinds[usize::from(cell & 7)][lane] |= square;
        self.flags[usize::from(cell >> 3 & 3)][lane] |= square;
    }
}

impl Boards {
    /// The five bits of the cells.
    #[inline(always)]
    fn planes(self) -> [[u64; 2]; 5] {
        let [_, p, l, n, s, g, b, r] = self.kinds.map(Bitboard::from_lanes);
        let [_, promoted, white, both] = self.flags.map(Bitboard::from_lanes);
        [p | n | g | r, l | n | b | r, s | g | b | r, promoted | both, white | both].map(Bitboard::lanes)
    }
}

impl<T> Board<T> {
    #[inline(always)]
    fn map<U>(self, convert: impl FnOnce(T) -> U) -> Board<U> {
        Board { cells: convert(self.cells), pieces: self.pieces, tail: self.tail }
    }
}

/// Reads the codes of the pieces one by one, and puts them on an empty board.
#[inline(always)]
fn read_codes<S: Scheme, P: Pieces>(word: &Word, kings: [u64; 2], empty: P) -> Option<Board<P>> {
    let start = S::SPEC.board_start();
    let empty_bits = if S::SPEC.empty_bit() { u64::MAX } else { 0 };
    let [black, white] = [kings[0] as usize, kings[1] as usize];
    let (first, second) = (black.min(white), black.max(white));
    let mut bytes = [0; 34];
    bytes[..32].copy_from_slice(word);

    // A square's number is its place among the codes and the kings before it; its place is its first bit less the bits
    // that the pieces before it take beyond one each.
    let (mut cells, mut extra, mut pieces) = (empty, 0, 0_u32);
    'board: for (lane, (bits, starts)) in to_lanes(word).into_iter().zip(code_starts::<S>(word)).enumerate() {
        let mut marks = starts & (bits ^ empty_bits);
        while marks != 0 {
            let bit = 64 * lane + marks.trailing_zeros() as usize;
            marks &= marks - 1;
            let place = bit - start - extra;
            if place >= CODED_SQUARES {
                break 'board;
            }
            let eight = u16::from_le_bytes([bytes[bit / 8], bytes[bit / 8 + 1]]) >> (bit % 8) & 0xff;
            let code = S::TABLES.board[usize::from(eight)];
            extra += usize::from(code >> 5);
            pieces = pieces.wrapping_add(fields::ONE[usize::from(code & 7)]);
            let number = place + usize::from(place >= first);
            cells.put(number + usize::from(number >= second), code & 31);
        }
    }
    Some(Board { cells, pieces, tail: Tail::read::<S>(word, start + CODED_SQUARES + extra)? })
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

//! Unpacking: an automaton finds where codes begin; then the codes of the pieces are read, all at once as bit planes where
//! the CPU gathers bits, or one by one.

use komabako_bits::{BitOps, Bytes};
use komabako_board::{Bitboard, Hand, Setup, color};

use super::Scheme;
use crate::byte_board::{self, KING, WHITE};
use crate::word::{BITS, to_lanes};
use crate::{Word, gaps, lanes, squares};

/// How many squares have a code.
const CODED_SQUARES: usize = 79;

/// What a word says of the board.
struct Board {
    /// The five bits of the cells of the squares in the order of their numbers.
    planes: [[u64; 2]; 5],
    /// The pieces besides the kings, in [lanes].
    pieces: u64,
    /// How many bits the codes have.
    len: usize,
}

/// The setup of a good word, `None` for any other.
#[inline(always)]
pub fn unpack<B: BitOps, S: Scheme>(ops: B, word: &Word) -> Option<Setup> {
    let stream = Stream::new(word);
    let [black, white] = S::SPEC.kings();
    let kings = [u64::from(stream.window(black) & 0x7f), u64::from(stream.window(white) & 0x7f)];
    if kings[0] > 80 || kings[1] > 80 || kings[0] == kings[1] {
        return None;
    }
    let bits = board_bits::<S>(word);
    let starts = code_starts::<S>(&bits);
    let board = if B::GATHERS {
        board_by_planes::<B, S>(ops, kings, bits, starts)?
    } else {
        board_by_codes::<B, S>(ops, kings, &stream, bits, starts)
    };

    let mut at = S::SPEC.board_start() + board.len;
    let side = if S::SPEC.side_after_board { at } else { 0 };
    if side >= BITS {
        return None;
    }
    at += usize::from(S::SPEC.side_after_board);
    let hands = tail::<S>(&stream, at, lanes::INVENTORY.wrapping_sub(board.pieces))?;
    let [a, b, c, d, white] = board.planes;
    let from = S::by_square;
    let boards = [from(a), from(b), from(c), from(d), from(white)];
    let side = color::from_bit(stream.window(side) & 1 != 0);
    Some(Setup::from_parts_trusted(byte_board::parts_of(boards, hands, side)))
}

/// The bits of a word from the first code of the board on.
#[inline(always)]
fn board_bits<S: Scheme>(word: &Word) -> [u64; 4] {
    let [a, b, c, d] = to_lanes(word);
    let start = S::SPEC.board_start();
    let shift = |low: u64, high: u64| low >> start | high << (64 - start);
    [shift(a, b), shift(b, c), shift(c, d), d >> start]
}

/// Those of these bits at which the code of a square begins. In the tail, some bits.
#[inline(always)]
fn code_starts<S: Scheme>(bits: &[u64; 4]) -> [u64; 4] {
    let automaton = &S::TABLES.automaton;
    let mut state = 0_u64;
    let mut starts = [0; 4];
    for (lane, starts) in bits.iter().zip(&mut starts) {
        for byte in 0..8 {
            let eight = (lane >> (8 * byte)) as usize & 0xff;
            *starts |= (automaton.starts[eight].wrapping_shr(state as u32) & 0xff) << (8 * byte);
            state = automaton.next[eight].wrapping_shr(state as u32);
        }
    }
    starts
}

/// Reads the codes of all pieces at once. `None` for some words that are not good.
#[inline(always)]
fn board_by_planes<B: BitOps, S: Scheme>(
    ops: B,
    kings: [u64; 2],
    bits: [u64; 4],
    starts: [u64; 4],
) -> Option<Board> {
    let shape = const { S::SPEC.shape() };
    let empty = if S::SPEC.empty_bit() { u64::MAX } else { 0 };
    let is_piece = [bits[0] ^ empty, bits[1] ^ empty, bits[2] ^ empty, bits[3] ^ empty];

    // One bit for each square: whether it has a piece.
    let squares = ops.pext_x4(is_piece, starts);
    let (mut occupied, mut place) = (0_u128, 0);
    for (squares, starts) in squares.into_iter().zip(starts) {
        let squares = if place < CODED_SQUARES as u32 { squares } else { 0 };
        occupied |= u128::from(squares).wrapping_shl(place);
        place += ops.popcount(starts);
    }
    let occupied = [occupied as u64 & (u64::MAX >> 1), (occupied >> 63) as u64 & 0xffff];
    let [black, white] = [squares::set(kings[0]), squares::set(kings[1])];
    let pieces = gaps::open(ops, occupied, black | white);
    let n = pieces.len();
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

    let dense = [
        pawn | knight | gold | rook,
        lance | knight | bishop | rook,
        silver | gold | bishop | rook,
        promoted,
        whites | gold & b5,
    ];
    let [a, b, c, d, w] = ops.dense_to_boards(&dense, pieces.lanes());
    let or = |[low, high]: [u64; 2], set: Bitboard| [low | set.lanes()[0], high | set.lanes()[1]];
    let count = |plane: u64| u64::from(ops.popcount(plane));
    Some(Board {
        planes: [a, b, c, or(d, black | white), or(w, white)],
        pieces: count(pawn)
            | count(lance) << 8
            | count(knight) << 16
            | count(silver) << 24
            | count(gold) << 32
            | count(bishop) << 40
            | count(rook) << 48,
        len: CODED_SQUARES + (3 * n + 2 * ops.popcount(nonpawn) + 2 * ops.popcount(major)) as usize,
    })
}

/// Reads the codes of the pieces one by one.
#[inline(always)]
fn board_by_codes<B: BitOps, S: Scheme>(
    ops: B,
    kings: [u64; 2],
    stream: &Stream,
    bits: [u64; 4],
    starts: [u64; 4],
) -> Board {
    let tables = S::TABLES;
    let start = S::SPEC.board_start();
    let empty = if S::SPEC.empty_bit() { u64::MAX } else { 0 };
    let [black, white] = [kings[0] as usize, kings[1] as usize];
    let mut cells: Bytes = [0; 96];
    cells[black] = KING;
    cells[white] = KING | WHITE;
    let (first, second) = (black.min(white), black.max(white));

    // A square's number is its place among the codes and the kings before it; its place is its first bit less the bits
    // that the pieces before it take beyond one each.
    let (mut extra, mut counts) = (0, 0_u64);
    'board: for (lane, (bits, starts)) in bits.into_iter().zip(starts).enumerate() {
        let mut pieces = starts & (bits ^ empty);
        while pieces != 0 {
            let bit = 64 * lane + pieces.trailing_zeros() as usize;
            pieces &= pieces - 1;
            let place = bit - extra;
            if place >= CODED_SQUARES {
                break 'board;
            }
            let code = tables.board[usize::from(stream.window(start + bit) & 0xff)];
            extra += usize::from(code >> 5);
            let number = place + usize::from(place >= first);
            let number = number + usize::from(number >= second);
            cells[number] = code & 31;
            counts += 1 << (8 * (code & 7));
        }
    }
    Board { planes: ops.bytes_to_boards(&cells), pieces: counts >> 8, len: CODED_SQUARES + extra }
}

/// The hands of a tail that begins at a bit, if it is good and holds these pieces, in [lanes], the box included.
#[inline(always)]
fn tail<S: Scheme>(stream: &Stream, start: usize, pieces: u64) -> Option<[Hand; 2]> {
    let mut at = start;
    let mut off_board = [0_u64; 4];
    let (mut rank, mut disorder) = (0, false);
    while at < BITS {
        let code = S::TABLES.tail[usize::from(stream.window(at) & 0x7f)];
        at += usize::from(code.len);
        off_board[usize::from(code.place & 3)] += 1 << (8 * code.kind);
        disorder |= code.rank < rank;
        rank = code.rank;
    }
    let [black, white, boxed, unknown] = off_board;
    let good = at == BITS && !disorder && unknown == 0 && black + white + boxed == pieces << 8;
    good.then_some([black >> 8, white >> 8])
        .map(|[black, white]| [lanes::to_hand(black), lanes::to_hand(white)])
}

/// The bits of a word, followed by zeros.
struct Stream([u8; 40]);

impl Stream {
    #[inline(always)]
    fn new(word: &Word) -> Self {
        let mut bytes = [0; 40];
        bytes[..32].copy_from_slice(word);
        Self(bytes)
    }

    /// At least nine bits from bit `at` on, the first lowest.
    #[inline(always)]
    fn window(&self, at: usize) -> u16 {
        u16::from_le_bytes([self.0[at / 8], self.0[at / 8 + 1]]) >> (at % 8)
    }
}

#[cfg(test)]
mod tests {
    use komabako_bits::{Reference, Soft};
    use komabako_testkit::setups;

    use super::*;
    use crate::hcp::HuffmanCodedPos;
    use crate::huffman::reference;
    use crate::nshogi::HuffmanCode;
    use crate::packed_sfen::Psv;

    fn good_words_need_no_reference<S: Scheme>() {
        for setup in setups::random(1).take(2_000) {
            if let Ok(word) = reference::pack(&S::SPEC, &setup) {
                assert_eq!(unpack::<_, S>(Soft, &word), Some(setup));
                assert_eq!(unpack::<_, S>(Reference, &word), Some(setup));
            }
        }
    }

    #[test]
    fn good_words_of_every_format_need_no_reference() {
        good_words_need_no_reference::<Psv>();
        good_words_need_no_reference::<HuffmanCodedPos>();
        good_words_need_no_reference::<HuffmanCode>();
    }
}

//! The form by tables.

use komabako_bits::Bytes;
use komabako_board::{Color, color};

use super::Scheme;
use crate::byte_board::{ByteBoard, Cell};
use crate::word::{BITS, to_lanes};
use crate::{Word, lanes};

const BLACK_KING: Cell = 8;
const WHITE_KING: Cell = 24;

/// How many squares have a code.
const CODED_SQUARES: usize = 79;

/// The stream being written: at most seven bits wait in `waiting` after a flush.
struct Writer {
    waiting: u64,
    len: u32,
    at: usize,
    bytes: [u8; 40],
}

impl Writer {
    /// Appends up to `64 - self.len` bits.
    #[inline(always)]
    fn put(&mut self, bits: u64, len: u32) {
        self.waiting |= bits.wrapping_shl(self.len);
        self.len += len;
    }

    /// Moves the whole bytes out of the register.
    #[inline(always)]
    fn flush(&mut self) {
        self.bytes[self.at..self.at + 8].copy_from_slice(&self.waiting.to_le_bytes());
        self.at += self.len as usize / 8;
        self.waiting = self.waiting.wrapping_shr(self.len & !7);
        self.len &= 7;
    }
}

/// Packs a board whose kings stand on these squares and whose pieces, with the `removed` ones, are one set.
#[inline(always)]
pub fn pack<S: Scheme>(board: &ByteBoard, kings: [usize; 2], removed: u64) -> Word {
    let (spec, tables) = (&S::SPEC, S::TABLES);
    let [black, white] = kings.map(|king| u64::from(tables.squares[king]));
    let side = u64::from(matches!(board.side, Color::White));
    let mut writer = Writer { waiting: 0, len: 0, at: 0, bytes: [0; 40] };
    if !spec.side_after_board {
        writer.put(side, 1);
    }
    writer.put(black | white << 7, 14);
    writer.flush();
    // Eight squares have at most 56 bits, for at most four of them hold a bishop or a rook; at most seven bits wait.
    for cells in in_coded_order::<S>(board).as_chunks::<8>().0 {
        let cells = u64::from_le_bytes(*cells);
        let pairs = cells & 0x001f_001f_001f_001f | cells >> 3 & 0x03e0_03e0_03e0_03e0;
        for pair in 0..4 {
            let codes = tables.pairs[(pairs >> (16 * pair)) as usize & 0x3ff];
            writer.put(u64::from(codes & 0xffff), codes >> 16);
        }
        writer.flush();
    }
    if spec.side_after_board {
        writer.put(side, 1);
    }
    let places = [lanes::of_hand(board.hands[0]), lanes::of_hand(board.hands[1]), removed];
    for (counts, runs) in places.into_iter().zip(&tables.runs) {
        if counts == 0 {
            continue;
        }
        for kind in spec.tail_order {
            let count = (counts >> (8 * kind as u32)) as u32 & 0xff;
            let len = count * u32::from(tables.tail_len[kind as usize]);
            writer.put(runs[kind as usize] & ((1 << len) - 1), len);
            writer.flush();
        }
    }
    writer.flush();
    let mut word = [0; 32];
    word.copy_from_slice(&writer.bytes[..32]);
    word
}

/// The cells in the order of their codes, then cells without a code.
#[inline(always)]
fn in_coded_order<S: Scheme>(board: &ByteBoard) -> Bytes {
    let mut cells = board.cells;
    if S::SPEC.ranks_from_below {
        for (cell, &square) in cells.iter_mut().zip(&S::TABLES.squares) {
            *cell = board.cells[usize::from(square)];
        }
    }
    cells[81..].fill(BLACK_KING);
    cells
}

/// The board of a good word, `None` for any other.
#[inline(always)]
pub fn unpack<S: Scheme>(word: &Word) -> Option<ByteBoard> {
    let (spec, tables) = (&S::SPEC, S::TABLES);
    let stream = Stream::new(word);
    let [black, white] = spec.kings().map(|start| usize::from(stream.window(start) & 0x7f));
    if black > 80 || white > 80 || black == white {
        return None;
    }
    let mut board = ByteBoard::EMPTY;
    board.cells[usize::from(tables.squares[black])] = BLACK_KING;
    board.cells[usize::from(tables.squares[white])] = WHITE_KING;
    let (first, second) = (black.min(white), black.max(white));

    // A square's number is its place among the codes and the kings before it; its place is its first bit less the bits
    // that the pieces before it take beyond one each.
    let start = spec.board_start();
    let (mut extra, mut counts) = (0, 0_u64);
    'board: for (lane, mut pieces) in piece_starts::<S>(word).into_iter().enumerate() {
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
            board.cells[usize::from(tables.squares[number])] = code & 31;
            counts += 1 << (8 * (code & 7));
        }
    }

    let mut at = start + CODED_SQUARES + extra;
    let side = if spec.side_after_board { at } else { 0 };
    if side >= BITS {
        return None;
    }
    at += usize::from(spec.side_after_board);
    let mut off_board = [0_u64; 4];
    let (mut rank, mut disorder) = (0, false);
    while at < BITS {
        let code = tables.tail[usize::from(stream.window(at) & 0x7f)];
        at += usize::from(code.len);
        off_board[usize::from(code.place & 3)] += 1 << (8 * code.kind);
        disorder |= code.rank < rank;
        rank = code.rank;
    }
    let [black_hand, white_hand, boxed, unknown] = off_board;
    let complete = counts + black_hand + white_hand + boxed == lanes::INVENTORY << 8;
    if at != BITS || disorder || unknown != 0 || !complete {
        return None;
    }
    board.hands = [black_hand, white_hand].map(|lanes| lanes::to_hand(lanes >> 8));
    board.side = color::from_bit(stream.window(side) & 1 != 0);
    Some(board)
}

/// The bits from the board's first on at which the code of a piece begins. In the tail, some bits.
#[inline(always)]
fn piece_starts<S: Scheme>(word: &Word) -> [u64; 4] {
    let automaton = &S::TABLES.automaton;
    let [a, b, c, d] = to_lanes(word);
    let start = S::SPEC.board_start();
    let shift = |low: u64, high: u64| low >> start | high << (64 - start);
    let empty = if matches!(S::SPEC.empty.as_bytes(), b"1") { u64::MAX } else { 0 };
    let mut state = 0_u64;
    [shift(a, b), shift(b, c), shift(c, d), shift(d, 0)].map(|lane| {
        let mut starts = 0;
        for (byte, bits) in lane.to_le_bytes().into_iter().enumerate() {
            let entry = automaton.starts[usize::from(bits)].wrapping_shr(state as u32);
            starts |= (entry & 0xff) << (8 * byte);
            state = automaton.next[usize::from(bits)].wrapping_shr(state as u32);
        }
        starts & (lane ^ empty)
    })
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
    use komabako_bits::Soft;
    use komabako_testkit::setups;

    use super::*;
    use crate::hcp::HuffmanCodedPos;
    use crate::huffman::reference;
    use crate::nshogi::HuffmanCode;
    use crate::packed_sfen::Psv;

    fn good_words_need_no_reference<S: Scheme>() {
        for setup in setups::random(1).take(2_000) {
            if let Ok(word) = reference::pack(&S::SPEC, &setup) {
                assert_eq!(unpack::<S>(&word).map(|board| board.to_setup(Soft)), Some(setup));
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

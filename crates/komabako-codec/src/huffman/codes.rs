//! The codes of the squares, several per lookup and several words side by side.
//!
//! A lookup depends on the one before it, which determines its start: about seven cycles, in which a CPU could run
//! thirty instructions. So the lookups of several words, which are independent of each other, take turns.

use komabako_bits::Closed;

use super::{Scheme, fields, stream};
use crate::Word;

/// The number of squares that have a code.
pub const CODED_SQUARES: usize = 79;

/// The number of words read side by side. With fewer, a CPU waits; more do not fit into its registers.
pub const SIDE_BY_SIDE: usize = 5;

/// The number of bits of a board that are looked up at once. With one more, the table would not fit into a CPU's L1 cache.
pub const WINDOW: usize = 11;

/// The number of lookups per read of the stream: 55 bits, of 57.
pub const LOOKUPS: usize = 5;

/// The maximum number of codes per lookup.
pub const CODES: usize = 8;

/// The codes that a window begins with, [`CODES`] at most.
///
/// The low half of an entry is the codes, a byte each: the [`Cell`](crate::Cell) in the low five bits, the length less one
/// in the high three. The high half is their [`Sum`]. They are one number, because a compiler would gather numbers of 64
/// bits into vectors, which takes twice as long.
#[derive(Debug)]
pub struct Codes([u128; 1 << WINDOW]);

/// The sums of some codes: their length in bits (bits 0–15), their pieces (from bit 16 on, in [fields]) and their number
/// (from bit 52 on).
///
/// The pieces have 36 bits, so that they never overflow into the number of codes: a word takes fewer than 2^7 lookups, and
/// the pieces of one lookup are less than 2^29.
#[derive(Clone, Copy, Debug)]
pub struct Sum(pub u64);

impl Sum {
    pub const fn new(codes: usize, bits: usize, pieces: u32) -> Self {
        Self((codes as u64) << 52 | (pieces as u64) << 16 | bits as u64)
    }

    #[inline(always)]
    pub const fn codes(self) -> usize {
        (self.0 >> 52) as usize
    }

    #[inline(always)]
    pub const fn bits(self) -> usize {
        self.0 as u16 as usize
    }

    /// The pieces, in [fields].
    #[inline(always)]
    pub const fn pieces(self) -> u32 {
        (self.0 >> 16) as u32
    }

    /// Whether these are the codes of all squares, and perhaps more.
    #[inline(always)]
    pub const fn is_board(self) -> bool {
        self.0 >= Self::new(CODED_SQUARES, 0, 0).0
    }

    #[inline(always)]
    pub const fn plus(self, other: Self) -> Self {
        Self(self.0.wrapping_add(other.0))
    }
}

impl Codes {
    /// Computes the table from the codes that eight bits of a board begin with.
    pub const fn new(board: &[u8; 256]) -> Self {
        let mut entries = [0; 1 << WINDOW];
        let mut window = 0;
        while window < entries.len() {
            let mut codes = 0;
            let mut count = 0;
            let mut len = 0;
            let mut pieces = 0_u32;
            while count < CODES {
                let code = board[(window >> len) % board.len()];
                let code_len = (code >> 5) as usize + 1;
                if len + code_len > WINDOW {
                    break;
                }
                codes |= (code as u64) << (8 * count);
                pieces += fields::ONE[(code & 7) as usize];
                len += code_len;
                count += 1;
            }
            entries[window] = codes as u128 | (Sum::new(count, len, pieces).0 as u128) << 64;
            window += 1;
        }
        Self(entries)
    }

    /// The sum of the whole codes of a window.
    pub const fn sum(&self, window: usize) -> Sum {
        Sum((self.0[window] >> 64) as u64)
    }

    #[inline(always)]
    pub fn look_up(&self, window: u64) -> (u64, Sum) {
        let entry = self.0[window as usize % self.0.len()];
        (entry as u64, Sum((entry >> 64) as u64))
    }
}

/// The codes of a board.
#[derive(Clone, Copy)]
pub struct CodedBoard {
    /// One code per byte, from byte [`FRONT`] on.
    codes: [u8; 144],
    /// The pieces, in [fields].
    pub pieces: u32,
    /// The bit after the board. Beyond the word if its bits do not suffice.
    pub end: usize,
}

/// The number of unused bytes at the front of a [`Closed`].
const FRONT: usize = 2;

impl CodedBoard {
    pub const EMPTY: Self = Self { codes: [0; 144], pieces: 0, end: 0 };

    /// The cells in the low five bits.
    #[inline(always)]
    pub fn cells(&self) -> &Closed {
        self.codes.first_chunk().expect("144 bytes are more than 98")
    }

    /// Writes the codes of a lookup after those already read; later codes overwrite the excess.
    #[inline(always)]
    fn write_codes(&mut self, read: Sum, codes: u64) {
        let place = FRONT + read.codes() % 128;
        *self.codes[place..].first_chunk_mut().expect("place is below 130") = codes.to_le_bytes();
    }
}

/// Reads the codes of the boards of `N` words.
#[inline(always)]
pub fn read<S: Scheme, const N: usize>(words: &[Word; N], boards: &mut [CodedBoard; N]) {
    let table = &S::TABLES.codes_of_board;
    let start = Sum::new(0, S::SPEC.board_start(), 0);
    // The codes read so far; and those before the lookup that reached the end of the board, or before the last lookup.
    let mut sums = [start; N];
    let mut before = [start; N];
    // Every lookup reads at least one code, so that 79 are enough. Lookups for finished boards have no effect.
    while !sums.iter().all(|sum| sum.is_board()) {
        let mut bits = [0; N];
        for index in 0..N {
            // Shifted up by four, a window is the offset of its entry of 16 bytes.
            bits[index] = stream::bits_or_zeros(&words[index], sums[index].bits()) << 4;
        }
        for _ in 0..LOOKUPS {
            for index in 0..N {
                let (codes, sum) = table.look_up(bits[index] >> 4);
                if !sums[index].is_board() {
                    before[index] = sums[index];
                }
                boards[index].write_codes(before[index], codes);
                sums[index] = sums[index].plus(sum);
                bits[index] = bits[index].wrapping_shr(sum.0 as u32);
            }
        }
    }
    for index in 0..N {
        finish::<S>(&words[index], before[index], &mut boards[index]);
    }
}

/// Reads the last codes of a board, 1 to 8.
#[inline(always)]
fn finish<S: Scheme>(word: &Word, read: Sum, board: &mut CodedBoard) {
    let Last { codes, window: _, sum, len } = last::<S>(word, read);
    board.write_codes(read, codes);
    board.pieces = read.plus(sum).pieces();
    board.end = read.bits() + len;
}

/// The last codes of a board.
pub struct Last {
    /// As in [`Codes`], followed by codes of the tail.
    codes: u64,
    /// The window that begins with these codes and continues with empty squares.
    pub window: u64,
    /// The pieces of these codes.
    pub sum: Sum,
    /// The length of these codes in bits.
    pub len: usize,
}

/// The last codes of a board, 1 to 8, after those already read.
#[inline(always)]
pub fn last<S: Scheme>(word: &Word, read: Sum) -> Last {
    let table = &S::TABLES.codes_of_board;
    let window = stream::bits_or_zeros(word, read.bits());
    let (codes, _) = table.look_up(window);
    let left = CODED_SQUARES - read.codes();
    let last = codes & u64::MAX.wrapping_shr(64 - 8 * left as u32);
    // The sum of the bytes, each the length of a code less one.
    let more = (last >> 5 & 0x0707_0707_0707_0707).wrapping_mul(0x0101_0101_0101_0101) >> 56;
    let len = left + more as usize;
    // The same codes, then empty squares.
    let after = u64::MAX.wrapping_shl(len as u32);
    let window = if S::SPEC.empty_bit() { window | after } else { window & !after };
    let (_, sum) = table.look_up(window);
    Last { codes, window, sum, len }
}

//! [`Reference`]: the definitions, bit by bit.

use core::array;

use crate::{BitOps, Bytes, Closed};

/// The oracle: every primitive implemented as its definition, one bit at a time.
///
/// Every [`Backend`](crate::Backend) must agree with it. It is not a backend itself, since only tests should run on it:
/// `kernel.run(Reference)`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Reference;

impl crate::ops::sealed::Sealed for Reference {}

impl BitOps for Reference {
    type Mask = u64;

    fn mask(self, mask: u64) -> u64 {
        mask
    }

    fn compress(self, word: u64, mask: &u64) -> u64 {
        let mut packed = 0;
        for (place, bit) in selected(*mask).enumerate() {
            packed |= (word >> bit & 1) << place;
        }
        packed
    }

    fn expand(self, word: u64, mask: &u64) -> u64 {
        let mut scattered = 0;
        for (place, bit) in selected(*mask).enumerate() {
            scattered |= (word >> place & 1) << bit;
        }
        scattered
    }

    fn pext_few<const ONES: u32>(self, word: u64, mask: u64) -> u64 {
        self.pext(word, mask)
    }

    fn pdep_few<const ONES: u32>(self, word: u64, mask: u64) -> u64 {
        self.pdep(word, mask)
    }

    fn pext_most<const GAPS: u32>(self, word: u64, gaps: u64) -> u64 {
        self.pext(word, !gaps)
    }

    fn pdep_most<const GAPS: u32>(self, word: u64, gaps: u64) -> u64 {
        self.pdep(word, !gaps)
    }

    fn popcount(self, word: u64) -> u32 {
        selected(word).map(|_| 1).sum()
    }

    fn runs(self, starts: u64, ends: u64) -> u64 {
        let starts = starts.to_le_bytes();
        let ends = ends.to_le_bytes();
        starts.iter().zip(ends).flat_map(|(&start, end)| start..end).map(|bit| 1 << bit).sum()
    }

    fn ranks(self, word: u64, ends: u64) -> u64 {
        u64::from_le_bytes(ends.to_le_bytes().map(|end| (0..end).map(|bit| (word >> bit & 1) as u8).sum()))
    }

    fn lookup_word(self, bytes: u64, table: &[u8; 16]) -> u64 {
        let entry = |byte: u8| if byte & 0x80 == 0 { table[usize::from(byte & 0xf)] } else { 0 };
        u64::from_le_bytes(bytes.to_le_bytes().map(entry))
    }

    fn nonzero(self, bytes: &Bytes) -> [u64; 2] {
        board_of(|square| bytes[square] != 0)
    }

    fn lookup(self, bytes: &Bytes, table: &[u8; 32]) -> Bytes {
        bytes.map(|byte| table[usize::from(byte & 0b1_1111)])
    }

    fn bytes_to_boards<const N: usize>(self, bytes: &Bytes) -> [[u64; 2]; N] {
        array::from_fn(|bit| board_of(|square| bytes[square] >> bit & 1 == 1))
    }

    fn boards_to_bytes<const N: usize>(self, boards: &[[u64; 2]; N]) -> Bytes {
        array::from_fn(|square| {
            let bit = |k: usize| u8::from(square < 81 && holds(boards[k], square)) << k;
            (0..N).map(bit).sum()
        })
    }

    fn boards_to_dense<const N: usize>(self, boards: &[[u64; 2]; N], mask: [u64; 2]) -> [u64; N] {
        let mut dense = [0; N];
        for (place, square) in squares(mask).take(64).enumerate() {
            for (plane, board) in dense.iter_mut().zip(boards) {
                *plane |= u64::from(holds(*board, square)) << place;
            }
        }
        dense
    }

    fn dense_to_boards<const N: usize>(self, dense: &[u64; N], mask: [u64; 2]) -> [[u64; 2]; N] {
        dense.map(|plane| {
            let places = squares(mask).take(64).enumerate();
            let chosen: u128 = places.map(|(place, square)| u128::from(plane >> place & 1) << square).sum();
            board_of(|square| chosen >> square & 1 == 1)
        })
    }

    fn bytes_to_dense<const N: usize>(self, bytes: &Bytes, mask: [u64; 2]) -> [u64; N] {
        self.boards_to_dense(&self.bytes_to_boards::<N>(bytes), mask)
    }

    fn dense_to_bytes<const N: usize>(self, dense: &[u64; N], mask: [u64; 2]) -> Bytes {
        self.boards_to_bytes(&self.dense_to_boards(dense, mask))
    }

    fn join(self, codes: &Bytes, lengths: &Bytes) -> ([u64; 12], [u8; 12]) {
        let mut words = [0; 12];
        let mut totals = [0; 12];
        for (index, (&code, &length)) in codes.iter().zip(lengths).enumerate() {
            for bit in 0..length {
                words[index / 8] |= u64::from(code >> bit & 1) << totals[index / 8];
                totals[index / 8] += 1;
            }
        }
        (words, totals)
    }

    fn windows(self, stream: [u64; 4], marks: [u64; 4]) -> [u64; 8] {
        let bit = |words: [u64; 4], index: usize| index < 256 && words[index / 64] >> (index % 64) & 1 == 1;
        let mut planes = [0; 8];
        for (place, start) in (0..256).filter(|&index| bit(marks, index)).enumerate() {
            for (k, plane) in planes.iter_mut().enumerate() {
                *plane |= u64::from(bit(stream, start + k)) << place;
            }
        }
        planes
    }

    fn windows_to_bytes(self, stream: [u64; 4], marks: [u64; 4], table: &[u8; 256]) -> Bytes {
        let bit = |words: [u64; 4], index: usize| index < 256 && words[index / 64] >> (index % 64) & 1 == 1;
        let window = |start: usize| (0..8).map(|k| usize::from(bit(stream, start + k)) << k).sum::<usize>();
        let mut starts = (0..256).filter(|&index| bit(marks, index));
        array::from_fn(|_| table[starts.next().map_or(0, window)])
    }

    fn expand_bytes(self, bytes: &Bytes, mask: [u64; 2]) -> Bytes {
        let mut expanded = [0; 96];
        squares(mask).zip(bytes).for_each(|(square, &byte)| expanded[square] = byte);
        expanded
    }

    fn open_bytes(self, closed: &Closed, gaps: [u8; 2]) -> Bytes {
        let mut opened = [0; 96];
        let squares = (0..81).filter(|&square| !gaps.map(usize::from).contains(&square));
        squares.zip(&closed[2..]).for_each(|(square, &byte)| opened[square] = byte & 0b1_1111);
        opened
    }

    fn open_boards<const N: usize>(self, closed: &Closed, gaps: [u8; 2]) -> [[u64; 2]; N] {
        self.bytes_to_boards(&self.open_bytes(closed, gaps))
    }
}

/// The board of the squares, 0..81, for which a predicate is true.
fn board_of(predicate: impl Fn(usize) -> bool) -> [u64; 2] {
    let mut board = [0; 2];
    for square in (0..81).filter(|&square| predicate(square)) {
        board[square / 63] |= 1 << (square % 63);
    }
    board
}

/// Whether a board holds a square.
fn holds(board: [u64; 2], square: usize) -> bool {
    board[square / 63] >> (square % 63) & 1 == 1
}

/// The squares of a board, ascending.
fn squares(board: [u64; 2]) -> impl Iterator<Item = usize> {
    (0..81).filter(move |&square| holds(board, square))
}

/// The places of the ones, ascending.
fn selected(mask: u64) -> impl Iterator<Item = u32> {
    (0..64).filter(move |bit| mask >> bit & 1 == 1)
}

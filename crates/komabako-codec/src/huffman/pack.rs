//! Packing: the codes of the squares from tables, then the codes of the pieces off the board.

use komabako_bits::{BitOps, Bytes};
use komabako_board::{Color, Hand};

use super::Scheme;
use super::tables::Tables;
use crate::byte_board::KING;
use crate::{Word, lanes};

/// Cells without a code, from index 81 on.
static BEYOND: Bytes = {
    let mut cells = [0; 96];
    let mut index = 81;
    while index < cells.len() {
        cells[index] = KING;
        index += 1;
    }
    cells
};

/// The stream being written: at most seven bits wait in `waiting` after a flush.
pub struct Writer {
    waiting: u64,
    len: u32,
    at: usize,
    /// A word, and room for a write of eight bytes at the highest value of `at % 64`.
    bytes: [u8; 72],
}

impl Writer {
    /// A writer of a word.
    #[inline(always)]
    pub fn new() -> Writer {
        Writer { waiting: 0, len: 0, at: 0, bytes: [0; 72] }
    }

    /// The word, once all bits are flushed.
    #[inline(always)]
    pub fn word(&self) -> Word {
        let mut word = [0; 32];
        word.copy_from_slice(&self.bytes[..32]);
        word
    }

    /// Appends up to `64 - self.len` bits.
    #[inline(always)]
    pub fn push_bits(&mut self, bits: u64, len: u32) {
        self.waiting |= bits.wrapping_shl(self.len);
        self.len += len;
    }

    /// Moves the whole bytes out of the register.
    #[inline(always)]
    pub fn flush(&mut self) {
        // Always stores eight bytes, even if fewer are ready: the next store overwrites the rest.
        let at = self.at % 64;
        self.bytes[at..at + 8].copy_from_slice(&self.waiting.to_le_bytes());
        self.at += self.len as usize / 8;
        self.waiting = self.waiting.wrapping_shr(self.len & !7);
        self.len &= 7;
    }

    /// Appends the codes of some pieces off the board, given their number in lanes.
    #[inline(always)]
    fn push_tail<S: Scheme>(&mut self, counts: u64, runs: &[u64; 7]) {
        for (index, kind) in S::SPEC.tail_order.into_iter().enumerate() {
            let (codes, len) = codes_of_kind(S::TABLES, runs, kind as usize, counts);
            self.push_bits(codes, len);
            // Eighteen pawns have 54 bits, four pieces of two kinds at most 40.
            if index % 2 == 0 {
                self.flush();
            }
        }
    }
}

/// Packs the cells of the squares in the order of their numbers, the kings' squares by number, the hands, and the `removed`
/// pieces in [lanes]; together they must be one set.
#[inline(always)]
pub fn pack<B: BitOps, S: Scheme>(
    ops: B,
    cells: &Bytes,
    kings: [u64; 2],
    side: Color,
    hands: [Hand; 2],
    removed: u64,
) -> Word {
    let spec = &S::SPEC;
    let tables = S::TABLES;
    let side = u64::from(matches!(side, Color::White));
    let mut writer = Writer::new();
    if !spec.side_after_board {
        writer.push_bits(side, 1);
    }
    writer.push_bits(kings[0] | kings[1] << 7, 14);
    writer.flush();
    // The board is written eight squares at a time, 88 in all: the seven beyond get the empty code of kings.
    let mut coded = *cells;
    for (cell, beyond) in coded.iter_mut().zip(&BEYOND) {
        *cell |= beyond;
    }
    if B::SHUFFLES {
        push_board_by_shuffles(ops, &mut writer, &coded, tables);
    } else {
        push_board_by_pairs(&mut writer, &coded, tables);
    }
    if spec.side_after_board {
        writer.push_bits(side, 1);
    }
    writer.push_tail::<S>(lanes::of_hand(hands[0]), &tables.runs[0]);
    writer.push_tail::<S>(lanes::of_hand(hands[1]), &tables.runs[1]);
    if removed != 0 {
        writer.push_tail::<S>(removed, &tables.runs[2]);
    }
    writer.flush();
    writer.word()
}

// Eight squares have at most 56 bits, since at most four of them hold a bishop or a rook; at most seven bits are waiting.

#[inline(always)]
fn push_board_by_shuffles<B: BitOps>(ops: B, writer: &mut Writer, cells: &Bytes, tables: &Tables) {
    let (words, lens) = ops.join(&ops.lookup(cells, &tables.codes), &ops.lookup(cells, &tables.lens));
    for index in 0..11 {
        writer.push_bits(words[index], u32::from(lens[index]));
        writer.flush();
    }
}

#[inline(always)]
fn push_board_by_pairs(writer: &mut Writer, cells: &Bytes, tables: &Tables) {
    for eight in &cells.as_chunks::<8>().0[..11] {
        let (codes, len) = codes_of_eight(tables, u64::from_le_bytes(*eight));
        writer.push_bits(codes, len);
        writer.flush();
    }
}

/// The codes of eight cells, one after the other, and their length.
#[inline(always)]
pub fn codes_of_eight(tables: &Tables, cells: u64) -> (u64, u32) {
    // Two cells of five bits, eight apart, become an index of ten.
    let pairs = cells & 0x001f_001f_001f_001f | cells >> 3 & 0x03e0_03e0_03e0_03e0;
    let mut bits = 0;
    let mut len = 0;
    for pair in 0..4 {
        let codes = tables.pairs[(pairs >> (16 * pair)) as usize & 0x3ff];
        bits |= u64::from(codes & 0xffff).wrapping_shl(len);
        len += codes >> 16;
    }
    (bits, len)
}

/// The codes of the pieces of a kind off the board, given the runs of their place and their number in lanes, and their length.
#[inline(always)]
pub fn codes_of_kind(tables: &Tables, runs: &[u64; 7], kind: usize, counts: u64) -> (u64, u32) {
    let count = (counts >> (8 * kind as u32)) as u32 & 0xff;
    let len = count * u32::from(tables.tail_len[kind]);
    (runs[kind] & (1_u64.wrapping_shl(len) - 1), len)
}

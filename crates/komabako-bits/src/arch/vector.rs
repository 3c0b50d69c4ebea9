//! The primitives on blocks of 32 bytes, written once for the CPUs that have vectors and a byte shuffle.
//!
//! A mask is applied eight bytes at a time: one of 256 shuffles moves the selected bytes of a group together, or apart.

use super::generic::swar;
use crate::board::{lanes_of, row};
use crate::gaps::{KEPT, after, with_gap};
use crate::{Bytes, Closed};

/// The source of each byte of a group, for each mask of eight bytes: 0x80 means none.
type Shuffles = [[u8; 8]; 256];

/// The selected bytes, in order.
static COMPRESS: Shuffles = {
    let mut table = [[0x80; 8]; 256];
    let mut mask = 0;
    while mask < 256 {
        let mut bit = 0;
        let mut place = 0;
        while bit < 8 {
            if mask >> bit & 1 == 1 {
                table[mask][place] = bit;
                place += 1;
            }
            bit += 1;
        }
        mask += 1;
    }
    table
};

/// The next bytes, each on the next selected place.
static EXPAND: Shuffles = {
    let mut table = [[0x80; 8]; 256];
    let mut mask = 0;
    while mask < 256 {
        let mut bit = 0;
        let mut place = 0;
        while bit < 8 {
            if mask >> bit & 1 == 1 {
                table[mask][bit] = place;
                place += 1;
            }
            bit += 1;
        }
        mask += 1;
    }
    table
};

/// Blocks of 32 bytes, in one vector or two. Implemented by the witnesses of CPUs that have them.
pub trait Blocks: Copy {
    /// A block.
    type Block: Copy;

    /// Reads a block.
    fn load(self, bytes: &[u8; 32]) -> Self::Block;

    /// Writes a block.
    fn store(self, block: Self::Block) -> [u8; 32];

    /// The mask of the bytes that have this bit.
    fn test(self, block: Self::Block, bit: u32) -> u32;

    /// The mask of the bytes that are not zero.
    fn nonzero(self, block: Self::Block) -> u32;

    /// The bitwise AND of two blocks.
    fn and(self, a: Self::Block, b: Self::Block) -> Self::Block;

    /// The bytes of `ones` where a mask is all ones, the bytes of `zeros` where it is zero.
    fn select(self, mask: Self::Block, ones: Self::Block, zeros: Self::Block) -> Self::Block;

    /// The block with `value` or-ed into the bytes that `bytes` selects.
    fn set(self, block: Self::Block, bytes: u32, value: u8) -> Self::Block;

    /// The table's entry for each byte, of which only the low five bits count.
    fn lookup(self, block: Self::Block, table: &[u8; 32]) -> Self::Block;

    /// The bytes at these indices, 0..8; zero for 0x80.
    fn shuffle(self, bytes: &[u8; 8], indices: &[u8; 8]) -> [u8; 8];
}

#[inline(always)]
pub fn nonzero<V: Blocks>(v: V, bytes: &Bytes) -> [u64; 2] {
    let [a, b, c] = blocks(v, bytes);
    board(v.nonzero(a), v.nonzero(b), v.nonzero(c))
}

#[inline(always)]
pub fn lookup<V: Blocks>(v: V, bytes: &Bytes, table: &[u8; 32]) -> Bytes {
    let blocks = blocks(v, bytes);
    let mut entries = [0; 96];
    for (index, to) in entries.as_chunks_mut().0.iter_mut().enumerate() {
        *to = v.store(v.lookup(blocks[index], table));
    }
    entries
}

#[inline(always)]
pub fn bytes_to_boards<V: Blocks, const N: usize>(v: V, bytes: &Bytes) -> [[u64; 2]; N] {
    let [a, b, c] = blocks(v, bytes);
    let mut boards = [[0; 2]; N];
    for (bit, lanes) in boards.iter_mut().enumerate() {
        let bit = bit as u32;
        *lanes = board(v.test(a, bit), v.test(b, bit), v.test(c, bit));
    }
    boards
}

#[inline(always)]
pub fn boards_to_bytes<V: Blocks, const N: usize>(v: V, boards: &[[u64; 2]; N]) -> Bytes {
    let rows = swar::unroll(boards, |&board| row(board));
    let mut bytes = [0; 96];
    for (index, block) in bytes.as_chunks_mut::<32>().0.iter_mut().enumerate() {
        *block = bytes_of(v, swar::unroll(&rows, |row| (row >> (32 * index)) as u32));
    }
    bytes
}

#[inline(always)]
pub fn dense_to_boards<V: Blocks, const N: usize>(v: V, dense: &[u64; N], mask: [u64; 2]) -> [[u64; 2]; N] {
    bytes_to_boards(v, &dense_to_bytes(v, dense, mask))
}

#[inline(always)]
pub fn bytes_to_dense<V: Blocks, const N: usize>(v: V, bytes: &Bytes, mask: [u64; 2]) -> [u64; N] {
    let masks = row(mask).to_le_bytes();
    let mut dense = [0; 96];
    let mut end = 0;
    for (group, eight) in groups(bytes).iter().enumerate() {
        let mask = masks[group];
        // Bytes that are not selected are written as zeros, which the next group overwrites.
        let to = dense[end..].first_chunk_mut().expect("end is at most 80");
        *to = v.shuffle(eight, &COMPRESS[usize::from(mask)]);
        end += mask.count_ones() as usize;
    }
    planes_of(v, dense.first_chunk().expect("96 bytes are more than 64"))
}

#[inline(always)]
pub fn dense_to_bytes<V: Blocks, const N: usize>(v: V, dense: &[u64; N], mask: [u64; 2]) -> Bytes {
    let mut symbols = [0; 96];
    for (index, block) in symbols.as_chunks_mut::<32>().0[..2].iter_mut().enumerate() {
        *block = bytes_of(v, swar::unroll(dense, |plane| (plane >> (32 * index)) as u32));
    }
    let masks = row(mask).to_le_bytes();
    let mut bytes = [0; 96];
    let mut start = 0;
    for (group, eight) in bytes.as_chunks_mut::<8>().0[..GROUPS].iter_mut().enumerate() {
        let mask = masks[group];
        let next = symbols[start..].first_chunk().expect("start is at most 80");
        *eight = v.shuffle(next, &EXPAND[usize::from(mask)]);
        start += mask.count_ones() as usize;
    }
    bytes
}

#[inline(always)]
pub fn windows<V: Blocks>(v: V, stream: [u64; 4], marks: [u64; 4]) -> [u64; 8] {
    planes_of(v, &swar::window_bytes(stream, marks))
}

/// 32 copies of a byte, except that the last `OTHERS` bytes are zero.
const fn all_but<const OTHERS: usize>(byte: u8) -> [u8; 32] {
    let mut bytes = [byte; 32];
    let mut index = bytes.len() - OTHERS;
    while index < bytes.len() {
        bytes[index] = 0;
        index += 1;
    }
    bytes
}

/// [`KEPT`] in all bytes but one, the place of a gap.
static KEEP: [u8; 224] = {
    let mut bytes = [KEPT; 224];
    bytes[127] = 0;
    bytes
};

/// [`KEPT`] for all squares but the gap.
#[inline(always)]
fn keep(gap: u8) -> &'static Bytes {
    with_gap(&KEEP, gap)
}

#[inline(always)]
pub fn open_bytes<V: Blocks>(v: V, closed: &Closed, gaps: [u8; 2]) -> Bytes {
    let kept = const { [[KEPT; 32], [KEPT; 32], all_but::<15>(KEPT)] };
    let mut bytes = [0; 96];
    for (index, to) in bytes.as_chunks_mut().0.iter_mut().enumerate() {
        *to = v.store(v.and(spread(v, closed, gaps, 32 * index), v.load(&kept[index])));
    }
    bytes
}

/// The blocks overlap by a square, so that each lane of a board comes from its own blocks.
#[inline(always)]
pub fn open_boards<V: Blocks, const N: usize>(v: V, closed: &Closed, gaps: [u8; 2]) -> [[u64; 2]; N] {
    let a = opened(v, closed, gaps, 0);
    let b = v.and(opened(v, closed, gaps, 32), v.load(&const { all_but::<1>(0xff) }));
    let c = v.and(opened(v, closed, gaps, 63), v.load(&const { all_but::<14>(0xff) }));
    let mut boards = [[0; 2]; N];
    for (bit, board) in boards.iter_mut().enumerate() {
        let bit = bit as u32;
        *board = [u64::from(v.test(a, bit)) | u64::from(v.test(b, bit)) << 32, u64::from(v.test(c, bit))];
    }
    boards
}

/// The low five bits of the squares that start at `at`; the gaps are zero.
#[inline(always)]
fn opened<V: Blocks>(v: V, closed: &Closed, gaps: [u8; 2], at: usize) -> V::Block {
    let first = block_at(v, keep(gaps[0]), at);
    let second = block_at(v, keep(gaps[1]), at);
    v.and(v.and(spread(v, closed, gaps, at), first), second)
}

/// The squares that start at `at`; the gaps hold any byte.
#[inline(always)]
fn spread<V: Blocks>(v: V, closed: &Closed, [first, second]: [u8; 2], at: usize) -> V::Block {
    let before = block_at(v, closed, at + 2);
    let between = v.select(block_at(v, after(first), at), block_at(v, closed, at + 1), before);
    v.select(block_at(v, after(second), at), block_at(v, closed, at), between)
}

#[inline(always)]
fn block_at<V: Blocks>(v: V, bytes: &[u8], at: usize) -> V::Block {
    v.load(bytes[at..].first_chunk().expect("there are 32 bytes"))
}

/// Bit `k` of byte `i` in place `i` of plane `k`.
#[inline(always)]
fn planes_of<V: Blocks, const N: usize>(v: V, bytes: &[u8; 64]) -> [u64; N] {
    let [low, high] = [v.load(&bytes.as_chunks().0[0]), v.load(&bytes.as_chunks().0[1])];
    let mut planes = [0; N];
    for (bit, plane) in planes.iter_mut().enumerate() {
        let bit = bit as u32;
        *plane = u64::from(v.test(low, bit)) | u64::from(v.test(high, bit)) << 32;
    }
    planes
}

/// The bytes whose bit `k` is plane `k`.
#[inline(always)]
fn bytes_of<V: Blocks, const N: usize>(v: V, planes: [u32; N]) -> [u8; 32] {
    let mut block = v.load(&[0; 32]);
    for (bit, &plane) in planes.iter().enumerate() {
        block = v.set(block, plane, 1 << bit);
    }
    v.store(block)
}

#[inline(always)]
fn blocks<V: Blocks>(v: V, bytes: &Bytes) -> [V::Block; 3] {
    let blocks = bytes.as_chunks().0;
    [v.load(&blocks[0]), v.load(&blocks[1]), v.load(&blocks[2])]
}

/// The number of groups of eight squares that cover the board.
const GROUPS: usize = 11;

#[inline(always)]
fn groups(bytes: &Bytes) -> &[[u8; 8]] {
    &bytes.as_chunks().0[..GROUPS]
}

#[inline(always)]
fn board(a: u32, b: u32, c: u32) -> [u64; 2] {
    lanes_of(u64::from(a) | u64::from(b) << 32, c)
}

/// The methods of [`BitOps`](crate::BitOps) on masks, in portable code.
macro_rules! soft_mask_methods {
    () => {
        type Mask = <$crate::Soft as $crate::BitOps>::Mask;

        #[inline(always)]
        fn mask(self, mask: u64) -> Self::Mask {
            $crate::Soft.mask(mask)
        }

        #[inline(always)]
        fn mask_u32(self, mask: u32) -> Self::Mask {
            $crate::Soft.mask_u32(mask)
        }

        #[inline(always)]
        fn mask_near(self, mask: u64) -> Self::Mask {
            $crate::Soft.mask_near(mask)
        }

        #[inline(always)]
        fn compress(self, word: u64, mask: &Self::Mask) -> u64 {
            $crate::Soft.compress(word, mask)
        }

        #[inline(always)]
        fn expand(self, word: u64, mask: &Self::Mask) -> u64 {
            $crate::Soft.expand(word, mask)
        }
    };
}

/// The methods of [`BitOps`](crate::BitOps) between bytes and boards, with blocks.
macro_rules! block_methods {
    () => {
        #[inline(always)]
        fn nonzero(self, bytes: &$crate::Bytes) -> [u64; 2] {
            vector::nonzero(self, bytes)
        }

        #[inline(always)]
        fn lookup(self, bytes: &$crate::Bytes, table: &[u8; 32]) -> $crate::Bytes {
            vector::lookup(self, bytes, table)
        }

        #[inline(always)]
        fn bytes_to_boards<const N: usize>(self, bytes: &$crate::Bytes) -> [[u64; 2]; N] {
            vector::bytes_to_boards(self, bytes)
        }

        #[inline(always)]
        fn boards_to_bytes<const N: usize>(self, boards: &[[u64; 2]; N]) -> $crate::Bytes {
            vector::boards_to_bytes(self, boards)
        }

        #[inline(always)]
        fn open_bytes(self, closed: &$crate::Closed, gaps: [u8; 2]) -> $crate::Bytes {
            vector::open_bytes(self, closed, gaps)
        }

        #[inline(always)]
        fn open_boards<const N: usize>(self, closed: &$crate::Closed, gaps: [u8; 2]) -> [[u64; 2]; N] {
            vector::open_boards(self, closed, gaps)
        }
    };
}

/// The methods of [`BitOps`](crate::BitOps) to and from the dense form, with byte shuffles.
macro_rules! shuffle_methods {
    () => {
        #[inline(always)]
        fn dense_to_boards<const N: usize>(self, dense: &[u64; N], mask: [u64; 2]) -> [[u64; 2]; N] {
            vector::dense_to_boards(self, dense, mask)
        }

        #[inline(always)]
        fn bytes_to_dense<const N: usize>(self, bytes: &$crate::Bytes, mask: [u64; 2]) -> [u64; N] {
            vector::bytes_to_dense(self, bytes, mask)
        }

        #[inline(always)]
        fn dense_to_bytes<const N: usize>(self, dense: &[u64; N], mask: [u64; 2]) -> $crate::Bytes {
            vector::dense_to_bytes(self, dense, mask)
        }

        #[inline(always)]
        fn windows(self, stream: [u64; 4], marks: [u64; 4]) -> [u64; 8] {
            vector::windows(self, stream, marks)
        }
    };
}

/// [`BitOps::boards_to_dense`](crate::BitOps::boards_to_dense) with byte shuffles, through bytes.
#[cfg(not(target_arch = "wasm32"))]
macro_rules! shuffle_boards_to_dense {
    () => {
        #[inline(always)]
        fn boards_to_dense<const N: usize>(self, boards: &[[u64; 2]; N], mask: [u64; 2]) -> [u64; N] {
            vector::bytes_to_dense(self, &vector::boards_to_bytes(self, boards), mask)
        }
    };
}

//! The primitives in portable code, on eight bytes or 64 bits at a time.

use crate::board::{lanes, lanes_of, row};
use crate::gaps::{KEPT, after};
use crate::{Bytes, Closed};

/// The low bit of each byte.
const ONES: u64 = 0x0101_0101_0101_0101;
/// All but the high bit of each byte.
const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;

/// `SPREAD[b]` holds bit `i` of `b` in the lowest bit of byte `i`.
static SPREAD: [u64; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            table[byte] |= (byte as u64 >> bit & 1) << (8 * bit);
            bit += 1;
        }
        byte += 1;
    }
    table
};

/// One step for each of up to `MAX` ones in the mask.
#[inline(always)]
pub fn pext_few<const MAX: u32>(word: u64, mask: u64) -> u64 {
    let mut packed = 0;
    let mut rest = mask;
    for place in 0..MAX {
        let lowest = rest & rest.wrapping_neg();
        packed |= u64::from(word & lowest != 0) << place;
        rest ^= lowest;
    }
    packed
}

/// One step for each of up to `MAX` ones in the mask.
#[inline(always)]
pub fn pdep_few<const MAX: u32>(word: u64, mask: u64) -> u64 {
    let mut scattered = 0;
    let mut rest = mask;
    for place in 0..MAX {
        let lowest = rest & rest.wrapping_neg();
        scattered |= lowest & (word >> place & 1).wrapping_neg();
        rest ^= lowest;
    }
    scattered
}

/// Closes one gap after the other, the lowest first. With no gap left, `below` is all ones and nothing moves.
#[inline(always)]
pub fn pext_most<const MAX: u32>(word: u64, gaps: u64) -> u64 {
    let mut packed = word;
    let mut gaps = gaps;
    for _ in 0..MAX {
        let lowest = gaps & gaps.wrapping_neg();
        let below = lowest.wrapping_sub(1);
        packed = packed & below | packed >> 1 & !below;
        gaps = (gaps ^ lowest) >> 1;
    }
    packed
}

/// Opens one gap after the other, the lowest first. With no gap left, `below` is all ones and nothing moves.
#[inline(always)]
pub fn pdep_most<const MAX: u32>(word: u64, gaps: u64) -> u64 {
    let mut scattered = word;
    let mut gaps = gaps;
    for _ in 0..MAX {
        let lowest = gaps & gaps.wrapping_neg();
        let below = lowest.wrapping_sub(1);
        scattered = scattered & below | (scattered & !below) << 1;
        gaps ^= lowest;
    }
    scattered
}

#[inline(always)]
pub fn runs(starts: u64, ends: u64) -> u64 {
    let mut ones = 0_u64;
    for lane in 0..8 {
        let start = starts >> (8 * lane) & 63;
        let end = ends >> (8 * lane) & 63;
        ones = ones.wrapping_add(1 << end).wrapping_sub(1 << start);
    }
    ones
}

#[inline(always)]
pub fn lookup_word(bytes: u64, table: &[u8; 16]) -> u64 {
    let entry = |&byte: &u8| if byte < 128 { table[usize::from(byte % 16)] } else { 0 };
    u64::from_le_bytes(unroll(&bytes.to_le_bytes(), entry))
}

#[inline(always)]
pub fn nonzero(bytes: &Bytes) -> [u64; 2] {
    let mut squares = 0;
    for (group, &eight) in bytes.as_chunks::<8>().0.iter().enumerate() {
        let eight = u64::from_le_bytes(eight);
        // Adding 127 to the low bits carries into the high bit unless they are zero.
        let nonzero = ((eight & LOW) + LOW) | eight;
        squares |= u128::from(gather(nonzero >> 7)) << (8 * group);
    }
    lanes(squares)
}

#[inline(always)]
pub fn lookup(bytes: &Bytes, table: &[u8; 32]) -> Bytes {
    let mut entries = [0; 96];
    for (index, byte) in bytes.iter().enumerate() {
        entries[index] = table[usize::from(byte % 32)];
    }
    entries
}

#[inline(always)]
pub fn bytes_to_boards<const N: usize>(bytes: &Bytes) -> [[u64; 2]; N] {
    let mut groups = [0; 11];
    for (index, group) in groups.iter_mut().enumerate() {
        *group = eight(bytes, 8 * index);
    }
    let [a, b, c, d, e, f, g, h, rest @ ..] = groups;
    let planes = transpose([a, b, c, d, e, f, g, h]);
    let mut boards = [[0; 2]; N];
    for (bit, board) in boards.iter_mut().enumerate() {
        let mut high = 0;
        for (index, group) in rest.iter().enumerate() {
            high |= u32::from(gather(group >> bit)) << (8 * index);
        }
        *board = lanes_of(planes[bit], high);
    }
    boards
}

#[inline(always)]
pub fn boards_to_bytes<const N: usize>(boards: &[[u64; 2]; N]) -> Bytes {
    let mut rows = [[0; 16]; N];
    for (index, &board) in boards.iter().enumerate() {
        rows[index] = row(board).to_le_bytes();
    }
    let mut bytes = [0; 96];
    for (group, eight) in bytes.as_chunks_mut::<8>().0.iter_mut().enumerate() {
        let mut symbols = 0;
        for (bit, row) in rows.iter().enumerate() {
            symbols |= SPREAD[usize::from(row[group])] << bit;
        }
        *eight = symbols.to_le_bytes();
    }
    bytes
}

#[inline(always)]
pub fn join(codes: &Bytes, lengths: &Bytes) -> ([u64; 12], [u8; 12]) {
    let mut words = [0; 12];
    let mut totals = [0; 12];
    for group in 0..12 {
        let mut total = 0;
        for place in 8 * group..8 * group + 8 {
            words[group] |= u64::from(codes[place]).wrapping_shl(u32::from(total));
            total += lengths[place];
        }
        totals[group] = total;
    }
    (words, totals)
}

#[inline(always)]
pub fn windows(stream: [u64; 4], marks: [u64; 4]) -> [u64; 8] {
    let mut planes = [0; 8];
    for (group, &eight) in window_bytes(stream, marks).as_chunks::<8>().0.iter().enumerate() {
        let eight = u64::from_le_bytes(eight);
        for (bit, plane) in planes.iter_mut().enumerate() {
            *plane |= u64::from(gather(eight >> bit)) << (8 * group);
        }
    }
    planes
}

/// The eight bits of the stream that begin at each mark, as bytes.
#[inline(always)]
pub fn window_bytes(stream: [u64; 4], marks: [u64; 4]) -> [u8; 64] {
    let mut bytes = [0; 64];
    let mut place = 0;
    for index in 0..4 {
        let next = if index < 3 { stream[index + 1] } else { 0 };
        let mut rest = marks[index];
        while rest != 0 {
            let start = rest.trailing_zeros();
            // The other bits of the window are in the next word: `<< (64 - start)`, but zero if `start` is 0.
            bytes[place % 64] = (stream[index] >> start | next << 1 << (63 - start)) as u8;
            place += 1;
            rest &= rest - 1;
        }
    }
    bytes
}

#[inline(always)]
pub fn windows_to_bytes(stream: [u64; 4], marks: [u64; 4], table: &[u8; 256]) -> Bytes {
    let mut bytes = [table[0]; 96];
    let mut places = bytes.iter_mut();
    for (index, marks) in marks.into_iter().enumerate() {
        let next = if index < 3 { stream[index + 1] } else { 0 };
        let mut rest = marks;
        while rest != 0 {
            let Some(byte) = places.next() else { return bytes };
            let start = rest.trailing_zeros();
            *byte = table[(stream[index] >> start | next << 1 << (63 - start)) as usize & 0xff];
            rest &= rest - 1;
        }
    }
    bytes
}

#[inline(always)]
pub fn expand_bytes(bytes: &Bytes, mask: [u64; 2]) -> Bytes {
    let mut expanded = [0; 96];
    let mut rest = row(mask);
    for &byte in bytes {
        if rest == 0 {
            break;
        }
        expanded[rest.trailing_zeros() as usize] = byte;
        rest &= rest - 1;
    }
    expanded
}

#[inline(always)]
pub fn open_bytes(closed: &Closed, [first, second]: [u8; 2]) -> Bytes {
    let mut opened = [0; 96];
    for (group, to) in opened.as_chunks_mut::<8>().0.iter_mut().enumerate().take(11) {
        let at = 8 * group;
        // As far as the first gap, between the gaps, after both.
        let [a, b, c] = [eight(closed, at + 2), eight(closed, at + 1), eight(closed, at)];
        let opened = a ^ (a ^ b) & eight(after(first), at) ^ (b ^ c) & eight(after(second), at);
        let kept = if group < 10 { u64::from_le_bytes([KEPT; 8]) } else { u64::from(KEPT) };
        *to = (opened & kept).to_le_bytes();
    }
    opened
}

/// The squares below each index, in lanes.
static BELOW: [[u64; 2]; 129] = {
    let mut table = [[0; 2]; 129];
    let mut index = 0;
    while index < table.len() {
        table[index] = if index < 81 { lanes((1 << index) - 1) } else { lanes(u128::MAX) };
        index += 1;
    }
    table
};

/// [`open_bytes`] and then [`bytes_to_boards`], but the gaps are opened in five boards, which takes half as long as in 79
/// bytes.
#[inline(always)]
pub fn open_boards<const N: usize>(closed: &Closed, [first, second]: [u8; 2]) -> [[u64; 2]; N] {
    let mut groups = [0; 10];
    for (index, group) in groups.iter_mut().enumerate() {
        *group = eight(closed, 8 * index + 2);
    }
    let [a, b, c, d, e, f, g, h, ninth, tenth] = groups;
    let planes = transpose([a, b, c, d, e, f, g, h]);
    let [first, second] = [usize::from(first % 128), usize::from(second % 128)];
    let mut boards = [[0; 2]; N];
    for (bit, board) in boards.iter_mut().enumerate().take(KEPT.count_ones() as usize) {
        let rest = u32::from(gather(ninth >> bit)) | u32::from(gather(tenth >> bit)) << 8;
        let [low, high] = lanes_of(planes[bit], rest);
        // Bits that move up by one or two squares carry into the next lane; stray bits are masked off below.
        let moved = [[low, high], [low << 1, high << 1 | low >> 62], [low << 2, high << 2 | low >> 61]];
        for lane in 0..2 {
            // As far as the first gap, between the gaps, after both.
            let [before, after] = [BELOW[first][lane], !BELOW[second + 1][lane] & BELOW[81][lane]];
            let between = BELOW[second][lane] & !BELOW[first + 1][lane];
            board[lane] = moved[0][lane] & before | moved[1][lane] & between | moved[2][lane] & after;
        }
    }
    boards
}

/// Bit `k` of every byte of eight groups as word `k`. Words that the caller does not use are not computed.
///
/// Three exchanges between the groups bring bit `k` of all bytes into one word, with byte `i` of group `g` at bit
/// `8i + g`; each word is then transposed as a matrix of eight by eight bits. That is 150 operations for five words, while a
/// multiplication for each group and word takes 240.
#[inline(always)]
const fn transpose([a, b, c, d, e, f, g, h]: [u64; 8]) -> [u64; 8] {
    let [even_01, odd_01, even_23, odd_23] = pairs(
        low::<4>(a, e, NIBBLES),
        low::<4>(b, f, NIBBLES),
        low::<4>(c, g, NIBBLES),
        low::<4>(d, h, NIBBLES),
    );
    let [even_45, odd_45, even_67, odd_67] = pairs(
        high::<4>(a, e, NIBBLES),
        high::<4>(b, f, NIBBLES),
        high::<4>(c, g, NIBBLES),
        high::<4>(d, h, NIBBLES),
    );
    [
        turn(low::<1>(even_01, odd_01, BITS)),
        turn(high::<1>(even_01, odd_01, BITS)),
        turn(low::<1>(even_23, odd_23, BITS)),
        turn(high::<1>(even_23, odd_23, BITS)),
        turn(low::<1>(even_45, odd_45, BITS)),
        turn(high::<1>(even_45, odd_45, BITS)),
        turn(low::<1>(even_67, odd_67, BITS)),
        turn(high::<1>(even_67, odd_67, BITS)),
    ]
}

const NIBBLES: u64 = 0x0f * ONES;
const PAIRS: u64 = 0x33 * ONES;
const BITS: u64 = 0x55 * ONES;

/// From nibbles of groups four apart: the two low bits of even and of odd groups, then the two high ones.
#[inline(always)]
const fn pairs(ae: u64, bf: u64, cg: u64, dh: u64) -> [u64; 4] {
    [low::<2>(ae, cg, PAIRS), low::<2>(bf, dh, PAIRS), high::<2>(ae, cg, PAIRS), high::<2>(bf, dh, PAIRS)]
}

/// The fields selected by a mask in two words, the second word's fields above the first word's.
#[inline(always)]
const fn low<const BITS: u32>(first: u64, second: u64, mask: u64) -> u64 {
    first & mask | (second & mask) << BITS
}

/// As [`low`], for the fields above the selected ones.
#[inline(always)]
const fn high<const BITS: u32>(first: u64, second: u64, mask: u64) -> u64 {
    first >> BITS & mask | second & mask << BITS
}

/// The transpose of a matrix of eight by eight bits: bit `8i + j` goes to `8j + i`.
#[inline(always)]
const fn turn(matrix: u64) -> u64 {
    let mut matrix = matrix;
    let moving = (matrix ^ matrix >> 7) & 0x00aa_00aa_00aa_00aa;
    matrix ^= moving ^ moving << 7;
    let moving = (matrix ^ matrix >> 14) & 0x0000_cccc_0000_cccc;
    matrix ^= moving ^ moving << 14;
    let moving = (matrix ^ matrix >> 28) & 0x0000_0000_f0f0_f0f0;
    matrix ^ moving ^ moving << 28
}

/// The eight bytes that start at `at`.
#[inline(always)]
fn eight(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(*bytes[at..].first_chunk().expect("there are eight bytes"))
}

/// The lowest bits of the eight bytes, byte `i`'s in bit `i`.
#[inline(always)]
const fn gather(bytes: u64) -> u8 {
    ((bytes & ONES).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8
}

/// `array::map`, but without calls: the compiler can unroll its loop.
#[inline(always)]
pub fn unroll<T, U: Copy + Default, const N: usize>(from: &[T; N], convert: impl Fn(&T) -> U) -> [U; N] {
    let mut to = [U::default(); N];
    for (index, from) in from.iter().enumerate() {
        to[index] = convert(from);
    }
    to
}

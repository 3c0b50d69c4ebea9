//! [`Word`]: 256 bits, and the ways to read and build one.

/// A packed position: 256 bits. Bit `i` is bit `i % 8` of byte `i / 8`, so the four little-endian `u64` of the word
/// hold bits 0–63, 64–127, 128–191 and 192–255.
pub type Word = [u8; 32];

/// The number of bits of a [`Word`].
pub(crate) const BITS: usize = 256;

/// The four little-endian `u64` of a word.
#[inline(always)]
pub fn to_lanes(word: &Word) -> [u64; 4] {
    let mut lanes = [0; 4];
    for (index, bytes) in word.as_chunks().0.iter().enumerate() {
        lanes[index] = u64::from_le_bytes(*bytes);
    }
    lanes
}

/// The word with these four little-endian `u64`.
#[inline(always)]
pub fn from_lanes(lanes: [u64; 4]) -> Word {
    let mut word = [0; 32];
    for (index, bytes) in word.as_chunks_mut().0.iter_mut().enumerate() {
        *bytes = lanes[index].to_le_bytes();
    }
    word
}

/// Bit `index` of the word.
///
/// # Panics
/// If `index` is 256 or more.
pub fn bit(word: &Word, index: usize) -> bool {
    word[index / 8] >> (index % 8) & 1 != 0
}

/// Sets bit `index` of the word.
///
/// # Panics
/// If `index` is 256 or more.
pub fn set_bit(word: &mut Word, index: usize) {
    word[index / 8] |= 1 << (index % 8);
}

/// The `len` bits from `offset` as a number, the first of them least significant.
///
/// # Panics
/// If the bits are not all in the word, or are more than 128.
pub fn number(word: &Word, offset: usize, len: usize) -> u128 {
    assert!(len <= 128);
    (0..len).fold(0, |number, i| number | u128::from(bit(word, offset + i)) << i)
}

/// Writes `number` to the `len` bits from `offset`, its least significant bit first; the bits must be zero before.
///
/// # Panics
/// If the bits are not all in the word.
pub fn set_number(word: &mut Word, offset: usize, len: usize, number: u128) {
    (0..len).filter(|i| number >> i & 1 != 0).for_each(|i| set_bit(word, offset + i));
}

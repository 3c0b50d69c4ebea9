//! [`Closed`]: the bytes of a board without two of its squares, and the masks for opening the gaps again.

use crate::Bytes;

/// The bytes of all squares but two, closed up: two unused bytes, the bytes of the 79 squares in order, and more unused
/// bytes.
pub type Closed = [u8; 98];

/// The low five bits: the part of a byte that is kept.
pub(crate) const KEPT: u8 = 0x1f;

/// 128 zeros, then ones.
static AFTER: [u8; 224] = {
    let mut bytes = [0; 224];
    let mut index = 128;
    while index < bytes.len() {
        bytes[index] = 0xff;
        index += 1;
    }
    bytes
};

/// All ones for the squares after a gap.
#[inline(always)]
pub(crate) fn after(gap: u8) -> &'static Bytes {
    with_gap(&AFTER, gap)
}

/// The bytes of a table aligned so that the byte of the gap is byte 127 of the table.
#[inline(always)]
pub(crate) fn with_gap(table: &'static [u8; 224], gap: u8) -> &'static Bytes {
    table[127 - usize::from(gap % 128)..].first_chunk().expect("at most 127 of 224 bytes are before")
}

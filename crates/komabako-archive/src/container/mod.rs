//! The container: members of a header, blocks, an index and a footer (`spec/archive.md` §2).

mod block;
mod column;
mod header;
mod index;
mod parser;
mod scan;

pub(crate) use block::MOST_OF_MEMBER;
pub use block::{BlockHeader, MAX_PAYLOAD, MAX_RECORDS};
pub use column::Column;
pub use header::{Header, MAX_METADATA};
pub use index::{Footer, Index, IndexEntry};
pub use parser::{Event, Parser};
pub use scan::{find_block, find_header, find_magic};

/// The bytes with which an archive starts: `KMB` among bytes that a copy in text mode damages.
pub const MAGIC: [u8; 8] = *b"\x8bKMB\r\n\x1a\n";

/// XXH3 of 64 bits, seed 0.
pub(crate) fn sum(bytes: &[u8]) -> u64 {
    twox_hash::XxHash3_64::oneshot(bytes)
}

/// Splits off the first bytes, which exist since every layout below is read from a slice of its own length.
fn split_first<const N: usize>(bytes: &mut &[u8]) -> [u8; N] {
    let (first, rest) = bytes.split_first_chunk().expect("the layout's fields add up to its length");
    *bytes = rest;
    *first
}

fn take_u32(bytes: &mut &[u8]) -> u32 {
    u32::from_le_bytes(split_first(bytes))
}

fn take_u64(bytes: &mut &[u8]) -> u64 {
    u64::from_le_bytes(split_first(bytes))
}

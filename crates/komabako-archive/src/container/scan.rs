//! Finding blocks and members without an index, by the bytes with which they start and the sums of their headers.

use super::block::SYNC;
use super::{BlockHeader, Header, MAGIC};

/// The first block whose header is whole within some bytes: its place and its header.
///
/// A task that has bytes a to b of a file decodes the blocks that start there.
pub fn find_block(bytes: &[u8]) -> Option<(usize, BlockHeader)> {
    places(bytes, SYNC).find_map(|place| {
        let header = bytes[place..].first_chunk()?;
        Some((place, BlockHeader::parse(header).ok()?))
    })
}

/// The first member whose header is whole within some bytes: its place and its header.
pub fn find_header(bytes: &[u8]) -> Option<(usize, Header)> {
    places(bytes, MAGIC).find_map(|place| {
        let bytes = &bytes[place..];
        let length = Header::FIXED + Header::length_of_rest(bytes.first_chunk()?).ok()?;
        Some((place, Header::parse(bytes.get(..length)?).ok()?))
    })
}

/// The first place within some bytes at which a member starts, whether its header is whole or not.
pub fn find_magic(bytes: &[u8]) -> Option<usize> {
    places(bytes, MAGIC).next()
}

/// The places at which a word of eight bytes stands.
fn places(bytes: &[u8], word: [u8; 8]) -> impl Iterator<Item = usize> + '_ {
    let windows = bytes.windows(word.len());
    windows.enumerate().filter(move |(_, window)| *window == word).map(|(place, _)| place)
}

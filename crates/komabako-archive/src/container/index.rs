//! [`Index`] and [`Footer`]: the end of a member, by which a record is found without reading those before it.

use alloc::vec::Vec;

use super::block::{BlockHeader, INDEX, MAX_PAYLOAD, MOST_OF_MEMBER};
use super::{split_first, sum, take_u32, take_u64};
use crate::error::Fault;

/// The place of a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IndexEntry {
    /// The offset of its header from the start of the member.
    pub offset: u64,
    /// The number of its first record in the member.
    pub first: u64,
    /// The number of its records.
    pub records: u32,
}

/// The places of a member's blocks of records, in order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Index {
    /// The blocks.
    pub blocks: Vec<IndexEntry>,
}

const ENTRY: usize = 20;

impl Index {
    /// The number of records.
    pub fn records(&self) -> u64 {
        self.blocks.last().map_or(0, |last| last.first + u64::from(last.records))
    }

    /// The block that holds a record.
    pub fn find(&self, record: u64) -> Option<&IndexEntry> {
        let after = self.blocks.partition_point(|block| block.first <= record);
        let block = self.blocks.get(after.checked_sub(1)?)?;
        (record - block.first < u64::from(block.records)).then_some(block)
    }

    /// The index as a block, which is written at `offset` in the member, and the footer after it: the end of the member.
    ///
    /// # Errors
    /// [`Fault::PayloadLength`] beyond three million blocks.
    pub fn to_end(&self, offset: u64) -> Result<Vec<u8>, Fault> {
        let mut payload = Vec::with_capacity(ENTRY * self.blocks.len());
        for block in &self.blocks {
            payload.extend_from_slice(&block.offset.to_le_bytes());
            payload.extend_from_slice(&block.first.to_le_bytes());
            payload.extend_from_slice(&block.records.to_le_bytes());
        }
        if payload.len() > MAX_PAYLOAD as usize {
            return Err(Fault::PayloadLength(payload.len().try_into().unwrap_or(u32::MAX)));
        }
        let records = self.records();
        let mut end = BlockHeader::with_payload(INDEX, 0, records, sum(&payload), &payload);
        let length = offset + (end.len() + Footer::SIZE) as u64;
        end.extend_from_slice(&Footer { length, records, index: offset }.to_bytes());
        Ok(end)
    }

    /// Reads the payload of an index.
    ///
    /// # Errors
    /// [`Fault::Index`] if the blocks are not in order or overlap.
    pub fn parse(payload: &[u8]) -> Result<Index, Fault> {
        let (entries, rest) = payload.as_chunks::<ENTRY>();
        if !rest.is_empty() {
            return Err(Fault::Index);
        }
        let mut index = Index { blocks: Vec::with_capacity(entries.len()) };
        let mut end = 0_u64;
        for entry in entries {
            let mut fields = entry.as_slice();
            let block = IndexEntry {
                offset: take_u64(&mut fields),
                first: take_u64(&mut fields),
                records: take_u32(&mut fields),
            };
            if block.offset < end || block.first != index.records() || block.records == 0 {
                return Err(Fault::Index);
            }
            end = block.offset.checked_add(BlockHeader::SIZE as u64).ok_or(Fault::Index)?;
            index.blocks.push(block);
        }
        Ok(index)
    }
}

const FOOTER_MAGIC: [u8; 8] = *b"KMBindex";

/// The end of a member.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Footer {
    /// The length of the member, header and footer included.
    pub length: u64,
    /// The number of its records.
    pub records: u64,
    /// The offset of the index from the start of the member.
    pub index: u64,
}

impl Footer {
    /// The size of a footer in bytes.
    pub const SIZE: usize = 40;

    /// The bytes of the footer.
    pub fn to_bytes(&self) -> [u8; Footer::SIZE] {
        let mut bytes = [0; Footer::SIZE];
        bytes[..8].copy_from_slice(&self.length.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.records.to_le_bytes());
        bytes[16..24].copy_from_slice(&self.index.to_le_bytes());
        bytes[24..32].copy_from_slice(&FOOTER_MAGIC);
        let own_sum = sum(&bytes[..32]);
        bytes[32..].copy_from_slice(&own_sum.to_le_bytes());
        bytes
    }

    /// Reads a footer.
    ///
    /// # Errors
    /// [`Fault::Footer`] if they are not a footer, or contradict each other.
    pub fn parse(bytes: &[u8; Footer::SIZE]) -> Result<Footer, Fault> {
        let mut fields = bytes.as_slice();
        let length = take_u64(&mut fields);
        let records = take_u64(&mut fields);
        let index = take_u64(&mut fields);
        let is_footer =
            split_first(&mut fields) == FOOTER_MAGIC && take_u64(&mut fields) == sum(&bytes[..32]);
        let end = index.checked_add((BlockHeader::SIZE + Footer::SIZE) as u64);
        if !is_footer || records > MOST_OF_MEMBER || end.is_none_or(|end| end > length) {
            return Err(Fault::Footer);
        }
        Ok(Footer { length, records, index })
    }
}

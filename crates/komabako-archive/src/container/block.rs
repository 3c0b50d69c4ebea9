//! [`BlockHeader`]: the 56 bytes before a payload.

use alloc::vec::Vec;

use super::{split_first, sum, take_u32, take_u64};
use crate::error::Fault;

/// The most records of a block.
pub const MAX_RECORDS: u32 = 1 << 20;
/// The longest payload, in bytes.
pub const MAX_PAYLOAD: u32 = 64 << 20;

/// The most records of a member: more than an index of the longest payload can list.
pub(crate) const MOST_OF_MEMBER: u64 = 1 << 42;

/// The bytes with which a block starts, by which it is found without an index.
pub(super) const SYNC: [u8; 8] = *b"\xf7kmblk\n\xc5";

/// The codec of a user's column.
pub(crate) const USER_COLUMN: u8 = 254;
/// The codec of an index.
pub(super) const INDEX: u8 = 255;

/// The header of a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BlockHeader {
    /// The number of the codec.
    pub codec: u8,
    /// The number of records, 1 to [`MAX_RECORDS`]; 0 for an index.
    pub records: u32,
    /// The number of its first record in the member.
    pub first: u64,
    /// The length of the payload, at most [`MAX_PAYLOAD`].
    pub payload: u32,
    /// XXH3 of the payload: a mismatch is damage of storage.
    pub payload_sum: u64,
    /// XXH3 of the decoded records: a mismatch is a bug or an attack.
    pub records_sum: u64,
}

impl BlockHeader {
    /// The size of a header in bytes.
    pub const SIZE: usize = 56;

    /// The header and payload of a block.
    pub(crate) fn with_payload(
        codec: u8,
        records: u32,
        first: u64,
        records_sum: u64,
        payload: &[u8],
    ) -> Vec<u8> {
        let header = BlockHeader {
            codec,
            records,
            first,
            payload: payload.len() as u32,
            payload_sum: sum(payload),
            records_sum,
        };
        let mut bytes = Vec::with_capacity(BlockHeader::SIZE + payload.len());
        bytes.extend_from_slice(&header.to_bytes());
        bytes.extend_from_slice(payload);
        bytes
    }

    /// The bytes of the header.
    pub fn to_bytes(&self) -> [u8; BlockHeader::SIZE] {
        let mut bytes = [0; BlockHeader::SIZE];
        bytes[..8].copy_from_slice(&SYNC);
        bytes[8] = self.codec;
        bytes[12..16].copy_from_slice(&self.records.to_le_bytes());
        bytes[16..24].copy_from_slice(&self.first.to_le_bytes());
        bytes[24..28].copy_from_slice(&self.payload.to_le_bytes());
        bytes[32..40].copy_from_slice(&self.payload_sum.to_le_bytes());
        bytes[40..48].copy_from_slice(&self.records_sum.to_le_bytes());
        let own_sum = sum(&bytes[..48]);
        bytes[48..].copy_from_slice(&own_sum.to_le_bytes());
        bytes
    }

    /// Reads a header and checks its limits.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn parse(bytes: &[u8; BlockHeader::SIZE]) -> Result<BlockHeader, Fault> {
        let mut fields = bytes.as_slice();
        if split_first(&mut fields) != SYNC {
            return Err(Fault::Sync);
        }
        let [codec, reserved @ ..] = split_first::<4>(&mut fields);
        let records = take_u32(&mut fields);
        let first = take_u64(&mut fields);
        let payload = take_u32(&mut fields);
        let more_reserved = take_u32(&mut fields);
        let payload_sum = take_u64(&mut fields);
        let records_sum = take_u64(&mut fields);
        if take_u64(&mut fields) != sum(&bytes[..48]) {
            return Err(Fault::BlockSum);
        }
        if reserved != [0; 3] || more_reserved != 0 {
            return Err(Fault::Reserved);
        }
        let least = u32::from(codec != INDEX);
        let most = if codec == INDEX { 0 } else { MAX_RECORDS };
        if records < least || records > most {
            return Err(Fault::RecordCount(records));
        }
        if first > MOST_OF_MEMBER {
            return Err(Fault::RecordNumber(first));
        }
        if payload > MAX_PAYLOAD {
            return Err(Fault::PayloadLength(payload));
        }
        Ok(BlockHeader { codec, records, first, payload, payload_sum, records_sum })
    }

    /// Whether the block is a member's index.
    pub const fn is_index(&self) -> bool {
        self.codec == INDEX
    }

    /// Whether the block holds records, which an index and a user's column do not.
    pub const fn holds_records(&self) -> bool {
        self.codec != INDEX && self.codec != USER_COLUMN
    }

    /// Checks a payload, before it is decoded.
    ///
    /// # Errors
    /// [`Fault::PayloadSum`].
    pub fn check_payload(&self, payload: &[u8]) -> Result<(), Fault> {
        if payload.len() != self.payload as usize || sum(payload) != self.payload_sum {
            return Err(Fault::PayloadSum);
        }
        Ok(())
    }
}

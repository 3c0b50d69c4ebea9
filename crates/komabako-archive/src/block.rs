//! Blocks of records: encoding and decoding by codec.

use alloc::vec::Vec;
use core::ops::Range;

use crate::container::{BlockHeader, MAX_RECORDS, MOST_OF_MEMBER, sum};
use crate::error::{Fault, Malformed};
use crate::{Source, columns, model};

/// How a block's records are written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Codec {
    /// As they are.
    Stored,
    /// Columns in zstd: fast.
    Columns,
    /// A model that learns as it goes: small.
    Model,
}

impl Codec {
    /// Every codec.
    pub const ALL: &[Codec] = &[Codec::Stored, Codec::Columns, Codec::Model];

    /// Its number in a block's header.
    pub const fn number(self) -> u8 {
        match self {
            Codec::Stored => 0,
            Codec::Columns => 1,
            Codec::Model => 2,
        }
    }

    /// The codec with a number.
    pub const fn from_number(number: u8) -> Option<Codec> {
        match number {
            0 => Some(Codec::Stored),
            1 => Some(Codec::Columns),
            2 => Some(Codec::Model),
            _ => None,
        }
    }

    /// Its name: `stored`, `columns` or `model`.
    pub const fn name(self) -> &'static str {
        match self {
            Codec::Stored => "stored",
            Codec::Columns => "columns",
            Codec::Model => "model",
        }
    }
}

/// How records are encoded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Encoding {
    /// The codec.
    pub codec: Codec,
    /// The level of zstd in [`Codec::Columns`], 1 to 19; at 0 columns are stored.
    pub level: i32,
    /// Whether each block is decoded again and compared. A block that differs, which would be a bug, is stored as it is.
    pub verify: bool,
}

impl Encoding {
    /// An encoding at level 3 that verifies.
    pub const fn new(codec: Codec) -> Encoding {
        Encoding { codec, level: 3, verify: true }
    }
}

/// Encodes records as a block, header and payload; `first` is the number of its first record in the member.
///
/// A block that the codec would make longer is [stored](Codec::Stored).
///
/// ```
/// use komabako_archive::{BlockHeader, Codec, Encoding, Source, decode_block, encode_block};
/// let records = [7; 80];
/// let block = encode_block(Source::Psv, &records, 0, &Encoding::new(Codec::Model));
/// let (header, payload) = block.split_first_chunk().unwrap();
/// let header = BlockHeader::parse(header)?;
/// assert_eq!(decode_block(Source::Psv, &header, payload)?, records);
/// # Ok::<(), komabako_archive::Fault>(())
/// ```
///
/// # Panics
/// Unless the bytes are 1 to [`MAX_RECORDS`] whole records, and `first` is at most 2^42: no reader takes a larger one.
pub fn encode_block(source: Source, records: &[u8], first: u64, encoding: &Encoding) -> Vec<u8> {
    let count = records.len() / source.record_size();
    assert!(records.len().is_multiple_of(source.record_size()), "a block has whole records");
    assert!((1..=MAX_RECORDS as usize).contains(&count), "a block has 1 to {MAX_RECORDS} records");
    assert!(first <= MOST_OF_MEMBER, "a member has at most {MOST_OF_MEMBER} records");
    let mut codec = encoding.codec;
    let mut payload = match codec {
        Codec::Stored => Vec::new(),
        Codec::Columns => columns::encode(source, records, encoding.level),
        Codec::Model => model::encode(source, records),
    };
    let is_faithful = codec == Codec::Stored
        || !encoding.verify
        || decode_payload(codec, source, count, &payload).is_ok_and(|decoded| decoded == records);
    debug_assert!(is_faithful, "the codec {} does not give the records back", codec.name());
    if codec != Codec::Stored && (!is_faithful || payload.len() >= records.len()) {
        codec = Codec::Stored;
    }
    if codec == Codec::Stored {
        payload = records.to_vec();
    }
    BlockHeader::with_payload(codec.number(), count as u32, first, sum(records), &payload)
}

/// Decodes the payload of a block of records, and checks the sums before and after.
///
/// # Errors
/// What is wrong with it. A codec that this version does not know is an error too: its records would be missing.
pub fn decode_block(source: Source, header: &BlockHeader, payload: &[u8]) -> Result<Vec<u8>, Fault> {
    let mut records = Vec::new();
    decode_into(source, header, payload, &mut records)?;
    Ok(records)
}

/// The same with the memory of other records, which are replaced. Returns how the records are joined.
///
/// # Errors
/// As [`decode_block`].
pub fn decode_into(
    source: Source,
    header: &BlockHeader,
    payload: &[u8],
    records: &mut Vec<u8>,
) -> Result<Joints, Fault> {
    let codec = checked_codec(header, payload)?;
    let count = header.records as usize;
    let joints = decode(codec, source, count, 0..count, payload, records)?;
    if sum(records) != header.records_sum {
        return Err(Fault::RecordsSum);
    }
    Ok(joints)
}

/// Decodes some records of a block, as far as it has them. In columns the game of the first one is played to it, so that a few records
/// take the time of decompression; a model is read from the start of the block. Only the sum of the payload is checked, unless all
/// records are decoded.
///
/// ```
/// # use komabako_archive::{BlockHeader, Codec, Encoding, Source, decode_range, encode_block};
/// let records: Vec<u8> = (0..120).collect();
/// let block = encode_block(Source::Psv, &records, 0, &Encoding::new(Codec::Stored));
/// let (header, payload) = block.split_first_chunk().unwrap();
/// let second = decode_range(Source::Psv, &BlockHeader::parse(header)?, payload, 1..2)?;
/// assert_eq!(second, records[40..80]);
/// # Ok::<(), komabako_archive::Fault>(())
/// ```
///
/// # Errors
/// As [`decode_block`].
pub fn decode_range(
    source: Source,
    header: &BlockHeader,
    payload: &[u8],
    wanted: Range<usize>,
) -> Result<Vec<u8>, Fault> {
    let count = header.records as usize;
    let end = wanted.end.min(count);
    let wanted = wanted.start.min(end)..end;
    if wanted == (0..count) {
        return decode_block(source, header, payload);
    }
    let codec = checked_codec(header, payload)?;
    if wanted.is_empty() {
        return Ok(Vec::new());
    }
    let mut records = Vec::new();
    decode(codec, source, count, wanted, payload, &mut records)?;
    Ok(records)
}

/// The codec of a payload whose sum is right.
fn checked_codec(header: &BlockHeader, payload: &[u8]) -> Result<Codec, Fault> {
    header.check_payload(payload)?;
    Codec::from_number(header.codec).ok_or(Fault::UnknownCodec(header.codec))
}

/// How the records of a block are joined to those before them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Joints {
    /// Not joined: all of the record is in the archive.
    pub loose: usize,
    /// By the move of the record before.
    pub chained: usize,
    /// By that move and one more.
    pub bridged: usize,
}

/// Decodes a payload of `count` records that has no header, and so no sums.
///
/// # Errors
/// What is wrong with it.
///
/// # Panics
/// If there are more than [`MAX_RECORDS`].
pub fn decode_payload(codec: Codec, source: Source, count: usize, payload: &[u8]) -> Result<Vec<u8>, Fault> {
    assert!(count <= MAX_RECORDS as usize, "a block has at most {MAX_RECORDS} records");
    let mut records = Vec::new();
    decode(codec, source, count, 0..count, payload, &mut records)?;
    Ok(records)
}

/// Decodes the `wanted` records of a payload of `count`, which are not too many, in place of others.
fn decode(
    codec: Codec,
    source: Source,
    count: usize,
    wanted: Range<usize>,
    payload: &[u8],
    records: &mut Vec<u8>,
) -> Result<Joints, Fault> {
    let size = source.record_size();
    records.clear();
    records.reserve_exact(wanted.len() * size);
    match codec {
        Codec::Stored if payload.len() == count * size => {
            records.extend_from_slice(&payload[wanted.start * size..wanted.end * size]);
            Ok(Joints { loose: wanted.len(), ..Joints::default() })
        }
        Codec::Stored => Err(Malformed::Length.into()),
        Codec::Columns => columns::decode(source, count, wanted, payload, records),
        Codec::Model => Ok(model::decode(source, count, wanted, payload, records)?),
    }
}

//! [`Header`]: the start of a member.

use alloc::vec::Vec;

use super::{MAGIC, sum, take_u64};
use crate::Source;
use crate::error::Fault;

/// The longest metadata, in bytes.
pub const MAX_METADATA: usize = 1 << 16;

const MAJOR: u8 = 1;
const MINOR: u8 = 0;
const ORDER_LOST: u8 = 1;

/// The start of a member: what its records are.
///
/// ```
/// use komabako_archive::{Header, Source};
/// let header = Header { metadata: r#"{"note":"a test"}"#.into(), ..Header::new(Source::Psv) };
/// let bytes = header.to_bytes()?;
/// assert_eq!(Header::parse(&bytes)?, header);
/// # Ok::<(), komabako_archive::Fault>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Header {
    /// The format of the records.
    pub source: Source,
    /// Whether the records were reordered when they were written.
    pub order_lost: bool,
    /// A JSON object for people and tools, or nothing. It is not needed to decode, so it is not examined.
    pub metadata: Vec<u8>,
}

impl Header {
    /// The byte that is the number of the [`Source`].
    pub const SOURCE: u64 = 10;

    /// The number of bytes before the metadata.
    pub const FIXED: usize = 16;

    /// A header without metadata.
    pub const fn new(source: Source) -> Header {
        Header { source, order_lost: false, metadata: Vec::new() }
    }

    /// The bytes of the header.
    ///
    /// # Errors
    /// [`Fault::MetadataLength`] above [`MAX_METADATA`].
    pub fn to_bytes(&self) -> Result<Vec<u8>, Fault> {
        if self.metadata.len() > MAX_METADATA {
            return Err(Fault::MetadataLength(self.metadata.len() as u64));
        }
        let mut bytes = Vec::with_capacity(Header::FIXED + self.metadata.len() + 8);
        bytes.extend_from_slice(&MAGIC);
        bytes.extend_from_slice(&[MAJOR, MINOR, self.source.number(), u8::from(self.order_lost)]);
        bytes.extend_from_slice(&(self.metadata.len() as u32).to_le_bytes());
        bytes.extend_from_slice(&self.metadata);
        bytes.extend_from_slice(&sum(&bytes).to_le_bytes());
        Ok(bytes)
    }

    /// The length of the rest of a header that starts with these bytes: metadata and sum.
    ///
    /// # Errors
    /// [`Fault::Magic`], or [`Fault::MetadataLength`] above [`MAX_METADATA`].
    pub fn length_of_rest(fixed: &[u8; Header::FIXED]) -> Result<usize, Fault> {
        let [magic @ .., _, _, _, _, a, b, c, d] = *fixed;
        if magic != MAGIC {
            return Err(Fault::Magic);
        }
        let length = u32::from_le_bytes([a, b, c, d]) as usize;
        if length > MAX_METADATA {
            return Err(Fault::MetadataLength(length as u64));
        }
        Ok(length + 8)
    }

    /// Reads a whole header.
    ///
    /// # Errors
    /// What is wrong with it, the length included. The sum comes first: a version or flag that is not readable was written so.
    pub fn parse(bytes: &[u8]) -> Result<Header, Fault> {
        let (fixed, rest) = bytes.split_first_chunk::<{ Header::FIXED }>().ok_or(Fault::Truncated)?;
        if Header::length_of_rest(fixed)? != rest.len() {
            return Err(Fault::Truncated);
        }
        let (content, mut stored) = bytes.split_at(bytes.len() - 8);
        if take_u64(&mut stored) != sum(content) {
            return Err(Fault::HeaderSum);
        }
        let [_, _, _, _, _, _, _, _, major, _minor, source, flags, ..] = *fixed;
        if major != MAJOR {
            return Err(Fault::MajorVersion(major));
        }
        let source = Source::from_number(source).ok_or(Fault::Source(source))?;
        if flags & !ORDER_LOST != 0 {
            return Err(Fault::Flags(flags));
        }
        let metadata = content[Header::FIXED..].to_vec();
        Ok(Header { source, order_lost: flags & ORDER_LOST != 0, metadata })
    }
}

//! [`ArchiveError`]: what is wrong with an archive, and where.

use core::fmt;

/// What is wrong with an archive, and where.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ArchiveError {
    /// The offset in the file, in bytes.
    pub offset: u64,
    /// The number of the block, from 0 over all members: the blocks before it are whole.
    pub block: u64,
    /// The number of its first record, from 0 over all members.
    pub record: u64,
    /// What is wrong.
    pub fault: Fault,
}

impl fmt::Display for ArchiveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ArchiveError { offset, block, record, fault } = self;
        write!(f, "byte {offset}, block {block} from record {record}: {fault}")
    }
}

impl core::error::Error for ArchiveError {}

/// What is wrong with an archive.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Fault {
    /// It does not start with [`MAGIC`](crate::MAGIC).
    Magic,
    /// A version that is not readable.
    MajorVersion(u8),
    /// An unknown format of records.
    Source(u8),
    /// Members hold records of different formats.
    MixedSources,
    /// Unknown flags.
    Flags(u8),
    /// Metadata longer than allowed.
    MetadataLength(u64),
    /// Metadata that is not UTF-8.
    MetadataText,
    /// The sum of a header is wrong.
    HeaderSum,
    /// No block begins where one should.
    Sync,
    /// The sum of a block's header is wrong.
    BlockSum,
    /// Reserved bytes are not 0.
    Reserved,
    /// A number of records out of range.
    RecordCount(u32),
    /// The first record of a block does not follow the block before it: blocks are missing or out of order.
    FirstRecord {
        /// The number that follows.
        expected: u64,
        /// The number in the block's header.
        found: u64,
    },
    /// A payload longer than allowed.
    PayloadLength(u32),
    /// The sum of a payload is wrong.
    PayloadSum,
    /// An index that contradicts the blocks.
    Index,
    /// A footer that contradicts the member.
    Footer,
    /// The archive ends early.
    Truncated,
    /// A codec that this version does not know.
    UnknownCodec(u8),
    /// A column in zstd, in a build without the feature `fast`.
    NoZstd,
    /// A payload that its codec cannot have written.
    Payload(Malformed),
    /// The sum of the decoded records is wrong.
    RecordsSum,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Magic => f.write_str("not the start of an archive"),
            Fault::MajorVersion(version) => {
                write!(f, "version {version} of the format; this program reads 1")
            }
            Fault::Source(number) => write!(f, "unknown format of records, number {number}"),
            Fault::MixedSources => f.write_str("members hold records of different formats"),
            Fault::Flags(flags) => write!(f, "unknown flags {flags:#04x}"),
            Fault::MetadataLength(length) => write!(f, "{length} bytes of metadata, more than 65536"),
            Fault::MetadataText => f.write_str("metadata that is not UTF-8"),
            Fault::HeaderSum => f.write_str("wrong checksum of the header"),
            Fault::Sync => f.write_str("no block begins here"),
            Fault::BlockSum => f.write_str("wrong checksum of the block's header"),
            Fault::Reserved => f.write_str("reserved bytes are not 0"),
            Fault::RecordCount(records) => write!(f, "a block of {records} records"),
            Fault::FirstRecord { expected, found } => {
                write!(f, "the block starts with record {found} of its member instead of {expected}")
            }
            Fault::PayloadLength(length) => write!(f, "a payload of {length} bytes"),
            Fault::PayloadSum => f.write_str("wrong checksum of the payload"),
            Fault::Index => f.write_str("the index contradicts the blocks"),
            Fault::Footer => f.write_str("the footer contradicts the member"),
            Fault::Truncated => f.write_str("the archive ends early"),
            Fault::UnknownCodec(codec) => write!(f, "codec {codec}, which this version does not know"),
            Fault::NoZstd => f.write_str("a column in zstd, which this build does not read"),
            Fault::Payload(malformed) => write!(f, "malformed payload: {malformed}"),
            Fault::RecordsSum => f.write_str("wrong checksum of the decoded records"),
        }
    }
}

impl core::error::Error for Fault {}

/// Why no encoder can have written a payload. Its sum is right, so this is a bug or an attack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Malformed {
    /// A length that contradicts the number of records, or another length.
    Length,
    /// Data that zstd cannot decompress, or another method than stored and zstd.
    Compression,
    /// A number that has no meaning in its place.
    Symbol,
    /// A joint with a record whose move is illegal or whose position is no game's.
    Joint,
    /// A position with more pieces than a set has, or without a king.
    Position,
    /// A score beyond 16 bits.
    Score,
    /// Code that ends early.
    Code,
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Malformed::Length => "contradictory lengths",
            Malformed::Compression => "a column that cannot be decompressed",
            Malformed::Symbol => "a number without a meaning",
            Malformed::Joint => "a record that continues no game",
            Malformed::Position => "an impossible position",
            Malformed::Score => "a score out of range",
            Malformed::Code => "code that ends early",
        })
    }
}

impl From<Malformed> for Fault {
    fn from(malformed: Malformed) -> Fault {
        Fault::Payload(malformed)
    }
}

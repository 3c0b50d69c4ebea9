//! [`ArchiveError`]: what is wrong with an archive, and where.

use core::fmt;

use komabako_messages::{Lang, Message, english, messages, say};

/// What is wrong with an archive, and where.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ArchiveError {
    /// The offset in the file, in bytes.
    pub offset: u64,
    /// The number of the block, from 0 over all members: the blocks before it are whole.
    pub block: u64,
    /// The number of its first record, from 0 over all members.
    pub record: u64,
    /// The number of records that are lost by it; 0 if none are, or it is not known.
    pub lost: u64,
    /// What is wrong.
    pub fault: Fault,
}

impl Message for ArchiveError {
    fn write(&self, lang: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ArchiveError { offset, block, record, lost, fault } = *self;
        if lost == 0 {
            return say!(
                f,
                lang,
                "byte {offset}, block {block} from record {record}: {fault}",
                "{offset} バイト目、ブロック {block} (レコード {record} から): {fault}",
                offset,
                block,
                record,
                fault
            );
        }
        say!(
            f,
            lang,
            "byte {offset}, block {block}, records {record}..{end}: {fault}",
            "{offset} バイト目、ブロック {block}、レコード {record}..{end}: {fault}",
            offset,
            block,
            record,
            end = record.saturating_add(lost),
            fault
        )
    }
}

english!(ArchiveError);

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
    /// The sum of a header is wrong.
    HeaderSum,
    /// No block and no member follows, to the end.
    NoBlock,
    /// No block begins where one should.
    Sync,
    /// The sum of a block's header is wrong.
    BlockSum,
    /// Reserved bytes are not 0.
    Reserved,
    /// A number of records out of range.
    RecordCount(u32),
    /// A number of a block's first record that no member can have.
    RecordNumber(u64),
    /// The first record of a block does not follow the block before it: blocks are missing, repeated or out of order.
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
    /// An index that is damaged or contradicts the blocks.
    Index,
    /// A footer that contradicts the member.
    Footer,
    /// A user's column that is damaged, or belongs to no block.
    Column,
    /// The archive has fewer records than the one sought.
    NoSuchRecord,
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

impl Fault {
    /// Whether nothing is damaged, but this version or build cannot read it: a newer program wrote it.
    pub const fn is_unsupported(self) -> bool {
        matches!(
            self,
            Fault::MajorVersion(_)
                | Fault::Source(_)
                | Fault::Flags(_)
                | Fault::UnknownCodec(_)
                | Fault::NoZstd
        )
    }

    /// Whether no record is lost by it: what is damaged is not needed to read the records.
    pub const fn spares_records(self) -> bool {
        matches!(
            self,
            Fault::Magic
                | Fault::MetadataLength(_)
                | Fault::HeaderSum
                | Fault::Index
                | Fault::Footer
                | Fault::Column
        )
    }

    /// Whether a whole member cannot be read for it, though nothing is damaged: it is of another kind.
    pub const fn is_of_member(self) -> bool {
        matches!(self, Fault::MajorVersion(_) | Fault::Source(_) | Fault::MixedSources | Fault::Flags(_))
    }

    /// Whether there may be more behind it that can be read: it is not the end.
    pub const fn can_be_passed(self) -> bool {
        !matches!(self, Fault::Truncated)
    }
}

messages! {
    Fault {
        Magic => "not the start of an archive", "アーカイブの始まりではない";
        MajorVersion(version) => "version {version} of the format; this program reads 1",
            "形式のバージョンが {version} (読めるのは 1)";
        Source(number) => "unknown format of records, number {number}", "不明なレコード形式 (番号 {number})";
        MixedSources => "members hold records of different formats", "メンバーによってレコードの形式が違う";
        Flags(flags) => "unknown flags {flags:#04x}", "不明なフラグ {flags:#04x}";
        MetadataLength(length) => "{length} bytes of metadata, more than 65536", "メタデータが {length} バイト (65536 まで)";
        HeaderSum => "wrong checksum of the header", "ヘッダーのチェックサムが合わない";
        NoBlock => "nothing of an archive follows", "アーカイブの続きが見つからない";
        Sync => "no block begins here", "ここからブロックが始まっていない";
        BlockSum => "wrong checksum of the block's header", "ブロックのヘッダーのチェックサムが合わない";
        Reserved => "reserved bytes are not 0", "予約領域が 0 でない";
        RecordCount(records) => "a block of {records} records", "ブロックのレコード数が {records}";
        RecordNumber(first) => "a block from record {first} of its member, more than 2^42",
            "ブロックがメンバーのレコード {first} から始まる (上限は 2^42)";
        FirstRecord { expected, found } => "the block starts with record {found} of its member instead of {expected}",
            "ブロックがメンバーのレコード {expected} でなく {found} から始まる";
        PayloadLength(length) => "a payload of {length} bytes", "データが {length} バイトもある";
        PayloadSum => "wrong checksum of the payload", "データのチェックサムが合わない";
        Index => "the index is damaged or contradicts the blocks", "索引が壊れているか、ブロックと食い違う";
        Footer => "the footer contradicts the member", "フッターとメンバーが食い違う";
        Column => "a damaged column of a user", "利用者の列が壊れている";
        NoSuchRecord => "the archive has fewer records", "アーカイブのレコードはそれより少ない";
        Truncated => "the archive ends early", "アーカイブが途中で終わっている";
        UnknownCodec(codec) => "codec {codec}, which this version does not know", "このバージョンが知らないコーデック {codec}";
        NoZstd => "a column in zstd, which this build does not read", "zstd の列があるが、このビルドでは読めない";
        Payload(malformed) => "malformed payload: {malformed}", "不正なデータ: {malformed}";
        RecordsSum => "wrong checksum of the decoded records", "展開したレコードのチェックサムが合わない";
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

messages! {
    Malformed {
        Length => "contradictory lengths", "長さが食い違う";
        Compression => "a column that cannot be decompressed", "展開できない列がある";
        Symbol => "a number without a meaning", "意味のない値がある";
        Joint => "a record that continues no game", "どの対局の続きでもないレコードがある";
        Position => "an impossible position", "ありえない局面がある";
        Score => "a score out of range", "評価値が範囲外";
        Code => "code that ends early", "符号が途中で終わっている";
    }
}

impl From<Malformed> for Fault {
    fn from(malformed: Malformed) -> Fault {
        Fault::Payload(malformed)
    }
}

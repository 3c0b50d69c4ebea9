//! [`ArchiveError`]: what is wrong with an archive, and where.

use core::fmt;

use komabako_messages::{Lang, Message, messages, say};

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

impl Message for ArchiveError {
    fn write(&self, lang: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ArchiveError { offset, block, record, fault } = self;
        say!(
            f,
            lang,
            "byte {offset}, block {block} from record {record}: {fault}",
            "バイト {offset}、レコード {record} からのブロック {block}: {fault}",
            offset,
            block,
            record,
            fault
        )
    }
}

komabako_messages::english!(ArchiveError);

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

messages! {
    Fault {
        Magic => "not the start of an archive", "書庫の先頭ではありません";
        MajorVersion(version) => "version {version} of the format; this program reads 1",
            "形式の版が {version} です。読めるのは版 1 です";
        Source(number) => "unknown format of records, number {number}", "レコードの形式 {number} は不明です";
        MixedSources => "members hold records of different formats", "メンバーごとにレコードの形式が違います";
        Flags(flags) => "unknown flags {flags:#04x}", "不明なフラグ {flags:#04x} があります";
        MetadataLength(length) => "{length} bytes of metadata, more than 65536",
            "メタデータが {length} バイトあります (65536 バイトまで)";
        MetadataText => "metadata that is not UTF-8", "メタデータが UTF-8 ではありません";
        HeaderSum => "wrong checksum of the header", "ヘッダのチェックサムが一致しません";
        Sync => "no block begins here", "ここからブロックが始まりません";
        BlockSum => "wrong checksum of the block's header", "ブロックのヘッダのチェックサムが一致しません";
        Reserved => "reserved bytes are not 0", "予約されたバイトが 0 ではありません";
        RecordCount(records) => "a block of {records} records", "ブロックのレコード数 {records} は範囲外です";
        FirstRecord { expected, found } => "the block starts with record {found} of its member instead of {expected}",
            "ブロックがメンバーのレコード {expected} ではなく {found} から始まります";
        PayloadLength(length) => "a payload of {length} bytes", "ブロックの中身の長さ {length} バイトは範囲外です";
        PayloadSum => "wrong checksum of the payload", "ブロックの中身のチェックサムが一致しません";
        Index => "the index contradicts the blocks", "索引がブロックと合いません";
        Footer => "the footer contradicts the member", "フッタがメンバーと合いません";
        Truncated => "the archive ends early", "書庫が途中で終わっています";
        UnknownCodec(codec) => "codec {codec}, which this version does not know", "この版にない符号化方式 {codec} です";
        NoZstd => "a column in zstd, which this build does not read", "zstd の列は、このビルドでは読めません";
        Payload(malformed) => "malformed payload: {malformed}", "ブロックの中身が不正です: {malformed}";
        RecordsSum => "wrong checksum of the decoded records", "復号したレコードのチェックサムが一致しません";
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
        Length => "contradictory lengths", "長さが矛盾しています";
        Compression => "a column that cannot be decompressed", "展開できない列があります";
        Symbol => "a number without a meaning", "意味のない数があります";
        Joint => "a record that continues no game", "どの対局にもつながらないレコードがあります";
        Position => "an impossible position", "ありえない局面です";
        Score => "a score out of range", "評価値が範囲外です";
        Code => "code that ends early", "符号が途中で終わっています";
    }
}

impl From<Malformed> for Fault {
    fn from(malformed: Malformed) -> Fault {
        Fault::Payload(malformed)
    }
}

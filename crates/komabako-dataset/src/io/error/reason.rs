//! [`Reason`]: the reasons for the format of a file.

use komabako_messages::messages;

use super::Evidence;
use crate::FileFormat;
use crate::io::compression::Compression;

/// A reason to read a file in a format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Reason {
    /// The format was given by the caller, and the content was not examined.
    Given(FileFormat),
    /// The file starts with the magic number of a compression.
    Compressed(Compression),
    /// The file is an archive of records in this format.
    Archive(FileFormat),
    /// An observation about the name or the decompressed content.
    Evidence(Evidence),
}

messages! {
    Reason {
        Given(format) => "read as {format}, as requested", "指定により {format} として読む";
        Compressed(compression) => "starts with the magic number of {compression}", "先頭が {compression} の識別子";
        Archive(format) => "{format}: the archive says that its records are of it",
            "{format}: アーカイブにそのレコードの形式と記されている";
        Evidence(evidence) => "{evidence}", "{evidence}";
    }
}

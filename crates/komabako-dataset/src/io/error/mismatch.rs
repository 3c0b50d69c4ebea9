//! [`Mismatch`]: the contents of an input that contradict its format.

use core::fmt;
use std::path::PathBuf;

use komabako_variants::WordFormat;

use crate::FileFormat;
use crate::Name;
use crate::io::compression::Compression;
use crate::move16::{Encodings, MoveEncoding};

/// The contents of an input, from a sample, that contradict its format.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Mismatch {
    /// The name of the input.
    pub input: Name,
    /// The input, if it is a file.
    pub path: Option<PathBuf>,
    /// The compression of the input.
    pub compression: Compression,
    /// The format that its records should have.
    pub format: FileFormat,
    /// Whether the caller named the format.
    pub is_given: bool,
    /// The number of records in the sample.
    pub sampled: u64,
    /// Its moves, if they use another encoding.
    pub moves: Option<OtherMoves>,
    /// Its positions, if they use another codec.
    pub codec: Option<OtherCodec>,
    /// Its positions, if they are in the order of older programs.
    pub order: Option<OtherOrder>,
}

/// Moves in an encoding other than the format's. Only drops and promotions count: other moves are the same in every encoding.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OtherMoves {
    /// The encoding of the format.
    pub own: MoveEncoding,
    /// The encodings needed to read the sample; one, unless the input is mixed.
    pub encodings: Encodings,
    /// The number of moves in the sample that are drops or promotions.
    pub encoding_dependent: u64,
    /// The number of those that are legal in each encoding.
    pub legal: [u64; MoveEncoding::ALL.len()],
    /// The number of those that are illegal in the format's encoding and legal in another.
    pub other: u64,
}

/// Positions in the codec of another format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OtherCodec {
    /// The codec.
    pub codec: WordFormat,
    /// The number of records that make sense only in it.
    pub records: u64,
    /// Whether other records make sense only in the format's own codec.
    pub is_mixed: bool,
}

/// Positions that are readable but not in the order that the format prescribes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct OtherOrder {
    /// PSV's variant B, YaneuraOu before 2024.
    pub variant_b: u64,
    /// PSV's variant C, rshogi.
    pub variant_c: u64,
    /// PSV with hands in any other order.
    pub other: u64,
    /// SSPFv1 with pieces off the board in another order.
    pub off_board: u64,
}

impl OtherOrder {
    /// The number of positions.
    pub const fn records(&self) -> u64 {
        self.variant_b + self.variant_c + self.other + self.off_board
    }
}

impl OtherMoves {
    /// The one encoding of all moves; `None` if the input is mixed.
    pub fn encoding(&self) -> Option<MoveEncoding> {
        let mut encodings = self.encodings.iter();
        let first = encodings.next()?;
        encodings.next().is_none().then_some(first)
    }
}

impl Mismatch {
    /// The path of a file beside the input that `repair` can write.
    pub fn repaired_path(&self) -> Option<PathBuf> {
        let path = self.path.as_ref()?;
        let mut stem = PathBuf::from(path.file_name()?);
        let is_compressed = Compression::from_path(&stem) != Compression::None;
        if is_compressed {
            stem.set_extension("");
        }
        let extension = stem.extension().and_then(|extension| extension.to_str());
        if extension.and_then(FileFormat::from_extension).is_some() {
            stem.set_extension("");
        }
        let mut name = stem.into_os_string();
        name.push(".repaired.");
        name.push(self.format.extensions().first().copied().unwrap_or("bin"));
        if is_compressed && let Some(extension) = path.extension() {
            name.push(".");
            name.push(extension);
        }
        Some(path.with_file_name(name))
    }

    /// The options with which `komabako repair` restores every record.
    pub fn repair_options(&self) -> Vec<String> {
        let mut options = Vec::new();
        if self.is_given {
            options.extend(["--from".to_owned(), self.format.name().to_owned()]);
        }
        if let Some(moves) = &self.moves {
            let encoding =
                moves.encoding().map(|encoding| encoding.letter().to_ascii_lowercase().to_string());
            options.extend(["--moves".to_owned(), encoding.unwrap_or_else(|| "mixed".to_owned())]);
        }
        options
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: the content is not valid {}:", self.input, self.format)?;
        if let Some(moves) = &self.moves {
            let OtherMoves { own, encodings, encoding_dependent, other, .. } = moves;
            write!(
                f,
                " moves are in encoding {encodings}: of {encoding_dependent} drops and promotions in {} records, {other} are not \
                 legal in {};",
                self.sampled,
                own.letter()
            )?;
        }
        if let Some(OtherCodec { codec, records, .. }) = &self.codec {
            write!(f, " {records} of {} positions are in the codec of {codec};", self.sampled)?;
        }
        if let Some(order) = &self.order {
            write!(
                f,
                " {} of {} positions are in the order of older programs;",
                order.records(),
                self.sampled
            )?;
        }
        f.write_str(" repair it first")
    }
}

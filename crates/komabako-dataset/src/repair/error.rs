//! [`RepairError`] and [`Unrepairable`]: why a file, or a record of it, cannot be repaired.

use core::fmt;

use komabako_messages::{Lang, Message, say};
use komabako_variants::WordFormat;

use super::{Votes, is_repairable};
use crate::FileFormat;
use crate::io::error::{JobError, RecordError};
use crate::move16::MoveEncoding;
use crate::validate::{Finding, OtherEncoding};

/// Why a file cannot be repaired.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RepairError {
    /// Files of this format cannot be repaired.
    #[error("{0} files cannot be repaired, only {formats}", formats = repaired())]
    Format(FileFormat),
    /// The inputs have two different formats.
    #[error("{0} and {1} cannot be repaired into one file; repair one format at a time")]
    Formats(FileFormat, FileFormat),
    /// The output's name suggests a format other than that of the inputs.
    #[error("the inputs are {from}, but the output's name suggests {to}; repair into {from}, then convert")]
    Converts {
        /// The format of the inputs.
        from: FileFormat,
        /// The format that the name suggests.
        to: FileFormat,
    },
    /// The content of an input is in a format other than the given one.
    #[error("{input}: not a {given} file; the content is {found}, read it as that")]
    OtherFormat {
        /// The name of the input.
        input: String,
        /// The format that was given.
        given: FileFormat,
        /// The format of its content.
        found: FileFormat,
    },
    /// A sample is needed to find the encoding of the moves, but this stream cannot be read twice.
    #[error("{0} cannot be read twice to sample the encoding of its moves; give a file, or the encoding")]
    Stream(String),
    /// A sample of the moves does not decide their encoding.
    #[error(
        "{input}: the sample does not determine the encoding of the moves (legal of {} drops and promotions: {}); \
         give the encoding, or have it decided for each move",
        votes.encoding_dependent(),
        legal(votes)
    )]
    Undecided {
        /// The name of the input.
        input: String,
        /// The votes of the sample.
        votes: Box<Votes>,
    },
    /// A record that cannot be repaired, in a job that does not set such records aside.
    #[error("{0}")]
    Record(Box<RecordError<Unrepairable>>),
}

/// Why a record cannot be repaired.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Unrepairable {
    /// It has this fault.
    Finding(Finding),
    /// The move is legal in several encodings with different meanings.
    AmbiguousMove(OtherEncoding),
    /// The record makes sense both in the format's own codec and in this one, and the file uses both.
    AmbiguousCodec(WordFormat),
}

impl Unrepairable {
    /// The reason's name for reports, e.g. `MOVE_AMBIGUOUS`.
    pub const fn name(&self) -> &'static str {
        match self {
            Unrepairable::Finding(finding) => finding.name(),
            Unrepairable::AmbiguousMove(_) => "MOVE_AMBIGUOUS",
            Unrepairable::AmbiguousCodec(_) => "CODEC_AMBIGUOUS",
        }
    }
}

impl JobError for RepairError {
    fn kind(&self) -> &'static str {
        match self {
            RepairError::Format(_) => "not_repaired",
            RepairError::Formats(..) => "mixed_formats",
            RepairError::Converts { .. } => "repair_converts",
            RepairError::OtherFormat { .. } => "other_format",
            RepairError::Stream(_) => "stream_not_sampled",
            RepairError::Undecided { .. } => "undecided",
            RepairError::Record(_) => "record",
        }
    }
}

impl Message for Unrepairable {
    fn write(&self, lang: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unrepairable::Finding(finding) => finding.write(lang, f),
            Unrepairable::AmbiguousMove(readings) => {
                let bits = readings.bits();
                say!(
                    f,
                    lang,
                    "move: {bits:#06x} is legal",
                    "指し手 {bits:#06x} は複数のエンコーディングで合法です: ",
                    bits
                )?;
                for (index, (encoding, mv)) in readings.moves().enumerate() {
                    if index > 0 {
                        say!(f, lang, " and", "、")?;
                    }
                    say!(f, lang, " in {encoding} ({mv})", "{encoding} ({mv})", encoding, mv)?;
                }
                Ok(())
            }
            Unrepairable::AmbiguousCodec(codec) => say!(
                f,
                lang,
                "position: it also makes sense in the codec of {codec}, and the file uses both codecs",
                "局面は {codec} としても成り立ち、ファイルには両方の符号語があります",
                codec
            ),
        }
    }
}

komabako_messages::english!(Unrepairable);

/// The number of moves that are legal in each encoding.
fn legal(votes: &Votes) -> String {
    MoveEncoding::ALL.map(|encoding| format!("{} as {}", votes.legal(encoding), encoding.letter())).join(", ")
}

/// The names of the formats that can be repaired.
fn repaired() -> String {
    let formats =
        FileFormat::ALL.iter().copied().filter(|&format| format.strict() == format && is_repairable(format));
    formats.map(FileFormat::name).collect::<Vec<_>>().join(", ")
}

impl core::error::Error for Unrepairable {}

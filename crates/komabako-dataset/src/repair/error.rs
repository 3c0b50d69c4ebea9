//! [`RepairError`] and [`Unrepairable`]: why a file, or a record of it, cannot be repaired.

use core::fmt;

use komabako_messages::{Grouped, Lang, Message, say, say_match};
use komabako_variants::WordFormat;

use super::Votes;
use crate::FileFormat;
use crate::io::error::{JobError, RecordError};
use crate::move16::MoveEncoding;
use crate::validate::{Finding, OtherEncoding};

/// Why a file cannot be repaired.
#[derive(Clone, PartialEq, Debug)]
pub enum RepairError {
    /// Files of this format cannot be repaired.
    Format(FileFormat),
    /// The inputs have two different formats.
    Formats(FileFormat, FileFormat),
    /// The output's name suggests a format other than that of the inputs.
    Converts {
        /// The format of the inputs.
        from: FileFormat,
        /// The format that the name suggests.
        to: FileFormat,
    },
    /// The content of an input is in a format other than the given one.
    OtherFormat {
        /// The name of the input.
        input: String,
        /// The format that was given.
        given: FileFormat,
        /// The format of its content.
        found: FileFormat,
    },
    /// A sample is needed to find the encoding of the moves, but this stream cannot be read twice.
    Stream(String),
    /// A sample of the moves does not decide their encoding.
    Undecided {
        /// The name of the input.
        input: String,
        /// The votes of the sample.
        votes: Box<Votes>,
    },
    /// A record that cannot be repaired, in a job that does not set such records aside.
    Record(Box<RecordError<Unrepairable>>),
}

impl Message for RepairError {
    fn write(&self, lang: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        say_match!(f, lang, self;
            RepairError::Format(format) => "{format} cannot be repaired",
                "{format} は修復の対象ではありません", format;
            RepairError::Formats(one, other) => "{one} and {other} cannot be repaired into one file",
                "{one} と {other} を 1 つのファイルには修復できません", one, other;
            RepairError::Converts { from, to } => "the inputs are {from}, but the output's name implies {to}",
                "入力は {from} ですが、出力の名前は {to} です", from, to;
            RepairError::OtherFormat { input, given, found } => "{input}: not {given}; the content is {found}",
                "{input}: {given} ではありません。内容は {found} です", input, given, found;
            RepairError::Stream(input) =>
                "{input} cannot be read twice, so the encoding of its moves cannot be detected from a sample",
                "{input} は二度読めないため、指し手のエンコーディングを標本で決められません", input;
            RepairError::Undecided { input, votes } => {
                let [a, b, c] = MoveEncoding::ALL.map(|encoding| Grouped(votes.legal(encoding)));
                say!(
                    f, lang,
                    "{input}: the sample does not decide the encoding of the moves: of {count} drops and promotions, {a} \
                     are legal as A, {b} as B, {c} as C",
                    "{input}: 指し手のエンコーディングを標本で決められません。駒打ちと成り {count} 手のうち合法なのは A で {a}、B で {b}、\
                     C で {c}",
                    input, count = Grouped(votes.encoding_dependent()), a, b, c
                )
            };
            RepairError::Record(error) => { error.write(lang, f) };
        )
    }
}

komabako_messages::english!(RepairError);

impl core::error::Error for RepairError {}

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
        say_match!(f, lang, self;
            Unrepairable::Finding(finding) => { finding.write(lang, f) };
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
            };
            Unrepairable::AmbiguousCodec(codec) =>
                "position: it also makes sense in the codec of {codec}, and the file uses both codecs",
                "局面は {codec} としても成り立ち、ファイルには両方の符号語があります", codec;
        )
    }
}

komabako_messages::english!(Unrepairable);

impl core::error::Error for Unrepairable {}

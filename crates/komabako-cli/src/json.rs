//! The forms that every `--json` shares. The names and units of members are part of the program's interface.

use std::collections::BTreeMap;

use komabako::dataset::error::{RecordError, Tail as DatasetTail};
use komabako::dataset::move16::MoveEncoding;
use komabako::dataset::repair::Unrepairable;
use komabako::dataset::sample_check::Mismatch as DatasetMismatch;
use komabako::dataset::{FileFormat, Loss as DatasetLoss};
use serde::Serialize;

use crate::command::route::End;
use crate::message::Lang;
use crate::message::mismatch::repair_words;
use crate::outcome::Report;

/// A bad record.
#[derive(Serialize)]
pub struct Sample<'a> {
    input: &'a str,
    record: u64,
    offset: u64,
    fault: &'static str,
    message: String,
}

impl<'a> Sample<'a> {
    /// The form of an error.
    pub fn of(error: &'a RecordError, lang: Lang) -> Self {
        Sample {
            input: &error.input,
            record: error.record,
            offset: error.offset,
            fault: error.fault.name(),
            message: lang.record_fault(&error.fault),
        }
    }

    /// The form of an error about a record that cannot be repaired.
    pub fn of_unrepairable(error: &'a RecordError<Unrepairable>, lang: Lang) -> Self {
        Sample {
            input: &error.input,
            record: error.record,
            offset: error.offset,
            fault: error.fault.name(),
            message: lang.unrepairable(&error.fault),
        }
    }
}

/// The end of an input that was not read.
#[derive(Serialize)]
pub struct Tail<'a> {
    input: &'a str,
    records: u64,
    offset: u64,
    length: u64,
    message: String,
}

impl<'a> Tail<'a> {
    /// The form of a tail.
    pub fn of(tail: &'a DatasetTail, lang: Lang) -> Self {
        Tail {
            input: &tail.input,
            records: tail.records,
            offset: tail.offset,
            length: tail.length,
            message: lang.tail(tail),
        }
    }
}

/// An input or an output.
#[derive(Serialize)]
pub struct File<'a> {
    name: &'a str,
    format: Option<&'static str>,
    compression: &'static str,
}

impl<'a> File<'a> {
    /// The form of an end.
    pub fn of(end: &'a End) -> Self {
        let format = end.format.map(FileFormat::name);
        File { name: &end.name, format, compression: end.compression.name() }
    }
}

/// Something that is not carried over.
#[derive(Serialize)]
pub struct Loss {
    field: &'static str,
    kind: &'static str,
    message: String,
}

impl Loss {
    /// The form of a loss.
    pub fn of(loss: &DatasetLoss, lang: Lang) -> Self {
        Loss { field: loss.field.name(), kind: loss.kind.name(), message: lang.loss(loss) }
    }
}

#[derive(Serialize)]
struct Failed<'a> {
    error: Error<'a>,
}

#[derive(Serialize)]
struct Error<'a> {
    kind: &'static str,
    message: &'a str,
    help: Option<&'a str>,
    /// What a sample showed, where that is why.
    #[serde(skip_serializing_if = "Option::is_none")]
    mismatch: Option<Mismatch<'a>>,
}

/// What a sample shows that an input is, instead of what its format says.
#[derive(Serialize)]
struct Mismatch<'a> {
    input: &'a str,
    format: &'static str,
    sampled: u64,
    moves: Option<OtherMoves>,
    codec: Option<OtherCodec>,
    order: Option<OtherOrder>,
    /// The words of the command that restores every record.
    command: Vec<String>,
}

#[derive(Serialize)]
struct OtherMoves {
    own: String,
    encodings: Vec<String>,
    telling: u64,
    other: u64,
    legal: BTreeMap<String, u64>,
}

#[derive(Serialize)]
struct OtherCodec {
    codec: String,
    records: u64,
    mixed: bool,
}

#[derive(Serialize)]
struct OtherOrder {
    records: u64,
    variant_b: u64,
    variant_c: u64,
    other: u64,
    off_board: u64,
}

impl<'a> Mismatch<'a> {
    fn of(mismatch: &'a DatasetMismatch) -> Self {
        let letter = |encoding: MoveEncoding| encoding.letter().to_string();
        Mismatch {
            input: &mismatch.input,
            format: mismatch.format.name(),
            sampled: mismatch.sampled,
            moves: mismatch.moves.map(|moves| OtherMoves {
                own: letter(moves.own),
                encodings: moves.encodings.iter().map(letter).collect(),
                telling: moves.telling,
                other: moves.other,
                legal: MoveEncoding::ALL.into_iter().map(letter).zip(moves.legal).collect(),
            }),
            codec: mismatch.codec.map(|other| OtherCodec {
                codec: other.codec.to_string(),
                records: other.records,
                mixed: other.is_mixed,
            }),
            order: mismatch.order.map(|order| OtherOrder {
                records: order.records(),
                variant_b: order.variant_b,
                variant_c: order.variant_c,
                other: order.other,
                off_board: order.off_board,
            }),
            command: repair_words(mismatch),
        }
    }
}

/// Why a job failed.
pub fn error(kind: &'static str, report: &Report, mismatch: Option<&DatasetMismatch>) -> String {
    let mismatch = mismatch.map(Mismatch::of);
    pretty(&Failed { error: Error { kind, message: &report.what, help: report.help.as_deref(), mismatch } })
}

/// JSON with line ends and indentation.
pub fn pretty(value: &impl Serialize) -> String {
    serde_json::to_string_pretty(value).expect("texts, numbers and maps of them have a form in JSON")
}

//! The forms that every `--json` shares. The names and units of members are part of the program's interface.

use komabako::dataset::error::{RecordError, Tail as DatasetTail};
use komabako::dataset::repair::Unrepairable;
use komabako::dataset::{FileFormat, Loss as DatasetLoss};
use serde::Serialize;

use crate::command::route::End;
use crate::message::Lang;
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
}

/// Why a job failed.
pub fn error(kind: &'static str, report: &Report) -> String {
    pretty(&Failed { error: Error { kind, message: &report.what, help: report.help.as_deref() } })
}

/// JSON with line ends and indentation.
pub fn pretty(value: &impl Serialize) -> String {
    serde_json::to_string_pretty(value).expect("texts, numbers and maps of them have a form in JSON")
}

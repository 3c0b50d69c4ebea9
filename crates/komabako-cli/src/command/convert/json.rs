//! The summary of `--json`. The names and units of its members are part of the program's interface.

use std::collections::BTreeMap;

use komabako::dataset::FileFormat;
use komabako::dataset::convert::Summary;
use serde::Serialize;

use super::route::{End, Route};
use crate::message::Lang;
use crate::outcome::Report;

#[derive(Serialize)]
struct Success<'a> {
    inputs: Vec<File<'a>>,
    output: File<'a>,
    read: u64,
    written: u64,
    bad_total: u64,
    bad: &'a BTreeMap<&'static str, u64>,
    samples: Vec<Sample<'a>>,
    tails: Vec<Tail<'a>>,
    losses: Vec<Loss>,
    bytes_read: u64,
    bytes_written: u64,
    seconds: f64,
}

#[derive(Serialize)]
struct File<'a> {
    name: &'a str,
    format: Option<&'static str>,
    compression: &'static str,
}

#[derive(Serialize)]
struct Sample<'a> {
    input: &'a str,
    record: u64,
    offset: u64,
    fault: &'static str,
    message: String,
}

#[derive(Serialize)]
struct Tail<'a> {
    input: &'a str,
    records: u64,
    offset: u64,
    length: u64,
    message: String,
}

#[derive(Serialize)]
struct Loss {
    field: &'static str,
    kind: &'static str,
    message: String,
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

/// What a conversion did.
pub fn summary(route: &Route, summary: &Summary, lang: Lang) -> String {
    let samples = summary.samples.iter().map(|error| Sample {
        input: &error.input,
        record: error.record,
        offset: error.offset,
        fault: error.fault.name(),
        message: lang.record_fault(&error.fault),
    });
    let tails = summary.tails.iter().map(|tail| Tail {
        input: &tail.input,
        records: tail.records,
        offset: tail.offset,
        length: tail.length,
        message: lang.tail(tail),
    });
    let losses = summary.losses.iter().map(|loss| Loss {
        field: loss.field.name(),
        kind: loss.kind.name(),
        message: lang.loss(loss),
    });
    pretty(&Success {
        inputs: route.inputs.iter().map(File::of).collect(),
        output: File::of(&route.output),
        read: summary.read,
        written: summary.written,
        bad_total: summary.bad_total(),
        bad: &summary.bad,
        samples: samples.collect(),
        tails: tails.collect(),
        losses: losses.collect(),
        bytes_read: summary.bytes_read,
        bytes_written: summary.bytes_written,
        seconds: summary.seconds,
    })
}

impl<'a> File<'a> {
    fn of(end: &'a End) -> Self {
        let format = end.format.map(FileFormat::name);
        File { name: &end.name, format, compression: end.compression.name() }
    }
}

/// Why a conversion failed.
pub fn error(kind: &'static str, report: &Report) -> String {
    pretty(&Failed { error: Error { kind, message: &report.what, help: report.help.as_deref() } })
}

fn pretty(value: &impl Serialize) -> String {
    serde_json::to_string_pretty(value).expect("texts, numbers and maps of them have a form in JSON")
}

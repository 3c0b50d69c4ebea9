//! The summary of `--json`. The names of its members are part of the program's interface.

use std::collections::BTreeMap;

use komabako::dataset::FileFormat;
use komabako::dataset::move16::MoveEncoding;
use komabako::dataset::repair::{FileSummary, Ground, Mixture, Summary, Votes};
use serde::Serialize;

use crate::json::{self, Sample, Tail};
use crate::message::Lang;

#[derive(Serialize)]
struct Success<'a> {
    inputs: Vec<Input<'a>>,
    output: &'a str,
    read: u64,
    written: u64,
    unchanged: u64,
    changed: u64,
    changes: BTreeMap<&'static str, u64>,
    rejected_total: u64,
    rejected: &'a BTreeMap<&'static str, u64>,
    samples: Vec<Sample<'a>>,
    tails: Vec<Tail<'a>>,
    bytes_read: u64,
    bytes_written: u64,
    seconds: f64,
}

#[derive(Serialize)]
struct Input<'a> {
    name: &'a str,
    format: Option<&'static str>,
    /// `A`, `B` or `C`; `null` where each is decided by itself.
    moves: Option<char>,
    mixture: Option<Mixed>,
    sample: Option<Ballot>,
}

/// How drops and promotions were read, each by itself.
#[derive(Serialize)]
struct Mixed {
    /// The encodings that are in the input, e.g. `A, C`.
    encodings: String,
    /// How many were read in which; in several where they say the same.
    read: BTreeMap<String, u64>,
    /// How many were decided by what.
    decided_by: BTreeMap<&'static str, u64>,
}

/// How many drops and promotions of a sample are legal in each encoding.
#[derive(Serialize)]
struct Ballot {
    telling: u64,
    a: u64,
    b: u64,
    c: u64,
}

/// What a repair did.
pub fn summary(summary: &Summary, output: &str, lang: Lang) -> String {
    json::pretty(&Success {
        inputs: summary.files.iter().map(Input::of).collect(),
        output,
        read: summary.read,
        written: summary.written,
        unchanged: summary.unchanged,
        changed: summary.changed(),
        changes: summary.changes.iter().map(|(change, count)| (change.name(), *count)).collect(),
        rejected_total: summary.rejected_total(),
        rejected: &summary.rejected,
        samples: summary.samples.iter().map(|error| Sample::of_unrepairable(error, lang)).collect(),
        tails: summary.tails.iter().map(|tail| Tail::of(tail, lang)).collect(),
        bytes_read: summary.bytes_read,
        bytes_written: summary.bytes_written,
        seconds: summary.seconds,
    })
}

impl<'a> Input<'a> {
    fn of(file: &'a FileSummary) -> Self {
        Input {
            name: &file.name,
            format: file.format.map(FileFormat::name),
            moves: file.encoding.map(MoveEncoding::letter),
            mixture: file.mixture.as_ref().map(Mixed::of),
            sample: file.votes.as_ref().map(Ballot::of),
        }
    }
}

impl Mixed {
    fn of(mixture: &Mixture) -> Mixed {
        let by = |ground: Ground| (ground.name(), mixture.decided_by(ground));
        Mixed {
            encodings: mixture.encodings.to_string(),
            read: mixture.read().map(|(encodings, count)| (encodings.to_string(), count)).collect(),
            decided_by: Ground::ALL.into_iter().map(by).collect(),
        }
    }
}

impl Ballot {
    fn of(votes: &Votes) -> Ballot {
        Ballot {
            telling: votes.telling(),
            a: votes.legal(MoveEncoding::YaneuraOu),
            b: votes.legal(MoveEncoding::LegacyRshogi),
            c: votes.legal(MoveEncoding::Apery),
        }
    }
}

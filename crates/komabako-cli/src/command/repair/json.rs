//! The report of `--json`.

use std::collections::BTreeMap;

use komabako::dataset::move16::MoveEncoding;
use komabako::dataset::repair::{DecidedBy, EncodingStats, FileSummary, Summary, Votes};
use komabako::dataset::{FileFormat, Name};
use serde::Serialize;

use crate::context::Context;
use crate::json::{Envelope, File};

/// The members of this command only.
#[derive(Serialize)]
pub struct CommandMembers<'a> {
    unchanged: u64,
    rewritten: u64,
    changes: BTreeMap<&'static str, u64>,
    encodings: Vec<Input<'a>>,
}

#[derive(Serialize)]
pub struct Input<'a> {
    input: &'a Name,
    /// `A`, `B` or `C`; `null` if each move is decided separately.
    encoding: Option<char>,
    mixture: Option<Mixed>,
    votes: Option<Ballot>,
}

/// The readings of drops and promotions that were decided one by one.
#[derive(Serialize)]
struct Mixed {
    /// The encodings found in the input, e.g. `A, C`.
    found: String,
    /// The number of moves read by encoding, or by several encodings where these agree.
    read_as: BTreeMap<String, u64>,
    /// The number of moves by the evidence that decided them.
    decided_by: BTreeMap<&'static str, u64>,
}

/// The numbers of a sample's drops and promotions that are legal in each encoding.
#[derive(Serialize)]
struct Ballot {
    encoding_dependent: u64,
    a: u64,
    b: u64,
    c: u64,
}

/// The report of a repair.
pub fn summary<'a>(
    summary: &'a Summary,
    output: &'a Name,
    context: &'a Context,
) -> Envelope<'a, CommandMembers<'a>> {
    let lang = context.lang;
    let file =
        |name: &'a Name, format: Option<FileFormat>| File::named(name.plain(), format.map(FileFormat::name));
    let members = CommandMembers {
        unchanged: summary.unchanged,
        rewritten: summary.changed(),
        changes: summary.changes.iter().map(|(change, count)| (change.name(), *count)).collect(),
        encodings: summary.files.iter().map(Input::new).collect(),
    };
    Envelope {
        inputs: summary.files.iter().map(|input| file(&input.name, input.format)).collect(),
        output: Some(file(output, summary.files.first().and_then(|input| input.format))),
        ..Envelope::with(members, context).with_counts(&summary.counts, lang)
    }
}

impl<'a> Input<'a> {
    fn new(file: &'a FileSummary) -> Self {
        Input {
            input: &file.name,
            encoding: file.encoding.map(MoveEncoding::letter),
            mixture: file.encoding_stats.as_ref().map(Mixed::new),
            votes: file.votes.as_ref().map(Ballot::new),
        }
    }
}

impl Mixed {
    fn new(mixture: &EncodingStats) -> Mixed {
        let by = |&evidence: &DecidedBy| (evidence.name(), mixture.decided_by(evidence));
        Mixed {
            found: mixture.encodings.to_string(),
            read_as: mixture.read().map(|(encodings, count)| (encodings.to_string(), count)).collect(),
            decided_by: DecidedBy::ALL.iter().map(by).collect(),
        }
    }
}

impl Ballot {
    fn new(votes: &Votes) -> Ballot {
        Ballot {
            encoding_dependent: votes.encoding_dependent(),
            a: votes.legal(MoveEncoding::YaneuraOu),
            b: votes.legal(MoveEncoding::LegacyRshogi),
            c: votes.legal(MoveEncoding::Apery),
        }
    }
}

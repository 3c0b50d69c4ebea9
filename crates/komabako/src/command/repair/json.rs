//! The report of `--json`.

use komabako::dataset::move16::MoveEncoding;
use komabako::dataset::repair::{DecidedBy, EncodingStats, FileSummary, Summary, Votes};

use crate::context::Context;
use crate::json::{self, Envelope, Value, object};
use crate::route::{Endpoint, Route};

/// The report of a repair.
pub fn summary(summary: &Summary, route: &Route, context: &Context) -> Envelope {
    let format = summary.files.first().and_then(|input| input.format);
    let output = Endpoint { format, ..route.output.clone() };
    let members = object! {
        unchanged: summary.unchanged,
        rewritten: summary.changed(),
        changes: json::by_name(summary.changes.iter().map(|(change, count)| (change.name(), count))),
        encodings: summary.files.iter().map(input).collect::<Vec<_>>(),
    };
    Envelope {
        inputs: route.inputs.iter().map(json::endpoint).collect(),
        output: Some(json::endpoint(&output)),
        ..Envelope::with(members, context).with_counts(&summary.counts, context.lang)
    }
}

fn input(file: &FileSummary) -> Value {
    object! {
        input: file.name,
        // `null` if each move is decided separately.
        encoding: file.encoding.map(MoveEncoding::letter),
        mixture: file.encoding_stats.as_ref().map(mixture),
        votes: file.votes.as_ref().map(ballot),
    }
}

/// The readings of drops and promotions that were decided one by one.
fn mixture(mixture: &EncodingStats) -> Value {
    let by = |&evidence: &DecidedBy| (evidence.name(), mixture.decided_by(evidence));
    object! {
        // The encodings found in the input, e.g. `A, C`.
        found: mixture.encodings.to_string(),
        // By several encodings where these agree.
        read_as: json::by_name(mixture.read().map(|(read, count)| (read.to_string(), count))),
        decided_by: json::by_name(DecidedBy::ALL.iter().map(by)),
    }
}

/// The numbers of a sample's drops and promotions that are legal in each encoding.
fn ballot(votes: &Votes) -> Value {
    object! {
        encoding_dependent: votes.encoding_dependent(),
        a: votes.legal(MoveEncoding::YaneuraOu),
        b: votes.legal(MoveEncoding::LegacyRshogi),
        c: votes.legal(MoveEncoding::Apery),
    }
}

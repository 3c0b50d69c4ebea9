//! The summary of `--json`. The names and units of its members are part of the program's interface.

use std::collections::BTreeMap;

use komabako::dataset::convert::Summary;
use serde::Serialize;

use crate::command::route::Route;
use crate::json::{self, File, Loss, Sample, Tail};
use crate::message::Lang;

#[derive(Serialize)]
struct Success<'a> {
    inputs: Vec<File<'a>>,
    output: File<'a>,
    read: u64,
    beyond: u64,
    written: u64,
    games: u64,
    bad_total: u64,
    bad: &'a BTreeMap<&'static str, u64>,
    samples: Vec<Sample<'a>>,
    tails: Vec<Tail<'a>>,
    losses: Vec<Loss>,
    bytes_read: u64,
    bytes_written: u64,
    seconds: f64,
}

/// What a conversion did.
pub fn summary(route: &Route, summary: &Summary, lang: Lang) -> String {
    json::pretty(&Success {
        inputs: route.inputs.iter().map(File::of).collect(),
        output: File::of(&route.output),
        read: summary.read,
        beyond: summary.beyond,
        written: summary.written,
        games: summary.games,
        bad_total: summary.bad_total(),
        bad: &summary.bad,
        samples: summary.samples.iter().map(|error| Sample::of(error, lang)).collect(),
        tails: summary.tails.iter().map(|tail| Tail::of(tail, lang)).collect(),
        losses: summary.losses.iter().map(|loss| Loss::of(loss, lang)).collect(),
        bytes_read: summary.bytes_read,
        bytes_written: summary.bytes_written,
        seconds: summary.seconds,
    })
}

//! What is said of a job that is done.

use std::io::{self, Write};

use anstyle::Style;
use komabako::dataset::large::{Leftover, Summary};
use serde::Serialize;

use crate::cli::Context;
use crate::command::job::{self, Ask};
use crate::command::route::Route;
use crate::json::{self, File, Loss, Sample, Tail};
use crate::message::{Lang, grouped};
use crate::style::{self, painted};
use crate::table::Table;

/// Writes what the job did, which is to `find` duplicates or not. In JSON it is told here what killed jobs have left.
pub fn write(
    route: &Route,
    summary: &Summary,
    leftovers: &[Leftover],
    find: bool,
    ask: Ask,
    context: &Context,
) -> io::Result<()> {
    let mut out = job::report_to(context, ask.to_stdout);
    if ask.json {
        writeln!(out, "{}", json::pretty(&Success::of(route, summary, leftovers, context.lang)))?;
    } else {
        writeln!(out, "{}", painted(&route.to_string(), style::HEADING))?;
        summary_table(summary, find, context.lang).write(&mut out, "  ")?;
    }
    out.flush()
}

fn summary_table(summary: &Summary, find: bool, lang: Lang) -> Table {
    let mut table = Table::default();
    let mut row = |label: String, style: Style, text: String| {
        table.styled([(label, style), (text, Style::new())]);
    };
    row(lang.read_label(), style::NAME, lang.records(grouped(summary.read)));
    if find {
        let percent = format!("{:.2}", summary.duplicates as f64 * 100.0 / summary.read.max(1) as f64);
        let duplicates = lang.share_left_out(grouped(summary.duplicates), percent);
        row(lang.duplicates_label(), style::NAME, duplicates);
    }
    let written = lang.records_and_bytes(grouped(summary.written), grouped(summary.bytes_written));
    row(lang.written_label(), style::NAME, written);
    let rate = lang.rate(summary.read as f64 / summary.seconds.max(1e-9));
    row(lang.speed_label(), style::NAME, lang.in_seconds(rate, format!("{:.3}", summary.seconds)));
    if summary.resumed {
        row(lang.resumed_label(), style::NAME, lang.resumed());
    }
    let mut label = lang.lost_label();
    for loss in &summary.losses {
        row(std::mem::take(&mut label), style::WARNING, lang.loss(loss));
    }
    if summary.bad > 0 {
        row(lang.bad_label(), style::ERROR, lang.only_count_left_out(grouped(summary.bad)));
    }
    let mut label = lang.first_label();
    for sample in &summary.samples {
        row(std::mem::take(&mut label), style::ERROR, lang.record_error(sample));
    }
    for tail in &summary.tails {
        row(lang.tail_label(), style::ERROR, lang.tail(tail));
    }
    table
}

#[derive(Serialize)]
struct Success<'a> {
    inputs: Vec<File<'a>>,
    output: File<'a>,
    read: u64,
    duplicates: u64,
    bad: u64,
    written: u64,
    samples: Vec<Sample<'a>>,
    tails: Vec<Tail<'a>>,
    losses: Vec<Loss>,
    bytes_written: u64,
    resumed: bool,
    leftovers: Vec<Left>,
    seconds: f64,
}

/// A directory that a killed job has left.
#[derive(Serialize)]
struct Left {
    path: String,
    bytes: u64,
}

impl<'a> Success<'a> {
    fn of(route: &'a Route, summary: &'a Summary, leftovers: &[Leftover], lang: Lang) -> Self {
        Success {
            inputs: route.inputs.iter().map(File::of).collect(),
            output: File::of(&route.output),
            read: summary.read,
            duplicates: summary.duplicates,
            bad: summary.bad,
            written: summary.written,
            samples: summary.samples.iter().map(|error| Sample::of(error, lang)).collect(),
            tails: summary.tails.iter().map(|tail| Tail::of(tail, lang)).collect(),
            losses: summary.losses.iter().map(|loss| Loss::of(loss, lang)).collect(),
            bytes_written: summary.bytes_written,
            resumed: summary.resumed,
            leftovers: leftovers.iter().map(Left::of).collect(),
            seconds: summary.seconds,
        }
    }
}

impl Left {
    fn of(leftover: &Leftover) -> Self {
        Left { path: leftover.path.display().to_string(), bytes: leftover.bytes }
    }
}

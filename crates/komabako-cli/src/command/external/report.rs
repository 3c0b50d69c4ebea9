//! What is said of a job that is done.

use std::io::{self, Write};

use anstyle::Style;
use komabako::dataset::large::{Leftover, Summary};
use serde::Serialize;

use crate::context::Context;
use crate::json::{self, Envelope};
use crate::message::{Lang, grouped};
use crate::route::Route;
use crate::style::{self, painted};
use crate::table::Table;

/// Writes what the job did, which is to `find` duplicates or not. JSON lists what killed jobs have left, too.
pub fn write(
    route: &Route,
    summary: &Summary,
    leftovers: &[Leftover],
    find: bool,
    context: &Context,
) -> io::Result<()> {
    if context.is_silent(summary.bad_total() > 0 || !summary.tails.is_empty()) {
        return Ok(());
    }
    let mut out = context.report_out();
    if context.report.json {
        return to_json(route, summary, leftovers, context).write(&mut out);
    }
    writeln!(out, "{}", painted(&route.to_string(), style::HEADING))?;
    summary_table(summary, find, context.lang).write(&mut out, "  ")?;
    out.flush()
}

fn summary_table(summary: &Summary, find: bool, lang: Lang) -> Table {
    let mut table = Table::default();
    let mut row = |label: String, style: Style, text: String| {
        table.styled([(label, style), (text, Style::new())]);
    };
    row(lang.read_label(), style::NAME, lang.records(summary.read));
    if find {
        let percent = format!("{:.2}", summary.duplicates as f64 * 100.0 / summary.read.max(1) as f64);
        let duplicates = lang.share_left_out(grouped(summary.duplicates), percent);
        row(lang.duplicates_label(), style::NAME, duplicates);
    }
    let written = lang.records_and_bytes(lang.records(summary.written), lang.bytes(summary.bytes_written));
    row(lang.written_label(), style::NAME, written);
    let rate = lang.rate(summary.read as f64 / summary.seconds.max(1e-9));
    row(lang.speed_label(), style::NAME, lang.in_seconds(rate, format!("{:.3}", summary.seconds)));
    if summary.resumed {
        row(lang.resumed_label(), style::NAME, lang.resumed());
    }
    let mut label = lang.lost_label();
    for lost in &summary.losses {
        row(std::mem::take(&mut label), style::WARNING, lang.lost(lost));
    }
    if summary.bad_total() > 0 {
        row(lang.bad_label(), style::ERROR, lang.only_count_left_out(grouped(summary.bad_total())));
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

/// The members of these jobs alone.
#[derive(Serialize)]
struct Own {
    duplicates: u64,
    resumed: bool,
    leftovers: Vec<Left>,
}

/// A directory that a killed job has left.
#[derive(Serialize)]
struct Left {
    path: String,
    bytes: u64,
}

fn to_json<'a>(
    route: &'a Route,
    summary: &'a Summary,
    leftovers: &[Leftover],
    context: &'a Context,
) -> Envelope<'a, Own> {
    let lang = context.lang;
    let leftovers = leftovers.iter().map(Left::of).collect();
    let own = Own { duplicates: summary.duplicates, resumed: summary.resumed, leftovers };
    Envelope {
        read: Some(summary.read),
        written: Some(summary.written),
        bytes_written: Some(summary.bytes_written),
        bad_total: summary.bad_total(),
        bad: summary.bad.iter().map(|(fault, count)| (fault.as_str(), *count)).collect(),
        samples: json::samples(&summary.samples, lang),
        tails: json::tails(&summary.tails, lang),
        losses: json::losses(&summary.losses, lang),
        seconds: Some(summary.seconds),
        ..Envelope::with(own, context).with_route(route, lang)
    }
}

impl Left {
    fn of(leftover: &Leftover) -> Self {
        Left { path: leftover.path.display().to_string(), bytes: leftover.bytes }
    }
}

//! `komabako mix IN:WEIGHT… OUT`: records of several files interleaved.

use std::io::{self, Write};
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

use anstyle::Style;
use clap::Args;
use komabako::dataset::mix::{FirstEnd, Job, Summary};
use serde::Serialize;

use super::job::{self, Needs};
use super::transfer::{Findings, Options};
use crate::context::Context;
use crate::interrupt;
use crate::json::{self, Envelope};
use crate::message::{Lang, Report, grouped};
use crate::outcome::{Failure, Outcome};
use crate::progress::Meter;
use crate::route::Route;
use crate::standard;
use crate::style::{self, painted};
use crate::table::Table;

#[derive(Args)]
pub struct Mix {
    #[arg(value_name = "IN|OUT", required = true)]
    paths: Vec<PathBuf>,
    #[arg(long, value_name = "S")]
    seed: u64,
    #[arg(long)]
    stop_at_first_end: bool,
    #[command(flatten)]
    options: Options,
}

impl Mix {
    pub fn run(self, context: &Context) -> Result<Outcome, Failure> {
        interrupt::catch();
        let Context { lang, backend, .. } = *context;
        let Mix { paths, seed, stop_at_first_end, options } = self;
        let Options { from, to, on_error, reading, salvage, force, threads, _report: _ } = options;
        let (weighted, output) = job::to_last(paths, lang)?;
        let weighted: Vec<_> =
            weighted.into_iter().map(|path| weight(path, lang)).collect::<Result<_, _>>()?;
        let (inputs, weights): (Vec<_>, Vec<_>) = weighted.into_iter().unzip();
        let inputs = job::inputs(inputs, standard::holds_content(&output), lang);
        let on_error = on_error.unwrap_or_default();
        let collected = on_error.collected().map(Path::to_owned);
        let job = Job {
            from,
            to,
            moves: reading.into(),
            first_end: if stop_at_first_end { FirstEnd::Stop } else { FirstEnd::Continue },
            on_error,
            salvage,
            threads,
            backend,
            force,
            ..Job::new(inputs.into_iter().zip(weights).collect(), job::output(output, lang), seed)
        };
        let failed = |error| job::failed(&error, context);
        let output_name = job.output.name();
        let plan = job.plan().map_err(failed)?;
        job::check_terminal(plan.to(), context)?;
        let route = Route::new(plan.inputs(), plan.to(), plan.compression(), output_name);
        if let Some(outcome) = Needs::new(plan.preflight(), route.to_string()).report(context)? {
            return Ok(outcome);
        }
        let summary = plan.run(&mut Meter::new(context)).map_err(failed)?;
        let Summary { bad, samples, tails, .. } = &summary;
        let findings = Findings { bad, samples, tails, collected: collected.as_deref() };
        if !context.is_silent(findings.any()) {
            let written = write(&route, &summary, &findings, context);
            written.map_err(|error| context.stdout_failed(&error))?;
        }
        Ok(Outcome::found(findings.any()))
    }
}

/// The path and the weight of `PATH:WEIGHT`; without a weight that is 1.
fn weight(given: PathBuf, lang: Lang) -> Result<(PathBuf, NonZeroU32), Failure> {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    match given.to_str().and_then(|text| text.rsplit_once(':')) {
        Some((path, number)) if !path.is_empty() && is_number(number) => match number.parse() {
            Ok(weight) => Ok((path.into(), weight)),
            Err(_) => {
                let report = Report::new(lang.no_weight(given.display()), lang.weight_help());
                Err(Failure::CouldNotRun(report.of_kind("weight")))
            }
        },
        _ => Ok((given, NonZeroU32::MIN)),
    }
}

fn write(route: &Route, summary: &Summary, findings: &Findings, context: &Context) -> io::Result<()> {
    let mut out = context.report_out();
    if context.report.json {
        return to_json(route, summary, context).write(&mut out);
    }
    writeln!(out, "{}", painted(&route.to_string(), style::HEADING))?;
    to_table(summary, findings, context.lang).write(&mut out, "  ")?;
    out.flush()
}

fn to_table(summary: &Summary, findings: &Findings, lang: Lang) -> Table {
    let mut table = Table::default();
    let mut row = |label: String, style: Style, text: String| {
        table.styled([(label, style), (text, Style::new())]);
    };
    let written = summary.written();
    row(
        lang.written_label(),
        style::NAME,
        lang.records_and_bytes(lang.records(written), lang.bytes(summary.bytes_written)),
    );
    let mut label = lang.shares_label();
    for share in &summary.shares {
        let percent = format!("{:.1}", 100.0 * share.written as f64 / written.max(1) as f64);
        let text = match share.ended_at {
            Some(place) if place < written => lang.mixed_share_that_ended(
                &share.input,
                lang.records(share.written),
                percent,
                grouped(place),
            ),
            _ => lang.mixed_share(&share.input, lang.records(share.written), percent),
        };
        row(std::mem::take(&mut label), style::NAME, text);
    }
    let rate = written as f64 / summary.seconds.max(1e-9);
    row(lang.speed_label(), style::NAME, lang.in_seconds(lang.rate(rate), format!("{:.3}", summary.seconds)));
    let mut label = lang.lost_label();
    for lost in &summary.losses {
        row(std::mem::take(&mut label), style::WARNING, lang.lost(lost));
    }
    findings.add_to(&mut table, lang);
    table
}

/// The members of this command alone.
#[derive(Serialize)]
struct Own<'a> {
    shares: Vec<Share<'a>>,
}

#[derive(Serialize)]
struct Share<'a> {
    input: &'a str,
    weight: u32,
    written: u64,
    ended_at: Option<u64>,
}

fn to_json<'a>(route: &'a Route, summary: &'a Summary, context: &'a Context) -> Envelope<'a, Own<'a>> {
    let lang = context.lang;
    let share = |share: &'a komabako::dataset::mix::Share| Share {
        input: json::plain_name(&share.input, lang),
        weight: share.weight,
        written: share.written,
        ended_at: share.ended_at,
    };
    Envelope {
        read: Some(summary.written() + summary.bad_total()),
        written: Some(summary.written()),
        bytes_read: Some(summary.bytes_read),
        bytes_written: Some(summary.bytes_written),
        bad_total: summary.bad_total(),
        bad: summary.bad.clone(),
        samples: json::samples(&summary.samples, lang),
        tails: json::tails(&summary.tails, lang),
        losses: json::losses(&summary.losses, lang),
        seconds: Some(summary.seconds),
        ..Envelope::with(Own { shares: summary.shares.iter().map(share).collect() }, context)
            .with_route(route, lang)
    }
}

//! `komabako split IN… --into NAME…`: files of records cut into several.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};

use anstyle::Style;
use clap::{ArgGroup, Args};
use komabako::dataset::convert::OnError;
use komabako::dataset::split::{Job, Names, Rule, Summary};
use serde::Serialize;

use super::job::{Ask, Needs};
use super::transfer::{Findings, Options};
use super::{job, size};
use crate::cli::Context;
use crate::interrupt;
use crate::json::{self, Sample, Tail};
use crate::message::{Lang, Wanted, grouped};
use crate::outcome::{Failure, Outcome};
use crate::progress::Meter;
use crate::style;
use crate::table::Table;

#[derive(Args)]
#[command(group = ArgGroup::new("rule").required(true))]
pub struct Split {
    #[arg(value_name = "IN", required = true)]
    inputs: Vec<PathBuf>,
    #[arg(long, value_name = "NAME", required = true)]
    into: Vec<PathBuf>,
    #[arg(short = 'n', long, value_name = "N", group = "rule")]
    records: Option<NonZeroU64>,
    #[arg(long, value_name = "SIZE", group = "rule", value_parser = part_size)]
    bytes: Option<NonZeroU64>,
    #[arg(long, value_name = "N", group = "rule")]
    parts: Option<NonZeroU64>,
    #[arg(long, value_name = "A:B:…", group = "rule", value_parser = ratio)]
    ratio: Option<Weights>,
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    #[arg(long)]
    by_game: bool,
    #[command(flatten)]
    options: Options,
}

/// The weights of a ratio.
#[derive(Clone)]
struct Weights(Vec<u64>);

/// Reads `98:1:1`.
fn ratio(value: &str) -> Result<Weights, Wanted> {
    let weights: Option<_> = value.split(':').map(|weight| weight.parse().ok()).collect();
    weights.map(Weights).ok_or_else(|| Wanted::like("98:1:1"))
}

/// Reads the size of a part in bytes.
fn part_size(value: &str) -> Result<NonZeroU64, Wanted> {
    NonZeroU64::new(size::parse(value)?).ok_or_else(|| Wanted::like("512M, 1G, 1.5G"))
}

impl Split {
    pub fn run(self, context: &Context) -> Result<Outcome, Failure> {
        interrupt::catch();
        let lang = context.lang;
        let ask = Ask { dry_run: self.options.dry_run, json: self.options.json, to_stdout: false };
        let collected = self.options.on_error.as_ref().and_then(OnError::collected).map(Path::to_owned);
        let failed = |error| job::failed(&error, ask, context);
        let heading = job::names(&self.inputs);
        let plan = self.job(context).plan().map_err(failed)?;
        if let Some(outcome) = Needs::new(plan.preflight(), heading).tell(ask, context)? {
            return Ok(outcome);
        }
        let summary = plan.run(&mut Meter::new(context)).map_err(failed)?;
        let findings = Findings {
            bad: &summary.bad,
            samples: &summary.samples,
            tails: &summary.tails,
            collected: collected.as_deref(),
        };
        let mut out = job::report_to(context, false);
        let told = if ask.json {
            writeln!(out, "{}", to_json(&summary, lang))
        } else {
            write(&summary, &findings, &mut out, lang)
        };
        told.and_then(|()| out.flush()).map_err(|error| context.stdout_failed(&error))?;
        Ok(Outcome::found(findings.any()))
    }

    fn job(self, context: &Context) -> Job<'static> {
        let Context { lang, backend, .. } = *context;
        let Options { from, to, on_error, reading, salvage, force, threads, dry_run: _, json: _ } =
            self.options;
        let names = match <[PathBuf; 1]>::try_from(self.into) {
            Ok([pattern]) if pattern.to_string_lossy().contains("{}") => Names::Pattern(pattern),
            Ok(one) => Names::Each(one.into()),
            Err(each) => Names::Each(each),
        };
        let rule = match (self.records, self.bytes, self.parts, self.ratio) {
            (Some(records), ..) => Rule::Records(records),
            (_, Some(bytes), ..) => Rule::Bytes(bytes),
            (_, _, Some(parts), _) => Rule::Parts(parts),
            (.., weights) => {
                Rule::Ratio { weights: weights.map_or_else(Vec::new, |weights| weights.0), seed: self.seed }
            }
        };
        let inputs = job::inputs(self.inputs, force, lang);
        Job {
            from,
            to,
            moves: reading.into(),
            by_game: self.by_game,
            on_error: on_error.unwrap_or_default(),
            salvage,
            threads,
            backend,
            force,
            ..Job::new(inputs, rule, names)
        }
    }
}

fn write(summary: &Summary, findings: &Findings, out: &mut impl Write, lang: Lang) -> io::Result<()> {
    let mut parts = Table::default();
    for part in &summary.parts {
        let amount = lang.records_and_bytes(grouped(part.records), grouped(part.bytes));
        parts.styled([(part.name.clone(), style::NAME), (amount, Style::new())]);
    }
    parts.write(out, "")?;
    let mut table = Table::default();
    if let Some(games) = summary.games {
        table.styled([(lang.games_label(), style::NAME), (grouped(games), Style::new())]);
    }
    findings.add_to(&mut table, lang);
    table.write(out, "  ")
}

#[derive(Serialize)]
struct Success<'a> {
    read: u64,
    parts: Vec<Part<'a>>,
    games: Option<u64>,
    bad: &'a BTreeMap<&'static str, u64>,
    samples: Vec<Sample<'a>>,
    tails: Vec<Tail<'a>>,
    seconds: f64,
}

#[derive(Serialize)]
struct Part<'a> {
    name: &'a str,
    records: u64,
    bytes: u64,
}

fn to_json(summary: &Summary, lang: Lang) -> String {
    let parts = summary.parts.iter();
    json::pretty(&Success {
        read: summary.read,
        parts: parts
            .map(|part| Part { name: &part.name, records: part.records, bytes: part.bytes })
            .collect(),
        games: summary.games,
        bad: &summary.bad,
        samples: summary.samples.iter().map(|error| Sample::of(error, lang)).collect(),
        tails: summary.tails.iter().map(|tail| Tail::of(tail, lang)).collect(),
        seconds: summary.seconds,
    })
}

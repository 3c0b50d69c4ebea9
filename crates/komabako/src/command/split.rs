//! `komabako split IN… --into NAME…`: files of records split into several.

use std::io::{self, Write};
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};

use clap::{ArgGroup, Args};
use komabako::dataset::split::{Job, Names, Part, Rule, Summary};
use komabako::dataset::{Compression, FileFormat, Name};

use super::job::{self, Needs, add_amount, add_findings, add_losses, has_findings};
use super::size;
use super::transfer::Options;
use crate::context::Context;
use crate::json::{self, Envelope, object};
use crate::message::{Lang, Wanted, grouped};
use crate::outcome::{Failure, Outcome};
use crate::progress::Meter;
use crate::route::{Route, file};
use crate::style;
use crate::table::Table;

#[derive(Args)]
#[command(group = ArgGroup::new("rule").required(true))]
pub struct Split {
    #[arg(value_name = "IN", required = true)]
    inputs: Vec<PathBuf>,
    #[arg(long, value_name = "NAME", required = true, value_parser = file())]
    into: Vec<PathBuf>,
    #[arg(short = 'n', long, value_name = "N", group = "rule")]
    records: Option<NonZeroU64>,
    #[arg(long, value_name = "SIZE", group = "rule", value_parser = part_size)]
    bytes: Option<NonZeroU64>,
    #[arg(long, value_name = "N", group = "rule")]
    parts: Option<NonZeroU64>,
    #[arg(long, value_name = "A:B:…", group = "rule", value_parser = ratio)]
    ratio: Option<Weights>,
    #[arg(long, value_name = "S", default_value_t = 0, allow_negative_numbers = true)]
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
        let heading = job::names(&self.inputs, context.lang);
        let plan = |_: &mut Meter| self.job(context).plan();
        let (route, summary) = job::run(context, Name::default(), plan, |_, _| Needs::new(heading))?;
        let report = to_json(&route, &summary, context);
        context
            .report(has_findings(&summary.counts), report, |out| write(&summary, &route, out, context.lang))
    }

    fn job(self, context: &Context) -> Job<'static> {
        let Context { lang, backend, .. } = *context;
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
        let inputs = job::inputs(self.inputs, self.options.common.force, lang);
        Job {
            to: self.options.to,
            options: self.options.any_job(backend),
            by_game: self.by_game,
            on_bad_record: self.options.on_error.unwrap_or_default(),
            ..Job::new(inputs, rule, names)
        }
    }
}

fn write(summary: &Summary, route: &Route, out: &mut dyn Write, lang: Lang) -> io::Result<()> {
    let mut parts = Table::default();
    for part in &summary.parts {
        add_amount(part.name.clone(), part.records, part.bytes, &mut parts, lang);
    }
    parts.write(out, "")?;
    let mut table = Table::default();
    if let Some(games) = summary.games {
        table.row(lang.games_label(), style::NAME, grouped(games));
    }
    add_losses(&summary.losses, &mut table, lang);
    add_findings(&summary.counts, route.rejects.as_deref(), &mut table, lang);
    table.write(out, "  ")
}

fn to_json(route: &Route, summary: &Summary, context: &Context) -> Envelope {
    let format = route.output.format.map(FileFormat::name);
    let file = |part: &Part| {
        let compression = Compression::from_path(Path::new(&part.name));
        json::file(&part.name, format, Some(compression.name()))
    };
    let part = |part: &Part| object! { name: part.name, records: part.records, bytes: part.bytes };
    let parts = summary.parts.iter().map(part);
    let members = object! { parts: parts.collect::<Vec<_>>(), games: summary.games };
    Envelope {
        output: None,
        outputs: summary.parts.iter().map(file).collect(),
        ..Envelope::of_job(members, route, &summary.counts, &summary.losses, context)
    }
}

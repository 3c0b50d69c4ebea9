//! `komabako merge-scores IN… SCORES OUT` and `komabako extract-scores IN… OUT`.

use std::fmt;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use komabako::dataset::convert::PositionScores;
use komabako::dataset::scores::{Column, Extraction, Summary};
use komabako::dataset::{Compression, FileFormat, JobOptions};
use serde::Serialize;

use super::job::{Findings, Needs};
use super::transfer::{Options, Transfer};
use super::{file_format, job, size};
use crate::context::{Context, ReportArgs};
use crate::interrupt;
use crate::json::{self, Envelope, File};
use crate::message::{Lang, Report};
use crate::outcome::{Failure, Outcome};
use crate::progress::Meter;
use crate::route::Endpoint;
use crate::standard;
use crate::style::{self, Style, painted};
use crate::table::Table;

#[derive(Args)]
pub struct MergeScores {
    #[arg(value_name = "IN|OUT", required = true)]
    paths: Vec<PathBuf>,
    #[arg(long, value_name = "WHAT", default_value = "number")]
    by: By,
    #[arg(long, value_name = "SIZE", value_parser = size::parse)]
    max_memory: Option<u64>,
    #[command(flatten)]
    options: Options,
}

/// The key that joins a score to its record.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum By {
    Number,
    Position,
}

impl MergeScores {
    pub fn run(self, context: &Context) -> Result<Outcome, Failure> {
        let MergeScores { paths, by, max_memory, options } = self;
        let lang = context.lang;
        let [inputs @ .., column, output] = &paths[..] else {
            return Err(missing(lang));
        };
        if inputs.is_empty() {
            return Err(missing(lang));
        }
        let mut transfer = Transfer::new(inputs.to_vec(), output.clone(), options);
        let column = column.clone();
        interrupt::catch();
        if by == By::Position {
            let threads = transfer.options.threads;
            let input = job::input(column, lang);
            let meter = &mut Meter::new(context);
            let known = PositionScores::read(input, None, max_memory, threads, context.backend, meter);
            transfer.by_position = Some(known.map_err(|error| job::failed_beside(&error, context))?);
            return transfer.run(context);
        }
        let column = Column::open(job::input(column, lang));
        transfer.scores = Some(column.map_err(|error| job::failed_beside(&error, context))?);
        transfer.run(context)
    }
}

fn missing(lang: Lang) -> Failure {
    Failure::CouldNotRun(
        Report::new(lang.column_missing(), lang.column_missing_help()).of_kind("output_missing"),
    )
}

#[derive(Args)]
pub struct ExtractScores {
    #[arg(value_name = "IN|OUT", required = true)]
    paths: Vec<PathBuf>,
    #[arg(long, value_name = "FORMAT", value_parser = file_format::parser())]
    from: Option<FileFormat>,
    #[arg(long)]
    salvage: bool,
    #[arg(long, short)]
    force: bool,
    #[arg(long, value_name = "N", default_value_t = 0)]
    threads: usize,
    #[command(flatten)]
    _report: ReportArgs,
}

impl ExtractScores {
    pub fn run(self, context: &Context) -> Result<Outcome, Failure> {
        let lang = context.lang;
        let (inputs, output) = job::inputs_and_output(self.paths, lang)?;
        interrupt::catch();
        if context.report.to_stdout && io::stdout().is_terminal() {
            let report =
                Report::new(lang.binary_to_terminal("i16"), lang.redirect_help()).of_kind("terminal");
            return Err(Failure::CouldNotRun(report));
        }
        let heading = format!("{} -> {}", job::names(&inputs), output.display());
        let inputs = job::inputs(inputs, standard::holds_content(&output), lang);
        let extraction = Extraction {
            options: JobOptions {
                from: self.from,
                salvage: self.salvage,
                threads: self.threads,
                backend: context.backend,
                force: self.force,
                ..JobOptions::default()
            },
            ..Extraction::new(inputs, job::output(output, lang))
        };
        let failed = |error| job::failed(&error, context);
        let output_name = extraction.output.name();
        let plan = extraction.plan().map_err(failed)?;
        let route = ExtractionRoute {
            inputs: Endpoint::inputs_of(plan.inputs()),
            compression: plan.compression(),
            output_name,
        };
        if let Some(outcome) = Needs::new(plan.preflight(), heading).report(context)? {
            return Ok(outcome);
        }
        let summary = plan.run(&mut Meter::new(context)).map_err(failed)?;
        if context.is_silent(!summary.counts.tails.is_empty()) {
            return Ok(Outcome::Clean);
        }
        let mut out = context.report_out();
        let written = if context.report.json {
            to_json(&route, &summary, context).write(&mut out)
        } else {
            writeln!(out, "{}", painted(&route.to_string(), style::HEADING))
                .and_then(|()| to_table(&summary, lang).write(&mut out, "  "))
                .and_then(|()| out.flush())
        };
        written.map_err(|error| context.stdout_failed(&error))?;
        Ok(Outcome::from_findings(!summary.counts.tails.is_empty()))
    }
}

/// The records and the column of their scores.
struct ExtractionRoute {
    inputs: Vec<Endpoint>,
    output_name: String,
    compression: Compression,
}

impl fmt::Display for ExtractionRoute {
    /// `a.psv (psv) + b.psv (psv) -> scores.i16`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inputs: Vec<String> = self.inputs.iter().map(ToString::to_string).collect();
        write!(f, "{} -> {}", inputs.join(" + "), self.output_name)
    }
}

fn to_table(summary: &Summary, lang: Lang) -> Table {
    let mut table = Table::default();
    let scores = summary.counts.written;
    let amount = lang.records_and_bytes(lang.scores(scores), lang.bytes(2 * scores));
    table.push_row([(lang.written_label(), style::NAME), (amount, Style::new())]);
    if summary.unknown > 0 {
        let unknown = lang.unknown_scores(lang.records(summary.unknown));
        table.push_row([(String::new(), style::WARNING), (unknown, Style::new())]);
    }
    Findings::new(&summary.counts).add_to(&mut table, lang);
    table
}

/// The members of this command only.
#[derive(Serialize)]
struct CommandMembers {
    /// Records without a score.
    unknown_scores: u64,
}

fn to_json<'a>(
    route: &'a ExtractionRoute,
    summary: &'a Summary,
    context: &'a Context,
) -> Envelope<'a, CommandMembers> {
    let lang = context.lang;
    let members = CommandMembers { unknown_scores: summary.unknown };
    let name = json::plain_name(&route.output_name, lang);
    Envelope {
        inputs: route.inputs.iter().map(|end| File::new(end, lang)).collect(),
        output: Some(File { name, format: None, compression: Some(route.compression.name()) }),
        ..Envelope::with(members, context).with_counts(&summary.counts, lang)
    }
}

//! `komabako merge-scores IN… SCORES OUT` and `komabako extract-scores IN… OUT`.

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use komabako::dataset::convert::PositionScores;
use komabako::dataset::scores::{Column, Extraction, Summary};
use komabako::dataset::{FileFormat, JobOptions};
use serde::Serialize;

use super::job::Needs;
use super::transfer::{Options, Transfer};
use super::{file_format, job, size};
use crate::context::{Context, ReportArgs};
use crate::interrupt;
use crate::json::Envelope;
use crate::message::{Lang, Report};
use crate::outcome::{Failure, Outcome};
use crate::progress::Meter;
use crate::standard;

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

/// What joins a score to its record.
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
            let (threads, input) = (transfer.options.threads, job::input(column, lang));
            let meter = &mut Meter::new(context);
            let known = PositionScores::read(input, None, max_memory, threads, context.backend, meter);
            transfer.by_position = Some(known.map_err(|error| transfer.failed(&error, context))?);
            return transfer.run(context);
        }
        let column = Column::open(job::input(column, lang));
        transfer.scores = Some(column.map_err(|error| transfer.failed(&error, context))?);
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
        let (inputs, output) = job::to_last(self.paths, lang)?;
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
        let plan = extraction.plan().map_err(failed)?;
        if let Some(outcome) = Needs::new(plan.preflight(), heading).report(context)? {
            return Ok(outcome);
        }
        let summary = plan.run(&mut Meter::new(context)).map_err(failed)?;
        if context.is_silent(!summary.counts.tails.is_empty()) {
            return Ok(Outcome::Clean);
        }
        let mut out = context.report_out();
        let written = match context.report.json {
            true => to_json(&summary, context).write(&mut out),
            false => writeln!(out, "{}", to_text(&summary, lang)).and_then(|()| out.flush()),
        };
        written.map_err(|error| context.stdout_failed(&error))?;
        Ok(Outcome::found(!summary.counts.tails.is_empty()))
    }
}

fn to_text(summary: &Summary, lang: Lang) -> String {
    let tails = summary.counts.tails.iter().map(|tail| format!("\n{}", lang.tail(tail)));
    let unknown = Some(summary.unknown).filter(|&unknown| unknown > 0);
    let unknown = unknown.map(|unknown| format!("\n{}", lang.unknown_scores(lang.records(unknown))));
    lang.scores(summary.counts.written) + &unknown.into_iter().chain(tails).collect::<String>()
}

/// The members of this command alone.
#[derive(Serialize)]
struct Own {
    /// Records without a score.
    unknown: u64,
}

fn to_json<'a>(summary: &'a Summary, context: &'a Context) -> Envelope<'a, Own> {
    let own = Own { unknown: summary.unknown };
    Envelope::with(own, context).with_counts(&summary.counts, context.lang)
}

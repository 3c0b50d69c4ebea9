//! `komabako merge-scores IN… SCORES OUT` and `komabako extract-scores IN… OUT`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use komabako::dataset::convert::{Job, PositionScores, ScoreChange};
use komabako::dataset::scores::{Column, Extraction};
use komabako::dataset::{FileFormat, JobOptions, MoveReading};

use super::job::{CommonArgs, Needs};
use super::named::file_format;
use super::transfer::{self, Options};
use super::{job, size};
use crate::context::Context;
use crate::interrupt;
use crate::json::object;
use crate::message::Lang;
use crate::outcome::{Failure, Outcome};
use crate::progress::Meter;
use crate::standard;
use crate::style;
use crate::table::Table;

#[derive(Args)]
pub struct MergeScores {
    #[arg(value_name = "IN|SCORES|OUT", required = true)]
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
        let job = options.job(inputs.to_vec(), output.clone(), context);
        let column = job::input(column.clone(), lang);
        interrupt::catch();
        let scores = match by {
            By::Number => Column::open(column).map(ScoreChange::Column),
            By::Position => {
                let JobOptions { threads, backend, .. } = job.options;
                let meter = &mut Meter::new(context);
                PositionScores::read(column, None, max_memory, threads, backend, meter)
                    .map(ScoreChange::ByPosition)
            }
        };
        let scores = scores.map_err(|error| Failure::beside_inputs(&error, context))?;
        transfer::run(Job { scores, ..job }, false, context)
    }
}

fn missing(lang: Lang) -> Failure {
    Failure::CouldNotRun(lang.column_missing())
}

#[derive(Args)]
pub struct ExtractScores {
    #[arg(value_name = "IN|OUT", required = true)]
    paths: Vec<PathBuf>,
    #[arg(long, value_name = "FORMAT", value_parser = file_format())]
    from: Option<FileFormat>,
    #[command(flatten)]
    common: CommonArgs,
}

impl ExtractScores {
    pub fn run(self, context: &Context) -> Result<Outcome, Failure> {
        let lang = context.lang;
        let (inputs, output) = job::inputs_and_output(self.paths, lang)?;
        let refused = lang.binary_to_terminal("i16");
        job::check_terminal(context.report.to_stdout, refused, lang.redirect_help())?;
        let heading = format!("{} -> {}", job::names(&inputs, lang), job::name(&output, lang.stdout()));
        let inputs = job::inputs(inputs, standard::holds_content(&output), lang);
        let extraction = Extraction {
            options: self.common.job(self.from, MoveReading::default(), context.backend),
            ..Extraction::new(inputs, job::output(output, lang))
        };
        let output = extraction.output.name();
        let (route, summary) = job::run(context, output, |_| extraction.plan(), |_, _| Needs::new(heading))?;
        let mut table = Table::default();
        let scores = summary.counts.written;
        let amount = lang.records_and_bytes(lang.scores(scores), lang.bytes(summary.counts.bytes_written));
        table.row(lang.written_label(), style::NAME, amount);
        table.note(summary.unknown, String::new(), lang.unknown_scores(lang.records(summary.unknown)));
        job::report(&route, &summary.counts, &[], object! { unknown_scores: summary.unknown }, table, context)
    }
}

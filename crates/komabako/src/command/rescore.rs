//! `komabako rescore IN… OUT --engine PROGRAM --go LIMIT`: scores and moves of an engine.

use std::cell::Cell;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{ArgGroup, Args, ValueEnum, value_parser};
use komabako::dataset::convert;
use komabako::dataset::rescore::{EngineCommand, Job, Replace, RescoreError, Scored, Summary};
use komabako::dataset::{DatasetError, Plan};

use super::job::{self, Needs, add_amount, add_findings_of_column, add_speed, has_findings};
use super::transfer::Options;
use crate::context::Context;
use crate::interrupt;
use crate::json::{Envelope, object};
use crate::message::{Lang, Wanted, grouped};
use crate::outcome::{Failure, Outcome};
use crate::route::Route;
use crate::style;
use crate::table::Table;

#[derive(Args)]
#[command(group = ArgGroup::new("replaced"))]
// It is refused, with the command that repairs the inputs first.
#[command(mut_arg("repair", |repair| repair.hide(true)))]
pub struct Rescore {
    #[arg(value_name = "IN|OUT", required = true)]
    paths: Vec<PathBuf>,
    #[arg(long, value_name = "PROGRAM")]
    engine: PathBuf,
    #[arg(long = "engine-arg", value_name = "ARG", allow_hyphen_values = true)]
    engine_args: Vec<OsString>,
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = engine_option)]
    engine_options: Vec<(String, String)>,
    #[arg(long, value_name = "LIMIT")]
    go: String,
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = value_parser!(u16).range(1..))]
    engines: u16,
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = value_parser!(u64).range(1..=86_400))]
    timeout: u64,
    #[arg(long, value_name = "WHEN", default_value = "once")]
    new_game: NewGame,
    #[arg(long, group = "replaced")]
    score: bool,
    #[arg(long = "move", group = "replaced")]
    best_move: bool,
    #[arg(long, group = "replaced")]
    both: bool,
    #[arg(long, value_name = "FILE", conflicts_with_all = ["best_move", "both"])]
    column: Option<PathBuf>,
    #[arg(long)]
    resume: bool,
    #[command(flatten)]
    options: Options,
}

/// When a new game begins for the engine.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum NewGame {
    Once,
    Each,
}

/// Reads `NAME=VALUE`; a name may have spaces, a value may be empty.
fn engine_option(text: &str) -> Result<(String, String), Wanted> {
    let parts =
        text.split_once('=').filter(|(name, _)| !name.trim().is_empty() && !text.contains(['\n', '\r']));
    let (name, value) = parts.ok_or_else(|| Wanted::one_of("NAME=VALUE (Threads=1)"))?;
    Ok((name.trim().to_owned(), value.to_owned()))
}

impl Rescore {
    pub fn run(self, context: &Context) -> Result<Outcome, Failure> {
        let is_column = self.column.is_some();
        let (inputs, output) = match self.column {
            Some(column) => (self.paths, column),
            None => job::inputs_and_output(self.paths, context.lang)?,
        };
        let engine = EngineCommand {
            program: self.engine,
            arguments: self.engine_args,
            options: self.engine_options,
            go: self.go,
            timeout: Duration::from_secs(self.timeout),
            new_game_each: self.new_game == NewGame::Each,
        };
        let replace = match (self.best_move, self.both) {
            (true, _) => Replace::Move,
            (_, true) => Replace::Both,
            _ => Replace::Score,
        };
        let conversion = self.options.job(inputs, output, context);
        let output = conversion.output.name();
        let job = Job {
            engines: self.engines.into(),
            replace,
            as_column: is_column,
            resume: self.resume,
            ..Job::new(conversion, engine)
        };
        let answers_file = job.answers_file();
        // Until the job is planned, answers there are another run's.
        let is_planned = Cell::new(false);
        let needs = |_: &Plan<'_, Job<'_>>, route: &Route| {
            is_planned.set(true);
            Needs::new(route)
        };
        let (route, summary) =
            job::run(context, output, |_| job.plan(), needs).map_err(|failure| match failure {
                Failure::Dataset(error) if is_planned.get() => {
                    failed(*error, answers_file.as_deref(), context)
                }
                failure => failure,
            })?;
        let Scored { exact, clamped, mates, bounds, not_asked, without_move, failed, .. } = summary.scored;
        let answers = object! {
            exact: exact, clamped: clamped, mates: mates, bounds: bounds, not_asked: not_asked,
            without_move: without_move, failed: failed, earlier: summary.earlier
        };
        let members = object! { answers: answers, restarts: summary.restarts };
        let convert::Summary { counts, losses, .. } = &summary.conversion;
        let mut table = to_table(&summary, replace, context.lang);
        if !is_column {
            return job::report(&route, counts, losses, members, table, context);
        }
        add_findings_of_column(counts, route.rejects.as_deref(), &mut table, context.lang);
        let report = Envelope::of_job(members, &route, counts, losses, context);
        context.report(has_findings(counts), report, |out| table.write_below(&route, out))
    }
}

/// The failure of a job that began; `answers` is the file in which it keeps its answers.
fn failed(error: DatasetError, answers: Option<&Path>, context: &Context) -> Failure {
    let lang = context.lang;
    let is_of_another_run = matches!(
        error.of_job(),
        Some(RescoreError::Answers(_) | RescoreError::OtherAnswers(_) | RescoreError::Locked(_))
    );
    // Answers for inputs that have changed are of no use.
    let is_useless = is_of_another_run || matches!(error, DatasetError::Altered(_));
    let Some(answers) = answers.filter(|path| path.exists() && !is_useless) else { return error.into() };
    if interrupt::requested() {
        return Failure::Interrupted(lang.cancelled_with_answers(answers.display()));
    }
    context.warn(&lang.answers_kept(answers.display()));
    error.into()
}

fn to_table(summary: &Summary, replace: Replace, lang: Lang) -> Table {
    let mut table = Table::default();
    let counts = &summary.conversion.counts;
    add_amount(lang.read_label(), counts.read, counts.bytes_read, &mut table, lang);
    add_amount(lang.written_label(), counts.written, counts.bytes_written, &mut table, lang);
    let Scored { exact, clamped, mates, bounds, not_asked, without_move, .. } = summary.scored;
    let answers = lang.answers(grouped(exact), grouped(mates), grouped(clamped));
    table.row(lang.answers_label(), style::NAME, answers);
    table.note(bounds, String::new(), lang.bounds(lang.records(bounds)));
    table.note(not_asked, String::new(), lang.not_asked(lang.records(not_asked)));
    if replace != Replace::Score {
        table.note(without_move, String::new(), lang.without_move(lang.records(without_move)));
    }
    let restarts = summary.restarts.into();
    table.note(restarts, String::new(), lang.restarts(grouped(restarts)));
    add_speed(counts.read - summary.earlier.min(counts.read), counts.seconds, &mut table, lang);
    table
}

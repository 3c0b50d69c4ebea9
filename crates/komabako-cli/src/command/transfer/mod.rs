//! [`Transfer`]: records of files to a file, as all commands do it that write records as they are or in another format.

mod findings;
mod json;
mod options;

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use anstyle::Style;
use komabako::dataset::convert::{Job, OnError, Summary};
use komabako::dataset::scores::Column;
use komabako::dataset::{DatasetError, Selection};

pub use self::findings::Findings;
pub use self::options::Options;
use super::job::{self, Ask, Needs};
use super::route::Route;
use crate::cli::Context;
use crate::interrupt;
use crate::message::{Lang, grouped};
use crate::outcome::{Failure, Outcome, Report};
use crate::progress::Meter;
use crate::style::{self, painted};
use crate::table::Table;

/// What is written where.
pub struct Transfer {
    /// The inputs.
    pub inputs: Vec<PathBuf>,
    /// The output.
    pub output: PathBuf,
    /// The options.
    pub options: Options,
    /// Which records are written.
    pub select: Selection,
    /// Whether records that stay in their format are copied as they are.
    pub copy: bool,
    /// Scores to take the place of the records' own.
    pub scores: Option<Column>,
    /// Whether there is nothing to say if all goes well and the records went to standard output.
    pub quiet: bool,
}

impl Transfer {
    /// All records of inputs, decoded and encoded.
    pub fn new(inputs: Vec<PathBuf>, output: PathBuf, options: Options) -> Self {
        let select = Selection::All;
        Transfer { inputs, output, options, select, copy: false, scores: None, quiet: false }
    }

    /// The same, to the last of the paths.
    pub fn to_last(paths: Vec<PathBuf>, options: Options, lang: Lang) -> Result<Self, Failure> {
        let (inputs, output) = job::to_last(paths, lang)?;
        Ok(Transfer::new(inputs, output, options))
    }

    /// The failure of something that it needs.
    pub fn failed(&self, error: &DatasetError, context: &Context) -> Failure {
        let to_stdout = job::is_dash(&self.output);
        let out = || job::report_to(context, to_stdout);
        job::failed(error, context, to_stdout, self.options.json.then(out))
    }

    /// Carries it out.
    pub fn run(self, context: &Context) -> Result<Outcome, Failure> {
        let summary = self.summary(context)?;
        Ok(Outcome::found(summary.is_some_and(|summary| Findings::of(&summary, None).any())))
    }

    /// Carries it out, and returns what it reported; `None` if that was only what it takes.
    pub fn summary(self, context: &Context) -> Result<Option<Summary>, Failure> {
        interrupt::catch();
        let to_stdout = job::is_dash(&self.output);
        let output_name = if to_stdout { context.lang.stdout() } else { self.output.display().to_string() };
        let view = View { context, to_stdout, json: self.options.json, quiet: self.quiet && to_stdout };
        let ask = Ask { dry_run: self.options.dry_run, json: self.options.json, to_stdout };
        let collected = match &self.options.on_error {
            OnError::Collect(path) => Some(path.clone()),
            _ => None,
        };
        let plan = self.job(context).plan().map_err(|error| view.failed(&error))?;
        if view.to_stdout && !plan.to().is_text() && io::stdout().is_terminal() {
            let lang = context.lang;
            let report = Report::new(lang.binary_to_terminal(plan.to()), lang.binary_to_terminal_help());
            return Err(Failure::CouldNotRun(report));
        }
        let route = Route::new(plan.inputs(), plan.to(), plan.compression(), output_name);
        if Needs::new(plan.preflight(), route.to_string()).tell(ask, context)?.is_some() {
            return Ok(None);
        }
        let result = plan.run(&mut Meter::new(context));
        let summary = result.map_err(|error| view.failed(&error))?;
        view.write(&route, &summary, collected.as_deref()).map_err(|error| context.stdout_failed(&error))?;
        Ok(Some(summary))
    }

    fn job(self, context: &Context) -> Job<'static> {
        let Context { lang, backend, .. } = *context;
        let Transfer { inputs, output, options, select, copy, scores, quiet: _ } = self;
        let Options { from, to, on_error, salvage, force, threads, dry_run: _, json: _ } = options;
        let inputs = inputs.into_iter().map(|path| job::input(path, lang)).collect();
        Job {
            from,
            to,
            select,
            copy,
            scores,
            on_error,
            salvage,
            threads,
            backend,
            force,
            ..Job::new(inputs, job::output(output, lang))
        }
    }
}

/// How a conversion is reported.
struct View<'a> {
    context: &'a Context,
    to_stdout: bool,
    json: bool,
    /// Whether to say nothing if all went well.
    quiet: bool,
}

impl View<'_> {
    fn out(&self) -> Box<dyn Write> {
        job::report_to(self.context, self.to_stdout)
    }

    fn write(&self, route: &Route, summary: &Summary, collected: Option<&Path>) -> io::Result<()> {
        if self.quiet && !self.json && !Findings::of(summary, collected).any() {
            return Ok(());
        }
        let mut out = self.out();
        if self.json {
            writeln!(out, "{}", json::summary(route, summary, self.context.lang))?;
        } else {
            writeln!(out, "{}", painted(&route.to_string(), style::HEADING))?;
            to_table(summary, collected, self.context.lang).write(&mut out, "  ")?;
        }
        out.flush()
    }

    /// The failure for an error, which with `--json` is also said there.
    fn failed(&self, error: &DatasetError) -> Failure {
        job::failed(error, self.context, self.to_stdout, self.json.then(|| self.out()))
    }
}

fn to_table(summary: &Summary, collected: Option<&Path>, lang: Lang) -> Table {
    let mut table = Table::default();
    let mut row = |label: String, style: Style, text: String| {
        table.styled([(label, style), (text, Style::new())]);
    };
    let amount = |records, bytes| lang.records_and_bytes(grouped(records), grouped(bytes));
    row(lang.read_label(), style::NAME, amount(summary.read, summary.bytes_read));
    row(lang.written_label(), style::NAME, amount(summary.written, summary.bytes_written));
    if summary.games > 0 {
        row(lang.games_label(), style::NAME, grouped(summary.games));
    }
    let rate = summary.read as f64 / summary.seconds.max(1e-9);
    row(lang.speed_label(), style::NAME, lang.in_seconds(lang.rate(rate), format!("{:.3}", summary.seconds)));
    let mut label = lang.lost_label();
    for loss in &summary.losses {
        row(std::mem::take(&mut label), style::WARNING, lang.loss(loss));
    }
    Findings::of(summary, collected).add_to(&mut table, lang);
    table
}

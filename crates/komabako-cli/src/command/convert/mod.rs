//! `komabako convert IN… OUT`: files of one format to another.

mod json;

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use anstyle::Style;
use clap::Args;
use komabako::dataset::convert::{Job, OnError, Summary};
use komabako::dataset::{DatasetError, FileFormat};

use super::route::Route;
use super::{file_format, job};
use crate::cli::Context;
use crate::interrupt;
use crate::message::{Lang, grouped};
use crate::outcome::{Failure, Outcome, Report};
use crate::progress::Meter;
use crate::style::{self, painted};
use crate::table::Table;

#[derive(Args)]
pub struct Convert {
    // One list: clap does not take options between the last of several inputs and an output of its own.
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<PathBuf>,
    #[arg(long, value_name = "FORMAT", value_parser = file_format::parser())]
    from: Option<FileFormat>,
    #[arg(long, value_name = "FORMAT", value_parser = file_format::parser())]
    to: Option<FileFormat>,
    #[arg(long, value_name = "WHAT", default_value = "stop", value_parser = on_error)]
    on_error: OnError,
    #[arg(long)]
    salvage: bool,
    #[arg(long, short)]
    force: bool,
    #[arg(long, value_name = "N", default_value_t = 0)]
    threads: usize,
    #[arg(long)]
    json: bool,
}

/// Reads `stop`, `skip` or `collect=FILE`.
fn on_error(value: &str) -> Result<OnError, String> {
    match (value, value.strip_prefix("collect=")) {
        ("stop", _) => Ok(OnError::Stop),
        ("skip", _) => Ok(OnError::Skip),
        (_, Some(file)) if !file.is_empty() => Ok(OnError::Collect(file.into())),
        _ => Err("stop, skip, collect=FILE".to_owned()),
    }
}

impl Convert {
    pub fn run(mut self, context: &Context) -> Result<Outcome, Failure> {
        let output = self.paths.pop().unwrap_or_default();
        if self.paths.is_empty() {
            let lang = context.lang;
            let report = Report::new(lang.output_missing(output.display()), lang.output_missing_help());
            return Err(Failure::CouldNotRun(report));
        }
        interrupt::catch();
        let output_name =
            if job::is_dash(&output) { context.lang.stdout() } else { output.display().to_string() };
        let view = View { context, to_stdout: job::is_dash(&output), json: self.json };
        let collected = match &self.on_error {
            OnError::Collect(path) => Some(path.clone()),
            _ => None,
        };
        let plan = self.job(output, context).plan().map_err(|error| view.failed(&error))?;
        if view.to_stdout && !plan.to().is_text() && io::stdout().is_terminal() {
            let lang = context.lang;
            let report = Report::new(lang.binary_to_terminal(plan.to()), lang.binary_to_terminal_help());
            return Err(Failure::CouldNotRun(report));
        }
        let route = Route::new(plan.inputs(), plan.to(), plan.compression(), output_name);
        let result = plan.run(&mut Meter::new(context));
        let summary = result.map_err(|error| view.failed(&error))?;
        view.write(&route, &summary, collected.as_deref()).map_err(|error| context.stdout_failed(&error))?;
        Ok(Outcome::found(summary.bad_total() > 0 || !summary.tails.is_empty()))
    }

    fn job(self, output: PathBuf, context: &Context) -> Job<'static> {
        let Context { lang, backend, .. } = *context;
        let inputs = self.paths.into_iter().map(|path| job::input(path, lang)).collect();
        Job {
            from: self.from,
            to: self.to,
            on_error: self.on_error,
            salvage: self.salvage,
            threads: self.threads,
            backend,
            force: self.force,
            ..Job::new(inputs, job::output(output, lang))
        }
    }
}

/// How a conversion is reported.
struct View<'a> {
    context: &'a Context,
    to_stdout: bool,
    json: bool,
}

impl View<'_> {
    fn out(&self) -> Box<dyn Write> {
        job::report_to(self.context, self.to_stdout)
    }

    fn write(&self, route: &Route, summary: &Summary, collected: Option<&Path>) -> io::Result<()> {
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
    if summary.bad_total() > 0 {
        let names: Vec<String> =
            summary.bad.iter().map(|(name, count)| format!("{name} {}", grouped(*count))).collect();
        let text = lang.left_out(grouped(summary.bad_total()), names.join(", "));
        row(lang.bad_label(), style::ERROR, text);
        if let Some(path) = collected {
            row(String::new(), Style::new(), lang.collected(path.display()));
        }
        let mut label = lang.first_label();
        for sample in &summary.samples {
            row(std::mem::take(&mut label), style::ERROR, lang.record_error(sample));
        }
    }
    for tail in &summary.tails {
        row(lang.tail_label(), style::ERROR, lang.tail(tail));
    }
    table
}

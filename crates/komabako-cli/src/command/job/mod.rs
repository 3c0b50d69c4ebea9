//! What all commands share that do a job on files: `-` for standard streams, what it takes, reports beside records,
//! failures.

mod needs;
mod room;

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use komabako::dataset::sample_check::Mismatch;
use komabako::dataset::{DatasetError, FileFormat, Input, Output};

use crate::cli::Context;
use crate::message::Lang;
use crate::outcome::{Failure, Report};
use crate::{interrupt, json};

pub use self::needs::{Ask, Needs};
pub use self::room::Room;

/// Whether a path stands for standard input or output.
pub fn is_dash(path: &Path) -> bool {
    path == Path::new("-")
}

/// An input of a job that replaces no file.
pub fn input(path: PathBuf, lang: Lang) -> Input<'static> {
    opened(path, false, lang)
}

/// The inputs of a job, of which an empty standard input is an error if they replace a file: the command that should have
/// written it has failed, or it was closed.
pub fn inputs(paths: Vec<PathBuf>, replace: bool, lang: Lang) -> Vec<Input<'static>> {
    paths.into_iter().map(|path| opened(path, replace, lang)).collect()
}

fn opened(path: PathBuf, must_not_be_empty: bool, lang: Lang) -> Input<'static> {
    match is_dash(&path) {
        true => Input::Stream(lang.stdin(), Box::new(interrupt::Stdin::open(must_not_be_empty))),
        false => Input::Path(path),
    }
}

/// The output of a job.
pub fn output(path: PathBuf, lang: Lang) -> Output<'static> {
    match is_dash(&path) {
        true => Output::Stream(lang.stdout(), Box::new(io::stdout())),
        false => Output::Path(path),
    }
}

/// The inputs and the output of paths of which the last is the output.
pub fn to_last(mut paths: Vec<PathBuf>, lang: Lang) -> Result<(Vec<PathBuf>, PathBuf), Failure> {
    let output = paths.pop().unwrap_or_default();
    if paths.is_empty() {
        let report = Report::new(lang.output_missing(output.display()), lang.output_missing_help());
        return Err(Failure::CouldNotRun(report));
    }
    Ok((paths, output))
}

/// Refuses to write a binary format to a terminal.
pub fn check_terminal(to_stdout: bool, format: FileFormat, lang: Lang) -> Result<(), Failure> {
    if to_stdout && !format.is_text() && io::stdout().is_terminal() {
        let report = Report::new(lang.binary_to_terminal(format), lang.binary_to_terminal_help());
        return Err(Failure::CouldNotRun(report));
    }
    Ok(())
}

/// The names of inputs, for a heading.
pub fn names(paths: &[PathBuf]) -> String {
    let names: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
    names.join(" + ")
}

/// Where the report of a job goes: not into the records.
pub fn report_to(context: &Context, records_to_stdout: bool) -> Box<dyn Write> {
    if records_to_stdout { Box::new(context.stderr()) } else { Box::new(context.stdout()) }
}

/// The failure of a job, which is also said as JSON if the reports are that.
pub fn failed(error: &DatasetError, ask: Ask, context: &Context) -> Failure {
    let lang = context.lang;
    if let Some(error) = of_repair(error) {
        let Report { what, help } = lang.dataset_error(error);
        let report = Report { what, help: help.map(|help| lang.repair_alone_help(help)) };
        return refused(error.kind(), report, ask, context);
    }
    if let DatasetError::Write(_, cause) = error
        && cause.kind() == io::ErrorKind::BrokenPipe
        && ask.to_stdout
    {
        return Failure::BrokenPipe;
    }
    if interrupt::requested() {
        let what = if ask.to_stdout { lang.cancelled_to_stdout() } else { lang.cancelled() };
        return Failure::Interrupted(Report::plain(what));
    }
    let report = match error {
        DatasetError::Write(name, cause) if ask.to_stdout && *name == lang.stdout() => {
            Report::new(lang.cannot_write(name, lang.io(cause)), lang.stdout_help())
        }
        _ => lang.dataset_error(error),
    };
    failed_with(error, report, ask, context)
}

/// The same in words of its own.
pub fn failed_with(error: &DatasetError, report: Report, ask: Ask, context: &Context) -> Failure {
    let mismatch = match error {
        DatasetError::Mismatch(mismatch) => Some(&**mismatch),
        _ => None,
    };
    tell_json(error.kind(), &report, mismatch, ask, context);
    Failure::with_report(error, report)
}

/// The error of a repair on the way, which comes through what it writes.
fn of_repair(error: &DatasetError) -> Option<&DatasetError> {
    match error {
        DatasetError::Read { error, .. } => error.get_ref()?.downcast_ref(),
        _ => None,
    }
}

/// The failure of a job that cannot even be planned.
pub fn refused(kind: &'static str, report: Report, ask: Ask, context: &Context) -> Failure {
    tell_json(kind, &report, None, ask, context);
    Failure::CouldNotRun(report)
}

/// Says why a job failed as JSON, if the reports are that. The error is told on standard error all the same.
fn tell_json(kind: &'static str, report: &Report, mismatch: Option<&Mismatch>, ask: Ask, context: &Context) {
    if ask.json {
        let mut out = report_to(context, ask.to_stdout);
        let _ = writeln!(out, "{}", json::error(kind, report, mismatch));
    }
}

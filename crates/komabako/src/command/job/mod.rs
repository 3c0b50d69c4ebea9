//! The parts shared by all commands that run a job on files: `-` for standard streams, needed resources, reports beside
//! records, failures.

mod findings;
mod limits;
mod needs;

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use komabako::dataset::{DatasetError, FileFormat, Input, Name, Output, Plan, Request};

use crate::context::Context;
use crate::interrupt;
use crate::message::{Lang, Report};
use crate::outcome::{Failure, is_closed_pipe};
use crate::progress::Meter;
use crate::route::Route;
use crate::screen::data_out;

pub use self::findings::{Findings, add_amount, add_losses, add_speed};
pub use self::limits::{CommonArgs, LimitArgs};
pub use self::needs::Needs;

/// Runs a job: examines it, reports the resources that it needs, and does it. `None` after `--dry-run`.
///
/// `plan` gets a meter, since the plans of some jobs read their inputs; `needs` describes the resources of the plan.
pub fn run<'a, J: Request<'a>>(
    context: &Context,
    plan: impl FnOnce(&mut Meter) -> Result<Plan<'a, J>, DatasetError>,
    needs: impl FnOnce(&Plan<'a, J>) -> Needs,
) -> Result<Option<J::Summary>, Failure> {
    run_or(context, plan, needs, |error| failed(&error, context))
}

/// The same for a job with one output: what it needs is reported under its route, which is returned too.
pub fn run_with_route<'a, J: Request<'a>>(
    context: &Context,
    output: Name,
    plan: impl FnOnce(&mut Meter) -> Result<Plan<'a, J>, DatasetError>,
) -> Result<Option<(Route, J::Summary)>, Failure> {
    let mut route = None;
    let summary = run(context, plan, |plan| Needs::new(route.insert(Route::new(plan, output))))?;
    Ok(route.zip(summary))
}

/// The same with other words for failures.
pub fn run_or<'a, J: Request<'a>>(
    context: &Context,
    plan: impl FnOnce(&mut Meter) -> Result<Plan<'a, J>, DatasetError>,
    needs: impl FnOnce(&Plan<'a, J>) -> Needs,
    failed: impl Fn(DatasetError) -> Failure,
) -> Result<Option<J::Summary>, Failure> {
    interrupt::catch();
    // A meter is dropped, which clears it, before anything is printed.
    let plan = plan(&mut Meter::new(context)).map_err(&failed)?;
    if let Some(format) = plan.to() {
        check_terminal(format, context)?;
    }
    if needs(&plan).report(plan.preflight(), context)?.is_some() {
        return Ok(None);
    }
    let summary = plan.run(&mut Meter::new(context));
    summary.map(Some).map_err(failed)
}

/// Whether a path means standard input or output.
pub fn is_dash(path: &Path) -> bool {
    path == Path::new("-")
}

/// An input of a job that replaces no file.
pub fn input(path: PathBuf, lang: Lang) -> Input<'static> {
    open_input(path, false, lang)
}

/// The inputs of a job. If they replace a file, an empty standard input is an error: the command that should have written it
/// failed, or it was closed.
pub fn inputs(paths: Vec<PathBuf>, replace: bool, lang: Lang) -> Vec<Input<'static>> {
    paths.into_iter().map(|path| open_input(path, replace, lang)).collect()
}

fn open_input(path: PathBuf, must_not_be_empty: bool, lang: Lang) -> Input<'static> {
    if is_dash(&path) {
        Input::Stream(lang.stdin(), Box::new(interrupt::Stdin::open(must_not_be_empty)))
    } else {
        Input::Path(path)
    }
}

/// The output of a job.
pub fn output(path: PathBuf, lang: Lang) -> Output<'static> {
    if is_dash(&path) { Output::Stream(lang.stdout(), data_out()) } else { Output::Path(path) }
}

/// Splits paths into the inputs and the output, which is the last path.
pub fn inputs_and_output(mut paths: Vec<PathBuf>, lang: Lang) -> Result<(Vec<PathBuf>, PathBuf), Failure> {
    let output = paths.pop().unwrap_or_default();
    if paths.is_empty() {
        return Err(Failure::CouldNotRun(lang.output_missing(output.display())));
    }
    Ok((paths, output))
}

/// Refuses to write a binary format to a terminal.
pub fn check_terminal(format: FileFormat, context: &Context) -> Result<(), Failure> {
    let lang = context.lang;
    if context.report.to_stdout && !format.is_text() && io::stdout().is_terminal() {
        let report =
            Report::new(lang.binary_to_terminal(format), lang.binary_to_terminal_help()).of_kind("terminal");
        return Err(Failure::CouldNotRun(report));
    }
    Ok(())
}

/// The names of inputs, for a heading.
pub fn names(paths: &[PathBuf]) -> String {
    let names: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
    names.join(" + ")
}

/// The failure of a job.
pub fn failed(error: &DatasetError, context: &Context) -> Failure {
    failed_where(error, context.report.can_skip, context)
}

/// The failure of a file of a job whose bad records `--on-error` does not leave out.
pub fn failed_beside(error: &DatasetError, context: &Context) -> Failure {
    failed_where(error, false, context)
}

fn failed_where(error: &DatasetError, can_skip: bool, context: &Context) -> Failure {
    let lang = context.lang;
    if let Some(error) = repair_cause(error) {
        let report = lang.dataset_error(error).of_kind(error.kind());
        let help = report.help.map(|help| match error {
            // Repairing it alone would meet the same change.
            DatasetError::Altered(_) => help,
            _ => lang.repair_alone_help(help),
        });
        return Failure::CouldNotRun(Report { help, ..report });
    }
    let to_stdout = context.report.to_stdout;
    if let DatasetError::Write(_, cause) = error
        && is_closed_pipe(cause)
        && to_stdout
    {
        return Failure::BrokenPipe;
    }
    if interrupt::requested() {
        let what = if to_stdout { lang.cancelled_to_stdout() } else { lang.say(&DatasetError::Cancelled) };
        return Failure::Interrupted(Report::plain(what).of_kind("interrupted"));
    }
    match error {
        DatasetError::Write(Name::Stream(_), _) if to_stdout => {
            Failure::with_help(error, lang.stdout_help(), lang)
        }
        DatasetError::Record(_) if !can_skip => {
            let report = lang.dataset_error(error);
            let help = report.help.map(|help| {
                if help == lang.foreign_record_help() {
                    lang.foreign_record_first_help()
                } else {
                    lang.record_first_help()
                }
            });
            Failure::with_report(error, Report { help, ..report })
        }
        _ => Failure::dataset(error, lang),
    }
}

/// The error of an on-the-fly repair, which arrives as the cause of a read error.
fn repair_cause(error: &DatasetError) -> Option<&DatasetError> {
    match error {
        DatasetError::Read { error, .. } => error.get_ref()?.downcast_ref(),
        _ => None,
    }
}

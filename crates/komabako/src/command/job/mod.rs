//! The parts shared by all commands that run a job on files: `-` for standard streams, needed resources, reports beside
//! records, failures.

mod findings;
mod limits;
mod needs;

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use komabako::dataset::{Counts, DatasetError, FileFormat, Input, Lost, Name, Output, Plan, Request};

use crate::context::Context;
use crate::interrupt;
use crate::json::{Envelope, Value};
use crate::message::{Lang, Reason, Report};
use crate::outcome::{Failure, Outcome};
use crate::progress::Meter;
use crate::route::Route;
use crate::screen::data_out;
use crate::table::Table;

pub use crate::standard::is_dash;

pub use self::findings::{
    add_amount, add_findings, add_findings_of_column, add_losses, add_speed, has_findings,
};
pub use self::limits::{CommonArgs, LimitArgs};
pub use self::needs::Needs;

/// Runs a job: examines it, reports the resources that it needs, and does it. Returns its route to `output` and its summary.
///
/// `plan` gets a meter, since the plans of some jobs read their inputs; `needs` describes the resources of the plan.
pub fn run<'a, J: Request<'a>>(
    context: &Context,
    output: Name,
    plan: impl FnOnce(&mut Meter) -> Result<Plan<'a, J>, DatasetError>,
    needs: impl FnOnce(&Plan<'a, J>, &Route) -> Needs,
) -> Result<(Route, J::Summary), Failure> {
    let (route, plan) = begin(context, output, plan)?;
    needs(&plan, &route).report(plan.preflight(), context)?;
    let summary = plan.run(&mut Meter::new(context))?;
    Ok((route, summary))
}

/// Examines a job. Returns its route to `output` and its plan.
pub fn begin<'a, J: Request<'a>>(
    context: &Context,
    output: Name,
    plan: impl FnOnce(&mut Meter) -> Result<Plan<'a, J>, DatasetError>,
) -> Result<(Route, Plan<'a, J>), Failure> {
    interrupt::catch();
    // A meter is dropped, which clears it, before anything is printed.
    let plan = plan(&mut Meter::new(context))?;
    if let Some(format) = plan.to() {
        check_format(format, context)?;
    }
    Ok((Route::new(&plan, output), plan))
}

/// Reports a job: `members` are its own in JSON. Below the rows of `table` are its losses and bad records.
pub fn report<F: Reason>(
    route: &Route,
    counts: &Counts<F>,
    losses: &[Lost],
    members: Value,
    mut table: Table,
    context: &Context,
) -> Result<Outcome, Failure> {
    add_losses(losses, &mut table, context.lang);
    add_findings(counts, route.rejects.as_deref(), &mut table, context.lang);
    let report = Envelope::of_job(members, route, counts, losses, context);
    context.report(has_findings(counts), report, |out| table.write_below(route, out))
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
pub fn check_format(format: FileFormat, context: &Context) -> Result<(), Failure> {
    let lang = context.lang;
    let to_stdout = context.report.to_stdout && !format.is_text();
    check_terminal(to_stdout, lang.binary_to_terminal(format), lang.binary_to_terminal_help())
}

/// Refuses to write what is not text if it goes to a terminal.
pub fn check_terminal(to_stdout: bool, what: String, help: String) -> Result<(), Failure> {
    if to_stdout && io::stdout().is_terminal() {
        return Err(Failure::CouldNotRun(Report::new(what, help).of_kind("terminal")));
    }
    Ok(())
}

/// The name of an input or output; `stream` is what messages call `-`.
pub fn name(path: &Path, stream: String) -> Name {
    if is_dash(path) { Name::Stream(stream.into()) } else { Name::from(path) }
}

/// The names of inputs, for a heading.
pub fn names(paths: &[PathBuf], lang: Lang) -> String {
    let names: Vec<String> = paths.iter().map(|path| name(path, lang.stdin()).to_string()).collect();
    names.join(" + ")
}

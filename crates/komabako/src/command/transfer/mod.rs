//! Copies and conversions of records of files into one file, for all commands that do so.

mod each;
mod options;
mod view;

use komabako::dataset::convert::{Job, Summary};

pub use self::each::ToEach;
pub use self::options::Options;
use self::view::View;
use super::job::{self, Needs, has_findings};
use crate::context::Context;
use crate::json::Envelope;
use crate::outcome::{Failure, Outcome};

/// Runs a copy or a conversion. With `quiet` it prints no report if all goes well and the records go to standard output.
pub fn run(job: Job<'static>, quiet: bool, context: &Context) -> Result<Outcome, Failure> {
    let summary = run_for_summary(job, quiet, context)?;
    Ok(Outcome::from_findings(has_findings(&summary.counts)))
}

/// The same, with the summary that it reported.
pub fn run_for_summary(job: Job<'static>, quiet: bool, context: &Context) -> Result<Summary, Failure> {
    let view = View::new(&job.scores);
    let output = job.output.name();
    let (route, summary) = job::run(context, output, |_| job.plan(), |_, route| Needs::new(route))?;
    let quiet = context.report.quiet || quiet && context.report.to_stdout;
    let silent = quiet && !has_findings(&summary.counts) && !context.report.json;
    let members = view.members(&summary);
    let report = Envelope::of_job(members, &route, &summary.counts, &summary.losses, context);
    let table = view.table(&route, &summary, context.lang);
    context.show_unless(silent, report, |out| table.write_below(&route, out))?;
    Ok(summary)
}

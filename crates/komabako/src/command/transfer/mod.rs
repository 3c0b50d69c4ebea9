//! Copies and conversions of records of files into one file, for all commands that do so.

mod each;
mod json;
mod options;
mod view;

use std::path::Path;

use komabako::dataset::convert::{Job, ScoreChange, Summary};

pub use self::each::ToEach;
pub use self::options::Options;
use self::view::View;
use super::job::{self, Findings};
use crate::context::Context;
use crate::outcome::{Failure, Outcome};

/// Runs a copy or a conversion. With `quiet` it prints no report if all goes well and the records go to standard output.
pub fn run(job: Job<'static>, quiet: bool, context: &Context) -> Result<Outcome, Failure> {
    let summary = run_for_summary(job, quiet, context)?;
    Ok(Outcome::from_findings(summary.is_some_and(|summary| Findings::new(&summary.counts).any())))
}

/// The same, with the summary that it reported; `None` after `--dry-run`.
pub fn run_for_summary(
    job: Job<'static>,
    quiet: bool,
    context: &Context,
) -> Result<Option<Summary>, Failure> {
    let collected = job.on_bad_record.collected().map(Path::to_owned);
    let output = job.output.name();
    let view = View {
        context,
        is_rescaled: matches!(job.scores, ScoreChange::Rescale(_)),
        known: match &job.scores {
            ScoreChange::ByPosition(known) => Some((known.positions(), known.conflicts())),
            _ => None,
        },
        quiet: context.report.quiet || quiet && context.report.to_stdout,
    };
    let done = job::run_with_route(context, output, |_| job.plan())?;
    let Some((route, summary)) = done else { return Ok(None) };
    view.write(&route, &summary, collected.as_deref())?;
    Ok(Some(summary))
}

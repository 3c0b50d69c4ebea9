//! The parts shared by `dedup` and `shuffle`: jobs on files that are larger than memory.

mod report;

use std::path::{Path, PathBuf};

use clap::Args;
use komabako::dataset::large::{Job, Keep, Shuffle, Unique};
use komabako::dataset::{DatasetError, FileFormat, Name, OnBadRecord, Partition};

use self::report::Find;
use super::job::{LimitArgs, Needs};
use super::named::file_format;
use super::{job, on_bad_record};
use crate::context::Context;
use crate::interrupt;
use crate::message::Report;
use crate::outcome::{Failure, Outcome};
use crate::progress::Meter;
use crate::route::Route;
use crate::standard;

#[derive(Args)]
pub struct LargeJobArgs {
    // One list: with a separate output argument, clap would not accept options between the last of several inputs and the output.
    #[arg(value_name = "IN|OUT", required = true)]
    paths: Vec<PathBuf>,
    #[arg(long, value_name = "FORMAT", value_parser = file_format())]
    from: Option<FileFormat>,
    #[arg(long, value_name = "FORMAT", value_parser = file_format())]
    to: Option<FileFormat>,
    #[arg(long, value_name = "WHAT", default_value = "stop", value_parser = on_bad_record::parse)]
    on_error: OnBadRecord,
    // The former name of `--on-error skip`.
    #[arg(long, hide = true, conflicts_with = "on_error")]
    skip_bad: bool,
    #[command(flatten)]
    limits: LimitArgs,
    #[arg(long)]
    resume: bool,
    // A manifest names inputs by their content.
    #[arg(long, conflicts_with = "manifest")]
    delete_inputs: bool,
}

pub fn run(
    options: LargeJobArgs,
    unique: Option<Unique>,
    shuffle: Option<Shuffle>,
    partition: Partition,
    context: &Context,
) -> Result<Outcome, Failure> {
    let lang = context.lang;
    let (inputs, output) = job::inputs_and_output(options.paths, lang)?;
    if options.delete_inputs && context.report.to_stdout {
        return Err(Failure::CouldNotRun(lang.deletion_after_pipe()));
    }
    let on_bad_record = if options.skip_bad { OnBadRecord::Skip } else { options.on_error };
    let inputs = job::inputs(inputs, standard::holds_content(&output), lang);
    let job = Job {
        to: options.to,
        options: options.limits.job(options.from, context.backend),
        unique,
        shuffle,
        partition,
        on_bad_record,
        limits: options.limits.into(),
        resume: options.resume,
        delete_inputs: options.delete_inputs,
        ..Job::new(inputs, job::output(output, lang))
    };
    run_job(job, context)
}

/// Runs a job that is already made.
pub fn run_job(job: Job<'static>, context: &Context) -> Result<Outcome, Failure> {
    let lang = context.lang;
    let resume = job.resume;
    // `filter --not-in` keeps all records that no reference has.
    let find = job.unique.as_ref().map(|unique| match unique.keep {
        Keep::All => Find::InReferences,
        _ => Find::Duplicates,
    });
    let shuffles = job.shuffle.is_some();
    // A dry run changes nothing; its plan reports such a run.
    if !context.report.dry_run
        && let Some(summary) = job.finish_earlier()?
    {
        return report::write(&Route::of_finished(&job), &summary, &[], find, context);
    }
    let output = job.output.name();
    let references = job.unique.iter().flat_map(|unique| &unique.references);
    let references: Vec<Name> = references.map(|path| Name::from(path.as_path())).collect();
    let of_reference = |failure: Failure| match &failure {
        Failure::Dataset(error) => match lang.reference_advice(error, &references) {
            Some(help) => Failure::with_help(error, help, lang),
            None => failure,
        },
        _ => failure,
    };
    let planned = job::begin(context, output, |meter| job.plan(meter)).map_err(of_reference);
    let (route, plan) = planned.map_err(|failure| match failure {
        Failure::Dataset(error) if resume && matches!(*error, DatasetError::Exists(_)) => {
            let what = lang.dataset_error(&error).what;
            Failure::with_report(&error, Report::new(what, lang.nothing_to_resume_help()))
        }
        failure => failure,
    })?;
    let leftovers = plan.leftovers().to_vec();
    // If records go to standard output, a JSON report is the only text on standard error.
    if !context.report.json {
        for leftover in &leftovers {
            context.warn(&lang.left_by_killed_job(leftover.path.display(), lang.size(leftover.bytes)));
        }
    }
    let (keys, order) = plan.parts();
    let mut needs = Needs { always: true, ..Needs::new(&route) };
    if find.is_some() {
        needs.parts.insert("keys", keys);
    }
    if shuffles {
        needs.parts.insert("order", order);
    }
    needs.in_parts = match (find.is_some() && keys > 1, shuffles && order > 1) {
        (true, true) => Some(lang.needs_parts(keys, order)),
        (true, false) => Some(lang.needs_key_parts(keys)),
        (false, true) => Some(lang.needs_order_parts(order)),
        (false, false) => None,
    };
    let directory = plan.directory().to_owned();
    let reported = needs.report(plan.preflight(), context);
    let done = reported.and_then(|()| Ok(plan.run(&mut Meter::new(context))?)).map_err(of_reference);
    let summary = done.map_err(|failure| match failure {
        Failure::Dataset(error) => failed(*error, &directory, context),
        failure => failure,
    })?;
    report::write(&route, &summary, &leftovers, find, context)
}

/// The failure of a run with a directory, which it leaves behind if a later one can resume it.
fn failed(error: DatasetError, directory: &Path, context: &Context) -> Failure {
    let lang = context.lang;
    let is_kept = directory.exists();
    match &error {
        DatasetError::Record(bad) if is_kept => {
            let help = lang.resume_without_bad_help(directory.display());
            return Failure::with_report(&error, Report::new(lang.record_error(bad), help));
        }
        // A job cannot be resumed from a damaged file, and the directory of another one is not this one's.
        DatasetError::Part(_) | DatasetError::InUse(_) => {}
        _ if is_kept && interrupt::requested() => {
            return Failure::Interrupted(lang.cancelled_and_kept(directory.display()));
        }
        _ if is_kept => context.warn(&lang.kept_for_later(directory.display())),
        _ => {}
    }
    error.into()
}

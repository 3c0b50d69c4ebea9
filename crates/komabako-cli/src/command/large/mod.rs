//! The parts shared by `dedup` and `shuffle`: jobs on files that are larger than memory.

mod report;

use std::path::{Path, PathBuf};

use clap::Args;
use komabako::dataset::large::{Job, Shuffle, Unique};
use komabako::dataset::{DatasetError, FileFormat, JobOptions, OnBadRecord, Partition};

use super::job::{Findings, LimitArgs, Needs};
use super::reading::Reading;
use super::{file_format, job, on_bad_record};
use crate::context::{Context, ReportArgs};
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
    #[arg(long, value_name = "FORMAT", value_parser = file_format::parser())]
    from: Option<FileFormat>,
    #[arg(long, value_name = "FORMAT", value_parser = file_format::parser())]
    to: Option<FileFormat>,
    #[arg(long, value_name = "WHAT", default_value = "stop", value_parser = on_bad_record::parse)]
    on_error: OnBadRecord,
    // The former name of `--on-error skip`.
    #[arg(long, hide = true, conflicts_with = "on_error")]
    skip_bad: bool,
    #[command(flatten)]
    reading: Reading,
    #[arg(long)]
    salvage: bool,
    #[arg(long, short)]
    force: bool,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    _report: ReportArgs,
    #[arg(long)]
    resume: bool,
    #[arg(long)]
    delete_inputs: bool,
}

/// Runs a job.
pub fn run(
    options: LargeJobArgs,
    unique: Option<Unique>,
    shuffle: Option<Shuffle>,
    partition: Partition,
    context: &Context,
) -> Result<Outcome, Failure> {
    let lang = context.lang;
    let (inputs, output) = job::inputs_and_output(options.paths, lang)?;
    interrupt::catch();
    let failed = |error| job::failed(&error, context);
    let finds = unique.is_some();
    let shuffles = shuffle.is_some();
    if options.delete_inputs && context.report.to_stdout {
        let report = Report::new(lang.deletion_after_pipe(), lang.deletion_after_pipe_help());
        return Err(Failure::CouldNotRun(report.of_kind("delete_inputs")));
    }
    let on_bad_record = if options.skip_bad { OnBadRecord::Skip } else { options.on_error };
    let collected = on_bad_record.collected().map(Path::to_owned);
    let inputs = job::inputs(inputs, standard::holds_content(&output), lang);
    let job = Job {
        to: options.to,
        options: JobOptions {
            from: options.from,
            moves: options.reading.into(),
            salvage: options.salvage,
            threads: options.limits.threads,
            backend: context.backend,
            force: options.force,
        },
        unique,
        shuffle,
        partition,
        on_bad_record,
        limits: options.limits.into(),
        resume: options.resume,
        delete_inputs: options.delete_inputs,
        ..Job::new(inputs, job::output(output, lang))
    };
    let output_name = job.output.name();
    // A dry run changes nothing; its plan reports such a run.
    let earlier = if context.report.dry_run { None } else { job.finish_earlier().map_err(failed)? };
    if let Some(summary) = earlier {
        let route = Route::of_finished(&job);
        let findings = Findings { counts: &summary.counts, collected: collected.as_deref() };
        let reported = report::write(&route, &summary, &findings, &[], finds, context);
        reported.map_err(|error| context.stdout_failed(&error))?;
        return Ok(Outcome::from_findings(findings.any() || summary.bad_references > 0));
    }
    // The plan's meter is dropped before anything is printed.
    let plan = job.plan(&mut Meter::new(context)).map_err(|error| match &error {
        DatasetError::Exists(_) if options.resume => {
            let what = lang.dataset_error(&error).what;
            Failure::with_report(&error, Report::new(what, lang.nothing_to_resume_help()))
        }
        _ => failed(error),
    })?;
    job::check_terminal(plan.to(), context)?;
    let route = Route::new(plan.inputs(), plan.to(), plan.compression(), output_name);
    let (keys, order) = plan.parts();
    let needs = Needs {
        parts: [(finds, "keys", keys), (shuffles, "order", order)]
            .into_iter()
            .filter_map(|(runs, stage, parts)| runs.then_some((stage, parts)))
            .collect(),
        in_parts: match (finds && keys > 1, shuffles && order > 1) {
            (true, true) => Some(lang.needs_parts(keys, order)),
            (true, false) => Some(lang.needs_key_parts(keys)),
            (false, true) => Some(lang.needs_order_parts(order)),
            (false, false) => None,
        },
        always: true,
        ..Needs::new(plan.preflight(), route.to_string())
    };
    // If records go to standard output, a JSON report is the only text on standard error.
    let leftovers = plan.leftovers().to_vec();
    if !context.report.json {
        for leftover in &leftovers {
            context.warn(&lang.left_by_killed_job(leftover.path.display(), lang.size(leftover.bytes)));
        }
    }
    if let Some(outcome) = needs.report(context)? {
        return Ok(outcome);
    }
    let directory = plan.directory().to_owned();
    let mut meter = Meter::new(context);
    let summary = plan.run(&mut meter).map_err(|error| {
        drop(meter);
        let is_kept = directory.exists();
        match &error {
            DatasetError::Record(bad) if is_kept => {
                let help = lang.resume_without_bad_help(directory.display());
                return Failure::with_report(&error, Report::new(lang.record_error(bad), help));
            }
            // A job cannot be resumed from a damaged file, and the directory of another one is not this one's.
            DatasetError::Part(_) | DatasetError::InUse(_) => {}
            _ if is_kept && interrupt::requested() => {
                let report = Report::new(lang.cancelled_and_kept(directory.display()), lang.resume_help());
                return Failure::Interrupted(report.of_kind("interrupted"));
            }
            _ if is_kept => context.warn(&lang.kept_for_later(directory.display())),
            _ => {}
        }
        failed(error)
    })?;
    let findings = Findings { counts: &summary.counts, collected: collected.as_deref() };
    let reported = report::write(&route, &summary, &findings, &leftovers, finds, context);
    reported.map_err(|error| context.stdout_failed(&error))?;
    Ok(Outcome::from_findings(findings.any() || summary.bad_references > 0))
}

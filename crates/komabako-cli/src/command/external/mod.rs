//! What `dedup` and `shuffle` share: jobs on files that are larger than memory.

mod report;

use std::io::{self, IsTerminal};
use std::path::PathBuf;

use clap::Args;
use komabako::dataset::external::{Job, Limits, Shuffle, Unique};
use komabako::dataset::{DatasetError, FileFormat};

use self::report::View;
use super::route::Route;
use super::{file_format, job, size};
use crate::cli::Context;
use crate::interrupt;
use crate::outcome::{Failure, Outcome, Report};
use crate::progress::Meter;

#[derive(Args)]
pub struct External {
    // One list: clap does not take options between the last of several inputs and an output of its own.
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<PathBuf>,
    #[arg(long, value_name = "FORMAT", value_parser = file_format::parser())]
    from: Option<FileFormat>,
    #[arg(long, value_name = "FORMAT", value_parser = file_format::parser())]
    to: Option<FileFormat>,
    #[arg(long)]
    skip_bad: bool,
    #[arg(long)]
    salvage: bool,
    #[arg(long, short)]
    force: bool,
    #[arg(long, value_name = "DIR")]
    tmp_dir: Vec<PathBuf>,
    #[arg(long, value_name = "SIZE", value_parser = size::parse)]
    max_memory: Option<u64>,
    #[arg(long, value_name = "N", value_parser = parts)]
    parts: Option<usize>,
    #[arg(long, value_name = "N", default_value_t = 0)]
    threads: usize,
    #[arg(long)]
    dry_run: bool,
    #[arg(long)]
    resume: bool,
    #[arg(long)]
    delete_inputs: bool,
    #[arg(long)]
    json: bool,
}

/// Reads how many parts to work in.
fn parts(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(parts @ 1..=65_536) => Ok(parts),
        _ => Err("1 … 65536".to_owned()),
    }
}

/// Does a job.
pub fn run(
    mut options: External,
    unique: Option<Unique>,
    shuffle: Option<Shuffle>,
    context: &Context,
) -> Result<Outcome, Failure> {
    let lang = context.lang;
    let output = options.paths.pop().unwrap_or_default();
    if options.paths.is_empty() {
        let report = Report::new(lang.output_missing(output.display()), lang.output_missing_help());
        return Err(Failure::CouldNotRun(report));
    }
    interrupt::catch();
    let to_stdout = job::is_dash(&output);
    let output_name = if to_stdout { lang.stdout() } else { output.display().to_string() };
    let view = View { context, to_stdout, json: options.json };
    let failed = |error: &DatasetError| job::failed(error, context, to_stdout, view.json_out());
    let job = Job {
        from: options.from,
        to: options.to,
        unique,
        shuffle,
        skip_bad: options.skip_bad,
        salvage: options.salvage,
        limits: Limits {
            directories: options.tmp_dir,
            memory: options.max_memory,
            parts: options.parts,
            threads: options.threads,
        },
        resume: options.resume,
        delete_inputs: options.delete_inputs,
        backend: context.backend,
        force: options.force,
        ..Job::new(
            options.paths.into_iter().map(|path| job::input(path, lang)).collect(),
            job::output(output, lang),
        )
    };
    let mut meter = Meter::new(context);
    let plan = job.plan(&mut meter).map_err(|error| failed(&error))?;
    if to_stdout && !plan.to().is_text() && io::stdout().is_terminal() {
        let report = Report::new(lang.binary_to_terminal(plan.to()), lang.binary_to_terminal_help());
        return Err(Failure::CouldNotRun(report));
    }
    let route = Route::new(plan.inputs(), plan.to(), plan.compression(), output_name);
    if options.dry_run {
        view.write_needs(&route, &plan).map_err(|error| context.stdout_failed(&error))?;
        let checked = plan.preflight().check();
        return match checked {
            Ok(()) => Ok(Outcome::Clean),
            Err(shortage) => Err(Failure::dataset(&DatasetError::Shortage(shortage), lang)),
        };
    }
    view.announce(&plan);
    let directory = plan.directory().to_owned();
    let summary = plan.run(&mut meter).map_err(|error| {
        drop(meter);
        if directory.exists() {
            context.warn(&lang.kept_for_later(directory.display()));
        }
        failed(&error)
    })?;
    view.write(&route, &summary).map_err(|error| context.stdout_failed(&error))?;
    Ok(Outcome::found(summary.bad > 0 || !summary.tails.is_empty()))
}

//! `komabako validate FILE…`: the faults of records, level by level.

mod json;
mod view;

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use komabako::dataset::validate::{Job, Level, Levels};
use komabako::dataset::{FileFormat, JobOptions, Partition};

use super::job::Needs;
use super::{file_format, job};
use crate::context::{Context, ReportArgs};
use crate::interrupt;
use crate::outcome::{Failure, Outcome};
use crate::progress::Meter;

#[derive(Args)]
pub struct Validate {
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    #[arg(long, value_name = "FORMAT", value_parser = file_format::parser())]
    from: Option<FileFormat>,
    #[arg(long, value_name = "LEVEL", value_delimiter = ',', value_parser = level())]
    level: Vec<Level>,
    #[arg(long)]
    fail_fast: bool,
    #[arg(long, value_name = "I/N", default_value_t, hide_default_value = true)]
    partition: Partition,
    #[arg(long, value_name = "N", default_value_t = 0)]
    threads: usize,
    #[command(flatten)]
    _report: ReportArgs,
}

/// Reads a level's name; help and completions list the names.
fn level() -> impl TypedValueParser<Value = Level> {
    PossibleValuesParser::new(Level::ALL.iter().map(|level| level.name()))
        .map(|name| name.parse().expect("one of the levels' own names"))
}

impl Validate {
    pub fn run(self, context: &Context) -> Result<Outcome, Failure> {
        interrupt::catch();
        let lang = context.lang;
        let heading = job::names(&self.files);
        let levels = if self.level.is_empty() { Levels::DEFAULT } else { self.level.into_iter().collect() };
        let job = Job {
            options: JobOptions {
                from: self.from,
                threads: self.threads,
                backend: context.backend,
                ..JobOptions::default()
            },
            partition: self.partition,
            levels,
            fail_fast: self.fail_fast,
            ..Job::new(self.files.into_iter().map(|path| job::input(path, lang)).collect())
        };
        let failed = |error| job::failed(&error, context);
        let plan = job.plan().map_err(failed)?;
        if let Some(outcome) = Needs::new(plan.preflight(), heading).report(context)? {
            return Ok(outcome);
        }
        let report = plan.run(&mut Meter::new(context)).map_err(failed)?;
        let mut out = context.stdout();
        let written = if context.report.json {
            json::report(&report, context).write(&mut out)
        } else {
            view::write(&report, lang, &mut out)
        };
        written.and_then(|()| out.flush()).map_err(|error| context.stdout_failed(&error))?;
        Ok(Outcome::from_findings(!report.is_clean()))
    }
}

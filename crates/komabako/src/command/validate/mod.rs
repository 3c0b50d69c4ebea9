//! `komabako validate FILE…`: the faults of records, level by level.

mod json;
mod view;

use std::path::PathBuf;

use clap::Args;
use komabako::dataset::validate::{Job, Level, Levels};
use komabako::dataset::{FileFormat, JobOptions, Name, Partition};

use super::job;
use super::job::Needs;
use super::named::{file_format, named};
use crate::context::{Context, ReportArgs};
use crate::outcome::{Failure, Outcome};

#[derive(Args)]
pub struct Validate {
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    #[arg(long, value_name = "FORMAT", value_parser = file_format())]
    from: Option<FileFormat>,
    #[arg(long, value_name = "LEVEL", value_delimiter = ',', value_parser = named(Level::ALL.iter().map(|&level| (level.name(), level))))]
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

impl Validate {
    pub fn run(self, context: &Context) -> Result<Outcome, Failure> {
        let lang = context.lang;
        let heading = job::names(&self.files, lang);
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
        let (_, report) = job::run(context, Name::default(), |_| job.plan(), |_, _| Needs::new(heading))?;
        context.show(json::report(&report, context), |mut out| view::write(&report, lang, &mut out))?;
        Ok(Outcome::from_findings(!report.is_clean()))
    }
}

//! `komabako stats FILE…`: what is in files of records, as text with plots, as JSON and as an HTML report.

mod html;
mod plot;
mod report;
mod text;

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use komabako::dataset::stats::Job;
use komabako::dataset::{FileFormat, JobOptions};

use self::report::Report;
use super::job::{Findings, Needs};
use super::reading::Reading;
use super::{file_format, job};
use crate::context::{Context, ReportArgs};
use crate::interrupt;
use crate::outcome::{Failure, Outcome};
use crate::progress::Meter;

#[derive(Args)]
pub struct Stats {
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    #[arg(long, value_name = "FORMAT", value_parser = file_format::parser())]
    from: Option<FileFormat>,
    #[command(flatten)]
    reading: Reading,
    #[arg(long)]
    salvage: bool,
    #[arg(long, value_name = "N", default_value_t = 0)]
    threads: usize,
    #[command(flatten)]
    _report: ReportArgs,
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    #[arg(long, short)]
    force: bool,
}

impl Stats {
    pub fn run(self, context: &Context) -> Result<Outcome, Failure> {
        interrupt::catch();
        let lang = context.lang;
        let force = self.force;
        let heading = job::names(&self.files);
        let failed = |error| job::failed(&error, context);
        let page = self.html.map(|path| job::output(path, lang));
        let job = Job {
            inputs: self.files.into_iter().map(|path| job::input(path, lang)).collect(),
            options: JobOptions {
                from: self.from,
                moves: self.reading.into(),
                salvage: self.salvage,
                threads: self.threads,
                backend: context.backend,
                force,
            },
        };
        if let Some(page) = &page {
            page.check(&job.inputs, force).map_err(failed)?;
        }
        let plan = job.plan().map_err(failed)?;
        if let Some(outcome) = Needs::new(plan.preflight(), heading).report(context)? {
            return Ok(outcome);
        }
        let inputs = report::inputs(plan.inputs());
        let summary = plan.run(&mut Meter::new(context)).map_err(failed)?;
        let report = Report::new(inputs, &summary);
        if let Some(page) = page {
            page.write(html::page(&report, &summary, lang).as_bytes(), force).map_err(failed)?;
        }
        let found = Findings::new(&summary.counts).any();
        // The report of a job that writes the page to standard output goes to standard error, as that of a conversion.
        let mut out = context.report_out();
        let written = if context.report.json {
            report::to_json(&report, &summary, context).write(&mut out)
        } else {
            text::write(&report, &summary, lang, text::width(), &mut out)
        };
        written.and_then(|()| out.flush()).map_err(|error| context.stdout_failed(&error))?;
        Ok(Outcome::found(found))
    }
}

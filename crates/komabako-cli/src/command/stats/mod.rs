//! `komabako stats FILE…`: what is in files of records, as text with plots, as JSON and as an HTML report.

mod html;
mod plot;
mod report;
mod text;

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use komabako::dataset::FileFormat;
use komabako::dataset::stats::Job;

use self::report::Report;
use super::job::{Ask, Needs};
use super::reading::Reading;
use super::{file_format, job};
use crate::cli::Context;
use crate::outcome::{Failure, Outcome};
use crate::progress::Meter;
use crate::{interrupt, json};

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
    #[arg(long)]
    dry_run: bool,
    #[arg(long)]
    json: bool,
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    #[arg(long, short)]
    force: bool,
}

impl Stats {
    pub fn run(self, context: &Context) -> Result<Outcome, Failure> {
        interrupt::catch();
        let lang = context.lang;
        // The report of a job that writes the page to standard output goes to standard error, as that of a conversion.
        let to_stdout = self.html.as_deref().is_some_and(job::is_dash);
        let force = self.force;
        let ask = Ask { dry_run: self.dry_run, json: self.json, to_stdout };
        let heading = job::names(&self.files);
        let failed = |error| job::failed(&error, ask, context);
        let page = self.html.map(|path| job::output(path, lang));
        let job = Job {
            inputs: self.files.into_iter().map(|path| job::input(path, lang)).collect(),
            from: self.from,
            moves: self.reading.into(),
            salvage: self.salvage,
            threads: self.threads,
            backend: context.backend,
        };
        if let Some(page) = &page {
            page.check(&job.inputs, force).map_err(failed)?;
        }
        let plan = job.plan().map_err(failed)?;
        if let Some(outcome) = Needs::new(plan.preflight(), heading).tell(ask, context)? {
            return Ok(outcome);
        }
        let inputs = report::inputs(plan.inputs());
        let summary = plan.run(&mut Meter::new(context)).map_err(failed)?;
        let report = Report::of(inputs, &summary, lang);
        if let Some(page) = page {
            page.write(html::page(&report, &summary, lang).as_bytes(), force).map_err(failed)?;
        }
        let mut out = job::report_to(context, to_stdout);
        let written = if ask.json {
            writeln!(out, "{}", json::pretty(&report))
        } else {
            text::write(&report, &summary, lang, text::width(), &mut out)
        };
        written.and_then(|()| out.flush()).map_err(|error| context.stdout_failed(&error))?;
        Ok(Outcome::found(report.bad_total > 0 || !report.tails.is_empty()))
    }
}

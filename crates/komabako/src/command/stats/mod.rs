//! `komabako stats FILE…`: statistics of files of records or games, as text with plots, as JSON and as an HTML report.

mod cells;
mod games;
mod html;
mod plot;
mod report;
mod text;

use std::path::{Path, PathBuf};

use clap::Args;
use komabako::dataset::kifu::Sources;
use komabako::dataset::stats::{Job, MissingParts, Saved, SavedPart};
use komabako::dataset::{DatasetError, FileFormat, Input, JobOptions, Name, Output, Partition};

use self::games::GameRun;
use self::report::Report;
use super::game_choice::GameChoiceArgs;
use super::job;
use super::job::{Needs, has_findings};
use super::kifu::{are_games, show_files};
use super::named::file_format;
use super::reading::Reading;
use crate::context::{Context, ReportArgs};
use crate::interrupt;
use crate::json;
use crate::outcome::{Failure, Outcome};
use crate::style;

#[derive(Args)]
pub struct Stats {
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    #[arg(long, value_name = "FORMAT", value_parser = file_format())]
    from: Option<FileFormat>,
    #[command(flatten)]
    reading: Reading,
    #[command(flatten)]
    choice: GameChoiceArgs,
    #[arg(long)]
    recursive: bool,
    #[arg(long)]
    salvage: bool,
    #[arg(long, value_name = "I/N", default_value_t, hide_default_value = true, conflicts_with = "repair")]
    partition: Partition,
    #[arg(long, value_name = "N", default_value_t = 0)]
    threads: usize,
    #[command(flatten)]
    _report: ReportArgs,
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    #[arg(long, conflicts_with_all = [
        "from", "moves", "repair", "games", "unique_games", "recursive", "salvage", "partition", "threads", "dry_run"
    ])]
    merge: bool,
    #[arg(long, short)]
    force: bool,
}

/// The report of saved counts as text.
pub fn text_of_saved(path: &Path, context: &Context) -> Result<String, DatasetError> {
    /// The width of text in a document.
    const WIDTH: usize = 80;
    let lang = context.lang;
    let saved = Saved::merge(&[path])?;
    let missing = saved.missing();
    let report = Report::new(&saved, missing, None);
    let json = json::value(&report::to_json(&report, context));
    let mut text = Vec::new();
    text::write(&report, &json, lang, WIDTH, &mut text)
        .map_err(|error| DatasetError::Write(path.into(), error))?;
    // Nothing is coloured in a document.
    Ok(style::plain(&String::from_utf8_lossy(&text)))
}

/// The output files besides the report.
struct Outputs {
    page: Option<Output<'static>>,
    save: Option<Output<'static>>,
    force: bool,
}

impl Stats {
    pub fn run(self, context: &Context) -> Result<Outcome, Failure> {
        interrupt::catch();
        let lang = context.lang;
        let force = self.force;
        let heading = job::names(&self.files, lang);
        let output = |path: Option<PathBuf>| path.map(|path| job::output(path, lang));
        let outputs = Outputs { page: output(self.html), save: output(self.save), force };
        if self.merge {
            let inputs: Vec<Input> = self.files.iter().cloned().map(Input::Path).collect();
            outputs.check(&inputs)?;
            let saved = Saved::merge(&self.files)?;
            let missing = saved.missing();
            return outputs.write(&saved, missing, None, context);
        }
        let choice = self.choice.choice(lang)?;
        if are_games(&self.files, self.from, self.recursive, lang)? {
            if self.partition != Partition::WHOLE || outputs.save.is_some() {
                return Err(Failure::CouldNotRun(lang.games_counted_whole()));
            }
            let sources = Sources::find(&self.files, self.recursive)?;
            let inputs: Vec<Input> = sources.paths().map(Input::path).collect();
            outputs.check(&inputs)?;
            if context.report.dry_run {
                return show_files(&sources, &heading, context);
            }
            let (summary, run) = games::count(self.files, sources, choice, context)?;
            return outputs.write(&Saved { parts: Vec::new(), summary }, Vec::new(), Some(run), context);
        }
        if !choice.takes_all() {
            return Err(Failure::CouldNotRun(lang.games_not_chosen_here()));
        }
        let job = Job {
            inputs: self.files.into_iter().map(|path| job::input(path, lang)).collect(),
            partition: self.partition,
            options: JobOptions {
                from: self.from,
                moves: self.reading.into(),
                salvage: self.salvage,
                threads: self.threads,
                backend: context.backend,
                force,
            },
        };
        outputs.check(&job.inputs)?;
        let mut part = None;
        let (_, summary) = job::run(
            context,
            Name::default(),
            |_| job.plan(),
            |plan, _| {
                part = Some(SavedPart::new(plan.inputs(), self.partition));
                Needs::new(heading)
            },
        )?;
        outputs.write(&Saved { parts: Vec::from_iter(part), summary }, Vec::new(), None, context)
    }
}

impl Outputs {
    /// Checks, before anything is counted, that no file is overwritten without `--force`, and that the outputs are two.
    fn check(&self, inputs: &[Input]) -> Result<(), DatasetError> {
        Output::check_all([&self.page, &self.save].into_iter().flatten(), inputs, self.force)
    }

    /// Writes the outputs and reports the figures and the missing parts.
    fn write(
        self,
        saved: &Saved,
        missing: Vec<MissingParts>,
        games: Option<GameRun>,
        context: &Context,
    ) -> Result<Outcome, Failure> {
        let lang = context.lang;
        // They were checked before the inputs were read.
        if let Some(save) = self.save {
            saved.write(save, self.force).map_err(DatasetError::after_check)?;
        }
        let report = Report::new(saved, missing, games);
        let summary = &saved.summary;
        let envelope = report::to_json(&report, context);
        let json = json::value(&envelope);
        if let Some(page) = self.page {
            let html = html::page(&report, &json, lang);
            page.write(html.as_bytes(), self.force).map_err(DatasetError::after_check)?;
        }
        let has_bad_games = report.game_run.as_ref().is_some_and(|run| run.bad.total() > 0);
        let found = has_findings(&summary.counts) || summary.merged_tails > 0 || has_bad_games;
        // If the page goes to standard output, the report goes to standard error, as for a conversion.
        context.show(envelope, |out| text::write(&report, &json, lang, text::width(), out))?;
        Ok(Outcome::from_findings(found))
    }
}

//! `komabako clean DIR…`: lists and removes what killed runs have left.

use std::io::Write;
use std::path::PathBuf;

use anstyle::Style;
use clap::Args;
use komabako::dataset::leftovers::{self, Leftover, State};
use serde::Serialize;

use crate::context::Context;
use crate::json::Envelope;
use crate::message::{Lang, Report};
use crate::outcome::{Failure, Outcome};
use crate::style;
use crate::table::Table;

#[derive(Args)]
pub struct Clean {
    #[arg(value_name = "DIR", required = true)]
    directories: Vec<PathBuf>,
    #[arg(long)]
    all: bool,
    #[arg(long)]
    dry_run: bool,
    #[arg(long)]
    json: bool,
}

/// The treatment of a leftover.
enum Done {
    Removed,
    WouldBeRemoved,
    KeptAlive,
    KeptResumable,
    Failed(String),
}

impl Clean {
    pub fn run(&self, context: &Context) -> Result<Outcome, Failure> {
        let lang = context.lang;
        let mut found = Vec::new();
        for directory in &self.directories {
            let of_directory = leftovers::find(directory).map_err(|error| {
                let what = lang.cannot_open(directory.display(), lang.io(&error));
                Failure::CouldNotRun(Report::new(what, lang.opening_help(&error)).of_kind("open"))
            })?;
            found.extend(of_directory);
        }
        let clean = |leftover: Leftover| {
            let done = self.clean(&leftover, lang);
            (leftover, done)
        };
        let done: Vec<(Leftover, Done)> = found.into_iter().map(clean).collect();
        let has_failed = done.iter().any(|(_, done)| matches!(done, Done::Failed(_)));
        if context.is_silent(has_failed) {
            return Ok(Outcome::Clean);
        }
        let mut out = context.stdout();
        let written = if self.json {
            let leftovers = done.iter().map(LeftoverForm::new).collect();
            Envelope::with(CommandMembers { leftovers }, context).write(&mut out)
        } else {
            write_table(&done, lang, &mut out)
        };
        written.and_then(|()| out.flush()).map_err(|error| context.stdout_failed(&error))?;
        Ok(Outcome::from_findings(has_failed))
    }

    fn clean(&self, leftover: &Leftover, lang: Lang) -> Done {
        match leftover.state {
            State::Dead => {}
            State::Resumable if self.all => {}
            State::Resumable => return Done::KeptResumable,
            _ => return Done::KeptAlive,
        }
        if self.dry_run {
            return Done::WouldBeRemoved;
        }
        leftover.remove().map_or_else(|error| Done::Failed(lang.io(&error)), |()| Done::Removed)
    }
}

fn write_table(done: &[(Leftover, Done)], lang: Lang, out: &mut impl Write) -> std::io::Result<()> {
    if done.is_empty() {
        return writeln!(out, "{}", lang.clean_nothing());
    }
    let mut table = Table::default();
    for (leftover, done) in done {
        let (what, style) = match done {
            Done::Removed => (lang.clean_removed(), style::GOOD),
            Done::WouldBeRemoved => (lang.clean_would_remove(), style::GOOD),
            Done::KeptAlive => (lang.clean_in_use(), Style::new()),
            Done::KeptResumable => (lang.clean_resumable(), style::WARNING),
            Done::Failed(why) => (lang.clean_failed(why), style::ERROR),
        };
        let size = lang.size(leftover.bytes);
        table.push_row([
            (what, style),
            (size, Style::new()),
            (leftover.path.display().to_string(), Style::new()),
        ]);
    }
    table.write(out, "")?;
    if done.iter().any(|(_, done)| matches!(done, Done::KeptResumable)) {
        writeln!(out, "{}", lang.clean_resumable_help())?;
    }
    Ok(())
}

/// The members of the report of `clean` only.
#[derive(Serialize)]
struct CommandMembers {
    leftovers: Vec<LeftoverForm>,
}

#[derive(Serialize)]
struct LeftoverForm {
    path: String,
    bytes: u64,
    state: &'static str,
    removed: bool,
}

impl LeftoverForm {
    fn new((leftover, done): &(Leftover, Done)) -> Self {
        let state = match leftover.state {
            State::Dead => "dead",
            State::Resumable => "resumable",
            _ => "alive",
        };
        let removed = matches!(done, Done::Removed);
        LeftoverForm { path: leftover.path.display().to_string(), bytes: leftover.bytes, state, removed }
    }
}

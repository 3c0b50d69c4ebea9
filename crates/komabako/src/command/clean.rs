//! `komabako clean DIR…`: lists and removes what killed runs have left.

use std::collections::HashSet;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use komabako::dataset::DatasetError;
use komabako::dataset::leftovers::{self, Leftover, State};

use crate::context::Context;
use crate::json::{Envelope, Value, object};
use crate::message::Lang;
use crate::outcome::{Failure, Outcome};
use crate::style::{self, Style};
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
    KeptRecent,
    Failed(String),
}

impl Clean {
    pub fn run(&self, context: &Context) -> Result<Outcome, Failure> {
        let lang = context.lang;
        let mut found = Vec::new();
        let mut seen = HashSet::new();
        for directory in &self.directories {
            let of_directory =
                leftovers::find(directory).map_err(|error| DatasetError::Open(directory.clone(), error))?;
            // Without its manifest, nothing would tell where else the files of a job are.
            let resumable = of_directory.iter().filter(|leftover| leftover.state == State::Resumable);
            let elsewhere: Vec<Leftover> =
                if self.all { resumable.flat_map(Leftover::elsewhere).collect() } else { Vec::new() };
            let of_directory = elsewhere.into_iter().chain(of_directory);
            // A directory may be named twice.
            let is_new = |leftover: &Leftover| seen.insert(identity(&leftover.path));
            found.extend(of_directory.filter(is_new));
        }
        let clean = |leftover: Leftover| {
            let done = self.clean(&leftover, lang);
            (leftover, done)
        };
        let done: Vec<(Leftover, Done)> = found.into_iter().map(clean).collect();
        let has_failed = done.iter().any(|(_, done)| matches!(done, Done::Failed(_)));
        let members = object! { leftovers: done.iter().map(form).collect::<Vec<_>>() };
        context.report(has_failed, Envelope::with(members, context), |out| write_table(&done, lang, out))
    }

    fn clean(&self, leftover: &Leftover, lang: Lang) -> Done {
        match leftover.state {
            State::Dead => {}
            State::Resumable if self.all => {}
            State::Resumable => return Done::KeptResumable,
            State::Recent => return Done::KeptRecent,
            _ => return Done::KeptAlive,
        }
        let removed = if self.dry_run {
            leftover.check_removal().map(|()| Done::WouldBeRemoved)
        } else {
            leftover.remove().map(|()| Done::Removed)
        };
        removed.unwrap_or_else(|error| Done::Failed(lang.io(&error)))
    }
}

/// The same for all paths of a leftover.
fn identity(path: &Path) -> PathBuf {
    std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

fn write_table(done: &[(Leftover, Done)], lang: Lang, out: &mut dyn Write) -> std::io::Result<()> {
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
            Done::KeptRecent => (lang.clean_recent(), Style::new()),
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

fn form((leftover, done): &(Leftover, Done)) -> Value {
    let state = match leftover.state {
        State::Dead => "dead",
        State::Resumable => "resumable",
        State::Recent => "recent",
        _ => "alive",
    };
    let reason = if let Done::Failed(why) = done { Some(why) } else { None };
    object! {
        path: leftover.path.display().to_string(),
        bytes: leftover.bytes,
        state: state,
        removed: matches!(done, Done::Removed),
        reason[optional]: reason,
    }
}

//! `komabako kifu IN… OUT`: game records from one format to another, listed or checked.

mod list;
mod output;

use core::ops::ControlFlow;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use komabako::dataset::kifu::{BadGame, BadGameFault, Found, GameFile, InputFiles, Sources, holds_games};
use komabako::dataset::select::games::GameChooser;
use komabako::dataset::{DatasetError, FileFormat, Name, OnBadRecord, Output};
use komabako::kifu::{Encoding, Format, Game, LineEnd, Losses, Notice, ReadOptions, Replacement};

pub use self::output::BadGames;
use self::output::{Converted, Target};
use super::game_choice::GameChoiceArgs;
use super::named::named;
use super::{job, on_bad_record};
use crate::context::{Context, ManifestArgs};
use crate::interrupt;
use crate::json::{self, Envelope, object};
use crate::manifest::Manifest;
use crate::message::{Lang, Report, Wanted, grouped};
use crate::outcome::{Failure, Outcome};

#[derive(Args)]
pub struct Kifu {
    #[arg(value_name = "IN|OUT", required = true)]
    paths: Vec<PathBuf>,
    #[arg(long, value_name = "FORMAT", value_parser = named([
        ("kif", Format::Kif),
        ("ki2", Format::Ki2),
        ("csa", Format::Csa),
        ("jkf", Format::Jkf),
        ("usi", Format::Usi),
    ]))]
    to: Option<Format>,
    #[arg(long)]
    recursive: bool,
    #[arg(long)]
    split: bool,
    #[arg(long, conflicts_with_all = ["split", "to"])]
    list: bool,
    #[arg(long, conflicts_with_all = ["split", "to", "list"])]
    check: bool,
    #[arg(long, value_name = "N", default_value = "2", value_parser = named([
        ("2", Format::Csa),
        ("3", Format::Csa3),
    ]))]
    csa_version: Format,
    #[arg(long, value_name = "NAME", value_parser = named([("utf-8", Encoding::Utf8), ("cp932", Encoding::Cp932)]))]
    encoding: Option<Encoding>,
    #[arg(long, value_name = "NAME", value_parser = named([("lf", LineEnd::Lf), ("crlf", LineEnd::CrLf)]))]
    eol: Option<LineEnd>,
    #[arg(long, value_name = "CHAR", value_parser = replacement)]
    unmappable: Option<Replacement>,
    #[command(flatten)]
    choice: GameChoiceArgs,
    #[arg(long)]
    lenient: bool,
    #[arg(long)]
    keep_comments: bool,
    #[arg(long, value_name = "WHAT", value_parser = on_bad_record::parse)]
    on_error: Option<OnBadRecord>,
    #[arg(long, short)]
    force: bool,
    #[arg(long, conflicts_with = "list")]
    json: bool,
    #[command(flatten)]
    _manifest: ManifestArgs,
}

/// Reads the character to write in place of others.
fn replacement(value: &str) -> Result<Replacement, Wanted> {
    value.parse().ok().and_then(Replacement::new).ok_or_else(|| Wanted::like("〓, ?"))
}

impl Kifu {
    pub fn run(self, context: &Context) -> Result<Outcome, Failure> {
        interrupt::catch();
        let start = Instant::now();
        let lang = context.lang;
        let (inputs, output) = if self.list || self.check {
            (self.paths.clone(), None)
        } else {
            let (inputs, output) = job::inputs_and_output(self.paths.clone(), lang)?;
            (inputs, Some(output))
        };
        let mut chooser = GameChooser::new(self.choice.choice(lang)?);
        let sources = self.sources(&inputs)?;
        let read = sources.as_ref().map_or_else(InputFiles::standard_input, Sources::input_files);
        let mut bad = BadGames::new(on_bad_record::for_games(self.on_error.clone()), self.force);
        let mut target = output.map(|output| Target::new(&self, output, lang)).transpose()?;
        self.check_outputs(&read, target.as_ref(), &bad, context.manifest.as_ref())?;
        let mut converted = Converted::default();
        let reading = ReadOptions { lenient: self.lenient, keep_comments: self.keep_comments };
        let mut out = context.stdout();
        let mut files: Box<dyn Iterator<Item = GameFile>> = match sources {
            Some(sources) => Box::new(sources),
            None => {
                let stdin = GameFile::from_reader(lang.stdin(), interrupt::Stdin::open(false));
                Box::new(std::iter::once(stdin))
            }
        };
        let read = files.try_for_each(|file| {
            let count = read_games(file, reading, context, &mut bad, &mut |name, format, game, bad| {
                converted.add(game);
                let why = chooser.judge(&game.record)?;
                if let Some(why) = why {
                    converted.left_out.add(why);
                    return Ok(());
                }
                if self.list {
                    let line = list::line(name, format, game);
                    writeln!(out, "{line}")?;
                }
                match &mut target {
                    Some(target) => target.push(&mut converted, &read, name, game, bad, context),
                    None => Ok(()),
                }
            })?;
            converted.files += count;
            Ok::<_, Failure>(())
        });
        let listed = read.and_then(|()| Ok(out.flush()?));
        drop(out);
        if let Err(failure) = listed {
            return failure.or_findings(bad.total() > 0, context);
        }
        if let Some(target) = &target {
            target.warn_of_old_parts(&converted, context);
        }
        let named = target.as_ref().map(Target::name_and_format);
        let has_output = match target {
            Some(target) => target.finish(&converted)?,
            None => false,
        };
        bad.finish()?;
        let output = if has_output { named.as_ref() } else { None };
        let mut is_bad = bad.total() > 0;
        if !has_output && let Some((name, _)) = &named {
            let what = if converted.games == 0 {
                lang.kifu_no_output(name)
            } else if converted.games == converted.left_out.total() {
                lang.games_all_left_out(name)
            } else {
                lang.kifu_none_written(name)
            };
            context.print_error(&Report::plain(what));
            is_bad = true;
        }
        if self.list {
            return Ok(Outcome::from_findings(is_bad));
        }
        let report = Envelope {
            inputs: inputs.iter().map(|path| json::named_file(&Name::from(path), None)).collect(),
            output: output.map(|(name, format)| json::named_file(name, Some(format.name()))),
            seconds: Some(start.elapsed().as_secs_f64()),
            ..converted.to_json(&bad, context)
        };
        let table = converted.to_table(named.is_some(), &bad, lang);
        context.report(is_bad, report, |out| table.write(out, ""))
    }

    /// The files to read; `None` is standard input.
    fn sources(&self, inputs: &[PathBuf]) -> Result<Option<Sources>, DatasetError> {
        if let [only] = inputs
            && job::is_dash(only)
        {
            return Ok(None);
        }
        Sources::find(inputs, self.recursive).map(Some)
    }

    /// Checks, before anything is read, that no output is an input or another output, and that all may be written.
    fn check_outputs(
        &self,
        inputs: &InputFiles,
        target: Option<&Target>,
        bad: &BadGames,
        manifest: Option<&Manifest>,
    ) -> Result<(), DatasetError> {
        if self.split
            && let Some(target) = target
        {
            let others = bad.list_path().into_iter().chain(manifest.map(Manifest::path));
            target.check_parts(inputs, others)?;
        }
        let paths: Vec<&Path> = target.and_then(Target::path).into_iter().chain(bad.list_path()).collect();
        let outputs: Vec<Output> = paths.iter().map(Output::path).collect();
        paths.iter().try_for_each(|path| inputs.check_output(path))?;
        Output::check_all(&outputs, &[], self.force)
    }
}

/// The format that the options name, or else the path's extension.
fn format_of(path: &Path, options: &Kifu) -> Option<Format> {
    let format = options.to.or_else(|| Format::from_extension(path.extension()?.to_str()?))?;
    Some(if format == Format::Csa { options.csa_version } else { format })
}

/// The report of a dry run: the number of files, which is all that is known before they are read.
pub fn show_files(sources: &Sources, heading: &str, context: &Context) -> Result<Outcome, Failure> {
    let files = sources.paths().count() as u64;
    context.show(Envelope::with(object! { game_files: files }, context), |out| {
        writeln!(out, "{heading}\n  {} {}", context.lang.kifu_files_label(), grouped(files))
    })?;
    Ok(Outcome::Clean)
}

/// Takes a game of an input, or adds it to the bad ones.
type Push<'a> = dyn FnMut(&Name, Format, &Game, &mut BadGames) -> Result<(), Failure> + 'a;

/// Reads the games of a file, reports their faults, and adds the bad ones to `bad`. Returns the number of files, 0 for one that a
/// search passes by.
pub fn read_games(
    file: GameFile,
    options: ReadOptions,
    context: &Context,
    bad: &mut BadGames,
    push: &mut Push,
) -> Result<u64, Failure> {
    let lang = context.lang;
    let mut is_game_file = file.is_read();
    let name = file.name.clone();
    let warn = |notice: &Notice| context.warn(&format!("{name}: {}", lang.say(notice)));
    let left_out =
        |fault: BadGameFault, bad: &mut BadGames| bad.push(BadGame { input: name.clone(), fault }, context);
    let flow = file.read(options, |found| {
        let passed = match found {
            _ if interrupt::requested() => Err(Failure::from(DatasetError::Cancelled)),
            Found::Bytes(_) => Ok(()),
            Found::Notice(notice) => {
                warn(&notice);
                Ok(())
            }
            Found::PassedBy(what) => {
                is_game_file = false;
                context.warn(&lang.kifu_passed_by(&name, &what));
                Ok(())
            }
            Found::Game { format, game, .. } => {
                game.notices.iter().for_each(warn);
                let stopped =
                    game.stopped.clone().map_or(Ok(()), |error| left_out(BadGameFault::Kifu(error), bad));
                stopped.and_then(|()| push(&name, format, &game, bad))
            }
            Found::Bad(fault) => left_out(fault, bad),
            Found::Failed(error) => match BadGameFault::of_failure(error) {
                Ok(fault) => left_out(fault, bad),
                Err(error) => Err(Failure::from(error)),
            },
        };
        match passed {
            Ok(()) => ControlFlow::Continue(()),
            Err(failure) => ControlFlow::Break(failure),
        }
    });
    match flow {
        ControlFlow::Continue(()) => Ok(u64::from(is_game_file)),
        ControlFlow::Break(failure) => Err(failure),
    }
}

/// Whether the inputs are game records, by their names or their content; with `--from` they are not.
pub fn are_games(
    inputs: &[PathBuf],
    from: Option<FileFormat>,
    recursive: bool,
    lang: Lang,
) -> Result<bool, Failure> {
    if from.is_some() {
        return Ok(false);
    }
    let is_games = |path: &PathBuf| !job::is_dash(path) && holds_games(path) && (recursive || !path.is_dir());
    match inputs.iter().filter(|path| is_games(path)).count() {
        0 => Ok(false),
        count if count == inputs.len() => Ok(true),
        _ => Err(Failure::CouldNotRun(lang.kifu_games_only())),
    }
}

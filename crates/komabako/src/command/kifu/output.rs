//! The output of games, and their losses.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use komabako::dataset::kifu::{BadGame, BadGameFault, BadGameList, InputFiles, OnBadGame};
use komabako::dataset::select::games::LeftOutCounts;
use komabako::dataset::{DatasetError, Existing, Name, Output, OutputWriter};
use komabako::kifu::{Format, Game, Unmappable};

use super::{Kifu, Losses, format_of};
use crate::command::game_choice::add_left_out;
use crate::command::game_text::{GameText, number_of, numbered};
use crate::command::job;
use crate::context::Context;
use crate::json::{self, Envelope, object};
use crate::message::{Lang, Report, grouped};
use crate::outcome::Failure;
use crate::style;
use crate::table::Table;

/// The number of bad games kept for the report.
const SAMPLES: usize = 20;

/// The destination of games, and their format and encoding.
pub struct Target {
    path: PathBuf,
    format: Format,
    text: GameText,
    split: bool,
    /// The parts that are there already.
    existing: Existing,
    force: bool,
    /// The output, once there is a game.
    out: Option<OutputWriter<'static>>,
}

/// The counts of the games that were read and written.
#[derive(Default)]
pub struct Converted {
    pub files: u64,
    pub games: u64,
    pub left_out: LeftOutCounts,
    notices: u64,
    written: u64,
    losses: Losses,
    /// Comments of CSA that were not kept, though the format could.
    plain_comments: u64,
}

impl Target {
    pub fn new(options: &Kifu, path: PathBuf, lang: Lang) -> Result<Self, Failure> {
        let Some(format) = format_of(&path, options) else {
            let error = DatasetError::OutputFormat(path.display().to_string());
            return Err(Failure::with_help(&error, lang.kifu_format_help(), lang));
        };
        if options.split && job::is_dash(&path) {
            return Err(Failure::CouldNotRun(lang.kifu_split_to_stdout()));
        }
        let by_name = GameText::of_path(&path);
        let encoding = options.encoding.unwrap_or(by_name.encoding);
        let line_end = options.eol.unwrap_or(by_name.line_end);
        let Kifu { unmappable, split, force, .. } = *options;
        let text = GameText { encoding, line_end, unmappable };
        let existing = Existing::beside(&path, |name| split && number_of(&path, format, name).is_some());
        Ok(Target { path, format, text, split, existing, force, out: None })
    }

    /// The file to write; `None` for standard output and for parts, whose number is not known.
    pub fn path(&self) -> Option<&Path> {
        if self.split || self.is_stdout() { None } else { Some(&self.path) }
    }

    /// Checks that neither an input nor another output has the name of a part. The number of parts is not known yet, so one with
    /// the name of a part that would not be written is refused too.
    pub fn check_parts<'p>(
        &self,
        inputs: &InputFiles,
        others: impl Iterator<Item = &'p Path>,
    ) -> Result<(), DatasetError> {
        self.existing.files().try_for_each(|part| inputs.check_output(part))?;
        for path in others {
            if self.is_part(path) {
                return Err(DatasetError::SameFile(path.to_owned()));
            }
        }
        Ok(())
    }

    /// Whether a path is that of a part.
    fn is_part(&self, path: &Path) -> bool {
        let Some(name) = path.file_name() else { return false };
        if number_of(&self.path, self.format, name).is_none() {
            return false;
        }
        // Two paths that lead to one file are refused.
        let part = Output::path(self.path.with_file_name(name));
        Output::check_all([&part, &Output::path(path)], &[], true).is_err()
    }

    /// Warns of parts of an earlier run with more games: they stay.
    pub fn warn_of_old_parts(&self, converted: &Converted, context: &Context) {
        let number = |path: &Path| number_of(&self.path, self.format, path.file_name()?);
        let is_old = |path: &&Path| number(path).is_some_and(|number| number > converted.written);
        let old: Vec<String> =
            self.existing.files().filter(is_old).map(|path| path.display().to_string()).collect();
        if converted.written > 0 && !old.is_empty() {
            context.warn(&context.lang.kifu_old_parts(context.lang.first_names(&old, old.len() as u64)));
        }
    }

    fn is_stdout(&self) -> bool {
        job::is_dash(&self.path)
    }

    /// The name of the output and its format, for reports.
    pub fn name_and_format(&self) -> (String, Format) {
        (Name::from(&self.path).to_string(), self.format)
    }

    /// Writes a game. No input may be replaced.
    pub fn push(
        &mut self,
        converted: &mut Converted,
        inputs: &InputFiles,
        name: &Name,
        game: &Game,
        bad: &mut BadGames,
        context: &Context,
    ) -> Result<(), Failure> {
        let lang = context.lang;
        let (bytes, losses) = match self.text.bytes(self.format, &game.record) {
            Ok(written) => written,
            Err(Unmappable { character, .. }) => {
                let fault = BadGameFault::Unmappable { game: game.number, line: game.line, character };
                return bad.push(BadGame { input: name.clone(), fault }, context);
            }
        };
        converted.losses += losses;
        let dropped = u64::from(game.dropped_comments);
        if self.format.holds().comments {
            converted.plain_comments += dropped;
        } else {
            converted.losses.comments += dropped;
        }
        converted.written += 1;
        let written = if self.split {
            let path = numbered(&self.path, self.format, converted.written);
            // The names were checked, but on some file systems several names lead to one file.
            let written =
                inputs.check_output(&path).and_then(|()| Output::path(path).write(&bytes, self.force));
            written.map_err(|error| self.existing.explain(error))
        } else if converted.written == 1 {
            self.begin(&bytes, lang)
        } else {
            let Some(separator) = self.text.separator(self.format) else {
                let what = lang.kifu_several_games(job::name(&self.path, lang.stdout()), self.format);
                return Err(Failure::CouldNotRun(
                    Report::new(what, lang.kifu_several_games_help()).of_kind("several_games"),
                ));
            };
            self.append(separator.as_bytes()).and_then(|()| self.append(&bytes))
        };
        Ok(written?)
    }

    fn begin(&mut self, bytes: &[u8], lang: Lang) -> Result<(), DatasetError> {
        self.out = Some(job::output(self.path.clone(), lang).open(self.force)?);
        self.append(bytes)
    }

    fn append(&mut self, bytes: &[u8]) -> Result<(), DatasetError> {
        self.out.as_mut().map_or(Ok(()), |out| out.write(bytes))
    }

    /// Gives the output its name, and returns whether there is one: without games an existing file stays as it was.
    pub fn finish(self, converted: &Converted) -> Result<bool, DatasetError> {
        let has_output = converted.written > 0 || self.is_stdout();
        self.out.map_or(Ok(()), OutputWriter::complete)?;
        Ok(has_output)
    }
}

impl Converted {
    pub fn add(&mut self, game: &Game) {
        self.games += 1;
        self.notices += game.notices.len() as u64;
    }

    /// The kinds of losses that occurred, with their names.
    fn losses(&self) -> impl Iterator<Item = (&'static str, u64)> {
        let counts = self.losses.counts().into_iter().chain([("plain_comments", self.plain_comments)]);
        counts.filter(|&(_, count)| count > 0)
    }

    /// The summary as a table.
    pub fn to_table(&self, has_target: bool, bad: &BadGames, lang: Lang) -> Table {
        let mut table = Table::default();
        table.row(lang.kifu_files_label(), style::NAME, grouped(self.files));
        table.row(lang.games_label(), style::NAME, grouped(self.games));
        add_left_out(&self.left_out, &mut table, lang);
        if has_target {
            table.row(lang.written_label(), style::NAME, grouped(self.written));
        }
        table.count(lang.kifu_notices_label(), style::WARNING, self.notices);
        for (name, count) in self.losses() {
            let lost = format!("{} {}", lang.kifu_loss(name), grouped(count));
            table.row(lang.lost_label(), style::WARNING, lost);
        }
        table.count(lang.kifu_bad_label(), style::ERROR, bad.total());
        table
    }

    /// The summary as JSON, without the names of files.
    pub fn to_json(&self, bad: &BadGames, context: &Context) -> Envelope {
        let members = object! {
            game_files: self.files,
            games: self.games,
            games_left_out: self.left_out,
            games_written: self.written,
            notices: self.notices,
            bad_games: json::bad_games(&bad.samples, context.lang),
        };
        Envelope {
            bad_total: bad.total(),
            bad: json::value(&bad.counts),
            losses: json::game_losses(self.losses(), context.lang),
            ..Envelope::with(members, context)
        }
    }
}

/// Games that could not be read: their number by fault, and the first of them.
pub struct BadGames {
    pub counts: BTreeMap<&'static str, u64>,
    pub samples: Vec<BadGame>,
    /// Whether the first one ends the job.
    stops: bool,
    /// The list of them, and its path.
    list: Option<(PathBuf, BadGameList)>,
}

impl BadGames {
    pub fn new(policy: OnBadGame, force: bool) -> Self {
        let stops = policy == OnBadGame::Stop;
        let list = match policy {
            OnBadGame::List(path) => Some((path.clone(), BadGameList::new(path, force))),
            _ => None,
        };
        BadGames { counts: BTreeMap::new(), samples: Vec::new(), stops, list }
    }

    /// The file that lists them, if it is wanted.
    pub fn list_path(&self) -> Option<&Path> {
        self.list.as_ref().map(|(path, _)| &**path)
    }

    /// Reports a game, counts it, and keeps it if it is one of the first; or the failure if the job is to stop.
    pub fn push(&mut self, game: BadGame, context: &Context) -> Result<(), Failure> {
        let lang = context.lang;
        if self.stops {
            return Err(DatasetError::from(game).into());
        }
        let is_first = !self.counts.contains_key(game.fault.name());
        let help = if is_first { lang.left_out_game_help(&game) } else { None };
        context.print_error(&Report { help, ..Report::plain(lang.say(&game)) });
        if let Some((_, list)) = &mut self.list {
            list.push(&game)?;
        }
        *self.counts.entry(game.fault.name()).or_default() += 1;
        if self.samples.len() < SAMPLES {
            self.samples.push(game);
        }
        Ok(())
    }

    pub fn total(&self) -> u64 {
        self.counts.values().sum()
    }

    /// Gives the list its name.
    pub fn finish(&mut self) -> Result<(), DatasetError> {
        self.list.take().map_or(Ok(()), |(_, list)| list.finish())
    }
}

//! Where games go, and what was lost on the way.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anstyle::Style;
use komabako::dataset::kifu::BadGame;
use komabako::dataset::{Input, Output};
use komabako::kifu::encoding::encode;
use komabako::kifu::{Encoding, Format, Game, LineEnd};
use serde::Serialize;

use super::{Eol, Kifu, Losses, TextEncoding, format_of};
use crate::command::job;
use crate::context::Context;
use crate::json::{self, Envelope};
use crate::message::{Lang, Report, grouped};
use crate::outcome::Failure;
use crate::style;
use crate::table::Table;

/// How many bad games are kept for the report.
const SAMPLES: usize = 20;

/// Where games go and how they are written.
pub struct Target {
    path: PathBuf,
    format: Format,
    encoding: Encoding,
    line_end: LineEnd,
    unmappable: Option<char>,
    split: bool,
    force: bool,
}

/// What was read and is to be written.
#[derive(Default)]
pub struct Converted {
    pub files: u64,
    pub games: u64,
    notices: u64,
    bytes: Vec<u8>,
    written: u64,
    losses: Losses,
}

impl Target {
    pub fn new(options: &Kifu, path: PathBuf, lang: Lang) -> Result<Self, Failure> {
        let Some(format) = format_of(&path, options) else {
            let what = lang.no_output_format(path.display());
            return Err(Failure::CouldNotRun(
                Report::new(what, lang.kifu_format_help()).of_kind("output_format"),
            ));
        };
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        // Programs for Windows read these two as CP932, whatever is in them.
        let is_cp932 = ["kif", "ki2"].iter().any(|known| extension.eq_ignore_ascii_case(known));
        let encoding = match options.encoding {
            Some(TextEncoding::Utf8) => Encoding::Utf8,
            Some(TextEncoding::Cp932) => Encoding::Cp932,
            None if is_cp932 => Encoding::Cp932,
            None => Encoding::Utf8,
        };
        let line_end = match options.eol {
            Some(Eol::Lf) => LineEnd::Lf,
            Some(Eol::Crlf) => LineEnd::CrLf,
            None if is_cp932 => LineEnd::CrLf,
            None => LineEnd::Lf,
        };
        let Kifu { unmappable, split, force, .. } = *options;
        Ok(Target { path, format, encoding, line_end, unmappable, split, force })
    }

    /// Checks, before anything is read, that the output is no input and may be written.
    pub fn check(&self, inputs: &[PathBuf], force: bool, lang: Lang) -> Result<(), Failure> {
        if self.is_stdout() || self.split {
            return Ok(());
        }
        let inputs: Vec<_> = inputs.iter().map(Input::path).collect();
        Output::path(&self.path).check(&inputs, force).map_err(|error| Failure::dataset(&error, lang))
    }

    fn is_stdout(&self) -> bool {
        job::is_dash(&self.path)
    }

    /// The name of the output and its format, for reports.
    pub fn name_and_format(&self) -> (String, Format) {
        (self.path.display().to_string(), self.format)
    }

    /// Takes a game; with `--split` it is written now.
    pub fn push(
        &self,
        converted: &mut Converted,
        name: &str,
        game: &Game,
        lang: Lang,
    ) -> Result<(), Failure> {
        let (text, losses) = self.format.write(&game.record);
        converted.losses += losses;
        let declared = self.format == Format::Csa3 && self.encoding == Encoding::Cp932;
        let text = match declared {
            true => text.replacen("encoding=UTF-8", "encoding=SHIFT_JIS", 1),
            false => text,
        };
        let bytes = encode(&text, self.encoding, self.line_end, self.unmappable).map_err(|error| {
            let what = format!("{name}: {}", lang.kifu_unmappable(&error));
            Failure::Bad(Report::new(what, lang.kifu_unmappable_help()).of_kind("unmappable"))
        })?;
        if self.split {
            converted.written += 1;
            let path = self.numbered(converted.written);
            return Output::path(path)
                .write(&bytes, self.force)
                .map_err(|error| Failure::dataset(&error, lang));
        }
        if converted.written > 0 {
            let Some(separator) = self.format.separator() else {
                let what = lang.kifu_several_games(self.path.display(), self.format);
                return Err(Failure::CouldNotRun(
                    Report::new(what, lang.kifu_several_games_help()).of_kind("several_games"),
                ));
            };
            let ends = if self.line_end == LineEnd::CrLf {
                separator.replace('\n', "\r\n")
            } else {
                separator.into()
            };
            converted.bytes.extend_from_slice(ends.as_bytes());
        }
        converted.bytes.extend_from_slice(&bytes);
        converted.written += 1;
        Ok(())
    }

    /// `games-000012.kif` for `games.kif`.
    fn numbered(&self, number: u64) -> PathBuf {
        let stem = self.path.file_stem().unwrap_or_default().to_string_lossy();
        let extension = self.path.extension().map_or_else(
            || self.format.extensions()[0].to_owned(),
            |extension| extension.to_string_lossy().into_owned(),
        );
        let name = format!("{stem}-{number:06}.{extension}");
        self.path.parent().unwrap_or(Path::new("")).join(name)
    }

    /// Writes what was taken, whole or not at all.
    pub fn finish(self, converted: &mut Converted, force: bool, lang: Lang) -> Result<(), Failure> {
        if self.split || converted.written == 0 {
            return Ok(());
        }
        let written = job::output(self.path, lang).write(&converted.bytes, force);
        written.map_err(|error| Failure::dataset(&error, lang))
    }
}

impl Converted {
    /// Counts a game.
    pub fn add(&mut self, game: &Game) {
        self.games += 1;
        self.notices += game.notices.len() as u64;
    }

    /// What was done, as a table.
    pub fn to_table(&self, has_target: bool, bad: &BadGames, lang: Lang) -> Table {
        let mut table = Table::default();
        let mut row = |label: String, style: Style, text: String| {
            table.styled([(label, style), (text, Style::new())]);
        };
        row(lang.kifu_files_label(), style::NAME, grouped(self.files));
        row(lang.games_label(), style::NAME, grouped(self.games));
        if has_target {
            row(lang.written_label(), style::NAME, grouped(self.written));
        }
        if self.notices > 0 {
            row(lang.kifu_notices_label(), style::WARNING, grouped(self.notices));
        }
        for (name, count) in self.losses.counts().into_iter().filter(|&(_, count)| count > 0) {
            row(lang.lost_label(), style::WARNING, format!("{} {}", lang.kifu_loss(name), grouped(count)));
        }
        if bad.total() > 0 {
            row(lang.kifu_bad_label(), style::ERROR, grouped(bad.total()));
        }
        table
    }

    /// What was done, as JSON, without the names of files.
    pub fn to_json<'a>(&self, bad: &'a BadGames, context: &'a Context) -> Envelope<'a, Own<'a>> {
        let own = Own {
            game_files: self.files,
            games: self.games,
            games_written: self.written,
            notices: self.notices,
            bad_games: json::bad_games(&bad.samples, context.lang),
        };
        Envelope {
            bad_total: bad.total(),
            bad: bad.counts.clone(),
            losses: json::game_losses(&self.losses, context.lang),
            ..Envelope::with(own, context)
        }
    }
}

/// The members of `kifu` alone.
#[derive(Serialize)]
pub struct Own<'a> {
    game_files: u64,
    games: u64,
    games_written: u64,
    notices: u64,
    bad_games: Vec<json::BadGame<'a>>,
}

/// Games that could not be read: how many by fault, and the first of them.
#[derive(Default)]
pub struct BadGames {
    counts: BTreeMap<&'static str, u64>,
    samples: Vec<BadGame>,
}

impl BadGames {
    /// Counts a game, and keeps it if it is one of the first.
    pub fn push(&mut self, game: BadGame) {
        *self.counts.entry(game.fault.name()).or_default() += 1;
        if self.samples.len() < SAMPLES {
            self.samples.push(game);
        }
    }

    /// How many there are.
    pub fn total(&self) -> u64 {
        self.counts.values().sum()
    }
}

//! [`Destination`]: where the answers go and in which form, and [`Answers`], which writes them there.

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use anstream::AutoStream;
use komabako::dataset::{Input, Output};
use komabako::kifu::Format;

use super::record::{Answer, header};
use super::{Solve, tree, view};
use crate::command::game_text::{GameText, numbered};
use crate::context::Context;
use crate::message::{Report, Wanted};
use crate::outcome::Failure;

/// How answers are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    Text,
    Usi,
    Sfen,
    Json,
    Tsv,
    /// A game record.
    Game(Format),
}

/// What `--output` says: a form on standard output, or a file whose name says the form.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Destination {
    pub form: Form,
    pub path: Option<PathBuf>,
}

impl Form {
    const NAMES: [(&'static str, Form); 9] = [
        ("text", Form::Text),
        ("usi", Form::Usi),
        ("sfen", Form::Sfen),
        ("json", Form::Json),
        ("tsv", Form::Tsv),
        ("kif", Form::Game(Format::Kif)),
        ("ki2", Form::Game(Format::Ki2)),
        ("csa", Form::Game(Format::Csa)),
        ("jkf", Form::Game(Format::Jkf)),
    ];

    /// The form of files with an extension.
    fn of_extension(extension: &str) -> Option<Form> {
        match &*extension.to_ascii_lowercase() {
            "txt" => Some(Form::Text),
            "tsv" => Some(Form::Tsv),
            "json" | "jsonl" => Some(Form::Json),
            // Lines that other programs read as games, like those of `kifu`.
            "usi" | "sfen" => Some(Form::Sfen),
            other => Format::from_extension(other).map(Form::Game),
        }
    }
}

/// Reads the value of `--output`.
pub fn parse(text: &str) -> Result<Destination, Wanted> {
    if let Some(&(_, form)) = Form::NAMES.iter().find(|(name, _)| *name == text) {
        return Ok(Destination { form, path: None });
    }
    let path = PathBuf::from(text);
    let form = path.extension().and_then(|extension| Form::of_extension(extension.to_str()?));
    match form {
        Some(form) => Ok(Destination { form, path: Some(path) }),
        None => {
            let names = Form::NAMES.map(|(name, _)| name).join(", ");
            let extensions = ".kif, .kifu, .ki2, .ki2u, .csa, .jkf, .usi, .json, .tsv, .txt";
            Err(Wanted(format!("{names}; FILE{extensions}")))
        }
    }
}

/// Writes answers one after the other: to standard output at once, to a file at the end.
pub struct Answers<'a> {
    solve: &'a Solve,
    context: &'a Context,
    destination: &'a Destination,
    /// Whether more than one answer is to be expected.
    several: bool,
    stdout: BufWriter<AutoStream<std::io::StdoutLock<'static>>>,
    /// What the file will hold.
    bytes: Vec<u8>,
    written: u64,
}

impl<'a> Answers<'a> {
    /// Checks, before anything is solved, that the answers can be written where they are to go.
    pub fn open(
        solve: &'a Solve,
        context: &'a Context,
        inputs: &[PathBuf],
        several: bool,
    ) -> Result<Self, Failure> {
        let (lang, destination) = (context.lang, &solve.output);
        if let Form::Game(format) = destination.form
            && several
            && !solve.split
            && format.separator().is_none()
        {
            let name =
                destination.path.as_deref().map_or_else(|| lang.stdout(), |path| path.display().to_string());
            let report = Report::new(lang.kifu_several_games(name, format), lang.solve_split_help());
            return Err(Failure::CouldNotRun(report.of_kind("several_games")));
        }
        let is_game_file = destination.path.is_some() && matches!(destination.form, Form::Game(_));
        match &destination.path {
            Some(path) if !solve.split => {
                let inputs: Vec<Input<'_>> = inputs.iter().map(Input::path).collect();
                let checked = Output::path(path).check(&inputs, solve.force);
                checked.map_err(|error| Failure::dataset(&error, lang))?;
            }
            _ if solve.split && !is_game_file => {
                let report = Report::new(lang.solve_split_without_file(), lang.solve_split_help());
                return Err(Failure::CouldNotRun(report.of_kind("split_without_file")));
            }
            _ => {}
        }
        let (stdout, bytes) = (context.stdout(), Vec::new());
        let mut answers = Answers { solve, context, destination, several, stdout, bytes, written: 0 };
        if destination.form == Form::Tsv && !solve.json {
            answers.write_bytes(format!("{}\n", header(solve.check)).as_bytes())?;
        }
        Ok(answers)
    }

    /// Writes one answer.
    pub fn push(&mut self, answer: &Answer) -> Result<(), Failure> {
        self.written += 1;
        let Form::Game(format) = self.destination.form else {
            let mut text = Vec::new();
            view::show(self.solve, self.context, answer, self.several, &mut text)
                .map_err(|error| self.context.stdout_failed(&error))?;
            return self.write_bytes(&text);
        };
        let lang = self.context.lang;
        let path = self.destination.path.as_deref();
        let game = GameText::of_path(path.unwrap_or(Path::new("")));
        let unmappable =
            |error| Failure::Bad(Report::plain(lang.kifu_unmappable(&error)).of_kind("unmappable"));
        // A problem is a setup that games can be played from.
        let record = tree::record(answer, lang)
            .map_err(|error| Failure::Bad(Report::plain(error.to_string()).of_kind("position")))?;
        let (bytes, _) = game.bytes(format, &record).map_err(unmappable)?;
        match path {
            Some(path) if self.solve.split => {
                let written =
                    Output::path(numbered(path, format, self.written)).write(&bytes, self.solve.force);
                written.map_err(|error| Failure::dataset(&error, lang))
            }
            _ => {
                if self.written > 1
                    && let Some(separator) = game.separator(format)
                {
                    self.write_bytes(separator.as_bytes())?;
                }
                self.write_bytes(&bytes)
            }
        }
    }

    fn write_bytes(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        if self.destination.path.is_some() {
            self.bytes.extend_from_slice(bytes);
            return Ok(());
        }
        let written = self.stdout.write_all(bytes).and_then(|()| self.stdout.flush());
        written.map_err(|error| self.context.stdout_failed(&error))
    }

    /// Writes a report instead of answers.
    pub fn stdout(&mut self) -> &mut impl Write {
        &mut self.stdout
    }

    /// Puts the file in its place: what was solved before a stop is kept too.
    pub fn finish(self, is_done: bool) -> Result<(), Failure> {
        let Some(path) = self.destination.path.as_ref().filter(|_| !self.solve.split) else { return Ok(()) };
        if self.written == 0 && !is_done {
            return Ok(());
        }
        let written = Output::path(path).write(&self.bytes, self.solve.force);
        written.map_err(|error| Failure::dataset(&error, self.context.lang))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_forms_and_extensions_are_files() {
        let form = |text| parse(text).map(|destination| (destination.form, destination.path.is_some()));
        assert_eq!(form("kif"), Ok((Form::Game(Format::Kif), false)));
        assert_eq!(form("answers.KIF"), Ok((Form::Game(Format::Kif), true)));
        assert_eq!(form("a/b.tsv"), Ok((Form::Tsv, true)));
        assert_eq!(form("lines.usi"), Ok((Form::Sfen, true)));
        assert!(form("answers").is_err() && form("answers.psv").is_err());
    }
}

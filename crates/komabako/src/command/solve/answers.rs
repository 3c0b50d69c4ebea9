//! [`Answers`]: writes the answers to their destination.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use komabako::dataset::{Compression, DatasetError, Existing, Input, Name, Output};
use komabako::kifu::Format;

use super::arguments::Solve;
use super::destination::{Destination, Form};
use super::part_file::{self, PartFile, Unfinished};
use super::record::{Answer, whole_header};
use super::{resume, tree, view};
use crate::command::game_text::{GameText, number_of, numbered};
use crate::context::{Context, Stdout};
use crate::message::{Lang, Report, grouped, shell};
use crate::outcome::{Failure, Outcome};

/// The files of `--split`, one for each game.
struct SplitGames<'a> {
    path: &'a Path,
    format: Format,
    /// The canonical paths of the inputs, which no file may overwrite.
    inputs: HashSet<PathBuf>,
    /// The files that are there already.
    existing: Existing,
    /// The first and the last file that were written.
    written: Option<(PathBuf, PathBuf)>,
}

impl<'a> SplitGames<'a> {
    fn wanted(solve: &'a Solve, inputs: &[PathBuf]) -> Option<Self> {
        let Destination { path: Some(path), form: Form::Game(format) } = &solve.output else { return None };
        if !solve.split {
            return None;
        }
        Some(SplitGames {
            path,
            format: *format,
            inputs: inputs.iter().filter_map(|input| fs::canonicalize(input).ok()).collect(),
            existing: Existing::beside(path, |name| number_of(path, *format, name).is_some()),
            written: None,
        })
    }

    /// The file of a game, which must be no input. The numbers of problems in files of records are unknown before they are solved,
    /// so this is asked before and again.
    fn file(&self, number: u64) -> Result<PathBuf, DatasetError> {
        let path = numbered(self.path, self.format, number);
        if !self.inputs.is_empty() && fs::canonicalize(&path).is_ok_and(|known| self.inputs.contains(&known))
        {
            return Err(DatasetError::SameFile(path));
        }
        Ok(path)
    }

    fn write(&mut self, answer: &Answer<'_>, bytes: &[u8]) -> Result<(), DatasetError> {
        let solve = answer.solve;
        let path = self.file(answer.task.number)?;
        let replaces = resume::continues(solve) && resume::is_game_of(&path, &answer.problem);
        let written = Output::path(&path).write(bytes, solve.force || replaces);
        written.map_err(|error| self.existing.explain(error))?;
        let first = self.written.take().map_or_else(|| path.clone(), |(first, _)| first);
        self.written = Some((first, path));
        Ok(())
    }
}

/// Checks that the answers can be written to their destination.
fn check(solve: &Solve, context: &Context, inputs: &[PathBuf], several: bool) -> Result<(), Failure> {
    let lang = context.lang;
    let destination = &solve.output;
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
    let files: Vec<Input<'_>> = inputs.iter().map(Input::path).collect();
    if let Some(path) = &solve.certificate {
        let outputs = [destination.path.as_ref(), Some(path)].into_iter().flatten().map(Output::path);
        // The output of answers may exist, if this run continues it.
        Output::check_all(&Vec::from_iter(outputs), &files, true)?;
        let read: Vec<Input<'_>> = inputs.iter().chain(&solve.skip_solved).map(Input::path).collect();
        Output::path(path).check(&read, solve.force)?;
    }
    let is_game_file = destination.path.is_some() && matches!(destination.form, Form::Game(_));
    if solve.split && !is_game_file {
        let report = Report::new(lang.solve_split_without_file(), lang.solve_split_help());
        return Err(Failure::CouldNotRun(report.of_kind("split_without_file")));
    }
    if let Some(path) = &destination.path
        && !solve.split
    {
        let continues = resume::continues(solve)
            && solve.skip_solved.as_deref().is_some_and(|earlier| part_file::continues(earlier, path));
        Output::path(path).check(&files, solve.force || continues)?;
    }
    Ok(())
}

/// Writes answers one by one, each at once: to standard output, or to a [`PartFile`].
pub struct Answers<'a> {
    solve: &'a Solve,
    context: &'a Context,
    destination: &'a Destination,
    /// Whether more than one answer is expected.
    several: bool,
    stdout: Stdout,
    file: Option<PartFile>,
    /// The file of `--certificate`.
    certificates: Option<PartFile>,
    /// The files of `--split`.
    split: Option<SplitGames<'a>>,
    written: u64,
    /// What the form of the output cannot hold: the names of losses, with their numbers.
    lost: BTreeMap<String, u64>,
}

impl<'a> Answers<'a> {
    /// Checks, before anything is solved, that the answers can be written to their destination. `total`: the number of
    /// problems in the input, if it is known. `columns`: the names of the columns of the input that rows keep.
    pub fn open(
        solve: &'a Solve,
        context: &'a Context,
        inputs: &[PathBuf],
        total: Option<usize>,
        several: bool,
        columns: &[String],
        unfinished: Option<Unfinished>,
    ) -> Result<Self, Failure> {
        check(solve, context, inputs, several)?;
        let destination = &solve.output;
        let mut answers = Answers {
            solve,
            context,
            destination,
            several,
            stdout: context.stdout(),
            file: None,
            certificates: None,
            split: SplitGames::wanted(solve, inputs),
            written: 0,
            lost: BTreeMap::new(),
        };
        if let (Some(split), Some(total)) = (&answers.split, total) {
            for number in 1..=total as u64 {
                split.file(number)?;
            }
        }
        answers.open_file(unfinished)?;
        if let Some(path) = &solve.certificate {
            let opened = PartFile::create(path);
            answers.certificates = Some(opened.map_err(|error| answers.not_opened(path, error, false))?);
        }
        if destination.form == Form::Tsv && !solve.json {
            let header = format!("{}\n", whole_header(solve.check, solve.needless, columns));
            match &mut answers.file {
                Some(file) if file.is_empty().unwrap_or(true) => {
                    let written = file.write_header(header.as_bytes());
                    written.map_err(|error| answers.write_failed(error))?;
                }
                Some(_) => {}
                None => answers.write_bytes(header.as_bytes())?,
            }
        }
        Ok(answers)
    }

    /// Opens the file, if the answers go to a file: creates it, or continues at the end of an unfinished one.
    fn open_file(&mut self, unfinished: Option<Unfinished>) -> Result<(), Failure> {
        let lang = self.context.lang;
        let solve = self.solve;
        if solve.split {
            return Ok(());
        }
        let Some(path) = &self.destination.path else { return Ok(()) };
        let can_be_continued = self.destination.form.can_be_continued();
        let opened = match &solve.skip_solved {
            Some(earlier) if resume::continues(solve) => {
                if !can_be_continued {
                    return Err(Failure::CouldNotRun(lang.solve_cannot_continue(path.display())));
                }
                match unfinished {
                    Some(unfinished) => PartFile::resume(path, unfinished),
                    None => PartFile::extend(path, earlier),
                }
            }
            _ => PartFile::create(path),
        };
        self.file = Some(opened.map_err(|error| self.not_opened(path, error, can_be_continued))?);
        Ok(())
    }

    /// Why a file cannot be written.
    fn not_opened(&self, path: &Path, error: io::Error, can_be_continued: bool) -> Failure {
        let lang = self.context.lang;
        let part = part_file::part_of(path);
        match error.kind() {
            ErrorKind::AlreadyExists => {
                let help = if can_be_continued {
                    lang.solve_unfinished_help(shell::file(&part))
                } else {
                    lang.solve_rename_help()
                };
                let report = Report::new(lang.solve_unfinished(part.display()), help);
                Failure::CouldNotRun(report.of_kind("unfinished_output"))
            }
            ErrorKind::ResourceBusy => resume::in_use(&part, self.context),
            _ => Failure::from(DatasetError::Create(part, error)),
        }
    }

    pub fn push(&mut self, answer: &Answer<'_>) -> Result<(), Failure> {
        let lang = self.context.lang;
        let Form::Game(format) = self.destination.form else {
            for (name, count) in answer.lost(self.destination.form, lang) {
                self.add_lost(name, count);
            }
            let mut text = Vec::new();
            view::show(self.context, answer, self.several, &mut text)?;
            return self.write_bytes(&text);
        };
        let path = self.destination.path.as_deref();
        let game = GameText::of_path(path.unwrap_or(Path::new("")));
        let unmappable = |error| Failure::Bad(Report::plain(lang.say(&error)).of_kind("unmappable"));
        // A problem is a setup from which games can be played.
        let record = tree::record(answer, lang)
            .map_err(|error| Failure::Bad(Report::plain(error.to_string()).of_kind("position")))?;
        let (bytes, losses) = game.bytes(format, &record).map_err(unmappable)?;
        for (name, count) in losses.counts() {
            self.add_lost(lang.kifu_loss(name), count);
        }
        if let Some(split) = &mut self.split {
            split.write(answer, &bytes)?;
            self.written += 1;
            return Ok(());
        }
        self.written += 1;
        if self.written > 1
            && let Some(separator) = game.separator(format)
        {
            self.write_bytes(separator.as_bytes())?;
        }
        self.write_bytes(&bytes)
    }

    fn add_lost(&mut self, name: String, count: u64) {
        if count > 0 {
            *self.lost.entry(name).or_default() += count;
        }
    }

    pub fn push_certificates(&mut self, answer: &Answer<'_>) -> Result<(), Failure> {
        let (Some(file), Some(path)) = (&mut self.certificates, &self.solve.certificate) else {
            return Ok(());
        };
        if answer.proofs.certificates.is_empty() {
            return Ok(());
        }
        // A compressed stream for each answer, so that all survive the end of the program.
        let compressed = || {
            let mut encoder = Compression::from_path(path).encoder(Vec::new(), 1)?;
            for (certificate, _) in &answer.proofs.certificates {
                encoder.write_all(certificate.as_bytes())?;
            }
            encoder.finish()
        };
        compressed().and_then(|bytes| file.write(&bytes)).map_err(|error| {
            let error = DatasetError::Write(Name::from(path), error);
            Failure::with_help(&error, self.context.lang.solve_write_apart_help(), self.context.lang)
        })
    }

    fn write_bytes(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        if let Some(file) = &mut self.file {
            return file.write(bytes).map_err(|error| self.write_failed(error));
        }
        self.stdout.write_all(bytes)?;
        Ok(self.stdout.flush()?)
    }

    /// Writes a report instead of answers.
    pub fn stdout(&mut self) -> &mut impl Write {
        &mut self.stdout
    }

    /// Gives the file its final name if all is done; otherwise reports the name under which it stays. Reports the files that
    /// `--split` wrote, and what was lost.
    pub fn finish(mut self, mut result: Result<Outcome, Failure>) -> Result<Outcome, Failure> {
        let lang = self.context.lang;
        // An empty file would be no certificate, and an earlier one of this name is better than none.
        if result.is_ok()
            && let Some(path) = &self.solve.certificate
            && let Some(file) = self.certificates.take_if(|file| !file.has_answers())
        {
            file.keep();
            let _ = writeln!(self.context.stderr(), "{}", lang.solve_no_certificate(path.display()));
        }
        if !self.context.is_silent(false) {
            // Standard error may be closed; the files exist all the same.
            if let Some((first, last)) = self.split.as_ref().and_then(|split| split.written.as_ref()) {
                let files = lang.solve_files_written(self.written, first.display(), last.display());
                let _ = writeln!(self.context.stderr(), "{files}");
            }
            for (name, count) in &self.lost {
                let _ = writeln!(self.context.stderr(), "{}: {name} {}", lang.lost_label(), grouped(*count));
            }
        }
        let can_be_continued = self.destination.form.can_be_continued();
        let files = [
            (self.file, &self.destination.path, can_be_continued),
            (self.certificates, &self.solve.certificate, false),
        ];
        for (file, path, can_be_continued) in files {
            let (Some(file), Some(path)) = (file, path) else { continue };
            if result.is_ok() {
                if let Err((error, part)) = file.complete(self.solve.force) {
                    result = Err(not_completed(&error, path, &part, lang));
                }
            } else if let Some(part) = file.keep() {
                let name = part.display();
                let kept = if can_be_continued {
                    lang.solve_kept(name, shell::file(&part))
                } else {
                    lang.solve_kept_apart(name)
                };
                // Standard error may be closed; the file exists all the same.
                let _ = writeln!(self.context.stderr(), "{kept}");
            }
        }
        result
    }

    fn write_failed(&self, error: io::Error) -> Failure {
        let lang = self.context.lang;
        let help = if self.destination.form.can_be_continued() {
            lang.solve_write_help()
        } else {
            lang.solve_write_apart_help()
        };
        let name = self.destination.path.as_ref().map(Name::from).unwrap_or_default();
        Failure::with_help(&DatasetError::Write(name, error), help, lang)
    }
}

/// The failure for a whole file that stays under its unfinished name.
fn not_completed(error: &DatasetError, path: &Path, part: &Path, lang: Lang) -> Failure {
    match error {
        DatasetError::Unnamed { .. } if error.kind() == "appeared" => {
            Failure::with_report(error, lang.solve_appeared(path, part))
        }
        DatasetError::Write(..) => Failure::with_help(error, lang.solve_unsynced_help(part.display()), lang),
        _ => Failure::with_report(error, lang.dataset_error(error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_not_synced_is_named() {
        let error = DatasetError::Write(Name::from("o.kmc"), io::Error::other("failed"));
        let failure = not_completed(&error, Path::new("o.kmc"), Path::new("o.kmc.part"), Lang::En);
        let Failure::CouldNotRun(Report { help: Some(help), .. }) = failure else { panic!("{failure:?}") };
        assert!(help.contains("o.kmc.part") && !help.contains("no partial file"), "{help}");
    }
}

//! [`Earlier`]: the problems that an earlier run solved, read from its output.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use komabako::dataset::{DatasetError, Name, Output, read_whole};
use komabako::kifu::{Ending, Format};
use komabako::tsume::{Hands, Problem, Root, Rules, Soundness};
use serde_json::Value;

use super::arguments::Solve;
use super::destination::Form;
use super::input::Task;
use super::known::{Known, Row};
use super::part_file::{self, Unfinished};
use super::record::{UNFINISHED, header, root_name};
use super::stated;
use crate::command::game_text::numbered;
use crate::context::Context;
use crate::message::Lang;
use crate::outcome::Failure;

/// The problems that need not be solved again.
///
/// In an output that the run continues, an answer stands for one problem: with repeated positions, as many problems are skipped
/// as have answers, so that the complete output is the same as without the interruption. The answers of another output stand
/// for all problems with their positions.
#[derive(Default)]
pub struct Earlier {
    /// The answers of each problem: by the text of its position and, in rows of an output that is continued, the columns after
    /// it.
    answers: HashMap<String, Answered>,
    is_continued: bool,
    /// The number of columns of a row before those of the input, if the rows of the output that is continued have them.
    own_columns: Option<usize>,
    games: Option<Games>,
    rules: Rules,
    /// Whether the exit code is 1 for a skipped problem.
    has_bad: bool,
}

/// The answers of a problem, and the number of problems skipped for them.
#[derive(Default)]
struct Answered {
    answers: Vec<EarlierAnswer>,
    skipped: usize,
}

/// An earlier answer that counts.
#[derive(Clone, Copy)]
struct EarlierAnswer {
    /// Whether the defender had the complement; `None` if the output does not say.
    is_complement: Option<bool>,
    is_good: bool,
}

/// Files of one game each, written by `--split`.
struct Games {
    path: PathBuf,
    format: Format,
    asked: Asked,
    skip_unknown: bool,
}

/// What a run asks about games.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Asked {
    AnyMate,
    Length,
    Check,
}

/// The result of an earlier row.
struct EarlierResult {
    /// `false` if a limit ended it: the verdict, the exact length or the check.
    is_solved: bool,
    answer: EarlierAnswer,
}

impl Earlier {
    /// Reads the output that `--skip-solved` names, from `unfinished` if that is its locked file. If it is the output of this run
    /// too, a missing file counts as empty.
    pub fn read(
        solve: &Solve,
        context: &Context,
        unfinished: Option<&mut Unfinished>,
    ) -> Result<Self, Failure> {
        let mut earlier = Earlier { rules: solve.rules(), ..Earlier::default() };
        let Some(path) = &solve.skip_solved else { return Ok(earlier) };
        earlier.is_continued = continues(solve);
        if solve.split
            && earlier.is_continued
            && let Form::Game(format) = solve.output.form
        {
            let path = path.clone();
            let asked = match (solve.any, solve.check) {
                (true, _) => Asked::AnyMate,
                (_, true) => Asked::Check,
                _ => Asked::Length,
            };
            let skip_unknown = solve.skip_unknown;
            earlier.games = Some(Games { path, format, asked, skip_unknown });
            return Ok(earlier);
        }
        let read = match unfinished {
            None => read_whole(path),
            Some(unfinished) => {
                let failed = |error| DatasetError::Read { input: Name::from(path), offset: 0, error };
                unfinished.read().map_err(failed)
            }
        };
        let bytes = match read {
            Ok(bytes) => bytes,
            Err(DatasetError::Open(_, error))
                if error.kind() == io::ErrorKind::NotFound && is_own(solve, path) =>
            {
                return Ok(earlier);
            }
            Err(error) => return Err(Failure::from(error)),
        };
        let text = String::from_utf8_lossy(&bytes);
        if earlier.is_continued && solve.output.form == Form::Tsv {
            let header = header(solve.check, solve.needless);
            let is_other = |line: &str| {
                line.strip_prefix(&*header).is_none_or(|kept| !kept.is_empty() && !kept.starts_with('\t'))
            };
            if text.lines().next().is_some_and(is_other) {
                return Err(Failure::CouldNotRun(context.lang.solve_other_columns(path.display())));
            }
            earlier.own_columns = Some(header.split('\t').count());
        }
        earlier.read_rows(&text, solve);
        Ok(earlier)
    }

    fn read_rows(&mut self, text: &str, solve: &Solve) {
        let own_columns = self.own_columns;
        let mut add = |problem: &str, result: EarlierResult| {
            if result.is_solved || solve.skip_unknown {
                self.answers.entry(problem.to_owned()).or_default().answers.push(result.answer);
            }
        };
        let mut header = Vec::new();
        // A last line without a line end was truncated.
        for line in text.split_inclusive('\n').filter_map(|line| line.strip_suffix('\n')) {
            if let Ok(value) = serde_json::from_str::<Value>(line) {
                let problems =
                    value["problems"].as_array().map_or(std::slice::from_ref(&value), Vec::as_slice);
                for problem in problems {
                    if let (Some(sfen), Some(result)) =
                        (problem["sfen"].as_str(), result_from_json(problem, solve))
                    {
                        add(sfen, result);
                    }
                }
                continue;
            }
            let cells: Vec<&str> = line.trim_end_matches('\r').split('\t').collect();
            if cells[0] == "sfen" {
                header = cells;
            } else if let Some(result) = result_from_row(Row { header: &header, cells: &cells }, solve) {
                let rest = own_columns.map_or(&[][..], |own| cells.get(own..).unwrap_or_default());
                add(&[&cells[..1], rest].concat().join("\t"), result);
            }
        }
    }

    /// Whether a problem, the one of this number in the input, need not be solved. Asked once for each problem, in order.
    pub fn skips(&mut self, task: &Task, number: u64) -> bool {
        if self.answers.is_empty() && self.games.is_none() {
            return false;
        }
        let Ok(problem) = Problem::new(&task.setup, self.rules) else { return false };
        let Some(answer) = self.answer(task, &problem).or_else(|| self.game(&problem, number)) else {
            return false;
        };
        self.has_bad |= !answer.is_good;
        true
    }

    /// Whether the exit code is 1 for a problem that was skipped.
    pub fn has_bad(&self) -> bool {
        self.has_bad
    }

    /// Starts again at the first problem.
    pub fn rewind(&mut self) {
        self.answers.values_mut().for_each(|answered| answered.skipped = 0);
        self.has_bad = false;
    }

    /// The answers to these positions, in an output that the run continues or in another one.
    #[cfg(test)]
    pub fn with_answers(sfens: &[&str], is_continued: bool) -> Self {
        let mut earlier = Earlier { is_continued, ..Earlier::default() };
        for &sfen in sfens {
            let answer = EarlierAnswer { is_complement: None, is_good: true };
            earlier.answers.entry(sfen.to_owned()).or_default().answers.push(answer);
        }
        earlier
    }

    /// The answer for which a problem is skipped.
    fn answer(&mut self, task: &Task, problem: &Problem) -> Option<EarlierAnswer> {
        let text = match self.own_columns {
            Some(_) => Cow::Owned(format!("{}{}", task.sfen, task.rest)),
            None => Cow::Borrowed(&*task.sfen),
        };
        let answered = self.answers.get_mut(&*text)?;
        let rules = self.rules;
        let mut fitting = answered.answers.iter().filter(|answer| match answer.is_complement {
            Some(is_complement) => is_complement == problem.is_complement(),
            None => rules.hands == Hands::Auto,
        });
        let answer = if self.is_continued { fitting.nth(answered.skipped) } else { fitting.next() };
        answered.skipped += 1;
        answer.copied()
    }

    /// The answer in the game of a problem.
    fn game(&self, problem: &Problem, number: u64) -> Option<EarlierAnswer> {
        let games = self.games.as_ref()?;
        let path = numbered(&games.path, games.format, number);
        let EarlierResult { is_solved, answer } = result_from_game(&path, problem, games.asked)?;
        (is_solved || games.skip_unknown).then_some(answer)
    }
}

/// The result in a problem's JSON object.
fn result_from_json(problem: &Value, solve: &Solve) -> Option<EarlierResult> {
    let known = Known::of_json(problem)?;
    // Rows have neither.
    let lacks = |is_asked: bool, name: &str| is_asked && !problem[name].is_array();
    if lacks(solve.variations > 0, "variations") || lacks(solve.all, "checks") {
        return None;
    }
    let said = Said {
        verdict: problem["verdict"].as_str()?,
        sound: problem["sound"].as_str(),
        needless_complete: problem["needless_complete"].as_bool(),
        hands: problem["hands"].as_str(),
        root: problem["root"].as_str(),
    };
    result(known, &said, solve)
}

/// The result in a problem's row; `None` for other lines.
fn result_from_row(row: Row<'_>, solve: &Solve) -> Option<EarlierResult> {
    let known = Known::of_row(row)?;
    let said = Said {
        verdict: row.cells[1],
        sound: row.cell("sound"),
        needless_complete: row.cell("needless").map(|pieces| !pieces.ends_with(UNFINISHED)),
        hands: row.cell("hands"),
        root: row.cell("root"),
    };
    result(known, &said, solve)
}

/// What an object or a row says beside the lengths.
struct Said<'a> {
    verdict: &'a str,
    sound: Option<&'a str>,
    needless_complete: Option<bool>,
    hands: Option<&'a str>,
    root: Option<&'a str>,
}

/// The result of a problem; `None` if the earlier run did not look for all that this one does, or read the position otherwise.
fn result(known: Known, said: &Said<'_>, solve: &Solve) -> Option<EarlierResult> {
    let root = said.root.unwrap_or_else(|| root_name(Root::Attack));
    if root != root_name(solve.rules().root) {
        return None;
    }
    let mut is_solved = known.answers(solve);
    let mut is_good = said.verdict == "mate";
    if solve.check {
        let sound = said.sound?;
        is_solved &= sound != Soundness::Undecided.name();
        is_good = sound == Soundness::Sound.name();
        // Of a problem that is not sound no piece is examined.
        if solve.needless && sound != Soundness::Defective.name() {
            is_solved &= said.needless_complete?;
        }
    }
    let is_complement = said.hands.map(|hands| hands == "complement");
    Some(EarlierResult { is_solved, answer: EarlierAnswer { is_complement, is_good } })
}

/// The result in a problem's game; `None` if the file is not a game of this problem.
fn result_from_game(path: &Path, problem: &Problem, asked: Asked) -> Option<EarlierResult> {
    let bytes = fs::read(path).ok()?;
    let games = komabako::kifu::read(&bytes, path.extension()?.to_str()).ok()?;
    let record = &games.first()?.record;
    let is_mate = record.ending() == Some(&Ending::Mate);
    let is_solved = match record.ending() {
        // The comment on a length that is not exact states none.
        Some(Ending::Mate) => asked == Asked::AnyMate || stated::of_record(record).is_some(),
        Some(Ending::NoMate) => true,
        _ => false,
    };
    let comments = || record.node(record.start()).comments();
    let says = |known: Soundness| {
        [Lang::En, Lang::Ja].iter().any(|lang| comments().any(|comment| comment == lang.soundness(known)))
    };
    let is_checked = asked == Asked::Check;
    let is_sound = says(Soundness::Sound);
    let is_solved = is_solved && (!is_checked || is_sound || says(Soundness::Defective));
    let is_good = if is_checked { is_sound } else { is_mate };
    let answer = EarlierAnswer { is_complement: None, is_good };
    (record.initial() == problem.setup()).then_some(EarlierResult { is_solved, answer })
}

/// Whether a file is the game of a problem: then a new answer may replace it.
pub fn is_game_of(path: &Path, problem: &Problem) -> bool {
    result_from_game(path, problem, Asked::AnyMate).is_some()
}

/// Whether the run continues the output that `--skip-solved` names: the same file, or its unfinished part.
pub fn continues(solve: &Solve) -> bool {
    let (Some(earlier), Some(path)) = (&solve.skip_solved, &solve.output.path) else { return false };
    if solve.split {
        return earlier == path;
    }
    earlier.is_file() && is_own(solve, earlier)
}

/// Whether a file is the output of this run, or its unfinished part.
fn is_own(solve: &Solve, file: &Path) -> bool {
    let Some(path) = &solve.output.path else { return false };
    Output::destination(file) == Output::destination(path) || part_file::is_part(file, path)
}

/// Locks the unfinished file that the run continues, if it continues one.
pub fn claim(solve: &Solve, context: &Context) -> Result<Option<Unfinished>, Failure> {
    let (Some(earlier), Some(path)) = (&solve.skip_solved, &solve.output.path) else { return Ok(None) };
    if solve.split || !continues(solve) || !part_file::is_part(earlier, path) {
        return Ok(None);
    }
    let part = part_file::part_of(path);
    match Unfinished::open(&part) {
        Ok(unfinished) => Ok(Some(unfinished)),
        Err(error) if error.kind() == io::ErrorKind::ResourceBusy => Err(in_use(&part, context)),
        Err(error) => Err(Failure::from(DatasetError::Open(part, error))),
    }
}

/// The failure for an unfinished file to which another run writes. It gives no advice to continue the file.
pub fn in_use(part: &Path, context: &Context) -> Failure {
    Failure::CouldNotRun(context.lang.solve_in_use(part.display()))
}

//! [`Earlier`]: the problems that an earlier run solved, read from its output.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use komabako::kifu::{Ending, Format};
use komabako::tsume::{Problem, Rules};
use serde_json::Value;

use super::arguments::Solve;
use super::destination::Form;
use super::input::Task;
use super::part_file;
use crate::command::game_text::numbered;
use crate::context::Context;
use crate::message::Report;
use crate::outcome::Failure;

/// The positions that need not be solved again.
#[derive(Default)]
pub struct Earlier {
    /// Their texts, as the rows have them.
    solved: HashSet<String>,
    games: Option<Games>,
}

/// Files of one game each, written by `--split`.
struct Games {
    path: PathBuf,
    format: Format,
    rules: Rules,
    skip_unknown: bool,
}

/// The result of an earlier row.
#[derive(Clone, Copy, PartialEq, Eq)]
enum EarlierResult {
    Solved,
    /// A limit ended it: the verdict, the exact length or the check.
    Unknown,
}

impl Earlier {
    /// Reads the output that `--skip-solved` names. A missing file counts as empty.
    pub fn read(solve: &Solve, context: &Context) -> Result<Self, Failure> {
        let mut earlier = Earlier::default();
        let Some(path) = &solve.skip_solved else { return Ok(earlier) };
        if let (true, Form::Game(format), true) = (solve.split, solve.output.form, continues(solve)) {
            let (path, rules, skip_unknown) = (path.clone(), solve.rules(), solve.skip_unknown);
            earlier.games = Some(Games { path, format, rules, skip_unknown });
            return Ok(earlier);
        }
        let bytes = match fs::read(path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(earlier),
            Err(error) => {
                let what = context.lang.cannot_open(path.display(), context.lang.io(&error));
                let report = Report::new(what, context.lang.open_help());
                return Err(Failure::CouldNotRun(report.of_kind("open")));
            }
        };
        earlier.read_rows(&String::from_utf8_lossy(&bytes), solve);
        Ok(earlier)
    }

    fn read_rows(&mut self, text: &str, solve: &Solve) {
        let mut add = |sfen: &str, result: EarlierResult| {
            if result == EarlierResult::Solved || solve.skip_unknown {
                self.solved.insert(sfen.to_owned());
            }
        };
        let mut sound_column = None;
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
                sound_column = cells.iter().position(|&name| name == "sound");
            } else if let Some(result) = result_from_row(&cells, sound_column) {
                add(cells[0], result);
            }
        }
    }

    /// Whether a problem, the one of this number in the input, need not be solved.
    pub fn has_solved(&self, task: &Task, number: u64) -> bool {
        self.solved.contains(&task.sfen)
            || self.games.as_ref().is_some_and(|games| {
                let path = numbered(&games.path, games.format, number);
                let Ok(problem) = Problem::new(&task.setup, games.rules) else { return false };
                result_from_game(&path, &problem)
                    .is_some_and(|result| result == EarlierResult::Solved || games.skip_unknown)
            })
    }
}

/// The result in a problem's JSON object.
fn result_from_json(problem: &Value, solve: &Solve) -> Option<EarlierResult> {
    let is_settled = match problem["verdict"].as_str()? {
        "mate" => problem["exact"] != false || solve.any || solve.mate_in.is_some(),
        "no-mate" => true,
        _ => false,
    };
    let is_solved = is_settled && problem["sound"] != "undecided";
    Some(if is_solved { EarlierResult::Solved } else { EarlierResult::Unknown })
}

/// The result in a problem's row; `None` for other lines.
fn result_from_row(cells: &[&str], sound_column: Option<usize>) -> Option<EarlierResult> {
    let is_undecided = sound_column.is_some_and(|column| cells.get(column) == Some(&"undecided"));
    match *cells.get(1)? {
        "mate" | "no-mate" if is_undecided => Some(EarlierResult::Unknown),
        // A length that is not exact begins with `<=`.
        "mate" if cells.get(2)?.starts_with('<') => Some(EarlierResult::Unknown),
        "mate" | "no-mate" => Some(EarlierResult::Solved),
        "unknown" => Some(EarlierResult::Unknown),
        _ => None,
    }
}

/// The result in a problem's game; `None` if the file is not a game of this problem.
fn result_from_game(path: &Path, problem: &Problem) -> Option<EarlierResult> {
    let bytes = fs::read(path).ok()?;
    let games = komabako::kifu::read(&bytes, path.extension()?.to_str()).ok()?;
    let record = &games.first()?.record;
    let result = match record.ending() {
        Some(Ending::Mate | Ending::NoMate) => EarlierResult::Solved,
        _ => EarlierResult::Unknown,
    };
    (record.initial() == problem.setup()).then_some(result)
}

/// Whether a file is the game of a problem: then a new answer may replace it.
pub fn is_game_of(path: &Path, problem: &Problem) -> bool {
    result_from_game(path, problem).is_some()
}

/// Whether a file of rows starts with this header, or is empty or missing.
pub fn has_header(path: &Path, header: &str) -> bool {
    let text = fs::read_to_string(path).unwrap_or_default();
    text.lines().next().is_none_or(|line| line == header)
}

/// Whether the run continues the output that `--skip-solved` names: the same file, or its unfinished part.
pub fn continues(solve: &Solve) -> bool {
    let (Some(earlier), Some(path)) = (&solve.skip_solved, &solve.output.path) else { return false };
    let identity = |path: &Path| fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    if solve.split {
        return earlier == path;
    }
    let earlier_identity = identity(earlier);
    earlier.is_file()
        && (earlier_identity == identity(path) || earlier_identity == identity(&part_file::part_of(path)))
}

//! What `solve` reads: a position of the command line, or lines of positions.

use std::collections::HashSet;
use std::fs;
use std::io::Read;
use std::path::Path;

use komabako::board::Setup;
use komabako::board::sfen;
use komabako::rules::Move16;

use crate::context::Context;
use crate::fault::Fault;
use crate::interrupt::Stdin;
use crate::message::Report;
use crate::outcome::Failure;

/// A problem to solve.
pub struct Task {
    /// The input and the line.
    pub place: String,
    /// The text of the position as it was read.
    pub sfen: String,
    pub setup: Setup,
    /// The author's line.
    pub moves: Vec<Move16>,
    /// What follows the position on its line, with the tab before it.
    pub rest: String,
}

/// Reads all problems. A line without a position ends it: no problem is passed over in silence.
pub fn read(context: &Context, inputs: &[String], skip: Option<&Path>) -> Result<Vec<Task>, Failure> {
    let solved = match skip {
        Some(path) => solved_before(context, path)?,
        None => HashSet::new(),
    };
    let words = inputs.join(" ");
    let is_file = |input: &String| input == "-" || Path::new(input).is_file();
    let mut tasks = Vec::new();
    if inputs.is_empty() {
        lines(context, "-", &mut tasks)?;
    } else if inputs.iter().any(is_file) {
        for input in inputs {
            lines(context, input, &mut tasks)?;
        }
    } else {
        let mut texts: Vec<&str> = inputs.iter().map(String::as_str).collect();
        // A position may be given without quotes.
        if inputs.len() > 1 && sfen::parse(inputs[0].as_str()).is_err() {
            texts = vec![&words];
        }
        for text in texts {
            tasks.push(task(context, text, None)?);
        }
    }
    tasks.retain(|task| !solved.contains(&task.sfen));
    Ok(tasks)
}

fn lines(context: &Context, input: &str, tasks: &mut Vec<Task>) -> Result<(), Failure> {
    let text = contents(context, Path::new(input))?;
    for (number, line) in (1..).zip(text.lines()) {
        // A blank line, a comment, or the header of a table.
        if line.trim().is_empty() || line.starts_with('#') || line.split('\t').next() == Some("sfen") {
            continue;
        }
        tasks.push(task(context, line, Some((input, number)))?);
    }
    Ok(())
}

fn contents(context: &Context, path: &Path) -> Result<String, Failure> {
    let lang = context.lang;
    let mut bytes = Vec::new();
    let read = if path == Path::new("-") {
        Stdin::open(false).read_to_end(&mut bytes).map(|_| ())
    } else {
        fs::read(path).map(|read| bytes = read)
    };
    read.map_err(|error| {
        let what = lang.cannot_open(path.display(), lang.io(&error));
        Failure::CouldNotRun(Report::new(what, lang.open_help()).of_kind("open"))
    })?;
    String::from_utf8(bytes).map_err(|_| {
        let what = lang.not_text(path.display());
        Failure::CouldNotRun(Report::new(what, lang.not_text_help(path.display())).of_kind("not_text"))
    })
}

/// The problem of a text or line.
fn task(context: &Context, line: &str, place: Option<(&str, usize)>) -> Result<Task, Failure> {
    let lang = context.lang;
    let (text, rest) = line.find('\t').map_or((line, ""), |tab| line.split_at(tab));
    let at = |column: Option<usize>, why: String| {
        let what = match (place, column) {
            (Some((input, number)), Some(column)) => lang.at_column(input, number, column, why),
            (Some((input, number)), None) => lang.at_line(input, number, why),
            (None, Some(column)) => lang.position_at_column(column, why),
            (None, None) => why,
        };
        Failure::CouldNotRun(Report::new(what, lang.solve_input_help()).of_kind("problem"))
    };
    let text = text.trim();
    let (sfen, moves) =
        sfen::parse_game(text).map_err(|error| at(Some(error.column), lang.fault(&Fault::Sfen(error))))?;
    let mut line = Vec::new();
    for (number, mv) in (1..).zip(moves) {
        let mv = mv.map_err(|error| at(None, lang.not_a_move(number, lang.usi_error(&error))))?;
        line.push(Move16::from_move(mv).unwrap_or(Move16::NONE));
    }
    let place = place.map_or_else(String::new, |(input, number)| format!("{input}:{number}"));
    Ok(Task { place, sfen: text.to_owned(), setup: sfen.setup, moves: line, rest: rest.to_owned() })
}

/// The positions that an earlier output holds with a verdict.
fn solved_before(context: &Context, path: &Path) -> Result<HashSet<String>, Failure> {
    let text = match fs::read_to_string(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(HashSet::new()),
        Err(_) => contents(context, path)?,
        Ok(text) => text,
    };
    let mut solved = HashSet::new();
    for line in text.lines() {
        if let Ok(value) = serde_json::from_str::<serde_json::Value>(line) {
            let verdict = value.get("verdict").and_then(|verdict| verdict.as_str());
            if let (Some(sfen), Some("mate" | "no-mate")) =
                (value.get("sfen").and_then(|sfen| sfen.as_str()), verdict)
            {
                solved.insert(sfen.to_owned());
            }
        } else if let Some((sfen, _)) = line.split_once('\t') {
            solved.insert(sfen.to_owned());
        }
    }
    Ok(solved)
}

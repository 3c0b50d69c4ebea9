//! The input of `solve`: a position on the command line, lines of positions, game records, or files of records.

use std::collections::{HashSet, VecDeque};
use std::fs;
use std::io::{self, Cursor, IsTerminal, Read, Write};
use std::path::Path;

use komabako::board::sfen::{self, Sfen};
use komabako::board::{Setup, color, usi};
use komabako::dataset::detect::{self, Foreign};
use komabako::dataset::kifu::{GameFile, Sources, is_game_file};
use komabako::dataset::{Block, Compression, DatasetError, FileFormat, Name, read_whole};
use komabako::kifu::{self, Fault as KifuFault, Format, Game, Notation, Record, Text, encoding};
use komabako::rules::Move16;
use komabako::tsume::AuthorVariation;

use super::arguments::Solve;
use super::refused::{Origin, Refused, Unsolved};
use super::resume::Earlier;
use super::stated;
use crate::command::records::{self, Records};
use crate::command::{game, game_file, job};
use crate::context::Context;
use crate::fault::Fault;
use crate::interrupt::Stdin;
use crate::message::{Lang, Report};
use crate::outcome::Failure;

pub struct Task {
    /// The text of the position as it was read.
    pub sfen: String,
    pub setup: Setup,
    /// The author's line.
    pub moves: Vec<Move16>,
    /// The author's other lines, from a record that has some.
    pub variations: Vec<AuthorVariation>,
    /// The length that the author states.
    pub stated: Option<u16>,
    /// The text after the position on its line, with the tab before it.
    pub rest: String,
    pub origin: Origin,
    /// Its place in the input, from 1, counting skipped problems too.
    pub number: u64,
}

impl Task {
    /// A problem without an author's line.
    pub fn new(sfen: String, setup: Setup, origin: Origin) -> Self {
        let rest = String::new();
        Task { sfen, setup, moves: Vec::new(), variations: Vec::new(), stated: None, rest, origin, number: 0 }
    }
}

/// The problems, in order. Text is read whole before anything is solved, so that an error is found at once; files of records,
/// which may be larger than memory, are read a block at a time.
pub struct Tasks {
    sources: VecDeque<Source>,
    /// The number of problems read from the input.
    read: u64,
    /// The names of the columns after the positions, empty for those without one.
    columns: Vec<String>,
    earlier: Earlier,
    lang: Lang,
}

enum Source {
    Ready(VecDeque<Result<Task, Box<Refused>>>),
    Records(Box<RecordFile>),
}

struct RecordFile {
    name: Name,
    format: FileFormat,
    records: Records,
    block: Block,
    next: usize,
    /// Whether `--on-error` asks for the problems of an input whose end cannot be read.
    skips_tail: bool,
}

impl Tasks {
    /// The number of problems in the input, including those that an earlier run solved; `None` if it is unknown before they
    /// are read.
    pub fn input_count(&self) -> Option<usize> {
        let count = |source: &Source| match source {
            Source::Ready(tasks) => Some(tasks.len()),
            Source::Records(_) => None,
        };
        self.sources.iter().map(count).sum()
    }

    /// The names of the columns of the input, which rows of answers keep; empty for those without a name.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// Whether the exit code is 1 for a problem that was skipped.
    pub fn has_bad(&self) -> bool {
        self.earlier.has_bad()
    }

    /// The number of problems to solve; `None` if it is unknown before they are read.
    pub fn known_count(&mut self) -> Option<usize> {
        self.input_count()?;
        let tasks = self.sources.iter().flat_map(|source| match source {
            Source::Ready(tasks) => tasks.iter(),
            Source::Records(_) => Default::default(),
        });
        let earlier = &mut self.earlier;
        let is_left = |(number, task): &(u64, &Result<Task, _>)| match task {
            Ok(task) => !earlier.skips(task, *number),
            Err(_) => true,
        };
        let count = (1..).zip(tasks).filter(is_left).count();
        earlier.rewind();
        Some(count)
    }

    /// The next problem, or what is not one.
    fn next_unsolved(&mut self) -> Option<Result<Task, Unsolved>> {
        loop {
            let next = match self.sources.front_mut()? {
                Source::Ready(tasks) => tasks.pop_front().map(|task| task.map_err(Unsolved::Refused)),
                Source::Records(file) => file.next(self.lang),
            };
            let Some(next) = next else {
                self.sources.pop_front();
                continue;
            };
            self.read += 1;
            match next {
                Ok(task) if self.earlier.skips(&task, self.read) => {}
                next => return Some(next.map(|task| Task { number: self.read, ..task })),
            }
        }
    }
}

impl Iterator for Tasks {
    type Item = Result<Task, Unsolved>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = self.next_unsolved()?;
        if matches!(&next, Err(Unsolved::Failed(_))) {
            self.sources.clear();
        }
        Some(next)
    }
}

impl RecordFile {
    fn next(&mut self, lang: Lang) -> Option<Result<Task, Unsolved>> {
        while self.next == self.block.len() {
            self.next = 0;
            match self.records.next_block(&mut self.block) {
                Ok(true) => {}
                Ok(false) => return None,
                Err(error) => return Some(Err(self.not_read(error, lang))),
            }
        }
        let index = self.next;
        self.next += 1;
        let number = self.block.first_record() + index as u64;
        let origin = Origin {
            input: self.name.clone(),
            number,
            offset: self.block.offset(index),
            line: None,
            content: [self.block.record(index), if self.format.is_text() { b"\n" } else { b"" }].concat(),
            is_record: true,
        };
        Some(match self.block.decode(self.format, index) {
            Ok(record) => {
                let sfen = Sfen { setup: record.setup, ply: record.labels.ply }.to_string();
                Ok(Task::new(sfen, record.setup, origin))
            }
            Err(fault) => {
                let what = origin.place(lang, lang.record_fault(&fault));
                let origin = Origin { line: self.block.line(index), ..origin };
                Err(origin.refuse("bad_record", what, None).into())
            }
        })
    }

    /// Why the next records cannot be read. A truncated or damaged input is like a bad record, but ends the job by default: where
    /// it ends, all other problems may be missing.
    fn not_read(&self, error: DatasetError, lang: Lang) -> Unsolved {
        let DatasetError::Tail(tail) = &error else { return Failure::from(error).into() };
        if tail.cause.is_unsupported() {
            return Failure::from(error).into();
        }
        if !self.skips_tail {
            return Failure::with_help(&error, lang.solve_tail_help(), lang).into();
        }
        let origin = Origin {
            input: tail.input.clone(),
            number: tail.records,
            offset: tail.offset,
            is_record: true,
            ..Origin::default()
        };
        origin.refuse(error.kind(), lang.say(&**tail), None).into()
    }
}

/// Opens the inputs. A line without a position ends the job, unless the user asked to leave it out.
pub fn open(context: &Context, solve: &Solve, earlier: Earlier) -> Result<Tasks, Failure> {
    let inputs = &solve.inputs;
    let is_file = |input: &String| input == "-" || is_readable(Path::new(input));
    let mut sources = VecDeque::new();
    let mut columns = Vec::new();
    if inputs.is_empty() {
        if io::stdin().is_terminal() {
            // Standard error may be closed; the positions are read all the same.
            let _ = writeln!(context.stderr(), "{}", context.lang.solve_reads_stdin());
        }
        sources.push_back(file(context, solve, "-", &mut columns)?);
    } else if solve.from.is_some()
        || is_file(&inputs[0])
        || !is_position(&inputs[0]) && inputs.iter().any(is_file)
    {
        for input in inputs {
            sources.push_back(file(context, solve, input, &mut columns)?);
        }
    } else {
        let mut tasks = VecDeque::new();
        for text in positions(inputs) {
            let has_position = match Text::of(&text) {
                Text::Position { sfen, .. } => sfen::parse(sfen).is_ok(),
                _ => false,
            };
            // It may be the name of a file that does not exist.
            if !has_position && let Some(error) = game_file::missing(&text) {
                return Err(error.into());
            }
            tasks.push_back(task(context.lang, &text, None));
        }
        sources.push_back(Source::Ready(tasks));
    }
    if solve.stops_at(false) {
        for source in &mut sources {
            let Source::Ready(tasks) = source else { continue };
            let refused = tasks.iter().position(Result::is_err).and_then(|place| tasks.remove(place));
            if let Some(Err(refused)) = refused {
                return Err(refused.into_failure());
            }
        }
    }
    let tasks = Tasks { sources, read: 0, columns, earlier, lang: context.lang };
    if tasks.input_count() == Some(0) {
        return Err(Failure::CouldNotRun(context.lang.solve_empty()));
    }
    Ok(tasks)
}

/// Whether a path is that of a file, a pipe or a device.
fn is_readable(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|known| !known.is_dir())
}

fn is_position(text: &str) -> bool {
    matches!(Text::of(text), Text::Position { .. })
}

/// The positions among arguments. One that is given without quotes takes several arguments.
fn positions(inputs: &[String]) -> Vec<String> {
    let mut texts: Vec<String> = Vec::new();
    for input in inputs {
        match texts.last_mut() {
            Some(last) if !is_position(input) || ["position", "sfen", "position sfen"].contains(&&**last) => {
                *last += " ";
                *last += input;
            }
            _ => texts.push(input.clone()),
        }
    }
    texts
}

/// Opens a file as the kind that its name or its content shows.
fn file(context: &Context, solve: &Solve, input: &str, columns: &mut Vec<String>) -> Result<Source, Failure> {
    let path = Path::new(input);
    let name = job::name(path, context.lang.stdin());
    let from = solve.from;
    if job::is_dash(path) && from.is_none() {
        return text(context, solve, &name, contents(path)?, columns);
    }
    if from.is_none() && is_game_file(path) {
        let games = game_file::all(Sources::find(&[path.to_owned()], false)?, context.lang)?;
        return Ok(Source::Ready(of_games(games, &name, context.lang)));
    }
    // Lines of positions may have comments, columns and a header, which the text formats of records do not allow.
    let is_binary = |format: Option<FileFormat>| format.is_some_and(|format| !format.is_text());
    // Detection would consume a pipe. Its content is text, or records of the format that --from names.
    let detected = || {
        if path.is_file() {
            detect::detect_path(path).ok().and_then(|detection| detection.format)
        } else {
            None
        }
    };
    if from.is_none() && !is_binary(detected()) {
        return text(context, solve, &name, contents(path)?, columns);
    }
    let (detection, records) = records::open(path, from, context)?;
    let Some((format, records)) = detection.format.zip(records) else {
        return Ok(Source::Ready(VecDeque::new()));
    };
    let block = Block::default();
    let skips_tail = solve.on_error.is_some() && !solve.stops_at(true);
    Ok(Source::Records(Box::new(RecordFile { name, format, records, block, next: 0, skips_tail })))
}

/// The problems in a text: lines, or a game record on standard input. `columns`: the names of their columns after the position, of
/// the first header that has one; as many as the longest line has.
fn text(
    context: &Context,
    solve: &Solve,
    input: &Name,
    mut bytes: Vec<u8>,
    columns: &mut Vec<String>,
) -> Result<Source, Failure> {
    let lang = context.lang;
    if let Some(what) = Foreign::from_magic(&bytes) {
        let error = DatasetError::Unsupported { input: input.clone(), what };
        return Err(Failure::from(error));
    }
    let not_text = || Failure::CouldNotRun(lang.not_text(input));
    match encoding::decode(&bytes) {
        Ok(decoded) => match Format::detect(&decoded.text) {
            Some(Format::Kif | Format::Ki2 | Format::Csa | Format::Csa3 | Format::Jkf) => {
                let file = GameFile::from_reader(input.to_string(), Cursor::new(bytes));
                let games = game_file::all([file], lang)?;
                return Ok(Source::Ready(of_games(games, input, lang)));
            }
            Some(Format::Usi) => bytes = decoded.text.into_owned().into_bytes(),
            _ => {}
        },
        // An encoding that is recognized, but not read.
        Err(error) if error.fault == KifuFault::Encoding && !error.text.is_empty() => {
            let what = format!("{input}: {}", lang.say(&error));
            let help = error.advice().map(|advice| lang.say(&advice));
            return Err(Failure::CouldNotRun(Report { help, ..Report::plain(what) }.of_kind("not_text")));
        }
        Err(_) => {}
    }
    // Of a binary file, no single line is the fault.
    if str::from_utf8(&bytes).is_err() && solve.stops_at(false) {
        return Err(not_text());
    }
    let mut tasks = VecDeque::new();
    let byte_order_mark = if bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
    let mut offset = byte_order_mark;
    for (number, whole) in (1..).zip(bytes[byte_order_mark..].split_inclusive(|&byte| byte == b'\n')) {
        let content = whole.strip_suffix(b"\n").unwrap_or(whole);
        let line = str::from_utf8(content.strip_suffix(b"\r").unwrap_or(content));
        let origin = Origin {
            input: input.clone(),
            number: tasks.len() as u64,
            offset: offset as u64,
            line: Some(number),
            content: [content, b"\n"].concat(),
            is_record: false,
        };
        offset += whole.len();
        tasks.extend(match line {
            // A blank line, a comment, or the header of a table.
            Ok(line) if line.trim().is_empty() || line.starts_with('#') => None,
            Ok(line) if line.split('\t').next() == Some("sfen") => {
                let names = line.split('\t').skip(1 + columns.len());
                columns.extend(names.map(str::to_owned));
                None
            }
            Ok(line) => {
                let count = line.matches('\t').count();
                columns.resize(columns.len().max(count), String::new());
                Some(task(lang, line, Some(origin)))
            }
            Err(error) => {
                let column = 1 + String::from_utf8_lossy(&content[..error.valid_up_to()]).chars().count();
                let what = lang.at_column(input, number, column, lang.line_not_utf8());
                Some(Err(origin.refuse("problem", what, Some(lang.solve_others_help()))))
            }
        });
    }
    Ok(Source::Ready(tasks))
}

/// The start positions of games, with their main lines as the author's lines.
fn of_games(
    games: impl IntoIterator<Item = game_file::Read>,
    input: &Name,
    lang: Lang,
) -> VecDeque<Result<Task, Box<Refused>>> {
    let task = |(number, game): (u64, game_file::Read)| {
        let origin = Origin { input: input.clone(), number, ..Origin::default() };
        let game = game.map_err(|what| origin.refuse("bad_game", what, Some(lang.solve_others_help())))?;
        let Game { record, line, .. } = game.1;
        let setup = record.initial();
        let sfen = Sfen { setup, ply: Some(record.first_ply()) }.to_string();
        Ok(Task {
            moves: record.main_line().filter_map(|id| record.node(id).as_move()).collect(),
            variations: variations(&record),
            stated: stated::of_record(&record),
            ..Task::new(sfen, setup, Origin { line: Some(line.into()), ..origin })
        })
    };
    (0..).zip(games).map(task).collect()
}

/// The lines of a record beside the main line, each with the ply where it leaves the lines before it.
fn variations(record: &Record) -> Vec<AuthorVariation> {
    let mut seen = HashSet::new();
    let mut found = Vec::new();
    for nodes in record.lines() {
        let line: Vec<Move16> = nodes.iter().filter_map(|&id| record.node(id).as_move()).collect();
        let new = nodes.iter().position(|&id| !seen.contains(&id));
        if let Some(index) = new.filter(|&index| index < line.len() && !seen.is_empty()) {
            let stated = stated::of_variation(record, nodes[index]);
            found.push(AuthorVariation { ply: (index + 1) as u16, line, stated });
        }
        seen.extend(nodes);
    }
    found
}

/// The bytes of a file or of standard input, decompressed.
fn contents(path: &Path) -> Result<Vec<u8>, DatasetError> {
    let failed = |offset, error| DatasetError::Read { input: Name::from(path), offset, error };
    let bytes = if job::is_dash(path) {
        let mut bytes = Vec::new();
        Stdin::open(false).read_to_end(&mut bytes).map_err(|error| failed(0, error))?;
        bytes
    } else {
        // No handler of signals is set yet, so that one ends the wait for a pipe.
        read_whole(path)?
    };
    let compression = Compression::from_magic(&bytes);
    if matches!(compression, Compression::None | Compression::Archive(_)) {
        return Ok(bytes);
    }
    let mut content = Vec::new();
    let decoder = compression.decoder(&*bytes);
    match decoder.and_then(|mut decoder| decoder.read_to_end(&mut content)) {
        Ok(_) => Ok(content),
        Err(error) => {
            Err(DatasetError::Read { input: Name::from(path), offset: content.len() as u64, error })
        }
    }
}

/// The problem in a line, or in a text of the command line, which has no origin.
fn task(lang: Lang, line: &str, origin: Option<Origin>) -> Result<Task, Box<Refused>> {
    let (text, rest) = line.find('\t').map_or((line, ""), |tab| line.split_at(tab));
    let indent = text.chars().take_while(|c| c.is_whitespace()).count();
    let origin = origin.unwrap_or_default();
    let refused = |column: Option<usize>, why: String| {
        let what = match (origin.line, column.map(|column| column + indent)) {
            (Some(line), Some(column)) => lang.at_column(&origin.input, line, column, why),
            (None, Some(column)) => lang.position_at_column(column, why),
            (_, None) => origin.place(lang, why),
        };
        let help = if origin.line.is_some() { lang.solve_others_help() } else { lang.solve_input_help() };
        origin.refuse("problem", what, Some(help))
    };
    let text = text.trim();
    let (position, moves) = match Text::of(text) {
        Text::Position { sfen, moves } => (sfen, moves),
        _ => (text, ""),
    };
    let sfen = sfen::parse(position)
        .map_err(|error| refused(Some(error.column), lang.fault(&Fault::Sfen(error))))?;
    let moves = author_line(text, &sfen, moves, lang).map_err(|why| refused(None, why))?;
    let stated = stated::of_text(rest);
    Ok(Task { moves, stated, rest: rest.to_owned(), ..Task::new(text.to_owned(), sfen.setup, origin) })
}

/// The moves after a position. Those in USI need not be legal: the answer then names the illegal one.
fn author_line(text: &str, sfen: &Sfen, moves: &str, lang: Lang) -> Result<Vec<Move16>, String> {
    if kifu::moves(moves).any(|word| Notation::of(word) != Notation::Usi) {
        let started = game::start(text, lang).map_err(|failure| failure.what(lang))?;
        return Ok(started.game.moves().collect());
    }
    let side = sfen.setup.side_to_move();
    let sides = [side, color::opponent(side)].into_iter().cycle();
    let mut line = Vec::new();
    for (number, (word, side)) in (1..).zip(kifu::moves(moves).zip(sides)) {
        let mv =
            usi::parse(word, side).map_err(|error| lang.not_a_move(number, word, lang.say(&error.what())))?;
        line.push(Move16::from_move(mv).unwrap_or(Move16::NONE));
    }
    Ok(line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::solve::resume::Earlier;

    fn tasks(sfens: &[&str], earlier: Earlier) -> Tasks {
        let task =
            |sfen: &&str| Task::new((*sfen).to_owned(), sfen::parse(*sfen).unwrap().setup, Origin::default());
        let sources = VecDeque::from([Source::Ready(sfens.iter().map(task).map(Ok).collect())]);
        Tasks { sources, read: 0, columns: Vec::new(), earlier, lang: Lang::En }
    }

    #[test]
    fn problems_of_the_input_are_counted_with_those_solved_earlier() {
        let [a, b] = ["4k4/9/9/9/9/9/9/9/9 b G 1", "4k4/9/9/9/9/9/9/9/9 b R 1"];
        let mut resumed = tasks(&[a, b, a, a], Earlier::with_answers(&[a, b, a], true));
        assert_eq!((resumed.input_count(), resumed.known_count()), (Some(4), Some(1)));
        let numbers: Vec<u64> = resumed.map(|task| task.ok().unwrap().number).collect();
        assert_eq!(numbers, [4]);
        let mut other = tasks(&[a, b, a, a], Earlier::with_answers(&[a], false));
        assert_eq!((other.input_count(), other.known_count()), (Some(4), Some(1)));
        let mut one = tasks(&[a], Earlier::default());
        assert_eq!((one.input_count(), one.known_count()), (Some(1), Some(1)));
    }
}

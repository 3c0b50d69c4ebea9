//! [`Games`]: the games of files, archives and folders, and [`Game`].

use std::borrow::Cow;
use std::collections::VecDeque;
use std::mem::take;
use std::num::NonZero;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::sync::{Arc, Mutex};
use std::thread;

use komabako::board::{Color, Sfen, color};
use komabako::dataset::kifu::{
    BadGame, Format, Found, GameFile, MissingScore, PassedBy, PositionOptions, ReadOptions, Sources,
    Unfinished, records_of_game, scores_of_game,
};
use komabako::dataset::{DatasetError, Name};
use komabako::kifu::{NodeId, Outcome, Record, Step};
use komabako::variants::WordFormat;
use numpy::{PyArray1, PyArray2};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;

use crate::arguments::packing_of_words;
use crate::fault::{Fault, format_error, game_error, pack_error};
use crate::own::Own;
use crate::position::{checked_score, records_array};
use crate::stream::SIGNAL_INTERVAL;

/// The number of games that travel at once: waking the other thread for each took longer than reading it.
const GROUP: usize = 32;

/// The most groups of games that a thread reads ahead.
const AHEAD: usize = 8;

/// The most threads that read: more would be faster than Python.
const READERS: usize = 4;

/// What a reader finds.
enum Item {
    Game(Box<Game>),
    Bad(BadGame),
    PassedBy(Name, PassedBy),
    Failed(Name, DatasetError),
    /// The files of a thread were read. A closed channel may also mean that it panicked.
    End,
}

/// What becomes of bad games.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OnBadGame {
    Raise,
    Skip,
    Yield,
}

/// An iterator over games, which other threads read.
#[pyclass(frozen, module = "komabako.objects")]
pub struct Games {
    state: Own<Receiving>,
    on_error: OnBadGame,
    /// The number of bad games that were left out.
    left_out: AtomicU64,
}

/// What is found in some files.
type Items = Receiver<Vec<Item>>;

/// The threads' end of the reading.
struct Reading {
    sources: Sources,
    /// Gets the items of all files in their order, then `None`; itself `None` after that.
    sender: Option<SyncSender<Option<Items>>>,
}

/// Python's end of the reading.
struct Receiving {
    receiver: Receiver<Option<Items>>,
    /// Those of the files whose turn it is.
    items: Option<Items>,
    /// The rest of the group that was received last.
    group: std::vec::IntoIter<Item>,
    is_over: bool,
}

impl Receiving {
    /// The next item, again and again the end once it is reached; waits for at most `SIGNAL_INTERVAL`.
    fn next(&mut self) -> Result<Item, RecvTimeoutError> {
        loop {
            match self.group.next() {
                Some(Item::End) => self.items = None,
                Some(item) => return Ok(item),
                None => {}
            }
            if self.is_over {
                return Ok(Item::End);
            }
            match &self.items {
                Some(items) => self.group = items.recv_timeout(SIGNAL_INTERVAL)?.into_iter(),
                None => {
                    self.items = self.receiver.recv_timeout(SIGNAL_INTERVAL)?;
                    self.is_over = self.items.is_none();
                }
            }
        }
    }
}

#[pymethods]
impl Games {
    #[new]
    #[pyo3(signature = (paths, recursive, on_error, /))]
    fn new(py: Python, paths: Vec<PathBuf>, recursive: bool, on_error: &str) -> PyResult<Games> {
        let on_error = match on_error {
            "raise" => OnBadGame::Raise,
            "skip" => OnBadGame::Skip,
            "yield" => OnBadGame::Yield,
            _ => {
                let text = format!("on_error is \"raise\", \"skip\" or \"yield\", not {on_error:?}");
                return Err(PyValueError::new_err(text));
            }
        };
        let first = paths.first().cloned().unwrap_or_default();
        let sources = py.detach(|| Sources::find(&paths, recursive));
        let sources = sources.map_err(|error| format_error(py, &first, &error))?;
        let wanted = thread::available_parallelism().map_or(1, NonZero::get).min(READERS);
        let readers = sources.paths().count().clamp(1, wanted);
        let (sender, receiver) = mpsc::sync_channel(readers);
        let reading = Arc::new(Mutex::new(Reading { sources, sender: Some(sender) }));
        for number in 0..readers {
            let reading = Arc::clone(&reading);
            match thread::Builder::new().spawn(move || read_files(&reading)) {
                Ok(_) => {}
                Err(error) if number == 0 => {
                    return Err(format_error(py, &first, &DatasetError::Thread(error)));
                }
                // The others do its work.
                Err(_) => break,
            }
        }
        let state = Receiving { receiver, items: None, group: Vec::new().into_iter(), is_over: false };
        Ok(Games { state: Own::new(state), on_error, left_out: AtomicU64::new(0) })
    }

    const fn __iter__(slf: PyRef<Self>) -> PyRef<Self> {
        slf
    }

    /// The next game, or error of one.
    fn __next__(&self, py: Python) -> PyResult<Option<Py<PyAny>>> {
        self.state.check()?;
        loop {
            match py.detach(|| self.state.with(Receiving::next)) {
                Ok(Item::Game(game)) => return Ok(Some((*game).into_py_any(py)?)),
                Ok(Item::Bad(bad)) => match self.on_error {
                    OnBadGame::Raise => return Err(game_error(py, &bad)),
                    OnBadGame::Skip => {
                        self.left_out.fetch_add(1, Ordering::Relaxed);
                    }
                    OnBadGame::Yield => return Ok(Some(game_error(py, &bad).into_py_any(py)?)),
                },
                Ok(Item::PassedBy(name, what)) => warn(py, passed_by(&name, &what))?,
                Ok(Item::Failed(name, error)) => return Err(format_error(py, Path::new(&*name), &error)),
                Err(RecvTimeoutError::Timeout) => py.check_signals()?,
                Ok(Item::End) => {
                    // Once, though the end may be asked for again.
                    match self.left_out.swap(0, Ordering::Relaxed) {
                        0 => {}
                        bad => warn(py, format!("left out {bad} bad games"))?,
                    }
                    return Ok(None);
                }
                Err(RecvTimeoutError::Disconnected) => {
                    let text = "the reader of games panicked, and its message is on standard error; please report this";
                    return Err(PyRuntimeError::new_err(text));
                }
            }
        }
    }
}

/// Reads one group of files after the other, until there are no more or nobody receives what is found.
fn read_files(reading: &Mutex<Reading>) {
    loop {
        let Ok(mut locked) = reading.lock() else { return };
        let Some(sender) = locked.sender.clone() else { return };
        let files = locked.sources.next_group();
        if files.is_empty() {
            locked.sender = None;
            let _ = sender.send(None);
            return;
        }
        let (items, received) = mpsc::sync_channel(AHEAD);
        // While it is locked, so that the groups are in order.
        if sender.send(Some(received)).is_err() {
            return;
        }
        drop(locked);
        let mut group = Vec::new();
        for file in files {
            if send_games(file, &items, &mut group).is_break() {
                return;
            }
        }
        group.push(Item::End);
        if items.send(group).is_err() {
            return;
        }
    }
}

/// Reads a file, and sends what is found in groups, until nobody receives it.
fn send_games(file: GameFile, sender: &SyncSender<Vec<Item>>, group: &mut Vec<Item>) -> ControlFlow<()> {
    let name = file.name.clone();
    file.read(ReadOptions::default(), |found| {
        let item = match found {
            Found::Bytes(_) | Found::Notice(_) => return ControlFlow::Continue(()),
            Found::PassedBy(what) => Item::PassedBy(name.clone(), what),
            Found::Bad(fault) => Item::Bad(BadGame { input: name.clone(), fault }),
            Found::Failed(error) => Item::Failed(name.clone(), error),
            Found::Game { format, game, number } => {
                Item::Game(Box::new(Game { path: name.clone(), format, number, record: game.record }))
            }
        };
        group.push(item);
        if group.len() >= GROUP && sender.send(take(group)).is_err() {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    })
}

/// What is not read.
fn passed_by(name: &Name, what: &PassedBy) -> String {
    match what {
        PassedBy::LinkedFolder => format!("{name}: a link to a folder, which is not searched"),
        PassedBy::OtherJson => format!("{name}: not read, because it is JSON without `moves`"),
        PassedBy::Members { count, first } => {
            format!("{name}: {count} members do not have names of game records, such as {first}")
        }
    }
}

/// Warns of what was left out.
fn warn(py: Python, text: String) -> PyResult<()> {
    let category = py.import("komabako.errors")?.getattr("LeftOutWarning")?;
    py.import("warnings")?.call_method1("warn", (text, category, 2))?;
    Ok(())
}

/// A game that was read.
///
/// Moves are those of the main line, and the arrays of their times and scores have as many elements.
#[pyclass(frozen, module = "komabako.objects")]
pub struct Game {
    path: Name,
    format: Format,
    number: Option<u32>,
    record: Record,
}

#[pymethods]
impl Game {
    /// The file, or ``ARCHIVE!MEMBER``.
    #[getter]
    fn path(&self) -> &str {
        &self.path
    }

    /// The format of the file: ``"kif"``, ``"ki2"``, ``"csa"``, ``"csa3"``, ``"jkf"`` or ``"usi"``.
    #[getter]
    fn format(&self) -> &'static str {
        self.format.name()
    }

    /// The number of the game in its file, from 1, or None if the file has one game.
    #[getter]
    fn number(&self) -> Option<u32> {
        self.number
    }

    /// The names of Black and White, each None if the file has none.
    #[getter]
    fn names(&self) -> (Option<&str>, Option<&str>) {
        (self.record.player(Color::Black), self.record.player(Color::White))
    }

    /// The ratings of Black and White, each None if the file has none.
    #[getter]
    fn ratings(&self) -> (Option<f64>, Option<f64>) {
        (self.record.rating(Color::Black), self.record.rating(Color::White))
    }

    /// The event (棋戦), in the file's words.
    #[getter]
    fn event(&self) -> Option<&str> {
        self.record.event()
    }

    /// When the game began, in the file's words.
    #[getter]
    fn date(&self) -> Option<&str> {
        self.record.date()
    }

    /// The time control (持ち時間), in the file's words.
    #[getter]
    fn time_control(&self) -> Option<&str> {
        self.record.time_control()
    }

    /// The header, ``list[tuple[str, str]]``: keys with KIF's names, in the order of the file.
    #[getter]
    fn header(&self) -> Vec<(String, String)> {
        self.record.header().to_vec()
    }

    /// The winner, ``"black"`` or ``"white"``, or ``"draw"``; None if the game is not finished.
    #[getter]
    fn result(&self) -> Option<&'static str> {
        Some(match self.record.result()? {
            Outcome::Win(Color::Black) => "black",
            Outcome::Win(Color::White) => "white",
            Outcome::Draw => "draw",
        })
    }

    /// How the game ended, by CSA's name such as ``"TORYO"``, or else in the file's words; None if the file does not say.
    #[getter]
    fn end(&self) -> Option<String> {
        self.record.ending_name().map(|name| name.into_owned())
    }

    /// The comment on the end of the game, such as that below 投了; empty without one.
    #[getter]
    fn end_comment(&self) -> Cow<'_, str> {
        self.end_of_line().map_or(Cow::Borrowed(""), |id| self.comment(id))
    }

    /// The seconds spent before the game was ended, as by resigning; None if the file does not say.
    #[getter]
    fn end_time(&self) -> Option<f64> {
        self.seconds(self.end_of_line()?)
    }

    /// The start position as SFEN text, with the ply.
    #[getter]
    fn sfen(&self) -> String {
        Sfen { setup: self.record.initial(), ply: Some(self.record.first_ply()) }.to_string()
    }

    /// The moves, u2[n], as in PSV. `moves_to_usi` writes them as text, and `Position.push` takes each.
    #[getter]
    fn moves<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u16>> {
        let moves = self.record.main_line().filter_map(|id| self.record.node(id).as_move());
        PyArray1::from_iter(py, moves.map(|mv| mv.bits()))
    }

    /// The seconds spent on each move, f8[n], NaN if the file does not say.
    #[getter]
    fn times<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_iter(py, self.moves_of_line().map(|id| self.seconds(id).unwrap_or(f64::NAN)))
    }

    /// The scores of the positions before each move, f4[n], seen by the side to move, NaN if the file has none; as of `komabako kifu`.
    #[getter]
    fn scores<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f32>> {
        let scores = scores_of_game(&self.record, &PositionOptions::default());
        PyArray1::from_iter(py, scores.into_iter().map(|score| score.map_or(f32::NAN, f32::from)))
    }

    /// The comments, ``list[str]``: that of the start, then that of each move, lines joined by line feeds.
    #[getter]
    fn comments(&self) -> Vec<Cow<'_, str>> {
        let start = std::iter::once(self.record.start());
        start.chain(self.moves_of_line()).map(|id| self.comment(id)).collect()
    }

    /// The other lines, ``list[Variation]``, as a tree: each has the number of its first move, its moves with their comments and times,
    /// its ending, and the lines that leave it.
    #[getter]
    fn variations(&self, py: Python) -> PyResult<Py<PyAny>> {
        let kind = py.import("komabako.objects")?.getattr("Variation")?;
        let mut pending = vec![Line::new(&self.record, self.record.start())];
        // Depth first with a list, since a file may nest its lines deeply.
        loop {
            let Some(line) = pending.last_mut() else { unreachable!("the main line ends the loop") };
            if let Some(next) = line.branches.pop_front() {
                pending.push(Line::new(&self.record, next));
                continue;
            }
            let Some(line) = pending.pop() else { unreachable!("there was a last one") };
            let Some(parent) = pending.last_mut() else {
                return line.variations.into_py_any(py);
            };
            let moves = line.nodes.iter().filter_map(|&id| self.record.node(id).as_move());
            let moves: Vec<String> = moves.map(|mv| mv.to_string()).collect();
            let comments: Vec<Cow<str>> = line.nodes.iter().map(|&id| self.comment(id)).collect();
            let times: Vec<Option<f64>> = line.nodes.iter().map(|&id| self.seconds(id)).collect();
            // A line may be an ending only.
            let ply = line.nodes.first().or(line.end.as_ref()).map_or(0, |&id| self.record.node(id).ply());
            let end = line.end.and_then(|id| self.name_of_end(id));
            let end_comment = line.end.map_or(Cow::Borrowed(""), |id| self.comment(id));
            let end_time = line.end.and_then(|id| self.seconds(id));
            let made =
                kind.call1((ply, moves, comments, line.variations, times, end, end_comment, end_time))?;
            parent.variations.push(made.unbind());
        }
    }

    /// Pack the positions of the main line, the start first. Returns words, u1[n + 1,32] (u1[n + 1,30] for r238).
    ///
    /// Raises
    /// ------
    /// EncodeError
    ///     If the codec cannot represent one.
    #[pyo3(signature = (codec="psv"))]
    fn positions<'py>(&self, py: Python<'py>, codec: &str) -> PyResult<Bound<'py, PyArray2<u8>>> {
        let codec = packing_of_words(codec.into_pyobject(py)?.as_any())?.get().codec();
        let format: WordFormat = codec.codec;
        let mut words = Vec::new();
        for (id, state) in self.record.positions() {
            if id != self.record.start() && self.record.node(id).as_move().is_none() {
                continue;
            }
            let packed = format.pack(&state.setup());
            let packed =
                packed.map_err(|error| pack_error(py, (words.len(), Fault::Record(error.into()))))?;
            words.push(packed[..codec.size()].to_vec());
        }
        PyArray2::from_vec2(py, &words).map_err(|error| PyRuntimeError::new_err(error.to_string()))
    }

    /// Make records of the game, as `komabako kifu` does.
    ///
    /// Parameters
    /// ----------
    /// format
    ///     The program's name for a format with a dtype, such as ``"psv"`` or ``"hcpe"``.
    /// missing_score
    ///     The score of positions without one; None leaves them out.
    /// unfinished
    ///     ``"draw"``: a game without a result counts as a draw; ``"skip"``: it has no records.
    ///
    /// Returns
    /// -------
    /// NDArray
    ///     Records.
    ///
    /// Raises
    /// ------
    /// EncodeError
    ///     If the format cannot hold one.
    #[pyo3(signature = (format="psv", *, missing_score=None, unfinished="skip"))]
    fn records<'py>(
        &self,
        py: Python<'py>,
        format: &str,
        missing_score: Option<i64>,
        unfinished: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        let unfinished = match unfinished {
            "skip" => Unfinished::Skip,
            "draw" => Unfinished::Draw,
            _ => {
                let text = format!("unfinished is \"skip\" or \"draw\", not {unfinished:?}");
                return Err(PyValueError::new_err(text));
            }
        };
        let missing = match missing_score {
            Some(score) => MissingScore::Value(checked_score(score)?),
            None => MissingScore::Skip,
        };
        let options = PositionOptions { missing, unfinished, ..PositionOptions::default() };
        let records = records_of_game(&self.record, &options);
        records_array(py, records.into_iter().map(|(_, record)| record), format)
    }

    fn __repr__(&self) -> String {
        let number = self.number.map_or_else(String::new, |number| format!(", game {number}"));
        let moves = self.moves_of_line().count();
        let end = self.end().map_or_else(String::new, |end| format!(", {end}"));
        format!("<komabako.Game {:?}{number}: {moves} moves{end}>", &*self.path)
    }

    fn __len__(&self) -> usize {
        self.moves_of_line().count()
    }

    const fn __copy__(slf: PyRef<Self>) -> PyRef<Self> {
        slf
    }

    #[pyo3(signature = (memo, /))]
    fn __deepcopy__<'py>(slf: PyRef<'py, Self>, memo: &Bound<PyAny>) -> PyRef<'py, Self> {
        let _ = memo;
        slf
    }
}

impl Game {
    /// The nodes of the main line that are moves.
    fn moves_of_line(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.record.main_line().filter(|&id| self.record.node(id).as_move().is_some())
    }

    /// The node that ends the main line, if the file says how it ended.
    fn end_of_line(&self) -> Option<NodeId> {
        let last = self.record.main_line().last()?;
        matches!(self.record.node(last).step(), Step::End(_)).then_some(last)
    }

    /// The name of an ending, as of [`Record::ending_name`].
    fn name_of_end(&self, id: NodeId) -> Option<Cow<'_, str>> {
        let node = self.record.node(id);
        let Step::End(ending) = node.step() else { return None };
        let first = self.record.initial().side_to_move();
        let side = if node.ply().is_multiple_of(2) { color::opponent(first) } else { first };
        Some(ending.csa(side).unwrap_or_else(|| ending.kif().into()))
    }

    /// The seconds spent on a move or an ending.
    fn seconds(&self, id: NodeId) -> Option<f64> {
        self.record.node(id).time().map(|time| f64::from(time.get()) / 1000.0)
    }

    /// The comment lines of a node, joined.
    fn comment(&self, id: NodeId) -> Cow<'_, str> {
        let mut lines = self.record.node(id).comments();
        match (lines.next(), lines.next()) {
            (None, _) => Cow::Borrowed(""),
            (Some(line), None) => Cow::Borrowed(line),
            _ => Cow::Owned(self.record.node(id).comments().collect::<Vec<_>>().join("\n")),
        }
    }
}

/// A line of a game whose variations are being made.
struct Line {
    /// Its moves.
    nodes: Vec<NodeId>,
    /// What ends it.
    end: Option<NodeId>,
    /// The first nodes of the lines that leave it and are not made yet.
    branches: VecDeque<NodeId>,
    /// Those that are made.
    variations: Vec<Py<PyAny>>,
}

impl Line {
    /// The line that begins at a node. The siblings of that node belong to the line before.
    fn new(record: &Record, first: NodeId) -> Line {
        let mut nodes = Vec::new();
        let mut end = None;
        let mut branches = VecDeque::new();
        let mut next = Some(first);
        while let Some(id) = next {
            match record.node(id).step() {
                Step::Move(_) => nodes.push(id),
                Step::End(_) => end = Some(id),
                Step::Start => {}
            }
            branches.extend(record.children(id).skip(1));
            next = record.node(id).first_child();
        }
        Line { nodes, end, branches, variations: Vec::new() }
    }
}

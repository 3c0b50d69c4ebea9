//! Runs a [`Job`].

use std::collections::BTreeMap;
use std::io::{BufWriter, Write};
use std::sync::Mutex;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::Instant;

use komabako_kifu::{Format, Game, Games, ReadOptions, Step as GameStep, encoding};

use super::positions::{self, GamePosition};
use super::source::{Source, is_system_error};
use super::{BadGame, BadGameFault, Job, Loaded, OnBadGame, PositionOptions, Sources, Summary};
use crate::engine::pipeline;
use crate::engine::threads::{start, start_workers};
use crate::escape::Escaped;
use crate::games::{GameFragments, GameWriter};
use crate::io::output::{Compressed, Target};
use crate::{DatasetError, FileFormat, Input, Output, Progress, Step};

/// The number of files passed between threads at once: with one at a time, waking the next thread took a fifth of the time.
const GROUP: usize = 32;
/// A group ends when its files reach this many bytes: their records are kept in memory until they are written.
const GROUP_BYTES: u64 = 1 << 20;
/// The number of groups that may be in memory per thread: in work, or waiting to be written in order.
const GROUPS_PER_THREAD: usize = 2;
/// The maximum number of bad games kept for the report.
const SAMPLES: usize = 20;

impl Job<'_> {
    /// Converts.
    ///
    /// # Errors
    /// If an input is missing, the output cannot be written or is an input, or the job is to stop at bad games
    /// ([`BadGame`]). No output is left behind then.
    pub fn run(self, progress: &mut dyn Progress) -> Result<Summary, DatasetError> {
        let start = Instant::now();
        let Job { inputs, recursive, output, to, compression, positions, on_bad_game, threads, force } = self;
        let to = output.format(to)?;
        let compression = output.compression(compression);
        let sources = Sources::find(&inputs, recursive)?;
        let paths: Vec<_> = sources.paths().map(Input::path).collect();
        output.check(&paths, force)?;
        if let OnBadGame::List(path) = &on_bad_game {
            Output::path(path).check(&paths, force)?;
        }
        let threads = pipeline::threads(threads);
        let is_file = output.file().is_some();
        let mut writer = Writer {
            out: Compressed::open_records(output, to, compression, threads, force)?,
            games: to.holds_games().then(|| GameWriter::new(to)),
            summary: Summary::default(),
            bad_games: None,
            on_bad_game,
            force,
            is_file,
        };
        let plan = Plan { to, positions, lists_bad_games: matches!(writer.on_bad_game, OnBadGame::List(_)) };
        convert(sources, threads, &plan, progress, &mut writer)?;
        writer.finish(start)
    }
}

/// The options of the job that every worker needs.
struct Plan {
    to: FileFormat,
    positions: PositionOptions,
    lists_bad_games: bool,
}

/// The results for a group of files.
#[derive(Default)]
struct Converted {
    /// The records' bytes, in formats of records.
    bytes: Vec<u8>,
    /// The records, in formats of games.
    fragments: GameFragments,
    /// The length of `bytes` when the first bad game was met.
    bytes_before_bad: usize,
    /// Rows of the list of bad games, if a list was requested.
    bad_games: String,
    summary: Summary,
    /// The error that ends the job.
    failure: Option<DatasetError>,
}

/// Lists files on one thread, reads and converts them on others, and writes the results in the order of the files.
///
/// Tickets bound the memory: sending a group of files takes one, which is returned when the group's records are
/// written.
fn convert(
    sources: Sources,
    threads: usize,
    plan: &Plan,
    progress: &mut dyn Progress,
    writer: &mut Writer<'_>,
) -> Result<(), DatasetError> {
    let (ticket, tickets) = mpsc::channel();
    for _ in 0..threads * GROUPS_PER_THREAD {
        // The receiver lives as long as the scope.
        let _ = ticket.send(());
    }
    let (loaded, load) = mpsc::channel::<(usize, Vec<Source>)>();
    let load = Mutex::new(load);
    let (done, finished) = mpsc::channel();
    thread::scope(|scope| {
        start(scope, move || send_groups(sources, &tickets, &loaded))?;
        start_workers(scope, threads, || {
            let (done, load) = (done.clone(), &load);
            move || work(load, &done, plan)
        })?;
        // The writer loops until the last worker has dropped its sender; this one would keep it waiting.
        drop(done);
        let result = write_in_order(&finished, &ticket, progress, writer);
        // The other threads then fail to send or receive, and end.
        drop(ticket);
        drop(finished);
        result
    })
}

fn send_groups(mut sources: Sources, tickets: &Receiver<()>, loaded: &Sender<(usize, Vec<Source>)>) {
    for index in 0.. {
        // Members of archives are read here, once there is a ticket for them.
        if tickets.recv().is_err() {
            return;
        }
        let (mut group, mut bytes) = (Vec::new(), 0);
        while group.len() < GROUP && bytes < GROUP_BYTES {
            let Some(source) = sources.next_source() else { break };
            bytes += source.size();
            group.push(source);
        }
        if group.is_empty() || loaded.send((index, group)).is_err() {
            return;
        }
    }
}

fn work(load: &Mutex<Receiver<(usize, Vec<Source>)>>, done: &Sender<(usize, Converted)>, plan: &Plan) {
    let mut buffer = Vec::new();
    loop {
        let next = match load.lock() {
            Ok(load) => load.recv(),
            Err(_) => return,
        };
        let Ok((index, group)) = next else { return };
        let mut converted = Converted::default();
        for source in group {
            converted.add_file(source.load(), plan, &mut buffer);
        }
        if done.send((index, converted)).is_err() {
            return;
        }
    }
}

fn write_in_order(
    finished: &Receiver<(usize, Converted)>,
    ticket: &Sender<()>,
    progress: &mut dyn Progress,
    writer: &mut Writer<'_>,
) -> Result<(), DatasetError> {
    let mut waiting = BTreeMap::new();
    let mut next = 0;
    for (index, converted) in finished {
        waiting.insert(index, converted);
        while let Some(converted) = waiting.remove(&next) {
            writer.write(converted)?;
            next += 1;
            // The reader may have ended.
            let _ = ticket.send(());
        }
        let Summary { bytes_read, records, bad, .. } = writer.summary;
        if progress.update(&Step { bytes: bytes_read, records, bad, ..Step::default() }).is_break() {
            return Err(DatasetError::Cancelled);
        }
    }
    Ok(())
}

impl Converted {
    /// Adds the records of all games in a file.
    fn add_file(&mut self, file: Loaded, plan: &Plan, buffer: &mut Vec<GamePosition>) {
        let Loaded { name, extension, bytes } = file;
        self.summary.files += 1;
        let bytes = match bytes {
            Ok(bytes) => bytes,
            Err(error) if is_system_error(&error) => {
                self.failure.get_or_insert(DatasetError::Open(name.into(), error));
                return;
            }
            Err(error) => return self.bad(&name, plan, BadGameFault::File(error.to_string())),
        };
        self.summary.bytes_read += bytes.len() as u64;
        let decoded = match encoding::decode(&bytes) {
            Ok(decoded) => decoded,
            Err(error) => return self.bad(&name, plan, BadGameFault::Kifu(error)),
        };
        let Some(format) = Format::detect(&decoded.text) else {
            return self.bad(&name, plan, BadGameFault::Kifu(komabako_kifu::unknown(&decoded.text)));
        };
        let mismatch = komabako_kifu::file_notice(format, &decoded, extension.as_deref());
        self.summary.notices += u64::from(mismatch.is_some());
        for game in Games::new(&decoded.text, format, ReadOptions::default()) {
            match game {
                Ok(game) => self.add(&name, &game, plan, buffer),
                Err(error) => self.bad(&name, plan, BadGameFault::Kifu(error)),
            }
        }
    }

    fn bad(&mut self, name: &str, plan: &Plan, fault: BadGameFault) {
        if self.summary.bad == 0 {
            self.bytes_before_bad = self.bytes.len();
        }
        self.summary.bad += 1;
        *self.summary.faults.entry(fault.name()).or_default() += 1;
        if plan.lists_bad_games {
            self.bad_games.push_str(&row(name, &fault));
        }
        if self.summary.samples.len() < SAMPLES {
            self.summary.samples.push(BadGame { input: name.to_owned(), fault });
        }
    }

    /// Adds the records of a game, or none of them if one cannot be represented.
    fn add(&mut self, name: &str, game: &Game, plan: &Plan, buffer: &mut Vec<GamePosition>) {
        let Plan { to, positions: options, .. } = *plan;
        // A format that replays one line cannot hold variations.
        let whole = to.holds_games();
        let options = PositionOptions { variations: options.variations && !whole, ..options };
        let found = positions::records(&game.record, &options, whole, buffer);
        let length = self.bytes.len();
        let mut joined = GameFragments::default();
        for GamePosition { record, number, .. } in buffer.iter() {
            let added = match whole {
                // A game is first tried separately, so that one that cannot be represented leaves nothing behind.
                true => joined.push(to, &record.setup, &record.labels),
                false => to.encode(record, &mut self.bytes),
            };
            if let Err(fault) = added {
                self.bytes.truncate(length);
                self.bad(name, plan, BadGameFault::Record(*number, fault));
                return;
            }
        }
        if whole {
            for GamePosition { record, candidates, .. } in buffer.iter_mut() {
                let joined = self.fragments.push(to, &record.setup, &record.labels);
                debug_assert!(joined.is_ok());
                self.fragments.set_candidates(std::mem::take(candidates));
            }
        }
        let summary = &mut self.summary;
        summary.games += 1;
        summary.variations += game.record.variation_count() as u64;
        summary.notices += game.notices.len() as u64;
        summary.records += buffer.len() as u64;
        summary.unfinished += u64::from(found.is_unfinished);
        summary.scores += found.scores;
        summary.without_score += found.without_score;
        summary.clamped += found.clamped;
        *summary.endings.entry(ending_name(game)).or_default() += 1;
    }
}

/// The heading of the list of bad games.
const HEADING: &str = "input\tline\tcolumn\tfault\tmessage\n";

/// A row of the list. Lines count from 1; the columns are empty if the fault has no line.
fn row(name: &str, fault: &BadGameFault) -> String {
    let (place, message) = match fault {
        BadGameFault::Kifu(error) => (format!("{}\t{}", error.line, error.column), error.to_string()),
        BadGameFault::File(error) => ("\t".to_owned(), error.clone()),
        BadGameFault::Record(number, fault) => ("\t".to_owned(), format!("move {number}: {fault}")),
    };
    // A tab or a line end would begin another field or row.
    format!("{}\t{place}\t{}\t{}\n", Escaped(name), fault.name(), Escaped(message))
}

fn ending_name(game: &Game) -> String {
    let record = &game.record;
    let Some(last) = record.main_line().last() else { return "-".to_owned() };
    let node = record.node(last);
    let GameStep::End(ending) = node.step() else { return "-".to_owned() };
    let first = record.initial().side_to_move();
    let side =
        if (node.ply() - 1).is_multiple_of(2) { first } else { komabako_board::color::opponent(first) };
    ending.csa(side).map_or_else(|| ending.kif().to_owned(), |name| name.into_owned())
}

/// The last stage of the job.
struct Writer<'a> {
    out: Compressed<'a>,
    games: Option<GameWriter>,
    summary: Summary,
    on_bad_game: OnBadGame,
    /// The list of bad games, once there is one.
    bad_games: Option<BufWriter<Target<'static>>>,
    force: bool,
    /// Whether the output is a file rather than a stream or a device.
    is_file: bool,
}

impl Writer<'_> {
    fn write(&mut self, converted: Converted) -> Result<(), DatasetError> {
        let Converted { bytes, fragments, bytes_before_bad, bad_games, summary, failure } = converted;
        self.list(&bad_games)?;
        if self.on_bad_game == OnBadGame::Stop
            && let Some(bad) = summary.samples.first()
        {
            // A reader of a stream still gets the games before the bad one.
            self.out.write(&bytes[..bytes_before_bad])?;
            return Err(bad.clone().into());
        }
        if let Some(error) = failure {
            return Err(error);
        }
        let bytes = match &mut self.games {
            Some(writer) => writer.add(&[], 0, &fragments),
            None => &bytes,
        };
        self.out.write(bytes)?;
        self.summary.add(summary);
        Ok(())
    }

    /// Adds rows to the list of bad games.
    fn list(&mut self, rows: &str) -> Result<(), DatasetError> {
        let OnBadGame::List(path) = &self.on_bad_game else { return Ok(()) };
        if rows.is_empty() {
            return Ok(());
        }
        let written = match &mut self.bad_games {
            Some(list) => list.write_all(rows.as_bytes()),
            None => {
                let target = Target::open(Output::path(path), self.force)?;
                let list = self.bad_games.insert(BufWriter::new(target));
                list.write_all(HEADING.as_bytes()).and_then(|()| list.write_all(rows.as_bytes()))
            }
        };
        written.map_err(|error| DatasetError::Write(path.display().to_string(), error))
    }

    fn finish(mut self, start: Instant) -> Result<Summary, DatasetError> {
        if let Some(games) = &mut self.games {
            let last = games.finish();
            self.out.write(last)?;
            self.summary.games_written = games.games();
        }
        self.summary.has_output = !self.is_file || self.summary.games > 0;
        self.summary.bytes_written = if self.summary.has_output { self.out.bytes } else { 0 };
        if let Some(mut list) = self.bad_games {
            let flushed = list.flush();
            flushed.map_err(|error| DatasetError::Write(list.get_ref().name().to_owned(), error))?;
            list.into_parts().0.complete()?;
        }
        // Dropped otherwise, which removes the temporary file.
        if self.summary.has_output {
            self.out.complete()?;
        }
        self.summary.seconds = start.elapsed().as_secs_f64();
        Ok(self.summary)
    }
}

impl Summary {
    fn add(&mut self, other: Summary) {
        self.files += other.files;
        self.bytes_read += other.bytes_read;
        self.games += other.games;
        self.variations += other.variations;
        self.unfinished += other.unfinished;
        self.records += other.records;
        self.scores += other.scores;
        self.without_score += other.without_score;
        self.clamped += other.clamped;
        self.notices += other.notices;
        self.bad += other.bad;
        for (name, count) in other.faults {
            *self.faults.entry(name).or_default() += count;
        }
        for (name, count) in other.endings {
            *self.endings.entry(name).or_default() += count;
        }
        let room = SAMPLES.saturating_sub(self.samples.len());
        self.samples.extend(other.samples.into_iter().take(room));
    }
}

//! Runs a [`Job`].

use core::ops::ControlFlow;
use std::borrow::Cow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender, SyncSender};
use std::thread;
use std::time::Instant;

use komabako_kifu::{Game, ReadOptions};

use super::bad_games::row;
use super::positions::{self, GamePosition};
use super::{
    BadGame, BadGameFault, BadGameList, Found, GameFile, Job, OnBadGame, PositionOptions, Sources, Summary,
};
use crate::Name;
use crate::engine::in_order::InOrder;
use crate::engine::pipeline;
use crate::engine::threads::{start, start_workers};
use crate::games::{GameFragments, GameWriter};
use crate::io::output::Compressed;
use crate::select::games::{GameChoice, GameFields, LeftOut, SeenGames, record_hash};
use crate::{DatasetError, FileFormat, Input, Output, Progress, Step};

/// The output of a file is passed on when it takes about this many bytes of memory: the next games of a large file are read
/// when it is written.
const PART_BYTES: usize = 1 << 26;
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
        let Job {
            inputs,
            recursive,
            output,
            to,
            compression,
            choice,
            positions,
            on_bad_game,
            threads,
            force,
        } = self;
        let to = output.format(to)?;
        let compression = output.compression(compression).holding(to)?;
        let sources = Sources::find(&inputs, recursive)?;
        let paths: Vec<_> = sources.paths().map(Input::path).collect();
        let listed = match &on_bad_game {
            OnBadGame::List(path) => Some(Output::path(path)),
            OnBadGame::Skip | OnBadGame::Stop => None,
        };
        Output::check_all([&output].into_iter().chain(&listed), &paths, force)?;
        let threads = pipeline::threads(threads);
        let is_file = output.file().is_some();
        let list = match &on_bad_game {
            OnBadGame::List(path) => Some(BadGameList::new(path.clone(), force)),
            OnBadGame::Skip | OnBadGame::Stop => None,
        };
        let seen = if choice.unique { Some(SeenGames::default()) } else { None };
        let plan = Plan { to, choice, positions, lists_bad_games: list.is_some() };
        let mut writer = Writer {
            out: Compressed::open_records(output, to, compression, threads, force)?,
            games: to.holds_games().then(|| GameWriter::new(to)),
            summary: Summary::default(),
            seen,
            list,
            stops_at_bad_game: on_bad_game == OnBadGame::Stop,
            is_file,
        };
        convert(sources, threads, &plan, progress, &mut writer)?;
        writer.finish(start)
    }
}

/// The options of the job that every worker needs.
struct Plan {
    to: FileFormat,
    choice: GameChoice,
    positions: PositionOptions,
    lists_bad_games: bool,
}

/// Results of a group of files: all, or those of the games read so far.
struct Part {
    converted: Converted,
    /// Told when it is written, if it is not the last of its group.
    written: Option<SyncSender<()>>,
}

/// The results for a group of files, or a part of it.
#[derive(Default)]
struct Converted {
    /// The games that were taken.
    games: Vec<ConvertedGame>,
    /// Their records' bytes, in formats of records.
    bytes: Vec<u8>,
    /// The number of their records.
    records: u64,
    /// The number of games taken before the first bad one was met.
    games_before_bad: usize,
    /// Rows of the list of bad games, if a list was requested.
    bad_games: String,
    /// The counts of everything but the games that were taken.
    summary: Summary,
    /// The error that ends the job.
    failure: Option<DatasetError>,
}

/// A game that was converted. Whether it is a duplicate is known only when the games before it are.
struct ConvertedGame {
    /// The hash of its moves, if duplicates are left out.
    hash: u128,
    /// The end of its records in the bytes of its group.
    end: usize,
    /// Its records, in formats of games.
    fragments: GameFragments,
    ending: String,
    variations: u64,
    records: u64,
    has_moves: bool,
    found: positions::Found,
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
    let (found, files) = mpsc::channel::<(u64, Vec<GameFile>)>();
    let files = Mutex::new(files);
    let (done, finished) = mpsc::channel();
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        start(scope, move || send_groups(sources, &tickets, &found))?;
        start_workers(scope, threads, || {
            let done = done.clone();
            let files = &files;
            let is_over = &is_over;
            move || work(files, &done, is_over, plan)
        })?;
        // The writer loops until the last worker has dropped its sender; this one would keep it waiting.
        drop(done);
        let result = write_in_order(&finished, &ticket, progress, writer);
        // The other threads then fail to send or receive, and end.
        is_over.store(true, Ordering::Relaxed);
        drop(ticket);
        drop(finished);
        result
    })
}

fn send_groups(mut sources: Sources, tickets: &Receiver<()>, found: &Sender<(u64, Vec<GameFile>)>) {
    for index in 0.. {
        if tickets.recv().is_err() {
            return;
        }
        let group = sources.next_group();
        if group.is_empty() || found.send((index, group)).is_err() {
            return;
        }
    }
}

fn work(
    files: &Mutex<Receiver<(u64, Vec<GameFile>)>>,
    done: &Sender<(u64, Part)>,
    is_over: &AtomicBool,
    plan: &Plan,
) {
    let mut buffer = Vec::new();
    loop {
        let next = match files.lock() {
            Ok(files) => files.recv(),
            Err(_) => return,
        };
        let Ok((index, group)) = next else { return };
        let mut converted = Converted::default();
        // Waits until the part is written, so that the results of a large file do not gather in memory.
        let mut pass_on = |converted: &mut Converted| {
            if is_over.load(Ordering::Relaxed) {
                return ControlFlow::Break(());
            }
            if converted.held_bytes() < PART_BYTES {
                return ControlFlow::Continue(());
            }
            let (sender, written) = mpsc::sync_channel(1);
            // The group that is written next never waits for another one, so this ends.
            let part = Part { converted: core::mem::take(converted), written: Some(sender) };
            if done.send((index, part)).is_ok() && written.recv().is_ok() {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        };
        for file in group {
            if converted.add_file(file, plan, &mut buffer, &mut pass_on).is_break() {
                return;
            }
        }
        if done.send((index, Part { converted, written: None })).is_err() {
            return;
        }
    }
}

fn write_in_order(
    finished: &Receiver<(u64, Part)>,
    ticket: &Sender<()>,
    progress: &mut dyn Progress,
    writer: &mut Writer<'_>,
) -> Result<(), DatasetError> {
    let mut in_order = InOrder::default();
    for (index, part) in finished {
        in_order.add(index, part);
        while let Some(Part { converted, written }) = in_order.next(|part| part.written.is_none()) {
            writer.write(converted)?;
            // The worker, or the reader, may have ended.
            let _ = match written {
                Some(written) => written.send(()),
                None => ticket.send(()),
            };
        }
        let Summary { bytes_read, records, bad, .. } = writer.summary;
        if progress.update(&Step { bytes: bytes_read, records, bad, ..Step::default() }).is_break() {
            return Err(DatasetError::Cancelled);
        }
    }
    Ok(())
}

impl Converted {
    /// About how many bytes of memory the results take.
    fn held_bytes(&self) -> usize {
        /// Of a position of a game, in a format of games.
        const POSITION: u64 = 16;
        self.bytes.len() + self.bad_games.len() + (self.records * POSITION) as usize
    }

    /// Adds the records of all games in a file; `pass_on` is asked after each game.
    fn add_file(
        &mut self,
        file: GameFile,
        plan: &Plan,
        buffer: &mut Vec<GamePosition>,
        pass_on: &mut impl FnMut(&mut Converted) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut is_game_file = file.is_read();
        let name = file.name.clone();
        let flow = file.read(ReadOptions::default(), |found| {
            match found {
                Found::Bytes(bytes) => self.summary.bytes_read += bytes,
                Found::Notice(_) => self.summary.notices += 1,
                Found::PassedBy(what) => {
                    is_game_file = false;
                    self.summary.passed_by.push((name.clone(), what));
                }
                Found::Game { game, number, .. } => self.add(&name, &game, number, plan, buffer),
                Found::Bad(fault) => self.bad(&name, plan, fault),
                Found::Failed(error) => match BadGameFault::of_failure(error) {
                    Ok(fault) => self.bad(&name, plan, fault),
                    Err(error) => _ = self.failure.get_or_insert(error),
                },
            }
            pass_on(self)
        });
        self.summary.files += u64::from(is_game_file);
        flow
    }

    fn bad(&mut self, name: &Name, plan: &Plan, fault: BadGameFault) {
        if self.summary.bad == 0 {
            self.games_before_bad = self.games.len();
        }
        self.summary.bad += 1;
        *self.summary.faults.entry(fault.name()).or_default() += 1;
        let game = BadGame { input: name.clone(), fault };
        if plan.lists_bad_games {
            self.bad_games.push_str(&row(&game));
        }
        if self.summary.samples.len() < SAMPLES {
            self.summary.samples.push(game);
        }
    }

    /// Adds the records of a game, or none of them if one cannot be represented.
    fn add(
        &mut self,
        name: &Name,
        game: &Game,
        game_number: Option<u32>,
        plan: &Plan,
        buffer: &mut Vec<GamePosition>,
    ) {
        let Plan { to, positions: options, ref choice, .. } = *plan;
        if choice.games.is_some()
            && let Some(why) = choice.judge(&GameFields::from_record(&game.record))
        {
            self.summary.left_out.add(why);
            self.count(game);
            return;
        }
        // A format that replays one line cannot hold variations.
        let whole = to.holds_games();
        let options = PositionOptions { variations: options.variations && !whole, ..options };
        let found = positions::records(&game.record, &options, whole, buffer);
        let length = self.bytes.len();
        let mut fragments = GameFragments::default();
        for GamePosition { record, number, candidates } in buffer.iter_mut() {
            let added = if whole {
                fragments.push(to, &record.setup, &record.labels)
            } else {
                to.encode(record, &mut self.bytes)
            };
            if let Err(fault) = added {
                self.bytes.truncate(length);
                let fault = BadGameFault::Record { game: game_number, number: *number, fault };
                self.bad(name, plan, fault);
                return;
            }
            if whole {
                fragments.set_candidates(std::mem::take(candidates));
            }
        }
        self.count(game);
        self.records += buffer.len() as u64;
        self.games.push(ConvertedGame {
            hash: if choice.unique { record_hash(&game.record) } else { 0 },
            end: self.bytes.len(),
            fragments,
            ending: game.record.ending_name().map_or_else(|| "-".to_owned(), Cow::into_owned),
            variations: game.record.variation_count() as u64,
            records: buffer.len() as u64,
            has_moves: game.record.plies() > 0,
            found,
        });
    }

    /// Counts a game that was read.
    fn count(&mut self, game: &Game) {
        self.summary.games += 1;
        self.summary.notices += game.notices.len() as u64;
    }
}

/// The last stage of the job.
struct Writer<'a> {
    out: Compressed<'a>,
    games: Option<GameWriter>,
    summary: Summary,
    /// The games so far, if duplicates are left out.
    seen: Option<SeenGames>,
    /// The list of bad games, if one is wanted.
    list: Option<BadGameList>,
    stops_at_bad_game: bool,
    /// Whether the output is a file rather than a stream or a device.
    is_file: bool,
}

impl Writer<'_> {
    fn write(&mut self, converted: Converted) -> Result<(), DatasetError> {
        let Converted { mut games, bytes, games_before_bad, bad_games, summary, failure, .. } = converted;
        if let Some(list) = &mut self.list {
            list.push_rows(&bad_games)?;
        }
        if self.stops_at_bad_game
            && let Some(bad) = summary.samples.first()
        {
            // A reader of a stream still gets the games before the bad one.
            games.truncate(games_before_bad);
            self.write_games(games, &bytes)?;
            return Err(bad.clone().into());
        }
        if let Some(error) = failure {
            return Err(error);
        }
        self.write_games(games, &bytes)?;
        self.summary.add(summary);
        Ok(())
    }

    /// Writes the games of a group that are no duplicates, and counts them.
    fn write_games(&mut self, games: Vec<ConvertedGame>, bytes: &[u8]) -> Result<(), DatasetError> {
        // Those of the bytes that are still to be written: games are written together up to the next duplicate.
        let mut start = 0;
        let mut end = 0;
        for game in games {
            // Of a game without a result that yields nothing, a finished copy is no duplicate.
            if let Some(seen) = &mut self.seen
                && !game.found.is_unfinished
                && !seen.insert(game.hash)?
            {
                self.summary.left_out.add(LeftOut::Duplicate);
                self.out.write(&bytes[start..end])?;
                start = game.end;
            } else {
                if let Some(writer) = &mut self.games {
                    self.out.write(writer.add(&[], 0, &game.fragments))?;
                }
                self.summary.add_game(&game);
            }
            end = game.end;
        }
        self.out.write(&bytes[start..end])
    }

    fn finish(mut self, start: Instant) -> Result<Summary, DatasetError> {
        if let Some(games) = &mut self.games {
            let last = games.finish();
            self.out.write(last)?;
            self.summary.games_written = games.games();
        }
        self.summary.has_output = !self.is_file || self.summary.games > 0;
        self.summary.bytes_written = if self.summary.has_output { self.out.bytes } else { 0 };
        if let Some(list) = self.list {
            list.finish()?;
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
    /// Counts a game that was taken.
    fn add_game(&mut self, game: &ConvertedGame) {
        let ConvertedGame { ending, variations, records, has_moves, found, .. } = game;
        self.variations += variations;
        self.records += records;
        self.unfinished += u64::from(found.is_unfinished);
        self.unfinished_variations += found.unfinished_variations;
        self.without_moves += u64::from(!has_moves && !found.is_unfinished);
        self.scores += found.scores;
        self.without_score += found.without_score;
        self.clamped += found.clamped;
        *self.endings.entry(ending.clone()).or_default() += 1;
    }

    /// Adds the counts of everything else.
    fn add(&mut self, other: Summary) {
        self.files += other.files;
        self.bytes_read += other.bytes_read;
        self.games += other.games;
        self.left_out.add_all(other.left_out);
        self.notices += other.notices;
        self.bad += other.bad;
        for (name, count) in other.faults {
            *self.faults.entry(name).or_default() += count;
        }
        let room = SAMPLES.saturating_sub(self.passed_by.len());
        self.passed_by.extend(other.passed_by.into_iter().take(room));
        let room = SAMPLES.saturating_sub(self.samples.len());
        self.samples.extend(other.samples.into_iter().take(room));
    }
}

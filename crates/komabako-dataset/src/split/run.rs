//! The plan of a split, and its run.

use std::time::Instant;

use super::game::RecordSnapshot;
use super::part::OpenPart;
use super::part_chooser::PartChooser;
use super::{Job, Names, Part, Rule, Summary};
use crate::batch::{Batch, Records};
use crate::block::Block;
use crate::convert::ScoreChange;
use crate::convert::conversion::{Conversion, Converted, Copies, Scratch};
use crate::engine::pipeline::{self, ProcessedBlock, Sink, Work};
use crate::games::GameWriter;
use crate::io::archive::About;
use crate::io::error::Tail;
use crate::io::output::{self, Existing, Files, FinishedTarget, Output, Target};
use crate::job::preflight::Amount;
use crate::job::{JobOptions, LossCounts, Note, Plan, Rejects, Request};
use crate::select::{Selection, recut};
use crate::{Compression, DatasetError, FileFormat, Inputs, Preflight, Progress, sample_check};

impl<'a> Job<'a> {
    /// Examines the inputs and the names of the parts.
    ///
    /// # Errors
    /// Names that do not match the parts ([`DatasetError::PartNames`]), a ratio without a weight or with too many
    /// ([`DatasetError::Ratio`]), too many parts ([`DatasetError::TooManyParts`]), a stream whose records would have to be
    /// counted ([`DatasetError::ReadOnce`]), inputs that cannot be read, parts that exist.
    pub fn plan(mut self) -> Result<Plan<'a, Job<'a>>, DatasetError> {
        let inputs = std::mem::take(&mut self.inputs);
        let Job { to, rule, names, on_bad_record, options, .. } = &mut self;
        let parts = rule.parts()?;
        names.check(parts)?;
        let to = names.format(*to)?;
        // There is a first part, however many follow it.
        let known: Vec<_> = (0..parts.unwrap_or(1)).filter_map(|part| names.path(part)).collect();
        let rejects = Rejects::paths(on_bad_record);
        let outputs = known.iter().chain(&rejects).map(AsRef::as_ref);
        output::check_paths(&inputs, outputs, options.force)?;
        // Taken before the inputs are consumed. If the number of parts is unknown, they are checked against these when they
        // are opened.
        let used = Files::of_inputs(&inputs);
        let inputs = sample_check::open_inputs(inputs, options)?;
        Rejects::check(on_bad_record.collected(), &inputs)?;
        let records = match rule {
            Rule::Parts(_) => inputs.count()?,
            _ => 0,
        };
        options.threads = pipeline::threads(options.threads);
        let mut preflight = resources(&inputs, to, rule, names, options.threads);
        preflight.add_rejects(&inputs, on_bad_record.collected());
        let ready = Ready { used, existing: self.names.existing(), records };
        Ok(Plan { request: self, inputs, to, compression: Compression::None, preflight, ready })
    }

    /// Splits.
    ///
    /// # Errors
    /// The errors of [`Job::plan`] and [`Plan::run`].
    pub fn run(self, progress: &mut dyn Progress) -> Result<Summary, DatasetError> {
        self.plan()?.run(progress)
    }
}

/// The resources of a split: each part's share of its disk, if no record is bad.
fn resources(inputs: &Inputs, to: FileFormat, rule: &Rule, names: &Names, threads: usize) -> Preflight {
    let all = Amount::of_all(inputs, to, true);
    let weights = match (rule, names) {
        (Rule::Ratio { weights, .. }, Names::Each(_)) => weights.clone(),
        (_, Names::Each(names)) => vec![1; names.len()],
        (_, Names::Pattern(_)) => vec![1],
    };
    let total = weights.iter().map(|&weight| u128::from(weight)).sum::<u128>().max(1);
    let share = |weight: u64| match all.most {
        Some(bytes) => Amount::exactly((u128::from(bytes) * u128::from(weight) / total) as u64),
        None => all,
    };
    let paths: Vec<_> = (0..).map_while(|part| names.path(part)).take(weights.len()).collect();
    let shares = paths.iter().zip(weights).map(|(path, weight)| {
        let compression = Compression::from_path(path);
        (output::directory_of(path), share(weight).compressed(compression))
    });
    let mut preflight = Preflight::of_pass(inputs, threads);
    // The parts of a ratio are all open at once.
    let encoders = if let Rule::Ratio { weights, .. } = rule { weights.len() } else { 1 };
    let compression = paths.first().map_or(Compression::None, |path| Compression::from_path(path));
    preflight.memory += encoders as u64 * compression.encoder_memory(threads);
    preflight.add_stage(&shares.collect::<Vec<_>>());
    preflight
}

/// What only the plan of a split has.
pub struct Ready {
    /// The inputs that are files.
    used: Files,
    existing: Existing,
    /// The number of all records, if the rule needs it.
    records: u64,
}

impl<'a> Request<'a> for Job<'a> {
    type To = FileFormat;
    type Ready = Ready;
    type Summary = Summary;

    fn perform(plan: Plan<'a, Self>, progress: &mut dyn Progress) -> Result<Summary, DatasetError> {
        let start = Instant::now();
        let Plan { request, inputs, to, ready: Ready { used, existing, records }, .. } = plan;
        let Job { rule, names, by_game, on_bad_record, options, .. } = request;
        let JobOptions { threads, backend, force, .. } = options;
        // Formats that hold games define their ends; for others, workers compare the positions.
        let finds_games = by_game && !to.holds_games();
        let by_game = by_game || to.holds_games();
        let in_turn = !matches!(rule, Rule::Ratio { .. });
        let expected = rule.parts()?.unwrap_or(1);
        let is_text = inputs.formats().any(FileFormat::is_text);
        let about = inputs.about(to, &[]);
        let archives = inputs.archives();
        let mut splitter = Splitter {
            to,
            chooser: PartChooser::new(rule, by_game, records, to.header().len() as u64),
            parts: Parts {
                to,
                names,
                used,
                existing,
                force,
                threads,
                about: about.clone(),
                in_turn,
                done: Vec::new(),
                open: Vec::new(),
            },
            last: None,
            games: to.holds_games().then(|| GameWriter::new(to)),
            lost: LossCounts::default(),
            rejects: Rejects::open(&on_bad_record, is_text, force)?,
            summary: Summary { games: by_game.then_some(0), ..Summary::default() },
        };
        // Finding games decodes every record anyway, so bad ones are found; otherwise bytes are copied without decoding.
        let copies = if by_game { Copies::Good } else { Copies::All };
        let range = 0..u64::MAX;
        let scores = ScoreChange::Keep;
        let select = Selection::All;
        let conversion = Conversion { to, backend, copies, checks_moves: false, scores, select, range };
        let work = Worker { conversion, finds_games };
        let bytes_read = pipeline::run(inputs, threads, &work, progress, &mut splitter)?;
        splitter.finish_games()?;
        let Splitter { parts: mut written, rejects, mut lost, mut summary, .. } = splitter;
        lost.set_games(summary.games.unwrap_or(0));
        // Parts without records are created too: scripts rely on the number they asked for.
        written.open_to(expected)?;
        let older = written.older();
        let (targets, parts) = written.finish()?;
        let files = rejects.finish()?;
        // Nothing is renamed before every part is complete.
        output::complete_all(targets.into_iter().chain(files.into_iter().map(Target::finish)))?;
        summary.counts.written = parts.iter().map(|part| part.records).sum();
        summary.counts.bytes_written = parts.iter().map(|part| part.bytes).sum();
        summary.counts.bytes_read = bytes_read;
        let are_archives = parts.iter().all(|part| Compression::from_path(part.name.as_ref()).is_archive());
        summary.counts.notes = Note::all(&about, are_archives, &archives);
        if !older.is_empty() {
            summary.counts.notes.push(Note::OlderParts(older));
        }
        summary.parts = parts;
        summary.losses = lost.into_lost();
        summary.counts.seconds = start.elapsed().as_secs_f64();
        Ok(summary)
    }
}

/// Converts blocks, and finds the games in them if the parts hold separate records.
struct Worker {
    conversion: Conversion<'static>,
    finds_games: bool,
}

/// A block in the format of the parts.
#[derive(Default)]
struct SplitBlock {
    converted: Converted,
    /// Whether each written record begins a game; the first one's value is not known within the block.
    begins: Vec<bool>,
    /// The first and the last of the written records, unless the block holds games.
    ends: Option<[RecordSnapshot; 2]>,
}

impl Work for Worker {
    type Scratch = Scratch;
    type Product = SplitBlock;

    fn scratch(&self) -> Scratch {
        self.conversion.scratch()
    }

    fn work(&self, scratch: &mut Scratch, from: FileFormat, block: &Block, split: &mut SplitBlock) {
        let SplitBlock { converted, begins, ends } = split;
        self.conversion.work(scratch, from, block, converted);
        begins.clear();
        *ends = None;
        if !self.finds_games {
            return;
        }
        let batch = &mut scratch.batch;
        let is_bad = |row| converted.faults.binary_search_by_key(&row, |&(index, _)| index).is_ok();
        if from.holds_games() {
            for game in block.games() {
                let good = (game.first..game.first + game.moves).filter(|&row| !is_bad(row));
                begins.extend(good.enumerate().map(|(number, _)| number == 0));
            }
            return;
        }
        for range in Batch::ranges(0..block.len()) {
            batch.decode(from, block, range);
            let Records { rows, setups, labels, .. } = batch.records();
            for (&row, (setup, labels)) in rows.iter().zip(setups.iter().zip(labels)) {
                if is_bad(row) {
                    continue;
                }
                let snapshot = RecordSnapshot::new(setup, labels);
                begins.push(ends.is_some_and(|[_, last]| !snapshot.follows(&last)));
                *ends = Some([ends.map_or(snapshot, |[first, _]| first), snapshot]);
            }
        }
    }
}

/// Writes the parts.
struct Splitter {
    to: FileFormat,
    chooser: PartChooser,
    parts: Parts,
    /// The last record so far and the number of its input.
    last: Option<(RecordSnapshot, usize)>,
    /// Joins records to games, if the format holds games.
    games: Option<GameWriter>,
    rejects: Rejects,
    lost: LossCounts,
    summary: Summary,
}

impl Sink<SplitBlock> for Splitter {
    fn receive(&mut self, processed: &ProcessedBlock<SplitBlock>) -> Result<(), DatasetError> {
        let SplitBlock { converted, begins, ends } = &processed.product;
        self.rejects.add_faults(processed, &converted.faults, &mut self.summary.counts)?;
        self.summary.counts.read += converted.read as u64;
        self.lost.add_all(&converted.lost);
        if let Some(writer) = &mut self.games {
            let games = writer.add(&converted.bytes, converted.games, &converted.fragments).to_vec();
            return self.share_games(games);
        }
        // Workers know their own block only. Whether a block continues the game of the previous one is
        // decided here, where blocks arrive in the order of the inputs.
        let first_begins = match (&self.last, ends) {
            (Some((last, input)), Some([first, _])) if *input == processed.block.source() => {
                !first.follows(last)
            }
            _ => true,
        };
        if let Some([_, last]) = ends {
            self.last = Some((*last, processed.block.source()));
        }
        // Text records differ in length: their ends are found again in the encoded bytes.
        let block = recut(self.to, converted.bytes.clone());
        let end = self.to.record_end();
        for index in 0..block.len() {
            let begins_game =
                if index == 0 { first_begins } else { begins.get(index).is_none_or(|&begins| begins) };
            if let Some(games) = &mut self.summary.games {
                *games += u64::from(begins_game);
            }
            let record = block.record(index);
            let part = self.chooser.next(1, (record.len() + end.len()) as u64, begins_game);
            self.parts.get(part)?.write(1, record, end)?;
        }
        Ok(())
    }

    fn truncated(&mut self, tail: Tail) {
        self.summary.counts.tails.push(tail);
    }

    fn bad(&self) -> u64 {
        self.summary.counts.bad_total()
    }
}

impl Splitter {
    /// Distributes whole games.
    fn share_games(&mut self, games: Vec<u8>) -> Result<(), DatasetError> {
        for game in recut(self.to, games).games() {
            *self.summary.games.get_or_insert(0) += 1;
            let records = game.moves as u64;
            let part = self.chooser.next(records, game.bytes.len() as u64, true);
            self.parts.get(part)?.write(records, game.bytes, b"")?;
        }
        Ok(())
    }

    /// Distributes the game that is still open at the end of the inputs.
    fn finish_games(&mut self) -> Result<(), DatasetError> {
        let Some(writer) = &mut self.games else { return Ok(()) };
        let last = writer.finish().to_vec();
        self.share_games(last)
    }
}

/// The parts so far.
struct Parts {
    to: FileFormat,
    names: Names,
    /// The inputs, which no part may overwrite: the number of parts is not always known beforehand.
    used: Files,
    existing: Existing,
    force: bool,
    threads: usize,
    /// What the headers of parts that are archives say.
    about: About,
    /// Whether a part is complete when the next one begins.
    in_turn: bool,
    done: Vec<(FinishedTarget, Part)>,
    open: Vec<OpenPart>,
}

impl Parts {
    /// A part; opens it and all before it if necessary.
    fn get(&mut self, part: u64) -> Result<&mut OpenPart, DatasetError> {
        self.open_to(part + 1)?;
        Ok(&mut self.open[part as usize - self.done.len()])
    }

    /// Opens parts until there are `parts`.
    fn open_to(&mut self, parts: u64) -> Result<(), DatasetError> {
        loop {
            let next = (self.done.len() + self.open.len()) as u64;
            if next >= parts {
                return Ok(());
            }
            // In turn, one part is open at a time, however many there are; the parts of a ratio are all open.
            if self.in_turn {
                self.close()?;
            }
            let path = self.names.path(next).ok_or(DatasetError::PartNames { parts: Some(parts) })?;
            if self.used.contains(&path) {
                return Err(DatasetError::SameFile(path));
            }
            let output = Output::path(path.clone());
            let opened = OpenPart::open(output, self.to, self.force, self.threads, &self.about);
            self.open.push(opened.map_err(|error| self.existing.explain(error))?);
            // Now that this part is open, the one before it in its directory can be closed.
            if let Some((previous, _)) = self.done.iter_mut().rev().find(|(done, _)| done.is_beside(&path)) {
                previous.close();
            }
        }
    }

    /// Finishes the open parts. The files stay open.
    fn close(&mut self) -> Result<(), DatasetError> {
        for part in self.open.drain(..) {
            self.done.push(part.finish()?);
        }
        Ok(())
    }

    /// The names of files that follow the last part, as an earlier split with more parts has left them; the first ten.
    fn older(&self) -> Vec<String> {
        let Names::Pattern(_) = self.names else { return Vec::new() };
        let end = (self.done.len() + self.open.len()) as u64;
        let following = (end..).map_while(|part| self.names.path(part)).take_while(|path| path.exists());
        following.take(10).map(|path| path.display().to_string()).collect()
    }

    /// Completes all parts.
    fn finish(mut self) -> Result<(Vec<FinishedTarget>, Vec<Part>), DatasetError> {
        self.close()?;
        Ok(self.done.into_iter().unzip())
    }
}

#[cfg(test)]
mod tests {
    use std::time::SystemTime;

    use komabako_testkit::files::set_modified;

    use super::*;
    use crate::leftovers::{self, State};

    #[test]
    fn a_part_in_another_directory_keeps_its_lock() {
        let place = tempfile::tempdir().unwrap();
        let directories = ["d1", "d2"].map(|name| place.path().join(name));
        directories.iter().for_each(|directory| std::fs::create_dir(directory).unwrap());
        let names = ["d1/a.psv", "d2/b.psv", "d2/c.psv", "d1/d.psv", "d2/e.psv"];
        let mut parts = Parts {
            to: FileFormat::Psv,
            names: Names::Each(names.map(|name| place.path().join(name)).into()),
            used: Files::default(),
            existing: Existing::default(),
            force: false,
            threads: 1,
            about: About::default(),
            in_turn: true,
            done: Vec::new(),
            open: Vec::new(),
        };
        for part in 0..5 {
            parts.get(part).unwrap();
            let found = directories.iter().flat_map(|directory| leftovers::find(directory).unwrap());
            let states: Vec<State> = found
                .map(|left| {
                    set_modified(&left.path, SystemTime::UNIX_EPOCH).unwrap();
                    left.state
                })
                .collect();
            assert!(states.iter().all(|state| *state == State::Alive), "{part}: {states:?}");
            assert_eq!(states.len() as u64, part + 1);
        }
        let (done, _) = parts.finish().unwrap();
        done.into_iter().try_for_each(FinishedTarget::complete).unwrap();
        assert_eq!(std::fs::read_dir(&directories[1]).unwrap().count(), 3);
    }
}

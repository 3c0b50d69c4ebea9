//! Runs the plan of a conversion.

use std::ops::Range;
use std::time::Instant;
use std::{fs, io};

use komabako_record::order::Reservoir;

use super::conversion::{Conversion, Converted, Copies};
use super::{Job, ScoreChange, Summary};
use crate::engine::parallel::{self, PieceSender};
use crate::engine::pipeline::{self, ProcessedBlock, Sink};
use crate::engine::progress::{Progress, Step};
use crate::games::GameWriter;
use crate::io::error::Tail;
use crate::io::output::{self, Appended, Compressed};
use crate::job::{LossCounts, Lost, MoveReading, Note, Plan, Rejects, Request};
use crate::select::games::SeenGames;
use crate::select::{LastBlocks, Selection, recut};
use crate::{DatasetError, FileFormat, JobOptions};

impl<'a> Request<'a> for Job<'a> {
    type To = FileFormat;
    type Ready = Option<Appended>;
    type Summary = Summary;

    fn perform(plan: Plan<'a, Self>, progress: &mut dyn Progress) -> Result<Summary, DatasetError> {
        let start = Instant::now();
        let Plan { request, inputs, to, compression, ready: existing, .. } = plan;
        let copies = request.copies();
        let checks_moves = request.check_moves;
        let Job { output, select, limit, partition, scores, on_bad_record, options, makes_directory, .. } =
            request;
        let JobOptions { threads, backend, force, moves, .. } = options;
        // Whether a record lost something cannot be counted while it is held back and may not be written.
        let uncounted = match select {
            Selection::Sample { .. } => Some(Lost::uncounted(&inputs, to, copies != Copies::No)),
            _ => None,
        };
        let is_text = inputs.formats().any(FileFormat::is_text);
        let mut changed = Vec::new();
        if !scores.keeps() {
            changed.push("score");
        }
        if matches!(moves, MoveReading::In(_) | MoveReading::Repaired) {
            changed.extend(["move_encoding", "hands"]);
        }
        let goes_by_number = matches!(scores, ScoreChange::Column(_)) || matches!(select, Selection::Mask(_));
        let unordered = if goes_by_number { inputs.unordered() } else { Vec::new() };
        let about = inputs.about(to, &changed);
        let archives = inputs.archives();
        if let (true, Some(path)) = (makes_directory, output.file()) {
            let directory = output::directory_of(path);
            fs::create_dir_all(directory)
                .map_err(|error| DatasetError::Create(directory.to_owned(), error))?;
        }
        let mut out = match existing {
            Some(existing) => Compressed::open_after(output, existing, compression, threads)?,
            None => Compressed::open(output, compression, threads, force)?,
        };
        out.describe(about.clone());
        if partition.is_first() {
            out.write(to.header())?;
        }
        let window = inputs.window().clone();
        let seen = match &select {
            Selection::Games(choice) if choice.unique => Some(SeenGames::default()),
            _ => None,
        };
        let range = window.range().clone();
        let work = Conversion { to, backend, copies, checks_moves, scores: scores.read(), select, range };
        let mut writer = Writer {
            work: &work,
            seen,
            limit: limit.unwrap_or(u64::MAX),
            is_done: false,
            out,
            held: match work.select {
                Selection::Last(count) => Some(Held::Last(LastBlocks::new(count))),
                Selection::Sample { count, seed } => Some(Held::Sample(Reservoir::new(count, seed))),
                _ => None,
            },
            rejects: Rejects::open(&on_bad_record, is_text, force)?,
            games: to.holds_games().then(|| GameWriter::new(to)),
            lost: LossCounts::default(),
            summary: Summary::default(),
        };
        let mut step = Step { total: inputs.size(), ..Step::default() };
        let bytes = pipeline::run(inputs, threads, &work, progress, &mut writer)?;
        step.bytes = bytes;
        step.records = window.passed();
        writer.finish(threads, step, progress)?;
        if window.is_everything() && !writer.is_done {
            if let ScoreChange::Column(column) = &work.scores {
                column.finish(window.passed())?;
            }
            // Compressed files and text are counted only now.
            if let Selection::Mask(mask) = &work.select {
                mask.check(window.passed())?;
            }
        }
        let Writer { out, rejects, mut lost, mut summary, .. } = writer;
        lost.set_games(summary.games);
        summary.losses = match uncounted {
            Some(losses) if summary.counts.written > 0 => losses,
            Some(_) => Vec::new(),
            None => lost.into_lost(),
        };
        summary.counts.notes = Note::all(&about, compression.is_archive(), &archives);
        if !unordered.is_empty() {
            summary.counts.notes.push(Note::Order(unordered));
        }
        summary.counts.bytes_written = rejects.complete_after(out)?;
        // A range may end beyond the inputs: reported, but not an error.
        if !window.is_everything() && !window.is_part() {
            let range = window.range();
            // A range without an end ends where the inputs do.
            if range.end < u64::MAX {
                summary.beyond = range.end.saturating_sub(range.start.max(window.passed()));
            }
        }
        summary.counts.bytes_read = bytes;
        summary.counts.seconds = start.elapsed().as_secs_f64();
        Ok(summary)
    }
}

/// The last stage of a conversion.
struct Writer<'w, 'a> {
    work: &'w Conversion<'a>,
    /// The games so far, if duplicates are left out.
    seen: Option<SeenGames>,
    limit: u64,
    /// Whether the limit is reached.
    is_done: bool,
    out: Compressed<'a>,
    /// What can be written only after all inputs are read.
    held: Option<Held>,
    rejects: Rejects,
    /// Joins records to games, if the format holds games.
    games: Option<GameWriter>,
    lost: LossCounts,
    summary: Summary,
}

/// What a job holds until the end of the inputs.
enum Held {
    /// The blocks of the last records. They are not converted before: the last records are chosen by number, as in a file where the
    /// reader seeks to them, and bad ones before them do not count.
    Last(LastBlocks),
    /// A sample of the converted records.
    Sample(Reservoir),
}

/// The number of records of a sample to write at a time.
const CHUNK: usize = 1 << 12;

impl Sink<Converted> for Writer<'_, '_> {
    fn receive(&mut self, processed: &ProcessedBlock<Converted>) -> Result<(), DatasetError> {
        if let Some(Held::Last(last)) = &mut self.held {
            last.push(processed);
            return Ok(());
        }
        let ProcessedBlock { block, product, .. } = processed;
        let without;
        let product = match self.duplicates(product)? {
            duplicates if duplicates.is_empty() => product,
            duplicates => {
                without = self.work.without(duplicates, block, product);
                &without
            }
        };
        let left = self.limit - self.summary.counts.written;
        self.is_done = product.written as u64 >= left && self.held.is_none();
        if self.is_done {
            // Nothing after the last record counts, not even as bad.
            return self.add(processed, &self.work.up_to(left as usize, block, product), &self.work.range);
        }
        self.add(processed, product, &self.work.range)
    }

    fn truncated(&mut self, tail: Tail) {
        self.summary.counts.tails.push(tail);
    }

    fn bad(&self) -> u64 {
        self.summary.counts.bad_total()
    }

    fn is_done(&self) -> bool {
        self.is_done
    }
}

/// A copy of the error.
fn same(error: &io::Error) -> io::Error {
    let text = || io::Error::new(error.kind(), error.to_string());
    error.raw_os_error().map_or_else(text, io::Error::from_raw_os_error)
}

impl Writer<'_, '_> {
    /// The numbers of the games of a product whose moves were seen before.
    fn duplicates(&mut self, product: &Converted) -> Result<Vec<u64>, DatasetError> {
        let mut duplicates = Vec::new();
        if let Some(seen) = &mut self.seen {
            for &(number, hash) in &product.hashes {
                if !seen.insert(hash)? {
                    duplicates.push(number);
                }
            }
        }
        Ok(duplicates)
    }

    /// Writes the product of the records of a block that have these numbers.
    fn add<P>(
        &mut self,
        processed: &ProcessedBlock<P>,
        product: &Converted,
        range: &Range<u64>,
    ) -> Result<(), DatasetError> {
        let Converted { bytes, games, fragments, read, written, lost, matched, rescaled, .. } = product;
        if let Some(error) = &product.failure {
            let ordinal = processed.block.ordinal();
            let (input, offset) = match &self.work.scores {
                ScoreChange::Answers(answers) => (answers.name(), answers.offset(ordinal)),
                ScoreChange::Column(column) => (column.name.clone(), column.offset(ordinal)),
                _ => unreachable!("only these are read"),
            };
            return Err(DatasetError::Read { input, offset, error: same(error) });
        }
        if let Err(error) = self.rejects.add_faults(processed, &product.faults, &mut self.summary.counts) {
            // The job stops here. A reader of a stream still gets the good records before the bad one.
            self.out.write(self.before_first(&processed.block.indices(range), product))?;
            return Err(error);
        }
        self.summary.counts.read += *read as u64;
        self.lost.add_all(lost);
        self.summary.matched += matched;
        self.summary.rescaled += *rescaled;
        self.summary.left_out.add_all(product.left_out);
        let bytes = match &mut self.games {
            Some(writer) => writer.add(bytes, *games, fragments),
            None => bytes,
        };
        if let Some(Held::Sample(sample)) = &mut self.held {
            sample.push(self.work.to, &recut(self.work.to, bytes.to_vec()));
            return Ok(());
        }
        self.out.write(bytes)?;
        self.summary.counts.written += *written as u64;
        Ok(())
    }

    /// The bytes of the rows of a block before its first bad one. None if the bytes of a record cannot be told from those of the
    /// next: in text and games, or if records are selected.
    fn before_first<'p>(&self, rows: &Range<usize>, product: &'p Converted) -> &'p [u8] {
        let Converted { bytes, written, faults, .. } = product;
        if *written + faults.len() != rows.len() || self.held.is_some() {
            return &[];
        }
        let (Some(&(index, _)), Some(size)) = (faults.first(), self.work.to.record_size()) else {
            return &[];
        };
        &bytes[..(index - rows.start) * size]
    }

    /// Writes what was held, and the game that is still open at the end of the inputs. `step`: all that was read.
    fn finish(
        &mut self,
        threads: usize,
        step: Step,
        progress: &mut dyn Progress,
    ) -> Result<(), DatasetError> {
        match self.held.take() {
            Some(Held::Last(last)) => self.write_last(last, threads, step, progress)?,
            Some(Held::Sample(sample)) => {
                for records in sample.into_records().chunks(CHUNK) {
                    self.out.write(&records.concat())?;
                    self.summary.counts.written += records.len() as u64;
                }
            }
            None => {}
        }
        if let Some(games) = &mut self.games {
            self.out.write(games.finish())?;
            self.summary.games = games.games();
        }
        Ok(())
    }

    /// Converts and writes the last records.
    fn write_last(
        &mut self,
        last: LastBlocks,
        threads: usize,
        mut step: Step,
        progress: &mut dyn Progress,
    ) -> Result<(), DatasetError> {
        let work = self.work;
        let (blocks, range) = last.finish(step.records);
        let convert = |index: usize, products: &PieceSender<(usize, Converted)>| {
            products.send((index, work.product(&blocks[index], &range)))
        };
        parallel::in_turn(0..blocks.len(), threads, convert, |(index, product)| {
            self.add(&blocks[index], &product, &range)?;
            step.bad = self.bad();
            if progress.update(&step).is_break() { Err(DatasetError::Cancelled) } else { Ok(()) }
        })
    }
}

//! The plan of a repair, and its run.

use std::time::Instant;

use komabako_codec::packed_sfen::PhantomPawns;

use super::encoding::ReadAs;
use super::layout::RecordLayout;
use super::lookahead::{self, Lookahead};
use super::outcome::Outcome;
use super::phantom_pawns::Pawns;
use super::recode::{self, Codecs};
use super::sample::sample;
use super::worker::{ReadInput, Worker};
use super::{Change, EncodingStats, FileSummary, Job, Moves, RepairError, Summary, Unrepairable, Votes};
use crate::engine::pipeline::{self, ProcessedBlock, Sink};
use crate::io::detect;
use crate::io::error::Tail;
use crate::io::input;
use crate::io::output::{self, Collection, Compressed};
use crate::job::preflight::Amount;
use crate::job::{Note, Plan, Rejects, Request};
use crate::move16::{Encodings, MoveEncoding};
use crate::{DatasetError, FileFormat, Input, Inputs, JobOptions, Preflight, Progress};

impl<'a> Job<'a> {
    /// Examines the inputs, and determines the encoding of their moves from samples.
    ///
    /// # Errors
    /// [`RepairError`] if the inputs do not have one format that can be repaired, or if a sample does not decide; as for a
    /// [conversion](crate::convert::Job::plan) if inputs cannot be read or outputs cannot be written.
    pub fn plan(mut self) -> Result<Plan<'a, Job<'a>>, DatasetError> {
        let read = std::mem::take(&mut self.inputs);
        let path = self.output.named();
        let rejects = self.rejects.as_deref().map(Collection::paths);
        let written = path.into_iter().chain(rejects.iter().flatten().map(|path| &**path));
        output::check_paths(&read, written, self.options.force)?;
        self.output.check_compression()?;
        // Checked before the inputs are opened: with a wrong format every record would be garbage, and the repair
        // would reject them all.
        if let Some(given) = self.options.from {
            check_content(&read, given)?;
        }
        let named = path.and_then(input::format_of);
        let inputs = Inputs::examine(read, self.options.from, self.options.salvage)?;
        inputs.use_threads(self.options.threads);
        let format = one_format(&inputs)?;
        if let (Some(from), Some(to)) = (format, named)
            && from != to
        {
            return Err(RepairError::Converts { from, to }.into());
        }
        Rejects::check(self.rejects.as_deref(), &inputs)?;
        // Without a format there are no records.
        let format = format.unwrap_or(FileFormat::Psv);
        let layout = RecordLayout::for_format(format).ok_or(RepairError::Format(format))?;
        let (files, readings) = determine_readings(&inputs, format, self.moves, self.phantom_pawns)?;
        let compression = self.output.compression(self.compression).holding(format)?;
        let threads = pipeline::threads(self.options.threads);
        self.options.threads = threads;
        let content = Amount::of_all(&inputs, format, false);
        let mut preflight = Preflight::of_copy(&inputs, &self.output, content, compression, threads);
        preflight.add_rejects(&inputs, self.rejects.as_deref());
        if files.iter().any(|file| file.encoding_stats.is_some()) {
            preflight.memory += lookahead::MEMORY;
        }
        if readings.iter().any(|input| input.codecs != Codecs::Own) {
            preflight.memory += recode::MEMORY * threads as u64;
        }
        let work = Worker {
            format,
            layout,
            inputs: readings,
            flip_score: self.flip_score,
            flip_result: self.flip_result,
            backend: self.options.backend,
        };
        let ready = Ready { files, work, lookahead: Lookahead::new(layout, self.tie_break) };
        Ok(Plan { request: self, inputs, to: format, compression, preflight, ready })
    }

    /// Repairs.
    ///
    /// # Errors
    /// The errors of [`Job::plan`] and [`Plan::run`]; [`RepairError`], unless such records are set aside, at the first record
    /// that cannot be repaired.
    pub fn run(self, progress: &mut dyn Progress) -> Result<Summary, DatasetError> {
        self.plan()?.run(progress)
    }
}

/// What only the plan of a repair has: the encodings and codecs of every input are known.
pub struct Ready {
    files: Vec<FileSummary>,
    work: Worker,
    lookahead: Lookahead,
}

impl<'a> Request<'a> for Job<'a> {
    type To = FileFormat;
    type Ready = Ready;
    type Summary = Summary;

    fn perform(plan: Plan<'a, Self>, progress: &mut dyn Progress) -> Result<Summary, DatasetError> {
        let start = Instant::now();
        let Plan { request, inputs, to, compression, ready: Ready { files, work, lookahead }, .. } = plan;
        let Job { output, rejects, options: JobOptions { threads, force, .. }, .. } = request;
        // Repaired records are in the format's own encodings.
        let about = inputs.about(to, &["move_encoding", "hands"]);
        let archives = inputs.archives();
        let mut out = Compressed::open(output, compression, threads, force)?;
        out.describe(about.clone());
        let rejects = rejects.map(|path| Collection::open(&path, false, force));
        let mut writer = RepairWriter {
            out,
            rejects: rejects.transpose()?,
            lookahead,
            source: 0,
            summary: Summary { files, ..Summary::default() },
        };
        let bytes = pipeline::run(inputs, threads, &work, progress, &mut writer)?;
        // The last input has no successor that would end it.
        writer.end_input()?;
        let RepairWriter { out, rejects, mut summary, .. } = writer;
        // Everything is written before anything is renamed to its name.
        let reports = rejects.map(Collection::finish).transpose()?;
        summary.counts.notes = Note::all(&about, compression.is_archive(), &archives);
        summary.counts.bytes_written = out.bytes;
        out.complete_with(reports.unwrap_or_default())?;
        summary.counts.bytes_read = bytes;
        summary.counts.seconds = start.elapsed().as_secs_f64();
        Ok(summary)
    }
}

/// Checks that files have the given format, rather than take others for bad files of it.
fn check_content(inputs: &[Input], given: FileFormat) -> Result<(), RepairError> {
    for input in inputs {
        if let Input::Path(path) = input
            && let Some(found) = detect::contradicts(path, given)
        {
            return Err(RepairError::OtherFormat { input: input.name().to_string(), given, found });
        }
    }
    Ok(())
}

/// The one format of all inputs; `None` if none has a format.
fn one_format(inputs: &Inputs) -> Result<Option<FileFormat>, RepairError> {
    let mut formats = inputs.formats().map(FileFormat::strict);
    let Some(first) = formats.next() else { return Ok(None) };
    match formats.find(|&format| format != first) {
        Some(other) => Err(RepairError::Formats(first, other)),
        None => Ok(Some(first)),
    }
}

/// Determines how every input is to be read.
fn determine_readings(
    inputs: &Inputs,
    format: FileFormat,
    moves: Moves,
    phantom_pawns: Option<PhantomPawns>,
) -> Result<(Vec<FileSummary>, Vec<ReadInput>), DatasetError> {
    // The value does not matter for a format without moves.
    let own = format.move_encoding().unwrap_or(MoveEncoding::YaneuraOu);
    let mut files = Vec::new();
    let mut read = Vec::new();
    for source in inputs.sources() {
        let name = source.name().clone();
        let mut file = FileSummary { name, format: source.detection().format, ..FileSummary::default() };
        let mut input = ReadInput {
            moves: ReadAs::One(own),
            codecs: Codecs::Own,
            pawns: Pawns::unsampled(phantom_pawns),
            other_order: false,
        };
        if file.format.is_some() {
            let has_moves = format.move_encoding().is_some();
            let sampled = sample(source, format)?;
            if let Some(sampled) = &sampled {
                input.codecs = sampled.codecs();
                input.other_order = sampled.has_other_order();
                input.pawns = sampled.pawns.decide(phantom_pawns);
            }
            if has_moves {
                let votes = match moves {
                    Moves::All(_) => None,
                    _ => sampled.map(|sampled| sampled.votes),
                };
                input.moves = read_as(&file.name, own, moves, votes.as_ref())?;
                file.votes = votes;
                match input.moves {
                    ReadAs::One(encoding) => file.encoding = Some(encoding),
                    ReadAs::Each(encodings) => file.encoding_stats = Some(EncodingStats::new(encodings)),
                }
            }
        }
        files.push(file);
        read.push(input);
    }
    Ok((files, read))
}

/// The reading of an input's moves. `votes`: those of its sample, if it can be sampled.
fn read_as(
    name: &str,
    own: MoveEncoding,
    moves: Moves,
    votes: Option<&Votes>,
) -> Result<ReadAs, RepairError> {
    match (moves, votes) {
        (Moves::All(encoding), _) => Ok(ReadAs::One(encoding)),
        (Moves::Mixed, None) => Ok(ReadAs::Each(Encodings::ALL)),
        (Moves::Mixed, Some(votes)) => Ok(ReadAs::Each(votes.possible(own))),
        (Moves::Auto, None) => Err(RepairError::Stream(name.to_owned())),
        (Moves::Auto, Some(votes)) => {
            let undecided = || RepairError::Undecided { input: name.to_owned(), votes: (*votes).into() };
            votes.decide(own).ok_or_else(undecided)
        }
    }
}

/// The last stage of a repair.
struct RepairWriter<'a> {
    out: Compressed<'a>,
    rejects: Option<Collection>,
    lookahead: Lookahead,
    /// The number of the current input.
    source: usize,
    summary: Summary,
}

impl Sink<Outcome> for RepairWriter<'_> {
    fn receive(&mut self, processed: &ProcessedBlock<Outcome>) -> Result<(), DatasetError> {
        // Neighbours count only within a file: the next file may come from another program.
        if processed.block.source() != self.source {
            self.end_input()?;
            self.source = processed.block.source();
        }
        // The common case: nothing is held back, and the block is written without being cloned.
        if self.lookahead.passes(processed) {
            return self.write(processed);
        }
        self.write_resolved(false)
    }

    fn truncated(&mut self, tail: Tail) {
        self.summary.counts.tails.push(tail);
    }

    fn bad(&self) -> u64 {
        self.summary.counts.bad_total()
    }
}

impl RepairWriter<'_> {
    /// Writes the rest of an input.
    fn end_input(&mut self) -> Result<(), DatasetError> {
        self.write_resolved(true)?;
        self.lookahead.clear();
        Ok(())
    }

    /// Writes the held blocks that are finished.
    fn write_resolved(&mut self, at_end: bool) -> Result<(), DatasetError> {
        while let Some(processed) = self.lookahead.release(at_end) {
            self.write(&processed)?;
        }
        Ok(())
    }

    /// Writes a finished block.
    fn write(&mut self, processed: &ProcessedBlock<Outcome>) -> Result<(), DatasetError> {
        let Outcome { bytes, written, unchanged, changes, rejects, encoding_stats, .. } = &processed.product;
        for &(index, reason) in rejects {
            self.reject(processed, index, reason)?;
        }
        self.out.write(bytes)?;
        self.summary.counts.read += processed.block.len() as u64;
        self.summary.counts.written += *written as u64;
        self.summary.unchanged += unchanged;
        for (&change, &count) in Change::ALL.iter().zip(changes).filter(|&(_, &count)| count > 0) {
            *self.summary.changes.entry(change).or_default() += count;
        }
        if let Some(sum) = &mut self.summary.files[processed.block.source()].encoding_stats {
            sum.merge(encoding_stats);
        }
        Ok(())
    }

    fn reject(
        &mut self,
        processed: &ProcessedBlock<Outcome>,
        index: usize,
        reason: Unrepairable,
    ) -> Result<(), DatasetError> {
        let error = processed.error(index, reason);
        let Some(rejects) = &mut self.rejects else { return Err(RepairError::Record(error.into()).into()) };
        rejects.add(processed.block.record(index), &error, reason.name())?;
        self.summary.counts.count_bad(reason.name());
        self.summary.counts.keep_sample(error);
        Ok(())
    }
}

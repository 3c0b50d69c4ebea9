//! Carries out a [`Job`].

use std::path::{Path, PathBuf};
use std::time::Instant;

use komabako_codec::Backend;

use super::compare::{Comparing, Gatherer, Gathering, Judge, setup_of};
use super::table::{Entries, Entry, Fields, Table};
use super::{Difference, DifferenceKind, Job, Summary};
use crate::select::Mask;
use crate::{
    DatasetError, FileFormat, Input, Inputs, Output, Progress, Selection, convert, output, pipeline,
};

impl Job<'_> {
    /// Compares, and writes the outputs that are wanted.
    ///
    /// # Errors
    /// The first of what goes wrong; a bad record is an error, since it cannot be compared.
    /// [`DatasetError::Memory`] if A has too many records, before anything is compared where their number is known;
    /// [`DatasetError::ReadOnce`] if an output is wanted of an input that is no file.
    pub fn run(self, progress: &mut dyn Progress) -> Result<Summary, DatasetError> {
        let start = Instant::now();
        let Job { a, b, from, to, only_a, only_b, changed, max_memory, salvage, threads, backend, force } =
            self;
        let inputs = [a, b];
        let wanted = [&only_a, &only_b, &changed].into_iter().flatten();
        for path in wanted.clone() {
            Output::path(path).format(to)?;
        }
        output::check_paths(&inputs, wanted.map(PathBuf::as_path), force)?;
        let again = Again { from, to, salvage, threads, backend, force };
        let source_a = readable(&inputs[0], only_a.is_some())?;
        let source_b = readable(&inputs[1], only_b.is_some() || changed.is_some())?;
        let [a, b] = inputs;
        let name = a.name();
        let a = Inputs::look_at(vec![a], from, salvage)?;
        let b = Inputs::look_at(vec![b], from, salvage)?;
        let fields = Fields::of(a.formats().next(), b.formats().next());
        let threads = pipeline::threads(threads);

        let entries = Entries::new(name, a.records(), max_memory)?;
        let mut gatherer = Gatherer { entries, tails: Vec::new() };
        pipeline::run(a, threads, &Gathering { backend, fields: fields.clone() }, progress, &mut gatherer)?;
        let Gatherer { entries, tails } = gatherer;
        let table = entries.into_table();

        let changed_fields = fields.iter().map(|field| (field, 0)).collect();
        let records_a = table.entries().len() as u64;
        let mut judge = Judge {
            fields: fields.clone(),
            table: &table,
            seen: vec![false; table.entries().len()],
            only_b: Mask::default(),
            changed: Mask::default(),
            summary: Summary { records_a, changed_fields, tails, ..Summary::default() },
        };
        pipeline::run(b, threads, &Comparing { backend, fields, table: &table }, progress, &mut judge)?;
        let only_in_a = find_only_a(&mut judge, &table);
        let Judge { only_b: only_in_b, changed: changed_in_b, mut summary, .. } = judge;
        summary.samples.sort_by_key(|sample| sample.kind);
        // The outputs take memory of their own.
        drop(table);
        again.write(source_a.as_deref(), only_a, only_in_a, progress)?;
        again.write(source_b.as_deref(), only_b, only_in_b, progress)?;
        again.write(source_b.as_deref(), changed, changed_in_b, progress)?;
        summary.seconds = start.elapsed().as_secs_f64();
        Ok(summary)
    }
}

/// The path of an input that is to be read once more, if it is.
fn readable(input: &Input, wanted: bool) -> Result<Option<PathBuf>, DatasetError> {
    match input {
        _ if !wanted => Ok(None),
        Input::Path(path) if path.is_file() => Ok(Some(path.clone())),
        input => Err(DatasetError::ReadOnce(input.name())),
    }
}

/// Counts the records whose positions B has not, and returns which they are.
fn find_only_a(judge: &mut Judge, table: &Table) -> Mask {
    let mut only_a = Mask::default();
    let mut first: Vec<Entry> = Vec::new();
    let mut start = 0;
    for position in table.entries().chunk_by(|a, b| a.word == b.word) {
        let is_seen = judge.seen[start];
        start += position.len();
        if is_seen {
            continue;
        }
        judge.summary.only_a += position.len() as u64;
        position.iter().for_each(|entry| only_a.set(entry.ordinal));
        first.extend(position);
        if first.len() > CANDIDATES {
            keep_first(&mut first);
        }
    }
    keep_first(&mut first);
    for entry in first {
        let setup = setup_of(&entry.word);
        let kind = DifferenceKind::OnlyA;
        judge
            .sample(|| Difference { kind, a: Some(entry.ordinal), b: None, setup, fields: Vec::new() }, kind);
    }
    only_a
}

/// How many candidates for samples are kept before the later ones are dropped.
const CANDIDATES: usize = 1 << 10;

fn keep_first(entries: &mut Vec<Entry>) {
    entries.sort_unstable_by_key(|entry| entry.ordinal);
    entries.truncate(Summary::SAMPLES);
}

/// How inputs are read once more.
struct Again {
    from: Option<FileFormat>,
    to: Option<FileFormat>,
    salvage: bool,
    threads: usize,
    backend: Backend,
    force: bool,
}

impl Again {
    /// Writes the records that a mask takes, if they are wanted.
    fn write(
        &self,
        input: Option<&Path>,
        output: Option<PathBuf>,
        mask: Mask,
        progress: &mut dyn Progress,
    ) -> Result<(), DatasetError> {
        let (Some(input), Some(output)) = (input, output) else { return Ok(()) };
        let job = convert::Job {
            from: self.from,
            to: self.to,
            select: Selection::Mask(mask),
            copy: true,
            salvage: self.salvage,
            threads: self.threads,
            backend: self.backend,
            force: self.force,
            ..convert::Job::new(vec![Input::path(input)], Output::path(output))
        };
        job.plan()?.run(progress).map(drop)
    }
}

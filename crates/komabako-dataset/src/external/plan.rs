//! [`Plan`]: a job whose inputs have been looked at and counted.

use std::path::{Path, PathBuf};

use super::journal::Journal;
use super::layout::{Demand, Layout, Load, Size};
use super::make::{Log, Maker};
use super::manifest::{FileIdentity, Identity, Manifest, Settings};
use super::mark::NUMBER_BYTES;
use super::run::Stages;
use super::store::Store;
use super::{Job, Shuffle, order};
use crate::input::count_records;
use crate::output;
use crate::pipeline;
use crate::preflight::Amount;
use crate::temporary::{Shape, spool};
use crate::{Compression, DatasetError, FileFormat, Input, Inputs, Loss, Output, Preflight, Progress};

/// A job that is known to be possible, but for memory and disk: those are [`Plan::preflight`]'s.
pub struct Plan<'a> {
    pub(super) output: Output<'a>,
    pub(super) compression: Compression,
    pub(super) force: bool,
    /// Whether to take over what an earlier run has left.
    pub(super) resume: bool,
    /// The files to delete at the end.
    pub(super) delete: Vec<PathBuf>,
    pub(super) stages: Stages,
    pub(super) preflight: Preflight,
}

impl<'a> Job<'a> {
    /// Looks at the inputs and counts their records, which takes a pass over them if they are compressed or text. Streams are
    /// copied to a temporary file, which is removed with the plan.
    ///
    /// # Errors
    /// Everything that can be known before the job but a lack of memory or disk: inputs that cannot be read or
    /// recognised, an output that exists, is an input, or whose format is not known or not written; of an earlier run,
    /// [`DatasetError::Unfinished`] and [`DatasetError::Changed`], or [`DatasetError::InUse`] while it goes on.
    pub fn plan(self, progress: &mut dyn Progress) -> Result<Plan<'a>, DatasetError> {
        let Job { inputs, output, from, unique, shuffle, limits, .. } = self;
        let (by, references) = unique.map(|unique| (unique.by, unique.references)).unzip();
        let references = references.unwrap_or_default();
        let mut all = inputs;
        let count = all.len();
        all.extend(references.into_iter().map(Input::Path));
        let path = match &output {
            Output::Path(path) => Some(path.as_path()),
            Output::Stream(..) => None,
        };
        output::check_paths(&all, path, self.force)?;
        let references = Inputs::look_at(all.split_off(count), from, self.salvage)?;
        let delete = deletable(&all, self.delete_inputs);
        let inputs = Inputs::look_at(all, from, self.salvage)?;
        let to = match output.record_format(self.to) {
            Err(DatasetError::OutputFormat(name)) => inputs
                .one_format()?
                .filter(|format| format.can_write() && !format.holds_games())
                .ok_or(DatasetError::OutputFormat(name))?,
            format => format?,
        };
        let compression = output.compression(self.compression);
        let mut store = Store::of(&limits, &output);
        let resumable = output.file().is_some() && inputs.size().is_some() && references.size().is_some();
        if let Some(directory) = store.left()? {
            if !(self.resume && resumable) {
                return Err(DatasetError::Unfinished(directory.to_owned()));
            }
            store.keep(true);
            store.make()?;
        }
        if inputs.size().zip(references.size()).is_none() {
            store.make()?;
        }
        let inputs = spool(inputs, |number| store.file("stream", number), progress)?;
        let references = spool(references, |number| store.file("reference", number), progress)?;
        let phased = shuffle.is_some_and(|shuffle| shuffle.phased);
        let identity = Identity {
            settings: Settings {
                output: path.map_or_else(String::new, absolute),
                directories: store.places().map(absolute).collect(),
                format: to.name().to_owned(),
                compression: compression.name().to_owned(),
                sameness: by.map(|by| by.name().to_owned()),
                seed: shuffle.map(|shuffle| shuffle.seed),
                phased,
                skip_bad: self.skip_bad,
                salvage: self.salvage,
            },
            inputs: FileIdentity::of(&inputs),
            references: FileIdentity::of(&references),
        };
        let left = if resumable { Manifest::load(store.first())? } else { None };
        if let Some(what) = left.as_ref().and_then(|left| left.identity.difference(&identity)) {
            return Err(DatasetError::Changed { directory: store.first().to_owned(), what });
        }
        store.keep(left.as_ref().is_some_and(Manifest::is_worth_keeping));
        let load = match &left {
            Some(left) => left.load,
            None => Load {
                references: count_records(&references, progress)?.0,
                ..count_records(&inputs, progress).map(|(records, content)| Load {
                    records,
                    content,
                    references: 0,
                })?
            },
        };
        let alone = inputs.formats().all(|format| format == to);
        let written = Size::of_records(&load, to, alone);
        let keys = by.map_or(Size::default(), |of| {
            let count = load.records + load.references;
            match (Maker { of, to, backend: self.backend }).shape() {
                Shape::Fixed(size) => Size { count, bytes: count * size as u64 },
                // The bytes of references are not known, even if they are of the same format.
                Shape::Varying => {
                    Size::of_records(&Load { records: count, ..load }, to, alone && load.references == 0)
                }
            }
        });
        let ordered = if shuffle.is_some() { written } else { Size::default() };
        let earlier = left.as_ref().map(|left| left.cut);
        let demand = Demand { keys, order: ordered, phased };
        let layout = Layout::new(demand, compression, &limits, earlier);
        let manifest = left.unwrap_or_else(|| Manifest::new(identity, load, layout.cut));
        let input_bytes =
            inputs.size().zip(references.size()).map(|(inputs, references)| inputs + references);
        let preflight = Preflight::new(Some(load.records), layout.memory, limits.memory);
        let mut preflight = Preflight { input_bytes, ..preflight };
        let files = Temporary {
            keys: match layout.cut.keys {
                1 => 0,
                parts => {
                    let group = layout.group().min(parts) as u64;
                    keys.with(NUMBER_BYTES) + NUMBER_BYTES * keys.count * group / parts as u64
                }
            },
            // Beside the output they need no room of their own: a record is on a list or in the output.
            lists: if limits.directories.is_empty() && path.is_some() {
                0
            } else {
                NUMBER_BYTES * keys.count
            },
            dealt: match shuffle {
                Some(Shuffle { phased: false, .. }) if layout.cut.order > 1 => {
                    ordered.with(order::BUCKET_BYTES)
                }
                _ => 0,
            },
        };
        // As if there were no duplicates. Records of text are shorter than they may be.
        let is_known = to.record_size().is_some() || alone;
        let content = Amount::exactly(written.bytes);
        let content = if is_known { content } else { content.or_less() }.compressed(compression);
        files.announce(&mut preflight, &store, output.file().map(|path| (path, content)));
        // Copies of streams stay to the end; what an earlier run has left is written over or gone on with.
        if resumable {
            for (number, place) in store.places().enumerate() {
                preflight.credit(place, store.bytes(number));
            }
        }
        let log = Log { stop: !self.skip_bad, bad: manifest.bad, samples: Vec::new(), tails: Vec::new() };
        let stages = Stages {
            inputs,
            references,
            to,
            unique: by,
            shuffle,
            threads: pipeline::threads(limits.threads),
            backend: self.backend,
            layout,
            keys,
            ordered,
            journal: Journal::new(manifest, store, resumable),
            log,
        };
        let resume = self.resume && resumable;
        Ok(Plan { output, compression, force: self.force, resume, delete, stages, preflight })
    }
}

impl<'a> Plan<'a> {
    /// What the job takes, and what there is.
    pub fn preflight(&self) -> &Preflight {
        &self.preflight
    }

    /// The inputs.
    pub fn inputs(&self) -> &Inputs<'static> {
        &self.stages.inputs
    }

    /// The format to write.
    pub fn to(&self) -> FileFormat {
        self.stages.to
    }

    /// How the output is compressed.
    pub fn compression(&self) -> Compression {
        self.compression
    }

    /// Into how many parts the keys and the records to be shuffled are cut; 1 where that is done in memory.
    pub fn parts(&self) -> (usize, usize) {
        (self.stages.layout.cut.keys, self.stages.layout.cut.order)
    }

    /// The directory that a run leaves behind if a later one can go on from it.
    pub fn directory(&self) -> &Path {
        self.stages.journal.store.first()
    }

    /// What is not carried over from any of the inputs; each once.
    pub fn losses(&self) -> Vec<Loss> {
        self.inputs().losses(self.to())
    }
}

/// A path that means the same in every directory.
fn absolute(path: &Path) -> String {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned()).display().to_string()
}

/// The inputs to delete at the end.
fn deletable(inputs: &[Input], delete: bool) -> Vec<PathBuf> {
    let path = |input: &Input| match input {
        Input::Path(path) if delete && path.is_file() => Some(path.clone()),
        _ => None,
    };
    inputs.iter().filter_map(path).collect()
}

/// The bytes of a job's temporary files.
struct Temporary {
    keys: u64,
    lists: u64,
    dealt: u64,
}

impl Temporary {
    /// Says what lies where, stage by stage.
    fn announce(&self, preflight: &mut Preflight, store: &Store, output: Option<(&Path, Amount)>) {
        let places: Vec<&Path> = store.places().collect();
        let spread = |bytes: u64| {
            let share = bytes.div_ceil(places.len() as u64);
            places.iter().map(move |&place| (place, Amount::exactly(share))).filter(move |_| share > 0)
        };
        let output = output.map(|(path, bytes)| (output::directory_of(path), bytes));
        preflight.add_stage(&spread(self.keys).collect::<Vec<_>>());
        preflight.add_stage(&spread(self.dealt + self.lists).chain(output).collect::<Vec<_>>());
    }
}

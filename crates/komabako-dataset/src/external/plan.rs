//! [`Plan`]: a job whose inputs have been looked at and counted.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use super::layout::{Layout, Load, Size};
use super::make::{Log, Maker};
use super::manifest::{FileIdentity, Identity, Manifest};
use super::part::Shape;
use super::run::{NUMBER_BYTES, Stages};
use super::store::Store;
use super::{Job, Sameness, Shuffle, order};
use crate::block::Block;
use crate::error::Tail;
use crate::output;
use crate::pipeline::{self, Parcel, Sink, Work};
use crate::progress::InPhase;
use crate::{
    Compression, DatasetError, FileFormat, Input, Inputs, Loss, Output, Phase, Preflight, Progress, Step,
};

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

/// Changes when manifests or temporary files do.
const VERSION: u32 = 1;

impl<'a> Job<'a> {
    /// Looks at the inputs and counts their records, which takes a pass over them if they are compressed or text. Streams are
    /// copied to a temporary file, which is removed with the plan.
    ///
    /// # Errors
    /// Everything that can be known before the job but a lack of memory or disk: inputs that cannot be read or
    /// recognised, an output that exists, is an input, or whose format is not known or not written; of an earlier run,
    /// [`DatasetError::Unfinished`] and [`DatasetError::Changed`].
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
        let is_file = path.is_some_and(|path| path.is_file() || !path.exists());
        let resumable = is_file && inputs.size().is_some() && references.size().is_some();
        if let Some(directory) = store.left() {
            if !(self.resume && resumable) {
                return Err(DatasetError::Unfinished(directory.to_owned()));
            }
            store.make()?;
            store.keep(true);
        }
        let inputs = spool(inputs, &mut store, progress)?;
        let references = spool(references, &mut store, progress)?;
        let identity = Identity {
            version: VERSION,
            options: vec![
                ("format".to_owned(), format!("{to} {}", compression.name())),
                ("sameness".to_owned(), by.map_or("none", Sameness::name).to_owned()),
                ("seed".to_owned(), format!("{:?}", shuffle.map(|shuffle| shuffle.seed))),
                ("phased".to_owned(), shuffle.is_some_and(|shuffle| shuffle.phased).to_string()),
                ("treatment of bad records".to_owned(), self.skip_bad.to_string()),
                ("salvage".to_owned(), self.salvage.to_string()),
            ],
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
                Shape::Varying => Size::of_records(&Load { records: count, ..load }, to, alone),
            }
        });
        let ordered = if shuffle.is_some() { written } else { Size::default() };
        let mut layout = Layout::new(keys, ordered, compression, &limits);
        let manifest = match left {
            Some(left) => {
                layout.cut = left.cut;
                left
            }
            None => Manifest::new(identity, load, layout.cut),
        };
        let mut preflight = Preflight::new(load.records, layout.memory, limits.memory);
        let files = Temporary {
            keys: match layout.cut.keys {
                1 => 0,
                parts => keys.with(NUMBER_BYTES) + NUMBER_BYTES * keys.count / parts as u64,
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
        files.announce(&mut preflight, &store, path.map(|path| (path, written.bytes)));
        for (number, place) in store.places().enumerate() {
            preflight.credit(place, store.bytes(number));
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
            store,
            manifest,
            resumable,
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
        self.stages.store.first()
    }

    /// What is not carried over from any of the inputs; each once.
    pub fn losses(&self) -> Vec<Loss> {
        self.inputs().losses(self.to())
    }
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
    fn announce(&self, preflight: &mut Preflight, store: &Store, output: Option<(&Path, u64)>) {
        let places: Vec<&Path> = store.places().collect();
        let spread = |bytes: u64| {
            let share = bytes.div_ceil(places.len() as u64);
            places.iter().map(move |&place| (place, share)).filter(|&(_, share)| share > 0)
        };
        let output = output.map(|(path, bytes)| (output::directory_of(path), bytes));
        preflight.add_stage(&spread(self.keys).collect::<Vec<_>>());
        preflight.add_stage(&spread(self.dealt + self.lists).chain(output).collect::<Vec<_>>());
    }
}

/// Copies streams to files, so that they can be read again.
fn spool<'a>(
    inputs: Inputs<'a>,
    store: &mut Store,
    progress: &mut dyn Progress,
) -> Result<Inputs<'static>, DatasetError> {
    if inputs.size().is_none() {
        store.make()?;
    }
    let mut progress = InPhase { progress, phase: Phase::Spool };
    inputs.spool(
        |number| store.file("stream", number),
        |name, mut content, path| {
            let failed = |error| DatasetError::Write(path.display().to_string(), error);
            let mut file = File::create(path).map_err(failed)?;
            let mut piece = vec![0; 1 << 20];
            let mut step = Step::default();
            loop {
                let read = match content.read(&mut piece) {
                    Ok(0) => return Ok(step.bytes),
                    Ok(read) => read,
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                    Err(error) => {
                        return Err(DatasetError::Read { input: name.to_owned(), offset: step.bytes, error });
                    }
                };
                file.write_all(&piece[..read]).map_err(failed)?;
                step.bytes += read as u64;
                if progress.update(&step).is_break() {
                    return Err(DatasetError::Cancelled);
                }
            }
        },
    )
}

/// The number of records, and of bytes in them.
fn count_records(inputs: &Inputs<'static>, progress: &mut dyn Progress) -> Result<(u64, u64), DatasetError> {
    let size = |source: &crate::Source| source.detection().format.and_then(FileFormat::record_size);
    if let Some(records) = inputs.records() {
        let sizes = inputs.sources().iter().map(|source| source.records().zip(size(source)));
        let content = sizes.flatten().map(|(records, size)| records * size as u64).sum();
        return Ok((records, content));
    }
    let mut census = Census::default();
    let mut progress = InPhase { progress, phase: Phase::Count };
    let inputs = inputs.again().expect("streams have been copied to files");
    pipeline::run(inputs, 1, &Census::default(), &mut progress, &mut census)?;
    Ok((census.records, census.bytes))
}

/// Counts.
#[derive(Default)]
struct Census {
    records: u64,
    bytes: u64,
}

impl Work for Census {
    type Scratch = ();
    type Product = ();

    fn scratch(&self) {}

    fn work(&self, (): &mut (), _: FileFormat, _: &Block, (): &mut ()) {}
}

impl Sink<()> for Census {
    fn take(&mut self, parcel: &Parcel<()>) -> Result<(), DatasetError> {
        let block = &parcel.block;
        self.records += block.len() as u64;
        self.bytes += (0..block.len()).map(|index| block.record(index).len() as u64).sum::<u64>();
        Ok(())
    }

    /// The passes that read the records tell of it.
    fn tail(&mut self, _: Tail) {}

    fn bad(&self) -> u64 {
        0
    }
}

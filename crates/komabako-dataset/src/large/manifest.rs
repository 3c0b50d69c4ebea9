//! [`Manifest`]: the finished work of a job, from which a later run resumes.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use komabako_record::hash::hash128;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::entries::NUMBER_BYTES;
use super::finished::Finished;
use super::layout::{Load, Partitions};
use crate::Name;
use crate::engine::temporary::TempFile;
use crate::engine::temporary::directory::MANIFEST;
use crate::io::error::ResumeMismatch;
use crate::io::input::Stamp;
use crate::io::output::{of_any_length, rename};
use crate::{DatasetError, Inputs, Source};

/// The finished work of a job.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Manifest {
    version: u32,
    pub identity: Identity,
    pub load: Load,
    pub partitions: Partitions,
    /// The names of the directories of files, in the places for them.
    pub directories: Vec<String>,
    /// The progress of the pass that fills the files of keys or of records.
    pub pass: Option<Checkpoint>,
    /// The files of keys, once all are written.
    pub keys: Option<Vec<TempFile>>,
    /// The finished lists of records to leave out: the list of bad records and those of other partitions, then the list of
    /// duplicates of each part.
    pub lists: Vec<TempFile>,
    /// The finished lists of means of each part, if means are written.
    pub means: Vec<TempFile>,
    /// The number of records in the first list that belong to other partitions.
    pub other_parts: u64,
    /// Bad records found with the keys, and while distributing.
    pub bad: BadCounts,
    /// The number of bad records of references.
    pub bad_references: u64,
    /// The files of records, once all are written.
    pub records: Option<Vec<TempFile>>,
    /// The part of the output that later runs can resume.
    pub written: Option<Written>,
    /// The outputs, once everything is written.
    pub finished: Option<Finished>,
}

/// The number of bad records for each fault, by its name.
#[derive(Clone, Default, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct BadCounts(pub BTreeMap<Cow<'static, str>, u64>);

impl BadCounts {
    /// Counts another bad record.
    pub fn count(&mut self, fault: &'static str) {
        *self.0.entry(Cow::Borrowed(fault)).or_default() += 1;
    }

    /// The total for all faults.
    pub fn total(&self) -> u64 {
        self.0.values().sum()
    }
}

/// The progress of a pass.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Checkpoint {
    /// The number of records of the inputs that are processed.
    pub records: u64,
    /// The number of records that were put into files.
    pub entries: u64,
    /// The state of the files at the checkpoint. They may have grown since.
    pub files: Vec<TempFile>,
}

/// The progress of the output.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Written {
    /// The number of files of records that are in it. They may have been removed.
    pub parts: usize,
    /// The number of their records.
    pub records: u64,
    /// The state of the output at the checkpoint. It may have grown since.
    pub part: TempFile,
}

/// The inputs and options that identify a job.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Identity {
    pub settings: Settings,
    pub inputs: Vec<FileIdentity>,
    pub references: Vec<FileIdentity>,
}

/// The options that determine the result or the places of files.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(super) struct Settings {
    pub output: String,
    pub directories: Vec<String>,
    pub format: String,
    pub compression: String,
    pub sameness: Option<String>,
    pub keep: String,
    pub columns: Option<String>,
    pub seed: Option<u64>,
    pub phased: bool,
    pub partition: String,
    pub skip_bad: bool,
    pub salvage: bool,
}

/// The identity of a file: a later run reads only the same files.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct FileIdentity {
    path: String,
    #[serde(flatten)]
    stamp: Stamp,
    format: Option<String>,
}

/// Changes with the format of manifests or temporary files.
const VERSION: u32 = 11;

/// A manifest in its file format.
#[derive(Serialize, Deserialize)]
struct Sealed {
    manifest: Value,
    /// The checksum of the manifest as JSON without whitespace.
    xxh3: String,
}

impl Sealed {
    fn new(manifest: Value) -> Sealed {
        let xxh3 = format!("{:032x}", hash128(manifest.to_string().as_bytes()));
        Sealed { manifest, xxh3 }
    }
}

impl Manifest {
    /// The manifest of a job that has not finished anything yet.
    pub fn new(identity: Identity, load: Load, partitions: Partitions) -> Manifest {
        let version = VERSION;
        Manifest {
            version,
            identity,
            load,
            partitions,
            directories: Vec::new(),
            pass: None,
            keys: None,
            lists: Vec::new(),
            means: Vec::new(),
            other_parts: 0,
            bad: BadCounts::default(),
            bad_references: 0,
            records: None,
            written: None,
            finished: None,
        }
    }

    /// The manifest in a directory, if any.
    pub fn load(directory: &Path) -> Result<Option<Manifest>, DatasetError> {
        let path = directory.join(MANIFEST);
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(DatasetError::Open(path, error)),
        };
        let manifest = match serde_json::from_slice::<Sealed>(&bytes) {
            // The checksum covers the JSON rather than the bytes of the file, so that whitespace does
            // not matter.
            Ok(Sealed { manifest, xxh3 }) if xxh3 == Sealed::new(manifest.clone()).xxh3 => manifest,
            _ => return Err(DatasetError::Part(path)),
        };
        // Checked before the fields are read: another version may have other fields.
        if manifest["version"] != VERSION {
            let what = ResumeMismatch::Version;
            return Err(DatasetError::Changed { directory: directory.to_owned(), what });
        }
        serde_json::from_value(manifest).map(Some).map_err(|_| DatasetError::Part(path))
    }

    /// Replaces the previous manifest atomically.
    pub fn save(&self, directory: &Path) -> Result<(), DatasetError> {
        let path = directory.join(MANIFEST);
        let form = "texts and numbers have a form in JSON";
        let sealed = Sealed::new(serde_json::to_value(self).expect(form));
        let json = serde_json::to_vec_pretty(&sealed).expect(form);
        let replace = || {
            let mut file = tempfile::NamedTempFile::new_in(of_any_length(directory))?;
            io::Write::write_all(&mut file, &json)?;
            // Synced before it is renamed: after a power failure the name must not refer to an empty file.
            file.as_file().sync_all()?;
            rename(file.into_temp_path(), &path, true).map_err(|error| error.error)
        };
        replace().map_err(|error| DatasetError::Write(Name::from(&path), error))
    }

    /// Makes this the manifest of a job that resumes from it, perhaps with another policy for bad records; or returns the
    /// reason why the job cannot.
    ///
    /// Under either policy the same good records are numbered, distributed and listed in the same way. So the files that were
    /// written under `stop` are those that `skip` would have written: no bad record was found yet. The reverse holds as long
    /// as `skip` has left out none, including records of references, whose bad records are not counted.
    pub fn resume_as(&mut self, job: &Identity) -> Option<ResumeMismatch> {
        if let Some(what) = self.identity.difference(job) {
            return Some(what);
        }
        let is_stricter = self.identity.settings.skip_bad && !job.settings.skip_bad;
        if is_stricter && (self.bad.total() > 0 || !job.references.is_empty()) {
            return Some(ResumeMismatch::BadRecords);
        }
        self.identity.settings.skip_bad = job.settings.skip_bad;
        None
    }

    /// The number of duplicates. The first list is that of unwanted records. The rest of the records read are not all duplicates:
    /// they may be in other partitions.
    pub fn duplicates(&self) -> u64 {
        self.lists.iter().skip(1).map(|list| list.bytes / NUMBER_BYTES).sum()
    }

    /// Whether there is finished work to resume.
    pub fn is_worth_keeping(&self) -> bool {
        self.pass.is_some() || self.keys.is_some() || !self.lists.is_empty() || self.records.is_some()
    }
}

/// The directories of files of a job in other places, which the manifest in this directory names.
pub(crate) fn directories_elsewhere(home: &Path) -> Vec<PathBuf> {
    let Ok(Some(manifest)) = Manifest::load(home) else { return Vec::new() };
    let places = manifest.identity.settings.directories.iter();
    places.zip(&manifest.directories).map(|(place, name)| Path::new(place).join(name)).collect()
}

/// The tokens in the names of temporary files that, by the manifest in this directory, only lack their final names.
pub(crate) fn unnamed_outputs(home: &Path) -> Vec<String> {
    let manifest = Manifest::load(home).ok().flatten();
    manifest.and_then(|manifest| manifest.finished).map_or_else(Vec::new, |finished| finished.tokens())
}

impl Identity {
    /// The first difference other than the policy for bad records, if any.
    fn difference(&self, other: &Identity) -> Option<ResumeMismatch> {
        if let Some(what) = self.settings.difference(&other.settings) {
            return Some(what);
        }
        for (ours, theirs) in [(&self.inputs, &other.inputs), (&self.references, &other.references)] {
            if let Some(path) = FileIdentity::changed(ours, theirs) {
                return Some(ResumeMismatch::File(path.to_owned()));
            }
            if ours.len() != theirs.len() {
                return Some(ResumeMismatch::FileCount);
            }
        }
        None
    }
}

impl Settings {
    fn difference(&self, other: &Settings) -> Option<ResumeMismatch> {
        let format = |settings: &Settings| (settings.format.clone(), settings.compression.clone());
        let compared = [
            (self.output == other.output, ResumeMismatch::Output),
            (self.directories == other.directories, ResumeMismatch::Directories),
            (format(self) == format(other), ResumeMismatch::Format),
            (self.sameness == other.sameness, ResumeMismatch::Sameness),
            (self.keep == other.keep, ResumeMismatch::Keep),
            (self.columns == other.columns, ResumeMismatch::Columns),
            (self.seed == other.seed, ResumeMismatch::Seed),
            (self.phased == other.phased, ResumeMismatch::Phased),
            (self.partition == other.partition, ResumeMismatch::Partition),
            (self.salvage == other.salvage, ResumeMismatch::Salvage),
        ];
        compared.into_iter().find(|(is_same, _)| !is_same).map(|(_, what)| what)
    }
}

impl FileIdentity {
    /// The path of the first file that differs.
    pub fn changed<'f>(before: &'f [FileIdentity], now: &[FileIdentity]) -> Option<&'f str> {
        before.iter().zip(now).find(|(one, other)| one != other).map(|(file, _)| &*file.path)
    }

    /// The identity of a file of unknown format.
    pub fn of_file(path: &Path) -> FileIdentity {
        let stamp = fs::metadata(path).map_or_else(|_| Stamp::default(), |metadata| Stamp::new(&metadata));
        FileIdentity { path: path.display().to_string(), stamp, format: None }
    }

    /// Whether both are the same file, whatever its format.
    pub fn is_file(&self, other: &FileIdentity) -> bool {
        self.path == other.path && self.stamp == other.stamp
    }

    /// The identities of inputs, which are files.
    pub fn of_inputs(inputs: &Inputs) -> Vec<FileIdentity> {
        let identity = |source: &Source| {
            // Read in another encoding, it is a different input.
            let moves = source.moves().map_or(String::new(), |encoding| format!(" {}", encoding.letter()));
            let format = source.detection().format.map(|format| format.name().to_owned() + &moves);
            let path = source.path()?.display().to_string();
            Some(FileIdentity { path, stamp: source.stamp()?, format })
        };
        inputs.sources().iter().filter_map(identity).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn manifest_of_another_version_is_reported() {
        let directory = tempfile::tempdir().unwrap();
        let load = || Manifest::load(directory.path());
        assert!(matches!(load(), Ok(None)));
        let other = Sealed::new(serde_json::json!({ "version": VERSION + 1 }));
        fs::write(directory.path().join(MANIFEST), serde_json::to_vec(&other).unwrap()).unwrap();
        assert!(matches!(load(), Err(DatasetError::Changed { what: ResumeMismatch::Version, .. })));
    }
}

//! [`Manifest`]: what a job has finished, for a later run to go on from.

use std::fs;
use std::io;
use std::path::Path;
use std::time::UNIX_EPOCH;

use serde::{Deserialize, Serialize};
use twox_hash::XxHash3_128;

use super::layout::{Cut, Load};
use crate::temporary::Part;
use crate::{DatasetError, Inputs};

/// What a job has finished.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Manifest {
    pub identity: Identity,
    pub load: Load,
    pub cut: Cut,
    /// How far the pass has come that fills the files of keys or of records.
    pub pass: Option<Checkpoint>,
    /// The files of keys, once all are written.
    pub keys: Option<Vec<Part>>,
    /// The lists of records to leave out that are written: of bad records, then of the duplicates of each part.
    pub lists: Vec<Part>,
    /// Bad records found with the keys, and while dealing.
    pub bad: u64,
    /// The files of records, once all are written.
    pub dealt: Option<Vec<Part>>,
}

/// How far a pass has come.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Checkpoint {
    /// The records of the inputs that are done.
    pub records: u64,
    /// The records that were put into files.
    pub entries: u64,
    /// The files as they were then. They may have grown since.
    pub files: Vec<Part>,
}

/// What makes a job another job.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Identity {
    /// Of the manifest and the temporary files.
    pub version: u32,
    /// The options that the result depends on, or where files are, each as it is called and as it is set.
    pub options: Vec<(String, String)>,
    pub inputs: Vec<FileIdentity>,
    pub references: Vec<FileIdentity>,
}

/// What tells that a file is the same.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct FileIdentity {
    path: String,
    bytes: u64,
    /// Nanoseconds since 1970.
    modified: u128,
    format: Option<String>,
}

const NAME: &str = "manifest.json";

/// A manifest as it is written.
#[derive(Serialize, Deserialize)]
struct Sealed<M> {
    manifest: M,
    /// The checksum of the manifest as JSON without blanks.
    xxh3: String,
}

/// The checksum of a manifest.
fn seal(manifest: &Manifest) -> String {
    let json = serde_json::to_vec(manifest).expect("texts and numbers have a form in JSON");
    format!("{:032x}", XxHash3_128::oneshot(&json))
}

impl Manifest {
    /// That of a job that has done nothing yet.
    pub fn new(identity: Identity, load: Load, cut: Cut) -> Manifest {
        Manifest { identity, load, cut, pass: None, keys: None, lists: Vec::new(), bad: 0, dealt: None }
    }

    /// The manifest in a directory, if there is one.
    pub fn load(directory: &Path) -> Result<Option<Manifest>, DatasetError> {
        let path = directory.join(NAME);
        match fs::read(&path) {
            Ok(bytes) => match serde_json::from_slice::<Sealed<Manifest>>(&bytes) {
                Ok(Sealed { manifest, xxh3 }) if xxh3 == seal(&manifest) => Ok(Some(manifest)),
                _ => Err(DatasetError::Part(path)),
            },
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(DatasetError::Open(path, error)),
        }
    }

    /// Puts the manifest in the place of the one before, in one step.
    pub fn save(&self, directory: &Path) -> Result<(), DatasetError> {
        let path = directory.join(NAME);
        let sealed = Sealed { manifest: self, xxh3: seal(self) };
        let json = serde_json::to_vec_pretty(&sealed).expect("texts and numbers have a form in JSON");
        let replace = || {
            let mut file = tempfile::NamedTempFile::new_in(directory)?;
            io::Write::write_all(&mut file, &json)?;
            file.as_file().sync_all()?;
            file.persist(&path).map_err(|error| error.error)
        };
        replace().map(drop).map_err(|error| DatasetError::Write(path.display().to_string(), error))
    }

    /// Whether there is something to go on with.
    pub fn is_worth_keeping(&self) -> bool {
        self.pass.is_some() || self.keys.is_some() || !self.lists.is_empty() || self.dealt.is_some()
    }
}

impl Identity {
    /// What differs first, if anything does.
    pub fn difference(&self, other: &Identity) -> Option<String> {
        if self.version != other.version {
            return Some("the version of the program".to_owned());
        }
        let options = self.options.iter().zip(&other.options).find(|(one, other)| one != other);
        if let Some(((name, _), _)) = options {
            return Some(name.clone());
        }
        for (ours, theirs) in [(&self.inputs, &other.inputs), (&self.references, &other.references)] {
            if let Some(path) = FileIdentity::changed(ours, theirs) {
                return Some(path.to_owned());
            }
            if ours.len() != theirs.len() {
                return Some("the number of files".to_owned());
            }
        }
        None
    }
}

impl FileIdentity {
    /// The path of the first file that is not the same.
    pub fn changed<'f>(before: &'f [FileIdentity], now: &[FileIdentity]) -> Option<&'f str> {
        before.iter().zip(now).find(|(one, other)| one != other).map(|(file, _)| &*file.path)
    }

    /// Those of inputs, which are files.
    pub fn of(inputs: &Inputs) -> Vec<FileIdentity> {
        let of = |path: &Path, format: Option<crate::FileFormat>| {
            let metadata = fs::metadata(path).ok();
            let modified = metadata.as_ref().and_then(|metadata| metadata.modified().ok());
            let age = modified.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
            FileIdentity {
                path: path.display().to_string(),
                bytes: metadata.map_or(0, |metadata| metadata.len()),
                modified: age.map_or(0, |age| age.as_nanos()),
                format: format.map(|format| format.name().to_owned()),
            }
        };
        let sources = inputs.sources().iter();
        sources.filter_map(|source| Some(of(source.path()?, source.detection().format))).collect()
    }
}

//! [`Finished`]: the record of a complete output, while inputs and temporary files are removed.
//!
//! ```text
//! everything is written, under a temporary name
//! save the record             a killed run leaves the directory, with the record
//! rename the output
//! sync it, delete the inputs
//! remove the directory
//! ```
//!
//! A later run that finds the record, and the output with the size and time in it, must neither start again (inputs may be gone) nor
//! be told to overwrite the output: it only removes the rest.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use serde::{Deserialize, Serialize};

use super::manifest::{FileIdentity, Manifest};
use super::run::duplicates_in;
use super::work_dir::WorkDir;
use super::{Job, Summary};
use crate::{Counts, DatasetError};

/// A complete output.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Finished {
    stamp: Stamp,
    pub written: u64,
    pub bytes_written: u64,
    /// Whether the inputs have no data that would be lost with them.
    pub may_delete: bool,
}

/// The size and time of an output, which its rename does not change.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Stamp {
    bytes: u64,
    /// Nanoseconds since 1970.
    modified: u64,
}

impl Stamp {
    fn of(metadata: &fs::Metadata) -> io::Result<Stamp> {
        let age = metadata.modified()?.duration_since(UNIX_EPOCH).unwrap_or_default();
        Ok(Stamp { bytes: metadata.len(), modified: u64::try_from(age.as_nanos()).unwrap_or(u64::MAX) })
    }
}

impl Finished {
    /// The record of a file that is written but still has its temporary name.
    pub fn new(
        output: &File,
        (written, bytes_written): (u64, u64),
        may_delete: bool,
    ) -> io::Result<Finished> {
        Ok(Finished { stamp: Stamp::of(&output.metadata()?)?, written, bytes_written, may_delete })
    }

    /// Whether the output has its name.
    fn is_at(&self, path: &Path) -> bool {
        fs::metadata(path).and_then(|metadata| Stamp::of(&metadata)).is_ok_and(|stamp| stamp == self.stamp)
    }
}

impl Job<'_> {
    /// Finishes an earlier run of this job that was stopped after its output was complete: deletes the inputs that remain, if
    /// that was and is requested, and its temporary files. `None` if there is no such run or the job is not to
    /// [resume](Job::resume); then it can be [planned](Job::plan).
    ///
    /// # Errors
    /// [`DatasetError::Changed`] if that run had other options, [`DatasetError::InUse`] if it is still running,
    /// [`DatasetError::Delete`].
    pub fn finish_earlier(&self) -> Result<Option<Summary>, DatasetError> {
        let Some((mut work_dir, manifest, finished)) = self.earlier().filter(|_| self.resume) else {
            return Ok(None);
        };
        if let Some(what) = self.difference_from(&manifest.identity.settings) {
            return Err(DatasetError::Changed { directory: work_dir.first().to_owned(), what });
        }
        work_dir.take_over()?;
        if finished.may_delete {
            let is_unchanged = |path: &PathBuf| {
                let now = FileIdentity::of_file(path);
                manifest.identity.inputs.iter().any(|input| input.is_file(&now))
            };
            self.deletable()?.into_iter().filter(is_unchanged).try_for_each(remove_input)?;
        }
        work_dir.keep(false);
        let counts = Counts {
            read: manifest.load.records,
            written: finished.written,
            bytes_written: finished.bytes_written,
            bad: manifest.bad.0.clone(),
            ..Counts::default()
        };
        Ok(Some(Summary {
            counts,
            duplicates: duplicates_in(&manifest.lists),
            other_parts: manifest.other_parts,
            bad_references: manifest.bad_references,
            resumed: true,
            kept_inputs: self.delete_inputs && !finished.may_delete,
            ..Summary::default()
        }))
    }

    /// Fails if an earlier run has completed this output, and was stopped before it had removed the rest.
    pub(super) fn check_earlier(&self) -> Result<(), DatasetError> {
        let (Some((work_dir, ..)), Some(output)) = (self.earlier(), self.output.named()) else {
            return Ok(());
        };
        // It may still be at it.
        work_dir.existing()?;
        Err(DatasetError::Complete(output.to_owned()))
    }

    /// An earlier run that has completed this output, and its directories. A manifest that cannot be read is an error of the plan.
    fn earlier(&self) -> Option<(WorkDir, Manifest, Finished)> {
        let output = self.output.named()?;
        let work_dir = WorkDir::locate(&self.limits, &self.output);
        let manifest = Manifest::load(work_dir.first()).ok()??;
        let finished = manifest.finished.clone().filter(|finished| finished.is_at(output))?;
        Some((work_dir, manifest, finished))
    }
}

/// Deletes an input. One that is missing was deleted by an earlier run.
pub(super) fn remove_input(path: PathBuf) -> Result<(), DatasetError> {
    match fs::remove_file(&path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(DatasetError::Delete(path, error)),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::large::Shuffle;
    use crate::large::layout::{Load, Partitions};
    use crate::large::manifest::{Identity, Settings};
    use crate::{Input, Output};

    const RECORDS: u64 = 3;

    /// The files of a run that was killed while it deleted its inputs `a.psv`, which is gone, and `b.psv`.
    struct Killed(tempfile::TempDir);

    impl Killed {
        fn new(may_delete: bool) -> Killed {
            let place = tempfile::tempdir().unwrap();
            let path = |name: &str| place.path().join(name);
            fs::write(path("b.psv"), [1; 80]).unwrap();
            fs::write(path("out.psv"), [2; 120]).unwrap();
            let directory = path(".out.psv.komabako");
            fs::create_dir(&directory).unwrap();
            let settings = Settings { seed: Some(7), partition: "0/1".into(), ..Settings::default() };
            let identity = Identity {
                settings,
                inputs: ["a.psv", "b.psv"].map(|name| FileIdentity::of_file(&path(name))).into(),
                references: Vec::new(),
            };
            let load = Load { records: RECORDS, ..Load::default() };
            let mut manifest = Manifest::new(identity, load, Partitions { keys: 1, order: 1 });
            let output = File::open(path("out.psv")).unwrap();
            manifest.finished = Some(Finished::new(&output, (RECORDS, 120), may_delete).unwrap());
            manifest.save(&directory).unwrap();
            Killed(place)
        }

        /// The same command again, on the inputs that remain.
        fn job(&self, resume: bool, seed: u64) -> Job<'static> {
            let input = Input::path(self.0.path().join("b.psv"));
            let shuffle = Some(Shuffle { seed, phased: false });
            let job = Job::new(vec![input], Output::path(self.0.path().join("out.psv")));
            Job { shuffle, resume, delete_inputs: true, ..job }
        }

        fn names(&self) -> Vec<String> {
            let entries = fs::read_dir(self.0.path()).unwrap();
            let mut names: Vec<_> =
                entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
            names.sort_unstable();
            names
        }
    }

    #[test]
    fn an_output_that_is_complete_is_not_written_again() {
        let killed = Killed::new(true);
        let names = killed.names();
        for force in [false, true] {
            let mut job = killed.job(false, 7);
            job.options.force = force;
            assert!(job.finish_earlier().unwrap().is_none());
            assert!(matches!(job.plan(&mut ()), Err(DatasetError::Complete(_))));
        }
        let other = killed.job(true, 8).finish_earlier();
        assert!(matches!(other, Err(DatasetError::Changed { .. })));
        assert_eq!(killed.names(), names);
    }

    #[test]
    fn resuming_it_removes_the_rest() {
        let killed = Killed::new(true);
        let summary = killed.job(true, 7).finish_earlier().unwrap().unwrap();
        assert_eq!((summary.counts.written, summary.resumed, summary.kept_inputs), (RECORDS, true, false));
        assert_eq!(killed.names(), ["out.psv"]);
        assert_eq!(fs::read(killed.0.path().join("out.psv")).unwrap(), [2; 120]);
    }

    #[test]
    fn inputs_with_other_data_are_kept() {
        let killed = Killed::new(false);
        assert!(killed.job(true, 7).finish_earlier().unwrap().unwrap().kept_inputs);
        assert_eq!(killed.names(), ["b.psv", "out.psv"]);

        let killed = Killed::new(true);
        fs::write(killed.0.path().join("b.psv"), [3; 40]).unwrap();
        killed.job(true, 7).finish_earlier().unwrap().unwrap();
        assert_eq!(killed.names(), ["b.psv", "out.psv"]);
    }

    #[test]
    fn another_output_of_that_name_is_none_of_its() {
        let killed = Killed::new(true);
        fs::write(killed.0.path().join("out.psv"), [4; 40]).unwrap();
        assert!(killed.job(true, 7).finish_earlier().unwrap().is_none());
        assert!(!matches!(killed.job(false, 7).plan(&mut ()), Err(DatasetError::Complete(_))));
        assert_eq!(killed.names(), [".out.psv.komabako", "b.psv", "out.psv"]);
    }
}

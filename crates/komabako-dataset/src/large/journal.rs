//! [`Journal`]: checkpoints of a job, so that a later run can resume it.

use std::fs::File;
use std::path::{Path, PathBuf};

use komabako_record::hash::Hasher128;

use super::manifest::{BadCounts, Checkpoint, Manifest, Written};
use super::work_dir::WorkDir;
use crate::DatasetError;
use crate::engine::temporary::TempFile;

/// The manifest of a job, and its directory.
pub(super) struct Journal {
    pub manifest: Manifest,
    pub work_dir: WorkDir,
    /// Whether a later run can resume: not if a stream is read or written.
    resumable: bool,
    /// The number of records between two checkpoints of a pass.
    interval: u64,
    /// The record at which the next checkpoint is due.
    next: u64,
}

/// The minimum and maximum number of records between two checkpoints.
const INTERVAL_BOUNDS: (u64, u64) = (1 << 16, 1 << 24);
/// The number of checkpoints per pass, within those bounds.
const CHECKPOINTS_PER_PASS: u64 = 16;

impl Journal {
    /// The journal of a job that begins or resumes.
    pub fn new(manifest: Manifest, work_dir: WorkDir, resumable: bool) -> Journal {
        // A checkpoint flushes all buffers: few enough not to cost time, many enough to lose little work.
        let interval =
            (manifest.load.records / CHECKPOINTS_PER_PASS).clamp(INTERVAL_BOUNDS.0, INTERVAL_BOUNDS.1);
        Journal { manifest, work_dir, resumable, interval, next: interval }
    }

    /// Saves the manifest, with the counts of bad records so far.
    pub fn save(&mut self, bad: &BadCounts) -> Result<(), DatasetError> {
        self.manifest.bad.clone_from(bad);
        if self.resumable {
            self.manifest.directories = self.work_dir.names();
            self.manifest.save(self.work_dir.home())?;
            self.work_dir.keep(self.manifest.is_worth_keeping());
        }
        Ok(())
    }

    /// Saves the manifest of a job whose output is complete. Its directory is kept until the rest is removed.
    pub fn save_finished(&mut self, bad: &BadCounts) -> Result<(), DatasetError> {
        self.manifest.bad.clone_from(bad);
        self.manifest.directories = self.work_dir.names();
        self.manifest.save(self.work_dir.home())?;
        self.work_dir.keep(true);
        Ok(())
    }

    /// Starts a pass, or resumes an interrupted one and returns its checkpoint.
    pub fn begin(&mut self) -> Option<Checkpoint> {
        let checkpoint = self.manifest.pass.clone();
        self.next = self.interval + checkpoint.as_ref().map_or(0, |checkpoint| checkpoint.records);
        checkpoint
    }

    /// Whether a checkpoint is due after `records`.
    pub fn is_due(&self, records: u64) -> bool {
        self.resumable && records >= self.next
    }

    /// Saves a checkpoint of a pass.
    pub fn save_checkpoint(&mut self, checkpoint: Checkpoint, bad: &BadCounts) -> Result<(), DatasetError> {
        self.next = checkpoint.records + self.interval;
        self.manifest.pass = Some(checkpoint);
        self.save(bad)
    }

    /// Records the end of a pass; `files` adds its files to the manifest.
    pub fn end(&mut self, bad: &BadCounts, files: impl FnOnce(&mut Manifest)) -> Result<(), DatasetError> {
        // The files and the end of the pass are saved in one step: a manifest never has one without the other.
        self.manifest.pass = None;
        files(&mut self.manifest);
        self.save(bad)
    }

    /// Prepares the file of an output in the work directory: truncates it to the last checkpoint. Returns its records, its bytes
    /// and the state of their checksum. If the file is missing, all records are distributed again.
    pub fn resume_output(&mut self, unfinished: &Path) -> Result<(u64, u64, Hasher128), DatasetError> {
        if let Some(Written { records, part, .. }) = &self.manifest.written {
            if unfinished.exists() {
                return Ok((*records, part.bytes, part.truncate(unfinished)?));
            }
            // The run was killed while it renamed the output. The parts that were in it are gone.
            self.manifest.records = None;
            self.manifest.written = None;
        }
        self.work_dir.create()?;
        File::create(unfinished).map_err(|error| DatasetError::Create(unfinished.to_owned(), error))?;
        Ok((0, 0, Hasher128::new()))
    }

    /// The lists of records to leave out, with their checksums.
    pub fn lists(&self) -> impl Iterator<Item = (PathBuf, TempFile)> {
        let lists = self.manifest.lists.iter().enumerate();
        lists.map(|(number, part)| (self.work_dir.file("list", number), part.clone()))
    }

    /// The lists of means, with their checksums.
    pub fn means(&self) -> impl Iterator<Item = (PathBuf, TempFile)> {
        let means = self.manifest.means.iter().enumerate();
        means.map(|(number, part)| (self.work_dir.file("means", number), part.clone()))
    }
}

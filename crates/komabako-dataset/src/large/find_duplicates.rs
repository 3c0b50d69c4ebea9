//! Finds the duplicates in each part of the keys, several parts at once.

use std::fs;
use std::ops::Range;

use super::Sameness;
use super::key_set::KeySet;
use super::run::Stages;
use super::work_dir::WorkDir;
use crate::engine::parallel::{self, ProgressSender};
use crate::engine::temporary::{PartitionWriter, Shape, TempFile};
use crate::{DatasetError, Phase, Progress, Step};

/// The number used for every record of a reference.
pub(super) const REFERENCE: u64 = u64::MAX;
/// The buffer size of a list.
pub(super) const LIST_BUFFER: usize = 1 << 16;

impl Stages {
    /// Finds the duplicates in each part of the keys, with a checkpoint after each group of parts.
    pub fn find_in_parts(&mut self, by: Sameness, progress: &mut dyn Progress) -> Result<(), DatasetError> {
        let parts = self.journal.manifest.keys.clone().unwrap_or_default();
        let bytes = |parts: &[TempFile]| parts.iter().map(|part| part.bytes).sum();
        let shape = self.extractor(by).shape();
        // One set per thread, cleared and reused: they are the largest memory that the job takes.
        let mut sets: Vec<KeySet> =
            (0..self.layout.parts_at_once).map(|_| self.key_set(shape, parts.len())).collect();
        // The first list is that of unwanted records.
        let done = self.journal.manifest.lists.len() - 1;
        let mut step = Step {
            phase: Phase::FindDuplicates,
            total: Some(bytes(&parts)),
            bytes: bytes(&parts[..done]),
            ..Step::default()
        };
        self.remove_keys(0..done);
        for start in (done..parts.len()).step_by(self.layout.group()) {
            let group = start..parts.len().min(start + self.layout.group());
            let search = PartSearch { work_dir: &self.journal.work_dir, shape, parts: &parts };
            let mark = |part: usize, set: &mut KeySet, reports: &ProgressSender| {
                search.find_in_part(part, set, reports)
            };
            let mut lists = parallel::each(group.clone(), &mut sets, &mut step, progress, mark)?;
            self.journal.manifest.lists.append(&mut lists);
            self.journal.save(&self.log.bad)?;
            // Removed only after the manifest has recorded that their lists are complete.
            self.remove_keys(group);
        }
        Ok(())
    }

    /// Removes the keys of finished parts.
    fn remove_keys(&self, parts: Range<usize>) {
        for part in parts {
            // A killed run may have removed it already.
            let _ = fs::remove_file(self.journal.work_dir.file("keys", part));
        }
    }
}

/// The parts of the keys, and the directories for the lists of their duplicates.
struct PartSearch<'a> {
    work_dir: &'a WorkDir,
    shape: Shape,
    parts: &'a [TempFile],
}

impl PartSearch<'_> {
    /// Writes the list of a part's duplicates.
    fn find_in_part(
        &self,
        number: usize,
        set: &mut KeySet,
        reports: &ProgressSender,
    ) -> Result<TempFile, DatasetError> {
        // The first list is that of unwanted records.
        let mut list = new_list(self.work_dir, number + 1)?;
        set.clear();
        self.parts[number].scan(&self.work_dir.file("keys", number), |chunk| {
            let mut rest = chunk;
            let mut records = 0;
            let mut ahead = chunk;
            let mut fetch_next = |set: &mut KeySet| {
                if let Some((_, key, next)) = split_key(self.shape, ahead) {
                    set.fetch(key);
                    ahead = next;
                }
            };
            (0..KeySet::AHEAD).for_each(|_| fetch_next(set));
            while let Some((number, key, next)) = split_key(self.shape, rest) {
                fetch_next(set);
                // A part has all records of its keys in their order, so that the first one found is the one to
                // keep.
                if !set.insert(key) {
                    push_duplicate(&mut list, number)?;
                }
                records += 1;
                rest = next;
            }
            // The last key may be cut off by the end of the buffer; it is read again at the start of the next one.
            let used = chunk.len() - rest.len();
            reports.send(records, used as u64)?;
            Ok(used)
        })?;
        Ok(list.finish()?.remove(0))
    }
}

/// An empty list with this number.
pub(super) fn new_list(work_dir: &WorkDir, number: usize) -> Result<PartitionWriter, DatasetError> {
    PartitionWriter::create([work_dir.file("list", number)], LIST_BUFFER)
}

/// Adds a record to a list.
pub(super) fn push_number(list: &mut PartitionWriter, number: u64) -> Result<(), DatasetError> {
    list.push(0, |out| out.extend_from_slice(&number.to_le_bytes()))
}

/// Adds a record whose key was found before, unless it belongs to a reference.
pub(super) fn push_duplicate(list: &mut PartitionWriter, number: u64) -> Result<(), DatasetError> {
    if number == REFERENCE { Ok(()) } else { push_number(list, number) }
}

/// Appends a key with the number of its record.
#[inline]
pub(super) fn push_key(number: u64, shape: Shape, key: &[u8], out: &mut Vec<u8>) {
    out.extend_from_slice(&number.to_le_bytes());
    shape.append(key, out);
}

/// The number and the key at the start of `entries`, and the rest.
fn split_key(shape: Shape, entries: &[u8]) -> Option<(u64, &[u8], &[u8])> {
    let (number, rest) = entries.split_first_chunk()?;
    let (key, rest) = shape.split(rest)?;
    Some((u64::from_le_bytes(*number), key, rest))
}

//! Finds the duplicates of each part of the keys, several parts at once.

use std::fs;
use std::ops::Range;

use super::Sameness;
use super::distinct::Distinct;
use super::run::Stages;
use super::store::Store;
use crate::engine::parallel::{self, ProgressSender};
use crate::engine::temporary::{PartitionWriter, Shape, TempFile};
use crate::{DatasetError, Phase, Progress, Step};

/// The number of every record of a reference.
pub(super) const REFERENCE: u64 = u64::MAX;
/// The bytes of a record's number.
pub(super) const NUMBER_BYTES: u64 = 8;
/// The size of the buffer of a list.
pub(super) const LIST_BUFFER: usize = 1 << 16;

impl Stages {
    /// Finds the duplicates of each part of the keys. What is found of a group of parts is written down at once.
    pub fn mark(&mut self, by: Sameness, progress: &mut dyn Progress) -> Result<(), DatasetError> {
        let parts = self.journal.manifest.keys.clone().unwrap_or_default();
        let bytes = |parts: &[TempFile]| parts.iter().map(|part| part.bytes).sum();
        let shape = self.maker(by).shape();
        let mut sets: Vec<Distinct> =
            (0..self.layout.markers).map(|_| self.distinct(shape, parts.len())).collect();
        // The first list is that of bad records.
        let done = self.journal.manifest.lists.len() - 1;
        let mut step = Step {
            phase: Phase::Mark,
            total: Some(bytes(&parts)),
            bytes: bytes(&parts[..done]),
            ..Step::default()
        };
        self.remove_keys(0..done);
        for start in (done..parts.len()).step_by(self.layout.group()) {
            let group = start..parts.len().min(start + self.layout.group());
            let marking = Marking { store: &self.journal.store, shape, parts: &parts };
            let mark = |part: usize, set: &mut Distinct, reports: &ProgressSender| {
                marking.mark_part(part, set, reports)
            };
            let mut lists = parallel::each(group.clone(), &mut sets, &mut step, progress, mark)?;
            self.journal.manifest.lists.append(&mut lists);
            self.journal.save(&self.log.bad)?;
            // Removed only after the manifest says that their lists are complete.
            self.remove_keys(group);
        }
        Ok(())
    }

    /// Removes the keys of parts that are done.
    fn remove_keys(&self, parts: Range<usize>) {
        for part in parts {
            // A run that was killed may have removed it.
            let _ = fs::remove_file(self.journal.store.file("keys", part));
        }
    }
}

/// Where parts of the keys are, and where the lists of their duplicates go.
struct Marking<'a> {
    store: &'a Store,
    shape: Shape,
    parts: &'a [TempFile],
}

impl Marking<'_> {
    /// Writes the list of the duplicates of a part.
    fn mark_part(
        &self,
        number: usize,
        set: &mut Distinct,
        reports: &ProgressSender,
    ) -> Result<TempFile, DatasetError> {
        // The first list is that of bad records.
        let mut list = new_list(self.store, number + 1)?;
        set.clear();
        self.parts[number].scan(&self.store.file("keys", number), |piece| {
            let mut rest = piece;
            let mut records = 0;
            while let Some((number, key, next)) = split_key(self.shape, rest) {
                if !set.insert(key) {
                    put_duplicate(&mut list, number)?;
                }
                records += 1;
                rest = next;
            }
            // The last key may be cut off by the end of the buffer; it is met again at the start of the next.
            let used = piece.len() - rest.len();
            reports.send(records, used as u64)?;
            Ok(used)
        })?;
        Ok(list.finish()?.remove(0))
    }
}

/// An empty list, by its number.
pub(super) fn new_list(store: &Store, number: usize) -> Result<PartitionWriter, DatasetError> {
    PartitionWriter::create([store.file("list", number)], LIST_BUFFER)
}

/// Adds a record to a list.
pub(super) fn put_number(list: &mut PartitionWriter, number: u64) -> Result<(), DatasetError> {
    list.put(0, |out| out.extend_from_slice(&number.to_le_bytes()))
}

/// Adds a record whose key was met before, unless it is one of a reference.
pub(super) fn put_duplicate(list: &mut PartitionWriter, number: u64) -> Result<(), DatasetError> {
    if number == REFERENCE { Ok(()) } else { put_number(list, number) }
}

/// Appends a key with the number of its record.
#[inline]
pub(super) fn put_key(number: u64, shape: Shape, key: &[u8], out: &mut Vec<u8>) {
    out.extend_from_slice(&number.to_le_bytes());
    shape.put(key, out);
}

/// The number and the key at the start of some entries, and what follows.
fn split_key(shape: Shape, entries: &[u8]) -> Option<(u64, &[u8], &[u8])> {
    let (number, rest) = entries.split_first_chunk()?;
    let (key, rest) = shape.split(rest)?;
    Some((u64::from_le_bytes(*number), key, rest))
}

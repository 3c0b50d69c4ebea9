//! Finds the duplicates of each part of the keys, several parts at once.

use std::fs;
use std::ops::Range;
use std::panic::resume_unwind;
use std::sync::mpsc::{self, Sender};
use std::thread;

use super::Sameness;
use super::distinct::Distinct;
use super::run::{Stages, report};
use super::store::Store;
use crate::temporary::{Part, Shape, Spill};
use crate::{DatasetError, Phase, Progress, Step};

/// The number of every record of a reference.
pub(super) const REFERENCE: u64 = u64::MAX;
/// The bytes of a record's number.
pub(super) const NUMBER_BYTES: u64 = 8;
/// What is collected of a list before it is written.
pub(super) const LIST_BUFFER: usize = 1 << 16;

impl Stages {
    /// Finds the duplicates of each part of the keys. What is found of a group of parts is written down at once.
    pub fn mark(&mut self, by: Sameness, progress: &mut dyn Progress) -> Result<(), DatasetError> {
        let parts = self.journal.manifest.keys.clone().unwrap_or_default();
        let bytes = |parts: &[Part]| parts.iter().map(|part| part.bytes).sum();
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
            let work = Group { store: &self.journal.store, shape, parts: &parts, numbers: group.clone() };
            let mut lists = work.mark(&mut sets, &mut step, progress)?;
            self.journal.manifest.lists.append(&mut lists);
            self.journal.save(self.log.bad)?;
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

/// Parts whose duplicates are found together.
struct Group<'a> {
    store: &'a Store,
    shape: Shape,
    /// All parts.
    parts: &'a [Part],
    /// Those of the group.
    numbers: Range<usize>,
}

/// Records and bytes of keys that have been read.
type Read = (u64, u64);

impl Group<'_> {
    /// Writes the lists of duplicates, with a thread for each of the sets.
    fn mark(
        &self,
        sets: &mut [Distinct],
        step: &mut Step,
        progress: &mut dyn Progress,
    ) -> Result<Vec<Part>, DatasetError> {
        let threads = sets.len();
        let mut lists = thread::scope(|scope| {
            let (told, heard) = mpsc::channel();
            let mut workers = Vec::new();
            for (first, set) in sets.iter_mut().enumerate() {
                let own = self.numbers.clone().skip(first).step_by(threads);
                let told = told.clone();
                workers.push(scope.spawn(move || {
                    let mark = |number| Ok((number, self.mark_part(number, set, &told)?));
                    own.map(mark).collect::<Result<Vec<_>, DatasetError>>()
                }));
            }
            drop(told);
            let reported = heard.iter().try_for_each(|(records, bytes)| {
                step.records += records;
                step.bytes += bytes;
                report(progress, step)
            });
            // Whoever has more to tell stops.
            drop(heard);
            let join = |worker: thread::ScopedJoinHandle<'_, _>| {
                worker.join().unwrap_or_else(|panic| resume_unwind(panic))
            };
            let lists = workers.into_iter().map(join).collect::<Result<Vec<_>, DatasetError>>();
            reported.and(lists)
        })?
        .concat();
        lists.sort_unstable_by_key(|&(number, _)| number);
        Ok(lists.into_iter().map(|(_, list)| list).collect())
    }

    /// Writes the list of the duplicates of a part.
    fn mark_part(
        &self,
        number: usize,
        set: &mut Distinct,
        told: &Sender<Read>,
    ) -> Result<Part, DatasetError> {
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
            let used = piece.len() - rest.len();
            told.send((records, used as u64)).map_err(|_| DatasetError::Cancelled)?;
            Ok(used)
        })?;
        Ok(list.finish()?.remove(0))
    }
}

/// An empty list, by its number.
pub(super) fn new_list(store: &Store, number: usize) -> Result<Spill, DatasetError> {
    Spill::create([store.file("list", number)], LIST_BUFFER)
}

/// Adds a record to a list.
pub(super) fn put_number(list: &mut Spill, number: u64) -> Result<(), DatasetError> {
    list.put(0, |out| out.extend_from_slice(&number.to_le_bytes()))
}

/// Adds a record whose key was met before, unless it is one of a reference.
pub(super) fn put_duplicate(list: &mut Spill, number: u64) -> Result<(), DatasetError> {
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

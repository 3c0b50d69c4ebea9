//! Finds the duplicates in each part of the keys, several parts at once.

use std::collections::HashMap;
use std::fs;
use std::ops::Range;

use super::average::Tally;
use super::extract::KeyExtractor;
use super::key_set::KeySet;
use super::layout::Size;
use super::run::Stages;
use super::work_dir::WorkDir;
use super::{Keep, Sameness};
use crate::engine::parallel::{self, ProgressSender};
use crate::engine::temporary::{PartitionWriter, Shape, TempFile};
use crate::{DatasetError, Phase, Progress, Step};

/// The number used for every record of a reference.
pub(super) const REFERENCE: u64 = u64::MAX;
/// The buffer size of a list.
pub(super) const LIST_BUFFER: usize = 1 << 16;

impl Stages {
    /// Finds the duplicates in each part of the keys in files, with a checkpoint after each group of parts.
    pub fn find_in_files(&mut self, by: Sameness, progress: &mut dyn Progress) -> Result<(), DatasetError> {
        let parts = self.journal.manifest.keys.clone().unwrap_or_default();
        let bytes = |parts: &[TempFile]| parts.iter().map(|part| part.bytes).sum();
        let mut seekers = self.seekers(by, parts.len());
        // The first list is that of unwanted records.
        let done = self.journal.manifest.lists.len() - 1;
        let mut step = Step {
            phase: Phase::FindDuplicates,
            total: Some(bytes(&parts)),
            bytes: bytes(&parts[..done]),
            ..Step::default()
        };
        self.remove_keys(0..done);
        let count = parts.len();
        let parts = KeyParts::Files(parts);
        for start in (done..count).step_by(self.layout.group()) {
            let group = start..count.min(start + self.layout.group());
            for (list, means) in self.find_in(&parts, by, group.clone(), &mut seekers, &mut step, progress)? {
                self.journal.manifest.lists.push(list);
                self.journal.manifest.means.extend(means);
            }
            self.journal.save(&self.log.bad)?;
            // Removed only after the manifest has recorded that their lists are complete.
            self.remove_keys(group);
        }
        Ok(())
    }

    /// Finds the duplicates in each part of the keys in memory. Returns a list for each, and one of its means if they are asked for.
    pub fn find_in_memory(
        &self,
        by: Sameness,
        parts: Vec<Vec<u8>>,
        progress: &mut dyn Progress,
    ) -> Result<Vec<Found>, DatasetError> {
        let bytes = parts.iter().map(|part| part.len() as u64).sum();
        let mut step = Step { phase: Phase::FindDuplicates, total: Some(bytes), ..Step::default() };
        let numbers = 0..parts.len();
        let mut seekers = self.seekers(by, parts.len());
        self.find_in(&KeyParts::Held(parts), by, numbers, &mut seekers, &mut step, progress)
    }

    /// Finds the duplicates in some of the parts.
    fn find_in(
        &self,
        parts: &KeyParts,
        by: Sameness,
        numbers: Range<usize>,
        seekers: &mut [Seeker],
        step: &mut Step,
        progress: &mut dyn Progress,
    ) -> Result<Vec<Found>, DatasetError> {
        let shape = self.extractor(by).shape();
        let search = PartSearch { work_dir: &self.journal.work_dir, by, shape, parts };
        parallel::each(numbers, seekers, step, progress, |part, seeker, reports| {
            search.find_in_part(part, seeker, reports)
        })
    }

    /// A seeker for each thread, cleared and reused for all of `parts` parts: they are the largest memory that the job takes.
    fn seekers(&self, by: Sameness, parts: usize) -> Vec<Seeker> {
        (0..self.layout.parts_at_once).map(|_| self.seeker(by, parts)).collect()
    }

    /// The seeker for one of `parts` parts.
    fn seeker(&self, by: Sameness, parts: usize) -> Seeker {
        let set = || self.key_set(KeyExtractor::shape_of(by, self.to, false), parts);
        match (self.keep, KeyExtractor::key_size(by)) {
            (Keep::Mean, Some(key)) => {
                let Size { count, .. } = self.layout.part_of(self.demand.held, parts);
                Seeker::Mean(Tally::with_capacity(key, count, self.to.holds_games()))
            }
            // The mean of equal records is each of them.
            (Keep::First | Keep::Mean, _) => Seeker::First(set()),
            (Keep::Last, _) => Seeker::Last(set(), HashMap::new()),
            (Keep::All, _) => Seeker::All(set()),
        }
    }

    /// Removes the keys of finished parts.
    fn remove_keys(&self, parts: Range<usize>) {
        for part in parts {
            // A killed run may have removed it already.
            let _ = fs::remove_file(self.journal.work_dir.file("keys", part));
        }
    }
}

/// Finds the records of a part that are left out. Their keys come in the order of the records, those of references first.
enum Seeker {
    First(KeySet),
    /// With the last record of each key that has several, by the place of the key; [`REFERENCE`] if a reference has it.
    Last(KeySet, HashMap<usize, u64>),
    Mean(Tally),
    All(KeySet),
}

impl Seeker {
    fn clear(&mut self) {
        match self {
            Seeker::First(keys) | Seeker::All(keys) => keys.clear(),
            Seeker::Last(keys, last) => {
                keys.clear();
                last.clear();
            }
            Seeker::Mean(tally) => tally.clear(),
        }
    }

    /// Fetches the slot of a key that will be added.
    #[inline]
    fn fetch(&mut self, hash: u64) {
        match self {
            Seeker::First(keys) | Seeker::All(keys) | Seeker::Last(keys, _) => keys.fetch(hash),
            Seeker::Mean(tally) => tally.fetch(hash),
        }
    }

    /// Adds the key of a record; returns whether the record is left out, as far as the keys so far tell.
    #[inline]
    fn add(&mut self, entry: &KeyEntry) -> bool {
        let KeyEntry { number, hash, key, vote } = *entry;
        match self {
            Seeker::First(keys) => !keys.insert(hash, key),
            Seeker::All(keys) => is_known(keys, number, hash, key),
            Seeker::Last(keys, last) => {
                let (place, is_new) = keys.place_of(hash, key);
                let is_final = last.get(&place) == Some(&REFERENCE);
                if !is_final && (!is_new || number == REFERENCE) {
                    last.insert(place, number);
                }
                false
            }
            Seeker::Mean(tally) => !tally.add(number, hash, key, vote),
        }
    }
}

/// Whether a reference has the key of a record; adds that of a reference.
pub(super) fn is_known(keys: &mut KeySet, number: u64, hash: u64, key: &[u8]) -> bool {
    if number == REFERENCE { !keys.insert(hash, key) } else { keys.contains(hash, key) }
}

/// A key and the number and vote of its record.
struct KeyEntry<'a> {
    number: u64,
    hash: u64,
    key: &'a [u8],
    vote: &'a [u8],
}

/// The keys of each part with the numbers of their records.
enum KeyParts {
    Held(Vec<Vec<u8>>),
    Files(Vec<TempFile>),
}

/// The list of a part's duplicates, and that of its means if they are asked for.
pub(super) type Found = (TempFile, Option<TempFile>);

/// The parts of the keys, and the directories for the lists of their duplicates.
struct PartSearch<'a> {
    work_dir: &'a WorkDir,
    by: Sameness,
    shape: Shape,
    parts: &'a KeyParts,
}

impl PartSearch<'_> {
    /// Writes the lists of a part.
    fn find_in_part(
        &self,
        number: usize,
        seeker: &mut Seeker,
        reports: &ProgressSender,
    ) -> Result<Found, DatasetError> {
        // The first list is that of unwanted records.
        let mut list = new_list(self.work_dir, number + 1)?;
        seeker.clear();
        self.scan(number, Some(reports), seeker, |seeker, entry| {
            // A part has all records of its keys in their order.
            if seeker.add(entry) { push_duplicate(&mut list, entry.number) } else { Ok(()) }
        })?;
        if let Seeker::Last(..) = seeker {
            // Only now the last record of each key is known.
            self.scan(number, None, seeker, |seeker, entry| {
                let Seeker::Last(keys, last) = seeker else { return Ok(()) };
                let (place, _) = keys.place_of(entry.hash, entry.key);
                let is_last = last.get(&place).is_none_or(|&last| last == entry.number);
                if is_last { Ok(()) } else { push_duplicate(&mut list, entry.number) }
            })?;
        }
        let mut means = None;
        if let Seeker::Mean(tally) = seeker {
            let path = self.work_dir.file("means", number);
            let mut file = PartitionWriter::create([path], LIST_BUFFER)?;
            let mut bytes = Vec::new();
            tally.means(|first, mean| {
                bytes.clear();
                mean.append(&mut bytes);
                file.push(0, |out| push_key(first, Shape::Varying, &bytes, out))
            })?;
            means = file.finish()?.pop();
        }
        Ok((list.finish()?.remove(0), means))
    }

    /// Passes the keys of a part, whose slots have been fetched.
    fn scan(
        &self,
        number: usize,
        reports: Option<&ProgressSender>,
        seeker: &mut Seeker,
        mut each: impl FnMut(&mut Seeker, &KeyEntry) -> Result<(), DatasetError>,
    ) -> Result<(), DatasetError> {
        let mut scan_chunk = |chunk: &[u8]| {
            let mut rest = chunk;
            let mut records = 0;
            let mut ahead = chunk;
            let mut fetch_next = |seeker: &mut Seeker, hash: &mut u64| {
                if let Some((_, bytes, next)) = split_key(self.shape, ahead) {
                    *hash = KeySet::hash_of(KeyExtractor::split(self.by, bytes).0);
                    seeker.fetch(*hash);
                    ahead = next;
                }
            };
            // Those of the keys whose slots have been fetched; that of a key is replaced when it is used.
            let mut hashes = [0; KeySet::AHEAD];
            hashes.iter_mut().for_each(|hash| fetch_next(seeker, hash));
            while let Some((number, bytes, next)) = split_key(self.shape, rest) {
                let (key, vote) = KeyExtractor::split(self.by, bytes);
                let fetched = &mut hashes[records as usize % KeySet::AHEAD];
                let hash = *fetched;
                fetch_next(seeker, fetched);
                each(seeker, &KeyEntry { number, hash, key, vote })?;
                records += 1;
                rest = next;
            }
            // The last key may be cut off by the end of the buffer; it is read again at the start of the next one.
            let used = chunk.len() - rest.len();
            if let Some(reports) = reports {
                reports.send(records, used as u64)?;
            }
            Ok(used)
        };
        match self.parts {
            KeyParts::Held(parts) => scan_chunk(&parts[number]).map(drop),
            KeyParts::Files(parts) => parts[number].scan(&self.work_dir.file("keys", number), scan_chunk),
        }
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

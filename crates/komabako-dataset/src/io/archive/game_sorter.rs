//! [`GameSorter`]: puts records together to games that do not fit in memory, through temporary files.
//!
//! ```text
//! for each record i:                                      add
//!     file "records" += i
//!     file "keys" of own key += (own key, i), of the next record's += (next key, i goes on)
//! for each file of keys: sort it; join each record to the one with its next key   join
//! the first records of chains, by key, as many as fit in memory at a time:  join_bridges
//!     for each record without a next one: look up the records two moves later
//! place of each record: chain after chain, in the order of their first records    places
//! file "records": each record to the file of its place; then file by file         write
//! ```
//!
//! In memory are, for each record, only the number of the next one and whether it has one before it.

use std::io;
use std::path::Path;

use komabako_archive::{Joiner, Source};

use super::writer::temporary;
use crate::engine::temporary::directory::TemporaryDirectory;
use crate::engine::temporary::{PartitionWriter, TempFile};
use crate::engine::threads::find_on_threads;
use crate::io::input::check_stopped;
use crate::{DatasetError, Name};

/// The number of files of keys, and of records by place.
const PARTS: usize = 32;
/// The bytes of a key and of a number in a file.
const KEY: usize = 16;
const NUMBER: usize = 4;
/// The bytes in memory of a record.
const BYTES_OF_RECORD: u64 = 5;
/// The bytes in memory of a key and its number.
const BYTES_OF_KEY: u64 = 32;
/// The keys that are looked up at once at least, 1 MiB of them, since each time the records are read again.
const FEWEST_KEYS: usize = 1 << 15;
/// The records whose keys are found at once.
const CHUNK: usize = 1 << 14;

/// No number of a record.
const NONE: u32 = u32::MAX;
/// The mark of a number that is a place, and of a key that is that of the next record.
const MARK: u32 = 1 << 31;

/// Puts records together, in files.
pub(super) struct GameSorter {
    source: Source,
    memory: u64,
    threads: usize,
    directory: TemporaryDirectory,
    records: PartitionWriter,
    keys: PartitionWriter,
    count: usize,
}

/// The files of a sorter that has all records.
struct Files {
    source: Source,
    threads: usize,
    directory: TemporaryDirectory,
    records: TempFile,
    keys: Vec<TempFile>,
}

/// Which record follows which.
struct Joins {
    /// The number of the next record; later the place.
    next: Vec<u32>,
    has_previous: Vec<bool>,
}

impl Joins {
    /// Joins a record to one after it, if both are free.
    fn join(&mut self, record: u32, next: u32) {
        if record != next && self.next[record as usize] == NONE && !self.has_previous[next as usize] {
            self.next[record as usize] = next;
            self.has_previous[next as usize] = true;
        }
    }
}

impl GameSorter {
    /// The most records that are put together at once.
    pub const MOST: usize = MARK as usize - 2;

    /// The records that are put together within some memory.
    pub fn most(memory: u64) -> usize {
        // The rest is for buffers, and for a part of the keys or of the records.
        usize::try_from(memory / (2 * BYTES_OF_RECORD)).unwrap_or(usize::MAX).clamp(1, GameSorter::MOST)
    }

    /// The most bytes in files of a record: with two keys, or twice with its place.
    pub const fn bytes_of_record(source: Source) -> u64 {
        (2 * source.record_size() + 2 * (KEY + NUMBER)) as u64
    }

    /// A sorter with files in a new directory in `place`.
    pub fn new(
        source: Source,
        memory: u64,
        threads: usize,
        place: &Path,
    ) -> Result<GameSorter, DatasetError> {
        let directory = TemporaryDirectory::make(place)?;
        let buffer = buffer_bytes(memory);
        let records = PartitionWriter::create([directory.file("records", 0)], buffer)?;
        let keys = PartitionWriter::create((0..PARTS).map(|part| directory.file("keys", part)), buffer)?;
        Ok(GameSorter { source, memory, threads: threads.max(1), directory, records, keys, count: 0 })
    }

    /// The number of records so far.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Adds whole records.
    pub fn add(&mut self, records: &[u8]) -> Result<(), DatasetError> {
        let size = self.source.record_size();
        for chunk in records.chunks(CHUNK * size) {
            self.records.push(0, |out| out.extend_from_slice(chunk))?;
            let keys = in_parallel(self.source, chunk, self.threads, |joiner, record, keys| {
                keys.push((joiner.key(record), joiner.next_key(record)));
            });
            for (own, next) in keys {
                let number = self.count as u32;
                self.count += 1;
                self.push_key(own, number)?;
                if let Some(next) = next {
                    self.push_key(next, number | MARK)?;
                }
            }
        }
        Ok(())
    }

    fn push_key(&mut self, key: u128, number: u32) -> Result<(), DatasetError> {
        let part = (((key >> 64) * PARTS as u128) >> 64) as usize;
        self.keys.push(part, |out| {
            out.extend_from_slice(&key.to_le_bytes());
            out.extend_from_slice(&number.to_le_bytes());
        })
    }

    /// Passes all records to `each`, those of a game one after the other.
    pub fn finish(self, mut each: impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<()> {
        let GameSorter { source, memory, threads, directory, records, keys, count } = self;
        let mut records = records.finish().map_err(temporary)?;
        let keys = keys.finish().map_err(temporary)?;
        let files = Files { source, threads, directory, records: records.remove(0), keys };
        let mut joins = Joins { next: vec![NONE; count], has_previous: vec![false; count] };
        for part in 0..PARTS {
            check_stopped()?;
            files.join(part, &mut joins).map_err(temporary)?;
        }
        let most_keys = (memory / 4 / BYTES_OF_KEY) as usize;
        files.join_bridges(most_keys.max(FEWEST_KEYS), &mut joins).map_err(temporary)?;
        for part in 0..PARTS {
            let _ = std::fs::remove_file(files.directory.file("keys", part));
        }
        set_places(&mut joins);
        let parts = files.deal(&joins.next, memory).map_err(temporary)?;
        let _ = std::fs::remove_file(files.directory.file("records", 0));
        drop(joins);

        // The records of a part by their places.
        let size = source.record_size();
        let mut part_records = Vec::new();
        for (number, part) in parts.iter().enumerate() {
            check_stopped()?;
            let path = files.directory.file("places", number);
            let entries = part.load(&path).map_err(temporary)?;
            let _ = std::fs::remove_file(path);
            let entries = entries.chunks_exact(NUMBER + size);
            let start = number * places_per_part(count);
            part_records.clear();
            part_records.resize(entries.len() * size, 0);
            for entry in entries {
                let (place, record) = split_number(entry);
                part_records[(place as usize - start) * size..][..size].copy_from_slice(record);
            }
            each(&part_records)?;
        }
        Ok(())
    }
}

/// The number of places whose records a file has, but the last.
fn places_per_part(count: usize) -> usize {
    count.div_ceil(PARTS).max(1)
}

fn split_number(entry: &[u8]) -> (u32, &[u8]) {
    let (number, rest) = entry.split_first_chunk().expect("an entry starts with a number");
    (u32::from_le_bytes(*number), rest)
}

impl Files {
    /// Passes the keys of a part and their numbers.
    fn each_key(&self, part: usize, mut each: impl FnMut(u128, u32)) -> Result<(), DatasetError> {
        self.keys[part].scan(&self.directory.file("keys", part), |chunk| {
            let (entries, rest) = chunk.as_chunks::<{ KEY + NUMBER }>();
            for entry in entries {
                let (key, number) = entry.split_first_chunk().expect("an entry is a key and a number");
                each(u128::from_le_bytes(*key), split_number(number).0);
            }
            Ok(chunk.len() - rest.len())
        })
    }

    /// Joins records to those that their moves lead to, of the keys of a part.
    fn join(&self, part: usize, joins: &mut Joins) -> Result<(), DatasetError> {
        let mut keys = Vec::new();
        self.each_key(part, |key, number| keys.push((key, number)))?;
        // Of equal keys, first the records that have them, then those that lead to them.
        keys.sort_unstable();
        for same in keys.chunk_by(|one, other| one.0 == other.0) {
            let (records, leading) = same.split_at(same.partition_point(|&(_, number)| number & MARK == 0));
            for (&(_, record), &(_, leading)) in records.iter().zip(leading) {
                joins.join(leading & !MARK, record);
            }
        }
        Ok(())
    }

    /// Joins records that no other leads to, to those of which the move and one more lead to them. `most`: the keys that fit in memory.
    fn join_bridges(&self, most: usize, joins: &mut Joins) -> Result<(), DatasetError> {
        let size = self.source.record_size();
        let mut part = 0;
        while part < PARTS {
            let mut firsts: Vec<(u128, u32)> = Vec::new();
            while part < PARTS && (firsts.is_empty() || firsts.len() < most) {
                self.each_key(part, |key, number| {
                    if number & MARK == 0 && !joins.has_previous[number as usize] {
                        firsts.push((key, number));
                    }
                })?;
                part += 1;
            }
            firsts.sort_unstable();
            let mut number = 0_u32;
            let mut lasts = Vec::new();
            let mut numbers = Vec::new();
            let join_lasts = |lasts: &mut Vec<u8>, numbers: &mut Vec<u32>, joins: &mut Joins| {
                let found = self.bridges(lasts, &firsts);
                for (&record, found) in numbers.iter().zip(found) {
                    for next in found {
                        joins.join(record, next);
                    }
                }
                lasts.clear();
                numbers.clear();
            };
            self.records.scan(&self.directory.file("records", 0), |chunk| {
                check_stopped().map_err(|error| DatasetError::Write(Name::default(), error))?;
                let records = chunk.chunks_exact(size);
                let used = chunk.len() - records.remainder().len();
                for record in records {
                    if joins.next[number as usize] == NONE {
                        lasts.extend_from_slice(record);
                        numbers.push(number);
                    }
                    number += 1;
                    if numbers.len() == CHUNK {
                        join_lasts(&mut lasts, &mut numbers, joins);
                    }
                }
                Ok(used)
            })?;
            join_lasts(&mut lasts, &mut numbers, joins);
        }
        Ok(())
    }

    /// Of each record, those of `firsts` to which its move and one more lead.
    fn bridges(&self, records: &[u8], firsts: &[(u128, u32)]) -> Vec<Vec<u32>> {
        in_parallel(self.source, records, self.threads, |joiner, record, found| {
            let mut keys = Vec::new();
            joiner.keys_after_next(record, &mut keys);
            let mut next = Vec::new();
            for key in keys {
                let start = firsts.partition_point(|&(first, _)| first < key);
                let same = firsts[start..].iter().take_while(|(first, _)| *first == key);
                next.extend(same.map(|(_, number)| number));
            }
            found.push(next);
        })
    }

    /// Writes the records with their places to the files of their places.
    fn deal(&self, places: &[u32], memory: u64) -> Result<Vec<TempFile>, DatasetError> {
        let size = self.source.record_size();
        let paths = (0..PARTS).map(|part| self.directory.file("places", part));
        let mut parts = PartitionWriter::create(paths, buffer_bytes(memory))?;
        let of_part = places_per_part(places.len());
        let mut places = places.iter().map(|place| place & !MARK);
        self.records.scan(&self.directory.file("records", 0), |chunk| {
            let records = chunk.chunks_exact(size);
            let used = chunk.len() - records.remainder().len();
            for record in records {
                let Some(place) = places.next() else { return Ok(0) };
                parts.push(place as usize / of_part, |out| {
                    out.extend_from_slice(&place.to_le_bytes());
                    out.extend_from_slice(record);
                })?;
            }
            Ok(used)
        })?;
        parts.finish()
    }
}

/// The bytes of the buffer of a file.
fn buffer_bytes(memory: u64) -> usize {
    (memory / 4 / PartitionWriter::buffers(PARTS)).clamp(1 << 14, 1 << 18) as usize
}

/// Puts the places of records in place of the numbers of the next ones: the chains in the order of their first records, then what is
/// left, which goes round in circles.
fn set_places(joins: &mut Joins) {
    let Joins { next, has_previous } = joins;
    let is_place = |number: u32| number != NONE && number & MARK != 0;
    let mut place = 0;
    for starts in [true, false] {
        for (start, &has_previous) in has_previous.iter().enumerate() {
            if starts && has_previous {
                continue;
            }
            let mut number = start as u32;
            while number != NONE && !is_place(next[number as usize]) {
                number = std::mem::replace(&mut next[number as usize], place | MARK);
                place += 1;
            }
        }
    }
}

/// What `find` adds for each of some records, in their order, on several threads.
fn in_parallel<T: Send>(
    source: Source,
    records: &[u8],
    threads: usize,
    find: impl Fn(&mut Joiner, &[u8], &mut Vec<T>) + Sync,
) -> Vec<T> {
    let size = source.record_size();
    let find_all = |records: &[u8]| {
        let mut joiner = Joiner::new(source);
        let mut found = Vec::new();
        for record in records.chunks_exact(size) {
            find(&mut joiner, record, &mut found);
        }
        found
    };
    let of_thread = (records.len() / size).div_ceil(threads).max(1) * size;
    find_on_threads(records.chunks(of_thread), find_all).into_iter().flatten().collect()
}

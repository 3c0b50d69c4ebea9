//! [`SeenGames`]: which games were seen before, however many there are.
//!
//! A game is known by a hash of 128 bits of its start and its moves, so two different games pass for one with a chance of about
//! 10^-21 among 10^9 games. The newest hashes are in a table in memory. When it is full, they are sorted and merged into one
//! unnamed temporary file, where a hash is found by one read: of every 256th hash the high half stays in memory, and hashes are
//! spread evenly. The external sort of `dedup` needs all games before it knows the first duplicate, and a second pass over the
//! inputs, which may be streams; this set answers at once, and takes 16 bytes of disk a game.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};

use komabako_kifu::Record;
use komabako_record::hash::{Hasher128, hash128};

use crate::block::BlockGame;
use crate::{DatasetError, FileFormat, Name, games};

/// The hashes in memory at a time: 140 MB of table, and 64 MiB more while they are merged.
const RECENT: usize = 1 << 22;
/// The number of hashes of the file from one indexed hash to the next.
const PAGE: usize = 256;
/// The size of a hash in bytes.
const SIZE: usize = 16;

/// The games seen so far, by their starts and moves.
pub(crate) struct SeenGames {
    recent: HashSet<u128>,
    /// The number of hashes at which `recent` is merged into the file.
    most_recent: usize,
    sorted: Option<Sorted>,
}

/// Sorted hashes in a file.
struct Sorted {
    file: File,
    count: u64,
    /// The high half of the first hash of each page.
    index: Vec<u64>,
}

impl Default for SeenGames {
    fn default() -> Self {
        SeenGames::with_room(RECENT)
    }
}

impl SeenGames {
    /// An empty set that holds at most `most_recent` hashes in memory.
    fn with_room(most_recent: usize) -> Self {
        SeenGames { recent: HashSet::new(), most_recent, sorted: None }
    }

    /// Adds a game by its hash, and returns whether it is new.
    ///
    /// # Errors
    /// [`DatasetError::Write`] if the temporary file cannot be written or read.
    pub fn insert(&mut self, hash: u128) -> Result<bool, DatasetError> {
        let failed = |error| DatasetError::Write(Name::from(&std::env::temp_dir()), error);
        if let Some(sorted) = &mut self.sorted
            && sorted.contains(hash).map_err(failed)?
        {
            return Ok(false);
        }
        let is_new = self.recent.insert(hash);
        if self.recent.len() >= self.most_recent {
            let mut recent: Vec<u128> = self.recent.drain().collect();
            recent.sort_unstable();
            self.sorted = Some(Sorted::merge(self.sorted.take(), &recent).map_err(failed)?);
        }
        Ok(is_new)
    }
}

impl Sorted {
    /// Writes the hashes of a file and others, which it does not have, to a new one.
    fn merge(older: Option<Sorted>, newer: &[u128]) -> io::Result<Sorted> {
        let mut out = BufWriter::with_capacity(1 << 20, tempfile::tempfile()?);
        let mut index = Vec::new();
        let mut count = 0_u64;
        let mut write = |hash: u128| {
            if count.is_multiple_of(PAGE as u64) {
                index.push((hash >> 64) as u64);
            }
            count += 1;
            out.write_all(&hash.to_be_bytes())
        };
        let mut newer = newer.iter().copied().peekable();
        if let Some(Sorted { mut file, count, .. }) = older {
            file.seek(SeekFrom::Start(0))?;
            let mut older = BufReader::with_capacity(1 << 20, file);
            let mut bytes = [0; SIZE];
            for _ in 0..count {
                older.read_exact(&mut bytes)?;
                let hash = u128::from_be_bytes(bytes);
                while let Some(first) = newer.next_if(|&first| first < hash) {
                    write(first)?;
                }
                write(hash)?;
            }
        }
        for hash in newer {
            write(hash)?;
        }
        let file = out.into_inner().map_err(|error| error.into_error())?;
        Ok(Sorted { file, count, index })
    }

    fn contains(&mut self, hash: u128) -> io::Result<bool> {
        let high = (hash >> 64) as u64;
        // Pages from the last one that begins below the hash: hashes with the same high half may straddle a border.
        let mut page = self.index.partition_point(|&first| first < high).saturating_sub(1);
        while page < self.index.len() && self.index[page] <= high {
            let start = (page * PAGE) as u64;
            let length = (self.count - start).min(PAGE as u64) as usize;
            let mut bytes = [0; PAGE * SIZE];
            self.file.seek(SeekFrom::Start(start * SIZE as u64))?;
            self.file.read_exact(&mut bytes[..length * SIZE])?;
            let (hashes, _) = bytes[..length * SIZE].as_chunks::<SIZE>();
            if hashes.binary_search(&hash.to_be_bytes()).is_ok() {
                return Ok(true);
            }
            page += 1;
        }
        Ok(false)
    }
}

/// The hash of the start and the main line of a game record.
pub(crate) fn record_hash(record: &Record) -> u128 {
    let mut hasher = Hasher128::new();
    hasher.write(record.initial().to_string().as_bytes());
    for id in record.main_line() {
        if let Some(mv) = record.node(id).as_move() {
            hasher.write(&mv.bits().to_le_bytes());
        }
    }
    hasher.finish()
}

/// The hash of the start and the moves of a game of records.
pub(crate) fn stored_hash(format: FileFormat, game: &BlockGame) -> u128 {
    let (start, moves) = games::start_and_moves(format, game.bytes);
    let mut bytes = Vec::with_capacity(32 + 2 * game.moves);
    bytes.extend_from_slice(&start);
    for bits in moves {
        bytes.extend_from_slice(&bits.to_le_bytes());
    }
    hash128(&bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_that_spills_answers_like_one_in_memory() {
        let mut spilling = SeenGames::with_room(1000);
        let mut plain = HashSet::new();
        for number in 0..20_000_u64 {
            // Every number comes about twice, the high halves often.
            let number = (number * number + 17) % 10_007;
            let low = hash128(&number.to_le_bytes()) as u64;
            let hash = (u128::from(number % 97) << 64) | u128::from(low);
            assert_eq!(spilling.insert(hash).unwrap(), plain.insert(hash), "{number}");
        }
        let sorted = spilling.sorted.as_ref().unwrap();
        assert_eq!(sorted.count + spilling.recent.len() as u64, plain.len() as u64);
        assert!(sorted.count >= 4000 && spilling.recent.len() < 1000);
    }

    #[test]
    fn games_are_the_same_by_start_and_moves() {
        let record = |text: &str| komabako_kifu::read(text.as_bytes(), None).unwrap().remove(0).record;
        let first = record("N+a\nPI\n+\n+7776FU\n-3334FU\n%TORYO\n");
        let mut seen = SeenGames::default();
        let mut is_new = |record: &Record| seen.insert(record_hash(record)).unwrap();
        assert!(is_new(&first));
        assert!(!is_new(&record("N+b\nPI\n+\n+7776FU\n'comment\n-3334FU\n%CHUDAN\n")));
        assert!(is_new(&record("PI\n+\n+7776FU\n")));
        assert!(is_new(&record("PI82HI\n-\n-3334FU\n")));
    }
}

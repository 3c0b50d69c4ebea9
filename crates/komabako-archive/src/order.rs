//! Putting the records of games together again (`spec/archive.md` §6).

use alloc::vec;
use alloc::vec::Vec;

use komabako_bits::prefetch;
use komabako_codec::Word;
use komabako_rules::{MoveList, State};

use crate::Source;
use crate::columns::state_of;
use crate::source::Fields;

/// The number of no record.
const NONE: u32 = u32::MAX;
/// The records whose next positions are looked for together.
const GROUP: usize = 64;

/// Reorders whole records, at most 2^32 − 1, so that each follows the record of its game before it, if that is there: directly, or
/// after one move that is missing. The rest keep their order. Takes about 70 bytes a record more.
///
/// ```
/// use komabako_archive::{Source, join_games};
/// let records = [[1; 40], [2; 40]].concat();
/// assert_eq!(join_games(Source::Psv, &records), records, "no games");
/// ```
///
/// # Panics
/// If the last record is not whole.
pub fn join_games(source: Source, records: &[u8]) -> Vec<u8> {
    assert!(records.len().is_multiple_of(source.record_size()), "whole records");
    let fields = source.fields(records);
    let mut joins = Joins::new(source, &fields);
    // 1. Records whose move leads to another. Where each is looked for is fetched while those before it are joined.
    let mut last: Vec<u32> = Vec::new();
    let mut group = Vec::new();
    for (number, records) in fields.chunks(GROUP).enumerate() {
        let next = |record| joins.source.words().pack(&state_after(source, record)?.setup()).ok();
        group.clear();
        group.extend(records.iter().map(next));
        group.iter().flatten().for_each(|word| joins.free.fetch_bucket(word));
        group.iter().flatten().for_each(|word| joins.free.fetch_entries(word));
        for (index, next) in (number * GROUP..).zip(&group) {
            let index = index as u32;
            if next.is_none_or(|word| !joins.join(index, &word, 1)) {
                last.push(index);
            }
        }
    }
    // 2. Records of which the move and one more lead to another. Few are free now: their table is small.
    joins.free = Positions::new(&fields, |index| !joins.has_previous[index]);
    let mut moves = MoveList::new();
    for index in last {
        joins.join_after_next(index, &mut moves);
    }
    // 3. The chains, in the order of their first records; then what is left, which goes round in circles.
    let size = source.record_size();
    let mut out = Vec::with_capacity(records.len());
    let mut is_written = vec![false; fields.len()];
    for starts in [true, false] {
        for start in 0..fields.len() {
            let mut next = start as u32;
            if starts && joins.has_previous[start] {
                continue;
            }
            while next != NONE && !is_written[next as usize] {
                let index = next as usize;
                is_written[index] = true;
                out.extend_from_slice(&records[index * size..][..size]);
                next = joins.next[index];
            }
        }
    }
    out
}

/// The keys by which records are joined that are not in memory together.
///
/// Records with equal keys have, but for the chance of a hash of 128 bits, the same position, ply, result and padding.
///
/// ```
/// use komabako_archive::{Joiner, Source};
/// let mut joiner = Joiner::new(Source::Psv);
/// assert_eq!(joiner.next_key(&[1; 40]), None, "no position of a game");
/// assert_ne!(joiner.key(&[1; 40]), joiner.key(&[2; 40]));
/// ```
#[derive(Debug)]
pub struct Joiner {
    source: Source,
    moves: MoveList,
}

impl Joiner {
    /// A joiner of records in a format.
    pub fn new(source: Source) -> Joiner {
        Joiner { source, moves: MoveList::new() }
    }

    /// The key of a whole record, whatever its move and score are.
    ///
    /// # Panics
    /// If it is no whole record.
    pub fn key(&self, record: &[u8]) -> u128 {
        let fields = self.fields(record);
        key_of(&fields.word, &fields)
    }

    /// The key of the record that its move leads to, if that is legal.
    ///
    /// # Panics
    /// As [`key`](Self::key).
    pub fn next_key(&self, record: &[u8]) -> Option<u128> {
        let fields = self.fields(record);
        let state = state_after(self.source, &fields)?;
        self.key_at(&state, &fields.later(1, self.source))
    }

    /// Puts the keys of the records that its move and another lead to in place of others.
    ///
    /// # Panics
    /// As [`key`](Self::key).
    pub fn keys_after_next(&mut self, record: &[u8], keys: &mut Vec<u128>) {
        keys.clear();
        let fields = self.fields(record);
        let Some(mut state) = state_after(self.source, &fields) else { return };
        let later = fields.later(2, self.source);
        let mut moves = core::mem::take(&mut self.moves);
        state.legal_moves(&mut moves);
        for &mv in &moves {
            let undo = state.do_move(mv);
            keys.extend(self.key_at(&state, &later));
            state.undo_move(undo);
        }
        self.moves = moves;
    }

    fn fields(&self, record: &[u8]) -> Fields {
        assert_eq!(record.len(), self.source.record_size(), "one whole record");
        self.source.fields(record)[0]
    }

    fn key_at(&self, state: &State<()>, labels: &Fields) -> Option<u128> {
        let word = self.source.words().pack(&state.setup()).ok()?;
        Some(key_of(&word, labels))
    }
}

/// The key of a position and the labels that the record before determines.
fn key_of(word: &Word, labels: &Fields) -> u128 {
    let mut bytes = [0; 36];
    bytes[..32].copy_from_slice(word);
    bytes[32..34].copy_from_slice(&labels.ply.to_le_bytes());
    bytes[34] = labels.result;
    bytes[35] = labels.padding;
    twox_hash::XxHash3_128::oneshot(&bytes)
}

/// The state after a record's move, if that is legal.
fn state_after(source: Source, record: &Fields) -> Option<State<()>> {
    let mut state = state_of(source, &record.word)?;
    let mv = source.decode_move(record.mv).filter(|&mv| state.is_legal(mv))?;
    state.do_move(mv);
    Some(state)
}

/// Records by hashes of their positions.
struct Positions {
    /// The low half of the hash, and the record: by buckets, in each of which records ascend.
    entries: Vec<(u32, u32)>,
    /// Where the entries of each bucket start and end.
    buckets: Vec<(u32, u32)>,
    /// The highest bits of a hash are the number of its bucket.
    shift: u32,
}

fn hash(word: &Word) -> u64 {
    crate::container::sum(word)
}

impl Positions {
    /// The records, of at most 2^32 − 1, whose indices are wanted. Sorted by counting.
    fn new(fields: &[Fields], is_wanted: impl Fn(usize) -> bool) -> Positions {
        let wanted = || fields.iter().enumerate().filter(|&(index, _)| is_wanted(index));
        let count = wanted().count();
        // One or two records a bucket.
        let bits = count.max(2).ilog2();
        let shift = u64::BITS - bits;
        let bucket_of = |record: &Fields| (hash(&record.word) >> shift) as usize;
        let mut buckets = vec![(0, 0); 1 << bits];
        for (_, record) in wanted() {
            buckets[bucket_of(record)].1 += 1;
        }
        let mut all = 0;
        for (start, end) in &mut buckets {
            *start = all;
            all += *end;
            // Entries are added at the end.
            *end = *start;
        }
        let mut entries = vec![(0, 0); count];
        for (index, record) in wanted() {
            let end = &mut buckets[bucket_of(record)].1;
            entries[*end as usize] = (hash(&record.word) as u32, index as u32);
            *end += 1;
        }
        Positions { entries, buckets, shift }
    }

    fn bucket(&self, hash: u64) -> usize {
        (hash >> self.shift) as usize
    }

    /// Fetches the bucket of a position.
    fn fetch_bucket(&self, word: &Word) {
        prefetch(&self.buckets[self.bucket(hash(word))]);
    }

    /// Fetches the entries of a position, whose bucket has been fetched.
    fn fetch_entries(&self, word: &Word) {
        let (start, _) = self.buckets[self.bucket(hash(word))];
        if let Some(first) = self.entries.get(start as usize) {
            prefetch(first);
        }
    }

    /// Removes and returns the first record that has this hash and is wanted.
    fn remove_first(&mut self, hash: u64, is_wanted: impl Fn(u32) -> bool) -> Option<u32> {
        let bucket = self.bucket(hash);
        let (start, end) = &mut self.buckets[bucket];
        let entries = &mut self.entries[*start as usize..*end as usize];
        let place = entries.iter().position(|&(low, record)| low == hash as u32 && is_wanted(record))?;
        let (_, record) = entries[place];
        // The order stays. Of many records of one position the first is taken each time, so that none moves.
        entries.copy_within(..place, 1);
        *start += 1;
        Some(record)
    }
}

/// Which record follows which.
struct Joins<'a> {
    source: Source,
    fields: &'a [Fields],
    /// The records that no other leads to.
    free: Positions,
    next: Vec<u32>,
    has_previous: Vec<bool>,
}

impl<'a> Joins<'a> {
    fn new(source: Source, fields: &'a [Fields]) -> Joins<'a> {
        let free = Positions::new(fields, |_| true);
        Joins {
            source,
            fields,
            free,
            next: vec![NONE; fields.len()],
            has_previous: vec![false; fields.len()],
        }
    }

    /// Joins a record to one that its move and another lead to.
    fn join_after_next(&mut self, index: u32, moves: &mut MoveList) {
        let Some(mut state) = state_after(self.source, &self.fields[index as usize]) else { return };
        state.legal_moves(moves);
        for &mv in &*moves {
            let undo = state.do_move(mv);
            let word = self.source.words().pack(&state.setup());
            state.undo_move(undo);
            if word.is_ok_and(|word| self.join(index, &word, 2)) {
                return;
            }
        }
    }

    /// Joins a record to a free record with this position whose labels continue its own, some plies later. Returns whether there was one.
    fn join(&mut self, index: u32, word: &Word, plies: u16) -> bool {
        let record = &self.fields[index as usize];
        let is_next = |found: u32| {
            let next = &self.fields[found as usize];
            found != index && next.word == *word && next.continues(record, plies, self.source)
        };
        let Some(found) = self.free.remove_first(hash(word), is_next) else { return false };
        self.next[index as usize] = found;
        self.has_previous[found as usize] = true;
        true
    }
}

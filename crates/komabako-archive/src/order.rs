//! Putting the records of games together again (`spec/archive.md` §6).

use alloc::vec;
use alloc::vec::Vec;

use komabako_codec::Word;
use komabako_rules::{MoveList, State};

use crate::Source;
use crate::columns::state_of;
use crate::source::Fields;

/// The number of no record.
const NONE: u32 = u32::MAX;

/// Reorders whole records, at most 2^32 − 1, so that each follows the record of its game before it, if that is there: directly, or
/// after one move that is missing. The rest keep their order. Takes about 70 bytes a record more.
///
/// ```
/// use komabako_archive::{Source, join_games};
/// let records = [[1; 40], [2; 40]].concat();
/// assert_eq!(join_games(Source::Psv, &records), records, "no games");
/// ```
pub fn join_games(source: Source, records: &[u8]) -> Vec<u8> {
    let fields = source.fields(records);
    let mut joins = Joins::new(source, &fields);
    // 1. Records whose move leads to another.
    let mut last: Vec<u32> = Vec::new();
    for (index, record) in fields.iter().enumerate() {
        if !joins.join_next(index as u32, record) {
            last.push(index as u32);
        }
    }
    // 2. Records of which the move and one more lead to another.
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

/// Which record follows which.
struct Joins<'a> {
    source: Source,
    fields: &'a [Fields],
    /// The records by the hashes of their positions, ascending.
    by_position: Vec<(u64, u32)>,
    next: Vec<u32>,
    has_previous: Vec<bool>,
}

fn hash(word: &Word) -> u64 {
    crate::container::sum(word)
}

impl<'a> Joins<'a> {
    fn new(source: Source, fields: &'a [Fields]) -> Joins<'a> {
        let by_position = fields.iter().zip(0..).map(|(record, index)| (hash(&record.word), index));
        let mut by_position: Vec<(u64, u32)> = by_position.collect();
        by_position.sort_unstable();
        Joins {
            source,
            fields,
            by_position,
            next: vec![NONE; fields.len()],
            has_previous: vec![false; fields.len()],
        }
    }

    /// Joins a record to the one that its move leads to. Returns `false` if that one is missing.
    fn join_next(&mut self, index: u32, record: &Fields) -> bool {
        state_after(self.source, record).is_some_and(|state| self.join(index, record, &state, 1))
    }

    /// Joins a record to one that its move and another lead to.
    fn join_after_next(&mut self, index: u32, moves: &mut MoveList) {
        let record = self.fields[index as usize];
        let Some(mut state) = state_after(self.source, &record) else { return };
        state.legal_moves(moves);
        for &mv in &*moves {
            let undo = state.do_move(mv);
            let is_joined = self.join(index, &record, &state, 2);
            state.undo_move(undo);
            if is_joined {
                return;
            }
        }
    }

    /// Joins a record to one in a position, some plies later, that no other leads to.
    fn join(&mut self, index: u32, record: &Fields, state: &State<()>, plies: u16) -> bool {
        let Ok(word) = self.source.words().pack(&state.setup()) else { return false };
        let hash = hash(&word);
        let start = self.by_position.partition_point(|&(of_record, _)| of_record < hash);
        for &(of_record, found) in &self.by_position[start..] {
            if of_record != hash {
                break;
            }
            let next = &self.fields[found as usize];
            let is_free = !self.has_previous[found as usize] && found != index;
            if is_free && next.word == word && next.continues(record, plies, self.source) {
                self.next[index as usize] = found;
                self.has_previous[found as usize] = true;
                return true;
            }
        }
        false
    }
}

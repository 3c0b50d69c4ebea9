//! [`Table`]: the records of A by position.

use hashbrown::HashTable;
use komabako_codec::Word;

use crate::engine::temporary::slot_hash;
use crate::move16::{Move16, MoveEncoding};
use crate::record::{Labels, MoveBits};
use crate::{Field, FileFormat, GameResult};

/// The compared labels, in 5 bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Digest {
    score: i16,
    /// YaneuraOu's bits of the move or, if it is not well-formed, the stored bits.
    mv: u16,
    result: u8,
}

/// The code for no result.
const NO_RESULT: u8 = 3;

/// The fields to compare for two formats.
#[derive(Clone, Debug)]
pub(super) struct Fields(Vec<Field>);

impl Fields {
    /// The fields that both formats have.
    pub fn shared_by(a: Option<FileFormat>, b: Option<FileFormat>) -> Fields {
        let holds = |format: Option<FileFormat>, field| format.is_none_or(|format| format.holds(field));
        let both = |field: &Field| holds(a, *field) && holds(b, *field);
        Fields([Field::Score, Field::Move, Field::Result].into_iter().filter(both).collect())
    }

    /// The fields.
    pub fn iter(&self) -> impl Iterator<Item = Field> + '_ {
        self.0.iter().copied()
    }

    /// The compared labels of a record.
    pub fn digest(&self, labels: &Labels) -> Digest {
        let compared = |field| self.0.contains(&field);
        let score = if compared(Field::Score) { labels.score } else { None };
        let mv = if compared(Field::Move) { labels.best_move } else { None };
        let result = if compared(Field::Result) { labels.result } else { None };
        Digest {
            score: score.unwrap_or(0),
            mv: mv.map_or(0, |mv| mv.decode().map_or(mv.bits, Move16::bits)),
            result: result.map_or(NO_RESULT, GameResult::to_absolute),
        }
    }
}

impl Digest {
    /// The text of a field.
    pub fn text(self, field: Field) -> String {
        match field {
            Field::Score => self.score.to_string(),
            Field::Move => {
                let mv = MoveBits { bits: self.mv, encoding: MoveEncoding::YaneuraOu }.decode();
                mv.map_or_else(|_| format!("{:#06x}", self.mv), |mv| mv.to_string())
            }
            _ => match GameResult::from_absolute(self.result) {
                Some(GameResult::Draw) => "draw".to_owned(),
                Some(GameResult::BlackWin) => "black".to_owned(),
                Some(GameResult::WhiteWin) => "white".to_owned(),
                None => "none".to_owned(),
            },
        }
    }

    /// Whether a field is equal.
    pub fn agrees(self, other: Digest, field: Field) -> bool {
        match field {
            Field::Score => self.score == other.score,
            Field::Move => self.mv == other.mv,
            _ => self.result == other.result,
        }
    }
}

/// A record.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Entry {
    pub word: Word,
    pub ordinal: u64,
    pub digest: Digest,
}

impl Entry {
    /// The size of an entry in a file, in bytes.
    pub const SIZE: usize = size_of::<Word>() + 8 + 5;

    /// Appends the entry in its file format.
    pub fn append(&self, out: &mut Vec<u8>) {
        let Digest { score, mv, result } = self.digest;
        out.extend_from_slice(&self.word);
        out.extend_from_slice(&self.ordinal.to_le_bytes());
        out.extend_from_slice(&score.to_le_bytes());
        out.extend_from_slice(&mv.to_le_bytes());
        out.push(result);
    }

    /// The entry at the start of `bytes`, and the rest; `None` if they are too short.
    pub fn split(bytes: &[u8]) -> Option<(Entry, &[u8])> {
        let (word, rest) = bytes.split_first_chunk()?;
        let (ordinal, rest) = rest.split_first_chunk()?;
        let (score, rest) = rest.split_first_chunk()?;
        let (mv, rest) = rest.split_first_chunk()?;
        let (result, rest) = rest.split_first()?;
        let score = i16::from_le_bytes(*score);
        let digest = Digest { score, mv: u16::from_le_bytes(*mv), result: *result };
        Some((Entry { word: *word, ordinal: u64::from_le_bytes(*ordinal), digest }, rest))
    }
}

/// Records of A, sorted by position. The record of each position with the lowest number comes first, since changes are
/// reported against it; the others follow by their labels, so that a binary search replaces a linear one: a file has as many
/// records of the start position as it has games.
pub(super) struct Table {
    entries: Vec<Entry>,
    /// The index of each position's first entry.
    starts: HashTable<usize>,
}

impl Table {
    /// The memory of an entry, in bytes: itself, the flag whether B has it, and a slot of 9 bytes for the start of a
    /// position, in a table with a load of at most 7 in 8 and at least half of that.
    pub const ENTRY_BYTES: u64 = size_of::<Entry>() as u64 + 1 + 21;

    /// The table of `entries`, in any order.
    pub fn new(mut entries: Vec<Entry>) -> Table {
        // By word, then by number: the first of each position is the lowest, against which changes are reported.
        entries.sort_unstable();
        let mut starts = HashTable::with_capacity(entries.len());
        let mut start = 0;
        for position in entries.chunk_by_mut(|a, b| a.word == b.word) {
            position[1..].sort_unstable_by_key(|entry| entry.digest);
            starts.insert_unique(slot_hash(&position[0].word), start, |_| {
                unreachable!("there is room for all")
            });
            start += position.len();
        }
        Table { entries, starts }
    }

    /// The entries.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Compares a record of B with the table.
    pub fn judge(&self, word: &Word, digest: Digest) -> Verdict {
        let is_it = |&start: &usize| self.entries[start].word == *word;
        let Some(&first) = self.starts.find(slot_hash(word), is_it) else { return Verdict::New };
        let is_same = self.entries[first].digest == digest || self.others_have(first, digest);
        if is_same { Verdict::Same(first) } else { Verdict::Changed(first) }
    }

    /// Whether a record of a position other than its first has these labels.
    fn others_have(&self, first: usize, digest: Digest) -> bool {
        let word = &self.entries[first].word;
        let others = &self.entries[first + 1..];
        // Most positions have few records: the range to search is less than twice their number.
        let mut reach = 0;
        while others.get(reach).is_some_and(|entry| entry.word == *word) {
            reach = 2 * reach + 1;
        }
        let key = |entry: &Entry| (entry.word, entry.digest);
        others[..reach.min(others.len())].binary_search_by_key(&(*word, digest), key).is_ok()
    }
}

/// The verdict on a record of B; with the index of the first entry of its position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Verdict {
    /// A lacks its position.
    New,
    /// A has its position with the same labels.
    Same(usize),
    /// A has its position, but only with other labels.
    Changed(usize),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entry_round_trips_through_bytes() {
        let digest = Digest { score: -3, mv: 0x1234, result: 2 };
        let entry = Entry { word: [7; 32], ordinal: u64::MAX - 1, digest };
        let mut bytes = Vec::new();
        entry.append(&mut bytes);
        assert_eq!(bytes.len(), Entry::SIZE);
        assert_eq!(Entry::split(&bytes), Some((entry, &[][..])));
        assert_eq!(Entry::split(&bytes[1..]), None);
    }

    #[test]
    fn record_is_compared_with_all_of_its_position() {
        let entry = |position: u8, ordinal, score| Entry {
            word: [position; 32],
            ordinal,
            digest: Digest { score, mv: 0, result: NO_RESULT },
        };
        // The scores are in no order with respect to the numbers.
        let scores = [4, -6, 2, 8, -2, 6, 0];
        let entries = |position| (0..).zip(scores).map(move |(number, score)| entry(position, number, score));
        let table = Table::new([5, 1, 3].into_iter().flat_map(entries).collect());
        for (position, first) in [(1, 0), (3, scores.len()), (5, 2 * scores.len())] {
            assert_eq!(table.entries()[first].ordinal, 0);
            for score in -10..10 {
                let Entry { word, digest, .. } = entry(position, 99, score);
                let is_same = scores.contains(&score);
                let expected = if is_same { Verdict::Same(first) } else { Verdict::Changed(first) };
                assert_eq!(table.judge(&word, digest), expected, "{position} {score}");
            }
        }
        for position in [0, 2, 4, 6] {
            assert_eq!(table.judge(&[position; 32], table.entries()[0].digest), Verdict::New);
        }
    }
}

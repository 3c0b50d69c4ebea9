//! [`Table`]: the records of A by position.

use std::ops::Range;

use komabako_codec::Word;

use crate::move16::{Move16, MoveEncoding};
use crate::record::{Labels, MoveBits};
use crate::{DatasetError, Field, FileFormat, GameResult};

/// The labels that are compared, in 5 bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Digest {
    score: i16,
    /// YaneuraOu's bits of the move or, if it is not well-formed, the bits as they are.
    mv: u16,
    result: u8,
}

/// The code of no result.
const NO_RESULT: u8 = 3;

/// The fields that are compared of two formats.
#[derive(Clone, Debug)]
pub(super) struct Fields(Vec<Field>);

impl Fields {
    /// Those that both have.
    pub fn of(a: Option<FileFormat>, b: Option<FileFormat>) -> Fields {
        let holds = |format: Option<FileFormat>, field| format.is_none_or(|format| format.holds(field));
        let both = |field: &Field| holds(a, *field) && holds(b, *field);
        Fields([Field::Score, Field::Move, Field::Result].into_iter().filter(both).collect())
    }

    /// The fields.
    pub fn iter(&self) -> impl Iterator<Item = Field> + '_ {
        self.0.iter().copied()
    }

    /// The labels as far as they are compared.
    pub fn digest(&self, labels: &Labels) -> Digest {
        let compared = |field| self.0.contains(&field);
        let mv = labels.best_move.filter(|_| compared(Field::Move));
        Digest {
            score: labels.score.filter(|_| compared(Field::Score)).unwrap_or(0),
            mv: mv.map_or(0, |mv| mv.decode().map_or(mv.bits, Move16::yaneuraou_bits)),
            result: labels
                .result
                .filter(|_| compared(Field::Result))
                .map_or(NO_RESULT, GameResult::to_absolute),
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

    /// Whether a field is the same.
    pub fn agrees(self, other: Digest, field: Field) -> bool {
        match field {
            Field::Score => self.score == other.score,
            Field::Move => self.mv == other.mv,
            _ => self.result == other.result,
        }
    }
}

/// A record of A.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Entry {
    pub word: Word,
    pub ordinal: u64,
    pub digest: Digest,
}

/// Bytes that an entry takes.
pub(super) const ENTRY_SIZE: u64 = size_of::<Entry>() as u64;

/// Entries that fit in a bounded memory.
pub(super) struct Entries {
    entries: Vec<Entry>,
    input: String,
    max_memory: u64,
}

/// The records of A, sorted by position and then by number.
pub(super) struct Table(Vec<Entry>);

impl Entries {
    /// None yet; `records` of A to come, if that is known.
    ///
    /// # Errors
    /// [`DatasetError::Memory`] if they are known to be too many.
    pub fn new(input: String, records: Option<u64>, max_memory: u64) -> Result<Entries, DatasetError> {
        let mut entries = Entries { entries: Vec::new(), input, max_memory };
        entries.reserve(records.unwrap_or(0))?;
        Ok(entries)
    }

    /// Makes room for more, no more than is needed.
    fn reserve(&mut self, more: u64) -> Result<(), DatasetError> {
        let needed = (self.entries.len() as u64 + more) * ENTRY_SIZE;
        let refused = || DatasetError::Memory { input: self.input.clone(), needed, allowed: self.max_memory };
        if needed > self.max_memory {
            return Err(refused());
        }
        if (self.entries.capacity() - self.entries.len()) as u64 >= more {
            return Ok(());
        }
        // In larger steps than blocks, so that entries are seldom moved.
        let spare = self.max_memory / ENTRY_SIZE - self.entries.len() as u64;
        let step = more.max((self.entries.len() / 4) as u64).min(spare);
        self.entries.try_reserve_exact(step as usize).map_err(|_| refused())
    }

    /// Adds the entries of a block.
    pub fn add(&mut self, entries: &[Entry]) -> Result<(), DatasetError> {
        self.reserve(entries.len() as u64)?;
        self.entries.extend_from_slice(entries);
        Ok(())
    }

    /// The table of all.
    pub fn into_table(mut self) -> Table {
        self.entries.sort_unstable();
        Table(self.entries)
    }
}

impl Table {
    /// The entries.
    pub fn entries(&self) -> &[Entry] {
        &self.0
    }

    /// The indices of the entries of a position.
    pub fn find(&self, word: &Word) -> Range<usize> {
        let start = self.0.partition_point(|entry| entry.word < *word);
        let same = self.0[start..].iter().take_while(|entry| entry.word == *word).count();
        start..start + same
    }
}

//! [`Outcome`]: a repaired block.

use komabako_board::Setup;

use super::ambiguous_move::AmbiguousMove;
use super::layout::RecordLayout;
use super::{Change, DecidedBy, EncodingStats, Unrepairable};
use crate::block::Block;
use crate::move16::{Encodings, MoveField};
use crate::validate::OtherEncoding;

/// A repaired block.
#[derive(Clone, Default)]
pub(super) struct Outcome {
    /// The records; when it is [finished](Outcome::finish), those that are in order now.
    pub bytes: Vec<u8>,
    pub written: usize,
    pub unchanged: u64,
    /// How often each of [`Change::ALL`] was made.
    pub changes: [u64; Change::ALL.len()],
    /// What is not in order, by the index of the record in the block; ascending when it is finished.
    pub rejects: Vec<(usize, Unrepairable)>,
    /// The moves that are still to be decided, ascending.
    pub ambiguous: Vec<AmbiguousMove>,
    /// How moves were decided one by one.
    pub encoding_stats: EncodingStats,
    /// What they were found to be, by the index of the record; ascending. Without those that others decided, which say
    /// nothing of their own.
    pub evidence: Vec<(usize, Encodings)>,
    /// The position of the first record, where the last move of the block before may be open.
    pub first: Option<Setup>,
}

impl Outcome {
    pub fn note(&mut self, change: Change) {
        self.changes[change as usize] += 1;
    }

    /// Counts a change of a record, unless that is rejected. What is rejected is sorted.
    pub fn note_in(&mut self, row: usize, change: Change) {
        if let Ok(index) = self.ambiguous.binary_search_by_key(&row, |open| open.row) {
            self.ambiguous[index].changes.push(change);
        } else if self.rejects.binary_search_by_key(&row, |&(row, _)| row).is_err() {
            self.note(change);
        }
    }

    /// Counts a move that was decided by itself.
    pub fn note_move(&mut self, row: usize, encodings: Encodings, decided_by: DecidedBy) {
        self.encoding_stats.note(encodings, decided_by);
        // A decision by neighbours is no evidence of its own: counted, it would confirm itself along the file.
        if !matches!(decided_by, DecidedBy::Neighbours | DecidedBy::TieBreak) {
            self.evidence.push((row, encodings));
        }
    }

    /// Writes a move that was open.
    pub fn resolve(
        &mut self,
        layout: &RecordLayout,
        open: AmbiguousMove,
        mv: MoveField,
        decided_by: DecidedBy,
    ) {
        self.note_move(open.row, open.encodings_of(mv), decided_by);
        let field = layout.best_move.expect("a record with a move has a place for it");
        let record = &mut self.bytes[open.row * layout.size..][..layout.size];
        let rewritten = field.write(record, mv).expect("drops and promotions have bits in all encodings");
        open.changes
            .into_iter()
            .chain(rewritten.then_some(Change::Move))
            .for_each(|change| self.note(change));
    }

    /// Rejects a record whose move is open.
    pub fn give_up(&mut self, open: &AmbiguousMove) {
        let readings =
            OtherEncoding::from_readings(open.bits, open.expected).expect("an open move is legal in several");
        self.rejects.push((open.row, Unrepairable::AmbiguousMove(readings)));
    }

    /// Takes out what was rejected, and counts the rest.
    pub fn finish(&mut self, block: &Block, size: usize) {
        self.rejects.sort_unstable_by_key(|&(row, _)| row);
        let mut rejects = self.rejects.iter().map(|&(row, _)| row).peekable();
        let mut end = 0;
        for row in 0..block.len() {
            // Both lists ascend: one pass closes the gaps in place.
            if rejects.next_if_eq(&row).is_some() {
                continue;
            }
            let record = row * size..(row + 1) * size;
            self.unchanged += u64::from(self.bytes[record.clone()] == *block.record(row));
            self.bytes.copy_within(record, end);
            end += size;
        }
        self.bytes.truncate(end);
        self.written = end / size;
    }
}

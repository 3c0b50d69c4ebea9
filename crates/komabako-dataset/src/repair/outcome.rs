//! [`Outcome`]: a repaired block.

use komabako_board::Setup;

use super::ambiguous_move::AmbiguousMove;
use super::layout::RecordLayout;
use super::{Change, DecidedBy, EncodingStats, Unrepairable};
use crate::block::Block;
use crate::move16::{Encodings, Move16};
use crate::validate::OtherEncoding;

/// A repaired block.
#[derive(Clone, Default)]
pub(super) struct Outcome {
    /// The records; after [`finish`](Outcome::finish), only the valid ones.
    pub bytes: Vec<u8>,
    pub written: usize,
    pub unchanged: u64,
    /// The number of changes for each of [`Change::ALL`].
    pub changes: [u64; Change::ALL.len()],
    /// The rejected records, by index in the block; ascending after [`finish`](Outcome::finish).
    pub rejects: Vec<(usize, Unrepairable)>,
    /// The moves that are still ambiguous, ascending.
    pub ambiguous: Vec<AmbiguousMove>,
    /// The counts of how single moves were decided.
    pub encoding_stats: EncodingStats,
    /// The encodings of decided moves, by the index of the record; ascending. Moves decided by their neighbours or by the
    /// tie-break are left out, since they are not independent evidence.
    pub evidence: Vec<(usize, Encodings)>,
    /// The position of the first record, which may decide the last move of the previous block.
    pub first: Option<Setup>,
}

impl Outcome {
    pub fn count(&mut self, change: Change) {
        self.changes[change as usize] += 1;
    }

    /// Counts the changes to a record, and that of its move if that was `rewritten`.
    pub fn count_all(&mut self, changes: Vec<Change>, rewritten: bool) {
        changes.into_iter().chain(rewritten.then_some(Change::Move)).for_each(|change| self.count(change));
    }

    /// Counts a change to a record, unless the record is rejected. The rejects must be sorted.
    pub fn count_unless_rejected(&mut self, row: usize, change: Change) {
        if let Ok(index) = self.ambiguous.binary_search_by_key(&row, |open| open.row) {
            self.ambiguous[index].changes.push(change);
        } else if self.rejects.binary_search_by_key(&row, |&(row, _)| row).is_err() {
            self.count(change);
        }
    }

    /// Counts a move that was decided individually.
    pub fn count_move(&mut self, row: usize, encodings: Encodings, decided_by: DecidedBy) {
        self.encoding_stats.count(encodings, decided_by);
        // A decision by neighbours is not independent evidence: counted, it would confirm itself along the file.
        if !matches!(decided_by, DecidedBy::Neighbours | DecidedBy::TieBreak) {
            self.evidence.push((row, encodings));
        }
    }

    /// Writes a move that was ambiguous.
    pub fn resolve(&mut self, layout: &RecordLayout, open: AmbiguousMove, mv: Move16, decided_by: DecidedBy) {
        self.count_move(open.row, open.encodings_of(mv), decided_by);
        let field = layout.best_move.expect("a record with a move has a place for it");
        let record = &mut self.bytes[open.row * layout.size..][..layout.size];
        let rewritten = field.write(record, mv).expect("drops and promotions have bits in all encodings");
        self.count_all(open.changes, rewritten);
    }

    /// Rejects a record whose move is ambiguous.
    pub fn give_up(&mut self, open: &AmbiguousMove) {
        let readings =
            OtherEncoding::from_readings(open.bits, open.expected).expect("an open move is legal in several");
        self.rejects.push((open.row, Unrepairable::AmbiguousMove(readings)));
    }

    /// Removes the rejected records, and counts the rest.
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

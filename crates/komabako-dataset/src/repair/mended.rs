//! [`Mended`]: what became of a block.

use komabako_board::Setup;

use super::layout::Layout;
use super::open::Open;
use super::{Change, Ground, Mixture, Unrepairable};
use crate::block::Block;
use crate::move16::{Encodings, Move16};
use crate::validate::OtherEncoding;

/// What became of a block.
#[derive(Clone, Default)]
pub(super) struct Mended {
    /// The records; when it is [finished](Mended::finish), those that are in order now.
    pub bytes: Vec<u8>,
    pub written: usize,
    pub unchanged: u64,
    /// How often each of [`Change::ALL`] was made.
    pub changes: [u64; Change::ALL.len()],
    /// What is not in order, by the index of the record in the block; ascending when it is finished.
    pub rejects: Vec<(usize, Unrepairable)>,
    /// The moves that are still to be decided, ascending.
    pub open: Vec<Open>,
    /// How moves were decided one by one.
    pub mixture: Mixture,
    /// What they were found to be, by the index of the record; ascending. Without those that others decided, which say
    /// nothing of their own.
    pub told: Vec<(usize, Encodings)>,
    /// The position of the first record, where the last move of the block before may be open.
    pub first: Option<Setup>,
}

impl Mended {
    pub fn note(&mut self, change: Change) {
        self.changes[change as usize] += 1;
    }

    /// Counts a change of a record, unless that is rejected. What is rejected is sorted.
    pub fn note_in(&mut self, row: usize, change: Change) {
        if let Ok(index) = self.open.binary_search_by_key(&row, |open| open.row) {
            self.open[index].changes.push(change);
        } else if self.rejects.binary_search_by_key(&row, |&(row, _)| row).is_err() {
            self.note(change);
        }
    }

    /// Counts a move that was decided by itself.
    pub fn note_move(&mut self, row: usize, encodings: Encodings, ground: Ground) {
        self.mixture.note(encodings, ground);
        if !matches!(ground, Ground::Neighbours | Ground::TieBreak) {
            self.told.push((row, encodings));
        }
    }

    /// Writes a move that was open.
    pub fn settle(&mut self, layout: &Layout, open: Open, mv: Move16, ground: Ground) {
        self.note_move(open.row, open.encodings_of(mv), ground);
        let field = layout.best_move.expect("a record with a move has a place for it");
        let record = &mut self.bytes[open.row * layout.size..][..layout.size];
        let rewritten = field.put(record, mv).expect("drops and promotions have bits in all encodings");
        open.changes
            .into_iter()
            .chain(rewritten.then_some(Change::Move))
            .for_each(|change| self.note(change));
    }

    /// Rejects a record whose move is open.
    pub fn give_up(&mut self, open: &Open) {
        let readings = OtherEncoding::of(open.bits, open.expected).expect("an open move is legal in several");
        self.rejects.push((open.row, Unrepairable::AmbiguousMove(readings)));
    }

    /// Takes out what was rejected, and counts the rest.
    pub fn finish(&mut self, block: &Block, size: usize) {
        self.rejects.sort_unstable_by_key(|&(row, _)| row);
        let mut rejects = self.rejects.iter().map(|&(row, _)| row).peekable();
        let mut end = 0;
        for row in 0..block.len() {
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

//! [`Lookahead`]: holds back blocks with ambiguous moves until later records have come, and resolves those moves.
//! Blocks stay in order, so that the result depends neither on their bounds nor on the threads.

use std::collections::VecDeque;

use komabako_board::Setup;

use super::DecidedBy;
use super::ambiguous_move::AmbiguousMove;
use super::layout::RecordLayout;
use super::neighbour_vote::{NeighbourVotes, REACH};
use super::outcome::Outcome;
use crate::engine::pipeline::ProcessedBlock;
use crate::move16::MoveEncoding;

/// The maximum memory of the blocks held back: three blocks before and after repair, with every move of them ambiguous.
pub(super) const MEMORY: u64 = 16 << 20;

/// The blocks of an input that are held back.
pub(super) struct Lookahead {
    layout: RecordLayout,
    /// The encoding for moves that nothing else decides.
    tie_break: Option<MoveEncoding>,
    held: VecDeque<ProcessedBlock<Outcome>>,
    neighbours: NeighbourVotes,
    /// The number of records that have come so far.
    end: u64,
}

impl Lookahead {
    pub fn new(layout: RecordLayout, tie_break: Option<MoveEncoding>) -> Lookahead {
        Lookahead { layout, tie_break, held: VecDeque::new(), neighbours: NeighbourVotes::default(), end: 0 }
    }

    /// Forgets an input; none of its blocks may still be held back.
    pub fn clear(&mut self) {
        self.neighbours.clear();
    }

    /// Adds the next block. Returns whether it is finished and no earlier block is held back; otherwise it is held
    /// back too.
    pub fn passes(&mut self, processed: &ProcessedBlock<Outcome>) -> bool {
        let ProcessedBlock { block, product, .. } = processed;
        self.resolve_last(product.first.as_ref());
        // This comes after resolving the previous block's last move, which needs only this block's first position.
        self.end = block.first_record() + block.len() as u64;
        for &(row, encodings) in &product.evidence {
            self.neighbours.push(block.first_record() + row as u64, encodings);
        }
        let passes = self.held.is_empty() && product.ambiguous.is_empty();
        if passes {
            self.neighbours.forget_before(self.end);
        } else {
            self.held.push_back(processed.clone());
        }
        passes
    }

    /// The next held block that is now finished. `at_end`: no more blocks of the input will come.
    pub fn release(&mut self, at_end: bool) -> Option<ProcessedBlock<Outcome>> {
        if at_end {
            self.resolve_last(None);
        }
        let ProcessedBlock { block, product, .. } = self.held.front()?;
        let number = |open: &AmbiguousMove| block.first_record() + open.row as u64;
        // Neighbours after a record count too: the block waits until all within reach have come.
        if !at_end && product.ambiguous.last().is_some_and(|last| number(last) + REACH + 1 >= self.end) {
            return None;
        }
        let mut processed = self.held.pop_front()?;
        self.neighbours.forget_before(processed.block.first_record());
        let product = &mut processed.product;
        let open = std::mem::take(&mut product.ambiguous);
        // A block without ambiguous moves was finished when it came.
        if open.is_empty() {
            return Some(processed);
        }
        for open in open {
            let number = processed.block.first_record() + open.row as u64;
            let by_neighbours =
                || Some((self.neighbours.decide(number, open.expected)?, DecidedBy::Neighbours));
            let by_tie_break = || Some((open.expected.legal_in(self.tie_break?)?, DecidedBy::TieBreak));
            match by_neighbours().or_else(by_tie_break) {
                Some((mv, decided_by)) => product.resolve(&self.layout, open, mv, decided_by),
                None => product.give_up(&open),
            }
        }
        product.finish(&processed.block, self.layout.size);
        Some(processed)
    }

    /// Resolves the last move of the last held block by the position of the next record, if any.
    fn resolve_last(&mut self, next: Option<&Setup>) {
        let Some(ProcessedBlock { block, product, .. }) = self.held.back_mut() else { return };
        let Some(open) = product.ambiguous.pop_if(|open| open.row + 1 == block.len()) else { return };
        let Some((mv, decided_by)) = open.decide(next) else { return product.ambiguous.push(open) };
        let number = block.first_record() + open.row as u64;
        // A decided move becomes evidence for its neighbours.
        self.neighbours.push(number, open.encodings_of(mv));
        product.resolve(&self.layout, open, mv, decided_by);
        if product.ambiguous.is_empty() {
            product.finish(block, self.layout.size);
        }
    }
}

//! [`Lookahead`]: holds back blocks with ambiguous moves until the records after them have come, and resolves those moves.
//! Blocks stay in order, so that neither their bounds nor the threads decide anything.

use std::collections::VecDeque;

use komabako_board::Setup;

use super::DecidedBy;
use super::ambiguous_move::AmbiguousMove;
use super::layout::RecordLayout;
use super::neighbour_vote::{NeighbourVotes, REACH};
use super::outcome::Outcome;
use crate::engine::pipeline::ProcessedBlock;
use crate::move16::MoveEncoding;

/// The most memory of blocks that are held back: three blocks before and after repair, with every record of them open.
pub(super) const MEMORY: u64 = 16 << 20;

/// The blocks of an input that are held back.
pub(super) struct Lookahead {
    layout: RecordLayout,
    /// How a move is read that nothing decides.
    tie_break: Option<MoveEncoding>,
    held: VecDeque<ProcessedBlock<Outcome>>,
    neighbours: NeighbourVotes,
    /// The number of records that have come.
    end: u64,
}

impl Lookahead {
    pub fn new(layout: RecordLayout, tie_break: Option<MoveEncoding>) -> Lookahead {
        Lookahead { layout, tie_break, held: VecDeque::new(), neighbours: NeighbourVotes::default(), end: 0 }
    }

    /// Forgets an input of which nothing is held back any more.
    pub fn clear(&mut self) {
        self.neighbours.clear();
    }

    /// Takes note of the next block. Returns whether it is finished and none before it is held back; otherwise it is held
    /// back too.
    pub fn passes(&mut self, processed: &ProcessedBlock<Outcome>) -> bool {
        let ProcessedBlock { block, product, .. } = processed;
        self.resolve_last(product.first.as_ref());
        // After the last block's move is resolved, which needs only this block's first position.
        self.end = block.first_record() + block.len() as u64;
        for &(row, encodings) in &product.evidence {
            self.neighbours.push(block.first_record() + row as u64, encodings);
        }
        let passes = self.held.is_empty() && product.ambiguous.is_empty();
        match passes {
            true => self.neighbours.forget_before(self.end),
            false => self.held.push_back(processed.clone()),
        }
        passes
    }

    /// The next block that was held back and is finished now. `at_end`: nothing of the input will come any more.
    pub fn release(&mut self, at_end: bool) -> Option<ProcessedBlock<Outcome>> {
        if at_end {
            self.resolve_last(None);
        }
        let ProcessedBlock { block, product, .. } = self.held.front()?;
        let number = |open: &AmbiguousMove| block.first_record() + open.row as u64;
        // Neighbours after a record speak too: the block waits until all within reach have come.
        if !at_end && product.ambiguous.last().is_some_and(|last| number(last) + REACH + 1 >= self.end) {
            return None;
        }
        let mut processed = self.held.pop_front()?;
        self.neighbours.forget_before(processed.block.first_record());
        let product = &mut processed.product;
        let open = std::mem::take(&mut product.ambiguous);
        // A block without any was finished when it came.
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

    /// The last record of a block is followed by the first of the next, or by none.
    fn resolve_last(&mut self, next: Option<&Setup>) {
        let Some(ProcessedBlock { block, product, .. }) = self.held.back_mut() else { return };
        let Some(open) = product.ambiguous.pop_if(|open| open.row + 1 == block.len()) else { return };
        let Some((mv, decided_by)) = open.decide(next) else { return product.ambiguous.push(open) };
        let number = block.first_record() + open.row as u64;
        // A move that is decided becomes evidence for its neighbours.
        self.neighbours.push(number, open.encodings_of(mv));
        product.resolve(&self.layout, open, mv, decided_by);
        if product.ambiguous.is_empty() {
            product.finish(block, self.layout.size);
        }
    }
}

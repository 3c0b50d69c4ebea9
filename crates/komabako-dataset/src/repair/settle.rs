//! [`Settling`]: what legality and the block itself leave open is settled by what comes later. Blocks are held back so
//! long, in their order, so that neither their bounds nor the threads decide anything.

use std::collections::VecDeque;

use komabako_board::Setup;

use super::Ground;
use super::layout::Layout;
use super::mended::Mended;
use super::neighbours::{Neighbours, REACH};
use super::open::Open;
use crate::engine::pipeline::Parcel;
use crate::move16::MoveEncoding;

/// The most memory of blocks that are held back: three blocks before and after repair, with every record of them open.
pub(super) const MEMORY: u64 = 16 << 20;

/// The blocks of an input that are held back.
pub(super) struct Settling {
    layout: Layout,
    /// How a move is read that nothing decides.
    tie_break: Option<MoveEncoding>,
    held: VecDeque<Parcel<Mended>>,
    neighbours: Neighbours,
    /// The number of records that have come.
    end: u64,
}

impl Settling {
    pub fn new(layout: Layout, tie_break: Option<MoveEncoding>) -> Settling {
        Settling { layout, tie_break, held: VecDeque::new(), neighbours: Neighbours::default(), end: 0 }
    }

    /// Forgets an input of which nothing is held back any more.
    pub fn clear(&mut self) {
        self.neighbours.clear();
    }

    /// Takes note of the next block. Returns whether it is finished and none before it is held back; otherwise it is held
    /// back too.
    pub fn passes(&mut self, parcel: &Parcel<Mended>) -> bool {
        let Parcel { block, product, .. } = parcel;
        self.settle_last(product.first.as_ref());
        self.end = block.first_record() + block.len() as u64;
        for &(row, encodings) in &product.told {
            self.neighbours.push(block.first_record() + row as u64, encodings);
        }
        let passes = self.held.is_empty() && product.open.is_empty();
        match passes {
            true => self.neighbours.forget_before(self.end),
            false => self.held.push_back(parcel.clone()),
        }
        passes
    }

    /// The next block that was held back and is finished now. `at_end`: nothing of the input will come any more.
    pub fn release(&mut self, at_end: bool) -> Option<Parcel<Mended>> {
        if at_end {
            self.settle_last(None);
        }
        let Parcel { block, product, .. } = self.held.front()?;
        let number = |open: &Open| block.first_record() + open.row as u64;
        // Neighbours after a record speak too: the block waits until all within reach have come.
        if !at_end && product.open.last().is_some_and(|last| number(last) + REACH + 1 >= self.end) {
            return None;
        }
        let mut parcel = self.held.pop_front()?;
        self.neighbours.forget_before(parcel.block.first_record());
        let product = &mut parcel.product;
        let open = std::mem::take(&mut product.open);
        // A block without any was finished when it came.
        if open.is_empty() {
            return Some(parcel);
        }
        for open in open {
            let number = parcel.block.first_record() + open.row as u64;
            let by_neighbours = || Some((self.neighbours.decide(number, open.expected)?, Ground::Neighbours));
            let by_tie_break = || Some((open.expected.legal_in(self.tie_break?)?, Ground::TieBreak));
            match by_neighbours().or_else(by_tie_break) {
                Some((mv, ground)) => product.settle(&self.layout, open, mv, ground),
                None => product.give_up(&open),
            }
        }
        product.finish(&parcel.block, self.layout.size);
        Some(parcel)
    }

    /// The last record of a block is followed by the first of the next, or by none.
    fn settle_last(&mut self, next: Option<&Setup>) {
        let Some(Parcel { block, product, .. }) = self.held.back_mut() else { return };
        let Some(open) = product.open.pop_if(|open| open.row + 1 == block.len()) else { return };
        let Some((mv, ground)) = open.decide(next) else { return product.open.push(open) };
        let number = block.first_record() + open.row as u64;
        // A move that is decided becomes evidence for its neighbours.
        self.neighbours.push(number, open.encodings_of(mv));
        product.settle(&self.layout, open, mv, ground);
        if product.open.is_empty() {
            product.finish(block, self.layout.size);
        }
    }
}

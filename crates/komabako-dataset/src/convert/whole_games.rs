//! Partitions of an output into whose games records are joined.

use std::ops::{ControlFlow, Range};

use komabako_codec::Backend;

use super::conversion::{Conversion, Converted, Copies};
use crate::block::Block;
use crate::engine::pipeline::Work;
use crate::games::GameFragments;
use crate::{DatasetError, FileFormat, Inputs, Partition, Selection};

/// Limits the inputs to those records of a partition that become whole games: joined in order, the outputs of all partitions
/// are the output of the whole.
///
/// Which records make a game shows only when they are read in order, and where the whole output has a game end that became too
/// long depends on where it began. So a partition begins where the records themselves do: from its first record on, the
/// records are read until one does not continue the game of the one before, and with that one it begins. Every partition finds
/// its end as the next one finds its beginning. Bad records and those that the selection leaves out are passed over: the next one is
/// compared with the last that is kept.
pub(super) fn keep_part(
    inputs: &mut Inputs,
    partition: Partition,
    to: FileFormat,
    select: &Selection,
    backend: Backend,
) -> Result<(), DatasetError> {
    inputs.keep_part_of(partition, &mut |inputs, ends, record| {
        let total = ends.last().copied().unwrap_or(0);
        if record == 0 || record >= total {
            return Ok(record);
        }
        let mut beginning =
            Beginning { conversion: conversion(to, select, backend), before: Before::Unknown };
        let mut found = total;
        inputs.each_block_from(
            ends,
            record,
            &mut |from, block| match beginning.find(from, block, record) {
                Some(number) => {
                    found = number;
                    ControlFlow::Break(())
                }
                None => ControlFlow::Continue(()),
            },
        )?;
        Ok(found)
    })
}

/// The conversion of the job, without the scores that it may change.
fn conversion(to: FileFormat, select: &Selection, backend: Backend) -> Conversion<'static> {
    Conversion {
        to,
        backend,
        copies: Copies::No,
        scores: None,
        by_position: None,
        rescale: None,
        select: select.clone(),
        range: 0..0,
    }
}

/// What was written last.
enum Before {
    Unknown,
    /// A whole game of the inputs, to which nothing is joined.
    Game,
    Record(Box<GameFragments>),
}

/// The search for the first record that begins a game.
struct Beginning {
    conversion: Conversion<'static>,
    before: Before,
}

impl Beginning {
    /// Looks through a block, from a record on.
    fn find(&mut self, from: FileFormat, block: &Block, record: u64) -> Option<u64> {
        let are_kept_games = from == self.conversion.to;
        let mut scratch = self.conversion.scratch();
        let mut converted = Converted::default();
        let mut convert = |range: Range<u64>| {
            self.conversion.range = range;
            self.conversion.work(&mut scratch, from, block, &mut converted);
            (converted.games > 0, std::mem::take(&mut converted.stretches))
        };
        if are_kept_games {
            for game in block.games().filter(|game| game.moves > 0) {
                let first = block.ordinal() + game.first as u64;
                let range = first..first + game.moves as u64;
                let is_passed = range.end <= record;
                if !is_passed && convert(range).0 {
                    if first >= record {
                        return Some(first);
                    }
                    self.before = Before::Game;
                }
            }
            return None;
        }
        for index in block.indices(&(record..u64::MAX)) {
            let number = block.ordinal() + index as u64;
            let (_, records) = convert(number..number + 1);
            if records.is_empty() {
                continue;
            }
            let begins = match &self.before {
                Before::Unknown => false,
                Before::Game => true,
                Before::Record(before) => !records.continues(before),
            };
            if begins {
                return Some(number);
            }
            self.before = Before::Record(Box::new(records));
        }
        None
    }
}

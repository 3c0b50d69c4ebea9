//! Partitions of an output in whose format records are joined to games.

use std::ops::{ControlFlow, Range};

use super::conversion::{Conversion, Converted, Copies};
use super::{Job, ScoreChange};
use crate::block::Block;
use crate::engine::pipeline::Work;
use crate::games::GameFragments;
use crate::{DatasetError, FileFormat, Inputs};

/// Limits the inputs to the records of a partition that form whole games: the outputs of all partitions, concatenated in order,
/// are the output of the whole job.
///
/// The records of a game are known only when they are read in order, and the place where the whole output ends a game that
/// became too long depends on where that game began. So a partition begins where the records themselves start a game: from
/// its first record on, records are read until one does not continue the game of the one before; that record is the first. A
/// partition's end is found in the same way, as the beginning of the next. Bad records and those that the selection leaves
/// out are skipped: the next record is compared with the last one kept.
pub(super) fn keep_part(inputs: &mut Inputs, job: &Job, to: FileFormat) -> Result<(), DatasetError> {
    inputs.keep_part_of(job.partition, &mut |inputs, ends, record| {
        let total = ends.last().copied().unwrap_or(0);
        if record == 0 || record >= total {
            return Ok(record);
        }
        let mut beginning = Beginning { conversion: conversion(job, to), before: Before::Unknown };
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
fn conversion(job: &Job, to: FileFormat) -> Conversion<'static> {
    Conversion {
        to,
        backend: job.options.backend,
        copies: Copies::No,
        checks_moves: false,
        scores: ScoreChange::Keep,
        select: job.select.clone(),
        range: 0..0,
    }
}

/// The last item that was written.
enum Before {
    Unknown,
    /// A whole game of the inputs, which no record can continue.
    Game,
    Record(Box<GameFragments>),
}

/// The search for the first record that begins a game.
struct Beginning {
    conversion: Conversion<'static>,
    before: Before,
}

impl Beginning {
    /// Searches a block, from a record on.
    fn find(&mut self, from: FileFormat, block: &Block, record: u64) -> Option<u64> {
        let are_kept_games = from == self.conversion.to;
        let mut scratch = self.conversion.scratch();
        let mut converted = Converted::default();
        let mut convert = |range: Range<u64>| {
            self.conversion.convert(&mut scratch, from, block, &range, &mut converted);
            (converted.games > 0, std::mem::take(&mut converted.fragments))
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

//! [`Validation`]: what is wrong with the records of a file, block by block.

use std::collections::BTreeMap;

use komabako::board::Setup;
use komabako::codec::Backend;
use komabako::record::findings::{
    BlockFindings, Buffers, Examiner, Finding, Level, Levels, PLY_LIMIT, Tally, UncertainMove,
};
use komabako::record::{Block, FileFormat};
use serde::Serialize;

use crate::failure::Failure;
use crate::stream::Tail;

/// A fault and where it is.
#[derive(Serialize)]
pub struct Found {
    record: u64,
    offset: u64,
    error: Failure,
}

/// A validation on its way.
pub struct Validation {
    format: FileFormat,
    examiner: Examiner,
    buffers: Buffers,
    found: BlockFindings,
    tally: Tally,
    records: u64,
    /// The last record so far, if the next is to resolve its move: its number, its offset, its move.
    last: Option<(u64, u64, UncertainMove)>,
    plies: Findings,
    others: Findings,
}

/// What was found: all of it as counts, the first as they are.
struct Findings {
    most: usize,
    first: Vec<Found>,
    counts: BTreeMap<&'static str, u64>,
}

impl Validation {
    /// Looks for faults at all levels but that of missed mates; gives the first `most`.
    pub fn new(format: FileFormat, most: usize) -> Self {
        let examiner = Examiner { levels: Levels::DEFAULT, backend: Backend::detect() };
        Self {
            format,
            examiner,
            buffers: examiner.buffers(),
            found: BlockFindings::default(),
            tally: Tally::default(),
            records: 0,
            last: None,
            plies: Findings::new(most),
            others: Findings::new(most),
        }
    }

    pub fn push(&mut self, block: &Block) {
        self.examiner.examine(&mut self.buffers, self.format, block, &mut self.found);
        self.records += block.len() as u64;
        self.tally.merge(&self.found.tally);
        self.resolve_last(self.found.first);
        for &(index, finding) in &self.found.findings {
            let findings = if finding.level() == Level::Ply { &mut self.plies } else { &mut self.others };
            findings.push(block.first_record() + index as u64, block.offset(index), finding);
        }
        for game in &self.found.games {
            self.others.push(game.record, game.offset, Finding::Stream(game.fault));
        }
        self.last = self.found.last.map(|uncertain| {
            let index = block.len() - 1;
            (block.first_record() + index as u64, block.offset(index), uncertain)
        });
    }

    /// Judges the last move of the block before by the position that comes next.
    fn resolve_last(&mut self, next: Option<Setup>) {
        if let (Some((record, offset, uncertain)), Some(next)) = (self.last.take(), next)
            && let Some(finding) = uncertain.resolve(&next)
        {
            self.others.push(record, offset, finding);
        }
    }

    pub fn note_tail(&mut self, tail: Tail) {
        let sentence = match tail.is_truncated {
            true => "the file ends inside this record",
            false => "no record starts here",
        };
        self.others.add(tail.record, tail.offset, Failure::new(tail.name(), sentence), tail.name());
    }

    /// How many findings there are so far.
    pub fn bad(&self) -> u64 {
        [&self.plies, &self.others].iter().flat_map(|findings| findings.counts.values()).sum()
    }

    /// All findings by name, and the first in the order of the file.
    pub fn finish(self) -> (BTreeMap<&'static str, u64>, Vec<Found>) {
        let Findings { most, mut first, mut counts } = self.others;
        // A ply that is the same in all records stands for an unknown one, and is no fault: known only at the end.
        let is_constant =
            self.tally.plies.is_some_and(|plies| plies.start() == plies.end() && *plies.end() <= PLY_LIMIT);
        if !(is_constant && self.records > 1) {
            first.extend(self.plies.first);
            counts.extend(self.plies.counts);
            // Stable: the findings of a record at one level stay in their order.
            first.sort_by_key(|found| found.record);
            first.truncate(most);
        }
        (counts, first)
    }
}

impl Findings {
    fn new(most: usize) -> Self {
        Self { most, first: Vec::new(), counts: BTreeMap::new() }
    }

    fn push(&mut self, record: u64, offset: u64, finding: Finding) {
        let name = finding.name();
        // Worded only if it is given: a file may have millions.
        let error = if self.first.len() < self.most { finding.into() } else { Failure::default() };
        self.add(record, offset, error, name);
    }

    fn add(&mut self, record: u64, offset: u64, error: Failure, name: &'static str) {
        *self.counts.entry(name).or_default() += 1;
        if self.first.len() < self.most {
            self.first.push(Found { record, offset, error });
        }
    }
}

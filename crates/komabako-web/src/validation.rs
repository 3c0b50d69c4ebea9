//! [`Validation`]: finds the faults of a file's records, block by block.

use std::collections::BTreeMap;

use komabako::board::Setup;
use komabako::codec::Backend;
use komabako::messages::Phrase;
use komabako::record::findings::{
    BlockFindings, Buffers, Examiner, Finding, Level, Levels, PLY_LIMIT, Tally, UncertainMove,
};
use komabako::record::{Block, FileFormat};
use serde::Serialize;

use crate::failure::Failure;
use crate::stream::Tail;

/// A fault and its place.
#[derive(Serialize)]
pub struct Found {
    record: u64,
    offset: u64,
    error: Failure,
}

/// A running validation.
pub struct Validation {
    format: FileFormat,
    examiner: Examiner,
    buffers: Buffers,
    found: BlockFindings,
    tally: Tally,
    records: u64,
    /// The number, offset and move of the last record so far, if the next record must resolve its move.
    last: Option<(u64, u64, UncertainMove)>,
    plies: Findings,
    others: Findings,
}

/// Findings: the counts of all, and the first ones in full.
struct Findings {
    limit: usize,
    first: Vec<Found>,
    counts: BTreeMap<&'static str, u64>,
}

impl Validation {
    /// A validation at all levels except missed mates, which returns the first `limit` findings.
    pub fn new(format: FileFormat, limit: usize) -> Self {
        let asked = Level::ALL.iter().copied().filter(|&level| Levels::DEFAULT.contains(level));
        let levels = asked.filter(|level| level.applies_to(format.strict())).collect();
        let examiner = Examiner { levels, backend: Backend::detect() };
        Self {
            format,
            examiner,
            buffers: examiner.buffers(),
            found: BlockFindings::default(),
            tally: Tally::default(),
            records: 0,
            last: None,
            plies: Findings::new(limit),
            others: Findings::new(limit),
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

    /// Resolves the last move of the previous block with the next position.
    fn resolve_last(&mut self, next: Option<Setup>) {
        if let (Some((record, offset, uncertain)), Some(next)) = (self.last.take(), next)
            && let Some(finding) = uncertain.resolve(&next)
        {
            self.others.push(record, offset, finding);
        }
    }

    pub fn note_tail(&mut self, tail: Tail) {
        let sentence = if tail.is_truncated {
            Phrase::new("the file ends inside this record", "このレコードの途中でファイルが終わっています")
        } else {
            Phrase::new("no record starts here", "ここから先はレコードとして読めません")
        };
        self.others.add(tail.record, tail.offset, Failure::new(tail.name(), &sentence), tail.name());
    }

    /// The number of findings so far.
    pub fn bad(&self) -> u64 {
        [&self.plies, &self.others].iter().flat_map(|findings| findings.counts.values()).sum()
    }

    /// The counts of all findings by name, and the first findings in the order of the file.
    pub fn finish(self) -> (BTreeMap<&'static str, u64>, Vec<Found>) {
        let Findings { limit, mut first, mut counts } = self.others;
        // A ply that is the same in all records means "unknown" and is no fault; this is known only at the end.
        let is_constant =
            self.tally.plies.is_some_and(|plies| plies.start() == plies.end() && *plies.end() <= PLY_LIMIT);
        if !(is_constant && self.records > 1) {
            counts.extend(self.plies.counts);
            // The findings of a record at one level keep their order.
            for found in self.plies.first {
                first.insert(first.partition_point(|other| other.record <= found.record), found);
            }
            first.truncate(limit);
        }
        (counts, first)
    }
}

impl Findings {
    fn new(limit: usize) -> Self {
        Self { limit, first: Vec::new(), counts: BTreeMap::new() }
    }

    fn push(&mut self, record: u64, offset: u64, finding: Finding) {
        let name = finding.name();
        // The sentence is formatted only if it is returned, since a file may have millions of findings.
        let error = if self.first.len() < self.limit { finding.into() } else { Failure::default() };
        self.add(record, offset, error, name);
    }

    fn add(&mut self, record: u64, offset: u64, error: Failure, name: &'static str) {
        *self.counts.entry(name).or_default() += 1;
        if self.first.len() < self.limit {
            self.first.push(Found { record, offset, error });
        }
    }
}

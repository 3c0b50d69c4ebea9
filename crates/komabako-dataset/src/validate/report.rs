//! [`Report`]: the findings, by file and level.

use std::collections::BTreeMap;

use komabako_board::Setup;

use super::{Contradiction, Convention, Finding, Level, Mirror};
use crate::Name;
use crate::io::error::{Tail, TailCause};
use crate::record::MoveBits;
use crate::{Compression, FileFormat};

/// The findings of a validation.
#[derive(Clone, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct Report {
    /// The inputs, in order; if the job stopped at its first finding, only those up to it are complete.
    pub files: Vec<FileReport>,
    /// Whether the job stopped at its first finding.
    pub stopped: bool,
    /// Bytes read, before decompression; if the job stopped, including those read ahead.
    pub bytes_read: u64,
    /// The time it took.
    pub seconds: f64,
}

/// The findings in one input.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct FileReport {
    /// The name of the input.
    pub name: Name,
    /// The format in which it was read; `None` for an empty file whose name suggests none.
    pub format: Option<FileFormat>,
    /// The compression of the input.
    pub compression: Compression,
    /// The number of its records.
    pub records: u64,
    /// The number of records whose position is unknown, so that rules and move were not judged.
    pub undecoded: u64,
    /// The levels that were requested and apply.
    pub levels: Vec<LevelReport>,
    /// The diagnoses of the file as a whole.
    pub diagnoses: Vec<Diagnosis>,
    /// The relation between scores and results.
    pub convention: Convention,
    /// What of the input cannot be read: the rest after the last whole record; of an archive every damaged block.
    pub tails: Vec<Tail>,
}

/// The findings at one level.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct LevelReport {
    /// The level.
    pub level: Level,
    /// The number of records that fail; at the stream level, of games; at the size level, of tails.
    pub bad: u64,
    /// The same, by the name of the finding.
    pub faults: BTreeMap<&'static str, u64>,
    /// The numbers of the first records that fail, counted from 0, at most [`LevelReport::FIRST`].
    pub first: Vec<u64>,
    /// The first record that fails.
    pub example: Option<Example>,
}

/// A record that fails, with its finding.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Example {
    /// Its number in the input, counted from 0.
    pub record: u64,
    /// The byte offset of the record or its game in the input after decompression.
    pub offset: u64,
    /// The line on which it starts, counted from 1, if the input is text.
    pub line: Option<u64>,
    /// Its position, if that can be read.
    pub setup: Option<Setup>,
    /// Its move, if it has one and the position can be read.
    pub best_move: Option<MoveBits>,
    /// The finding.
    pub finding: Finding,
}

/// A diagnosis of a file as a whole.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Diagnosis {
    /// The file was read in one format, but its content is in this one.
    OtherFormat(FileFormat),
    /// The name suggests this format, but the content is in another.
    Misnamed(FileFormat),
    /// The positions are not canonical: older programs wrote them.
    Variants(u64),
    /// The positions are in another format's codec.
    OtherCodec(u64),
    /// The moves are in an encoding other than the format's.
    OtherEncoding {
        /// Moves that have another meaning in another encoding.
        encoding_dependent: u64,
        /// The number of these that are illegal in the format's encoding and legal in another.
        other: u64,
    },
    /// The plies count from 0, or from White's first move.
    PlyShifted,
    /// Scores and results contradict each other.
    Contradiction(Contradiction),
    /// Scores and results are both from the other side's view.
    Mirrored(Mirror),
}

impl Report {
    /// Whether there are no findings.
    pub fn is_clean(&self) -> bool {
        self.files.iter().all(FileReport::is_clean)
    }

    /// The number of records in all files.
    pub fn records(&self) -> u64 {
        self.files.iter().map(|file| file.records).sum()
    }
}

impl FileReport {
    /// Whether there are no findings.
    pub fn is_clean(&self) -> bool {
        self.diagnoses.is_empty() && self.tails.is_empty() && self.levels.iter().all(|level| level.bad == 0)
    }

    /// The findings at a level; `None` if it was not requested or does not apply.
    pub fn level(&self, level: Level) -> Option<&LevelReport> {
        self.levels.iter().find(|report| report.level == level)
    }

    pub(super) fn level_mut(&mut self, level: Level) -> Option<&mut LevelReport> {
        self.levels.iter_mut().find(|report| report.level == level)
    }
}

impl LevelReport {
    /// The maximum number of record numbers kept.
    pub const FIRST: usize = 10;

    pub(super) fn new(level: Level) -> LevelReport {
        LevelReport { level, bad: 0, faults: BTreeMap::new(), first: Vec::new(), example: None }
    }

    /// Counts a record that fails.
    pub(super) fn add(&mut self, record: u64, fault: &'static str) {
        self.bad += 1;
        *self.faults.entry(fault).or_default() += 1;
        if self.first.len() < LevelReport::FIRST {
            self.first.push(record);
        }
    }
}

impl Diagnosis {
    /// The diagnosis's name for programs, e.g. `other_encoding`.
    pub const fn name(&self) -> &'static str {
        match self {
            Diagnosis::OtherFormat(_) => "other_format",
            Diagnosis::Misnamed(_) => "misnamed",
            Diagnosis::Variants(_) => "variants",
            Diagnosis::OtherCodec(_) => "other_codec",
            Diagnosis::OtherEncoding { .. } => "other_encoding",
            Diagnosis::PlyShifted => "ply_shifted",
            Diagnosis::Contradiction(_) => "contradiction",
            Diagnosis::Mirrored(_) => "mirrored",
        }
    }
}

/// The name of a tail's fault.
pub(super) const fn tail_name(cause: TailCause) -> &'static str {
    match cause {
        TailCause::Truncated | TailCause::Compressed => "TRUNCATED",
        TailCause::Corrupt => "CORRUPT",
        TailCause::Damaged(_) => "DAMAGED",
        TailCause::Archive(_) if cause.is_truncation() => "TRUNCATED",
        TailCause::Archive(_) => "CORRUPT",
    }
}

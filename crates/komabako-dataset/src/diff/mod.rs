//! Compares two files by position.
//!
//! Positions are equal if they have the same board, hands, box and side to move, in any
//! formats. A [`Job`] compares the second file with the first:
//!
//! * a record of A is *only in A* if B has no record of its position, and vice versa;
//! * a record of B is *changed* if A has records of its position, but none with the same labels. The labels compared are
//!   score, move and result, if both formats have them. The change is reported against the first of A's records.
//!
//! # Memory and disk
//! If the records of A fit into [`Limits::memory`](crate::job::Limits::memory), 49 bytes each, they go into a table; so the
//! smaller file should be A. Otherwise both files are partitioned by a hash of the position into temporary files of 45 bytes
//! per record, and compared part by part. The result is the same for any number of parts and threads. For each requested
//! output, one bit per record is kept in memory, and its input is read again.
//!
//! Temporary files are removed at the end and on errors; an interrupted comparison starts from the beginning.
//!
//! ```no_run
//! use komabako_dataset::Input;
//! use komabako_dataset::diff::Job;
//! let summary = Job::new(Input::path("old.psv"), Input::path("new.psv")).run(&mut ())?;
//! println!("{} gone, {} new, {} changed", summary.only_a, summary.only_b, summary.changed);
//! # Ok::<(), komabako_dataset::DatasetError>(())
//! ```

mod compare;
mod plan;
mod run;
mod table;
mod tally;

use std::path::PathBuf;

use komabako_board::Setup;

use crate::job::{Counts, JobOptions, Limits};
use crate::{Field, FileFormat, Input};

/// A comparison to run.
pub struct Job<'a> {
    /// The first input.
    pub a: Input<'a>,
    /// The second.
    pub b: Input<'a>,
    /// The format of the outputs; `None` to take it from their extensions.
    pub to: Option<FileFormat>,
    /// The output for the records that are only in A, in its order.
    pub only_a: Option<PathBuf>,
    /// The output for the records that are only in B, in its order.
    pub only_b: Option<PathBuf>,
    /// The output for the records of B that are changed, in its order.
    pub changed: Option<PathBuf>,
    /// Options common to all jobs: format, threads, backend, and whether outputs may be replaced.
    pub options: JobOptions,
    /// The memory and directories available. If no directories are given, temporary files go beside the first output, or to the
    /// system's directory.
    pub limits: Limits,
}

impl<'a> Job<'a> {
    /// A comparison that detects formats, writes no outputs, and uses half of the machine's memory and all CPUs.
    pub fn new(a: Input<'a>, b: Input<'a>) -> Job<'a> {
        Job {
            a,
            b,
            to: None,
            only_a: None,
            only_b: None,
            changed: None,
            options: JobOptions::default(),
            limits: Limits::default(),
        }
    }
}

/// The outcome of a comparison.
#[derive(Clone, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct Summary {
    /// The records read from both inputs, and those written to all outputs. A bad record is an error here, so none is counted.
    pub counts: Counts,
    /// The number of records of A.
    pub records_a: u64,
    /// The number of records of B.
    pub records_b: u64,
    /// The number of records that are only in A.
    pub only_a: u64,
    /// The number of records that are only in B.
    pub only_b: u64,
    /// The number of records of B that are changed.
    pub changed: u64,
    /// The number of records of B that A has unchanged.
    pub same: u64,
    /// The number of changed records that differ in each field.
    pub changed_fields: Vec<(Field, u64)>,
    /// The first differences of each kind, at most [`Summary::SAMPLES`].
    pub samples: Vec<Difference>,
}

impl Summary {
    /// The maximum number of differences of each kind to keep.
    pub const SAMPLES: usize = 5;

    /// Whether there are no differences.
    pub fn is_same(&self) -> bool {
        self.only_a == 0 && self.only_b == 0 && self.changed == 0
    }
}

/// A position that differs.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Difference {
    /// The kind of difference.
    pub kind: DifferenceKind,
    /// The number of the record in A, if it has one.
    pub a: Option<u64>,
    /// The number of the record in B, if it has one.
    pub b: Option<u64>,
    /// The position.
    pub setup: Setup,
    /// The fields that differ, with their texts in A and in B.
    pub fields: Vec<(Field, [String; 2])>,
}

/// The kind of a difference.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum DifferenceKind {
    /// It is only in A.
    OnlyA,
    /// It is only in B.
    OnlyB,
    /// Its labels differ.
    Changed,
}

impl DifferenceKind {
    /// The name for programs: `only_a`, `only_b`, `changed`.
    pub const fn name(self) -> &'static str {
        match self {
            DifferenceKind::OnlyA => "only_a",
            DifferenceKind::OnlyB => "only_b",
            DifferenceKind::Changed => "changed",
        }
    }
}

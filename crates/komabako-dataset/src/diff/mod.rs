//! Two files compared by position.
//!
//! Positions are equal if they are the same on the board, in the hands, in the box and by the side to move, whatever
//! formats they are in. A [`Job`] holds the second file against the first:
//!
//! * a record of A is *only in A* if B has no record of its position, and the other way round;
//! * a record of B is *changed* if A has records of its position, but none with the same labels. What is compared is
//!   score, move and result, as far as both formats have them. It is reported against the first of A's records.
//!
//! # Memory and disk
//! Where the records of A fit into [`Limits::memory`](crate::job::Limits::memory), 49 bytes each, they go into a table;
//! so the smaller file should be A. Otherwise both files are dealt out to parts by a hash of the position, temporary files of
//! 45 bytes a record, and compared part by part. The answer is the same whatever the parts and threads. For each file that is
//! wanted, a bit a record is kept in memory, and its input is read once more.
//!
//! Temporary files are removed at the end and on errors; a comparison that is interrupted starts again.
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

pub use self::plan::Plan;

use std::path::PathBuf;

use komabako_board::Setup;

use crate::job::{Counts, JobOptions, Limits};
use crate::{Field, FileFormat, Input};

/// A comparison to do.
pub struct Job<'a> {
    /// The first input.
    pub a: Input<'a>,
    /// The second.
    pub b: Input<'a>,
    /// The format of the outputs; `None` to take it from their extensions.
    pub to: Option<FileFormat>,
    /// Where to write the records that are only in A, in its order.
    pub only_a: Option<PathBuf>,
    /// Where to write the records that are only in B, in its order.
    pub only_b: Option<PathBuf>,
    /// Where to write the records of B that are changed, in its order.
    pub changed: Option<PathBuf>,
    /// How inputs are read, what the work runs on, and whether outputs may be replaced.
    pub options: JobOptions,
    /// What the comparison may use. Without directories temporary files go beside the first of the wanted files, or to the
    /// system's own.
    pub limits: Limits,
}

impl<'a> Job<'a> {
    /// A comparison with formats found out, without outputs, in half of the machine's memory, on all CPUs.
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
    /// The records read of both inputs, and those written to all outputs. A bad record is an error here, so that none is counted.
    pub counts: Counts,
    /// The records of A.
    pub records_a: u64,
    /// The records of B.
    pub records_b: u64,
    /// The records that are only in A.
    pub only_a: u64,
    /// The records that are only in B.
    pub only_b: u64,
    /// The records of B that are changed.
    pub changed: u64,
    /// The records of B that A has as they are.
    pub same: u64,
    /// Of those that are changed, how many differ in a field.
    pub changed_fields: Vec<(Field, u64)>,
    /// The first differences of each kind, at most [`Summary::SAMPLES`].
    pub samples: Vec<Difference>,
}

impl Summary {
    /// How many differences of each kind are kept.
    pub const SAMPLES: usize = 5;

    /// Whether nothing differs.
    pub fn is_same(&self) -> bool {
        self.only_a == 0 && self.only_b == 0 && self.changed == 0
    }
}

/// A position that differs.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Difference {
    /// How.
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

/// How a position differs.
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

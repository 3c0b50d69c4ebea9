//! [`Counts`]: the part of a summary that counts the records of a job.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::Note;
use crate::io::error::{RecordError, RecordFault, Tail};

/// The records that a job read and wrote, and the bad ones. The summaries of jobs on records have it as a member, and each number
/// means the same in all of them. Validation counts by file and level instead, and the conversion of game records by game.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Counts<F = RecordFault> {
    /// Records read, including bad ones; for a range of records, only those in the range.
    pub read: u64,
    /// Records written.
    pub written: u64,
    /// Bad records that were left out, by the name of the fault ([`RecordFault::name`]).
    pub bad: BTreeMap<Cow<'static, str>, u64>,
    /// The first bad records, at most [`Counts::SAMPLES`].
    pub samples: Vec<RecordError<F>>,
    /// The ends of inputs that were not read ([`JobOptions::salvage`](crate::JobOptions::salvage)).
    pub tails: Vec<Tail>,
    /// What the output does not have of the inputs besides records and fields.
    pub notes: Vec<Note>,
    /// Bytes read, before decompression.
    pub bytes_read: u64,
    /// Bytes written, before compression.
    pub bytes_written: u64,
    /// The time that the job took.
    pub seconds: f64,
}

// A derived impl would require a default fault.
impl<F> Default for Counts<F> {
    fn default() -> Self {
        Counts {
            read: 0,
            written: 0,
            bad: BTreeMap::new(),
            samples: Vec::new(),
            tails: Vec::new(),
            notes: Vec::new(),
            bytes_read: 0,
            bytes_written: 0,
            seconds: 0.0,
        }
    }
}

impl<F> Counts<F> {
    /// The maximum number of bad records kept as samples.
    pub const SAMPLES: usize = 10;

    /// The number of bad records.
    pub fn bad_total(&self) -> u64 {
        self.bad.values().sum()
    }

    /// Counts a bad record by the name of its fault.
    pub(crate) fn count_bad(&mut self, name: &'static str) {
        *self.bad.entry(Cow::Borrowed(name)).or_default() += 1;
    }

    /// Keeps a bad record as a sample, unless there are enough.
    pub(crate) fn keep_sample(&mut self, error: RecordError<F>) {
        if self.samples.len() < Self::SAMPLES {
            self.samples.push(error);
        }
    }
}

//! Jobs on files that are larger than memory: leaving duplicates out, shuffling, or both in one.
//!
//! A [`Job`] says what to do. [`Job::plan`] looks at the inputs, counts their records and finds how to do it within a
//! limit of memory; [`Plan::preflight`] is what that takes of memory and disk. [`Plan::run`] does it.
//!
//! ```no_run
//! use komabako_dataset::large::{Job, Sameness, Shuffle, Unique};
//! use komabako_dataset::{Input, Output};
//! let mut job = Job::new(vec![Input::path("games.psv")], Output::path("clean.psv"));
//! job.unique = Some(Unique { by: Sameness::Position, references: Vec::new() });
//! job.shuffle = Some(Shuffle { seed: 7, phased: false });
//! let plan = job.plan(&mut ())?;
//! plan.preflight().check()?;
//! let summary = plan.run(&mut ())?;
//! eprintln!("{} records, {} duplicates left out", summary.counts.written, summary.duplicates);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Duplicates
//! Of records that are the [same](Sameness), the first in the order of the inputs is kept. The others are found
//! exactly, by comparing all bytes of their keys. The output has the survivors in the order of the inputs.
//!
//! A key is a canonical form: of the position its word in SSPFv1's extension, whatever format it was read from, so that
//! the same position written by another program is a duplicate. A first pass deals keys and record numbers out to
//! parts, by a hash of the key; every part then holds all records of its keys in their order, and is small enough for
//! a table in memory and, where that makes no file too small, in the caches of the CPU. What is found is the list of the numbers of the duplicates. A second pass over the inputs leaves
//! them out.
//!
//! # Shuffling
//! The output is a permutation of the inputs' records. It is chosen in two steps from the stream of a generator,
//! `ChaCha8`, whose key is the seed. First every record, in the order of the inputs, draws one of 65,536 buckets,
//! each as likely as the others. Then every bucket's records are permuted by the algorithm of Fisher and Yates, with
//! numbers of the bucket's own stream that are made uniform by rejection. The output has the buckets one after the other.
//!
//! If the numbers of the generator are independent and uniform, then so is the permutation. Take two orders of
//! the output, π and σ. The map that relabels records by σπ⁻¹ takes the choices that lead to π (a bucket for each
//! record, an order for each bucket) to those that lead to σ: bucket sizes stay, so every choice has the same
//! probability as its image. π and σ are therefore equally likely. There are no sort keys, and so no ties.
//!
//! Nothing in this depends on threads, memory or the number of parts, so neither do the bytes of the output: a part is
//! a run of whole buckets.
//!
//! With both, the order is drawn over the survivors: the output has the bytes that shuffling the deduplicated file would
//! give.
//!
//! A [`Partition`] of the output holds a run of neighbouring buckets: several machines that read the same inputs each write one,
//! and joined they are the output of one machine. Of an output that is not shuffled it holds the keys of a range of hashes, and
//! the job has only those keys in memory or in files: together the machines keep the records that one machine keeps.
//!
//! # Memory and disk
//! Memory is bounded by [`Limits::memory`]. A job that fits in it uses no disk but for its output. Temporary files of
//! duplicates take 40 bytes a record (8 and the key), those of a shuffle the output's records with 2 bytes each. They lie in
//! directories named after the output in [`Limits::directories`]. One file is written at a time, so few are open at once.
//!
//! Where the first of these is beside the output and that is an uncompressed file, a shuffle writes it there too, and removes
//! parts, some at a time, as soon as they are in it: on disk are the inputs, the parts and as much of the output as makes room
//! for the next.
//!
//! A [phased](Shuffle::phased) shuffle has no temporary files. It reads the inputs once for each part and appends the
//! part to the output: on disk are the inputs and the output, no more.
//!
//! # When it is interrupted
//! Inputs are only read, and the output appears whole or not at all. What has been finished (the duplicates of a part
//! found; of a pass that deals keys or records out, the number of records dealt) is written to a manifest, with
//! checksums of the files, each time in one step. A job with [`Job::resume`] resumes there if its options, output,
//! directories and inputs (path, size, time of change) are the same, and gives the same bytes. An output that lies among the
//! parts is continued; another is written from its start, and what the earlier run may have left of it under a temporary
//! name is removed. Jobs that read or write streams cannot be resumed.

mod collect;
mod entries;
mod excluded;
mod extract;
mod find_duplicates;
mod journal;
mod key_set;
mod layout;
mod manifest;
mod partition;
mod plan;
mod resources;
mod run;
mod shuffle;
mod work_dir;
mod writer;

pub use komabako_record::shuffle::ShuffleOrder;
pub use plan::Plan;

use std::path::PathBuf;

use crate::job::{Counts, JobOptions, Limits, OnBadRecord};
use crate::{Compression, FileFormat, Input, Lost, Output, Partition};

/// A job to do.
pub struct Job<'a> {
    /// The inputs, one after the other. A stream is copied to a temporary file first.
    pub inputs: Vec<Input<'a>>,
    /// The output.
    pub output: Output<'a>,
    /// The format to write; `None` to take it from the output's extension or, if that says none, from the inputs. Records
    /// that are in this format already keep all their bytes.
    pub to: Option<FileFormat>,
    /// How to compress the output; `None` to take it from the output's extension.
    pub compression: Option<Compression>,
    /// Which records to leave out as duplicates; `None` for none.
    pub unique: Option<Unique>,
    /// How to shuffle; `None` to keep the order.
    pub shuffle: Option<Shuffle>,
    /// Which part of the output to write. Without [`shuffle`](Job::shuffle) and [`unique`](Job::unique) only [`Partition::WHOLE`]
    /// is possible, and a part never deletes inputs, which the others need.
    pub partition: Partition,
    /// What to do about bad records. What is only shuffled, and not converted, is not decoded, and so never bad. A job that
    /// has stopped for a bad record can be resumed with another policy; one that has left some out cannot be resumed with
    /// [`OnBadRecord::Stop`]. If there are bad records, to collect them takes one more pass over the inputs.
    pub on_bad_record: OnBadRecord,
    /// How inputs are read, what the work runs on, and whether outputs may be replaced.
    pub options: JobOptions,
    /// The limits of memory and disk.
    pub limits: Limits,
    /// Whether to resume an interrupted earlier run of the same job, if there is one.
    pub resume: bool,
    /// Whether to delete the inputs that are files once the output is in its place and on its disk. None of them may be a
    /// reference. All are kept ([`Summary::kept_inputs`]) if one holds what no file holds then: bad records that were not
    /// collected, the rest of a damaged input, or fields that the output's format lacks. The first that cannot be deleted is
    /// an error ([`Delete`](crate::DatasetError::Delete)): the output is complete then, and the inputs after that one stay.
    pub delete_inputs: bool,
}

/// Which records are duplicates.
pub struct Unique {
    /// What makes two records the same.
    pub by: Sameness,
    /// Files that are clean: records that are the same as one of theirs are left out. They are only read.
    pub references: Vec<PathBuf>,
}

/// What makes two records the same.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Sameness {
    /// The position: board, hands and side to move.
    #[default]
    Position,
    /// The position and the move, however it is encoded.
    Move,
    /// All bytes that would be written.
    Record,
}

impl Sameness {
    /// Every kind.
    pub const ALL: [Sameness; 3] = [Sameness::Position, Sameness::Move, Sameness::Record];

    /// The name for programs: `position`, `move`, `record`.
    pub const fn name(self) -> &'static str {
        match self {
            Sameness::Position => "position",
            Sameness::Move => "move",
            Sameness::Record => "record",
        }
    }
}

/// How to shuffle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shuffle {
    /// Chooses the permutation.
    pub seed: u64,
    /// Whether to read the inputs once for each part rather than to write temporary files.
    pub phased: bool,
}

/// A directory of temporary files that a killed job has left. It can be removed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Leftover {
    /// The directory.
    pub path: PathBuf,
    /// The bytes of the files in it.
    pub bytes: u64,
}

/// The outcome of a job.
#[derive(Clone, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct Summary {
    /// The records read, written and left out as bad. Of bad ones the samples are those that this run met; the time too
    /// is this run's.
    pub counts: Counts,
    /// Duplicates left out; of an unshuffled output those of this [partition](Partition).
    pub duplicates: u64,
    /// Records that are left to the other partitions of an unshuffled output: they are neither duplicates nor written.
    pub other_parts: u64,
    /// What was not carried over, uncounted.
    pub losses: Vec<Lost>,
    /// Whether this run resumed an earlier one.
    pub resumed: bool,
    /// Whether inputs that were to be [deleted](Job::delete_inputs) were kept for what only they hold.
    pub kept_inputs: bool,
}

impl<'a> Job<'a> {
    /// A job that copies records: formats found out, on all CPUs, overwriting nothing.
    pub fn new(inputs: Vec<Input<'a>>, output: Output<'a>) -> Job<'a> {
        Job {
            inputs,
            output,
            to: None,
            compression: None,
            unique: None,
            shuffle: None,
            partition: Partition::WHOLE,
            on_bad_record: OnBadRecord::Stop,
            options: JobOptions::default(),
            limits: Limits::default(),
            resume: false,
            delete_inputs: false,
        }
    }
}

//! Jobs on files larger than memory: removing duplicates, shuffling, or both at once.
//!
//! A [`Job`] describes the work. [`Job::plan`] examines the inputs, counts their records and plans the stages within a
//! limit of memory; [`Plan`](crate::Plan)`::preflight` reports the memory and disk needed, and `run` does the work.
//!
//! ```no_run
//! use komabako_dataset::large::{Job, Sameness, Shuffle, Unique};
//! use komabako_dataset::{Input, Output};
//! let mut job = Job::new(vec![Input::path("games.psv")], Output::path("clean.psv"));
//! job.unique = Some(Unique { by: Sameness::Position, ..Default::default() });
//! job.shuffle = Some(Shuffle { seed: 7, phased: false });
//! let plan = job.plan(&mut ())?;
//! plan.preflight().check()?;
//! let summary = plan.run(&mut ())?;
//! eprintln!("{} records, {} duplicates left out", summary.counts.written, summary.duplicates);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Duplicates
//! Among records that are the [same](Sameness), the first in the order of the inputs is kept. The others are found
//! exactly, by comparing all bytes of their keys. The output has the remaining records in the order of the inputs.
//!
//! A key is a canonical form: a position is represented by its word in one codec for all inputs (HCP if they all have PSV's or
//! HCP's words, otherwise SSPFv1's extension), so that the same position written by another program is a duplicate. A first
//! pass partitions keys and record numbers by a hash of the key. Every part then holds all records of its keys in their order,
//! and is small enough for a table in memory and, if that does not make files too small, in the caches of the CPU. Several threads look
//! for duplicates, each in a part. Parts are in memory if they fit, otherwise in files. The result
//! is a list of the numbers of the duplicates. A second pass over the inputs leaves them out.
//!
//! With [`Keep::Mean`] the score, move and result of every record go with its key, and each part also gives a list of means, which the
//! second pass writes. With [`Keep::All`] only the keys of references are in memory, in a single table, if they fit.
//!
//! # Shuffling
//! The output is a permutation of the inputs' records. It is chosen in two steps from the stream of a generator,
//! `ChaCha8`, whose key is the seed. First every record, in the order of the inputs, draws one of 65,536 buckets,
//! all equally likely. Then every bucket's records are permuted by the algorithm of Fisher and Yates, with
//! numbers from the bucket's own stream that are made uniform by rejection. The output has the buckets one after the other.
//!
//! If the numbers of the generator are independent and uniform, then so is the permutation. Take two orders of
//! the output, π and σ. The map that relabels records by σπ⁻¹ takes the choices that lead to π (a bucket for each
//! record, an order for each bucket) to those that lead to σ. It preserves bucket sizes, so every choice has the same
//! probability as its image. π and σ are therefore equally likely. There are no sort keys, and so no ties.
//!
//! None of this depends on threads, memory or the number of parts, so neither do the bytes of the output: a part is
//! a run of whole buckets.
//!
//! With both, the order is drawn over the remaining records: the output has the same bytes as a shuffle of the deduplicated
//! file.
//!
//! A [`Partition`] of the output holds a run of neighbouring buckets: several machines that read the same inputs each write
//! one, and concatenated they are the output of one machine. In an output that is not shuffled, a partition holds the keys in
//! a range of hashes, and only those keys are in memory or in files: together the machines keep the records that one machine
//! keeps.
//!
//! # Memory and disk
//! Memory is bounded by [`Limits::memory`]. A job that fits in it uses no disk except for its output. Temporary files for
//! duplicates take 40 bytes per record (8 and the key), those for a shuffle the output's records with 2 bytes each. They are in
//! private directories in [`Limits::directories`], or beside the output. One file is written at a time, so few are open at once.
//!
//! If the first of these directories is beside the output and the output is an uncompressed file, a shuffle writes the output
//! there too, and removes parts, some at a time, as soon as they are in it: on disk are the inputs, the remaining parts and the
//! output so far.
//!
//! A [phased](Shuffle::phased) shuffle has no temporary files. It reads the inputs once per part and appends the
//! part to the output: on disk are only the inputs and the output.
//!
//! # Interruptions
//! Inputs are only read, and the output appears complete or not at all. Finished work (parts whose duplicates have been
//! found, and the number of records that a pass has partitioned) is saved in a manifest, with checksums of the files, each
//! time atomically. A job with [`Job::resume`] continues from there if its options, output, directories and inputs (path,
//! size, modification time) are the same, and writes the same bytes. An output among the temporary files is continued;
//! otherwise it is written again from its start, and temporary files of the output that the earlier run may have left are
//! removed. What was in memory is read again. Jobs that read or write streams cannot be resumed.

mod average;
mod collect;
mod entries;
mod excluded;
mod extract;
mod find_duplicates;
mod finished;
mod journal;
mod key_set;
mod layout;
mod manifest;
mod means;
mod not_averaged;
mod partition;
mod plan;
mod resources;
mod run;
mod segments;
mod shuffle;
mod work_dir;
mod writer;

pub use self::not_averaged::NotAveraged;
pub use crate::leftovers::Leftover;
pub use komabako_record::order::ShuffleOrder;
pub(crate) use manifest::{directories_elsewhere, unnamed_outputs};

use std::path::PathBuf;

use crate::io::error::RecordError;
use crate::job::{Counts, JobOptions, Limits, OnBadRecord};
use crate::{Compression, FileFormat, Input, Lost, Output, Partition};

/// A job to run.
pub struct Job<'a> {
    /// The inputs, one after the other. A stream is first copied to a temporary file.
    pub inputs: Vec<Input<'a>>,
    /// The output.
    pub output: Output<'a>,
    /// The format to write; `None` to take it from the output's extension or, if it names none, from the inputs. Records
    /// already in this format keep all their bytes.
    pub to: Option<FileFormat>,
    /// The compression of the output; `None` to take it from the output's extension.
    pub compression: Option<Compression>,
    /// The duplicates to leave out; `None` to keep all records.
    pub unique: Option<Unique>,
    /// The shuffle; `None` to keep the order.
    pub shuffle: Option<Shuffle>,
    /// The partition of the output to write. Without [`shuffle`](Job::shuffle) and [`unique`](Job::unique) only
    /// [`Partition::WHOLE`] is possible, and a partition never deletes inputs, which the others need.
    pub partition: Partition,
    /// The policy for bad records. Records that are only shuffled, and not converted, are not decoded, and so never bad. A
    /// job that has stopped at a bad record can be resumed with another policy; one that has left some out cannot be resumed
    /// with [`OnBadRecord::Stop`]. If there are bad records, collecting them takes another pass over the inputs.
    pub on_bad_record: OnBadRecord,
    /// Options common to all jobs: format, threads, backend, and whether outputs may be replaced.
    pub options: JobOptions,
    /// The limits of memory and disk.
    pub limits: Limits,
    /// Whether to resume an interrupted earlier run of the same job, if any.
    pub resume: bool,
    /// Whether to delete the inputs that are files once the output is complete and synced to disk. None of them may be a
    /// reference. All are kept ([`Summary::kept_inputs`]) if one has data that would be lost: bad records that were not
    /// collected, the rest of a damaged input, comments, or fields that the output's format lacks. One that changed after it was read is
    /// kept too ([`Summary::changed_inputs`]). The first that cannot be deleted is
    /// an error ([`Delete`](crate::DatasetError::Delete)): the output is complete then, and later inputs are kept.
    pub delete_inputs: bool,
}

/// The definition of duplicates.
#[derive(Default)]
pub struct Unique {
    /// The criterion for equal records.
    pub by: Sameness,
    /// Which of equal records is kept.
    pub keep: Keep,
    /// Reference files: records that are the same as one of theirs are left out. They are only read.
    pub references: Vec<PathBuf>,
    /// With [`Keep::Mean`], the prefix of three files beside the output, with a number for each of its records: `.count.u32`, how
    /// many records it stands for; `.result.f32`, their mean result from the side to move (1 win, 0 draw, -1 loss); and
    /// `.score.f32`, their mean score. NaN if none of them has one.
    pub columns: Option<PathBuf>,
}

/// Which of equal records is kept.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum Keep {
    /// The first in the order of the inputs.
    #[default]
    First,
    /// The last.
    Last,
    /// The first, with the mean score (rounded, half away from zero), the most frequent move and the most frequent result of all of
    /// them; the first of those that are equally frequent. Scores beyond ±29999, which mean mate, count as ±29999. A record
    /// without an equal keeps its bytes. In hcpe3, if all inputs are, each position becomes a game whose candidates have the sums
    /// of their visits; if a sum exceeds 65,535, they are scaled.
    Mean,
    /// All of them: only records that are the same as one of a reference are left out.
    All,
}

impl Keep {
    /// Those that leave one of equal records.
    pub const ONE: &[Keep] = &[Keep::First, Keep::Last, Keep::Mean];

    /// The name for programs: `first`, `last`, `mean`, `all`.
    pub const fn name(self) -> &'static str {
        match self {
            Keep::First => "first",
            Keep::Last => "last",
            Keep::Mean => "mean",
            Keep::All => "all",
        }
    }
}

/// The criterion for equal records.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum Sameness {
    /// The position: board, hands and side to move.
    #[default]
    Position,
    /// The position and the move, in any encoding.
    Move,
    /// All bytes that would be written.
    Record,
}

impl Sameness {
    /// Every kind.
    pub const ALL: &[Sameness] = &[Sameness::Position, Sameness::Move, Sameness::Record];

    /// The name for programs: `position`, `move`, `record`.
    pub const fn name(self) -> &'static str {
        match self {
            Sameness::Position => "position",
            Sameness::Move => "move",
            Sameness::Record => "record",
        }
    }
}

/// The options of a shuffle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shuffle {
    /// The seed of the permutation.
    pub seed: u64,
    /// Whether to read the inputs once per part instead of writing temporary files.
    pub phased: bool,
}

/// The outcome of a job.
#[derive(Clone, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct Summary {
    /// The records read, written and left out as bad. The samples of bad ones and the time are
    /// from this run only.
    pub counts: Counts,
    /// Duplicates left out; for an output that is not shuffled, those of this [partition](Partition).
    pub duplicates: u64,
    /// Records that belong to other partitions of an output that is not shuffled: they are neither duplicates nor written.
    pub other_parts: u64,
    /// Bad records of references, with which no record was compared.
    pub bad_references: u64,
    /// The first of them, from this run only.
    pub reference_samples: Vec<RecordError>,
    /// The losses, uncounted.
    pub losses: Vec<Lost>,
    /// Whether this run resumed an earlier one.
    pub resumed: bool,
    /// Whether inputs that were to be [deleted](Job::delete_inputs) were kept because of data that only they have.
    pub kept_inputs: bool,
    /// Inputs that were to be deleted and were kept because another program replaced them or wrote to them after they were read.
    pub changed_inputs: Vec<PathBuf>,
}

impl<'a> Job<'a> {
    /// A job that copies records, detects formats, uses all CPUs and overwrites nothing.
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

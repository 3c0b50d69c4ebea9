//! [`Plan`]: what to load, and how.

mod locate;
mod places;
mod prepare;
mod quality;

use serde::Deserialize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use komabako_dataset::FileFormat;
use komabako_dataset::move16::MoveEncoding;

use crate::output::Output;
use crate::select::Select;
use crate::{Loader, LoaderError};

pub(crate) use prepare::Prepared;
pub use quality::Quality;

/// What to load, and how.
///
/// ```no_run
/// use komabako_loader::{Output, Plan, Source, Targets};
/// let plan = Plan {
///     sources: vec![Source::new("games.psv")],
///     output: Output { targets: Some(Targets::logistic(600.0)), ..Output::none() },
///     ..Plan::new()
/// };
/// let mut loader = plan.start()?;
/// while let Some(batch) = loader.next()? {
///     println!("{} records, the first worth {}", batch.len(), batch.targets[0]);
/// }
/// # Ok::<(), komabako_loader::LoaderError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Plan {
    /// The files.
    pub sources: Vec<Source>,
    /// The records of a batch of one rank.
    pub batch: usize,
    /// The order.
    pub order: Order,
    /// The bytes that the window of a process may take.
    pub memory: u64,
    /// The seed of the order and of the draws.
    pub seed: u64,
    /// The passes over the blocks in an epoch, K: each is read so many times, and the window is so many times larger.
    pub passes: u64,
    /// The ticks over which a block is spread, L; fewer if memory is short.
    pub lag: u64,
    /// The blocks that are read for a tick, n, instead of what memory allows.
    pub per_tick: Option<u64>,
    /// The records of a block of a file that has none of its own.
    pub block: u64,
    /// The records to keep.
    pub select: Select,
    /// This process and the others.
    pub ranks: Ranks,
    /// What a batch has.
    pub output: Output,
    /// Whether steps that are not full are dropped: on every rank the same ones, unless records may be left out, since a rank knows only
    /// its own then and ends with them.
    pub drop_last: bool,
    /// With weighted sources, the places of an epoch; otherwise all records are.
    pub epoch_records: Option<u64>,
    /// What becomes of bad records.
    pub on_bad_record: OnBadRecord,
    /// What becomes of positions that lack a king.
    pub on_kingless: OnKingless,
    /// The number of worker threads; with 0 the caller's does the work.
    pub threads: usize,
    /// The number of batches that wait ready, besides one in work on each further thread. With 0 a batch is made when it is asked for.
    pub prefetch: usize,
}

/// The order of the records.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Order {
    /// That of each file. Several files are interleaved: the places of one among those of the others are by the numbers of their records.
    File,
    /// The same, mixed over a window; for files that are read from their start.
    Stream,
    /// Shuffled on the fly, over a window of blocks that are read in a random order.
    Riffle,
    /// A permutation of single records, each read by itself; for uncompressed files of records of one size.
    Uniform,
}

impl Order {
    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Order::File => "file",
            Order::Stream => "stream",
            Order::Riffle => "riffle",
            Order::Uniform => "uniform",
        }
    }

    /// The order with a name.
    pub fn from_name(name: &str) -> Option<Order> {
        [Order::File, Order::Stream, Order::Riffle, Order::Uniform]
            .into_iter()
            .find(|order| order.name() == name)
    }
}

/// This process among all that train together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ranks {
    /// Its number, from 0.
    pub rank: u64,
    /// The number of processes.
    pub world: u64,
    /// The number of streams, over which the ranks may be divided in later runs; 0 is one a rank.
    pub streams: u64,
}

impl Default for Ranks {
    /// One process.
    fn default() -> Ranks {
        Ranks { rank: 0, world: 1, streams: 1 }
    }
}

/// What becomes of bad records.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OnBadRecord {
    /// They are an error.
    #[default]
    Raise,
    /// They are left out and counted.
    Skip,
    /// They are in a batch with weight 0 and no inputs.
    Weight0,
}

/// What becomes of positions that lack a king.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OnKingless {
    /// They are left out and counted.
    #[default]
    Drop,
    /// They are in a batch with weight 0 and no inputs.
    Zero,
}

/// A file to load, or records in memory.
#[derive(Clone, Debug)]
pub struct Source {
    /// Its path; of records in memory a name for messages.
    pub path: PathBuf,
    /// Records in memory, in a format of records of one size: PSV unless another is given.
    pub records: Option<Arc<[u8]>>,
    /// Its format; `None` detects it.
    pub format: Option<FileFormat>,
    /// The encoding of its moves, if it is not its format's own.
    pub moves: Option<MoveEncoding>,
    /// The factor of its scores but mates.
    pub score_scale: Option<f64>,
    /// Its share of the records, among those of the other sources; without weights every record comes once an epoch.
    pub weight: Option<u64>,
    /// The factor of the weights of its records.
    pub entry_weight: f32,
    /// Whether records of games are left out whose move repeats a position; for files of games.
    pub skip_repetition: bool,
}

impl Source {
    /// A file.
    pub fn new(path: impl AsRef<Path>) -> Source {
        Source {
            path: path.as_ref().to_owned(),
            records: None,
            format: None,
            moves: None,
            score_scale: None,
            weight: None,
            entry_weight: 1.0,
            skip_repetition: false,
        }
    }

    /// The same with a share.
    pub fn weight(self, weight: u64) -> Source {
        Source { weight: Some(weight), ..self }
    }
}

impl Plan {
    /// A plan without sources: riffle within a gibibyte, batches of 16,384 records, two threads.
    pub fn new() -> Plan {
        Plan {
            sources: Vec::new(),
            batch: 16_384,
            order: Order::Riffle,
            memory: 1 << 30,
            seed: 0,
            passes: 1,
            lag: 32,
            per_tick: None,
            block: 1 << 16,
            select: Select::default(),
            ranks: Ranks::default(),
            output: Output::none(),
            drop_last: false,
            epoch_records: None,
            on_bad_record: OnBadRecord::Raise,
            on_kingless: OnKingless::Drop,
            threads: 2,
            prefetch: 2,
        }
    }

    /// Opens the files and checks everything. No more is read than samples, and files of games, which are scanned.
    ///
    /// # Errors
    /// Any but [`LoaderError::BadRecord`].
    pub fn start(&self) -> Result<Loader, LoaderError> {
        Loader::start(Prepared::new(self)?, self.threads, self.prefetch)
    }

    /// Passes the records of one epoch after the other, in chunks of a batch, to a function until it returns true. The first `skip`
    /// kept records of the order are left out.
    ///
    /// # Errors
    /// As [`start`](Self::start) and [`Loader::next`]; [`Conflict::Skip`](crate::error::Conflict::Skip) with more than one stream.
    pub fn for_each_chunk(
        &self,
        skip: u64,
        mut each: impl FnMut(&[[u8; 40]]) -> bool,
    ) -> Result<(), LoaderError> {
        let mut loader = self.start()?;
        let mut skipped = loader.skip(skip)?;
        loop {
            let mut is_empty = true;
            while let Some(batch) = loader.next()? {
                is_empty = false;
                if each(&batch.records[std::mem::take(&mut skipped)..]) {
                    return Ok(());
                }
            }
            if is_empty {
                return Ok(());
            }
        }
    }
}

impl Default for Plan {
    fn default() -> Plan {
        Plan::new()
    }
}

//! Jobs on whole files: statistics, faults, a sample. The page passes a file chunk by chunk, shows the progress and may
//! stop after any chunk.

use std::collections::BTreeMap;

use komabako::codec::Backend;
use komabako::messages::{Phrase, from_fn, say};
use komabako::record::order::Reservoir;
use komabako::record::stats::{Figures, Stats};
use komabako::record::{Batch, Block, FileFormat};
use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::record::unknown_format;
use crate::stream::{Stream, Tail};
use crate::validation::{Found, Validation};

#[derive(Deserialize)]
pub struct Start {
    job: Name,
    format: String,
    /// The maximum number of findings that a validation returns.
    #[serde(default)]
    findings: usize,
    /// The size of a sample.
    #[serde(default)]
    records: u64,
    /// The seed of a sample, as digits: JavaScript's numbers cannot represent every seed.
    #[serde(default)]
    seed: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
enum Name {
    Stats,
    Validate,
    Sample,
}

/// The request that passes the next chunk of the file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Push {
    last: bool,
}

#[derive(Serialize)]
pub struct Progress {
    records: u64,
    bad: u64,
}

#[derive(Serialize, Default)]
pub struct Finished {
    records: u64,
    bad: BTreeMap<&'static str, u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stats: Option<Figures>,
    #[serde(skip_serializing_if = "Option::is_none")]
    findings: Option<Vec<Found>>,
    /// The resulting file, which is transferred as raw bytes beside the JSON.
    #[serde(skip)]
    pub file: Vec<u8>,
}

/// A running job.
pub struct Job {
    format: FileFormat,
    stream: Stream,
    /// Whether the last chunk has come.
    has_ended: bool,
    records: u64,
    task: Task,
}

enum Task {
    Stats {
        batch: Box<Batch>,
        stats: Box<Stats>,
        bad: BTreeMap<&'static str, u64>,
    },
    Validate(Box<Validation>),
    /// With the bytes after the last whole record, if there are any.
    Sample(Reservoir, BTreeMap<&'static str, u64>),
}

const SEED: Phrase = Phrase::new("the seed is a whole number, 0 or more", "乱数シードは 0 以上の整数です");

/// The failure of a call that requires a running job.
pub fn no_job() -> Failure {
    Failure::new("NO_JOB", &Phrase::new("no job is running", "処理が始まっていません"))
}

impl Job {
    /// Starts a job.
    ///
    /// # Errors
    /// `FORMAT`: no format has the name. `SEED`: the seed is not a number. `SAMPLE_SIZE`: the records differ in size, and
    /// headers and separators are not handled here.
    pub fn start(request: &Start) -> Result<Self, Failure> {
        let format: FileFormat = request.format.parse().map_err(|_| unknown_format())?;
        let task = match request.job {
            Name::Stats => Task::Stats {
                batch: Box::new(Batch::new(Backend::detect())),
                stats: Box::default(),
                bad: BTreeMap::new(),
            },
            Name::Validate => Task::Validate(Box::new(Validation::new(format, request.findings))),
            Name::Sample if format.record_size().is_none() => {
                let sentence = from_fn(|lang, f| {
                    say!(
                        f,
                        lang,
                        "records of {format} differ in size; `komabako sample` draws them",
                        "{format} はレコードごとに長さが違います。komabako sample なら抽出できます",
                        format
                    )
                });
                return Err(Failure::new("SAMPLE_SIZE", &sentence));
            }
            Name::Sample => {
                let seed = request.seed.parse().map_err(|_| Failure::new("SEED", &SEED))?;
                Task::Sample(Reservoir::new(request.records, seed), BTreeMap::new())
            }
        };
        Ok(Self { format, stream: Stream::new(format), has_ended: false, records: 0, task })
    }

    /// Processes the next chunk of the file.
    pub fn push(&mut self, request: &Push, chunk: &[u8]) -> Progress {
        let Self { format, stream, has_ended, records, task } = self;
        *has_ended |= request.last;
        stream.push(chunk, request.last, |block| {
            *records += block.len() as u64;
            task.push(*format, block);
        });
        Progress { records: self.records, bad: self.task.bad() }
    }

    /// Finishes the job after the last chunk, whether it was said to be that or not.
    pub fn finish(mut self) -> Finished {
        if !self.has_ended {
            self.push(&Push { last: true }, &[]);
        }
        let Self { stream, records, mut task, .. } = self;
        if let Some(tail) = stream.tail() {
            task.note_tail(tail);
        }
        match task {
            Task::Stats { stats, bad, .. } => {
                Finished { records, bad, stats: Some(Figures::new(&stats)), ..Finished::default() }
            }
            Task::Validate(validation) => {
                let (bad, findings) = validation.finish();
                Finished { records, bad, findings: Some(findings), ..Finished::default() }
            }
            Task::Sample(reservoir, bad) => {
                Finished { records, bad, file: reservoir.into_records().concat(), ..Finished::default() }
            }
        }
    }
}

impl Task {
    fn push(&mut self, format: FileFormat, block: &Block) {
        match self {
            Task::Stats { batch, stats, bad } => {
                // Merged block by block, as in the program: see `stream`.
                let mut counted = Stats::default();
                for (_, fault) in counted.add_block(batch, format, block) {
                    *bad.entry(fault.name()).or_default() += 1;
                }
                stats.merge(&counted);
            }
            Task::Validate(validation) => validation.push(block),
            Task::Sample(reservoir, _) => reservoir.push(format, block),
        }
    }

    fn note_tail(&mut self, tail: Tail) {
        match self {
            Task::Stats { bad, .. } | Task::Sample(_, bad) => *bad.entry(tail.name()).or_default() += 1,
            Task::Validate(validation) => validation.note_tail(tail),
        }
    }

    fn bad(&self) -> u64 {
        match self {
            Task::Stats { bad, .. } | Task::Sample(_, bad) => bad.values().sum(),
            Task::Validate(validation) => validation.bad(),
        }
    }
}

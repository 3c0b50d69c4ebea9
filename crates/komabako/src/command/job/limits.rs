//! [`CommonArgs`] and [`LimitArgs`]: the options that many jobs share.

use std::path::PathBuf;

use clap::Args;
use komabako::bits::Backend;
use komabako::dataset::{FileFormat, JobOptions, Limits, MoveReading};

use crate::command::reading::Reading;
use crate::command::size;
use crate::context::{ManifestArgs, ReportArgs};
use crate::message::Wanted;

/// The last options of most jobs.
#[derive(Args, Clone)]
pub struct CommonArgs {
    #[arg(long)]
    salvage: bool,
    #[arg(long, short)]
    pub force: bool,
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub threads: usize,
    #[command(flatten)]
    _manifest: ManifestArgs,
    #[command(flatten)]
    _report: ReportArgs,
}

impl CommonArgs {
    /// The options of the job.
    pub fn job(&self, from: Option<FileFormat>, moves: MoveReading, backend: Backend) -> JobOptions {
        let CommonArgs { salvage, force, threads, .. } = *self;
        JobOptions { from, moves, salvage, threads, backend, force }
    }
}

/// The last options of jobs that can be larger than memory.
#[derive(Args)]
pub struct LimitArgs {
    #[command(flatten)]
    reading: Reading,
    #[arg(long)]
    salvage: bool,
    #[arg(long, short)]
    force: bool,
    #[arg(long, value_name = "DIR")]
    tmp_dir: Vec<PathBuf>,
    #[arg(long, value_name = "SIZE", value_parser = size::parse)]
    max_memory: Option<u64>,
    #[arg(long, value_name = "N", value_parser = parts)]
    parts: Option<usize>,
    #[arg(long, value_name = "N", default_value_t = 0)]
    threads: usize,
    #[command(flatten)]
    _manifest: ManifestArgs,
    #[command(flatten)]
    _report: ReportArgs,
}

impl LimitArgs {
    /// The options of the job.
    pub fn job(&self, from: Option<FileFormat>, backend: Backend) -> JobOptions {
        let LimitArgs { reading, salvage, force, threads, .. } = *self;
        JobOptions { from, moves: reading.into(), salvage, threads, backend, force }
    }
}

/// Reads a number of parts.
fn parts(text: &str) -> Result<usize, Wanted> {
    match text.parse() {
        Ok(parts @ 1..=Limits::MAX_PARTS) => Ok(parts),
        _ => Err(Wanted::one_of(format!("1 … {}", Limits::MAX_PARTS))),
    }
}

impl From<LimitArgs> for Limits {
    fn from(args: LimitArgs) -> Limits {
        Limits { directories: args.tmp_dir, memory: args.max_memory, parts: args.parts }
    }
}

//! [`LimitArgs`]: the options that limit the resources of a job that can be larger than memory.

use std::path::PathBuf;

use clap::Args;
use komabako::dataset::Limits;

use crate::command::size;
use crate::message::Wanted;

#[derive(Args)]
pub struct LimitArgs {
    #[arg(long, value_name = "DIR")]
    tmp_dir: Vec<PathBuf>,
    #[arg(long, value_name = "SIZE", value_parser = size::parse)]
    max_memory: Option<u64>,
    #[arg(long, value_name = "N", value_parser = parts)]
    parts: Option<usize>,
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub threads: usize,
}

/// Reads a number of parts.
fn parts(text: &str) -> Result<usize, Wanted> {
    match text.parse() {
        Ok(parts @ 1..=Limits::MAX_PARTS) => Ok(parts),
        _ => Err(Wanted(format!("1 … {}", Limits::MAX_PARTS))),
    }
}

impl From<LimitArgs> for Limits {
    fn from(args: LimitArgs) -> Limits {
        let LimitArgs { tmp_dir, max_memory, parts, threads: _ } = args;
        Limits { directories: tmp_dir, memory: max_memory, parts }
    }
}

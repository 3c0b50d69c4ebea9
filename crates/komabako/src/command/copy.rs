//! `komabako cat`, `head`, `tail` and `slice`: records that are copied.

use std::io;
use std::ops::Range;
use std::path::PathBuf;

use clap::Args;
use komabako::dataset::convert::Job;
use komabako::dataset::{DatasetError, Selection};

use super::job::{self, has_findings};
use super::transfer::{self, Options};
use crate::context::Context;
use crate::message::{Wanted, shell};
use crate::outcome::{Failure, Outcome};

/// Files of records, one after the other.
#[derive(Args)]
pub struct Cat {
    #[command(flatten)]
    copy: CopyArgs,
}

impl Cat {
    pub fn run(self, context: &Context) -> Result<Outcome, Failure> {
        self.copy.run(Selection::All, context)
    }
}

#[derive(Args)]
pub struct Head {
    #[command(flatten)]
    copy: CopyArgs,
    #[arg(short = 'n', long, value_name = "N", default_value_t = 10)]
    records: u64,
}

impl Head {
    pub fn run(self, context: &Context) -> Result<Outcome, Failure> {
        self.copy.run(Selection::Range(0..self.records), context)
    }
}

#[derive(Args)]
pub struct Tail {
    #[command(flatten)]
    copy: CopyArgs,
    #[arg(short = 'n', long, value_name = "N", default_value_t = 10)]
    records: u64,
}

impl Tail {
    pub fn run(self, context: &Context) -> Result<Outcome, Failure> {
        self.copy.run(Selection::Last(self.records), context)
    }
}

#[derive(Args)]
pub struct Slice {
    #[command(flatten)]
    copy: CopyArgs,
    #[arg(long, value_name = "START..END", value_parser = range)]
    range: Range<u64>,
}

impl Slice {
    pub fn run(self, context: &Context) -> Result<Outcome, Failure> {
        let Slice { copy, range } = self;
        let job = copy.job(Selection::Range(range), context)?;
        let summary = transfer::run_for_summary(job, true, context)?;
        let is_short = summary.beyond > 0;
        if is_short {
            context.warn(&context.lang.beyond_the_end(context.lang.records(summary.beyond)));
        }
        Ok(Outcome::from_findings(is_short || has_findings(&summary.counts)))
    }
}

/// Reads `START..END`, the end not included; either may be left out.
fn range(value: &str) -> Result<Range<u64>, Wanted> {
    let bound = |text: &str, absent: u64| match text {
        "" => Some(absent),
        _ => text.parse().ok(),
    };
    let range = value.split_once("..").and_then(|(start, end)| Some(bound(start, 0)?..bound(end, u64::MAX)?));
    range.filter(|range| range.start <= range.end).ok_or_else(|| Wanted::like("1000..2000, ..2000, 1000.."))
}

/// The inputs, the output (by default standard output) and the options.
#[derive(Args)]
struct CopyArgs {
    #[arg(value_name = "IN", required = true)]
    inputs: Vec<PathBuf>,
    #[arg(short, long, value_name = "OUT", default_value = "-")]
    output: PathBuf,
    #[arg(long)]
    check: bool,
    #[command(flatten)]
    options: Options,
}

impl CopyArgs {
    /// Copies selected records unchanged, or decodes them if `--check` is given.
    ///
    /// If the last of several paths does not exist, it is taken for a misplaced output.
    fn job(self, select: Selection, context: &Context) -> Result<Job<'static>, Failure> {
        let CopyArgs { inputs, output, check, options } = self;
        if let [_, .., last] = &inputs[..]
            && !job::is_dash(last)
            && let Err(cause) = last.metadata()
            && cause.kind() == io::ErrorKind::NotFound
        {
            let lang = context.lang;
            let help = lang.output_is_an_option(&context.command, shell::file(last));
            return Err(Failure::with_help(&DatasetError::Open(last.clone(), cause), help, lang));
        }
        Ok(Job { select, copy: !check, check_moves: check, ..options.job(inputs, output, context) })
    }

    fn run(self, select: Selection, context: &Context) -> Result<Outcome, Failure> {
        transfer::run(self.job(select, context)?, true, context)
    }
}

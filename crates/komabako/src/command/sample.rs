//! `komabako sample IN… OUT`: records drawn at random.

use std::path::PathBuf;

use clap::{ArgGroup, Args};
use komabako::dataset::Selection;
use komabako::dataset::convert::Job;
use komabako::dataset::select::Ratio;

use super::job::has_findings;
use super::transfer::{self, Options};
use crate::context::Context;
use crate::outcome::{Failure, Outcome};

#[derive(Args)]
#[command(group = ArgGroup::new("size").required(true))]
pub struct Sample {
    #[arg(value_name = "IN|OUT", required = true)]
    paths: Vec<PathBuf>,
    #[arg(short = 'n', long, value_name = "N", group = "size")]
    count: Option<u64>,
    #[arg(long, value_name = "P", group = "size")]
    ratio: Option<f64>,
    #[arg(long, value_name = "S", default_value_t = 0, allow_negative_numbers = true)]
    seed: u64,
    #[arg(long)]
    check: bool,
    #[command(flatten)]
    options: Options,
}

impl Sample {
    pub fn run(self, context: &Context) -> Result<Outcome, Failure> {
        let Sample { paths, count, ratio, seed, check, options } = self;
        let select = match ratio {
            None => Selection::Sample { count: count.unwrap_or(0), seed },
            Some(given) => {
                let ratio = Ratio::new(given, seed);
                let refused = || Failure::CouldNotRun(context.lang.no_probability(given));
                Selection::Ratio(ratio.ok_or_else(refused)?)
            }
        };
        let job = Job { select, copy: !check, check_moves: check, ..options.job_to_last(paths, context)? };
        let summary = transfer::run_for_summary(job, true, context)?;
        let missing = count.map_or(0, |count| count.saturating_sub(summary.counts.written));
        if missing > 0 {
            context.warn(&context.lang.smaller_sample(context.lang.records(missing)));
        }
        Ok(Outcome::from_findings(has_findings(&summary.counts)))
    }
}

//! `komabako scores IN… OUT`: scores in another unit.

use std::path::PathBuf;

use clap::{ArgGroup, Args, value_parser};
use komabako::dataset::convert::{Job, Rescale, ScoreChange};

use super::transfer::{self, Options};
use crate::context::Context;
use crate::message::Wanted;
use crate::outcome::{Failure, Outcome};

#[derive(Args)]
#[command(group = ArgGroup::new("change").required(true).multiple(true))]
pub struct Scores {
    #[arg(value_name = "IN|OUT", required = true)]
    paths: Vec<PathBuf>,
    #[arg(long, value_name = "F", group = "change", value_parser = factor, allow_hyphen_values = true)]
    scale: Option<f64>,
    #[arg(long, value_name = "N", group = "change", value_parser = value_parser!(u16).range(1..=i64::from(Rescale::LARGEST)))]
    clamp: Option<u16>,
    #[arg(long, value_name = "N", group = "change", value_parser = value_parser!(u16).range(1..=32_000))]
    mate: Option<u16>,
    #[command(flatten)]
    options: Options,
}

/// Reads a factor. It must be positive and finite, so that a better score stays better.
fn factor(value: &str) -> Result<f64, Wanted> {
    let factor = value.parse().ok().filter(|factor: &f64| factor.is_finite() && *factor > 0.0);
    factor.ok_or_else(|| Wanted::one_of("> 0 (0.8, 1.25)"))
}

impl Scores {
    pub fn run(self, context: &Context) -> Result<Outcome, Failure> {
        let Scores { paths, scale, clamp, mate, options } = self;
        let rescale = Rescale { scale: scale.unwrap_or(1.0), clamp, mate };
        let scores = ScoreChange::Rescale(rescale);
        let job = Job { scores, ..options.job_to_last(paths, context)? };
        transfer::run(job, false, context)
    }
}

//! `komabako shuffle IN… OUT`: records in a random order.

use clap::Args;
use komabako::dataset::{Partition, large};

use super::large::{LargeJobArgs, run};
use crate::context::Context;
use crate::outcome::{Failure, Outcome};

#[derive(Args)]
pub struct Shuffle {
    #[command(flatten)]
    large_job: LargeJobArgs,
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    seed: u64,
    #[arg(long)]
    phased: bool,
    #[arg(long, value_name = "I/N", default_value_t, hide_default_value = true)]
    partition: Partition,
}

impl Shuffle {
    pub fn run(self, context: &Context) -> Result<Outcome, Failure> {
        let Shuffle { large_job, seed, phased, partition } = self;
        run(large_job, None, Some(large::Shuffle { seed, phased }), partition, context)
    }
}

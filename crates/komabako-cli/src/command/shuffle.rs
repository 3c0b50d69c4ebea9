//! `komabako shuffle IN… OUT`: records in a random order.

use clap::Args;
use komabako::dataset::{Partition, large};

use super::external::{External, run};
use crate::context::Context;
use crate::outcome::{Failure, Outcome};

#[derive(Args)]
pub struct Shuffle {
    #[command(flatten)]
    external: External,
    #[arg(long, value_name = "N")]
    seed: u64,
    #[arg(long)]
    phased: bool,
    #[arg(long, value_name = "I/N", default_value_t, hide_default_value = true)]
    partition: Partition,
}

impl Shuffle {
    pub fn run(self, context: &Context) -> Result<Outcome, Failure> {
        let Shuffle { external, seed, phased, partition } = self;
        run(external, None, Some(large::Shuffle { seed, phased }), partition, context)
    }
}

//! `komabako shuffle IN… OUT`: records in a random order.

use clap::Args;
use komabako::dataset::large;

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
}

impl Shuffle {
    pub fn run(self, context: &Context) -> Result<Outcome, Failure> {
        let Shuffle { external, seed, phased } = self;
        run(external, None, Some(large::Shuffle { seed, phased }), context)
    }
}

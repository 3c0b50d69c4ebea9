//! `komabako head IN…`: the first records.

use clap::Args;
use komabako::dataset::Selection;

use super::transfer::CopyArgs;
use crate::context::Context;
use crate::outcome::{Failure, Outcome};

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

//! `komabako cat IN…`: files of records, one after the other.

use clap::Args;
use komabako::dataset::Selection;

use super::transfer::CopyArgs;
use crate::context::Context;
use crate::outcome::{Failure, Outcome};

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

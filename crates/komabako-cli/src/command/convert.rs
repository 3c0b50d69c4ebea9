//! `komabako convert IN… OUT`: files of one format to another.

use std::path::PathBuf;

use clap::Args;

use super::transfer::{Options, Transfer};
use crate::cli::Context;
use crate::outcome::{Failure, Outcome};

#[derive(Args)]
pub struct Convert {
    // One list: clap does not take options between the last of several inputs and an output of its own.
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    options: Options,
}

impl Convert {
    pub fn run(self, context: &Context) -> Result<Outcome, Failure> {
        Transfer::to_last(self.paths, self.options, context.lang)?.run(context)
    }
}

//! `komabako cat IN…`: files of records, one after the other.

use std::path::PathBuf;

use clap::Args;

use super::transfer::{Options, Transfer};
use crate::cli::Context;
use crate::outcome::{Failure, Outcome};

#[derive(Args)]
pub struct Cat {
    #[arg(value_name = "IN", required = true)]
    inputs: Vec<PathBuf>,
    #[arg(short, long, value_name = "OUT", default_value = "-")]
    output: PathBuf,
    #[arg(long)]
    check: bool,
    #[command(flatten)]
    options: Options,
}

impl Cat {
    pub fn run(self, context: &Context) -> Result<Outcome, Failure> {
        let Cat { inputs, output, check, options } = self;
        Transfer { copy: !check, quiet: true, ..Transfer::new(inputs, output, options) }.run(context)
    }
}

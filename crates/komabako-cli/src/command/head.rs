//! `komabako head IN…`: the first records.

use std::path::PathBuf;

use clap::Args;
use komabako::dataset::Selection;

use super::transfer::{Options, Transfer};
use crate::cli::Context;
use crate::outcome::{Failure, Outcome};

#[derive(Args)]
pub struct Head {
    #[arg(value_name = "IN", required = true)]
    inputs: Vec<PathBuf>,
    #[arg(short, long, value_name = "OUT", default_value = "-")]
    output: PathBuf,
    #[arg(short = 'n', long, value_name = "N", default_value_t = 10)]
    records: u64,
    #[arg(long)]
    check: bool,
    #[command(flatten)]
    options: Options,
}

impl Head {
    pub fn run(self, context: &Context) -> Result<Outcome, Failure> {
        let Head { inputs, output, records, check, options } = self;
        let select = Selection::Range(0..records);
        Transfer { select, copy: !check, quiet: true, ..Transfer::new(inputs, output, options) }.run(context)
    }
}

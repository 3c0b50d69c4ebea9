//! `komabako tail IN…`: the last records.

use std::path::PathBuf;

use clap::Args;
use komabako::dataset::Selection;

use super::transfer::{Options, Transfer};
use crate::cli::Context;
use crate::outcome::{Failure, Outcome};

#[derive(Args)]
pub struct Tail {
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

impl Tail {
    pub fn run(self, context: &Context) -> Result<Outcome, Failure> {
        let Tail { inputs, output, records, check, options } = self;
        let select = Selection::Last(records);
        Transfer { select, copy: !check, quiet: true, ..Transfer::new(inputs, output, options) }.run(context)
    }
}

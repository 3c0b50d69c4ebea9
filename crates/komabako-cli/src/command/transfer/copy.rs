//! [`CopyArgs`]: what `cat`, `head`, `tail` and `slice` are told.

use std::path::PathBuf;

use clap::Args;
use komabako::dataset::Selection;

use super::{Options, Transfer};

/// Files to read, a file to write, which is standard output if none is named, and the options.
#[derive(Args)]
pub struct CopyArgs {
    #[arg(value_name = "IN", required = true)]
    inputs: Vec<PathBuf>,
    #[arg(short, long, value_name = "OUT", default_value = "-")]
    output: PathBuf,
    #[arg(long)]
    check: bool,
    #[command(flatten)]
    options: Options,
}

impl CopyArgs {
    /// Some records as they are, or decoded if the user wants them checked.
    pub fn transfer(self, select: Selection) -> Transfer {
        let CopyArgs { inputs, output, check, options } = self;
        Transfer { select, copy: !check, quiet: true, ..Transfer::new(inputs, output, options) }
    }
}

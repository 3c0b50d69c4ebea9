//! [`CopyArgs`]: the arguments of `cat`, `head`, `tail` and `slice`.

use std::io;
use std::path::PathBuf;

use clap::Args;
use komabako::dataset::Selection;

use super::{Options, Transfer};
use crate::command::job;
use crate::context::Context;
use crate::message::Report;
use crate::outcome::Failure;

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
    ///
    /// The last of several paths that does not exist is taken for an output that is in the wrong place.
    pub fn transfer(self, select: Selection, context: &Context) -> Result<Transfer, Failure> {
        let CopyArgs { inputs, output, check, options } = self;
        if let [_, .., last] = &inputs[..]
            && !job::is_dash(last)
            && let Err(cause) = last.metadata()
            && cause.kind() == io::ErrorKind::NotFound
        {
            let lang = context.lang;
            let what = lang.cannot_open(last.display(), lang.io(&cause));
            let report = Report::new(what, lang.output_is_an_option(&context.command, last.display()));
            return Err(Failure::CouldNotRun(report.of_kind("open")));
        }
        let transfer = Transfer::new(inputs, output, options);
        Ok(Transfer { select, copy: !check, quiet: true, ..transfer })
    }
}

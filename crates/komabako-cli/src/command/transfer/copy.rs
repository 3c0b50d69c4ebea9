//! [`CopyArgs`]: the arguments of `cat`, `head`, `tail` and `slice`.

use std::io;
use std::path::PathBuf;

use clap::Args;
use komabako::dataset::Selection;
use komabako::dataset::convert::Job;

use super::Options;
use crate::command::{job, transfer};
use crate::context::Context;
use crate::message::Report;
use crate::outcome::{Failure, Outcome};

/// The inputs, the output (by default standard output) and the options.
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
    /// Copies selected records unchanged, or decodes them if `--check` is given.
    ///
    /// If the last of several paths does not exist, it is taken for a misplaced output.
    pub fn job(self, select: Selection, context: &Context) -> Result<Job<'static>, Failure> {
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
        Ok(Job { select, copy: !check, ..options.job(inputs, output, context) })
    }

    /// Runs it.
    pub fn run(self, select: Selection, context: &Context) -> Result<Outcome, Failure> {
        transfer::run(self.job(select, context)?, true, context)
    }
}

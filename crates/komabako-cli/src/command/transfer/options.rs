//! [`Options`]: the options of every command that copies or converts records.

use clap::Args;
use komabako::bits::Backend;
use komabako::dataset::{FileFormat, JobOptions, OnBadRecord};

use crate::command::reading::Reading;
use crate::command::{file_format, on_bad_record};
use crate::context::ReportArgs;

#[derive(Args, Clone)]
pub struct Options {
    #[arg(long, value_name = "FORMAT", value_parser = file_format::parser())]
    pub from: Option<FileFormat>,
    #[arg(long, value_name = "FORMAT", value_parser = file_format::parser())]
    pub to: Option<FileFormat>,
    // The default is `stop`, except for game records.
    #[arg(long, value_name = "WHAT", value_parser = on_bad_record::parse)]
    pub on_error: Option<OnBadRecord>,
    #[command(flatten)]
    pub reading: Reading,
    #[arg(long)]
    pub salvage: bool,
    #[arg(long, short)]
    pub force: bool,
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub threads: usize,
    #[command(flatten)]
    pub _report: ReportArgs,
}

impl Options {
    /// The options of the job, on the backend of the program.
    pub fn job(&self, backend: Backend) -> JobOptions {
        let Options { from, reading, salvage, force, threads, .. } = *self;
        JobOptions { from, moves: reading.into(), salvage, threads, backend, force }
    }
}

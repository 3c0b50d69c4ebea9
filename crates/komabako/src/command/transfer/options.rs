//! [`Options`]: the options of every command that copies or converts records.

use std::path::PathBuf;

use clap::Args;
use komabako::bits::Backend;
use komabako::dataset::convert::Job;
use komabako::dataset::{FileFormat, JobOptions, OnBadRecord};

use crate::command::job::CommonArgs;
use crate::command::named::file_format;
use crate::command::reading::Reading;
use crate::command::{job, on_bad_record};
use crate::context::Context;
use crate::outcome::Failure;
use crate::standard;

#[derive(Args, Clone)]
pub struct Options {
    #[arg(long, value_name = "FORMAT", value_parser = file_format())]
    pub from: Option<FileFormat>,
    #[arg(long, value_name = "FORMAT", value_parser = file_format())]
    pub to: Option<FileFormat>,
    // The default is `stop`, except for game records.
    #[arg(long, value_name = "WHAT", value_parser = on_bad_record::parse)]
    pub on_error: Option<OnBadRecord>,
    #[command(flatten)]
    pub reading: Reading,
    #[command(flatten)]
    pub common: CommonArgs,
}

impl Options {
    /// The options of any job, on the backend of the program.
    pub fn any_job(&self, backend: Backend) -> JobOptions {
        self.common.job(self.from, self.reading.into(), backend)
    }

    /// The conversion of all records of inputs, decoded and encoded.
    pub fn job(self, inputs: Vec<PathBuf>, output: PathBuf, context: &Context) -> Job<'static> {
        let Context { lang, backend, .. } = *context;
        let inputs = job::inputs(inputs, standard::holds_content(&output), lang);
        Job {
            to: self.to,
            options: self.any_job(backend),
            on_bad_record: self.on_error.unwrap_or_default(),
            ..Job::new(inputs, job::output(output, lang))
        }
    }

    /// The same, with the last of the paths as the output.
    pub fn job_to_last(self, paths: Vec<PathBuf>, context: &Context) -> Result<Job<'static>, Failure> {
        let (inputs, output) = job::inputs_and_output(paths, context.lang)?;
        Ok(self.job(inputs, output, context))
    }
}

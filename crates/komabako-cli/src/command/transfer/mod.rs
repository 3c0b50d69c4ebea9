//! [`Transfer`]: copies or converts records of files into one file, for all commands that do so.

mod copy;
mod each;
mod json;
mod options;
mod view;

use std::path::{Path, PathBuf};

use komabako::dataset::convert::{Job, OnBadRecord, PositionScores, Rescale, Summary};
use komabako::dataset::scores::Column;
use komabako::dataset::{Partition, Selection};

pub use self::copy::CopyArgs;
pub use self::each::ToEach;
pub use self::options::Options;
use self::view::View;
use super::job::{self, Findings, Needs};
use crate::context::Context;
use crate::interrupt;
use crate::message::Lang;
use crate::outcome::{Failure, Outcome};
use crate::progress::Meter;
use crate::route::Route;
use crate::standard;

/// A copy or conversion of records, with its inputs, output and options.
pub struct Transfer {
    /// The inputs.
    pub inputs: Vec<PathBuf>,
    /// The output.
    pub output: PathBuf,
    /// The options.
    pub options: Options,
    /// The selection of the records to write.
    pub select: Selection,
    /// The partition of them to write.
    pub partition: Partition,
    /// Whether records that stay in their format are copied unchanged.
    pub copy: bool,
    /// Scores that replace the records' own.
    pub scores: Option<Column<'static>>,
    /// Scores that replace the scores of records with the same positions.
    pub by_position: Option<PositionScores>,
    /// The change of scores.
    pub rescale: Option<Rescale>,
    /// Whether to print no report if all goes well and the records go to standard output.
    pub quiet: bool,
}

impl Transfer {
    /// All records of inputs, decoded and encoded.
    pub fn new(inputs: Vec<PathBuf>, output: PathBuf, options: Options) -> Self {
        let select = Selection::All;
        Transfer {
            inputs,
            output,
            options,
            select,
            partition: Partition::WHOLE,
            copy: false,
            scores: None,
            by_position: None,
            rescale: None,
            quiet: false,
        }
    }

    /// The same, with the last of the paths as the output.
    pub fn to_last_path(paths: Vec<PathBuf>, options: Options, lang: Lang) -> Result<Self, Failure> {
        let (inputs, output) = job::inputs_and_output(paths, lang)?;
        Ok(Transfer::new(inputs, output, options))
    }

    /// Runs it.
    pub fn run(self, context: &Context) -> Result<Outcome, Failure> {
        let summary = self.summary(context)?;
        Ok(Outcome::from_findings(summary.is_some_and(|summary| Findings::new(&summary.counts).any())))
    }

    /// Runs it and returns the summary that it reported; `None` after `--dry-run`.
    pub fn summary(self, context: &Context) -> Result<Option<Summary>, Failure> {
        interrupt::catch();
        let is_rescaled = self.rescale.is_some();
        let known = self.by_position.as_ref().map(|known| (known.positions(), known.conflicts()));
        let view = View {
            context,
            is_rescaled,
            known,
            quiet: context.report.quiet || self.quiet && context.report.to_stdout,
        };
        let failed = |error| job::failed(&error, context);
        let collected = self.options.on_error.as_ref().and_then(OnBadRecord::collected).map(Path::to_owned);
        let job = self.job(context);
        let output_name = job.output.name();
        let plan = job.plan().map_err(failed)?;
        job::check_terminal(plan.to(), context)?;
        let route = Route::new(plan.inputs(), plan.to(), plan.compression(), output_name);
        if Needs::new(plan.preflight(), route.to_string()).report(context)?.is_some() {
            return Ok(None);
        }
        let summary = plan.run(&mut Meter::new(context)).map_err(failed)?;
        view.write(&route, &summary, collected.as_deref()).map_err(|error| context.stdout_failed(&error))?;
        Ok(Some(summary))
    }

    fn job(self, context: &Context) -> Job<'static> {
        let Context { lang, backend, .. } = *context;
        let Transfer { inputs, output, options, select, partition, copy, scores, .. } = self;
        let Transfer { by_position, rescale, .. } = self;
        let inputs = job::inputs(inputs, standard::holds_content(&output), lang);
        Job {
            to: options.to,
            select,
            partition,
            copy,
            scores,
            by_position,
            rescale,
            options: options.job(backend),
            on_bad_record: options.on_error.unwrap_or_default(),
            ..Job::new(inputs, job::output(output, lang))
        }
    }
}

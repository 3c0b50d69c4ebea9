//! `komabako filter IN… OUT --where EXPR`: the records for which an expression is true, or a mask of them.

use std::path::PathBuf;

use clap::{ArgGroup, Args};
use komabako::dataset::convert::Job;
use komabako::dataset::large::{self, Keep, Unique};
use komabako::dataset::select::expression::Expression;
use komabako::dataset::select::{Filter as RecordFilter, Marking, Mask};
use komabako::dataset::{Limits, Partition, Selection};

use super::job::{self, Needs, add_amount, add_speed};
use super::large::run_job;
use super::size;
use super::transfer::{self, Options};
use crate::context::Context;
use crate::interrupt;
use crate::json::object;
use crate::outcome::{Failure, Outcome};
use crate::standard;
use crate::style;
use crate::table::Table;

#[derive(Args)]
#[command(group = ArgGroup::new("choice").required(true))]
pub struct Filter {
    #[arg(value_name = "IN|OUT", required = true)]
    paths: Vec<PathBuf>,
    #[arg(long = "where", value_name = "EXPR", allow_hyphen_values = true, group = "choice")]
    expression: Option<String>,
    #[arg(long, value_name = "FILE", group = "choice", conflicts_with = "invert")]
    by_mask: Option<PathBuf>,
    #[arg(long, value_name = "FILE", group = "choice", conflicts_with_all = ["invert", "mask", "limit", "partition"])]
    not_in: Vec<PathBuf>,
    #[arg(long)]
    invert: bool,
    #[arg(long, value_name = "FILE", conflicts_with_all = ["by_mask", "limit", "partition", "to"])]
    mask: Option<PathBuf>,
    #[arg(long, value_name = "N", conflicts_with = "partition")]
    limit: Option<u64>,
    #[arg(long, value_name = "I/N", default_value_t, hide_default_value = true, conflicts_with = "repair")]
    partition: Partition,
    #[arg(long, value_name = "DIR", conflicts_with_all = ["expression", "by_mask"])]
    tmp_dir: Vec<PathBuf>,
    #[arg(long, value_name = "SIZE", value_parser = size::parse, conflicts_with_all = ["expression", "by_mask"])]
    max_memory: Option<u64>,
    #[arg(long, conflicts_with_all = ["expression", "by_mask"])]
    resume: bool,
    #[command(flatten)]
    options: Options,
}

impl Filter {
    pub fn run(self, context: &Context) -> Result<Outcome, Failure> {
        if !self.not_in.is_empty() {
            return self.run_without_references(context);
        }
        let Filter { paths, expression, by_mask, invert, mask, limit, partition, options, .. } = self;
        let select = match (expression, by_mask) {
            (Some(text), _) => {
                let expression: Expression = text.parse().map_err(|error| {
                    let report = context.lang.expression_error(&text, &error);
                    Failure::CouldNotRun(report.of_kind("expression"))
                })?;
                let filter = RecordFilter { expression, invert };
                if let Some(mask) = mask {
                    return mark(paths, mask, filter, options, context);
                }
                Selection::Filter(filter)
            }
            (None, mask) => {
                interrupt::catch();
                let mask = job::input(mask.unwrap_or_default(), context.lang);
                Selection::Mask(Mask::read(mask)?)
            }
        };
        let job = options.job_to_last(paths, context)?;
        transfer::run(Job { select, limit, partition, copy: true, ..job }, true, context)
    }

    /// Leaves out the records whose positions the references have.
    fn run_without_references(self, context: &Context) -> Result<Outcome, Failure> {
        let lang = context.lang;
        let Filter { paths, not_in, tmp_dir, max_memory, resume, options, .. } = self;
        let (inputs, output) = job::inputs_and_output(paths, lang)?;
        let inputs = job::inputs(inputs, standard::holds_content(&output), lang);
        let job = large::Job {
            to: options.to,
            options: options.any_job(context.backend),
            unique: Some(Unique { keep: Keep::All, references: not_in, ..Unique::default() }),
            on_bad_record: options.on_error.unwrap_or_default(),
            limits: Limits { directories: tmp_dir, memory: max_memory, ..Limits::default() },
            resume,
            ..large::Job::new(inputs, job::output(output, lang))
        };
        run_job(job, context)
    }
}

/// Writes the mask of the records that a filter keeps.
fn mark(
    inputs: Vec<PathBuf>,
    mask: PathBuf,
    filter: RecordFilter,
    options: Options,
    context: &Context,
) -> Result<Outcome, Failure> {
    let lang = context.lang;
    job::check_terminal(job::is_dash(&mask), lang.binary_to_terminal("mask"), lang.redirect_help())?;
    let inputs = job::inputs(inputs, standard::holds_content(&mask), lang);
    let marking = Marking {
        options: options.any_job(context.backend),
        on_bad_record: options.on_error.unwrap_or_default(),
        ..Marking::new(inputs, job::output(mask, lang), filter)
    };
    let output = marking.output.name();
    let (route, marked) = job::run(context, output, |_| marking.plan(), |_, route| Needs::new(route))?;
    let counts = &marked.counts;
    let mut table = Table::default();
    add_amount(lang.read_label(), counts.read, counts.bytes_read, &mut table, lang);
    table.row(lang.marked_label(), style::NAME, lang.records(counts.written));
    add_speed(counts.read, counts.seconds, &mut table, lang);
    job::report(&route, counts, &[], object! { mask: true }, table, context)
}

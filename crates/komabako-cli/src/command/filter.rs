//! `komabako filter IN… OUT --where EXPR`: the records for which an expression is true.

use std::path::PathBuf;

use clap::Args;
use komabako::dataset::convert::Job;
use komabako::dataset::select::Filter as RecordFilter;
use komabako::dataset::select::expression::Expression;
use komabako::dataset::{Partition, Selection};

use super::transfer::{self, Options};
use crate::context::Context;
use crate::outcome::{Failure, Outcome};

#[derive(Args)]
pub struct Filter {
    #[arg(value_name = "IN|OUT", required = true)]
    paths: Vec<PathBuf>,
    #[arg(long = "where", value_name = "EXPR", allow_hyphen_values = true)]
    expression: String,
    #[arg(long)]
    invert: bool,
    #[arg(long, value_name = "N", conflicts_with = "partition")]
    limit: Option<u64>,
    #[arg(long, value_name = "I/N", default_value_t, hide_default_value = true, conflicts_with = "repair")]
    partition: Partition,
    #[command(flatten)]
    options: Options,
}

impl Filter {
    pub fn run(self, context: &Context) -> Result<Outcome, Failure> {
        let Filter { paths, expression, invert, limit, partition, options } = self;
        let job = options.job_to_last(paths, context)?;
        let expression: Expression = expression.parse().map_err(|error| {
            let report = context.lang.expression_error(&expression, &error);
            Failure::CouldNotRun(report.of_kind("expression"))
        })?;
        let select = Selection::Filter(RecordFilter { expression, invert });
        transfer::run(Job { select, limit, partition, copy: true, ..job }, true, context)
    }
}

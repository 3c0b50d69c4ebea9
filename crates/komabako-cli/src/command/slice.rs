//! `komabako slice IN…`: a range of records.

use std::ops::Range;

use clap::Args;
use komabako::dataset::Selection;

use super::job::Findings;
use super::transfer::{self, CopyArgs};
use crate::context::Context;
use crate::message::Wanted;
use crate::outcome::{Failure, Outcome};

#[derive(Args)]
pub struct Slice {
    #[command(flatten)]
    copy: CopyArgs,
    #[arg(long, value_name = "START..END", value_parser = range)]
    range: Range<u64>,
}

impl Slice {
    pub fn run(self, context: &Context) -> Result<Outcome, Failure> {
        let Slice { copy, range } = self;
        let job = copy.job(Selection::Range(range), context)?;
        let Some(summary) = transfer::run_for_summary(job, true, context)? else {
            return Ok(Outcome::Clean);
        };
        let is_short = summary.beyond > 0;
        if is_short {
            context.warn(&context.lang.beyond_the_end(context.lang.records(summary.beyond)));
        }
        Ok(Outcome::from_findings(is_short || Findings::new(&summary.counts).any()))
    }
}

/// Reads `START..END`, the end not included; either may be left out.
fn range(value: &str) -> Result<Range<u64>, Wanted> {
    let bound = |text: &str, absent: u64| match text {
        "" => Some(absent),
        _ => text.parse().ok(),
    };
    let range = value.split_once("..").and_then(|(start, end)| Some(bound(start, 0)?..bound(end, u64::MAX)?));
    range.filter(|range| range.start <= range.end).ok_or_else(|| Wanted::like("1000..2000, ..2000, 1000.."))
}

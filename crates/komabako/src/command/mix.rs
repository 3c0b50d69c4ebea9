//! `komabako mix IN:WEIGHT… OUT`: records of several files interleaved.

use std::num::NonZeroU32;
use std::path::PathBuf;

use clap::Args;
use komabako::dataset::Counts;
use komabako::dataset::mix::{FirstEnd, Job, Share, Summary};

use super::job::{self, Needs, add_amount, add_speed};
use super::transfer::Options;
use crate::context::Context;
use crate::json::object;
use crate::message::{Lang, grouped};
use crate::outcome::{Failure, Outcome};
use crate::standard;
use crate::style;
use crate::table::Table;

#[derive(Args)]
pub struct Mix {
    #[arg(value_name = "IN[:WEIGHT]|OUT", required = true)]
    paths: Vec<PathBuf>,
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    seed: u64,
    #[arg(long)]
    stop_at_first_end: bool,
    #[command(flatten)]
    options: Options,
}

impl Mix {
    pub fn run(self, context: &Context) -> Result<Outcome, Failure> {
        let Context { lang, backend, .. } = *context;
        let Mix { paths, seed, stop_at_first_end, options } = self;
        let (weighted, output) = job::inputs_and_output(paths, lang)?;
        let weighted: Vec<_> =
            weighted.into_iter().map(|path| weight(path, lang)).collect::<Result<_, _>>()?;
        let (inputs, weights): (Vec<_>, Vec<_>) = weighted.into_iter().unzip();
        let inputs = job::inputs(inputs, standard::holds_content(&output), lang);
        let job_options = options.any_job(backend);
        let on_bad_record = options.on_error.unwrap_or_default();
        let job = Job {
            to: options.to,
            options: job_options,
            first_end: if stop_at_first_end { FirstEnd::Stop } else { FirstEnd::Continue },
            on_bad_record,
            ..Job::new(inputs.into_iter().zip(weights).collect(), job::output(output, lang), seed)
        };
        let output = job.output.name();
        let (route, summary) = job::run(context, output, |_| job.plan(), |_, route| Needs::new(route))?;
        let shares = summary.shares.iter().map(|share| {
            let Share { input, weight, written, ended_at, .. } = share;
            object! { input: input, weight: weight, written: written, ended_at: ended_at }
        });
        let members = object! { shares: shares.collect::<Vec<_>>() };
        job::report(&route, &summary.counts, &summary.losses, members, to_table(&summary, lang), context)
    }
}

/// The path and the weight of `PATH:WEIGHT`; the weight defaults to 1.
fn weight(given: PathBuf, lang: Lang) -> Result<(PathBuf, NonZeroU32), Failure> {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    match given.to_str().and_then(|text| text.rsplit_once(':')) {
        Some((path, number)) if !path.is_empty() && is_number(number) => match number.parse() {
            // A minus sign, see `cli::expand_shorthand`.
            Ok(weight) if path == "−" => Ok(("-".into(), weight)),
            Ok(weight) => Ok((path.into(), weight)),
            Err(_) => Err(Failure::CouldNotRun(lang.no_weight(given.display()))),
        },
        _ => Ok((given, NonZeroU32::MIN)),
    }
}

fn to_table(summary: &Summary, lang: Lang) -> Table {
    let mut table = Table::default();
    let Counts { written, bytes_written, seconds, .. } = summary.counts;
    add_amount(lang.written_label(), written, bytes_written, &mut table, lang);
    let shares = summary.shares.iter().map(|share| {
        let percent = format!("{:.1}", 100.0 * share.written as f64 / written.max(1) as f64);
        match share.ended_at {
            Some(place) if place < written => lang.mixed_share_that_ended(
                &share.input,
                lang.records(share.written),
                percent,
                grouped(place),
            ),
            _ => lang.mixed_share(&share.input, lang.records(share.written), percent),
        }
    });
    table.rows(lang.shares_label(), style::NAME, shares);
    add_speed(written, seconds, &mut table, lang);
    table
}

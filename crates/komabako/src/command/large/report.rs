//! The report of a finished job.

use std::path::Path;

use komabako::dataset::Counts;
use komabako::dataset::large::{Leftover, Summary};

use crate::command::job::{add_amount, add_findings, add_losses, add_speed, has_findings};
use crate::context::Context;
use crate::json::{self, Envelope, object};
use crate::message::{Lang, grouped};
use crate::outcome::{Failure, Outcome};
use crate::route::Route;
use crate::style::{self, Style};
use crate::table::Table;

/// The records that a job leaves out.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Find {
    /// Those that the inputs have more than once, or that references have.
    Duplicates,
    /// Only those that references have.
    InReferences,
}

/// Writes the report. JSON also lists the directories left behind by killed jobs.
pub fn write(
    route: &Route,
    summary: &Summary,
    leftovers: &[Leftover],
    find: Option<Find>,
    context: &Context,
) -> Result<Outcome, Failure> {
    let keeps_inputs = summary.kept_inputs || !summary.changed_inputs.is_empty();
    let found = has_findings(&summary.counts) || summary.bad_references > 0;
    context.show_unless(
        context.is_silent(found || keeps_inputs),
        to_json(route, summary, leftovers, find, context),
        |out| to_table(route, summary, find, context.lang).write_below(route, out),
    )?;
    Ok(Outcome::from_findings(found))
}

fn to_table(route: &Route, summary: &Summary, find: Option<Find>, lang: Lang) -> Table {
    let mut table = Table::default();
    let Counts { read, written, bytes_written, seconds, .. } = summary.counts;
    table.row(lang.read_label(), style::NAME, lang.records(read));
    if let Some(find) = find {
        let percent = format!("{:.2}", summary.duplicates as f64 * 100.0 / read.max(1) as f64);
        let duplicates = lang.share_left_out(grouped(summary.duplicates), percent);
        let label = match find {
            Find::Duplicates => lang.duplicates_label(),
            Find::InReferences => lang.in_references_label(),
        };
        table.row(label, style::NAME, duplicates);
        if summary.other_parts > 0 {
            let others = lang.left_to_other_parts(grouped(summary.other_parts));
            table.row(lang.other_parts_label(), style::NAME, others);
        }
    }
    add_amount(lang.written_label(), written, bytes_written, &mut table, lang);
    // No time is known if an earlier run has done the work.
    if seconds > 0.0 {
        add_speed(read, seconds, &mut table, lang);
    }
    if summary.resumed {
        table.row(lang.resumed_label(), style::NAME, lang.resumed());
    }
    add_losses(&summary.losses, &mut table, lang);
    add_findings(&summary.counts, route.rejects.as_deref(), &mut table, lang);
    if summary.bad_references > 0 {
        let text = lang.bad_references(grouped(summary.bad_references));
        table.row(lang.references_label(), style::ERROR, text);
        for sample in &summary.reference_samples {
            table.row(String::new(), Style::new(), lang.record_error(sample));
        }
    }
    if summary.kept_inputs {
        table.row(lang.kept_inputs_label(), style::WARNING, lang.kept_inputs());
    }
    for path in &summary.changed_inputs {
        table.row(lang.kept_inputs_label(), style::WARNING, lang.changed_input(path.display()));
    }
    table
}

fn to_json(
    route: &Route,
    summary: &Summary,
    leftovers: &[Leftover],
    find: Option<Find>,
    context: &Context,
) -> Envelope {
    let path = |path: &Path| path.display().to_string();
    let leftovers = leftovers.iter().map(|left| object! { path: path(&left.path), bytes: left.bytes });
    let mut members = if find == Some(Find::InReferences) {
        object! { in_references: summary.duplicates }
    } else {
        object! { duplicates: summary.duplicates }
    };
    let others = object! {
        other_parts: summary.other_parts,
        bad_references: summary.bad_references,
        resumed: summary.resumed,
        kept_inputs: summary.kept_inputs,
        changed_inputs: summary.changed_inputs.iter().map(|input| path(input)).collect::<Vec<_>>(),
        leftovers: leftovers.collect::<Vec<_>>(),
    };
    json::append(&mut members, others);
    Envelope {
        // A resumed run has read only a part of the inputs.
        bytes_read: None,
        ..Envelope::of_job(members, route, &summary.counts, &summary.losses, context)
    }
}

//! The findings of a job as rows of its report: bad records and unread ends of inputs, and what its output lacks.

use std::path::Path;

use komabako::dataset::{Counts, Lost};

use crate::message::{Lang, Reason, counted, grouped};
use crate::style::{self, Style};
use crate::table::Table;

/// Whether there are bad records or unread ends.
pub fn has_findings<F>(counts: &Counts<F>) -> bool {
    !counts.bad.is_empty() || !counts.tails.is_empty()
}

/// Adds rows for bad records, which are in the file `rejects` if they were collected, and for unread ends.
pub fn add_findings<F: Reason>(counts: &Counts<F>, rejects: Option<&Path>, table: &mut Table, lang: Lang) {
    let left_out = lang.left_out(grouped(counts.bad_total()), counted(&counts.bad));
    add_findings_as(left_out, counts, rejects, table, lang);
}

/// The same for a column of scores, in which bad records have rows too.
pub fn add_findings_of_column(counts: &Counts, rejects: Option<&Path>, table: &mut Table, lang: Lang) {
    let without_score = lang.without_score(grouped(counts.bad_total()), counted(&counts.bad));
    add_findings_as(without_score, counts, rejects, table, lang);
}

/// The same with a text for the bad records, if there are any.
fn add_findings_as<F: Reason>(
    bad_records: String,
    counts: &Counts<F>,
    rejects: Option<&Path>,
    table: &mut Table,
    lang: Lang,
) {
    let Counts { bad, samples, tails, notes, .. } = counts;
    if !bad.is_empty() {
        table.row(lang.bad_label(), style::ERROR, bad_records);
        if let Some(path) = rejects {
            table.row(String::new(), Style::new(), lang.collected(path.display()));
        }
        let samples = samples.iter().map(|sample| lang.record_error(sample));
        table.rows(lang.first_label(), style::ERROR, samples);
    }
    for tail in tails {
        table.row(lang.tail_label(), style::ERROR, lang.say(tail));
    }
    for note in notes {
        table.row(lang.oddities_label(), style::WARNING, lang.say(note));
    }
}

/// Adds a row for each loss in the records that a job wrote.
pub fn add_losses(losses: &[Lost], table: &mut Table, lang: Lang) {
    table.rows(lang.lost_label(), style::WARNING, losses.iter().map(|lost| lang.lost(lost)));
}

/// Adds a row for an amount of records.
pub fn add_amount(label: String, records: u64, bytes: u64, table: &mut Table, lang: Lang) {
    table.row(label, style::NAME, lang.records_and_bytes(lang.records(records), lang.bytes(bytes)));
}

/// Adds a row for the speed of a job.
pub fn add_speed(records: u64, seconds: f64, table: &mut Table, lang: Lang) {
    let rate = lang.rate(records as f64 / seconds.max(1e-9));
    table.row(lang.speed_label(), style::NAME, lang.in_seconds(rate, format!("{seconds:.3}")));
}

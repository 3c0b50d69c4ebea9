//! [`Findings`]: a job's bad records and unread ends of inputs as rows of its report, and the rows of its losses.

use std::path::Path;

use komabako::dataset::{Counts, Lost, RecordFault};

use crate::message::{Lang, Reason, counted, grouped};
use crate::style::{self, Style};
use crate::table::Table;

/// The findings of a job.
pub struct Findings<'a, F = RecordFault> {
    /// The counts of the job.
    pub counts: &'a Counts<F>,
    /// The file of collected bad records, if any.
    pub collected: Option<&'a Path>,
}

impl<'a, F: Reason> Findings<'a, F> {
    /// The findings of a job that collects no bad records.
    pub fn new(counts: &'a Counts<F>) -> Self {
        Findings { counts, collected: None }
    }

    /// Whether there are bad records or unread ends.
    pub fn any(&self) -> bool {
        !self.counts.bad.is_empty() || !self.counts.tails.is_empty()
    }

    /// Adds the rows.
    pub fn add_to(&self, table: &mut Table, lang: Lang) {
        let Counts { bad, samples, tails, notes, .. } = self.counts;
        if !bad.is_empty() {
            let text = lang.left_out(grouped(self.counts.bad_total()), counted(bad));
            table.row(lang.bad_label(), style::ERROR, text);
            if let Some(path) = self.collected {
                table.row(String::new(), Style::new(), lang.collected(path.display()));
            }
            let mut label = lang.first_label();
            for sample in samples {
                table.row(std::mem::take(&mut label), style::ERROR, lang.record_error(sample));
            }
        }
        for tail in tails {
            table.row(lang.tail_label(), style::ERROR, lang.say(tail));
        }
        for note in notes {
            table.row(lang.oddities_label(), style::WARNING, lang.say(note));
        }
    }
}

/// Adds a row for each loss in the records that a job wrote.
pub fn add_losses(losses: &[Lost], table: &mut Table, lang: Lang) {
    let mut label = lang.lost_label();
    for lost in losses {
        table.row(std::mem::take(&mut label), style::WARNING, lang.lost(lost));
    }
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

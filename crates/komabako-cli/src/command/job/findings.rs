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
        let Counts { bad, samples, tails, .. } = self.counts;
        let mut row = |label: String, style: Style, text: String| {
            table.push_row([(label, style), (text, Style::new())]);
        };
        if !bad.is_empty() {
            let text = lang.left_out(grouped(self.counts.bad_total()), counted(bad));
            row(lang.bad_label(), style::ERROR, text);
            if let Some(path) = self.collected {
                row(String::new(), Style::new(), lang.collected(path.display()));
            }
            let mut label = lang.first_label();
            for sample in samples {
                row(std::mem::take(&mut label), style::ERROR, lang.record_error(sample));
            }
        }
        for tail in tails {
            row(lang.tail_label(), style::ERROR, lang.tail(tail));
        }
    }
}

/// Adds a row for each loss in the records that a job wrote.
pub fn add_losses(losses: &[Lost], table: &mut Table, lang: Lang) {
    let mut label = lang.lost_label();
    for lost in losses {
        table.push_row([(std::mem::take(&mut label), style::WARNING), (lang.lost(lost), Style::new())]);
    }
}

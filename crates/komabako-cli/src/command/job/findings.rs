//! [`Findings`]: the bad records of a job and the ends of inputs that were not read, as rows of its report, and the rows of what
//! it lost.

use std::path::Path;

use anstyle::Style;
use komabako::dataset::{Counts, Lost, RecordFault};

use crate::message::{Lang, Reason, counted, grouped};
use crate::style;
use crate::table::Table;

/// What a job found to complain of.
pub struct Findings<'a, F = RecordFault> {
    /// What the job counted.
    pub counts: &'a Counts<F>,
    /// Where bad records were kept, if they were.
    pub collected: Option<&'a Path>,
}

impl<'a, F: Reason> Findings<'a, F> {
    /// Those of a job that kept no bad records.
    pub fn new(counts: &'a Counts<F>) -> Self {
        Findings { counts, collected: None }
    }

    /// Whether there is damage: bad records or ends that were not read.
    pub fn any(&self) -> bool {
        !self.counts.bad.is_empty() || !self.counts.tails.is_empty()
    }

    /// Adds the rows.
    pub fn add_to(&self, table: &mut Table, lang: Lang) {
        let Counts { bad, samples, tails, .. } = self.counts;
        let mut row = |label: String, style: Style, text: String| {
            table.styled([(label, style), (text, Style::new())]);
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

/// Adds a row for each thing that a job lost of the records that it wrote.
pub fn add_losses(losses: &[Lost], table: &mut Table, lang: Lang) {
    let mut label = lang.lost_label();
    for lost in losses {
        table.styled([(std::mem::take(&mut label), style::WARNING), (lang.lost(lost), Style::new())]);
    }
}

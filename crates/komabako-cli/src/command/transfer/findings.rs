//! [`Findings`]: the bad records of a job and the ends of inputs that were not read, as rows of its report.

use std::collections::BTreeMap;
use std::path::Path;

use anstyle::Style;
use komabako::dataset::convert::Summary;
use komabako::dataset::error::{RecordError, Tail};

use crate::message::{Lang, counted, grouped};
use crate::style;
use crate::table::Table;

/// What a job found to complain of.
pub struct Findings<'a> {
    /// Bad records by the name of the fault.
    pub bad: &'a BTreeMap<&'static str, u64>,
    /// The first of them.
    pub samples: &'a [RecordError],
    /// Ends of inputs that were not read.
    pub tails: &'a [Tail],
    /// Where bad records were kept, if they were.
    pub collected: Option<&'a Path>,
}

impl<'a> Findings<'a> {
    /// Those of a conversion.
    pub fn of(summary: &'a Summary, collected: Option<&'a Path>) -> Self {
        let Summary { bad, samples, tails, .. } = summary;
        Findings { bad, samples, tails, collected }
    }

    /// Whether there are any.
    pub fn any(&self) -> bool {
        !self.bad.is_empty() || !self.tails.is_empty()
    }

    /// Adds the rows.
    pub fn add_to(&self, table: &mut Table, lang: Lang) {
        let mut row = |label: String, style: Style, text: String| {
            table.styled([(label, style), (text, Style::new())]);
        };
        if !self.bad.is_empty() {
            let text = lang.left_out(grouped(self.bad.values().sum()), counted(self.bad));
            row(lang.bad_label(), style::ERROR, text);
            if let Some(path) = self.collected {
                row(String::new(), Style::new(), lang.collected(path.display()));
            }
            let mut label = lang.first_label();
            for sample in self.samples {
                row(std::mem::take(&mut label), style::ERROR, lang.record_error(sample));
            }
        }
        for tail in self.tails {
            row(lang.tail_label(), style::ERROR, lang.tail(tail));
        }
    }
}

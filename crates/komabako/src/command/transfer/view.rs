//! [`View`]: the report of a copy or conversion.

use std::io::{self, Write};
use std::path::Path;

use komabako::dataset::convert::{Rescaled, Summary};

use super::json;
use crate::command::game_choice::add_left_out;
use crate::command::job::{Findings, add_amount, add_losses, add_speed};
use crate::context::Context;
use crate::message::grouped;
use crate::outcome::Failure;
use crate::route::Route;
use crate::style::{self, Style};
use crate::table::Table;

/// The settings of a conversion's report.
pub struct View<'a> {
    pub context: &'a Context,
    /// Whether scores were to be changed.
    pub is_rescaled: bool,
    /// For scores by position, the number of positions and of conflicting records among them.
    pub known: Option<(u64, u64)>,
    /// Whether to print nothing if all went well.
    pub quiet: bool,
}

impl View<'_> {
    /// Writes the report of one conversion.
    pub fn write(&self, route: &Route, summary: &Summary, collected: Option<&Path>) -> Result<(), Failure> {
        self.context.show_unless(
            self.is_silent(summary) && !self.context.report.json,
            || json::summary(route, summary, self, self.context),
            |out| self.write_text(route, summary, collected, out),
        )
    }

    /// Prints the report of one of several conversions.
    pub fn print(&self, route: &Route, summary: &Summary) -> io::Result<()> {
        if self.is_silent(summary) {
            return Ok(());
        }
        let mut out = self.context.report_out();
        self.write_text(route, summary, None, &mut out)?;
        out.flush()
    }

    fn is_silent(&self, summary: &Summary) -> bool {
        self.quiet && !Findings::new(&summary.counts).any()
    }

    fn write_text(
        &self,
        route: &Route,
        summary: &Summary,
        collected: Option<&Path>,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        self.table(summary, collected).write_below(route, out)
    }

    fn table(&self, summary: &Summary, collected: Option<&Path>) -> Table {
        let lang = self.context.lang;
        let mut table = Table::default();
        let counts = &summary.counts;
        add_amount(lang.read_label(), counts.read, counts.bytes_read, &mut table, lang);
        add_amount(lang.written_label(), counts.written, counts.bytes_written, &mut table, lang);
        if summary.games > 0 {
            table.row(lang.games_label(), style::NAME, grouped(summary.games));
        }
        add_left_out(&summary.left_out, &mut table, lang);
        if let Some((_, conflicts)) = self.known {
            let matched = lang.matched(grouped(summary.matched), grouped(counts.read));
            table.row(lang.rescaled_label(), style::NAME, matched);
            if conflicts > 0 {
                table.row(String::new(), Style::new(), lang.conflicts(grouped(conflicts)));
            }
        }
        if self.is_rescaled {
            let Rescaled { changed, clamped, mates, .. } = summary.rescaled;
            let rescaled = lang.rescaled(grouped(changed), grouped(clamped), grouped(mates));
            table.row(lang.rescaled_label(), style::NAME, rescaled);
        }
        add_speed(counts.read, counts.seconds, &mut table, lang);
        add_losses(&summary.losses, &mut table, lang);
        Findings { counts: &summary.counts, collected }.add_to(&mut table, lang);
        table
    }
}

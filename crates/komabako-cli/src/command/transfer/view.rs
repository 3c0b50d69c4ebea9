//! [`View`]: the report of a copy or conversion.

use std::io::{self, Write};
use std::path::Path;

use komabako::dataset::convert::{Rescaled, Summary};

use super::json;
use crate::command::game_choice::add_left_out;
use crate::command::job::{Findings, add_amount, add_losses, add_speed};
use crate::context::Context;
use crate::message::grouped;
use crate::route::Route;
use crate::style::{self, Style, painted};
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
    pub fn write(&self, route: &Route, summary: &Summary, collected: Option<&Path>) -> io::Result<()> {
        let context = self.context;
        if self.quiet && !context.report.json && !Findings::new(&summary.counts).any() {
            return Ok(());
        }
        let mut out = context.report_out();
        if context.report.json {
            return json::summary(route, summary, self, context).write(&mut out);
        }
        writeln!(out, "{}", painted(&route.to_string(), style::HEADING))?;
        self.table(summary, collected).write(&mut out, "  ")?;
        out.flush()
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

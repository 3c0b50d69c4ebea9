//! [`View`]: the parts of the report of a copy or conversion.

use komabako::dataset::convert::{Rescaled, ScoreChange, Summary};
use komabako::dataset::scores::Column;

use crate::command::game_choice::add_left_out;
use crate::command::job::{add_amount, add_findings, add_losses, add_speed};
use crate::json::{Value, object};
use crate::message::{Lang, grouped};
use crate::route::Route;
use crate::style::{self, Style};
use crate::table::Table;

/// What a report says beside the counts of records.
#[derive(Default)]
pub struct View {
    /// Whether scores were to be changed.
    is_rescaled: bool,
    /// Whether a column was to be merged.
    is_merged: bool,
    /// For scores by position, the number of positions and of conflicting records among them.
    known: Option<(u64, u64)>,
}

impl View {
    /// The view of a job with this change of scores.
    pub fn new(scores: &ScoreChange<Column>) -> Self {
        View {
            is_rescaled: matches!(scores, ScoreChange::Rescale(_)),
            is_merged: matches!(scores, ScoreChange::Column(_)),
            known: match scores {
                ScoreChange::ByPosition(known) => Some((known.positions(), known.conflicts())),
                _ => None,
            },
        }
    }

    pub fn members(&self, summary: &Summary) -> Value {
        let Rescaled { changed, clamped, mates, .. } = summary.rescaled;
        let matched = self.known.map(|(positions, conflicts)| {
            object! { records: summary.matched, positions: positions, conflicts: conflicts }
        });
        let rescaled = object! { total: changed, clamped: clamped, mates: mates };
        object! {
            beyond: summary.beyond,
            games: summary.games,
            games_left_out: summary.left_out,
            matched[optional]: matched,
            rescaled[optional]: self.is_rescaled.then_some(rescaled),
            clamped[optional]: self.is_merged.then_some(clamped),
        }
    }

    /// The report as a table.
    pub fn table(&self, route: &Route, summary: &Summary, lang: Lang) -> Table {
        let mut table = Table::default();
        let counts = &summary.counts;
        add_amount(lang.read_label(), counts.read, counts.bytes_read, &mut table, lang);
        add_amount(lang.written_label(), counts.written, counts.bytes_written, &mut table, lang);
        table.count(lang.games_label(), style::NAME, summary.games);
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
        if self.is_merged {
            let clamped = summary.rescaled.clamped;
            table.note(clamped, lang.rescaled_label(), lang.clamped(lang.scores(clamped)));
        }
        add_speed(counts.read, counts.seconds, &mut table, lang);
        add_losses(&summary.losses, &mut table, lang);
        add_findings(counts, route.rejects.as_deref(), &mut table, lang);
        table
    }
}

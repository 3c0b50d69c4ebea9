//! [`GameChoiceArgs`]: the options that choose games, of all commands that read games.

use clap::Args;
use komabako::dataset::select::games::{GameChoice, GameExpression, LeftOutCounts};

use crate::message::Lang;
use crate::outcome::Failure;
use crate::style;
use crate::table::Table;

#[derive(Args, Clone)]
pub struct GameChoiceArgs {
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true)]
    games: Option<String>,
    #[arg(long)]
    unique_games: bool,
}

impl GameChoiceArgs {
    pub fn choice(&self, lang: Lang) -> Result<GameChoice, Failure> {
        let parse = |text: &String| {
            text.parse::<GameExpression>().map_err(|error| {
                let report = lang.game_expression_error(text, &error);
                Failure::CouldNotRun(report.of_kind("expression"))
            })
        };
        let games = self.games.as_ref().map(parse).transpose()?;
        Ok(GameChoice { games, unique: self.unique_games })
    }
}

/// Adds a row for each reason for which games were left out.
pub fn add_left_out(counts: &LeftOutCounts, table: &mut Table, lang: Lang) {
    let LeftOutCounts { not_chosen, unknown, duplicates } = *counts;
    table.count(lang.games_not_chosen_label(), style::NAME, not_chosen);
    table.count(lang.games_unknown_label(), style::NAME, unknown);
    table.count(lang.games_duplicate_label(), style::NAME, duplicates);
}

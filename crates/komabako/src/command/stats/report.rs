//! [`Report`]: the figures of `stats`, for `--json`, text and HTML, with their inputs.

use std::path::Path;

pub use komabako::dataset::stats::figures::{Bin, ByColor, Figures, Kind, King, Mover};
pub use komabako::dataset::stats::{GameFigures, NumberFigures, TextFigures};
use komabako::dataset::stats::{MissingParts, Saved, SavedInput, Summary};
use komabako::dataset::{Compression, Name, Partition};

use super::games::GameRun;
use crate::context::Context;
use crate::json::{self, Envelope, object};
use crate::message::Lang;

/// The figures of all inputs together.
pub struct Report<'a> {
    pub summary: &'a Summary,
    pub inputs: Vec<SavedInput>,
    /// Only for merged inputs: a user who counts one part knows that others exist.
    pub missing_parts: Vec<MissingParts>,
    pub figures: Figures,
    /// The figures of games, if there are any.
    pub games: Option<GameFigures>,
    /// What else was found in game records.
    pub game_run: Option<GameRun>,
}

impl<'a> Report<'a> {
    /// The report of the counted records or games, and of the missing parts of merged inputs.
    pub fn new(saved: &'a Saved, missing_parts: Vec<MissingParts>, game_run: Option<GameRun>) -> Self {
        let inputs = match &game_run {
            Some(run) => run.inputs.iter().map(|path| of_games(path)).collect(),
            None => saved.inputs(),
        };
        let games = saved.summary.games.figures();
        let has_games = game_run.is_some() || games.games > 0;
        let figures = Figures::new(&saved.summary.stats);
        Report {
            summary: &saved.summary,
            inputs,
            missing_parts,
            figures,
            games: has_games.then_some(games),
            game_run,
        }
    }
}

/// A file of games as an input.
fn of_games(path: &Path) -> SavedInput {
    let name = Name::from(path).to_string();
    SavedInput { name, format: None, compression: Compression::None.name().into(), content: None }
}

/// The name of an input in a report: its path, or that of standard input in words.
pub fn shown_name(input: &SavedInput, lang: Lang) -> String {
    if input.name == "-" { lang.stdin() } else { input.name.clone() }
}

/// The report of `--json`.
pub fn to_json(report: &Report<'_>, context: &Context) -> Envelope {
    let lang = context.lang;
    let summary = report.summary;
    let inputs = report
        .inputs
        .iter()
        .map(|input| json::file(&input.name, input.format.as_deref(), Some(&input.compression)));
    let missing = report.missing_parts.iter().map(|missing| {
        object! {
            names: missing.inputs.iter().map(|input| &*input.name).collect::<Vec<_>>(),
            partitions: missing.partitions.iter().map(Partition::to_string).collect::<Vec<_>>(),
        }
    });
    let mut members =
        object! { merged_tails: summary.merged_tails, missing_parts: missing.collect::<Vec<_>>() };
    json::append(&mut members, json::value(&report.figures));
    members["game_fields"] = json::value(&report.games);
    if let Some(run) = &report.game_run {
        json::append(
            &mut members,
            object! {
                game_files: run.files,
                games_left_out: run.left_out,
                bad_games: json::bad_games(&run.bad.samples, lang),
            },
        );
    }
    let mut envelope = Envelope {
        inputs: inputs.collect(),
        written: None,
        bytes_written: None,
        ..Envelope::with(members, context).with_counts(&summary.counts, lang)
    };
    if let Some(run) = &report.game_run {
        envelope.bad_total = run.bad.total();
        envelope.bad = json::value(&run.bad.counts);
    }
    envelope
}

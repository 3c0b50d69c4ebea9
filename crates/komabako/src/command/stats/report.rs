//! [`Report`]: the figures of `stats`, for `--json`, text and HTML, with their inputs.

use std::path::PathBuf;

pub use komabako::dataset::stats::figures::{Bin, ByColor, Figures, Kind, King, Mover};
pub use komabako::dataset::stats::{GameFigures, NumberFigures, TextFigures};
use komabako::dataset::stats::{MissingParts, Saved, SavedInput, Summary};
use komabako::dataset::{Compression, FileFormat, Name, Partition};
use serde::Serialize;

use super::games::GameRun;
use crate::context::Context;
use crate::json::{self, Envelope, File as JsonFile, object};
use crate::message::Lang;

/// The figures of all inputs together.
pub struct Report {
    pub inputs: Vec<Source>,
    /// Only for merged inputs: a user who counts one part knows that others exist.
    pub missing_parts: Vec<MissingParts>,
    pub figures: Figures,
    /// The figures of games, if there are any.
    pub games: Option<GameFigures>,
    /// What else was found in game records.
    pub game_run: Option<GameRun>,
}

pub struct Source {
    pub name: Name,
    pub format: Option<&'static str>,
    pub compression: &'static str,
}

impl Report {
    /// The report of the counted records or games, and of the missing parts of merged inputs.
    pub fn new(
        saved: &Saved,
        missing_parts: Vec<MissingParts>,
        game_run: Option<GameRun>,
        lang: Lang,
    ) -> Self {
        let inputs = match &game_run {
            Some(run) => run.inputs.iter().map(Source::of_games).collect(),
            None => saved.inputs().into_iter().map(|input| Source::new(input, lang)).collect(),
        };
        let games = saved.summary.games.figures();
        let has_games = game_run.is_some() || games.games > 0;
        let figures = Figures::new(&saved.summary.stats);
        Report { inputs, missing_parts, figures, games: has_games.then_some(games), game_run }
    }
}

impl Source {
    fn of_games(path: &PathBuf) -> Source {
        Source { name: path.into(), format: None, compression: Compression::None.name() }
    }

    fn new(input: SavedInput, lang: Lang) -> Source {
        // A later version may know more formats: those have no name here.
        let format = |name| FileFormat::ALL.iter().map(|format| format.name()).find(|&known| known == name);
        let compression =
            |name| Compression::ALL.iter().map(|compression| compression.name()).find(|&known| known == name);
        Source {
            format: input.format.as_deref().and_then(format),
            compression: compression(&*input.compression).unwrap_or_default(),
            // A stream has no name of its own.
            name: if input.name == "-" { Name::Stream(lang.stdin().into()) } else { input.name.into() },
        }
    }
}

/// The report of `--json`.
pub fn to_json<'a>(
    report: &'a Report,
    summary: &'a Summary,
    context: &'a Context,
) -> Envelope<'a, impl Serialize> {
    let lang = context.lang;
    let inputs = report.inputs.iter().map(|input| JsonFile {
        name: input.name.plain(),
        format: input.format,
        compression: Some(input.compression),
    });
    let missing = report.missing_parts.iter().map(|missing| {
        object! {
            names: missing.inputs.iter().map(|input| &*input.name).collect::<Vec<_>>(),
            partitions: missing.partitions.iter().map(Partition::to_string).collect::<Vec<_>>(),
        }
    });
    let game_run = report.game_run.as_ref().map(|run| {
        object! {
            game_files: run.files,
            games_left_out: run.left_out,
            bad_games: json::bad_games(&run.bad.samples, lang),
        }
    });
    let members = object! {
        merged_tails: summary.merged_tails,
        missing_parts: missing.collect::<Vec<_>>(),
        #[serde(flatten)]
        figures: &report.figures,
        game_fields: &report.games,
        #[serde(flatten)]
        game_run: game_run,
    };
    let mut envelope = Envelope {
        inputs: inputs.collect(),
        written: None,
        bytes_written: None,
        ..Envelope::with(members, context).with_counts(&summary.counts, lang)
    };
    if let Some(run) = &report.game_run {
        envelope.bad_total = run.bad.total();
        envelope.bad = run.bad.counts.clone();
    }
    envelope
}

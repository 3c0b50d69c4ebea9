//! Game records to records of positions.

use std::path::PathBuf;

use clap::Args;
use komabako::dataset::kifu::{
    Job, MissingScore, PositionOptions, ScoreSource, ScoreView, Sources, Summary, Unfinished,
};
use komabako::dataset::select::games::GameChoice;
use komabako::dataset::{Compression, FileFormat, Name, Output, format_of};

use crate::command::game_choice::add_left_out;
use crate::command::job::{self, add_amount, add_speed};
use crate::command::kifu::show_files;
use crate::command::named::named;
use crate::command::on_bad_record;
use crate::command::transfer::Options;
use crate::context::Context;
use crate::interrupt;
use crate::json::{self, Envelope, object};
use crate::message::{Lang, Report, Wanted, grouped};
use crate::outcome::{Failure, Outcome};
use crate::progress::Meter;
use crate::style;
use crate::table::Table;

#[derive(Args)]
pub struct GameOptions {
    #[arg(long)]
    pub recursive: bool,
    #[arg(long, value_name = "WHOSE", default_value = "mover", value_parser = named([
        ("mover", ScoreSource::Mover),
        ("after", ScoreSource::After),
        ("none", ScoreSource::None),
    ]))]
    score: ScoreSource,
    #[arg(long, value_name = "skip|N", default_value = "skip", value_parser = missing_score, allow_hyphen_values = true)]
    missing_score: MissingScore,
    #[arg(long, value_name = "WHAT", default_value = "skip", value_parser = named([
        ("skip", Unfinished::Skip),
        ("draw", Unfinished::Draw),
    ]))]
    unfinished: Unfinished,
    #[arg(long)]
    variations: bool,
    #[arg(long, value_name = "WHOSE", default_value = "black", value_parser = named([
        ("black", ScoreView::Black),
        ("mover", ScoreView::Mover),
    ]))]
    score_view: ScoreView,
}

/// Reads `skip` or a score.
fn missing_score(value: &str) -> Result<MissingScore, Wanted> {
    match (value, value.parse()) {
        ("skip", _) => Ok(MissingScore::Skip),
        (_, Ok(score)) => Ok(MissingScore::Value(score)),
        _ => Err(Wanted::one_of("skip, -32768 … 32767")),
    }
}

pub fn convert(
    inputs: Vec<PathBuf>,
    output: PathBuf,
    compression: Option<Compression>,
    options: Options,
    games: &GameOptions,
    choice: GameChoice,
    context: &Context,
) -> Result<Outcome, Failure> {
    interrupt::catch();
    let lang = context.lang;
    let names: Vec<String> = inputs.iter().map(|path| Name::from(path).to_string()).collect();
    let output_name = Name::from(&output).to_string();
    let heading = format!("{} -> {}", job::names(&inputs, lang), job::name(&output, lang.stdout()));
    let format = options.to.or_else(|| format_of(&output));
    if let Some(format) = format
        && format.holds_games()
        && games.variations
    {
        return Err(Failure::CouldNotRun(lang.kifu_variations_in_games(format)));
    }
    let output_path = output.clone();
    let to = job::output(output, lang);
    if context.report.dry_run {
        let sources = Sources::find(&inputs, games.recursive)?;
        sources.input_files().check_output(&output_path)?;
        to.check(&[], options.common.force)?;
        return show_files(&sources, &heading, context);
    }
    let job = Job {
        recursive: games.recursive,
        to: options.to,
        compression,
        choice,
        positions: games.positions(),
        on_bad_game: on_bad_record::for_games(options.on_error),
        threads: options.common.threads,
        force: options.common.force,
        ..Job::new(inputs, to)
    };
    if let (Output::Stream(..), Some(format)) = (&job.output, job.to) {
        job::check_format(format, context)?;
    }
    let summary = job.run(&mut Meter::new(context))?;
    for (name, what) in &summary.passed_by {
        context.warn(&lang.kifu_passed_by(name, what));
    }
    for game in &summary.samples {
        context.print_error(&Report::plain(lang.say(game)));
    }
    if !summary.has_output {
        context.print_error(&Report::plain(lang.kifu_no_output(&output_name)));
    }
    let output = summary.has_output.then(|| json::named_file(&output_name, format.map(FileFormat::name)));
    let inputs = names.iter().map(|name| json::named_file(name, None)).collect();
    let report = Envelope { inputs, output, ..to_json(&summary, context) };
    let table = to_table(&summary, format, lang);
    let is_bad = summary.bad > 0 || !summary.has_output;
    context.report(is_bad, report, |out| table.write_below(&heading, out))
}

impl GameOptions {
    fn positions(&self) -> PositionOptions {
        let GameOptions { score, missing_score, unfinished, variations, score_view, .. } = *self;
        PositionOptions { score, view: score_view, missing: missing_score, unfinished, variations }
    }
}

fn to_table(summary: &Summary, format: Option<FileFormat>, lang: Lang) -> Table {
    let mut table = Table::default();
    table.row(lang.kifu_files_label(), style::NAME, grouped(summary.files));
    table.row(lang.games_label(), style::NAME, grouped(summary.games));
    add_left_out(&summary.left_out, &mut table, lang);
    table.row(lang.kifu_variations_label(), style::NAME, grouped(summary.variations));
    table.row(lang.rescaled_label(), style::NAME, grouped(summary.scores));
    let endings: Vec<String> = summary
        .endings
        .iter()
        .map(|(name, count)| format!("{} {}", lang.ending(name), grouped(*count)))
        .collect();
    table.row(lang.kifu_endings_label(), style::NAME, lang.comma_separated(&endings));
    add_amount(lang.written_label(), summary.records, summary.bytes_written, &mut table, lang);
    add_speed(summary.records, summary.seconds, &mut table, lang);
    let unscored = lang.positions_left_out(summary.without_score);
    let unscored = if format.is_some_and(FileFormat::holds_games) {
        lang.kifu_unscored_kept(unscored)
    } else {
        lang.kifu_unscored_left_out(unscored)
    };
    table.note(summary.without_score, lang.kifu_without_score_label(), unscored);
    let unfinished = lang.kifu_unfinished_left_out(lang.games(summary.unfinished));
    table.note(summary.unfinished, lang.kifu_unfinished_label(), unfinished);
    let unfinished = lang.kifu_unfinished_left_out(grouped(summary.unfinished_variations));
    table.note(summary.unfinished_variations, lang.kifu_unfinished_variations_label(), unfinished);
    let without_moves = lang.kifu_left_out(lang.games(summary.without_moves));
    table.note(summary.without_moves, lang.kifu_without_moves_label(), without_moves);
    table.count(lang.kifu_clamped_label(), style::WARNING, summary.clamped);
    table.count(lang.kifu_notices_label(), style::WARNING, summary.notices);
    table.note(summary.bad, lang.kifu_bad_label(), lang.kifu_left_out(lang.games(summary.bad)));
    table
}

/// The summary as JSON, without the names of files.
fn to_json(summary: &Summary, context: &Context) -> Envelope {
    let members = object! {
        game_files: summary.files,
        games: summary.games,
        games_left_out: summary.left_out,
        variation_count: summary.variations,
        scored: summary.scores,
        games_written: summary.games_written,
        without_score: summary.without_score,
        unfinished: summary.unfinished,
        unfinished_variations: summary.unfinished_variations,
        without_moves: summary.without_moves,
        clamped: summary.clamped,
        notices: summary.notices,
        endings: summary.endings,
        bad_games: json::bad_games(&summary.samples, context.lang),
    };
    Envelope {
        written: Some(summary.records),
        bytes_read: Some(summary.bytes_read),
        bytes_written: Some(summary.bytes_written),
        bad_total: summary.bad,
        bad: json::value(&summary.faults),
        seconds: Some(summary.seconds),
        ..Envelope::with(members, context)
    }
}

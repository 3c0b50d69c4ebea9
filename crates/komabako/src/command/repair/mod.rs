//! `komabako repair IN… OUT`: rewrites positions and moves that older programs wrote.

mod json;
mod view;

use std::path::PathBuf;

use clap::Args;
use clap::builder::TypedValueParser;
use komabako::board::Color;
use komabako::codec::packed_sfen::PhantomPawns;
use komabako::dataset::move16::MoveEncoding;
use komabako::dataset::repair::{Job, Moves, Sides};
use komabako::dataset::{FileFormat, MoveReading};

use super::job;
use super::job::{CommonArgs, Needs, has_findings};
use super::named::{file_format, named};
use crate::context::Context;
use crate::outcome::{Failure, Outcome};
use crate::route::file;
use crate::standard;

#[derive(Args)]
pub struct Repair {
    // One list: with a separate output argument, clap would not accept options between the last of several inputs and the output.
    #[arg(value_name = "IN|OUT", required = true)]
    paths: Vec<PathBuf>,
    #[arg(long, value_name = "FORMAT", value_parser = file_format())]
    from: Option<FileFormat>,
    #[arg(long, value_name = "ENCODING", default_value = "auto", value_parser = named([
        ("auto", Moves::Auto),
        ("a", Moves::All(MoveEncoding::YaneuraOu)),
        ("b", Moves::All(MoveEncoding::LegacyRshogi)),
        ("c", Moves::All(MoveEncoding::Apery)),
        ("mixed", Moves::Mixed),
    ]))]
    moves: Moves,
    #[arg(long, value_name = "ENCODING", value_parser = named([
        ("a", MoveEncoding::YaneuraOu),
        ("b", MoveEncoding::LegacyRshogi),
        ("c", MoveEncoding::Apery),
    ]))]
    tie_break: Option<MoveEncoding>,
    #[arg(long, value_name = "WHAT", default_value = "auto", value_parser = named([
        ("auto", None),
        ("strip", Some(PhantomPawns::Strip)),
        ("keep", Some(PhantomPawns::Keep)),
        ("error", Some(PhantomPawns::Error)),
    ]))]
    phantom_pawns: Pawns,
    #[arg(long, value_name = "SIDE", num_args = 0..=1, require_equals = true, default_missing_value = "both", value_parser = sides())]
    flip_score: Option<Sides>,
    #[arg(long, value_name = "SIDE", num_args = 0..=1, require_equals = true, default_missing_value = "both", value_parser = sides())]
    flip_result: Option<Sides>,
    #[arg(long, value_name = "FILE", value_parser = file())]
    rejects: Option<PathBuf>,
    #[command(flatten)]
    common: CommonArgs,
}

/// The policy for doubtful pawns; `None` to detect it.
type Pawns = Option<PhantomPawns>;

/// Reads the side to move of the records in which a sign is changed.
fn sides() -> impl TypedValueParser<Value = Sides> {
    named([("both", Sides::Both), ("black", Sides::Only(Color::Black)), ("white", Sides::Only(Color::White))])
}

impl Repair {
    pub fn run(mut self, context: &Context) -> Result<Outcome, Failure> {
        let lang = context.lang;
        let (inputs, output) = job::inputs_and_output(std::mem::take(&mut self.paths), lang)?;
        job::check_terminal(context.report.to_stdout, lang.records_to_terminal(), lang.redirect_help())?;
        let heading = format!("{} -> {}", job::names(&inputs, lang), job::name(&output, lang.stdout()));
        let job = self.job(inputs, output, context);
        let output_name = job.output.name();
        let (route, summary) = job::run(context, output_name, |_| job.plan(), |_, _| Needs::new(heading))?;
        let report = json::summary(&summary, &route, context);
        context.report(has_findings(&summary.counts), report, |out| view::write(&summary, &route, lang, out))
    }

    fn job(self, inputs: Vec<PathBuf>, output: PathBuf, context: &Context) -> Job<'static> {
        let Context { lang, backend, .. } = *context;
        let inputs = job::inputs(inputs, standard::holds_content(&output), lang);
        Job {
            options: self.common.job(self.from, MoveReading::default(), backend),
            moves: self.moves,
            tie_break: self.tie_break,
            phantom_pawns: self.phantom_pawns,
            flip_score: self.flip_score,
            flip_result: self.flip_result,
            rejects: self.rejects,
            ..Job::new(inputs, job::output(output, lang))
        }
    }
}

//! `komabako repair IN… OUT`: rewrites positions and moves that older programs wrote.

mod json;
mod view;

use std::io::{self, IsTerminal};
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use komabako::board::Color;
use komabako::codec::packed_sfen::PhantomPawns;
use komabako::dataset::move16::MoveEncoding;
use komabako::dataset::repair::{Job, Moves, Sides};
use komabako::dataset::{FileFormat, JobOptions};

use super::job::{Findings, Needs};
use super::{file_format, job};
use crate::context::{Context, ReportArgs};
use crate::message::Report;
use crate::outcome::{Failure, Outcome};
use crate::standard;

#[derive(Args)]
pub struct Repair {
    // One list: with a separate output argument, clap would not accept options between the last of several inputs and the output.
    #[arg(value_name = "IN|OUT", required = true)]
    paths: Vec<PathBuf>,
    #[arg(long, value_name = "FORMAT", value_parser = file_format::parser())]
    from: Option<FileFormat>,
    #[arg(long, value_name = "ENCODING", default_value = "auto")]
    moves: Encoding,
    #[arg(long, value_name = "ENCODING")]
    tie_break: Option<TieBreak>,
    #[arg(long, value_name = "WHAT", default_value = "auto")]
    phantom_pawns: Pawns,
    #[arg(long, value_name = "SIDE", num_args = 0..=1, require_equals = true, default_missing_value = "both")]
    flip_score: Option<Side>,
    #[arg(long, value_name = "SIDE", num_args = 0..=1, require_equals = true, default_missing_value = "both")]
    flip_result: Option<Side>,
    #[arg(long, value_name = "FILE")]
    rejects: Option<PathBuf>,
    #[arg(long)]
    salvage: bool,
    #[arg(long, short)]
    force: bool,
    #[arg(long, value_name = "N", default_value_t = 0)]
    threads: usize,
    #[command(flatten)]
    _report: ReportArgs,
}

/// The encoding of the moves.
#[derive(Clone, Copy, ValueEnum)]
enum Encoding {
    Auto,
    A,
    B,
    C,
    Mixed,
}

/// The encoding in which an undecided move is read.
#[derive(Clone, Copy, ValueEnum)]
enum TieBreak {
    A,
    B,
    C,
}

/// The policy for doubtful pawns.
#[derive(Clone, Copy, ValueEnum)]
enum Pawns {
    Auto,
    Strip,
    Keep,
    Error,
}

/// The side to move of the records in which a sign is changed.
#[derive(Clone, Copy, ValueEnum)]
enum Side {
    Both,
    Black,
    White,
}

impl From<Encoding> for Moves {
    fn from(encoding: Encoding) -> Moves {
        match encoding {
            Encoding::Auto => Moves::Auto,
            Encoding::A => Moves::All(MoveEncoding::YaneuraOu),
            Encoding::B => Moves::All(MoveEncoding::LegacyRshogi),
            Encoding::C => Moves::All(MoveEncoding::Apery),
            Encoding::Mixed => Moves::Mixed,
        }
    }
}

impl From<TieBreak> for MoveEncoding {
    fn from(encoding: TieBreak) -> MoveEncoding {
        match encoding {
            TieBreak::A => MoveEncoding::YaneuraOu,
            TieBreak::B => MoveEncoding::LegacyRshogi,
            TieBreak::C => MoveEncoding::Apery,
        }
    }
}

impl Pawns {
    /// The policy; `None` to detect it.
    fn policy(self) -> Option<PhantomPawns> {
        match self {
            Pawns::Auto => None,
            Pawns::Strip => Some(PhantomPawns::Strip),
            Pawns::Keep => Some(PhantomPawns::Keep),
            Pawns::Error => Some(PhantomPawns::Error),
        }
    }
}

impl From<Side> for Sides {
    fn from(side: Side) -> Sides {
        match side {
            Side::Both => Sides::Both,
            Side::Black => Sides::Only(Color::Black),
            Side::White => Sides::Only(Color::White),
        }
    }
}

impl Repair {
    pub fn run(mut self, context: &Context) -> Result<Outcome, Failure> {
        let lang = context.lang;
        let (inputs, output) = job::inputs_and_output(std::mem::take(&mut self.paths), lang)?;
        if context.report.to_stdout && io::stdout().is_terminal() {
            let report = Report::new(lang.records_to_terminal(), lang.redirect_help()).of_kind("terminal");
            return Err(Failure::CouldNotRun(report));
        }
        let heading = format!("{} -> {}", job::names(&inputs), output.display());
        let rejects = self.rejects.clone();
        let job = self.job(inputs, output, context);
        let output_name = job.output.name();
        let summary = job::run(context, |_| job.plan(), |_| Needs::new(heading))?;
        let Some(summary) = summary else { return Ok(Outcome::Clean) };
        context.report(
            Findings::new(&summary.counts).any(),
            || json::summary(&summary, &output_name, context),
            |out| view::write(&summary, &output_name, rejects.as_deref(), lang, out),
        )
    }

    fn job(self, inputs: Vec<PathBuf>, output: PathBuf, context: &Context) -> Job<'static> {
        let Context { lang, backend, .. } = *context;
        let inputs = job::inputs(inputs, standard::holds_content(&output), lang);
        Job {
            options: JobOptions {
                from: self.from,
                salvage: self.salvage,
                threads: self.threads,
                backend,
                force: self.force,
                ..JobOptions::default()
            },
            moves: self.moves.into(),
            tie_break: self.tie_break.map(MoveEncoding::from),
            phantom_pawns: self.phantom_pawns.policy(),
            flip_score: self.flip_score.map(Sides::from),
            flip_result: self.flip_result.map(Sides::from),
            rejects: self.rejects,
            ..Job::new(inputs, job::output(output, lang))
        }
    }
}

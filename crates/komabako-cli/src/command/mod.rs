//! The subcommands, one file each.

mod backends;
mod cat;
mod clean;
mod completions;
mod convert;
mod decode;
mod dedup;
mod diff;
mod encode;
mod filter;
mod formats;
mod game;
mod game_file;
mod game_text;
mod head;
mod info;
mod inspect;
mod job;
mod kifu;
mod large;
mod man;
mod mix;
mod moves;
mod named;
mod on_bad_record;
mod perft;
mod play;
mod random;
mod reading;
mod records;
mod repair;
mod rescale;
mod sample;
mod scores;
mod shuffle;
mod size;
mod slice;
mod solve;
mod split;
mod stats;
mod tail;
mod transfer;
mod validate;

pub use self::named::named;

use clap::Subcommand;

use crate::context::Context;
use crate::outcome::{Failure, Outcome};

/// A subcommand with its arguments.
// Deferred: the arguments of a command are built only if it runs. Building them for all commands took most of the start-up time.
#[derive(Subcommand)]
#[command(defer = true)]
pub enum Command {
    Convert(convert::Convert),
    Kifu(kifu::Kifu),
    Dedup(dedup::Dedup),
    Shuffle(shuffle::Shuffle),
    Mix(mix::Mix),
    Cat(cat::Cat),
    Head(head::Head),
    Tail(tail::Tail),
    Slice(slice::Slice),
    Sample(sample::Sample),
    Filter(filter::Filter),
    Split(split::Split),
    Diff(diff::Diff),
    MergeScores(scores::MergeScores),
    ExtractScores(scores::ExtractScores),
    Scores(rescale::Scores),
    Encode(encode::Encode),
    Decode(decode::Decode),
    Inspect(inspect::Inspect),
    Info(info::Info),
    Validate(validate::Validate),
    Repair(repair::Repair),
    Stats(stats::Stats),
    Moves(moves::Moves),
    Play(play::Play),
    Perft(perft::Perft),
    Solve(solve::Solve),
    Random(random::Random),
    Clean(clean::Clean),
    Formats(formats::Formats),
    Backends(backends::Backends),
    Completions(completions::Completions),
    Man(man::ManPages),
}

impl Command {
    /// Runs the command.
    pub fn run(self, context: &Context) -> Result<Outcome, Failure> {
        match self {
            Command::Convert(command) => command.run(context),
            Command::Kifu(command) => command.run(context),
            Command::Dedup(command) => command.run(context),
            Command::Shuffle(command) => command.run(context),
            Command::Mix(command) => command.run(context),
            Command::Cat(command) => command.run(context),
            Command::Head(command) => command.run(context),
            Command::Tail(command) => command.run(context),
            Command::Slice(command) => command.run(context),
            Command::Sample(command) => command.run(context),
            Command::Filter(command) => command.run(context),
            Command::Split(command) => command.run(context),
            Command::Diff(command) => command.run(context),
            Command::MergeScores(command) => command.run(context),
            Command::ExtractScores(command) => command.run(context),
            Command::Scores(command) => command.run(context),
            Command::Encode(command) => command.run(context),
            Command::Decode(command) => command.run(context),
            Command::Inspect(command) => command.run(context),
            Command::Info(command) => command.run(context),
            Command::Validate(command) => command.run(context),
            Command::Repair(command) => command.run(context),
            Command::Stats(command) => command.run(context),
            Command::Moves(command) => command.run(context),
            Command::Play(command) => command.run(context),
            Command::Perft(command) => command.run(context),
            Command::Solve(command) => command.run(context),
            Command::Random(command) => command.run(context),
            Command::Clean(command) => command.run(context),
            Command::Formats(command) => command.run(context),
            Command::Backends(command) => command.run(context),
            Command::Completions(command) => command.run(context),
            Command::Man(command) => command.run(context),
        }
    }
}

//! The subcommands, one file each.

mod backends;
mod card;
mod certificate;
mod clean;
mod completions;
mod convert;
mod copy;
mod decode;
mod dedup;
mod diagram;
mod diff;
mod encode;
mod filter;
mod formats;
mod game;
mod game_choice;
mod game_file;
mod game_text;
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
mod rescore;
mod sample;
mod scores;
mod shuffle;
mod size;
mod solve;
mod split;
mod stats;
mod transfer;
mod validate;

pub use self::named::named;

use clap::Subcommand;

use crate::context::Context;
use crate::outcome::{Failure, Outcome};

/// The commands, in the order of the help: each with the arguments that also run it.
macro_rules! commands {
    ($($name:ident($module:ident::$arguments:ident)),* $(,)?) => {
        /// A subcommand with its arguments.
        // Deferred: the arguments of a command are built only if it runs. Building them for all commands took most of the start-up time.
        #[derive(Subcommand)]
        #[command(defer = true)]
        pub enum Command {
            $($name($module::$arguments)),*
        }

        impl Command {
            pub fn run(self, context: &Context) -> Result<Outcome, Failure> {
                match self {
                    $(Command::$name(command) => command.run(context)),*
                }
            }
        }
    };
}

commands! {
    Convert(convert::Convert),
    Kifu(kifu::Kifu),
    Dedup(dedup::Dedup),
    Shuffle(shuffle::Shuffle),
    Mix(mix::Mix),
    Cat(copy::Cat),
    Head(copy::Head),
    Tail(copy::Tail),
    Slice(copy::Slice),
    Sample(sample::Sample),
    Filter(filter::Filter),
    Split(split::Split),
    Diff(diff::Diff),
    MergeScores(scores::MergeScores),
    ExtractScores(scores::ExtractScores),
    Scores(rescale::Scores),
    Rescore(rescore::Rescore),
    Encode(encode::Encode),
    Decode(decode::Decode),
    Inspect(inspect::Inspect),
    Info(info::Info),
    Validate(validate::Validate),
    Repair(repair::Repair),
    Stats(stats::Stats),
    Moves(moves::Moves),
    Play(play::Play),
    Diagram(diagram::Diagram),
    Perft(perft::Perft),
    Solve(solve::Solve),
    Certificate(certificate::Certificates),
    Random(random::Random),
    Card(card::Card),
    Clean(clean::Clean),
    Formats(formats::Formats),
    Backends(backends::Backends),
    Completions(completions::Completions),
    Man(man::ManPages),
}

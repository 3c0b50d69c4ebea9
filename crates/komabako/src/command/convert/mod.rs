//! `komabako convert IN… OUT`: files of one format to another, and game records to records of positions.

mod archive;
mod games;

use std::path::PathBuf;

use clap::Args;
use komabako::dataset::convert::Job;
use komabako::dataset::{Compression, Partition, Selection};

use self::archive::ArchiveArgs;
use self::games::GameOptions;
use super::game_choice::GameChoiceArgs;
use super::job;
use super::kifu::are_games;
use super::named::named;
use super::transfer::{self, Options, ToEach};
use crate::context::Context;
use crate::outcome::{Failure, Outcome};

#[derive(Args)]
pub struct Convert {
    // One list: with a separate output argument, clap would not accept options between the last of several inputs and the output.
    #[arg(value_name = "IN|OUT", required = true)]
    paths: Vec<PathBuf>,
    #[arg(long, value_name = "DIR", requires = "to")]
    out_dir: Option<PathBuf>,
    #[arg(long, value_name = "HOW", requires = "out_dir", value_parser = named([
        ("none", Compression::None),
        ("zst", Compression::Zstd),
        ("gz", Compression::Gzip),
        ("xz", Compression::Xz),
        ("kmb", Compression::ARCHIVE),
    ]))]
    compress: Option<Compression>,
    #[arg(
        long,
        value_name = "I/N",
        default_value_t,
        hide_default_value = true,
        conflicts_with_all = ["out_dir", "repair", "recursive"]
    )]
    partition: Partition,
    #[arg(long, conflicts_with_all = ["out_dir", "partition", "force", "recursive"])]
    append: bool,
    #[command(flatten)]
    archive: ArchiveArgs,
    #[command(flatten)]
    options: Options,
    #[command(flatten)]
    choice: GameChoiceArgs,
    #[command(flatten)]
    games: GameOptions,
}

impl Convert {
    pub fn run(self, context: &Context) -> Result<Outcome, Failure> {
        let Convert { paths, out_dir, compress, partition, append, archive, options, choice, games } = self;
        let lang = context.lang;
        let choice = choice.choice(lang)?;
        let select = if choice.takes_all() { Selection::All } else { Selection::Games(choice.clone()) };
        let directory = out_dir.zip(options.to);
        let (inputs, output) = match directory {
            Some(_) => (paths, PathBuf::new()),
            None => job::inputs_and_output(paths, lang)?,
        };
        let are_games = are_games(&inputs, options.from, games.recursive, lang)?;
        match directory {
            // They are joined, since a file of one game is not a useful training set.
            Some(_) if are_games => Err(Failure::CouldNotRun(lang.games_in_one())),
            Some((directory, to)) => {
                let compression = archive.compression(lang)?.or(compress);
                ToEach { inputs, directory, to, compression, select, options }.run(context)
            }
            // The number of their records is unknown before they are read.
            None if are_games && partition != Partition::WHOLE => {
                Err(Failure::CouldNotRun(lang.games_undivided()))
            }
            None if are_games && append => Err(Failure::CouldNotRun(lang.games_not_appended())),
            None if are_games => {
                let compression = archive.compression_of(&output, append, lang)?;
                games::convert(inputs, output, compression, options, &games, choice, context)
            }
            None => {
                let compression = archive.compression_of(&output, append, lang)?;
                let job =
                    Job { select, partition, compression, append, ..options.job(inputs, output, context) };
                transfer::run(job, false, context)
            }
        }
    }
}

//! `komabako convert IN… OUT`: files of one format to another, and game records to records of positions.

mod games;

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use komabako::dataset::{Compression, Partition};

use self::games::GameOptions;
use super::job;
use super::transfer::{Options, ToEach, Transfer};
use crate::context::Context;
use crate::outcome::{Failure, Outcome};

#[derive(Args)]
pub struct Convert {
    // One list: with a separate output argument, clap would not accept options between the last of several inputs and the output.
    #[arg(value_name = "IN|OUT", required = true)]
    paths: Vec<PathBuf>,
    #[arg(long, value_name = "DIR", requires = "to")]
    out_dir: Option<PathBuf>,
    #[arg(long, value_name = "HOW", requires = "out_dir")]
    compress: Option<CompressAs>,
    #[arg(
        long,
        value_name = "I/N",
        default_value_t,
        hide_default_value = true,
        conflicts_with_all = ["out_dir", "repair", "recursive"]
    )]
    partition: Partition,
    #[command(flatten)]
    options: Options,
    #[command(flatten)]
    games: GameOptions,
}

/// The compression of the files of a directory, named by its extension.
#[derive(Clone, Copy, ValueEnum)]
enum CompressAs {
    None,
    Zst,
    Gz,
    Xz,
}

impl From<CompressAs> for Compression {
    fn from(compress: CompressAs) -> Compression {
        match compress {
            CompressAs::None => Compression::None,
            CompressAs::Zst => Compression::Zstd,
            CompressAs::Gz => Compression::Gzip,
            CompressAs::Xz => Compression::Xz,
        }
    }
}

impl Convert {
    pub fn run(self, context: &Context) -> Result<Outcome, Failure> {
        if let (Some(directory), Some(to)) = (self.out_dir, self.options.to) {
            let inputs = self.paths;
            if games::are_games(&inputs, &self.options, self.games.recursive, context.lang)? {
                return Err(games::one_output(context.lang));
            }
            let compression = self.compress.map(Compression::from);
            return ToEach { inputs, directory, to, compression, options: self.options }.run(context);
        }
        let (inputs, output) = job::inputs_and_output(self.paths, context.lang)?;
        if games::are_games(&inputs, &self.options, self.games.recursive, context.lang)? {
            if self.partition != Partition::WHOLE {
                return Err(games::not_divided(context.lang));
            }
            return games::convert(inputs, output, self.options, &self.games, context);
        }
        Transfer { partition: self.partition, ..Transfer::new(inputs, output, self.options) }.run(context)
    }
}

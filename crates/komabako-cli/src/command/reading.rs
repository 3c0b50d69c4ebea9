//! [`Reading`]: the options for reading moves, and for the check of a sample of the inputs.

use clap::{Args, ValueEnum};
use komabako::dataset::MoveReading;
use komabako::dataset::move16::MoveEncoding;

#[derive(Args, Clone, Copy)]
pub struct Reading {
    #[arg(long, value_name = "ENCODING", ignore_case = true)]
    moves: Option<Encoding>,
    #[arg(long, conflicts_with = "moves")]
    repair: bool,
}

/// The encoding of the moves, if the user knows it.
#[derive(Clone, Copy, ValueEnum)]
enum Encoding {
    #[value(name = "A")]
    A,
    #[value(name = "B")]
    B,
    #[value(name = "C")]
    C,
    AsIs,
}

impl From<Reading> for MoveReading {
    fn from(Reading { moves, repair }: Reading) -> MoveReading {
        match moves {
            None if repair => MoveReading::Repaired,
            None => MoveReading::Checked,
            Some(Encoding::AsIs) => MoveReading::AsIs,
            Some(Encoding::A) => MoveReading::In(MoveEncoding::YaneuraOu),
            Some(Encoding::B) => MoveReading::In(MoveEncoding::LegacyRshogi),
            Some(Encoding::C) => MoveReading::In(MoveEncoding::Apery),
        }
    }
}

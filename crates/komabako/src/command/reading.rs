//! [`Reading`]: the options for reading moves, and for the check of a sample of the inputs.

use clap::Args;
use komabako::dataset::MoveReading;
use komabako::dataset::move16::MoveEncoding;

use super::named::named;

#[derive(Args, Clone, Copy)]
pub struct Reading {
    #[arg(long, value_name = "ENCODING", ignore_case = true, value_parser = named([
        ("A", MoveReading::In(MoveEncoding::YaneuraOu)),
        ("B", MoveReading::In(MoveEncoding::LegacyRshogi)),
        ("C", MoveReading::In(MoveEncoding::Apery)),
        ("as-is", MoveReading::AsIs),
    ]))]
    moves: Option<MoveReading>,
    #[arg(long, conflicts_with = "moves")]
    repair: bool,
}

impl From<Reading> for MoveReading {
    fn from(Reading { moves, repair }: Reading) -> MoveReading {
        moves.unwrap_or(if repair { MoveReading::Repaired } else { MoveReading::Checked })
    }
}

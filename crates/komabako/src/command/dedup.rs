//! `komabako dedup IN… OUT`: files without duplicates.

use std::path::PathBuf;

use clap::Args;
use komabako::dataset::Partition;
use komabako::dataset::large::{Keep, Sameness, Shuffle, Unique};

use super::large::{LargeJobArgs, run};
use super::named::named;
use crate::context::Context;
use crate::outcome::{Failure, Outcome};

#[derive(Args)]
pub struct Dedup {
    #[command(flatten)]
    large_job: LargeJobArgs,
    #[arg(long, value_name = "WHAT", default_value = "position", value_parser = named(Sameness::ALL.iter().map(|&by| (by.name(), by))))]
    by: Sameness,
    #[arg(long, value_name = "WHICH", default_value = "first", value_parser = named(Keep::ONE.iter().map(|&keep| (keep.name(), keep))))]
    keep: Keep,
    #[arg(long, value_name = "PREFIX")]
    columns: Option<PathBuf>,
    #[arg(long, value_name = "FILE")]
    reference: Vec<PathBuf>,
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    shuffle_seed: Option<u64>,
    #[arg(long, requires = "shuffle_seed")]
    phased: bool,
    #[arg(long, value_name = "I/N", default_value_t, hide_default_value = true)]
    partition: Partition,
}

impl Dedup {
    pub fn run(self, context: &Context) -> Result<Outcome, Failure> {
        let Dedup { large_job, by, keep, columns, reference, shuffle_seed, phased, partition } = self;
        let unique = Unique { by, keep, references: reference, columns };
        let shuffle = shuffle_seed.map(|seed| Shuffle { seed, phased });
        run(large_job, Some(unique), shuffle, partition, context)
    }
}

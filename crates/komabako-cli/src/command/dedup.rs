//! `komabako dedup IN… OUT`: files without duplicates.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use komabako::dataset::Partition;
use komabako::dataset::large::{Sameness, Shuffle, Unique};

use super::large::{LargeJobArgs, run};
use crate::context::Context;
use crate::outcome::{Failure, Outcome};

#[derive(Args)]
pub struct Dedup {
    #[command(flatten)]
    large_job: LargeJobArgs,
    #[arg(long, value_name = "WHAT", default_value = "position", value_parser = sameness())]
    by: Sameness,
    #[arg(long, value_name = "FILE")]
    reference: Vec<PathBuf>,
    #[arg(long, value_name = "N")]
    shuffle_seed: Option<u64>,
    #[arg(long, requires = "shuffle_seed")]
    phased: bool,
    #[arg(long, value_name = "I/N", default_value_t, hide_default_value = true)]
    partition: Partition,
}

fn sameness() -> impl TypedValueParser<Value = Sameness> {
    PossibleValuesParser::new(Sameness::ALL.iter().map(|sameness| sameness.name())).map(|name| {
        let mut all = Sameness::ALL.iter().copied();
        all.find(|sameness| sameness.name() == name).expect("one of their own names")
    })
}

impl Dedup {
    pub fn run(self, context: &Context) -> Result<Outcome, Failure> {
        let Dedup { large_job, by, reference, shuffle_seed, phased, partition } = self;
        let unique = Unique { by, references: reference };
        let shuffle = shuffle_seed.map(|seed| Shuffle { seed, phased });
        run(large_job, Some(unique), shuffle, partition, context)
    }
}

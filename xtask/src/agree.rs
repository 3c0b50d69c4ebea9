//! `cargo xtask agree`: compares every backend of every format with its reference, on the published vectors, the corpora of
//! the fuzz targets, and a chosen number of random positions and words.

use std::path::Path;

use clap::Args;

use crate::failure::Failure;
use crate::workspace::{MEASURED, cargo, status};

/// The amount to compare.
#[derive(Args)]
pub struct Options {
    /// The number of random positions; 10,000,000 take about half an hour on one processor
    #[arg(long, default_value_t = 1_000_000)]
    positions: u64,
}

/// Runs the agreement test of komabako-testkit and the tests of engines' own boards, compiled like the shipped program: a compiler
/// bug may affect one profile only.
pub fn run(root: &Path, options: &Options) -> Result<(), Failure> {
    let mut cargo = cargo(root, "test --locked -p komabako-testkit -p komabako-codec --profile");
    cargo.arg(MEASURED).args(["--test", "agreement", "--test", "all", "--", "--nocapture"]);
    cargo.env("KOMABAKO_POSITIONS", options.positions.to_string());
    // A panic names the input on which a backend and its reference differ.
    status(&mut cargo)
}

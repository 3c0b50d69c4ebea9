//! `cargo xtask agree`: compares every backend of every format with its reference, on the published vectors, the corpora of
//! the fuzz targets, and a chosen number of random positions and words.

use std::path::Path;
use std::process::Command;

use clap::Args;

use crate::failure::Failure;
use crate::workspace::MEASURED;

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
    let mut cargo = Command::new("cargo");
    cargo.current_dir(root).args(["test", "--profile", MEASURED, "--locked"]);
    cargo.args(["-p", "komabako-testkit", "-p", "komabako-codec"]);
    cargo.args(["--test", "agreement", "--test", "all", "--", "--nocapture"]);
    cargo.env("KOMABAKO_POSITIONS", options.positions.to_string());
    let status = cargo.status().map_err(|error| Failure::program(&cargo, &error.to_string()))?;
    if status.success() {
        return Ok(());
    }
    Err(Failure::Faults(vec![
        "agree: a backend and its reference differ; the panic above names the input".to_owned(),
    ]))
}

//! `cargo xtask agree`: every backend of every format against its reference, on the published vectors, the kept inputs of
//! the fuzz targets, and as many random positions and words as one likes.

use std::path::Path;
use std::process::Command;

use clap::Args;

use crate::failure::Failure;
use crate::workspace::MEASURED;

/// How much to compare.
#[derive(Args)]
pub struct Options {
    /// Random positions; 10,000,000 take about half an hour of one processor
    #[arg(long, default_value_t = 1_000_000)]
    positions: u64,
}

/// Runs the test of komabako-testkit that does it, and the tests of engines' own boards, as what ships is compiled: a compiler may
/// be wrong about one profile alone.
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

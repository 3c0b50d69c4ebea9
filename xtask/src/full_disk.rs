//! `cargo xtask full-disk`: runs the program's test of jobs on a disk that is too small or fills up.

use std::path::Path;

use crate::failure::Failure;
use crate::workspace::{build_dev_programs, cargo, run_one_test};

/// Builds the program that makes the input, and runs the test.
pub fn run(root: &Path) -> Result<(), Failure> {
    build_dev_programs(root)?;
    let mut test = cargo(root, "test --locked -p komabako --test full_disk -- --ignored --nocapture");
    run_one_test(test.env("KOMABAKO_GAMES", root.join("target/debug/games")))
}

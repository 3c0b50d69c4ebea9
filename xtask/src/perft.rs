//! `cargo xtask perft`: checks the whole table of published node counts, and the start position to depth 6.

use std::path::Path;

use crate::failure::Failure;
use crate::workspace::{cargo, run_one_test};

/// Runs the test that is too long for the dev profile.
pub fn run(root: &Path) -> Result<(), Failure> {
    run_one_test(&mut cargo(
        root,
        "test --release --locked -p komabako-rules --test all -- --ignored perft::",
    ))
}

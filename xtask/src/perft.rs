//! `cargo xtask perft`: checks the whole table of published node counts, and the start position to depth 6.

use std::path::Path;
use std::process::Command;

use crate::failure::Failure;
use crate::workspace::run_one_test;

/// Runs the test that is too long for the dev profile.
pub fn run(root: &Path) -> Result<(), Failure> {
    let mut command = Command::new("cargo");
    command.current_dir(root);
    command.args("test --release --locked -p komabako-rules --test all -- --ignored perft::".split(' '));
    run_one_test(&mut command)
}

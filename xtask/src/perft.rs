//! `cargo xtask perft`: the whole table of published node counts, and the start position to depth 6.

use std::path::Path;
use std::process::Command;

use crate::failure::Failure;

/// Runs the test that is too long for the dev profile.
pub fn run(root: &Path) -> Result<(), Failure> {
    let mut command = Command::new("cargo");
    command.current_dir(root);
    command.args("test --release --locked -p komabako-rules --test all -- --ignored perft::".split(' '));
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => {
            Err(Failure::Faults(vec!["a node count differs from the published one; see above".to_owned()]))
        }
        Err(error) => Err(Failure::program(&command, &error.to_string())),
    }
}

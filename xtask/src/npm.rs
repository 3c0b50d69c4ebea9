//! `cargo xtask npm`: other programs (tsshogi and json-kifu-format, from npm) read the game records that we write.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::failure::Failure;
use crate::workspace::run_one_test;

/// Installs the programs below `target` and runs the test of komabako-kifu that calls them. It is skipped if Node is missing or
/// its packages cannot be installed.
pub fn check(root: &Path) -> Result<(), Failure> {
    let place = root.join("target/npm");
    fs::create_dir_all(&place).map_err(Failure::io(&place))?;
    for file in ["package.json", "package-lock.json"] {
        let from = root.join("crates/komabako-kifu/tests/npm").join(file);
        fs::copy(&from, place.join(file)).map_err(Failure::io(&from))?;
    }
    run(&place, &["ci"]).map_err(Failure::skip("npm: skipped"))?;
    let mut cargo = Command::new("cargo");
    cargo.current_dir(root).args(["test", "--locked", "-p", "komabako-kifu", "--test", "all", "npm::"]);
    cargo.env("KOMABAKO_NODE_MODULES", place.join("node_modules"));
    run_one_test(&mut cargo)
}

/// Runs npm in a directory. The error says why it cannot.
pub fn run(place: &Path, arguments: &[&str]) -> Result<(), String> {
    let mut npm = Command::new("npm");
    npm.current_dir(place).args(arguments).args(["--ignore-scripts", "--no-audit", "--no-fund"]);
    let output = npm.output().map_err(|_| "npm not found".to_owned())?;
    if output.status.success() {
        return Ok(());
    }
    let error = String::from_utf8_lossy(&output.stderr);
    Err(format!("npm cannot install the packages: {}", error.lines().next().unwrap_or_default()))
}

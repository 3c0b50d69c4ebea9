//! `cargo xtask npm`: other programs (tsshogi and json-kifu-format, from npm) read the game records that we write.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::failure::Failure;
use crate::workspace::run_one_test;

/// Installs the programs below `target` and runs the test of komabako-kifu that calls them. If Node is missing or its packages
/// cannot be installed, prints that it is skipped and why.
pub fn check(root: &Path) -> Result<(), Failure> {
    let place = root.join("target/npm");
    if let Err(reason) = install(root, &place)? {
        println!("npm: skipped: {reason}");
        return Ok(());
    }
    let mut cargo = Command::new("cargo");
    cargo.current_dir(root).args(["test", "--locked", "-p", "komabako-kifu", "--test", "all", "npm::"]);
    cargo.env("KOMABAKO_NODE_MODULES", place.join("node_modules"));
    run_one_test(&mut cargo)
}

/// Installs the packages in `tests/npm/package.json`, or returns why it cannot.
fn install(root: &Path, place: &Path) -> Result<Result<(), String>, Failure> {
    fs::create_dir_all(place).map_err(Failure::io(place))?;
    for file in ["package.json", "package-lock.json"] {
        let from = root.join("crates/komabako-kifu/tests/npm").join(file);
        fs::copy(&from, place.join(file)).map_err(Failure::io(&from))?;
    }
    run(place, &["ci"])
}

/// Runs npm in a directory, or returns why it cannot.
pub fn run(place: &Path, arguments: &[&str]) -> Result<Result<(), String>, Failure> {
    let mut npm = Command::new("npm");
    npm.current_dir(place).args(arguments).args(["--ignore-scripts", "--no-audit", "--no-fund"]);
    let Ok(output) = npm.output() else {
        return Ok(Err("npm not found".to_owned()));
    };
    if output.status.success() {
        return Ok(Ok(()));
    }
    let error = String::from_utf8_lossy(&output.stderr);
    Ok(Err(format!("npm cannot install the packages: {}", error.lines().next().unwrap_or_default())))
}

//! `cargo xtask portable`: the cost of komabako-record for users without the program: a page, a module, a loader.
//!
//! The step `no_std` of `ci` shows that it compiles without an operating system. This chore shows that it has few
//! dependencies, none of them in C, and builds for a browser.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::failure::Failure;
use crate::workspace::{cargo, output, rustc};

/// The crate, and the most crates that it may bring, itself included.
const PACKAGE: &str = "komabako-record";
const MOST_CRATES: usize = 12;

/// The target of a page in the browser. It has no operating system and no libc, so C code would not link.
pub const WASM: &str = "wasm32-unknown-unknown";

/// Counts the crates, and builds for the browser if the toolchain can.
pub fn run(root: &Path) -> Result<(), Failure> {
    let tree = format!("tree --locked -p {PACKAGE} -e normal --prefix none");
    let crates = crates(&output(&mut unoptimised(root, &tree))?);
    if crates.len() > MOST_CRATES {
        let names: Vec<&str> = crates.iter().map(String::as_str).collect();
        let fault = format!("{PACKAGE}: {} crates, {MOST_CRATES} allowed: {}", crates.len(), names.join(" "));
        return Err(Failure::fault(fault));
    }
    println!("portable: {PACKAGE}: {} crates of {MOST_CRATES} allowed", crates.len());
    has_target(rustc(), WASM).map_err(Failure::skip(&format!("portable: skipped: {PACKAGE} for {WASM}")))?;
    // `build` once, not only `check`: a missing instruction or width shows up only in the code generator.
    for verb in ["build --no-default-features", "check"] {
        output(&mut unoptimised(root, &format!("{verb} --locked -p {PACKAGE} --target {WASM}")))?;
    }
    println!("portable: {PACKAGE} builds for {WASM}, with std and without");
    Ok(())
}

/// The names in the output of `cargo tree --prefix none`, which has a line per crate and lists some crates repeatedly.
fn crates(tree: &str) -> BTreeSet<String> {
    tree.lines().filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect()
}

/// Checks that a rustc has the standard library of a target. The error says what is missing.
pub fn has_target(mut rustc: Command, target: &str) -> Result<(), String> {
    rustc.args(["--print", "target-libdir", "--target", target]);
    let library = rustc.stderr(Stdio::null()).output().map(|output| output.stdout).unwrap_or_default();
    let library = String::from_utf8_lossy(&library);
    if library.trim().is_empty() || !Path::new(library.trim()).is_dir() {
        return Err(format!("the toolchain lacks the target: `rustup target add {target}`"));
    }
    Ok(())
}

/// Cargo, for a build that is never run, and so needs neither optimisation nor debug information.
fn unoptimised(root: &Path, arguments: &str) -> Command {
    let mut cargo = cargo(root, arguments);
    cargo.env("CARGO_PROFILE_DEV_OPT_LEVEL", "0").env("CARGO_PROFILE_DEV_DEBUG", "0");
    cargo
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_target_is_named_with_the_command_that_adds_it() {
        let host = crate::workspace::host().expect("rustc tells its host");
        assert_eq!(has_target(Command::new("rustc"), &host), Ok(()));
        let missing = has_target(Command::new("rustc"), "no-such-target").unwrap_err();
        assert!(missing.contains("rustup target add no-such-target"), "{missing}");
    }
}

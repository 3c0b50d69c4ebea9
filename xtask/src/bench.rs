//! `cargo xtask bench-VERB`: the program `record` of `benches`, which measures and writes records.

use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

use clap::Args;

use crate::failure::Failure;
use crate::python;
use crate::web::{self, Toolchain};
use crate::workspace::{build_dev_programs, cargo, status};

/// Arguments for the program.
#[derive(Args)]
pub struct Arguments {
    /// The options of the program
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<OsString>,
}

/// The wheels to measure.
#[derive(Args)]
pub struct PythonOptions {
    /// Install rsshogi and nshogi (MIT), and measure them
    #[arg(long)]
    peers: bool,
    #[command(flatten)]
    arguments: Arguments,
}

/// Runs `bench-VERB`, given with its options.
pub fn run(root: &Path, arguments: &[OsString]) -> Result<(), Failure> {
    let (verb, options) = arguments.split_first().expect("clap passes the verb");
    match verb.to_str().and_then(|verb| verb.strip_prefix("bench-")) {
        Some(verb) => status(record(root).arg(verb).args(options)),
        None => Err(Failure::fault(format!("no verb {}; see `cargo xtask --help`", verb.display()))),
    }
}

/// The step `memory and disk` of `ci`: a small version, with programs of the dev profile, which the tests have built.
pub fn check_dataset(root: &Path) -> Result<(), Failure> {
    build_dev_programs(root)?;
    let mut check = record(root);
    check.args(["dataset", "--no-record", "--records", "1000000", "--max-memory", "96M", "--programs"]);
    status(check.arg(root.join("target/debug")))
}

/// Builds and installs the wheel of the profile `dist`, and measures it.
pub fn python(root: &Path, options: &PythonOptions) -> Result<(), Failure> {
    let environment = python::environment(root);
    let peers: &[&str] = if options.peers { &["rsshogi", "nshogi"] } else { &[] };
    let python = match python::install(&environment, peers, "bench-python") {
        // Whoever asks for figures needs them.
        Err(Failure::Skipped(line)) => return Err(Failure::fault(line)),
        installed => installed?,
    };
    python::install_wheel(root, &environment, &python, "dist")?;
    let mut measure = record(root);
    measure.args(["python", "--python"]).arg(python).args(&options.arguments.arguments);
    status(&mut measure)
}

/// Measures the module, with a toolchain that has the target.
pub fn wasm(root: &Path, options: &Arguments) -> Result<(), Failure> {
    let toolchain = web::toolchain(root).map_err(Failure::fault)?;
    let mut measure = record(root);
    measure.arg("wasm").args(&options.arguments);
    if let Toolchain::Environment(file) = toolchain {
        measure.arg("--environment").arg(file);
    }
    status(&mut measure)
}

/// The program, built if need be.
fn record(root: &Path) -> Command {
    cargo(root, "run --quiet --locked -p komabako-benches --bin record --")
}

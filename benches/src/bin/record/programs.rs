//! The programs to measure: building them, and running them in turn.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::record::Record;

/// The profile for all measurements: `dist`, which ships, with the symbols that a profiler needs. It is also the name of its
/// directory in `target`.
pub const MEASURED: &str = "measured";

/// Flags that let a profiler tell kernels apart: the legacy mangling omits generic arguments, so every kernel would be called
/// `with_features`.
const TELLING_SYMBOLS: &str = "-Csymbol-mangling-version=v0";

/// The workspace's root directory.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The standard output of a program, if it succeeds.
pub fn output(command: &mut Command) -> Result<String> {
    let ran = command.output().with_context(|| format!("{command:?}"))?;
    let said = String::from_utf8_lossy(&ran.stderr);
    ensure!(ran.status.success(), "{command:?}: {}\n{}", ran.status, said.trim());
    String::from_utf8(ran.stdout).with_context(|| format!("{command:?}"))
}

/// Builds programs of our packages for measurement with these compiler flags, below `target` or in a directory of its own, and
/// returns the directory of the programs. Flags from the environment are ignored, so that every machine measures the same build.
pub fn build(
    programs: &[&str],
    flags: &str,
    directory: Option<&Path>,
    arguments: &[&str],
) -> Result<PathBuf> {
    let directory = directory.map_or_else(|| root().join("target"), Path::to_owned);
    let mut cargo = Command::new("cargo");
    cargo.current_dir(root()).env("RUSTFLAGS", format!("{flags} {TELLING_SYMBOLS}"));
    cargo.env_remove("CARGO_ENCODED_RUSTFLAGS");
    cargo.args(["build", "--quiet", "--locked", "--profile", MEASURED, "-p", "komabako-benches"]);
    if programs.contains(&"komabako") {
        cargo.args(["-p", "komabako"]);
    }
    cargo.args(programs.iter().flat_map(|program| ["--bin", program]));
    output(cargo.args(arguments).arg("--target-dir").arg(&directory))?;
    Ok(directory.join(MEASURED))
}

/// Builds every peer of `benches/peers` for this CPU and returns the paths of their programs with this name. A peer that cannot
/// be downloaded is reported and left out.
pub fn peers(program: &str) -> Result<Vec<PathBuf>> {
    let mut programs = Vec::new();
    for entry in std::fs::read_dir(root().join("benches/peers"))? {
        let peer = entry?.path();
        if !peer.join("Cargo.toml").is_file() {
            continue;
        }
        if let Err(reason) =
            output(Command::new("cargo").current_dir(&peer).args(["fetch", "--quiet", "--locked"]))
        {
            // A lock file that does not match is a fault of ours, which a working network would not mend.
            ensure!(!reason.to_string().contains("--locked was passed"), reason);
            eprintln!("the peer {} is skipped, it cannot be downloaded: {reason}", peer.display());
            continue;
        }
        eprintln!("building the peer {}", peer.display());
        let mut cargo = Command::new("cargo");
        cargo
            .current_dir(&peer)
            .env("RUSTFLAGS", "-C target-cpu=native")
            .env_remove("CARGO_ENCODED_RUSTFLAGS");
        output(cargo.args(["build", "--quiet", "--locked", "--release"]))?;
        let built = peer.join("target/release").join(program);
        if built.is_file() {
            programs.push(built);
        }
    }
    Ok(programs)
}

/// A program pinned to one processor, by default the last one, which the system itself uses least; not pinned if the system has
/// no `taskset`.
pub fn pinned(cpu: Option<usize>, program: impl AsRef<Path>) -> Command {
    let last = std::thread::available_parallelism().map_or(0, |count| count.get() - 1);
    let program = program.as_ref();
    if Command::new("taskset").arg("--version").output().is_err() {
        return Command::new(program);
    }
    let mut command = Command::new("taskset");
    command.args(["-c", &cpu.unwrap_or(last).to_string()]).arg(program);
    command
}

/// A program that prints rows.
pub struct Program {
    /// The cells that come before those that it prints.
    pub prefix: Vec<String>,
    /// A name in place of the first cell that it prints.
    pub name: Option<String>,
    /// Its command.
    pub command: Command,
}

impl Program {
    /// A program that prints all cells.
    pub fn new(command: Command) -> Self {
        Program { prefix: Vec::new(), name: None, command }
    }
}

/// Runs the programs in turn, round after round, and adds the rows that they print.
pub fn run_in_turn(programs: &mut [Program], rounds: usize, record: &mut Record) -> Result<()> {
    for round in 1..=rounds {
        for Program { prefix, name, command } in &mut *programs {
            eprintln!("round {round}/{rounds}: {command:?}");
            let prefix: Vec<&str> = prefix.iter().map(String::as_str).collect();
            for line in output(command)?.lines() {
                record.add_line(&prefix, name.as_deref(), line).with_context(|| format!("{command:?}"))?;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_run_in_turn_and_failures_name_the_command() {
        let mut echo = Command::new("echo");
        echo.arg("list,7");
        let mut record = Record::new("program,work,figure");
        let mut programs = [Program { prefix: vec!["peer".to_owned()], name: None, command: echo }];
        run_in_turn(&mut programs, 2, &mut record).expect("echo prints a row");
        assert_eq!(record.rows[0].rounds, [7.0, 7.0]);
        let failed =
            output(Command::new("cargo").arg("no-such-verb")).expect_err("cargo has no such command");
        assert!(failed.to_string().contains("no-such-verb"), "{failed}");
    }
}

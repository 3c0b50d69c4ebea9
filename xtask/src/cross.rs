//! `cargo xtask cross`: runs the tests of the portable crates on other CPUs, and the tests of all crates and the program on
//! Windows, as far as this machine can.
//!
//! CONTRIBUTING.md lists the requirements of each row. QEMU shows which code runs and that it is correct, not its speed.

use std::path::Path;
use std::process::Command;

use clap::Args;

use crate::failure::Failure;
use crate::portable;
use crate::workspace::{has_program, rustc};

/// The toolchain and the rows to run.
#[derive(Args)]
pub struct Options {
    /// The rustup toolchain that has the standard libraries of the other targets; the workspace's own by default
    #[arg(long, value_name = "NAME")]
    toolchain: Option<String>,
    /// Run only rows whose name contains this text
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
}

/// The crates whose code differs between CPUs or runs without an operating system.
const PACKAGES: &str = "-p komabako-bits -p komabako-board -p komabako-codec -p komabako-variants -p komabako-rules \
    --lib --tests --examples";

/// The crates whose code differs between systems, including files, jobs and the program, which its tests start.
const EVERYTHING: &str = "-p komabako-bits -p komabako-board -p komabako-codec -p komabako-variants -p komabako-rules \
    -p komabako-kifu -p komabako-tsume -p komabako-record -p komabako-features -p komabako-dataset -p komabako \
    --lib --bins --tests --no-fail-fast";

/// What its tests start: `cargo test` builds no examples if other targets are named.
const STARTED: &str = "-p komabako --examples";

/// A kind of CPU or a system, and the way to emulate it.
struct Row {
    name: &'static str,
    target: &'static str,
    packages: &'static str,
    /// The program that runs the tests, with its arguments; `{root}` is replaced by the workspace's path.
    runner: &'static [&'static str],
    linker: Option<&'static str>,
    flags: &'static str,
}

const X86: &str = "x86_64-unknown-linux-gnu";

const fn x86(name: &'static str, runner: &'static [&'static str]) -> Row {
    Row { name, target: X86, packages: PACKAGES, runner, linker: None, flags: "" }
}

const fn arm(name: &'static str, runner: &'static [&'static str]) -> Row {
    let target = "aarch64-unknown-linux-gnu";
    Row { name, target, packages: PACKAGES, runner, linker: Some("aarch64-linux-gnu-gcc"), flags: "" }
}

const fn wasm(name: &'static str, flags: &'static str) -> Row {
    Row {
        name,
        target: "wasm32-wasip1",
        packages: PACKAGES,
        runner: &["node", "--no-warnings", "{root}/xtask/wasi.mjs"],
        linker: None,
        flags,
    }
}

const ROWS: &[Row] = &[
    x86("x86-64 Nehalem (no AVX2, no BMI2)", &["qemu-x86_64-static", "-cpu", "Nehalem"]),
    x86("x86-64 Haswell", &["qemu-x86_64-static", "-cpu", "Haswell"]),
    x86("x86-64 Haswell without BMI2", &["qemu-x86_64-static", "-cpu", "Haswell,-bmi2"]),
    x86("x86-64 AMD Zen 1 (slow PEXT)", &["qemu-x86_64-static", "-cpu", "EPYC"]),
    x86("x86-64 AMD Zen 3", &["qemu-x86_64-static", "-cpu", "EPYC-Milan"]),
    x86("x86-64 Hygon Dhyana (slow PEXT)", &["qemu-x86_64-static", "-cpu", "Dhyana"]),
    arm("aarch64 Cortex-A53", &["qemu-aarch64-static", "-cpu", "cortex-a53", "-L", "/usr/aarch64-linux-gnu"]),
    arm(
        "aarch64 Neoverse N1",
        &["qemu-aarch64-static", "-cpu", "neoverse-n1", "-L", "/usr/aarch64-linux-gnu"],
    ),
    wasm("wasm32", ""),
    wasm("wasm32 with simd128", "-C target-feature=+simd128"),
    Row {
        name: "s390x (big-endian)",
        target: "s390x-unknown-linux-gnu",
        packages: PACKAGES,
        runner: &["qemu-s390x-static", "-L", "/usr/s390x-linux-gnu"],
        linker: Some("s390x-linux-gnu-gcc"),
        flags: "",
    },
    Row {
        name: "Windows (wine)",
        target: "x86_64-pc-windows-gnu",
        packages: EVERYTHING,
        runner: &["wine"],
        linker: Some("x86_64-w64-mingw32-gcc"),
        flags: "",
    },
];

/// Runs every row that this machine can, and prints why it skipped the others.
pub fn run(root: &Path, options: &Options) -> Result<(), Failure> {
    let mut passed = Vec::new();
    let mut skipped = Vec::new();
    let mut faults = Vec::new();
    let wanted = |row: &&Row| options.only.as_ref().is_none_or(|text| row.name.contains(text.as_str()));
    let rows: Vec<&Row> = ROWS.iter().filter(wanted).collect();
    if rows.is_empty() {
        let names: Vec<&str> = ROWS.iter().map(|row| row.name).collect();
        return Err(Failure::fault(format!("no row has this name; the rows are: {}", names.join(", "))));
    }
    for row in rows {
        if let Err(missing) = row.can_run(options) {
            skipped.push(format!("{}: {missing}", row.name));
            continue;
        }
        println!("cross: {}", row.name);
        match row.run(root, options)? {
            None => passed.push(row.name),
            Some(fault) => faults.push(format!("{}: {fault}", row.name)),
        }
    }
    for row in passed {
        println!("cross: passed: {row}");
    }
    for row in skipped {
        println!("cross: skipped: {row}");
    }
    Failure::unless_empty(faults)
}

impl Row {
    /// Checks that the target's standard library, the linker and the runner exist. The error says what is missing.
    fn can_run(&self, options: &Options) -> Result<(), String> {
        portable::has_target(rust("rustc", options), self.target)?;
        for program in self.linker.into_iter().chain([self.runner[0]]) {
            has_program(program)?;
        }
        if self.runner[0] == "node" {
            let version = Command::new("node").arg("--version").output().map(|output| output.stdout);
            is_new_enough(&String::from_utf8_lossy(&version.unwrap_or_default()))?;
        }
        Ok(())
    }

    /// Builds and runs the tests. Returns the command that failed, if one did.
    fn run(&self, root: &Path, options: &Options) -> Result<Option<String>, Failure> {
        let mut commands = Vec::new();
        if self.packages == EVERYTHING {
            commands.push(self.cargo(root, options, "build", STARTED));
        }
        commands.push(self.cargo(root, options, "test", self.packages));
        for mut cargo in commands {
            let status = cargo.status().map_err(Failure::run(&cargo))?;
            if !status.success() {
                return Ok(Some(format!("`{cargo:?}` ended with {status}")));
            }
        }
        Ok(None)
    }

    fn cargo(&self, root: &Path, options: &Options, verb: &str, packages: &str) -> Command {
        let variable =
            |end: &str| format!("CARGO_TARGET_{}_{end}", self.target.to_uppercase().replace('-', "_"));
        let mut cargo = rust("cargo", options);
        cargo.current_dir(root).args([verb, "--quiet", "--locked", "--target", self.target]);
        cargo.args(packages.split(' '));
        cargo.arg("--target-dir").arg(root.join("target/cross"));
        let runner = self.runner.join(" ").replace("{root}", &root.display().to_string());
        cargo.env(variable("RUNNER"), runner).env("RUSTFLAGS", self.flags);
        // Keeps wine's own messages out of the tests' output.
        cargo.env("WINEDEBUG", "-all");
        if let Some(linker) = self.linker {
            cargo.env(variable("LINKER"), linker);
        }
        cargo
    }
}

/// The least major version of Node: version 20 sometimes crashes with a segmentation fault after the last test.
const NODE: u32 = 22;

/// Checks Node's version, such as `v22.20.0`.
fn is_new_enough(version: &str) -> Result<(), String> {
    let major = version.trim().trim_start_matches('v').split('.').next().and_then(|major| major.parse().ok());
    match major {
        Some(NODE..) => Ok(()),
        _ => Err(format!("Node {NODE} or newer is needed, and this is {}", version.trim())),
    }
}

/// A program of the toolchain, through rustup if another toolchain was given.
fn rust(program: &str, options: &Options) -> Command {
    match &options.toolchain {
        None if program == "rustc" => rustc(),
        None => Command::new(program),
        Some(name) => {
            let mut command = Command::new("rustup");
            command.args(["run", name, program]);
            command
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: Options = Options { toolchain: None, only: None };

    #[test]
    fn a_row_without_its_target_or_runner_is_skipped_with_the_reason() {
        let nowhere = Row { target: "no-such-target", ..x86("nowhere", &["cargo"]) };
        assert!(
            nowhere.can_run(&HERE).is_err_and(|reason| reason.contains("rustup target add no-such-target"))
        );
        let host = crate::workspace::host().expect("rustc tells its host");
        let host: &'static str = Box::leak(host.into_boxed_str());
        let no_runner = Row { target: host, ..x86("no runner", &["no-such-program"]) };
        assert!(no_runner.can_run(&HERE).is_err_and(|reason| reason.contains("no-such-program")));
        assert_eq!(Row { target: host, ..x86("here", &["cargo"]) }.can_run(&HERE), Ok(()));
    }

    #[test]
    fn windows_row_builds_the_program() {
        let windows = ROWS.iter().find(|row| row.target.contains("windows")).unwrap();
        let cargo = windows.cargo(Path::new("."), &HERE, "test", windows.packages);
        assert!(cargo.get_args().any(|argument| argument == "komabako"));
    }

    #[test]
    fn a_name_that_no_row_has_is_refused() {
        let options = Options { only: Some("Amiga".to_owned()), ..HERE };
        let result = run(Path::new("."), &options);
        let faults = result.expect_err("no row is called so").to_string();
        assert!(faults.contains("Windows (wine)"), "{faults}");
    }

    #[test]
    fn old_node_is_refused() {
        assert_eq!(is_new_enough("v22.20.0\n"), Ok(()));
        assert_eq!(is_new_enough("v24.1.0"), Ok(()));
        for old in ["v20.20.2\n", "v8.0.0", "", "node"] {
            assert!(is_new_enough(old).is_err_and(|reason| reason.contains("Node 22 or newer")), "{old}");
        }
    }

    #[test]
    fn runner_and_linker_are_passed_to_cargo() {
        let cargo = arm("arm", &["qemu", "-cpu", "max"]).cargo(Path::new("."), &HERE, "test", PACKAGES);
        let has = |name: &str, value: &str| {
            cargo.get_envs().any(|(key, set)| key == name && set.is_some_and(|set| set == value))
        };
        assert!(has("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER", "qemu -cpu max"));
        assert!(has("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER", "aarch64-linux-gnu-gcc"));
    }
}

//! The workspace's packages and files, as reported by cargo and git.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs};

use serde::Deserialize;
use sha2::{Digest, Sha256};

use crate::failure::Failure;

/// The profile for all measurements: `dist`, which ships, with the symbols that a profiler needs. It is also the name of its
/// directory in `target`.
pub const MEASURED: &str = "measured";

/// The workspace's root directory: the parent of this package's.
pub fn root() -> PathBuf {
    let mut root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    root.pop();
    root
}

/// The files of the repository, relative to its root and sorted: tracked files, and untracked ones that git does not ignore.
pub fn files(root: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut git = Command::new("git");
    git.current_dir(root).args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
    let listed = output(&mut git)?;
    let mut files: Vec<PathBuf> = listed.split_terminator('\0').map(PathBuf::from).collect();
    files.retain(|file| root.join(file).is_file());
    files.sort();
    Ok(files)
}

/// The output of `cargo metadata`, as far as the chores need it.
#[derive(Debug, Deserialize)]
pub struct Metadata {
    /// Every package of the lock file.
    pub packages: Vec<Package>,
}

/// A package, ours or another's.
#[derive(Clone, Debug, Deserialize)]
pub struct Package {
    /// Its name.
    pub name: String,
    /// Its licence, an SPDX expression.
    pub license: Option<String>,
    /// Its source; `None` for workspace packages.
    pub source: Option<String>,
    /// Its `Cargo.toml`.
    pub manifest_path: PathBuf,
    /// The dependencies in its manifest.
    pub dependencies: Vec<Dependency>,
    /// Its libraries, programs, tests, examples and benchmarks.
    pub targets: Vec<Target>,
}

/// One line of a manifest's dependencies.
#[derive(Clone, Debug, Deserialize)]
pub struct Dependency {
    /// The package's name.
    pub name: String,
    /// Its kind.
    #[serde(default, deserialize_with = "null_as_default")]
    pub kind: Kind,
    /// Whether it is optional, enabled by a feature.
    pub optional: bool,
    /// The source of the package; `None` for workspace packages.
    pub source: Option<String>,
}

/// The use of a dependency.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// The package itself.
    #[default]
    Normal,
    /// Tests, examples and benchmarks.
    Dev,
    /// The build script.
    Build,
}

/// A target that cargo builds.
#[derive(Clone, Debug, Deserialize)]
pub struct Target {
    /// `lib`, `bin`, `test`, `example`, `bench`, `custom-build`, …
    pub kind: Vec<String>,
    /// Its root file.
    pub src_path: PathBuf,
}

fn null_as_default<'de, D: serde::Deserializer<'de>>(kind: D) -> Result<Kind, D::Error> {
    Ok(Option::deserialize(kind)?.unwrap_or_default())
}

impl Metadata {
    /// Loads the metadata of the workspace and all its dependencies, for every platform.
    pub fn load(root: &Path) -> Result<Self, Failure> {
        let mut cargo = cargo(root, "metadata --format-version 1 --locked");
        let json = output(&mut cargo)?;
        serde_json::from_str(&json).map_err(|error| Failure::program(&cargo, &error.to_string()))
    }

    /// The packages of the workspace.
    pub fn members(&self) -> impl Iterator<Item = &Package> {
        self.packages.iter().filter(|package| package.source.is_none())
    }
}

/// Cargo in the workspace, with arguments separated by spaces.
pub fn cargo(root: &Path, arguments: &str) -> Command {
    let mut cargo = Command::new("cargo");
    cargo.current_dir(root).args(arguments.split(' '));
    cargo
}

/// The compiler, which `RUSTC` may name, as for cargo.
pub fn rustc() -> Command {
    Command::new(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
}

/// Checks that a program is installed. The error says which one is missing.
pub fn has_program(program: &str) -> Result<(), String> {
    match Command::new(program).arg("--version").output() {
        Ok(output) if output.status.success() => Ok(()),
        _ => Err(format!("program {program} not found")),
    }
}

/// Makes a directory that is empty.
pub fn empty_directory(path: &Path) -> Result<(), Failure> {
    if path.exists() {
        fs::remove_dir_all(path).map_err(Failure::io(path))?;
    }
    fs::create_dir_all(path).map_err(Failure::io(path))
}

/// The SHA-256 in hexadecimal.
pub fn sha256(bytes: impl AsRef<[u8]>) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The standard output of a program, if it succeeds.
pub fn output(command: &mut Command) -> Result<String, Failure> {
    let output = command.output().map_err(Failure::run(command))?;
    if !output.status.success() {
        return Err(Failure::program(command, String::from_utf8_lossy(&output.stderr).trim()));
    }
    String::from_utf8(output.stdout).map_err(|error| Failure::program(command, &error.to_string()))
}

/// Runs a program, whose output is seen, and requires that it succeeds.
pub fn status(command: &mut Command) -> Result<(), Failure> {
    let status = command.status().map_err(Failure::run(command))?;
    if status.success() {
        return Ok(());
    }
    Err(Failure::fault(format!("`{command:?}` ended with {status}")))
}

/// Builds the programs `komabako` and `games` in the dev profile, in `target/debug`.
pub fn build_dev_programs(root: &Path) -> Result<(), Failure> {
    let programs = "-p komabako -p komabako-benches --bin komabako --bin games";
    status(cargo(root, "build --quiet --locked").args(programs.split(' ')))
}

/// Runs a `cargo test` that selects one test, and prints its output. If no test has the name, cargo succeeds, but this fails.
pub fn run_one_test(cargo: &mut Command) -> Result<(), Failure> {
    let ran = cargo.stderr(Stdio::inherit()).output().map_err(Failure::run(cargo))?;
    let said = String::from_utf8_lossy(&ran.stdout);
    print!("{said}");
    if ran.status.success() && said.contains("test result: ok. 1 passed;") {
        return Ok(());
    }
    Err(Failure::program(cargo, "the test failed (see above), or has another name now"))
}

/// The host target of rustc.
pub fn host() -> Result<String, Failure> {
    let mut rustc = Command::new("rustc");
    let version = output(rustc.arg("-vV"))?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| Failure::program(&rustc, "did not report its host"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_program_is_named() {
        assert_eq!(has_program("cargo"), Ok(()));
        assert!(
            has_program("komabako-has-no-such-compiler").is_err_and(|why| why.contains("no-such-compiler"))
        );
    }

    #[test]
    fn metadata_lists_dependencies_with_their_kinds() {
        let metadata = Metadata::load(&root()).expect("the metadata of this workspace");
        let xtask = metadata.members().find(|package| package.name == "xtask").expect("this package");
        let clap = xtask.dependencies.iter().find(|dependency| dependency.name == "clap").expect("clap");
        assert_eq!(clap.kind, Kind::Normal);
        assert!(clap.source.is_some());
        let tempfile = xtask.dependencies.iter().find(|dependency| dependency.name == "tempfile");
        assert_eq!(tempfile.expect("tempfile").kind, Kind::Dev);
        assert!(metadata.packages.iter().any(|package| package.name == "clap" && package.source.is_some()));
    }

    #[test]
    fn files_lists_the_repository() {
        let files = files(&root()).expect("a git repository");
        assert!(files.contains(&PathBuf::from("xtask/src/workspace.rs")));
        assert!(!files.iter().any(|file| file.starts_with("target")));
    }

    #[test]
    fn a_failed_and_a_missing_program_are_failures() {
        let failure = output(Command::new("git").arg("no-such-verb")).expect_err("git has no such command");
        assert!(failure.to_string().contains("no-such-verb"), "{failure}");
        assert!(output(&mut Command::new("no-such-program")).is_err());
    }
}

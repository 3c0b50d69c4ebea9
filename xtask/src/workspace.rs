//! What the workspace is made of, as cargo and git report it.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde::Deserialize;

use crate::failure::Failure;

/// The profile of everything that is measured: `dist`, which is what ships, but with the symbols that a profiler needs.
/// The name of its directory in `target` too.
pub const MEASURED: &str = "measured";

/// Flags by which a profiler tells kernels apart: the older mangling leaves out what a function is generic over, and every kernel
/// would be called `with_features`.
pub const TELLING_SYMBOLS: &str = "-Csymbol-mangling-version=v0";

/// The command that builds a program of a package to be measured; it appears in `target/measured`. Flags of the environment
/// are left out, so that every machine measures the same build.
pub fn measured_build(root: &Path, package: &str, program: &str) -> Command {
    let mut cargo = Command::new("cargo");
    cargo.current_dir(root).env("RUSTFLAGS", TELLING_SYMBOLS).env_remove("CARGO_ENCODED_RUSTFLAGS");
    cargo.args(["build", "--quiet", "--locked", "--profile", MEASURED, "-p", package, "--bin", program]);
    cargo
}

/// The workspace's root directory: the parent of this package's.
pub fn root() -> PathBuf {
    let mut root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    root.pop();
    root
}

/// The files of the repository, relative to its root and sorted: those in git and new ones that it does not ignore.
pub fn files(root: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut git = Command::new("git");
    git.current_dir(root).args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
    let listed = output(&mut git)?;
    let mut files: Vec<PathBuf> = listed.split_terminator('\0').map(PathBuf::from).collect();
    files.retain(|file| root.join(file).is_file());
    files.sort();
    Ok(files)
}

/// The answer of `cargo metadata`, as far as the chores ask.
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
    /// Where it comes from; ours come from nowhere.
    pub source: Option<String>,
    /// Its `Cargo.toml`.
    pub manifest_path: PathBuf,
    /// What its manifest asks for.
    pub dependencies: Vec<Dependency>,
    /// Its libraries, programs, tests, examples and benchmarks.
    pub targets: Vec<Target>,
}

/// One line of a manifest's dependencies.
#[derive(Clone, Debug, Deserialize)]
pub struct Dependency {
    /// The package's name.
    pub name: String,
    /// What it is for.
    #[serde(default, deserialize_with = "null_as_default")]
    pub kind: Kind,
    /// Whether a feature switches it on.
    pub optional: bool,
    /// Where the package comes from; ours come from nowhere.
    pub source: Option<String>,
}

/// What a dependency is for.
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

/// Something that cargo builds.
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
    /// Asks cargo about the workspace and all that it depends on, for every platform.
    pub fn load(root: &Path) -> Result<Self, Failure> {
        let mut cargo = Command::new("cargo");
        cargo.current_dir(root).args(["metadata", "--format-version", "1", "--locked"]);
        let json = output(&mut cargo)?;
        serde_json::from_str(&json).map_err(|error| Failure::program(&cargo, &error.to_string()))
    }

    /// The packages of the workspace.
    pub fn members(&self) -> impl Iterator<Item = &Package> {
        self.packages.iter().filter(|package| package.source.is_none())
    }
}

/// What a program prints, if it ends well.
pub fn output(command: &mut Command) -> Result<String, Failure> {
    let output = command.output().map_err(|error| Failure::program(command, &error.to_string()))?;
    if !output.status.success() {
        return Err(Failure::program(command, String::from_utf8_lossy(&output.stderr).trim()));
    }
    String::from_utf8(output.stdout).map_err(|error| Failure::program(command, &error.to_string()))
}

/// Runs a `cargo test` that is narrowed down to one test, and prints what it says. Cargo passes where no test has the name: that
/// is a failure here.
pub fn run_one_test(cargo: &mut Command) -> Result<(), Failure> {
    let ran = cargo
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| Failure::program(cargo, &error.to_string()))?;
    let said = String::from_utf8_lossy(&ran.stdout);
    print!("{said}");
    if said.contains("test result: ok. 1 passed;") {
        return Ok(());
    }
    Err(Failure::program(cargo, "the test failed (see above), or has another name now"))
}

/// The kind of machine that rustc builds for by default.
pub fn host() -> Result<String, Failure> {
    let mut rustc = Command::new("rustc");
    let version = output(rustc.arg("-vV"))?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| Failure::program(&rustc, "does not tell its host"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_fails_is_named_with_what_it_said() {
        let failure =
            output(Command::new("cargo").arg("no-such-verb")).expect_err("cargo knows no such verb");
        assert!(failure.to_string().contains("no-such-verb"), "{failure}");
    }

    #[test]
    fn cargo_metadata_is_understood() {
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
    fn files_are_those_of_the_repository() {
        let files = files(&root()).expect("a git repository");
        assert!(files.contains(&PathBuf::from("xtask/src/workspace.rs")));
        assert!(!files.iter().any(|file| file.starts_with("target")));
    }

    #[test]
    fn a_program_that_fails_is_a_failure() {
        let failure = output(Command::new("git").arg("no-such-verb")).expect_err("git knows no such verb");
        assert!(failure.to_string().contains("no-such-verb"), "{failure}");
        assert!(output(&mut Command::new("no-such-program")).is_err());
    }
}

//! `cargo xtask python`: builds the Python package, installs it in an environment of its own, tests and type-checks it.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::failure::Failure;
use crate::workspace::{empty_directory, status};

/// The packages that the tests and the book of docs/ need, by pip's names.
const PACKAGES: &str =
    "hypothesis maturin mkdocs>=1.6,<2 moto[server] mypy numpy pyarrow pymdown-extensions pytest s3fs";

/// Packages without which some tests are skipped. They are large, and need not be tested for every change.
const ENGINES: &[&str] = &["duckdb", "jax", "pandas", "polars", "pyspark", "ray[data]", "torch", "torchdata"];

/// The packages that make the documentation of the package.
const DOCUMENTATION: &[&str] = &["mkdocstrings[python]", "ruff"];

#[derive(clap::Args, Default)]
pub struct Options {
    /// Also install duckdb, jax, mkdocs, polars, pyspark, ray, torch and torchdata, run the tests that use them and build the documentation;
    /// pyspark needs a JRE of 17 or later
    #[arg(long)]
    all: bool,
}

/// A program that exits with 0 if this Python is new enough.
const IS_NEW_ENOUGH: &str = "import sys; sys.exit(sys.version_info < (3, 10))";

/// Builds, tests and checks the package below `target/python`. It is skipped if Python 3.10 or later is missing or the packages
/// cannot be installed.
pub fn run(root: &Path, options: &Options) -> Result<(), Failure> {
    let environment = environment(root);
    let more = if options.all { [ENGINES, DOCUMENTATION].concat() } else { Vec::new() };
    let python = install(&environment, &more, "python: skipped")?;
    let cargo = Path::new("cargo");
    status(&mut in_binding(root, cargo, &["fmt", "--check"]))?;
    let clippy = "clippy --locked --quiet --all-targets -- -D warnings";
    status(&mut in_binding(root, cargo, &Vec::from_iter(clippy.split(' '))))?;

    // Test the wheel that users get. It is built in the workspace's target directory, which has its dependencies already.
    install_wheel(root, &environment, &python, "release")?;
    let in_binding = |arguments: &[&str]| in_binding(root, &python, arguments);
    // `-rs` prints why tests were skipped.
    let mut test = in_binding(&["-m", "pytest", "-q", "-rs", "tests", "--pyargs", "komabako"]);
    test.args(["--doctest-modules", "--doctest-ignore-import-errors"]);
    if options.all {
        test.env("KOMABAKO_ENGINES", "all");
    }
    status(&mut test)?;
    status(&mut in_binding(&["-m", "mypy", "--strict"]))?;
    status(&mut in_binding(&["-m", "mypy.stubtest", "komabako._native"]))?;
    let mut build = in_binding(&["-m", "mkdocs", "build", "--quiet", "--strict", "--site-dir"]);
    build.arg(environment.join("book")).arg("--config-file").arg(root.join("site/mkdocs.yml"));
    status(&mut build)?;
    if !has_module(&python, "mkdocstrings") {
        let how = "python: documentation skipped: `cargo xtask python --all` installs mkdocstrings";
        return Err(Failure::Skipped(how.to_owned()));
    }
    let mut document = in_binding(&["-m", "mkdocs", "build", "--quiet", "--strict", "--site-dir"]);
    document.arg(environment.join("site"));
    status(&mut document)
}

/// The directory of the environment with the package and the packages for its tests.
pub fn environment(root: &Path) -> PathBuf {
    root.join("target/python")
}

/// A command in the directory of the package.
pub fn in_binding(root: &Path, program: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.current_dir(root.join("bindings/python")).args(arguments);
    if env::var_os("CARGO_TARGET_DIR").is_none() {
        command.env("CARGO_TARGET_DIR", root.join("target"));
    }
    command
}

/// Builds the wheel with a profile of cargo and installs it in the environment.
pub fn install_wheel(root: &Path, environment: &Path, python: &Path, profile: &str) -> Result<(), Failure> {
    let wheels = environment.join("wheels");
    empty_directory(&wheels)?;
    let mut build =
        in_binding(root, python, &["-m", "maturin", "build", "--profile", profile, "--locked", "--out"]);
    build.arg(&wheels);
    status(&mut build)?;
    let mut install =
        in_binding(root, python, &["-m", "pip", "install", "--quiet", "--force-reinstall", "--no-deps"]);
    install.arg(only_file(&wheels)?);
    status(&mut install)
}

/// The Python of an environment.
pub fn program(environment: &Path) -> PathBuf {
    environment.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" })
}

/// Whether this Python can import a module.
fn has_module(python: &Path, module: &str) -> bool {
    let import = Command::new(python).args(["-c", &format!("import {module}")]).output();
    import.is_ok_and(|output| output.status.success())
}

/// Makes the environment with the packages for the tests and returns its Python. If it cannot, `what` is skipped.
pub fn install(environment: &Path, more: &[&str], what: &str) -> Result<PathBuf, Failure> {
    let skip = |reason: String| Err(Failure::skip(what)(reason));
    let is_new_enough = |name: &&str| {
        let checked = Command::new(name).args(["-c", IS_NEW_ENOUGH]).output();
        checked.is_ok_and(|output| output.status.success())
    };
    let Some(system) = ["python3", "python"].into_iter().find(is_new_enough) else {
        return skip("Python 3.10 or later not found".to_owned());
    };
    let mut make = Command::new(system);
    make.args(["-m", "venv"]).arg(environment);
    let output = make.output().map_err(Failure::run(&make))?;
    if !output.status.success() {
        return skip(format!("{system} makes no virtual environment: {}", last_line(&output.stdout)));
    }
    let python = program(environment);
    let mut pip = Command::new(&python);
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"])
        .args(PACKAGES.split(' '))
        .args(more);
    let output = pip.output().map_err(Failure::run(&pip))?;
    if !output.status.success() {
        return skip(format!("pip cannot install the packages: {}", last_line(&output.stderr)));
    }
    Ok(python)
}

fn last_line(output: &[u8]) -> String {
    String::from_utf8_lossy(output).trim_end().lines().next_back().unwrap_or_default().to_owned()
}

/// The only file in a directory.
pub fn only_file(directory: &Path) -> Result<PathBuf, Failure> {
    let mut entries = fs::read_dir(directory).map_err(Failure::io(directory))?;
    match (entries.next(), entries.next()) {
        (Some(Ok(entry)), None) => Ok(entry.path()),
        _ => Err(Failure::fault(format!("{}: not one file", directory.display()))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directory_of_wheels_has_exactly_one() {
        let directory = tempfile::tempdir().expect("a directory");
        assert!(only_file(directory.path()).is_err());
        let wheel = directory.path().join("a.whl");
        fs::write(&wheel, "").expect("a file");
        assert_eq!(only_file(directory.path()).expect("one file"), wheel);
        fs::write(directory.path().join("b.whl"), "").expect("a file");
        assert!(only_file(directory.path()).is_err());
    }
}

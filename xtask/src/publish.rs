//! `cargo xtask publish --dry-run`: packages what a release uploads, and builds it from its packages. It uploads nothing: that is
//! left to the workflows `release.yml`, `npm.yml` and `wheels.yml`.
//!
//! Cargo builds each package against those of the others, in the order of their dependencies. This chore checks what cargo does not:
//! the sizes, the files that every package must have, and paths of this machine.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

use clap::Args;

use crate::failure::Failure;
use crate::workspace::{Metadata, empty_directory, output, status};
use crate::{python, web};

/// The most bytes of a package. The largest has 350,000; tests with their games would be a megabyte more.
const LARGEST_PACKAGE: u64 = 450_000;

/// The most bytes of a wheel.
const LARGEST_WHEEL: u64 = 6_000_000;

/// A Python program that prints the bytes of the installed package and the time of a processor that its import takes on top of
/// `NumPy`'s, the median of nine, and fails if they are too many. Most of the bytes are the program
/// (`spec/python.md`).
const MEASURE: &str = "
import pathlib, statistics, subprocess, sys
import komabako
code = 'import time, numpy; t = time.process_time(); import komabako; print(time.process_time() - t)'
milliseconds = 1000 * statistics.median(float(subprocess.check_output([sys.executable, '-c', code])) for _ in range(9))
files = pathlib.Path(komabako.__file__).parent.rglob('*')
size = sum(path.stat().st_size for path in files if path.is_file() and path.suffix != '.pyc')
print(f'publish: {size} bytes installed of at most 15000000; import {milliseconds:.1f} ms of at most 60')
sys.exit(size > 15_000_000 or milliseconds > 60)
";

/// Files that every package must have.
const FILES: [&str; 3] = ["README.md", "LICENSE-MIT", "LICENSE-APACHE"];

#[derive(Args)]
pub struct Options {
    /// Upload nothing; required, because this command never uploads
    #[arg(long, required = true)]
    dry_run: bool,
    /// Also build the source distribution for Python, a wheel from that alone, and check the wheel: many minutes
    #[arg(long)]
    python: bool,
}

/// Packages and checks the crates, packs the npm package (its own tests install it), and with `--python` checks the Python package.
pub fn run(root: &Path, options: &Options) -> Result<(), Failure> {
    crates(root)?;
    match web::package(root) {
        Err(Failure::Skipped(line)) => println!("{line}"),
        packed => packed?,
    }
    if options.python { wheel(root) } else { Ok(()) }
}

/// Packages every crate that is published, builds it from its package and checks it.
pub fn crates(root: &Path) -> Result<(), Failure> {
    let metadata = Metadata::load(root)?;
    // A new directory each time: cargo keeps the sources of a registry by the registry's path, and what it built from them by the
    // version, so that it would build against the packages of an earlier run.
    let parent = root.join("target/publish");
    empty_directory(&parent)?;
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let place = parent.join(now.as_nanos().to_string());
    let mut cargo = Command::new("cargo");
    cargo
        .current_dir(root)
        .args(["package", "--quiet", "--locked", "--allow-dirty", "--target-dir"])
        .arg(&place);
    // Nothing that is built here is run.
    cargo.env("CARGO_PROFILE_DEV_DEBUG", "0");
    let mut names = Vec::new();
    let mut faults = Vec::new();
    for package in metadata.members() {
        let path = &package.manifest_path;
        let manifest = fs::read_to_string(path).map_err(Failure::io(path))?;
        if !manifest.contains("\npublish = false\n") {
            faults.extend(manifest_faults(&package.name, &manifest));
            cargo.args(["-p", &package.name]);
            names.push(&package.name);
        }
    }
    Failure::unless_empty(faults)?;
    status(&mut cargo)?;
    let mut faults = Vec::new();
    for name in names {
        let archive = place.join("package").join(format!("{name}-{}.crate", env!("CARGO_PKG_VERSION")));
        faults.extend(package_faults(root, name, &archive)?);
    }
    fs::remove_dir_all(&parent).map_err(Failure::io(&parent))?;
    Failure::unless_empty(faults)
}

/// What crates.io and docs.rs show, or need.
fn manifest_faults(name: &str, manifest: &str) -> Vec<String> {
    let mut faults = Vec::new();
    for field in ["description", "repository", "keywords", "categories", "exclude"] {
        if !manifest.contains(&format!("\n{field} ")) && !manifest.contains(&format!("\n{field}.")) {
            faults.push(format!("{name}: its manifest has no `{field}`"));
        }
    }
    if manifest.contains("\n[features]\n")
        && !manifest.contains("[package.metadata.docs.rs]\nall-features = true\n")
    {
        faults.push(format!("{name}: docs.rs would leave out features: add `all-features` to its manifest"));
    }
    faults
}

/// Prints the size of a package and checks its content.
fn package_faults(root: &Path, name: &str, archive: &Path) -> Result<Vec<String>, Failure> {
    let mut faults = Vec::new();
    let size = size(archive)?;
    println!("publish: {name}: {size} bytes");
    if size > LARGEST_PACKAGE {
        faults.push(format!(
            "{name}: the package has {size} bytes, at most {LARGEST_PACKAGE}; `exclude` data of tests"
        ));
    }
    let listed = output(Command::new("tar").arg("-tzf").arg(archive))?;
    for file in FILES {
        if !listed.lines().any(|path| path.ends_with(&format!("{}/{file}", env!("CARGO_PKG_VERSION")))) {
            faults.push(format!("{name}: the package has no {file}"));
        }
    }
    let content = output(Command::new("tar").arg("-xzOf").arg(archive))?;
    if content.contains(&*root.to_string_lossy()) {
        faults.push(format!("{name}: the package has a path of this machine"));
    }
    Ok(faults)
}

/// Builds the source distribution, a wheel from it in a directory without the repository, and checks the wheel.
fn wheel(root: &Path) -> Result<(), Failure> {
    let environment = python::environment(root);
    let python = python::install(&environment, &["ziglang"], "publish: Python skipped")?;
    let directory = environment.join("published");
    empty_directory(&directory)?;
    status(python::in_binding(root, &python, &["-m", "maturin", "sdist", "--out"]).arg(&directory))?;
    let source = python::only_file(&directory)?;
    let unpacked = directory.join("unpacked");
    fs::create_dir_all(&unpacked).map_err(Failure::io(&unpacked))?;
    status(
        Command::new("tar").arg("-xzf").arg(&source).arg("-C").arg(&unpacked).arg("--strip-components=1"),
    )?;

    let wheels = directory.join("wheels");
    let mut build = Command::new(&python);
    build
        .current_dir(&unpacked)
        .args(["-m", "maturin", "build", "--locked", "--compression-level", "9", "--out"])
        .arg(&wheels);
    if cfg!(target_os = "linux") {
        // Zig links against an older libc than this machine's. Maturin checks that the wheel asks for no newer one.
        build.args(["--zig", "--compatibility", "manylinux_2_28"]);
        // Zig is a package of this Python, which may not be the first in the path.
        build.env("CARGO_ZIGBUILD_PYTHON_PATH", &python);
    }
    status(build.env("CARGO_TARGET_DIR", root.join("target")))?;
    status(Command::new(root.join("bindings/python/compress-wheels")).arg(&wheels))?;
    let wheel = python::only_file(&wheels)?;
    let size = size(&wheel)?;
    println!("publish: {}: {size} bytes of at most {LARGEST_WHEEL}", wheel.display());
    if size > LARGEST_WHEEL {
        return Err(Failure::fault("publish: the wheel is too large"));
    }

    // In an environment with NumPy alone.
    let clean = directory.join("environment");
    status(Command::new(&python).args(["-m", "venv"]).arg(&clean))?;
    let python = python::program(&clean);
    status(Command::new(&python).args(["-m", "pip", "install", "--quiet"]).arg(&wheel))?;
    status(Command::new(&python).current_dir(&directory).args(["-c", MEASURE]))
}

fn size(path: &Path) -> Result<u64, Failure> {
    Ok(fs::metadata(path).map_err(Failure::io(path))?.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manifest_lacks_what_the_registry_shows() {
        let whole = "[package]\ndescription = \"\"\nrepository.workspace = true\nkeywords = []\ncategories = []\nexclude = []\n";
        assert_eq!(manifest_faults("a", whole), [""; 0]);
        assert!(manifest_faults("a", &whole.replace("keywords", "words"))[0].contains("`keywords`"));
        let features = format!("{whole}\n[features]\n");
        assert!(manifest_faults("a", &features)[0].contains("all-features"));
        let documented = format!("{features}[package.metadata.docs.rs]\nall-features = true\n");
        assert_eq!(manifest_faults("a", &documented), [""; 0]);
    }

    #[test]
    fn a_package_without_licence_or_with_a_path_fails() {
        let directory = tempfile::tempdir().expect("a directory");
        let folder = directory.path().join(format!("a-{}", env!("CARGO_PKG_VERSION")));
        fs::create_dir(&folder).expect("a directory");
        fs::write(folder.join("README.md"), "").expect("a file");
        fs::write(folder.join("LICENSE-MIT"), directory.path().to_string_lossy().as_bytes()).expect("a file");
        let archive = directory.path().join("a.crate");
        let mut tar = Command::new("tar");
        let tar = tar
            .current_dir(directory.path())
            .args(["-czf", "a.crate"])
            .arg(folder.file_name().expect("a name"));
        output(tar).expect("an archive");
        let faults = package_faults(directory.path(), "a", &archive).expect("faults");
        assert_eq!(
            faults,
            ["a: the package has no LICENSE-APACHE", "a: the package has a path of this machine"]
        );
    }
}

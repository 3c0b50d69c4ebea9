//! The builds to compare, and the commands that build and run programs.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::failure::Failure;
use crate::workspace::{MEASURED, TELLING_SYMBOLS, measured_build, output};

/// A set of compiler flags.
pub struct Build {
    /// Its name in tables.
    pub name: &'static str,
    flags: &'static str,
    /// The CPU features that its code uses without run-time detection.
    needs: &'static [&'static str],
}

const V3: &[&str] = &["avx2", "bmi1", "bmi2", "f16c", "fma", "lzcnt", "movbe"];
const V4: &[&str] = &["avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"];

/// The builds, the plainest first.
pub const BUILDS: &[Build] = &[
    Build { name: "none", flags: "", needs: &[] },
    Build { name: "+sse4.2", flags: "-C target-feature=+sse4.2", needs: &["sse4.2"] },
    Build { name: "+avx2", flags: "-C target-feature=+avx2", needs: &["avx2"] },
    Build { name: "+bmi2", flags: "-C target-feature=+bmi2", needs: &["bmi2"] },
    Build { name: "x86-64-v3", flags: "-C target-cpu=x86-64-v3", needs: V3 },
    Build { name: "x86-64-v4", flags: "-C target-cpu=x86-64-v4", needs: V4 },
    Build { name: "native", flags: "-C target-cpu=native", needs: &[] },
];

impl Build {
    /// Whether this is the build without flags, which users get by default.
    pub fn is_plain(&self) -> bool {
        self.flags.is_empty()
    }

    /// Checks that this CPU can run it. The error is the first missing feature.
    pub fn runs_here(&self) -> Result<(), &'static str> {
        match self.needs.iter().find(|feature| !has(feature)) {
            Some(missing) => Err(missing),
            None => Ok(()),
        }
    }

    /// Builds the benchmark program and returns its path. Each build has a target directory of its own.
    pub fn compile(&self, root: &Path) -> Result<PathBuf, Failure> {
        let directory = root.join("target/bench-matrix").join(self.name.trim_start_matches('+'));
        let mut cargo = measured_build(root, "komabako-benches", "measure");
        cargo
            .env("RUSTFLAGS", format!("{} {TELLING_SYMBOLS}", self.flags))
            .arg("--no-default-features")
            .arg("--target-dir")
            .arg(&directory);
        output(&mut cargo)?;
        Ok(directory.join(MEASURED).join("measure"))
    }
}

/// Builds every peer for this CPU and returns the paths of their programs with this name. A peer that cannot be downloaded is
/// reported and left out.
pub fn peers(root: &Path, program: &str) -> Result<Vec<PathBuf>, Failure> {
    let directory = root.join("benches/peers");
    let mut programs = Vec::new();
    for entry in std::fs::read_dir(&directory).map_err(Failure::io(&directory))? {
        let peer = entry.map_err(Failure::io(&directory))?.path();
        if !peer.join("Cargo.toml").is_file() {
            continue;
        }
        if let Err(reason) = download(&peer)? {
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
        programs.extend(Some(peer.join("target/release").join(program)).filter(|program| program.is_file()));
    }
    Ok(programs)
}

/// Downloads the dependencies of a peer. The inner error is the reason why it cannot, in one line.
///
/// # Errors
/// The lock file is missing or does not match the manifest, which a working network would not fix.
fn download(peer: &Path) -> Result<Result<(), String>, Failure> {
    let mut cargo = Command::new("cargo");
    cargo.current_dir(peer).args(["fetch", "--quiet", "--locked"]);
    match output(&mut cargo) {
        Ok(_) => Ok(Ok(())),
        Err(Failure::Program { reason, .. }) if !reason.contains("--locked was passed") => {
            let causes =
                reason.lines().map(str::trim).filter(|line| !line.is_empty() && *line != "Caused by:");
            Ok(Err(causes.collect::<Vec<_>>().join("; ")))
        }
        Err(failure) => Err(failure),
    }
}

/// A program pinned to one processor, if the system has `taskset`.
pub fn pinned(cpu: usize, program: &Path) -> Command {
    if Command::new("taskset").arg("--version").output().is_ok() {
        let mut command = Command::new("taskset");
        command.args(["-c", &cpu.to_string()]).arg(program);
        command
    } else {
        Command::new(program)
    }
}

/// The last processor, which the system itself uses least.
pub fn last_cpu() -> usize {
    std::thread::available_parallelism().map_or(0, |count| count.get() - 1)
}

#[cfg(target_arch = "x86_64")]
fn has(feature: &str) -> bool {
    use std::arch::is_x86_feature_detected as detected;
    match feature {
        "sse4.2" => detected!("sse4.2"),
        "avx2" => detected!("avx2"),
        "bmi1" => detected!("bmi1"),
        "bmi2" => detected!("bmi2"),
        "f16c" => detected!("f16c"),
        "fma" => detected!("fma"),
        "lzcnt" => detected!("lzcnt"),
        "movbe" => detected!("movbe"),
        "avx512f" => detected!("avx512f"),
        "avx512bw" => detected!("avx512bw"),
        "avx512cd" => detected!("avx512cd"),
        "avx512dq" => detected!("avx512dq"),
        "avx512vl" => detected!("avx512vl"),
        _ => false,
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn has(_feature: &str) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_build_that_needs_an_unknown_feature_is_skipped() {
        let build = Build { name: "x", flags: "", needs: &["a-feature-of-the-future"] };
        assert_eq!(build.runs_here(), Err("a-feature-of-the-future"));
        assert!(BUILDS[0].is_plain() && BUILDS[0].runs_here().is_ok());
    }

    /// A project with one peer that has these dependencies.
    fn project(dependencies: &str, lock: Option<&str>) -> tempfile::TempDir {
        let root = tempfile::tempdir().expect("a directory");
        let peer = root.path().join("benches/peers/far");
        std::fs::create_dir_all(peer.join("src")).expect("a folder");
        // Cargo reads the configuration of parent directories. Retries would only cost time, because the source never appears.
        std::fs::create_dir(root.path().join(".cargo")).expect("a folder");
        std::fs::write(root.path().join(".cargo/config.toml"), "net.retry = 0\n").expect("a configuration");
        let manifest = format!(
            "[package]\nname = \"far\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[workspace]\n[dependencies]\n{dependencies}"
        );
        std::fs::write(peer.join("Cargo.toml"), manifest).expect("a manifest");
        std::fs::write(peer.join("src/main.rs"), "fn main() {}").expect("a program");
        if let Some(lock) = lock {
            std::fs::write(peer.join("Cargo.lock"), lock).expect("a lock file");
        }
        root
    }

    #[test]
    fn a_peer_that_cannot_be_downloaded_is_skipped_with_the_reason() {
        let place = tempfile::tempdir().expect("a directory");
        let source = format!("file://{}", place.path().join("nothing").display());
        let commit = "0123456789abcdef0123456789abcdef01234567";
        let lock = format!(
            "version = 4\n[[package]]\nname = \"far\"\nversion = \"0.0.0\"\ndependencies = [\"gone\"]\n\
            [[package]]\nname = \"gone\"\nversion = \"0.1.0\"\nsource = \"git+{source}?rev={commit}#{commit}\"\n"
        );
        let root = project(&format!("gone = {{ git = \"{source}\", rev = \"{commit}\" }}\n"), Some(&lock));
        let reason = download(&root.path().join("benches/peers/far")).expect("no fault of ours");
        assert!(reason.is_err_and(|reason| reason.contains(&source) && !reason.contains('\n')));
        assert_eq!(peers(root.path(), "far").expect("nothing to build"), [] as [PathBuf; 0]);
    }

    #[test]
    fn a_peer_without_its_lock_file_fails() {
        assert!(peers(project("", None).path(), "far").is_err());
    }
}

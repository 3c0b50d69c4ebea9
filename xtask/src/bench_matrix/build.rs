//! The builds that are compared, and how programs are built and run.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::failure::Failure;
use crate::workspace::{MEASURED, TELLING_SYMBOLS, measured_build, output};

/// A set of compiler flags.
pub struct Build {
    /// How tables call it.
    pub name: &'static str,
    flags: &'static str,
    /// The features that its code uses without asking.
    needs: &'static [&'static str],
}

const V3: &[&str] = &["avx2", "bmi1", "bmi2", "f16c", "fma", "lzcnt", "movbe"];
const V4: &[&str] = &["avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"];

/// The builds, from the plainest on.
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
    /// Whether this is the build that users get without flags.
    pub fn is_plain(&self) -> bool {
        self.flags.is_empty()
    }

    /// Whether this CPU can run it; otherwise the first feature that it lacks.
    pub fn runs_here(&self) -> Result<(), &'static str> {
        match self.needs.iter().find(|feature| !has(feature)) {
            Some(missing) => Err(missing),
            None => Ok(()),
        }
    }

    /// Builds the benchmark program and gives its path. Each build keeps a target directory of its own.
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

/// Builds every peer for this CPU and gives the paths of their programs of a name.
pub fn peers(root: &Path, program: &str) -> Result<Vec<PathBuf>, Failure> {
    let directory = root.join("benches/peers");
    let mut programs = Vec::new();
    for entry in std::fs::read_dir(&directory).map_err(Failure::io(&directory))? {
        let peer = entry.map_err(Failure::io(&directory))?.path();
        if !peer.join("Cargo.toml").is_file() {
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

/// A program confined to one processor, where the system has `taskset`.
pub fn pinned(cpu: usize, program: &Path) -> Command {
    if Command::new("taskset").arg("--version").output().is_ok() {
        let mut command = Command::new("taskset");
        command.args(["-c", &cpu.to_string()]).arg(program);
        command
    } else {
        Command::new(program)
    }
}

/// The last processor, the one that the system itself uses least.
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
}

//! `cargo xtask dist`: builds the program for every system that this machine can build for, and packs it with its licences and
//! checksums.
//!
//! A platform is skipped, with the reason printed, if the standard library of its target or its linker is missing: `rustup target
//! add TARGET` installs the former, CONTRIBUTING.md names the latter. macOS needs its own machine. The profile is `dist`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use clap::Args;

use crate::failure::Failure;
use crate::portable;
use crate::workspace::{cargo, has_program, output, sha256, status};

/// The targets to build.
#[derive(Args)]
pub struct Options {
    /// Build only targets whose name contains this text
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// List what can be built here, and build nothing
    #[arg(long)]
    list: bool,
}

/// A system that the program is built for.
struct Platform {
    target: &'static str,
    /// The programs needed for linking, besides those for this machine's own target.
    needs: &'static [&'static str],
    /// Environment variables of the build: the linker, and C compilers for build scripts.
    environment: &'static [(&'static str, &'static str)],
}

const PLATFORMS: [Platform; 8] = [
    Platform { target: "x86_64-unknown-linux-gnu", needs: &[], environment: &[] },
    Platform {
        target: "x86_64-unknown-linux-musl",
        needs: &["musl-gcc"],
        environment: &[("CC_x86_64_unknown_linux_musl", "musl-gcc")],
    },
    Platform {
        target: "aarch64-unknown-linux-gnu",
        needs: &["aarch64-linux-gnu-gcc"],
        environment: &[("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER", "aarch64-linux-gnu-gcc")],
    },
    Platform {
        target: "aarch64-unknown-linux-musl",
        needs: &["musl-gcc"],
        environment: &[("CC_aarch64_unknown_linux_musl", "musl-gcc")],
    },
    Platform {
        target: "x86_64-pc-windows-gnu",
        needs: &["x86_64-w64-mingw32-gcc"],
        environment: &[("CARGO_TARGET_X86_64_PC_WINDOWS_GNU_LINKER", "x86_64-w64-mingw32-gcc")],
    },
    Platform { target: "x86_64-pc-windows-msvc", needs: &[], environment: &[] },
    Platform { target: "aarch64-apple-darwin", needs: &["xcrun"], environment: &[] },
    Platform { target: "x86_64-apple-darwin", needs: &["xcrun"], environment: &[] },
];

/// The files that go into an archive besides the program.
const EXTRA_FILES: [&str; 6] = [
    "README.md",
    "README.ja.md",
    "CHANGELOG.md",
    "LICENSE-MIT",
    "LICENSE-APACHE",
    // Of the font whose outlines `diagram` draws.
    "crates/komabako-picture/LICENSE-OFL",
];

/// Builds and packs the program for each platform, and prints the platforms that are skipped and why.
pub fn run(root: &Path, options: &Options) -> Result<(), Failure> {
    let directory = root.join("target/packages");
    fs::create_dir_all(&directory).map_err(Failure::io(&directory))?;
    let mut sums = String::new();
    for platform in &PLATFORMS {
        if options.only.as_ref().is_some_and(|text| !platform.target.contains(text.as_str())) {
            continue;
        }
        match platform.can_build() {
            Err(missing) => println!("dist: skipped: {}: {missing}", platform.target),
            Ok(()) if options.list => println!("dist: can build {}", platform.target),
            Ok(()) => {
                let archive = platform.pack(root, &directory)?;
                let name = archive.file_name().unwrap_or_default().to_string_lossy().into_owned();
                let sum = fs::read(&archive).map(sha256).map_err(Failure::io(&archive))?;
                sums += &format!("{sum}  {name}\n");
                println!("dist: {}", archive.display());
            }
        }
    }
    if sums.is_empty() {
        // A workflow that asks for one target must not go on without it.
        if options.only.is_some() && !options.list {
            return Err(Failure::fault("dist: nothing was built"));
        }
        return Ok(());
    }
    let path = directory.join("SHA256SUMS");
    fs::write(&path, sums).map_err(Failure::io(&path))
}

impl Platform {
    /// Checks that this machine can build for the platform. The error says what is missing.
    fn can_build(&self) -> Result<(), String> {
        portable::has_target(Command::new("rustc"), self.target)?;
        if self.target.ends_with("msvc") && !cfg!(windows) {
            return Err("its linker is on Windows only".to_owned());
        }
        if self.target.ends_with("musl") && !self.target.starts_with(std::env::consts::ARCH) {
            return Err("musl-gcc compiles for the CPU of its own machine only".to_owned());
        }
        self.needs.iter().try_for_each(|program| has_program(program))
    }

    /// Builds the program and packs it: `komabako-VERSION-TARGET.tar.gz`.
    fn pack(&self, root: &Path, directory: &Path) -> Result<PathBuf, Failure> {
        let Platform { target, environment, .. } = self;
        let mut cargo = cargo(root, &format!("build --locked --profile dist -p komabako --target {target}"));
        status(cargo.envs(environment.iter().copied()))?;
        let name = format!("komabako-{}-{target}", env!("CARGO_PKG_VERSION"));
        let folder = directory.join(&name);
        fs::create_dir_all(&folder).map_err(Failure::io(&folder))?;
        let program = if target.contains("windows") { "komabako.exe" } else { "komabako" };
        let built = root.join("target").join(target).join("dist").join(program);
        let extra = EXTRA_FILES.map(|file| root.join(file));
        for path in extra.into_iter().chain([built]) {
            let copy = folder.join(path.file_name().unwrap_or_default());
            fs::copy(&path, copy).map_err(Failure::io(&path))?;
        }
        // Windows can unpack tar since 2018.
        let archive = directory.join(format!("{name}.tar.gz"));
        output(Command::new("tar").current_dir(directory).arg("-czf").arg(&archive).arg(&name))?;
        fs::remove_dir_all(&folder).map_err(Failure::io(&folder))?;
        Ok(archive)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_beside_the_program_exist() {
        let root = crate::workspace::root();
        for file in EXTRA_FILES {
            assert!(root.join(file).is_file(), "{file}");
        }
    }
}

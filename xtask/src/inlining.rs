//! `cargo xtask inlining`: no calls inside the kernels.
//!
//! A function that is called from a kernel, instead of being part of it, is compiled without the backend's
//! instructions: three times slower, and no test sees it. So this builds the benchmark program, which holds every
//! kernel for every backend of this kind of CPU, as assembly and looks for calls. The portable backend needs no
//! instructions of its own and is not looked at.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::failure::Failure;
use crate::workspace;

/// The part of a symbol by which kernels are known: what `komabako_bits::dispatch` calls.
const KERNEL: &str = "with_features";

/// What a kernel may call, by a part of the symbol: panics, and code for what the fast path cannot pack or unpack.
const COLD: &[&str] = &["9panicking", "slice_index_fail", "7refusal", "5judge", "13removed_lanes"];

pub fn run(root: &Path) -> Result<(), Failure> {
    let directory = root.join("target/inlining");
    let assembly = directory.join("release/deps");
    // Cargo emits nothing where nothing has changed, and leaves what earlier builds emitted.
    workspace::output(cargo("clean", root, &directory).args(["-p", "komabako-benches"]))?;
    let mut build = cargo("rustc", root, &directory);
    build.args(["-p", "komabako-benches", "--bin", "measure"]);
    // Only the new mangling tells kernels apart; and static code calls by name, not through a table.
    build.args(["--", "-Csymbol-mangling-version=v0", "-Crelocation-model=static", "--emit=asm"]);
    workspace::output(&mut build)?;

    let (mut kernels, mut faults) = (0, Vec::new());
    for path in assembly_files(&assembly)? {
        let text = fs::read_to_string(&path).map_err(Failure::io(&path))?;
        for kernel in Kernels::of(&text) {
            kernels += 1;
            let calls = kernel.calls.iter().filter(|call| !COLD.iter().any(|cold| call.contains(cold)));
            faults.extend(calls.map(|call| format!("{}: calls {}", readable(kernel.symbol), readable(call))));
        }
    }
    if kernels == 0 {
        return Err(Failure::program(&build, "the assembly holds no kernel"));
    }
    faults.sort();
    faults.dedup();
    Failure::unless_empty(faults)?;
    println!("inlining: no calls in {kernels} kernels");
    Ok(())
}

fn cargo(verb: &str, root: &Path, target: &Path) -> Command {
    let mut cargo = Command::new("cargo");
    cargo.current_dir(root).args([verb, "--quiet", "--locked", "--release", "--target-dir"]).arg(target);
    cargo
}

fn assembly_files(directory: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for entry in fs::read_dir(directory).map_err(Failure::io(directory))? {
        let path = entry.map_err(Failure::io(directory))?.path();
        if path.extension().is_some_and(|extension| extension == "s") {
            files.push(path);
        }
    }
    Ok(files)
}

/// A kernel in an assembly file.
struct Kernel<'a> {
    symbol: &'a str,
    /// The symbols that it calls or jumps to; a register where it calls through one.
    calls: Vec<&'a str>,
}

/// The kernels of an assembly file.
struct Kernels<'a>(std::iter::Peekable<std::str::Lines<'a>>);

impl<'a> Kernels<'a> {
    fn of(text: &'a str) -> Self {
        Self(text.lines().peekable())
    }
}

impl<'a> Iterator for Kernels<'a> {
    type Item = Kernel<'a>;

    fn next(&mut self) -> Option<Kernel<'a>> {
        let symbol = self.0.by_ref().find_map(|line| function(line).filter(|name| name.contains(KERNEL)))?;
        let mut calls = Vec::new();
        while let Some(line) = self.0.next_if(|line| function(line).is_none()) {
            calls.extend(call(line));
        }
        Some(Kernel { symbol, calls })
    }
}

/// The function that begins at this line: a label that is not local.
fn function(line: &str) -> Option<&str> {
    let label = line.split_once(':').filter(|(name, _)| !name.starts_with(['.', '\t', ' ', '#', '/']))?;
    Some(label.0)
}

/// What this line calls, or jumps to for good.
fn call(line: &str) -> Option<&str> {
    let mut words = line.split_whitespace();
    let (instruction, target) = (words.next()?, words.next()?);
    match instruction {
        "call" | "callq" | "bl" | "blr" => Some(target),
        // A jump to another function is a call in last place.
        "jmp" | "b" if target.starts_with('_') => Some(target),
        _ => None,
    }
}

/// The names in a mangled symbol, each of which follows its length: `_RNvNtCs1XhZ_5codec4sspf6unpack` is
/// `codec::sspf::unpack`. What numbers crates, impls, array lengths and repeated names is left out; it ends in `_`.
fn readable(symbol: &str) -> String {
    let mut names = Vec::new();
    let mut rest = symbol.trim_start_matches("_R");
    while let Some(next) = rest.chars().next() {
        let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        if let Ok(length) = rest[..digits].parse::<usize>() {
            let Some((name, after)) = rest[digits..].split_at_checked(length) else { break };
            names.push(name);
            rest = after;
        } else if matches!(next, 's' | 'B' | 'j') {
            rest = rest.split_once('_').map_or("", |(_, after)| after);
        } else {
            rest = &rest[next.len_utf8()..];
        }
    }
    if names.is_empty() { symbol.to_owned() } else { names.join("::") }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ASSEMBLY: &str = "\
_RNvCs1XhZ_4bits4bmi213with_features:
\t.cfi_startproc
.LBB0_1:
\tpextq\t%rax, %rdx, %rcx
\tcallq\t_RNv4core9panicking18panic_bounds_check
\tjne\t.LBB0_1
\tjmp\t_RNv5codec4sspf6unpack
.Lfunc_end0:
_RNv5other:
\tcallq\t_RNv4free
_RNv4bits4avx213with_features:
\tcallq\t*%r12
\tbl\t_RNv5codec4pack
";

    #[test]
    fn symbols_are_read_as_their_names() {
        let symbol = "_RINvMsm_NtCsgEmf_4core5arrayAyj4_7try_mapNtB4_3hcp";
        assert_eq!(readable(symbol), "core::array::try_map::hcp");
        assert_eq!(readable("*%r12"), "*%r12");
    }

    #[test]
    fn calls_are_those_of_kernels_alone() {
        let kernels: Vec<_> =
            Kernels::of(ASSEMBLY).map(|kernel| (readable(kernel.symbol), kernel.calls)).collect();
        let calls = |names: &[&'static str]| names.to_vec();
        assert_eq!(
            kernels,
            [
                (
                    "bits::bmi2::with_features".to_owned(),
                    calls(&["_RNv4core9panicking18panic_bounds_check", "_RNv5codec4sspf6unpack"])
                ),
                ("bits::avx2::with_features".to_owned(), calls(&["*%r12", "_RNv5codec4pack"])),
            ]
        );
    }
}

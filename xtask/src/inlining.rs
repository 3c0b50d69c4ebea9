//! `cargo xtask inlining`: checks that kernels contain no calls.
//!
//! A function called from a kernel, instead of inlined into it, is compiled without the backend's instructions: it is three
//! times slower, and no test notices. So this chore compiles every crate and the programs with the kernels for every backend
//! of this kind of CPU to assembly, without link-time optimisation, as most users build, and looks for calls. Two kinds of
//! calls are allowed: of `#[cold]` functions, and of code that was compiled before ours (the C library, and the non-generic
//! parts of the standard library). The portable backend needs no special instructions and is not checked.
//!
//! Twice: in one codegen unit for each crate, as programs that ship are built, and in sixteen, cargo's default and so what users of
//! the crates build. There a kernel calls what the standard library does not mark `#[inline]`: `array::map`, `zip`,
//! `copy_from_slice`, `as_flattened`, `Default` of arrays. The second build takes two minutes of processor time.
//!
//! It also looks for AVX-512 mask registers that a kernel reads but nothing has written: LLVM 22 drops the write of a mask
//! that it has also read with `VPMOVMSKB` (llvm-project#198197), and the kernel computes with another function's leftovers.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::failure::Failure;
use crate::workspace;

/// The part of a symbol that identifies kernels: the function that `komabako_bits::dispatch` calls.
const KERNEL: &str = "with_features";

/// The crates that must have a kernel for each backend; otherwise the build lacks the code to check.
const CRATES: [&str; 4] = ["komabako_codec", "komabako_features", "komabako_rules", "komabako_variants"];

/// Only the v0 mangling distinguishes kernels. Static code without `relro` calls by name, not through a table.
const FLAGS: &str = "-Csymbol-mangling-version=v0 -Crelocation-model=static -Crelro-level=off --emit=asm";

pub fn run(root: &Path) -> Result<(), Failure> {
    check(root, &root.join("target/inlining"), 1)?;
    // Built from scratch: a crate has several files, and those of an earlier build could not be told from its newest.
    let directory = root.join("target/inlining-units");
    workspace::empty_directory(&directory)?;
    check(root, &directory, 16)
}

/// Compiles into a directory with this many codegen units for each crate, and checks the kernels.
fn check(root: &Path, directory: &Path, units: u32) -> Result<(), Failure> {
    let host = workspace::host()?;
    // Without the jobs: a dependency of theirs is a shared library too, which cannot be linked from static code.
    let programs = "--no-default-features --bin measure --bin perft";
    let build = format!("build --quiet --locked --release -p komabako-benches {programs} --target {host}");
    let mut build = workspace::cargo(root, &build);
    build.arg("--target-dir").arg(directory);
    build.env("RUSTFLAGS", FLAGS).env("CARGO_PROFILE_RELEASE_LTO", "off");
    // The level of most users' builds; our profile has a lower one for code outside kernels.
    build.env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "3");
    build.env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", units.to_string());
    for name in CRATES {
        // Instead of the setting that our profile has for some of them.
        build
            .arg("--config")
            .arg(format!("profile.release.package.{}.codegen-units={units}", name.replace('_', "-")));
    }
    workspace::output(&mut build)?;

    let mut assembly = Assembly::default();
    for path in files(&directory.join(host).join("release/deps"))? {
        assembly.add(&fs::read_to_string(&path).map_err(Failure::io(&path))?);
    }
    let absent = assembly.absent();
    if !absent.is_empty() {
        return Err(Failure::program(&build, &absent.join("\n")));
    }
    Failure::unless_empty(assembly.faults().into_iter().collect())?;
    println!("inlining: no calls in {} kernels, codegen units: {units}", assembly.kernels.len());
    Ok(())
}

/// The newest assembly file of each crate or unit of a crate, since cargo keeps the files of earlier compilers.
fn files(directory: &Path) -> Result<impl Iterator<Item = PathBuf>, Failure> {
    let mut newest: BTreeMap<String, (SystemTime, PathBuf)> = BTreeMap::new();
    for entry in fs::read_dir(directory).map_err(Failure::io(directory))? {
        let path = entry.map_err(Failure::io(directory))?.path();
        if path.extension().is_none_or(|extension| extension != "s") {
            continue;
        }
        let written = path.metadata().and_then(|metadata| metadata.modified()).map_err(Failure::io(&path))?;
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        // `codec-HASH.s`, or `codec-HASH.UNIT.s` if there are several.
        let (name, hash) = name.split_once('-').unwrap_or((&name, ""));
        let unit = hash.split_once('.').map_or("", |(_, unit)| unit);
        let file = newest.entry(format!("{name}.{unit}")).or_insert_with(|| (written, path.clone()));
        if file.0 < written {
            *file = (written, path);
        }
    }
    Ok(newest.into_values().map(|(_, path)| path))
}

/// The relevant contents of assembly files.
#[derive(Default)]
struct Assembly {
    /// Each kernel's symbol, with the symbols that it calls or jumps to, or the operand of an indirect call.
    kernels: Vec<(String, BTreeSet<String>)>,
    /// The functions that are not cold.
    warm: BTreeSet<String>,
    /// The kernels that read a mask register before they write it, with the first such line.
    unwritten_masks: BTreeMap<String, String>,
}

impl Assembly {
    /// Adds a file. The compiler puts cold functions into sections of their own.
    fn add(&mut self, text: &str) {
        let mut is_cold = false;
        let mut is_kernel = false;
        let mut written = Masks::default();
        for line in text.lines() {
            let mut words = line.split_whitespace();
            let first = words.next().unwrap_or_default();
            let second = words.next().unwrap_or_default();
            if first == ".section" || first == ".text" {
                is_cold = second.starts_with(".text.unlikely");
            } else if let Some(name) = function(line) {
                is_kernel = name.contains(KERNEL);
                written = Masks::default();
                if is_kernel {
                    self.kernels.push((name.to_owned(), BTreeSet::new()));
                }
                if !is_cold {
                    self.warm.insert(name.to_owned());
                }
            } else if is_kernel && let Some((kernel, calls)) = self.kernels.last_mut() {
                calls.extend(target(first, second).map(str::to_owned));
                if !written.follow(line) {
                    self.unwritten_masks.entry(kernel.clone()).or_insert_with(|| line.trim().to_owned());
                }
            }
        }
    }

    /// The forbidden calls, one line each.
    fn faults(&self) -> BTreeSet<String> {
        let describe =
            |(kernel, line): (&String, &String)| format!("{}: unwritten mask: {line}", readable(kernel));
        let mut faults: BTreeSet<String> = self.unwritten_masks.iter().map(describe).collect();
        for (kernel, calls) in &self.kernels {
            let is_fault = |call: &&String| {
                // A recursive kernel, or one merged with another of identical code, has the backend's instructions.
                let is_own = call.contains(KERNEL) && backend(call) == backend(kernel);
                !is_own && (self.warm.contains(*call) || is_indirect(call))
            };
            let describe = |call: &String| format!("{}: calls {}", readable(kernel), readable(call));
            faults.extend(calls.iter().filter(is_fault).map(describe));
        }
        faults
    }

    /// The kernels missing from backends, one line each.
    fn absent(&self) -> Vec<String> {
        let backends: BTreeSet<&str> = self.kernels.iter().map(|(kernel, _)| backend(kernel)).collect();
        if backends.is_empty() {
            return vec!["the assembly holds no kernel".to_owned()];
        }
        let mut absent = Vec::new();
        for (of, name) in backends.iter().flat_map(|of| CRATES.map(|name| (of, name))) {
            let is_one =
                |(kernel, _): &(String, _)| backend(kernel) == *of && kernel[of.len()..].contains(name);
            if !self.kernels.iter().any(is_one) {
                absent.push(format!("{}: no kernel of {name}", readable(of)));
            }
        }
        absent
    }
}

/// The part of a kernel's symbol that names the backend.
fn backend(kernel: &str) -> &str {
    kernel.split_once(KERNEL).map_or(kernel, |(backend, _)| backend)
}

/// The function that begins at this line, if it is a label that is not local.
fn function(line: &str) -> Option<&str> {
    let label = line.split_once(':').filter(|(name, _)| !name.starts_with(['.', '\t', ' ', '#', '/']))?;
    Some(label.0)
}

/// The target of an instruction that is a call or a jump.
fn target<'a>(instruction: &str, operand: &'a str) -> Option<&'a str> {
    // `*memcpy@GOTPCREL(%rip)` and `memcpy@PLT` are `memcpy`.
    let target = operand.split_once('@').map_or(operand, |(name, _)| name.trim_start_matches('*'));
    match instruction {
        "call" | "callq" | "bl" | "blr" => Some(target),
        // A jump to another function is a tail call; one through a register is a `match`.
        _ => (instruction.starts_with(['j', 'b']) && !target.starts_with(['*', '%'])).then_some(target),
    }
}

/// Whether a call's target is a register or memory instead of a symbol, as written on x86-64 (`*%rcx`) and Arm (`x8`).
fn is_indirect(target: &str) -> bool {
    target.starts_with(['*', 'x'])
}

/// The names in a mangled symbol, each of which is preceded by its length: `_RNvNtCs1XhZ_5codec4sspf6unpack` is
/// `codec::sspf::unpack`. Numbers of crates, impls, array lengths and repeated names, which end in `_`, are left out.
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

/// The mask registers that a function has written so far, in the order of its lines, ignoring jumps.
#[derive(Default)]
struct Masks([bool; 8]);

impl Masks {
    /// Follows an instruction. Returns whether it reads only written masks. The last operand is the destination; `{%k1}` beside it
    /// is read.
    fn follow(&mut self, line: &str) -> bool {
        let numbers = |text: &str| -> Vec<usize> {
            let digits = text.split("%k").skip(1).filter_map(|rest| rest.chars().next()?.to_digit(8));
            digits.map(|digit| digit as usize).collect()
        };
        let (sources, destination) = line.rsplit_once(',').unwrap_or_default();
        let (target, under) = destination.split_once('{').unwrap_or((destination, ""));
        // The result is all ones or all zeros, whatever the register contains.
        let is_constant = ["kxnor", "kxor"].iter().any(|name| sources.trim_start().starts_with(name));
        let reads = [numbers(sources), numbers(under)].concat();
        let is_constant = is_constant && matches!(reads[..], [first, second] if first == second);
        let is_sound = is_constant || reads.into_iter().all(|mask| self.0[mask]);
        numbers(target).into_iter().for_each(|mask| self.0[mask] = true);
        is_sound
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    const ASSEMBLY: &str = "\
\t.section\t.text._R1,\"ax\",@progbits
_RNvCs1XhZ_4bits4bmi213with_features14komabako_codec:
\t.cfi_startproc
.LBB0_1:
\tpextq\t%rax, %rdx, %rcx
\tcallq\t_RNv4core9panicking18panic_bounds_check
\tcallq\t*_RNv5codec7refusal@GOTPCREL(%rip)
\tcallq\tmemcpy@PLT
\tjne\t.LBB0_1
\tjmpq\t*%rax
\tcallq\t_RNvCs1XhZ_4bits4bmi213with_features14komabako_codec
\tjmp\t_RNv5codec4sspf6unpack
.Lfunc_end0:
\t.text
_RNv5codec4sspf6unpack:
\tcallq\t*%r12
\t.section\t.text.unlikely._RNv5codec7refusal,\"ax\",@progbits
_RNv5codec7refusal:
\tcallq\t_RNv5codec4sspf6unpack
\t.section\t.text._R2,\"ax\",@progbits
_RNv4bits4avx213with_features14komabako_rules:
\tcallq\t*%r12
\tblr\tx8
\tbl\t_RNvCs1XhZ_4bits4bmi213with_features14komabako_codec
";

    fn assembly() -> Assembly {
        let mut assembly = Assembly::default();
        assembly.add(ASSEMBLY);
        assembly
    }

    #[test]
    fn mangled_symbols_become_readable_paths() {
        let symbol = "_RINvMsm_NtCsgEmf_4core5arrayAyj4_7try_mapNtB4_3hcp";
        assert_eq!(readable(symbol), "core::array::try_map::hcp");
        assert_eq!(readable("*%r12"), "*%r12");
    }

    #[test]
    fn kernels_call_only_cold_or_precompiled_code() {
        let faults = assembly().faults();
        let expected = [
            "bits::avx2::with_features::komabako_rules: calls *%r12",
            "bits::avx2::with_features::komabako_rules: calls bits::bmi2::with_features::komabako_codec",
            "bits::avx2::with_features::komabako_rules: calls x8",
            "bits::bmi2::with_features::komabako_codec: calls codec::sspf::unpack",
        ];
        assert!(faults.iter().eq(&expected), "{faults:#?}");
    }

    #[test]
    fn each_backend_needs_a_kernel_of_each_crate() {
        assert_eq!(Assembly::default().absent(), ["the assembly holds no kernel"]);
        let absent = assembly().absent();
        assert_eq!(absent.len(), 6, "{absent:#?}");
        assert_eq!(absent[0], "bits::avx2: no kernel of komabako_codec");
    }

    #[test]
    fn the_newest_file_of_a_crate_is_read() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = |name: &str| directory.path().join(name);
        for (name, seconds) in [
            ("codec-1.s", 2),
            ("codec-2.s", 3),
            ("codec-3.s", 1),
            ("rules-1.a-b.s", 1),
            ("rules-1.c.s", 1),
            ("a.o", 1),
        ] {
            let file = fs::File::create(path(name)).expect("a file");
            file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)).expect("its time");
        }
        let files: Vec<_> = files(directory.path()).expect("the directory").collect();
        assert_eq!(files, [path("codec-2.s"), path("rules-1.a-b.s"), path("rules-1.c.s")]);
    }

    #[test]
    fn mask_must_be_written_before_it_is_read() {
        let follow = |lines: &[&str]| {
            let mut masks = Masks::default();
            lines.iter().all(|line| masks.follow(line))
        };
        assert!(follow(&["\tvptestmb\t%zmm4, %zmm4, %k2", "\tkmovq\t%k2, %rax", "\tkandq\t%k2, %k2, %k1"]));
        assert!(follow(&["\tkmovd\t%eax, %k1", "\tvpexpandb\t%zmm0, %zmm1 {%k1} {z}"]));
        assert!(follow(&["\tkxnorw\t%k0, %k0, %k1", "\tkmovd\t%k1, %eax"]));
        assert!(!follow(&["\tkxnorw\t%k0, %k1, %k1"]));
        assert!(!follow(&["\tvptestmb\t%ymm7, %ymm7, %k4", "\tkord\t%k3, %k4, %k3"]));
        assert!(!follow(&["\tvpexpandb\t%zmm0, %zmm1 {%k1} {z}"]));
    }
}

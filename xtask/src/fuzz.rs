//! `cargo xtask fuzz`: runs every fuzz target for a given time, and prints a table of the executions.

use std::path::Path;
use std::process::Stdio;
use std::{env, fs};

use clap::Args;

use crate::failure::Failure;
use crate::workspace::cargo;

/// The targets to run, and the time.
#[derive(Args)]
pub struct Options {
    /// The targets; all by default
    targets: Vec<String>,
    /// Seconds for each target
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// Also compare every backend with its reference, which is slow
    #[arg(long)]
    compare: bool,
    /// Trace the operands of comparisons, which guides better but takes twice the time
    #[arg(long)]
    trace_compares: bool,
    /// The rustup toolchain, which must be a nightly
    #[arg(long, value_name = "NAME", default_value = "nightly")]
    toolchain: String,
    /// The sanitizer for cargo-fuzz: address or none
    #[arg(long, value_name = "NAME", default_value = "address")]
    sanitizer: String,
}

/// The result of one target.
struct Outcome {
    executions: u64,
    per_second: u64,
    /// The output of the target, if it found a fault.
    fault: Option<String>,
}

/// Runs the targets one after the other, and fails at the end if any found a fault.
pub fn run(root: &Path, options: &Options) -> Result<(), Failure> {
    let all = names(root)?;
    if let Some(unknown) = options.targets.iter().find(|name| !all.contains(name)) {
        return Err(Failure::fault(format!("fuzz: unknown target {unknown}; see fuzz/fuzz_targets")));
    }
    let chosen = if options.targets.is_empty() { &all } else { &options.targets };
    let mut faults = Vec::new();
    let mut total = 0;
    println!("| target | executions | a second |\n|---|---|---|");
    for name in chosen {
        let outcome = fuzz(root, name, options)?;
        total += outcome.executions;
        println!("| `{name}` | {} | {} |", outcome.executions, outcome.per_second);
        faults.extend(outcome.fault.map(|fault| format!("fuzz: {name}\n{fault}")));
    }
    println!("| all | {total} | |");
    Failure::unless_empty(faults)
}

/// The names of the targets, sorted.
fn names(root: &Path) -> Result<Vec<String>, Failure> {
    let directory = root.join("fuzz/fuzz_targets");
    let entries = fs::read_dir(&directory).map_err(Failure::io(&directory))?;
    let mut names = Vec::new();
    for entry in entries {
        let path = entry.map_err(Failure::io(&directory))?.path();
        names.extend(path.file_stem().map(|stem| stem.to_string_lossy().into_owned()));
    }
    names.sort();
    Ok(names)
}

/// The longest useful input in bytes: longer ones reach no new code and only take more time. For records it is two and a part.
fn longest_input(name: &str) -> u32 {
    match name {
        "r238_unrank" => 32,
        "csa_move" | "japanese_move" | "move16" | "usi_move" => 40,
        "word_explain" => 48,
        "decompress" => 64,
        "detect" | "read_compact32" | "read_compact36" | "read_ext36" | "read_words" => 80,
        "read_hcpe" | "read_hcpe2" | "read_psv" | "read_psv_lenient" => 100,
        "archive_file" | "loader_plan" | "loader_state" => 1024,
        "archive_payload" | "archive_records" => 512,
        "kifu_text" | "read_csa" | "setup_pack" | "sfen_parse" | "sniff" => 128,
        _ if name.ends_with("_unpack") || name.ends_with("_lenient") => 48,
        _ => 192,
    }
}

/// Whether libFuzzer records only which edges an execution takes, not their counts. Counts guide better through loops, but in
/// these targets, which take many edges, evaluating them took a quarter of the time: without this they ran at 16,000 to 19,700
/// executions per second.
fn ignores_edge_counts(name: &str) -> bool {
    let names = "kifu_text read_csa read_kif read_pack read_psv_lenient read_sfen read_words word_explain";
    names.split(' ').any(|known| known == name)
}

/// A compiler flag that leaves out the checks that `detect_stack_use_after_return` of [`ASAN`] would only disable at run time.
const WITHOUT_USE_AFTER_RETURN: &str = "-Cllvm-args=-asan-use-after-return=never";

/// Options of the address sanitizer. It does not check for uses of a stack frame after return, which safe Rust cannot have and
/// whose check takes a third of the time. Freed memory stays in quarantine only for about one execution. Allocations record no
/// stack trace.
const ASAN: &str = "detect_stack_use_after_return=0:malloc_context_size=0:quarantine_size_mb=1";

fn fuzz(root: &Path, name: &str, options: &Options) -> Result<Outcome, Failure> {
    let mut cargo = cargo(root, &format!("+{} fuzz run {name}", options.toolchain));
    cargo.args(["--sanitizer", &options.sanitizer]);
    if options.compare {
        cargo.args(["--features", "compare"]);
    }
    if !options.trace_compares {
        cargo.arg("--no-trace-compares");
    }
    cargo.args(["--", "-print_final_stats=1", "-print_funcs=0", "-detect_leaks=0"]);
    // libFuzzer's work after each execution takes most of the time, and these two take a third of it: weighting inputs by the
    // rarity of their features, and looking for a shorter input for each feature.
    cargo.args(["-entropic=0", "-reduce_inputs=0"]);
    cargo.arg(format!("-max_total_time={}", options.seconds));
    cargo.arg(format!("-max_len={}", longest_input(name)));
    if ignores_edge_counts(name) {
        cargo.arg("-use_counters=0");
    }
    let dictionary = Path::new("fuzz/dictionaries").join(name).with_extension("dict");
    if root.join(&dictionary).is_file() {
        cargo.arg(format!("-dict={}", dictionary.display()));
    }
    if env::var_os("ASAN_OPTIONS").is_none() {
        cargo.env("ASAN_OPTIONS", ASAN);
    }
    if env::var_os("RUSTFLAGS").is_none() {
        cargo.env("RUSTFLAGS", WITHOUT_USE_AFTER_RETURN);
    }
    let output = cargo.stdout(Stdio::null()).stderr(Stdio::piped()).output();
    let output = output.map_err(Failure::run(&cargo))?;
    let text = String::from_utf8_lossy(&output.stderr);
    let statistic = |key: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix("stat::")?.strip_prefix(key));
        line.and_then(|value| value.trim_start_matches(':').trim().parse().ok())
    };
    let executions = statistic("number_of_executed_units");
    if executions.is_none() && !output.status.success() && !text.contains("SUMMARY: ") {
        // This is not a fault found by the target: it did not compile or run.
        return Err(Failure::program(&cargo, &text));
    }
    Ok(Outcome {
        executions: executions.unwrap_or(0),
        per_second: statistic("average_exec_per_sec").unwrap_or(0),
        fault: (!output.status.success()).then(|| text.into_owned()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_target_is_a_program_with_inputs() {
        let root = crate::workspace::root();
        let manifest = fs::read_to_string(root.join("fuzz/Cargo.toml")).unwrap();
        let names = names(&root).unwrap();
        assert_eq!(manifest.matches("[[bin]]").count(), names.len());
        for name in names {
            assert!(manifest.contains(&format!("path = \"fuzz_targets/{name}.rs\"")), "{name}");
            assert!(root.join("fuzz/corpus").join(&name).is_dir(), "{name} has no corpus");
        }
    }
}

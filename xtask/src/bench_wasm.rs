//! `cargo xtask bench-wasm`: measures the codecs in a module for browsers, under Node, with and without simd128.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use clap::Args;

use crate::bench_matrix::build;
use crate::bench_matrix::record::{self, Record, Row};
use crate::failure::Failure;
use crate::web::{self, TARGET};
use crate::workspace::output;

/// The directory of the program and its driver.
const SOURCES: &str = "benches/wasm";

/// The builds to measure: the name in records, the backend, the flags.
const BUILDS: [(&str, &str, &str); 2] = [
    ("wasm32", "soft", ""),
    ("wasm32 +simd128", "simd128", "-C target-feature=+simd128 --cfg komabako_backend=\"simd128\""),
];

#[derive(Args)]
pub struct Options {
    /// The number of runs of each module
    #[arg(long, default_value_t = 5)]
    rounds: usize,
    /// One round and no record, to check that everything runs
    #[arg(long)]
    quick: bool,
    /// The processor to measure on; the last one by default
    #[arg(long)]
    cpu: Option<usize>,
}

/// Builds both modules, measures them in turn, prints the table, and writes the record.
pub fn run(root: &Path, options: &Options) -> Result<(), Failure> {
    let toolchain = web::toolchain(root).map_err(|missing| Failure::Faults(vec![missing]))?;
    let mut node = Command::new("node");
    node.arg("--version");
    let version = output(&mut node)?;
    let mut modules = Vec::new();
    for (name, backend, flags) in BUILDS {
        eprintln!("bench-wasm: building {name}");
        modules.push((name, backend, compile(root, &toolchain, backend, flags)?));
    }
    let cpu = options.cpu.unwrap_or_else(build::last_cpu);
    let rounds = if options.quick { 1 } else { options.rounds };
    let mut record = Record::default();
    for round in 1..=rounds {
        for (name, backend, module) in &modules {
            eprintln!("bench-wasm: round {round}/{rounds}: {name}");
            let mut node = build::pinned(cpu, Path::new("node"));
            node.arg(root.join(SOURCES).join("measure.mjs")).arg(module);
            for line in output(&mut node)?.lines() {
                let row = Row::parse_measured(line).ok_or_else(|| {
                    Failure::program(&node, &format!("this is not a row of a benchmark: {line}"))
                })?;
                record.add(name, backend, "corpus.sfen", row);
            }
        }
    }
    print!("{}", table(&record));
    if !options.quick {
        let rows_are = format!("{}\nUnder Node {}.", record::MEDIANS, version.trim());
        for path in record::write(root, "-wasm", &rows_are, &record.to_csv())? {
            eprintln!("bench-wasm: wrote {}", path.display());
        }
    }
    Ok(())
}

/// Builds the module with these flags. Compiler warnings are errors.
fn compile(root: &Path, toolchain: &web::Toolchain, name: &str, flags: &str) -> Result<PathBuf, Failure> {
    // A library for JavaScript only, in a workspace of its own, so that its exported names cannot clash with other crates.
    let place = root.join("target/bench-wasm").join(name);
    fs::create_dir_all(&place).map_err(Failure::io(&place))?;
    let manifest = place.join("Cargo.toml");
    fs::write(&manifest, manifest_text(root)).map_err(Failure::io(&manifest))?;
    let lock = root.join("Cargo.lock");
    fs::copy(&lock, place.join("Cargo.lock")).map_err(Failure::io(&lock))?;
    let mut cargo = toolchain.cargo();
    cargo.current_dir(&place).args([
        "build",
        "--quiet",
        "--release",
        "--target",
        TARGET,
        "--target-dir",
        "target",
    ]);
    cargo.env("RUSTFLAGS", format!("-D warnings {flags}")).env_remove("CARGO_ENCODED_RUSTFLAGS");
    output(&mut cargo)?;
    Ok(place.join("target").join(TARGET).join("release/measure.wasm"))
}

fn manifest_text(root: &Path) -> String {
    let dependency = |name: &str| {
        format!("{name} = {{ path = {:?}, default-features = false }}\n", root.join("crates").join(name))
    };
    format!(
        "[package]\nname = \"measure\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
        [lib]\ncrate-type = [\"cdylib\"]\npath = {:?}\n\n\
        [profile.release]\ncodegen-units = 1\n\n\
        [dependencies]\n{}{}{}\n[workspace]\n",
        root.join(SOURCES).join("measure.rs"),
        dependency("komabako-bits"),
        dependency("komabako-board"),
        dependency("komabako-codec"),
    )
}

/// A table with a row per format and operation and a column per build.
fn table(record: &Record) -> String {
    let mut text = format!("| ns | {} |\n|---|---|---|\n", BUILDS.map(|(name, ..)| name).join(" | "));
    for entry in record.entries.iter().filter(|entry| entry.build == BUILDS[0].0) {
        let times: Vec<String> = record
            .entries
            .iter()
            .filter(|other| {
                (&other.row.format, &other.row.operation) == (&entry.row.format, &entry.row.operation)
            })
            .map(|other| format!("{:.0}", other.row.nanoseconds))
            .collect();
        text += &format!("| {}, {} | {} |\n", entry.row.format, entry.row.operation, times.join(" | "));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn builds_are_adjacent_columns() {
        let mut record = Record::default();
        for ((build, backend, _), time) in BUILDS.into_iter().zip(["150", "100"]) {
            let row = Row::parse_measured(&format!("komabako,psv,pack,{time}")).expect("a row");
            record.add(build, backend, "corpus.sfen", row);
        }
        assert_eq!(
            table(&record),
            "| ns | wasm32 | wasm32 +simd128 |\n|---|---|---|\n| psv, pack | 150 | 100 |\n"
        );
    }
}

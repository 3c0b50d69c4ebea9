//! `cargo xtask bench-jobs`: the instructions of whole jobs by the crate that executes them, counted with callgrind. Unlike times
//! they do not depend on the machine's load. Jobs run on two inputs, one twice as long: the difference is the cost per record.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use clap::Args;

use crate::failure::Failure;
use crate::workspace::{MEASURED, measured_build, output};

/// The number of records in the shorter input; the other has twice as many.
const RECORDS: u32 = 40_000;
const HEADER: &str = "job,per,crate,instructions";
/// The file of the last counts.
const RECORD: &str = "benches/record/instructions-jobs.csv";
/// Crates with rows of their own. The first one found in a function's name counts: the name of a kernel contains its backend and
/// the code that it runs.
const CRATES: [&str; 7] = [
    "komabako_codec",
    "komabako_variants",
    "komabako_record",
    "komabako_dataset",
    "komabako_cli",
    "twox_hash",
    "clap_builder",
];

#[derive(Args)]
pub struct Options {
    /// Print only, and write no record
    #[arg(long)]
    no_record: bool,
}

/// Instructions by crate.
type Counts = BTreeMap<&'static str, f64>;

/// Counts instructions, prints them, and writes the record.
pub fn run(root: &Path, options: &Options) -> Result<(), Failure> {
    let mut build = measured_build(root, "komabako-cli", "komabako");
    output(build.args(["-p", "komabako-benches", "--bin", "games"]))?;
    let programs = root.join("target").join(MEASURED);
    let directory = root.join("target/bench-jobs");
    std::fs::create_dir_all(&directory).map_err(Failure::io(&directory))?;
    let input = |records: u32| -> Result<PathBuf, Failure> {
        let path = directory.join(format!("{records}.psv"));
        output(Command::new(programs.join("games")).args([&records.to_string(), "0.2", "1"]).arg(&path))?;
        Ok(path)
    };
    let inputs = [input(RECORDS)?, input(2 * RECORDS)?];
    let mut csv = format!("{HEADER}\n");
    let counted = |arguments: &[&str], paths: &[&Path]| {
        count(&directory.join("counts"), &programs.join("komabako"), arguments, paths)
    };
    add(&mut csv, "formats", "run", &counted(&["formats"], &[])?);
    let jobs: [(&str, &[&str], &str); 4] = [
        ("psv to hcpe", &["convert", "--from", "psv"], "out.hcpe"),
        ("dedup", &["dedup", "--from", "psv"], "out.psv"),
        ("shuffle", &["shuffle", "--from", "psv", "--seed", "1"], "out.psv"),
        ("validate", &["validate", "--from", "psv"], ""),
    ];
    for (name, arguments, to) in jobs {
        let common: &[&str] =
            if to.is_empty() { &["--threads", "1"] } else { &["--force", "--threads", "1"] };
        let arguments = [arguments, common].concat();
        let to = directory.join(to);
        let of = |input: &Path| {
            let paths = [input, &to];
            counted(&arguments, if to == directory { &paths[..1] } else { &paths })
        };
        let (short, mut long) = (of(&inputs[0])?, of(&inputs[1])?);
        for (name, count) in &mut long {
            *count = (*count - short.get(name).unwrap_or(&0.0)) / f64::from(RECORDS);
        }
        add(&mut csv, name, "record", &long);
    }
    print!("{csv}");
    if !options.no_record {
        let path = root.join(RECORD);
        std::fs::write(&path, csv).map_err(Failure::io(&path))?;
    }
    Ok(())
}

fn add(csv: &mut String, job: &str, per: &str, counts: &Counts) {
    for (name, count) in counts.iter().chain([(&"all", &counts.values().sum())]) {
        _ = writeln!(csv, "{job},{per},{name},{count:.0}");
    }
}

/// Runs the program under callgrind, where it uses `bmi2`: callgrind does not support AVX-512.
fn count(file: &Path, program: &Path, arguments: &[&str], paths: &[&Path]) -> Result<Counts, Failure> {
    let mut valgrind = Command::new("valgrind");
    valgrind.arg("--tool=callgrind").arg(format!("--callgrind-out-file={}", file.display()));
    output(valgrind.arg(program).args(arguments).args(paths))?;
    let text = std::fs::read_to_string(file).map_err(Failure::io(file))?;
    parse(&text).ok_or_else(|| Failure::program(&valgrind, "this is not a file of callgrind's"))
}

/// The instructions of each crate in a callgrind file, without those of the functions that it calls. `None` if the file is not a
/// callgrind file.
fn parse(text: &str) -> Option<Counts> {
    let (mut counts, mut names) = (Counts::new(), BTreeMap::new());
    let (mut current, mut is_call) = (None, false);
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("fn=").or_else(|| line.strip_prefix("cfn=")) {
            // A name is written out at its first occurrence, and only its number afterwards.
            let (number, name) = rest.split_once(')')?;
            let crate_name = *names.entry(number).or_insert_with(|| crate_of(name));
            if line.starts_with("fn=") {
                current = Some(crate_name);
            }
        } else if line.starts_with("calls=") {
            // The next line is the cost of the called function.
            is_call = true;
        } else if line.starts_with(|first: char| first.is_ascii_digit() || "+-*".contains(first)) {
            if !is_call {
                *counts.entry(current?).or_default() += line.split(' ').nth(1)?.parse::<f64>().ok()?;
            }
            is_call = false;
        }
    }
    (!counts.is_empty()).then_some(counts)
}

/// The crate that a function belongs to.
fn crate_of(function: &str) -> &'static str {
    CRATES.into_iter().find(|name| function.contains(name)).unwrap_or("others")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_not_counted_twice() {
        let text = "events: Ir\nfn=(1) komabako_codec::pack\n10 5\n+2 7\ncfn=(2) memcpy\ncalls=1 3\n12 100\n* 1\n\
                    fn=(2)\n3 100\nfn=(1)\n4 2\n";
        let expected = Counts::from([("komabako_codec", 15.0), ("others", 100.0)]);
        assert_eq!(parse(text), Some(expected));
        assert_eq!(parse("nothing"), None);
    }
}

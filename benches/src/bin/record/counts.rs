//! Verbs that count instructions with callgrind. Unlike times they do not depend on the machine's load. AVX-512 is not counted:
//! callgrind does not support it.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use clap::Args;

use crate::programs::{build, output, root};

/// The committed baseline: instructions per position.
const BASELINE: &str = "benches/record/instructions.csv";
const BASELINE_HEADER: &str = "backend,format,operation,instructions";

/// A count above the baseline by more than this factor is a regression.
const TOLERANCE: f64 = 1.05;

/// Flags of a build for a CPU, and the backend on which it is compared with the plain build.
const FOR_A_CPU: (&str, &str) = ("-Ctarget-cpu=x86-64-v3", "bmi2");

/// A count of the build for a CPU above the plain build's by more than this factor is a regression.
const TOLERANCE_FOR_A_CPU: f64 = 1.10;

#[derive(Args)]
pub struct CheckOptions {
    /// Write the counts as the new baseline
    #[arg(long)]
    bless: bool,
}

/// Instructions by name: `backend,format,operation` of a codec, or a crate.
type Counts = BTreeMap<String, f64>;

/// Counts the instructions of every codec, and compares them with the baseline or writes a new one. Then it compares a build for a
/// CPU with the plain one: there the compiler has more instructions to choose from, also where it chooses badly.
pub fn check(options: &CheckOptions) -> Result<()> {
    if Command::new("valgrind").arg("--version").output().is_err() {
        println!("bench-check: skipped, valgrind not found (install it to count instructions)");
        return Ok(());
    }
    let counts = count_codecs("", "plain", None)?;
    let (flags, backend) = FOR_A_CPU;
    let plain: Counts = counts
        .iter()
        .filter(|(row, _)| row.starts_with(backend))
        .map(|(row, &count)| (row.clone(), count))
        .collect();
    let slower = if plain.is_empty() {
        Vec::new()
    } else {
        above(
            &plain,
            "in the plain build",
            &count_codecs(flags, "for-a-cpu", Some(backend))?,
            TOLERANCE_FOR_A_CPU,
        )
    };
    ensure!(slower.is_empty(), "with {flags}:\n{}", slower.join("\n"));
    let path = root().join(BASELINE);
    if options.bless {
        fs::write(&path, to_csv(&counts))?;
        println!("bench-check: {} counts written to {BASELINE}", counts.len());
        return Ok(());
    }
    let text = fs::read_to_string(&path).context(BASELINE)?;
    let regressions = above(&from_csv(&text)?, "in the baseline", &counts, TOLERANCE);
    ensure!(regressions.is_empty(), "{}", regressions.join("\n"));
    println!(
        "bench-check: {} counts within 5 % of {BASELINE}, {} with {flags} within 10 % of the plain build's",
        counts.len(),
        plain.len()
    );
    Ok(())
}

/// Builds the workloads with these compiler flags and runs them, on all backends or one, under callgrind, which writes one file per
/// call of `counted`. `name` is that of a directory.
fn count_codecs(flags: &str, name: &str, backend: Option<&str>) -> Result<Counts> {
    let built = root().join("target/bench-check").join(name);
    let target = if flags.is_empty() { None } else { Some(&*built) };
    let programs = build(&["instructions"], flags, target, &["--no-default-features"])?;
    let directory = built.join("counts");
    if directory.exists() {
        fs::remove_dir_all(&directory)?;
    }
    fs::create_dir_all(&directory)?;
    let mut valgrind = Command::new("valgrind");
    valgrind.args([
        "--tool=callgrind",
        "--toggle-collect=instructions::counted",
        "--dump-after=instructions::counted",
    ]);
    valgrind.arg(format!("--callgrind-out-file={}", directory.join("out").display()));
    valgrind.arg(programs.join("instructions"));
    if let Some(backend) = backend {
        valgrind.env("KOMABAKO_BACKEND", backend);
    }
    let printed = output(&mut valgrind)?;
    let mut rows: Vec<&str> = printed.lines().collect();
    let positions = rows.pop().and_then(|line| line.parse::<f64>().ok());
    let positions = positions.context("the last line is the number of positions")?;
    let mut counts = Counts::new();
    for (index, row) in rows.into_iter().enumerate() {
        let path = directory.join(format!("out.{}", index + 1));
        let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        let total = text.lines().find_map(|line| line.strip_prefix("totals: ")?.trim().parse::<f64>().ok());
        counts.insert(
            row.to_owned(),
            total.with_context(|| format!("{}: no totals", path.display()))? / positions,
        );
    }
    Ok(counts)
}

/// The counts that are above others, found where `place` says, by more than a factor, or missing there. Backends that this CPU lacks
/// are neither counted nor required.
fn above(others: &Counts, place: &str, counts: &Counts, tolerance: f64) -> Vec<String> {
    let mut found = Vec::new();
    for (row, &count) in counts {
        match others.get(row) {
            None => found.push(format!("{row}: not {place}")),
            Some(&other) if count > other * tolerance => {
                found.push(format!("{row}: {count:.1} instructions a position, {other:.1} {place}"));
            }
            Some(_) => {}
        }
    }
    found
}

fn to_csv(counts: &Counts) -> String {
    let mut csv = format!("{BASELINE_HEADER}\n");
    for (row, count) in counts {
        _ = writeln!(csv, "{row},{count:.1}");
    }
    csv
}

fn from_csv(csv: &str) -> Result<Counts> {
    let mut counts = Counts::new();
    for line in csv.lines().skip(1) {
        let (row, count) =
            line.rsplit_once(',').with_context(|| format!("{BASELINE}: not a count: {line}"))?;
        let count = count.parse().with_context(|| format!("{BASELINE}: not a count: {line}"))?;
        counts.insert(row.to_owned(), count);
    }
    Ok(counts)
}

#[derive(Args)]
pub struct JobsOptions {
    /// Print only, and write no record
    #[arg(long)]
    no_record: bool,
}

/// The number of records in the shorter input; the other has twice as many.
const RECORDS: u32 = 40_000;

/// The file of the last counts of jobs.
const JOBS: &str = "benches/record/instructions-jobs.csv";

/// Crates with rows of their own. The first one found in a function's name counts: the name of a kernel contains its backend and
/// the code that it runs.
const CRATES: [&str; 7] = [
    "komabako_codec",
    "komabako_variants",
    "komabako_record",
    "komabako_dataset",
    "komabako::",
    "twox_hash",
    "clap_builder",
];

/// Counts the instructions of whole jobs by crate, on two inputs of which one is twice as long: the difference is the cost per
/// record. Prints them, and writes the record.
pub fn jobs(options: &JobsOptions) -> Result<()> {
    let programs = build(&["komabako", "games"], "", None, &[])?;
    let directory = root().join("target/bench-jobs");
    fs::create_dir_all(&directory)?;
    let input = |records: u32| -> Result<PathBuf> {
        let path = directory.join(format!("{records}.psv"));
        output(Command::new(programs.join("games")).args([&records.to_string(), "0.2", "1"]).arg(&path))?;
        Ok(path)
    };
    let short = input(RECORDS)?;
    let long = input(2 * RECORDS)?;
    let counts_file = directory.join("counts");
    let counted = |arguments: &[&str], paths: &[&Path]| {
        count_job(&counts_file, &programs.join("komabako"), arguments, paths)
    };
    let mut csv = "job,per,crate,instructions\n".to_owned();
    add(&mut csv, "formats", "run", &counted(&["formats"], &[])?);
    let jobs: [(&str, &[&str], Option<&str>); 4] = [
        ("psv to hcpe", &["convert", "--from", "psv", "--force"], Some("out.hcpe")),
        ("dedup", &["dedup", "--from", "psv", "--force"], Some("out.psv")),
        ("shuffle", &["shuffle", "--from", "psv", "--seed", "1", "--force"], Some("out.psv")),
        ("validate", &["validate", "--from", "psv"], None),
    ];
    for (name, arguments, to) in jobs {
        let arguments = [arguments, &["--threads", "1"]].concat();
        let to = to.map(|to| directory.join(to));
        let of = |input: &Path| {
            let mut paths = vec![input];
            paths.extend(to.as_deref());
            counted(&arguments, &paths)
        };
        let fewer = of(&short)?;
        let mut more = of(&long)?;
        for (name, count) in &mut more {
            *count = (*count - fewer.get(name).unwrap_or(&0.0)) / f64::from(RECORDS);
        }
        add(&mut csv, name, "record", &more);
    }
    print!("{csv}");
    if !options.no_record {
        fs::write(root().join(JOBS), csv)?;
    }
    Ok(())
}

fn add(csv: &mut String, job: &str, per: &str, counts: &Counts) {
    for (name, count) in counts {
        // Of differences some are just below 0.
        let count = count.round() as i64;
        _ = writeln!(csv, "{job},{per},{name},{count}");
    }
    _ = writeln!(csv, "{job},{per},all,{:.0}", counts.values().sum::<f64>());
}

/// Runs the program under callgrind, where it uses `bmi2`.
fn count_job(file: &Path, program: &Path, arguments: &[&str], paths: &[&Path]) -> Result<Counts> {
    let mut valgrind = Command::new("valgrind");
    valgrind.arg("--tool=callgrind").arg(format!("--callgrind-out-file={}", file.display()));
    output(valgrind.arg(program).args(arguments).args(paths))?;
    let text = fs::read_to_string(file)?;
    by_crate(&text).with_context(|| format!("{} is not a file of callgrind's", file.display()))
}

/// The instructions of each crate in a callgrind file, without those of the functions that it calls. `None` if the file is not a
/// callgrind file.
fn by_crate(text: &str) -> Option<Counts> {
    let mut counts = Counts::new();
    let mut names = BTreeMap::new();
    let mut current = None;
    let mut is_call = false;
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
                *counts.entry(current?.to_owned()).or_default() +=
                    line.split(' ').nth(1)?.parse::<f64>().ok()?;
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

    fn counts(rows: &[(&str, f64)]) -> Counts {
        rows.iter().map(|&(row, count)| (row.to_owned(), count)).collect()
    }

    #[test]
    fn csv_round_trips() {
        let counts = counts(&[("bmi2,psv,pack", 410.5), ("soft,hcp,unpack", 1279.0)]);
        assert_eq!(from_csv(&to_csv(&counts)).expect("its own form"), counts);
        assert!(from_csv("header\nno count\n").is_err());
    }

    #[test]
    fn more_than_five_percent_is_a_regression() {
        let baseline = counts(&[("a", 100.0), ("b", 100.0), ("absent here", 1.0)]);
        let found = |counted| above(&baseline, "before", &counts(counted), TOLERANCE);
        assert!(found(&[("a", 105.0), ("b", 50.0)]).is_empty());
        assert_eq!(
            found(&[("a", 105.1), ("new", 1.0)]),
            ["a: 105.1 instructions a position, 100.0 before", "new: not before"]
        );
    }

    #[test]
    fn calls_are_not_counted_twice() {
        let text = "events: Ir\nfn=(1) komabako_codec::pack\n10 5\n+2 7\ncfn=(2) memcpy\ncalls=1 3\n12 100\n* 1\n\
                    fn=(2)\n3 100\nfn=(1)\n4 2\n";
        assert_eq!(by_crate(text), Some(counts(&[("komabako_codec", 15.0), ("others", 100.0)])));
        assert_eq!(by_crate("nothing"), None);
    }
}

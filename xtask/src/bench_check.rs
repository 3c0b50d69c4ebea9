//! `cargo xtask bench-check`: instructions per position of every codec, counted with callgrind, against the committed
//! baseline. Unlike times they do not depend on the machine's load. AVX-512 is not counted: callgrind does not support it.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

use clap::Args;

use crate::failure::Failure;
use crate::workspace::{MEASURED, measured_build, output};

/// The committed baseline: `backend,format,operation,instructions per position`.
const BASELINE: &str = "benches/record/instructions.csv";
const HEADER: &str = "backend,format,operation,instructions";

/// A count above the baseline by more than this factor is a regression.
const TOLERANCE: f64 = 1.05;

#[derive(Args)]
pub struct Options {
    /// Write the counts as the new baseline
    #[arg(long)]
    bless: bool,
}

/// Instructions per position by `backend,format,operation`.
type Counts = BTreeMap<String, f64>;

/// Counts instructions, and compares them with the baseline or writes a new one.
pub fn run(root: &Path, options: &Options) -> Result<(), Failure> {
    if Command::new("valgrind").arg("--version").output().is_err() {
        println!("bench-check: skipped, valgrind not found (install it to count instructions)");
        return Ok(());
    }
    let counts = count(root)?;
    let path = root.join(BASELINE);
    if options.bless {
        std::fs::write(&path, to_csv(&counts)).map_err(Failure::io(&path))?;
        println!("bench-check: {} counts written to {BASELINE}", counts.len());
        return Ok(());
    }
    let text = std::fs::read_to_string(&path).map_err(Failure::io(&path))?;
    let regressions = compare(&from_csv(&text)?, &counts);
    Failure::unless_empty(regressions)?;
    println!("bench-check: {} counts within 5 % of {BASELINE}", counts.len());
    Ok(())
}

/// Runs the workloads under callgrind, which writes one file per call of `counted`.
fn count(root: &Path) -> Result<Counts, Failure> {
    output(measured_build(root, "komabako-benches", "instructions").arg("--no-default-features"))?;
    let directory = root.join("target/bench-check");
    if directory.exists() {
        std::fs::remove_dir_all(&directory).map_err(Failure::io(&directory))?;
    }
    std::fs::create_dir_all(&directory).map_err(Failure::io(&directory))?;
    let mut valgrind = Command::new("valgrind");
    valgrind
        .args([
            "--tool=callgrind",
            "--toggle-collect=instructions::counted",
            "--dump-after=instructions::counted",
        ])
        .arg(format!("--callgrind-out-file={}", directory.join("out").display()))
        .arg(root.join("target").join(MEASURED).join("instructions"));
    let printed = output(&mut valgrind)?;
    let mut rows: Vec<&str> = printed.lines().collect();
    let positions: f64 = rows
        .pop()
        .and_then(|line| line.parse().ok())
        .ok_or_else(|| Failure::program(&valgrind, "the last line is not the number of positions"))?;

    let mut counts = Counts::new();
    for (index, row) in rows.into_iter().enumerate() {
        let path = directory.join(format!("out.{}", index + 1));
        let text = std::fs::read_to_string(&path).map_err(Failure::io(&path))?;
        let total = text.lines().find_map(|line| line.strip_prefix("totals: ")?.trim().parse::<f64>().ok());
        let total = total.ok_or_else(|| Failure::Faults(vec![format!("{}: no totals", path.display())]))?;
        counts.insert(row.to_owned(), total / positions);
    }
    Ok(counts)
}

/// The counts above the baseline's limit or missing in it. Backends that this CPU lacks are neither counted nor required.
fn compare(baseline: &Counts, counts: &Counts) -> Vec<String> {
    let finding = |(row, &count): (&String, &f64)| match baseline.get(row) {
        None => Some(format!("{row}: not in the baseline; write it with --bless")),
        Some(&before) if count > before * TOLERANCE => {
            Some(format!("{row}: {count:.1} instructions a position, {before:.1} in the baseline"))
        }
        Some(_) => None,
    };
    counts.iter().filter_map(finding).collect()
}

fn to_csv(counts: &Counts) -> String {
    let mut csv = format!("{HEADER}\n");
    for (row, count) in counts {
        _ = writeln!(csv, "{row},{count:.1}");
    }
    csv
}

fn from_csv(csv: &str) -> Result<Counts, Failure> {
    let parse = |(index, line): (usize, &str)| {
        let parsed =
            line.rsplit_once(',').and_then(|(row, count)| Some((row.to_owned(), count.parse().ok()?)));
        let problem = || Failure::Faults(vec![format!("{BASELINE}, line {}: not a count", index + 1)]);
        parsed.ok_or_else(problem)
    };
    csv.lines().enumerate().skip(1).map(parse).collect()
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
        assert_eq!(from_csv(&to_csv(&counts)).ok(), Some(counts));
        assert!(from_csv("header\nno count\n").is_err());
    }

    #[test]
    fn more_than_five_percent_is_a_finding() {
        let baseline = counts(&[("a", 100.0), ("b", 100.0), ("absent here", 1.0)]);
        assert!(compare(&baseline, &counts(&[("a", 105.0), ("b", 50.0)])).is_empty());
        assert_eq!(compare(&baseline, &counts(&[("a", 105.1), ("new", 1.0)])).len(), 2);
    }
}

//! `cargo xtask bench-perft`, `bench-features`, `bench-kifu`, `bench-solve` and `bench-solve-long`: rates beside peers, in one run
//! on one processor: perft nodes per second, features of packed positions, game records read and converted, mate problems
//! solved.
//!
//! Our program is the plain build, which selects its instructions at run time; the peers of `benches/peers` are built for
//! this CPU. The programs run in turn, round after round; a figure is the median of its rounds. Our program and rsshogi's
//! check every count.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use clap::Args;

use crate::bench_matrix::{build, record};
use crate::failure::Failure;
use crate::workspace::{MEASURED, measured_build, output};

/// The programs to measure, and the output.
#[derive(Args)]
pub struct Options {
    /// The number of runs of each program
    #[arg(long, default_value_t = 7)]
    rounds: usize,
    /// One round and no record, to check that everything runs
    #[arg(long)]
    quick: bool,
    /// Build and measure the peers in benches/peers
    #[arg(long)]
    peers: bool,
    /// Measure a program that prints the same lines as the programs of `benches/peers`
    #[arg(long, value_name = "PROGRAM")]
    peer: Vec<PathBuf>,
    /// Print how each row differs from an earlier record
    #[arg(long, value_name = "RECORD.csv")]
    compare: Option<PathBuf>,
    /// The processor to measure on; the last one by default
    #[arg(long)]
    cpu: Option<usize>,
}

/// A benchmark of rates.
pub struct Bench {
    /// The verb: `bench-` and the name of the record.
    verb: &'static str,
    /// The name of the program, ours and the peers'.
    program: &'static str,
    /// The arguments of each program, before the path of its data.
    arguments: &'static [&'static str],
    /// The first line of a record.
    header: &'static str,
    /// Makes the data for the programs, and returns its path.
    prepare: fn(&Path, &Path) -> Result<Option<PathBuf>, Failure>,
    /// An argument with which our program measures on all processors, once per round.
    on_all: Option<&'static str>,
}

/// Perft nodes.
pub const PERFT: Bench = Bench {
    verb: "bench-perft",
    program: "perft",
    arguments: &["1"],
    header: "program,counting,position,depth,millions of nodes per second",
    prepare: |_, _| Ok(None),
    on_all: None,
};

/// Arrays, planes, indices and masks that trainers compute from packed positions.
pub const FEATURES: Bench = Bench {
    verb: "bench-features",
    program: "features",
    arguments: &["1"],
    header: "program,work,positions,unit,figure",
    prepare: |_, _| Ok(None),
    on_all: None,
};

/// Game records, read and converted to records of positions.
pub const KIFU: Bench = Bench {
    verb: "bench-kifu",
    program: "kifu",
    arguments: &["1"],
    header: "program,work,corpus,unit,rate",
    prepare: |root, program| {
        let corpus = root.join("target/bench-kifu");
        let mut make = Command::new(program);
        make.arg("--corpus").arg(root.join("crates/komabako-kifu/tests/data")).arg(&corpus);
        output(&mut make)?;
        Ok(Some(corpus))
    },
    on_all: Some("--threads"),
};

/// Mate problems solved.
pub const SOLVE: Bench = Bench {
    verb: "bench-solve",
    program: "solve",
    arguments: &["1"],
    header: "program,goal,set,unit,figure",
    prepare: |root, _| Ok(Some(root.join("crates/komabako-tsume/tests/data"))),
    on_all: Some("--threads"),
};

/// The famous long mate problems, with tables of 8 GiB and at most 150 seconds for each.
pub const SOLVE_LONG: Bench =
    Bench { verb: "bench-solve-long", arguments: &["--long", "8192", "150"], on_all: None, ..SOLVE };

/// The name that our program prints.
const OURS: &str = "komabako";

/// A measured quantity, and its rate in each round.
struct Row {
    /// The columns of the header except the rate: the program, the work, its input, and a depth or a unit.
    key: [String; 4],
    rates: Vec<f64>,
}

impl Row {
    /// Reads a line of a program or a record.
    fn parse(line: &str) -> Option<Row> {
        let [program, counting, position, depth, rate] =
            line.split(',').collect::<Vec<_>>().try_into().ok()?;
        let rate = rate.parse().ok().filter(|rate: &f64| rate.is_finite() && *rate > 0.0)?;
        Some(Row { key: [program, counting, position, depth].map(str::to_owned), rates: vec![rate] })
    }

    fn median(&self) -> f64 {
        let mut rates = self.rates.clone();
        rates.sort_by(f64::total_cmp);
        rates[rates.len() / 2]
    }
}

/// Builds and measures the programs, prints the tables, and writes the record.
pub fn run(root: &Path, bench: &Bench, options: &Options) -> Result<(), Failure> {
    let Bench { verb, program, arguments, header, prepare, on_all } = bench;
    let earlier = options.compare.as_deref().map(|path| read(path, header)).transpose()?;
    output(&mut measured_build(root, "komabako-benches", program))?;
    let ours = root.join("target").join(MEASURED).join(program);
    let data = prepare(root, &ours)?;
    let mut programs = vec![ours.clone()];
    programs.extend(options.peer.iter().cloned());
    if options.peers {
        programs.extend(build::peers(root, program)?);
    }

    let cpu = options.cpu.unwrap_or_else(build::last_cpu);
    let rounds = if options.quick { 1 } else { options.rounds };
    let mut rows = Vec::new();
    for round in 1..=rounds {
        let mut commands: Vec<Command> = Vec::new();
        for program in &programs {
            let mut command = build::pinned(cpu, program);
            command.args(*arguments);
            commands.push(command);
        }
        if let Some(argument) = on_all {
            let mut command = Command::new(&ours);
            command.arg(argument);
            commands.push(command);
        }
        for mut command in commands {
            command.args(&data);
            eprintln!("{verb}: round {round}/{rounds}: {command:?}");
            for line in output(&mut command)?.lines() {
                let row = Row::parse(line).ok_or_else(|| {
                    Failure::program(&command, &format!("this is not a row of {verb}: {line}"))
                })?;
                add(&mut rows, row);
            }
        }
    }
    print!("{}", markdown(&rows));
    if let Some(earlier) = earlier {
        print!("{}", comparison(&rows, &earlier));
    }
    if !options.quick {
        let name = verb.trim_start_matches("bench");
        for path in record::write(root, name, record::MEDIANS, &csv(&rows, header))? {
            eprintln!("{verb}: wrote {}", path.display());
        }
    }
    Ok(())
}

/// Adds a row of one round to the earlier rounds.
fn add(rows: &mut Vec<Row>, row: Row) {
    match rows.iter_mut().find(|old| old.key == row.key) {
        Some(old) => old.rates.extend(row.rates),
        None => rows.push(row),
    }
}

fn csv(rows: &[Row], header: &str) -> String {
    let mut csv = format!("{header}\n");
    for row in rows {
        writeln!(csv, "{},{:.1}", row.key.join(","), row.median()).expect("text takes text");
    }
    csv
}

fn read(path: &Path, header: &str) -> Result<Vec<Row>, Failure> {
    let text = std::fs::read_to_string(path).map_err(Failure::io(path))?;
    let rows = text.strip_prefix(header).and_then(|rows| rows.trim().lines().map(Row::parse).collect());
    rows.ok_or_else(|| {
        Failure::Faults(vec![format!(
            "{} is no record of this: its first line is not `{header}`, or a row is broken",
            path.display()
        )])
    })
}

/// A table for each kind of work: a row per program, a column per input, with the speed-up of our program.
fn markdown(rows: &[Row]) -> String {
    let mut text = String::new();
    for counting in distinct(rows, 1) {
        let here: Vec<&Row> = rows.iter().filter(|row| row.key[1] == counting).collect();
        let mut columns: Vec<[&str; 2]> = Vec::new();
        for row in &here {
            let column = [row.key[2].as_str(), &row.key[3]];
            if !columns.contains(&column) {
                columns.push(column);
            }
        }
        let heads: Vec<String> = columns.iter().map(|column| column.join(" ")).collect();
        writeln!(text, "\n| {counting} | {} |", heads.join(" | ")).expect("text takes text");
        writeln!(text, "|---|{}", "---|".repeat(columns.len())).expect("text takes text");
        for program in distinct(rows, 0).into_iter().filter(|name| here.iter().any(|row| row.key[0] == *name))
        {
            let cells: Vec<String> = columns
                .iter()
                .map(|[position, depth]| {
                    let rate = |program: &str| {
                        let key = [program, counting, position, depth];
                        here.iter().find(|row| row.key == key).map(|row| row.median())
                    };
                    match (rate(program), rate(OURS)) {
                        (Some(rate), Some(ours)) if program != OURS => {
                            format!("{} ({:.2}×)", format_rate(rate), ours / rate)
                        }
                        (Some(rate), _) => format_rate(rate),
                        (None, _) => "–".to_owned(),
                    }
                })
                .collect();
            writeln!(text, "| {program} | {} |", cells.join(" | ")).expect("text takes text");
        }
    }
    text
}

/// A rate with about three digits.
fn format_rate(rate: f64) -> String {
    if rate < 100.0 { format!("{rate:.1}") } else { format!("{rate:.0}") }
}

/// Each row of `now` beside the same row of `earlier`, with the ratio.
fn comparison(now: &[Row], earlier: &[Row]) -> String {
    let mut text = "\n| program | work | input | | earlier | now | now / earlier |\n".to_owned();
    text += &format!("|{}\n", "---|".repeat(7));
    for row in now {
        if let Some(old) = earlier.iter().find(|old| old.key == row.key) {
            let (before, after) = (old.median(), row.median());
            text +=
                &format!("| {} | {before:.1} | {after:.1} | {:.2} |\n", row.key.join(" | "), after / before);
        }
    }
    text
}

/// The distinct names in one column of the keys, in the order of the rows.
fn distinct(rows: &[Row], column: usize) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for row in rows {
        if !names.contains(&row.key[column].as_str()) {
            names.push(&row.key[column]);
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(lines: &[&str]) -> Vec<Row> {
        let mut rows = Vec::new();
        lines.iter().for_each(|line| add(&mut rows, Row::parse(line).expect("a row")));
        rows
    }

    #[test]
    fn table_has_medians_and_ratios_to_peers() {
        let rows = rows(&[
            "komabako,list,mid,4,400",
            "peer,list,mid,4,200",
            "peer,list,mid,4,160",
            "peer,list,mid,4,10",
        ]);
        let table = markdown(&rows);
        assert_eq!(table, "\n| list | mid 4 |\n|---|---|\n| komabako | 400 |\n| peer | 160 (2.50×) |\n");
    }

    #[test]
    fn record_round_trips_through_csv() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("record.csv");
        std::fs::write(&path, csv(&rows(&["komabako,make,max,2,93.5"]), PERFT.header)).expect("a file");
        assert!(read(&path, KIFU.header).is_err());
        let read = read(&path, PERFT.header).expect("its own form");
        assert_eq!((read.len(), read[0].median()), (1, 93.5));
        assert!(comparison(&read, &read).contains("| max | 2 | 93.5 | 93.5 | 1.00 |"));
    }

    #[test]
    fn broken_rows_are_refused() {
        for line in
            ["", "komabako,list,mid,4", "komabako,list,mid,4,fast", "komabako,list,mid,4,-1", "a,b,c,d,1,2"]
        {
            assert!(Row::parse(line).is_none(), "{line}");
        }
    }
}

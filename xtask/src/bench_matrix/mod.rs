//! `cargo xtask bench-matrix`: the benchmarks across builds, backends and peers, in one run on one machine.
//!
//! The programs are run in turn, round after round, each on one processor; the figure of a row is the median of its
//! rounds. Only ratios of one record mean anything: absolute times move with the machine and the hour.

pub mod build;
pub mod record;
mod table;

use std::path::{Path, PathBuf};
use std::process::Command;

use clap::Args;

use crate::failure::Failure;
use crate::workspace::output;
use record::{Record, Row};

/// What to measure and where to put it.
#[derive(Args)]
pub struct Options {
    /// One round of few repetitions, and no record: to see that everything runs
    #[arg(long)]
    quick: bool,
    /// Print the rows as JSON instead of tables
    #[arg(long)]
    json: bool,
    /// Print how each row differs from an earlier record
    #[arg(long, value_name = "RECORD.csv")]
    compare: Option<PathBuf>,
    /// Build and measure the peers in benches/peers
    #[arg(long)]
    peers: bool,
    /// Measure a program that prints `peer,format,operation,nanoseconds` lines when given a corpus
    #[arg(long, value_name = "PROGRAM")]
    peer: Vec<PathBuf>,
    /// The processor to measure on; without it the last one
    #[arg(long)]
    cpu: Option<usize>,
}

/// The corpora, below `benches/corpus`.
const CORPORA: [&str; 2] = ["corpus.sfen", "five.sfen"];

/// Something that prints rows when it is run with a corpus.
struct Program {
    build: String,
    backend: String,
    path: PathBuf,
    arguments: Vec<String>,
}

/// Builds, measures, prints, and writes the record.
pub fn run(root: &Path, options: &Options) -> Result<(), Failure> {
    let earlier = options.compare.as_deref().map(Record::read).transpose()?;
    let programs = programs(root, options)?;
    let rounds = if options.quick { 1 } else { 3 };
    let total = rounds * programs.len() * CORPORA.len();
    let mut record = Record::default();
    let mut done = 0;
    for round in 1..=rounds {
        for program in &programs {
            for corpus in CORPORA {
                done += 1;
                eprintln!(
                    "bench-matrix: [{done}/{total}] round {round}: {} {}, {corpus}",
                    program.build, program.backend
                );
                measure(root, options, program, corpus, &mut record)?;
            }
        }
    }
    if options.json {
        println!("{}", record.to_json());
    } else {
        print!("{}", table::markdown(&record));
    }
    if let Some(earlier) = earlier {
        print!("{}", table::comparison(&record, &earlier));
    }
    if !options.quick {
        for path in record.write(root)? {
            eprintln!("bench-matrix: wrote {}", path.display());
        }
    }
    Ok(())
}

/// Everything to run: our program in each build, in the plain build on each backend, and the peers.
fn programs(root: &Path, options: &Options) -> Result<Vec<Program>, Failure> {
    let mut programs = Vec::new();
    for build in build::BUILDS {
        if let Err(missing) = build.runs_here() {
            eprintln!("bench-matrix: {} is skipped: this CPU lacks {missing}", build.name);
            continue;
        }
        eprintln!("bench-matrix: building {}", build.name);
        let path = build.compile(root)?;
        if build.is_plain() {
            for backend in backends(&path)? {
                programs.push(Program {
                    build: build.name.to_owned(),
                    arguments: vec!["--backend".to_owned(), backend.clone()],
                    backend,
                    path: path.clone(),
                });
            }
        }
        let (build, backend) = (build.name.to_owned(), "detected".to_owned());
        programs.push(Program { build, backend, path, arguments: Vec::new() });
    }
    let mut peers = options.peer.clone();
    if options.peers {
        peers.extend(build::peers(root)?);
    }
    programs.extend(peers.into_iter().map(|path| Program {
        build: "peer".to_owned(),
        backend: path.display().to_string(),
        path,
        arguments: Vec::new(),
    }));
    Ok(programs)
}

/// The backends that a build of our program has on this CPU.
fn backends(path: &Path) -> Result<Vec<String>, Failure> {
    let mut command = Command::new(path);
    command.arg("--backends");
    Ok(output(&mut command)?.lines().map(str::to_owned).collect())
}

/// Runs a program on a corpus and adds its rows.
fn measure(
    root: &Path,
    options: &Options,
    program: &Program,
    corpus: &str,
    record: &mut Record,
) -> Result<(), Failure> {
    let cpu = options.cpu.unwrap_or_else(last_cpu);
    let mut command = build::pinned(cpu, &program.path);
    command.args(&program.arguments);
    if options.quick && program.build != "peer" {
        command.arg("--quick");
    }
    command.arg(root.join("benches/corpus").join(corpus));
    for line in output(&mut command)?.lines() {
        let row = Row::parse_measured(line).ok_or_else(|| {
            Failure::program(&command, &format!("this is not a row of a benchmark: {line}"))
        })?;
        let backend = if program.build == "peer" { "-" } else { &program.backend };
        record.add(&program.build, backend, corpus, row);
    }
    Ok(())
}

fn last_cpu() -> usize {
    std::thread::available_parallelism().map_or(0, |count| count.get() - 1)
}

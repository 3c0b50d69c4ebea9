//! `cargo xtask bench-matrix`: the benchmarks across builds, backends and peers, in one run on one machine.
//!
//! The programs run in turn, round after round, each on one processor; the figure of a row is the median of its rounds.
//! Only ratios within one record are meaningful: absolute times vary with the machine and the hour.

pub mod build;
pub mod record;
mod table;

use std::convert::Infallible;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::str::FromStr;

use clap::Args;
use clap::builder::PossibleValuesParser;

use crate::failure::Failure;
use crate::workspace::output;
use record::{Record, Row};

/// The programs to measure, and the output.
#[derive(Args)]
pub struct Options {
    /// One round of few repetitions and no record, to check that everything runs
    #[arg(long)]
    quick: bool,
    /// Print the rows as JSON instead of tables
    #[arg(long)]
    json: bool,
    /// Print how each row differs from an earlier record
    #[arg(long, value_name = "RECORD.csv")]
    compare: Option<PathBuf>,
    /// Measure only this build, or these; all by default
    #[arg(long, value_name = "BUILD", value_parser = PossibleValuesParser::new(build::BUILDS.iter().map(|build| build.name)))]
    build: Vec<String>,
    /// Build and measure the peers in benches/peers
    #[arg(long)]
    peers: bool,
    /// Measure a program that prints `peer,format,operation,nanoseconds` lines for a corpus; the record names it NAME, or by
    /// default the name that it prints
    #[arg(long, value_name = "[NAME=]PROGRAM")]
    peer: Vec<Peer>,
    /// The processor to measure on; the last one by default
    #[arg(long)]
    cpu: Option<usize>,
    /// The number of runs of each program
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u8).range(1..))]
    rounds: u8,
    /// Print the tables of the documentation, with a column for each of these records, and measure nothing
    #[arg(long, value_name = "RECORD.csv")]
    tables: Vec<PathBuf>,
}

/// The corpora, below `benches/corpus`.
const CORPORA: [&str; 2] = ["corpus.sfen", "five.sfen"];

/// A program by other authors.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Peer {
    name: Option<String>,
    path: PathBuf,
}

impl FromStr for Peer {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        let (name, path) = text.split_once('=').map_or((None, text), |(name, path)| (Some(name), path));
        Ok(Peer { name: name.map(str::to_owned), path: path.into() })
    }
}

/// A program that prints rows when it is run with a corpus.
struct Program {
    build: String,
    backend: String,
    /// Its name in the record, instead of the name it prints.
    name: Option<String>,
    path: PathBuf,
    arguments: Vec<String>,
}

/// The build name of programs by others.
const PEER: &str = "peer";

/// Builds and measures the programs, prints the tables, and writes the record.
pub fn run(root: &Path, options: &Options) -> Result<(), Failure> {
    if !options.tables.is_empty() {
        let records = options.tables.iter().map(|path| Record::read(path)).collect::<Result<Vec<_>, _>>()?;
        print!("{}", table::documentation(&records));
        return Ok(());
    }
    let earlier = options.compare.as_deref().map(Record::read).transpose()?;
    let programs = programs(root, options)?;
    let rounds = if options.quick { 1 } else { usize::from(options.rounds) };
    let total = rounds * programs.len() * CORPORA.len();
    let mut record = Record::default();
    let mut done = 0;
    for round in 1..=rounds {
        for program in &programs {
            for corpus in CORPORA {
                done += 1;
                let what = match program.build.as_str() {
                    PEER => program.path.display().to_string(),
                    build => format!("{build} {}", program.backend),
                };
                eprintln!("bench-matrix: [{done}/{total}] round {round}: {what}, {corpus}");
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

/// The programs to run: ours in each build, in the plain build also on each backend, and the peers.
fn programs(root: &Path, options: &Options) -> Result<Vec<Program>, Failure> {
    let mut programs = Vec::new();
    let asked = |build: &&build::Build| {
        options.build.is_empty() || options.build.iter().any(|name| name == build.name)
    };
    for build in build::BUILDS.iter().filter(asked) {
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
                    name: None,
                    path: path.clone(),
                });
            }
        }
        let (build, backend) = (build.name.to_owned(), "detected".to_owned());
        programs.push(Program { build, backend, name: None, path, arguments: Vec::new() });
    }
    let mut peers = options.peer.clone();
    if options.peers {
        peers.extend(build::peers(root, "codec")?.into_iter().map(|path| Peer { name: None, path }));
    }
    programs.extend(peers.into_iter().map(|Peer { name, path }| Program {
        build: PEER.to_owned(),
        backend: "-".to_owned(),
        name,
        path,
        arguments: Vec::new(),
    }));
    Ok(programs)
}

/// The backends of a build of our program that this CPU supports.
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
    let cpu = options.cpu.unwrap_or_else(build::last_cpu);
    let mut command = build::pinned(cpu, &program.path);
    command.args(&program.arguments);
    if options.quick && program.build != PEER {
        command.arg("--quick");
    }
    command.arg(root.join("benches/corpus").join(corpus));
    for line in output(&mut command)?.lines() {
        let mut row = Row::parse_measured(line).ok_or_else(|| {
            Failure::program(&command, &format!("this is not a row of a benchmark: {line}"))
        })?;
        if let Some(name) = &program.name {
            row.program.clone_from(name);
        }
        record.add(&program.build, &program.backend, corpus, row);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_peer_may_be_given_a_name() {
        let peer = |text: &str| text.parse::<Peer>().expect("every text is one");
        assert_eq!(peer("/bin/packer"), Peer { name: None, path: "/bin/packer".into() });
        assert_eq!(
            peer("native=/bin/packer"),
            Peer { name: Some("native".to_owned()), path: "/bin/packer".into() }
        );
    }
}

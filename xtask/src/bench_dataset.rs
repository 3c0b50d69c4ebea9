//! `cargo xtask bench-dataset`: jobs on a file larger than their memory: rate, peak memory and peak disk, beside the announced
//! limits.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::str::FromStr;
use std::thread;
use std::time::{Duration, Instant};

use clap::Args;

use crate::bench_convert::high_water;
use crate::bench_matrix::record;
use crate::failure::Failure;
use crate::workspace::{MEASURED, TELLING_SYMBOLS, output};

/// The input, the limits and the output.
#[derive(Args)]
pub struct Options {
    /// The number of records in the input, of 40 bytes each
    #[arg(long, default_value_t = 100_000_000)]
    records: u64,
    /// The share of games that repeat an earlier game of the input
    #[arg(long, default_value = "0.2")]
    duplicates: String,
    /// The memory that each job may take
    #[arg(long, default_value = "1G")]
    max_memory: String,
    /// The number of threads
    #[arg(long, default_value_t = 2)]
    threads: usize,
    /// The directory for the input, the outputs and the temporary files; `target/bench-dataset` by default
    #[arg(long)]
    directory: Option<PathBuf>,
    /// Measure another program's command too; `{input}`, `{output}` and `{directory}` in it are replaced by paths
    #[arg(long, value_name = "NAME=COMMAND")]
    peer: Vec<Peer>,
    /// The number of runs of each job; the time is the median, memory and disk are the maximum
    #[arg(long, default_value = "1", value_parser = clap::value_parser!(u64).range(1..))]
    rounds: u64,
    /// Print only, and write no record
    #[arg(long)]
    no_record: bool,
    /// Use the programs of the dev profile
    #[arg(long)]
    dev: bool,
}

/// The step of `ci`: a small version, with programs of the dev profile.
pub fn check(root: &Path) -> Result<(), Failure> {
    let options = Options {
        records: 1_000_000,
        duplicates: "0.2".to_owned(),
        max_memory: "96M".to_owned(),
        threads: 2,
        directory: None,
        peer: Vec::new(),
        rounds: 1,
        no_record: true,
        dev: true,
    };
    run(root, &options)
}

/// The names of the files.
const INPUT: &str = "input.psv";
const OUTPUT: &str = "out.psv";

/// A job's name, its command, its options, and its second file if it takes two; such a job has a memory limit.
const JOBS: [(&str, &str, &[&str], Option<&str>); 6] = [
    ("validate", "validate", &[], None),
    ("dedup", "dedup", &[], Some(OUTPUT)),
    ("shuffle", "shuffle", &["--seed", "1"], Some(OUTPUT)),
    ("shuffle --phased", "shuffle", &["--seed", "1", "--phased"], Some(OUTPUT)),
    ("dedup --shuffle-seed", "dedup", &["--shuffle-seed", "1"], Some(OUTPUT)),
    ("diff", "diff", &[], Some(INPUT)),
];

/// A command of another program.
#[derive(Clone, Debug)]
struct Peer {
    name: String,
    words: Vec<String>,
}

impl FromStr for Peer {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (name, command) = text.split_once('=').ok_or("NAME=COMMAND is expected")?;
        let words: Vec<String> = command.split_whitespace().map(str::to_owned).collect();
        if words.is_empty() || name.contains(',') {
            return Err("a name without a comma and a command are expected");
        }
        Ok(Peer { name: name.to_owned(), words })
    }
}

impl Peer {
    /// The command with its paths filled in and its temporary files in `directory`.
    fn command(&self, input: &Path, out: &Path, directory: &Path) -> Command {
        let paths = [("{input}", input), ("{output}", out), ("{directory}", directory)];
        let filled = |word: &String| {
            paths
                .iter()
                .fold(word.clone(), |word, (name, path)| word.replace(name, &path.display().to_string()))
        };
        let mut words = self.words.iter().map(filled);
        let mut command = Command::new(words.next().unwrap_or_default());
        command.args(words).env("TMPDIR", directory);
        command
    }
}

/// The factor by which memory, measured from outside, may exceed its limit.
const MEMORY_MARGIN: f64 = 1.1;

/// A job and its measurements.
struct Row {
    job: String,
    command: Command,
    /// The wall time of each round.
    seconds: Vec<f64>,
    /// The maximum of all rounds.
    taken: Resources,
    /// The announced limits; `None` for a job without a memory limit and for a peer.
    announced: Option<Resources>,
}

/// Bytes of memory, and bytes on disk besides the input.
#[derive(Clone, Copy, Default)]
struct Resources {
    memory: u64,
    disk: u64,
}

impl Row {
    fn new(job: &str, command: Command, announced: Option<Resources>) -> Self {
        Row { job: job.to_owned(), command, seconds: Vec::new(), taken: Resources::default(), announced }
    }

    /// The median time of all rounds; the upper one of two.
    fn median(&self) -> f64 {
        let mut seconds = self.seconds.clone();
        seconds.sort_by(f64::total_cmp);
        seconds[seconds.len() / 2]
    }
}

/// Makes the input, runs each job, and writes the record.
pub fn run(root: &Path, options: &Options) -> Result<(), Failure> {
    let directory = options.directory.clone().unwrap_or_else(|| root.join("target/bench-dataset"));
    std::fs::create_dir_all(&directory).map_err(Failure::io(&directory))?;
    let profile = if options.dev { "dev" } else { MEASURED };
    let mut cargo = Command::new("cargo");
    cargo.current_dir(root).args(["build", "--quiet", "--locked", "--profile", profile]);
    if !options.dev {
        cargo.env("RUSTFLAGS", TELLING_SYMBOLS).env_remove("CARGO_ENCODED_RUSTFLAGS");
    }
    output(cargo.args([
        "-p",
        "komabako-cli",
        "-p",
        "komabako-benches",
        "--bin",
        "komabako",
        "--bin",
        "games",
    ]))?;
    let programs = root.join("target").join(if options.dev { "debug" } else { MEASURED });
    let input = directory.join(INPUT);
    let mut games = Command::new(programs.join("games"));
    games.args([&options.records.to_string(), &options.duplicates, "1"]).arg(&input);
    eprint!("bench-dataset: {}", output(&mut games)?);
    let komabako = programs.join("komabako");
    let mut rows = Vec::new();
    let out = directory.join(OUTPUT);
    for (job, command, own, second) in JOBS {
        if !has_command(&komabako, command) {
            eprintln!("bench-dataset: skipped, not a command of this build: {job}");
            continue;
        }
        let with = |more: &[&str]| {
            let mut program = Command::new(&komabako);
            program.arg(command).arg(&input).args(own).args(["--threads", &options.threads.to_string()]);
            if let Some(second) = second {
                program.arg(directory.join(second)).args(["--max-memory", &options.max_memory]);
            }
            // Temporary files in the default directory must be counted too.
            program.args(more).env("TMPDIR", &directory);
            program
        };
        let announced = second.map(|_| announced(&mut with(&["--dry-run", "--json"]))).transpose()?;
        rows.push(Row::new(job, with(&[]), announced));
    }
    let peers = options.peer.iter();
    rows.extend(peers.map(|peer| Row::new(&peer.name, peer.command(&input, &out, &directory), None)));
    for round in 1..=options.rounds {
        for Row { job, command, seconds, taken, .. } in &mut rows {
            eprintln!("bench-dataset: round {round} of {}: {job}", options.rounds);
            let (time, needs) = measured(command, &directory)?;
            seconds.push(time);
            taken.memory = taken.memory.max(needs.memory);
            taken.disk = taken.disk.max(needs.disk.saturating_sub(options.records * 40));
            if out.exists() {
                std::fs::remove_file(&out).map_err(Failure::io(&out))?;
            }
        }
    }
    let csv = csv(&rows, options);
    print!("{csv}");
    std::fs::remove_file(&input).map_err(Failure::io(&input))?;
    Failure::unless_empty(rows.iter().flat_map(faults).collect())?;
    if !options.no_record {
        let note = format!("Every time is the median of {} runs.", options.rounds);
        for path in record::write(root, "-dataset", &note, &csv)? {
            eprintln!("bench-dataset: wrote {}", path.display());
        }
    }
    Ok(())
}

/// Whether the program has a command.
fn has_command(program: &Path, command: &str) -> bool {
    output(Command::new(program).args([command, "--help"])).is_ok()
}

/// The memory limit and the peak disk use that a dry run announces.
fn announced(dry_run: &mut Command) -> Result<Resources, Failure> {
    let text = output(dry_run)?;
    let report: serde_json::Value =
        serde_json::from_str(&text).map_err(|error| Failure::program(dry_run, &error.to_string()))?;
    let needs = &report["needs"];
    let number = |value: &serde_json::Value| {
        value.as_u64().ok_or_else(|| Failure::program(dry_run, "a dry run announces memory and disk"))
    };
    Ok(Resources { memory: number(&needs["memory_limit"])?, disk: number(&needs["disks"][0]["peak"])? })
}

/// Runs a program. Returns its wall time in seconds, its peak memory, and the peak of the bytes in a directory.
fn measured(command: &mut Command, directory: &Path) -> Result<(f64, Resources), Failure> {
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let start = Instant::now();
    let mut child = command.spawn().map_err(|error| Failure::program(command, &error.to_string()))?;
    let status_file = format!("/proc/{}/status", child.id());
    let (mut memory, mut disk) = (0.0, 0);
    let status = loop {
        if let Some(status) =
            child.try_wait().map_err(|error| Failure::program(command, &error.to_string()))?
        {
            break status;
        }
        memory = high_water(&std::fs::read_to_string(&status_file).unwrap_or_default()).unwrap_or(memory);
        disk = disk.max(bytes_in(directory));
        thread::sleep(Duration::from_millis(10));
    };
    let seconds = start.elapsed().as_secs_f64();
    // Exit code 1: findings, which records of random play have.
    if !matches!(status.code(), Some(0 | 1)) {
        return Err(Failure::program(command, &format!("ended with {status}")));
    }
    Ok((seconds, Resources { memory: (memory * 1024.0 * 1024.0) as u64, disk }))
}

/// The bytes of the files under a directory. Files that disappear meanwhile are not counted.
fn bytes_in(directory: &Path) -> u64 {
    let Ok(entries) = std::fs::read_dir(directory) else { return 0 };
    let bytes = |entry: std::fs::DirEntry| match entry.metadata() {
        Ok(known) if known.is_dir() => bytes_in(&entry.path()),
        Ok(known) => known.len(),
        Err(_) => 0,
    };
    entries.flatten().map(bytes).sum()
}

/// The faults of a job that took more than announced.
fn faults(row: &Row) -> Vec<String> {
    let Some(announced) = row.announced else { return Vec::new() };
    let above = |what, taken: u64, announced: u64, margin: f64| {
        let allowed = announced as f64 * margin;
        (taken as f64 > allowed)
            .then(|| format!("{}: {taken} bytes of {what}, {allowed:.0} announced", row.job))
    };
    let memory = above("memory", row.taken.memory, announced.memory, MEMORY_MARGIN);
    // The manifest is not announced.
    let disk = above("disk", row.taken.disk.saturating_sub(1 << 20), announced.disk, 1.0);
    memory.into_iter().chain(disk).collect()
}

fn csv(rows: &[Row], options: &Options) -> String {
    let mut csv =
        "job,threads,records,seconds,records per second,peak MiB of memory,announced,peak MiB on disk,\
                   announced\n"
            .to_owned();
    let mib = |bytes: u64| format!("{:.0}", bytes as f64 / f64::from(1 << 20));
    for row in rows {
        let Options { records, threads, .. } = options;
        let seconds = row.median();
        let announced =
            |part: fn(Resources) -> u64| row.announced.map_or("-".to_owned(), |needs| mib(part(needs)));
        writeln!(
            csv,
            "{},{threads},{records},{seconds:.2},{:.0},{},{},{},{}",
            row.job,
            *records as f64 / seconds,
            mib(row.taken.memory),
            announced(|needs| needs.memory),
            mib(row.taken.disk),
            announced(|needs| needs.disk)
        )
        .expect("text takes text");
    }
    csv
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exceeding_announced_resources_is_a_fault() {
        let announced = Resources { memory: 100 << 20, disk: 500 << 20 };
        let row = |memory, disk| Row {
            taken: Resources { memory, disk },
            ..Row::new("dedup", Command::new("komabako"), Some(announced))
        };
        assert!(faults(&row(105 << 20, 500 << 20)).is_empty());
        assert!(faults(&row(111 << 20, 500 << 20))[0].contains("memory"));
        assert!(faults(&row(105 << 20, 502 << 20))[0].contains("disk"));
    }

    #[test]
    fn the_time_is_the_median_of_the_rounds() {
        let row = Row { seconds: vec![3.0, 1.0, 2.0], ..Row::new("dedup", Command::new("komabako"), None) };
        assert_eq!(row.median(), 2.0);
    }

    #[test]
    fn a_peer_is_given_its_paths() {
        let peer: Peer = "shuffle=/bin/program --in {input} --out={output}".parse().expect("a peer");
        let command = peer.command(Path::new("/a"), Path::new("/b"), Path::new("/c"));
        assert_eq!(command.get_program(), "/bin/program");
        assert_eq!(command.get_args().collect::<Vec<_>>(), ["--in", "/a", "--out=/b"]);
        assert!("shuffle".parse::<Peer>().is_err() && "shuffle=".parse::<Peer>().is_err());
    }

    #[test]
    fn bytes_are_summed_recursively() {
        let directory = tempfile::tempdir().expect("a directory");
        let inner = directory.path().join("inner");
        std::fs::create_dir(&inner).expect("a directory");
        std::fs::write(inner.join("a"), [0; 7]).expect("a file");
        std::fs::write(directory.path().join("b"), [0; 5]).expect("a file");
        assert_eq!(bytes_in(directory.path()), 12);
    }
}

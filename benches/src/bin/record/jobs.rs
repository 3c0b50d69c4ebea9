//! Verbs that measure whole processes from outside: wall time, processor time, peak memory and peak disk.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use clap::Args;

use crate::programs::{MEASURED, build, output, peers, root};
use crate::record::Record;

/// The cost of one run of a process.
#[derive(Clone, Copy, Default)]
struct Cost {
    seconds: f64,
    /// On all processors; 0 if the system does not report it.
    cpu_seconds: f64,
    /// 0 if the system does not report it.
    peak_mib: f64,
    /// The most that the files of the watched directory took.
    disk_mib: f64,
}

/// Runs a program to its end, sampling its memory, its time and the size of a directory.
fn measure(command: &mut Command, directory: Option<&Path>) -> Result<Cost> {
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let start = Instant::now();
    let mut child = command.spawn().with_context(|| format!("{command:?}"))?;
    let own = format!("/proc/{}", child.id());
    let read = |name: &str| fs::read_to_string(format!("{own}/{name}")).unwrap_or_default();
    let mut cost = Cost::default();
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        cost.peak_mib = peak_mib(&read("status")).unwrap_or(cost.peak_mib);
        cost.cpu_seconds = cpu_seconds(&read("stat")).unwrap_or(cost.cpu_seconds);
        if let Some(directory) = directory {
            cost.disk_mib = cost.disk_mib.max(bytes_in(directory) as f64 / MIB);
        }
        thread::sleep(Duration::from_millis(2));
    };
    cost.seconds = start.elapsed().as_secs_f64();
    // Exit code 1: findings, or bad records that were skipped as requested.
    ensure!(matches!(status.code(), Some(0 | 1)), "{command:?}: {status}");
    Ok(cost)
}

const MIB: f64 = (1 << 20) as f64;

/// The line `VmHWM: N kB` of a process's status, in MiB.
fn peak_mib(status: &str) -> Option<f64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix(" kB")?.parse::<f64>().ok()? / 1024.0)
}

/// The time in user and system mode from `/proc/PID/stat`, in seconds: fields 14 and 15, in hundredths. The second field is a
/// name in brackets, which may contain spaces.
fn cpu_seconds(stat: &str) -> Option<f64> {
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(11);
    let mut next = || fields.next()?.parse::<f64>().ok();
    Some((next()? + next()?) / 100.0)
}

/// The bytes of the files under a directory. Files that disappear meanwhile are not counted.
fn bytes_in(directory: &Path) -> u64 {
    let Ok(entries) = fs::read_dir(directory) else { return 0 };
    let bytes = |entry: fs::DirEntry| match entry.metadata() {
        Ok(known) if known.is_dir() => bytes_in(&entry.path()),
        Ok(known) => known.len(),
        Err(_) => 0,
    };
    entries.flatten().map(bytes).sum()
}

/// Makes a file of records of random games, of which a share repeats earlier ones.
fn make_games(programs: &Path, records: u64, duplicates: &str, path: &Path) -> Result<()> {
    let mut games = Command::new(programs.join("games"));
    eprint!("{}", output(games.args([&records.to_string(), duplicates, "1"]).arg(path))?);
    Ok(())
}

/// The amount to convert.
#[derive(Args)]
pub struct ConvertOptions {
    /// The number of records in the input, from random games, with hardly any duplicates
    #[arg(long, default_value_t = 10_000_000)]
    records: u64,
    /// The number of threads of each program
    #[arg(long, default_value_t = 2)]
    threads: usize,
    /// The number of repetitions
    #[arg(long, default_value_t = 5)]
    repetitions: usize,
    /// Print only, and write no record
    #[arg(long)]
    no_record: bool,
}

/// The number of runs of each small job, which takes milliseconds.
const SMALL_RUNS: usize = 101;

/// The size of a PSV record in bytes.
const PSV: usize = 40;

/// Measures whole conversions beside a peer, one of a file in which every second record is bad, and the time to start the
/// program and to recognise a small file.
pub fn convert(options: &ConvertOptions) -> Result<()> {
    let directory = root().join("target/bench-convert");
    fs::create_dir_all(&directory)?;
    let programs = build(&["komabako", "games"], "", None, &[])?;
    peers("convert")?;
    let at = |name: &str| directory.join(name);
    make_games(&programs, options.records, "0", &at("input.psv"))?;
    spoil_half(&at("input.psv"), &at("half-bad.psv"))?;
    let threads = options.threads.to_string();
    let ours = |from: &Path, to: &str, more: &[&str]| {
        let mut command = Command::new(programs.join("komabako"));
        command.arg("convert").args([from, &at(to)]).args(["--force", "--threads", &threads]).args(more);
        command
    };
    let theirs = |from: &str, to: &str| {
        let mut command = Command::new(root().join("benches/peers/rsshogi/target/release/convert"));
        command.args([at(from), at(to)]).arg(&threads);
        command
    };
    let skipping = ["--from", "psv", "--on-error", "skip"];
    let mut jobs = [
        ("komabako", "psv to hcpe", ours(&at("input.psv"), "there.hcpe", &[])),
        ("rsshogi", "psv to hcpe", theirs("input.psv", "peer-there.hcpe")),
        ("komabako", "hcpe to psv", ours(&at("there.hcpe"), "back.psv", &[])),
        ("rsshogi", "hcpe to psv", theirs("there.hcpe", "peer-back.psv")),
        (
            "komabako",
            "psv to hcpe with every second record bad",
            ours(&at("half-bad.psv"), "half.hcpe", &skipping),
        ),
    ];
    let mut record = Record::new("program,conversion,unit,figure");
    let records = options.records as f64;
    for repetition in 1..=options.repetitions {
        for (program, conversion, command) in &mut jobs {
            eprintln!("repetition {repetition}/{}: {program}, {conversion}", options.repetitions);
            let cost = measure(command, None)?;
            let mut add = |unit, figure| record.add(&[program, conversion, unit], figure);
            add("records per second", records / cost.seconds);
            add("records per CPU second", records / cost.cpu_seconds.max(0.01));
            add("peak MiB", cost.peak_mib);
        }
    }
    for name in ["there.hcpe", "back.psv"] {
        let theirs = at(&format!("peer-{name}"));
        ensure!(
            fs::read(at(name))? == fs::read(&theirs)?,
            "{} differs: one program is wrong",
            theirs.display()
        );
    }
    let sample = root().join("data/sample.psv");
    let mut formats = Command::new(programs.join("komabako"));
    formats.arg("formats");
    let mut small = [
        ("true", "start", Command::new("true")),
        ("komabako", "start", formats),
        ("komabako", "sample of 2000 recognised", ours(&sample, "small.hcpe", &[])),
        ("komabako", "sample of 2000 with --from", ours(&sample, "small.hcpe", &["--from", "psv"])),
    ];
    for _ in 0..SMALL_RUNS {
        for (program, conversion, command) in &mut small {
            // Sampling would take longer than the job.
            let start = Instant::now();
            output(command)?;
            record.add(&[program, conversion, "ms"], start.elapsed().as_secs_f64() * 1e3);
        }
    }
    print!("{}", record.to_csv());
    if !options.no_record {
        let note = format!("{} records, {threads} threads.\n", options.records);
        record.write("-convert", MEASURED, &note)?;
    }
    fs::remove_dir_all(&directory)?;
    Ok(())
}

/// Copies a PSV file, replacing every second position with one that strict readers refuse.
fn spoil_half(from: &Path, to: &Path) -> Result<()> {
    let mut bytes = fs::read(from)?;
    for record in bytes.chunks_exact_mut(PSV).step_by(2) {
        record[..32].fill(0xff);
    }
    fs::write(to, bytes).with_context(|| to.display().to_string())
}

/// The input, the limits and the output.
#[derive(Args)]
pub struct DatasetOptions {
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
    peer: Vec<String>,
    /// The number of runs of each job
    #[arg(long, default_value_t = 1)]
    rounds: u64,
    /// Print only, and write no record
    #[arg(long)]
    no_record: bool,
    /// The directory of the programs `komabako` and `games`; they are built if it is not given
    #[arg(long)]
    programs: Option<PathBuf>,
}

/// A job's name, its command, and whether its memory is limited.
const JOBS: [(&str, &str, bool); 17] = [
    ("validate", "validate {input}", false),
    ("dedup", "dedup {input} {output}", true),
    ("dedup --keep last", "dedup {input} {output} --keep last", true),
    ("dedup --keep mean", "dedup {input} {output} --keep mean", true),
    ("shuffle", "shuffle {input} {output} --seed 1", true),
    ("shuffle --phased", "shuffle {input} {output} --seed 1 --phased", true),
    ("dedup --shuffle-seed", "dedup {input} {output} --shuffle-seed 1", true),
    ("diff", "diff {input} {input}", true),
    ("filter --not-in", "filter {input} {output} --not-in {input}", true),
    // The names of quiet positions, each alone: a mask takes hardly any time to write.
    ("filter quiet", "filter {input} --where quiet --mask {output}", false),
    ("filter quiet_move", "filter {input} --where quiet_move --mask {output}", false),
    ("filter see(move)", "filter {input} --where see(move)>=0 --mask {output}", false),
    ("filter best_capture", "filter {input} --where best_capture<100 --mask {output}", false),
    ("filter hanging", "filter {input} --where hanging --mask {output}", false),
    ("filter mate_in_one", "filter {input} --where mate_in_one --mask {output}", false),
    ("filter in_check", "filter {input} --where in_check --mask {output}", false),
    ("filter gives_check", "filter {input} --where gives_check --mask {output}", false),
];

const INPUT: &str = "input.psv";
const OUTPUT: &str = "out.psv";

/// The factor by which memory, measured from outside, may exceed its limit.
const MEMORY_MARGIN: f64 = 1.1;

/// Measures jobs on a file larger than their memory. A job that takes more than it announced is an error.
pub fn dataset(options: &DatasetOptions) -> Result<()> {
    let directory = options.directory.clone().unwrap_or_else(|| root().join("target/bench-dataset"));
    fs::create_dir_all(&directory)?;
    let programs = match &options.programs {
        Some(programs) => programs.clone(),
        None => build(&["komabako", "games"], "", None, &[])?,
    };
    let input = directory.join(INPUT);
    let out = directory.join(OUTPUT);
    make_games(&programs, options.records, &options.duplicates, &input)?;
    let mut jobs = Vec::new();
    for (name, words, is_limited) in JOBS {
        let job = || {
            let program = programs.join("komabako");
            let mut command = job_command(&program, words, &input, &out, &directory);
            command.args(["--threads", &options.threads.to_string()]);
            if is_limited {
                command.args(["--max-memory", &options.max_memory]);
            }
            command
        };
        let mut limits = None;
        if is_limited {
            limits = Some(announced(job().args(["--dry-run", "--json"]))?);
        }
        jobs.push((name, job(), limits));
    }
    for peer in &options.peer {
        let (name, command) = peer.split_once('=').context("--peer NAME=COMMAND")?;
        let (program, words) = command.split_once(' ').unwrap_or((command, ""));
        jobs.push((name, job_command(Path::new(program), words, &input, &out, &directory), None));
    }
    let mut record = Record::new("job,unit,figure");
    let mut faults = Vec::new();
    for round in 1..=options.rounds {
        for (name, command, announced) in &mut jobs {
            eprintln!("round {round}/{}: {name}", options.rounds);
            let cost = measure(command, Some(&directory))?;
            let disk = cost.disk_mib - (options.records * PSV as u64) as f64 / MIB;
            record.add(&[name, "records per second"], options.records as f64 / cost.seconds);
            for (unit, taken, limit) in [
                ("MiB of memory", cost.peak_mib, announced.map(|(memory, _)| memory * MEMORY_MARGIN)),
                // The manifest is not announced.
                ("MiB on disk", disk.max(0.0), announced.map(|(_, disk)| disk + 1.0)),
            ] {
                record.add(&[name, unit], taken);
                if let Some(limit) = limit {
                    record.add(&[name, &format!("{unit} allowed")], limit);
                    if taken > limit {
                        faults.push(format!("{name}: {taken:.0} {unit}, {limit:.0} allowed"));
                    }
                }
            }
            if out.exists() {
                fs::remove_file(&out)?;
            }
        }
    }
    print!("{}", record.to_csv());
    fs::remove_file(&input)?;
    ensure!(faults.is_empty(), "{}", faults.join("\n"));
    if options.no_record {
        return Ok(());
    }
    let note = format!("{} records, {} threads.\n", options.records, options.threads);
    record.write("-dataset", if options.programs.is_some() { "unknown" } else { MEASURED }, &note)
}

/// The memory limit and the peak disk use that a dry run announces, in MiB.
fn announced(dry_run: &mut Command) -> Result<(f64, f64)> {
    let report: serde_json::Value = serde_json::from_str(&output(dry_run)?)?;
    let memory = report["needs"]["memory_limit"].as_u64().context("a dry run announces memory")?;
    let disks = report["needs"]["disks"].as_array().context("a dry run announces disks")?;
    // None where all fits in memory and nothing is written, as in `diff`.
    let disk =
        disks.first().map_or(Some(0), |disk| disk["peak"].as_u64()).context("a dry run announces disk")?;
    Ok((memory as f64 / MIB, disk as f64 / MIB))
}

/// A program's command with its paths filled in, and its temporary files in `directory`, where they are counted too.
fn job_command(program: &Path, words: &str, input: &Path, out: &Path, directory: &Path) -> Command {
    let mut command = Command::new(program);
    for word in words.split_whitespace() {
        let word = word.replace("{input}", &input.display().to_string());
        let word = word.replace("{output}", &out.display().to_string());
        command.arg(word.replace("{directory}", &directory.display().to_string()));
    }
    command.env("TMPDIR", directory);
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_of_a_process_are_read() {
        assert_eq!(peak_mib("VmPeak:\t 9 kB\nVmHWM:\t  204800 kB\nVmRSS: 1 kB\n"), Some(200.0));
        assert_eq!(peak_mib("VmRSS: 1 kB\n"), None);
        let stat = "7 (a name) with) S 1 7 7 0 -1 4194304 100 0 0 0 250 50 0 0 20 0 1 0 5 6 7";
        assert_eq!(cpu_seconds(stat), Some(3.0));
        assert_eq!(cpu_seconds(""), None);
    }

    #[test]
    fn every_second_position_is_spoilt() {
        let directory = tempfile::tempdir().expect("a directory");
        let good = directory.path().join("good");
        let half = directory.path().join("half");
        fs::write(&good, [1; 3 * PSV]).expect("a file");
        spoil_half(&good, &half).expect("a file");
        let spoilt = [[0xff; 32].as_slice(), &[1; 8]].concat();
        assert_eq!(fs::read(&half).expect("a file"), [spoilt.as_slice(), &[1; PSV], &spoilt].concat());
        assert_eq!(bytes_in(directory.path()), 6 * PSV as u64);
    }

    #[test]
    fn a_command_is_given_its_paths() {
        let words = "--in {input} --out={output}";
        let program = Path::new("/bin/program");
        let command = job_command(program, words, Path::new("/a"), Path::new("/b"), Path::new("/c"));
        assert_eq!(command.get_program(), "/bin/program");
        assert_eq!(command.get_args().collect::<Vec<_>>(), ["--in", "/a", "--out=/b"]);
    }
}

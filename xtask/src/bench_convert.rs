//! `cargo xtask bench-convert`: records per second and peak memory of whole conversions, files to files, beside a peer; the cost of
//! a file in which every second record is bad; the time to start the program and to recognise a small file.

use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use clap::Args;

use crate::bench_matrix::{build, record};
use crate::failure::Failure;
use crate::workspace::{MEASURED, measured_build, output};

/// The amount to convert.
#[derive(Args)]
pub struct Options {
    /// The number of records in the input, from random games, with hardly any duplicates
    #[arg(long, default_value_t = 10_000_000)]
    records: u64,
    /// The number of threads of each program
    #[arg(long, default_value_t = 2)]
    threads: usize,
    /// The number of repetitions; a row is their median
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

/// A conversion by one program.
struct Job {
    program: &'static str,
    conversion: &'static str,
    records: u64,
    command: Box<dyn Fn() -> Command>,
    runs: Vec<Run>,
}

/// The cost of one run of a whole process.
#[derive(Clone, Copy)]
struct Run {
    /// Wall time.
    seconds: f64,
    /// CPU time on all processors; 0 if the system does not report it.
    cpu_seconds: f64,
    /// Peak memory; 0 if the system does not report it.
    peak_mib: f64,
}

impl Job {
    fn new(
        (program, conversion, records): (&'static str, &'static str, u64),
        path: &Path,
        arguments: &[&Path],
        options: &[&str],
    ) -> Self {
        let path = path.to_owned();
        let arguments: Vec<OsString> = arguments.iter().map(|path| path.as_os_str().to_owned()).collect();
        let options: Vec<OsString> = options.iter().map(|&option| option.into()).collect();
        let command = move || {
            let mut command = Command::new(&path);
            command.args(&arguments).args(&options).stdout(Stdio::null()).stderr(Stdio::null());
            command
        };
        Self { program, conversion, records, command: Box::new(command), runs: Vec::new() }
    }
}

/// Makes the inputs, runs each job with each program in turn, and writes the record.
pub fn run(root: &Path, options: &Options) -> Result<(), Failure> {
    let directory = root.join("target/bench-convert");
    std::fs::create_dir_all(&directory).map_err(Failure::io(&directory))?;
    // One build for both, since they share most of the crates.
    let mut build = measured_build(root, "komabako-cli", "komabako");
    output(build.args(["-p", "komabako-benches", "--bin", "games"]))?;
    build::peers(root, "convert")?;
    let programs = root.join("target").join(MEASURED);
    let at = |name: &str| directory.join(name);
    let (input, half_bad) = (at("input.psv"), at("half-bad.psv"));
    let mut games = Command::new(programs.join("games"));
    eprint!("bench-convert: {}", output(games.args([&options.records.to_string(), "0", "1"]).arg(&input))?);
    spoil_half(&input, &half_bad)?;

    let komabako = programs.join("komabako");
    let peer = root.join("benches/peers/rsshogi/target/release/convert");
    let threads = options.threads.to_string();
    let convert = Path::new("convert");
    let own: &[&str] = &["--force", "--threads", &threads];
    let mut jobs = Vec::new();
    for (conversion, from, to) in
        [("psv to hcpe", &input, "there.hcpe"), ("hcpe to psv", &at("there.hcpe"), "back.psv")]
    {
        jobs.push(Job::new(
            ("komabako", conversion, options.records),
            &komabako,
            &[convert, from, &at(to)],
            own,
        ));
        let theirs = at(&format!("peer-{to}"));
        jobs.push(Job::new(("rsshogi", conversion, options.records), &peer, &[from, &theirs], &[&threads]));
    }
    let skipping = [own, &["--from", "psv", "--on-error", "skip"]].concat();
    let name = ("komabako", "psv to hcpe, every second record bad", options.records);
    jobs.push(Job::new(name, &komabako, &[convert, &half_bad, &at("half.hcpe")], &skipping));
    for repetition in 1..=options.repetitions {
        for job in &mut jobs {
            let Job { program, conversion, .. } = job;
            eprintln!(
                "bench-convert: repetition {repetition}/{}: {program}, {conversion}",
                options.repetitions
            );
            let run = timed((job.command)())?;
            job.runs.push(run);
        }
    }
    for name in ["there.hcpe", "back.psv"] {
        same(&at(name), &at(&format!("peer-{name}")))?;
    }

    let sample = root.join("data/sample.psv");
    let told = [own, &["--from", "psv"]].concat();
    let mut starts = vec![
        Job::new(("true", "start", 0), Path::new("true"), &[], &[]),
        Job::new(("komabako", "start", 0), &komabako, &[Path::new("formats")], &[]),
        Job::new(
            ("komabako", "sample, recognised", 2_000),
            &komabako,
            &[convert, &sample, &at("small.hcpe")],
            own,
        ),
        Job::new(
            ("komabako", "sample, --from", 2_000),
            &komabako,
            &[convert, &sample, &at("small.hcpe")],
            &told,
        ),
    ];
    eprintln!("bench-convert: {SMALL_RUNS} runs of each of {} small jobs", starts.len());
    for _ in 0..SMALL_RUNS {
        for job in &mut starts {
            let seconds = started((job.command)())?;
            job.runs.push(Run { seconds, cpu_seconds: 0.0, peak_mib: 0.0 });
        }
    }
    jobs.append(&mut starts);
    let csv = csv(&jobs, options);
    print!("{csv}");
    if !options.no_record {
        for path in record::write(root, "-convert", record::MEDIANS, &csv)? {
            eprintln!("bench-convert: wrote {}", path.display());
        }
    }
    std::fs::remove_dir_all(&directory).map_err(Failure::io(&directory))
}

/// Copies a PSV file, replacing every second position with one that strict readers refuse.
fn spoil_half(from: &Path, to: &Path) -> Result<(), Failure> {
    let mut bytes = std::fs::read(from).map_err(Failure::io(from))?;
    for record in bytes.chunks_exact_mut(PSV).step_by(2) {
        record[..32].fill(0xff);
    }
    std::fs::write(to, bytes).map_err(Failure::io(to))
}

/// The wall time of a short run in seconds, without sampling its memory.
fn started(mut command: Command) -> Result<f64, Failure> {
    let start = Instant::now();
    let status = command.status().map_err(|error| Failure::program(&command, &error.to_string()))?;
    let seconds = start.elapsed().as_secs_f64();
    if status.success() {
        Ok(seconds)
    } else {
        Err(Failure::program(&command, &format!("ended with {status}")))
    }
}

/// Runs a program to its end, sampling its memory and CPU time.
fn timed(mut command: Command) -> Result<Run, Failure> {
    let start = Instant::now();
    let mut child = command.spawn().map_err(|error| Failure::program(&command, &error.to_string()))?;
    let own = format!("/proc/{}", child.id());
    let read = |name: &str| std::fs::read_to_string(format!("{own}/{name}")).unwrap_or_default();
    let (mut peak_mib, mut cpu_seconds) = (0.0, 0.0);
    let status = loop {
        if let Some(status) =
            child.try_wait().map_err(|error| Failure::program(&command, &error.to_string()))?
        {
            break status;
        }
        peak_mib = high_water(&read("status")).unwrap_or(peak_mib);
        cpu_seconds = cpu_time(&read("stat")).unwrap_or(cpu_seconds);
        thread::sleep(Duration::from_millis(2));
    };
    let seconds = start.elapsed().as_secs_f64();
    // Exit code 1: bad records were skipped, as requested.
    if !matches!(status.code(), Some(0 | 1)) {
        return Err(Failure::program(&command, &format!("ended with {status}")));
    }
    Ok(Run { seconds, cpu_seconds, peak_mib })
}

/// The time in user and system mode from `/proc/PID/stat`, in seconds: fields 14 and 15, in hundredths. The second field is a name
/// in brackets, which may contain spaces.
fn cpu_time(stat: &str) -> Option<f64> {
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(11);
    let mut next = || fields.next()?.parse::<f64>().ok();
    Some((next()? + next()?) / 100.0)
}

/// The line `VmHWM: N kB` of a process's status, in MiB.
pub fn high_water(status: &str) -> Option<f64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix(" kB")?.parse::<f64>().ok()? / 1024.0)
}

fn same(ours: &Path, theirs: &Path) -> Result<(), Failure> {
    let read = |path: &Path| std::fs::read(path).map_err(Failure::io(path));
    if read(ours)? == read(theirs)? {
        return Ok(());
    }
    Err(Failure::Faults(vec![format!(
        "{} and {} differ: one of the programs is wrong",
        ours.display(),
        theirs.display()
    )]))
}

fn csv(jobs: &[Job], options: &Options) -> String {
    let mut csv = "program,conversion,threads,records,milliseconds,times komabako's,records per second,\
                   CPU milliseconds,records per CPU second,peak MiB\n"
        .to_owned();
    for job in jobs {
        let figures = |figure: fn(&Run) -> f64| job.runs.iter().map(figure).collect::<Vec<_>>();
        let seconds = figures(|run| run.seconds);
        let ours = jobs.iter().find(|ours| ours.program == "komabako" && ours.conversion == job.conversion);
        let ratios = ours.map(|ours| {
            let rounds = seconds.iter().zip(&ours.runs);
            record::median(&rounds.map(|(seconds, ours)| seconds / ours.seconds).collect::<Vec<_>>())
        });
        let ratio = ratios.map_or_else(|| "-".to_owned(), |ratio| format!("{ratio:.2}"));
        let rate = |seconds: f64| {
            let rate = job.records as f64 / seconds;
            if job.records == 0 || !rate.is_finite() { "-".to_owned() } else { format!("{rate:.0}") }
        };
        let (seconds, cpu) = (record::median(&seconds), record::median(&figures(|run| run.cpu_seconds)));
        let peak = record::median(&figures(|run| run.peak_mib));
        let Job { program, conversion, records, .. } = job;
        csv += &format!(
            "{program},\"{conversion}\",{},{records},{:.2},{ratio},{},{:.0},{},{peak:.0}\n",
            options.threads,
            seconds * 1e3,
            rate(seconds),
            cpu * 1e3,
            rate(cpu),
        );
    }
    csv
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_high_water_mark_is_read_in_kib() {
        assert_eq!(high_water("VmPeak:\t 9 kB\nVmHWM:\t  204800 kB\nVmRSS: 1 kB\n"), Some(200.0));
        assert_eq!(high_water("VmRSS: 1 kB\n"), None);
    }

    #[test]
    fn the_time_of_a_process_is_read_in_hundredths() {
        let stat = "7 (a name) with) S 1 7 7 0 -1 4194304 100 0 0 0 250 50 0 0 20 0 1 0 5 6 7";
        assert_eq!(cpu_time(stat), Some(3.0));
        assert_eq!(cpu_time(""), None);
    }

    #[test]
    fn every_second_position_is_spoilt() {
        let directory = tempfile::tempdir().expect("a directory");
        let (good, half) = (directory.path().join("good"), directory.path().join("half"));
        std::fs::write(&good, [1; 3 * PSV]).expect("a file");
        spoil_half(&good, &half).expect("a file");
        let spoilt = [[0xff; 32].as_slice(), &[1; 8]].concat();
        let expected = [spoilt.as_slice(), &[1; PSV], &spoilt].concat();
        assert_eq!(std::fs::read(&half).expect("a file"), expected);
        assert!(same(&good, &half).is_err());
        assert!(same(&half, &half).is_ok());
    }
}

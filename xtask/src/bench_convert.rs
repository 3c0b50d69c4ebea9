//! `cargo xtask bench-convert`: records per second and peak memory of whole conversions, files to files, beside a peer's.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use clap::Args;

use crate::bench_matrix::{build, record};
use crate::failure::Failure;
use crate::workspace::{MEASURED, measured_build, output};

/// How much to convert.
#[derive(Args)]
pub struct Options {
    /// Records in the input: the sample file, repeated
    #[arg(long, default_value_t = 10_000_000)]
    records: u64,
    /// Threads for each program
    #[arg(long, default_value_t = 2)]
    threads: usize,
    /// Repetitions; a row is their median
    #[arg(long, default_value_t = 5)]
    repetitions: usize,
    /// Print only, and write no record
    #[arg(long)]
    no_record: bool,
}

/// A conversion by one program.
struct Job {
    program: &'static str,
    conversion: &'static str,
    command: Box<dyn Fn() -> Command>,
    /// Whole-process wall seconds and peak MiB of each repetition.
    runs: Vec<(f64, f64)>,
}

/// Makes the input, converts it there and back with each program in turn, and writes the record.
pub fn run(root: &Path, options: &Options) -> Result<(), Failure> {
    let directory = root.join("target/bench-convert");
    std::fs::create_dir_all(&directory).map_err(Failure::io(&directory))?;
    output(&mut measured_build(root, "komabako-cli", "komabako"))?;
    build::peers(root, "convert")?;
    let psv = directory.join("input.psv");
    repeat(&root.join("data/sample.psv"), &psv, options.records)?;

    let komabako = root.join("target").join(MEASURED).join("komabako");
    let peer = root.join("benches/peers/rsshogi/target/release/convert");
    let threads = options.threads.to_string();
    let mut jobs = Vec::new();
    for (conversion, from, to) in [
        ("psv to hcpe", &psv, directory.join("there.hcpe")),
        ("hcpe to psv", &directory.join("there.hcpe"), directory.join("back.psv")),
    ] {
        let paths = [from.clone(), to.clone()];
        let (program, count) = (komabako.clone(), threads.clone());
        let command = move || {
            let mut command = Command::new(&program);
            command.arg("convert").args(&paths).args(["--force", "--threads", &count]);
            command
        };
        jobs.push(Job { program: "komabako", conversion, command: Box::new(command), runs: Vec::new() });
        let paths = [
            from.clone(),
            to.with_file_name(format!("peer-{}", to.file_name().unwrap_or_default().display())),
        ];
        let (program, count) = (peer.clone(), threads.clone());
        let command = move || {
            let mut command = Command::new(&program);
            command.args(&paths).arg(&count);
            command
        };
        jobs.push(Job { program: "rsshogi", conversion, command: Box::new(command), runs: Vec::new() });
    }
    for repetition in 1..=options.repetitions {
        for job in &mut jobs {
            eprintln!(
                "bench-convert: repetition {repetition}/{}: {}, {}",
                options.repetitions, job.program, job.conversion
            );
            job.runs.push(timed((job.command)())?);
        }
    }
    for name in ["there.hcpe", "back.psv"] {
        same(&directory.join(name), &directory.join(format!("peer-{name}")))?;
    }
    let csv = csv(&jobs, options);
    print!("{csv}");
    if !options.no_record {
        for path in record::write(root, "-convert", record::MEDIANS, &csv)? {
            eprintln!("bench-convert: wrote {}", path.display());
        }
    }
    std::fs::remove_dir_all(&directory).map_err(Failure::io(&directory))
}

/// Writes `records` records of 40 bytes: those of a file, again and again.
fn repeat(sample: &Path, path: &PathBuf, records: u64) -> Result<(), Failure> {
    let bytes = std::fs::read(sample).map_err(Failure::io(sample))?;
    let mut file = File::create(path).map_err(Failure::io(path))?;
    let mut left = records as usize * 40;
    while left > 0 {
        let length = left.min(bytes.len());
        file.write_all(&bytes[..length]).map_err(Failure::io(path))?;
        left -= length;
    }
    Ok(())
}

/// Runs a program: its wall seconds, and the most memory it held in MiB (0 where the system does not say).
fn timed(mut command: Command) -> Result<(f64, f64), Failure> {
    command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null());
    let start = Instant::now();
    let mut child = command.spawn().map_err(|error| Failure::program(&command, &error.to_string()))?;
    let status_file = format!("/proc/{}/status", child.id());
    let mut peak = 0.0;
    let status = loop {
        if let Some(status) =
            child.try_wait().map_err(|error| Failure::program(&command, &error.to_string()))?
        {
            break status;
        }
        peak = high_water(&std::fs::read_to_string(&status_file).unwrap_or_default()).unwrap_or(peak);
        thread::sleep(Duration::from_millis(2));
    };
    let seconds = start.elapsed().as_secs_f64();
    if !status.success() {
        return Err(Failure::program(&command, &format!("ended with {status}")));
    }
    Ok((seconds, peak))
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
    let mut csv = "program,conversion,threads,records,seconds,records per second,peak MiB\n".to_owned();
    for job in jobs {
        let median = |figure: fn(&(f64, f64)) -> f64| {
            let mut figures: Vec<f64> = job.runs.iter().map(figure).collect();
            figures.sort_by(f64::total_cmp);
            figures[figures.len() / 2]
        };
        let (seconds, peak) = (median(|run| run.0), median(|run| run.1));
        let (records, rate) = (options.records, options.records as f64 / seconds);
        csv += &format!(
            "{},{},{},{records},{seconds:.3},{rate:.0},{peak:.0}\n",
            job.program, job.conversion, options.threads
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
    fn the_input_is_the_sample_repeated() {
        let directory = tempfile::tempdir().expect("a directory");
        let (sample, long) = (directory.path().join("sample"), directory.path().join("long"));
        std::fs::write(&sample, [[1; 40], [2; 40]].concat()).expect("a file");
        repeat(&sample, &long, 3).expect("a file");
        assert_eq!(std::fs::read(&long).expect("a file"), [[1; 40], [2; 40], [1; 40]].concat());
        assert!(same(&sample, &long).is_err());
        assert!(same(&long, &long).is_ok());
    }
}

//! [`Trials`]: jobs that cannot finish for lack of disk space, and the checks on their results.

use std::borrow::Cow;
use std::cell::Cell;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::Duration;

use crate::disk::Disk;
use crate::{EXTERNAL, succeed};

/// A job on the input.
#[derive(Clone, Copy)]
pub struct Job {
    pub name: &'static str,
    /// The command and its options, before the paths.
    pub command: &'static [&'static str],
    /// The name of the output.
    pub out: &'static str,
    /// For each stage, the prefix of the names of files that grow in it.
    pub stages: &'static [&'static str],
}

impl Job {
    /// Whether it is one of these.
    pub fn is_in(&self, jobs: &[Job]) -> bool {
        jobs.iter().any(|job| job.name == self.name)
    }

    /// Whether it has temporary files.
    fn is_external(&self) -> bool {
        ["dedup", "shuffle"].contains(&self.command[0])
    }
}

/// Trials of the program on one input.
pub struct Trials {
    directory: PathBuf,
    pub input: PathBuf,
    content: Vec<u8>,
    count: Cell<u32>,
}

const PROGRAM: &str = env!("CARGO_BIN_EXE_komabako");

/// The number of attempts at filling the disk before a job is done.
const ATTEMPTS: u32 = 5;

impl Trials {
    /// Trials in a directory with the input, none of them run yet.
    pub fn new(directory: &Path) -> Trials {
        let input = directory.join("input.psv");
        let content = fs::read(&input).unwrap();
        Trials { directory: directory.to_owned(), input, content, count: Cell::new(0) }
    }

    /// The number of trials passed.
    pub fn count(&self) -> u32 {
        self.count.get()
    }

    /// A path on a disk with enough space.
    pub fn beside(&self, name: &str) -> String {
        self.directory.join(name).display().to_string()
    }

    /// Runs a command from one file to another, on a disk with enough space.
    pub fn make(&self, command: &[&str], input: &Path, name: &str) -> PathBuf {
        let out = self.directory.join(name);
        succeed(Command::new(PROGRAM).args(command).arg(input).arg(&out)).unwrap();
        out
    }

    /// The output of an undisturbed run.
    pub fn expected(&self, job: &Job) -> Vec<u8> {
        let out = self.make(job.command, &self.input, job.out);
        let content = fs::read(&out).unwrap();
        fs::remove_file(&out).unwrap();
        content
    }

    fn command(&self, job: &Job, input: &Path, out: &Path, options: &[&str]) -> Command {
        let mut command = Command::new(PROGRAM);
        command.env("LC_ALL", "C").args(job.command);
        // After `-o` the output comes before the input.
        match job.command.last() {
            Some(&"-o") => command.arg(out).arg(input),
            _ => command.arg(input).arg(out),
        };
        if job.is_external() {
            command.args(EXTERNAL);
        }
        command.args(["--threads", "1"]).args(options);
        command
    }

    /// Expects a job to be refused for its output, with and without `--dry-run`.
    pub fn refused(&self, job: &Job, disk: &Disk, options: &[&str]) {
        for dry_run in [&["--dry-run"][..], &[]] {
            let out = disk.path().join(job.out);
            let ended = run(self.command(job, &self.input, &out, &[options, dry_run].concat()));
            self.expect(job, &ended, disk, &["are free", "make room"], &[]);
        }
    }

    /// Expects a job to be refused for its temporary files, while its output would fit.
    pub fn refused_for_temporary(&self, job: &Job, disk: &Disk, options: &[&str]) {
        let out = self.directory.join(job.out);
        let ended = run(self.command(job, &self.input, &out, options));
        assert!(!out.exists(), "{}: {} was left behind", job.name, out.display());
        self.expect(job, &ended, disk, &["are free", "--tmp-dir"], &[]);
    }

    /// Expects a job to stop because its output turns out to be too large.
    pub fn stopped(&self, job: &Job, input: &Path, disk: &Disk) {
        let ended = run(self.command(job, input, &disk.path().join(job.out), &[]));
        self.expect(job, &ended, disk, &["No space left", "make room"], &[]);
    }

    /// [`stopped`](Self::stopped) with the input from a pipe.
    pub fn stopped_from_pipe(&self, job: &Job, disk: &Disk) {
        let mut command = self.command(job, Path::new("-"), &disk.path().join(job.out), &["--from", "psv"]);
        let mut cat = Command::new("cat");
        // The program closes the pipe early, so cat's message about it is expected.
        cat.arg(&self.input).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut cat = cat.spawn().unwrap();
        command.stdin(cat.stdout.take().unwrap());
        let ended = run(command);
        // The status of cat does not matter, since its pipe was closed.
        let _ = cat.wait();
        self.expect(job, &ended, disk, &["No space left", "make room"], &[]);
    }

    /// Fills the disk in one stage of a job that had enough space at its start, and expects the job to stop.
    pub fn runs_out_of_space_at(&self, job: &Job, stage: &str, disk: &Disk) {
        for _ in 0..ATTEMPTS {
            disk.clear();
            let mut command = self.command(job, &self.input, &disk.path().join(job.out), &[]);
            let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
            while !disk.has_grown(stage) && is_running(&mut child) {
                thread::sleep(Duration::from_micros(200));
            }
            // While it is stopped, the job cannot end before the space is taken.
            signal(&child, "STOP");
            let filled = disk.fill();
            signal(&child, "CONT");
            let ended = child.wait_with_output().unwrap();
            filled.unwrap();
            if ended.status.success() {
                continue;
            }
            if !disk.free() {
                self.fault(job, "the disk was not filled");
            }
            let own = format!(".{}.komabako", job.out);
            let is_kept = disk.names().contains(&own);
            let (texts, kept): (&[&str], &[&str]) = if is_kept {
                (&["No space left", "make room", "--resume"], &[own.as_str()])
            } else {
                (&["No space left", "make room"], &[])
            };
            // On standard error, which whoever runs the test reads at once.
            eprintln!("full-disk: {} ran out of space at {stage}, work kept: {is_kept}", job.name);
            return self.expect(job, &ended, disk, texts, kept);
        }
        self.fault(job, &format!("always finished before its disk was full at {stage}"));
    }

    /// Expects a job with enough space to succeed, with the expected output and nothing else left on the disk.
    pub fn done(&self, job: &Job, input: &Path, disk: &Disk, options: &[&str], expected: &[u8]) {
        let out = disk.path().join(job.out);
        let ended = run(self.command(job, input, &out, options));
        if !ended.status.success() {
            self.fault(job, &format!("ended with {}: {}", ended.status, stderr(&ended)));
        }
        if fs::read(&out).unwrap() != expected {
            self.fault(job, "other bytes than those of an undisturbed run");
        }
        if disk.names() != [job.out] {
            self.fault(job, &format!("left {:?}", disk.names()));
        }
        self.passed();
        disk.clear();
    }

    /// Checks that the input has not changed.
    pub fn intact(&self) {
        assert!(fs::read(&self.input).unwrap() == self.content, "full-disk: the input was changed");
    }

    /// Checks a job that could not finish: its exit code, its messages, and the files left on the disk.
    fn expect(&self, job: &Job, ended: &Output, disk: &Disk, texts: &[&str], left: &[&str]) {
        let stderr = stderr(ended);
        let place = disk.path().display().to_string();
        let mut faults = Vec::new();
        if ended.status.code() != Some(2) {
            faults.push(format!("ended with {}", ended.status));
        }
        let missing = texts.iter().copied().chain([place.as_str()]).filter(|text| !stderr.contains(text));
        faults.extend(missing.map(|text| format!("does not say `{text}`")));
        let names = disk.names();
        if names != left {
            faults.push(format!("left {names:?} and not {left:?}"));
        }
        if !faults.is_empty() {
            self.fault(job, &format!("{}; it said: {stderr}", faults.join(", ")));
        }
        self.passed();
    }

    fn passed(&self) {
        self.count.set(self.count.get() + 1);
    }

    fn fault(&self, job: &Job, what: &str) -> ! {
        panic!("full-disk: trial {}: {}: {what}", self.count() + 1, job.name)
    }
}

fn run(mut command: Command) -> Output {
    command.output().unwrap()
}

fn stderr(ended: &Output) -> Cow<'_, str> {
    String::from_utf8_lossy(&ended.stderr)
}

fn is_running(child: &mut Child) -> bool {
    matches!(child.try_wait(), Ok(None))
}

/// Sends a signal. It has no effect on a program that has ended.
fn signal(child: &Child, name: &str) {
    let mut kill = Command::new("kill");
    kill.args(["-s", name, &child.id().to_string()]).stderr(Stdio::null()).status().unwrap();
}

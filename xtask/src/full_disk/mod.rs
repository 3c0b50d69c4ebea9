//! `cargo xtask full-disk`: jobs on a disk that is too small, or that something else fills while they run. They must be
//! refused beforehand, or stop without losing anything and resume once there is space.
//!
//! The disk is a tmpfs in a mount namespace of its own, which the kernel removes with the last process in it. If the
//! system does not allow this, the chore says so and passes.

mod disk;
mod trial;

use std::path::{Path, PathBuf};
use std::process::Command;

use clap::Args;

use self::disk::Disk;
use self::trial::{Job, Trials};
use crate::failure::Failure;
use crate::workspace::{build_dev_programs, output, status};

/// The place to work in.
#[derive(Args)]
pub struct Options {
    /// Passed by the chore to itself: the prepared directory, in which a disk can be mounted
    #[arg(long, hide = true)]
    prepared: Option<PathBuf>,
}

/// The number of records in the input, of 40 bytes each.
const RECORDS: u64 = 300_000;

/// The ways into a namespace in which a disk can be mounted: as root, and as any user if the system allows it.
const NAMESPACES: [&[&str]; 2] = [&["--mount"], &["--map-root-user", "--mount"]];

/// Options for temporary files in several parts, with the least possible memory.
const EXTERNAL: [&str; 4] = ["--parts", "4", "--max-memory", "64M"];

/// Jobs that can be resumed, and the files whose growth shows their stages.
const RESUMED: [Job; 3] = [
    Job { name: "dedup", command: &["dedup"], out: "out.psv", stages: &["keys-", "list-", ".out.psv."] },
    Job {
        name: "shuffle",
        command: &["shuffle", "--seed", "1"],
        out: "out.psv",
        stages: &["order-", ".out.psv."],
    },
    Job {
        name: "dedup --shuffle-seed",
        command: &["dedup", "--shuffle-seed", "1"],
        out: "out.psv",
        stages: &["keys-", "order-", ".out.psv."],
    },
];

/// Jobs that start again from the beginning.
const REPEATED: [Job; 3] = [
    Job { name: "convert", command: &["convert"], out: "out.hcpe", stages: &[".out.hcpe."] },
    Job { name: "repair", command: &["repair", "--moves", "a"], out: "out.psv", stages: &[".out.psv."] },
    Job {
        name: "convert to an archive in no order",
        command: &["convert", "--unordered", "--memory", "1M"],
        out: "out.kmb",
        stages: &["keys-", "places-"],
    },
];

/// A conversion of game records to records.
const GAMES: Job = Job {
    name: "convert of game records",
    command: &["convert", "--missing-score", "0"],
    out: "out.psv",
    stages: &[".out.psv."],
};

/// The number of copies of the game of 60 moves in that input: 12 MB of records, more than the disk can hold.
const GAME_COPIES: usize = 5_000;

/// The step of `ci`.
pub fn check(root: &Path) -> Result<(), Failure> {
    run(root, &Options { prepared: None })
}

/// Prepares the input, and runs the trials if a disk can be mounted.
pub fn run(root: &Path, options: &Options) -> Result<(), Failure> {
    if let Some(directory) = &options.prepared {
        return trials(root, directory);
    }
    let directory = root.join("target/full-disk");
    let small = directory.join("small");
    std::fs::create_dir_all(&small).map_err(Failure::io(&small))?;
    let skipped = "full-disk: SKIPPED, nothing was tried: no disk can be mounted here";
    let namespace = namespace(&small).map_err(Failure::skip(skipped))?;
    build_dev_programs(root)?;
    let input = directory.join("input.psv");
    output(
        Command::new(root.join("target/debug/games")).args([&RECORDS.to_string(), "0.2", "1"]).arg(&input),
    )?;
    let itself = std::env::current_exe().map_err(Failure::io(Path::new("xtask")))?;
    let mut inside = Command::new("unshare");
    inside.args(namespace).arg(itself).args(["full-disk", "--prepared"]).arg(&directory);
    let tried = status(&mut inside);
    std::fs::remove_dir_all(&directory).map_err(Failure::io(&directory))?;
    tried
}

/// The options of `unshare` with which a disk can be mounted, or the reason why it cannot.
fn namespace(place: &Path) -> Result<&'static [&'static str], String> {
    let mut why = Vec::new();
    for namespace in NAMESPACES {
        let mut mount = Command::new("unshare");
        mount.args(namespace).args(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs"]).arg(place);
        match output(&mut mount) {
            Ok(_) => return Ok(namespace),
            Err(failure) => why.push(failure.to_string()),
        }
    }
    Err(why.join("; "))
}

/// A file of many game records.
fn games(root: &Path, directory: &Path) -> Result<PathBuf, Failure> {
    let game = root.join("crates/komabako-kifu/tests/data/floodgate_0.csa");
    let content = std::fs::read_to_string(&game).map_err(Failure::io(&game))?;
    let path = directory.join("games.csa");
    std::fs::write(&path, vec![content; GAME_COPIES].join("/\n")).map_err(Failure::io(&path))?;
    Ok(path)
}

/// Runs all trials.
fn trials(root: &Path, directory: &Path) -> Result<(), Failure> {
    let trials = Trials::new(root.join("target/debug/komabako"), directory)?;
    let disk = Disk::mount(directory.join("small"))?;
    let input = &trials.input;
    let compressed = trials.make(&["convert"], input, "input.psv.zst")?;

    // Jobs whose need is known in advance are refused at the start.
    disk.resize(8 << 20)?;
    for job in RESUMED.iter().chain(&REPEATED) {
        trials.refused(job, &disk, &[])?;
    }
    trials.refused(&Job { name: "cat", command: &["cat", "-o"], ..REPEATED[1] }, &disk, &[])?;
    let tmp = disk.path().display().to_string();
    let spread = ["--tmp-dir", &trials.beside("tmp"), "--tmp-dir", &tmp];
    for job in &RESUMED {
        trials.refused_for_temporary(job, &disk, &["--tmp-dir", &tmp])?;
    }
    disk.resize(4 << 20)?;
    trials.refused_for_temporary(&RESUMED[0], &disk, &spread)?;

    // Jobs whose need is not known in advance stop when the disk is full.
    disk.resize(8 << 20)?;
    for job in &REPEATED {
        let expected = trials.expected(job)?;
        trials.stopped(job, &compressed, &disk)?;
        disk.resize(64 << 20)?;
        trials.done(job, &compressed, &disk, &[], &expected)?;
        disk.resize(8 << 20)?;
        trials.stopped_from_pipe(job, &disk)?;
    }
    trials.stopped_from_pipe(&RESUMED[0], &disk)?;
    trials.stopped(&GAMES, &games(root, directory)?, &disk)?;

    // Another file takes the space of a job that had enough at its start.
    disk.resize(64 << 20)?;
    for job in RESUMED.iter().chain(&REPEATED) {
        let expected = trials.expected(job)?;
        for stage in job.stages {
            trials.runs_out_of_space_at(job, stage, &disk)?;
            let resume: &[&str] = if job.is_in(&RESUMED) { &["--resume"] } else { &[] };
            trials.done(job, input, &disk, resume, &expected)?;
        }
    }
    trials.intact()?;
    println!("full-disk: {} trials passed", trials.count());
    Ok(())
}

//! Jobs on a disk that is too small, or that something else fills while they run. They must be refused beforehand, or stop
//! without losing anything and resume once there is space.
//!
//! The disk is a tmpfs in a mount namespace of its own, which the kernel removes with the last process in it. If the
//! system does not allow this, the test says so and passes.
//!
//! It is not in `tests/all` since it is built to run by itself, without the tests of all commands.

mod disk;
mod trial;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use self::disk::Disk;
use self::trial::{Job, Trials};

/// The variable with which the test calls itself: the prepared directory, in which a disk can be mounted.
const PREPARED: &str = "KOMABAKO_FULL_DISK";

/// The file in that directory that gets the number of trials passed.
const PASSED: &str = "passed";

/// The number of records in the input, of 40 bytes each.
const RECORDS: &str = "300000";

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

/// Prepares the input, and runs the trials if a disk can be mounted.
#[test]
#[ignore = "takes minutes and mounts a disk: `cargo xtask full-disk` runs it"]
fn jobs_on_a_full_disk() {
    if let Some(directory) = env::var_os(PREPARED) {
        return trials(Path::new(&directory));
    }
    let directory = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let directory = directory.path();
    let small = directory.join("small");
    fs::create_dir(&small).unwrap();
    let namespace = match namespace(&small) {
        Ok(namespace) => namespace,
        Err(why) => {
            println!("full-disk: SKIPPED, nothing was tried: no disk can be mounted here: {why}");
            return;
        }
    };
    let games = env::var_os("KOMABAKO_GAMES").expect("the path of komabako-benches' program `games`");
    succeed(Command::new(games).args([RECORDS, "0.2", "1"]).arg(directory.join("input.psv"))).unwrap();
    let mut inside = Command::new("unshare");
    inside.args(namespace).arg(env::current_exe().unwrap()).env(PREPARED, directory);
    let status =
        inside.args(["--ignored", "--exact", "jobs_on_a_full_disk", "--nocapture"]).status().unwrap();
    assert!(status.success(), "a trial failed, see above");
    // Had this test another name, the call would run nothing and succeed.
    let passed = fs::read_to_string(directory.join(PASSED)).expect("the trials ran");
    println!("full-disk: {passed} trials passed");
}

/// Runs a program, or returns why it failed.
fn succeed(command: &mut Command) -> Result<(), String> {
    let output = command.output().map_err(|error| format!("{command:?}: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    Err(format!("{command:?}: {}", String::from_utf8_lossy(&output.stderr).trim()))
}

/// The options of `unshare` with which a disk can be mounted, or the reason why it cannot.
fn namespace(place: &Path) -> Result<&'static [&'static str], String> {
    let mut why = Vec::new();
    for namespace in NAMESPACES {
        let mut mount = Command::new("unshare");
        mount.args(namespace).args(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs"]).arg(place);
        match succeed(&mut mount) {
            Ok(()) => return Ok(namespace),
            Err(reason) => why.push(reason),
        }
    }
    Err(why.join("; "))
}

/// A file of many game records.
fn games(directory: &Path) -> PathBuf {
    let game = concat!(env!("CARGO_MANIFEST_DIR"), "/../komabako-kifu/tests/data/floodgate_0.csa");
    let content = fs::read_to_string(game).unwrap();
    let path = directory.join("games.csa");
    fs::write(&path, vec![content; GAME_COPIES].join("/\n")).unwrap();
    path
}

/// Runs all trials.
fn trials(directory: &Path) {
    let trials = Trials::new(directory);
    let disk = Disk::mount(directory.join("small"));
    let input = &trials.input;
    let compressed = trials.make(&["convert"], input, "input.psv.zst");

    // Jobs whose need is known in advance are refused at the start.
    disk.resize(8 << 20);
    for job in RESUMED.iter().chain(&REPEATED) {
        trials.refused(job, &disk, &[]);
    }
    trials.refused(&Job { name: "cat", command: &["cat", "-o"], ..REPEATED[1] }, &disk, &[]);
    let tmp = disk.path().display().to_string();
    let spread = ["--tmp-dir", &trials.beside("tmp"), "--tmp-dir", &tmp];
    for job in &RESUMED {
        trials.refused_for_temporary(job, &disk, &["--tmp-dir", &tmp]);
    }
    disk.resize(4 << 20);
    trials.refused_for_temporary(&RESUMED[0], &disk, &spread);

    // Jobs whose need is not known in advance stop when the disk is full.
    disk.resize(8 << 20);
    for job in &REPEATED {
        let expected = trials.expected(job);
        trials.stopped(job, &compressed, &disk);
        disk.resize(64 << 20);
        trials.done(job, &compressed, &disk, &[], &expected);
        disk.resize(8 << 20);
        trials.stopped_from_pipe(job, &disk);
    }
    trials.stopped_from_pipe(&RESUMED[0], &disk);
    trials.stopped(&GAMES, &games(directory), &disk);

    // Another file takes the space of a job that had enough at its start.
    disk.resize(64 << 20);
    for job in RESUMED.iter().chain(&REPEATED) {
        let expected = trials.expected(job);
        for stage in job.stages {
            trials.runs_out_of_space_at(job, stage, &disk);
            let resume: &[&str] = if job.is_in(&RESUMED) { &["--resume"] } else { &[] };
            trials.done(job, input, &disk, resume, &expected);
        }
    }
    trials.intact();
    fs::write(directory.join(PASSED), trials.count().to_string()).unwrap();
}

//! Reads that fail: every one in turn, of every kind of source.

use std::fmt::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use komabako_dataset::archive::Archiving;
use komabako_dataset::{Compression, Input, Output, convert};
use komabako_loader::error::{BadState, Conflict, FeatureFault, Mismatch, PolicyFault};
use komabako_loader::{LoaderError, OnBadRecord, Order, Plan, Record, Source};

use crate::common::{Files, numbered, small};
use crate::processes::{folder, process};

/// The variables of `fail_read.c`.
const FAIL_FOLDER: &str = "KOMABAKO_FAIL_FOLDER";
const FAIL_AT: &str = "KOMABAKO_FAIL_AT";
/// The name of the file to load, and the order.
const CASE: &str = "KOMABAKO_LOADER_CASE";

/// Files of every kind of source, in every order that can read them, on the caller's thread or on others.
const CASES: [(&str, Order, usize); 13] = [
    ("a.psv", Order::Riffle, 0),
    ("a.psv", Order::Riffle, 2),
    ("a.psv", Order::Uniform, 2),
    ("a.psv", Order::File, 1),
    ("a.hcpe", Order::Riffle, 2),
    ("a.kmb", Order::Riffle, 2),
    ("a.kmb", Order::Stream, 1),
    ("a.hcpe3", Order::Riffle, 2),
    ("a.pack", Order::Riffle, 1),
    ("a.psv.zst", Order::File, 2),
    ("a.psv.gz", Order::Stream, 0),
    ("a.psv.xz", Order::File, 1),
    ("a.csv", Order::Stream, 2),
];

/// What a loader gave until it failed, and after.
struct Loaded {
    records: Vec<Record>,
    errors: Vec<LoaderError>,
}

/// Loads an epoch. After an error it tries again.
fn load(plan: &Plan) -> Loaded {
    let mut loaded = Loaded { records: Vec::new(), errors: Vec::new() };
    while loaded.errors.len() < 3 {
        let mut loader = match plan.start() {
            Ok(loader) => loader,
            Err(error) => {
                loaded.errors.push(error);
                continue;
            }
        };
        while loaded.errors.len() < 3 {
            match loader.next() {
                Ok(Some(batch)) => loaded.records.extend_from_slice(&batch.records),
                Ok(None) => return loaded,
                Err(error) => loaded.errors.push(error),
            }
        }
    }
    loaded
}

/// The number of threads of this process.
fn threads() -> usize {
    std::fs::read_dir("/proc/self/task").unwrap().count()
}

/// Waits until there are no more than `before`: the system forgets a thread a little after it was joined.
fn all_have_ended(before: usize) -> bool {
    let start = Instant::now();
    while threads() > before {
        if start.elapsed() > Duration::from_secs(10) {
            return false;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    true
}

fn plan(folder: &Path, (name, order, threads): (&str, Order, usize)) -> Plan {
    Plan { order, threads, ..small(vec![Source::new(folder.join(name))]) }
}

#[test]
#[ignore = "`every_read_may_fail` runs it"]
fn loads_in_spite_of_a_failed_read() {
    let folder = folder();
    let case = std::env::var(CASE).unwrap().parse::<usize>().unwrap();
    let before = threads();
    let Loaded { records, errors } = load(&plan(&folder, CASES[case]));
    assert!(all_have_ended(before), "threads go on");
    let mut said = String::new();
    for error in &errors {
        writeln!(said, "{}: {error}", error.kind()).unwrap();
    }
    std::fs::write(folder.join("errors"), said).unwrap();
    std::fs::write(folder.join("records"), records.as_flattened()).unwrap();
}

/// Makes a file below `run`.
fn make(files: &Files, games: &Path, name: &str) {
    let numbered = |count: usize| files.write("numbered.psv", numbered(count).as_flattened());
    let from = match name {
        "a.hcpe3" | "a.pack" => games.to_owned(),
        "a.kmb" => numbered(3_000),
        _ => numbered(120),
    };
    let mut job = convert::Job::new(vec![Input::path(from)], Output::path(files.path("run").join(name)));
    if name == "a.kmb" {
        job.compression = Some(Compression::Archive(Archiving { block_records: 1_024, ..Archiving::FAST }));
    }
    job.plan().unwrap().run(&mut ()).unwrap();
}

#[test]
fn every_read_may_fail() {
    let files = Files::new();
    let library = files.path("fail_read.so");
    let compiled = Command::new("cc")
        .args(["-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o"])
        .arg(&library)
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fail_read.c"))
        .status();
    assert!(compiled.expect("the linker of Rust is a C compiler").success());
    let folder = files.path("run");
    std::fs::create_dir(&folder).unwrap();
    let games = files.write("games.hcpe3", &crate::formats::decisive_games().repeat(30));
    for (number, case) in CASES.into_iter().enumerate() {
        let (name, ..) = case;
        if !folder.join(name).exists() {
            make(&files, &games, name);
        }
        let expected = load(&plan(&folder, case)).records;
        assert!(expected.len() >= 100, "{name}");
        let mut failed = 0;
        let mut unnoticed = 0;
        loop {
            let mut process = process("faults::loads_in_spite_of_a_failed_read", &folder);
            process.env("LD_PRELOAD", &library).env(CASE, number.to_string());
            process.env(FAIL_FOLDER, folder.join(name)).env(FAIL_AT, failed.to_string());
            let output = process.stderr(Stdio::piped()).output().unwrap();
            let stderr = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{case:?} read {failed}: {stderr}");
            let errors = std::fs::read_to_string(folder.join("errors")).unwrap();
            let records = std::fs::read(folder.join("records")).unwrap();
            assert!(records == expected.as_flattened(), "{case:?} read {failed}: {errors}");
            if !stderr.contains("a read failed") {
                assert_eq!(errors, "");
                break;
            }
            // One error that names the file; none where only a sample is read, which is left to the reader of the records.
            assert!(errors.lines().count() <= 1, "{case:?} read {failed}: {errors}");
            if errors.is_empty() {
                unnoticed += 1;
            } else {
                assert!(
                    errors.starts_with("read: ") && errors.contains(name),
                    "{case:?} read {failed}: {errors}"
                );
            }
            failed += 1;
        }
        // Also by the check of moves.
        let examining = if name == "a.kmb" { 16 } else { 4 };
        assert!(unnoticed <= examining && failed >= unnoticed + 3, "{case:?}: {unnoticed} of {failed}");
    }
}

#[test]
fn chain_of_an_error_says_everything_once() {
    let files = Files::new();
    let missing = files.path("missing.psv");
    let mut damaged = numbered(100);
    damaged[3][38] = 7;
    let source = Source::new(files.write("a.psv", damaged.as_flattened()));
    let damaged = Plan { order: Order::File, on_bad_record: OnBadRecord::Raise, ..small(vec![source]) };
    let errors = [
        small(vec![Source::new(&missing)]).start().unwrap_err(),
        damaged.start().unwrap().next().unwrap_err(),
    ];
    for error in &errors {
        let mut outer: &dyn std::error::Error = error;
        while let Some(inner) = outer.source() {
            assert!(!outer.to_string().contains(&inner.to_string()), "{outer} / {inner}");
            outer = inner;
        }
    }
}

#[test]
fn every_fault_is_an_error_of_the_standard_library() {
    fn is_error<E: std::error::Error + Send + Sync + 'static>() {}
    is_error::<Conflict>();
    is_error::<Mismatch>();
    is_error::<BadState>();
    is_error::<PolicyFault>();
    is_error::<FeatureFault>();
}

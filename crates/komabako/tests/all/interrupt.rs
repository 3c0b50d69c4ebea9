//! Jobs that are stopped by a signal or killed: nothing is lost, and they can be resumed.

use std::ffi::OsString;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use komabako_testkit::files::has_grown;

use crate::support::{Place, Ran, program, run, sample};

/// Records with duplicates: enough of them to interrupt a job while it works.
fn records(place: &Place) -> PathBuf {
    let mut records = fs::read(sample("sample.psv")).unwrap().repeat(150);
    for (number, record) in records.chunks_exact_mut(40).enumerate() {
        record[32..34].copy_from_slice(&((number / 3000) as i16).to_le_bytes());
    }
    place.file("入力.psv", records)
}

/// A job on the records.
struct Job {
    arguments: Vec<OsString>,
    out: PathBuf,
}

impl Job {
    fn new(command: &str, input: &Path, out: PathBuf, options: &[&str]) -> Job {
        let paths = [input.as_os_str().to_owned(), out.clone().into_os_string()];
        let mut arguments: Vec<OsString> = vec![command.into()];
        arguments.extend(paths);
        arguments.extend(options.iter().map(OsString::from));
        Job { arguments, out }
    }

    /// The bytes that it writes without an interruption.
    fn expected(&self) -> Vec<u8> {
        let ran = run(&self.arguments);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        let bytes = fs::read(&self.out).unwrap();
        fs::remove_file(&self.out).unwrap();
        bytes
    }

    /// Runs it until a file in `directories` whose name starts with `stage` has grown, and sends a signal.
    fn signalled(&self, signal: &str, stage: &str, directories: &[PathBuf]) -> (Option<i32>, String) {
        for _ in 0..20 {
            let child = program().args(&self.arguments).stdout(Stdio::null()).stderr(Stdio::piped()).spawn();
            let mut child = child.unwrap();
            while !directories.iter().any(|directory| has_grown(directory, stage)) && is_running(&mut child) {
                thread::sleep(Duration::from_micros(200));
            }
            let kill = Command::new("kill").args(["-s", signal, &child.id().to_string()]).status();
            kill.unwrap();
            let output = child.wait_with_output().unwrap();
            if !output.status.success() {
                return (output.status.code(), String::from_utf8(output.stderr).unwrap());
            }
            // It was done before the signal came.
            fs::remove_file(&self.out).unwrap();
        }
        panic!("always done before {stage} was seen");
    }

    fn resumed(&self) -> Ran {
        run(self.arguments.iter().cloned().chain(["--resume".into()]))
    }
}

fn is_running(child: &mut Child) -> bool {
    child.try_wait().unwrap().is_none()
}

const EXTERNAL: [&str; 6] = ["--parts", "4", "--max-memory", "64M", "--threads", "1"];

#[test]
fn interrupted_job_names_the_resume_command() {
    let place = Place::new();
    let input = records(&place);
    let before = fs::read(&input).unwrap();
    let options = [&["--by", "record", "--shuffle-seed", "3"], &EXTERNAL[..]].concat();
    let job = Job::new("dedup", &input, place.path("out.psv"), &options);
    let expected = job.expected();
    assert_eq!(expected.len(), 200_000 * 40);
    for stage in ["keys-", "list-", "order-", ".out.psv."] {
        let (code, said) = job.signalled("INT", stage, &[place.path("")]);
        assert_eq!(code, Some(130), "{stage}: {said}");
        let is_kept = place.path(".out.psv.komabako").exists();
        assert_eq!(said.contains("--resume"), is_kept, "{stage}: {said}");
        assert!(is_kept || stage == "keys-", "{stage}");
        let left = place.names().into_iter().filter(|name| name != ".out.psv.komabako");
        assert_eq!(left.collect::<Vec<_>>(), ["入力.psv"], "{stage}");
        let resumed = job.resumed();
        assert_eq!(resumed.code, 0, "{stage}: {}", resumed.stderr);
        assert!(fs::read(&job.out).unwrap() == expected, "{stage}");
        assert_eq!(place.names(), ["out.psv", "入力.psv"], "{stage}");
        fs::remove_file(&job.out).unwrap();
    }
    assert!(fs::read(&input).unwrap() == before);
}

#[test]
fn interrupted_job_without_resume_leaves_nothing() {
    let place = Place::new();
    let input = records(&place);
    let tmp = place.path("tmp");
    let directory = tmp.to_str().unwrap();
    let convert = Job::new("convert", &input, place.path("out.hcpe"), &["--threads", "1"]);
    let unordered = ["--unordered", "--memory", "1M", "--threads", "1"];
    let unordered = || Job::new("convert", &input, place.path("out.kmb"), &unordered);
    let diff = [&["--tmp-dir", directory], &EXTERNAL[..]].concat();
    let diff = Job::new("diff", &input, input.clone(), &diff);
    for (job, stage) in [
        (convert, ".out.hcpe."),
        (unordered(), "keys-"),
        (unordered(), "places-"),
        (unordered(), ".out.kmb."),
        (diff, "a-part-"),
    ] {
        let (code, said) = job.signalled("INT", stage, &[place.path("")]);
        assert_eq!(code, Some(130), "{said}");
        assert!(!said.contains("--resume"), "{said}");
    }
    assert_eq!(place.names(), ["tmp", "入力.psv"]);
    assert_eq!(fs::read_dir(tmp).unwrap().count(), 0);
}

/// `nohup` starts a program with SIGHUP ignored, and a script's background jobs ignore SIGINT.
#[test]
fn signals_that_are_ignored_at_the_start_stay_ignored() {
    let place = Place::new();
    // More than the sample that is read before the output is opened.
    let records = fs::read(sample("sample.psv")).unwrap().repeat(4);
    let komabako = program().get_program().to_owned();
    for (signals, expected) in [(&["HUP", "INT"][..], Some(0)), (&["HUP", "INT", "TERM"], Some(130))] {
        let mut child = Command::new("sh")
            .args(["-c", "trap '' HUP INT; exec \"$0\" convert - \"$1\" --from psv --quiet"])
            .args([komabako.as_os_str(), place.path("out.hcpe").as_os_str()])
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(&records).unwrap();
        while !place.names().iter().any(|name| name.starts_with(".out.hcpe.")) {
            assert!(is_running(&mut child));
            thread::sleep(Duration::from_millis(1));
        }
        for signal in signals {
            let kill = Command::new("kill").args(["-s", signal, &child.id().to_string()]).status();
            kill.unwrap();
        }
        // A program that obeyed has time to end.
        thread::sleep(Duration::from_millis(200));
        assert_eq!(is_running(&mut child), expected == Some(0), "{signals:?}");
        drop(stdin);
        assert_eq!(child.wait().unwrap().code(), expected, "{signals:?}");
        assert_eq!(place.path("out.hcpe").exists(), expected == Some(0), "{signals:?}");
        let _ = fs::remove_file(place.path("out.hcpe"));
        assert_eq!(place.names(), [] as [&str; 0], "{signals:?}");
    }
}

/// Temporary files are spread over all directories, and a killed job finds them again.
#[test]
fn parts_are_spread_over_directories_and_resumed() {
    let place = Place::new();
    let input = records(&place);
    let directories = ["一", "二", "三"].map(|name| place.path(name));
    let mut options = vec!["--seed", "5"];
    for directory in &directories {
        options.extend(["--tmp-dir", directory.to_str().unwrap()]);
    }
    options.extend(EXTERNAL);
    let job = Job::new("shuffle", &input, place.path("out.psv"), &options);
    let expected = job.expected();
    let (code, _) = job.signalled("KILL", ".out.psv.", &[place.path("")]);
    assert_eq!(code, None);
    for directory in &directories {
        assert!(has_grown(directory, "order-"), "{}", directory.display());
    }
    // A part that is missing, with its disk, is named.
    let second = fs::read_dir(&directories[1]).unwrap().next().unwrap().unwrap().path();
    let part = second.join("order-00001");
    let aside = place.path("aside");
    fs::rename(&part, &aside).unwrap();
    job.resumed().fails(2, &[part.to_str().unwrap(), "start again"]);
    fs::rename(&aside, &part).unwrap();
    let resumed = job.resumed();
    assert_eq!(resumed.code, 0, "{}", resumed.stderr);
    assert!(fs::read(&job.out).unwrap() == expected);
    for directory in directories {
        assert_eq!(fs::read_dir(directory).unwrap().count(), 0);
    }
}

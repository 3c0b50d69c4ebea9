//! Named pipes: read where they are named, refused where folders are searched, and no reason to ignore a signal.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::clean::age;
use crate::support::{Place, Ran, program, run, sample};

fn pipe(place: &Place, name: &str) -> PathBuf {
    let path = place.path(name);
    assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
    path
}

/// A game without moves.
const GAME: &str = "V2.2\nPI\n+\n%TORYO\n";

/// Ends a program that waits by one signal, and returns what it said.
fn terminated(mut child: Child) -> Ran {
    let kill = Command::new("kill").args(["-s", "TERM", &child.id().to_string()]).status();
    assert!(kill.unwrap().success());
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if start.elapsed() > Duration::from_secs(20) {
            child.kill().unwrap();
            panic!("it ignores the signal");
        }
        thread::sleep(Duration::from_millis(5));
    }
    child.wait_with_output().unwrap().into()
}

#[test]
fn a_signal_ends_the_wait_for_a_pipe() {
    let place = Place::new();
    let records = fs::read(sample("sample.psv")).unwrap();
    let [first, second] = ["first", "second"].map(|name| pipe(&place, name).into_os_string());
    let input = sample("sample.psv").into_os_string();
    let [psv, kif] = ["out.psv", "out.kif"].map(|name| place.path(name).into_os_string());
    let psv_of = |name: &str| vec![name.into(), "--from".into(), "psv".into(), first.clone(), second.clone()];
    let with_output = |name: &str| [psv_of(name), vec![psv.clone()]].concat();
    let commands = [
        (psv_of("stats"), &records[..]),
        (psv_of("validate"), &records),
        (psv_of("diff"), &records),
        (with_output("convert"), &records),
        (with_output("dedup"), &records),
        (with_output("repair"), &records),
        (with_output("filter").into_iter().chain(["--where".into(), "ply>0".into()]).collect(), &records),
        (vec!["merge-scores".into(), input, first.clone(), psv.clone()], &[0, 0]),
        (vec!["kifu".into(), "--check".into(), first.clone(), second.clone()], GAME.as_bytes()),
        (vec!["kifu".into(), first.clone(), second.clone(), kif], GAME.as_bytes()),
    ];
    for (arguments, content) in commands {
        // The program has its handlers of signals when it opens the pipe.
        let (child, mut writer) = started(&arguments, first.as_ref());
        writer.write_all(content).unwrap();
        let reads_second = arguments.contains(&second);
        if reads_second {
            // The program comes to the second pipe, to which nothing ever writes.
            drop(writer);
            let ran = terminated(child);
            assert_eq!((ran.code, ran.stdout.as_str()), (130, ""), "{arguments:?}: {}", ran.stderr);
        } else {
            // The program waits for more data.
            let ran = terminated(child);
            assert_eq!(ran.code, 130, "{arguments:?}: {}", ran.stderr);
            drop(writer);
        }
        assert_eq!(place.names(), ["first", "second"], "{arguments:?}");
    }
}

#[test]
fn named_pipes_are_read() {
    let place = Place::new();
    let records = pipe(&place, "records");
    let games = pipe(&place, "games");
    let fill = |path: &PathBuf, content: Vec<u8>| {
        let path = path.clone();
        thread::spawn(move || fs::write(path, content).unwrap())
    };
    let writer = fill(&records, fs::read(sample("sample.psv")).unwrap());
    let [out, expected] = ["out.hcpe", "expected.hcpe"].map(|name| place.path(name));
    assert_eq!(run(["convert".as_ref(), records.as_os_str(), out.as_os_str()]).code, 0);
    writer.join().unwrap();
    run(["convert".as_ref(), sample("sample.psv").as_os_str(), expected.as_os_str()]);
    assert!(fs::read(out).unwrap() == fs::read(expected).unwrap());

    let writer = fill(&games, GAME.into());
    let out = place.path("out.csa");
    assert_eq!(run(["kifu".as_ref(), games.as_os_str(), out.as_os_str()]).code, 0);
    writer.join().unwrap();
    assert!(fs::read_to_string(out).unwrap().contains("%TORYO"));
}

#[test]
fn a_pipe_in_a_searched_folder_is_refused() {
    let place = Place::new();
    fs::create_dir(place.path("games")).unwrap();
    place.file("games/a.csa", GAME);
    // It does not look like a game.
    pipe(&place, "games/control");
    let folder = place.path("games");
    let check = ["kifu".as_ref(), "--check".as_ref(), "--recursive".as_ref(), folder.as_os_str()];
    assert_eq!(run(check).code, 0);
    pipe(&place, "games/b.csa");
    run(check).fails(2, &["b.csa"]);
    let out = place.path("out.psv");
    let convert = ["convert", "--json", "--recursive"].map(AsRef::as_ref);
    run([&convert[..], &[folder.as_os_str(), out.as_os_str()]].concat()).refused(
        2,
        "special_file",
        &["b.csa"],
    );
    fs::remove_file(place.path("games/b.csa")).unwrap();
    std::os::unix::fs::symlink("control", place.path("games/c.csa")).unwrap();
    run(check).fails(2, &["c.csa"]);
}

/// A file that cannot be opened says nothing about its game: the job stops.
#[test]
fn errors_of_the_system_are_not_bad_games() {
    let place = Place::new();
    place.file("a.csa", GAME);
    std::os::unix::fs::symlink("gone", place.path("b.csa")).unwrap();
    let [folder, psv, kif] = ["", "out.psv", "out.kif"].map(|name| place.path(name).into_os_string());
    let recursive =
        |command: &str| vec![command.into(), "--json".into(), "--recursive".into(), folder.clone()];
    for arguments in [
        [recursive("convert"), vec![psv]].concat(),
        [recursive("kifu"), vec!["--check".into()]].concat(),
        [recursive("kifu"), vec![kif]].concat(),
    ] {
        run(&arguments).refused(2, "open", &["b.csa"]);
        assert_eq!(place.names(), ["a.csa", "b.csa"]);
    }
    fs::remove_file(place.path("b.csa")).unwrap();
    // A fault of the content is one of the game.
    place.file("b.csa.gz", b"\x1f\x8b\x08\0\0\0\0\0\0\x03broken");
    let ran = run([recursive("kifu"), vec!["--check".into()]].concat());
    assert_eq!((ran.code, ran.report()["bad_total"].as_u64()), (1, Some(1)), "{}", ran.stderr);
}

/// Starts the program, and returns it with the writing end of a pipe once it has opened the pipe.
fn started(arguments: &[OsString], pipe: &Path) -> (Child, File) {
    let child = program().args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    (child, File::options().write(true).open(pipe).unwrap())
}

/// An output that appears while a job runs is an error when the job completes its own. By then others are complete.
#[test]
fn complete_outputs_are_listed_after_an_error() {
    let place = Place::new();
    let records = fs::read(sample("sample.psv")).unwrap();
    place.file("a.psv", &records[40..]);
    place.file("a.csa", GAME);
    let input = pipe(&place, "pipe");
    let at = |name: &str| place.path(name).into_os_string();
    let arguments = |words: &[&str], paths: &[&str]| -> Vec<OsString> {
        let words = words.iter().map(OsString::from);
        let file = |path: &&str| match path.strip_prefix("--") {
            Some(_) => path.into(),
            None => at(path),
        };
        words.chain(paths.iter().map(file)).collect()
    };
    let commands = [
        (
            arguments(&["stats", "--json"], &["pipe", "--save", "s.json", "--html", "h.html"]),
            &records[..],
            ["s.json", "h.html"],
        ),
        (
            arguments(&["diff", "--json"], &["a.psv", "pipe", "--only-a", "x.psv", "--only-b", "y.psv"]),
            &records,
            ["x.psv", "y.psv"],
        ),
        (
            arguments(&["kifu", "--json", "--split"], &["a.csa", "pipe", "g.csa"]),
            GAME.as_bytes(),
            ["g-000001.csa", "g-000002.csa"],
        ),
    ];
    for (arguments, content, [complete, refused]) in commands {
        let (child, mut writer) = started(&arguments, &input);
        fs::write(place.path(refused), "other").unwrap();
        writer.write_all(content).unwrap();
        drop(writer);
        let ran: Ran = child.wait_with_output().unwrap().into();
        ran.refused(2, "appeared", &[refused, " complete:", complete]);
        assert!(!ran.stderr.contains("--force"), "another program wrote it");
        let outputs = ran.report()["outputs"].clone();
        assert_eq!(outputs.as_array().unwrap().len(), 1, "{outputs}");
        assert!(outputs[0]["name"].as_str().unwrap().ends_with(complete), "{outputs}");
        assert_eq!(fs::read_to_string(place.path(refused)).unwrap(), "other");
        for name in [complete, refused] {
            fs::remove_file(place.path(name)).unwrap();
        }
    }
}

/// The outputs may be the work of hours.
#[test]
fn a_manifest_that_cannot_be_written_is_shown() {
    let place = Place::new();
    fs::create_dir(place.path("folder")).unwrap();
    let input = pipe(&place, "pipe");
    let [out, manifest] = ["out.hcpe", "folder/m.json"].map(|name| place.path(name).into_os_string());
    let arguments: [OsString; 7] = [
        "convert".into(),
        input.clone().into_os_string(),
        out,
        "--from".into(),
        "psv".into(),
        "--manifest".into(),
        manifest,
    ];
    let (child, mut writer) = started(&arguments, &input);
    fs::remove_dir(place.path("folder")).unwrap();
    writer.write_all(&fs::read(sample("sample.psv")).unwrap()).unwrap();
    drop(writer);
    let ran: Ran = child.wait_with_output().unwrap().into();
    ran.fails(2, &["m.json", "\"sha256\": \"", " complete:"]);
    assert!(!ran.stderr.contains("run the job again"), "{}", ran.stderr);
}

/// GNU `timeout` sends a signal to the program and another to its process group.
#[test]
fn two_signals_at_once_are_one_request() {
    let place = Place::new();
    let input = pipe(&place, "pipe");
    let arguments =
        ["convert".into(), input.clone().into_os_string(), place.path("out.hcpe").into_os_string()];
    let arguments = [&arguments[..], &["--from".into(), "psv".into()]].concat();
    let (mut child, mut writer) = started(&arguments, &input);
    // More than a reader of a pipe passes on at once.
    writer.write_all(&fs::read(sample("sample.psv")).unwrap().repeat(10)).unwrap();
    while !place.names().iter().any(|name| name.ends_with("part")) && child.try_wait().unwrap().is_none() {
        thread::sleep(Duration::from_millis(1));
    }
    let kill = format!("kill -TERM {0}; kill -INT {0}", child.id());
    Command::new("sh").args(["-c", &kill]).status().unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_eq!(place.names(), ["pipe"]);
    drop(writer);
}

/// The memory of a process is a file that can be opened, and not read at its start.
#[cfg(target_os = "linux")]
#[test]
fn a_failed_read_is_not_one_of_opening() {
    for arguments in [
        &["kifu", "--check", "--json", "/proc/self/mem"][..],
        &["stats", "--json", "/proc/self/mem"],
        &["stats", "--json", "--merge", "/proc/self/mem"],
        &["solve", "--json", "/proc/self/mem"],
        &["card", "/proc/self/mem"],
    ] {
        run(arguments).fails(2, &["/proc/self/mem: cannot read past byte 0 of its content"]);
    }
}

#[test]
fn solve_reads_a_named_pipe() {
    let place = Place::new();
    let input = pipe(&place, "pipe");
    let (child, mut writer) = started(&["solve".into(), input.clone().into_os_string()], &input);
    writer.write_all(b"4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1\n").unwrap();
    drop(writer);
    let ran: Ran = child.wait_with_output().unwrap().into();
    assert_eq!(ran.code, 0, "{}", ran.stderr);
}

/// Nothing reads the outputs, and nothing writes to the saved counts.
#[test]
fn a_signal_ends_the_wait_for_the_other_end_of_an_output() {
    let place = Place::new();
    let [input, out] = ["in", "out.psv"].map(|name| pipe(&place, name));
    let arguments = ["convert".into(), input.clone().into_os_string(), out.clone().into_os_string()];
    let arguments = [&arguments[..], &["--from".into(), "psv".into()]].concat();
    // The handlers of signals are there when the program opens its input.
    let (child, mut writer) = started(&arguments, &input);
    writer.write_all(&fs::read(sample("sample.psv")).unwrap()).unwrap();
    drop(writer);
    thread::sleep(Duration::from_millis(50));
    let ran = terminated(child);
    assert_eq!(ran.code, 130, "{}", ran.stderr);

    let records = sample("sample.psv");
    let page = pipe(&place, "page.html");
    let arguments = ["stats".into(), input.clone().into_os_string(), "--from".into(), "psv".into()];
    let arguments = [&arguments[..], &["--html".into(), page.into_os_string()]].concat();
    let (child, mut writer) = started(&arguments, &input);
    writer.write_all(&fs::read(records).unwrap()).unwrap();
    drop(writer);
    thread::sleep(Duration::from_millis(50));
    let ran = terminated(child);
    assert_eq!(ran.code, 130, "{}", ran.stderr);
    assert_eq!(place.names(), ["in", "out.psv", "page.html"]);
}

/// A real job: in use while it runs; named by the next job, and removed, when it was killed.
#[test]
fn the_output_of_a_killed_job_is_named_and_removed() {
    let place = Place::new();
    let pipe = pipe(&place, "pipe");
    let folder = place.path("").into_os_string().into_string().unwrap();
    let mut job = program();
    job.args(["convert", "--from", "psv"]).args([&pipe, &place.path("out.hcpe")]).stderr(Stdio::null());
    let mut child = job.spawn().unwrap();
    let mut writer = File::options().write(true).open(&pipe).unwrap();
    // Enough for the program to know the format; then it waits for more.
    writer.write_all(&fs::read(sample("sample.psv")).unwrap().repeat(4)).unwrap();
    let part = || place.names().into_iter().find(|name| name.ends_with(".komabako-part"));
    while part().is_none() {
        thread::sleep(Duration::from_millis(2));
    }
    let part = part().unwrap();
    // It is there a moment before it is locked.
    let start = Instant::now();
    while !run(["clean", &folder]).ok().contains("in use") {
        assert!(start.elapsed() < Duration::from_secs(20), "{part} is not in use");
    }
    child.kill().unwrap();
    child.wait().unwrap();
    drop(writer);
    age(&place.path(""));
    let next = |name: &str| {
        let out = place.path(name);
        run(["convert".as_ref(), sample("sample.psv").as_os_str(), out.as_os_str()])
    };
    let ran = next("next.hcpe");
    assert_eq!(ran.code, 0);
    assert!(ran.stderr.contains(&part) && ran.stderr.contains("komabako clean"), "{}", ran.stderr);
    assert!(run(["clean", &folder]).ok().contains(&part));
    assert_eq!(place.names(), ["next.hcpe", "pipe"]);
    assert_eq!(next("last.hcpe").stderr, "");
}

/// A lock that would be waited for, or that never ends.
#[test]
fn a_pipe_in_place_of_a_lock_is_not_read() {
    let place = Place::new();
    let folder = place.path("").into_os_string().into_string().unwrap();
    for name in [".komabako-0123456789abcdef", ".komabako-fedcba9876543210"] {
        fs::create_dir(place.path(name)).unwrap();
    }
    pipe(&place, ".komabako-0123456789abcdef/lock");
    std::os::unix::fs::symlink("/dev/zero", place.path(".komabako-fedcba9876543210/lock")).unwrap();
    age(&place.path(""));
    assert_eq!(run(["clean", "--all", &folder]).code, 0);
    let input = sample("sample.psv").display().to_string();
    let ran = run(["dedup", &input, "-", "--to", "psv", "--dry-run", "--tmp-dir", &folder]);
    assert_eq!((ran.code, place.names().len()), (0, 2), "{}", ran.stderr);
}

//! `komabako clean`, and the notice of what killed runs have left.

use std::fs::{self, File};
use std::io::Write;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use crate::support::{Place, program, run, sample};

/// A directory of temporary files, as a job leaves it.
fn work_dir(place: &Place, name: &str, files: &[&str]) {
    fs::create_dir(place.path(name)).unwrap();
    for file in ["lock"].iter().chain(files) {
        place.file(&format!("{name}/{file}"), "");
    }
}

#[test]
fn only_what_no_run_can_use_is_removed() {
    let place = Place::new();
    let folder = place.path("").into_os_string().into_string().unwrap();
    let kept = [
        // Not in the form of our names, or not what they name.
        ".a.psv.abc123.part.bak",
        ".a.psv.abc12.part",
        ".abc123.part",
        ".b.psv.komabako",
        "a.psv.abc123.part",
        "answers.tsv.part",
        // Closed by a run that is alive, which has another file open.
        ".a-1.psv.zyx987.part",
        ".a-2.psv.zyx987.part",
    ];
    let mut names: Vec<String> = kept.map(str::to_owned).into();
    kept.iter().for_each(|name| drop(place.file(name, "data")));
    let live = File::open(place.path(".a-2.psv.zyx987.part")).unwrap();
    live.lock().unwrap();
    // Without a lock, it is another program's.
    fs::create_dir(place.path(".komabako-other")).unwrap();
    work_dir(&place, ".komabako-0123456789abcdef", &["keys-00000"]);
    let alive = File::open(place.path(".komabako-0123456789abcdef/lock")).unwrap();
    alive.lock().unwrap();
    work_dir(&place, ".c.psv.komabako", &["manifest.json", "keys-00000"]);
    // The files of a job that can be resumed, in another place.
    work_dir(&place, ".komabako-fedcba9876543210", &["order-00000"]);
    let home = place.path(".c.psv.komabako");
    place.file(".komabako-fedcba9876543210/lock", home.as_os_str().as_encoded_bytes());
    // The directory of its output is on a disk that is not mounted.
    work_dir(&place, ".komabako-aaaaaaaaaaaaaaaa", &["order-00000"]);
    place.file(".komabako-aaaaaaaaaaaaaaaa/lock", "/not-mounted/data/.e.psv.komabako");
    let of_jobs = [
        ".c.psv.komabako",
        ".komabako-0123456789abcdef",
        ".komabako-aaaaaaaaaaaaaaaa",
        ".komabako-fedcba9876543210",
        ".komabako-other",
    ];
    names.extend(of_jobs.map(str::to_owned));
    names.sort();
    let dead = [".a.psv.abc123.part", ".d.psv.komabako", ".komabako-1"];
    place.file(dead[0], "data");
    work_dir(&place, dead[1], &["keys-00000"]);
    work_dir(&place, dead[2], &["a-part-00000"]);
    let mut all: Vec<String> = names.iter().cloned().chain(dead.map(str::to_owned)).collect();
    all.sort();

    let ran = run(["clean", "--dry-run", &folder]);
    assert_eq!((ran.code, place.names()), (0, all));
    assert_eq!(ran.stdout.matches("would be removed").count(), 3, "{}", ran.stdout);
    let ran = run(["clean", "--json", &folder]);
    assert_eq!(place.names(), names);
    let report = ran.report();
    let count = |state: &str, removed: bool| {
        let leftovers = report["leftovers"].as_array().unwrap().iter();
        leftovers.filter(|left| left["state"] == state && left["removed"] == removed).count()
    };
    assert_eq!(
        (count("dead", true), count("resumable", false), count("alive", false)),
        (3, 3, 3),
        "{report}"
    );
    let ran = run(["clean", &folder]);
    assert_eq!((place.names(), ran.stdout.contains("--resume")), (names.clone(), true), "{}", ran.stdout);
    // On request, work that can be resumed too, but never what is in use.
    assert_eq!(run(["clean", "--all", &folder]).code, 0);
    names.retain(|name| ![of_jobs[0], of_jobs[2], of_jobs[3]].contains(&name.as_str()));
    assert_eq!(place.names(), names);
    drop((live, alive));
    run(["clean", &place.path("nothing").into_os_string().into_string().unwrap()]).fails(2, &["nothing"]);
}

/// A real job: in use while it runs; named by the next job, and removed, when it was killed.
#[test]
fn the_output_of_a_killed_job_is_named_and_removed() {
    let place = Place::new();
    let pipe = place.path("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let folder = place.path("").into_os_string().into_string().unwrap();
    let mut job = program();
    job.args(["convert", "--from", "psv"]).args([&pipe, &place.path("out.hcpe")]).stderr(Stdio::null());
    let mut child = job.spawn().unwrap();
    let mut writer = File::options().write(true).open(&pipe).unwrap();
    // Enough for the program to know the format; then it waits for more.
    writer.write_all(&fs::read(sample("sample.psv")).unwrap().repeat(4)).unwrap();
    let part = || place.names().into_iter().find(|name| name.ends_with(".part"));
    while part().is_none() {
        thread::sleep(Duration::from_millis(2));
    }
    let part = part().unwrap();
    assert!(run(["clean", &folder]).ok().contains("in use"));
    child.kill().unwrap();
    child.wait().unwrap();
    drop(writer);
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

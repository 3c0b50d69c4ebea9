//! `komabako clean`, and the notice of what killed runs have left.

use std::fs::{self, File};
use std::path::Path;
use std::time::{Duration, SystemTime};

use komabako_testkit::files::set_modified;

use crate::support::{Place, run, sample};

/// The start of the content of a lock file.
const SIGNATURE: &str = "temporary files of komabako\n";

/// A directory of temporary files, as a job leaves it.
fn work_dir(place: &Place, name: &str, files: &[&str]) {
    fs::create_dir(place.path(name)).unwrap();
    place.file(&format!("{name}/lock"), SIGNATURE);
    files.iter().for_each(|file| drop(place.file(&format!("{name}/{file}"), "")));
}

/// Makes everything in a folder look as if it had been there for some minutes.
pub fn age(folder: &Path) {
    let long_ago = SystemTime::now() - Duration::from_secs(200);
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let known = fs::symlink_metadata(&path).unwrap();
        if known.is_dir() {
            age(&path);
        }
        if known.is_dir() || known.is_file() {
            set_modified(&path, long_ago).unwrap();
        }
    }
}

#[test]
fn only_what_no_run_can_use_is_removed() {
    let place = Place::new();
    let folder = place.path("").into_os_string().into_string().unwrap();
    let kept = [
        // Not in the form of our names, or not what they name.
        ".a.psv.abc123.komabako-part.bak",
        ".a.psv.abc12.komabako-part",
        ".a.psv.abc123.part",
        ".abc123.komabako-part",
        ".b.psv.komabako",
        "a.psv.abc123.komabako-part",
        "answers.tsv.part",
        // Closed by a run that is alive, which has another file open.
        ".a-1.psv.zyx987.komabako-part",
        ".a-2.psv.zyx987.komabako-part",
    ];
    let mut names: Vec<String> = kept.map(str::to_owned).into();
    kept.iter().for_each(|name| drop(place.file(name, "data")));
    let live = File::open(place.path(".a-2.psv.zyx987.komabako-part")).unwrap();
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
    place.file(
        ".komabako-fedcba9876543210/lock",
        [SIGNATURE.as_bytes(), home.as_os_str().as_encoded_bytes()].concat(),
    );
    // The directory of its output is on a disk that is not mounted.
    work_dir(&place, ".komabako-aaaaaaaaaaaaaaaa", &["order-00000"]);
    place.file(".komabako-aaaaaaaaaaaaaaaa/lock", format!("{SIGNATURE}/not-mounted/data/.e.psv.komabako"));
    let of_jobs = [
        ".c.psv.komabako",
        ".komabako-0123456789abcdef",
        ".komabako-aaaaaaaaaaaaaaaa",
        ".komabako-fedcba9876543210",
        ".komabako-other",
    ];
    names.extend(of_jobs.map(str::to_owned));
    names.sort();
    let dead = [".a.psv.abc123.komabako-part", ".d.psv.komabako", ".komabako-0000000000000001"];
    place.file(dead[0], "data");
    work_dir(&place, dead[1], &["keys-00000"]);
    work_dir(&place, dead[2], &["a-part-00000"]);
    let mut all: Vec<String> = names.iter().cloned().chain(dead.map(str::to_owned)).collect();
    all.sort();

    let ran = run(["clean", &folder]);
    assert_eq!((ran.code, place.names()), (0, all.clone()));
    assert_eq!(ran.stdout.matches("kept: less than a minute old").count(), 3, "{}", ran.stdout);
    age(&place.path(""));
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

/// Names that a user or another program may have chosen, and a directory of ours that a user has put something into.
#[test]
fn what_a_user_has_made_is_kept() {
    let place = Place::new();
    let folder = place.path("").into_os_string().into_string().unwrap();
    for directory in [".notes.komabako", ".komabako-venv", ".komabako-0123456789abcdef", ".list.komabako"] {
        fs::create_dir(place.path(directory)).unwrap();
        place.file(&format!("{directory}/lock"), "");
    }
    place.file(".notes.backup.part", "important");
    place.file(".notes.komabako/mywork.txt", "data");
    place.file(".list.komabako/keys-00000", "data");
    fs::create_dir(place.path(".komabako-venv/lib")).unwrap();
    fs::create_dir(place.path(".komabako")).unwrap();
    work_dir(&place, ".a.psv.komabako", &["keys-00000", "mine.txt"]);
    age(&place.path(""));
    let names = place.names();
    let ran = run(["clean", "--all", "--json", &folder]);
    assert_eq!((ran.code, place.names()), (1, names), "{}", ran.stdout);
    let report = ran.report();
    let leftovers = report["leftovers"].as_array().unwrap();
    assert_eq!(leftovers.len(), 1, "{report}");
    assert!(leftovers[0]["path"].as_str().unwrap().ends_with(".a.psv.komabako"), "{report}");
    assert!(!leftovers[0]["reason"].as_str().unwrap().is_empty(), "{report}");
    for file in [
        ".notes.komabako/mywork.txt",
        ".notes.komabako/lock",
        ".list.komabako/keys-00000",
        ".komabako-venv/lib",
        ".a.psv.komabako/lock",
        ".a.psv.komabako/keys-00000",
        ".a.psv.komabako/mine.txt",
    ] {
        assert!(place.path(file).exists(), "{file}");
    }
    // A job with that output says so, and leaves no file there.
    let [input, out] = [sample("sample.psv"), place.path("notes")].map(|path| path.display().to_string());
    run(["dedup", &input, &out, "--to", "psv"]).fails(2, &[".notes.komabako"]);
    assert_eq!(fs::read_dir(place.path(".notes.komabako")).unwrap().count(), 2);
}

#[cfg(target_os = "linux")]
#[test]
fn a_job_whose_output_has_a_name_that_is_not_utf_8_can_be_resumed() {
    use std::os::unix::ffi::{OsStrExt, OsStringExt};
    let place = Place::new();
    let folder = place.path("").into_os_string().into_string().unwrap();
    work_dir(&place, ".komabako-0123456789abcdef", &["keys-00000"]);
    let home = [place.path("").as_os_str().as_bytes(), b"/.\xff\xfe.psv.komabako"].concat();
    let home = std::path::PathBuf::from(std::ffi::OsString::from_vec(home));
    fs::create_dir(&home).unwrap();
    fs::write(home.join("lock"), SIGNATURE).unwrap();
    fs::write(home.join("manifest.json"), "{}").unwrap();
    let content = [SIGNATURE.as_bytes(), home.as_os_str().as_bytes()].concat();
    place.file(".komabako-0123456789abcdef/lock", content);
    age(&place.path(""));
    let ran = run(["clean", &folder]);
    assert_eq!(ran.stdout.matches("can be resumed").count(), 2, "{}", ran.stdout);
    assert!(place.path(".komabako-0123456789abcdef/keys-00000").exists());
}

/// A run that was killed before it could lock a directory, or after it had removed everything else.
#[test]
fn an_empty_directory_is_removed_and_one_named_twice_is_listed_once() {
    let place = Place::new();
    let folder = place.path("").into_os_string().into_string().unwrap();
    let names = [".a.psv.komabako", ".b.psv.komabako", ".komabako-0123456789abcdef"];
    names[..1].iter().chain(&names[2..]).for_each(|name| fs::create_dir(place.path(name)).unwrap());
    // The manifest and the data are already removed.
    work_dir(&place, names[1], &[]);
    age(&place.path(""));
    let again = place.path(".").into_os_string().into_string().unwrap();
    let ran = run(["clean", &folder, &folder, &again]);
    assert_eq!((ran.code, ran.stdout.lines().count()), (0, 3), "{}", ran.stdout);
    assert!(place.names().is_empty());
}

/// A dry run says what the run would do.
#[test]
fn a_directory_with_a_file_of_the_user_is_not_announced() {
    let place = Place::new();
    let folder = place.path("").into_os_string().into_string().unwrap();
    let directory = ".komabako-0123456789abcdef";
    work_dir(&place, directory, &["keys-00000", "notes.txt"]);
    age(&place.path(""));
    for options in [&["--dry-run"][..], &[]] {
        let ran = run(["clean", &folder].iter().chain(options));
        assert_eq!(ran.code, 1, "{}", ran.stdout);
        assert!(
            ran.stdout.contains("cannot remove") && !ran.stdout.contains("would be removed"),
            "{}",
            ran.stdout
        );
        assert!(place.path(directory).join("keys-00000").exists());
    }
}

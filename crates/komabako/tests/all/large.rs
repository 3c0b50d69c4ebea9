//! `dedup` and `shuffle`: their reports, and that killing them loses nothing.

use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use crate::support::{Place, Ran, feed, program, run, run_on, sample};
use komabako_testkit::cases;
use komabako_testkit::files::set_modified;
use serde_json::{Value, json};

/// A file of `count` different records, followed by the first hundred again.
fn records(place: &Place, count: usize) -> PathBuf {
    let sample = fs::read(sample("sample.psv")).unwrap();
    let mut records: Vec<u8> = sample.into_iter().cycle().take(count * 40).collect();
    for (number, record) in records.chunks_exact_mut(40).enumerate() {
        record[32..34].copy_from_slice(&((number / 2000) as i16).to_le_bytes());
    }
    records.extend_from_within(..4000);
    place.file("入力 №1.psv", records)
}

fn arguments<'a>(command: &'a str, paths: [&'a Path; 2], options: &'a [&'a str]) -> Vec<&'a OsStr> {
    let mut arguments = vec![OsStr::new(command), paths[0].as_os_str(), paths[1].as_os_str()];
    arguments.extend(options.iter().map(OsStr::new));
    arguments
}

#[test]
fn dry_run_reports_resources_and_writes_nothing() {
    let place = Place::new();
    let input = records(&place, 10_000);
    let out = place.path("out.psv");
    let options = ["--seed", "1", "--parts", "4", "--max-memory", "1G", "--dry-run"];
    let printed = run(arguments("shuffle", [&input, &out], &options)).ok();
    for text in ["10,100 records", "of 1.1 GB", "543 kB", "in 4 parts"] {
        assert!(printed.contains(text), "no {text:?} in {printed}");
    }
    let json = run(arguments("shuffle", [&input, &out], &[&options[..], &["--json"]].concat())).ok();
    let needs = &serde_json::from_str::<Value>(&json).unwrap()["needs"];
    assert_eq!(needs["records"], 10_100);
    // The parts, and as much of the output as one of them may have.
    assert_eq!(needs["disks"][0]["peak"], 10_100 * 42 + 118_824);
    assert_eq!(place.names(), ["入力 №1.psv"]);

    let small = ["--seed", "1", "--max-memory", "1M", "--dry-run", "--json"];
    run(arguments("shuffle", [&input, &out], &small)).refused(2, "memory", &["--max-memory"]);
    let japanese = ["--seed", "1", "--max-memory", "1M", "--lang", "ja"];
    run(arguments("shuffle", [&input, &out], &japanese)).fails(2, &["メモリが", "--max-memory"]);
}

/// A shuffle must not seem to have looked for duplicates.
#[test]
fn dry_run_mentions_only_requested_stages() {
    let place = Place::new();
    let input = records(&place, 1_000);
    let out = place.path("out.psv");
    for (command, options, parts, unsaid) in [
        ("shuffle", &["--seed", "1"][..], json!({ "order": 4 }), Some("duplicates")),
        ("dedup", &[], json!({ "keys": 4 }), Some("shuffle")),
        ("dedup", &["--shuffle-seed", "1"], json!({ "keys": 4, "order": 4 }), None),
    ] {
        let options = [options, &["--parts", "4", "--max-memory", "1G", "--force"]].concat();
        let ran = run(arguments(command, [&input, &out], &options));
        ran.fails(0, &["in 4 parts"]);
        let all = ran.stdout + &ran.stderr;
        assert!(unsaid.is_none_or(|unsaid| !all.contains(unsaid)), "{unsaid:?} in {all}");
        let dry = run(arguments(command, [&input, &out], &[&options[..], &["--dry-run", "--json"]].concat()));
        assert_eq!(dry.report()["needs"]["partition_counts"], parts, "{command} {options:?}");
    }
}

#[test]
fn report_counts_skipped_records() {
    let place = Place::new();
    let input = records(&place, 2_000);
    let out = place.path("out.hcpe");
    let options = ["--by", "record", "--shuffle-seed", "7", "--json"];
    let ran = run(arguments("dedup", [&input, &out], &options));
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stderr.contains("2,100 records"), "{}", ran.stderr);
    let report: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((&report["read"], &report["output"]["format"]), (&2_100.into(), &"hcpe".into()));
    let written = fs::metadata(&out).unwrap().len() / 38;
    assert_eq!(report["written"], written);
    assert_eq!(report["duplicates"], 2_100 - written);
    let ran = run(arguments("dedup", [&input, &out], &["--force", "--by", "record"]));
    assert!(ran.stdout.contains("100 left out (4.76 %)"), "{}", ran.stdout);
}

#[test]
fn bad_record_stops_a_job_unless_it_is_skipped() {
    let place = Place::new();
    let input = records(&place, 100);
    let out = place.path("out.psv");
    let mut bytes = fs::read(&input).unwrap();
    bytes[400..432].fill(0xff);
    fs::write(&input, bytes).unwrap();
    run(arguments("dedup", [&input, &out], &["--json"])).refused(
        1,
        "record",
        &["record 10 (byte 400)", "--on-error collect=FILE"],
    );
    // The second is the former name.
    for options in [&["--on-error", "skip"][..], &["--skip-bad", "--force"]] {
        let ran = run(arguments("dedup", [&input, &out], &[options, &["--json"]].concat()));
        assert_eq!((ran.code, &ran.report()["bad"]), (1, &json!({"KING_CODE": 1})), "{}", ran.stderr);
    }
    let bad = place.path("bad.psv");
    let ran = run(arguments(
        "dedup",
        [&input, &out],
        &["--force", "--on-error", &format!("collect={}", bad.display())],
    ));
    assert!(ran.code == 1 && ran.stdout.contains("bad.psv.reasons.tsv"), "{}", ran.stdout);
    assert!(fs::read(&bad).unwrap() == fs::read(&input).unwrap()[400..440]);
    run(arguments("dedup", [&input, &out], &["--on-error", "collect="])).fails(2, &["collect=FILE"]);
    run(["dedup", "--help"]).ok().lines().for_each(|line| assert!(!line.contains("--skip-bad"), "{line}"));
}

/// A move that the key ignores and the output's format cannot hold stops the second pass.
#[test]
fn job_stopped_in_its_second_pass_resumes_without_bad_records() {
    let place = Place::new();
    let input = records(&place, 100);
    let out = place.path("out.hcpe");
    let direct = place.path("direct.hcpe");
    let mut bytes = fs::read(&input).unwrap();
    bytes[40 * 10 + 34..][..2].fill(0xff);
    fs::write(&input, bytes).unwrap();
    let skip = ["--on-error", "skip"];
    assert_eq!(run(arguments("dedup", [&input, &direct], &skip)).code, 1);
    let stopped = run(arguments("dedup", [&input, &out], &["--json"]));
    stopped.refused(
        1,
        "record",
        &["record 10 (byte 400)", "`--resume --on-error skip`", ".out.hcpe.komabako"],
    );
    assert!(stopped.stderr.contains("`--resume --on-error collect=FILE`"), "{}", stopped.stderr);
    let error: Value = serde_json::from_str(&stopped.stdout).unwrap();
    assert!(error.to_string().contains("--resume --on-error skip"), "{error}");
    run(arguments("dedup", [&input, &out], &["--resume"])).fails(1, &["record 10 (byte 400)"]);
    let resumed = run(arguments("dedup", [&input, &out], &["--resume", "--on-error", "skip"]));
    assert_eq!(resumed.code, 1, "{}", resumed.stderr);
    assert!(fs::read(&out).unwrap() == fs::read(&direct).unwrap());
    assert_eq!(place.names(), ["direct.hcpe", "out.hcpe", "入力 №1.psv"]);
}

/// Makes a file or directory look as if no run could be about to lock it.
fn made_long_ago(path: &Path) {
    set_modified(path, SystemTime::UNIX_EPOCH).unwrap();
}

/// The temporary files of a live job for `out.psv.zst` are not leftovers of `out.psv`.
#[test]
fn a_resumed_job_removes_only_its_own_abandoned_files() {
    let place = Place::new();
    let input = records(&place, 100);
    let out = place.path("out.psv");
    place.file(".out.psv.zst.abc123.komabako-part", "of another");
    let abandoned = place.file(".out.psv.abc123.komabako-part", "abandoned");
    made_long_ago(&abandoned);
    assert_eq!(run(arguments("dedup", [&input, &out], &["--resume"])).code, 0);
    assert_eq!(place.names(), [".out.psv.zst.abc123.komabako-part", "out.psv", "入力 №1.psv"]);
}

/// Jobs on streams do not disturb each other, and the leftovers of a killed one are named by the next.
#[test]
fn leftovers_of_a_killed_stream_job_are_named() {
    let place = Place::new();
    let records = fs::read(sample("sample.psv")).unwrap();
    let options = ["shuffle", "-", "-", "--from=psv", "--to=psv", "--seed=1", "--tmp-dir"];
    let mut shuffle = program();
    shuffle.args(options).arg(place.path(""));
    let start = |command: &mut std::process::Command| {
        let streams = command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        let known = place.names();
        let mut child = streams.spawn().unwrap();
        // More than is read at once; then it waits for the rest.
        child.stdin.as_mut().unwrap().write_all(&records.repeat(4)).unwrap();
        loop {
            let made = place.names().into_iter().find(|name| !known.contains(name));
            // The lock file exists before the lock is held, and it is held before the first other file is created.
            let is_in_use =
                |name: &String| fs::read_dir(place.path(name)).is_ok_and(|files| files.count() > 1);
            if let Some(name) = made.filter(is_in_use) {
                return (child, name);
            }
            assert!(child.try_wait().unwrap().is_none());
            thread::sleep(Duration::from_millis(1));
        }
    };
    let (mut killed, left) = start(&mut shuffle);
    let (mut live, used) = start(&mut shuffle);
    killed.kill().unwrap();
    killed.wait().unwrap();
    made_long_ago(&place.path(&left));
    let next = feed(&mut shuffle, &records);
    let said = String::from_utf8(next.stderr).unwrap();
    assert_eq!((next.status.code(), next.stdout.len()), (Some(0), records.len()), "{said}");
    assert!(said.contains(&left) && !said.contains(&used), "{said}");
    let next = feed(shuffle.arg("--json"), &records);
    let summary: Value = serde_json::from_slice(&next.stderr).unwrap();
    let path = place.path(&left).display().to_string();
    assert_eq!(summary["leftovers"].as_array().unwrap().len(), 1, "{summary}");
    assert_eq!(summary["leftovers"][0]["path"], *path, "{summary}");
    live.kill().unwrap();
    live.wait().unwrap();
}

#[test]
fn records_pass_from_standard_input_to_standard_output() {
    let place = Place::new();
    let input = fs::read(records(&place, 3_000)).unwrap();
    let mut shuffle = program();
    shuffle.args(["shuffle", "-", "-", "--from", "psv", "--to", "psv", "--seed", "1"]);
    let shuffled = feed(&mut shuffle, &input);
    assert_eq!(shuffled.status.code(), Some(0), "{}", String::from_utf8_lossy(&shuffled.stderr));
    let sorted = |bytes: &[u8]| {
        let mut records: Vec<Vec<u8>> = bytes.chunks_exact(40).map(<[u8]>::to_vec).collect();
        records.sort();
        records
    };
    assert!(shuffled.stdout != input && sorted(&shuffled.stdout) == sorted(&input));
}

/// The user did not name it.
#[cfg(unix)]
#[test]
fn a_missing_directory_of_the_system_is_not_made() {
    let place = Place::new();
    let input = records(&place, 100);
    let missing = place.path("missing");
    let mut command = program();
    command
        .env("TMPDIR", &missing)
        .args(["dedup", "--parts", "2", "--to", "psv", "--json"])
        .arg(&input)
        .arg("-");
    let ran: Ran = feed(&mut command, b"").into();
    ran.refused(2, "create", &["missing"]);
    assert!(!missing.exists());
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_named() {
    let place = Place::new();
    let input = records(&place, 100_000);
    let options = ["--seed", "1", "--to", "psv", "--json"];
    let ran = run(arguments("shuffle", [&input, Path::new("/dev/full")], &options));
    ran.refused(2, "write", &["/dev/full"]);
    assert_eq!(place.names(), ["入力 №1.psv"]);
}

/// Killed at many moments, a job loses nothing, and resumes to the same bytes.
#[test]
fn killed_job_resumes_to_the_same_bytes() {
    let options = ["--by", "record", "--shuffle-seed", "3", "--parts", "6", "--threads", "1"];
    let [records] = &kill_and_resume(&options, &["out.psv"])[..] else { panic!("one output") };
    assert_eq!(records.len(), 200_000 * 40);
}

/// The columns too, whose names come before that of the output.
#[test]
fn killed_averaging_resumes_to_the_same_bytes() {
    let place = Place::new();
    let columns = place.path("c").display().to_string();
    let options =
        ["--keep", "mean", "--columns", &columns, "--parts", "6", "--threads", "1", "--moves", "as-is"];
    let names = ["out.psv", "c.count.u32", "c.result.f32", "c.score.f32"];
    let outputs = kill_and_resume(&options, &names.map(|name| place.path(name).display().to_string()));
    assert_eq!(outputs[1].len(), outputs[0].len() / 10);
}

/// Kills runs of `dedup` at many moments, resumes them, and compares the outputs, which it returns. The first of them is the output of
/// the records.
fn kill_and_resume(options: &[&str], names: &[impl AsRef<str>]) -> Vec<Vec<u8>> {
    const MOMENTS: u32 = 12;
    let kills = cases::scaled(10) as u32;
    let place = Place::new();
    let input = records(&place, 200_000);
    // A path of a test's own stays as it is.
    let paths: Vec<PathBuf> = names.iter().map(|name| place.path(name.as_ref())).collect();
    let out = paths[0].clone();
    let directory = out.parent().unwrap();
    let read = || paths.iter().map(|path| fs::read(path).unwrap()).collect::<Vec<_>>();
    let names = || {
        let mut names = crate::support::names(directory);
        // Unfinished outputs are removed once they are a minute old.
        names.retain(|name| name != "入力 №1.psv" && !name.ends_with(".komabako-part"));
        names
    };
    let before = fs::read(&input).unwrap();
    let begun = Instant::now();
    assert_eq!(run(arguments("dedup", [&input, &out], options)).code, 0);
    let mut whole = begun.elapsed();
    let expected = read();
    let complete = names();
    assert_eq!(complete.len(), paths.len());
    let mut killed = 0;
    for attempt in 0..10 * kills {
        // Steps of 5 visit all 11 moments, and two kills are far apart.
        let moment = (5 * attempt + 3) % (MOMENTS - 1) + 1;
        paths.iter().for_each(|path| fs::remove_file(path).unwrap());
        let mut child = program()
            .args(arguments("dedup", [&input, &out], options))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        thread::sleep(whole * moment / MOMENTS + Duration::from_millis(1));
        child.kill().unwrap();
        child.wait().unwrap();
        if !out.exists() {
            killed += 1;
            let resumed = run(arguments("dedup", [&input, &out], &[options, &["--resume"]].concat()));
            assert_eq!(resumed.code, 0, "{}", resumed.stderr);
        } else {
            // The kill came too late: the first run was slower than those after it. The output is complete, and temporary files
            // that were about to be removed may remain.
            whole = whole * 4 / 5;
            let _ = fs::remove_dir_all(directory.join(".out.psv.komabako"));
        }
        assert!(read() == expected, "{moment}/{MOMENTS} of {whole:?}");
        assert_eq!(names(), complete);
        if killed == kills {
            break;
        }
    }
    assert_eq!(killed, kills);
    assert!(fs::read(&input).unwrap() == before);
    expected
}

/// A job that cannot be resumed is not reported as resumable.
#[test]
fn corrupt_temporary_files_advise_removal() {
    let place = Place::new();
    let input = records(&place, 200_000);
    let out = place.path("out.psv");
    let directory = place.path(".out.psv.komabako");
    let options = ["--by", "record", "--parts", "6", "--threads", "1"];
    let has_begun = || {
        let manifest = fs::read(directory.join("manifest.json")).unwrap_or_default();
        let manifest: Value = serde_json::from_slice(&manifest).unwrap_or_default();
        !manifest["manifest"]["pass"].is_null() || !manifest["manifest"]["keys"].is_null()
    };
    loop {
        let mut child = program()
            .args(arguments("dedup", [&input, &out], &options))
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        while child.try_wait().unwrap().is_none() && !has_begun() {}
        child.kill().unwrap();
        child.wait().unwrap();
        if has_begun() && !out.exists() {
            break;
        }
        // The kill came too late.
        let _ = (fs::remove_file(&out), fs::remove_dir_all(&directory));
    }
    for part in fs::read_dir(&directory).unwrap().map(|entry| entry.unwrap().path()) {
        if part.file_name().unwrap().to_string_lossy().starts_with("keys") {
            fs::write(part, "damage").unwrap();
        }
    }
    let resumed = run(arguments("dedup", [&input, &out], &[&options[..], &["--resume", "--json"]].concat()));
    resumed.refused(2, "part", &["keys-0000"]);
    assert!(!resumed.stderr.contains("--resume"), "{}", resumed.stderr);
    assert!(!out.exists() && directory.exists());
}

/// If records go to standard output, the report is the only text on standard error.
#[test]
fn standard_error_is_pure_json_if_records_go_to_standard_output() {
    let sample = sample("sample.psv");
    for options in [&["dedup"][..], &["shuffle", "--seed", "1"]] {
        let output = feed(program().args(options).arg(&sample).args(["-", "--to", "psv", "--json"]), b"");
        let report: Value = serde_json::from_slice(&output.stderr).unwrap();
        assert_eq!((&report["written"], output.stdout.len()), (&2000.into(), 80_000));
    }
}

/// The reader of the output may not keep it.
#[test]
fn inputs_are_not_deleted_after_a_pipe() {
    let place = Place::new();
    let input = records(&place, 100);
    for lang in ["en", "ja"] {
        let ran = run([
            OsStr::new("shuffle"),
            input.as_os_str(),
            OsStr::new("-"),
            OsStr::new("--seed=1"),
            OsStr::new("--delete-inputs"),
            OsStr::new("--lang"),
            OsStr::new(lang),
        ]);
        ran.fails(2, &["--delete-inputs"]);
        assert!(ran.stdout.is_empty() && place.names() == ["入力 №1.psv"]);
    }
}

/// The options together would lose a record: leave it out, and delete the input that holds it.
#[test]
fn inputs_with_bad_records_are_deleted_only_if_these_are_collected() {
    let place = Place::new();
    let input = records(&place, 100);
    let out = place.path("out.psv");
    let mut bytes = fs::read(&input).unwrap();
    bytes[400..432].fill(0xff);
    fs::write(&input, bytes).unwrap();
    let dedup =
        |options: &[&str]| run(arguments("dedup", [&input, &out], &[&["--delete-inputs"], options].concat()));
    for lang in ["en", "ja"] {
        let ran = dedup(&["--force", "--on-error", "skip", "--lang", lang]);
        assert!(ran.code == 1 && ran.stdout.contains("--on-error collect="), "{}", ran.stdout);
    }
    let report = dedup(&["--force", "--on-error", "skip", "--json"]).report();
    assert!(report["kept_inputs"] == true && input.exists());
    let collect = format!("collect={}", place.path("bad.psv").display());
    let report = dedup(&["--force", "--on-error", &collect, "--json"]).report();
    assert!(report["kept_inputs"] == false && !input.exists());
    assert_eq!(place.names(), ["bad.psv", "bad.psv.reasons.tsv", "out.psv"]);
}

#[test]
fn joined_partitions_equal_the_whole_shuffle() {
    let place = Place::new();
    let input = records(&place, 2_000);
    let out = place.path("out.psv");
    let shuffle = |more: &[&str]| {
        let options = [&["--seed", "7", "--force"], more].concat();
        assert_eq!(run(arguments("shuffle", [&input, &out], &options)).code, 0);
        fs::read(&out).unwrap()
    };
    let whole = shuffle(&[]);
    let joined = ["0/3", "1/3", "2/3"].map(|partition| shuffle(&["--partition", partition])).concat();
    assert!(joined == whole && whole.len() == 40 * 2_100);

    // The other partitions need the inputs.
    let deleting = ["--seed", "7", "--force", "--partition", "0/3", "--delete-inputs"];
    run(arguments("shuffle", [&input, &out], &[&deleting[..], &["--json"]].concat())).refused(
        2,
        "partition_deletes",
        &["--delete-inputs"],
    );
    for lang in ["en", "ja"] {
        let options = ["--seed", "7", "--partition", "3/3", "--lang", lang];
        run(arguments("shuffle", [&input, &out], &options)).fails(2, &["--partition"]);
    }
    assert!(input.exists());
}

#[test]
fn deduplicated_partitions_together_equal_the_whole() {
    let place = Place::new();
    let input = records(&place, 2_000);
    let out = place.path("out.psv");
    let dedup = |more: &[&str]| {
        let options = [&["--by", "record", "--force", "--json"], more].concat();
        let report = run(arguments("dedup", [&input, &out], &options)).report();
        let records: Vec<Vec<u8>> = fs::read(&out).unwrap().chunks_exact(40).map(<[u8]>::to_vec).collect();
        assert_eq!(report["written"], records.len());
        (records, report["duplicates"].as_u64().unwrap(), report["other_parts"].as_u64().unwrap())
    };
    let (mut whole, duplicates, others) = dedup(&[]);
    assert!(whole.len() == 2_000 && duplicates == 100 && others == 0);
    let parts = ["0/3", "1/3", "2/3"].map(|partition| dedup(&["--partition", partition]));
    assert_eq!(parts.iter().map(|part| part.1).sum::<u64>(), 100);
    assert_eq!(parts.iter().map(|part| part.2).sum::<u64>(), 2 * 2_100);
    let mut joined = parts.map(|part| part.0).concat();
    whole.sort();
    joined.sort();
    assert!(joined == whole);
    let shuffled = |more: &[&str]| dedup(&[&["--shuffle-seed", "7"], more].concat()).0;
    let joined = ["0/3", "1/3", "2/3"].map(|partition| shuffled(&["--partition", partition])).concat();
    assert!(joined == shuffled(&[]));
    for lang in ["en", "ja"] {
        let options = ["--partition", "0/0", "--lang", lang];
        run(arguments("dedup", [&input, &out], &options)).fails(2, &["--partition"]);
    }
}

#[test]
fn commands_that_read_records_accept_partitions() {
    let place = Place::new();
    let input = records(&place, 2_000);
    let out = place.path("out.hcpe");
    let written = |command: &str, more: &[&str]| {
        let options = [&["--force", "--json"], more].concat();
        let ran = run(arguments(command, [&input, &out], &options));
        (fs::read(&out).unwrap(), ran.report()["read"].as_u64().unwrap())
    };
    for (command, options) in [("convert", &[][..]), ("filter", &["--where", "ply > 50"][..])] {
        let whole = written(command, options);
        let parts =
            ["0/3", "1/3", "2/3"].map(|part| written(command, &[options, &["--partition", part]].concat()));
        assert!(parts.each_ref().map(|(bytes, _)| bytes.as_slice()).concat() == whole.0, "{command}");
        assert_eq!(parts.map(|(_, read)| read), [700, 700, 700]);
        for lang in ["en", "ja"] {
            let wrong = [options, &["--partition", "3/3", "--lang", lang]].concat();
            run(arguments(command, [&input, &out], &wrong)).fails(2, &["--partition"]);
        }
    }
    // Records are joined into whole games.
    let pack = place.path("out.pack");
    let packed = |more: &[&str]| {
        let ran = run(arguments("convert", [&input, &pack], &[&["--force"], more].concat()));
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        fs::read(&pack).unwrap()
    };
    let joined = ["0/3", "1/3", "2/3"].map(|part| packed(&["--partition", part])).concat();
    assert!(!joined.is_empty() && joined == packed(&[]));
    for lang in ["en", "ja"] {
        // A stream is read once.
        let part = ["--partition", "1/3", "--json", "--lang", lang];
        let stream =
            run_on("", ["stats", "-", "--from", "sfen", "--partition", "1/3", "--json", "--lang", lang]);
        stream.refused(2, "read_once", &[]);
        let game = place.file("a.csa", "V2\n");
        run(arguments("convert", [&game, &out], &[&part[..], &["--force"]].concat())).refused(
            2,
            "partition",
            &[],
        );
    }
    let validate = |part: &str| {
        run([
            OsStr::new("validate"),
            input.as_os_str(),
            OsStr::new("--partition"),
            OsStr::new(part),
            OsStr::new("--json"),
        ])
        .report()
    };
    let reads = ["0/3", "1/3", "2/3"].map(|part| validate(part)["read"].as_u64().unwrap());
    assert_eq!(reads, [700, 700, 700]);
    // A file without records in a partition is not in its report.
    assert_eq!(validate("4000/5000")["files"].as_array().unwrap().len(), 0);
}

#[test]
fn bad_records_of_a_reference_are_findings() {
    let place = Place::new();
    let records = fs::read(sample("sample.psv")).unwrap();
    let input = place.file("in.psv", &records[..4_000]);
    let mut bad = records[..2_000].to_vec();
    bad[..32].fill(0xff);
    let reference = place.file("known.psv", bad);
    let out = place.path("out.psv");
    let dedup = |options: &[&str]| {
        let mut command = program();
        command.arg("dedup").args([&input, &out]).arg("--reference").arg(&reference).args(options);
        Ran::from(feed(&mut command, &[]))
    };
    // Leaving the record out would let its position through.
    let stopped = dedup(&["--json"]);
    stopped.refused(1, "record", &["known.psv: record 0 ", "`komabako repair IN OUT`"]);
    assert!(!stopped.stderr.contains("collect=") && !stopped.stderr.contains("skip"), "{}", stopped.stderr);
    let ran = dedup(&["--on-error", "skip", "--json"]);
    assert_eq!(ran.code, 1);
    let report = ran.report();
    // The record that is bad in the reference is left in the output.
    assert_eq!((&report["bad_references"], &report["written"]), (&1.into(), &51.into()));
    let printed = dedup(&["--on-error", "skip", "-f"]).stdout;
    assert!(printed.contains("references") && printed.contains("known.psv: record 0 "), "{printed}");
}

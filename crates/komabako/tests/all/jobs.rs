//! Rules for every job on files: its needs are reported beforehand, and it copes with many inputs and few open files.

use std::fs;
use std::path::PathBuf;

use crate::support::{Place, Ran, feed, program, run, sample};
use serde_json::Value;

/// A command with its options, and the arguments after the input.
type Line = (&'static [&'static str], &'static [&'static str]);

const LINES: [Line; 13] = [
    (&["convert"], &["out.hcpe"]),
    (&["repair"], &["out.psv"]),
    (&["validate"], &[]),
    (&["stats"], &[]),
    (&["filter", "--where", "ply < 50"], &["out.psv"]),
    (&["cat", "-o", "out.psv"], &[]),
    (&["sample", "--count", "100"], &["out.psv"]),
    (&["split", "--parts", "2", "--into", "part-{}.psv"], &[]),
    (&["diff"], &["in.psv"]),
    (&["merge-scores"], &["in.i16", "out.psv"]),
    (&["extract-scores"], &["out.i16"]),
    (&["dedup"], &["out.psv"]),
    (&["shuffle", "--seed", "1"], &["out.psv"]),
];

/// Runs a line in a directory on one of its files.
fn line(place: &Place, (command, rest): Line, input: &str, options: &[&str]) -> Ran {
    let mut program = program();
    program.current_dir(place.path("")).args(command).arg(input).args(rest).args(options);
    feed(&mut program, &[]).into()
}

/// The needs of a job, from the report of a dry run.
fn needs(report: &str) -> Value {
    serde_json::from_str::<Value>(report).unwrap()["needs"].take()
}

/// The words are right, and the move would be copied as it is.
#[test]
fn ill_formed_moves_are_found_by_checking() {
    let place = Place::new();
    let mut records = fs::read(sample("sample.hcpe")).unwrap()[..380].to_vec();
    records[38 + 34..][..2].copy_from_slice(&[0x7f, 0]);
    place.file("in.hcpe", &records);
    let sample: Line = (&["sample", "--ratio", "1"], &["out.hcpe"]);
    for command in [(&["cat", "-o", "out.hcpe"][..], &[][..]), sample] {
        let copied = line(&place, command, "in.hcpe", &["-q"]);
        assert_eq!((copied.ok().as_str(), fs::read(place.path("out.hcpe")).unwrap()), ("", records.clone()));
        let checked =
            line(&place, command, "in.hcpe", &["--check", "--force", "--on-error", "skip", "--json"]);
        assert_eq!(checked.report()["bad"], serde_json::json!({ "MOVE_TO": 1 }), "{command:?}");
        fs::remove_file(place.path("out.hcpe")).unwrap();
    }
}

#[test]
fn dry_run_of_every_job_reports_its_needs_and_writes_nothing() {
    let place = Place::new();
    place.file("in.psv", fs::read(sample("sample.psv")).unwrap());
    place.file("in.i16", [0; 4000]);
    let names = place.names();
    let mut peaks = Vec::new();
    for command in LINES {
        let printed = line(&place, command, "in.psv", &["--dry-run"]).ok();
        assert!(printed.contains("records") && printed.contains("memory"), "{command:?}: {printed}");
        let printed = line(&place, command, "in.psv", &["--dry-run", "--json"]).ok();
        let needs = needs(&printed);
        let records = if command.0[0] == "diff" { 4000 } else { 2000 };
        assert_eq!(needs["records"], records, "{command:?}");
        assert!(needs["memory"].as_u64().unwrap() <= needs["memory_limit"].as_u64().unwrap(), "{command:?}");
        peaks.push((needs["disks"][0]["least"].as_u64(), needs["disks"][0]["peak"].as_u64()));
        assert_eq!(place.names(), names, "{command:?}");
    }
    let exactly = |bytes| (Some(bytes), Some(bytes));
    let expected = [
        exactly(76_000),
        exactly(80_000),
        (None, None),
        (None, None),
        (Some(0), Some(80_000)),
        exactly(80_000),
        exactly(4_000),
        exactly(80_000),
        (None, None),
        exactly(80_000),
        exactly(4_000),
        (Some(0), Some(80_000)),
        exactly(80_000),
    ];
    assert_eq!(peaks, expected);
}

#[test]
fn unknowable_resources_are_reported_as_unknown() {
    let place = Place::new();
    let paths = ["convert".into(), sample("sample.psv"), place.path("in.psv.zst")];
    run(paths).ok();
    let convert = (&["convert"][..], &["out.hcpe"][..]);
    let unread = needs(&line(&place, convert, "in.psv.zst", &["--dry-run", "--json"]).ok());
    assert!(unread["records"].is_null() && unread["disks"][0]["peak"].is_null(), "{unread}");
    let printed = line(&place, convert, "in.psv.zst", &["--dry-run", "--lang", "ja"]).ok();
    assert!(printed.contains("読むまで分かりません") && printed.contains("不明"), "{printed}");
    let printed = line(&place, convert, "-", &["--from", "psv", "--dry-run", "--json"]).ok();
    let needs = needs(&printed);
    assert!(needs["records"].is_null() && needs["disks"][0]["peak"].is_null(), "{printed}");
    assert_eq!(place.names(), ["in.psv.zst"]);
}

#[test]
fn collected_bad_records_are_part_of_the_estimate() {
    let place = Place::new();
    place.file("in.psv", fs::read(sample("sample.psv")).unwrap());
    let collect = ["--on-error", "collect=bad.psv"];
    for (command, options, least) in [
        ((&["convert"][..], &["out.hcpe"][..]), &collect[..], 76_000),
        ((&["split", "--parts", "2", "--into", "part-{}.hcpe"], &[]), &collect, 76_000),
        ((&["repair"], &["out.psv"]), &["--rejects", "bad.psv"], 80_000),
        ((&["dedup"], &["out.hcpe"]), &collect, 0),
    ] {
        let printed = line(&place, command, "in.psv", &[options, &["--dry-run"]].concat()).ok();
        assert!(printed.contains("bad.psv.reasons.tsv: "), "{printed}");
        let printed = line(&place, command, "in.psv", &[options, &["--dry-run", "--json"]].concat()).ok();
        let needs = needs(&printed);
        assert_eq!(needs["disks"][0]["least"], least, "{printed}");
        assert_eq!(needs["disks"][0]["peak"], 80_000, "{printed}");
        assert_eq!(needs["uncounted"][0], "bad.psv.reasons.tsv", "{printed}");
    }
}

#[test]
fn sample_larger_than_memory_is_refused() {
    let place = Place::new();
    let input = place.path("in.psv");
    // A file without content, of more records than any machine holds.
    fs::File::create(&input).unwrap().set_len(40 << 37).unwrap();
    let sample = (&["sample", "--count", "9999999999999", "--from", "psv"][..], &["-", "--to", "psv"][..]);
    line(&place, sample, "in.psv", &["--json"]).refused(2, "memory", &[]);
}

/// `count` files of a few records each, with distinct names.
fn many(place: &Place, count: usize) -> Vec<PathBuf> {
    let records = fs::read(sample("sample.psv")).unwrap();
    let pieces = records.chunks_exact(120).cycle().take(count);
    pieces.enumerate().map(|(number, piece)| place.file(&format!("局面 {number:04}.psv"), piece)).collect()
}

#[test]
fn two_thousand_inputs_are_one_job() {
    let place = Place::new();
    let inputs = many(&place, 2000);
    // By short names: a command line of Windows has at most 32,767 letters.
    let on_all = |command: &[&str], rest: &[&str]| -> Ran {
        let mut program = program();
        program.current_dir(place.path("")).args(command);
        program.args(inputs.iter().map(|path| path.file_name().expect("a file"))).args(rest);
        program.output().expect("the program starts").into()
    };
    let report: Value = serde_json::from_str(&on_all(&["validate", "--json", "--quiet"], &[]).ok()).unwrap();
    assert_eq!(report["files"].as_array().unwrap().len(), 2000);
    let report: Value = serde_json::from_str(&on_all(&["stats", "--json", "--quiet"], &[]).ok()).unwrap();
    assert_eq!(report["records"], 6000);
    let out = place.path("out.psv");
    let ran = on_all(&["dedup", "--by", "record", "--parts", "100"], &[out.to_str().unwrap()]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    // The chunks appear three times; the last two records of the sample are in none.
    assert!(fs::read(&out).unwrap() == fs::read(sample("sample.psv")).unwrap()[..1998 * 40]);
}

#[test]
#[cfg(unix)]
fn few_files_are_open_at_once_however_many_parts_and_inputs() {
    let place = Place::new();
    let inputs = many(&place, 300);
    let all: Vec<u8> = inputs.iter().flat_map(|path| fs::read(path).unwrap()).collect();
    let all = place.file("all.psv", all);
    let limited = |command: &[&str], inputs: &[PathBuf], rest: &[&str]| {
        let mut shell = std::process::Command::new("sh");
        shell.args(["-c", "ulimit -n 64 && exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_komabako")]);
        shell.env("LC_ALL", "C").args(command).args(inputs).args(rest);
        Ran::from(feed(&mut shell, &[]))
    };
    let out = place.path("out.psv");
    let out = out.to_str().unwrap();
    let external = ["--parts", "100", "--force"];
    let tmp = place.path("tmp");
    let tmp = tmp.to_str().unwrap();
    for (command, rest) in [
        (&["dedup", "--by", "record"][..], &external[..]),
        (&["shuffle", "--seed", "1"], &external),
        (&["dedup", "--by", "record", "--shuffle-seed", "1"], &external),
        (&["convert"], &["--force"]),
    ] {
        let ran = limited(command, &inputs, &[&[out], rest].concat());
        assert_eq!(ran.code, 0, "{command:?}: {}", ran.stderr);
    }
    limited(&["validate"], &inputs, &[]).ok();
    let ran = limited(&["diff", "--parts", "100", "--tmp-dir", tmp], &[all.clone(), all], &[]);
    assert!(ran.code == 0 && ran.stdout.contains("same       900"), "{} {}", ran.stdout, ran.stderr);
}

#[test]
#[cfg(unix)]
fn dev_stdin_is_read_as_a_stream() {
    let place = Place::new();
    let records = fs::read(sample("sample.psv")).unwrap();
    let on = |arguments: &[&str]| -> Ran {
        let mut command = program();
        command.current_dir(place.path("")).args(arguments);
        feed(&mut command, &records).into()
    };
    on(&["validate", "/dev/stdin", "--from", "psv"]).ok();
    let printed = on(&["stats", "/dev/stdin", "--from", "psv", "--json"]).ok();
    assert_eq!(serde_json::from_str::<Value>(&printed).unwrap()["records"], 2000);
    let printed =
        on(&["diff", "/dev/stdin", sample("sample.psv").to_str().unwrap(), "--only-a", "only.psv"]).ok();
    assert!(printed.contains("same       2,000"), "{printed}");
    let ran = on(&["dedup", "/dev/stdin", "out.psv", "--from", "psv", "--by", "record", "--parts", "3"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(fs::read(place.path("out.psv")).unwrap() == records);
    assert_eq!(place.names(), ["only.psv", "out.psv"]);
}

#[test]
fn size_of_copied_text_is_known() {
    let place = Place::new();
    let text = "startpos\n".repeat(500);
    place.file("in.sfen", &text);
    let needed = |command: Line| needs(&line(&place, command, "in.sfen", &["--dry-run", "--json"]).ok());
    assert_eq!(needed((&["cat", "-o", "out.sfen"], &[]))["disks"][0]["peak"], text.len());
    // A conversion re-encodes the positions, so the size of the output is unknown.
    assert!(needed((&["convert"], &["out.sfen"]))["disks"][0]["peak"].is_null());
}

#[test]
#[cfg(unix)]
fn a_job_whose_threads_are_refused_is_an_error_that_leaves_nothing() {
    let place = Place::new();
    place.file("in.psv", fs::read(sample("sample.psv")).unwrap());
    place.file("in.i16", [0; 4000]);
    let names = place.names();
    for (command, rest) in LINES {
        let mut program = program();
        // No stack of this size fits into the address space.
        program.env("RUST_MIN_STACK", (1_u64 << 47).to_string());
        program.current_dir(place.path("")).args(command).arg("in.psv").args(rest).arg("--json");
        let ran: Ran = feed(&mut program, &[]).into();
        assert_eq!(ran.error_kind(2), "thread", "{command:?}");
        assert_eq!(place.names(), names, "{command:?}");
    }
}

/// The files of a Linux kernel have a size of 4096 bytes and less content.
#[cfg(target_os = "linux")]
#[test]
fn a_file_that_ends_before_its_size_is_an_error_of_every_command() {
    let input = "/sys/kernel/mm/transparent_hugepage/enabled";
    if !std::path::Path::new(input).exists() {
        return;
    }
    let place = Place::new();
    let text = |path: PathBuf| path.into_os_string().into_string().unwrap();
    let column = text(place.file("in.i16", [0; 256]));
    let [out, pattern] = ["out.psv", "out-{}.psv"].map(|name| text(place.path(name)));
    let lines = [
        "convert IN OUT",
        "cat IN -o OUT",
        "head IN -o OUT -n 100",
        "tail IN -o OUT -n 100",
        "slice IN -o OUT --range 3..100",
        "sample IN OUT -n 3",
        "filter IN OUT --where in_check",
        "split IN --parts 2 --into PATTERN",
        "mix IN IN OUT --seed 1",
        "scores IN OUT --scale 2",
        "merge-scores IN COLUMN OUT",
        "extract-scores IN OUT",
        "dedup IN OUT",
        "shuffle IN OUT --seed 1",
        "shuffle IN OUT --seed 1 --phased --parts 2",
        "diff IN IN",
        "stats IN",
        "validate IN",
    ];
    for line in lines {
        let word = |word: &str| match word {
            "IN" => input.to_owned(),
            "OUT" => out.clone(),
            "PATTERN" => pattern.clone(),
            "COLUMN" => column.clone(),
            _ => word.to_owned(),
        };
        let arguments = line.split(' ').map(word);
        let ran = run(arguments.chain(["--json", "--from", "compact32"].map(str::to_owned)));
        ran.refused(2, "altered", &[input]);
        assert_eq!(place.names(), ["in.i16"], "{line}");
    }
    run(["info", "--from", "compact32", input]).fails(2, &[input]);
}

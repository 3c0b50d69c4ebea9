//! `convert` and `formats`: round trips of real records, damaged files, and impossible outputs.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;

use crate::support::{Place, Ran, feed, program, run, run_on, sample};
use serde_json::Value;

pub fn convert(from: &Path, to: &Path, options: &[&str]) -> Ran {
    let mut arguments = vec![OsStr::new("convert"), from.as_os_str(), to.as_os_str()];
    arguments.extend(options.iter().map(OsStr::new));
    run(arguments)
}

/// The sample with three bad records: a position at 17, a result at 500 and a move at 1000.
fn damaged() -> Vec<u8> {
    let mut records = fs::read(sample("sample.psv")).unwrap();
    records[40 * 17 + 1] ^= 0xff;
    records[40 * 500 + 38] = 7;
    records[40 * 1000 + 34] = 0xff;
    records
}

/// A frame of zstd that asks for a window of 2 to the power of `window_log`: the content uncompressed, in one block.
fn zstd_frame(content: &[u8], window_log: u8) -> Vec<u8> {
    let header = (content.len() as u32) << 3 | 1;
    let head = [0x28, 0xb5, 0x2f, 0xfd, 0, (window_log - 10) << 3];
    [&head[..], &header.to_le_bytes()[..3], content].concat()
}

/// Each input has its own output; nothing is written if one of them is impossible.
#[test]
fn many_inputs_go_to_a_directory() {
    let place = Place::new();
    let psv = fs::read(sample("sample.psv")).unwrap();
    place.file("a.psv", &psv);
    place.file("b.2023", &psv[..400]);
    let run = |line: &str| -> Ran {
        program().current_dir(place.path("")).args(line.split(' ')).output().unwrap().into()
    };
    run("convert a.psv a.psv.zst --from psv -f").ok();
    let report = run("convert a.psv a.psv.zst b.2023 --from psv --to hcpe --out-dir new/out --json").ok();
    let report: Value = serde_json::from_str(&report).unwrap();
    let written: Vec<_> =
        report["conversions"].as_array().unwrap().iter().map(|file| &file["written"]).collect();
    assert_eq!((written, &report["written"]), (vec![&2000.into(), &2000.into(), &10.into()], &4010.into()));
    let hcpe = fs::read(sample("sample.hcpe")).unwrap();
    assert!(fs::read(place.path("new/out/a.hcpe")).unwrap() == hcpe);
    assert!(fs::read(place.path("new/out/b.2023.hcpe")).unwrap() == hcpe[..380]);
    assert!(place.path("new/out/a.hcpe.zst").exists());

    // Compressed as asked for: the two names now have the same extensions.
    run("convert a.psv b.2023 --from psv --to hcpe --out-dir xz --compress xz").ok();
    run("convert xz/a.hcpe.xz --to psv --out-dir plain --compress none").ok();
    assert!(place.path("xz/b.2023.hcpe.xz").exists());
    assert!(!fs::read(place.path("xz/a.hcpe.xz")).unwrap().starts_with(&hcpe[..8]));
    assert_eq!(fs::metadata(place.path("plain/a.psv")).unwrap().len(), psv.len() as u64);
    run("convert a.psv a.psv.zst --from psv --to hcpe --out-dir gz --compress gz --json").refused(
        2,
        "out_dir",
        &["a.psv", "a.psv.zst", "a.hcpe.gz"],
    );
    run("convert a.psv b.hcpe --compress gz").fails(2, &["--out-dir"]);

    fs::remove_file(place.path("new/out/a.hcpe")).unwrap();
    run("convert a.psv b.2023 --from psv --to hcpe --out-dir new/out --json").refused(
        2,
        "exists",
        &["b.2023.hcpe", "--force"],
    );
    assert!(!place.path("new/out/a.hcpe").exists(), "the other is not written either");
    run("convert a.psv b.2023 --from psv --to hcpe --out-dir new/out --dry-run -f").ok();
    assert!(!place.path("new/out/a.hcpe").exists());

    fs::create_dir(place.path("c")).unwrap();
    place.file("c/A.psv", &psv);
    // Where case is ignored, the second would also replace its input.
    let both = if cfg!(windows) { ("same_file", "a.psv") } else { ("out_dir", "c/A.psv") };
    for (line, (kind, name)) in [
        ("convert a.psv c/A.psv --to hcpe --out-dir two", ("out_dir", "c/A.psv")),
        ("convert a.psv c/A.psv --to psv --out-dir c -f", both),
        ("convert a.psv a.psv.zst --to psv --out-dir . -f", ("same_file", "a.psv")),
        ("convert a.psv - --to hcpe --out-dir two", ("out_dir", "standard input")),
        ("convert a.psv --to hcpe --out-dir two --on-error collect=bad", ("out_dir", "--on-error skip")),
    ] {
        run(&format!("{line} --json")).refused(2, kind, &[name]);
    }
    run("convert a.psv --out-dir two").fails(2, &["--to", "--out-dir"]);
    assert!(!place.path("two").exists() && fs::read(place.path("a.psv")).unwrap() == psv);

    // Files converted before a failure are reported and stay.
    place.file("bad.psv", [0xff; 40]);
    run("convert a.psv bad.psv --to hcpe --out-dir three --moves as-is --from psv --json").refused(
        1,
        "record",
        &["bad.psv", "1 of 2 files"],
    );
    assert!(place.path("three/a.hcpe").exists() && !place.path("three/bad.hcpe").exists());
}

#[test]
fn zstd_with_a_large_window_or_a_skippable_frame_is_read() {
    let place = Place::new();
    let records = fs::read(sample("sample.psv")).unwrap();
    let skippable = b"\x50\x2a\x4d\x18\x04\0\0\0pzst";
    let large = zstd_frame(&records, 31);
    for (name, content) in
        [("large.psv.zst", large.clone()), ("pzstd.psv.zst", [&skippable[..], &large].concat())]
    {
        let file = place.file(name, content);
        let out = place.path("out.psv");
        for options in [&["--force"][..], &["--force", "--from", "psv"]] {
            assert_eq!(convert(&file, &out, options).code, 0, "{name} {options:?}");
            assert!(fs::read(&out).unwrap() == records, "{name} {options:?}");
        }
        run([OsStr::new("inspect"), file.as_os_str(), OsStr::new("--record=1"), OsStr::new("--from=psv")])
            .ok();
    }
    // Its memory is reported, and counts towards the limit.
    let file = place.path("pzstd.psv.zst");
    let shuffled = place.path("shuffled.psv");
    let dry = |limit: &str| {
        let options = ["--seed=1", "--dry-run", "--json", "--threads=1"].map(OsStr::new);
        let paths = [OsStr::new("shuffle"), file.as_os_str(), shuffled.as_os_str()];
        run(paths.into_iter().chain(options).chain([OsStr::new("--max-memory"), OsStr::new(limit)]))
    };
    let report: Value = serde_json::from_str(&dry("3G").stdout).unwrap();
    assert!(report["needs"]["memory"].as_u64().unwrap() > 1 << 31, "{report}");
    dry("2G").refused(2, "memory", &["--max-memory"]);
}

#[cfg(unix)]
fn in_shell(script: &str, arguments: &[&OsStr]) -> Ran {
    let mut command = std::process::Command::new("sh");
    command.args(["-c", script, "sh", env!("CARGO_BIN_EXE_komabako")]).args(arguments).env("LC_ALL", "C");
    command.output().unwrap().into()
}

/// Standard input may be closed, or come from a command that failed. If it replaces no file, it counts as an empty file.
#[test]
#[cfg(unix)]
fn an_empty_standard_input_replaces_no_file() {
    let place = Place::new();
    let out = place.file("out.psv", "kept");
    let new = place.path("new.psv");
    for (command, option) in [("convert", "--to=psv"), ("dedup", "--to=psv"), ("repair", "--moves=a")] {
        for input in ["<&-", "< /dev/null", "<> /dev/null"] {
            let script = format!("exec \"$@\" {input}");
            let options = ["--from=psv", option, "-f", "--json"].map(OsStr::new);
            let arguments = |out| [&[OsStr::new(command), OsStr::new("-"), out], &options[..]].concat();
            let refused = in_shell(&script, &arguments(out.as_os_str()));
            refused.refused(2, "empty_input", &["standard input"]);
            assert_eq!(fs::read(&out).unwrap(), b"kept", "{command} {input}");
            let made = in_shell(&script, &arguments(new.as_os_str()));
            assert_eq!(
                (made.code, fs::read(&new).unwrap().len()),
                (0, 0),
                "{command} {input}: {}",
                made.stderr
            );
        }
    }
    let merely_read = in_shell("exec \"$@\" < /dev/null", &["validate", "-"].map(OsStr::new));
    assert_eq!(merely_read.code, 0, "{}", merely_read.stderr);
    assert_eq!(place.names(), ["new.psv", "out.psv"]);
}

/// Opened for reading and writing too, as by Python's `subprocess.DEVNULL`.
#[test]
#[cfg(unix)]
fn records_can_go_to_dev_null() {
    let sample = sample("sample.psv");
    let ran = in_shell("exec \"$@\" > /dev/null", &[OsStr::new("cat"), sample.as_os_str()]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
}

#[test]
#[cfg(unix)]
fn a_file_beyond_the_limit_of_size_leaves_nothing() {
    let place = Place::new();
    let sample = sample("sample.psv");
    let out = place.path("out.psv");
    let convert = [OsStr::new("convert"), sample.as_os_str(), out.as_os_str(), OsStr::new("--json")];
    in_shell("ulimit -f 10; exec \"$@\"", &convert).refused(2, "write", &["out.psv"]);
    assert_eq!(place.names(), [""; 0]);
}

#[test]
#[cfg(target_os = "linux")]
fn standard_output_gets_no_note_about_partial_files() {
    let sample = sample("sample.psv");
    let cat = [OsStr::new("cat"), OsStr::new("--json"), sample.as_os_str()];
    let ran = in_shell("exec \"$@\" > /dev/full", &cat);
    ran.refused(2, "write", &["standard output", "incomplete"]);
    assert!(!ran.stderr.contains("partial"), "{}", ran.stderr);
}

#[test]
#[cfg(unix)]
fn forced_output_goes_through_a_link_and_keeps_permissions() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let place = Place::new();
    let link = place.path("link.psv");
    let end = place.path("end.psv");
    symlink("end.psv", &link).unwrap();
    // It leads nowhere yet.
    assert_eq!(convert(&sample("sample.psv"), &link, &["-f"]).code, 0);
    fs::set_permissions(&end, fs::Permissions::from_mode(0o600)).unwrap();
    assert_eq!(convert(&sample("sample.psv"), &link, &["-f"]).code, 0);
    assert_eq!(fs::metadata(&end).unwrap().permissions().mode() & 0o777, 0o600);
    assert!(link.is_symlink() && fs::read(&end).unwrap() == fs::read(sample("sample.psv")).unwrap());
}

/// liblzma's own constructor panics there, and the panic's report needs memory too. The program runs in 30,000 KiB, and writes
/// the file in 130,000.
#[test]
#[cfg(target_os = "linux")]
fn xz_without_memory_is_reported() {
    let place = Place::new();
    let out = place.path("out.psv.xz");
    for backtrace in ["0", "1"] {
        let mut command = std::process::Command::new("sh");
        command
            .args([
                "-c",
                "ulimit -v 80000; exec timeout 60 \"$@\"",
                "sh",
                env!("CARGO_BIN_EXE_komabako"),
                "convert",
            ])
            .args([sample("sample.psv").as_os_str(), out.as_os_str()])
            .args(["--threads=1", "--json"])
            .env("RUST_BACKTRACE", backtrace)
            .env("LC_ALL", "C");
        let ran = Ran::from(command.output().unwrap());
        ran.refused(2, "write", &["out.psv.xz"]);
        assert!(place.names().is_empty(), "{:?}", place.names());
    }
}

/// A tsume problem without Black's king among positions that have both.
#[test]
fn a_missing_king_is_named_and_the_rest_is_converted() {
    let place = Place::new();
    let both = "4k4/9/9/9/9/9/9/9/4K4 b 2R 1";
    let tsume = "8k/9/7S1/9/9/9/9/9/9 b 2G 1";
    let sfens = place.file("a.sfen", format!("{both}\n{tsume}\n{both}\n"));
    for name in ["a.psv", "a.hcp"] {
        let out = place.path(name);
        convert(&sfens, &out, &["--json"]).refused(1, "record", &["a.sfen", "record 1 "]);
        assert!(!out.exists());
        let skipped = convert(&sfens, &out, &["--on-error", "skip"]);
        assert_eq!(skipped.code, 1, "{}", skipped.stderr);
        let back = place.path("back.sfen");
        convert(&out, &back, &["--force"]);
        assert_eq!(fs::read_to_string(back).unwrap(), format!("{both}\n{both}\n"));
    }
    for name in ["b.sspfv1-ext", "b.c250", "b.r238", "b.compact36", "b.compact32", "b.ext36"] {
        let out = place.path(name);
        let back = place.path("back.sfen");
        assert_eq!(convert(&sfens, &out, &[]).code, 0, "{name}");
        assert_eq!(convert(&out, &back, &["--force"]).code, 0, "{name}");
        assert_eq!(fs::read_to_string(back).unwrap(), fs::read_to_string(&sfens).unwrap(), "{name}");
        let shown = run([OsStr::new("inspect"), out.as_os_str(), OsStr::new("--record=1")]).ok();
        assert!(shown.contains(tsume.trim_end_matches(" 1")), "{shown}");
    }
}

#[test]
fn the_sample_converts_byte_for_byte_and_back_but_for_the_ply() {
    let place = Place::new();
    let hcpe = place.path("a.hcpe");
    let psv = place.path("a.psv");
    let losses = |from: &Path, to: &Path| {
        let report = convert(from, to, &["--json"]).report();
        assert_eq!(report["read"], 2000);
        let losses = report["losses"].as_array().expect("losses").iter();
        let losses = losses.map(|loss| format!("{} {} {}", loss["field"], loss["kind"], loss["count"]));
        losses.collect::<Vec<_>>()
    };
    // The file had nothing else that this conversion can lose.
    assert_eq!(losses(&sample("sample.psv"), &hcpe), [r#""ply" "dropped" 2000"#]);
    assert!(fs::read(&hcpe).unwrap() == fs::read(sample("sample.hcpe")).unwrap());

    assert_eq!(losses(&hcpe, &psv), [r#""ply" "made_up" 2000"#]);
    let mut original = fs::read(sample("sample.psv")).unwrap();
    original.chunks_exact_mut(40).for_each(|record| record[36..38].fill(0));
    assert!(fs::read(&psv).unwrap() == original);

    let printed = convert(&place.file("empty.psv", ""), &place.path("empty.hcpe"), &[]).ok();
    assert!(!printed.contains("lost"), "{printed}");
}

#[test]
fn every_available_backend_converts_identically() {
    let place = Place::new();
    let listed = run(["backends"]).ok();
    let available = listed.lines().filter(|line| line.split_whitespace().any(|cell| cell == "yes"));
    for line in available {
        let backend = line.trim_start_matches('*').split_whitespace().next().unwrap();
        let output = place.path(&format!("{backend}.hcpe"));
        convert(&sample("sample.psv"), &output, &["--backend", backend]).ok();
        assert!(fs::read(&output).unwrap() == fs::read(sample("sample.hcpe")).unwrap(), "{backend}");
    }
}

#[test]
fn text_agrees_with_the_sample_s_table() {
    let table = fs::read_to_string(sample("sample.tsv")).unwrap();
    let sfens: Vec<&str> = table.lines().skip(1).map(|row| row.split('\t').next().unwrap()).collect();
    let ran = convert(&sample("sample.psv"), Path::new("-"), &["--to", "sfen"]);
    assert_eq!(ran.code, 0);
    assert!(ran.stdout.lines().eq(sfens.iter().copied()));
    assert!(ran.stderr.contains("2,000 records"), "{}", ran.stderr);
}

#[test]
fn streams_and_compressed_files_are_converted_like_files() {
    let place = Place::new();
    let psv = fs::read(sample("sample.psv")).unwrap();
    for extension in ["zst", "gz", "xz"] {
        let packed = place.path(&format!("a.hcpe.{extension}"));
        convert(&sample("sample.psv"), &packed, &[]).ok();
        assert!(fs::metadata(&packed).unwrap().len() < 76_000, "{extension} compresses");
        let renamed = place.path("renamed");
        fs::rename(&packed, &renamed).unwrap();
        let plain = place.path(&format!("{extension}.hcpe"));
        convert(&renamed, &plain, &[]).ok();
        assert!(fs::read(&plain).unwrap() == fs::read(sample("sample.hcpe")).unwrap(), "{extension}");
    }
    let mut command = program();
    let output = feed(command.args(["convert", "--from", "psv", "--to", "hcpe", "-", "-"]), &psv);
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stdout == fs::read(sample("sample.hcpe")).unwrap());
}

#[test]
fn several_inputs_of_different_formats_become_one_output() {
    let place = Place::new();
    let output = place.path("all.sspfv1");
    let arguments = [sample("sample.psv"), sample("sample.hcpe"), output.clone()];
    let printed =
        run([OsStr::new("convert")].into_iter().chain(arguments.iter().map(|path| path.as_os_str()))).ok();
    assert!(printed.contains("4,000 records"), "{printed}");
    let words = fs::read(&output).unwrap();
    assert!(words[..64_000] == words[64_000..]);
}

#[test]
fn json_summary_is_complete() {
    let place = Place::new();
    let bad = place.file("bad.psv", damaged());
    let ran = convert(&bad, &place.path("a.hcpe"), &["--json", "--on-error", "skip"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (1, ""));
    let summary: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((&summary["read"], &summary["written"]), (&Value::from(2000), &Value::from(1997)));
    assert_eq!(summary["inputs"][0]["format"], "psv");
    assert_eq!(summary["output"]["compression"], "none");
    assert_eq!(summary["bad_total"], 3);
    assert_eq!(summary["samples"][0]["record"], 17);
    assert_eq!(summary["samples"][0]["offset"], 680);
    assert_eq!(summary["samples"][0]["fault"], "KING_CODE");
    assert!(summary["losses"].as_array().unwrap().iter().any(|loss| loss["field"] == "ply"));

    let ran = convert(&bad, &place.path("b.hcpe"), &["--json"]);
    assert_eq!(ran.code, 1);
    let failed: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(failed["error"]["kind"], "record");

    let mut command = program();
    let output = feed(command.args(["convert", "--json", "--to", "sfen", "-", "-"]), &damaged()[..40]);
    let summary: Value = serde_json::from_slice(&output.stderr).unwrap();
    assert_eq!(summary["written"], 1);
}

#[test]
fn a_bad_record_stops_the_conversion_and_leaves_nothing() {
    let place = Place::new();
    let bad = place.file("bad.psv", damaged());
    let ran = convert(&bad, &place.path("a.hcpe"), &["--json"]);
    let names = ["bad.psv: record 17 (byte 680)", "KING_CODE", "`komabako repair IN OUT`", "collect=FILE"];
    ran.refused(1, "record", &names);
    assert!(!ran.stderr.contains("--on-error skip"), "{}", ran.stderr);
    assert_eq!(place.names(), ["bad.psv"]);
}

#[test]
fn repair_is_advised_only_where_it_can_help() {
    let place = Place::new();
    let records = "sfen,move,score,ply,result\nstartpos,7g7f,3,1,1\nstartpos,resign,5,1,-1\n";
    let csv = place.file("special.csv", records);
    let psv = place.path("special.psv");
    assert_eq!(convert(&csv, &psv, &[]).code, 0);
    // hcpe has no code for resignation, which is no fault of the record.
    for input in [csv, psv] {
        let ran = convert(&input, &place.path("a.hcpe"), &["--json"]);
        ran.refused(1, "record", &["MOVE_NO_SPECIAL", "psv, csv", "--on-error collect=FILE"]);
        assert!(!ran.stderr.contains("repair") && !ran.stderr.contains("skip"), "{}", ran.stderr);
    }
    // `repair` does not take bare HCP words.
    let words = place.file("a.hcp", [0xff; 64]);
    let ran = convert(&words, &place.path("a.sfen"), &["--json", "--from", "hcp"]);
    ran.refused(1, "record", &["--on-error collect=FILE"]);
    assert!(!ran.stderr.contains("repair"), "{}", ran.stderr);
}

#[test]
fn bad_records_are_skipped_or_collected() {
    let place = Place::new();
    let bad = place.file("bad.psv", damaged());
    let good = place.path("good.hcpe");
    let apart = place.path("apart.psv");
    let ran = convert(&bad, &good, &["--on-error", &format!("collect={}", apart.display())]);
    assert_eq!((ran.code, ran.stderr.as_str()), (1, ""));
    assert!(ran.stdout.contains("3 left out: KING_CODE 1, MOVE_TO 1, RESULT 1"), "{}", ran.stdout);
    assert_eq!(fs::metadata(&good).unwrap().len(), 38 * 1997);
    let records = damaged();
    let expected = [17, 500, 1000].map(|record| &records[40 * record..][..40]).concat();
    assert!(fs::read(&apart).unwrap() == expected);
    let reasons = fs::read_to_string(place.path("apart.psv.reasons.tsv")).unwrap();
    assert_eq!(reasons.lines().count(), 4, "{reasons}");
}

#[test]
fn a_truncated_input_is_an_error_unless_it_is_salvaged() {
    let place = Place::new();
    let short = place.file("short.psv", &damaged()[..417]);
    let output = place.path("a.hcpe");
    convert(&short, &output, &["--json"]).refused(1, "truncated", &["short.psv", "10", "17", "--salvage"]);
    assert_eq!(place.names(), ["short.psv"]);
    let ran = convert(&short, &output, &["--salvage"]);
    assert_eq!(ran.code, 1);
    assert!(ran.stdout.contains("not read") && ran.stdout.contains("then 17 bytes"), "{}", ran.stdout);
    assert_eq!(fs::metadata(&output).unwrap().len(), 380);
}

#[test]
fn truncated_compressed_input_is_distinguished() {
    let place = Place::new();
    let whole = place.path("whole.psv.zst");
    convert(&sample("sample.hcpe"), &whole, &[]).ok();
    let bytes = fs::read(&whole).unwrap();
    let short = place.file("short.psv.zst", &bytes[..bytes.len() / 2]);
    let ran = convert(&short, &place.path("a.hcpe"), &[]);
    assert!(ran.code != 0 && !place.path("a.hcpe").exists(), "{}", ran.stderr);
    ran.fails(ran.code, &["short.psv.zst"]);
}

#[test]
fn an_empty_input_becomes_an_empty_output() {
    let place = Place::new();
    let empty = place.file("empty.psv", "");
    convert(&empty, &place.path("a.hcpe"), &[]).ok();
    assert_eq!(fs::metadata(place.path("a.hcpe")).unwrap().len(), 0);
}

#[test]
fn foreign_files_are_refused_with_advice() {
    let place = Place::new();
    let output = place.path("a.hcpe");
    let files: [(&str, &[u8], &str, &str); 4] = [
        ("noise.psv", &[0xa5; 4000], "unrecognized", "--from"),
        ("letter.txt", b"Dear Sir or Madam,\n", "unrecognized", "--from"),
        ("archive.psv", b"7z\xbc\xaf\x27\x1c\0\x04 and more", "unsupported", "7z x"),
        ("book.db", b"#YANEURAOU-DB2016 1.00\n", "unsupported", "book"),
    ];
    for (name, content, kind, advice) in files {
        let input = place.file(name, content);
        convert(&input, &output, &["--json"]).refused(2, kind, &[name, advice]);
        fs::remove_file(input).unwrap();
    }
    convert(&place.path("none.psv"), &output, &["--json"]).refused(2, "open", &["none.psv"]);
    assert_eq!(place.names(), [] as [&str; 0]);
}

#[test]
fn an_existing_output_is_kept_unless_forced() {
    let place = Place::new();
    let output = place.file("a.hcpe", "precious");
    convert(&sample("sample.psv"), &output, &["--json"]).refused(2, "exists", &["a.hcpe", "--force"]);
    assert_eq!(fs::read(&output).unwrap(), b"precious");
    convert(&sample("sample.psv"), &output, &["--force"]).ok();
    assert_eq!(fs::metadata(&output).unwrap().len(), 76_000);
}

#[test]
fn an_input_is_never_overwritten() {
    let place = Place::new();
    let input = place.file("a.psv", damaged());
    convert(&input, &input, &["--force", "--json"]).refused(2, "same_file", &["a.psv"]);
    assert!(fs::read(&input).unwrap() == damaged());
}

#[test]
fn unwritable_outputs_are_reported() {
    let place = Place::new();
    let psv = sample("sample.psv");
    convert(&psv, &place.path("no/such/a.hcpe"), &["--json"]).refused(2, "create", &["no/such"]);
    convert(&psv, &place.path("a.tiff"), &["--json"]).refused(2, "output_format", &["a.tiff", "--to"]);
    // Also with a format: otherwise plain records would be in a file that is named like a compressed one.
    for name in ["a.psv.bz2", "a.psv.lz4", "a.psv.ZIP", "a.zstd"] {
        for options in [&["--json"][..], &["--to=psv", "--json"]] {
            convert(&psv, &place.path(name), options).refused(2, "output_compression", &[name, ".zst"]);
        }
    }
    convert(&psv, &place.path("a.psv"), &["--to=psv-lenient", "--json"]).refused(
        2,
        "read_only_format",
        &["psv-lenient"],
    );
    run([OsStr::new("convert"), psv.as_os_str()]).fails(2, &["IN... OUT"]);
    assert_eq!(place.names(), [] as [&str; 0]);
}

#[cfg(unix)]
#[test]
fn signal_ends_a_waiting_conversion_and_leaves_nothing() {
    let place = Place::new();
    let mut child = program()
        .args(["convert", "--from", "psv", "-"])
        .arg(place.path("a.hcpe"))
        .stdin(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    std::io::Write::write_all(&mut stdin, &damaged()[..400]).unwrap();
    // By the time the program has opened its input, it catches signals.
    std::thread::sleep(std::time::Duration::from_millis(300));
    let killed = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    let output = child.wait_with_output().unwrap();
    drop(stdin);
    assert_eq!(output.status.code(), Some(130));
    assert!(String::from_utf8(output.stderr).unwrap().contains("cancelled"));
    assert_eq!(place.names(), [] as [&str; 0]);
}

#[cfg(target_os = "linux")]
#[test]
fn unwritable_directory_is_reported() {
    // Not even root can create a file there.
    convert(&sample("sample.psv"), Path::new("/proc/a.hcpe"), &["--json"]).refused(
        2,
        "create",
        &["/proc/a.hcpe"],
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_device_is_an_error() {
    let full = Path::new("/dev/full");
    let ran = convert(&sample("sample.psv"), full, &["--to", "hcpe", "--json"]);
    ran.refused(2, "write", &["/dev/full"]);
}

#[test]
fn closed_pipe_of_records_and_games_is_not_an_error() {
    let game = concat!(env!("CARGO_MANIFEST_DIR"), "/../komabako-kifu/tests/data/floodgate_0.csa").into();
    // More than a pipe holds: it may be closed after the first write.
    for (command, inputs, to) in
        [("convert", vec![sample("sample.psv")], "plain"), ("kifu", vec![game; 100], "csa")]
    {
        let mut child = program()
            .arg(command)
            .args(inputs)
            .args(["-", "--to", to])
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), stderr), (Some(0), String::new()), "{command}");
    }
}

#[test]
fn summaries_and_errors_speak_japanese() {
    let place = Place::new();
    let output = place.path("a.hcpe");
    let printed = convert(&sample("sample.psv"), &output, &["--lang", "ja"]).ok();
    assert!(printed.contains("2,000 レコード") && printed.contains("手数: 失われる"), "{printed}");
    convert(&sample("sample.psv"), &output, &["--lang", "ja"]).fails(2, &["すでに存在します", "対処"]);
}

/// The 20 games of the sample, in 28 fragments since some positions are missing, and back.
#[test]
fn records_in_game_order_become_games() {
    let place = Place::new();
    let pack = place.path("a.pack");
    let back = place.path("a.psv");
    let report = convert(&sample("sample.psv"), &pack, &["--json"]).report();
    assert_eq!((&report["written"], &report["games"]), (&2000.into(), &28.into()));
    let losses = report["losses"].as_array().expect("losses").iter();
    assert!(losses.clone().any(|loss| loss["field"] == "games" && loss["kind"] == "made_up"), "{report}");
    let printed = convert(&pack, &back, &["--json"]).ok();
    assert!(printed.contains("\"games\": 0") && printed.contains("\"written\": 2000"), "{printed}");
    assert!(fs::read(&back).unwrap() == fs::read(sample("sample.psv")).unwrap());
    convert(&place.file("a.sfen", "startpos\n"), &place.path("b.pack"), &["--json"]).refused(
        1,
        "record",
        &["NOT_PLAYED"],
    );
}

#[test]
fn bad_rows_of_tables_are_named_by_line_and_column() {
    let place = Place::new();
    let file =
        place.file("a.csv", "sfen,move,score,ply,result\r\nstartpos,7g7f,35,1,1\r\nstartpos,7g7f,x,1,1\r\n");
    let refused = |lang: &str| convert(&file, &place.path("a.psv"), &["--lang", lang]);
    refused("en").fails(1, &["record 1 (line 3, ", "column 15", "CELL"]);
    refused("ja").fails(1, &["3 行目", "15 桁目", "CELL"]);
    let listed = run(["formats", "--lang", "ja"]).ok();
    assert!(["タブ区切り", "コンマ区切り", "JSON"].iter().all(|what| listed.contains(what)), "{listed}");
}

#[test]
fn dash_reads_standard_input() {
    let ran = run_on(damaged(), ["convert", "-", "-", "--to", "sfen", "--on-error", "skip", "--json"]);
    assert_eq!((ran.code, ran.stdout.lines().count()), (1, 1998));
    let first = &ran.report()["samples"][0];
    assert_eq!((&first["input"], &first["record"]), (&"-".into(), &17.into()));
}

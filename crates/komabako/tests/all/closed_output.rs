//! Commands whose standard output is closed (`>&-`), which only Linux (`/proc`) reports, or is a pipe that nobody reads.

use std::process::{Command, Stdio};

use crate::support::{Place, Ran, program, sample};

/// Runs the program in a directory, from a shell that redirects its standard output.
fn redirected(place: &Place, line: &str, redirection: &str) -> Ran {
    let script = format!("exec \"$0\" {line} {redirection}");
    let output = Command::new("sh")
        .args(["-c", &script, env!("CARGO_BIN_EXE_komabako")])
        .current_dir(place.path(""))
        .env("LC_ALL", "C")
        .stdin(Stdio::null())
        .output();
    output.expect("a shell").into()
}

fn place() -> Place {
    let place = Place::new();
    place.file("in.psv", &std::fs::read(sample("sample.psv")).unwrap()[..400]);
    place
}

#[test]
fn records_to_a_closed_standard_output_are_refused() {
    let place = place();
    for line in [
        "cat in.psv",
        "head in.psv",
        "convert in.psv - --to hcpe",
        "sample in.psv - --count 3 --to psv",
        "filter in.psv - --where won --to psv",
        "shuffle in.psv - --seed 1 --to psv",
        "repair in.psv -",
    ] {
        redirected(&place, &format!("{line} --json"), ">&-").refused(2, "write", &["/dev/null"]);
    }
    assert_eq!(place.names(), ["in.psv"]);
}

/// A shell's `/dev/null` is intended, and a lost report loses no records.
#[test]
fn other_closed_outputs_are_not_refused() {
    let place = place();
    assert_eq!(redirected(&place, "cat in.psv", ">/dev/null").ok(), "");
    assert_eq!(redirected(&place, "convert in.psv out.hcpe", ">&-").ok(), "");
    assert_eq!(place.names(), ["in.psv", "out.hcpe"]);
}

/// Runs the program in a directory, with a standard output that nobody reads any more.
fn unread(place: &Place, line: &str) -> Ran {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut program = program();
    program.current_dir(place.path("")).args(line.split(' ')).stdin(Stdio::null()).stdout(writer);
    program.output().unwrap().into()
}

/// Good records, then a bad one.
fn place_with_bad() -> Place {
    let place = place();
    let good = std::fs::read(place.path("in.psv")).unwrap();
    place.file("bad.psv", [&good[..], &[0xff; 40]].concat());
    place.file("bad.sfen", "nonsense\n");
    place.file("good.csa", "V2.2\nPI\n+\n%TORYO\n");
    place.file("bad.csa", "V2.2\nPI\n+\n+0000FU\n");
    place
}

#[test]
fn a_report_that_nobody_reads_changes_no_exit_code() {
    let place = place_with_bad();
    let from = "--from psv";
    for (line, code) in [
        ("info in.psv".to_owned(), 0),
        (format!("info {from} bad.psv"), 1),
        ("info bad.csa".into(), 1),
        (format!("validate {from} in.psv"), 0),
        (format!("validate {from} bad.psv"), 1),
        (format!("validate {from} bad.psv --json"), 1),
        (format!("stats {from} bad.psv"), 1),
        (format!("diff {from} in.psv bad.psv"), 1),
        (format!("convert {from} bad.psv out.hcpe --on-error skip"), 1),
        (format!("convert {from} in.psv bad.psv --out-dir out --to hcpe --on-error skip"), 1),
        ("encode bad.sfen --format hcp --on-error stop".into(), 1),
        ("encode bad.sfen --format hcp --on-error inline".into(), 1),
        ("kifu --check bad.csa".into(), 1),
        ("kifu --list bad.csa".into(), 1),
    ] {
        let ran = unread(&place, &line);
        assert_eq!(ran.code, code, "{line}: {}", ran.stderr);
    }
    assert_eq!(crate::support::names(&place.path("out")), ["bad.hcpe", "in.hcpe"]);
}

#[test]
fn records_that_nobody_reads_are_an_error_if_a_file_beside_them_is_missing() {
    let place = place_with_bad();
    let names = place.names();
    for line in [
        "convert in.psv - --to hcpe",
        "filter in.psv - --where won --to psv",
        "shuffle in.psv - --seed 1 --to psv",
    ] {
        let ran = unread(&place, line);
        assert_eq!((ran.code, ran.stderr.contains("error")), (0, false), "{line}: {}", ran.stderr);
    }
    for (line, missing) in [
        ("convert --from psv bad.psv - --to sfen --on-error collect=o.bad", "o.bad"),
        ("dedup in.psv - --to psv --columns o --keep mean --by position", " o"),
        ("shuffle in.psv - --seed 1 --to psv --manifest o.json", "o.json"),
        ("kifu good.csa bad.csa - --to kif --on-error collect=o.tsv --manifest o.json", "o.tsv"),
        ("repair --from psv bad.psv - --rejects o.rej", "o.rej"),
    ] {
        unread(&place, line).fails(2, &[missing]);
    }
    assert_eq!(place.names(), names);
}

//! Commands whose standard output is closed (`>&-`). Only Linux (`/proc`) reports this.

use std::process::{Command, Stdio};

use crate::support::{Place, Ran, sample};

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

//! `repair`: damaged records are restored, the reports, and the errors.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;

use crate::support::{Ran, feed, program, run, run_on, sample};
use serde_json::Value;

fn psv() -> Vec<u8> {
    fs::read(sample("sample.psv")).unwrap()
}

/// The sample with the moves that `which` selects in Apery's encoding.
fn with_moves_of_apery(which: impl Fn(usize) -> bool) -> Vec<u8> {
    let mut bytes = psv();
    for (_, record) in bytes.chunks_mut(40).enumerate().filter(|(index, _)| which(*index)) {
        let bits = u16::from_le_bytes([record[34], record[35]]);
        let promote = if bits & 0x8000 != 0 { 0x4000 } else { 0 };
        let drop = if bits & 0x4000 != 0 { 80 << 7 } else { 0 };
        record[34..36].copy_from_slice(&(((bits & 0x3fff) + drop) | promote).to_le_bytes());
    }
    bytes
}

fn repair(place: &Path, options: &[&str]) -> Ran {
    let input = place.join("in.psv");
    let output = place.join("out.psv");
    let mut arguments = vec![OsStr::new("repair"), input.as_os_str(), output.as_os_str()];
    arguments.extend(options.iter().map(OsStr::new));
    run(arguments)
}

#[test]
fn moves_of_another_encoding_are_detected_and_rewritten() {
    let place = tempfile::tempdir().unwrap();
    fs::write(place.path().join("in.psv"), with_moves_of_apery(|_| true)).unwrap();
    repair(place.path(), &[]).ok();
    assert!(fs::read(place.path().join("out.psv")).unwrap() == psv());
    repair(place.path(), &["--json"]).refused(2, "exists", &["out.psv", "--force"]);

    let report = repair(place.path(), &["--force", "--json"]).ok();
    let report: Value = serde_json::from_str(&report).unwrap();
    assert_eq!(report["encodings"][0]["encoding"], "C");
    assert_eq!(report["encodings"][0]["votes"]["c"], report["encodings"][0]["votes"]["encoding_dependent"]);
    assert_eq!(report["changes"]["move"], report["rewritten"]);
    assert_eq!((&report["read"], &report["bad_total"]), (&2000.into(), &0.into()));
}

#[test]
fn mixed_moves_are_detected_and_decided_one_by_one() {
    let place = tempfile::tempdir().unwrap();
    fs::write(place.path().join("in.psv"), with_moves_of_apery(|index| index % 2 == 0)).unwrap();
    let a_promotion = repair(place.path(), &["--moves", "a", "--json"]);
    a_promotion.refused(1, "record", &["in.psv", "2b8h+", "--moves mixed", "--rejects FILE"]);
    repair(place.path(), &[]).ok();
    assert!(fs::read(place.path().join("out.psv")).unwrap() == psv());
    let printed = repair(place.path(), &["--force", "--moves", "mixed", "--lang", "ja"]).ok();
    assert!(printed.contains("混在 (エンコーディング A、C)") && printed.contains("合法性: "), "{printed}");

    let report: Value = serde_json::from_str(&repair(place.path(), &["--force", "--json"]).ok()).unwrap();
    let input = &report["encodings"][0];
    assert_eq!((&input["encoding"], &input["mixture"]["found"]), (&Value::Null, &"A, C".into()));
    let read = &input["mixture"]["read_as"];
    let encoding_dependent = input["votes"]["encoding_dependent"].as_u64();
    assert_eq!(Some(read["A"].as_u64().unwrap() + read["C"].as_u64().unwrap()), encoding_dependent);
    assert_eq!(input["mixture"]["decided_by"]["tie_break"], 0);
    assert_eq!(report["changes"]["move"], read["C"]);
}

#[test]
fn undecided_sample_asks_for_the_encoding() {
    let place = tempfile::tempdir().unwrap();
    let few = &with_moves_of_apery(|index| index >= 85)[..40 * 100];
    fs::write(place.path().join("in.psv"), few).unwrap();
    repair(place.path(), &["--json"]).refused(2, "undecided", &["--moves mixed"]);
    repair(place.path(), &["--lang", "ja"]).fails(2, &["標本で決められません", "--moves mixed"]);
    repair(place.path(), &["--moves", "mixed"]).ok();
    assert!(fs::read(place.path().join("out.psv")).unwrap() == psv()[..40 * 100]);
}

#[test]
fn undecided_moves_are_rejected_or_read_by_tie_break() {
    let place = tempfile::tempdir().unwrap();
    // Each record is isolated, and alternately in B and C.
    let mut records: Vec<Vec<u8>> = psv().chunks(40).map(<[u8]>::to_vec).collect();
    for (index, record) in records.iter_mut().enumerate() {
        let bits = u16::from_le_bytes([record[34], record[35]]);
        let promote = if bits & 0x8000 != 0 { 0x4000 } else { 0 };
        let drop = if bits & 0x4000 != 0 { (80 + index as u16 % 2) << 7 } else { 0 };
        record[34..36].copy_from_slice(&(((bits & 0x3fff) + drop) | promote).to_le_bytes());
    }
    records.reverse();
    fs::write(place.path().join("in.psv"), records.concat()).unwrap();
    let ambiguous = repair(place.path(), &["--json"]);
    ambiguous.refused(1, "record", &["MOVE_AMBIGUOUS", "--tie-break"]);
    repair(place.path(), &["--lang", "ja"]).fails(1, &["複数のエンコーディングで合法", "--tie-break"]);

    let rejects = format!("--rejects={}", place.path().join("rejects.psv").display());
    let ran = repair(place.path(), &[&rejects]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    let repaired = fs::read(place.path().join("out.psv")).unwrap();
    let set_aside = fs::read(place.path().join("rejects.psv")).unwrap();
    assert!(!set_aside.is_empty() && repaired.len() + set_aside.len() == 80_000);
    let sound = psv();
    assert!(repaired.chunks(40).all(|record| sound.chunks(40).any(|stored| stored == record)));
    let report = repair(place.path(), &["--tie-break", "c", "--force", "--json"]).report();
    assert!(report["encodings"][0]["mixture"]["decided_by"]["tie_break"].as_u64() > Some(0), "{report}");
    assert_eq!(fs::read(place.path().join("out.psv")).unwrap().len(), 80_000);
}

#[test]
fn signs_are_flipped_on_request_through_pipes() {
    let arguments = ["repair", "--moves", "a", "--flip-score=white", "--flip-result", "--json", "-", "-"];
    let ran = feed(program().args(arguments), &psv());
    assert_eq!(ran.status.code(), Some(0));
    let report: Value = serde_json::from_slice(&ran.stderr).unwrap();
    let changed = |what: &str| report["changes"][what].as_u64() > Some(0);
    assert!(changed("score") && changed("result"), "{report}");
    for (one, other) in psv().chunks(40).zip(ran.stdout.chunks(40)) {
        assert_eq!(one[38], other[38].wrapping_neg());
        let score = |record: &[u8]| i16::from_le_bytes([record[32], record[33]]);
        assert_eq!(score(one), if one[0] & 1 == 0 { score(other) } else { -score(other) });
    }
    run_on(psv(), ["repair", "--json", "-", "-"]).refused(2, "stream_not_sampled", &["--moves a"]);
}

#[test]
fn non_psv_file_advises_its_format() {
    let place = tempfile::tempdir().unwrap();
    fs::copy(sample("sample.hcpe"), place.path().join("in.psv")).unwrap();
    repair(place.path(), &["--from", "psv", "--json"]).refused(2, "other_format", &["--from hcpe"]);
    repair(place.path(), &["--json"]).refused(2, "repair_converts", &["komabako convert"]);
    let misnamed = place.path().join("in.psv");
    let renamed = place.path().join("out.hcpe");
    run([OsStr::new("repair"), misnamed.as_os_str(), renamed.as_os_str()]).ok();
    assert!(fs::read(&renamed).unwrap() == fs::read(sample("sample.hcpe")).unwrap());
    fs::write(place.path().join("in.psv"), "startpos\n").unwrap();
    let output = place.path().join("out.sfen");
    let input = place.path().join("in.psv");
    let ran = run(["repair".as_ref(), input.as_os_str(), output.as_os_str(), "--json".as_ref()]);
    ran.refused(2, "not_repaired", &["komabako validate"]);
    run(["repair", "--json", "in.psv"]).refused(2, "output_missing", &["in.psv"]);
}

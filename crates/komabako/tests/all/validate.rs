//! `validate`: its output for sound and damaged files, in both languages and as JSON.

use std::ffi::OsStr;
use std::fs;

use crate::support::{run, run_on, sample};
use serde_json::Value;

fn psv() -> Vec<u8> {
    fs::read(sample("sample.psv")).unwrap()
}

/// The sample with a bad position at 17, a bad result at 500 and a move of another encoding at the first drop.
pub fn damaged() -> (Vec<u8>, usize) {
    let mut bytes = psv();
    bytes[40 * 17 + 1] ^= 0xff;
    bytes[40 * 500 + 38] = 7;
    let is_drop = |record: &[u8]| record[35] & 0x40 != 0;
    let drop = bytes.chunks(40).position(is_drop).unwrap();
    let at = 40 * drop + 34;
    let bits = u16::from_le_bytes([bytes[at], bytes[at + 1]]);
    bytes[at..at + 2].copy_from_slice(&((bits & !0x4000) + (80 << 7)).to_le_bytes());
    (bytes, drop)
}

#[test]
fn sound_files_have_no_findings() {
    let [psv, hcpe] = ["sample.psv", "sample.hcpe"].map(sample);
    let ran = run(["validate".as_ref(), psv.as_os_str(), hcpe.as_os_str(), "--json".as_ref()]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let report = ran.report();
    assert_eq!((&report["clean"], &report["read"]), (&true.into(), &4000.into()));
    for (index, format) in ["psv", "hcpe"].into_iter().enumerate() {
        assert_eq!(report["files"][index]["records"], 2000);
        assert_eq!(report["inputs"][index]["format"], format);
    }
}

#[test]
fn json_matches_the_text() {
    let (mut bytes, drop) = damaged();
    bytes.truncate(bytes.len() - 3);
    let ran = run_on(&bytes, ["validate", "--from", "psv", "--json", "-"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (1, ""));
    let report: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(report["clean"], false);
    let file = &report["files"][0];
    assert_eq!((&file["records"], &file["undecoded"]), (&1999.into(), &1.into()));
    assert_eq!(report["tails"][0]["length"], 37);
    let levels = file["levels"].as_array().unwrap();
    let level = |name: &str| levels.iter().find(|level| level["level"] == name).unwrap();
    assert_eq!(level("size")["bad"]["TRUNCATED"], 1);
    assert_eq!(level("codec")["first"], Value::from(vec![17]));
    let example = &level("move")["example"];
    assert_eq!(example["record"], drop);
    assert!(
        example["sfen"].as_str().unwrap().contains(" b ")
            || example["sfen"].as_str().unwrap().contains(" w ")
    );
    assert_eq!(file["diagnoses"][0]["kind"], "other_encoding");
    assert!(file["correlation"]["black"].as_f64().unwrap() > 0.3);
    assert!(levels.iter().all(|level| level["level"] != "stream"));
}

/// The output in both languages for PSV records in memory.
pub fn printed(bytes: &[u8]) -> [String; 2] {
    ["en", "ja"].map(|lang| {
        let ran = run_on(bytes, ["validate", "-", "--from", "psv", "--lang", lang]);
        assert_eq!(ran.code, 1, "{}", ran.stderr);
        ran.stdout
    })
}

#[test]
fn wrong_view_of_scores_and_results_advises_a_flip() {
    let mut bytes = psv();
    for record in bytes.chunks_mut(40).filter(|record| record[0] & 1 != 0) {
        let score = i16::from_le_bytes([record[32], record[33]]);
        record[32..34].copy_from_slice(&(-score).to_le_bytes());
        record[38] = record[38].wrapping_neg();
    }
    let [english, japanese] = printed(&bytes);
    let command = "komabako repair --flip-score=white --flip-result=white IN OUT";
    assert!(english.contains(command), "{english}");
    assert!(japanese.contains("後手番で評価値と勝敗がともに") && japanese.contains(command), "{japanese}");
    let ran = run_on(&bytes, ["validate", "-", "--json"]);
    let report: Value = serde_json::from_str(&ran.stdout).unwrap();
    let diagnosis = &report["files"][0]["diagnoses"][0];
    assert_eq!((&diagnosis["kind"], &diagnosis["side"]), (&"mirrored".into(), &"white".into()));
    assert!(diagnosis["help"].as_str().unwrap().contains(command), "{diagnosis}");
}

#[test]
fn levels_can_be_chosen_and_the_first_finding_can_end_it() {
    let (bytes, _) = damaged();
    run_on(&bytes, ["validate", "-", "--level", "score,ply"]).ok();
    let ran = run_on(&bytes, ["validate", "-", "--level", "result", "--level", "codec", "--fail-fast"]);
    assert_eq!(ran.code, 1);
    assert!(ran.stdout.contains("18 records") && ran.stdout.contains("(--fail-fast)"), "{}", ran.stdout);
    run_on(&bytes, ["validate", "-", "--level", "moves"]).fails(2, &["canonical"]);
    let ran = run_on(&bytes, ["validate", "-", "--fail-fast", "--json"]);
    let report: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((&report["stopped"], &report["bytes_read"]), (&true.into(), &bytes.len().into()));
}

/// A flipped bit or a wrong checksum is a finding like any other: readable records are still judged.
#[test]
fn corrupt_compressed_data_is_a_finding() {
    let place = tempfile::tempdir().unwrap();
    for extension in ["zst", "gz", "xz"] {
        let packed = place.path().join(format!("sample.psv.{extension}"));
        run([OsStr::new("convert"), sample("sample.psv").as_os_str(), packed.as_os_str()]).ok();
        let sound = fs::read(&packed).unwrap();
        // In the middle, in the checksum at the end, and near the start, before any record.
        for at in [sound.len() / 2, sound.len() - 2, 40] {
            let mut bytes = sound.clone();
            bytes[at] ^= 0x55;
            let damaged = place.path().join(format!("damaged.psv.{extension}"));
            fs::write(&damaged, &bytes).unwrap();
            let ran =
                run([OsStr::new("validate"), damaged.as_os_str(), "--json".as_ref(), "--lang=ja".as_ref()]);
            assert_eq!(ran.code, 1, "{extension} at {at}: {}", ran.stderr);
            let report: Value = serde_json::from_str(&ran.stdout).unwrap();
            let file = &report["files"][0];
            assert_eq!(file["levels"][0]["bad"]["CORRUPT"], 1);
            assert!(report["tails"][0]["message"].as_str().unwrap().contains("圧縮データが壊れています"));
            assert_eq!(report["tails"][0]["records"], file["records"]);
        }
        let cut = place.path().join(format!("cut.psv.{extension}"));
        fs::write(&cut, &sound[..sound.len() / 2]).unwrap();
        let ran = run([OsStr::new("validate"), cut.as_os_str(), "--json".as_ref()]);
        assert_eq!((ran.code, &ran.report()["files"][0]["levels"][0]["bad"]["TRUNCATED"]), (1, &1.into()));
    }
}

#[test]
fn other_format_error_names_the_option() {
    let hcpe = fs::read(sample("sample.hcpe")).unwrap();
    let ran = run_on(&hcpe, ["validate", "--from", "psv", "--json", "-"]);
    assert_eq!(ran.code, 1);
    let diagnosis = &ran.report()["files"][0]["diagnoses"][0];
    assert_eq!((&diagnosis["kind"], &diagnosis["format"]), (&"other_format".into(), &"hcpe".into()));
    assert!(diagnosis["help"].as_str().unwrap().contains("--from hcpe"), "{diagnosis}");
    run_on(&hcpe, ["validate", "--from", "hcpe", "-"]).ok();
    // What a wrong format makes of a sound file is no reason to repair it.
    let ran = run_on(psv(), ["validate", "--from", "hcpe", "-"]);
    assert!(ran.stdout.contains("komabako validate --from psv -\n"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("repair"), "{}", ran.stdout);
}

#[test]
fn unreadable_input_is_an_error() {
    run(["validate", "--json", "no-such-file.psv"]).refused(2, "open", &["no-such-file.psv"]);
    run_on([0xff; 100], ["validate", "--json", "-"]).refused(2, "unrecognized", &[]);
}

/// A record in YaneuraOu's plain text whose move is not the mate in one.
pub const MISSED_MATE: &str =
    "sfen 4k4/9/4P4/9/9/9/9/9/4K4 b 2G2r2b2g4s4n4l17p 1\nmove G*4b\nscore 30\nply 1\nresult 1\ne\n";

#[test]
fn missed_mates_are_named_on_request() {
    let sound = run_on(MISSED_MATE, ["validate", "-", "--from", "plain", "--json"]);
    let sound: Value = serde_json::from_str(&sound.stdout).unwrap();
    assert!(sound["files"][0]["levels"].as_array().unwrap().iter().all(|level| level["level"] != "mate"));
    let ran = run_on(MISSED_MATE, ["validate", "-", "--from", "plain", "--level", "mate", "--json"]);
    let report: Value = serde_json::from_str(&ran.stdout).unwrap();
    let level = &report["files"][0]["levels"][0];
    assert_eq!((ran.code, &level["level"], &level["bad_total"]), (1, &"mate".into(), &1.into()), "{report}");
    assert_eq!(level["bad"]["MATE_MISSED"], 1);
    assert!(level["example"]["message"].as_str().unwrap().contains("G*5b"), "{level}");
}

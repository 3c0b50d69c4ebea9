//! `validate`: its output for sound and damaged files, in both languages and as JSON.

use std::ffi::OsStr;
use std::fs;

use crate::support::{feed, program, run, run_on, sample};
use serde_json::Value;

fn psv() -> Vec<u8> {
    fs::read(sample("sample.psv")).unwrap()
}

/// The sample with a bad position at 17, a bad result at 500 and a move of another encoding at the first drop.
fn damaged() -> (Vec<u8>, usize) {
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
fn findings_are_counted_placed_and_explained() {
    let (bytes, drop) = damaged();
    let ran = run_on(&bytes, ["validate", "-"]);
    assert_eq!(ran.code, 1);
    let printed = ran.stdout;
    for text in [
        "codec      1: KING_CODE 1",
        "record 17 (byte 680): a king's code is not a square",
        "result     1: RESULT 1",
        "record 500 (byte 20,000)",
        "MOVE_ENCODING_",
        &format!("record {drop} (byte"),
        "is illegal in the format's encoding, but legal in",
        "of ",
        "help: the file is mixed; rewrite them with `komabako repair --moves mixed`",
        "where the position cannot be read: 1 record",
        "something is wrong:",
    ] {
        assert!(printed.contains(text), "no {text:?} in: {printed}");
    }
    let printed = run_on(&bytes, ["validate", "-", "--lang", "ja"]).stdout;
    for text in [
        "2,000 レコード",
        "玉の位置が盤のマスではありません",
        "この形式のエンコーディングでは反則ですが",
        "混在",
        "問題あり",
    ] {
        assert!(printed.contains(text), "no {text:?} in: {printed}");
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
fn printed(bytes: &[u8]) -> [String; 2] {
    ["en", "ja"].map(|lang| {
        let ran = run_on(bytes, ["validate", "-", "--from", "psv", "--lang", lang]);
        assert_eq!(ran.code, 1, "{}", ran.stderr);
        ran.stdout
    })
}

#[test]
fn misread_move_is_explained() {
    let sfens = "4k4/9/9/8S/9/9/9/9/4K4 b N 1\n4k4/9/8+S/9/9/9/9/9/4K4 w N 1\n";
    let words = feed(
        program().args(["convert", "--from", "sfen", "--to", "packed_sfen", "-", "-"]),
        sfens.as_bytes(),
    );
    let mut psv = Vec::new();
    for (word, best_move) in words.stdout.chunks(32).zip([0x4182_u16, 0]) {
        psv.extend([word, &[0, 0], &best_move.to_le_bytes(), &[1, 0, 0, 0]].concat());
    }
    let [english, japanese] = printed(&psv);
    let text = "move: 0x4182 is N*1c in the format's encoding, but the next position comes after 1d1c+ (encoding B, C)";
    assert!(english.contains(text), "{english}");
    let text =
        "指し手 0x4182 はこの形式では N*1c ですが、次の局面はエンコーディング B、C の 1d1c+ の後のものです";
    assert!(japanese.contains(text), "{japanese}");
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
    let text = "the material contradicts both with White to move";
    assert!(english.contains(text) && english.contains(command), "{english}");
    assert!(japanese.contains("後手番で評価値と結果がともに") && japanese.contains(command), "{japanese}");
    let ran = run_on(&bytes, ["validate", "-", "--json"]);
    let report: Value = serde_json::from_str(&ran.stdout).unwrap();
    let diagnosis = &report["files"][0]["diagnoses"][0];
    assert_eq!((&diagnosis["kind"], &diagnosis["side"]), (&"mirrored".into(), &"white".into()));
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
}

#[test]
fn unreadable_input_is_an_error() {
    run(["validate", "--json", "no-such-file.psv"]).refused(2, "open", &["no-such-file.psv"]);
    run_on([0xff; 100], ["validate", "--json", "-"]).refused(2, "unrecognized", &[]);
}

#[test]
fn missed_mates_are_named_on_request() {
    let sfen = "4k4/9/4P4/9/9/9/9/9/4K4 b 2G2r2b2g4s4n4l17p 1";
    let text = format!("sfen {sfen}\nmove G*4b\nscore 30\nply 1\nresult 1\ne\n");
    let sound = run_on(&text, ["validate", "-", "--from", "plain", "--json"]);
    let sound: Value = serde_json::from_str(&sound.stdout).unwrap();
    assert!(sound["files"][0]["levels"].as_array().unwrap().iter().all(|level| level["level"] != "mate"));
    let ran = run_on(&text, ["validate", "-", "--from", "plain", "--level", "mate", "--json"]);
    let report: Value = serde_json::from_str(&ran.stdout).unwrap();
    let level = &report["files"][0]["levels"][0];
    assert_eq!((ran.code, &level["level"], &level["bad_total"]), (1, &"mate".into(), &1.into()), "{report}");
    assert_eq!(level["bad"]["MATE_MISSED"], 1);
    let english = run_on(&text, ["validate", "-", "--from", "plain", "--level", "mate"]).stdout;
    assert!(english.contains("G*5b would mate at once (MATE_MISSED)"), "{english}");
    let japanese =
        run_on(&text, ["validate", "-", "--from", "plain", "--level", "mate", "--lang", "ja"]).stdout;
    assert!(japanese.contains("1 手詰の G*5b を逃しています"), "{japanese}");
}

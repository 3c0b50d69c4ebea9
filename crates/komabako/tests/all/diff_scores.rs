//! `diff`, `merge-scores` and `extract-scores`.

use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;

use crate::support::{Place, Ran, feed, program, run, sample};
use serde_json::Value;

const SIZE: usize = 40;

fn command(name: &str, paths: &[&PathBuf], options: &[&str]) -> Ran {
    let mut arguments = vec![OsString::from(name)];
    arguments.extend(paths.iter().map(OsString::from));
    arguments.extend(options.iter().map(OsString::from));
    run(arguments)
}

#[test]
fn the_same_records_in_two_formats_do_not_differ() {
    let ran = command("diff", &[&sample("sample.psv"), &sample("sample.hcpe")], &["--json"]);
    let report = ran.report();
    let _ = ran.ok();
    let counts = ["only_a", "only_b", "changed", "same"].map(|member| report[member].as_u64().unwrap());
    assert_eq!(counts, [0, 0, 0, 2000]);
}

#[test]
fn differences_are_counted_shown_and_written() {
    let place = Place::new();
    let a = sample("sample.psv");
    let mut records = fs::read(&a).unwrap();
    records[32] ^= 1;
    let b = place.file("b.psv", &records[..1000 * SIZE]);
    let changed = place.path("changed.psv");
    let ran = command("diff", &[&a, &b], &["--changed", changed.to_str().unwrap(), "--lang", "en"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (1, ""));
    assert!(ran.stdout.contains("score 1, move 0, result 0"), "{}", ran.stdout);
    assert!(ran.stdout.lines().any(|line| line.starts_with("- A[1")), "{}", ran.stdout);
    assert!(ran.stdout.lines().any(|line| line.starts_with("! A[0] B[0]  ")), "{}", ran.stdout);
    assert!(fs::read(changed).unwrap() == records[..SIZE]);
    let ran = command("diff", &[&a, &b], &["--json"]);
    let summary: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((&summary["changed"], &summary["only_b"]), (&Value::from(1), &Value::from(0)));
    assert_eq!(summary["records_a"], 2000);
}

#[test]
fn comparison_larger_than_the_memory_limit_is_refused() {
    let a = sample("sample.psv");
    command("diff", &[&a, &a], &["--max-memory", "50K", "--json"]).refused(2, "memory", &["--max-memory"]);
    command("diff", &[&a, &a], &["--max-memory", "x"]).fails(2, &["--max-memory"]);
}

#[test]
fn comparison_in_parts_reports_the_same_and_leaves_no_files() {
    let place = Place::new();
    let a = sample("sample.psv");
    let b = place.file("b.psv", &fs::read(sample("sample.psv")).unwrap()[SIZE..]);
    let text = |options: &[&str]| command("diff", &[&a, &b], options).stdout;
    let tmp = place.path("tmp");
    let tmp = tmp.to_str().unwrap();
    assert_eq!(text(&["--parts", "5", "--tmp-dir", tmp]), text(&[]));
    assert_eq!(fs::read_dir(tmp).unwrap().count(), 0);
    let needs = text(&["--parts", "5", "--tmp-dir", tmp, "--dry-run", "--json"]);
    let needs = &serde_json::from_str::<Value>(&needs).unwrap()["needs"];
    assert_eq!(
        (&needs["partition_counts"]["keys"], &needs["disks"][0]["peak"]),
        (&5.into(), &(45 * 3999).into())
    );
}

#[test]
fn extracted_scores_merge_back() {
    let place = Place::new();
    let psv = sample("sample.psv");
    let column = place.path("scores.i16");
    let printed = command("extract-scores", &[&psv, &column], &[]).ok();
    let names = format!("{} (psv) -> {}", psv.display(), column.display());
    assert!(printed.starts_with(&names) && printed.contains("2,000 scores, 4,000 bytes"), "{printed}");
    assert_eq!(fs::metadata(&column).unwrap().len(), 4000);
    let merged = place.path("merged.psv");
    command("merge-scores", &[&psv, &column, &merged], &[]).ok();
    assert!(fs::read(&merged).unwrap() == fs::read(&psv).unwrap());

    let zeros = place.file("zeros.i16", [0; 4000]);
    command("merge-scores", &[&psv, &zeros, &merged], &["--force"]).ok();
    let output = feed(program().args(["extract-scores", "-", "-"]), &fs::read(&merged).unwrap());
    assert_eq!(output.stdout, [0; 4000]);
    assert!(String::from_utf8(output.stderr).unwrap().contains("2,000 scores"));
}

/// Two evaluations, a mate, and the value for an unknown score.
#[test]
fn scores_are_scaled_clamped_and_mapped() {
    let place = Place::new();
    let mut psv = fs::read(sample("sample.psv")).unwrap();
    psv.truncate(4 * 40);
    for (record, score) in [120i16, -5000, 31_000, 32_002].into_iter().enumerate() {
        psv[40 * record + 32..][..2].copy_from_slice(&score.to_le_bytes());
    }
    let input = place.file("in.psv", &psv);
    let output = place.path("out.psv");
    let scores = |options: &[&str]| -> (Vec<i16>, Value) {
        let mut options = options.to_vec();
        options.extend(["--json", "--force"]);
        let report = command("scores", &[&input, &output], &options).ok();
        let written = fs::read(&output).unwrap();
        let scores = written.chunks(40).map(|record| i16::from_le_bytes([record[32], record[33]])).collect();
        (scores, serde_json::from_str::<Value>(&report).unwrap()["rescaled"].take())
    };
    let (scaled, counts) = scores(&["--scale", "0.79"]);
    assert_eq!(scaled, [95, -3950, 31_000, 32_002]);
    assert_eq!(counts, serde_json::json!({ "total": 2, "clamped": 0, "mates": 1 }));
    let (mapped, counts) = scores(&["--scale", "2", "--clamp", "3000", "--mate", "4000"]);
    assert_eq!(mapped, [240, -3000, 4000, 32_002]);
    assert_eq!(counts, serde_json::json!({ "total": 3, "clamped": 1, "mates": 1 }));
    command("scores", &[&input, &output], &["--force"]).fails(2, &["--scale"]);
    command("scores", &[&input, &output], &["--force", "--scale", "-1"]).fails(2, &["0.8"]);
    command("scores", &[&input, &place.path("out.sfen")], &["--scale", "2", "--json"]).refused(
        2,
        "field_missing",
        &["`score`"],
    );
}

/// Games keep their moves and headers; the scores are the same as for single records.
#[test]
fn scores_of_games_are_changed_in_their_format() {
    let place = Place::new();
    for extension in ["hcpe3", "pack"] {
        let path = |stem: &str| place.path(stem).with_extension(extension);
        let games = path("games");
        let changed = path("changed");
        let records = place.path("records.psv");
        let expected = place.path("expected.psv");
        let got = place.path("got.psv");
        let change = ["--scale", "0.5", "--clamp", "100", "--force"];
        command("convert", &[&sample("sample.psv"), &games], &[]).ok();
        let mut with_json = change.to_vec();
        with_json.push("--json");
        let report: Value =
            serde_json::from_str(&command("scores", &[&games, &changed], &with_json).ok()).unwrap();
        assert!(report["rescaled"]["clamped"].as_u64().unwrap() > 100, "{extension}: {report}");
        assert_eq!((&report["read"], &report["written"]), (&2000.into(), &2000.into()), "{extension}");
        for (from, to) in [(&games, &records), (&changed, &got)] {
            command("convert", &[from, to], &["--force"]).ok();
        }
        command("scores", &[&records, &expected], &change).ok();
        assert_eq!(fs::metadata(&changed).unwrap().len(), fs::metadata(&games).unwrap().len(), "{extension}");
        assert!(fs::read(&got).unwrap() == fs::read(&expected).unwrap(), "{extension}");
        assert!(fs::read(&got).unwrap() != fs::read(&records).unwrap(), "{extension}");
    }
}

/// The scores of a shuffled part of the records in another format.
#[test]
fn scores_are_merged_by_position() {
    let place = Place::new();
    let psv = fs::read(sample("sample.psv")).unwrap();
    let mut part = psv[..40 * 50].to_vec();
    part.chunks_mut(40).for_each(|record| record[32..34].copy_from_slice(&777i16.to_le_bytes()));
    // Of the first position also another score, and both values that mean no score.
    for score in [778i16, 32_002, i16::MIN] {
        part.extend(part[..32].to_vec());
        part.extend(score.to_le_bytes());
        part.extend(psv[34..40].to_vec());
    }
    let (input, part, scores, output) = (
        place.file("in.psv", &psv[..40 * 100]),
        place.file("part.psv", &part),
        place.path("scores.csv"),
        place.path("out.psv"),
    );
    command("convert", &[&part, &scores], &[]).ok();
    let report = command("merge-scores", &[&input, &scores, &output], &["--by", "position", "--json"]).ok();
    let matched = serde_json::from_str::<Value>(&report).unwrap()["matched"].take();
    assert_eq!(matched, serde_json::json!({ "records": 50, "positions": 50, "conflicts": 1 }));
    let mut expected = psv[..40 * 100].to_vec();
    for (index, record) in expected.chunks_mut(40).take(50).enumerate() {
        let score = if index == 0 { 778i16 } else { 777 };
        record[32..34].copy_from_slice(&score.to_le_bytes());
    }
    assert!(fs::read(&output).unwrap() == expected);
    let by = |inputs: &[&PathBuf], options: &[&str]| {
        let mut options = options.to_vec();
        options.extend(["--by", "position", "--force"]);
        command("merge-scores", inputs, &options)
    };
    by(&[&input, &scores, &output], &["--max-memory", "1K", "--json"]).refused(2, "memory", &[]);
    by(&[&input, &scores, &scores], &["--json"]).refused(2, "same_file", &["scores.csv"]);
    by(&[&input, &place.path("none.csv"), &output], &["--json"]).refused(2, "open", &["none.csv"]);
}

#[test]
fn clamped_scores_of_a_column_are_said() {
    let place = Place::new();
    let psv = place.file("in.psv", &fs::read(sample("sample.psv")).unwrap()[..80]);
    let column = place.file("a.f32", [-40_000.0_f32, 7.0].map(f32::to_le_bytes).concat());
    let output = place.path("out.psv");
    let report = command("merge-scores", &[&psv, &column, &output], &["--json"]).report();
    assert_eq!(report["clamped"], 1);
    let merge = |lang: &str| command("merge-scores", &[&psv, &column, &output], &["--force", "--lang", lang]);
    assert!(merge("en").ok().contains("1 score of the column beyond ±32000, clamped"));
    assert!(merge("ja").ok().contains("列のうち 1 個の評価値が ±32000 を超えるため"));
}

#[test]
fn columns_that_do_not_fit_are_refused() {
    let place = Place::new();
    let psv = sample("sample.psv");
    let output = place.path("out.psv");
    let short = place.file("short.i16", [0; 3998]);
    command("merge-scores", &[&psv, &short, &output], &["--json"]).refused(
        2,
        "score_count",
        &["1,999", "2,000", "--by position"],
    );
    let odd = place.file("odd.i16", [0; 3]);
    command("merge-scores", &[&psv, &odd, &output], &["--json"]).refused(2, "score_size", &["3 bytes"]);
    command("merge-scores", &[&psv, &output], &[]).fails(2, &["IN... SCORES OUT"]);
    command("extract-scores", &[&psv], &[]).fails(2, &["IN... OUT"]);
    assert_eq!(place.names(), ["odd.i16", "short.i16"]);
}

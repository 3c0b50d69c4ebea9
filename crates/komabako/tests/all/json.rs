//! Every report of `--json` against `docs/json.schema.json`.

use std::fs;

use crate::support::{Place, Ran, feed, program, sample, schema, scripted_engine};
use serde_json::Value;

/// A directory with the sample, its first half, the sample with a bad record and an odd end, a column of scores, and game records.
fn place() -> Place {
    let place = Place::new();
    let psv = fs::read(sample("sample.psv")).unwrap();
    let mut bad = psv.clone();
    bad[17 * 40] = 0xff;
    bad[17 * 40 + 1] = 0xff;
    bad.truncate(1000 * 40 + 7);
    place.file("in.psv", &psv);
    place.file("bad.psv", bad);
    place.file("half.psv", &psv[..1000 * 40]);
    place.file("in.i16", [0; 4000]);
    place.file("game.usi", "startpos moves 7g7f\n");
    place.file("bad.csa", "PI\n+\n-3334FU\n");
    place.file("short.i16", [0; 3]);
    place
}

#[track_caller]
fn run(place: &Place, line: &str) -> (Ran, Value) {
    let mut command = program();
    // A blank inside an argument is written as `_`.
    let arguments = line.split(' ').map(|argument| match argument {
        "ENGINE" => scripted_engine().into_os_string(),
        _ if line.starts_with("solve") => argument.replace('_', " ").into(),
        _ => argument.into(),
    });
    command.current_dir(place.path("")).args(arguments).arg("--json");
    let input = fs::read(place.path("in.psv")).unwrap();
    let ran = Ran::from(feed(&mut command, &input));
    let report = ran.report();
    assert_eq!(report["command"], line.split(' ').next().unwrap(), "{line}");
    (ran, report)
}

/// A line for each command that has `--json`, compared with the program's own list.
const LINES: &[&str] = &[
    "convert in.psv 1.hcpe",
    "dedup in.psv 2.psv",
    "shuffle in.psv 3.psv --seed 1",
    "mix in.psv:3 in.psv 14.psv --seed 1",
    "cat in.psv -o 4.psv",
    "head in.psv -o 5.psv",
    "tail in.psv -o 6.psv",
    "slice in.psv --range 3..9 -o 7.psv",
    "sample in.psv 8.psv --count 5",
    "filter in.psv 9.psv --where won",
    "split in.psv --parts 2 --into part-{}.psv",
    "diff in.psv in.psv",
    "merge-scores in.psv in.i16 10.psv",
    "extract-scores in.psv 11.i16",
    "scores in.psv 13.psv --scale 0.5",
    "rescore in.psv 15.psv --engine ENGINE --go nodes",
    "validate in.psv",
    "repair in.psv 12.psv",
    "stats in.psv",
    "clean .",
    "moves",
    "kifu game.usi game.csa",
    "solve 8k/9/8G/9/9/9/9/9/9_b_G2r2b2g4s4n4l18p_1 --certificate mate.kmc",
    "certificate mate.kmc",
];

#[test]
fn reports_of_every_command_match_the_schema() {
    let place = place();
    let commands = String::from_utf8(program().arg("--help").output().unwrap().stdout).unwrap();
    let commands = commands.lines().filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    let mut checked = 0;
    for command in commands.filter(|name| name.starts_with(|first: char| first.is_ascii_lowercase())) {
        let help = program().args([command, "--help"]).output().unwrap();
        let has_json = String::from_utf8(help.stdout).unwrap().contains("--json");
        let line = LINES.iter().find(|line| line.split(' ').next() == Some(command));
        assert_eq!(has_json, line.is_some(), "{command}");
        let Some(line) = line else { continue };
        let (ran, report) = run(&place, line);
        assert_eq!(ran.code, 0, "{line}: {}", ran.stderr);
        assert!(report["error"].is_null(), "{line}");
        checked += 1;
    }
    assert_eq!(checked, LINES.len());
}

/// Forms of a command whose reports have other members than the command's line in [`LINES`].
const OTHER_FORMS: &[&str] = &[
    "convert in.psv --to sfen --out-dir converted",
    "convert game.usi games.psv --unfinished draw",
    "filter in.psv --where won --mask won.bits",
    "merge-scores in.psv in.psv merged.psv --by position",
    "scores in.psv clamped.psv --clamp 100",
    "validate in.psv --level mate",
    "diff in.psv half.psv --only-a only.psv",
    "split in.psv --by-game --ratio 1:1 --into game-{}.psv",
    "stats in.psv --partition 1/2 --save half.stats",
    "stats --merge half.stats",
    "stats game.usi --games plies>0",
    "repair in.psv repaired.psv --moves mixed",
    "kifu --check game.usi",
    "kifu --split game.usi game.kif",
    "moves --checks",
    "solve --check 8k/9/8G/9/9/9/9/9/9_b_G2r2b2g4s4n4l18p_1",
    "solve --variations 3 8k/9/8G/9/9/9/9/9/9_b_G2r2b2g4s4n4l18p_1",
    "solve --all 8k/9/8G/9/9/9/9/9/9_b_G2r2b2g4s4n4l18p_1",
];

#[test]
fn reports_of_other_forms_match_the_schema() {
    let place = place();
    let mut wrong = Vec::new();
    for line in OTHER_FORMS {
        let (ran, report) = run(&place, line);
        if ran.code > 1 || !report["error"].is_null() {
            wrong.push(format!("{line}: {}", ran.stderr));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    let (_, report) = run(&place, "convert in.psv - --from psv --to hcpe --out-dir again");
    assert_eq!((&report["error"]["kind"], &report["conversions"]), (&"out_dir".into(), &Value::Null));
    let (_, report) = run(&place, "convert in.psv --to hcpe --out-dir again --compress zst");
    let conversion = &report["conversions"][0];
    assert_eq!((&conversion["input"], &conversion["written"]), (&"in.psv".into(), &2000.into()));
    assert_eq!(conversion["output"], report["outputs"][0]);
}

#[test]
fn the_reader_of_the_schema_refuses_duplicate_keys() {
    let error = schema::read(r#"{"files": {"type": "array"}, "clean": {}, "files": {}}"#).unwrap_err();
    assert!(error.to_string().contains("`files` occurs twice"), "{error}");
    assert!(schema::read(r#"[{"files": {}}, {"files": {}}]"#).is_ok());
}

/// A member inside another has the type of the member at top level with the same name.
#[test]
fn members_with_the_same_name_have_the_same_type() {
    let schema = schema::schema();
    let members = schema::members(&schema);
    let mut wrong = Vec::new();
    for name in schema["properties"].as_object().unwrap().keys() {
        let top = format!("/properties/{name}");
        let (_, wanted) = members[name].iter().find(|(at, _)| *at == top).unwrap();
        wrong.extend(members[name].iter().filter(|(_, kind)| kind != wanted).map(|(at, _)| at));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn dry_runs_report_the_needed_resources() {
    let place = place();
    // These commands do not run a job on files of records.
    let others = ["moves", "kifu", "solve", "certificate", "clean"];
    for line in LINES.iter().filter(|line| !others.iter().any(|name| line.starts_with(name))) {
        let (_, report) = run(&place, &format!("{line} --dry-run"));
        assert!(report["needs"]["memory"].is_u64(), "{line}: {report}");
    }
    assert!(run(&place, LINES[0]).1["needs"].is_null());
}

#[test]
fn reports_of_bad_records_agree_between_commands() {
    let place = place();
    for (line, fault) in [
        ("convert bad.psv 1.hcpe --on-error skip --salvage", "KING_CODE"),
        ("cat bad.psv -o 2.psv --check --on-error skip --salvage", "KING_CODE"),
        ("filter bad.psv 3.psv --where won --on-error skip --salvage", "KING_CODE"),
        ("split bad.psv --parts 2 --into part-{}.hcpe --on-error skip --salvage", "KING_CODE"),
        ("dedup bad.psv 5.psv --on-error skip --salvage", "KING_CODE"),
        ("shuffle bad.psv 6.hcpe --seed 1 --on-error skip --salvage", "KING_CODE"),
        ("validate bad.psv", "KING_CODE"),
        ("stats bad.psv --salvage", "KING_CODE"),
        ("repair bad.psv 4.psv --rejects bad.out --salvage", "KING_CODE"),
    ] {
        let (ran, report) = run(&place, line);
        assert_eq!(ran.code, 1, "{line}: {}", ran.stderr);
        assert_eq!(report["bad"][fault], 1, "{line}: {report}");
        let total: u64 = report["bad"].as_object().unwrap().values().filter_map(Value::as_u64).sum();
        assert_eq!(report["bad_total"], total, "{line}");
        assert_eq!(report["tails"][0]["length"], 7, "{line}");
        assert_eq!(report["inputs"].as_array().map_or(0, Vec::len).max(1), 1, "{line}");
    }
}

/// A file with the displayed name of a standard stream is not taken for the stream, and keeps its name.
#[test]
fn files_named_like_streams_are_files() {
    let place = place();
    let records = fs::read(place.path("in.psv")).unwrap();
    let cut = [&records[..], b"rest"].concat();
    for (lang, input, output) in [("en", "standard input", "standard output"), ("ja", "標準入力", "標準出力")]
    {
        fs::write(place.path(input), &cut).unwrap();
        for (given, name) in [(input, input), ("-", "-")] {
            let mut command = program();
            let line =
                ["--lang", lang, "convert", given, output, "--to", "sfen", "-f", "--salvage", "--json"];
            let ran = Ran::from(feed(command.current_dir(place.path("")).args(line), &cut));
            let report = ran.report();
            assert_eq!(report["inputs"][0]["name"], name, "{report}");
            assert_eq!(report["tails"][0]["input"], name, "{report}");
            assert_eq!(report["output"]["name"], output, "{report}");
        }
        assert!(!fs::read(place.path(output)).unwrap().is_empty());
    }
}

/// The parts of a split are files like any other output.
#[test]
fn outputs_of_a_split_have_their_format_and_compression() {
    let place = place();
    let (_, report) = run(&place, "split in.psv --parts 2 --into part-{}.hcpe.zst");
    let file = |name, format, compression| serde_json::json!({ "name": name, "format": format, "compression": compression });
    let parts = [1, 2].map(|part| file(format!("part-00{part}.hcpe.zst"), "hcpe", "zstd"));
    assert_eq!(report["outputs"], Value::from(parts.to_vec()));
    assert_eq!(report["inputs"], Value::from(vec![file("in.psv".to_owned(), "psv", "none")]));
}

/// Game records are counted as games, and have lines in place of bytes.
#[test]
fn reports_of_bad_games_agree_between_commands() {
    let place = place();
    for (line, games) in [
        ("kifu game.usi bad.csa 1.usi", 1),
        ("kifu --check game.usi bad.csa", 1),
        ("convert game.usi bad.csa 1.psv --unfinished draw", 1),
    ] {
        let (ran, report) = run(&place, line);
        assert_eq!((ran.code, &report["games"]), (1, &games.into()), "{line}: {}", ran.stderr);
        assert_eq!((&report["bad"]["SIDE"], &report["bad_total"]), (&1.into(), &1.into()), "{line}");
        let bad = &report["bad_games"][0];
        assert_eq!(
            (&bad["input"], &bad["line"], &bad["fault"]),
            (&"bad.csa".into(), &3.into(), &"SIDE".into())
        );
    }
    let (_, report) = run(&place, "convert game.usi 2.psv --dry-run");
    assert_eq!(report["game_files"], 1);
}

#[test]
fn failures_are_reported_by_kind() {
    let place = place();
    let mut wrong = Vec::new();
    for (line, code, kind) in [
        ("convert in.psv", 2, "output_missing"),
        ("convert missing.psv 1.hcpe", 2, "open"),
        ("convert bad.psv 1.hcpe --salvage", 1, "record"),
        ("convert in.psv in.psv", 2, "same_file"),
        ("convert in.psv in.i16", 2, "exists"),
        ("convert in.psv 1.unknown", 2, "output_format"),
        ("convert in.psv none/1.hcpe", 2, "create"),
        ("dedup bad.psv 1.psv", 1, "truncated"),
        ("shuffle in.psv - --seed 1 --to psv --delete-inputs", 2, "delete_inputs"),
        ("cat missing.psv -o 1.psv", 2, "open"),
        ("head bad.psv -o 1.hcpe -n 99 --salvage", 1, "record"),
        ("tail missing.psv -o 1.psv", 2, "open"),
        ("slice missing.psv --range 1.. -o 1.psv", 2, "open"),
        ("sample in.psv 1.psv --ratio 2", 2, "ratio"),
        ("filter in.psv 1.psv --where score>", 2, "expression"),
        ("split in.psv --ratio 1:1 --into 1.psv", 2, "part_names"),
        ("diff in.psv missing.psv", 2, "open"),
        ("convert in.psv 1.hcpe --to nope", 2, "usage"),
        ("shuffle in.psv 1.psv --seed 1 --partition 5/3", 2, "usage"),
        ("stats", 2, "usage"),
        ("merge-scores in.psv 1.psv", 2, "output_missing"),
        ("merge-scores in.psv short.i16 1.psv", 2, "score_size"),
        ("extract-scores in.psv in.i16", 2, "exists"),
        ("extract-scores in.psv 1.i16.bz2", 2, "output_compression"),
        ("validate short.i16", 2, "unrecognized"),
        ("repair missing.psv 1.psv", 2, "open"),
        ("repair in.psv 1.psv.lz4", 2, "output_compression"),
        ("stats missing.psv", 2, "open"),
        ("moves 7g7f 7g7f", 1, "illegal_move"),
        ("moves --sfen lnsg", 2, "sfen"),
        ("kifu game.usi 1.unknown", 2, "output_format"),
        ("kifu missing.usi 1.csa", 2, "open"),
        ("solve lnsg", 2, "problem"),
    ] {
        let (ran, report) = run(&place, line);
        if (ran.code, &report["error"]["kind"]) != (code, &kind.into()) {
            wrong.push(format!("{line}: {} {}", ran.code, report["error"]));
        }
        assert!(ran.stderr.contains("error: "), "{line}: standard error has no message: {}", ran.stderr);
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Standard streams are `-` in every language, also in samples and tails.
#[test]
fn names_of_streams_are_the_same_in_every_language() {
    let place = place();
    for lang in ["en", "ja"] {
        let (ran, report) = run(&place, &format!("convert - - --from psv --to sfen --lang {lang}"));
        assert_eq!((&report["inputs"][0]["name"], &report["output"]["name"]), (&"-".into(), &"-".into()));
        assert_eq!(ran.stdout.lines().count(), 2000, "records and reports are apart");
        let (_, report) = run(&place, &format!("validate - --lang {lang}"));
        assert_eq!(report["files"][0]["input"], "-");
    }
}

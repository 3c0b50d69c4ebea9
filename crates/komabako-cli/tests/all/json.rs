//! Every report of `--json` against `docs/json.schema.json`.

use std::fs;

use crate::support::{Place, Ran, feed, program, sample};
use serde_json::Value;

/// Violations of the schema, with JSON pointers to them. Knows the keywords that our schema uses and refuses others.
fn faults(value: &Value, schema: &Value, root: &Value, at: &str, found: &mut Vec<String>) {
    for (keyword, wanted) in schema.as_object().expect("a schema is an object") {
        match keyword.as_str() {
            "$schema" | "$defs" | "title" | "description" | "properties" => {}
            "$ref" => {
                let pointer = wanted.as_str().unwrap().strip_prefix('#').expect("a place in this file");
                faults(value, root.pointer(pointer).expect(pointer), root, at, found);
            }
            "anyOf" => {
                let fits = wanted.as_array().unwrap().iter().any(|schema| {
                    let mut found = Vec::new();
                    faults(value, schema, root, at, &mut found);
                    found.is_empty()
                });
                if !fits {
                    found.push(format!("{at}: {value} fits none of {wanted}"));
                }
            }
            "type" => {
                let names = wanted.as_array().map_or(std::slice::from_ref(wanted), Vec::as_slice);
                if !names.iter().any(|name| is_of_type(value, name.as_str().unwrap())) {
                    found.push(format!("{at}: {value} is no {wanted}"));
                }
            }
            "minimum" => {
                if value.as_f64() < wanted.as_f64() {
                    found.push(format!("{at}: {value} is less than {wanted}"));
                }
            }
            "required" => {
                let names = wanted.as_array().unwrap().iter().map(|name| name.as_str().unwrap());
                found.extend(
                    names.filter(|name| value.get(name).is_none()).map(|name| format!("{at}: no {name}")),
                );
            }
            "items" => {
                for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                    faults(item, wanted, root, &format!("{at}/{index}"), found);
                }
            }
            "additionalProperties" => {
                for (name, member) in value.as_object().into_iter().flatten() {
                    let at = format!("{at}/{name}");
                    match (schema.pointer(&format!("/properties/{name}")), wanted) {
                        (Some(schema), _) => faults(member, schema, root, &at, found),
                        (None, Value::Bool(false)) => found.push(format!("{at}: not in the schema")),
                        (None, schema) => faults(member, schema, root, &at, found),
                    }
                }
            }
            other => panic!("the validator does not know `{other}`"),
        }
    }
}

fn is_of_type(value: &Value, name: &str) -> bool {
    match name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("no type of JSON: {other}"),
    }
}

/// The report of a run, which must be the first thing on standard output, or on standard error if records are on the other.
#[track_caller]
fn report(ran: &Ran) -> Value {
    let text = if ran.stdout.starts_with("{\n") { &ran.stdout } else { &ran.stderr };
    let report = serde_json::Deserializer::from_str(text).into_iter().next().expect("a report").expect(text);
    let schema: Value = serde_json::from_str(include_str!("../../../../docs/json.schema.json")).unwrap();
    let mut found = Vec::new();
    faults(&report, &schema, &schema, "", &mut found);
    assert!(found.is_empty(), "{found:#?} in {text}");
    report
}

/// A directory with the sample, the sample with a bad record and an odd end, a column of scores, and a list of lines.
fn place() -> Place {
    let place = Place::new();
    let psv = fs::read(sample("sample.psv")).unwrap();
    let mut bad = psv.clone();
    bad[17 * 40] = 0xff;
    bad[17 * 40 + 1] = 0xff;
    bad.truncate(1000 * 40 + 7);
    place.file("in.psv", &psv);
    place.file("bad.psv", bad);
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
    let arguments = line.split(' ').map(|argument| match line.starts_with("solve") {
        true => argument.replace('_', " "),
        false => argument.to_owned(),
    });
    command.current_dir(place.path("")).args(arguments).arg("--json");
    let input = fs::read(place.path("in.psv")).unwrap();
    let ran = Ran::from(feed(&mut command, &input));
    let report = report(&ran);
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
    "validate in.psv",
    "repair in.psv 12.psv",
    "stats in.psv",
    "moves",
    "kifu game.usi game.csa",
    "solve 8k/9/8G/9/9/9/9/9/9_b_G2r2b2g4s4n4l18p_1",
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

#[test]
fn dry_runs_report_the_needed_resources() {
    let place = place();
    // These commands do not run a job on files of records.
    let others = ["moves", "kifu", "solve"];
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

/// A file with the displayed name of a standard stream is not taken for the stream.
#[test]
fn files_named_like_streams_are_files() {
    let place = place();
    for (lang, name) in [("en", "standard input"), ("ja", "標準入力"), ("ja", "標準出力")] {
        fs::copy(place.path("in.psv"), place.path(name)).unwrap();
        let run = |input: &str| {
            let mut command = program();
            command.current_dir(place.path("")).args([
                "--lang",
                lang,
                "convert",
                input,
                "named.sfen",
                "-f",
                "--json",
            ]);
            let ran = Ran::from(feed(&mut command, &fs::read(place.path("in.psv")).unwrap()));
            report(&ran)["inputs"][0]["name"].as_str().unwrap().to_owned()
        };
        assert_eq!(
            [run(name), run("-")],
            [std::path::Path::new(".").join(name).display().to_string(), "-".to_owned()]
        );
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
        ("merge-scores in.psv 1.psv", 2, "output_missing"),
        ("merge-scores in.psv short.i16 1.psv", 2, "score_size"),
        ("extract-scores in.psv in.i16", 2, "exists"),
        ("validate short.i16", 2, "unrecognized"),
        ("repair missing.psv 1.psv", 2, "open"),
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

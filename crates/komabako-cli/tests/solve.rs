//! `solve`: verdicts, forms of output, exit codes, batches.

mod support;

use serde_json::Value;
use support::{Place, run, run_on};

const THREE: &str = "3sks3/9/4S4/9/9/B8/9/9/9 b S2rb4g4n4l18p 1";
/// Three plies in a game, one in a problem: the interposition is useless.
const USELESS: &str = "8k/8l/7R1/8G/6R2/9/9/9/9 b 2B3g4s4n3l18p 1";
const NO_MATE: &str = "8k/9/9/9/9/9/9/9/9 b Rr2b4g4s4n4l18p 1";

fn json(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn a_mate_is_shown_with_its_line() {
    let printed = run(["solve", THREE]).ok();
    assert!(
        printed.contains("9f5b+ 4a5b S*4b") && printed.contains("▲5二角成 △同銀左 ▲4二銀打"),
        "{printed}"
    );
    assert_eq!(run(["solve", THREE, "--output", "usi"]).ok(), "9f5b+ 4a5b S*4b\n");
    let sfen = run(["solve", THREE, "--output", "sfen"]).ok();
    assert!(sfen.starts_with("position sfen ") && sfen.ends_with(" moves 9f5b+ 4a5b S*4b\n"), "{sfen}");
}

#[test]
fn both_conventions_are_named() {
    let answers = json(&run(["solve", USELESS, "--convention", "both", "--output", "json"]).ok());
    assert_eq!(answers[0]["verdict"], "mate");
    assert_eq!((&answers[0]["length"], &answers[0]["convention"]), (&1.into(), &"tsume".into()));
    assert_eq!(answers[0]["strict_length"], 3);
    assert_eq!(answers[0]["exact"], true);
    let strict = json(&run(["solve", USELESS, "--convention", "strict", "--output", "json"]).ok());
    assert_eq!(strict[0]["length"], 3);
}

#[test]
fn exit_codes_tell_the_verdict() {
    let no_mate = run(["solve", NO_MATE, "--output", "json"]);
    assert_eq!((no_mate.code, &json(&no_mate.stdout)[0]["verdict"]), (1, &"no-mate".into()));
    assert_eq!(run(["solve", THREE, "--mate-in", "1"]).code, 1);
    assert_eq!(run(["solve", THREE, "--mate-in", "3"]).code, 0);
    run(["solve", "9/9/9/9/9/9/9/9/8K b G 1"]).fails(2, &["give the move to the other side"]);
    run(["solve", "l1k6/9/1pB6/9/9/9/9/9/9 b RGrb4g4s3n3l16p 1"]).fails(2, &["column"]);
    let unknown = run(["solve", THREE, "--nodes", "1", "--output", "json"]);
    assert_eq!((unknown.code, &json(&unknown.stdout)[0]["reason"]), (1, &"nodes".into()));
}

#[test]
fn batches_keep_the_order_and_later_columns() {
    let input = format!("{THREE}\tfirst\n{NO_MATE}\tsecond\n\n{USELESS}\tthird\n");
    for threads in ["1", "2"] {
        let ran =
            run_on(&input, ["solve", "-", "--output", "tsv", "--threads", threads, "--nodes", "100000"]);
        let rows: Vec<Vec<&str>> =
            ran.stdout.lines().skip(1).map(|line| line.split('\t').collect()).collect();
        let verdicts: Vec<_> = rows.iter().map(|row| (row[0], row[1], row[2], row[7])).collect();
        assert_eq!(
            verdicts,
            [
                (THREE, "mate", "3", "first"),
                (NO_MATE, "no-mate", "-", "second"),
                (USELESS, "mate", "1", "third")
            ]
        );
        assert_eq!(ran.code, 1);
    }
}

#[test]
fn solved_problems_are_skipped() {
    let place = Place::new();
    let input = place.file("in.txt", format!("{THREE}\n{USELESS}\n"));
    let before = place.file("out.json", run(["solve", THREE, "--output", "json"]).ok());
    let [input, before] = [input, before].map(|path| path.display().to_string());
    let answers = json(&run(["solve", &*input, "--skip-solved", &*before, "--output", "json"]).ok());
    assert_eq!(answers.len(), 1);
    assert_eq!(answers[0]["sfen"], USELESS);
}

#[test]
fn the_checker_reports_findings() {
    let sound = json(&run(["solve", "--check", THREE, "--output", "json"]).ok());
    assert_eq!(sound[0]["sound"], "sound");
    // Two golds and a rook: many ways.
    let dual = run(["solve", "--check", "8k/9/9/9/9/9/9/9/9 b 2R2b4g4s4n4l18p 1", "--output", "json"]);
    let report = &json(&dual.stdout)[0];
    assert_eq!((dual.code, &report["sound"]), (1, &"defective".into()), "{report}");
    let game = format!("sfen {THREE} moves 9f5b+ 5a5b");
    run(["solve", "--check", &*game]).fails(2, &["ply 2"]);
}

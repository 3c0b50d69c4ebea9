//! `rescore`, with an engine that follows a script, and with a real one where it is installed.

use std::collections::HashMap;
use std::env::consts::EXE_SUFFIX;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::support::{Place, Ran, program, run, sample, scripted_engine};

const SIZE: usize = 40;

/// The first records of the sample.
fn records(place: &Place, count: usize) -> std::path::PathBuf {
    place.file("in.psv", &fs::read(sample("sample.psv")).unwrap()[..count * SIZE])
}

/// `rescore IN OUT` with the scripted engine and these arguments for it, and more options.
fn command(input: &Path, output: &Path, engine: &[&str], options: &[&str]) -> Command {
    let mut command = program();
    command.arg("rescore").arg(input).arg(output).arg("--engine").arg(scripted_engine());
    for argument in engine {
        command.args(["--engine-arg", argument]);
    }
    command.args(["--go", "nodes 1"]).args(options).stdin(Stdio::null());
    command
}

fn rescore(input: &Path, output: &Path, engine: &[&str], options: &[&str]) -> Ran {
    command(input, output, engine, options).output().unwrap().into()
}

fn score(record: &[u8]) -> i16 {
    i16::from_le_bytes([record[32], record[33]])
}

/// The scripted engine's score of the position of an SFEN.
fn scripted_score(sfen: &str) -> i64 {
    sfen.bytes().fold(7_i64, |sum, byte| (31 * sum + i64::from(byte)) % 2003) - 1001
}

/// Waits until some chunks of answers are in their file.
fn wait_for_answers(path: &Path) {
    let start = Instant::now();
    while fs::metadata(path).map_or(0, |file| file.len()) < 1_000 {
        assert!(start.elapsed() < Duration::from_secs(60), "no answers");
        thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn each_record_gets_the_score_of_its_position() {
    let place = Place::new();
    let input = records(&place, 300);
    let report = rescore(&input, &place.path("out.psv"), &[], &["--json"]).report();
    assert_eq!(report["answers"]["exact"], 300);
    assert_eq!((&report["answers"]["earlier"], &report["restarts"]), (&0.into(), &0.into()));
    let before = fs::read(&input).unwrap();
    let after = fs::read(place.path("out.psv")).unwrap();
    let texts = run(["cat".as_ref(), input.as_os_str(), "--to".as_ref(), "sfen".as_ref()]).ok();
    assert_eq!(texts.lines().count(), 300);
    for ((before, after), sfen) in before.chunks_exact(SIZE).zip(after.chunks_exact(SIZE)).zip(texts.lines())
    {
        assert_eq!(i64::from(score(after)), scripted_score(sfen), "{sfen}");
        assert_eq!((&before[..32], &before[34..]), (&after[..32], &after[34..]));
    }
    // Nothing is left of the answers.
    assert_eq!(place.names(), ["in.psv", "out.psv"]);
}

#[test]
fn any_number_of_engines_gives_the_same_bytes() {
    let place = Place::new();
    let input = records(&place, 500);
    for engines in ["1", "2", "7"] {
        let output = place.path(&format!("{engines}.psv"));
        rescore(&input, &output, &[], &["--engines", engines, "--new-game", "each", "--quiet"]).ok();
        assert!(fs::read(output).unwrap() == fs::read(place.path("1.psv")).unwrap(), "{engines} engines");
    }
}

#[test]
fn moves_are_replaced_on_request() {
    let place = Place::new();
    let input = records(&place, 50);
    let before = fs::read(&input).unwrap();
    for (option, keeps_score) in [("--move", true), ("--both", false)] {
        let output = place.path(&format!("{option}.psv"));
        rescore(&input, &output, &[], &[option, "--quiet"]).ok();
        let after = fs::read(&output).unwrap();
        assert_eq!(before.chunks(SIZE).map(score).eq(after.chunks(SIZE).map(score)), keeps_score);
        let moves =
            |bytes: &[u8]| bytes.chunks(SIZE).map(|record| record[34..36].to_vec()).collect::<Vec<_>>();
        assert_ne!(moves(&before), moves(&after));
        assert_eq!(run(["validate".as_ref(), output.as_os_str(), "--quiet".as_ref()]).code, 0);
    }
}

#[test]
fn a_column_holds_the_same_scores() {
    let place = Place::new();
    let input = records(&place, 100);
    rescore(&input, &place.path("out.psv"), &[], &["--quiet"]).ok();
    let column = place.path("scores.i16");
    let mut command = program();
    command
        .arg("rescore")
        .arg(&input)
        .arg("--engine")
        .arg(scripted_engine())
        .args(["--go", "nodes 1", "--quiet"]);
    Ran::from(command.arg("--column").arg(&column).output().unwrap()).ok();
    let scores: Vec<u8> =
        fs::read(place.path("out.psv")).unwrap().chunks(SIZE).flat_map(|r| r[32..34].to_vec()).collect();
    assert!(fs::read(column).unwrap() == scores);
}

#[test]
fn bad_records_of_a_column_are_reported_and_keep_their_rows() {
    let place = Place::new();
    let mut bytes = fs::read(sample("sample.psv")).unwrap()[..30 * SIZE].to_vec();
    bytes[3 * SIZE..3 * SIZE + 32].fill(0xff);
    let input = place.file("bad.psv", &bytes);
    let column = place.path("scores.i16");
    let rejects = place.path("rejects.psv");
    let ran = |engine: &str, options: &[&str]| -> Ran {
        let mut command = program();
        command.arg("rescore").arg(&input).arg("--engine").arg(scripted_engine());
        command.args(["--engine-arg", engine, "--go", "nodes 1", "--moves", "as-is", "--force"]);
        command.args(options).arg("--column").arg(&column).output().unwrap().into()
    };
    let collect = format!("collect={}", rejects.display());
    // The first record gets no answer, the fourth has no position.
    let first = place.file("first.psv", &bytes[..SIZE]);
    let sfen = run(["cat".as_ref(), first.as_os_str(), "--to".as_ref(), "sfen".as_ref()]).ok();
    let refuses = format!("refuses={}", sfen.trim_end());
    let collected = ran(&refuses, &["--json", "--on-error", &collect]);
    assert_eq!(collected.code, 1, "{}", collected.stderr);
    let report = collected.report();
    assert_eq!((&report["read"], &report["written"]), (&30.into(), &30.into()));
    assert_eq!((&report["bad_total"], &report["bad"]["UNANSWERED"]), (&2.into(), &1.into()));
    assert_eq!((&report["samples"][0]["record"], &report["samples"][1]["record"]), (&0.into(), &3.into()));
    assert_eq!(fs::read(&rejects).unwrap(), [&bytes[..SIZE], &bytes[3 * SIZE..4 * SIZE]].concat());
    let reasons = fs::read_to_string(place.path("rejects.psv.reasons.tsv")).unwrap();
    assert!(reasons.contains("UNANSWERED"), "{reasons}");
    let scores = fs::read(&column).unwrap();
    let unknown: Vec<usize> = scores
        .chunks(2)
        .enumerate()
        .filter(|(_, row)| **row == 32_002_i16.to_le_bytes())
        .map(|(i, _)| i)
        .collect();
    assert_eq!((scores.len(), unknown), (60, vec![0, 3]));
    let skipped = ran(&refuses, &["--on-error", "skip"]);
    assert_eq!(skipped.code, 1);
    assert!(skipped.stdout.contains("2 without a score: ") && skipped.stdout.contains("UNANSWERED 1"));
    // Without being asked to leave records out, it stops as for a file of records.
    assert_eq!(ran("cp=1", &["--json"]).error_kind(1), "record");
}

#[test]
fn mates_and_bounds_and_ends_of_games_have_scores() {
    let place = Place::new();
    let input = records(&place, 20);
    let cases: [(&[&str], i16, &str); 7] = [
        (&["mate=5"], 31_995, "mates"),
        (&["mate=-4"], -31_996, "mates"),
        (&["cp=40000"], 29_999, "clamped"),
        (&["bounds"], 0, "bounds"),
        (&["always=resign"], -32_000, "mates"),
        (&["always=win"], 32_000, "mates"),
        (&["cp=-77"], -77, "exact"),
    ];
    for (engine, expected, kind) in cases {
        let report = rescore(&input, &place.path("out.psv"), engine, &["--json", "--force"]).report();
        assert_eq!(report["answers"][kind], 20, "{engine:?}");
        if kind != "bounds" {
            let written = fs::read(place.path("out.psv")).unwrap();
            assert!(written.chunks(SIZE).all(|record| score(record) == expected), "{engine:?}");
        }
    }
}

#[test]
fn moves_that_stay_are_counted() {
    let place = Place::new();
    let input = records(&place, 20);
    let output = place.path("out.psv");
    let report = rescore(&input, &output, &["always=resign"], &["--move", "--json"]).report();
    assert_eq!(report["answers"]["without_move"], 20);
    assert!(fs::read(&output).unwrap() == fs::read(&input).unwrap());
    for (option, is_said) in [("--move", true), ("--both", true), ("--score", false)] {
        let printed = rescore(&input, &output, &["always=win"], &[option, "--force"]).ok();
        assert_eq!(printed.contains("20 records, which kept their moves"), is_said, "{printed}");
    }
}

#[test]
fn an_engine_that_fails_is_asked_again() {
    let place = Place::new();
    let input = records(&place, 100);
    rescore(&input, &place.path("good.psv"), &[], &["--quiet"]).ok();
    for engine in ["die=7", "nonsense=9"] {
        let output = place.path("out.psv");
        let report = rescore(&input, &output, &[engine], &["--json", "--force"]).report();
        assert!(report["restarts"].as_u64().unwrap() >= 10, "{engine}");
        assert!(fs::read(output).unwrap() == fs::read(place.path("good.psv")).unwrap(), "{engine}");
    }
}

#[test]
fn an_engine_that_hangs_is_ended() {
    let place = Place::new();
    let input = records(&place, 5);
    let report = rescore(&input, &place.path("out.psv"), &["hang=3"], &["--json", "--timeout", "1"]).report();
    assert_eq!((&report["restarts"], &report["answers"]["exact"]), (&2.into(), &5.into()));
}

#[test]
fn positions_without_an_answer_are_bad_records() {
    let place = Place::new();
    let input = records(&place, 40);
    let output = place.path("out.psv");
    // Every engine dies at its first question.
    let ran = rescore(&input, &output, &["die=1"], &["--json"]);
    // What the engine printed last stands on lines of its own.
    ran.refused(2, "engine", &["\n  usiok\n", "\n  I die at question 1\n", "--on-error collect=FILE"]);
    ran.fails(2, &["in.psv: record 0 "]);
    assert!(!ran.stderr.contains("--resume"), "{}", ran.stderr);
    assert!(!output.exists());
    // Nothing was answered, so nothing is in the way.
    rescore(&input, &output, &["always=none"], &["--json", "--on-error", "skip"]).refused(
        2,
        "engine",
        &["5 positions in a row", "in.psv: record 0 ", "bestmove none"],
    );
}

#[test]
fn answers_before_a_failure_are_named_and_resumed() {
    let place = Place::new();
    let input = records(&place, 40);
    let output = place.path("out.psv");
    let texts = run(["cat".as_ref(), input.as_os_str(), "--to".as_ref(), "sfen".as_ref()]).ok();
    let refuses = format!("refuses={}", texts.lines().nth(30).unwrap());
    let engine = &[&refuses[..]];
    let ran = rescore(&input, &output, engine, &["--json"]);
    ran.refused(
        2,
        "engine",
        &["in.psv: record 30 ", "out.psv.answers", "--resume", "--on-error collect=FILE"],
    );
    let report = rescore(&input, &output, engine, &["--json", "--resume", "--on-error", "skip"]).report();
    assert_eq!((&report["answers"]["earlier"], &report["bad_total"]), (&16.into(), &1.into()));
    assert!(!place.path("out.psv.answers").exists());
}

/// Windows has no such signal.
#[cfg(unix)]
#[test]
fn an_interrupted_run_names_its_answers() {
    let place = Place::new();
    let input = records(&place, 400);
    let output = place.path("out.psv");
    let answers = place.path("out.psv.answers");
    let engine = &["slow=5"][..];
    let child = command(&input, &output, engine, &[]).stderr(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let child = child.unwrap();
    wait_for_answers(&answers);
    Command::new("kill").args(["-s", "INT", &child.id().to_string()]).status().unwrap();
    let ran = Ran::from(child.wait_with_output().unwrap());
    ran.fails(130, &["out.psv.answers", "--resume"]);
    assert_eq!(place.names(), ["in.psv", "out.psv.answers"]);
    let report = rescore(&input, &output, engine, &["--json", "--resume"]).report();
    assert!(report["answers"]["earlier"].as_u64().unwrap() >= 16, "{report}");
}

/// The answers that a run is writing can be neither resumed nor started anew; a file of another run in their place is not removed.
#[test]
fn answers_of_a_run_that_is_alive_are_left_alone() {
    let place = Place::new();
    let input = records(&place, 300);
    let output = place.path("out.psv");
    let answers = place.path("out.psv.answers");
    let engine = &["slow=5"][..];
    let mut child = command(&input, &output, engine, &["--quiet"]).spawn().unwrap();
    wait_for_answers(&answers);
    for options in [&["--json"][..], &["--json", "--resume"]] {
        rescore(&input, &output, engine, options).refused(2, "answers_locked", &["out.psv.answers", "wait"]);
    }
    let is_renamed = cfg!(unix);
    if is_renamed {
        fs::rename(&answers, place.path("renamed")).unwrap();
        fs::write(&answers, "of another run").unwrap();
    }
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert!(output.exists());
    assert_eq!(answers.exists(), is_renamed);
}

#[test]
fn what_cannot_start_is_said_at_once() {
    let place = Place::new();
    let input = records(&place, 5);
    let output = place.path("out.psv");
    let engine = scripted_engine();
    let with = |engine: &Path, options: &[&str]| -> Ran {
        let mut command = program();
        command
            .arg("rescore")
            .args([&input, &output])
            .arg("--engine")
            .arg(engine)
            .args(["--go", "depth 1", "--json"]);
        command.args(options).output().unwrap().into()
    };
    with(&place.path("missing"), &[]).refused(2, "engine", &["missing"]);
    let japanese = with(&place.path("missing"), &["--lang", "ja"]);
    japanese.refused(2, "engine", &["ファイルまたはディレクトリがありません"]);
    with(&engine, &["--option", "Treads=1"]).refused(2, "engine", &["`Treads`", "Threads"]);
    // Where there is nothing to resume, the command starts.
    with(&engine, &["--option", "Threads=1", "--option", "USI_Hash=16", "--resume"]).report();
    assert!(output.exists());
}

/// Windows adds `.exe` to a name without it.
#[test]
fn name_of_an_engine_may_end_in_a_version() {
    let place = Place::new();
    let input = records(&place, 5);
    fs::copy(scripted_engine(), place.path(&format!("engine-7.6{EXE_SUFFIX}"))).unwrap();
    let output = place.path("out.psv");
    let mut command = program();
    command.arg("rescore").args([&input, &output]).arg("--engine").arg(place.path("engine-7.6"));
    Ran::from(command.args(["--go", "nodes 1", "--json"]).output().unwrap()).report();
    assert!(output.exists());
}

#[test]
fn a_killed_run_is_resumed() {
    let place = Place::new();
    let input = records(&place, 400);
    let whole = place.path("whole.psv");
    rescore(&input, &whole, &[], &["--quiet"]).ok();
    let output = place.path("out.psv");
    let answers = place.path("out.psv.answers");
    let engine = &["slow=5"][..];
    let mut child = command(&input, &output, engine, &["--engines", "2", "--quiet"]).spawn().unwrap();
    wait_for_answers(&answers);
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(!output.exists());
    // Without being asked to, it neither goes on nor starts anew; and not with another engine.
    rescore(&input, &output, engine, &["--json"]).refused(2, "answers_exist", &["--resume"]);
    rescore(&input, &output, &["slow=6"], &["--json", "--resume"]).refused(
        2,
        "answers_mismatch",
        &["--resume"],
    );
    // A torn entry at the end is asked for again.
    let mut left = fs::read(&answers).unwrap();
    left.extend([0; 11]);
    fs::write(&answers, left).unwrap();
    let report = rescore(&input, &output, engine, &["--json", "--resume"]).report();
    let earlier = report["answers"]["earlier"].as_u64().unwrap();
    assert!((16..400).contains(&earlier) && report["answers"]["exact"] == 400, "{report}");
    assert!(fs::read(&output).unwrap() == fs::read(whole).unwrap());
    assert!(!answers.exists());
}

#[test]
fn bad_records_and_impossible_positions_are_not_asked_about() {
    let place = Place::new();
    let mut bytes = fs::read(sample("sample.psv")).unwrap()[..30 * SIZE].to_vec();
    bytes[3 * SIZE..3 * SIZE + 32].fill(0xff);
    let input = place.file("bad.psv", &bytes);
    let output = place.path("out.psv");
    let ran = rescore(&input, &output, &[], &["--json", "--moves", "as-is"]);
    assert_eq!(ran.error_kind(1), "record");
    let ran = rescore(&input, &output, &[], &["--json", "--moves", "as-is", "--on-error", "skip"]);
    let report = ran.report();
    assert_eq!((&report["written"], &report["bad_total"]), (&29.into(), &1.into()));
    // Both kings are needed for a game by one side at least: here nobody has one.
    let lines = place.file("none.sfen", "9/9/9/9/9/9/9/9/9 b - 1\nstartpos\n");
    let report = rescore(&lines, &place.path("none.csv"), &[], &["--json"]).report();
    assert_eq!((&report["answers"]["not_asked"], &report["answers"]["exact"]), (&1.into(), &1.into()));
}

#[test]
fn a_stream_cannot_be_read_twice() {
    let place = Place::new();
    let mut command = command(Path::new("-"), &place.path("out.psv"), &[], &["--json", "--from", "psv"]);
    let ran: Ran = command.output().unwrap().into();
    assert_eq!(ran.error_kind(2), "read_once");
}

/// Debian's fairy-stockfish speaks USI.
#[test]
fn a_real_engine_gives_the_same_bytes_for_any_number_and_resumed() {
    let Some(engine) = ["/usr/games/fairy-stockfish", "/usr/bin/fairy-stockfish"]
        .iter()
        .map(Path::new)
        .find(|path| path.exists())
    else {
        println!("skipped: fairy-stockfish is not installed");
        return;
    };
    let place = Place::new();
    let input = records(&place, 200);
    let mut outputs = HashMap::new();
    for engines in ["1", "2"] {
        let output = place.path(&format!("{engines}.psv"));
        let mut command = program();
        command.arg("rescore").args([&input, &output]).arg("--engine").arg(engine);
        command.args([
            "--option",
            "Threads=1",
            "--go",
            "depth 4",
            "--new-game",
            "each",
            "--engines",
            engines,
            "--quiet",
        ]);
        Ran::from(command.output().unwrap()).ok();
        outputs.insert(engines, fs::read(output).unwrap());
    }
    assert!(outputs["1"] == outputs["2"]);
    assert!(outputs["1"] != fs::read(&input).unwrap());
}

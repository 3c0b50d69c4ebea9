//! `solve --on-error`: what is not a problem is named, and the rest is solved if asked.

use std::path::Path;

use crate::support::{Place, Ran, run, run_on};
use komabako::dataset::Compression;
use komabako::kifu::encoding;
use serde_json::Value;

const THREE: &str = "3sks3/9/4S4/9/9/B8/9/9/9 b S2rb4g4n4l18p 1";
const USELESS: &str = "8k/8l/7R1/8G/6R2/9/9/9/9 b 2B3g4s4n3l18p 1";
const NO_MATE: &str = "8k/9/9/9/9/9/9/9/9 b Rr2b4g4s4n4l18p 1";
/// No hand has an `X`.
const MALFORMED: &str = "8k/9/9/9/9/9/9/9/9 b X 1\tname";
/// Both kings are missing.
const NO_PROBLEM: &str = "9/9/9/9/9/9/9/9/9 b G 1";

fn json(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

fn lines_of(path: &Path) -> Vec<String> {
    std::fs::read_to_string(path).expect("text").lines().map(str::to_owned).collect()
}

#[test]
fn malformed_lines_are_named_and_the_rest_is_solved_if_asked() {
    let place = Place::new();
    let text = format!("{THREE}\n# a comment\n{MALFORMED}\n{NO_PROBLEM}\n{USELESS}\n");
    let input = place.file("in.txt", text).display().to_string();
    let answers = |ran: &Ran| ran.stdout.matches("\tmate\t").count();
    for options in [&[][..], &["--on-error", "stop"]] {
        let ran = run([&["solve", &*input, "--output", "tsv"], options].concat());
        assert_eq!(answers(&ran), 0, "nothing is solved");
        ran.fails(
            2,
            &["in.txt: line 3, column 22", "--on-error skip", "collect=FILE", "no answer was written"],
        );
    }
    let skipped = run(["solve", &*input, "--output", "tsv", "--on-error", "skip"]);
    assert_eq!((skipped.code, answers(&skipped)), (1, 2), "{}", skipped.stderr);
    for named in ["in.txt: line 3, column 22", "in.txt: line 4: the king"] {
        assert!(skipped.stderr.contains(named), "{}", skipped.stderr);
    }
    assert!(!skipped.stderr.contains("no answer was written"), "{}", skipped.stderr);
    // Of --json, nothing is written before the end.
    let last = place.file("last.txt", format!("{THREE}\n{NO_PROBLEM}\n")).display().to_string();
    run(["solve", &*last]).fails(2, &["the problems before it are solved"]);
    run(["solve", &*last, "--json"]).fails(2, &["no answer was written"]);
    let report = run(["solve", &*input, "--json", "--on-error", "skip"]);
    let report: Value = serde_json::from_str(&report.stdout).expect("JSON");
    assert_eq!((&report["bad_total"], &report["bad"]["problem"]), (&2.into(), &2.into()));
    assert_eq!((&report["samples"][0]["line"], &report["samples"][1]["line"]), (&3.into(), &4.into()));
    assert_eq!(report["problems"].as_array().map(Vec::len), Some(2));
}

#[test]
fn collected_lines_are_unchanged_and_can_be_solved_when_corrected() {
    let place = Place::new();
    let text = format!("{THREE}\n  {MALFORMED}\r\n{NO_PROBLEM}");
    let input = place.file("in.txt", text).display().to_string();
    let [bad, out] = ["bad.txt", "out.tsv"].map(|name| place.path(name).display().to_string());
    let collect = format!("collect={bad}");
    let arguments = ["solve", &*input, "--on-error", &*collect, "--output", &*out];
    let ran = run(arguments);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    assert!(ran.stderr.contains("bad.txt.reasons.tsv"), "{}", ran.stderr);
    let collected = std::fs::read_to_string(&bad).expect("collected");
    assert_eq!(collected, format!("  {MALFORMED}\r\n{NO_PROBLEM}\n"));
    let reasons = lines_of(&place.path("bad.txt.reasons.tsv"));
    assert!(reasons[1].contains("in.txt: line 2, column 24"), "{reasons:?}");
    assert!(reasons[2].starts_with(&format!("{input}\t2\t")), "{reasons:?}");
    // The second run continues the output; what was refused is refused again, and its file is not replaced unasked.
    let resume = [&arguments[..], &["--skip-solved", &*out]].concat();
    run(resume.clone()).fails(2, &["bad.txt", "exists"]);
    assert_eq!(run([&resume[..], &["--force"]].concat()).code, 1);
    assert_eq!(std::fs::read_to_string(&bad).expect("collected"), collected);
    assert_eq!(lines_of(out.as_ref()).len(), 2);
    // No input, and no output, is a place for them.
    for path in [&input, &out] {
        let collect = format!("collect={path}");
        run(["solve", &*input, "--on-error", &*collect, "--output", &*out, "--force"])
            .fails(2, &["is used twice"]);
    }
    // Without a bad line there is no file.
    let none = format!("collect={}", place.path("none.txt").display());
    assert_eq!(run(["solve", THREE, "--on-error", &*none]).code, 0);
    assert!(!place.path("none.txt").exists());
}

#[test]
fn line_in_another_encoding_is_one_bad_line() {
    let place = Place::new();
    let text =
        [format!("\u{feff}{THREE}\n{USELESS}\t").as_bytes(), b"\x93\xec\n", USELESS.as_bytes()].concat();
    let input = place.file("in.txt", &text).display().to_string();
    run(["solve", &*input, "--json"]).refused(2, "not_text", &[]);
    let bad = place.path("bad.txt");
    let collect = format!("collect={}", bad.display());
    let ran = run(["solve", &*input, "--output", "json", "--on-error", &*collect]);
    assert_eq!((ran.code, json(&ran.stdout).len()), (1, 2), "{}", ran.stderr);
    assert!(ran.stderr.contains("in.txt: line 2, column 44: the line is not UTF-8"), "{}", ran.stderr);
    assert_eq!(std::fs::read(&bad).expect("collected"), [USELESS.as_bytes(), b"\t\x93\xec\n"].concat());
}

#[test]
fn bad_records_and_games_follow_the_policy() {
    let place = Place::new();
    let lines = format!("{THREE}\n{NO_MATE}\n{THREE}\n").replace("9/9/9 b", "9/9/8K b");
    let input = place.file("in.sfen", lines).display().to_string();
    let records = place.path("in.psv");
    assert_eq!(run(["convert", &*input, &*records.display().to_string()]).code, 0);
    let mut bytes = std::fs::read(&records).expect("written");
    bytes[40..72].fill(0xff);
    std::fs::write(&records, &bytes).expect("written");
    let records = records.display().to_string();
    let solve = |policy: &str| run(["solve", &*records, "--output", "json", "--on-error", policy]);
    let stopped = solve("stop");
    assert!(json(&stopped.stdout).len() <= 1);
    stopped.fails(1, &["record 1"]);
    let bad = place.path("bad.psv");
    let ran = solve(&format!("collect={}", bad.display()));
    assert_eq!((ran.code, json(&ran.stdout).len()), (1, 2), "{}", ran.stderr);
    assert_eq!(std::fs::read(&bad).expect("collected"), bytes[40..80]);
    // A game cannot be collected, but it is in the list.
    let game = place.file("a.csa", "V2.2\nPI\n+\n+7776FU\n+3334FU\n").display().to_string();
    let list = place.path("games");
    let collect = format!("collect={}", list.display());
    let good = place.file("good.txt", THREE).display().to_string();
    let ran = run(["solve", &*game, &*good, "--output", "json", "--on-error", &*collect]);
    assert_eq!((ran.code, json(&ran.stdout).len()), (1, 1), "{}", ran.stderr);
    assert!(lines_of(&place.path("games.reasons.tsv"))[1].contains("\tbad_game\t"));
    assert!(!list.exists());
    run(["solve", &*game]).fails(2, &["a.csa", "--on-error skip"]);
}

/// Only tables and JSON can be continued.
#[test]
fn an_unfinished_game_file_is_to_be_renamed() {
    let place = Place::new();
    for (name, advice) in [("out.kif", false), ("out.tsv", true)] {
        let out = place.path(name).display().to_string();
        place.file(&format!("{name}.part"), "answer\n");
        let ran = run(["solve", THREE, "--output", &*out]);
        ran.fails(2, &[".part: unfinished"]);
        assert_eq!(ran.stderr.contains("--skip-solved"), advice, "{}", ran.stderr);
    }
}

#[test]
fn truncated_records_are_solved_if_asked() {
    let place = Place::new();
    let lines = format!("{THREE}\n{THREE}\n").replace("9/9/9 b", "9/9/8K b");
    let input = place.file("in.sfen", lines).display().to_string();
    let records = place.path("in.psv").display().to_string();
    assert_eq!(run(["convert", &*input, &*records]).code, 0);
    let bytes = std::fs::read(&records).expect("written");
    std::fs::write(&records, &bytes[..60]).expect("written");
    let out = place.path("out.tsv").display().to_string();
    let arguments = ["solve", &*records, "--output", &*out];
    for options in [&[][..], &["--on-error", "stop"]] {
        let ran = run([&arguments[..], options].concat());
        ran.fails(1, &["in.psv: truncated", "--on-error skip"]);
        assert!(!ran.stderr.contains("--salvage"), "{}", ran.stderr);
        std::fs::remove_file(place.path("out.tsv.part")).expect("kept");
    }
    let bad = place.path("bad.psv");
    let collect = format!("collect={}", bad.display());
    for policy in ["skip", &*collect] {
        let ran = run([&arguments[..], &["--on-error", policy, "--force"]].concat());
        ran.fails(1, &["in.psv: truncated"]);
        assert_eq!(lines_of(out.as_ref()).len(), 2, "{policy}");
    }
    assert!(lines_of(&place.path("bad.psv.reasons.tsv"))[1].contains("\ttruncated\t"));
    let report = run(["solve", &*records, "--json", "--on-error", "skip"]).report();
    assert_eq!((&report["bad"]["truncated"], &report["samples"][0]["record"]), (&1.into(), &1.into()));
    // Another command without the option names one that has it.
    for lang in ["en", "ja"] {
        let ran = run(["inspect", &*records, "--record", "1", "--lang", lang]);
        assert!(ran.stderr.contains("`komabako convert IN OUT --salvage`"), "{}", ran.stderr);
    }
    let whole = place.path("whole.psv").display().to_string();
    run(["convert", &*records, &*whole, "--salvage"]);
    assert_eq!(std::fs::read(&whole).expect("written"), bytes[..40]);
}

/// The bytes, compressed.
fn compressed(bytes: &[u8], compression: Compression) -> Vec<u8> {
    let mut encoder = compression.encoder(Vec::new(), 1).expect("an encoder");
    std::io::Write::write_all(&mut encoder, bytes).expect("compressed");
    encoder.finish().expect("compressed")
}

#[test]
fn lists_are_decompressed_and_decoded() {
    let place = Place::new();
    let list = format!("# a comment\n{THREE}\t新たなる殺意\n{USELESS}\t無駄合\n");
    let written = run_on(&list, ["solve", "-", "--output", "sfen"]).ok();
    let cp932 =
        encoding::encode(&list, encoding::Encoding::Cp932, encoding::LineEnd::CrLf, None).expect("CP932");
    let jkf = run(["solve", THREE, "--output", "jkf"]).ok();
    let named = [Compression::Zstd, Compression::Gzip, Compression::Xz].map(|compression| {
        let extension = compression.extension().expect("one");
        (format!("list.sfen.{extension}"), compressed(list.as_bytes(), compression))
    });
    for (name, bytes) in named.into_iter().chain([("list.txt".to_owned(), cp932.bytes)]) {
        let path = place.file(&name, &bytes).display().to_string();
        assert_eq!(run(["solve", &*path, "--output", "sfen"]).ok(), written, "{name}");
        assert_eq!(run_on(&bytes, ["solve", "-", "--output", "sfen"]).ok(), written, "{name}");
        let rows = run(["solve", &*path, "--output", "tsv"]).ok();
        assert!(rows.lines().nth(1).is_some_and(|row| row.ends_with("\t新たなる殺意")), "{rows}");
    }
    let answer = run_on(&jkf, ["solve", "-", "--output", "sfen"]).ok();
    assert_eq!(Some(&*answer), written.split_inclusive('\n').next());
    assert_eq!(
        run_on(compressed(jkf.as_bytes(), Compression::Gzip), ["solve", "-", "--output", "sfen"]).ok(),
        answer
    );
    // What cannot be read is named.
    let short = compressed(list.as_bytes(), Compression::Gzip);
    let short = place.file("short.txt.gz", &short[..short.len() - 12]).display().to_string();
    assert_eq!(run(["solve", &*short, "--json"]).error_kind(2), "read");
    let utf16: Vec<u8> =
        "\u{feff}".encode_utf16().chain(list.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    for options in [&[][..], &["--on-error", "skip"]] {
        run_on(&utf16, [&["solve", "-", "--json"], options].concat()).refused(
            2,
            "not_text",
            &["UTF-16", "UTF-8"],
        );
    }
}

/// Neither advice leads back to the other.
#[test]
fn side_to_move_that_is_in_check_is_asked_about_as_the_defender() {
    let side = |side: char| format!("4k4/4G4/4P4/9/9/9/9/9/9 {side} - 1");
    let [black, white] = ['b', 'w'].map(|to_move| run(["solve", &side(to_move)]));
    assert!(
        black.stderr.contains("give the move to the other side and use `--root defend`"),
        "{}",
        black.stderr
    );
    assert!(white.stderr.contains("`--root defend` asks"), "{}", white.stderr);
    let mated = run(["solve", &side('w'), "--root", "defend"]);
    assert!(mated.stdout.contains("Mate in 0"), "{}", mated.stdout);
    let far = run(["solve", "4k4/9/9/9/9/9/9/9/9 w - 1"]);
    assert!(far.stderr.contains("give the move to the other side"), "{}", far.stderr);
    let escape = run(["solve", "k8/1G7/9/9/9/9/9/9/9 w - 1", "--root", "defend"]).stdout;
    assert!(escape.contains("the defender escapes by 9a8b"), "{escape}");
}

//! Names and quoted texts with sequences for the terminal, controls and line ends: no command lets one through, or forges a line.

use std::io::Write;
use std::path::Path;

use serde_json::Value;

use crate::support::{Place, Ran, program, run};

/// A title, a colour, a screen cleared by a C1 control, letters reversed, and a line that looks like ours.
const HOSTILE: &str = "\x1b]0;OWNED\x07\x1b[31mRED\u{9b}2J\u{202e}RLO\nFORGED: no fault\r";

/// A record of psv with a good position, and one without.
fn psv() -> (Vec<u8>, Vec<u8>) {
    let good = std::fs::read(crate::support::sample("sample.psv")).expect("a sample")[..80].to_vec();
    let mut bad = good.clone();
    bad[..32].fill(0xff);
    (good, bad)
}

fn archive(path: &Path, members: &[(String, String)]) {
    let mut archive = zip::ZipWriter::new(std::fs::File::create(path).expect("created"));
    for (name, text) in members {
        archive.start_file(name, zip::write::SimpleFileOptions::default()).expect("a member");
        archive.write_all(text.as_bytes()).expect("written");
    }
    archive.finish().expect("complete");
}

/// The runs: most fail, and quote what is wrong.
fn runs(place: &Place) -> Vec<Vec<String>> {
    let (good, bad) = psv();
    let in_place = |name: &str| place.path(name).display().to_string();
    let a = place.file(&format!("a{HOSTILE}.psv"), &good).display().to_string();
    let b = place.file(&format!("b{HOSTILE}.psv"), &bad).display().to_string();
    let game = format!("V2.2\nN+{}\nPI\n+\n+7776FU\n'*{}\n%TORYO\n", &HOSTILE[..20], &HOSTILE[..20]);
    let csa = place.file(&format!("c{HOSTILE}.csa"), &game).display().to_string();
    let zip = in_place("z.zip");
    archive(
        Path::new(&zip),
        &[(format!("m{HOSTILE}.csa"), "PI\n+\n+1111FU\n".to_owned()), (format!("n{HOSTILE}.csa"), game)],
    );
    let gone = in_place(&format!("gone{HOSTILE}"));
    let out = in_place("out.hcpe");
    // A line cannot hold a line end.
    let quoted = HOSTILE.replace(['\n', '\r'], "");
    let mut runs: Vec<Vec<String>> = Vec::new();
    let mut add = |words: &[&str]| runs.push(words.iter().map(|&word| word.to_owned()).collect());
    for command in ["info", "validate", "stats", "inspect"] {
        for file in [&a, &b, &gone] {
            add(&[command, file]);
        }
    }
    for command in ["convert", "repair", "shuffle", "dedup", "mix"] {
        for file in [&a, &b, &gone] {
            add(&[command, file, &out, "--force"]);
        }
        add(&[command, &a, &format!("{out}.{HOSTILE}")]);
        add(&[command, &a, &out, "--force", "--to", HOSTILE]);
    }
    add(&["diff", &a, &b]);
    let hcpe = std::fs::read(crate::support::sample("sample.hcpe")).expect("a sample");
    let misnamed = place.file(&format!("h{HOSTILE}.psv"), hcpe).display().to_string();
    for options in
        [&["info"][..], &["validate"], &["validate", "--from", "psv"], &["validate", "--json"], &["stats"]]
    {
        add(&[options, &[&misnamed]].concat());
    }
    add(&["cat", "--check", &b, &gone, "-o", &out, "--force"]);
    add(&["split", &a, "--parts", "2", "--into", &in_place(&format!("s{HOSTILE}{{}}.psv"))]);
    add(&["stats", &a, "--html", &in_place(&format!("h{HOSTILE}.html")), "--force"]);
    add(&["stats", "--merge", &a]);
    for expression in [HOSTILE.to_owned(), format!("\"{HOSTILE}\" == 1"), quoted.clone()] {
        add(&["filter", &a, &out, "--force", "--where", &expression]);
    }
    for input in [&csa, &zip, &gone] {
        for words in [&["kifu", "--check"][..], &["kifu", "--list"], &["kifu"], &["info"], &["solve"]] {
            add(&[words, &[input]].concat());
        }
        add(&["convert", input, &out, "--force"]);
    }
    let files = [
        ("bad.kif", format!("手合割：{quoted}\n手数----\n   1 {quoted}(77)\n")),
        ("after.kif", format!("手合割：平手\n手数----\n   1 ７六歩(77){quoted}\n   2 {quoted}(33)\n")),
        ("bad.ki2", format!("▲{quoted}\n")),
        ("bad.csa", format!("PI\n+\n{quoted}\n")),
        ("bad.jkf", serde_json::json!({ "header": { "先手": HOSTILE }, "moves": [{}, { "move": { "piece": HOSTILE } }] }).to_string()),
        ("bad.usi", format!("startpos moves 7g7f {quoted}\n")),
        ("bad.sfen", format!("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b {quoted} 1\n")),
        ("bad.tsv", format!("sfen\tmove\tscore\n{quoted}\t7g7f\t{quoted}\n")),
        ("head.tsv", format!("sfen\tmove\t{quoted}\nx\ty\tz\n")),
        ("bad.jsonl", format!("{}\n", serde_json::json!({ "sfen": HOSTILE, HOSTILE: 1 }))),
        ("bad.plain", format!("sfen {quoted}\nmove x\ne\n")),
        ("solved.sfen", format!("4k4/9/4P4/9/9/9/9/9/9 b G 1\t{quoted}\n4k4/9/4P4/9/9/9/9/9/9 b 2G 1 moves {quoted}\n")),
        ("one.sfen", format!("4k4/9/4P4/9/9/9/9/9/9 b G 1\t{quoted}\n")),
    ];
    for (name, content) in files {
        let file = place.file(name, content).display().to_string();
        for command in ["info", "validate", "solve"] {
            add(&[command, &file]);
        }
        add(&["kifu", "--check", &file]);
        add(&["solve", "--output", "tsv", &file]);
        add(&["encode", "--format", "psv", &file]);
        add(&["decode", "--format", "psv", &file]);
        add(&["convert", &file, &out, "--force"]);
    }
    for command in ["moves", "perft", "play", "inspect", "solve", "encode"] {
        add(&[command, HOSTILE]);
        add(&[command, "startpos", "moves", &quoted]);
        add(&[command, &format!("--{HOSTILE}")]);
    }
    add(&[HOSTILE]);
    add(&["--lang", HOSTILE]);
    runs
}

/// The program's own sequences, which set a style or end it.
fn without_styles(text: &str) -> String {
    let mut text = text.to_owned();
    for number in [0, 1, 2, 4, 31, 32, 33, 36] {
        text = text.replace(&format!("\x1b[{number}m"), "");
    }
    text
}

#[track_caller]
fn assert_harmless(ran: &Ran, words: &[String]) {
    for text in [&ran.stdout, &ran.stderr] {
        assert!(!text.contains("\x1b[31mRED"), "{words:?}: {text}");
        let plain = without_styles(text);
        let hostile =
            |letter: char| (letter.is_control() && !"\n\t".contains(letter)) || letter == '\u{202e}';
        assert!(!plain.contains(hostile), "{words:?}: {plain:?}");
        assert!(!plain.lines().any(|line| line.starts_with("FORGED")), "{words:?}: {plain}");
    }
}

#[test]
fn no_name_or_quotation_reaches_the_output_raw() {
    let place = Place::new();
    for words in runs(&place) {
        for lang in ["en", "ja"] {
            let ran = run([
                &["--color".to_owned(), "always".to_owned(), "--lang".to_owned(), lang.to_owned()],
                &words[..],
            ]
            .concat());
            assert_harmless(&ran, &words);
        }
    }
    // Reports in HTML, too.
    let page = place.names().into_iter().find(|name| name.ends_with(".html")).expect("a page");
    let page = std::fs::read_to_string(place.path(&page)).expect("read");
    assert!(!page.contains(['\x1b', '\x07', '\u{9b}', '\u{202e}']) && page.contains(r"\u{1b}"), "{page}");
}

#[test]
fn json_has_the_names_unchanged_and_no_control_raw() {
    let place = Place::new();
    let (_, bad) = psv();
    let name = place.file(&format!("b{HOSTILE}.psv"), bad).display().to_string();
    let ran = run(["validate", "--json", &name]);
    assert_harmless(&ran, &[]);
    assert_eq!(ran.report()["inputs"][0]["name"], Value::from(&*name));
    let game = format!("N+{}\nPI\n+\n+7776FU\n", "\x1b[31mRED\u{9b}\u{202e}");
    let csa = place.file(&format!("{HOSTILE}.csa"), game).display().to_string();
    let ran = run(["kifu", "--list", &csa]);
    assert_harmless(&ran, &[]);
    let listed: Value = serde_json::from_str(&ran.stdout).expect("a line of JSON");
    assert_eq!(
        (&listed["input"], &listed["black"]),
        (&Value::from(&*csa), &Value::from("\x1b[31mRED\u{9b}\u{202e}"))
    );
}

#[test]
fn data_in_a_pipe_is_unchanged() {
    let place = Place::new();
    let game = format!("V2.2\nN+{0}\nPI\n+\n+7776FU\n'*{0}\n%TORYO\n", "\x1b[31mRED\u{9b}\u{202e}");
    let csa = place.file("a.csa", &game).display().to_string();
    let written =
        program().args(["kifu", &csa, "-", "--to", "csa"]).output().expect("the program starts").stdout;
    assert_eq!(String::from_utf8(written).expect("UTF-8"), game);
}

#[test]
fn lists_of_bad_records_and_games_have_a_line_for_each() {
    let place = Place::new();
    let [apart, out] = ["apart", "out.hcpe"].map(|name| place.path(name).display().to_string());
    let (_, bad) = psv();
    let record = place.file(&format!("b{HOSTILE}.psv"), &bad).display().to_string();
    let game = place.file(&format!("c{HOSTILE}.csa"), "PI\n+\n\x1b[31mRED\n").display().to_string();
    let good = place.file("good.csa", "PI\n+\n+7776FU\n'* 30\n%TORYO\n").display().to_string();
    let collect = format!("collect={apart}");
    for (inputs, list) in [(&[record][..], format!("{apart}.reasons.tsv")), (&[game, good], apart.clone())] {
        let arguments = ["convert", "--force", "--on-error", &collect].map(str::to_owned);
        run([&arguments[..], inputs, std::slice::from_ref(&out)].concat());
        let list = std::fs::read_to_string(&list).expect("a list");
        assert_eq!(list.lines().count(), 2, "{list}");
        assert!(list.contains(r"\u{1b}") && !list.contains(['\x1b', '\r', '\u{9b}']), "{list}");
    }
}

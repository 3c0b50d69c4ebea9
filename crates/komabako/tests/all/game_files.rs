//! Files of game records: several games, bad ones among them, large files, and files of other kinds.

use std::fmt::Write;
use std::fs;

use serde_json::{Value, json};

use crate::support::{Place, run, run_on, schema};

/// A file, by its path as text.
fn file(place: &Place, name: &str, content: impl AsRef<[u8]>) -> String {
    place.file(name, content).into_os_string().into_string().unwrap()
}

/// Three games, the second of which is bad.
const ONE_BAD: &str =
    "V2.2\nPI\n+\n+7776FU\n%TORYO\n/\nPI\n+\n+2726FU\n-3335FU\n/\nV2.2\nPI\n+\n+2726FU\n-3334FU\n%TORYO\n";

#[test]
fn the_policy_for_bad_games_holds_for_games_of_one_file() {
    let place = Place::new();
    let games = file(&place, "games.csa", ONE_BAD);
    let path = |name: &str| place.path(name).into_os_string().into_string().unwrap();
    for (command, out) in [("kifu", path("out.usi")), ("convert", path("out.tsv"))] {
        let options = ["--missing-score", "0"];
        let options = if command == "convert" { &options[..] } else { &[] };
        let run = |more: &[&str]| run([&[command, "--json", &games, &out][..], options, more].concat());
        let named = "games.csa: game 2, line 10, column 1: ";
        run(&["--on-error", "stop"]).refused(1, "bad_game", &[named, "--on-error collect=FILE"]);
        assert_eq!(place.names(), ["games.csa"], "{command}");
        // The list is an output like any other.
        run(&["--on-error", &format!("collect={out}")]).refused(2, "same_file", &["out."]);
        run(&["--on-error", &format!("collect={games}"), "--force"]).refused(2, "same_file", &["games.csa"]);
        assert_eq!(place.names(), ["games.csa"], "{command}");

        let ran = run(&["--on-error", &format!("collect={}", path("bad.tsv"))]);
        assert_eq!(ran.code, 1, "{command}");
        let report = ran.report();
        assert_eq!((&report["games"], &report["bad_total"]), (&json!(2), &json!(1)), "{command}");
        let bad = &report["bad_games"][0];
        assert_eq!((&bad["game"], &bad["line"]), (&json!(2), &json!(10)), "{command}");
        assert!(bad["message"].as_str().unwrap().contains(named), "{bad}");
        let list = fs::read_to_string(path("bad.tsv")).unwrap();
        let row: Vec<&str> = list.lines().nth(1).unwrap().split('\t').collect();
        assert_eq!(row[1..4], ["10", "1", "ILLEGAL_MOVE"], "{command}");
        assert!(row[4].starts_with("game 2, line 10, column 1: "), "{list}");
        let written = fs::read(&out).unwrap();
        fs::remove_file(path("bad.tsv")).unwrap();
        for policy in [&["--on-error", "skip"][..], &[]] {
            fs::remove_file(&out).unwrap();
            assert_eq!(run(policy).code, 1);
            assert!(fs::read(&out).unwrap() == written, "{command}");
        }
        fs::remove_file(&out).unwrap();
    }
    let ran = run(["--lang", "ja", "kifu", "--check", &games]);
    ran.fails(1, &["games.csa: 2 局目 10 行目 1 桁目: "]);
}

#[test]
fn a_list_of_games_has_what_games_are_chosen_by() {
    let place = Place::new();
    let game = "V2.2\nN+a\nN-b\n$EVENT:e\n$START_TIME:2024/01/02\n$TIME_LIMIT:00:10+05\n'black_rate:a:1500.5\n\
        'white_rate:b:1620\nPI\n+\n+7776FU\n'** 30\n-3334FU\n%TORYO\n";
    let games = file(&place, "games.csa", format!("{ONE_BAD}/\n{game}"));
    let ran = run(["kifu", "--list", &games]);
    let lines: Vec<Value> = ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let numbers: Vec<_> = lines.iter().map(|line| line["game"].as_u64().unwrap()).collect();
    assert_eq!((ran.code, &numbers[..]), (1, &[1, 3, 4][..]));
    let expected = json!({
        "input": games, "game": 4, "format": "csa", "line": 19, "black": "a", "white": "b",
        "rating_min": 1500.5, "rating_max": 1620.0, "black_rating": 1500.5, "white_rating": 1620.0, "event": "e",
        "site": null, "date": "2024-01-02", "time_control": "00:10+05", "handicap": "平手",
        "sfen": "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
        "plies": 2, "ending": "TORYO", "winner": "white", "has_scores": true, "scored": 1, "variations": 0, "comments": 1,
        "notices": 0,
    });
    assert_eq!(lines[2], expected);
    for line in &lines {
        assert_eq!(schema::violations_in_list(line), Vec::<String>::new());
    }
}

/// 70 MiB, of which a part is in memory at a time.
#[test]
fn a_file_above_64_mib_is_read_game_by_game() {
    let place = Place::new();
    let comment = "x".repeat(100_000);
    let mut games = String::with_capacity(75 << 20);
    for number in 1..=720 {
        let mv = if number == 700 { "+7775FU" } else { "+7776FU" };
        let _ = write!(games, "V2.2\nPI\n+\n'{comment}\n{mv}\n%TORYO\n/\n");
    }
    assert!(games.len() > 64 << 20);
    let input = file(&place, "games.csa", games);
    let output = place.path("out.usi").into_os_string().into_string().unwrap();
    let ran = run(["kifu", &input, &output]);
    // The bad game is the 700th of 7 lines each, with its move on the fifth.
    ran.fails(1, &["games.csa: game 700, line 4898, column 1: "]);
    assert_eq!(fs::read_to_string(output).unwrap(), "position startpos moves 7g7f resign\n".repeat(719));
    assert_eq!(place.names(), ["games.csa", "out.usi"]);
    let stdin = run_on(fs::read_to_string(&input).unwrap(), ["kifu", "--json", "--check", "-"]);
    assert_eq!(stdin.report()["games"], 719);
}

#[test]
fn files_of_other_kinds_are_named_by_every_command() {
    let place = Place::new();
    let sbk = [&b"\x0a\x00\x12\x00\x1a\x20\x08\x00\x11"[..], &[7; 8], b"\x1d\0\0\0\0 "].concat();
    let files: [(&str, &[u8], &str); 12] = [
        ("a.psn", b"[Sente \"A\"]\n[Gote \"B\"]\n1.P7g-7f 2.P3c-3d\n", "PSN"),
        ("a.pgn", b"[Event \"x\"]\n[Site \"y\"]\n\n1. P-7f P-3d *\n", "PGN"),
        ("a.sbk", &sbk, ".sbk"),
        ("a.db", b"#YANEURAOU-DB2016 1.00\nsfen startpos\n", ".db"),
        ("a.sfen", b"sfen startpos\n7g7f 3c3d 0 32 100\n8h2b+ none 9 32 1\n", ".db"),
        ("a.dat", b"SQLite format 3\0\x10\0\x01\x01\0\x40\x20\x20", "SQLite"),
        ("a.log", b"BEGIN Game_Summary\nName+:a\nBEGIN Position\nPI\n+\nEND Position\n+7776FU,T1\n", "CSA"),
        ("a.ybb", b"YANE-BINBOOK-V1\0\0\0\0\0", ".ybb"),
        ("a.usi", b"7z\xbc\xaf\x27\x1c\0\x04", "7z"),
        ("a.ki2", b"\x21\x67-lh5-\x10\x20\0\0\0\0", "LZH"),
        ("a.csa", b"7z\xbc\xaf\x27\x1c\0\x04", "7z"),
        ("a.kif", b"PK\x03\x04\x14\0\0\x08\x08\0abcdef", "zip"),
    ];
    let out = place.path("out.psv").into_os_string().into_string().unwrap();
    for (name, content, kind) in files {
        let input = file(&place, name, content);
        let commands: [&[&str]; 7] = [
            &["kifu", "--check", &input],
            &["convert", &input, &out],
            &["info", &input],
            &["stats", &input],
            &["solve", &input],
            &["moves", &input],
            &["play", &input],
        ];
        for command in commands {
            for lang in ["en", "ja"] {
                let ran = run([&["--lang", lang][..], command].concat());
                let told = format!("{}{}", ran.stdout, ran.stderr);
                assert!(ran.code != 0 && told.contains(kind), "{command:?}: {told}");
                // One line, and no help that guesses at something else; another may say that nothing was written.
                let lines = told.lines().filter(|line| line.contains(name) && line.contains(kind)).count();
                assert!(
                    lines >= 1 && !told.contains("--from") && !told.contains("SFEN:"),
                    "{command:?}: {told}"
                );
            }
        }
        fs::remove_file(&input).unwrap();
    }
    assert_eq!(place.names(), Vec::<String>::new());
}

#[test]
fn games_are_read_under_names_of_other_files() {
    let place = Place::new();
    let usi = "position startpos moves 7g7f 3c3d resign\n";
    let files = [
        ("a.sfen", usi.as_bytes()),
        ("a.txt", b"startpos moves 7g7f 3c3d resign\n"),
        ("b.txt", b"V2.2\nPI\n+\n+7776FU\n-3334FU\n%TORYO\n"),
        ("a.psv", "手合割：平手\n   1 ７六歩(77)\n   2 ３四歩(33)\n   3 投了\n".as_bytes()),
        // A position among them, which is a game without moves.
        ("b.sfen", b"startpos\nstartpos moves 7g7f 3c3d resign\nstartpos moves 7g7f 7g7f\n"),
    ];
    for (name, content) in files {
        let input = file(&place, name, content);
        let out = file(&place, "out.psv", "");
        let ran = run(["convert", "--json", "-f", "--missing-score", "0", &input, &out]);
        assert_eq!(ran.report()["written"], 2, "{name}: {}", ran.stderr);
        assert_eq!(run(["stats", "--json", &input]).report()["game_files"], 1, "{name}");
        for (command, word) in [("info", "games"), ("play", "b - 3")] {
            let told = run([command, &input]).stdout;
            assert!(told.contains(word) || name == "b.sfen", "{command} {name}: {told}");
        }
        // What reads no games says what does.
        run(["validate", "--json", &input]).refused(
            2,
            "unsupported",
            &[name, "komabako convert FILE OUT.psv"],
        );
    }
}

#[test]
fn first_of_several_games_is_named() {
    let place = Place::new();
    let games = file(&place, "games.csa", ONE_BAD);
    let one = file(&place, "one.csa", "V2.2\nPI\n+\n+7776FU\n%TORYO\n");
    let commands: [&[&str]; 4] = [&["play"], &["moves"], &["perft", "--depth", "1"], &["inspect"]];
    for command in commands {
        let alone = run([command, &[&one]].concat());
        assert_eq!((alone.code, &*alone.stderr), (0, ""), "{command:?}");
        for (lang, note) in [
            ("en", "games.csa: the first of several games"),
            ("ja", "games.csa: 複数の対局のうち最初の 1 局です"),
        ] {
            let ran = run([&["--lang", lang][..], command, &[&games]].concat());
            let told = format!("{}{}", ran.stdout, ran.stderr);
            assert!(ran.code == 0 && told.contains(note), "{command:?}: {told}");
        }
    }
    let picture = place.path("a.svg").into_os_string().into_string().unwrap();
    assert!(run(["diagram", &games, &picture]).stderr.contains("the first of several games"));
    assert_eq!(run(["moves", &games, "--quiet"]).stderr, "");
    let notes = |path: &str| run(["moves", path, "--json"]).report()["notes"].clone();
    assert_eq!((notes(&one), &notes(&games)[0]["kind"]), (json!([]), &json!("first_game")));
    for command in &commands[..3] {
        run([command, &["--sfen", "startpos", &one][..]].concat()).fails(2, &["one.csa", "--sfen"]);
    }
}

//! `solve`: verdicts, forms of output, exit codes, batches.

use crate::support::{Place, run, run_on};
use komabako::kifu::{Ending, Record, Step, encoding};
use serde_json::Value;

const THREE: &str = "3sks3/9/4S4/9/9/B8/9/9/9 b S2rb4g4n4l18p 1";
/// Three plies in a game, one in a problem: the interposition is useless.
const USELESS: &str = "8k/8l/7R1/8G/6R2/9/9/9/9 b 2B3g4s4n3l18p 1";
/// Several first checks mate.
const DUAL: &str = "5B3/5s2k/9/5l3/8n/9/9/9/9 b 3GN2rbg3s2n3l18p 1";
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
fn exit_codes_reflect_the_verdict() {
    let no_mate = run(["solve", NO_MATE, "--output", "json"]);
    assert_eq!((no_mate.code, &json(&no_mate.stdout)[0]["verdict"]), (1, &"no-mate".into()));
    assert_eq!(run(["solve", THREE, "--mate-in", "1"]).code, 1);
    assert_eq!(run(["solve", THREE, "--mate-in", "3"]).code, 0);
    run(["solve", "9/9/9/9/9/9/9/9/8K b G 1", "--json"]).refused(2, "problem", &[]);
    run(["solve", "l1k6/9/1pB6/9/9/9/9/9/9 b RGrb4g4s3n3l16p 1", "--json"]).refused(2, "problem", &["31"]);
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
        let verdicts: Vec<_> = rows.iter().map(|row| (row[0], row[1], row[2], row[13])).collect();
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

/// The lines of a record as USI, the main line first.
fn lines(record: &Record) -> Vec<String> {
    let text = |line: Vec<_>| {
        let moves = line.into_iter().filter_map(|id| record.node(id).as_move());
        moves.map(|mv| mv.to_string()).collect::<Vec<_>>().join(" ")
    };
    record.lines().map(text).collect()
}

fn read_back(bytes: &[u8], name: &str) -> Record {
    let games = komabako::kifu::read(bytes, name.rsplit('.').next()).expect("a game");
    assert_eq!((games.len(), &games[0].notices[..]), (1, &[][..]), "{name}");
    games.into_iter().next().expect("one").record
}

#[test]
fn game_records_hold_the_line_and_the_variations() {
    let place = Place::new();
    let mate = Step::End(Ending::Mate);
    for (name, is_cp932) in [("a.kif", true), ("a.kifu", false), ("a.ki2", true), ("a.ki2u", false)] {
        let path = place.path(name).display().to_string();
        assert_eq!(run(["solve", THREE, "--variations", "1", "--output", &*path]).ok(), "");
        let bytes = std::fs::read(&path).expect("written");
        let decoded = encoding::decode(&bytes).expect("text");
        assert_eq!(decoded.encoding == encoding::Encoding::Cp932, is_cp932, "{name}");
        let record = read_back(&bytes, name);
        assert_eq!(record.initial().to_string(), THREE.rsplit_once(' ').expect("ply").0);
        let found = lines(&record);
        assert_eq!(found[0], "9f5b+ 4a5b S*4b", "{name}");
        assert!(found.len() > 1, "{name}: {found:?}");
        let json = json(&run(["solve", THREE, "--variations", "1", "--output", "json"]).ok());
        let variations = json[0]["variations"].as_array().expect("variations");
        let mut expected: Vec<String> = variations
            .iter()
            .map(|variation| {
                let moves = variation["line"].as_array().expect("moves").iter();
                let moves: Vec<&str> = moves.map(|mv| mv.as_str().expect("text")).collect();
                format!("9f5b+ {}", moves.join(" "))
            })
            .collect();
        let mut others = found[1..].to_vec();
        expected.sort();
        others.sort();
        assert_eq!(others, expected, "{name}");
        for line in record.lines() {
            let last = record.node(*line.last().expect("moves")).step();
            assert_eq!(*last, mate, "{name}");
        }
        let comment = record.node(record.start()).comments().next().expect("a comment");
        assert!(comment.starts_with("Mate in 3"), "{comment}");
        run(["solve", THREE, "--output", &*path]).fails(2, &["exists"]);
        assert_eq!(run(["solve", THREE, "--output", &*path, "--force"]).ok(), "");
    }
}

#[test]
fn game_records_show_duals_and_refusals() {
    let dual = run(["solve", "--check", DUAL, "--output", "kif"]);
    let report = run(["solve", "--check", DUAL, "--output", "json"]);
    let report = &json(&report.stdout)[0];
    let record = read_back(dual.stdout.as_bytes(), "stdout.kifu");
    let found = lines(&record);
    let mut duals = 0;
    for finding in report["findings"].as_array().expect("findings") {
        if finding["kind"] == "dual" && finding["ply"] == 1 {
            let mv = finding["move"].as_str().expect("a move");
            assert!(found.iter().any(|line| line.starts_with(mv)), "{mv}: {found:?}");
            duals += 1;
        }
    }
    assert!(duals > 0, "{report}");
    let none = run(["solve", NO_MATE, "--output", "kif"]);
    assert_eq!(read_back(none.stdout.as_bytes(), "stdout.kifu").ending(), Some(&Ending::NoMate));
}

#[test]
fn several_game_records_are_several_files_or_csa() {
    let place = Place::new();
    let input = place.file("in.sfen", format!("{THREE}\n{USELESS}\n")).display().to_string();
    let [kif, csa] = ["out.kif", "out.csa"].map(|name| place.path(name).display().to_string());
    run(["solve", &*input, "--output", &*kif]).fails(2, &["--split"]);
    let ran = run(["solve", &*input, "--output", &*kif, "--split"]);
    for name in ["-000001.kif", "-000002.kif"] {
        assert!(ran.stderr.contains(name), "{}", ran.stderr);
    }
    assert_eq!((ran.code, &*ran.stdout), (0, ""));
    assert_eq!(run(["solve", &*input, "--output", &*kif, "--split", "--force", "--quiet"]).ok(), "");
    assert_eq!(run(["solve", &*input, "--output", &*csa]).ok(), "");
    assert_eq!(place.names(), ["in.sfen", "out-000001.kif", "out-000002.kif", "out.csa"]);
    let games = komabako::kifu::read(&std::fs::read(csa).expect("written"), Some("csa")).expect("games");
    let lines: Vec<_> = games.iter().map(|game| lines(&game.record)[0].clone()).collect();
    assert_eq!(lines[0], "9f5b+ 4a5b S*4b");
    assert_eq!(lines.len(), 2);
    let none = place.path("none.tsv").display().to_string();
    assert_eq!(run(["solve", &*input, "--output", &*none, "--split"]).code, 2);
    run(["solve", "9/9/9/9/9/9/9/9/8K b G 1", "--output", &*none]).fails(2, &[]);
    assert!(!place.names().contains(&"none.tsv".to_owned()));
}

#[test]
fn reasons_are_named_in_both_languages() {
    let row = run(["solve", THREE, "--nodes", "1", "--output", "text"]);
    assert!(row.stdout.contains("node limit"), "{}", row.stdout);
    let row = run(["solve", THREE, "--nodes", "1", "--output", "text", "--lang", "ja"]);
    assert!(row.stdout.contains("ノード数の上限"), "{}", row.stdout);
}

#[test]
fn game_records_are_problems_with_their_authors_lines() {
    let place = Place::new();
    let author = format!("sfen {THREE} moves 9f5b+ 4a5b S*4b");
    for name in ["problem.kif", "problem.kifu", "problem.ki2", "problem.csa", "problem.jkf"] {
        let usi = place.file("problem.usi", &author).display().to_string();
        let path = place.path(name).display().to_string();
        run(["kifu", &*usi, &*path, "--force"]);
        let answers = json(&run(["solve", "--check", &*path, "--output", "json"]).ok());
        assert_eq!((answers.len(), &answers[0]["sound"]), (1, &"sound".into()), "{name}");
        assert_eq!(answers[0]["line"].as_array().map(Vec::len), Some(3), "{name}");
    }
    // The defender's hand in words, on standard input; and an illegal reply.
    let kif = "後手の持駒：残り\n\
        | ・ ・ ・ ・ ・ ・ ・ ・v王|一\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|二\n| ・ ・ ・ ・ ・ ・ ・ 金 ・|三\n";
    let kif = kif.to_owned() + &"| ・ ・ ・ ・ ・ ・ ・ ・ ・|\n".repeat(6) + "先手の持駒：金\n先手番\n";
    let answers = json(&run_on(&kif, ["solve", "-", "--output", "json"]).ok());
    assert_eq!((&answers[0]["verdict"], &answers[0]["length"]), (&"mate".into(), &1.into()));
    let wrong = kif.clone() + "   1 １二金打\n   2 １二王(11)\n   3 投了\n";
    assert_eq!(run_on(&wrong, ["solve", "-"]).code, 2);
    let quiet = kif + "   1 ３二金打\n";
    run_on(&quiet, ["solve", "--check", "-"]).fails(2, &["ply 1"]);
}

/// The exact length and the line on which ties are settled are the same, however many threads work on the problem.
#[test]
fn threads_work_together_on_one_problem() {
    let eleven = "7+S1/8k/7N1/9/6S2/6n2/9/9/9 b BSN2rb4gsn4l18p 1";
    let answer = |threads: &str| {
        let ran = run(["solve", eleven, "--output", "json", "--threads", threads]);
        let answer = &json(&ran.stdout)[0];
        (ran.code, answer["verdict"].clone(), answer["length"].clone(), answer["line"].clone())
    };
    let alone = answer("1");
    assert_eq!(answer("2"), alone);
    assert_eq!(answer("3"), alone);
}

#[test]
fn records_are_problems_one_by_one() {
    let place = Place::new();
    // These formats cannot hold a missing king.
    let lines = format!("{THREE}\n{NO_MATE}\n{THREE}\n").replace("9/9/9 b", "9/9/8K b");
    let input = place.file("in.sfen", lines).display().to_string();
    for name in ["in.psv", "in.hcp", "in.hcpe"] {
        let path = place.path(name).display().to_string();
        let converted = run(["convert", &*input, &*path]);
        assert_eq!(converted.code, 0, "{name}: {}", converted.stderr);
        for threads in ["1", "2"] {
            let ran = run(["solve", &*path, "--output", "json", "--threads", threads]);
            let answers = json(&ran.stdout);
            assert_eq!(answers.len(), 3, "{name}: {}", ran.stderr);
            assert_eq!(answers[0]["verdict"], answers[2]["verdict"], "{name}");
            assert_eq!(answers[0]["sfen"], answers[2]["sfen"], "{name}");
        }
        let first = json(&run(["solve", &*path, "--output", "json"]).stdout);
        assert_eq!((&first[0]["verdict"], &first[0]["length"]), (&"mate".into(), &3.into()), "{name}");
        assert_eq!(first[1]["verdict"], "no-mate", "{name}");
    }
    // One bad record among good ones is named and left out.
    let path = place.path("in.psv");
    let mut bytes = std::fs::read(&path).expect("written");
    bytes[40..72].fill(0xff);
    std::fs::write(&path, bytes).expect("written");
    let ran = run(["solve", &*path.display().to_string(), "--from", "psv", "--output", "json"]);
    assert_eq!((ran.code, json(&ran.stdout).len()), (1, 2));
    ran.fails(1, &["record 1"]);
    let noise = place.file("noise", [0xff_u8; 100]).display().to_string();
    assert_eq!(run(["solve", &*noise]).code, 2);
}

/// A problem that takes longer than any test waits.
const ENDLESS: &str = "4+bn1g1/5kpPl/2l1b1s2/3+l1N1GP/4G1+P1N/5L3/9/1+r7/R8 b GP3sn13p 1";

/// Runs until a file satisfies a condition, and kills the program then, as `kill -9` does.
fn killed_when(arguments: &[&str], is_reached: impl Fn() -> bool) {
    let mut child = crate::support::program()
        .arg("solve")
        .args(arguments)
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .expect("started");
    while !is_reached() {
        assert!(child.try_wait().expect("a child").is_none(), "it ended by itself");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    child.kill().expect("killed");
    child.wait().expect("ended");
}

/// Verdicts of the rows or lines of an output, by position.
fn verdicts(text: &str) -> Vec<(String, String)> {
    let text_of = |value: &Value, name: &str| value[name].as_str().expect("text").to_owned();
    text.lines()
        .filter(|line| !line.starts_with("sfen\t"))
        .map(|line| match serde_json::from_str::<Value>(line) {
            Ok(value) => (text_of(&value, "sfen"), text_of(&value, "verdict")),
            Err(_) => {
                let cells: Vec<&str> = line.split('\t').collect();
                (cells[0].to_owned(), cells[1].to_owned())
            }
        })
        .collect()
}

#[test]
fn killed_run_keeps_its_answers_and_resumes() {
    for (name, header) in [("out.tsv", 1), ("out.jsonl", 0)] {
        let place = Place::new();
        let text = format!("{THREE}\n{NO_MATE}\n{ENDLESS}\n{USELESS}\n");
        let input = place.file("in.sfen", text).display().to_string();
        let [out, part] = [name.to_owned(), format!("{name}.part")].map(|name| place.path(&name));
        let [out_name, part_name] = [&out, &part].map(|path| path.display().to_string());
        let arguments = [&*input, "--output", &*out_name, "--time", "1h"];
        let lines = |path| std::fs::read_to_string(path).unwrap_or_default().matches('\n').count();
        killed_when(&arguments, || lines(&part) == header + 2);
        assert!(!out.exists());
        // Another run does not overwrite it, and does not take a truncated row for an answer.
        let again = run([&["solve"][..], &arguments, &["--force"]].concat());
        again.fails(2, &[&part_name, "--skip-solved"]);
        let mut torn = std::fs::read(&part).expect("answers");
        torn.extend_from_slice(format!("{USELESS}\tmate\t1").as_bytes());
        std::fs::write(&part, torn).expect("written");
        let resume = |earlier: &str, more: &[&str]| {
            let options = ["--output", &*out_name, "--nodes", "1000", "--skip-solved", earlier];
            run([&["solve", &*input][..], &options, more].concat()).code
        };
        let pair = |sfen: &str, verdict: &str| (sfen.to_owned(), verdict.to_owned());
        let mut expected = vec![pair(THREE, "mate"), pair(NO_MATE, "no-mate")];
        expected.extend([pair(ENDLESS, "unknown"), pair(USELESS, "mate")]);
        assert_eq!(resume(&part_name, &[]), 1);
        let found = || verdicts(&std::fs::read_to_string(&out).expect("finished"));
        assert_eq!((found(), part.exists()), (expected.clone(), false), "{name}");
        // Unknown problems are solved again, unless `--skip-unknown` is given.
        assert_eq!(resume(&out_name, &["--skip-unknown"]), 1);
        assert_eq!(found(), expected, "{name}");
        assert_eq!(resume(&out_name, &[]), 1);
        expected.push(pair(ENDLESS, "unknown"));
        assert_eq!(found(), expected, "{name}");
        assert_eq!(place.names(), ["in.sfen", name]);
    }
}

#[test]
fn output_that_fails_ends_the_search() {
    let place = Place::new();
    let input = place.file("in.sfen", format!("{THREE}\n{ENDLESS}\n"));
    let mut child = crate::support::program()
        .args(["solve", &*input.display().to_string(), "--output", "sfen", "--threads", "2", "--time", "1h"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::null())
        .spawn()
        .expect("started");
    // The reader is gone: the first answer cannot be written while the second problem is searched.
    drop(child.stdout.take());
    let begun = std::time::Instant::now();
    while child.try_wait().expect("a child").is_none() {
        if begun.elapsed() > std::time::Duration::from_secs(60) {
            child.kill().expect("killed");
            panic!("it searches on for nobody");
        }
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
}

#[test]
fn killed_run_of_split_games_resumes() {
    let place = Place::new();
    let input = place.file("in.sfen", format!("{THREE}\n{NO_MATE}\n{ENDLESS}\n{USELESS}\n"));
    let [input, out] = [input, place.path("out.kif")].map(|path| path.display().to_string());
    let split = [&*input, "--output", &*out, "--split"];
    let second = place.path("out-000002.kif");
    killed_when(&[&split[..], &["--time", "1h"]].concat(), || second.exists());
    let before = std::fs::metadata(&second).expect("written").modified().expect("a time");
    for _ in 0..2 {
        let resume = ["--skip-solved", &*out, "--nodes", "1000"];
        assert_eq!(run([&["solve"][..], &split, &resume].concat()).code, 1);
        let names: Vec<String> = place.names().into_iter().filter(|name| !name.starts_with('.')).collect();
        let expected = ["in.sfen", "out-000001.kif", "out-000002.kif", "out-000003.kif", "out-000004.kif"];
        assert_eq!(names, expected);
    }
    assert_eq!(std::fs::metadata(&second).expect("written").modified().expect("a time"), before);
}

#[test]
fn output_with_other_columns_is_not_resumed() {
    let place = Place::new();
    let out = place.path("out.tsv").display().to_string();
    run(["solve", THREE, "--output", &*out]).ok();
    let before = std::fs::read(&out).expect("written");
    let ran = run(["solve", USELESS, "--check", "--output", &*out, "--skip-solved", &*out]);
    ran.fails(2, &["out.tsv", "--check"]);
    assert_eq!(std::fs::read(&out).expect("there"), before);
}

#[test]
fn checker_names_its_limit() {
    let undecided = |options: &[&str]| {
        let ran = run([&["solve", "--check", DUAL, "--output", "json"][..], options].concat());
        let findings = json(&ran.stdout)[0]["findings"].as_array().expect("findings").clone();
        let reasons = findings.iter().filter(|finding| finding["kind"] == "undecided");
        reasons.map(|finding| finding["reason"].as_str().expect("a reason").to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(undecided(&[]), [""; 0]);
    assert!(undecided(&["--nodes", "5"]).iter().all(|reason| reason == "nodes"));
    // All searches together have five times as many nodes, so for some checks the limit of the report is reached.
    assert!(undecided(&["--nodes", "200"]).iter().any(|reason| reason == "report-nodes"));
    for lang in ["en", "ja"] {
        let ran = run(["solve", "--check", DUAL, "--nodes", "200", "--lang", lang]);
        assert!(ran.stdout.contains("1,000") && ran.stdout.contains("--nodes"), "{}", ran.stdout);
        let ran = run(["solve", "--check", ENDLESS, "--nodes", "1234", "--lang", lang]);
        assert!(
            ran.code == 1 && ran.stdout.contains("1,234") && ran.stdout.contains("--nodes"),
            "{}",
            ran.stdout
        );
    }
    // Without a limit this would take for ever.
    let ran = run(["solve", "--check", ENDLESS, "--output", "json", "--memory", "64M"]);
    assert_eq!((ran.code, &json(&ran.stdout)[0]["sound"]), (1, &"undecided".into()));
}

#[test]
fn split_never_overwrites_its_inputs() {
    let place = Place::new();
    let game = run(["solve", USELESS, "--output", "kif"]).ok();
    let out = place.path("w.kif").display().to_string();
    let first = place.file("in.sfen", format!("{THREE}\n")).display().to_string();
    for options in [&[][..], &["--force"], &["--skip-solved", &*out], &["--force", "--skip-solved", &*out]] {
        // The problem is the first part, or the second after another problem; a link leads to the same file.
        let one = place.file("w-000001.kif", &game).display().to_string();
        let split = ["--output", &*out, "--split"];
        let ran = run([&["solve", &*one][..], &split, options].concat());
        ran.fails(2, &["w-000001.kif", "is used twice"]);
        assert_eq!(std::fs::read_to_string(&one).expect("there"), game);
        std::fs::remove_file(&one).expect("removed");
        let two = place.file("w-000002.kif", &game).display().to_string();
        run([&["solve", &*first, &*two][..], &split, options].concat())
            .fails(2, &["w-000002.kif", "used twice"]);
        assert_eq!(place.names(), ["in.sfen", "w-000002.kif"], "nothing is solved first");
        assert_eq!(std::fs::read_to_string(&two).expect("there"), game);
        std::fs::remove_file(&two).expect("removed");
        #[cfg(unix)]
        {
            let link = place.path("w-000001.kif");
            let problem = place.file("problem.kif", &game);
            std::os::unix::fs::symlink(&problem, &link).expect("linked");
            let ran = run([&["solve", &*problem.display().to_string()][..], &split, options].concat());
            ran.fails(2, &["w-000001.kif", "used twice"]);
            assert_eq!(std::fs::read_to_string(&problem).expect("there"), game);
            std::fs::remove_file(&link).and_then(|()| std::fs::remove_file(&problem)).expect("removed");
        }
    }
    // The number of records is unknown, so the part is compared when it is opened.
    let records = place.path("in.psv").display().to_string();
    place.file("in.sfen", format!("{THREE}\n").replace("9/9/9 b", "9/9/8K b"));
    assert_eq!(run(["convert", &*first, &*records]).code, 0);
    let two = place.file("w-000002.kif", &game).display().to_string();
    run(["solve", &*records, &*two, "--output", &*out, "--split", "--force"])
        .fails(2, &["w-000002.kif", "used twice"]);
    assert_eq!(std::fs::read_to_string(&two).expect("there"), game);
}

fn lines_of(path: &std::path::Path) -> Vec<String> {
    std::fs::read_to_string(path).expect("text").lines().map(str::to_owned).collect()
}

#[test]
fn resumed_run_has_the_answers_of_an_uninterrupted_one() {
    let place = Place::new();
    let rows = [(THREE, "name1"), (USELESS, "name2"), (THREE, "name3"), (THREE, "name1"), (NO_MATE, "name5")];
    let text: String = rows.iter().map(|(sfen, name)| format!("{sfen}\t{name}\n")).collect();
    let input = place.file("in.sfen", text).display().to_string();
    for (name, header) in [("out.tsv", 1), ("out.jsonl", 0)] {
        let [out, part] = [name.to_owned(), format!("{name}.part")].map(|name| place.path(&name));
        let [out_name, part_name] = [&out, &part].map(|path| path.display().to_string());
        assert_eq!(run(["solve", &*input, "--output", &*out_name]).code, 1);
        let whole = lines_of(&out);
        let text_of = |lines: &[String]| lines.iter().map(|line| format!("{line}\n")).collect::<String>();
        let timeless = |lines: &[String]| -> Vec<String> {
            // The nodes and the time are the last members.
            let is_time = |place: &usize| (8..10).contains(place);
            let row = |line: &String| {
                line.split('\t')
                    .enumerate()
                    .filter(|(place, _)| !is_time(place))
                    .map(|cell| cell.1)
                    .collect::<Vec<_>>()
                    .join("\t")
            };
            lines.iter().map(|line| row(line).split("\"nodes\"").next().expect("text").to_owned()).collect()
        };
        for answered in 0..=rows.len() {
            for earlier in [&part, &out] {
                let _ = std::fs::remove_file(&out);
                std::fs::write(earlier, text_of(&whole[..header + answered])).expect("written");
                let earlier = if earlier == &part { &part_name } else { &out_name };
                run(["solve", &*input, "--output", &*out_name, "--skip-solved", &**earlier]);
                assert_eq!(timeless(&lines_of(&out)), timeless(&whole), "{name}: {answered}");
                assert!(!part.exists());
            }
        }
        // The answers of another output are all that is known about a position: every occurrence is skipped.
        std::fs::rename(&out, place.path("earlier")).expect("renamed");
        let [earlier, other] = ["earlier", "other.tsv"].map(|name| place.path(name).display().to_string());
        std::fs::write(&earlier, text_of(&whole[..=header])).expect("written");
        run(["solve", &*input, "--output", &*other, "--skip-solved", &*earlier, "--force"]);
        let found: Vec<String> =
            verdicts(&lines_of(other.as_ref()).join("\n")).into_iter().map(|row| row.0).collect();
        assert_eq!(found, [USELESS, NO_MATE]);
    }
}

#[test]
fn retried_row_does_not_stand_for_another_one() {
    let place = Place::new();
    let input = place.file("in.sfen", format!("{THREE}\tname1\n{THREE}\tname2\n")).display().to_string();
    let out = place.path("out.tsv").display().to_string();
    run(["solve", &*input, "--output", &*out, "--nodes", "1"]);
    let rows = lines_of(out.as_ref());
    // Killed after the first row, resumed, and killed again after its second row.
    let part =
        place.file("out.tsv.part", format!("{}\n{}\n{}\n", rows[0], rows[1], rows[1])).display().to_string();
    std::fs::remove_file(&out).expect("removed");
    run(["solve", &*input, "--output", &*out, "--skip-solved", &*part, "--skip-unknown"]);
    let names: Vec<String> = lines_of(out.as_ref())
        .iter()
        .skip(1)
        .map(|row| row.rsplit('\t').next().expect("a cell").to_owned())
        .collect();
    assert_eq!(names, ["name1", "name1", "name2"]);
}

#[test]
fn continued_output_does_not_replace_another_file() {
    let place = Place::new();
    let input = place.file("in.sfen", format!("{THREE}\n")).display().to_string();
    let out = place.path("out.tsv").display().to_string();
    let part = format!("{out}.part");
    run(["solve", &*input, "--output", &*out]);
    std::fs::rename(&out, &part).expect("renamed");
    let answers = std::fs::read(&part).expect("answers");
    std::fs::write(&out, "precious\n").expect("written");
    let arguments = ["solve", &*input, "--output", &*out, "--skip-solved", &*part];
    run(arguments).fails(2, &[&*out, "--force"]);
    assert_eq!(std::fs::read(&out).expect("kept"), b"precious\n");
    assert_eq!(std::fs::read(&part).expect("kept"), answers);
    assert_eq!(run([&arguments[..], &["--force"]].concat()).code, 0);
    assert_eq!(std::fs::read(&out).expect("replaced"), answers);
}

#[test]
fn output_in_use_is_refused() {
    let place = Place::new();
    let input = place.file("in.sfen", format!("{THREE}\n{ENDLESS}\n")).display().to_string();
    let [out, part] = ["out.tsv", "out.tsv.part"].map(|name| place.path(name).display().to_string());
    let arguments = ["solve", &*input, "--output", &*out, "--time", "1h"];
    let mut child = crate::support::program()
        .args(arguments)
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .expect("started");
    let lines = || std::fs::read_to_string(&part).unwrap_or_default().matches('\n').count();
    while lines() < 2 {
        assert!(child.try_wait().expect("a child").is_none(), "it ended by itself");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let before = std::fs::read(&part).expect("answers");
    let resume = ["--skip-solved", &*part, "--nodes", "1000"];
    for options in [&[][..], &["--force"], &resume] {
        for (lang, text) in [("en", "in use by another run"), ("ja", "別の実行が使用中です")] {
            let ran = run([&arguments[..4], options, &["--lang", lang]].concat());
            ran.fails(2, &["out.tsv.part", text]);
            assert!(!ran.stderr.contains("--skip-solved"), "{}", ran.stderr);
        }
    }
    assert!(child.try_wait().expect("a child").is_none(), "the first run goes on");
    assert_eq!(std::fs::read(&part).expect("answers"), before);
    // The system releases the lock of a killed run.
    child.kill().expect("killed");
    child.wait().expect("ended");
    run(arguments).fails(2, &["unfinished", "--skip-solved"]);
    assert_eq!(run([&arguments[..4], &resume].concat()).code, 1);
    let verdicts: Vec<String> =
        verdicts(&lines_of(out.as_ref()).join("\n")).into_iter().map(|row| row.1).collect();
    assert_eq!(
        (verdicts, place.names()),
        (vec!["mate".into(), "unknown".into()], vec!["in.sfen".to_owned(), "out.tsv".to_owned()])
    );
}

#[test]
fn searches_of_a_problem_share_its_nodes() {
    let solve = |options: &[&str]| {
        let ran = run([&["solve", THREE, "--output", "json"][..], options].concat());
        json(&ran.stdout).remove(0)
    };
    let nodes = solve(&[])["nodes"].as_u64().expect("a number");
    let enough = (100 * nodes).to_string();
    let barely = (nodes + 5).to_string();
    // The verdict comes first, whatever else is asked for.
    for options in [&["--convention", "both"][..], &["--all"], &["--variations", "1"]] {
        for limit in [&enough, &barely] {
            let answer = solve(&[options, &["--nodes", limit]].concat());
            assert_eq!((&answer["verdict"], &answer["exact"]), (&"mate".into(), &true.into()), "{answer}");
            assert_eq!(answer["nodes"], nodes);
        }
    }
    let both = |limit: &str| solve(&["--convention", "both", "--nodes", limit])["strict_length"].clone();
    assert_eq!((both(&enough), both(&barely)), (3.into(), Value::Null));
    let checks = |limit: &str| {
        let answer = solve(&["--all", "--nodes", limit]);
        let checks = answer["checks"].as_array().expect("checks").clone();
        checks.iter().filter(|check| check["verdict"] == "unknown").count()
    };
    assert_eq!(checks(&enough), 0);
    assert!(checks(&barely) > 0);
    let variations =
        |limit: &str| solve(&["--variations", "1", "--nodes", limit])["variations_stopped"].clone();
    assert_eq!((variations(&enough), variations(&barely)), (Value::Null, "nodes".into()));
    let row = |limit: &str| {
        let ran = run(["solve", THREE, "--output", "tsv", "--nodes", limit]).ok();
        let row: Vec<String> = ran.lines().nth(1).expect("a row").split('\t').map(str::to_owned).collect();
        row[1..5].to_vec()
    };
    assert_eq!(row(&enough), ["mate", "3", "3", "3"]);
    assert_eq!(row(&barely), ["mate", "3", "-", "-"]);
}

#[test]
fn searches_of_a_problem_share_its_time() {
    // Each of these searches would take all of the time: two of them would take 6 seconds.
    for options in [&["--all"][..], &["--check", "--nodes", "1000000000"]] {
        let ran = run([&["solve", ENDLESS, "--time", "3s", "--output", "json"][..], options].concat());
        let answer = &json(&ran.stdout)[0];
        assert_eq!((ran.code, &answer["reason"]), (1, &"time".into()), "{answer}");
        assert!(answer["ms"].as_u64().expect("a number") < 6000, "{answer}");
    }
}

#[test]
fn illegal_author_line_is_refused_before_the_search() {
    let game = format!("sfen {ENDLESS} moves 5i5h");
    run(["solve", "--check", &*game, "--nodes", "1000000000000"]).fails(2, &["ply 1"]);
}

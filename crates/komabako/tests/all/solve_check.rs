//! `solve --check`: the header's length, line and pieces left over are of one line; an author's line is examined from its end.

use std::fs;
use std::path::Path;

use crate::support::{Place, run};
use komabako::board::{Position, sfen};
use komabako::rules::{Move16, State};
use serde_json::Value;

fn answers(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// The rows of the known answers: the cells of these columns.
fn known<const N: usize>(columns: [&str; N]) -> Vec<[String; N]> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../komabako-tsume/tests/data/lengths.tsv");
    let text = fs::read_to_string(path).expect("the known answers");
    let header: Vec<&str> = text.lines().next().expect("a header").split('\t').collect();
    let places = columns.map(|column| header.iter().position(|&name| name == column).expect("a column"));
    let row = |line: &str| {
        let cells: Vec<&str> = line.split('\t').collect();
        places.map(|place| cells[place].to_owned())
    };
    text.lines().skip(1).map(row).collect()
}

/// The number of pieces in the attacker's hand after a line.
fn left_after(position: &str, line: &[&str]) -> u32 {
    let setup = sfen::parse(position).expect("SFEN").setup;
    let attacker = setup.side_to_move();
    let mut state = State::<()>::new(&Position::new_tsume(setup).expect("a position")).expect("a problem");
    for mv in line {
        state.do_move(mv.parse::<Move16>().expect("a move"));
    }
    state.hand(attacker).len()
}

/// Asserts that a header is of one line.
#[track_caller]
fn assert_one_line(what: &str, sfen: &str, length: &str, line: &str, left: u32) {
    let moves: Vec<&str> = line.split(' ').collect();
    let position = sfen.strip_prefix("sfen ").unwrap_or(sfen).split(" moves").next().expect("a position");
    match length.strip_prefix("<=") {
        None => assert_eq!(moves.len(), length.parse::<usize>().expect("a length"), "{what}: {sfen}: {line}"),
        Some(most) => assert!(moves.len() <= most.parse().expect("a length"), "{what}: {sfen}: {line}"),
    }
    assert_eq!(left_after(position, &moves), left, "{what}: {sfen}: {line}");
}

#[test]
fn length_line_and_pieces_left_are_of_one_line() {
    let place = Place::new();
    let rows = known(["sfen", "tsume_line", "author_line"]);
    let bare: String = rows.iter().map(|[sfen, ..]| format!("{sfen}\n")).collect();
    let author: String = rows.iter().map(|[sfen, _, line]| format!("sfen {sfen} moves {line}\n")).collect();
    let main: String = rows.iter().map(|[sfen, line, _]| format!("sfen {sfen} moves {line}\n")).collect();
    let [bare, author, main] = [("bare", bare), ("author", author), ("main", main)]
        .map(|(name, text)| place.file(name, text).display().to_string());
    let mut compared = 0;
    for (input, options) in [
        (&bare, &["--line", "author"][..]),
        (&bare, &["--check"]),
        (&bare, &["--check", "--line", "author"]),
        (&author, &["--check"]),
        (&main, &["--check", "--line", "author"]),
    ] {
        let nodes = if options.contains(&"--check") { "300" } else { "20000" };
        let with = |form: &str| {
            let more = ["--nodes", nodes, "--output", form];
            run([&["solve", input][..], options, &more].concat()).stdout
        };
        let what = format!("{options:?}");
        let mut texts = Vec::new();
        for answer in answers(&with("json")) {
            let text = |name: &str| answer[name].as_str().unwrap_or("-").to_owned();
            let line: Vec<&str> = answer["line"]
                .as_array()
                .expect("moves")
                .iter()
                .map(|mv| mv.as_str().expect("a move"))
                .collect();
            if answer["verdict"] != "mate" || answer["line_complete"] != true {
                continue;
            }
            let at_most = if answer["exact"] == true { "" } else { "<=" };
            let length = format!("{at_most}{}", answer["length"]);
            let position = text("sfen");
            let left =
                left_after(position.trim_start_matches("sfen ").split(" moves").next().unwrap(), &line);
            assert_eq!(text("left") == "-", left == 0, "{what}: {answer}");
            assert_one_line(&what, &position, &length, &line.join(" "), left);
            texts.push((position, length.trim_start_matches("<=").to_owned(), line.join(" "), left));
            compared += 1;
        }
        for row in with("tsv").lines().skip(1) {
            let cells: Vec<&str> = row.split('\t').collect();
            if cells[1] == "mate" && cells[5] != "-" {
                assert_one_line(&what, cells[0], cells[2], cells[6], cells[5].parse().expect("a number"));
                compared += 1;
            }
        }
        let text = with("text");
        for (position, length, line, left) in texts {
            let row = text.lines().find(|row| row.starts_with(&position)).expect("a row");
            assert!(row.contains(&format!(" {length} (tsume)")) && row.contains(&line), "{what}: {row}");
            assert_eq!(row.contains("nothing left over"), left == 0, "{what}: {row}");
        }
    }
    assert!(compared > 1_000, "{compared}");
}

#[test]
fn line_that_is_shorter_than_the_longest_defence_says_so() {
    let author = "6l2/8k/5n1n1/6p2/7Lp/9/9/9/9 b GS2r2b3g3s2n2l16p 1 moves S*1c 1b1a G*1b";
    let answer =
        &answers(&run(["solve", "--check", &format!("sfen {author}"), "--output", "json"]).stdout)[0];
    assert_eq!((&answer["length"], &answer["longest"]), (&3.into(), &7.into()), "{answer}");
    assert_eq!(answer["left"], "-");
    let text = run(["solve", "--check", &format!("sfen {author}"), "--lang", "ja"]).stdout;
    assert!(text.starts_with("3手詰") && text.contains("最長の応手では 7 手"), "{text}");
}

/// The line of Zuko 1 as a program gave it, 69 plies.
const ZUKO_1: &str = "1pG1B4/Gs+P6/pP7/n1ls5/3k5/nL4+r1b/1+p1p+R4/1S7/2N6 b SP2gn2l11p 1 moves \
    S*5d 6e7e 7i8g 7e8f 5g6f 3f6f 5a9e+ 8f7f P*7g 6f7g 9e7g 7f8e R*1e R*2e 1e2e 1f2e 7g9e 8e7f R*2f R*3f 2f3f 2e3f 9e7g \
    7f8e R*3e R*4e 3e4e 3f4e 7g9e 8e7f R*4f L*5f 9e7g 7f8e 4f4e L*5e B*7f 7d7f 7g9e 8e7d 9e9f B*8e N*6f 7d8c 9b8b 8a8b \
    4e4c P*7c 4c7c+ 6d7c 7b7c 8c7c 9f9e L*8d P*7d 7c6b 9e8d 6b7a S*7b 7a7b 7d7c+ 7b8a 7c8b 8a8b L*8c 8b9b S*8a 9b9a 8d7c";

#[test]
fn an_authors_line_is_decided_from_its_end() {
    let ran = run(["solve", "--check", &format!("sfen {ZUKO_1}"), "--output", "json", "--nodes", "40000"]);
    let answer = &answers(&ran.stdout)[0];
    assert_eq!(answer["verdict"], "unknown", "{answer}");
    let findings = answer["findings"].as_array().expect("findings");
    let open: Vec<&Value> = findings
        .iter()
        .filter(|finding| finding["kind"] == "undecided" && finding["move"].is_null())
        .collect();
    // The ply before which no mate is known, and the one before which no shortest mate is. Replies may be open after them.
    let first = open[0];
    assert!(first["length"].is_null() && first["ply"].as_u64().expect("a ply") < 41, "{first}");
    let lengths: Vec<&Value> = open.into_iter().filter(|finding| !finding["length"].is_null()).collect();
    assert_eq!(lengths.len(), 1, "{answer}");
    assert!(lengths[0]["ply"].as_u64() > first["ply"].as_u64(), "{answer}");
    // Other mates are found at later plies.
    let others = ["dual", "rejoin", "equal-defence"];
    assert!(findings.iter().any(|found| others.iter().any(|&kind| found["kind"] == kind)), "{answer}");
}

#[test]
fn duals_have_classes() {
    let class = |problem: &str, mv: &str| {
        let ran = run(["solve", "--check", problem, "--output", "json"]);
        let answer = answers(&ran.stdout).remove(0);
        let findings = answer["findings"].as_array().expect("findings").clone();
        let found = findings.iter().find(|found| found["move"] == mv).expect("a finding");
        (found["kind"].as_str().unwrap().to_owned(), found["class"].as_str().unwrap_or("-").to_owned())
    };
    let first = "9/5gS1k/9/9/9/9/9/9/9 b GS2r2b2g2s4n4l18p 1";
    assert_eq!(class(first, "G*2c"), ("dual".to_owned(), "first-move".to_owned()));
    let detour = "9/9/8l/8k/9/8N/8p/9/9 b 2R2b4g4s3n3l17p 1";
    assert_eq!(class(detour, "2e2d"), ("rejoin".to_owned(), "detour".to_owned()));
}

const FIVE: &str = "1k7/3p5/nPL6/9/P8/9/9/9/9 b 2BN2r4g4s2n3l15p 1";

#[test]
fn variations_of_a_record_are_checked() {
    let place = Place::new();
    let record = run(["solve", FIVE, "--variations", "1", "--output", "kif"]).ok();
    let kinds = |text: &str| {
        let path = place.file("tree.kifu", text).display().to_string();
        let ran = run(["solve", "--check", &*path, "--output", "json"]);
        let answer = answers(&ran.stdout).remove(0);
        let findings = answer["findings"].as_array().expect("findings").clone();
        let kinds = findings.iter().map(|found| found["kind"].as_str().expect("a kind").to_owned());
        (
            answer["sound"].as_str().expect("a verdict").to_owned(),
            kinds.filter(|kind| kind.starts_with("variation")).collect::<Vec<_>>(),
        )
    };
    assert_eq!(kinds(&record), ("sound".to_owned(), Vec::new()), "{record}");
    // The bishop gives no check.
    let wrong = record + "\n変化：2手\n   2 ７一玉(81)\n   3 ５三角打\n";
    assert_eq!(kinds(&wrong), ("sound".to_owned(), vec!["variation-escapes".to_owned()]), "{wrong}");
}

/// Our own records state the lengths of the mate and of each variation.
#[test]
fn stated_lengths_are_compared() {
    let place = Place::new();
    let record = run(["solve", FIVE, "--variations", "1", "--lang", "ja", "--output", "kif"]).ok();
    assert!(record.contains("5手詰") && record.contains("*3 手"), "{record}");
    let solved = |text: &str, form: &str| {
        let path = place.file("stated.kifu", text).display().to_string();
        run(["solve", "--check", &*path, "--output", form]).stdout
    };
    let stated = |text: &str| answers(&solved(text, "json")).remove(0)["stated_length"].as_u64();
    let lengths = |text: &str| {
        let answer = answers(&solved(text, "json")).remove(0);
        let findings = answer["findings"].as_array().expect("findings").clone();
        findings.iter().filter(|found| found["kind"] == "variation-length").count()
    };
    assert_eq!((stated(&record), lengths(&record)), (Some(5), 0));
    assert!(!solved(&record, "text").contains("states"), "{record}");
    let wrong = record.replace("5手詰", "７手詰").replace("*3 手", "*7 手");
    assert_eq!(stated(&wrong), Some(7));
    assert!(lengths(&wrong) > 0 && solved(&wrong, "text").contains("\n  the author states 7 plies\n"));
    // The key of the header is asked first.
    assert_eq!(stated(&format!("手数：9手\n{record}")), Some(9));
    let list = place
        .file("list.txt", format!("{FIVE}\t手数=5\n{FIVE}\t作者\t3手詰\n{FIVE}\n"))
        .display()
        .to_string();
    let ran = run(["solve", &*list, "--output", "json"]).ok();
    let found: Vec<_> = answers(&ran).iter().map(|answer| answer["stated_length"].as_u64()).collect();
    assert_eq!(found, [Some(5), Some(3), None]);
    let text = run(["solve", &*list, "--lang", "ja"]).ok();
    assert_eq!(text.matches("作者の記載は 3 手").count(), 1, "{text}");
}

/// A row for a contest: soundness, pieces left over, duals, pieces that are not needed.
#[test]
fn needless_pieces_are_a_column() {
    const EXTRA: &str = "8k/9/8P/9/9/9/9/9/P8 b G2r2b3g4s4n4l16p 1";
    let row = run(["solve", "--check", "--needless", EXTRA, "--output", "tsv"]).ok();
    let [names, cells] =
        [0, 1].map(|line| row.lines().nth(line).expect("two lines").split('\t').collect::<Vec<_>>());
    let cell = |name: &str| cells[names.iter().position(|&known| known == name).expect("a column")];
    assert_eq!(["sound", "length", "left", "duals", "needless"].map(cell), ["sound", "1", "0", "-", "P9i"]);
    let text = run(["solve", "--check", "--needless", EXTRA]).ok();
    assert!(text.contains("not needed, one by one: P9i\n"), "{text}");
    let every = run(["solve", "--check", "--needless", FIVE, "--output", "json"]).ok();
    assert_eq!(answers(&every)[0]["needless_complete"], true, "{every}");
    assert_eq!(run(["solve", "--needless", FIVE]).code, 2);
    // Of a problem that is not sound, or undecided, nothing was examined.
    const DUAL: &str = "9/5gS1k/9/9/9/9/9/9/9 b GS2r2b2g2s4n4l18p 1";
    let unsound = ["solve", "--check", "--needless", DUAL];
    let text = run(unsound).stdout;
    assert!(text.contains("not examined") && !text.contains("every piece is needed"), "{text}");
    let answer = &answers(&run([&unsound[..], &["--output", "json"]].concat()).stdout)[0];
    assert!(answer["needless"].is_null() && answer["needless_complete"].is_null(), "{answer}");
    let limited = ["solve", "--check", "--needless", EXTRA, "--nodes", "0"];
    assert!(!run(limited).stdout.contains("every piece is needed"));
}

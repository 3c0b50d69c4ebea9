//! `perft`, `moves`, `play` and `diagram`: counts and texts of known positions, illegal moves, ends of games.

use std::fs;

use komabako::board::sfen::Sfen;
use komabako::board::{Position, Setup};
use komabako::rules::State;
use komabako_testkit::setups;

use crate::support::{Place, run, run_on};

const START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

/// A king alone against a pawn, and a gold in hand: mate in one.
const TSUME: &str = "4k4/9/4P4/9/9/9/9/9/9 b G 1";

#[test]
fn perft_prints_one_line_of_nodes_and_then_the_time() {
    for (depth, nodes) in [("0", 1), ("1", 30), ("2", 900), ("3", 25_470), ("4", 719_731)] {
        for counting in [
            &[][..],
            &["--threads", "2"],
            &["--threads", "0"],
            &["--hash", "1"],
            &["--hash", "1", "--threads", "2"],
            &["--backend", "soft"],
        ] {
            let printed = run(["perft", "--sfen", START, "--depth", depth].iter().chain(counting)).ok();
            let lines: Vec<&str> = printed.lines().collect();
            assert_eq!((lines.len(), lines[0]), (2, &*format!("nodes {nodes}")), "{counting:?}");
            assert!(lines[1].starts_with("time ") && lines[1].ends_with(" nodes/s"), "{}", lines[1]);
        }
    }
}

#[test]
fn perft_divide_adds_up_and_accepts_moves() {
    let printed = run("perft startpos moves 7g7f --depth 3 --divide".split(' ')).ok();
    let lines: Vec<&str> = printed.lines().collect();
    let (divided, rest) = lines.split_at(lines.len() - 2);
    let counts = divided.iter().map(|line| line.split_once(' ').unwrap());
    let total: u64 = counts.clone().map(|(_, count)| count.parse::<u64>().unwrap()).sum();
    assert_eq!((divided.len(), rest[0]), (30, &*format!("nodes {total}")));
    assert!(counts.map(|(mv, _)| mv).is_sorted());
    let whole = run("perft 7g7f --depth 3".split(' ')).ok();
    assert_eq!(whole.lines().next(), Some(rest[0]));
}

#[test]
fn perft_counts_handicaps_and_lone_kings() {
    let handicap = "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1";
    for (sfen, depth, nodes) in [(handicap, "1", 26), (TSUME, "1", 81), ("4k4/9/9/9/9/9/9/9/9 w - 1", "1", 5)]
    {
        let printed = run(["perft", "--sfen", sfen, "--depth", depth]).ok();
        assert_eq!(printed.lines().next(), Some(&*format!("nodes {nodes}")), "{sfen}");
    }
}

#[test]
fn moves_are_listed_in_every_notation() {
    let usi = run(["moves"]).ok();
    assert_eq!(usi.lines().count(), 30);
    assert!(usi.lines().is_sorted() && usi.lines().any(|line| line == "7g7f"), "{usi}");
    assert!(run(["moves", "--csa"]).ok().lines().any(|line| line == "+7776FU"));
    let japanese = run("moves startpos moves 7g7f 3c3d 8h2b+ --japanese".split(' ')).ok();
    assert!(japanese.lines().any(|line| line == "△同銀"), "{japanese}");
    let json = run(["moves", "--json", "--sfen", TSUME]).ok();
    let listing: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(listing["sfen"], TSUME);
    let drop = listing["legal_moves"].as_array().unwrap().iter().find(|mv| mv["usi"] == "G*5b").unwrap();
    assert_eq!((&drop["csa"], &drop["japanese"]), (&"+0052KI".into(), &"▲5二金".into()));
}

#[test]
fn moves_are_read_in_every_notation_that_is_written() {
    let played = |words: &[&str]| run([&["play"][..], words].concat()).ok();
    let usi = played(&["7g7f", "3c3d", "8h2b+", "3a2b"]);
    assert_eq!(played(&["startpos", "7g7f", "3c3d", "8h2b+", "3a2b"]), usi);
    assert_eq!(played(&["+7776FU", "-3334FU", "+8822UM", "-3122GI"]), usi);
    assert_eq!(played(&["▲7六歩 △3四歩 ▲2二角成 △同銀"]), usi);
    assert_eq!(played(&["７六歩(77) ３四歩(33) ２二角成(88) 同　銀(31)"]), usi);
    assert_eq!(run(["inspect", "7g7f", "3c3d", "8h2b+", "3a2b"]).ok().lines().next(), usi.lines().next());
    let lines = "startpos moves 7g7f 3c3d 8h2b+ 3a2b\nstartpos ▲7六歩 △3四歩 ▲2二角成 △同銀\n";
    let words = run_on(lines, ["encode", "--format", "psv"]).ok();
    let [one, other] = words.lines().collect::<Vec<_>>()[..] else { panic!("{words}") };
    assert!(
        one == other
            && run_on(one, ["decode", "--format", "psv"]).ok().starts_with(usi.split(" b ").next().unwrap())
    );
    // The author's line, by which the answer would say that it is illegal.
    for line in ["moves G*5b", "▲５二金"] {
        let rows = run(["solve", "--output", "tsv", &format!("{TSUME} {line}")]).ok();
        assert_eq!(rows.lines().nth(1).and_then(|row| row.split('\t').nth(4)), Some("1"), "{rows}");
    }
    assert_eq!(played(&["startpos", "moves", "7g7f", "△3四歩", "+8822UM", "3a2b"]), usi);
    assert_eq!(played(&["--sfen", START, "7g7f", "-3334FU", "8h2b+", "3a2b"]), usi);
    for (words, names) in [
        (&["+7775FU"][..], &["move 1, +7775FU: ", "komabako moves"][..]),
        (&["-3334FU"], &["move 1, ", "3334FU: ", "komabako moves"]),
        (&["▲5五角", "--lang", "ja"], &["1 手目の ▲5五角", "komabako moves"]),
        (&["▲５八金"], &["move 1, ▲５八金: ", "右"]),
        (&["▲５八金", "--lang", "ja"], &["1 手目の ▲５八金", "右"]),
        (&["投了"], &["move 1, 投了: ", "▲7六歩"]),
    ] {
        run([&["moves", "--json"][..], words].concat()).refused(1, "move_text", names);
        run([&["play"][..], words].concat()).fails(1, names);
    }
}

#[test]
fn moves_that_give_check_are_listed_alone() {
    let checks = run(["moves", "--sfen", TSUME, "--checks"]).ok();
    assert_eq!(checks.lines().collect::<Vec<_>>(), ["5c5b", "5c5b+", "G*4a", "G*4b", "G*5b", "G*6a", "G*6b"]);
}

#[test]
fn an_illegal_move_is_named_with_its_number_and_the_reason() {
    for (moves, kind, names) in [
        ("7g7f 7c7e", "illegal_move", &["move 2, 7c7e, "][..]),
        ("7g7f 7c7e --lang ja", "illegal_move", &["2 手目の 7c7e "]),
        ("7g7f 7c7x", "move_text", &["move 2, 7c7x: ", "`x`", "USI"]),
        ("7g7f P*5e --lang ja", "illegal_move", &["2 手目の P*5e"]),
        ("7g7g", "move_text", &["move 1, 7g7g: ", "`7`", "USI"]),
        ("7g7f 3c3c --lang ja", "move_text", &["2 手目", "USI"]),
    ] {
        run(format!("moves --json {moves}").split(' ')).refused(1, kind, names);
        run(format!("play {moves}").split(' ')).fails(1, names);
    }
    run(["perft", "--depth", "2", "startpos", "moves", "1i1a"]).fails(1, &["move 1, 1i1a"]);
    let most = usize::MAX.to_string();
    run(["perft", "--depth", "2", "startpos", "--hash", &most]).fails(2, &["there is not so much memory"]);
}

#[test]
fn a_position_that_cannot_be_played_is_refused() {
    run(["moves", "--json", "hello"]).refused(2, "sfen", &["column 1", "startpos"]);
    run(["moves", "--json", "--sfen", "9/9/9/9/9/9/9/9/9 b - 1"]).refused(2, "position", &["king"]);
    run(["moves", "--json", "--sfen", "4k4/9/9/9/9/9/9/9/4R2K1 b - 1"]).refused(2, "position", &["in check"]);
    run(["perft"]).fails(2, &["--depth"]);
}

#[test]
fn lone_number_is_the_depth_of_perft() {
    assert_eq!(run(["perft", "3"]).ok().lines().next(), Some("nodes 25470"));
    assert_eq!(run(["perft", "--sfen", TSUME, "1"]).ok().lines().next(), Some("nodes 81"));
    let ran = run(["perft", "startpos", "--lang", "ja"]);
    ran.fails(2, &["--depth 5"]);
}

#[test]
fn missing_file_is_not_reported_as_a_faulty_position() {
    for command in ["moves", "solve"] {
        run([command, "--json", "no-such-file.kif"]).refused(2, "open", &["no-such-file.kif"]);
    }
    let ran = run(["play", "no-such-file.kif"]);
    ran.fails(2, &["no-such-file.kif"]);
    assert!(!ran.stderr.contains("column"), "{}", ran.stderr);
    let ran = run(["solve", "--json", "no-such-file.sfen", "--lang", "ja"]);
    ran.refused(2, "open", &["no-such-file.sfen"]);
    run(["solve", "--json", env!("CARGO_MANIFEST_DIR")]).refused(2, "open", &["directory"]);
    // A text that cannot be a name is a position with a fault.
    run(["solve", "--json", "lnsgkgsnl/9/o b - 1"]).refused(2, "problem", &["column 13"]);
}

#[test]
fn sfen_of_every_position_is_that_position_for_every_command() {
    let hostile = [
        "2g2gs1l/l1s6/3k2+Bpn/1p1p4p/p1P6/2S2sPP1/PP1Gnp2P/L2RK3L/1N2G2N1 w 2P4p 67",
        // The hands look like a move too.
        "4k4/9/9/9/9/9/9/9/4K4 w 2b2g 2",
    ];
    let playable =
        |setup: &Setup| Position::new_tsume(*setup).is_ok_and(|position| State::<()>::new(&position).is_ok());
    let random = setups::random(37).filter(playable).map(|setup| Sfen { setup, ply: Some(7) }.to_string());
    for sfen in hostile.map(str::to_owned).into_iter().chain(random.take(6)) {
        let listing: serde_json::Value = serde_json::from_str(&run(["moves", "--json", &sfen]).ok()).unwrap();
        let legal = &listing["legal_moves"];
        let mv = legal[0]["usi"].as_str();
        for before in ["", "sfen ", "position sfen "] {
            let text = format!("{before}{sfen}");
            let shown = |text: &str| {
                let listing: serde_json::Value =
                    serde_json::from_str(&run(["moves", "--json", text]).ok()).unwrap();
                assert_eq!(run(["play", text]).ok().lines().next(), listing["sfen"].as_str());
                assert_eq!(run(["inspect", text]).ok().lines().next(), listing["sfen"].as_str());
                let nodes = run(["perft", text, "--depth", "1"]).ok();
                assert_eq!(
                    nodes.lines().next().unwrap(),
                    format!("nodes {}", listing["legal_moves"].as_array().unwrap().len())
                );
                let word = run_on(text, ["encode", "--format", "c250"]).ok();
                let setup = listing["sfen"].as_str().unwrap();
                assert_eq!(word, run_on(setup, ["encode", "--format", "c250"]).ok());
                setup.to_owned()
            };
            assert_eq!(shown(&text), sfen);
            if let Some(mv) = mv {
                let after = shown(&format!("{text} moves {mv}"));
                assert!(after != sfen && shown(&format!("{text} {mv}")) == after, "{text}");
            }
            // Without quotes, too. A position that is no problem is refused as one, by its own name.
            let solved = run(["solve", "--json", "--nodes", "1"].into_iter().chain(text.split(' ')));
            assert!(!solved.stderr.contains("column"), "{text}: {}", solved.stderr);
        }
    }
}

#[test]
fn diagrams_are_drawn_of_positions_and_games() {
    let place = Place::new();
    let path = |name: &str| place.path(name).display().to_string();
    let file = path("a.svg");
    let picture = |words: &[&str]| run(["diagram"].iter().chain(words)).ok();
    let start = picture(&["startpos", "-"]);
    assert!(start.starts_with("<svg ") && start.ends_with("</svg>\n"), "{start}");
    assert_eq!(picture(&["7g7f", "3c3d", "--ply", "0", "-"]), start);
    assert_ne!(picture(&["7g7f", "-"]), start);
    assert_ne!(picture(&["startpos", "--flip", "-"]), start);
    assert_ne!(picture(&["startpos", "--book", "-"]), start);
    place.file("g.kif", "手合割：平手\n1 ７六歩(77)\n");
    let game = path("g.kif");
    run(["diagram", &game, &file, "--ply", "0"]).ok();
    assert_eq!(fs::read_to_string(&file).unwrap(), start);
    run(["diagram", &game, &file]).fails(2, &["--force"]);
    assert_eq!(fs::read_to_string(&file).unwrap(), start);
    run(["diagram", &game, &file, "--force"]).ok();
    assert_eq!(fs::read_to_string(&file).unwrap(), picture(&["7g7f", "-"]));
    // The same files as in the test of the page's pictures.
    let every_kind = "+P+L+N+S+B+R3/+p+l+n+s+b+r3/k8/8K/9/9/9/9/9 w 2G2SNL10P2g6p 1";
    assert_eq!(picture(&[every_kind, "-"]), include_str!("../../../../web/test/fixtures/board.svg"));
    assert_eq!(
        picture(&[every_kind, "--flip", "-"]),
        include_str!("../../../../web/test/fixtures/turned.svg")
    );
    assert_eq!(picture(&[every_kind, "--book", "-"]), include_str!("../../../../web/test/fixtures/book.svg"));
    run(["diagram", &game, "a.png"]).fails(2, &["diagram startpos start.svg"]);
    run(["diagram", &game, &file, "--ply", "2", "--force"]).fails(2, &["has 1 moves", "--ply 1"]);
}

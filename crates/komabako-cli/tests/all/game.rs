//! `perft`, `moves` and `play`: counts and texts of known positions, illegal moves, ends of games.

use crate::support::run;

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
fn play_prints_the_position_and_the_state_of_the_game() {
    let played = run("play 7g7f 3c3d 8h2b+".split(' ')).ok();
    let sfen = "lnsgkgsnl/1r5+B1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/7R1/LNSGKGSNL w B 4";
    assert_eq!(played, format!("{sfen}\nWhite to move; legal moves: 33\n"));
    let drawn = run("play startpos --diagram".split(' ')).ok();
    assert!(drawn.contains("|v香v桂v銀v金v玉v金v銀v桂v香|一"), "{drawn}");
    let mate = run(["play", "--sfen", TSUME, "G*5b"]).ok();
    assert_eq!(mate, "4k4/4G4/4P4/9/9/9/9/9/9 w - 2\nWhite to move; checkmate\n");
    assert!(run(["play", "--sfen", TSUME, "G*5b", "--lang", "ja"]).ok().ends_with("後手番、詰み\n"));
}

#[test]
fn moves_are_read_in_every_notation_that_is_written() {
    let played = |words: &[&str]| run([&["play"][..], words].concat()).ok();
    let usi = played(&["7g7f", "3c3d", "8h2b+", "3a2b"]);
    assert_eq!(played(&["startpos", "7g7f", "3c3d", "8h2b+", "3a2b"]), usi);
    assert_eq!(played(&["+7776FU", "-3334FU", "+8822UM", "-3122GI"]), usi);
    assert_eq!(played(&["▲7六歩 △3四歩 ▲2二角成 △同銀"]), usi);
    assert_eq!(played(&["startpos", "moves", "7g7f", "△3四歩", "+8822UM", "3a2b"]), usi);
    assert_eq!(played(&["--sfen", START, "7g7f", "-3334FU", "8h2b+", "3a2b"]), usi);
    for (words, texts) in [
        (&["+7775FU"][..], &["move 1: ", "no legal move"][..]),
        (&["-3334FU"], &["not to move"]),
        (&["▲5五角", "--lang", "ja"], &["合法手がありません", "日本語 (▲7六歩)"]),
    ] {
        run([&["play"][..], words].concat()).fails(1, texts);
    }
}

#[test]
fn moves_that_give_check_are_listed_alone() {
    let checks = run(["moves", "--sfen", TSUME, "--checks"]).ok();
    assert_eq!(checks.lines().collect::<Vec<_>>(), ["5c5b", "5c5b+", "G*4a", "G*4b", "G*5b", "G*6a", "G*6b"]);
}

#[test]
fn play_reports_every_game_end() {
    let standing = |text: &str| {
        let words = text.split(' ');
        run(["play"].into_iter().chain(words)).ok().lines().last().unwrap().to_owned()
    };
    let shuffle = "5i5h 5a5b 5h5i 5b5a";
    assert!(standing(shuffle).ends_with("; occurrence 2 of the position"));
    assert!(standing(&[shuffle; 3].join(" ")).ends_with("; fourth repetition: drawn"));

    let perpetual = format!("4k4/9/9/9/9/9/9/5K3/r8 w - 1 moves 9i9h{}", " 4h4i 9h9i 4i4h 9i9h".repeat(3));
    assert!(standing(&perpetual).ends_with("by perpetual check: White loses"));
    assert!(standing("8k/6G2/8K/9/9/9/9/9/9 w - 1").contains("no legal move"));
    assert!(standing("4k4/9/9/9/9/4r4/4r4/9/4K4 b - 1").contains("in check; legal moves: 4"));
    let declaration = "+P+P+P+P+P+P+P+PK/+P+P7/9/9/9/9/9/9/4k4 b 2R2B2G 1";
    assert!(standing(declaration).ends_with("may declare a win (32 points)"));
}

#[test]
fn an_illegal_move_is_named_with_its_number_and_the_reason() {
    run("play 7g7f 7c7e".split(' ')).fails(1, &["move 2, 7c7e, is illegal", "in its way"]);
    run("play 7g7f 7c7e --lang ja".split(' ')).fails(1, &["2 手目の 7c7e は反則です", "間に駒"]);
    run("play 7g7f 7c7x".split(' ')).fails(1, &["move 2: expected a rank, a to i, found `x`", "USI"]);
    run("play 7g7f P*5e --lang ja".split(' ')).fails(1, &["2 手目の P*5e", "持ち駒に歩がありません"]);
    run("play 7g7g".split(' ')).fails(1, &["move 1: expected another square", "found `7`", "USI"]);
    run("play 7g7f 3c3c --lang ja".split(' ')).fails(1, &["移動先が移動元と同じマスです"]);
    run(["perft", "--depth", "2", "startpos", "moves", "1i1a"]).fails(1, &["move 1, 1i1a"]);
}

#[test]
fn a_position_that_cannot_be_played_is_refused() {
    run(["moves", "hello"]).fails(2, &["position, column 1", "startpos"]);
    run(["moves", "--sfen", "9/9/9/9/9/9/9/9/9 b - 1"]).fails(2, &["king is missing"]);
    run(["moves", "--sfen", "4k4/9/9/9/9/9/9/9/4R2K1 b - 1"]).fails(2, &["in check"]);
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
    for command in ["play", "moves", "solve"] {
        let ran = run([command, "no-such-file.kif"]);
        ran.fails(2, &["no-such-file.kif", "No such file"]);
        assert!(!ran.stderr.contains("column"), "{}", ran.stderr);
    }
    run(["solve", "no-such-file.sfen", "--lang", "ja"]).fails(2, &["no-such-file.sfen", "ありません"]);
    run(["solve", env!("CARGO_MANIFEST_DIR")]).fails(2, &["directory"]);
    // A text that cannot be a name is a position with a fault.
    run(["solve", "lnsgkgsnl/9/o b - 1"]).fails(2, &["column 13"]);
}

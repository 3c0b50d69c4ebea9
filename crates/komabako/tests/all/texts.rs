//! The texts for people, whose wording is tested here and nowhere else: results that have no other form (`play`, `inspect`,
//! `info`, `formats`), explanations in both languages, and help. The other tests read the members of `--json`, error kinds,
//! names and files, so that a text can be reworded without them.

use std::ffi::OsStr;
use std::fs;

use crate::support::{feed, program, run, run_on, sample};
use crate::validate::{MISSED_MATE, damaged, printed};

/// A king alone against a pawn, and a gold in hand: mate in one.
const TSUME: &str = "4k4/9/4P4/9/9/9/9/9/9 b G 1";

#[test]
fn formats_are_listed_with_what_conversions_lose() {
    let listed = run(["formats"]).ok();
    assert!(listed.contains("hcpe3") && listed.contains(".psfen"), "{listed}");
    let losses = run(["formats", "--from", "psv", "--to", "hcpe"]).ok();
    assert!(losses.starts_with("psv -> hcpe\n") && losses.contains("ply: left out"), "{losses}");
    assert!(run(["formats", "--from", "hcp", "--to", "hcp"]).ok().contains("nothing is lost"));
    assert!(run(["formats", "--lang", "ja"]).ok().contains("やねうら王"));
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
fn reasons_of_refused_moves_are_explained() {
    for (moves, lang, text) in [
        ("7g7f 7c7e", "en", "in its way"),
        ("7g7f 7c7e", "ja", "間に駒があります"),
        ("7g7f 7c7x", "en", "expected a rank, a to i, found `x`"),
        ("7g7f P*5e", "ja", "持ち駒に歩がありません"),
        ("7g7g", "en", "expected another square"),
        ("7g7f 3c3c", "ja", "移動先が移動元と同じマスです"),
        ("+7775FU", "en", "no legal move"),
        ("-3334FU", "en", "not to move"),
        ("▲5五角", "ja", "合法手がありません"),
    ] {
        run(["play", "--lang", lang].into_iter().chain(moves.split(' '))).fails(1, &[text]);
    }
}

#[test]
fn an_sfen_may_be_given_without_quotes() {
    let shown = run(["inspect", "4k4/9/9/9/9/9/9/4P4/4P4", "b", "-", "1"]).ok();
    // One king is enough, as in tsume shogi; two pawns on a file are not.
    assert!(!shown.contains("not playable: Black's king"), "{shown}");
    assert!(shown.contains("not playable: Black has unpromoted pawns on 5h and 5i"), "{shown}");
    assert!(shown.contains("- Black's king is missing, and the format has no room"), "{shown}");
}

#[test]
fn a_position_with_one_king_is_shown_in_the_formats_that_hold_it() {
    let tsume = "8k/9/7S1/9/9/9/9/9/9 b 2G 1";
    let shown = run(["inspect", tsume]).ok();
    assert_eq!(shown.matches("- Black's king is missing").count(), 4, "{shown}");
    for text in ["sspfv1-ext, field by field", "missing (126", "tail of"] {
        assert!(shown.contains(text), "no {text} in {shown}");
    }
    for (format, text) in
        [("c250", "payload 0"), ("r238", "White's king only, 0 pawns, 1 others on the board; number")]
    {
        let shown = run(["inspect", tsume, "--format", format]).ok();
        assert!(shown.contains(text), "no {text} in {shown}");
        let word = run_on(tsume, ["encode", "--format", format]).ok();
        let shown = run(["inspect", word.trim()]).ok();
        assert!(shown.contains(tsume.trim_end_matches(" 1")) && shown.contains(text), "{shown}");
    }
    let japanese = run(["inspect", tsume, "--lang", "ja", "--format", "r238"]).ok();
    assert!(japanese.contains("後手の玉のみ"), "{japanese}");
}

#[test]
fn detection_reports_its_reasons() {
    let printed = run([OsStr::new("info"), sample("sample.hcpe").as_os_str()]).ok();
    for text in
        ["hcpe: Apery", "the file name has an extension of hcpe", "2,000", "move 3c3d, score 300, White won"]
    {
        assert!(printed.contains(text), "no {text} in {printed}");
    }
    let printed = run([OsStr::new("info"), sample("sample.psv").as_os_str(), OsStr::new("--lang=ja")]).ok();
    assert!(printed.contains("やねうら王") && printed.contains("後手勝ち"), "{printed}");
}

#[test]
fn odd_columns_are_noted() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("blank.psv");
    let mut records = fs::read(sample("sample.psv")).unwrap();
    for record in records.chunks_exact_mut(40) {
        record[32..38].fill(0);
        record[39] = 1;
    }
    fs::write(&path, records).unwrap();
    // `validate` would name the padding too, so the exit code is 1.
    let ran = run([OsStr::new("info"), path.as_os_str()]);
    ran.fails(1, &[]);
    for text in
        ["every score is 0", "no ply is known", "no record has a move", "padding byte is not 0: 2,000"]
    {
        assert!(ran.stdout.contains(text), "no {text} in {}", ran.stdout);
    }
}

#[test]
fn games_are_counted_and_their_damage_is_reported() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a.pack");
    let info = |games: &[&[u8]], lang| {
        fs::write(&path, games.concat()).unwrap();
        run([OsStr::new("info"), path.as_os_str(), OsStr::new("--lang"), OsStr::new(lang)])
    };
    let empty = &[1, 0, 0, 3][..];
    let game = &[1, 0x3b, 0x1e, 57, 0, 0x81, 0, 0][..];
    let printed = info(&[empty, game, empty], "en").ok();
    assert!(printed.contains("  records  1\n  games    3\n"), "{printed}");
    for (lang, text) in
        [("en", "a GenSfen game starts with 2, not with 0 or 1"), ("ja", "0 でも 1 でもなく 2 です")]
    {
        let ran = info(&[game, &[2]], lang);
        assert!(ran.code == 1 && ran.stdout.contains(text), "no {text} in {}", ran.stdout);
    }
}

/// 最終手余詰 is a move that mates at once. A longer mate at the last ply is a dual, though no defect.
#[test]
fn mate_at_the_last_ply_is_distinguished_from_a_longer_one() {
    let at_once = "8k/9/7PP/9/9/9/9/9/9 b G2r2b3g4s4n4l16p 1";
    let later = "1pk6/4l4/1S7/n8/9/9/9/9/9 b 2BGN2r3g3s2n3l17p 1";
    for (lang, name, longer) in
        [("ja", "最終手余詰", "最終手での余詰"), ("en", "mates at the last ply too", "a longer mate")]
    {
        let [at_once, later] = [at_once, later]
            .map(|sfen| run(["solve", "--check", sfen, "--lang", lang, "--nodes", "5000"]).stdout);
        assert!(at_once.contains(name) && !at_once.contains(longer), "{at_once}");
        assert!(later.contains(longer), "{later}");
        let line = later.lines().find(|line| line.contains("B*1g")).expect("a finding");
        assert!(line.contains(longer) && !line.contains(name), "{line}");
    }
}

#[test]
fn inverted_results_are_explained() {
    let mut records = fs::read(sample("sample.psv")).unwrap();
    records.chunks_mut(40).for_each(|record| record[38] = record[38].wrapping_neg());
    for (lang, text) in [("en", "other side's view"), ("ja", "視点が逆")] {
        assert!(run_on(&records, ["stats", "-", "--from", "psv", "--lang", lang]).ok().contains(text));
    }
}

#[test]
fn help_names_the_place_of_the_output() {
    assert!(run(["--help"]).ok().contains("name the output last"));
}

/// A text breaks after these, and has no blank there.
#[test]
fn japanese_texts_have_no_blank_after_punctuation() {
    let pages = tempfile::tempdir().unwrap();
    let page = pages.path().join("komabako-convert.1");
    run([OsStr::new("man"), OsStr::new("--lang=ja"), pages.path().as_os_str()]).ok();
    let page = fs::read_to_string(page).unwrap();
    assert!(page.contains("複数のマシンで分担するためのもので、\\:出力を"), "{page}");
    let help = run(["convert", "--help", "--lang", "ja"]).ok();
    // Its lines are not longer for that.
    assert!(help.lines().all(|line| line.chars().count() <= 100), "{help}");
    let completions = run(["completions", "zsh", "--lang", "ja"]).ok();
    for text in [page, help, completions, run(["--help", "--lang", "ja"]).ok()] {
        let found = text.lines().find(|line| ["、 ", "。 "].iter().any(|blank| line.contains(blank)));
        assert_eq!(found, None);
    }
}

#[test]
fn findings_are_counted_placed_and_explained() {
    let (bytes, drop) = damaged();
    let ran = run_on(&bytes, ["validate", "-"]);
    assert_eq!(ran.code, 1);
    let printed = ran.stdout;
    for text in [
        "codec      1: KING_CODE 1",
        "record 17 (byte 680): a king's code is not a square",
        "result     1: RESULT 1",
        "record 500 (byte 20,000)",
        "MOVE_ENCODING_",
        &format!("record {drop} (byte"),
        "is illegal in the format's encoding, but legal in",
        "of ",
        "help: the file is mixed; rewrite them with `komabako repair --moves mixed`",
        "where the position cannot be read: 1 record",
        "something is wrong:",
    ] {
        assert!(printed.contains(text), "no {text:?} in: {printed}");
    }
    let printed = run_on(&bytes, ["validate", "-", "--lang", "ja"]).stdout;
    for text in [
        "2,000 レコード",
        "玉の位置が盤のマスではありません",
        "この形式のエンコーディングでは反則ですが",
        "混在",
        "問題あり",
    ] {
        assert!(printed.contains(text), "no {text:?} in: {printed}");
    }
}

#[test]
fn misread_move_is_explained() {
    let sfens = "4k4/9/9/8S/9/9/9/9/4K4 b N 1\n4k4/9/8+S/9/9/9/9/9/4K4 w N 1\n";
    let words = feed(
        program().args(["convert", "--from", "sfen", "--to", "packed_sfen", "-", "-"]),
        sfens.as_bytes(),
    );
    let mut psv = Vec::new();
    for (word, best_move) in words.stdout.chunks(32).zip([0x4182_u16, 0]) {
        psv.extend([word, &[0, 0], &best_move.to_le_bytes(), &[1, 0, 0, 0]].concat());
    }
    let [english, japanese] = printed(&psv);
    let text = "move: 0x4182 is N*1c in the format's encoding, but the next position comes after 1d1c+ (encoding B, C)";
    assert!(english.contains(text), "{english}");
    let text =
        "指し手 0x4182 はこの形式では N*1c ですが、次の局面はエンコーディング B、C の 1d1c+ の後のものです";
    assert!(japanese.contains(text), "{japanese}");
}

#[test]
fn missed_mates_are_explained() {
    for (lang, text) in
        [("en", "G*5b would mate at once (MATE_MISSED)"), ("ja", "1 手詰の G*5b を逃しています")]
    {
        let arguments = ["validate", "-", "--from", "plain", "--level", "mate", "--lang", lang];
        let shown = run_on(MISSED_MATE, arguments).stdout;
        assert!(shown.contains(text), "{shown}");
    }
}

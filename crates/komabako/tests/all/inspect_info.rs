//! `inspect` and `info`: their output for positions, words, records and files.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;

use crate::support::{Place, run, run_on, sample};

const START_PSV: &str = "58a451220ceb67227e9653221caf447824c22b119e53221ceb6f223e9651220c";

#[test]
fn a_position_is_shown_with_its_board_and_all_its_words() {
    let shown = run(["inspect", "startpos"]).ok();
    for text in ["|v香v桂v銀v金v玉v金v銀v桂v香|一", START_PSV, "occupied", "1-79", "Black 5i (44)"]
    {
        assert!(shown.contains(text), "no {text} in {shown}");
    }
    let shown = run(["inspect", "startpos", "--ascii", "--format", "hcp", "--codes"]).ok();
    for text in ["| .  r  .  .  .  .  .  b  . | b", "hcp, field ", "hcp, code ", "9i Black lance"] {
        assert!(shown.contains(text), "no {text} in {shown}");
    }
}

#[test]
fn the_bits_of_a_square_are_shown_in_every_format() {
    let shown = run(["inspect", "startpos", "--square", "7g"]).ok();
    let (_, bits) = shown.split_once("Bits of 7g").unwrap();
    let row = |format: &str| bits.lines().find(|line| line.trim_start().starts_with(format)).unwrap();
    // A pawn is 0 and two bits more in codes, `1` among the occupied squares in fixed fields.
    assert!(row("psv").contains("= 1000"), "{bits}");
    assert!(row("hcp").contains("= 1000") || row("hcp").contains("= 0100"), "{bits}");
    assert!(row("sspfv1").contains("59 = 1"), "{bits}");
    // R238 is one number, of which no bit is a square's.
    assert!(!row("r238").contains('='), "{bits}");
    // A king's bits are the bits of its square.
    let king = run(["inspect", "startpos", "--square", "5i", "--lang", "ja"]).ok();
    assert!(king.contains("5i のビット") && king.contains("80-86 = 0011010"), "{king}");
    for wrong in ["7", "0a", "7j", "7gg"] {
        run(["inspect", "startpos", "--square", wrong]).fails(2, &["1a"]);
    }
}

#[test]
fn a_word_is_tried_in_every_format_or_the_named_one() {
    let shown = run(["inspect", START_PSV]).ok();
    assert!(shown.contains("psv, field ") && shown.contains("not sspfv1"), "{shown}");
    let refused = run(["inspect", START_PSV, "--format", "sspfv1"]);
    assert_eq!((refused.code, refused.stderr.as_str()), (1, ""));
    assert!(
        refused.stdout.contains("KING_CODE") && refused.stdout.contains("is_promoted"),
        "{}",
        refused.stdout
    );
}

/// PowerShell's `>` writes UTF-16, of which every 30 bytes are a position of R238.
#[test]
fn text_in_utf_16_is_named_and_records_that_begin_like_it_are_read() {
    let place = Place::new();
    let text = format!("\u{feff}{}", "startpos\r\n".repeat(150));
    let utf16: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let out = place.path("out.sfen");
    let on = |file: &Path, command: &str, options: &[&str]| {
        let output = (command == "convert").then_some(out.as_path());
        let paths = [Some(file), output].into_iter().flatten().map(Path::as_os_str);
        let words = [command].into_iter().chain(options.iter().copied()).map(OsStr::new);
        run(words.chain(paths))
    };
    for length in [3000, 3002] {
        for name in ["a.sfen", "a.tsv", "a.txt"] {
            let file = place.file(name, &utf16[..length]);
            for (command, options) in
                [("info", &[][..]), ("validate", &[]), ("convert", &[]), ("convert", &["--from", "sfen"])]
            {
                let ran = on(&file, command, options);
                ran.fails(2, &["the file is in UTF-16", "save it as UTF-8"]);
            }
        }
    }
    let named = place.file("a.r238", &utf16[..3000]);
    assert!(on(&named, "info", &[]).stdout.contains("r238: bare R238"));
    let given = place.file("a.txt", &utf16[..3000]);
    on(&given, "convert", &["--from", "r238", "--quiet"]).ok();
    assert_eq!(fs::read_to_string(&out).unwrap().lines().count(), 100);
}

#[test]
fn invalid_position_is_reported_with_its_column() {
    run(["inspect", "4k4/9/x8"]).fails(2, &["column 7", "SFEN"]);
    run(["inspect", "nosuch.psv"]).fails(2, &["nosuch.psv: "]);
    run(["inspect", &START_PSV[2..]]).fails(2, &["62 hexadecimal digits"]);
}

#[test]
fn a_record_is_shown_with_its_labels() {
    let psv = sample("sample.psv");
    let inspect = |options: &[&str]| {
        run([OsStr::new("inspect"), psv.as_os_str()].into_iter().chain(options.iter().map(OsStr::new)))
    };
    let shown = inspect(&["--record", "1"]).ok();
    for text in
        ["record 1, byte 40 (psv)", "move 3i2h, score -351, ply 5, White won", " b - 5\n", "psv, field"]
    {
        assert!(shown.contains(text), "no {text} in {shown}");
    }
    assert!(inspect(&[]).ok().contains("record 0, byte 0"));
    inspect(&["--record", "2000"]).fails(2, &["no record 2000", "2,000"]);
}

#[test]
fn a_bad_record_is_shown_as_far_as_it_can_be_read() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("bad.psv");
    let mut records = fs::read(sample("sample.psv")).unwrap();
    records[40 * 17 + 1] ^= 0xff;
    fs::write(&path, records).unwrap();
    let shown = run([OsStr::new("inspect"), path.as_os_str(), OsStr::new("--record=17")]);
    assert_eq!(shown.code, 1);
    assert!(
        shown.stdout.contains("KING_CODE") && shown.stdout.contains("no square (108)"),
        "{}",
        shown.stdout
    );

    let ran = run([OsStr::new("info"), path.as_os_str()]);
    assert_eq!(ran.code, 1);
    assert!(ran.stdout.contains("1 of 2,000 "), "{}", ran.stdout);
}

#[test]
fn colours_are_only_for_terminals_or_on_request() {
    let escape = '\x1b';
    assert!(!run(["inspect", "startpos"]).ok().contains(escape));
    assert!(run(["inspect", "startpos", "--color", "always"]).ok().contains(escape));
}

#[test]
fn japanese_explanations_contain_no_english() {
    for format in ["sspfv1", "psv", "hcp", "nshogi", "sspfv1-ext", "c250", "r238"] {
        let sfen = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1";
        let shown = run(["inspect", sfen, "--format", format, "--codes", "--lang", "ja"]).ok();
        // A field of C250 has this name.
        let explained = shown.split("フィールド\n").nth(1).unwrap().replace("\n  rooks ", "\n");
        for word in ["piece", "Black", "White", "pawn", "lance", " promoted", "empty", "hands", "rook"] {
            assert!(!explained.contains(word), "{word} in {explained}");
        }
    }
}

#[test]
fn unreadable_file_does_not_hide_the_others() {
    let psv = sample("sample.psv");
    let ran = run([OsStr::new("info"), OsStr::new("/no/such/file"), psv.as_os_str()]);
    ran.fails(2, &["/no/such/file"]);
    assert!(ran.stdout.contains("2,000"));
}

#[test]
fn given_format_overrides_detection() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("words");
    fs::write(&path, [0xa5; 64]).unwrap();
    run([OsStr::new("info"), path.as_os_str()]).fails(2, &["not recognised", "--from"]);
    let ran = run([OsStr::new("info"), path.as_os_str(), OsStr::new("--from=hcp")]);
    assert_eq!(ran.code, 1);
    assert!(ran.stdout.contains(" hcp"), "{}", ran.stdout);
    assert!(ran.stdout.contains("2 of 2 "), "{}", ran.stdout);
}

/// 7g7f, then an illegal move of White: the game stops there.
#[test]
fn a_position_of_a_game_is_shown_with_its_game_and_move() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a.pack");
    let game = [1, 0x3b, 0x1e, 57, 0, 0x27, 0x14, 0, 0, 0x02, 0x01, 0];
    fs::write(&path, [&[1, 0, 0, 3], &game[..]].concat()).unwrap();
    let inspect = |number, lang| {
        run([
            OsStr::new("inspect"),
            path.as_os_str(),
            OsStr::new(number),
            OsStr::new("--lang"),
            OsStr::new(lang),
        ])
    };
    let shown = inspect("--record=0", "en").ok();
    for text in ["record 0, byte 4 (pack)", "game 1, move 1", "move 7g7f, score 57, ply 1, White won"] {
        assert!(shown.contains(text), "no {text} in {shown}");
    }
    for (lang, text) in
        [("en", "game 1, move 2 (byte 9): 5e5d "), ("ja", "対局 1 の 2 手目 (バイト 9): 5e5d ")]
    {
        let shown = inspect("--record=1", lang);
        assert_eq!(shown.code, 1, "{}", shown.stderr);
        for text in [text, "(MOVE_NO_PIECE)"] {
            assert!(shown.stdout.contains(text), "no {text} in {}", shown.stdout);
        }
    }
    let ran = run([OsStr::new("info"), path.as_os_str()]);
    assert!(ran.code == 1 && ran.stdout.contains("1 of 2 "), "{}", ran.stdout);
}

#[test]
fn numbers_are_grouped_alike() {
    let printed = run([OsStr::new("info"), sample("sample.psv").as_os_str()]).ok();
    assert!(printed.matches("1,000").count() >= 2 && !printed.contains("1000"), "{printed}");
}

#[test]
fn standard_input_is_examined_too() {
    let psv = fs::read(sample("sample.psv")).unwrap();
    let printed = run_on(&psv, ["info", "-"]).ok();
    assert!(printed.contains("2,000") && printed.contains("psv"), "{printed}");
    let from_file = run([OsStr::new("inspect"), sample("sample.psv").as_os_str(), OsStr::new("--record=7")]);
    let from_stdin = run_on(&psv, ["inspect", "-", "--record", "7"]).ok();
    assert!(from_stdin.starts_with("standard input: record 7, "), "{from_stdin}");
    assert_eq!(
        from_stdin.lines().skip(1).collect::<Vec<_>>(),
        from_file.ok().lines().skip(1).collect::<Vec<_>>()
    );
    run_on(&psv[..40], ["inspect", "-", "--record", "1"]).fails(2, &["record 1"]);
}

#[test]
fn info_names_files_of_other_commands_and_what_reads_them() {
    let place = Place::new();
    let path = |name: &str| place.path(name).into_os_string().into_string().unwrap();
    let psv = sample("sample.psv").into_os_string().into_string().unwrap();
    let problem = "4k4/9/4P4/9/9/9/9/9/9 b G 1";
    run(["solve", problem, "--certificate", &path("proofs.kmc.zst")]).ok();
    run(["stats", &psv, "--save", &path("a.stats")]).ok();
    place.file("report.json", run(["stats", &psv, "--json"]).ok());
    run(["head", &psv, "--output", &path("a.psv"), "--manifest", &path("manifest.json")]).ok();
    run(["filter", &psv, "--where", "ply > 3", "--mask", &path("quiet.bits")]).ok();
    place.file("a.i16", [1, 0]);
    place.file("a.count.u32", [1, 0, 0, 0]);
    for (name, command) in [
        ("proofs.kmc.zst", "komabako certificate "),
        ("a.stats", "komabako stats --merge "),
        ("report.json", "komabako stats"),
        ("manifest.json", "komabako card "),
        ("a.i16", "komabako merge-scores RECORDS "),
        ("a.count.u32", "u32"),
        ("quiet.bits", "komabako filter RECORDS OUT --by-mask "),
    ] {
        for lang in ["en", "ja"] {
            let shown = run(["info", "--lang", lang, &path(name)]).ok();
            assert!(shown.contains(command), "{name}: {shown}");
            // Counts and results are columns too, and would replace the scores.
            assert_eq!(shown.contains("merge-scores"), name == "a.i16", "{name}: {shown}");
        }
    }
}

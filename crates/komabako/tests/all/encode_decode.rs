//! `encode` and `decode`: words of known positions, bad lines, and how they end.

use crate::support::{program, run, run_on};

const START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

/// The words of the start position, from the tables of `formats.md` §2.7.
const START_WORDS: [(&str, &str); 5] = [
    ("sspfv1", "8a1e2f5a5454b4e8f1a22c12000000003967923927f66ff03ccfb0cd31d3cc31"),
    ("psv", "58a451220ceb67227e9653221caf447824c22b119e53221ceb6f223e9651220c"),
    ("psv-lenient", "58a451220ceb67227e9653221caf447824c22b119e53221ceb6f223e9651220c"),
    ("hcp", "58a449210cd757217e8e4d212caf427814c2ab109e4d212cd75f213e8e49210c"),
    ("nshogi", "2496108e45c5058e8eaa118e4d2f1cfbe1d80bc7be118e4dc5018eaeaa108e45"),
];

/// A word whose kings stand on one square.
const ZEROS: &str = "0000000000000000000000000000000000000000000000000000000000000000";

#[test]
fn every_format_encodes_and_decodes_the_start_position() {
    for (format, word) in START_WORDS {
        let encoded = run_on(format!("{START}\r\nstartpos\n"), ["encode", "--format", format]).ok();
        assert_eq!(encoded, format!("{word}\n{word}\n"), "{format}");
        let decoded = run_on(word.to_uppercase(), ["decode", "--format", format]).ok();
        assert_eq!(decoded, format!("{START}\n"), "{format}");
        // The options also have the names that conversions use.
        assert_eq!(run_on(START, ["encode", "--to", format]).ok(), format!("{word}\n"));
        assert_eq!(run_on(word, ["decode", "--from", format]).ok(), decoded);
    }
}

/// As programs of Windows write text.
#[test]
fn a_byte_order_mark_is_skipped_and_utf_16_is_named() {
    let word = START_WORDS[1].1;
    for (command, line, result) in [("encode", START, word), ("decode", word, START)] {
        let result = format!("{result}\n");
        let arguments = [command, "--format", "psv"];
        assert_eq!(run_on(format!("\u{feff}{line}\r\n{line}"), arguments).ok(), result.repeat(2));
        run_on(format!("{line}\n\u{feff}{line}"), arguments).fails(1, &["line 2"]);
        for big in [false, true] {
            let bytes = |unit: u16| if big { unit.to_be_bytes() } else { unit.to_le_bytes() };
            let utf16: Vec<u8> = format!("\u{feff}{line}").encode_utf16().flat_map(bytes).collect();
            run_on(utf16, arguments).fails(2, &["standard input: ", "UTF-16", "UTF-8"]);
        }
    }
}

#[test]
fn decoding_then_encoding_a_whole_sample_changes_nothing() {
    let table = std::fs::read_to_string(crate::support::sample("sample.tsv")).unwrap();
    let sfens: Vec<&str> = table.lines().skip(1).map(|line| line.split('\t').next().unwrap()).collect();
    let ply_one = |sfen: &str| format!("{} 1\n", sfen.rsplit_once(' ').unwrap().0);
    let expected: String = sfens.iter().map(|sfen| ply_one(sfen)).collect();
    for (format, _) in START_WORDS {
        let words = run_on(sfens.join("\n"), ["encode", "--format", format]).ok();
        let decoded = run_on(words, ["decode", "--format", format]).ok();
        assert!(decoded == expected, "{format}");
    }
}

#[test]
fn lenient_reader_accepts_old_hand_order() {
    let canonical = run_on("4k4/9/9/9/9/9/9/9/4K4 b 2R2B4G4S4N4L18P 1", ["encode", "--format", "psv"]).ok();
    let decoded = run_on(&canonical, ["decode", "--format", "psv-lenient"]).ok();
    assert_eq!(decoded, "4k4/9/9/9/9/9/9/9/4K4 b 2R2B4G4S4N4L18P 1\n");
}

#[test]
fn stopping_names_the_line_and_column_and_keeps_what_was_written() {
    let ran = run_on(format!("{START}\n4k4/9/9/9/x8\n{START}\n"), ["encode", "--format", "psv"]);
    assert_eq!(ran.stdout, format!("{}\n", START_WORDS[1].1));
    ran.fails(1, &["standard input: ", "line 2, column 11: ", "`x`", "--on-error skip"]);

    let ran = run_on(format!("{ZEROS}\n"), ["decode", "--format", "hcp"]);
    ran.fails(1, &["standard input: ", "line 1", "KINGS_COLLIDE", "--format"]);
}

#[test]
fn bad_lines_are_skipped_and_counted() {
    let ran = run_on(format!("\nzz\n{ZEROS}\n"), ["decode", "--format", "psv", "--on-error", "skip"]);
    assert_eq!(ran.stdout, "");
    ran.fails(1, &[" 3 ", "line 1: 0 "]);
}

#[test]
fn bad_lines_are_named_inline() {
    let input = format!("{ZEROS}\nzz\n00\n\n{}\n", START_WORDS[1].1);
    let ran = run_on(input, ["decode", "--format", "psv", "--on-error", "inline"]);
    assert_eq!(ran.stdout, format!("!KINGS_COLLIDE\n!HEX\n!LENGTH\n!LENGTH\n{START}\n"));
    assert_eq!((ran.code, ran.stderr.as_str()), (1, ""));

    let input = "startpos 7g7\nstartpos moves 7g7e\n9/9/9/9/9/9/9/9/4K4 b - 1\n4k4/9/9/9/9/9/9/9/4K4 b - 1\n";
    let inline = |format| run_on(input, ["encode", "--format", format, "--on-error", "inline"]).stdout;
    assert!(inline("psv").starts_with("!SFEN\n!MOVES\n!KING_MISSING\n58"), "{}", inline("psv"));
    assert_eq!(inline("sspfv1"), "!SFEN\n!MOVES\n!KING_MISSING\n!PIECE_REMOVED\n");
}

#[test]
fn files_are_read_in_turn_and_a_missing_one_is_named() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("words");
    std::fs::write(&path, format!("{}\n", START_WORDS[3].1)).unwrap();
    let path = path.to_str().unwrap();
    assert_eq!(run(["decode", "--format", "hcp", path, path]).ok(), format!("{START}\n{START}\n"));
    run(["decode", "--format", "hcp", "/no/such/file"]).fails(2, &["/no/such/file: "]);
}

#[test]
fn closed_pipe_is_not_an_error() {
    let words = format!("{}\n", START_WORDS[1].1).repeat(100_000);
    let mut child = program()
        .args(["decode", "--format", "psv"])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    // The program stops reading at its first write: the rest of the input is not read.
    let _ = std::io::Write::write_all(&mut child.stdin.take().unwrap(), words.as_bytes());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr), (Some(0), Vec::new()));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_output_is_an_error() {
    let full = std::fs::File::create("/dev/full").unwrap();
    let mut command = program();
    command.args(["encode", "--format", "psv"]);
    let child = command
        .stdin(std::process::Stdio::piped())
        .stdout(full)
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    std::io::Write::write_all(&mut child.stdin.as_ref().unwrap(), b"startpos\n").unwrap();
    let output = child.wait_with_output().unwrap();
    crate::support::Ran::from(output).fails(2, &["standard output: "]);
}

#[test]
fn an_unknown_format_lists_the_known_ones() {
    run(["encode", "--format", "csa"]).fails(2, &["csa", "sspfv1", "psv-lenient", "nshogi", "r238"]);
}

/// A tsume problem with one king, in every format of the variants: `komabako-variants` checks the bytes.
const ONE_KING: &str = "8k/9/7S1/9/9/9/9/9/9 b 2G 1";

#[test]
fn every_position_has_a_word_of_every_variant() {
    for (format, digits) in [("sspfv1-ext", 64), ("c250", 64), ("r238", 60)] {
        let words = run_on(
            format!("{ONE_KING}\nstartpos\n9/9/9/9/9/9/9/9/9 w - 1\n"),
            ["encode", "--format", format],
        )
        .ok();
        assert!(words.lines().all(|word| word.len() == digits), "{words}");
        let decoded = run_on(words, ["decode", "--format", format]).ok();
        let payload = if format == "c250" { "\t0" } else { "" };
        let expected = [ONE_KING, START, "9/9/9/9/9/9/9/9/9 w - 1"].map(|sfen| format!("{sfen}{payload}\n"));
        assert_eq!(decoded, expected.concat(), "{format}");
    }
    let base = run_on("startpos", ["encode", "--format", "sspfv1-ext"]).ok();
    assert_eq!(base.trim(), START_WORDS[0].1);
}

#[test]
fn c250_carries_a_payload_and_no_other_format_does() {
    let words = run_on("startpos", ["encode", "--format", "c250", "--payload", "37"]).ok();
    assert_eq!(run_on(words, ["decode", "--format", "c250"]).ok(), format!("{START}\t37\n"));
    run(["encode", "--format", "psv", "--payload", "1"]).fails(2, &["psv", "--format c250"]);
    run(["encode", "--format", "c250", "--payload", "64"]).fails(2, &["64"]);
}

#[test]
fn bad_words_of_the_variants_are_named_inline() {
    let inline =
        |format, input: String| run_on(input, ["decode", "--format", format, "--on-error", "inline"]).stdout;
    let ones = "f".repeat(60);
    assert_eq!(inline("r238", format!("{ones}\n{ZEROS}\n")), "!RANGE\n!LENGTH\n");
    // 38 ones in the field of 75 bits.
    assert_eq!(
        inline("c250", format!("ffffffff3f{}\n{ones}\n", "0".repeat(54))),
        "!SIDE_POPCOUNT\n!LENGTH\n"
    );
    // Black's and White's pawn in hand, in the wrong order: bits 218 and 219.
    let word = run_on("4k4/9/9/9/9/9/9/9/4K4 b Pp 1", ["encode", "--format", "sspfv1-ext"]).ok();
    let swapped = u8::from_str_radix(&word[54..56], 16).unwrap() ^ 0b1100;
    let word = format!("{}{swapped:02x}{}", &word[..54], &word[56..]);
    assert_eq!(inline("sspfv1-ext", word), "!TAIL_ORDER\n");
}

#[test]
fn random_positions_are_those_of_the_seed() {
    let sfens = run(["random", "-n", "20", "--seed", "7"]).ok();
    assert_eq!(sfens.lines().count(), 20);
    assert_eq!(run(["random", "-n", "20", "--seed", "7"]).ok(), sfens);
    assert_ne!(run(["random", "-n", "20", "--seed", "8"]).ok(), sfens);
    let words = run(["random", "-n", "20", "--seed", "7", "--format", "r238"]).ok();
    assert_eq!(run_on(words, ["decode", "--format", "r238"]).ok(), sfens);
    run(["random", "-n", "200", "--format", "sspfv1"]).fails(1, &["sspfv1", "r238"]);
}

/// Zeros that can be pawns or the space of removed pieces are not guessed.
#[test]
fn phantom_pawns_are_read_as_chosen() {
    // Two kings in variant B: everything after the board is zero.
    let word = format!("5824{}\n", "0".repeat(60));
    let decode = |options: &[&str]| {
        let arguments = ["decode", "--format", "psv-lenient"].iter().chain(options);
        run_on(word.as_bytes(), arguments)
    };
    decode(&[]).fails(1, &["PHANTOM_PAWNS"]);
    assert_eq!(decode(&["--phantom-pawns", "strip"]).ok(), "4k4/9/9/9/9/9/9/9/4K4 b - 1\n");
    assert_eq!(decode(&["--phantom-pawns", "keep"]).ok(), "4k4/9/9/9/9/9/9/9/4K4 b 18P 1\n");
}

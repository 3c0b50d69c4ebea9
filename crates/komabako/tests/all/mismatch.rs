//! Files whose records do not match their format: every command stops before it writes, and names the command that restores
//! every record.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::{Place, Ran, program, run, run_on, sample};
use komabako_testkit::cases;
use serde_json::Value;

const RECORD: usize = 40;

fn psv() -> Vec<u8> {
    fs::read(sample("sample.psv")).unwrap()
}

/// The sample with its moves in Apery's encoding (drops from 80 on) or rshogi's old one (from 81 on), for the records that
/// `which` selects.
fn with_drops_from(base: u16, which: impl Fn(usize) -> bool) -> Vec<u8> {
    let mut bytes = psv();
    for (_, record) in bytes.chunks_mut(RECORD).enumerate().filter(|(index, _)| which(*index)) {
        let bits = u16::from_le_bytes([record[34], record[35]]);
        let promote = if bits & 0x8000 != 0 { 0x4000 } else { 0 };
        let drop = if bits & 0x4000 != 0 { base << 7 } else { 0 };
        record[34..36].copy_from_slice(&(((bits & 0x3fff) + drop) | promote).to_le_bytes());
    }
    bytes
}

pub fn in_b() -> Vec<u8> {
    with_drops_from(81, |_| true)
}

/// The sample with positions as hcpe has them, for the records that `which` selects.
fn with_words_of_hcpe(which: impl Fn(usize) -> bool) -> Vec<u8> {
    let mut bytes = psv();
    let hcpe = fs::read(sample("sample.hcpe")).unwrap();
    for (index, (record, other)) in bytes.chunks_mut(RECORD).zip(hcpe.chunks(38)).enumerate() {
        if which(index) {
            record[..32].copy_from_slice(&other[..32]);
        }
    }
    bytes
}

/// The sample with hands in the order of older programs.
fn with_positions(write: fn(&komabako::board::Setup) -> [u8; 32]) -> Vec<u8> {
    let mut bytes = psv();
    for record in bytes.chunks_mut(RECORD) {
        let setup = komabako::variants::WordFormat::PackedSfen.unpack(record.first_chunk().unwrap()).unwrap();
        record[..32].copy_from_slice(&write(&setup));
    }
    bytes
}

fn komabako<'a>(words: impl IntoIterator<Item = &'a str>, paths: &[&'a Path]) -> Ran {
    let words = words.into_iter().map(OsStr::new);
    run(words.chain(paths.iter().map(|path| path.as_os_str())))
}

/// Runs the command that a mismatch names, word for word, and returns what it wrote.
fn restored(mismatch: &Value) -> Vec<u8> {
    let words: Vec<&str> =
        mismatch["repair_command"].as_array().unwrap().iter().map(|word| word.as_str().unwrap()).collect();
    assert_eq!(words[..2], ["komabako", "repair"]);
    let ran = run(&words[1..]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    fs::read(words[words.len() - 1]).unwrap()
}

/// Converts a damaged file, which must be refused, and returns the report as JSON.
#[track_caller]
fn refused(place: &Place, bytes: &[u8]) -> Value {
    let input = place.file("old.psv", bytes);
    let output = place.path("new.hcpe");
    let ran = komabako(["convert", "--json"], &[&input, &output]);
    assert_eq!(ran.code, 2, "{}{}", ran.stdout, ran.stderr);
    assert_eq!(place.names(), ["old.psv"]);
    let report: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(report["error"]["kind"], "mismatch");
    report["error"]["mismatch"].clone()
}

/// The case of a user who lost a third of a training set.
#[test]
fn moves_of_encoding_b_stop_a_conversion_and_the_named_command_restores_them() {
    let place = Place::new();
    let mismatch = refused(&place, &in_b());
    let moves = &mismatch["move_encoding"];
    assert_eq!((&moves["own"], &moves["found"]), (&"A".into(), &serde_json::json!(["B"])));
    assert_eq!(mismatch["sampled"], 2000);
    let count = |name: &str| moves[name].as_u64().unwrap();
    assert!(
        count("encoding_dependent") > 300 && count("other") * 10 > count("encoding_dependent") * 9,
        "{mismatch}"
    );
    assert_eq!(moves["legal"]["B"], moves["encoding_dependent"]);
    assert!(restored(&mismatch) == psv());

    let input = place.path("old.psv");
    let output = place.path("new.hcpe");
    let text = komabako(["convert", "--json"], &[&input, &output]);
    text.refused(2, "mismatch", &["repair --moves b ", "old.repaired.psv"]);
    let text = komabako(["convert", "--lang", "ja"], &[&input, &output]);
    text.fails(2, &["エンコーディング A ではなく B", "komabako repair --moves b "]);
    assert!(!text.stderr.contains("on-error"));
}

#[test]
fn moves_of_encoding_c_are_named_and_restored() {
    let mismatch = refused(&Place::new(), &with_drops_from(80, |_| true));
    assert_eq!(mismatch["move_encoding"]["found"], serde_json::json!(["C"]));
    let place = Place::new();
    assert!(restored(&refused(&place, &with_drops_from(80, |_| true))) == psv());
}

#[test]
fn mixed_moves_are_named_and_restored() {
    let place = Place::new();
    let mismatch = refused(&place, &with_drops_from(80, |index| index % 2 == 0));
    assert_eq!(mismatch["move_encoding"]["found"], serde_json::json!(["A", "C"]));
    assert!(restored(&mismatch) == psv());
}

#[test]
fn words_of_another_codec_are_named_and_restored() {
    for (which, mixed) in [(&(|_| true) as &dyn Fn(usize) -> bool, false), (&|index| index < 1000, true)] {
        let place = Place::new();
        let mismatch = refused(&place, &with_words_of_hcpe(which));
        assert_eq!((&mismatch["codec"]["mixed"], &mismatch["move_encoding"]), (&mixed.into(), &Value::Null));
        assert!(restored(&mismatch) == psv(), "{mixed}");
    }
}

#[test]
fn hands_in_an_older_order_are_named_and_restored() {
    use komabako_testkit::wild::{variant_b, variant_c};
    for (write, member) in [(variant_b as fn(&_) -> _, "variant_b"), (variant_c, "variant_c")] {
        let place = Place::new();
        let mismatch = refused(&place, &with_positions(write));
        assert!(mismatch["order"][member].as_u64() > Some(10), "{mismatch}");
        assert_eq!(mismatch["move_encoding"], Value::Null);
        assert!(restored(&mismatch) == psv(), "{member}");
        // A user who asks for the lenient reader knows the format.
        let input = place.path("old.psv");
        let output = place.path("new.hcpe");
        komabako(["convert", "--from", "psv-lenient"], &[&input, &output]).ok();
        assert!(fs::read(output).unwrap() == fs::read(sample("sample.hcpe")).unwrap());
    }
}

#[test]
fn several_mismatches_at_once_are_restored_by_one_command() {
    let place = Place::new();
    let mut bytes = in_b();
    for (record, old) in
        bytes.chunks_mut(RECORD).zip(with_positions(komabako_testkit::wild::variant_c).chunks(RECORD))
    {
        record[..32].copy_from_slice(&old[..32]);
    }
    let mismatch = refused(&place, &bytes);
    assert!(mismatch["order"].is_object() && mismatch["move_encoding"].is_object(), "{mismatch}");
    assert!(restored(&mismatch) == psv());
}

/// The file's name is quoted for the shell, and a shell runs the command.
#[test]
fn the_printed_command_runs_in_a_shell() {
    if cfg!(windows) {
        return;
    }
    let place = Place::new();
    for name in ["it's 古い", "c{1,2}", "-x"] {
        let file = format!("{name}.psv");
        place.file(&file, in_b());
        let ran = program().args(["convert", "--", &file, "a.hcpe"]).current_dir(place.path("")).output();
        let ran = Ran::from(ran.unwrap());
        ran.fails(2, &["repair --moves b "]);
        let command = ran.stderr.lines().find_map(|line| line.split_once("komabako repair ")).unwrap().1;
        let line = format!("{} repair {command}", env!("CARGO_BIN_EXE_komabako"));
        // Not every `sh` expands braces.
        let shell = if Path::new("/bin/bash").exists() { "bash" } else { "sh" };
        let status = Command::new(shell).args(["-c", &line]).current_dir(place.path("")).status();
        assert!(status.unwrap().success(), "{line}");
        assert!(fs::read(place.path(&format!("{name}.repaired.psv"))).unwrap() == psv());
    }
}

#[test]
fn every_command_that_reads_records_stops_before_it_writes() {
    let place = Place::new();
    let old = place.file("old.psv", in_b());
    let scores = place.file("scores.i16", vec![0; 4000]);
    let out = place.path("out.psv");
    let part = place.path("part.{}.psv");
    let before = place.names();
    let commands: [(&[&str], &[&Path]); 13] = [
        (&["cat", "-o"], &[&out, &old]),
        (&["head", "-o"], &[&out, &old]),
        (&["tail", "-o"], &[&out, &old]),
        (&["slice", "--range", "10..20", "-o"], &[&out, &old]),
        (&["sample", "-n", "5"], &[&old, &out]),
        (&["filter", "--where", "score > 0"], &[&old, &out]),
        (&["split", "-n", "1000", "--into"], &[&part, &old]),
        (&["shuffle", "--seed", "1"], &[&old, &out]),
        (&["dedup"], &[&old, &out]),
        (&["merge-scores"], &[&old, &scores, &out]),
        (&["diff", "--only-a"], &[&out, &old, &old]),
        (&["stats"], &[&old]),
        (&["convert"], &[&old, &out]),
    ];
    for (words, paths) in commands {
        let (command, options) = words.split_first().unwrap();
        let ran = komabako([*command, "--json"].into_iter().chain(options.iter().copied()), paths);
        ran.refused(2, "mismatch", &["komabako repair --moves b "]);
        assert_eq!(place.names(), before, "{words:?}");
    }
    let reference = sample("sample.psv");
    komabako(["dedup", "--json", "--reference"], &[&old, &reference, &out]).refused(2, "mismatch", &[]);
}

#[test]
fn streams_are_checked_before_anything_is_written() {
    for from in [&["--from", "psv"][..], &[]] {
        let arguments = ["convert", "--json", "--to", "hcpe"].iter().chain(from).chain(&["-", "-"]);
        let ran = run_on(in_b(), arguments);
        ran.refused(2, "mismatch", &["standard input", "komabako repair ", "--moves b "]);
        assert_eq!(ran.stdout, "");
        let good = run_on(psv(), ["convert", "--to", "sfen"].iter().chain(from).chain(&["-", "-"]));
        assert_eq!((good.code, good.stdout.lines().count()), (0, 2000));
    }
}

#[test]
fn repair_on_the_fly_equals_repair_before_the_job() {
    let place = Place::new();
    let sound = sample("sample.psv");
    let damaged = [
        in_b(),
        with_drops_from(80, |index| index % 2 == 0),
        with_words_of_hcpe(|_| true),
        with_positions(komabako_testkit::wild::variant_b),
    ];
    let jobs: [(&[&str], &str); 6] = [
        (&["convert"], "out.hcpe"),
        (&["convert"], "out.plain.zst"),
        (&["filter", "--where", "score > 0"], "out.psv"),
        (&["sample", "-n", "100", "--seed", "3"], "out.psv"),
        (&["shuffle", "--seed", "7"], "out.psv"),
        (&["dedup", "--by", "move"], "out.psv"),
    ];
    for bytes in damaged {
        let old = place.file("old.psv", bytes);
        for (words, name) in jobs {
            let out = place.path(name);
            let expected = place.path(&format!("expected.{name}"));
            let written = |input: &Path, output: &Path, option: &[&str]| {
                let ran = komabako(words.iter().chain(option).chain(&["--force"]).copied(), &[input, output]);
                assert_eq!(ran.code, 0, "{words:?}: {}", ran.stderr);
                (fs::read(output).unwrap(), ran.stderr)
            };
            let (repaired, printed) = written(&old, &out, &["--repair"]);
            assert!(repaired == written(&sound, &expected, &[]).0, "{words:?}");
            assert!(printed.contains("warning: ") && printed.contains("old.psv"), "{printed}");
        }
        assert_eq!(komabako(["diff", "--repair"], &[&old, &sound]).code, 0);
        let same = komabako(["convert", "--repair", "--force", "--json"], &[&old, &old]);
        same.refused(2, "same_file", &[]);
    }
    // A sound file is read unchanged.
    let printed = komabako(["convert", "--repair", "--force"], &[&sound, &place.path("a.hcpe")]).ok();
    assert!(printed.contains("2,000 records"));
}

#[test]
fn undecided_repair_stops_the_job_that_reads_it() {
    let place = Place::new();
    let mut bytes = in_b();
    // A position that no codec reads.
    bytes[RECORD * 1900..][..32].fill(0xff);
    let old = place.file("old.psv", bytes);
    let out = place.path("out.hcpe");
    let ran = komabako(["convert", "--repair", "--json"], &[&old, &out]);
    assert_eq!(ran.code, 2, "{}", ran.stderr);
    let report: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(report["error"]["kind"], "record");
    assert!(report["error"]["help"].as_str().unwrap().contains("komabako repair"), "{report}");
    assert_eq!(place.names(), ["old.psv"]);
}

#[test]
fn given_encoding_overrides_the_sample() {
    let place = Place::new();
    let old = place.file("old.psv", in_b());
    for (letter, output, expected) in
        [("B", "a.hcpe", sample("sample.hcpe")), ("b", "a.psv", sample("sample.psv"))]
    {
        let output = place.path(output);
        komabako(["convert", "--moves", letter], &[&old, &output]).ok();
        assert!(fs::read(output).unwrap() == fs::read(expected).unwrap());
    }
    // Copies are rewritten too, but only if the encoding differs.
    let out = place.path("out.psv");
    for (moves, expected) in [("b", psv()), ("a", in_b()), ("as-is", in_b())] {
        let ran = komabako(["cat", "--force", "--moves", moves, "-o"], &[&out, &old]);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        assert!(fs::read(&out).unwrap() == expected, "{moves}");
    }
    let shuffled = |moves: &str, input: &Path| {
        let ran = komabako(["shuffle", "--seed", "5", "--force", "--moves", moves], &[input, &out]);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        fs::read(&out).unwrap()
    };
    assert!(shuffled("B", &old) == shuffled("as-is", &sample("sample.psv")));
    let diff = komabako(["diff", "--moves", "B"], &[&old, &old]);
    assert_eq!(diff.code, 0, "{}", diff.stderr);
    // With `as-is` an unreadable record is an ordinary bad record, and `repair` is named first.
    let ran = komabako(["convert", "--json", "--moves", "as-is"], &[&old, &place.path("b.hcpe")]);
    ran.refused(1, "record", &["MOVE_FROM", "komabako repair "]);
    assert!(ran.stderr.find("komabako repair").unwrap() < ran.stderr.find("--on-error collect=").unwrap());
}

#[test]
fn sound_files_of_every_format_are_never_refused() {
    let place = Place::new();
    let formats = [
        "psv",
        "hcpe",
        "hcpe2",
        "hcpe3",
        "pack",
        "sspfv1",
        "packed_sfen",
        "hcp",
        "nshogi",
        "sspfv1-ext",
        "c250",
        "r238",
        "compact36",
        "compact32",
        "ext36",
        "sfen",
        "plain",
    ];
    for source in ["sample.psv", "sample.hcpe"] {
        for count in ["1", "2", "3", "5", "10", "20", "2000"].iter().step_by(cases::one_in().min(3)) {
            let few: PathBuf = place.path(&format!("few-{source}"));
            let ran = komabako(["head", "--force", "-n", count, "-o"], &[&few, &sample(source)]);
            assert_eq!(ran.code, 0, "{}", ran.stderr);
            for format in formats {
                let out = place.path(&format!("a.{format}"));
                let ran = komabako(["convert", "--force"], &[&few, &out]);
                assert_eq!(ran.code, 0, "{source} {count} {format}: {}", ran.stderr);
                let ran = komabako(["convert", "--force"], &[&out, &place.path("back.sfen")]);
                assert_eq!(ran.code, 0, "{source} {count} {format} back: {}", ran.stderr);
            }
        }
    }
}

/// Moves that are illegal in every encoding, no moves at all, and a few odd moves: nothing that `repair` could fix.
#[test]
fn odd_data_is_not_a_mismatch() {
    let place = Place::new();
    let out = place.path("out.hcpe");
    let is_mismatch = |bytes: &[u8]| {
        let input = place.file("odd.psv", bytes);
        let ran = komabako(["convert", "--force", "--json"], &[&input, &out]);
        ran.stdout.contains(r#""mismatch""#)
    };
    let with_moves = |bits: &dyn Fn(usize, u16) -> u16| {
        let mut bytes = psv();
        for (index, record) in bytes.chunks_mut(RECORD).enumerate() {
            let old = u16::from_le_bytes([record[34], record[35]]);
            record[34..36].copy_from_slice(&bits(index, old).to_le_bytes());
        }
        bytes
    };
    assert!(!is_mismatch(&with_moves(&|_, _| 0)));
    assert!(!is_mismatch(&with_moves(&|_, _| 0x0081)));
    // Random bits.
    assert!(!is_mismatch(&with_moves(
        &|index, _| (index as u32).wrapping_mul(0x9e37_79b1).to_le_bytes()[2].into()
    )));
    assert!(!is_mismatch(&with_moves(&|index, _| ((index as u32).wrapping_mul(0x9e37_79b1) >> 13) as u16)));
    // The move of another record.
    let moves: Vec<u16> =
        psv().chunks(RECORD).map(|record| u16::from_le_bytes([record[34], record[35]])).collect();
    assert!(!is_mismatch(&with_moves(&|index, _| moves[(index * 7 + 13) % moves.len()])));
    // Two records in another encoding are too few to decide.
    let mut few = 0;
    let in_b = in_b();
    let bytes: Vec<u8> = psv()
        .chunks(RECORD)
        .zip(in_b.chunks(RECORD))
        .flat_map(|(record, other)| {
            few += u32::from(record != other);
            if record != other && few <= 2 { other } else { record }.to_vec()
        })
        .collect();
    assert!(!is_mismatch(&bytes));
}

#[test]
fn info_names_the_share_and_the_next_command() {
    let place = Place::new();
    let old = place.file("old.psv", in_b());
    let ran = komabako(["info"], &[&old]);
    assert_eq!(ran.code, 1);
    for text in ["encoding B", "(99.8 %)", "komabako repair --moves b "] {
        assert!(ran.stdout.contains(text), "no {text:?} in {}", ran.stdout);
    }
    let ran = komabako(["info", "--lang", "ja"], &[&old]);
    assert!(ran.stdout.contains("すべてのレコードを元に戻せます: komabako repair"), "{}", ran.stdout);
    // Illegal moves that no repair makes legal.
    let mut bytes = psv();
    for record in bytes.chunks_mut(RECORD).step_by(100) {
        record[34..36].copy_from_slice(&0x0204_u16.to_le_bytes());
    }
    let illegal = place.file("illegal.psv", bytes);
    let ran = komabako(["info"], &[&illegal]);
    assert_eq!(ran.code, 1);
    assert!(
        ran.stdout.contains("MOVE_SAME_SQUARE 20") && ran.stdout.contains("komabako validate "),
        "{}",
        ran.stdout
    );
    assert_eq!(komabako(["validate"], &[&illegal]).code, 1);
    komabako(["info"], &[&sample("sample.psv")]).ok();
    // The start of a stream is checked too.
    let ran = run_on(in_b(), ["info", "-"]);
    assert_eq!((ran.code, &*ran.stderr), (1, ""));
    for text in ["standard input", "2,000", "encoding B", "komabako repair --moves b IN OUT"] {
        assert!(ran.stdout.contains(text), "no {text:?} in {}", ran.stdout);
    }
}

/// Game records under any name, given to commands that read none.
#[test]
fn game_records_are_recognised() {
    let place = Place::new();
    let records: [(&str, &[u8]); 5] = [
        ("CSA", b"V2.2\nN+A\nN-B\nPI\n+\n+7776FU\n"),
        ("KIF", "開始日時：2026/11/22\n先手：A\n後手：B\n手数----指手---------消費時間--\n".as_bytes()),
        ("KIF", b"\x90\xe6\x8e\xe8\x81\x46A\r\n"),
        ("JKF", br#"{"header":{},"initial":{"preset":"HIRATE"},"moves":[{}]}"#),
        ("USI", b"position startpos moves 7g7f 3c3d\n"),
    ];
    let out = place.path("out.sfen");
    for (name, bytes) in records {
        let commands: [&[&str]; 3] =
            [&["filter", "--where", "ply > 1"], &["shuffle", "--seed", "1"], &["dedup"]];
        for words in commands {
            let input = place.file("game.txt", bytes);
            let ran = komabako(words.iter().copied(), &[&input, &out]);
            ran.fails(2, &["game.txt", name, "convert FILE OUT.psv"]);
        }
    }
    assert_eq!(place.names(), ["game.txt"]);
}

//! Archives (`.kmb`): `convert` and its options, `info`, `validate`, damage.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;

use komabako::archive::{Codec, Encoding, Header, Source, write_archive};
use serde_json::Value;

use crate::support::{Place, Ran, program, run, run_on, sample};

fn convert(from: &Path, to: &Path, options: &[&str]) -> Ran {
    let mut arguments = vec![OsStr::new("convert"), from.as_os_str(), to.as_os_str()];
    arguments.extend(options.iter().map(OsStr::new));
    run(arguments)
}

/// README's example, in both ways of archiving.
#[test]
fn an_archive_gives_its_records_back() {
    let place = Place::new();
    for (name, options, most) in [
        ("small.kmb", &[][..], 6_000),
        ("fast.kmb", &["--archive", "fast", "--level", "19"], 9_000),
        ("blocks.kmb", &["--block-records", "1024"], 8_000),
    ] {
        let archive = place.path(name);
        convert(&sample("sample.psv"), &archive, options).ok();
        let size = fs::metadata(&archive).unwrap().len();
        assert!(size < most, "{name}: {size} bytes");
        let back = place.path(&format!("{name}.psv"));
        convert(&archive, &back, &[]).ok();
        assert!(fs::read(&back).unwrap() == fs::read(sample("sample.psv")).unwrap(), "{name}");
        let report = run([OsStr::new("validate"), archive.as_os_str(), OsStr::new("--json")]).ok();
        let report: Value = serde_json::from_str(&report).unwrap();
        assert_eq!(report["files"][0]["records"], 2000);
    }
    let info = run([OsStr::new("info"), place.path("blocks.kmb").as_os_str()]).ok();
    for words in ["members: 1; blocks: 2 model; 2.", "records: 1,971 continue", "psv: "] {
        assert!(info.contains(words), "{words}: {info}");
    }
    let unordered = place.path("unordered.kmb");
    convert(&sample("sample.psv"), &unordered, &["--unordered", "--memory", "1M"]).ok();
    assert!(!info.contains("extension"), "{info}");
    let info = run([OsStr::new("info"), unordered.as_os_str()]).ok();
    assert!(info.contains("(--unordered)"), "{info}");

    let psv = sample("sample.psv");
    let to_each =
        run(["convert", psv.to_str().unwrap(), "--to", "psv", "--compress", "kmb"].into_iter().chain([
            "--block-records",
            "1024",
            "--unordered",
            "--out-dir",
            place.path("each").to_str().unwrap(),
        ]));
    to_each.ok();
    let info = run([OsStr::new("info"), place.path("each/sample.psv.kmb").as_os_str()]).ok();
    assert!(info.contains("blocks: 2 model") && info.contains("(--unordered)"), "{info}");

    let output = place.path("x.kmb");
    let no_level = ["--archive", "small", "--level", "3", "--json"];
    convert(&psv, &output, &no_level).refused(2, "archive", &["--level"]);
    convert(&psv, &place.path("x.psv"), &["--archive", "fast", "--json"]).refused(
        2,
        "archive",
        &["x.psv", ".kmb"],
    );
    convert(&psv, &place.path("x.sfen.kmb"), &["--json"]).refused(2, "not_archived", &["sfen", "--to"]);
    convert(&psv, &place.path("x.kmb.zst"), &["--json"]).refused(2, "compressed_archive", &["x.kmb.zst"]);
    assert!(!output.exists());
}

#[test]
fn a_damaged_archive_is_named_in_both_languages_and_salvaged() {
    let place = Place::new();
    let archive = place.path("a.kmb");
    convert(&sample("sample.psv"), &archive, &["--archive", "fast", "--block-records", "1024"]).ok();
    let mut bytes = fs::read(&archive).unwrap();
    bytes[300] ^= 1;
    fs::write(&archive, bytes).unwrap();
    let output = place.path("b.psv");
    convert(&archive, &output, &["--json"]).refused(
        1,
        "damaged",
        &["records 0..1024: wrong checksum of the payload"],
    );
    let said = convert(&archive, &output, &["--lang", "ja"]);
    assert!(said.stderr.contains("レコード 0..1024: データのチェックサムが合わない"), "{}", said.stderr);
    convert(&archive, &output, &["--salvage"]);
    assert!(fs::read(&output).unwrap() == fs::read(sample("sample.psv")).unwrap()[1024 * 40..]);
}

#[test]
fn an_archive_is_not_read_as_another_format() {
    let place = Place::new();
    let archive = place.path("a.kmb");
    convert(&sample("sample.psv"), &archive, &[]).ok();
    let read = |options: &[&str]| {
        let command = [OsStr::new("validate"), archive.as_os_str(), OsStr::new("--from"), OsStr::new("hcpe")];
        run(command.into_iter().chain(options.iter().map(OsStr::new)))
    };
    read(&["--json"]).refused(2, "other_format", &["a.kmb: is an archive of psv, and not of hcpe", "--from"]);
    let said = read(&["--lang", "ja"]);
    assert!(said.stderr.contains("hcpe ではなく psv のアーカイブです"), "{}", said.stderr);
}

/// Each command gives from an archive, and into one, what it gives from a plain file.
#[test]
fn every_command_reads_and_writes_archives() {
    let place = Place::new();
    let psv = fs::read(sample("sample.psv")).unwrap();
    fs::write(place.path("in.psv"), &psv).unwrap();
    convert(&sample("sample.psv"), &place.path("in.kmb"), &["--block-records", "1024"]).ok();
    every_command(&place);
}

/// Archives joined by `cat`, one of them without records, are one archive.
#[test]
fn every_command_reads_joined_archives() {
    let place = Place::new();
    let psv = fs::read(sample("sample.psv")).unwrap();
    let mut joined = Vec::new();
    for range in [0..700, 700..700, 700..701, 701..2000] {
        let part = place.file("part.psv", &psv[range.start * 40..range.end * 40]);
        let archive = place.path("part.kmb");
        convert(&part, &archive, &["--from", "psv", "--block-records", "1024", "--force"]).ok();
        joined.extend(fs::read(&archive).unwrap());
    }
    place.file("in.psv", &psv);
    place.file("in.kmb", &joined);
    every_command(&place);
    let info = run([OsStr::new("info"), place.path("in.kmb").as_os_str()]).ok();
    assert!(info.contains("members: 4; blocks: 3 model, 1 stored"), "{info}");
}

/// Runs commands on `in.psv` and on `in.kmb`, and compares what they write.
fn every_command(place: &Place) {
    for line in [
        "cat IN IN -o OUT",
        "convert IN IN OUT",
        "convert IN OUT --partition 1/3",
        "validate IN",
        "head IN -n 7 -o OUT",
        "tail IN -n 1100 -o OUT",
        "slice IN --range 1000..1100 -o OUT",
        "sample IN OUT --count 100 --seed 1",
        "filter IN OUT --where score>100",
        "dedup IN IN OUT",
        "shuffle IN OUT --seed 1",
        "split IN --ratio 3:1 --into OUT --into other.EXT",
        "mix IN:1 OUT --seed 1",
        "repair IN OUT",
        "diff IN IN",
        "stats IN",
        "extract-scores IN scores-EXT.i16",
    ] {
        let mut contents = Vec::new();
        for extension in ["psv", "kmb"] {
            let line =
                line.replace("IN", &format!("in.{extension}")).replace("OUT", &format!("out.{extension}"));
            let line = line.replace("EXT", extension);
            let ran: Ran =
                program().current_dir(place.path("")).args(line.split(' ')).output().unwrap().into();
            assert_eq!(ran.code, 0, "{line}: {}", ran.stderr);
            let output = place.path(&format!("out.{extension}"));
            if output.exists() {
                let plain = place.path("plain.psv");
                convert(&output, &plain, &["--force"]).ok();
                contents.push(fs::read(plain).unwrap());
                fs::remove_file(output).unwrap();
            }
        }
        if let [plain, archived] = &contents[..] {
            assert!(plain == archived && !plain.is_empty(), "{line}");
        }
    }
    let scores = |extension: &str| fs::read(place.path(&format!("scores-{extension}.i16"))).unwrap();
    assert!(scores("psv") == scores("kmb"));
}

#[test]
fn records_are_added_to_an_archive() {
    let place = Place::new();
    let archive = place.path("all.kmb");
    let psv = fs::read(sample("sample.psv")).unwrap();
    for times in 1..=2 {
        convert(&sample("sample.psv"), &archive, &["--append", "--no-verify"]).ok();
        let plain = place.path("plain.psv");
        convert(&archive, &plain, &["--force"]).ok();
        assert!(fs::read(plain).unwrap() == psv.repeat(times));
    }
    let before = fs::read(&archive).unwrap();
    let refused = |to: &Path, options: &[&str], kind: &str, texts: &[&str]| {
        let options = [&["--append", "--json"], options].concat();
        convert(&sample("sample.psv"), to, &options).refused(2, kind, texts);
    };
    refused(&place.path("x.psv"), &[], "archive", &["x.psv", ".kmb"]);
    refused(Path::new("-"), &["--to", "psv"], "archive", &["--append", "cat"]);
    refused(&archive, &["--to", "hcpe"], "other_format", &["all.kmb: is an archive of psv, and not of hcpe"]);
    let cut = place.file("cut.kmb", &before[..before.len() - 5]);
    refused(&cut, &[], "not_appended", &["cut.kmb", "--salvage"]);
    let said = convert(&sample("sample.psv"), &cut, &["--append", "--lang", "ja"]);
    assert!(said.stderr.contains("末尾まで完全なアーカイブ"), "{}", said.stderr);
    for option in ["--force", "--partition=0/2"] {
        let ran = convert(&sample("sample.psv"), &archive, &["--append", option]);
        assert_eq!(ran.code, 2, "{option}: {}", ran.stderr);
    }
    assert!(fs::read(&archive).unwrap() == before);
    assert_eq!(place.names(), ["all.kmb", "cut.kmb", "plain.psv"]);
}

/// Standard input is described like a file.
#[test]
fn info_describes_archives_from_standard_input() {
    let place = Place::new();
    let archive = place.path("a.kmb");
    convert(&sample("sample.psv"), &archive, &["--unordered"]).ok();
    let bytes = fs::read(&archive).unwrap();
    let lines = |text: String| text.lines().skip(1).map(str::to_owned).collect::<Vec<_>>();
    let of_file = lines(run([OsStr::new("info"), archive.as_os_str()]).ok());
    assert_eq!(lines(run_on(&bytes, ["info", "-"]).ok()), of_file);
    assert!(of_file.iter().any(|line| line.contains("(--unordered)")), "{of_file:?}");
    assert!(of_file.iter().any(|line| line.contains("metadata: {\"program\":")), "{of_file:?}");
    // A copy says so too.
    let copy = place.path("b.kmb");
    convert(&archive, &copy, &[]).ok();
    let info = run([OsStr::new("info"), copy.as_os_str()]).ok();
    assert!(info.contains("(--unordered)"), "{info}");
    // All damage is named, and what is whole is described.
    let blocks = place.path("blocks.kmb");
    convert(&sample("sample.psv"), &blocks, &["--block-records", "1024"]).ok();
    let mut damaged = fs::read(&blocks).unwrap();
    let end = damaged.len();
    damaged[300] ^= 1;
    damaged[end - 9] ^= 1;
    let ran = run_on(&damaged, ["info", "-"]);
    assert_eq!(ran.code, 1);
    for words in ["records 0..1024: ", "no record is lost by it", "records   976"] {
        assert!(ran.stdout.contains(words), "{words}: {}", ran.stdout);
    }
}

/// What a copy leaves out is said, in both languages and to programs, and is no fault.
#[test]
fn a_copy_says_what_it_leaves_out() {
    let place = Place::new();
    let psv = fs::read(sample("sample.psv")).unwrap();
    let header =
        Header { metadata: r#"{"score":{"unit":"cp"},"note":"n"}"#.into(), ..Header::new(Source::Psv) };
    let archive = write_archive(&header, &psv, 1000, &Encoding::new(Codec::Columns)).unwrap();
    let archive = place.file("a.kmb", archive);
    let out = place.path("b.hcpe.kmb");
    let report = convert(&archive, &out, &["--json"]).report();
    assert_eq!(report["notes"][0]["kind"], "metadata");
    assert!(report["notes"][0]["message"].as_str().unwrap().ends_with("left out: score"), "{report}");
    let said = convert(&archive, &out, &["--force", "--lang", "ja"]).ok();
    assert!(said.contains("メタデータを省いた: score"), "{said}");
    let info = run([OsStr::new("info"), out.as_os_str()]).ok();
    assert!(info.contains("\"note\":\"n\"") && !info.contains("unit"), "{info}");
}

/// Every damaged block has its line, at the default level and at others.
#[test]
fn validation_says_what_is_damaged() {
    let place = Place::new();
    let archive = place.path("a.kmb");
    convert(&sample("sample.psv"), &archive, &["--archive", "fast", "--block-records", "1024"]).ok();
    let mut bytes = fs::read(&archive).unwrap();
    let second = bytes.windows(8).rposition(|word| word == b"\xf7kmblk\n\xc5").unwrap() - 40;
    bytes[300] ^= 1;
    bytes[second] ^= 1;
    fs::write(&archive, bytes).unwrap();
    for level in ["size", "codec", "move", "ply", "canonical"] {
        let validate = [OsStr::new("validate"), archive.as_os_str(), "--level".as_ref(), level.as_ref()];
        let report = run(validate.iter().copied().chain([OsStr::new("--json")]));
        assert_eq!(report.code, 1);
        let report = report.report();
        assert_eq!(report["clean"], false, "{level}");
        assert_eq!(report["tails"].as_array().unwrap().len(), 2, "{level}: {report}");
        let said = run(validate);
        for words in ["records 0..1024: ", "records 1024..2000: "] {
            assert!(said.stdout.contains(words), "{level}: {}", said.stdout);
        }
        assert!(!said.stdout.contains("nothing"), "{}", said.stdout);
    }
}

/// A newer version is no damage.
#[test]
fn an_archive_of_a_newer_version_is_kept() {
    let place = Place::new();
    let mut header = Header::new(Source::Psv).to_bytes().unwrap();
    header.truncate(16);
    header[8] = 2;
    header.extend_from_slice(&twox_hash::XxHash3_64::oneshot(&header).to_le_bytes());
    let archive = place.file("a.kmb", header);
    let refuse = |options: &[&str]| convert(&archive, &place.path("b.psv"), options);
    let refused = refuse(&["--json"]);
    refused.refused(
        1,
        "unsupported",
        &["written by a newer version", "version 2 of the format", "update komabako"],
    );
    let said = refuse(&["--lang", "ja"]);
    assert!(said.stderr.contains("新しいバージョンで書かれたアーカイブ"), "{}", said.stderr);
}

/// Game records go straight to an archive, with its options.
#[test]
fn game_records_are_archived() {
    let place = Place::new();
    let game = Path::new(env!("CARGO_MANIFEST_DIR")).join("../komabako-kifu/tests/data/floodgate_0.csa");
    let archive = place.path("a.kmb");
    convert(&game, &archive, &["--archive", "fast", "--missing-score", "0"]).ok();
    let info = run([OsStr::new("info"), archive.as_os_str()]).ok();
    assert!(info.contains("blocks: 1 columns") && info.contains("1 stand alone"), "{info}");
    convert(&game, &archive, &["--append", "--json"]).refused(2, "archive", &["NEW.kmb OUT.kmb --append"]);
    convert(&game, &place.path("a.psv"), &["--archive", "fast", "--json"]).refused(2, "archive", &["a.psv"]);
}

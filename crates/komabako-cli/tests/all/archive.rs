//! Archives (`.kmb`): `convert` and its options, `info`, `validate`, damage.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::support::{Place, Ran, program, run, sample};

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
    let psv = sample("sample.psv");
    fs::copy(&psv, place.path("in.psv")).unwrap();
    convert(&psv, &place.path("in.kmb"), &["--block-records", "1024"]).ok();
    for line in [
        "cat IN IN -o OUT",
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

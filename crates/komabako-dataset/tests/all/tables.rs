//! Tables and JSON lines as files: round trips, one header per file, and every job that writes them.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{convert, convert_with, sample, sample_path};
use komabako_dataset::convert::{self as conversion, OnBadRecord};
use komabako_dataset::detect::detect_path;
use komabako_dataset::error::{CellFault, Damage, RecordFault, TailCause};
use komabako_dataset::move16::MoveFault;
use komabako_dataset::split::{self, Names, Rule};
use komabako_dataset::{DatasetError, FileFormat, Input, Output, Selection, large};

const FORMATS: [FileFormat; 3] = [FileFormat::Tsv, FileFormat::Csv, FileFormat::Jsonl];

/// The lines of a file without its header, which must be its first line.
fn body(format: FileFormat, bytes: &[u8]) -> Vec<String> {
    let text =
        std::str::from_utf8(bytes.strip_prefix(format.header()).expect("the header comes first")).unwrap();
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    assert!(lines.iter().all(|line| !line.starts_with("sfen")), "one header");
    lines
}

#[test]
fn records_round_trip_byte_for_byte() {
    for (from, file) in [(FileFormat::Psv, "sample.psv"), (FileFormat::Hcpe, "sample.hcpe")] {
        for format in FORMATS {
            let text = convert(from, format, &sample(file));
            assert_eq!(body(format, &text).len(), 2000, "{format}");
            assert!(convert(format, from, &text) == sample(file), "{file} by {format}");
            assert!(convert(format, format, &text) == text, "{format}");
        }
    }
}

#[test]
fn the_first_record_of_the_sample_is_written_as_specified() {
    let [tsv, csv, jsonl] =
        FORMATS.map(|format| convert(FileFormat::Psv, format, &sample("sample.psv")[..40]));
    let plain =
        String::from_utf8(convert(FileFormat::Psv, FileFormat::Plain, &sample("sample.psv")[..40])).unwrap();
    let value = |key: &str| plain.lines().find_map(|line| line.strip_prefix(key)).unwrap().trim();
    let [sfen, mv, score, ply, result] = ["sfen", "move", "score", "ply", "result"].map(value);
    let table = [[sfen, mv, score, ply, result].join("\t"), String::new()].join("\n");
    assert_eq!(tsv, [FileFormat::Tsv.header(), table.as_bytes()].concat());
    assert_eq!(csv, [FileFormat::Csv.header(), table.replace('\t', ",").as_bytes()].concat());
    let json = format!(
        "{{\"sfen\":\"{sfen}\",\"move\":\"{mv}\",\"score\":{score},\"ply\":{ply},\"result\":{result}}}\n"
    );
    assert_eq!(String::from_utf8(jsonl).unwrap(), json);
}

#[test]
fn fields_missing_in_hcpe_stay_unknown() {
    for format in FORMATS {
        let (text, summary) =
            convert_with(FileFormat::Hcpe, format, &sample("sample.hcpe")[..38], |_| {}).unwrap();
        assert_eq!(summary.losses, [], "{format}");
        assert!(convert(format, FileFormat::Hcpe, &text) == sample("sample.hcpe")[..38]);
    }
    let csv = convert(FileFormat::Hcpe, FileFormat::Csv, &sample("sample.hcpe")[..38]);
    assert_eq!(body(FileFormat::Csv, &csv)[0].split(',').nth(3), Some(""));
}

#[test]
fn plies_are_counted_within_games() {
    let csv = convert(FileFormat::Psv, FileFormat::Csv, &sample("sample.psv")[..40 * 10]);
    let pack = convert(FileFormat::Csv, FileFormat::Pack, &csv);
    assert!(convert(FileFormat::Pack, FileFormat::Csv, &pack) == csv);
}

#[test]
fn files_are_recognised_by_their_content() {
    let directory = tempfile::tempdir().unwrap();
    for format in FORMATS {
        let text = convert(FileFormat::Psv, format, &sample("sample.psv"));
        let headless = text.strip_prefix(format.header()).unwrap();
        for content in [&text[..], headless, &[b"\xef\xbb\xbf", &text[..]].concat()] {
            let path = directory.path().join("data");
            fs::write(&path, content).unwrap();
            assert_eq!(detect_path(&path).unwrap().format, Some(format));
        }
    }
}

#[test]
fn joined_files_have_one_header() {
    let csv = convert(FileFormat::Psv, FileFormat::Csv, &sample("sample.psv")[..40 * 3]);
    // The header of the second file is in the middle of the stream.
    let twice = [&csv[..], &csv[..]].concat();
    let joined = convert_with(FileFormat::Csv, FileFormat::Csv, &twice, |job| job.copy = true).unwrap().0;
    assert_eq!(body(FileFormat::Csv, &joined).len(), 6);
    let last = convert_with(FileFormat::Csv, FileFormat::Csv, &twice, |job| {
        job.copy = true;
        job.select = Selection::Last(2);
    });
    assert_eq!(body(FileFormat::Csv, &last.unwrap().0).len(), 2);
}

fn written(directory: &Path, name: &str) -> PathBuf {
    directory.join(name)
}

#[test]
fn every_part_of_a_split_has_a_header() {
    let directory = tempfile::tempdir().unwrap();
    let names = Names::Pattern(written(directory.path(), "part-{}.csv"));
    let rule = Rule::Records(900.try_into().unwrap());
    let summary =
        split::Job::new(vec![Input::path(sample_path("sample.psv"))], rule, names).run(&mut ()).unwrap();
    let counts: Vec<_> = summary
        .parts
        .iter()
        .map(|part| body(FileFormat::Csv, &fs::read(&part.name).unwrap()).len())
        .collect();
    assert_eq!(counts, [900, 900, 200]);
    assert!(summary.parts.iter().all(|part| fs::metadata(&part.name).unwrap().len() == part.bytes));
}

#[test]
fn shuffled_and_deduplicated_tables_have_one_header() {
    let directory = tempfile::tempdir().unwrap();
    let input = written(directory.path(), "in.tsv");
    let tsv = convert(FileFormat::Psv, FileFormat::Tsv, &sample("sample.psv"));
    fs::write(&input, [&tsv[..], &tsv[..]].concat()).unwrap();
    let run = |name: &str, change: &dyn Fn(&mut large::Job)| {
        let output = written(directory.path(), name);
        let mut job = large::Job::new(vec![Input::path(&input)], Output::path(&output));
        change(&mut job);
        let summary = job.plan(&mut ()).unwrap().run(&mut ()).unwrap();
        let bytes = fs::read(&output).unwrap();
        assert_eq!(summary.counts.bytes_written, bytes.len() as u64);
        let mut lines = body(FileFormat::Tsv, &bytes);
        lines.sort();
        lines
    };
    let mut all = body(FileFormat::Tsv, &tsv);
    all.extend(all.clone());
    all.sort();
    let shuffled = run("shuffled.tsv", &|job| job.shuffle = Some(large::Shuffle { seed: 1, phased: false }));
    assert!(shuffled == all);
    all.dedup();
    let unique = large::Unique { by: large::Sameness::Record, ..Default::default() };
    let deduplicated = run("unique.tsv", &move |job| {
        job.unique = Some(large::Unique { by: unique.by, ..Default::default() });
    });
    assert!(deduplicated == all);
}

#[test]
fn bad_row_is_collected_unchanged() {
    let directory = tempfile::tempdir().unwrap();
    let rejects = written(directory.path(), "bad.csv");
    let csv = b"sfen,move,score,ply,result\nstartpos,7g7f,1,1,1\nstartpos,7g7x,1,1,1\nstartpos,,x,1,1\n";
    let policy = OnBadRecord::Collect(rejects.clone());
    let (psv, summary) =
        convert_with(FileFormat::Csv, FileFormat::Psv, csv, |job| job.on_bad_record = policy).unwrap();
    assert_eq!((psv.len(), summary.counts.bad["MOVE_TEXT"], summary.counts.bad["CELL"]), (40, 1, 1));
    assert_eq!(fs::read_to_string(&rejects).unwrap(), "startpos,7g7x,1,1,1\nstartpos,,x,1,1\n");
    let error = convert_with(FileFormat::Csv, FileFormat::Psv, csv, |_| {}).unwrap_err();
    let DatasetError::Record(error) = error else { panic!("{error}") };
    assert_eq!((error.record, error.offset, error.line), (1, 47, Some(3)));
    assert_eq!(error.fault, RecordFault::Cell(CellFault::Move(MoveFault::Text), 10));
}

#[test]
fn lines_are_counted_across_blocks() {
    let mut csv = convert(FileFormat::Psv, FileFormat::Csv, &sample("sample.psv")).repeat(10);
    assert!(csv.len() > 1 << 20, "more than one block");
    csv.extend_from_slice(b"\n\nstartpos,,x\n");
    let error = convert_with(FileFormat::Csv, FileFormat::Psv, &csv, |_| {}).unwrap_err();
    let DatasetError::Record(error) = error else { panic!("{error}") };
    assert_eq!((error.record, error.line), (20_000, Some(10 * 2001 + 3)));
}

#[test]
fn columns_in_another_order_are_refused() {
    let rows = "startpos,7g7f,35,1,1\n";
    for (header, before) in [
        ("sfen,score\n", ""),
        ("SFEN,\"Move\",ply,score,result\n", ""),
        ("position,move,score\n", "sfen,move\n"),
        ("ply,move,sfen\n", rows),
    ] {
        let csv = [before, header, rows, rows].concat();
        // Also if bad records are skipped: the rows below would be good ones with the wrong labels.
        for policy in [OnBadRecord::Stop, OnBadRecord::Skip] {
            let set = |job: &mut conversion::Job| job.on_bad_record = policy.clone();
            let error = convert_with(FileFormat::Csv, FileFormat::Psv, csv.as_bytes(), set).unwrap_err();
            let DatasetError::Tail(tail) = error else { panic!("{error}") };
            assert_eq!(tail.cause, TailCause::Damaged(Damage::Columns), "{header}");
            assert_eq!(
                (tail.records, tail.offset),
                (u64::from(before == rows), before.len() as u64),
                "{header}"
            );
        }
    }
}

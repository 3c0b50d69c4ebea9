//! Archives (`.kmb`) are read and written like any other file.

use std::fs;
use std::io::Write;
use std::path::Path;

use komabako_dataset::archive::{Archiving, Fault, Joints, Summary};
use komabako_dataset::convert::Job;
use komabako_dataset::error::TailCause;
use komabako_dataset::{Compression, DatasetError, FileFormat, Input, Inputs, Output, Selection, detect};

use crate::common::{convert_with, sample, sample_path};

const FAST: Archiving = Archiving { block_records: 1024, ..Archiving::FAST };
const SMALL: Archiving = Archiving { block_records: 1024, ..Archiving::SMALL };

/// Converts files by their names.
fn convert(input: &Path, output: &Path, change: impl FnOnce(&mut Job)) -> Result<(), DatasetError> {
    let mut job = Job::new(vec![Input::path(input)], Output::path(output));
    change(&mut job);
    job.plan()?.run(&mut ()).map(drop)
}

/// An archive of a sample file, in blocks of 1024 records.
fn archive(sample: &str, archiving: Archiving, path: &Path) {
    convert(&sample_path(sample), path, |job| job.compression = Some(Compression::Archive(archiving)))
        .unwrap();
}

/// The content of an input, as a file of its own format.
fn content(path: &Path, select: Selection) -> Vec<u8> {
    let mut out = Vec::new();
    let output = Output::Stream("output".into(), Box::new(&mut out));
    let job = Job { select, ..Job::new(vec![Input::path(path)], output) };
    job.plan().unwrap().run(&mut ()).unwrap();
    out
}

#[test]
fn records_come_back_byte_for_byte() {
    let directory = tempfile::tempdir().unwrap();
    for (name, format) in [("sample.psv", FileFormat::Psv), ("sample.hcpe", FileFormat::Hcpe)] {
        for archiving in [FAST, SMALL] {
            let path = directory.path().join(format!("{format}-{}.kmb", archiving.codec.name()));
            archive(name, archiving, &path);
            assert!(fs::metadata(&path).unwrap().len() < 2000 * 5);
            let found = detect::detect_path(&path).unwrap();
            assert_eq!((found.compression.name(), found.format), ("kmb", Some(format)));
            assert_eq!(content(&path, Selection::All), sample(name));
        }
    }
}

#[test]
fn a_name_asks_for_an_archive_of_its_inner_format_or_the_input_s() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name);
    convert(&sample_path("sample.psv"), &path("text.jsonl"), |_| {}).unwrap();
    for (input, name, format) in [
        (sample_path("sample.hcpe"), "a.kmb", FileFormat::Hcpe),
        (sample_path("sample.hcpe"), "a.psv.kmb", FileFormat::Psv),
        (path("text.jsonl"), "b.kmb", FileFormat::Psv),
    ] {
        convert(&input, &path(name), |_| {}).unwrap();
        assert_eq!(detect::detect_path(&path(name)).unwrap().format, Some(format), "{name}");
    }
    assert_eq!(content(&path("b.kmb"), Selection::All), sample("sample.psv"));

    let refused = |name: &str| convert(&sample_path("sample.psv"), &path(name), |_| {}).unwrap_err().kind();
    assert_eq!(refused("c.sfen.kmb"), "not_archived");
    assert_eq!(refused("c.kmb.zst"), "compressed_archive");
    assert_eq!(refused("c.psv.kmb.gz"), "compressed_archive");
    let mut packed = Compression::Zstd.encoder(Vec::new(), 1).unwrap();
    packed.write_all(&fs::read(path("a.kmb")).unwrap()).unwrap();
    fs::write(path("d.zst"), packed.finish().unwrap()).unwrap();
    assert_eq!(detect::detect_path(&path("d.zst")).unwrap_err().kind(), "compressed_archive");
}

#[test]
fn archives_are_streams_and_may_be_joined() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a.kmb");
    archive("sample.psv", FAST, &path);
    let one = fs::read(&path).unwrap();
    let joined = [&one[..], &one].concat();
    let psv = sample("sample.psv");
    let (converted, _) = convert_with(FileFormat::Psv, FileFormat::Psv, &joined, |_| {}).unwrap();
    assert_eq!(converted, psv.repeat(2));

    fs::write(&path, joined).unwrap();
    let inputs = Inputs::examine(vec![Input::path(&path)], None, false).unwrap();
    assert_eq!(inputs.records(), Some(4000));
}

#[test]
fn records_are_found_by_the_index() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a.kmb");
    archive("sample.psv", SMALL, &path);
    let mut bytes = fs::read(&path).unwrap();
    bytes.extend_from_within(..);
    let psv = sample("sample.psv").repeat(2);
    // The first block is damaged: what lies behind it is read all the same, so it is not decoded.
    let sound = bytes.clone();
    bytes[200] ^= 1;
    for (content_of, starts) in [(sound, vec![0, 1, 1023]), (bytes, vec![1024, 1999, 2000, 3500, 3999])] {
        fs::write(&path, content_of).unwrap();
        for start in starts {
            let range = start as u64..start as u64 + 30;
            let end = (start + 30).min(4000);
            assert!(content(&path, Selection::Range(range)) == psv[start * 40..end * 40], "from {start}");
        }
    }
    assert!(content(&path, Selection::Last(500)) == psv[3500 * 40..]);
}

#[test]
fn damage_is_named_with_the_whole_blocks_before_it() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a.kmb");
    archive("sample.psv", FAST, &path);
    let sound = fs::read(&path).unwrap();
    let tail = |bytes: &[u8], salvage: bool| {
        let convert =
            convert_with(FileFormat::Psv, FileFormat::Psv, bytes, |job| job.options.salvage = salvage);
        match convert {
            Err(DatasetError::Tail(tail)) => (Vec::new(), *tail),
            Err(error) => panic!("{error}"),
            Ok((records, summary)) => (records, summary.counts.tails[0].clone()),
        }
    };
    let psv = sample("sample.psv");
    let mut flipped = sound.clone();
    let place = sound.len() * 3 / 4;
    flipped[place] ^= 1;
    for (bytes, fault, kind) in [
        (&sound[..sound.len() * 3 / 4], Fault::Truncated, "truncated"),
        (&flipped, Fault::PayloadSum, "damaged"),
    ] {
        let (_, found) = tail(bytes, false);
        let TailCause::Archive(error) = found.cause else { panic!("{found}") };
        assert_eq!((error.fault, error.block, error.record), (fault, 1, 1024));
        assert_eq!(found.records, 1024);
        assert_eq!(DatasetError::Tail(Box::new(found)).kind(), kind);
        let (salvaged, found) = tail(bytes, true);
        assert_eq!(found.records, 1024);
        assert_eq!(salvaged, psv[..1024 * 40]);
    }
}

#[test]
fn unordered_records_are_put_together_to_games() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name);
    let psv = sample("sample.psv");
    // Every fifth record, five times: no record is one or two plies after the one before it.
    let records = psv.as_chunks::<40>().0;
    let dealt: Vec<u8> =
        (0..5).flat_map(|start| records[start..].iter().step_by(5)).flatten().copied().collect();
    fs::write(path("dealt.psv"), &dealt).unwrap();
    let size_of = |name: &str, unordered| {
        let archiving = Archiving { unordered, ..Archiving::SMALL };
        let to = Some(Compression::Archive(archiving));
        convert(&path("dealt.psv"), &path(name), |job| job.compression = to).unwrap();
        fs::metadata(path(name)).unwrap().len()
    };
    let ordered = size_of("ordered.kmb", None);
    let whole = size_of("whole.kmb", Some(1 << 20));
    // A window of 66 records, in which few games come together.
    let narrow = size_of("narrow.kmb", Some(10_000));
    assert!(whole < ordered / 2 && whole < narrow && narrow <= ordered + 8, "{whole} {narrow} {ordered}");
    let sorted = |bytes: &[u8]| {
        let mut records = bytes.as_chunks::<40>().0.to_vec();
        records.sort_unstable();
        records
    };
    for name in ["whole.kmb", "narrow.kmb"] {
        assert!(sorted(&content(&path(name), Selection::All)) == sorted(&psv), "{name}");
        let summary = Summary::of_file(&path(name)).unwrap().unwrap();
        assert!(summary.order_lost);
        assert_eq!((summary.members, summary.records), (1, 2000));
    }
    let Joints { loose, chained, bridged } = Summary::of_file(&path("whole.kmb")).unwrap().unwrap().joints;
    assert!(loose < 30 && chained > 1900 && loose + chained + bridged == 2000, "{loose} {chained} {bridged}");
    assert!(!Summary::of_file(&path("ordered.kmb")).unwrap().unwrap().order_lost);
}

/// What lies behind damage is kept: a flipped bit costs one block, in its payload or in its header.
#[test]
fn salvage_goes_on_behind_a_damaged_block() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a.kmb");
    let psv = sample("sample.psv").repeat(3);
    let input = directory.path().join("a.psv");
    fs::write(&input, &psv).unwrap();
    convert(&input, &path, |job| job.compression = Some(Compression::Archive(FAST))).unwrap();
    let sound = fs::read(&path).unwrap();
    let starts: Vec<usize> = sound
        .windows(8)
        .enumerate()
        .filter(|(_, bytes)| *bytes == b"\xf7kmblk\n\xc5")
        .map(|(place, _)| place)
        .collect();
    assert_eq!(starts.len(), 7, "six blocks and the index");
    for (place, fault) in [
        (starts[2] + 100, Fault::PayloadSum),
        (starts[2] + 20, Fault::BlockSum),
        (starts[2] + 3, Fault::Sync),
    ] {
        let mut damaged = sound.clone();
        damaged[place] ^= 4;
        let salvage =
            convert_with(FileFormat::Psv, FileFormat::Psv, &damaged, |job| job.options.salvage = true);
        let (salvaged, summary) = salvage.unwrap();
        let [tail] = &summary.counts.tails[..] else { panic!("{:?}", summary.counts.tails) };
        let TailCause::Archive(error) = tail.cause else { panic!("{tail}") };
        assert_eq!((error.fault, error.record, error.lost), (fault, 2048, 1024));
        assert!(tail.to_string().contains("block 2, records 2048..3072: "), "{tail}");
        assert_eq!(salvaged.len(), psv.len() - 1024 * 40);
        assert!(salvaged == [&psv[..2048 * 40], &psv[3072 * 40..]].concat());
        let stopped = convert_with(FileFormat::Psv, FileFormat::Psv, &damaged, |_| {}).unwrap_err();
        assert_eq!(stopped.kind(), "damaged");
    }
    // A part that is cut out, between blocks and within one.
    for end in [starts[1], starts[1] + 30, starts[1] + 90] {
        let cut = [&sound[..end], &sound[starts[4]..]].concat();
        let (salvaged, summary) =
            convert_with(FileFormat::Psv, FileFormat::Psv, &cut, |job| job.options.salvage = true).unwrap();
        let TailCause::Archive(error) = summary.counts.tails[0].cause else { panic!("{summary:?}") };
        // A block that was cut takes the start of the next one for its own end.
        let resumed = if end > starts[1] + 56 { 5120 } else { 4096 };
        assert!(salvaged == [&psv[..1024 * 40], &psv[resumed * 40..]].concat(), "{end}");
        assert_eq!(error.record, 1024, "{end}");
    }
}

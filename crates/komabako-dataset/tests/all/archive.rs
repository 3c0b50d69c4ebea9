//! Archives (`.kmb`) are read and written like any other file.

use std::fs;
use std::io::Write;
use std::path::Path;

use komabako_dataset::archive::{Archiving, Fault, Joints, Source, Summary};
use komabako_dataset::convert::Job;
use komabako_dataset::error::TailCause;
use komabako_dataset::{
    Compression, DatasetError, FileFormat, Input, Inputs, MoveReading, Output, Selection, detect, large,
};

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

/// What a reader of all of an archive finds.
fn summary(path: &Path) -> Summary {
    let (detection, mut content) = detect::open(Input::path(path), None).unwrap();
    std::io::copy(&mut content, &mut std::io::sink()).unwrap();
    detection.archive.unwrap().summary()
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

/// A few records are read without the blocks that have none of them, and moves in another encoding are noticed near them.
#[test]
fn a_range_is_sampled_and_read_by_itself() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name);
    let psv = sample("sample.psv");
    let mut apery = psv.clone();
    for (record, hcpe) in apery.chunks_exact_mut(40).zip(sample("sample.hcpe").chunks_exact(38)) {
        record[34..36].copy_from_slice(&hcpe[34..36]);
    }
    fs::write(path("half.psv"), [&psv[..1024 * 40], &apery[1024 * 40..]].concat()).unwrap();
    for archiving in [FAST, SMALL] {
        convert(&path("half.psv"), &path("half.kmb"), |job| {
            job.compression = Some(Compression::Archive(archiving));
            job.options.moves = MoveReading::AsIs;
            job.options.force = true;
        })
        .unwrap();
        let slice = |range| {
            let output = Output::Stream("output".into(), Box::new(std::io::sink()));
            let inputs = vec![Input::path(path("half.kmb"))];
            Job { select: Selection::Range(range), ..Job::new(inputs, output) }.plan().map(drop)
        };
        assert_eq!(slice(1500..1501).unwrap_err().kind(), "mismatch");
        assert_eq!(slice(700..1100).unwrap_err().kind(), "mismatch");
        slice(1000..1001).unwrap();
    }
}

/// Jobs that read their inputs twice keep the records of an archive, if the memory suffices; they write the same.
#[test]
fn jobs_write_the_same_of_an_archive_as_of_its_records() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name);
    fs::write(path("a.psv"), sample("sample.psv").repeat(20)).unwrap();
    convert(&path("a.psv"), &path("a.kmb"), |job| job.compression = Some(Compression::Archive(FAST)))
        .unwrap();
    let written = |name: &str, shuffles: bool, memory: Option<u64>| {
        let mut out = Vec::new();
        let output = Output::Stream("output".into(), Box::new(&mut out));
        let mut job = large::Job::new(vec![Input::path(path(name))], output);
        job.unique = Some(large::Unique { by: large::Sameness::Record, ..Default::default() });
        job.shuffle = shuffles.then_some(large::Shuffle { seed: 1, phased: false });
        job.limits.memory = memory;
        job.limits.directories = vec![directory.path().to_owned()];
        job.options.threads = 2;
        let plan = job.plan(&mut ()).unwrap();
        let planned = plan.preflight().memory;
        plan.run(&mut ()).unwrap();
        (out, planned)
    };
    for shuffles in [false, true] {
        let (plain, of_plain) = written("a.psv", shuffles, None);
        let (kept, of_kept) = written("a.kmb", shuffles, None);
        let (decoded_twice, of_decoded) = written("a.kmb", shuffles, Some(of_kept - 1));
        assert!(plain == kept && plain == decoded_twice);
        assert_eq!(plain.len(), sample("sample.psv").len());
        assert_eq!(of_kept - of_decoded, 20 * sample("sample.psv").len() as u64);
        assert!(of_plain < of_decoded);
    }
}

/// What decoding takes is counted before a job starts: more for larger blocks and more threads.
#[test]
fn the_memory_for_decoding_is_counted() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name);
    let psv = sample("sample.psv");
    fs::write(path("a.psv"), psv.repeat(20)).unwrap();
    for (name, block_records) in [("1024.kmb", 1024), ("40000.kmb", 40_000)] {
        convert(&path("a.psv"), &path(name), |job| {
            let archiving = Archiving { block_records, ..Archiving::FAST };
            job.compression = Some(Compression::Archive(archiving));
        })
        .unwrap();
    }
    let memory = |name: &str, threads| {
        let mut job = Job::new(vec![Input::path(path(name))], Output::path(path("out.psv")));
        job.options.threads = threads;
        job.plan().unwrap().preflight().memory
    };
    let decoding = |name, threads| memory(name, threads) - memory("a.psv", threads);
    assert_eq!(decoding("1024.kmb", 1) >> 20, 16);
    assert_eq!(decoding("1024.kmb", 3) >> 20, 32);
    assert_eq!(decoding("40000.kmb", 1) >> 20, 22);
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
        let summary = summary(&path(name));
        assert!(summary.order_lost);
        assert_eq!((summary.members, summary.records), (1, 2000));
    }
    let Joints { loose, chained, bridged } = summary(&path("whole.kmb")).joints;
    assert!(loose < 30 && chained > 1900 && loose + chained + bridged == 2000, "{loose} {chained} {bridged}");
    assert!(!summary(&path("ordered.kmb")).order_lost);
}

/// No block needs the header of its member: whatever bit of it is flipped, the records are salvaged.
#[test]
fn a_damaged_header_loses_no_records() {
    let directory = tempfile::tempdir().unwrap();
    for (name, format) in [("sample.psv", FileFormat::Psv), ("sample.hcpe", FileFormat::Hcpe)] {
        let path = directory.path().join(format!("{format}.kmb"));
        let records = sample(name);
        archive(name, FAST, &path);
        let sound = fs::read(&path).unwrap();
        // The magic, version, format, flags, a short and a long length of the metadata, the sum.
        for (place, bit) in
            [(0, 1), (5, 1), (8, 2), (9, 1), (10, 3), (10, 8), (11, 2), (12, 1), (14, 1), (15, 1), (20, 1)]
        {
            let mut damaged = sound.clone();
            damaged[place] ^= bit;
            let first = [&damaged[..], &sound].concat();
            let second = [&sound[..], &damaged].concat();
            for (content_of, times, at) in [(&damaged, 1, 0), (&first, 2, 0), (&second, 2, 2000)] {
                let context = format!("{name}, byte {place}, header of record {at}");
                fs::write(&path, content_of).unwrap();
                assert_eq!(detect::detect_path(&path).unwrap().format, Some(format), "{context}");
                let mut salvaged = Vec::new();
                let output = Output::Stream("output".into(), Box::new(&mut salvaged));
                let mut job = Job::new(vec![Input::path(&path)], output);
                job.options.salvage = true;
                let summary = job.plan().unwrap().run(&mut ()).unwrap();
                assert!(salvaged == records.repeat(times), "{context}: {} bytes", salvaged.len());
                let [tail] = &summary.counts.tails[..] else { panic!("{context}: {summary:?}") };
                let TailCause::Archive(error) = tail.cause else { panic!("{context}: {tail}") };
                assert_eq!((error.record, error.lost), (at, 0), "{context}");
                let stopped = convert(&path, &directory.path().join("b.psv"), |_| {}).unwrap_err();
                let said = stopped.to_string();
                assert!(
                    ["header", "start of an archive", "metadata"].iter().any(|what| said.contains(what)),
                    "{context}: {said}"
                );
            }
        }
        // The first block is damaged too.
        let mut damaged = sound;
        damaged[10] ^= 3;
        damaged[200] ^= 1;
        let salvage = convert_with(format, format, &damaged, |job| {
            job.options.salvage = true;
        });
        let (salvaged, summary) = salvage.unwrap();
        assert!(salvaged == records[records.len() / 2000 * 1024..], "{summary:?}");
        assert_eq!(summary.counts.tails.len(), 2);
    }
}

/// What an archive says that it holds is not guessed from its content, and not contradicted.
#[test]
fn the_declared_format_of_an_archive_is_its_format() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name);
    for (name, format, other) in
        [("psv", FileFormat::Psv, FileFormat::Hcpe), ("hcpe", FileFormat::Hcpe, FileFormat::Psv)]
    {
        for byte in [0, 0xff, 0x5a] {
            let input = path(&format!("a.{name}"));
            let records = vec![byte; 40 * 38];
            fs::write(&input, &records).unwrap();
            let source = archiving_of(format);
            let mut encoder = Compression::Archive(source).encoder(Vec::new(), 1).unwrap();
            encoder.write_all(&records).unwrap();
            let archive = path("a.kmb");
            fs::write(&archive, encoder.finish().unwrap()).unwrap();
            assert_eq!(detect::detect_path(&archive).unwrap().format, Some(format), "{byte}");
            let error = detect::open(Input::path(&archive), Some(other)).err().unwrap();
            assert_eq!(error.kind(), "other_format");
            assert!(
                error.to_string().contains(&format!("archive of {format}, and not of {other}")),
                "{error}"
            );
            assert!(detect::open(Input::path(&archive), Some(format)).is_ok());
        }
    }
}

fn archiving_of(format: FileFormat) -> Archiving {
    let source = if format == FileFormat::Hcpe { Source::Hcpe } else { Source::Psv };
    Archiving { source, ..FAST }
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
        // A block that was cut does not take the start of the next one with it.
        assert!(salvaged == [&psv[..1024 * 40], &psv[4096 * 40..]].concat(), "{end}");
        assert_eq!((error.record, error.lost), (1024, 3072), "{end}");
    }
}

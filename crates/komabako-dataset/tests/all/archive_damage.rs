//! Damaged archives: every report names all damage, samples pass over it, and nothing that is left of an archive is taken for something
//! else.

use std::fs;
use std::path::{Path, PathBuf};

use komabako_archive::Header;
use komabako_dataset::archive::{Archiving, Codec, Fault, Source};
use komabako_dataset::convert::{Job, Summary};
use komabako_dataset::error::{Tail, TailCause};
use komabako_dataset::large::{self, Shuffle, Unique};
use komabako_dataset::move16::MoveEncoding;
use komabako_dataset::validate::{self, Level};
use komabako_dataset::{Compression, DatasetError, FileFormat, Input, Output, Selection, detect};
use tempfile::TempDir;

use crate::common::{edit_psv, sample};

/// An archive in blocks of 1,024 of 6,000 records that differ.
struct Place {
    directory: TempDir,
    psv: Vec<u8>,
    sound: Vec<u8>,
    /// The start of each block, and of the index.
    blocks: Vec<usize>,
}

fn archive_of(psv: &[u8], archiving: Archiving) -> Vec<u8> {
    let mut archive = Vec::new();
    let input = vec![Input::Stream("input".into(), Box::new(psv))];
    let mut job = Job::new(input, Output::Stream("output".into(), Box::new(&mut archive)));
    job.options.from = Some(FileFormat::Psv);
    job.options.moves = komabako_dataset::MoveReading::AsIs;
    job.copy = true;
    job.compression = Some(Compression::Archive(Archiving { block_records: 1024, ..archiving }));
    job.plan().unwrap().run(&mut ()).unwrap();
    archive
}

impl Place {
    fn new() -> Place {
        let mut psv = sample("sample.psv").repeat(3);
        edit_psv(&mut psv, |number, record| record.score = number as i16);
        let sound = archive_of(&psv, Archiving::FAST);
        let words = sound.windows(8).enumerate().filter(|(_, bytes)| *bytes == b"\xf7kmblk\n\xc5");
        let blocks = words.map(|(place, _)| place).collect();
        Place { directory: TempDir::new().unwrap(), psv, sound, blocks }
    }

    fn file(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.directory.path().join(name);
        fs::write(&path, bytes).unwrap();
        path
    }

    fn flipped(&self, places: &[usize]) -> Vec<u8> {
        let mut bytes = self.sound.clone();
        places.iter().for_each(|&place| bytes[place] ^= 1);
        bytes
    }
}

fn input(path: &Path) -> Vec<Input<'static>> {
    vec![Input::path(path)]
}

fn copy(inputs: Vec<Input>, change: impl FnOnce(&mut Job)) -> Result<(Vec<u8>, Summary), DatasetError> {
    let mut out = Vec::new();
    let mut job = Job::new(inputs, Output::Stream("output".into(), Box::new(&mut out)));
    job.copy = true;
    change(&mut job);
    let summary = job.plan()?.run(&mut ())?;
    Ok((out, summary))
}

fn fault(tail: &Tail) -> (Fault, u64, u64) {
    let TailCause::Archive(error) = tail.cause else { panic!("{tail}") };
    (error.fault, error.record, error.lost)
}

#[test]
fn validation_names_every_damaged_block_at_every_level() {
    let place = Place::new();
    let damage = [place.blocks[1] + 100, place.blocks[3] + 20, place.blocks[4] + 100];
    let path = place.file("a.kmb", &place.flipped(&damage));
    let lost = [1024, 3072, 4096].map(|first| (first, 1024));
    for &level in Level::ALL {
        let job = validate::Job { levels: [level].into_iter().collect(), ..validate::Job::new(input(&path)) };
        let report = job.run(&mut ()).unwrap();
        let [file] = &report.files[..] else { panic!("{report:?}") };
        let found: Vec<_> = file.tails.iter().map(fault).map(|(_, first, lost)| (first, lost)).collect();
        assert_eq!(found, lost, "{level:?}");
        assert!(!report.is_clean(), "{level:?}");
        assert_eq!(file.records, 6000 - 3 * 1024);
        let bad = file.level(Level::Size).map(|size| size.bad);
        assert_eq!(bad, (level == Level::Size).then_some(3));
    }
}

#[test]
fn jobs_in_files_count_what_they_read() {
    let place = Place::new();
    let middle = [place.blocks[1] + 100, place.blocks[3] + 100];
    let ends = [place.blocks[0] + 100, place.blocks[5] + 100];
    let no_index = [place.blocks[1] + 100, place.sound.len() - 9];
    for (damage, lost, tails) in [(middle, 2048, 2), (ends, 1024 + 880, 2), (no_index, 1024, 2)] {
        let bytes = place.flipped(&damage);
        let path = place.file("a.kmb", &bytes);
        for (shuffle, unique, is_stream) in
            [(true, false, false), (false, true, false), (true, true, true), (true, false, true)]
        {
            let mut out = Vec::new();
            let output = Output::Stream("output".into(), Box::new(&mut out));
            let stream = || vec![Input::Stream("input".into(), Box::new(&bytes[..]))];
            let mut job = large::Job::new(if is_stream { stream() } else { input(&path) }, output);
            job.shuffle = shuffle.then_some(Shuffle { seed: 1, phased: false });
            let unique = unique.then(|| Unique { by: large::Sameness::Record, ..Default::default() });
            job.unique = unique;
            job.options.salvage = true;
            let counts = job.plan(&mut ()).unwrap().run(&mut ()).unwrap().counts;
            assert_eq!((counts.read, counts.written), (6000 - lost, 6000 - lost), "{damage:?}");
            assert_eq!(counts.tails.len(), tails, "{damage:?}");
        }
    }
    // Without salvage a stream stops there, as a file does.
    let bytes = place.flipped(&middle);
    let mut out = Vec::new();
    let output = Output::Stream("output".into(), Box::new(&mut out));
    let stream = vec![Input::Stream("input".into(), Box::new(&bytes[..]))];
    let mut job = large::Job::new(stream, output);
    job.shuffle = Some(Shuffle { seed: 1, phased: false });
    let stopped = job.plan(&mut ()).and_then(|plan| plan.run(&mut ()));
    assert_eq!(stopped.unwrap_err().kind(), "damaged");
}

/// The check of moves does not depend on the start of a file.
#[test]
fn a_sample_is_of_all_of_an_archive_and_passes_over_damage() {
    let place = Place::new();
    // The moves of the last third are in another encoding.
    let mut psv = place.psv.clone();
    edit_psv(&mut psv, |number, record| {
        if number >= 4096
            && let Ok(mv) = MoveEncoding::YaneuraOu.decode(record.best_move)
        {
            record.best_move = MoveEncoding::Apery.encode(mv).unwrap_or(record.best_move);
        }
    });
    for archiving in [Archiving::FAST, Archiving::SMALL] {
        let sound = archive_of(&psv, archiving);
        let path = place.file("other.kmb", &sound);
        let refused = copy(input(&path), |_| {}).unwrap_err();
        assert_eq!(refused.kind(), "mismatch", "{refused}");
    }
    edit_psv(&mut psv, |number, record| {
        if number < 4096
            && let Ok(mv) = MoveEncoding::YaneuraOu.decode(record.best_move)
        {
            record.best_move = MoveEncoding::Apery.encode(mv).unwrap_or(record.best_move);
        }
    });
    let mut damaged = archive_of(&psv, Archiving::FAST);
    damaged[200] ^= 1;
    let without_index = &damaged[..damaged.len() - 9];
    let path = place.file("damaged.kmb", &damaged);
    let cut = place.file("cut.kmb", without_index);
    for inputs in [
        input(&path),
        input(&cut),
        vec![Input::Stream("input".into(), Box::new(&damaged[..]))],
        vec![Input::Stream("input".into(), Box::new(without_index))],
    ] {
        let refused = copy(inputs, |job| job.options.salvage = true).unwrap_err();
        assert_eq!(refused.kind(), "mismatch", "{refused}");
    }
    // What the check has read of a stream is read again, with the damage in its place.
    let stream = vec![Input::Stream("input".into(), Box::new(&damaged[..]))];
    let (records, summary) = copy(stream, |job| {
        job.options.salvage = true;
        job.options.moves = komabako_dataset::MoveReading::In(MoveEncoding::Apery);
    })
    .unwrap();
    assert!(records == place.psv[1024 * 40..]);
    let sound = place.flipped(&[200, place.blocks[2] + 100]);
    let stream = vec![Input::Stream("input".into(), Box::new(&sound[..]))];
    let (records, both) = copy(stream, |job| job.options.salvage = true).unwrap();
    assert!(records == [&place.psv[1024 * 40..2048 * 40], &place.psv[3072 * 40..]].concat());
    assert_eq!((summary.counts.tails.len(), both.counts.tails.len()), (1, 2));
}

/// The last records by their numbers, wherever they come from.
#[test]
fn the_last_records_of_a_stream_are_those_of_a_file() {
    let place = Place::new();
    let damaged = place.flipped(&[place.blocks[2] + 100, place.blocks[5] + 30]);
    let path = place.file("a.kmb", &damaged);
    for count in [1, 500, 900, 1000, 2000, 3500, 5000, 7000] {
        let last = |inputs| {
            copy(inputs, |job| {
                job.select = Selection::Last(count);
                job.options.salvage = true;
            })
        };
        let (of_file, _) = last(input(&path)).unwrap();
        let (of_stream, _) = last(vec![Input::Stream("input".into(), Box::new(&damaged[..]))]).unwrap();
        assert!(of_file == of_stream, "{count}: {} {}", of_file.len(), of_stream.len());
    }
    // Of a truncated archive they are the last of its whole blocks.
    let cut = place.file("cut.kmb", &place.sound[..place.blocks[3] + 60]);
    let (records, _) = copy(input(&cut), |job| {
        job.select = Selection::Last(5);
        job.options.salvage = true;
    })
    .unwrap();
    assert!(records == place.psv[(3072 - 5) * 40..3072 * 40]);
}

/// An archive whose start is damaged is recognised, whatever the user says that it is.
#[test]
fn nothing_that_is_left_of_an_archive_is_taken_for_records() {
    let place = Place::new();
    let start = place.flipped(&[2]);
    // Neither the magic number nor the first block is left; only the name tells.
    let more = place.flipped(&[2, place.blocks[0] + 3]);
    let nothing = vec![7; 4000];
    for (name, bytes) in [("a.psv", &start), ("a.kmb", &start), ("b.kmb", &more), ("c.kmb", &nothing)] {
        let path = place.file(name, bytes);
        for from in [None, Some(FileFormat::Psv)] {
            let error = copy(input(&path), |job| job.options.from = from).unwrap_err();
            assert_eq!(error.kind(), "damaged", "{name}, {from:?}: {error}");
        }
        let other = copy(input(&path), |job| job.options.from = Some(FileFormat::Hcpe));
        assert!(["damaged", "other_format"].contains(&other.unwrap_err().kind()), "{name}");
    }
    let path = place.file("b.kmb", &more);
    let (records, summary) = copy(input(&path), |job| job.options.salvage = true).unwrap();
    // The header loses no record, but the first block is lost with it.
    let [tail] = &summary.counts.tails[..] else { panic!("{summary:?}") };
    assert!(fault(tail).2 == 1024 && !tail.to_string().contains("no record"), "{tail}");
    assert!(records == place.psv[1024 * 40..]);
    let path = place.file("c.kmb", &nothing);
    let (_, summary) = copy(input(&path), |job| job.options.salvage = true).unwrap();
    assert_eq!(fault(&summary.counts.tails[0]), (Fault::NoBlock, 0, 0));
    assert!(!summary.counts.tails[0].to_string().contains("no record is lost"));
    // Compressed once more.
    let mut packed = Compression::Zstd.encoder(Vec::new(), 1).unwrap();
    std::io::Write::write_all(&mut packed, &place.sound).unwrap();
    let path = place.file("a.psv.zst", &packed.finish().unwrap());
    for from in [None, Some(FileFormat::Psv)] {
        assert_eq!(detect::open(Input::path(&path), from).err().unwrap().kind(), "compressed_archive");
    }
}

/// A file of a newer version is no damaged one; an index that is damaged loses no record.
#[test]
fn what_is_wrong_is_said_for_what_it_is() {
    let place = Place::new();
    let index = place.blocks[6];
    let length = place.sound.len();
    for damage in [
        vec![index + 3],
        vec![index + 20],
        vec![index + 60],
        vec![length - 30],
        vec![length - 9],
        vec![0],
        vec![20],
    ] {
        let path = place.file("a.kmb", &place.flipped(&damage));
        let error = copy(input(&path), |_| {}).unwrap_err();
        assert_eq!(error.kind(), "damaged");
        assert!(error.to_string().contains("no record is lost by it"), "{damage:?}: {error}");
        let (records, summary) = copy(input(&path), |job| job.options.salvage = true).unwrap();
        assert!(records == place.psv, "{damage:?}");
        let [tail] = &summary.counts.tails[..] else { panic!("{damage:?}: {summary:?}") };
        assert!(fault(tail).0.spares_records(), "{tail}");
    }
    // The last block has a damaged header: the footer tells what is lost.
    let path = place.file("a.kmb", &place.flipped(&[place.blocks[5] + 20]));
    let (_, summary) = copy(input(&path), |job| job.options.salvage = true).unwrap();
    assert_eq!(fault(&summary.counts.tails[0]), (Fault::BlockSum, 5120, 880));

    let header = Header::new(Source::Psv).to_bytes().unwrap();
    for (byte, value) in [(8, 2), (11, 0x80), (10, 3)] {
        let mut newer = header[..header.len() - 8].to_vec();
        newer[byte] = value;
        let sum = twox_hash::XxHash3_64::oneshot(&newer);
        newer.extend_from_slice(&sum.to_le_bytes());
        newer.extend_from_slice(&place.sound[place.blocks[0]..]);
        let path = place.file("newer.kmb", &newer);
        let error = copy(input(&path), |job| job.options.from = Some(FileFormat::Psv)).unwrap_err();
        assert_eq!(error.kind(), "unsupported", "{error}");
        assert!(error.to_string().contains("written by a newer version"), "{error}");
    }
}

/// A sample reads the blocks with its records and no others, and is the sample that all records give.
#[test]
fn a_sample_of_an_archive_reads_the_blocks_that_it_needs() {
    let place = Place::new();
    let psv = place.psv.repeat(20);
    let sound = archive_of(&psv, Archiving::FAST);
    let path = place.file("a.kmb", &sound);
    let plain = place.file("a.psv", &psv);
    for (count, seed) in [(0, 1), (1, 1), (10, 3), (1000, 7), (200_000, 2)] {
        let sample = |path: &Path, from| {
            copy(input(path), |job| {
                job.select = Selection::Sample { count, seed };
                job.options.from = from;
                job.options.moves = komabako_dataset::MoveReading::AsIs;
            })
            .unwrap()
        };
        let (records, summary) = sample(&path, None);
        assert!(records == sample(&plain, Some(FileFormat::Psv)).0, "{count} {seed}");
        let share = summary.counts.bytes_read as f64 / sound.len() as f64;
        // Ten records are in at most 10 of 118 blocks.
        assert!(count != 10 || share < 0.12, "{share}");
        assert!(count != 1 || share < 0.02, "{share}");
    }
    // Two archives, one after the other.
    let sample = |inputs: Vec<Input>| {
        copy(inputs, |job| job.select = Selection::Sample { count: 50, seed: 9 }).unwrap().0
    };
    assert!(
        sample(vec![Input::path(&path), Input::path(&path)])
            == sample(vec![Input::path(&plain), Input::path(&plain)])
    );
    // A damaged block is an error where it is needed, and only there.
    let mut damaged = sound.clone();
    damaged[200] ^= 1;
    let path = place.file("b.kmb", &damaged);
    let sample = |count| copy(input(&path), |job| job.select = Selection::Sample { count, seed: 1 });
    assert_eq!(sample(100_000).unwrap_err().kind(), "damaged");
    assert_eq!(sample(5).unwrap().0.len(), 200);
}

/// Ranges and last records read no more than their blocks, beside the sample that is checked first.
#[test]
fn ranges_of_an_archive_read_their_blocks() {
    let place = Place::new();
    let psv = place.psv.repeat(20);
    let sound = archive_of(&psv, Archiving::FAST);
    let path = place.file("a.kmb", &sound);
    for select in [Selection::Range(60_000..60_010), Selection::Last(10), Selection::Range(0..10)] {
        let (records, summary) = copy(input(&path), |job| job.select = select.clone()).unwrap();
        assert_eq!(records.len(), 400);
        let share = summary.counts.bytes_read as f64 / sound.len() as f64;
        assert!(share < 0.2, "{select:?}: {share}");
    }
}

/// Records that memory cannot hold are put together all the same.
#[test]
fn games_are_put_together_out_of_memory() {
    let directory = tempfile::tempdir().unwrap();
    let shared =
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../komabako-archive/tests/data/selfplay.kmb");
    let (selfplay, _) = copy(input(&shared), |_| {}).unwrap();
    for (name, format, records) in
        [("psv", FileFormat::Psv, selfplay), ("hcpe", FileFormat::Hcpe, sample("sample.hcpe"))]
    {
        let size = format.record_size().unwrap();
        let mut shuffled: Vec<&[u8]> = records.chunks(size).collect();
        // Far apart, and the same each time.
        shuffled.sort_by_key(|record| twox_hash::XxHash3_64::oneshot(record));
        let plain = directory.path().join(format!("a.{name}"));
        fs::write(&plain, shuffled.concat()).unwrap();
        let archive = |memory| {
            let path = directory.path().join("a.kmb");
            let mut job = Job::new(input(&plain), Output::path(&path));
            job.options.force = true;
            let archiving = Archiving { unordered: Some(memory), codec: Codec::Model, ..Archiving::SMALL };
            job.compression = Some(Compression::Archive(archiving));
            job.plan().unwrap().run(&mut ()).unwrap();
            assert_eq!(crate::common::names(directory.path()).len(), if name == "psv" { 2 } else { 3 });
            let (mut back, _) = copy(input(&path), |_| {}).unwrap();
            let mut back: Vec<&[u8]> = back.chunks_mut(size).map(|record| &*record).collect();
            let mut expected = shuffled.clone();
            back.sort_unstable();
            expected.sort_unstable();
            assert!(back == expected, "{name} in {memory}");
            fs::metadata(&path).unwrap().len() as f64 / shuffled.len() as f64
        };
        let whole = archive(1 << 30);
        if name == "psv" {
            let in_files = archive(1 << 20);
            assert!(whole < 2.0 && in_files < 2.0, "{whole} {in_files}");
            continue;
        }
        // In files, and in several windows, each in files.
        let in_files = archive(50_000);
        let windows = archive(5_000);
        assert!(whole < 2.4 && in_files < whole * 1.01 && windows > whole, "{whole} {in_files} {windows}");
    }
}

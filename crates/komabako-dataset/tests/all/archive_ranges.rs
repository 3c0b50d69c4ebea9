//! Ranges and partitions of damaged archives: records have the numbers that they had when they were written, lost ones are gaps,
//! and no damage goes unnoticed.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use komabako_archive::Footer;
use komabako_dataset::archive::Archiving;
use komabako_dataset::convert::{Job, Summary};
use komabako_dataset::error::{Tail, TailCause};
use komabako_dataset::{
    Compression, DatasetError, FileFormat, Input, Inputs, Output, Partition, Selection, validate,
};
use tempfile::TempDir;

use crate::common::sample;

const BLOCK: u64 = 1024;
const RECORDS: u64 = 6000;

/// A file of 6,000 records that differ, and an archive of them in blocks of 1,024.
struct Files {
    directory: TempDir,
    psv: Vec<u8>,
    sound: Vec<u8>,
}

impl Files {
    fn new() -> Files {
        let directory = TempDir::new().unwrap();
        let mut psv = sample("sample.psv").repeat(3);
        for (number, record) in psv.as_chunks_mut::<40>().0.iter_mut().enumerate() {
            // The number as its score.
            record[32..34].copy_from_slice(&(number as i16).to_le_bytes());
        }
        let input = directory.path().join("a.psv");
        fs::write(&input, &psv).unwrap();
        let path = directory.path().join("a.kmb");
        let mut job = Job::new(vec![Input::path(&input)], Output::path(&path));
        let archiving = Archiving { block_records: BLOCK as u32, ..Archiving::FAST };
        job.compression = Some(Compression::Archive(archiving));
        job.plan().unwrap().run(&mut ()).unwrap();
        let sound = fs::read(&path).unwrap();
        Files { directory, psv, sound }
    }

    fn write(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.directory.path().join(name);
        fs::write(&path, bytes).unwrap();
        path
    }

    /// The offset of each block, and of the index after them.
    fn blocks(&self) -> Vec<usize> {
        let words = self.sound.windows(8).enumerate();
        words.filter(|(_, bytes)| *bytes == b"\xf7kmblk\n\xc5").map(|(place, _)| place).collect()
    }

    /// The archive with a bit flipped in some places.
    fn flipped(&self, places: &[usize]) -> Vec<u8> {
        let mut bytes = self.sound.clone();
        for &place in places {
            bytes[place] ^= 1;
        }
        bytes
    }

    /// Another archive of as many records, all with one score.
    fn with_score(&self, score: i16) -> Vec<u8> {
        let mut psv = self.psv.clone();
        for record in psv.as_chunks_mut::<40>().0 {
            record[32..34].copy_from_slice(&score.to_le_bytes());
        }
        let path = self.directory.path().join("other.kmb");
        let stream = vec![Input::Stream("input".into(), Box::new(&psv[..]))];
        let mut job = Job::new(stream, Output::path(&path));
        job.options.from = Some(FileFormat::Psv);
        let archiving = Archiving { block_records: BLOCK as u32, ..Archiving::FAST };
        job.compression = Some(Compression::Archive(archiving));
        job.plan().unwrap().run(&mut ()).unwrap();
        fs::read(&path).unwrap()
    }

    /// The archive with another number of records in its footer, whose sum is right.
    fn with_count(&self, records: u64) -> Vec<u8> {
        let (rest, footer) = self.sound.split_last_chunk::<{ Footer::SIZE }>().unwrap();
        let footer = Footer { records, ..Footer::parse(footer).unwrap() };
        [rest, &footer.to_bytes()].concat()
    }

    /// The records of a range that are not lost; after the last one they begin again.
    fn records(&self, range: Range<u64>, lost: &[Range<u64>]) -> Vec<u8> {
        let kept = range.filter(|number| !lost.iter().any(|lost| lost.contains(number)));
        kept.flat_map(|number| &self.psv[(number % RECORDS) as usize * 40..][..40]).copied().collect()
    }
}

/// Copies records of inputs to PSV.
fn copy(inputs: Vec<Input>, change: impl FnOnce(&mut Job)) -> Result<(Vec<u8>, Summary), DatasetError> {
    let mut out = Vec::new();
    let mut job = Job::new(inputs, Output::Stream("output".into(), Box::new(&mut out)));
    change(&mut job);
    let summary = job.plan()?.run(&mut ())?;
    Ok((out, summary))
}

fn input(path: &Path) -> Vec<Input<'static>> {
    vec![Input::path(path)]
}

/// The records of a block.
fn block(number: u64) -> Range<u64> {
    number * BLOCK..((number + 1) * BLOCK).min(RECORDS)
}

fn overlap(one: &Range<u64>, other: &Range<u64>) -> bool {
    one.start.max(other.start) < one.end.min(other.end)
}

fn partitions(parts: usize) -> impl Iterator<Item = Partition> {
    (0..parts).map(move |number| format!("{number}/{parts}").parse().unwrap())
}

/// The partitions whose range has lost records, and no others, fail without salvage and report them with it. The records of each
/// are exactly those of its range, also behind another input and in a second member.
#[test]
fn every_partition_has_its_range_or_names_the_damage() {
    let files = Files::new();
    let blocks = files.blocks();
    let before = files.write("before.psv", &files.psv[..500 * 40]);
    let in_one = |places: &[usize]| (files.flipped(places), RECORDS);
    let both = [files.flipped(&[blocks[2] + 100]), files.flipped(&[blocks[0] + 100])].concat();
    for ((damaged, total), lost) in [
        (in_one(&[blocks[2] + 100]), vec![block(2)]),
        (in_one(&[blocks[2] + 20]), vec![block(2)]),
        (in_one(&[blocks[0] + 100, blocks[5] + 3]), vec![block(0), block(5)]),
        (in_one(&[blocks[2] + 100, blocks[4] + 100]), vec![block(2), block(4)]),
        ((both, 2 * RECORDS), vec![block(2), RECORDS..RECORDS + BLOCK]),
    ] {
        let path = files.write("damaged.kmb", &damaged);
        for (inputs, shift) in [(vec![path.clone()], 0), (vec![before.clone(), path], 500)] {
            for partition in [1, 2, 3, 6, 13].into_iter().flat_map(partitions) {
                let inputs = || inputs.iter().map(Input::path).collect::<Vec<_>>();
                let whole = partition.range(total + shift);
                let range = whole.start.saturating_sub(shift)..whole.end.saturating_sub(shift);
                let met = lost.iter().filter(|lost| overlap(lost, &range)).count();
                let mut expected = files.records(range, &lost);
                if whole.start < shift {
                    expected.splice(..0, files.records(whole.start..whole.end.min(shift), &[]));
                }
                let name = format!("{partition} behind {shift}: {lost:?}");
                match copy(inputs(), |job| job.partition = partition) {
                    Ok((records, _)) => assert!(met == 0 && records == expected, "{name}"),
                    Err(error) => {
                        assert!(met > 0, "{name}: {error}");
                        assert_eq!(error.kind(), "damaged", "{name}");
                        assert!(error.to_string().contains("records "), "{error}");
                    }
                }
                let (records, summary) = copy(inputs(), |job| {
                    job.partition = partition;
                    job.options.salvage = true;
                })
                .unwrap();
                assert!(records == expected, "{name}: {} bytes", records.len());
                assert_eq!(summary.counts.tails.len(), met, "{name}");

                let mut job = validate::Job::new(inputs());
                job.partition = partition;
                let report = job.run(&mut ()).unwrap();
                let is_found = report.files.iter().any(|file| !file.tails.is_empty());
                assert_eq!(is_found, met > 0, "validate {name}");
            }
        }
    }
}

/// What is damaged outside the blocks is not passed over either.
#[test]
fn no_partition_passes_over_a_damaged_header_or_end() {
    let files = Files::new();
    let index = files.blocks()[6];
    let mut hcpe = Vec::new();
    let out = Output::Stream("output.hcpe.kmb".into(), Box::new(&mut hcpe));
    Job::new(input(&files.directory.path().join("a.psv")), out).plan().unwrap().run(&mut ()).unwrap();
    let damaged = [
        files.flipped(&[20]),
        files.flipped(&[index + 100]),
        files.flipped(&[files.sound.len() - 20]),
        [&files.sound[..], &hcpe].concat(),
    ];
    for (number, bytes) in damaged.iter().enumerate() {
        let path = files.write("damaged.kmb", bytes);
        let mut failed = 0;
        for partition in partitions(3) {
            match copy(input(&path), |job| job.partition = partition) {
                Ok((records, _)) => {
                    assert!(records == files.records(partition.range(RECORDS), &[]), "{number}: {partition}");
                }
                Err(error) => {
                    assert_eq!(error.kind(), "damaged", "{number}: {error}");
                    failed += 1;
                }
            }
        }
        assert!(failed > 0, "{number}");
    }
}

/// A range has the same records from a file, where it is sought, and from a stream.
#[test]
fn numbers_are_the_same_in_files_and_streams() {
    let files = Files::new();
    let blocks = files.blocks();
    let damaged = files.flipped(&[blocks[2] + 100, blocks[4] + 100]);
    let lost = [block(2), block(4)];
    let path = files.write("damaged.kmb", &damaged);
    for range in [
        0..10,
        2000..2100,
        2500..3100,
        3000..3010,
        3072..3080,
        3500..3600,
        3072..6000,
        5000..5200,
        5990..9000,
    ] {
        let expected = files.records(range.start..range.end.min(RECORDS), &lost);
        let met = lost.iter().filter(|lost| overlap(lost, &range)).count();
        let stream = vec![Input::Stream("input".into(), Box::new(&damaged[..]))];
        for inputs in [input(&path), stream] {
            let (records, summary) = copy(inputs, |job| {
                job.select = Selection::Range(range.clone());
                job.options.salvage = true;
            })
            .unwrap();
            assert!(records == expected, "{range:?}: {} bytes", records.len());
            assert_eq!(summary.counts.tails.len(), met, "{range:?}");
        }
    }
    for (count, kept) in [(1000, 880), (3000, 1904)] {
        let (records, summary) = copy(input(&path), |job| {
            job.select = Selection::Last(count);
            job.options.salvage = true;
        })
        .unwrap();
        assert_eq!(records.len(), kept * 40);
        assert!(records == files.records(RECORDS - count..RECORDS, &lost));
        assert!(!summary.counts.tails.is_empty());
    }
}

/// Blocks that are in the file twice or too late change no number: their records are left out and named.
#[test]
fn blocks_out_of_order_shift_no_numbers() {
    let files = Files::new();
    let blocks = files.blocks();
    let part = |from: usize, to: usize| &files.sound[blocks[from]..blocks[to]];
    let start = &files.sound[..blocks[1]];
    let end = &files.sound[blocks[3]..];
    let repeated = [start, part(1, 2), part(1, 3), end].concat();
    let first_again = [start, part(0, 3), end].concat();
    let swapped = [start, part(2, 3), part(1, 2), end].concat();
    for (bytes, lost) in [(repeated, vec![]), (first_again, vec![]), (swapped, vec![block(1)])] {
        let path = files.write("damaged.kmb", &bytes);
        for range in [0..6000, 500..1500, 1500..2500, 2000..2100, 3000..3100, 5900..6000] {
            if range.start == 3000 && !lost.is_empty() {
                // The index has another place for its block.
                continue;
            }
            let stream = vec![Input::Stream("input".into(), Box::new(&bytes[..]))];
            for inputs in [input(&path), stream] {
                let (records, _) = copy(inputs, |job| {
                    job.select = Selection::Range(range.clone());
                    job.options.salvage = true;
                })
                .unwrap();
                assert!(records == files.records(range.clone(), &lost), "{range:?}: {}", records.len() / 40);
            }
        }
        let report = validate::Job::new(input(&path)).run(&mut ()).unwrap();
        assert!(!report.files[0].tails.is_empty());
        assert_eq!(copy(input(&path), |_| {}).unwrap_err().kind(), "damaged");
    }
}

/// What one damaged place takes of the end of a member and the start of the next one is all that is lost.
#[test]
fn a_member_whose_start_is_damaged_keeps_its_records() {
    let files = Files::new();
    let blocks = files.blocks();
    let second = files.with_score(7);
    let cut = blocks[5] + 100;
    for (first_end, second_start) in [(blocks[6], 20), (cut, 0), (cut, 20), (cut, blocks[0] + 30)] {
        let both = [&files.sound[..first_end], &[0; 600], &second[second_start..]].concat();
        let path = files.write("damaged.kmb", &both);
        let (records, summary) = copy(input(&path), |job| job.options.salvage = true).unwrap();
        let of_first = if first_end == blocks[6] { RECORDS } else { 5 * BLOCK };
        let lost_of_second = if second_start <= 20 { 0 } else { BLOCK };
        assert_eq!(
            records.len() as u64 / 40,
            of_first + RECORDS - lost_of_second,
            "{first_end} {second_start}"
        );
        assert!(!summary.counts.tails.is_empty());
    }
}

/// A member of another format or version is passed over, and its records are counted where that is known.
#[test]
fn members_behind_one_of_another_kind_are_read() {
    let files = Files::new();
    let hcpe = files.directory.path().join("b.hcpe.kmb");
    Job::new(input(&files.directory.path().join("a.psv")), Output::path(&hcpe))
        .plan()
        .unwrap()
        .run(&mut ())
        .unwrap();
    let hcpe = fs::read(hcpe).unwrap();
    let newer = |flag: u8, version: u8| {
        let mut bytes = files.sound.clone();
        bytes[8] = version;
        bytes[11] = flag;
        let end = files.blocks()[0] - 8;
        let sum = twox_hash::XxHash3_64::oneshot(&bytes[..end]);
        bytes[end..end + 8].copy_from_slice(&sum.to_le_bytes());
        bytes
    };
    for (others, lost, kind) in [
        (vec![&hcpe], RECORDS, "damaged"),
        (vec![&hcpe, &hcpe], 2 * RECORDS, "damaged"),
        (vec![&newer(4, 1)], RECORDS, "unsupported"),
        (vec![&newer(0, 2), &newer(0, 3)], 0, "unsupported"),
    ] {
        let others_only = others.iter().flat_map(|bytes| &bytes[..]).copied().collect::<Vec<u8>>();
        let both = [&files.sound[..], &others_only, &files.sound].concat();
        let path = files.write("mixed.kmb", &both);
        let (records, summary) = copy(input(&path), |job| job.options.salvage = true).unwrap();
        assert!(records == files.psv.repeat(2), "{}", records.len() / 40);
        let tails = &summary.counts.tails;
        let found: u64 = tails.iter().map(tail_lost).sum();
        assert_eq!((tails.len(), found), (others.len(), lost));
        assert_eq!(copy(input(&path), |_| {}).unwrap_err().kind(), kind);
        // Records are numbered behind those of the others.
        let (records, _) = copy(input(&path), |job| {
            job.select = Selection::Range(RECORDS + lost + 10..RECORDS + lost + 20);
            job.options.salvage = true;
        })
        .unwrap();
        assert!(records == files.records(10..20, &[]));

        // Nothing is added to it, nor is it to be salvaged.
        let psv = files.directory.path().join("a.psv");
        let mut job = Job::new(input(&psv), Output::path(&path));
        job.append = true;
        assert_eq!(job.plan().map(drop).unwrap_err().kind(), kind);
    }
    let first = [newer(0, 2), files.sound.clone()].concat();
    let (records, _) =
        copy(input(&files.write("newer.kmb", &first)), |job| job.options.salvage = true).unwrap();
    assert!(records == files.psv);
}

fn tail_lost(tail: &Tail) -> u64 {
    let TailCause::Archive(error) = tail.cause else { panic!("{tail}") };
    error.lost
}

/// A footer's number of records is compared with the index before it is used.
#[test]
fn a_footer_with_another_number_of_records_is_not_believed() {
    let files = Files::new();
    for count in [4, RECORDS - 1, RECORDS + 1, 1 << 63, u64::MAX] {
        let path = files.write("damaged.kmb", &files.with_count(count));
        assert_eq!(Inputs::examine(input(&path), None, false).unwrap().records(), None);
        let last = |salvage| {
            copy(input(&path), |job| {
                job.select = Selection::Last(3);
                job.options.salvage = salvage;
            })
        };
        assert_eq!(last(false).unwrap_err().kind(), "damaged", "{count}");
        let (records, summary) = last(true).unwrap();
        assert!(records == files.records(RECORDS - 3..RECORDS, &[]), "{count}");
        assert_eq!(summary.counts.tails.len(), 1);
    }
}

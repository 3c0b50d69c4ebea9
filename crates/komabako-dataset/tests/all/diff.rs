//! Comparisons by position.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Cursor;
use std::path::PathBuf;

use crate::common::{convert, names, sample};
use komabako_dataset::diff::{DifferenceKind, Job, Summary};
use komabako_dataset::preflight::{Amount, Shortage};
use komabako_dataset::{DatasetError, Field, FileFormat, Input, JobOptions, Limits};
use proptest::prelude::*;

const SIZE: usize = 40;

fn stream(bytes: &[u8]) -> Input<'_> {
    Input::Stream("stream".into(), Box::new(Cursor::new(bytes)))
}

fn compared(a: &[u8], b: &[u8]) -> Summary {
    Job {
        options: JobOptions { from: Some(FileFormat::Psv), ..JobOptions::default() },
        ..Job::new(stream(a), stream(b))
    }
    .run(&mut ())
    .unwrap()
}

fn counts(summary: &Summary) -> [u64; 4] {
    [summary.only_a, summary.only_b, summary.changed, summary.same]
}

#[test]
fn file_equals_itself_in_any_order_and_format() {
    let psv = sample("sample.psv");
    let reversed: Vec<u8> = psv.chunks_exact(SIZE).rev().flatten().copied().collect();
    let summary = compared(&psv, &reversed);
    assert!(summary.is_same() && summary.samples.is_empty());
    assert_eq!((summary.records_a, summary.records_b, summary.same), (2000, 2000, 2000));
    for format in [FileFormat::Hcpe, FileFormat::Plain, FileFormat::Sfen, FileFormat::Compact36] {
        let other = convert(FileFormat::Psv, format, &psv);
        let directory = tempfile::tempdir().unwrap();
        let paths = [("a.psv", &psv), ("b", &other)].map(|(name, bytes)| {
            let name = if name == "b" { format!("b.{}", format.extensions()[0]) } else { name.into() };
            let path = directory.path().join(name);
            fs::write(&path, bytes).unwrap();
            path
        });
        let [a, b] = paths.map(Input::path);
        assert!(Job::new(a, b).run(&mut ()).unwrap().is_same(), "{format}");
    }
}

#[test]
fn empty_files_are_compared() {
    let psv = &sample("sample.psv")[..10 * SIZE];
    assert_eq!(counts(&compared(&[], &[])), [0, 0, 0, 0]);
    assert_eq!(counts(&compared(psv, &[])), [10, 0, 0, 0]);
    assert_eq!(counts(&compared(&[], psv)), [0, 10, 0, 0]);
}

#[test]
fn differences_are_counted_by_field_and_written() {
    let psv = sample("sample.psv");
    let a = &psv[..1000 * SIZE];
    let mut b = psv[100 * SIZE..1100 * SIZE].to_vec();
    b[32] ^= 1;
    b[SIZE + 38] = if b[SIZE + 38] == 0 { 1 } else { 0 };
    b[SIZE + 34..SIZE + 36].copy_from_slice(&[0, 0]);
    b[2 * SIZE + 36] ^= 1;
    b[3 * SIZE + 39] = 7;
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| -> PathBuf { directory.path().join(name) };
    fs::write(path("a.psv"), a).unwrap();
    fs::write(path("b.psv"), &b).unwrap();
    let job = Job {
        only_a: Some(path("only_a.psv")),
        only_b: Some(path("only_b.psv")),
        changed: Some(path("changed.psv")),
        ..Job::new(Input::path(path("a.psv")), Input::path(path("b.psv")))
    };
    let summary = job.run(&mut ()).unwrap();
    let read = |name: &str| fs::read(path(name)).unwrap();
    assert_eq!(read("changed.psv"), b[..2 * SIZE], "plies and padding are not compared");
    assert_eq!(summary.changed_fields, [(Field::Score, 1), (Field::Move, 1), (Field::Result, 1)]);
    // Positions in both stretches are in neither output.
    let [position_a, position_b] = [a, &b]
        .map(|bytes| -> BTreeSet<&[u8]> { bytes.chunks_exact(SIZE).map(|record| &record[..32]).collect() });
    let only = |bytes: &[u8], others: &BTreeSet<&[u8]>| -> Vec<u8> {
        bytes.chunks_exact(SIZE).filter(|record| !others.contains(&record[..32])).flatten().copied().collect()
    };
    assert!(read("only_a.psv") == only(a, &position_b) && read("only_b.psv") == only(&b, &position_a));
    assert!(summary.only_a > 50 && summary.only_b > 50);
    let kinds: BTreeMap<&str, usize> = summary.samples.iter().fold(BTreeMap::new(), |mut kinds, sample| {
        *kinds.entry(sample.kind.name()).or_default() += 1;
        kinds
    });
    assert_eq!(kinds, BTreeMap::from([("changed", 2), ("only_a", 5), ("only_b", 5)]));
    let changed = summary.samples.iter().find(|sample| sample.kind == DifferenceKind::Changed).unwrap();
    assert_eq!((changed.a, changed.b, changed.fields.len()), (Some(100), Some(0), 1));
}

#[test]
fn record_matches_any_record_of_its_position() {
    let one = &sample("sample.psv")[..SIZE];
    let mut other = one.to_vec();
    other[32] ^= 1;
    let both = [one, &other].concat();
    assert_eq!(counts(&compared(&both, &other)), [0, 0, 0, 1]);
    assert_eq!(counts(&compared(one, &both)), [0, 0, 1, 1]);
}

/// A comparison in `parts` parts on `threads` threads, with every output: the summary without its time, and the outputs.
fn in_parts(a: &[u8], b: &[u8], parts: usize, threads: usize) -> (Summary, [Vec<u8>; 3]) {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name);
    fs::write(path("a.psv"), a).unwrap();
    let written = ["only_a.psv", "only_b.psv", "changed.psv"];
    let [only_a, only_b, changed] = written.map(|name| Some(path(name)));
    let limits =
        Limits { directories: vec![path("tmp"), path("tmp/more")], parts: Some(parts), ..Limits::default() };
    let options = JobOptions { from: Some(FileFormat::Psv), threads, ..JobOptions::default() };
    let job =
        Job { only_a, only_b, changed, limits, options, ..Job::new(Input::path(path("a.psv")), stream(b)) };
    let mut summary = job.run(&mut ()).unwrap();
    summary.counts.seconds = 0.0;
    assert_eq!(names(&path("tmp")), ["more"]);
    (summary, written.map(|name| fs::read(path(name)).unwrap()))
}

#[test]
fn result_does_not_depend_on_parts_and_threads() {
    let psv = sample("sample.psv");
    let mut b: Vec<u8> = psv.chunks_exact(SIZE).rev().take(1900).flatten().copied().collect();
    b.chunks_exact_mut(7 * SIZE).for_each(|records| records[32] ^= 1);
    b.chunks_exact_mut(11 * SIZE).for_each(|records| records[33] ^= 1);
    let a = &psv[..1700 * SIZE];
    let expected = in_parts(a, &b, 1, 1);
    let Summary { only_a, only_b, changed, same, .. } = expected.0;
    assert!(only_a > 50 && only_b > 200 && changed > 200 && same > 1000, "{:?}", expected.0);
    assert_eq!(expected.0.samples.len(), 15);
    let counted = &expected.0.counts;
    let read = 1700 + 1900;
    let written = only_a + only_b + changed;
    assert_eq!((counted.read, counted.bytes_read), (read, read * SIZE as u64));
    assert_eq!((counted.written, counted.bytes_written), (written, written * SIZE as u64));
    for (parts, threads) in [(1, 4), (2, 1), (7, 3), (300, 2)] {
        assert_eq!(in_parts(a, &b, parts, threads), expected, "{parts} parts, {threads} threads");
    }
}

#[test]
fn diff_larger_than_memory_uses_parts_or_is_refused() {
    let psv = sample("sample.psv");
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a.psv");
    let file = fs::File::create(&path).unwrap();
    file.set_len(10_000_000 * SIZE as u64).unwrap();
    let plan = |memory| {
        let limits = Limits { memory: Some(memory), ..Limits::default() };
        let options = JobOptions { from: Some(FileFormat::Psv), threads: 2, ..JobOptions::default() };
        Job { limits, options, ..Job::new(Input::path(&path), stream(&psv)) }.plan(&mut ()).unwrap()
    };
    assert_eq!(plan(1 << 30).parts(), 1);
    let cut = plan(128 << 20);
    assert!(cut.parts() > 5, "{}", cut.parts());
    assert_eq!(cut.preflight().check(), Ok(()));
    assert_eq!(cut.preflight().disks[0].peak, Amount::UNKNOWN);
    let refused = plan(1 << 20).run(&mut ());
    assert!(matches!(refused, Err(DatasetError::Shortage(Shortage::Memory { .. }))));
    assert_eq!(names(directory.path()), ["a.psv"]);
}

#[test]
fn a_bad_record_is_an_error() {
    let mut bad = sample("sample.psv");
    bad[77 * SIZE + 1] ^= 0xff;
    let good = sample("sample.psv");
    for (a, b) in [(&bad, &good), (&good, &bad)] {
        let error = Job {
            options: JobOptions { from: Some(FileFormat::Psv), ..JobOptions::default() },
            ..Job::new(stream(a), stream(b))
        }
        .run(&mut ());
        assert!(matches!(error, Err(DatasetError::Record(error)) if error.record == 77));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    /// Compared with a naive comparison of few positions, so that many are repeated.
    #[test]
    fn counts_agree_with_a_naive_comparison(
        a in prop::collection::vec((0..40_usize, 0..3_u8), 0..60),
        b in prop::collection::vec((0..40_usize, 0..3_u8), 0..60),
    ) {
        let psv = sample("sample.psv");
        let record = |&(index, score): &(usize, u8)| {
            let mut record = psv[index * 40 * SIZE..][..SIZE].to_vec();
            record[32..39].copy_from_slice(&[score, 0, 0, 0, 0, 0, 0]);
            record
        };
        let [a, b] = [a, b].map(|records| records.iter().map(record).collect::<Vec<_>>());
        let position = |record: &Vec<u8>| record[..32].to_vec();
        let [in_a, in_b] = [&a, &b].map(|records| records.iter().map(position).collect::<BTreeSet<_>>());
        let only = |records: &[Vec<u8>], others: &BTreeSet<Vec<u8>>| {
            records.iter().filter(|record| !others.contains(&position(record))).count() as u64
        };
        let same = b.iter().filter(|record| a.contains(record)).count() as u64;
        let only_b = only(&b, &in_a);
        let expected = [only(&a, &in_b), only_b, b.len() as u64 - same - only_b, same];
        let whole = compared(&a.concat(), &b.concat());
        prop_assert_eq!(counts(&whole), expected);
        let (cut, _) = in_parts(&a.concat(), &b.concat(), 3, 2);
        prop_assert_eq!((counts(&cut), cut.samples), (expected, whole.samples));
    }
}

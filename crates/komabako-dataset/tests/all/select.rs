//! Selections of records: each compared with its meaning, on every kind of input.

use std::collections::HashMap;
use std::io::Cursor;

use crate::common::{convert, convert_with, sample, sample_path};
use komabako_dataset::convert::{Job, OnBadRecord, Summary};
use komabako_dataset::move16::Move16;
use komabako_dataset::select::{Filter, Ratio};
use komabako_dataset::{Compression, DatasetError, Field, FileFormat, Input, Output, Selection};
use komabako_testkit::{cases, reference_moves};
use proptest::prelude::*;

const SIZE: usize = 40;

/// Copies a selection of PSV records in memory.
fn selected_with(
    bytes: &[u8],
    select: Selection,
    change: impl FnOnce(&mut Job),
) -> Result<(Vec<u8>, Summary), DatasetError> {
    convert_with(FileFormat::Psv, FileFormat::Psv, bytes, |job| {
        job.select = select;
        job.copy = true;
        change(job);
    })
}

fn selected(bytes: &[u8], select: Selection) -> Vec<u8> {
    selected_with(bytes, select, |_| {}).unwrap().0
}

fn filter(text: &str, invert: bool) -> Selection {
    Selection::Filter(Filter { expression: text.parse().unwrap(), invert })
}

/// A file in its own directory, compressed according to its name.
fn file(name: &str, bytes: &[u8]) -> (tempfile::TempDir, std::path::PathBuf) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join(name);
    let mut encoder =
        Compression::from_path(&path).encoder(std::fs::File::create(&path).unwrap(), 1).unwrap();
    std::io::Write::write_all(&mut encoder, bytes).unwrap();
    encoder.finish().unwrap();
    (directory, path)
}

/// Writes a selection of files in the format `to`.
fn selected_of(inputs: Vec<Input>, select: Selection, to: FileFormat) -> (Vec<u8>, Summary) {
    let mut out = Vec::new();
    let job = Job {
        to: Some(to),
        select,
        copy: true,
        ..Job::new(inputs, Output::Stream("output".into(), Box::new(&mut out)))
    };
    let summary = job.plan().unwrap().run(&mut ()).unwrap();
    (out, summary)
}

/// More records than a block has: the sample repeated, each record with its number as its score.
fn numbered(count: usize) -> Vec<u8> {
    let mut records: Vec<u8> = sample("sample.psv").into_iter().cycle().take(count * SIZE).collect();
    for (number, record) in records.chunks_exact_mut(SIZE).enumerate() {
        record[32..34].copy_from_slice(&(number as u16).to_le_bytes());
    }
    records
}

/// Each record of the sample, alone and changed to the move of the next, which is rarely legal.
#[test]
fn quiet_positions_are_those_of_the_reference() {
    let records = sample("sample.psv");
    let count = cases::scaled(records.len() / SIZE);
    let mut kept = Vec::new();
    let mut expected = Vec::new();
    for (number, record) in records.chunks_exact(SIZE).take(count).enumerate() {
        let mut changed = record.to_vec();
        let next = (number + 1) % count * SIZE;
        changed[34..36].copy_from_slice(&records[next + 34..next + 36]);
        for record in [record, &changed] {
            kept.extend_from_slice(record);
            let setup = FileFormat::PackedSfen.decode(&record[..32]).unwrap().setup;
            let mv = Move16::from_bits(u16::from_le_bytes(record[34..36].try_into().unwrap()));
            if mv.to_move(setup.side_to_move()).is_some_and(|mv| reference_moves::is_quiet(&setup, mv)) {
                expected.extend_from_slice(record);
            }
        }
    }
    assert!(expected.len() > count * SIZE / 10 && expected.len() < count * SIZE);
    assert!(selected(&kept, filter("quiet", false)) == expected);
    assert!(selected(&kept, filter("quiet_move and not in_check and best_capture < 100", false)) == expected);
}

#[test]
fn ranges_and_last_records_do_not_depend_on_the_kind_of_input() {
    let records = numbered(30_000);
    let as_text = convert(FileFormat::Psv, FileFormat::Plain, &records);
    let cases = [
        (Selection::Range(0..10), 0..10),
        (Selection::Range(13_000..27_000), 13_000..27_000),
        (Selection::Range(29_999..u64::MAX), 29_999..30_000),
        (Selection::Range(5..5), 5..5),
        (Selection::Range(40_000..50_000), 0..0),
        (Selection::Last(1), 29_999..30_000),
        (Selection::Last(20_000), 10_000..30_000),
        (Selection::Last(99_999), 0..30_000),
        (Selection::Last(0), 0..0),
    ];
    let (_plain, plain) = file("a.psv", &records);
    let (_packed, packed) = file("a.psv.zst", &records);
    let (_text, text) = file("a.plain", &as_text);
    for (select, range) in cases {
        let expected = &records[range.start * SIZE..range.end * SIZE];
        for path in [&plain, &packed, &text] {
            let (bytes, summary) = selected_of(vec![Input::path(path)], select.clone(), FileFormat::Psv);
            assert!(bytes == expected, "{select:?} of {}", path.display());
            assert_eq!(summary.counts.written, range.len() as u64);
        }
        assert!(selected(&records, select) == expected);
    }
}

#[test]
fn ranges_span_all_inputs() {
    let records = numbered(30_000);
    let (_a, a) = file("a.psv", &records[..10_000 * SIZE]);
    let (_b, b) = file("b.psv.gz", &records[10_000 * SIZE..10_003 * SIZE]);
    let (_c, c) = file("c.psv", &records[10_003 * SIZE..]);
    for range in [9_000_u64..11_000, 10_001..10_002, 10_003..30_000, 9_999..10_000] {
        let inputs = [&a, &b, &c].map(Input::path).into();
        let (bytes, summary) = selected_of(inputs, Selection::Range(range.clone()), FileFormat::Psv);
        assert!(bytes == records[range.start as usize * SIZE..range.end as usize * SIZE], "{range:?}");
        assert_eq!((summary.counts.read, summary.beyond), (range.end - range.start, 0));
    }
}

#[test]
fn trailing_bytes_are_counted() {
    let records = numbered(10);
    let beyond = |range| selected_with(&records, Selection::Range(range), |_| {}).unwrap().1.beyond;
    assert_eq!([beyond(0..10), beyond(5..15), beyond(12..15), beyond(3..4)], [0, 5, 3, 0]);
    assert_eq!(selected_with(&[], Selection::Range(0..7), |_| {}).unwrap().1.beyond, 7);
}

#[test]
fn bytes_after_a_range_are_not_read() {
    let mut records = numbered(100_000);
    let (bytes, summary) = selected_with(&records, Selection::Range(0..5), |_| {}).unwrap();
    assert!(
        bytes == records[..5 * SIZE] && summary.counts.bytes_read < 3 << 20,
        "{}",
        summary.counts.bytes_read
    );
    // A record that is not read cannot be found bad.
    records[50 * SIZE + 38] = 9;
    let head = |count| {
        selected_with(&records, Selection::Range(0..count), |job| job.copy = false).map(|(bytes, _)| bytes)
    };
    assert!(head(50).unwrap() == records[..50 * SIZE]);
    assert!(matches!(head(51), Err(DatasetError::Record(error)) if error.record == 50));
}

#[test]
fn a_copy_keeps_every_byte_and_a_check_finds_bad_records() {
    let mut records = numbered(100);
    records[7 * SIZE + 1] ^= 0xff;
    records[9 * SIZE + 39] = 0xa5;
    assert!(selected(&records, Selection::All) == records);
    let checked = selected_with(&records, Selection::All, |job| job.copy = false);
    assert!(matches!(checked, Err(DatasetError::Record(error)) if error.record == 7));
    let (bytes, summary) = selected_with(&records, filter("ply >= 0", false), |job| {
        job.on_bad_record = OnBadRecord::Skip;
    })
    .unwrap();
    assert!(bytes == [&records[..7 * SIZE], &records[8 * SIZE..]].concat());
    assert_eq!(summary.counts.bad_total(), 1);
}

/// The last records are chosen by number, and checked then, whether or not their number is known beforehand.
#[test]
fn bad_records_before_the_last_ones_do_not_count() {
    let mut records = numbered(30_000);
    let good = records.clone();
    for bad in [10, 20_000, 29_995, 29_997] {
        records[bad * SIZE + 1] ^= 0xff;
    }
    let directory = tempfile::tempdir().unwrap();
    let collected = directory.path().join("bad.psv");
    let last = |input: Input<'static>, count: u64, on_bad_record: OnBadRecord| {
        let mut written = Vec::new();
        let output = Output::Stream("output".into(), Box::new(&mut written));
        let mut job = Job::new(vec![input], output);
        job.to = Some(FileFormat::Psv);
        job.options.from = Some(FileFormat::Psv);
        job.options.force = true;
        job.select = Selection::Last(count);
        job.on_bad_record = on_bad_record;
        let done = job.plan().and_then(|plan| plan.run(&mut ()));
        (done, written)
    };
    let (_plain, plain) = file("a.psv", &records);
    let (_packed, packed) = file("a.psv.zst", &records);
    let inputs = || {
        let stream = Input::Stream("input".into(), Box::new(Cursor::new(records.clone())));
        [Input::path(&plain), Input::path(&packed), stream]
    };
    for input in inputs() {
        let (summary, written) = last(input, 5, OnBadRecord::Collect(collected.clone()));
        let counts = summary.unwrap().counts;
        assert_eq!((counts.read, counts.written, counts.bad_total()), (5, 3, 2));
        assert!(written == [29_996, 29_998, 29_999].map(|at| &good[at * SIZE..][..SIZE]).concat());
        let bad = [29_995, 29_997].map(|at| &records[at * SIZE..][..SIZE]).concat();
        assert!(std::fs::read(&collected).unwrap() == bad);
    }
    for input in inputs() {
        let (summary, written) = last(input, 2, OnBadRecord::Stop);
        let summary = summary.unwrap();
        assert_eq!((summary.counts.read, summary.losses), (2, vec![]));
        assert!(written == good[29_998 * SIZE..]);
    }
    for input in inputs() {
        let (stopped, written) = last(input, 6, OnBadRecord::Stop);
        assert!(matches!(stopped, Err(DatasetError::Record(error)) if error.record == 29_995));
        assert!(written == good[29_994 * SIZE..29_995 * SIZE]);
    }
}

#[test]
fn different_formats_are_joined_in_the_format_of_the_output() {
    let inputs = ["sample.psv", "sample.hcpe"].map(sample_path).map(Input::path).into();
    let (bytes, _) = selected_of(inputs, Selection::All, FileFormat::Hcpe);
    assert!(bytes == [sample("sample.hcpe"), sample("sample.hcpe")].concat());
}

#[test]
fn a_stream_keeps_the_one_format_of_the_inputs() {
    let plan = |names: &[&str]| {
        let inputs = names.iter().map(|name| Input::path(sample_path(name))).collect();
        let output = Output::Stream("output".into(), Box::new(std::io::sink()));
        Job::new(inputs, output).plan().map(|plan| plan.to())
    };
    assert_eq!(plan(&["sample.hcpe", "sample.hcpe"]).unwrap(), Some(FileFormat::Hcpe));
    assert!(matches!(plan(&["sample.psv", "sample.hcpe"]), Err(DatasetError::OutputFormat(_))));
}

#[test]
fn samples_have_the_count_and_do_not_depend_on_threads_or_compression() {
    let records = numbered(30_000);
    let (_packed, packed) = file("a.psv.xz", &records);
    for count in [0, 1, 999, 30_000, 40_000] {
        let select = Selection::Sample { count, seed: 7 };
        let [one, three] = [1, 3].map(|threads| {
            selected_with(&records, select.clone(), |job| job.options.threads = threads).unwrap().0
        });
        assert!(one == three);
        assert!(one == selected_of(vec![Input::path(&packed)], select, FileFormat::Psv).0);
        assert_eq!(one.len(), SIZE * count.min(30_000) as usize);
        let scores: Vec<u16> =
            one.chunks_exact(SIZE).map(|record| u16::from_le_bytes([record[32], record[33]])).collect();
        assert!(scores.is_sorted_by(|a, b| a < b), "in the order of the input, each once");
    }
    let other = selected(&records, Selection::Sample { count: 999, seed: 8 });
    assert!(other != selected(&records, Selection::Sample { count: 999, seed: 7 }));
    let ratio = Selection::Ratio(Ratio::new(0.1, 7).unwrap());
    let [one, three] = [1, 3].map(|threads| {
        selected_with(&records, ratio.clone(), |job| job.options.threads = threads).unwrap().0
    });
    assert!(one == three && (one.len() / SIZE).abs_diff(3000) < 250, "{}", one.len());
}

/// All ten subsets of two of five records, over many seeds: chi-square with 9 degrees of freedom stays below 27.9 except
/// once in a thousand times. The seeds are fixed, so the result is too.
#[test]
fn every_subset_is_equally_likely() {
    let records = numbered(5);
    let mut counts: HashMap<Vec<u8>, u32> = HashMap::new();
    for seed in 0..2000 {
        *counts.entry(selected(&records, Selection::Sample { count: 2, seed })).or_default() += 1;
    }
    assert_eq!(counts.len(), 10);
    let chi_square: f64 = counts.values().map(|&count| (f64::from(count) - 200.0).powi(2) / 200.0).sum();
    assert!(chi_square < 27.9, "{chi_square}");
}

#[test]
fn filter_refuses_fields_that_the_inputs_lack() {
    let words = convert(FileFormat::Psv, FileFormat::Hcp, &sample("sample.psv"));
    let filtered = |text: &str| {
        convert_with(FileFormat::Hcp, FileFormat::Hcp, &words, |job| job.select = filter(text, false))
    };
    assert!(matches!(filtered("in_check && score > 0"), Err(DatasetError::FieldMissing(_, Field::Score))));
    assert!(matches!(filtered("plies_left > 3"), Err(DatasetError::FieldMissing(_, Field::Games))));
    assert!(filtered("in_check").unwrap().1.counts.written > 0);
}

#[test]
fn conversion_can_filter() {
    let psv = sample("sample.psv");
    for invert in [false, true] {
        let select = filter("score > 0 && ply < 40", invert);
        let hcpe = convert_with(FileFormat::Psv, FileFormat::Hcpe, &psv, |job| job.select = select.clone());
        let expected = convert(FileFormat::Psv, FileFormat::Hcpe, &selected(&psv, select));
        assert!(hcpe.unwrap().0 == expected);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// The records that a filter keeps and those that it drops are the whole, each in order.
    #[test]
    fn filter_and_its_inverse_divide_the_records(score in -600..600_i32, ply in 0..120_u32, count in 0..2000_usize) {
        let psv = &sample("sample.psv")[..count * SIZE];
        let text = format!("score > {score} || in_check && ply < {ply} || capture");
        let [kept, left] = [false, true].map(|invert| selected(psv, filter(&text, invert)));
        let mut kept = Cursor::new(kept);
        let mut left = Cursor::new(left);
        for record in psv.chunks_exact(SIZE) {
            let take = |from: &mut Cursor<Vec<u8>>| {
                let at = from.position() as usize;
                let is_next = from.get_ref().get(at..at + SIZE) == Some(record);
                from.set_position(from.position() + if is_next { SIZE as u64 } else { 0 });
                is_next
            };
            prop_assert!(take(&mut kept) || take(&mut left));
        }
        prop_assert_eq!(kept.position() as usize + left.position() as usize, psv.len());
    }

    /// Adjacent ranges are the whole.
    #[test]
    fn joined_chunks_equal_the_whole(mut cuts in prop::collection::vec(0..2000_u64, 0..4)) {
        let psv = sample("sample.psv");
        cuts.extend([0, u64::MAX]);
        cuts.sort_unstable();
        let pieces: Vec<Vec<u8>> =
            cuts.windows(2).map(|pair| selected(&psv, Selection::Range(pair[0]..pair[1]))).collect();
        prop_assert!(pieces.concat() == psv);
    }
}

//! Interleaving the records of several inputs by weights.

use core::num::NonZeroU32;
use std::io::Cursor;

use crate::common::{convert, sample, sample_path};
use komabako_dataset::mix::{FirstEnd, Job, Summary};
use komabako_dataset::{DatasetError, Field, FileFormat, Input, OnBadRecord, Output};

/// Records that carry the number of their input (score) and their number in it (ply).
fn numbered(input: i16, count: u16) -> Vec<u8> {
    let one = &sample("sample.psv")[..40];
    let number = |ply: u16| {
        let mut record = one.to_vec();
        record[32..34].copy_from_slice(&input.to_le_bytes());
        record[36..38].copy_from_slice(&ply.to_le_bytes());
        record
    };
    (1..=count).flat_map(number).collect()
}

fn mixed(
    inputs: &[(&[u8], u32)],
    to: FileFormat,
    seed: u64,
    set: impl FnOnce(&mut Job),
) -> Result<(Vec<u8>, Summary), DatasetError> {
    let mut out = Vec::new();
    let input = |&(bytes, weight): &(&[u8], u32)| {
        let stream = Box::new(Cursor::new(bytes.to_vec()));
        (Input::Stream(format!("weight {weight}"), stream), NonZeroU32::new(weight).unwrap())
    };
    let mut job =
        Job::new(inputs.iter().map(input).collect(), Output::Stream("out".into(), Box::new(&mut out)), seed);
    job.options.from = Some(FileFormat::Psv);
    job.to = Some(to);
    set(&mut job);
    let summary = job.plan()?.run(&mut ())?;
    Ok((out, summary))
}

/// The input and the number of each record.
fn origins(psv: &[u8]) -> Vec<(i16, u16)> {
    let number = |record: &[u8], at: usize| [record[at], record[at + 1]];
    psv.chunks(40)
        .map(|record| (i16::from_le_bytes(number(record, 32)), u16::from_le_bytes(number(record, 36))))
        .collect()
}

#[test]
fn records_are_drawn_by_weight_and_keep_their_order() {
    let a = numbered(1, 3000);
    let b = numbered(2, 1000);
    let inputs = [(&a[..], 3), (&b[..], 1)];
    let (out, summary) = mixed(&inputs, FileFormat::Psv, 7, |_| {}).unwrap();
    let origins = origins(&out);
    for (input, count) in [(1, 3000), (2, 1000)] {
        let of: Vec<u16> = origins.iter().filter(|(from, _)| *from == input).map(|(_, ply)| *ply).collect();
        assert_eq!(of, (1..=count).collect::<Vec<_>>(), "{input}");
    }
    // Six standard deviations of 2000 draws with probability 3/4 are 116.
    let first = origins[..2000].iter().filter(|(from, _)| *from == 1).count();
    assert!(first.abs_diff(1500) < 116, "{first}");
    assert_eq!(summary.shares.iter().map(|share| share.written).collect::<Vec<_>>(), [3000, 1000]);
    assert_eq!((summary.counts.written, summary.losses.len()), (4000, 0));

    assert_eq!(mixed(&inputs, FileFormat::Psv, 7, |_| {}).unwrap().0, out);
    assert_ne!(mixed(&inputs, FileFormat::Psv, 8, |_| {}).unwrap().0, out);
    // Another format has another encoding of the same records.
    let (hcpe, summary) = mixed(&inputs, FileFormat::Hcpe, 7, |_| {}).unwrap();
    assert_eq!(hcpe, convert(FileFormat::Psv, FileFormat::Hcpe, &out));
    assert_eq!(summary.losses[0].count, Some(4000));
    let (sfen, _) = mixed(&inputs, FileFormat::Csv, 7, |_| {}).unwrap();
    assert_eq!(sfen, convert(FileFormat::Psv, FileFormat::Csv, &out));
}

#[test]
fn first_end_of_an_input_ends_the_output_only_on_request() {
    let a = numbered(1, 100);
    let b = numbered(2, 1000);
    let inputs = [(&a[..], 1), (&b[..], 1), (&[][..], 5)];
    let (all, summary) = mixed(&inputs, FileFormat::Psv, 1, |_| {}).unwrap();
    assert_eq!((all.len(), summary.counts.written), (1100 * 40, 1100));
    let ended = summary.shares[0].ended_at.unwrap();
    assert!((100..1100).contains(&ended) && summary.shares[1].ended_at == Some(1100), "{:?}", summary.shares);
    assert_eq!((summary.shares[2].written, summary.shares[2].ended_at), (0, Some(0)));

    let stop = |job: &mut Job| job.first_end = FirstEnd::Stop;
    let (out, summary) = mixed(&inputs[..2], FileFormat::Psv, 1, stop).unwrap();
    assert!(summary.shares[0].written == 100 && summary.shares[1].ended_at.is_none());
    assert_eq!(out.len() as u64, 40 * summary.shares[0].ended_at.unwrap());
    assert!(mixed(&inputs[..2], FileFormat::Psv, 1, |_| {}).unwrap().0.starts_with(&out));
}

/// An hcpe record has no ply, so that each written record loses one: the count equals the number of records.
#[test]
fn losses_are_counted_only_for_written_records() {
    let a = numbered(1, 700);
    let mut b = numbered(2, 3000);
    // A record that is refused does not count as a loss.
    b[40 * 3..][..32].fill(0xff);
    for seed in 0..20 {
        let stop = |job: &mut Job| (job.first_end, job.on_bad_record) = (FirstEnd::Stop, OnBadRecord::Skip);
        let (out, summary) = mixed(&[(&a, 1), (&b, 2)], FileFormat::Hcpe, seed, stop).unwrap();
        assert_eq!(out.len() as u64, 38 * summary.counts.written);
        let plies = summary.losses.iter().find(|lost| lost.loss.field == Field::Ply).unwrap();
        assert_eq!(plies.count, Some(summary.counts.written), "{seed}");
    }
}

#[test]
fn bad_records_and_tails_are_named_by_their_input() {
    let good = numbered(1, 600);
    let mut bad = numbered(2, 600);
    bad[40 * 500..][..32].fill(0xff);
    let inputs = [(&good[..], 1), (&bad[..], 2)];
    let Err(DatasetError::Record(error)) = mixed(&inputs, FileFormat::Hcpe, 1, |_| {}) else { panic!() };
    assert_eq!((&*error.input, error.record, error.offset), ("weight 2", 500, 20_000));
    bad.push(0);
    let inputs = [(&good[..], 1), (&bad[..], 2)];
    assert!(matches!(mixed(&inputs, FileFormat::Psv, 1, |_| {}), Err(DatasetError::Tail(_))));
    let keep = |job: &mut Job| (job.options.salvage, job.on_bad_record) = (true, OnBadRecord::Skip);
    let (_, summary) = mixed(&inputs, FileFormat::Hcpe, 1, keep).unwrap();
    assert_eq!(
        (summary.counts.written, summary.counts.bad_total(), summary.counts.tails.len()),
        (1199, 1, 1)
    );
}

#[test]
fn nothing_is_overwritten_and_games_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("out.psv");
    std::fs::write(&path, b"kept").unwrap();
    let one = NonZeroU32::MIN;
    let job = |output: &std::path::Path| {
        Job::new(vec![(Input::path(sample_path("sample.psv")), one)], Output::path(output), 1)
    };
    assert!(matches!(job(&path).plan(), Err(DatasetError::Exists(_))));
    assert!(matches!(job(&path.with_extension("hcpe3")).plan(), Err(DatasetError::GamesInOrder(_))));
    assert_eq!(std::fs::read(&path).unwrap(), b"kept");
}

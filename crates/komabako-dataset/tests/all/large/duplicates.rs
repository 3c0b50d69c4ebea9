//! Removed duplicates, compared with naive references.

use std::fs;

use komabako_dataset::FileFormat;
use komabako_dataset::Limits;
use komabako_dataset::large::{Job, Sameness, Unique};
use komabako_testkit::cases;

use super::{PSV, Place, forced_job, naive, run, unique};
use crate::common::{sample, sample_path};

/// A generator that is good enough to choose records: xorshift64*.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 32) as usize % bound
    }
}

/// `count` records of 30 bytes, each a rank below 2^232 chosen among `distinct`.
fn ranks(count: usize, distinct: usize) -> Vec<u8> {
    let mut random = Random(7);
    let mut bytes = Vec::with_capacity(count * 30);
    for _ in 0..count {
        let mut rank = [0; 30];
        let mut choice = Random(random.below(distinct) as u64 + 1);
        rank[..29].fill_with(|| choice.below(256) as u8);
        bytes.extend_from_slice(&rank);
    }
    bytes
}

#[test]
fn records_without_duplicates_are_those_of_a_naive_reference() {
    let place = Place::new();
    let count = cases::scaled(1_000_000);
    let records = ranks(count, cases::scaled(700_000));
    let input = place.file("in.r238", &records);
    let expected = naive(&records, 30, <[u8]>::to_vec);
    for (by, parts) in [(Sameness::Record, 1), (Sameness::Position, 5)] {
        let output = place.path("out.r238");
        let summary = run(Job {
            unique: unique(by),
            limits: Limits { parts: Some(parts), ..Default::default() },
            ..forced_job(&[&input], &output)
        })
        .unwrap();
        assert!(fs::read(&output).unwrap() == expected, "{by:?} in {parts} parts");
        assert_eq!(summary.counts.written, expected.len() as u64 / 30);
        assert_eq!(summary.duplicates, count as u64 - summary.counts.written);
    }
    assert_eq!(place.names(), ["in.r238", "out.r238"]);
}

#[test]
fn duplicates_across_formats_by_position_or_with_the_move() {
    let place = Place::new();
    let original = sample("sample.psv");
    let mut moved = original.clone();
    // Resignation instead of every fourth move.
    moved.chunks_exact_mut(4 * PSV).for_each(|records| records[34..36].copy_from_slice(&[0x02, 0x01]));
    let moved = place.file("moved.psv", moved);
    let psv = sample_path("sample.psv");
    let hcpe = sample_path("sample.hcpe");
    let out = place.path("out.psv");
    let of = |by| Job { unique: unique(by), ..forced_job(&[&psv, &hcpe, &moved], &out) };
    let position = |record: &[u8]| FileFormat::Psv.decode(record).unwrap().setup;
    run(of(Sameness::Position)).unwrap();
    let by_position = naive(&original, PSV, position);
    assert!(fs::read(&out).unwrap() == by_position);
    let summary = run(of(Sameness::Move)).unwrap();
    let moves = |record: &[u8]| (position(record), record[34..36].to_vec());
    let all = [original.clone(), fs::read(&moved).unwrap()].concat();
    assert!(fs::read(&out).unwrap() == naive(&all, PSV, moves));
    assert!(summary.counts.written > 2400, "{summary:?}");
}

#[test]
fn records_of_a_reference_are_left_out_and_the_reference_is_unchanged() {
    let place = Place::new();
    let original = sample("sample.psv");
    let clean = naive(&original, PSV, |record| FileFormat::Psv.decode(record).unwrap().setup);
    let (head, tail) = clean.split_at(700 * PSV);
    let reference = place.file("clean.psv", head);
    let input = place.file("new.psv", &clean);
    for parts in [1, 3] {
        let out = place.path("out.psv");
        let mut job = forced_job(&[&input], &out);
        job.limits.parts = Some(parts);
        job.unique = Some(Unique {
            by: Sameness::Position,
            references: vec![reference.clone()],
            ..Default::default()
        });
        let summary = run(job).unwrap();
        assert!(fs::read(&out).unwrap() == tail);
        assert_eq!(summary.duplicates, 700);
    }
    assert!(fs::read(&reference).unwrap() == head);
}

//! The order of a shuffle does not depend on limits or stages.

use std::fs;

use komabako_dataset::large::{Job, Sameness, Shuffle};

use super::{PSV, Place, forced_job, job, run, scored, shuffle, unique};
use crate::common::sample;

#[test]
fn shuffle_does_not_depend_on_the_limits() {
    let place = Place::new();
    let records = scored(50_000);
    let input = place.file("in.psv", &records);
    let shuffled = |name: &str, change: &dyn Fn(&mut Job)| {
        let out = place.path(name);
        let mut job = Job { shuffle: shuffle(7), ..forced_job(&[&input], &out) };
        change(&mut job);
        run(job).unwrap();
        fs::read(&out).unwrap()
    };
    let expected = shuffled("a.psv", &|_| {});
    let sorted = |bytes: &[u8]| {
        let mut records: Vec<Vec<u8>> = bytes.chunks_exact(PSV).map(<[u8]>::to_vec).collect();
        records.sort();
        records
    };
    assert!(sorted(&expected) == sorted(&records), "a permutation");
    assert!(expected != records);
    for threads in [1, 8] {
        assert!(shuffled("b.psv", &|job| job.options.threads = threads) == expected);
    }
    for parts in [2, 16, 1000] {
        assert!(shuffled("b.psv", &|job| job.limits.parts = Some(parts)) == expected, "{parts} parts");
        let phased = |job: &mut Job| {
            job.limits.parts = Some(parts.min(16));
            job.shuffle = Some(Shuffle { seed: 7, phased: true });
        };
        assert!(shuffled("b.psv", &phased) == expected, "{parts} rounds");
    }
    assert!(shuffled("b.psv", &|job| job.limits.memory = Some(64 << 20)) == expected);
    assert!(shuffled("b.psv", &|job| job.shuffle = shuffle(8)) != expected);
    assert_eq!(place.names(), ["a.psv", "b.psv", "in.psv"]);
}

#[test]
fn combined_job_equals_dedup_followed_by_shuffle() {
    let place = Place::new();
    let original = sample("sample.psv");
    let input = place.file("in.psv", [&original[..], &original[..]].concat());
    let clean = place.path("clean.psv");
    let apart = place.path("apart.psv");
    run(Job { unique: unique(Sameness::Position), ..job(&[&input], &clean) }).unwrap();
    run(Job { shuffle: shuffle(3), ..job(&[&clean], &apart) }).unwrap();
    for (parts, phased) in [(1, false), (4, false), (4, true)] {
        let fused = place.path("fused.psv");
        let mut job = Job { unique: unique(Sameness::Position), ..forced_job(&[&input], &fused) };
        job.shuffle = Some(Shuffle { seed: 3, phased });
        job.limits.parts = Some(parts);
        run(job).unwrap();
        assert!(fs::read(&fused).unwrap() == fs::read(&apart).unwrap(), "{parts} {phased}");
    }
}

//! Partitions of a shuffled output, concatenated, are the whole; those without duplicates have the whole's records.

use std::fs;
use std::ops::ControlFlow;

use komabako_dataset::large::{Job, Sameness, Shuffle};
use komabako_dataset::{DatasetError, OnBadRecord, Partition, Phase, Step};

use super::{PSV, Place, forced_job, run, scored, unique};

fn partition(number: usize, parts: usize) -> Partition {
    format!("{number}/{parts}").parse().expect("a partition")
}

#[test]
fn joined_partitions_equal_the_whole_output() {
    let place = Place::new();
    let records = scored(20_000);
    // With duplicates too: the order is drawn over the remaining records.
    let input = place.file("in.psv", [&records[..], &records[..40 * 5_000]].concat());
    let out = place.path("out.psv");
    for (by, phased, cut) in [
        (None, false, None),
        (None, false, Some(7)),
        (None, true, Some(3)),
        (Some(Sameness::Record), false, None),
        (Some(Sameness::Record), false, Some(4)),
    ] {
        let write = |partition: Partition| {
            let mut job = Job { partition, ..forced_job(&[&input], &out) };
            job.shuffle = Some(Shuffle { seed: 7, phased });
            job.unique = by.and_then(unique);
            job.limits.parts = cut;
            let summary = run(job).expect("a partition");
            let duplicates = if by.is_some() { 5_000 } else { 0 };
            assert_eq!((summary.counts.read, summary.duplicates), (25_000, duplicates));
            let bytes = fs::read(&out).expect("the output");
            assert_eq!(summary.counts.written, bytes.len() as u64 / 40);
            bytes
        };
        let whole = write(Partition::WHOLE);
        for parts in [1, 3, 8] {
            let joined: Vec<u8> = (0..parts).flat_map(|number| write(partition(number, parts))).collect();
            assert!(joined == whole, "{parts} partitions, {by:?}, phased {phased}, cut {cut:?}");
        }
    }
}

#[test]
fn a_partition_deletes_no_inputs_and_not_every_output_is_divided() {
    let place = Place::new();
    let input = place.file("in.psv", scored(100));
    let out = place.path("out.psv");
    let mut job = Job { partition: partition(0, 3), ..forced_job(&[&input], &out) };
    assert!(matches!(run(job), Err(DatasetError::PartitionUndivided(name)) if name == "0/3"));
    job = Job { partition: partition(2, 3), delete_inputs: true, ..forced_job(&[&input], &out) };
    job.shuffle = Some(Shuffle { seed: 1, phased: false });
    assert!(matches!(run(job), Err(DatasetError::PartitionDeletes(name)) if name == "2/3"));
    assert_eq!(place.names(), ["in.psv"]);
}

fn sorted(records: &[u8]) -> Vec<&[u8]> {
    let mut records: Vec<&[u8]> = records.chunks_exact(PSV).collect();
    records.sort_unstable();
    records
}

/// Some records occur twice, some are bad, and some are in a reference too.
#[test]
fn deduplicated_partitions_have_the_records_of_the_whole() {
    let place = Place::new();
    let mut records = scored(20_000);
    records.extend_from_within(..PSV * 5_000);
    for bad in [7, 19_999] {
        records[PSV * bad + 1] ^= 0xff;
    }
    let input = place.file("in.psv", &records);
    let reference = place.file("reference.psv", &records[PSV * 10_000..PSV * 10_100]);
    let out = place.path("out.psv");
    for (by, cut) in [
        (Sameness::Position, None),
        (Sameness::Move, Some(4)),
        (Sameness::Record, None),
        (Sameness::Record, Some(7)),
    ] {
        let write = |partition: Partition| {
            let mut job = Job { partition, on_bad_record: OnBadRecord::Skip, ..forced_job(&[&input], &out) };
            job.unique = unique(by);
            job.unique.as_mut().expect("it is set").references.push(reference.clone());
            job.limits.parts = cut;
            let summary = run(job).expect("a partition");
            let counts = &summary.counts;
            let accounted = counts.written + summary.duplicates + summary.other_parts + counts.bad_total();
            assert_eq!((counts.read, accounted), (25_000, 25_000), "{by:?}");
            (fs::read(&out).expect("the output"), summary)
        };
        let (whole, of_whole) = write(Partition::WHOLE);
        assert_eq!(of_whole.other_parts, 0);
        for parts in [1, 3, 8] {
            let outputs: Vec<_> = (0..parts).map(|number| write(partition(number, parts))).collect();
            let joined: Vec<u8> = outputs.iter().flat_map(|(records, _)| records).copied().collect();
            assert!(sorted(&joined) == sorted(&whole), "{parts} partitions, {by:?}, cut {cut:?}");
            let duplicates: u64 = outputs.iter().map(|(_, summary)| summary.duplicates).sum();
            assert_eq!(duplicates, of_whole.duplicates);
            // Every part has its share, in the order of the inputs.
            let mut rest = whole.chunks_exact(PSV);
            assert!(outputs[0].0.len() / PSV * parts > whole.len() / PSV / 2);
            assert!(outputs[0].0.chunks_exact(PSV).all(|record| rest.any(|other| other == record)));
        }
    }
}

#[test]
fn partition_resumes_to_the_same_records_and_only_as_itself() {
    let place = Place::new();
    let input = place.file("in.psv", scored(300_000));
    let out = place.path("out.psv");
    let of = |number, resume| {
        let mut job = Job { partition: partition(number, 3), resume, ..forced_job(&[&input], &out) };
        job.unique = unique(Sameness::Record);
        job.limits.parts = Some(3);
        job
    };
    let expected = run(of(1, false)).expect("a partition");
    let bytes = fs::read(&out).expect("the output");
    for (phase, most) in [(Phase::Keys, 160_000), (Phase::FindDuplicates, 0), (Phase::Write, 0)] {
        let mut stop = |step: &Step| {
            if step.phase == phase && step.records > most {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        let stopped = of(1, false).plan(&mut ()).and_then(|plan| plan.run(&mut stop));
        assert!(matches!(stopped, Err(DatasetError::Cancelled)), "{phase:?}");
        assert!(matches!(run(of(2, true)), Err(DatasetError::Changed { .. })));
        let summary = run(of(1, true)).expect("the rest of the partition");
        assert!(summary.resumed && fs::read(&out).expect("the output") == bytes, "{phase:?}");
        assert_eq!(summary.counts.written, expected.counts.written);
        assert_eq!(summary.other_parts, expected.other_parts);
        assert!(summary.other_parts > 190_000);
    }
}

#[test]
fn partition_needs_memory_for_its_own_keys_only() {
    let place = Place::new();
    let input = place.file("in.psv", scored(100_000));
    let memory = |partition| {
        let mut job = Job { partition, ..forced_job(&[&input], &place.path("out.psv")) };
        job.unique = unique(Sameness::Position);
        job.limits.parts = Some(1);
        job.plan(&mut ()).expect("a job that can be done").preflight().memory
    };
    // 32 bytes of key and 14 of table, for seven eighths of the records, within the reserve of a part.
    assert!(memory(Partition::WHOLE) - memory(partition(0, 8)) > 100_000 * 46 / 4 * 3);
}

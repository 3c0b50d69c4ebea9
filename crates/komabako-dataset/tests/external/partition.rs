//! Partitions of a shuffled output, joined, are the whole.

use std::fs;

use komabako_dataset::DatasetError;
use komabako_dataset::large::{Job, Partition, Sameness, Shuffle};

use crate::{Place, forced_job, run, scored, unique};

fn partition(number: usize, parts: usize) -> Partition {
    format!("{number}/{parts}").parse().expect("a partition")
}

#[test]
fn joined_partitions_are_the_whole_output() {
    let place = Place::new();
    let records = scored(20_000);
    // Duplicates too: the order is drawn over the survivors.
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
fn a_partition_deletes_no_inputs_and_is_one_of_a_shuffle() {
    let place = Place::new();
    let input = place.file("in.psv", scored(100));
    let out = place.path("out.psv");
    let mut job = Job { partition: partition(0, 3), ..forced_job(&[&input], &out) };
    assert!(matches!(run(job), Err(DatasetError::PartitionUnshuffled(name)) if name == "0/3"));
    job = Job { partition: partition(2, 3), delete_inputs: true, ..forced_job(&[&input], &out) };
    job.shuffle = Some(Shuffle { seed: 1, phased: false });
    assert!(matches!(run(job), Err(DatasetError::PartitionDeletes(name)) if name == "2/3"));
    assert_eq!(place.names(), ["in.psv"]);
}

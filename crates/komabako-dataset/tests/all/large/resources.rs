//! The memory and disk that a job needs are announced, and it uses no more.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use komabako_dataset::large::{Job, Keep, Sameness, Shuffle, Unique};
use komabako_dataset::preflight::{Amount, Shortage};
use komabako_dataset::{DatasetError, Step};

use super::{Place, forced_job, job, run, scored, shuffle, unique};

#[test]
fn job_without_enough_resources_is_refused_before_writing() {
    let place = Place::new();
    let input = place.file("in.psv", scored(10_000));
    let out = place.path("out.psv");
    let mut small = Job { shuffle: shuffle(1), ..job(&[&input], &out) };
    small.limits.memory = Some(1 << 20);
    match run(small) {
        Err(DatasetError::Shortage(Shortage::Memory { needed, allowed })) => {
            assert_eq!(allowed, 1 << 20);
            assert!(needed > allowed);
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(place.names(), ["in.psv"]);
    let mut announced = Job { shuffle: shuffle(1), ..job(&[&input], &out) };
    announced.limits.parts = Some(4);
    let plan = announced.plan(&mut ()).unwrap();
    // The parts, in which every record takes two more bytes, and the maximum output of one part.
    assert_eq!(plan.preflight().disks[0].peak, Amount::exactly(10_000 * 42 + 117_648));
    let mut elsewhere = Job { shuffle: shuffle(1), ..job(&[&input], &out) };
    elsewhere.limits.parts = Some(4);
    elsewhere.limits.directories = vec![place.path("tmp")];
    let plan = elsewhere.plan(&mut ()).unwrap();
    assert_eq!(plan.preflight().disks[0].peak, Amount::exactly(10_000 * (40 + 42)));
    let phased = Job { shuffle: Some(Shuffle { seed: 1, phased: true }), ..job(&[&input], &out) };
    assert_eq!(phased.plan(&mut ()).unwrap().preflight().disks[0].peak, Amount::exactly(10_000 * 40));
    let compressed = Job { shuffle: shuffle(1), ..job(&[&input], &place.path("out.psv.zst")) };
    assert_eq!(compressed.plan(&mut ()).unwrap().preflight().disks[0].peak, Amount::up_to(10_000 * 40));
}

/// A job is not refused because of lines that could be long but are not, or of records that could be duplicates.
#[test]
fn what_may_be_smaller_has_no_lower_bound() {
    let place = Place::new();
    let input = place.file("in.psv", scored(10_000));
    let unique = || unique(Sameness::Record);
    // The keys of all records in files would be certain.
    for (unique, shuffle, name, parts) in [
        (None, shuffle(1), "out.sfen", Some(4)),
        (unique(), None, "out.sfen", Some(4)),
        (unique(), None, "out.psv", None),
        (unique(), shuffle(1), "out.psv", None),
    ] {
        let mut job = Job { unique, shuffle, ..job(&[&input], &place.path(name)) };
        job.limits.parts = parts;
        let plan = job.plan(&mut ()).unwrap();
        assert_eq!(plan.preflight().disks[0].peak.least, 0);
    }
}

/// The total size of the files in a directory and its subdirectories.
fn bytes_in(directory: &Path) -> u64 {
    let files = fs::read_dir(directory).unwrap().flatten();
    // A file removed in the meantime counts as nothing.
    let bytes = files.map(|file| match file.metadata() {
        Ok(known) if known.is_dir() => bytes_in(&file.path()),
        Ok(known) => known.len(),
        Err(_) => 0,
    });
    bytes.sum()
}

#[test]
fn duplicates_and_means_stay_within_the_announced_disk_space() {
    let place = Place::new();
    let inputs = Place::new();
    let input = inputs.file("in.psv", scored(300_000));
    for (keep, parts) in
        [(Keep::First, 7), (Keep::Last, 1), (Keep::Last, 7), (Keep::Mean, 1), (Keep::Mean, 20)]
    {
        let out = place.path("out.psv");
        let mut job = forced_job(&[&input], &out);
        let columns = (keep == Keep::Mean).then(|| place.path("out"));
        // Hardly any record has a duplicate.
        let by = if keep == Keep::Mean { Sameness::Move } else { Sameness::Record };
        job.unique = Some(Unique { by, keep, columns, ..Default::default() });
        job.limits.parts = Some(parts);
        let plan = job.plan(&mut ()).unwrap();
        let announced = plan.preflight().disks[0].peak.most.unwrap();
        let mut peak = 0;
        let mut look = |_: &Step| {
            peak = peak.max(bytes_in(&place.path("")));
            ControlFlow::Continue(())
        };
        plan.run(&mut look).unwrap();
        // The manifest is not counted. A single part of keys is in memory.
        assert!(
            (parts == 1 || peak > 300_000 * 30) && peak <= announced + 100_000,
            "{peak} of {announced}: {keep:?} {parts}"
        );
        for name in place.names() {
            fs::remove_file(place.path(&name)).unwrap();
        }
    }
}

#[test]
fn shuffle_stays_within_the_announced_disk_space() {
    let place = Place::new();
    let inputs = Place::new();
    let input = inputs.file("in.psv", scored(300_000));
    for parts in [2, 7, 50] {
        let mut job = Job { shuffle: shuffle(1), ..forced_job(&[&input], &place.path("out.psv")) };
        job.limits.parts = Some(parts);
        let plan = job.plan(&mut ()).unwrap();
        let announced = plan.preflight().disks[0].peak.most.unwrap();
        let mut peak = 0;
        let mut look = |_: &Step| {
            peak = peak.max(bytes_in(&place.path("")));
            ControlFlow::Continue(())
        };
        plan.run(&mut look).unwrap();
        // The output of the previous run exists until the end; the manifest is not counted.
        let before = if parts == 2 { 0 } else { 300_000 * 40 };
        let own = peak - before;
        assert!(300_000 * 40 <= own && own <= announced + 100_000, "{own} of {announced} in {parts} parts");
        assert!(parts < 16 || announced < 300_000 * 50, "{announced}");
    }
}

//! Collected bad records: the same files as those of a conversion, for any limits and after an interruption.

use std::fs;
use std::ops::ControlFlow;

use komabako_dataset::convert;
use komabako_dataset::large::{Sameness, Shuffle};
use komabako_dataset::{DatasetError, Input, JobOptions, OnBadRecord, Output, Phase, Step};

use super::{PSV, Place, job, run, scored, unique};

/// Records of which some have no position and some a move that HCPE cannot hold.
fn damaged(count: usize) -> Vec<u8> {
    let mut records = scored(count);
    for (number, record) in records.chunks_exact_mut(PSV).enumerate() {
        match number % 997 {
            17 => record[1] ^= 0xff,
            40 => record[34..36].fill(0xff),
            _ => {}
        }
    }
    records
}

#[test]
fn bad_records_are_collected_as_by_a_conversion() {
    let place = Place::new();
    let inputs = [place.file("1.psv", damaged(3_000)), place.file("2.psv", damaged(1_500))];
    let out = place.path("out.hcpe");
    let names = ["bad.psv", "bad.psv.reasons.tsv"];
    let policy = || OnBadRecord::Collect(place.path(names[0]));
    let collected = || names.map(|name| fs::read(place.path(name)).unwrap());
    let clear =
        || names.iter().chain(&["out.hcpe"]).for_each(|name| fs::remove_file(place.path(name)).unwrap());

    let converted = convert::Job {
        on_bad_record: policy(),
        ..convert::Job::new(inputs.iter().map(Input::path).collect(), Output::path(&out))
    };
    let converted = converted.plan().unwrap().run(&mut ()).unwrap();
    let expected = collected();
    assert_eq!(expected[0].len() as u64, PSV as u64 * converted.counts.bad_total());
    clear();

    let inputs: Vec<_> = inputs.iter().map(AsRef::as_ref).collect();
    for (by, phased) in
        [(None, false), (None, true), (Some(Sameness::Record), false), (Some(Sameness::Record), true)]
    {
        for parts in [None, Some(3)] {
            let mut job = job(&inputs, &out);
            job.unique = by.and_then(unique);
            job.shuffle = Some(Shuffle { seed: 1, phased });
            job.on_bad_record = policy();
            job.limits.parts = parts;
            let summary = run(job).unwrap();
            assert_eq!(summary.counts.bad, converted.counts.bad, "{by:?} {phased} {parts:?}");
            assert!(collected() == expected, "{by:?} {phased} {parts:?}");
            clear();
        }
    }
}

/// A duplicate is left out regardless of its move.
#[test]
fn duplicates_are_not_collected() {
    let place = Place::new();
    let mut records = scored(100);
    records.extend_from_within(..);
    for number in [30, 107] {
        records[PSV * number + 34..][..2].fill(0xff);
    }
    let input = place.file("in.psv", &records);
    let out = place.path("out.hcpe");
    let bad = place.path("bad.psv");
    let mut job = job(&[&input], &out);
    job.unique = unique(Sameness::Position);
    job.on_bad_record = OnBadRecord::Collect(bad.clone());
    let summary = run(job).unwrap();
    assert_eq!((summary.counts.bad_total(), summary.counts.written), (1, 99));
    assert!(fs::read(&bad).unwrap() == records[PSV * 30..PSV * 31]);
}

#[test]
fn no_files_are_created_without_bad_records() {
    let place = Place::new();
    let input = place.file("in.psv", scored(100));
    let out = place.path("out.hcpe");
    let mut job = job(&[&input], &out);
    job.on_bad_record = OnBadRecord::Collect(place.path("bad.psv"));
    run(job).unwrap();
    assert_eq!(place.names(), ["in.psv", "out.hcpe"]);
}

/// Bad records that an interrupted run has read are collected too.
#[test]
fn resumed_job_collects_all_bad_records() {
    let place = Place::new();
    let input = place.file("in.psv", damaged(300_000));
    let out = place.path("out.hcpe");
    let bad = place.path("bad.psv");
    let of = |on_bad_record, resume| {
        let mut job = job(&[&input], &out);
        job.unique = unique(Sameness::Record);
        job.shuffle = Some(Shuffle { seed: 1, phased: false });
        job.limits.parts = Some(3);
        job.on_bad_record = on_bad_record;
        job.resume = resume;
        job.plan(&mut ()).unwrap()
    };
    let collect = || OnBadRecord::Collect(bad.clone());
    let files = || {
        let read = [&out, &bad, &place.path("bad.psv.reasons.tsv")].map(|path| fs::read(path).unwrap());
        fs::remove_file(&out).unwrap();
        fs::remove_file(&bad).unwrap();
        fs::remove_file(place.path("bad.psv.reasons.tsv")).unwrap();
        read
    };
    of(collect(), false).run(&mut ()).unwrap();
    let expected = files();
    for phase in [Phase::FindDuplicates, Phase::Write, Phase::Collect] {
        // Records that `skip` has left out are also collected by the run that resumes.
        for policy in [collect(), OnBadRecord::Skip] {
            let is_reached = phase != Phase::Collect || policy != OnBadRecord::Skip;
            let mut stop = |step: &Step| {
                if step.phase == phase { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            if is_reached {
                assert!(matches!(of(policy, false).run(&mut stop), Err(DatasetError::Cancelled)));
                assert_eq!(place.names(), [".out.hcpe.komabako", "in.psv"]);
                assert!(of(collect(), true).run(&mut ()).unwrap().resumed);
                assert!(files() == expected, "{phase:?}");
            }
        }
    }
}

#[test]
fn collecting_refuses_files_in_use_and_mixed_formats() {
    let place = Place::new();
    let input = place.file("in.psv", scored(100));
    let other = place.file("other.hcpe", b"");
    let out = place.path("out.psv");
    for taken in [&input, &out] {
        let mut job = job(&[&input], &out);
        (job.on_bad_record, job.options) =
            (OnBadRecord::Collect(taken.clone()), JobOptions { force: true, ..JobOptions::default() });
        assert!(matches!(run(job), Err(DatasetError::SameFile(path)) if path == *taken));
    }
    convert::Job::new(vec![Input::path(&input)], Output::path(place.path("b.hcpe")))
        .plan()
        .unwrap()
        .run(&mut ())
        .unwrap();
    fs::copy(place.path("b.hcpe"), &other).unwrap();
    let mut job = job(&[&input, &other], &out);
    job.on_bad_record = OnBadRecord::Collect(place.path("bad"));
    assert!(matches!(run(job), Err(DatasetError::MixedFormats(..))));
}

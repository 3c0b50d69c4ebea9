//! Jobs from every format to every other, and bad content.

use std::fs;
use std::path::Path;

use komabako_dataset::convert;
use komabako_dataset::error::TailCause;
use komabako_dataset::large::{Job, Sameness, Shuffle};
use komabako_dataset::{DatasetError, FileFormat, Input, JobOptions, OnBadRecord, Output};

use super::{PSV, Place, forced, forced_job, job, naive, run, shuffle, unique};
use crate::common::{sample, sample_path};

#[test]
fn every_format_is_read_and_written_also_compressed_and_from_a_stream() {
    let place = Place::new();
    let expected = place.path("expected.psv");
    run(Job { shuffle: shuffle(1), ..job(&[&sample_path("sample.psv")], &expected) }).unwrap();
    for name in ["a.plain", "a.plain.zst", "a.hcpe.gz", "a.sfen.xz", "a.compact36"] {
        for parts in [1, 3] {
            let there = place.path(name);
            let sorted = place.path("there.psv");
            let mut to = Job { shuffle: shuffle(1), ..forced_job(&[&sample_path("sample.psv")], &there) };
            to.limits.parts = Some(parts);
            run(to).unwrap();
            run(Job { to: Some(FileFormat::Psv), ..forced_job(&[&there], &sorted) }).unwrap();
            let positions = |path: &Path| {
                let bytes = fs::read(path).unwrap();
                bytes.chunks_exact(PSV).flat_map(|record| record[..32].to_vec()).collect::<Vec<_>>()
            };
            assert!(positions(&sorted) == positions(&expected), "{name}");
        }
    }
    let stream = fs::read(place.path("a.plain.zst")).unwrap();
    let mut written = Vec::new();
    let input = Input::Stream("input".into(), Box::new(&stream[..]));
    let mut from_stream = Job::new(vec![input], Output::Stream("output".into(), Box::new(&mut written)));
    from_stream.to = Some(FileFormat::Psv);
    from_stream.unique = unique(Sameness::Position);
    from_stream.limits.directories = vec![place.path("")];
    run(from_stream).unwrap();
    let position = |record: &[u8]| FileFormat::Psv.decode(record).unwrap().setup;
    let original = sample("sample.psv");
    assert_eq!(written.len(), naive(&original, PSV, position).len());
    assert!(!place.names().iter().any(|name| name.starts_with('.')), "{:?}", place.names());
}

#[test]
fn games_are_read_as_positions_and_never_written() {
    let place = Place::new();
    let games = place.path("games.pack");
    let out = place.path("out.psv");
    let there = convert::Job::new(vec![Input::path(sample_path("sample.psv"))], Output::path(&games));
    there.plan().unwrap().run(&mut ()).unwrap();
    run(Job { shuffle: shuffle(1), ..job(&[&games], &out) }).unwrap();
    let sorted = |bytes: Vec<u8>| {
        let mut positions: Vec<_> = bytes.chunks_exact(PSV).map(|record| record[..32].to_vec()).collect();
        positions.sort();
        positions
    };
    assert!(sorted(fs::read(&out).unwrap()) == sorted(sample("sample.psv")));
    let refused = run(Job { shuffle: shuffle(1), ..job(&[&games], &place.path("out.pack")) });
    assert!(matches!(refused, Err(DatasetError::GamesInOrder(FileFormat::Pack))));
}

#[test]
fn bad_records_and_tails_are_skipped_and_reported() {
    let place = Place::new();
    let mut records = sample("sample.psv");
    records[40 * 17 + 1] ^= 0xff;
    records.truncate(40 * 1999 + 7);
    let input = place.file("in.psv", records);
    let out = place.path("out.psv");
    let of = || Job { unique: unique(Sameness::Position), shuffle: shuffle(1), ..job(&[&input], &out) };
    match run(of()) {
        Err(DatasetError::Tail(tail)) => assert_eq!((tail.records, tail.cause), (1999, TailCause::Truncated)),
        other => panic!("{other:?}"),
    }
    let salvaging = || JobOptions { salvage: true, threads: 2, ..JobOptions::default() };
    match run(Job { options: salvaging(), ..of() }) {
        Err(DatasetError::Record(error)) => assert_eq!(error.record, 17),
        other => panic!("{other:?}"),
    }
    assert_eq!(place.names(), ["in.psv"]);
    for phased in [false, true] {
        let mut job = forced(Job { options: salvaging(), on_bad_record: OnBadRecord::Skip, ..of() });
        job.shuffle = Some(Shuffle { seed: 1, phased });
        job.limits.parts = Some(3);
        let summary = run(job).unwrap();
        assert_eq!(
            (
                summary.counts.read,
                summary.counts.bad_total(),
                summary.counts.samples.len(),
                summary.counts.tails.len()
            ),
            (1999, 1, 1, 1)
        );
        assert_eq!(summary.counts.written, fs::metadata(&out).unwrap().len() / 40);
        assert_eq!(summary.counts.written + summary.duplicates, 1998);
    }
}

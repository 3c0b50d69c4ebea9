//! Duplicates and shuffles: the same bytes whatever the limits, equal to slow references, and resumed after a stop.

mod common;

use std::collections::HashSet;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use common::{sample, sample_path};
use komabako_dataset::convert;
use komabako_dataset::error::TailCause;
use komabako_dataset::external::{Difference, Job, Sameness, Shuffle, Summary, Unique};
use komabako_dataset::preflight::{Amount, Shortage};
use komabako_dataset::{DatasetError, FileFormat, Input, Output, Phase, Progress, Step};
use tempfile::TempDir;

const PSV: usize = 40;

struct Place(TempDir);

impl Place {
    fn new() -> Place {
        Place(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn file(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, content).unwrap();
        path
    }

    fn names(&self) -> Vec<String> {
        common::names(self.0.path())
    }
}

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

/// The sample's records with scores of their own: as many records as wanted, no two of which are the same.
fn scored(count: usize) -> Vec<u8> {
    let records = sample("sample.psv");
    let mut bytes: Vec<u8> = records.into_iter().cycle().take(count * PSV).collect();
    for (number, record) in bytes.chunks_exact_mut(PSV).enumerate() {
        record[32..34].copy_from_slice(&((number / 2000) as i16).to_le_bytes());
    }
    bytes
}

fn job(inputs: &[&Path], output: &Path) -> Job<'static> {
    let inputs = inputs.iter().map(|&path| Input::path(path)).collect();
    let mut job = Job::new(inputs, Output::path(output));
    job.limits.threads = 2;
    job
}

fn run(job: Job) -> Result<Summary, DatasetError> {
    job.plan(&mut ())?.run(&mut ())
}

fn unique(by: Sameness) -> Option<Unique> {
    Some(Unique { by, references: Vec::new() })
}

const fn shuffle(seed: u64) -> Option<Shuffle> {
    Some(Shuffle { seed, phased: false })
}

/// What is left of records if of each key the first is kept.
fn naive<K: Eq + std::hash::Hash>(records: &[u8], size: usize, key: impl Fn(&[u8]) -> K) -> Vec<u8> {
    let mut seen = HashSet::new();
    records.chunks_exact(size).filter(|record| seen.insert(key(record))).flatten().copied().collect()
}

#[test]
fn a_million_records_without_duplicates_are_those_of_a_naive_reference() {
    let place = Place::new();
    let records = ranks(1_000_000, 700_000);
    let input = place.file("in.r238", &records);
    let expected = naive(&records, 30, <[u8]>::to_vec);
    for (by, parts) in [(Sameness::Record, 1), (Sameness::Position, 5)] {
        let output = place.path("out.r238");
        let summary = run(Job {
            unique: unique(by),
            force: true,
            limits: komabako_dataset::external::Limits { parts: Some(parts), ..Default::default() },
            ..job(&[&input], &output)
        })
        .unwrap();
        assert!(fs::read(&output).unwrap() == expected, "{by:?} in {parts} parts");
        assert_eq!(summary.written, expected.len() as u64 / 30);
        assert_eq!(summary.duplicates, 1_000_000 - summary.written);
    }
    assert_eq!(place.names(), ["in.r238", "out.r238"]);
}

#[test]
fn the_same_position_by_another_format_is_a_duplicate_and_the_move_tells_them_apart() {
    let place = Place::new();
    let original = sample("sample.psv");
    let mut moved = original.clone();
    // Resignation in place of every fourth move.
    moved.chunks_exact_mut(4 * PSV).for_each(|records| records[34..36].copy_from_slice(&[0x02, 0x01]));
    let moved = place.file("moved.psv", moved);
    let (psv, hcpe, out) = (sample_path("sample.psv"), sample_path("sample.hcpe"), place.path("out.psv"));
    let of = |by| Job { unique: unique(by), force: true, ..job(&[&psv, &hcpe, &moved], &out) };
    let position = |record: &[u8]| FileFormat::Psv.decode(record).unwrap().setup;
    run(of(Sameness::Position)).unwrap();
    let by_position = naive(&original, PSV, position);
    assert!(fs::read(&out).unwrap() == by_position);
    let summary = run(of(Sameness::Move)).unwrap();
    let moves = |record: &[u8]| (position(record), record[34..36].to_vec());
    let all = [original.clone(), fs::read(&moved).unwrap()].concat();
    assert!(fs::read(&out).unwrap() == naive(&all, PSV, moves));
    assert!(summary.written > 2400, "{summary:?}");
}

#[test]
fn records_of_a_reference_are_left_out_and_the_reference_stays() {
    let place = Place::new();
    let original = sample("sample.psv");
    let clean = naive(&original, PSV, |record| FileFormat::Psv.decode(record).unwrap().setup);
    let (head, tail) = clean.split_at(700 * PSV);
    let (reference, input) = (place.file("clean.psv", head), place.file("new.psv", &clean));
    for parts in [1, 3] {
        let out = place.path("out.psv");
        let mut job = Job { force: true, ..job(&[&input], &out) };
        job.limits.parts = Some(parts);
        job.unique = Some(Unique { by: Sameness::Position, references: vec![reference.clone()] });
        let summary = run(job).unwrap();
        assert!(fs::read(&out).unwrap() == tail);
        assert_eq!(summary.duplicates, 700);
    }
    assert!(fs::read(&reference).unwrap() == head);
}

#[test]
fn a_shuffle_is_the_same_whatever_the_limits() {
    let place = Place::new();
    let records = scored(50_000);
    let input = place.file("in.psv", &records);
    let shuffled = |name: &str, change: &dyn Fn(&mut Job)| {
        let out = place.path(name);
        let mut job = Job { shuffle: shuffle(7), force: true, ..job(&[&input], &out) };
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
        assert!(shuffled("b.psv", &|job| job.limits.threads = threads) == expected);
    }
    for parts in [2, 16, 1000] {
        assert!(shuffled("b.psv", &|job| job.limits.parts = Some(parts)) == expected, "{parts} parts");
        let phased = |job: &mut Job| {
            job.limits.parts = Some(parts.min(16));
            job.shuffle = Some(Shuffle { seed: 7, phased: true });
        };
        assert!(shuffled("b.psv", &phased) == expected, "{parts} rounds");
    }
    assert!(shuffled("b.psv", &|job| job.limits.memory = Some(60 << 20)) == expected);
    assert!(shuffled("b.psv", &|job| job.shuffle = shuffle(8)) != expected);
    assert_eq!(place.names(), ["a.psv", "b.psv", "in.psv"]);
}

#[test]
fn duplicates_and_shuffle_in_one_are_the_two_one_after_the_other() {
    let place = Place::new();
    let original = sample("sample.psv");
    let input = place.file("in.psv", [&original[..], &original[..]].concat());
    let (clean, apart) = (place.path("clean.psv"), place.path("apart.psv"));
    run(Job { unique: unique(Sameness::Position), ..job(&[&input], &clean) }).unwrap();
    run(Job { shuffle: shuffle(3), ..job(&[&clean], &apart) }).unwrap();
    for (parts, phased) in [(1, false), (4, false), (4, true)] {
        let fused = place.path("fused.psv");
        let mut job = Job { unique: unique(Sameness::Position), force: true, ..job(&[&input], &fused) };
        job.shuffle = Some(Shuffle { seed: 3, phased });
        job.limits.parts = Some(parts);
        run(job).unwrap();
        assert!(fs::read(&fused).unwrap() == fs::read(&apart).unwrap(), "{parts} {phased}");
    }
}

#[test]
fn every_format_is_read_and_written_also_compressed_and_from_a_stream() {
    let place = Place::new();
    let expected = place.path("expected.psv");
    run(Job { shuffle: shuffle(1), ..job(&[&sample_path("sample.psv")], &expected) }).unwrap();
    for name in ["a.plain", "a.plain.zst", "a.hcpe.gz", "a.sfen.xz", "a.compact36"] {
        for parts in [1, 3] {
            let (there, sorted) = (place.path(name), place.path("there.psv"));
            let mut to =
                Job { force: true, shuffle: shuffle(1), ..job(&[&sample_path("sample.psv")], &there) };
            to.limits.parts = Some(parts);
            run(to).unwrap();
            run(Job { force: true, to: Some(FileFormat::Psv), ..job(&[&there], &sorted) }).unwrap();
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

/// Stops a job at a certain report of a phase, and counts the reports.
struct Stop {
    phase: Phase,
    left: usize,
}

impl Progress for Stop {
    fn update(&mut self, step: &Step) -> ControlFlow<()> {
        if step.phase == self.phase {
            match self.left {
                0 => return ControlFlow::Break(()),
                _ => self.left -= 1,
            }
        }
        ControlFlow::Continue(())
    }
}

#[test]
fn a_stopped_job_goes_on_to_the_same_bytes() {
    let place = Place::new();
    let records = scored(100_000);
    let input = place.file("in.psv", &records);
    let out = place.path("out.psv");
    let of = |resume| {
        let mut job =
            Job { shuffle: shuffle(5), unique: unique(Sameness::Record), resume, ..job(&[&input], &out) };
        job.limits.parts = Some(3);
        job
    };
    run(of(false)).unwrap();
    let expected = fs::read(&out).unwrap();
    let mut resumed = 0;
    for phase in [Phase::Keys, Phase::Mark, Phase::Deal, Phase::Write] {
        for left in [0, 1, 2] {
            fs::remove_file(&out).unwrap();
            let plan = of(false).plan(&mut ()).unwrap();
            match plan.run(&mut Stop { phase, left }) {
                Ok(_) => continue,
                Err(DatasetError::Cancelled) => {}
                Err(error) => panic!("{error}"),
            }
            assert!(!out.exists());
            assert!(!place.names().iter().any(|name| name.ends_with(".part")), "{:?}", place.names());
            if place.path(".out.psv.komabako").exists() {
                assert!(matches!(run(of(false)), Err(DatasetError::Unfinished(_))));
            }
            resumed += usize::from(run(of(true)).unwrap().resumed);
            assert!(fs::read(&out).unwrap() == expected, "{phase:?} {left}");
            assert_eq!(place.names(), ["in.psv", "out.psv"]);
        }
    }
    assert!(resumed >= 6, "{resumed}");
}

/// Stops a phase after so many of its records, and keeps how many there were.
struct Meter {
    phase: Phase,
    most: u64,
    seen: u64,
}

impl Progress for Meter {
    fn update(&mut self, step: &Step) -> ControlFlow<()> {
        if step.phase == self.phase {
            self.seen = step.records;
            if step.records > self.most {
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    }
}

/// A pass goes on from where it was last written down, in files that can be skipped to and in others, with bad records on
/// both sides of that place.
#[test]
fn a_pass_goes_on_where_it_was_written_down() {
    let place = Place::new();
    let mut records = scored(300_000);
    for bad in [7, 100_001, 250_000, 299_999] {
        records[40 * bad + 1] ^= 0xff;
    }
    let halves = [&records[..40 * 90_001], &records[40 * 90_001..]];
    let plain = [place.file("一.psv", halves[0]), place.file("二.psv", halves[1])];
    let packed = place.path("in.psv.zst");
    convert::Job {
        copy: true,
        ..convert::Job::new(vec![Input::path(place.file("in.psv", &records))], Output::path(&packed))
    }
    .plan()
    .unwrap()
    .run(&mut ())
    .unwrap();
    let out = place.path("out.hcpe");
    for inputs in [vec![&plain[0], &plain[1]], vec![&packed]] {
        let inputs: Vec<&Path> = inputs.into_iter().map(PathBuf::as_path).collect();
        let of = |by: Option<Sameness>, resume| {
            let mut job =
                Job { unique: by.and_then(unique), shuffle: shuffle(5), resume, ..job(&inputs, &out) };
            (job.skip_bad, job.limits.parts) = (true, Some(3));
            job
        };
        for (by, phase) in
            [(Some(Sameness::Record), Phase::Keys), (Some(Sameness::Move), Phase::Deal), (None, Phase::Deal)]
        {
            let expected = run(of(by, false)).unwrap();
            let bytes = fs::read(&out).unwrap();
            fs::remove_file(&out).unwrap();
            let mut meter = Meter { phase, most: 160_000, seen: 0 };
            let stopped = of(by, false).plan(&mut ()).unwrap().run(&mut meter);
            assert!(matches!(stopped, Err(DatasetError::Cancelled)));
            let kind = if phase == Phase::Keys { "keys" } else { "order" };
            let part = place.path(&format!(".out.hcpe.komabako/{kind}-00001"));
            // What was written after the last note is cut off.
            let mut content = fs::read(&part).unwrap();
            content.extend([7; 1000]);
            fs::write(&part, &content).unwrap();
            content[100] ^= 1;
            let aside = fs::read(&part).unwrap();
            fs::write(&part, &content).unwrap();
            assert!(matches!(run(of(by, true)), Err(DatasetError::Part(damaged)) if damaged == part));
            fs::write(&part, aside).unwrap();
            let mut meter = Meter { phase, most: u64::MAX, seen: 0 };
            let summary = of(by, true).plan(&mut ()).unwrap().run(&mut meter).unwrap();
            assert!(summary.resumed && meter.seen < 200_000, "{phase:?}: {} records again", meter.seen);
            assert!(fs::read(&out).unwrap() == bytes, "{by:?} {phase:?}");
            let counts = |summary: &Summary| (summary.read, summary.written, summary.duplicates, summary.bad);
            assert_eq!(counts(&summary), counts(&expected), "{by:?} {phase:?}");
            fs::remove_file(&out).unwrap();
        }
    }
}

/// Changes a file.
type Damage = fn(&mut Vec<u8>);

/// Leaves a job after its duplicates are found.
fn left_behind(place: &Place, input: &Path) -> Job<'static> {
    let out = place.path("out.psv");
    let of = || {
        let mut job = Job { unique: unique(Sameness::Position), shuffle: shuffle(1), ..job(&[input], &out) };
        job.limits.parts = Some(3);
        // One part after the other.
        job.limits.threads = 1;
        job
    };
    let stopped = of().plan(&mut ()).unwrap().run(&mut Stop { phase: Phase::Mark, left: 1 });
    assert!(matches!(stopped, Err(DatasetError::Cancelled)));
    Job { resume: true, ..of() }
}

#[test]
fn another_job_does_not_go_on_and_damaged_parts_are_found() {
    let place = Place::new();
    let input = place.file("in.psv", sample("sample.psv"));
    let mut other = left_behind(&place, &input);
    other.shuffle = shuffle(2);
    assert!(matches!(run(other), Err(DatasetError::Changed { what, .. }) if what == Difference::Seed));
    let again = || {
        let mut again = Job {
            unique: unique(Sameness::Position),
            shuffle: shuffle(1),
            resume: true,
            ..job(&[&input], &place.path("out.psv"))
        };
        again.limits.parts = Some(3);
        again
    };
    let mut elsewhere = again();
    elsewhere.limits.directories = vec![place.path(""), place.path("other")];
    let changed = Difference::Directories;
    assert!(matches!(run(elsewhere), Err(DatasetError::Changed { what, .. }) if what == changed));
    // What the other one would have made is not there.
    assert_eq!(place.names(), [".out.psv.komabako", "in.psv"]);
    let directory = place.path(".out.psv.komabako");
    let damages: [(&str, Damage); 3] = [
        ("keys-00002", |bytes| bytes[5] ^= 1),
        ("keys-00002", |bytes| bytes.truncate(100)),
        ("list-00001", |bytes| bytes.push(0)),
    ];
    for (name, damage) in damages {
        let path = directory.join(name);
        let good = fs::read(&path).unwrap();
        let mut bad = good.clone();
        damage(&mut bad);
        fs::write(&path, bad).unwrap();
        assert!(matches!(run(again()), Err(DatasetError::Part(damaged)) if damaged == path), "{name}");
        fs::write(&path, good).unwrap();
    }
    fs::remove_dir_all(&directory).unwrap();
    let resume = left_behind(&place, &input);
    fs::write(&input, sample("sample.psv")).unwrap();
    let name = input.display().to_string();
    assert!(matches!(run(resume), Err(DatasetError::Changed { what, .. }) if what == Difference::File(name)));
}

/// Every bit of the manifest: what is read back is what was written, or it is refused by name.
#[test]
fn a_manifest_with_a_flipped_bit_is_refused_or_means_the_same() {
    let place = Place::new();
    let input = place.file("in.psv", sample("sample.psv"));
    let resume = left_behind(&place, &input);
    let manifest = place.path(".out.psv.komabako/manifest.json");
    let good = fs::read(&manifest).unwrap();
    let mut refused = 0;
    for bit in (0..good.len() * 8).step_by(211) {
        let mut bad = good.clone();
        bad[bit / 8] ^= 1 << (bit % 8);
        fs::write(&manifest, &bad).unwrap();
        let again = Job {
            resume: true,
            unique: unique(Sameness::Position),
            ..job(&[&input], &place.path("out.psv"))
        };
        match again.plan(&mut ()) {
            Err(DatasetError::Part(damaged)) => {
                assert_eq!(damaged, manifest);
                refused += 1;
            }
            // A blank between the members, or the job is not this one: it is read as it was written.
            Err(DatasetError::Changed { what, .. }) => assert_eq!(what, Difference::Seed),
            other => panic!("bit {bit}: {:?}", other.map(drop)),
        }
    }
    assert!(refused > good.len() / 64, "{refused} of {}", good.len());
    fs::write(&manifest, &good).unwrap();
    assert!(run(resume).unwrap().resumed);
}

/// Starts another job as soon as this one deals records out.
struct Rival<'p> {
    place: &'p Place,
    refused: Vec<String>,
}

impl Progress for Rival<'_> {
    fn update(&mut self, step: &Step) -> ControlFlow<()> {
        if step.phase == Phase::Deal && self.refused.is_empty() {
            let [input, out] = ["in.psv", "other/out.psv"].map(|name| self.place.path(name));
            for resume in [false, true] {
                let mut rival = Job { shuffle: shuffle(1), resume, ..job(&[&input], &out) };
                rival.limits.directories = vec![self.place.path("tmp")];
                self.refused.extend(run(rival).err().map(|error| error.to_string()));
            }
        }
        ControlFlow::Continue(())
    }
}

#[test]
fn an_input_that_grows_meanwhile_is_told() {
    let place = Place::new();
    let more = scored(100_000);
    for grows_in in [Phase::Keys, Phase::Mark, Phase::Deal] {
        let input = place.file("in.psv", &more[..PSV * 10_000]);
        let mut job = Job {
            unique: unique(Sameness::Position),
            shuffle: shuffle(1),
            ..job(&[&input], &place.path("out.psv"))
        };
        job.limits.parts = Some(3);
        let mut grow = |step: &Step| {
            if step.phase == grows_in {
                fs::write(&input, &more).unwrap();
            }
            ControlFlow::Continue(())
        };
        match job.plan(&mut ()).unwrap().run(&mut grow) {
            Err(DatasetError::Altered(path)) => assert_eq!(path, input),
            other => panic!("{grows_in:?}: {other:?}"),
        }
        assert_eq!(place.names(), ["in.psv"]);
    }
}

#[test]
fn two_jobs_do_not_work_in_one_directory() {
    let place = Place::new();
    let input = place.file("in.psv", scored(10_000));
    fs::create_dir(place.path("other")).unwrap();
    let mut first = Job { shuffle: shuffle(1), ..job(&[&input], &place.path("out.psv")) };
    (first.limits.directories, first.limits.parts) = (vec![place.path("tmp")], Some(3));
    let mut rival = Rival { place: &place, refused: Vec::new() };
    first.plan(&mut ()).unwrap().run(&mut rival).unwrap();
    assert_eq!(rival.refused.len(), 2);
    assert!(rival.refused.iter().all(|text| text.contains("another job works in it")), "{:?}", rival.refused);
    assert_eq!(place.names(), ["in.psv", "other", "out.psv", "tmp"]);
}

#[test]
fn bad_records_and_tails_are_told_and_left_out() {
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
    match run(Job { salvage: true, ..of() }) {
        Err(DatasetError::Record(error)) => assert_eq!(error.record, 17),
        other => panic!("{other:?}"),
    }
    assert_eq!(place.names(), ["in.psv"]);
    for phased in [false, true] {
        let mut job = Job { salvage: true, skip_bad: true, force: true, ..of() };
        job.shuffle = Some(Shuffle { seed: 1, phased });
        job.limits.parts = Some(3);
        let summary = run(job).unwrap();
        assert_eq!((summary.read, summary.bad, summary.samples.len(), summary.tails.len()), (1999, 1, 1, 1));
        assert_eq!(summary.written, fs::metadata(&out).unwrap().len() / 40);
        assert_eq!(summary.written + summary.duplicates, 1998);
    }
}

#[test]
fn what_would_not_finish_is_refused_before_anything_is_written() {
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
    // The output and the parts, in which every record has two bytes more.
    assert_eq!(plan.preflight().disks[0].peak, Amount::exactly(10_000 * (40 + 42)));
    let phased = Job { shuffle: Some(Shuffle { seed: 1, phased: true }), ..job(&[&input], &out) };
    assert_eq!(phased.plan(&mut ()).unwrap().preflight().disks[0].peak, Amount::exactly(10_000 * 40));
    let compressed = Job { shuffle: shuffle(1), ..job(&[&input], &place.path("out.psv.zst")) };
    assert_eq!(compressed.plan(&mut ()).unwrap().preflight().disks[0].peak, Amount::up_to(10_000 * 40));
}

#[test]
fn games_are_read_as_their_positions_and_not_written() {
    let place = Place::new();
    let (games, out) = (place.path("games.pack"), place.path("out.psv"));
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
fn inputs_are_deleted_only_on_request_and_last() {
    let place = Place::new();
    fs::create_dir(place.path("sub")).unwrap();
    // Named once, twice, and by two spellings.
    for (names, written) in
        [(&["in.psv"][..], 100), (&["in.psv"; 2], 200), (&["in.psv", "sub/../in.psv"], 200)]
    {
        place.file("in.psv", scored(100));
        let inputs: Vec<PathBuf> = names.iter().map(|name| place.path(name)).collect();
        let inputs: Vec<&Path> = inputs.iter().map(PathBuf::as_path).collect();
        let deleting =
            Job { shuffle: shuffle(1), delete_inputs: true, ..job(&inputs, &place.path("out.psv")) };
        assert_eq!(run(Job { force: true, ..deleting }).unwrap().written, written);
        assert_eq!(place.names(), ["out.psv", "sub"]);
    }
}

/// All its records would be left out, and then it would be gone.
#[test]
fn a_reference_is_not_deleted_as_an_input() {
    let place = Place::new();
    let input = place.file("in.psv", scored(100));
    fs::create_dir(place.path("sub")).unwrap();
    let unique = Unique { by: Sameness::Record, references: vec![place.path("sub/../in.psv")] };
    let out = place.path("out.psv");
    let refused = run(Job { delete_inputs: true, unique: Some(unique), ..job(&[&input], &out) });
    assert!(matches!(refused, Err(DatasetError::DeletesReference(path)) if path == input));
    assert_eq!(place.names(), ["in.psv", "sub"]);
}

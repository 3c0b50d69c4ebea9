//! Interrupted jobs resume to the same bytes, or report why they cannot.

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use komabako_dataset::convert;
use komabako_dataset::error::ResumeMismatch;
use komabako_dataset::large::{Job, Sameness, Summary};
use komabako_dataset::leftovers::{self, State};
use komabako_dataset::{DatasetError, Input, OnBadRecord, Output, Phase, Progress, Step};
use komabako_testkit::cases;

use super::{Place, forced, job, run, scored, shuffle, unique};
use crate::common::sample;

/// Stops a job at the given report of a phase, and counts the reports.
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
fn interrupted_job_resumes_to_the_same_bytes() {
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
    for phase in [Phase::Keys, Phase::FindDuplicates, Phase::Distribute, Phase::Write] {
        for left in 0..cases::scaled(3) {
            fs::remove_file(&out).unwrap();
            let plan = of(false).plan(&mut ()).unwrap();
            match plan.run(&mut Stop { phase, left }) {
                Ok(_) => continue,
                Err(DatasetError::Cancelled) => {}
                Err(error) => panic!("{error}"),
            }
            assert!(!out.exists());
            assert!(
                !place.names().iter().any(|name| name.ends_with(".komabako-part")),
                "{:?}",
                place.names()
            );
            if place.path(".out.psv.komabako").exists() {
                assert!(matches!(run(of(false)), Err(DatasetError::Unfinished(_))));
            }
            resumed += usize::from(run(of(true)).unwrap().resumed);
            assert!(fs::read(&out).unwrap() == expected, "{phase:?} {left}");
            assert_eq!(place.names(), ["in.psv", "out.psv"]);
        }
    }
    assert!(resumed >= cases::scaled(6), "{resumed}");
}

/// Stops a phase after a number of its records, and keeps the number reached.
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

/// A pass resumes from its last checkpoint, in files that can be seeked and in others, with bad records on
/// both sides of the checkpoint.
#[test]
fn pass_resumes_at_its_checkpoint() {
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
            job.on_bad_record = OnBadRecord::Skip;
            job.limits.parts = Some(3);
            job
        };
        let stops = [
            (Some(Sameness::Record), Phase::Keys),
            (Some(Sameness::Move), Phase::Distribute),
            (None, Phase::Distribute),
        ];
        for (by, phase) in stops.into_iter().step_by(cases::one_in().min(2)) {
            let expected = run(of(by, false)).unwrap();
            let bytes = fs::read(&out).unwrap();
            fs::remove_file(&out).unwrap();
            let mut meter = Meter { phase, most: 160_000, seen: 0 };
            let stopped = of(by, false).plan(&mut ()).unwrap().run(&mut meter);
            assert!(matches!(stopped, Err(DatasetError::Cancelled)));
            let kind = if phase == Phase::Keys { "keys" } else { "order" };
            let part = place.path(&format!(".out.hcpe.komabako/{kind}-00001"));
            // Anything written after the last checkpoint is cut off.
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
            let counts = |summary: &Summary| {
                (summary.counts.read, summary.counts.written, summary.duplicates, summary.counts.bad_total())
            };
            assert_eq!(counts(&summary), counts(&expected), "{by:?} {phase:?}");
            fs::remove_file(&out).unwrap();
        }
    }
}

/// A bad record that stopped a job may be left out by the next run. One that was left out is remembered.
#[test]
fn bad_record_policy_may_change_on_resume() {
    let place = Place::new();
    let mut records = scored(300_000);
    records[40 * 250_000 + 1] ^= 0xff;
    let input = place.file("in.psv", &records);
    let out = place.path("out.hcpe");
    let of = |on_bad_record, resume| {
        let mut job = Job { shuffle: shuffle(5), on_bad_record, resume, ..job(&[&input], &out) };
        job.limits.parts = Some(3);
        job
    };
    run(of(OnBadRecord::Skip, false)).unwrap();
    let expected = fs::read(&out).unwrap();
    fs::remove_file(&out).unwrap();
    for resume in [false, true] {
        assert!(
            matches!(run(of(OnBadRecord::Stop, resume)), Err(DatasetError::Record(bad)) if bad.record == 250_000)
        );
    }
    let summary = run(of(OnBadRecord::Skip, true)).unwrap();
    assert!(summary.resumed && summary.counts.bad_total() == 1 && fs::read(&out).unwrap() == expected);
    fs::remove_file(&out).unwrap();

    let stopped =
        of(OnBadRecord::Skip, false).plan(&mut ()).unwrap().run(&mut Stop { phase: Phase::Write, left: 0 });
    assert!(matches!(stopped, Err(DatasetError::Cancelled)));
    let changed = ResumeMismatch::BadRecords;
    assert!(
        matches!(run(of(OnBadRecord::Stop, true)), Err(DatasetError::Changed { what, .. }) if what == changed)
    );
    assert!(run(of(OnBadRecord::Skip, true)).unwrap().resumed);
    assert!(fs::read(&out).unwrap() == expected);
}

/// Without its manifest, nothing tells where else the files of a job are.
#[test]
fn the_directories_of_an_unfinished_job_in_other_places_are_found() {
    let place = Place::new();
    let input = place.file("in.psv", scored(300_000));
    let mut job = Job { shuffle: shuffle(5), ..job(&[&input], &place.path("out.psv")) };
    job.limits.parts = Some(3);
    job.limits.directories = ["t1", "t2"].map(|name| place.path(name)).into();
    let stopped = job.plan(&mut ()).unwrap().run(&mut Stop { phase: Phase::Write, left: 0 });
    assert!(matches!(stopped, Err(DatasetError::Cancelled)));
    let found = leftovers::find(&place.path("")).unwrap();
    let [home] = &found[..] else { panic!("{found:?}") };
    let elsewhere = home.elsewhere();
    assert_eq!((home.state, elsewhere.len()), (State::Resumable, 2));
    for directory in &elsewhere {
        assert_eq!(directory.state, State::Resumable);
        assert!(directory.bytes > 10_000, "{directory:?}");
        directory.remove().unwrap();
    }
    home.remove().unwrap();
    assert_eq!(place.names(), ["in.psv", "t1", "t2"]);
    assert!(["t1", "t2"].iter().all(|name| fs::read_dir(place.path(name)).unwrap().count() == 0));
}

/// The output resumes after the parts that are in it, whose files are gone.
#[test]
fn output_resumes_at_its_checkpoint() {
    let place = Place::new();
    let input = place.file("in.psv", scored(300_000));
    let out = place.path("out.psv");
    let of = |resume| {
        let mut job = Job { shuffle: shuffle(5), resume, ..job(&[&input], &out) };
        job.limits.parts = Some(40);
        job
    };
    run(of(false)).unwrap();
    let expected = fs::read(&out).unwrap();
    fs::remove_file(&out).unwrap();
    let meter = |most| Meter { phase: Phase::Write, most, seen: 0 };
    let stopped = of(false).plan(&mut ()).unwrap().run(&mut meter(100_000));
    assert!(matches!(stopped, Err(DatasetError::Cancelled)));
    let part = |number: usize| place.path(&format!(".out.psv.komabako/order-{number:05}"));
    assert!(!part(0).exists() && !part(11).exists() && part(20).exists());
    let unfinished = place.path(".out.psv.komabako/.out.psv.komabako-part");
    let good = fs::read(&unfinished).unwrap();
    let damages: [Damage; 3] = [|bytes| bytes[5] ^= 1, |bytes| bytes.truncate(100), |bytes| bytes.clear()];
    for damage in damages {
        let mut bad = good.clone();
        damage(&mut bad);
        fs::write(&unfinished, bad).unwrap();
        assert!(matches!(run(of(true)), Err(DatasetError::Part(damaged)) if damaged == unfinished));
    }
    #[cfg(unix)]
    {
        // The output's name now leads to another file, perhaps on another disk.
        let elsewhere = Place::new();
        std::os::unix::fs::symlink(elsewhere.file("out.psv", ""), &out).unwrap();
        let output = ResumeMismatch::Output;
        let changed = run(forced(of(true)));
        assert!(matches!(changed, Err(DatasetError::Changed { what, .. }) if what == output));
        fs::remove_file(&out).unwrap();
    }
    // A run that was killed after renaming the output, but before removing everything else, is repeated.
    fs::rename(&unfinished, &out).unwrap();
    assert!(matches!(run(of(true)), Err(DatasetError::Exists(path)) if path == out));
    assert!(run(forced(of(true))).unwrap().resumed);
    assert!(fs::read(&out).unwrap() == expected);
    assert_eq!(place.names(), ["in.psv", "out.psv"]);
    fs::remove_file(&out).unwrap();

    let stopped = of(false).plan(&mut ()).unwrap().run(&mut meter(100_000));
    assert!(matches!(stopped, Err(DatasetError::Cancelled)));
    let good = fs::read(&unfinished).unwrap();
    // Anything written after the last checkpoint is cut off.
    fs::write(&unfinished, [&good[..], &[7; 1000]].concat()).unwrap();
    let mut first = None;
    let mut see = |step: &Step| {
        first = first.or((step.phase == Phase::Write).then_some(step.records));
        ControlFlow::Continue(())
    };
    let summary = of(true).plan(&mut ()).unwrap().run(&mut see).unwrap();
    assert!(summary.resumed && first > Some(65_536), "{first:?}");
    assert_eq!((summary.counts.written, summary.counts.bytes_written), (300_000, expected.len() as u64));
    assert!(fs::read(&out).unwrap() == expected);
    assert_eq!(place.names(), ["in.psv", "out.psv"]);
}

/// Changes a file.
type Damage = fn(&mut Vec<u8>);

/// Interrupts a job after its duplicates are found.
fn left_behind(place: &Place, input: &Path) -> Job<'static> {
    let out = place.path("out.psv");
    let of = || {
        let mut job = Job { unique: unique(Sameness::Position), shuffle: shuffle(1), ..job(&[input], &out) };
        job.limits.parts = Some(3);
        // One part after the other.
        job.options.threads = 1;
        job
    };
    let stopped = of().plan(&mut ()).unwrap().run(&mut Stop { phase: Phase::FindDuplicates, left: 1 });
    assert!(matches!(stopped, Err(DatasetError::Cancelled)));
    Job { resume: true, ..of() }
}

#[test]
fn other_jobs_cannot_resume_and_corrupt_parts_are_detected() {
    let place = Place::new();
    let input = place.file("in.psv", sample("sample.psv"));
    let mut other = left_behind(&place, &input);
    other.shuffle = shuffle(2);
    assert!(matches!(run(other), Err(DatasetError::Changed { what, .. }) if what == ResumeMismatch::Seed));
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
    let changed = ResumeMismatch::Directories;
    assert!(matches!(run(elsewhere), Err(DatasetError::Changed { what, .. }) if what == changed));
    // The other job's output does not exist.
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
    assert!(
        matches!(run(resume), Err(DatasetError::Changed { what, .. }) if what == ResumeMismatch::File(name))
    );
}

/// Flips every bit of the manifest: it is read back as it was written, or refused by name.
#[test]
fn manifest_with_a_flipped_bit_is_refused_or_equivalent() {
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
            // Whitespace between members changed, or the job is a different one: the rest is read as it was written.
            Err(DatasetError::Changed { what, .. }) => assert_eq!(what, ResumeMismatch::Seed),
            other => panic!("bit {bit}: {:?}", other.map(drop)),
        }
    }
    assert!(refused > good.len() / 64, "{refused} of {}", good.len());
    fs::write(&manifest, &good).unwrap();
    assert!(run(resume).unwrap().resumed);
}

//! Interference of other programs with a job's files while it runs.

use std::fs;
use std::ops::ControlFlow;

use komabako_dataset::large::{Job, Sameness};
use komabako_dataset::{DatasetError, Phase, Progress, Step};

use super::{PSV, Place, job, run, scored, shuffle, unique};

/// Starts another job with the same output as soon as this one distributes records.
struct Rival<'p> {
    place: &'p Place,
    refused: Vec<&'static str>,
}

impl Progress for Rival<'_> {
    fn update(&mut self, step: &Step) -> ControlFlow<()> {
        if step.phase == Phase::Distribute && self.refused.is_empty() {
            let [input, out] = ["in.psv", "out.psv"].map(|name| self.place.path(name));
            for resume in [false, true] {
                let mut rival = Job { shuffle: shuffle(1), resume, ..job(&[&input], &out) };
                rival.limits.directories = vec![self.place.path("tmp")];
                self.refused.extend(run(rival).err().map(|error| error.kind()));
            }
        }
        ControlFlow::Continue(())
    }
}

#[test]
fn two_jobs_cannot_share_a_directory() {
    let place = Place::new();
    let input = place.file("in.psv", scored(10_000));
    let mut first = Job { shuffle: shuffle(1), ..job(&[&input], &place.path("out.psv")) };
    first.limits.directories = vec![place.path("tmp")];
    first.limits.parts = Some(3);
    let mut rival = Rival { place: &place, refused: Vec::new() };
    first.plan(&mut ()).unwrap().run(&mut rival).unwrap();
    assert_eq!(rival.refused, ["in_use"; 2]);
    assert_eq!(place.names(), ["in.psv", "out.psv", "tmp"]);
}

#[test]
fn input_that_grows_during_the_job_is_reported() {
    let place = Place::new();
    let more = scored(100_000);
    for grows_in in [Phase::Keys, Phase::FindDuplicates, Phase::Distribute] {
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

//! What a job takes of memory and disk is announced.

use komabako_dataset::DatasetError;
use komabako_dataset::external::{Job, Sameness, Shuffle};
use komabako_dataset::preflight::{Amount, Shortage};

use crate::{Place, job, run, scored, shuffle, unique};

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

/// Nobody is refused for lines that may be long and are not.
#[test]
fn records_of_text_are_not_known_to_take_what_they_may() {
    let place = Place::new();
    let input = place.file("in.psv", scored(10_000));
    for (unique, shuffle) in [(None, shuffle(1)), (unique(Sameness::Record), None)] {
        let mut job = Job { unique, shuffle, ..job(&[&input], &place.path("out.sfen")) };
        job.limits.parts = Some(4);
        let plan = job.plan(&mut ()).unwrap();
        assert_eq!(plan.preflight().disks[0].peak.least, 0);
    }
}

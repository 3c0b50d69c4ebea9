//! The fuzz targets of the loader, run on their kept inputs.

mod targets;

use komabako_loader::Plan;
use komabako_testkit::fuzz;

#[test]
fn kept_inputs_pass() {
    fuzz::replay_kept_inputs(targets::TARGETS);
}

/// The kept inputs reach behind the checks of form.
#[test]
fn kept_inputs_are_good() {
    let corpus = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/corpus");
    let plan = std::fs::read_to_string(format!("{corpus}/loader_plan/all")).unwrap();
    assert_eq!(Plan::from_json(&plan).unwrap().sources.len(), 2);
    let state = std::fs::read_to_string(format!("{corpus}/loader_state/step3")).unwrap();
    let mut loader = targets::plan_of_state().start().unwrap();
    loader.resume(&state).unwrap();
    assert_eq!(loader.step(), 3);
    for name in ["psv", "hcpe", "archive", "csv"] {
        let input = std::fs::read(format!("{corpus}/loader_source/{name}")).unwrap();
        let (records, error) = targets::load(&input);
        assert!(records >= 4 && error.is_none(), "{name}: {records} {error:?}");
    }
}

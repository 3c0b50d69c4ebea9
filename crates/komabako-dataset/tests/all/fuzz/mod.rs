//! Runs the fuzz targets for files on their kept inputs.

pub mod targets;

use komabako_testkit::fuzz;

#[test]
fn kept_inputs_pass() {
    fuzz::replay_kept_inputs(targets::TARGETS);
}

//! The fuzz targets of archives, run on their kept inputs.

mod targets;

use komabako_testkit::fuzz;

#[test]
fn kept_inputs_pass() {
    fuzz::replay_kept_inputs(targets::TARGETS);
}

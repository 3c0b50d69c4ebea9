//! The example trains.

use crate::common::{Files, numbered};

#[path = "../../examples/sgd.rs"]
mod sgd;

#[test]
fn the_loss_of_the_example_falls() {
    let files = Files::new();
    let path = files.write("a.psv", numbered(2_000).as_flattened());
    let losses = sgd::train(&sgd::plan(path.to_str().unwrap()), 8).unwrap();
    assert!(losses.windows(2).all(|two| two[1] < two[0]), "{losses:?}");
    assert!(losses[7] < 0.7 * losses[0], "{losses:?}");
}

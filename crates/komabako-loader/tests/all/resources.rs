//! Memory: none is allocated once the window is full, and it stays within the plan.

use komabako_loader::{FeatureSet, First, Layout, Output, Plan, Source, Targets};

use crate::common::{Files, numbered, small};

#[test]
fn no_batch_allocates_once_the_window_is_full() {
    let files = Files::new();
    let path = files.write("a.psv", numbered(20_000).as_flattened());
    let output = Output {
        features: Some((FeatureSet::HalfKaHm2, Layout::Padded, First::SideToMove)),
        buckets: Some("hand64z_k3k3".parse().unwrap()),
        targets: Some(Targets::wrm(270.0, 380.0).lambda(0.7)),
        ..Output::none()
    };
    // The caller's thread does the work, so that its allocations are counted.
    let plan = Plan { threads: 0, prefetch: 2, output, ..small(vec![Source::new(&path)]) };
    for plan in [plan.clone(), Plan { select: crate::selection::where_("ply % 2 == 0"), ..plan }] {
        let mut loader = plan.start().unwrap();
        for _ in 0..40 {
            loader.next().unwrap().unwrap();
        }
        let counted = allocation_counter::measure(|| {
            for _ in 0..100 {
                loader.next().unwrap().unwrap();
            }
        });
        assert_eq!(counted.count_total, 0);
    }
}

//! Memory: none is allocated once the window is full, and it stays within the plan.

use komabako_loader::{FeatureSet, First, Layout, Order, Output, Plan, Source, Targets};

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

/// The number of blocks of a source that is read from its start bounds nothing.
#[test]
fn small_blocks_of_a_compressed_file_take_no_more_than_the_memory() {
    let files = Files::new();
    let path = files.convert("a.psv.zst", &numbered(1_000));
    let plan =
        Plan { order: Order::Stream, block: 1, memory: 1 << 20, threads: 0, prefetch: 0, ..Plan::new() };
    let plan = Plan { sources: vec![Source::new(&path)], ..plan };
    let mut loader = plan.start().unwrap();
    let mut records = 0;
    let counted = allocation_counter::measure(|| {
        while let Some(batch) = loader.next().unwrap() {
            records += batch.len();
        }
    });
    assert_eq!(records, 1_000);
    assert!(counted.bytes_max < 16 << 20, "{}", counted.bytes_max);
}

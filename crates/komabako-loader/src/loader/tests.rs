use super::*;
use crate::{Plan, Source};

#[test]
fn panic_while_a_task_is_chosen_ends_the_wait() {
    let source = Source::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/sample.psv"));
    let plan = Plan { sources: vec![source], batch: 10, threads: 1, prefetch: 0, ..Plan::new() };
    let mut loader = plan.start().unwrap();
    loader.begin();
    // There is no such lane.
    loader.shared.lock().blocked = Some(1_000);
    let minute = Duration::from_secs(60);
    assert!(matches!(loader.next_within(minute), Some(Err(LoaderError::Panicked))));
    assert!(matches!(loader.next_within(minute), Some(Ok(Some(_)))));
}

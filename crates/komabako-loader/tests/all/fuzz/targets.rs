//! The fuzz targets of the loader. `fuzz/` compiles this file too.

use std::cell::RefCell;
use std::path::PathBuf;
use std::sync::LazyLock;

use komabako_dataset::FileFormat;
use komabako_dataset::record::Psv;
use komabako_loader::{
    FeatureSet, First, Layout, Loader, LoaderError, OnBadRecord, Order, Output, Plan, Source, Targets,
    merge_states,
};
use komabako_testkit::fuzz::Target;
use tempfile::TempDir;

/// Every target of this file.
pub const TARGETS: &[Target] = &[LOADER_PLAN, LOADER_SOURCE, LOADER_STATE];

/// Any bytes as a plan in JSON. It is not started: its files would be any.
pub const LOADER_PLAN: Target = Target::new("loader_plan", loader_plan);

/// Any bytes as a file to load. The first byte chooses its format, or that it is detected, the second the order and what becomes of bad
/// records. An execution writes a file, so it takes a tenth of a millisecond.
pub const LOADER_SOURCE: Target = Target::new("loader_source", loader_source);

/// Any bytes as the state of a loader of 200 records.
pub const LOADER_STATE: Target = Target::new("loader_state", loader_state);

/// A folder for files, of this process.
static FOLDER: LazyLock<TempDir> = LazyLock::new(|| TempDir::new().expect("a folder for temporary files"));

fn write(name: &str, bytes: &[u8]) -> PathBuf {
    let path = FOLDER.path().join(name);
    std::fs::write(&path, bytes).expect("a file in our folder");
    path
}

fn loader_plan(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    match Plan::from_json(text) {
        Ok(plan) => drop(plan.output.targets.map(|targets| targets.value(0))),
        Err(error) => assert_eq!(error.kind(), "bad_plan"),
    }
}

/// The plan of the states.
pub fn plan_of_state() -> Plan {
    let sample = include_bytes!("../../../../../data/sample.psv");
    let source = Source::new(write("state.psv", &sample[..200 * 40]));
    let two = vec![source.clone(), source];
    Plan { sources: two, batch: 16, block: 16, per_tick: Some(2), lag: 3, seed: 7, threads: 0, ..Plan::new() }
}

thread_local! {
    static LOADER: RefCell<Loader> = RefCell::new(plan_of_state().start().expect("a good plan"));
}

fn loader_state(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    LOADER.with_borrow_mut(|loader| {
        let before = loader.state();
        if loader.resume(text).is_err() {
            assert_eq!(loader.state(), before);
            return;
        }
        for _ in 0..2 {
            if let Some(batch) = loader.next().expect("the file is good") {
                assert!((1..=16).contains(&batch.len()));
            }
        }
        merge_states([&*loader.state()]).expect("a state of a loader");
    });
}

fn loader_source(input: &[u8]) {
    load(input);
}

/// Loads a file. Returns the number of records, and the error if there is one.
pub fn load(input: &[u8]) -> (usize, Option<LoaderError>) {
    let Some((&[format, choice], bytes)) = input.split_first_chunk() else { return (0, None) };
    let format = FileFormat::ALL.get(usize::from(format)).copied();
    let source = Source { format, ..Source::new(write("source", bytes)) };
    let on_bad_record =
        [OnBadRecord::Raise, OnBadRecord::Skip, OnBadRecord::Weight0][usize::from(choice / 4 % 3)];
    let plan = Plan {
        sources: vec![source],
        batch: 4,
        block: 8,
        per_tick: Some(1),
        lag: 3,
        threads: 0,
        order: [Order::File, Order::Stream, Order::Riffle, Order::Uniform][usize::from(choice % 4)],
        on_bad_record,
        output: Output {
            features: Some((FeatureSet::HalfKp, Layout::Padded, First::SideToMove)),
            buckets: "k3k3".parse().ok(),
            targets: Some(Targets::logistic(600.0)),
            ..Output::none()
        },
        ..Plan::new()
    };
    let mut records = 0;
    let mut loader = match plan.start() {
        Ok(loader) => loader,
        Err(error) => return (0, Some(error)),
    };
    loop {
        match loader.next() {
            Ok(Some(batch)) => {
                records += batch.len();
                assert!((1..=4).contains(&batch.len()) && batch.stm.len() == batch.len() * 38);
                for (record, &weight) in batch.records.iter().zip(&batch.weights) {
                    assert!(weight == 0.0 || (-1..=1).contains(&Psv::from_bytes(record).result));
                }
                assert!(batch.stm.iter().all(|&index| (-1..125_388).contains(&index)));
            }
            Ok(None) => return (records, None),
            Err(error) => return (records, Some(error)),
        }
    }
}

//! The adapters, with traits that have the shape of the trainers'. None of their code is here: names and signatures only.

use std::panic::{AssertUnwindSafe, catch_unwind};

use komabako_bullet::komabako::codec::{PackedSfen, PositionCodec};
use komabako_bullet::komabako::features::Backend;
use komabako_bullet::komabako::features::nnue::{RowOptions, Rows, write_rows};
use komabako_bullet::komabako::loader::{FeatureSet, First, Layout, Output, Plan, Record, Source, Targets};
use komabako_bullet::{fill_fast_batch, komabako_inputs, komabako_map_reader, komabako_reader};

/// As in bullet.
mod bullet {
    pub trait DataReader<T>: Clone + Send + Sync + 'static {
        fn read_chunks<F: FnMut(&[T]) -> bool>(&self, skip_count: usize, f: F);
    }

    #[derive(Clone, Copy, PartialEq, Debug)]
    pub enum GameResult {
        Loss,
        Draw,
        Win,
    }

    pub trait LoadableDataType: Sized {
        fn score(&self) -> i16;
        fn result(&self) -> GameResult;
    }

    pub trait SparseInputType: Clone + Send + Sync + 'static {
        type RequiredDataType: Copy + Send + Sync;
        fn num_inputs(&self) -> usize;
        fn max_active(&self) -> usize;
        fn map_features<F: FnMut(usize, usize)>(&self, pos: &Self::RequiredDataType, f: F);
        fn shorthand(&self) -> String;
        fn description(&self) -> String;
        fn is_factorised(&self) -> bool;
        fn merge_factoriser(&self, unmerged: Vec<f32>) -> Vec<f32>;
    }
}

/// As in BulletOu.
mod bullet_ou {
    pub trait DataLoader<T>: Clone + Send + Sync {
        fn data_file_paths(&self) -> &[String];
        fn count_positions(&self) -> Option<u64> {
            None
        }
        fn map_chunks<F: FnMut(&[T]) -> bool>(&self, start_position: usize, f: F);
    }

    #[derive(Clone, Copy, PartialEq, Debug)]
    #[repr(C)]
    pub struct PackedSfenValue([u8; 40]);

    impl Default for PackedSfenValue {
        fn default() -> Self {
            PackedSfenValue([0; 40])
        }
    }

    impl PackedSfenValue {
        pub fn as_bytes_mut(&mut self) -> &mut [u8] {
            &mut self.0
        }

        pub fn bytes(&self) -> &[u8; 40] {
            &self.0
        }
    }

    #[derive(Default)]
    pub struct FastBatchLayout {
        pub batch_size: usize,
        pub max_active: usize,
    }

    #[derive(Default)]
    pub struct FastBatchHost {
        pub layout: FastBatchLayout,
        pub stm: Vec<i32>,
        pub nstm: Vec<i32>,
        pub buckets: Vec<i32>,
        pub targets: Vec<f32>,
        pub weights: Vec<f32>,
    }
}

komabako_reader! { pub PsvReader of Psv; bullet::DataReader, bullet::LoadableDataType, bullet::GameResult }
komabako_inputs! { pub Inputs of Psv; bullet::SparseInputType }
komabako_map_reader! { pub ShogiReader; bullet_ou::DataLoader, bullet_ou::PackedSfenValue }

const SAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/sample.psv");

fn plan() -> Plan {
    Plan { sources: vec![Source::new(SAMPLE)], batch: 300, block: 256, per_tick: Some(1), ..Plan::new() }
}

/// The first records of the plan's order.
fn expected(plan: &Plan, count: usize) -> Vec<Record> {
    let mut loader = plan.start().unwrap();
    let mut records = Vec::new();
    while records.len() < count {
        if let Some(batch) = loader.next().unwrap() {
            records.extend_from_slice(&batch.records);
        }
    }
    records.truncate(count);
    records
}

#[test]
fn bullet_reads_the_order_of_the_plan() {
    use bullet::{DataReader, GameResult, LoadableDataType};
    let expected = expected(&plan(), 5_000);
    for skip in [0, 300, 2_100] {
        let mut found = Vec::new();
        PsvReader::new(plan()).read_chunks(skip, |chunk| {
            found.extend_from_slice(chunk);
            found.len() + skip >= 5_000
        });
        for (record, expected) in found.iter().zip(&expected[skip..]) {
            assert_eq!(record.0, *expected);
            assert_eq!(record.score(), i16::from_le_bytes([expected[32], expected[33]]));
            let result = [GameResult::Loss, GameResult::Draw, GameResult::Win];
            assert_eq!(record.result(), result[(expected[38] as i8 + 1) as usize]);
        }
    }
}

#[test]
fn inputs_are_those_of_the_kernels() {
    use bullet::SparseInputType;
    for set in FeatureSet::ALL {
        let inputs = Inputs(set);
        assert_eq!((inputs.num_inputs(), inputs.max_active()), (set.inputs(), set.active()));
        assert_eq!(inputs.merge_factoriser(vec![1.0]), [1.0]);
        assert!(!inputs.is_factorised() && inputs.description().starts_with(&inputs.shorthand()));
        for record in expected(&plan(), 50) {
            let setup = PackedSfen::new().unpack(record.first_chunk().unwrap()).unwrap();
            let mut rows = [vec![-1; set.active()], vec![-1; set.active()]];
            let [stm, nstm] = &mut rows;
            write_rows(Backend::detect(), set, RowOptions::default(), &[setup], Rows::Separate([stm, nstm]));
            let mut found = [Vec::new(), Vec::new()];
            inputs.map_features(&Psv(record), |stm, nstm| {
                found[0].push(stm as i32);
                found[1].push(nstm as i32);
            });
            for (found, row) in found.iter_mut().zip(&rows) {
                found.resize(set.active(), -1);
                assert_eq!(found, row);
            }
        }
    }
}

#[test]
fn bullet_ou_reads_the_order_of_the_plan() {
    use bullet_ou::DataLoader;
    let reader = ShogiReader::new(plan());
    assert_eq!(reader.data_file_paths(), [SAMPLE]);
    assert_eq!(reader.count_positions(), Some(2_000));
    let mut found = Vec::new();
    reader.map_chunks(600, |chunk| {
        found.extend_from_slice(chunk);
        found.len() >= 3_000
    });
    let expected = expected(&plan(), 600 + found.len());
    assert!(found.iter().zip(&expected[600..]).all(|(record, expected)| record.bytes() == expected));
}

#[test]
fn a_fast_batch_has_the_arrays_of_the_loader() {
    let output = Output {
        features: Some((FeatureSet::HalfKp, Layout::Padded, First::SideToMove)),
        buckets: Some("k3k3".parse().unwrap()),
        targets: Some(Targets::wrm(270.0, 380.0).lambda(0.5)),
        ..Output::none()
    };
    let plan = Plan { output, ..plan() };
    let mut loader = plan.start().unwrap();
    let mut host = bullet_ou::FastBatchHost::default();
    host.layout.max_active = FeatureSet::HalfKp.active();
    let mut steps = 0;
    while let Some(mut batch) = loader.next().unwrap() {
        let wanted = batch.stm.clone();
        fill_fast_batch!(host, batch);
        assert_eq!(host.stm, wanted);
        assert_eq!(host.nstm.len(), host.layout.batch_size * host.layout.max_active);
        assert_eq!([host.buckets.len(), host.targets.len(), host.weights.len()], [host.layout.batch_size; 3]);
        steps += 1;
    }
    assert_eq!(steps, 7);
}

/// An end without a word would look like a finished run.
#[test]
fn errors_are_panics_with_the_message() {
    use bullet::DataReader;
    let missing = Plan { sources: vec![Source::new("none.psv")], ..plan() };
    let reader = PsvReader::new(missing);
    assert_eq!(reader.0.last_error(), None);
    assert!(catch_unwind(AssertUnwindSafe(|| reader.read_chunks(0, |_| true))).is_err());
    assert!(reader.0.last_error().is_some_and(|message| message.contains("none.psv")));
}

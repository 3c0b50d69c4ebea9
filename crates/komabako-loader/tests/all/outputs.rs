//! The arrays of batches, against known answers and the functions for one position.

use komabako_board::Setup;
use komabako_dataset::record::Psv;
use komabako_features::nnue::{RowOptions, Rows, write_rows};
use komabako_features::{Backend, dlshogi, label};
use komabako_loader::error::Conflict;
use komabako_loader::{
    Batch, FeatureSet, First, Layout, LoaderError, OnKingless, Order, Output, Plan, Planes, Policy, Source,
    Targets, probabilities,
};
use komabako_rules::Move16;
use komabako_variants::WordFormat;

use crate::common::{Files, epoch, numbered, rows, small};

#[test]
fn values_are_the_published_ones() {
    for row in rows(include_str!("../data/targets.tsv")) {
        let score: i16 = row[0].parse().unwrap();
        let result: f32 = row[1].parse().unwrap();
        let lambda: f32 = row[2].parse().unwrap();
        let close = |found: f32, column: usize| {
            let expected: f64 = row[column].parse().unwrap();
            assert!((f64::from(found) - expected).abs() < 1e-7, "{row:?} {column} {found}");
        };
        close(Targets::logistic(600.0).value(score), 3);
        close(Targets::logistic(756.086_496_295_176_2).value(score), 4);
        let wrm = Targets::wrm(270.0, 380.0).value(score);
        close(wrm, 5);
        close(lambda * wrm + (1.0 - lambda) * (result + 1.0) / 2.0, 6);
    }
}

/// The largest difference of rounding: one unit in the last place of 32 bits.
#[test]
fn values_are_rounded_once() {
    for score in i16::MIN..=i16::MAX {
        let exact = 1.0 / (1.0 + (-f64::from(score) / 600.0).exp());
        let found = Targets::logistic(600.0).value(score);
        assert!(found.to_bits().abs_diff((exact as f32).to_bits()) <= 1);
    }
}

#[test]
fn probabilities_are_the_published_ones() {
    let mut found = Vec::new();
    for row in rows(include_str!("../data/policy.tsv")) {
        let visits: Vec<u16> = row[0].split(',').map(|count| count.parse().unwrap()).collect();
        probabilities(&visits, row[1].parse().unwrap(), &mut found).unwrap();
        let expected: Vec<f64> = row[2].split(',').map(|number| number.parse().unwrap()).collect();
        assert_eq!(found.len(), expected.len());
        for (found, expected) in found.iter().zip(expected) {
            assert!((f64::from(*found) - expected).abs() < 1e-7, "{row:?}");
        }
    }
    assert!(probabilities(&[0, 0], 1.0, &mut found).is_err());
    assert!(probabilities(&[1, 2], -1.0, &mut found).is_err());
    assert!(probabilities(&[1, 2], f64::NAN, &mut found).is_err());
    probabilities(&[0], 1.0, &mut found).unwrap();
    assert_eq!(found, [1.0]);
    probabilities(&[1, 60_000], 1e-3, &mut found).unwrap();
    assert_eq!(found, [0.0, 1.0]);
}

/// The batches of the sample in the order of the file, and the positions of each.
fn batches(output: Output) -> Vec<(Batch, Vec<Setup>)> {
    let files = Files::new();
    let path = files.write("a.psv", numbered(600).as_flattened());
    let plan = Plan { order: Order::File, output, ..small(vec![Source::new(path)]) };
    let mut loader = Plan { batch: 300, ..plan }.start().unwrap();
    let mut batches = Vec::new();
    for batch in epoch(&mut loader).unwrap() {
        let unpack =
            |record: &[u8; 40]| WordFormat::PackedSfen.unpack(record.first_chunk().unwrap()).unwrap();
        let setups = batch.records.iter().map(unpack).collect();
        batches.push((batch, setups));
    }
    batches
}

#[test]
fn rows_of_all_sets_and_layouts_are_those_of_the_kernels() {
    for set in FeatureSet::ALL {
        let active = set.active();
        for first in [First::SideToMove, First::Black] {
            let output = |layout| Output { features: Some((set, layout, first)), ..Output::none() };
            let padded = batches(output(Layout::Padded));
            let pairs = batches(output(Layout::Coo));
            let offsets = batches(output(Layout::Offsets));
            let sorted = batches(Output { sorted: true, ..output(Layout::Padded) });
            for (number, (padded, setups)) in padded.iter().enumerate() {
                let pairs = &pairs[number].0;
                let offsets = &offsets[number].0;
                let sorted = &sorted[number].0;
                let mut rows = [vec![0; setups.len() * active], vec![0; setups.len() * active]];
                let [one, other] = &mut rows;
                let options = RowOptions { first, ..RowOptions::default() };
                write_rows(Backend::detect(), set, options, setups, Rows::Separate([one, other]));
                assert_eq!((&padded.stm, &padded.nstm), (&rows[0], &rows[1]), "{set}");
                for (row, sorted, pairs, (indices, starts)) in [
                    (&rows[0], &sorted.stm, &pairs.stm, (&offsets.stm, &offsets.stm_offsets)),
                    (&rows[1], &sorted.nstm, &pairs.nstm, (&offsets.nstm, &offsets.nstm_offsets)),
                ] {
                    let mut expected = Vec::new();
                    assert_eq!(starts.len(), setups.len() + 1);
                    for (number, row) in row.chunks(active).enumerate() {
                        let mut row: Vec<i32> = row.iter().copied().filter(|&index| index >= 0).collect();
                        assert_eq!(indices[starts[number] as usize..starts[number + 1] as usize], row);
                        row.sort_unstable();
                        assert_eq!(sorted[number * active..][..row.len()], row);
                        expected.extend(row.into_iter().flat_map(|index| [number as i32, index]));
                    }
                    assert_eq!(*pairs, expected);
                }
            }
        }
    }
}

#[test]
fn other_arrays_are_those_of_single_positions() {
    let mut targets = Targets::logistic_with_mates(600.0, 1_500).lambda_by(|epoch, step| {
        assert_eq!(epoch, 0);
        if step == 0 { 0.25 } else { 0.75 }
    });
    targets.wdl = true;
    targets.score_clip = Some(2_000);
    let buckets: komabako_loader::Buckets = "k9k9z_hand16".parse().unwrap();
    let output = Output {
        buckets: Some(buckets),
        targets: Some(targets.clone()),
        policy: Some(Policy::CompactMoves),
        planes: Some(Planes::Bits),
        ..Output::none()
    };
    let indexer = buckets.indexer(None).unwrap();
    for (batch, setups) in batches(output) {
        let lambda = if batch.step == 0 { 0.25 } else { 0.75 };
        for (number, setup) in setups.iter().enumerate() {
            let psv = Psv::from_bytes(&batch.records[number]);
            assert_eq!(batch.buckets[number] as usize, indexer.index(setup).unwrap());
            let result = (f32::from(psv.result) + 1.0) / 2.0;
            assert_eq!(batch.targets[number], lambda * targets.value(psv.score) + (1.0 - lambda) * result);
            let class = (psv.result + 1) as usize;
            assert!((0..3).all(|of| batch.wdl[3 * number + of] == if of == class { 1.0 } else { 0.0 }));
            let class = label::label(Move16::from_bits(psv.best_move), setup.side_to_move());
            assert_eq!(batch.moves[number], class.and_then(label::compact).map_or(-1, i64::from));
        }
        let mut planes1 = vec![[0; dlshogi::FEATURES1_BYTES]; setups.len()];
        let mut planes2 = vec![[0; dlshogi::FEATURES2_BYTES]; setups.len()];
        dlshogi::write_bits(Backend::detect(), &setups, &mut planes1, &mut planes2);
        assert_eq!(batch.planes1_bytes, planes1.as_flattened());
        assert_eq!(batch.planes2_bytes, planes2.as_flattened());
    }
}

#[test]
fn share_of_the_score_is_checked_at_every_step() {
    let wrong: [fn() -> f64; 4] = [|| f64::NAN, || -0.5, || 2.0, || panic!("no schedule")];
    for wrong in wrong {
        let lambda = move |_, step| if step == 1 { wrong() } else { 1.0 };
        let targets = Some(Targets::logistic(600.0).lambda_by(lambda));
        let output = Output { targets, ..Output::none() };
        let source = Source { records: Some(numbered(200).concat().into()), ..Source::new("memory") };
        let mut loader = Plan { output, ..small(vec![source]) }.start().unwrap();
        assert_eq!(loader.next().unwrap().unwrap().step, 0);
        let error = loader.next().unwrap_err();
        assert!(matches!(error, LoaderError::BadPlan(Conflict::Lambda { epoch: 0, step: 1 })), "{error}");
    }
}

#[test]
fn planes_of_every_type_are_alike() {
    let of = |planes| batches(Output { planes: Some(planes), ..Output::none() });
    let floats = of(Planes::F32);
    for ((floats, setups), ((halves, _), (bytes, _))) in
        floats.iter().zip(of(Planes::F16).iter().zip(&of(Planes::U8)))
    {
        assert_eq!(floats.planes1.len(), setups.len() * dlshogi::FEATURES1 * 81);
        for (floats, halves, bytes) in [
            (&floats.planes1, &halves.planes1_f16, &bytes.planes1_bytes),
            (&floats.planes2, &halves.planes2_f16, &bytes.planes2_bytes),
        ] {
            assert!(floats.contains(&1.0));
            assert!(floats.iter().zip(halves).all(|(one, other)| (*one == 1.0) == (*other == 0x3c00)));
            assert!(floats.iter().zip(bytes).all(|(one, other)| (*one == 1.0) == (*other == 1)));
        }
    }
}

#[test]
fn positions_without_a_king_are_left_out_or_weigh_nothing() {
    let files = Files::new();
    let mut lines = String::new();
    for number in 0..100 {
        let board = if number % 10 == 0 { "4k4/9/9/9/9/9/9/9/9" } else { "4k4/9/9/9/9/9/9/9/4K4" };
        lines += &format!("sfen {board} b P {}\n", number + 1);
    }
    let path = files.write("a.sfen", lines.as_bytes());
    let features = Some((FeatureSet::HalfKp, Layout::Padded, First::SideToMove));
    for output in [Output::none(), Output { features, ..Output::none() }] {
        let plan = Plan { order: Order::File, output, ..small(vec![Source::new(&path)]) };
        let mut loader = plan.start().unwrap();
        let kept = epoch(&mut loader).unwrap().iter().map(|batch| batch.len()).sum::<usize>();
        assert_eq!((kept, loader.counts().kingless), (90, 10));
        let mut loader = Plan { on_kingless: OnKingless::Zero, ..plan }.start().unwrap();
        let mut weightless = 0;
        for batch in epoch(&mut loader).unwrap() {
            for (number, weight) in batch.weights.iter().enumerate() {
                assert_eq!(*weight == 0.0, batch.records[number] == [0; 40]);
                let row = batch.stm.get(38 * number..38 * (number + 1)).unwrap_or_default();
                assert!(row.is_empty() || (*weight == 0.0) == row.iter().all(|&index| index == -1));
                weightless += usize::from(*weight == 0.0);
            }
        }
        assert_eq!(weightless, 10);
    }
}

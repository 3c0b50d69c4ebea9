//! Batches are a function of the plan: of nothing else, and whatever comes between.

use std::time::Duration;

use komabako_loader::order::{Kind, Mixing};
use komabako_loader::{
    Arrays, FeatureSet, First, Layout, OnBadRecord, Order, Output, Plan, Policy, Ranks, Record, Source,
    Targets, merge_states,
};
use proptest::prelude::*;

use crate::common::{Files, epoch, number_of, numbered, numbered_from, numbers, order_of, small, sorted};
use crate::order::reference;

/// The reference order of a plan of one file.
fn expected(plan: &Plan, records: u64, epoch: u64) -> Vec<u64> {
    let block = plan.block;
    let blocks: Vec<u64> = (0..records.div_ceil(block)).map(|at| block.min(records - at * block)).collect();
    let mixing = Mixing {
        kind: Kind::Riffle,
        seed: plan.seed,
        source: 0,
        streams: 1,
        passes: plan.passes,
        per_tick: plan.per_tick.unwrap(),
        lag: plan.lag,
    };
    reference(mixing, &blocks, epoch, 0)
}

#[test]
fn records_come_in_the_order_of_the_reference() {
    let files = Files::new();
    let path = files.write("a.psv", numbered(1_000).as_flattened());
    for (passes, per_tick, lag) in [(1, 1, 8), (1, 3, 4), (2, 2, 3), (3, 1, 1), (1, 100, 5)] {
        let plan = Plan { passes, per_tick: Some(per_tick), lag, ..small(vec![Source::new(&path)]) };
        let mut loader = plan.start().unwrap();
        for round in 0..3 {
            assert_eq!((loader.epoch(), loader.len()), (round, Some(21)));
            let order: Vec<u64> = epoch(&mut loader).unwrap().iter().flat_map(numbers).collect();
            assert_eq!(order, expected(&plan, 1_000, round), "{passes} {per_tick} {lag} {round}");
        }
    }
}

/// An output with everything that takes little.
fn features() -> Output {
    Output {
        features: Some((FeatureSet::HalfKaHm2, Layout::Padded, First::SideToMove)),
        buckets: Some("hand64z_k3k3".parse().unwrap()),
        targets: Some(Targets::wrm(270.0, 380.0).lambda(0.7)),
        policy: Some(Policy::Moves),
        ..Output::none()
    }
}

/// The arrays of all batches of an epoch.
fn arrays(plan: &Plan) -> Vec<Arrays> {
    let mut loader = plan.start().unwrap();
    epoch(&mut loader).unwrap().into_iter().map(|batch| batch.into_arrays()).collect()
}

#[test]
fn threads_and_prefetch_change_no_byte() {
    let files = Files::new();
    let one = files.write("a.psv", numbered(3_000).as_flattened());
    let other = files.convert("b.hcpe", &numbered_from(3_000, 700));
    for order in [Order::Riffle, Order::Stream, Order::File, Order::Uniform] {
        let sources = vec![Source::new(&one), Source::new(&other)];
        let plan = Plan { order, output: features(), ..small(sources) };
        let expected = arrays(&Plan { threads: 0, prefetch: 0, ..plan.clone() });
        assert_eq!(expected.iter().map(|batch| batch.records.len()).sum::<usize>(), 3_700);
        assert!(expected.iter().all(|batch| batch.stm.len() == 40 * batch.records.len()));
        for (threads, prefetch) in [(1, 0), (1, 1), (2, 8), (7, 0), (7, 8), (0, 3)] {
            let plan = Plan { threads, prefetch, ..plan.clone() };
            assert!(arrays(&plan) == expected, "{order:?} {threads} {prefetch}");
        }
    }
}

#[test]
fn waiting_in_parts_changes_no_batch() {
    let files = Files::new();
    let path = files.write("a.psv", numbered(3_000).as_flattened());
    let plan = small(vec![Source::new(&path)]);
    let expected = arrays(&plan);
    for (threads, prefetch) in [(0, 0), (1, 0), (3, 2)] {
        let mut loader = Plan { threads, prefetch, ..plan.clone() }.start().unwrap();
        let mut made = Vec::new();
        let mut waits = 0;
        loop {
            let state = loader.state();
            match loader.next_within(Duration::ZERO) {
                Some(Ok(Some(batch))) => made.push(batch.into_arrays()),
                Some(outcome) => break assert!(outcome.unwrap().is_none()),
                None => {
                    waits += 1;
                    assert_eq!(loader.state(), state);
                }
            }
        }
        assert!(made == expected && waits > 0, "{threads} {prefetch}");
    }
}

fn with_ranks(plan: &Plan, rank: u64, world: u64) -> Plan {
    let ranks = Ranks { rank, world, streams: 4 };
    Plan { ranks, batch: plan.batch / world as usize, ..plan.clone() }
}

#[test]
fn the_ranks_of_any_world_have_the_same_steps_together() {
    let files = Files::new();
    let path = files.write("a.psv", numbered(2_000).as_flattened());
    for order in [Order::Riffle, Order::File, Order::Uniform] {
        let plan = Plan { order, ..small(vec![Source::new(&path)]) };
        let mut steps_of_worlds = Vec::new();
        for world in [1, 2, 4] {
            let mut steps: Vec<Vec<u64>> = Vec::new();
            for rank in 0..world {
                let mut loader = with_ranks(&plan, rank, world).start().unwrap();
                for batch in epoch(&mut loader).unwrap() {
                    let step = batch.step as usize;
                    steps.resize(steps.len().max(step + 1), Vec::new());
                    steps[step].extend(numbers(&batch));
                }
            }
            steps_of_worlds.push(steps.into_iter().map(sorted).collect::<Vec<_>>());
        }
        assert!(steps_of_worlds.iter().all(|steps| *steps == steps_of_worlds[0]), "{order:?}");
        let all = sorted(steps_of_worlds[0].concat());
        assert!(all.into_iter().eq(0..2_000));
    }
}

#[test]
fn a_loader_resumes_after_every_step() {
    let files = Files::new();
    let one = files.write("a.psv", numbered(700).as_flattened());
    let other = files.write("b.psv", numbered_from(700, 400).as_flattened());
    let compressed = files.convert("c.sfen.zst", &numbered(500));
    let text = vec![Source::new(compressed), Source::new(&one)];
    let weighted = vec![Source::new(&one).weight(1), Source::new(&other).weight(3)];
    let plain = vec![Source::new(&one), Source::new(&other)];
    let plans = [
        Plan { passes: 2, ..small(plain.clone()) },
        Plan { order: Order::Uniform, ..small(plain.clone()) },
        Plan { order: Order::File, drop_last: true, ..small(plain.clone()) },
        Plan { order: Order::Stream, ..small(text) },
        Plan { epoch_records: Some(600), ..small(weighted) },
    ];
    for plan in plans {
        let mut loader = plan.start().unwrap();
        let mut states = vec![loader.state()];
        let mut batches = Vec::new();
        // Two epochs, so that ends are among the places.
        for _ in 0..2 {
            while let Some(batch) = loader.next().unwrap() {
                batches.push(batch.records.clone());
                states.push(loader.state());
            }
        }
        for (step, state) in states.iter().enumerate() {
            let mut resumed = Plan { memory: plan.memory / 2, ..plan.clone() }.start().unwrap();
            resumed.resume(state).unwrap();
            assert_eq!(resumed.state(), *state);
            let mut following = Vec::new();
            while following.len() < (batches.len() - step).min(4) {
                following.extend(resumed.next().unwrap().map(|batch| batch.records.clone()));
            }
            assert!(batches[step..].starts_with(&following), "{:?} {step}", plan.order);
        }
    }
}

/// Only its credit tells that a source has ended whose number of records is not known.
#[test]
fn a_loader_resumes_where_compressed_sources_have_ended() {
    let files = Files::new();
    let short = Source::new(files.convert("short.psv.zst", &numbered(70)));
    let long = Source::new(files.convert("long.psv.zst", &numbered_from(70, 500)));
    let known = Source::new(files.convert("known.kmb", &numbered_from(70, 500)));
    for sources in [vec![short.clone(), long], vec![short, known]] {
        for order in [Order::File, Order::Stream] {
            let plan = Plan { order, ..small(sources.clone()) };
            let mut loader = plan.start().unwrap();
            let mut states = vec![loader.state()];
            let mut batches = Vec::new();
            while let Some(batch) = loader.next().unwrap() {
                batches.push(batch.records.clone());
                states.push(loader.state());
            }
            for (number, state) in states.iter().enumerate() {
                let mut resumed = plan.start().unwrap();
                resumed.resume(state).unwrap();
                let mut rest = Vec::new();
                while let Some(batch) = resumed.next().unwrap() {
                    rest.push(batch.records.clone());
                }
                assert!(rest == batches[number..], "{order:?} after {number}");
            }
        }
    }
}

#[test]
fn a_loader_resumes_on_another_world() {
    let files = Files::new();
    let path = files.write("a.psv", numbered(2_000).as_flattened());
    let plan = small(vec![Source::new(&path)]);
    let where_ = Some("score > -300".parse().unwrap());
    let selected = Plan { select: komabako_loader::Select { where_, keep: vec![] }, ..plan.clone() };
    for plan in [plan, selected] {
        let mut whole = with_ranks(&plan, 0, 1).start().unwrap();
        let steps = epoch(&mut whole).unwrap();
        let mut states = Vec::new();
        for rank in 0..2 {
            let mut loader = with_ranks(&plan, rank, 2).start().unwrap();
            for _ in 0..5 {
                loader.next().unwrap();
            }
            states.push(loader.state());
        }
        let merged = merge_states(states.iter().map(String::as_str)).unwrap();
        // The merged state has the places of all streams; that of a rank those of its own only.
        for state in [&merged, &states[0], &states[1]] {
            for world in [1, 2, 4] {
                let mut following = Vec::new();
                for rank in 0..world {
                    let mut loader = with_ranks(&plan, rank, world).start().unwrap();
                    loader.resume(state).unwrap();
                    for _ in 0..3 {
                        let batch = loader.next().unwrap().unwrap();
                        following.push((batch.step, numbers(&batch)));
                    }
                }
                for step in 5..8 {
                    let of_step = following.iter().filter(|(number, _)| *number == step);
                    let together = sorted(of_step.flat_map(|(_, numbers)| numbers.clone()).collect());
                    assert_eq!(together, sorted(numbers(&steps[step as usize])), "{world} {step}");
                }
            }
        }
    }
}

#[test]
fn sources_come_in_proportion_to_their_weights() {
    let files = Files::new();
    let one = files.write("a.psv", numbered(700).as_flattened());
    let other = files.write("b.psv", numbered_from(1_000, 200).as_flattened());
    let sources = vec![Source::new(&one).weight(3), Source::new(&other).weight(1)];
    let plan = Plan { epoch_records: Some(2_000), ..small(sources) };
    let mut loader = plan.start().unwrap();
    assert_eq!(loader.len(), Some(42));
    let mut all = Vec::new();
    for _ in 0..2 {
        let order: Vec<u64> = epoch(&mut loader).unwrap().iter().flat_map(numbers).collect();
        assert_eq!(order.len(), 2_000);
        for places in order.chunks(4) {
            assert_eq!(places.iter().filter(|&&number| number < 1_000).count(), 3);
        }
        all.extend(order);
    }
    // The smaller one goes through its records again and again, in other orders.
    let smaller: Vec<u64> = all.iter().copied().filter(|&number| number >= 1_000).collect();
    for round in smaller.chunks_exact(200) {
        assert!(sorted(round.to_vec()).into_iter().eq(1_000..1_200));
    }
    assert_ne!(smaller[..200], smaller[200..400]);
}

/// Whether the epochs before were read or not.
#[test]
fn an_epoch_of_weighted_sources_starts_where_those_before_lead() {
    let files = Files::new();
    let one = files.write("a.psv", numbered(700).as_flattened());
    let other = files.write("b.psv", numbered_from(1_000, 150).as_flattened());
    let two = |weights: [u64; 2]| {
        vec![Source::new(&one).weight(weights[0]), Source::new(&other).weight(weights[1])]
    };
    let streams = |streams| Ranks { rank: 0, world: 1, streams };
    let plans = [
        Plan { epoch_records: Some(500), ..small(two([3, 1])) },
        Plan { epoch_records: Some(333), ranks: streams(2), passes: 2, ..small(two([6, 10])) },
        Plan { epoch_records: Some(101), order: Order::Stream, ..small(two([1, 1])) },
        Plan { epoch_records: Some(500), drop_last: true, ..small(two([5, 7])) },
        Plan { epoch_records: Some(300), ..small(vec![Source::new(&other).weight(2)]) },
    ];
    for plan in plans {
        let mut going = plan.start().unwrap();
        for round in 0..7 {
            let expected: Vec<_> = epoch(&mut going).unwrap().iter().map(numbers).collect();
            let mut started = plan.start().unwrap();
            started.next().unwrap();
            started.set_epoch(round);
            let found: Vec<_> = epoch(&mut started).unwrap().iter().map(numbers).collect();
            assert_eq!(found, expected, "{round} {plan:?}");
        }
    }
}

#[test]
fn last_epochs_are_read_like_others() {
    let files = Files::new();
    let source = Source::new(files.write("a.psv", numbered(100).as_flattened()));
    let weighted = small(vec![source.clone().weight(1), source.clone().weight(2)]);
    for plan in [small(vec![source]), Plan { epoch_records: Some(100), ..weighted }] {
        for threads in [0, 1] {
            let mut loader = Plan { threads, ..plan.clone() }.start().unwrap();
            let last = loader.state().replace("\"epoch\":0", &format!("\"epoch\":{}", u64::MAX));
            loader.set_epoch(u64::MAX - 1);
            for _ in 0..3 {
                assert_eq!(epoch(&mut loader).unwrap().iter().map(|batch| batch.len()).sum::<usize>(), 100);
            }
            // Without weights the places of a state are of its epoch.
            assert_eq!(loader.resume(&last).is_ok(), plan.epoch_records.is_some());
            for _ in 0..2 {
                assert_eq!(epoch(&mut loader).unwrap().iter().map(|batch| batch.len()).sum::<usize>(), 100);
            }
        }
    }
}

/// All before would have to be read.
#[test]
fn a_weighted_source_of_unknown_length_begins_anew() {
    let files = Files::new();
    let source = Source::new(files.convert("a.psv.zst", &numbered(500))).weight(1);
    let plan = Plan { order: Order::File, epoch_records: Some(100), ..small(vec![source]) };
    let mut loader = plan.start().unwrap();
    let mut next = |to: Option<u64>| {
        if let Some(to) = to {
            loader.set_epoch(to);
        }
        epoch(&mut loader).unwrap().iter().flat_map(numbers).collect::<Vec<_>>()
    };
    assert!(next(None).into_iter().eq(0..100));
    assert!(next(Some(1)).into_iter().eq(100..200));
    assert!(next(Some(7)).into_iter().eq(0..100));
}

#[test]
fn without_weights_every_record_comes_once() {
    let files = Files::new();
    let one = files.write("a.psv", numbered(700).as_flattened());
    let other = files.write("b.psv", numbered_from(700, 100).as_flattened());
    let empty = files.write("c.psv", &[]);
    let sources = vec![Source::new(&one), Source::new(&empty), Source::new(&other)];
    let plan = small(sources);
    let order = order_of(&plan);
    assert!(sorted(order.clone()).into_iter().eq(0..800));
    // 1 of 8, evenly.
    for places in order.chunks(8) {
        assert_eq!(places.iter().filter(|&&number| number >= 700).count(), 1);
    }
}

/// Only reading it shows that it has none.
#[test]
fn an_empty_text_file_is_no_obstacle() {
    let files = Files::new();
    let empty = files.write("a.sfen", &[]);
    let other = files.write("b.psv", numbered(300).as_flattened());
    for order in [Order::File, Order::Stream] {
        for weight in [None, Some(1)] {
            let source = |path| Source { weight, ..Source::new(path) };
            let plan = Plan {
                order,
                epoch_records: weight.map(|_| 300),
                ..small(vec![source(&empty), source(&other)])
            };
            assert!(sorted(order_of(&plan)).into_iter().eq(0..300), "{order:?} {weight:?}");
        }
    }
}

#[test]
fn each_source_has_its_weight_of_entries_in_any_order() {
    let files = Files::new();
    let one = files.write("a.psv", numbered(300).as_flattened());
    let other = files.write("b.psv", numbered_from(300, 200).as_flattened());
    let sources = vec![
        Source { entry_weight: 0.5, ..Source::new(&one) },
        Source { entry_weight: 2.0, ..Source::new(&other) },
    ];
    for order in [Order::Riffle, Order::Stream, Order::File, Order::Uniform] {
        let plan = Plan { order, ..small(sources.clone()) };
        let mut loader = plan.start().unwrap();
        loader.next().unwrap().unwrap();
        let mut resumed = plan.start().unwrap();
        resumed.resume(&loader.state()).unwrap();
        let mut rest = epoch(&mut resumed).unwrap();
        rest.extend(epoch(&mut resumed).unwrap());
        for batch in rest {
            for (number, weight) in numbers(&batch).into_iter().zip(&batch.weights) {
                assert_eq!(*weight, if number < 300 { 0.5 } else { 2.0 }, "{order:?}");
            }
        }
    }
}

#[test]
fn uniform_is_the_permutation_of_all_records() {
    let files = Files::new();
    let one = files.write("a.psv", numbered(300).as_flattened());
    let other = files.convert("b.hcpe", &numbered_from(0, 250));
    let sources = vec![Source::new(&one), Source::new(&other)];
    let plan = Plan { order: Order::Uniform, ..small(sources) };
    let mut loader = plan.start().unwrap();
    for round in 0..2 {
        let permutation = komabako_record::order::Permutation::new(550, &[7, round]);
        let order: Vec<_> =
            epoch(&mut loader).unwrap().iter().flat_map(|batch| batch.records.clone()).collect();
        assert_eq!(order.len(), 550);
        for (place, record) in (0..).zip(order) {
            let number = permutation.at(place);
            // hcpe has no ply.
            let expected = if number < 300 { number } else { 0 };
            assert_eq!(number_of(&record), expected);
        }
    }
}

#[test]
fn the_last_step_is_short_or_dropped() {
    let files = Files::new();
    let path = files.write("a.psv", numbered(100).as_flattened());
    let plan = small(vec![Source::new(&path)]);
    let sizes = |plan: &Plan| {
        let mut loader = plan.start().unwrap();
        let batches = epoch(&mut loader).unwrap();
        assert_eq!(loader.len(), Some(batches.len() as u64));
        batches.iter().map(|batch| batch.len()).collect::<Vec<_>>()
    };
    assert_eq!(sizes(&plan), [48, 48, 4]);
    assert_eq!(sizes(&Plan { drop_last: true, ..plan }), [48, 48]);
}

#[test]
fn chunks_repeat_and_start_where_asked() {
    let files = Files::new();
    let path = files.write("a.psv", numbered(200).as_flattened());
    let plain = small(vec![Source::new(&path)]);
    let where_ = Some("ply % 3 != 0".parse().unwrap());
    let selected = Plan { select: komabako_loader::Select { where_, keep: vec![] }, ..plain.clone() };
    for plan in [plain.clone(), selected.clone()] {
        let chunks = |skip: u64, count: usize| {
            let mut all = Vec::new();
            plan.for_each_chunk(skip, |records| {
                all.extend_from_slice(records);
                all.len() >= count
            })
            .unwrap();
            all.truncate(count);
            all
        };
        let all = chunks(0, 700);
        for skip in [48, 96, 130, 201, 333] {
            assert_eq!(chunks(skip, 300), all[skip as usize..][..300], "{skip}");
        }
    }
    // In the middle of an epoch as well.
    for plan in [&plain, &selected, &Plan { drop_last: true, ..plain.clone() }] {
        let mut all = plan.start().unwrap();
        let mut order = Vec::new();
        for _ in 0..4 {
            order.extend(epoch(&mut all).unwrap().iter().flat_map(numbers));
        }
        for skip in [0, 1, 47, 48, 100, 350] {
            let mut loader = plan.start().unwrap();
            let mut place = loader.next().unwrap().unwrap().len() + skip;
            let mut rest = loader.skip(skip as u64).unwrap();
            for _ in 0..3 {
                let Some(batch) = loader.next().unwrap() else { continue };
                assert_eq!(numbers(&batch)[rest..], order[place..][..batch.len() - rest], "{skip} {plan:?}");
                place += batch.len() - std::mem::take(&mut rest);
            }
        }
    }
    let mut damaged = numbered(200);
    damaged[150][38] = 7;
    let source = Source::new(files.write("c.psv", damaged.as_flattened()));
    let refusing = Plan { order: Order::File, drop_last: true, ..small(vec![source]) };
    let mut loader = Plan { on_bad_record: OnBadRecord::Raise, ..refusing }.start().unwrap();
    assert!(loader.skip(199).is_err());
    assert_eq!(numbers(&loader.next().unwrap().unwrap())[0], 0);
    let mut damaged = numbered(200);
    damaged[3][38] = 7;
    let bad = Source::new(files.write("b.psv", damaged.as_flattened()));
    let good = Source::new(&path);
    let plans = [
        Plan { on_bad_record: OnBadRecord::Skip, ..small(vec![bad]) },
        Plan { ranks: Ranks { rank: 1, world: 2, streams: 2 }, ..small(vec![good.clone()]) },
        Plan { ranks: Ranks { rank: 2, world: 3, streams: 3 }, order: Order::Uniform, ..small(vec![good]) },
    ];
    for plan in plans {
        let mut all: Vec<Record> = Vec::new();
        plan.for_each_chunk(0, |records| {
            all.extend_from_slice(records);
            all.len() > 600
        })
        .unwrap();
        for skip in [1, 48, 70, 199, 250, 401] {
            plan.for_each_chunk(skip, |records| {
                assert_eq!(records, &all[skip as usize..][..records.len()], "{skip} {plan:?}");
                true
            })
            .unwrap();
        }
    }
    let none = Plan { select: crate::selection::where_("false"), ..small(vec![Source::new(&path)]) };
    none.for_each_chunk(0, |_| panic!("no record is kept")).unwrap();
    none.for_each_chunk(5, |_| panic!("no record is kept")).unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Whatever the sizes: every record once, and the same after an interruption.
    #[test]
    fn an_epoch_has_every_record_once(
        counts in prop::collection::vec(1_usize..400, 1..4),
        batch in 1_usize..50,
        block in 8_u64..80,
        per_tick in 1_u64..4,
        lag in 1_u64..6,
        passes in 1_u64..3,
        seed: u64,
        threads in 0_usize..3,
        stop in 0_usize..20,
    ) {
        let files = Files::new();
        let mut first = 0;
        let mut sources = Vec::new();
        for count in counts {
            let bytes = numbered_from(first, count);
            sources.push(Source::new(files.write(&format!("{first}.psv"), bytes.as_flattened())));
            first += count;
        }
        let per_tick = Some(per_tick);
        let plan = Plan { batch, block, per_tick, lag, passes, seed, threads, ..small(sources) };
        let mut loader = plan.start().unwrap();
        let mut order = Vec::new();
        for _ in 0..stop {
            match loader.next().unwrap() {
                Some(batch) => order.extend(numbers(&batch)),
                None => {
                    order.clear();
                    break;
                }
            }
        }
        let mut resumed = plan.start().unwrap();
        resumed.resume(&loader.state()).unwrap();
        order.extend(epoch(&mut resumed).unwrap().iter().flat_map(numbers));
        prop_assert!(sorted(order).into_iter().eq(0..first as u64));
    }
}

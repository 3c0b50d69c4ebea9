//! Damage, changes and hostile texts: an error or whole batches, never other bytes.

use std::io::Write;

use komabako_dataset::{Field, FileFormat};
use komabako_loader::error::{BadState, Mismatch};
use komabako_loader::{
    FeatureSet, First, Layout, Loader, LoaderError, OnBadRecord, OnKingless, Order, Output, Plan, Policy,
    Ranks, Record, Source, Targets,
};
use komabako_messages::{Lang, Message};
use proptest::prelude::*;

use crate::common::{Files, epoch, number_of, numbered, small};

/// The records up to the end of the epoch or an error.
fn read(plan: &Plan) -> (Vec<Record>, Option<LoaderError>) {
    let mut records = Vec::new();
    let mut loader = match plan.start() {
        Ok(loader) => loader,
        Err(error) => return (records, Some(error)),
    };
    loop {
        match loader.next() {
            Ok(Some(batch)) => records.extend_from_slice(&batch.records),
            Ok(None) => return (records, None),
            Err(error) => return (records, Some(error)),
        }
    }
}

#[test]
fn a_truncated_archive_is_an_error_or_gives_a_part_of_its_records() {
    let files = Files::new();
    let path = files.convert("a.kmb", &numbered(40));
    let bytes = std::fs::read(&path).unwrap();
    for order in [Order::Riffle, Order::File] {
        let plan = Plan { order, batch: 5, ..small(vec![Source::new(files.path("cut.kmb"))]) };
        for length in 0..bytes.len() {
            files.write("cut.kmb", &bytes[..length]);
            let (records, error) = read(&plan);
            assert!(error.is_some() || length == 0, "{length}");
            if let Some(error) = error
                && order == Order::Riffle
            {
                assert!(!matches!(error, LoaderError::NoRandomAccess(_)), "{length}: {error}");
            }
            assert!(records.iter().all(|record| *record == numbered(40)[number_of(record) as usize]));
        }
    }
}

/// A loader that has read a little of a file.
fn begun(plan: &Plan) -> Loader {
    let mut loader = plan.start().unwrap();
    loader.next().unwrap().unwrap();
    loader
}

#[test]
fn files_that_change_are_errors() {
    let files = Files::new();
    let records = numbered(4_000);
    for (name, order) in [
        ("a.psv", Order::Riffle),
        ("a.psv", Order::Uniform),
        ("a.kmb", Order::Riffle),
        ("a.psv.zst", Order::File),
    ] {
        let changes: [fn(&mut std::fs::File, u64); 3] = [
            |file, size| file.set_len(size - 1).unwrap(),
            |file, _| file.write_all(&[0; 40]).unwrap(),
            |file, size| file.set_len(size / 2).unwrap(),
        ];
        for change in changes {
            let path = files.convert(name, &records);
            let plan = Plan { order, threads: 1, prefetch: 0, ..small(vec![Source::new(&path)]) };
            let mut loader = begun(&plan);
            let mut file = std::fs::OpenOptions::new().append(true).open(&path).unwrap();
            let size = file.metadata().unwrap().len();
            change(&mut file, size);
            drop(file);
            let error = loop {
                match loader.next() {
                    Ok(Some(batch)) => {
                        assert!(
                            batch.records.iter().all(|record| *record == records[number_of(record) as usize])
                        );
                    }
                    Ok(None) => panic!("{name} has changed"),
                    Err(error) => break error,
                }
            };
            assert_eq!(error.kind(), "altered", "{name} {error}");
            assert!(!error.to_string().contains("written"), "{error}");
            std::fs::remove_file(&path).unwrap();
        }
    }
}

/// A state of before is of other sizes then.
#[test]
fn states_of_other_files_and_plans_are_refused() {
    let files = Files::new();
    let path = files.write("a.psv", numbered(500).as_flattened());
    let plan = small(vec![Source::new(&path)]);
    let state = begun(&plan).state();
    let refused = |plan: &Plan| match plan.start().unwrap().resume(&state) {
        Err(LoaderError::StateMismatch(mismatch)) => mismatch,
        other => panic!("{other:?}"),
    };
    assert_eq!(refused(&Plan { seed: 8, ..plan.clone() }), Mismatch::Parameter("seed"));
    let state_batch = plan.batch as u64;
    assert_eq!(
        refused(&Plan { batch: 50, ranks: Ranks { rank: 0, world: 2, streams: 2 }, ..plan.clone() }),
        Mismatch::Batch { state: state_batch, plan: 100, ranks: 2 }
    );
    assert_eq!(refused(&Plan { passes: 2, ..plan.clone() }), Mismatch::Parameter("passes"));
    assert_eq!(refused(&Plan { order: Order::Uniform, ..plan.clone() }), Mismatch::Parameter("order"));
    assert_eq!(refused(&Plan { per_tick: Some(2), ..plan.clone() }), Mismatch::Parameter("per_tick"));
    assert_eq!(refused(&Plan { drop_last: true, ..plan.clone() }), Mismatch::Parameter("drop_last"));
    let select = crate::selection::where_("ply > 3");
    assert_eq!(refused(&Plan { select, ..plan.clone() }), Mismatch::Select);
    let on_kingless = OnKingless::Zero;
    assert_eq!(refused(&Plan { on_kingless, ..plan.clone() }), Mismatch::Parameter("on_kingless"));
    assert!(matches!(refused(&Plan { block: 32, ..plan.clone() }), Mismatch::Source(_)));
    files.write("a.psv", numbered(501).as_flattened());
    assert!(matches!(refused(&plan), Mismatch::Source(_)));
    let two = Plan { sources: vec![Source::new(&path), Source::new(&path)], ..plan };
    assert_eq!(refused(&two), Mismatch::Sources);
}

/// Also where their sizes do not tell; they may have moved.
#[test]
fn states_know_the_order_of_files() {
    let files = Files::new();
    for folder in ["x", "y"] {
        std::fs::create_dir(files.path(folder)).unwrap();
        for name in ["a.psv", "b.psv", "c.psv"] {
            files.write(&format!("{folder}/{name}"), numbered(300).as_flattened());
        }
    }
    let plan = |names: [&str; 2]| small(names.map(|name| Source::new(files.path(name))).to_vec());
    let state = begun(&plan(["x/a.psv", "x/b.psv"])).state();
    for names in [["x/a.psv", "x/b.psv"], ["y/a.psv", "y/b.psv"], ["y/a.psv", "y/c.psv"]] {
        plan(names).start().unwrap().resume(&state).unwrap();
    }
    let beside = begun(&plan(["x/a.psv", "y/a.psv"])).state();
    for (names, state) in [
        (["x/b.psv", "x/a.psv"], &state),
        (["y/b.psv", "y/a.psv"], &state),
        (["y/a.psv", "x/a.psv"], &beside),
    ] {
        let error = plan(names).start().unwrap().resume(state).unwrap_err();
        assert!(matches!(error, LoaderError::StateMismatch(Mismatch::Swapped(_))), "{names:?} {error}");
    }
}

/// A number of steps is promised only if no file can leave one out.
#[test]
fn the_number_of_steps_is_known_if_all_records_are_kept() {
    let files = Files::new();
    let psv = Source::new(files.write("a.psv", numbered(100).as_flattened()));
    let kingless = Source::new(files.convert("a.compact32", &numbered(100)));
    let games = Source::new(files.write("a.hcpe3", &crate::formats::decisive_games().repeat(10)));
    let known = |plan: Plan| {
        let loader = plan.start().unwrap();
        assert_eq!(loader.len().is_some(), loader.records().is_some());
        loader.len().is_some()
    };
    let policy = Output { policy: Some(Policy::Moves), ..Output::none() };
    for source in [&psv, &games] {
        assert!(known(small(vec![source.clone()])));
        assert!(!known(Plan { on_bad_record: OnBadRecord::Skip, ..small(vec![source.clone()]) }));
    }
    assert!(known(Plan { output: policy.clone(), ..small(vec![psv]) }));
    assert!(!known(Plan { output: policy, ..small(vec![games.clone()]) }));
    assert!(!known(small(vec![Source { skip_repetition: true, ..games }])));
    assert_eq!(known(small(vec![kingless.clone()])), !FileFormat::Compact32.holds(Field::MissingKings));
    assert!(known(Plan { on_kingless: OnKingless::Zero, ..small(vec![kingless]) }));
}

#[test]
fn bad_records_stop_are_skipped_or_weigh_nothing() {
    let files = Files::new();
    let mut records = numbered(500);
    records[123][..32].fill(0xff);
    records[321][38] = 7;
    let path = files.write("a.psv", records.as_flattened());
    let features = Some((FeatureSet::HalfKp, Layout::Padded, First::SideToMove));
    for output in [Output::none(), Output { features, ..Output::none() }] {
        for order in [Order::Riffle, Order::File, Order::Uniform] {
            let plan = Plan { order, output: output.clone(), ..small(vec![Source::new(&path)]) };
            let (_, error) = read(&plan);
            let Some(LoaderError::BadRecord(error)) = error else { panic!("{error:?}") };
            let expected = if order == Order::File { vec![123] } else { vec![123, 321] };
            assert!(expected.contains(&error.record), "{error}");
            assert_eq!(error.input, path.display().to_string().as_str());
            let mut loader = Plan { on_bad_record: OnBadRecord::Skip, ..plan.clone() }.start().unwrap();
            let batches = epoch(&mut loader).unwrap();
            assert_eq!(batches.iter().map(|batch| batch.len()).sum::<usize>(), 498);
            assert_eq!(loader.counts().bad, 2);
            let mut loader = Plan { on_bad_record: OnBadRecord::Weight0, ..plan }.start().unwrap();
            let batches = epoch(&mut loader).unwrap();
            let weights: Vec<f32> = batches.iter().flat_map(|batch| batch.weights.clone()).collect();
            assert_eq!((weights.len(), weights.iter().filter(|&&weight| weight == 0.0).count()), (500, 2));
            for batch in batches {
                let inputs = batch.stm.chunks(38).chain(batch.nstm.chunks(38));
                for (row, weight) in inputs.zip(batch.weights.iter().cycle()) {
                    assert_eq!(row[0] >= 0, *weight > 0.0);
                }
            }
        }
    }
}

/// Records that their labels leave out are not read; others are, however few they are.
#[test]
fn bad_words_are_found_behind_a_selection() {
    let files = Files::new();
    let mut records = numbered(3_000);
    records[1_207][..32].fill(0xff);
    records[1_208][..32].fill(0xff);
    let path = files.write("a.psv", records.as_flattened());
    let features = Some((FeatureSet::HalfKp, Layout::Padded, First::SideToMove));
    for output in [Output::none(), Output { features, ..Output::none() }] {
        for condition in ["ply % 100 == 7", "ply % 100 == 7 and board_pieces > 0"] {
            for order in [Order::Riffle, Order::File, Order::Uniform] {
                let select = crate::selection::where_(condition);
                let plan = Plan { order, output: output.clone(), select, ..small(vec![Source::new(&path)]) };
                let (_, error) = read(&plan);
                let Some(LoaderError::BadRecord(error)) = error else { panic!("{error:?}") };
                assert_eq!(error.record, 1_207, "{condition} {order:?}");
                let mut loader = Plan { on_bad_record: OnBadRecord::Skip, ..plan.clone() }.start().unwrap();
                let batches = epoch(&mut loader).unwrap();
                assert_eq!(batches.iter().map(|batch| batch.len()).sum::<usize>(), 29);
                assert_eq!(loader.counts().bad, 1);
            }
        }
    }
}

/// The error comes at the same step for any number of threads.
#[test]
fn errors_come_in_order() {
    let files = Files::new();
    let mut records = numbered(2_000);
    records[1_234][38] = 7;
    let path = files.write("a.psv", records.as_flattened());
    let steps = |threads: usize, prefetch: usize| {
        let plan = Plan { threads, prefetch, ..small(vec![Source::new(&path)]) };
        read(&plan).0.len()
    };
    let first = steps(0, 0);
    assert!(first > 0);
    for (threads, prefetch) in [(1, 1), (2, 8), (7, 30)] {
        assert_eq!(steps(threads, prefetch), first);
    }
}

#[test]
fn contradictory_plans_are_refused() {
    let files = Files::new();
    let path = files.write("a.psv", numbered(500).as_flattened());
    let good = small(vec![Source::new(&path)]);
    let ranks = |rank, world, streams| Ranks { rank, world, streams };
    let weighted = vec![Source::new(&path).weight(1), Source::new(&path)];
    let mut clipped = Targets::logistic_with_mates(600.0, 30_000);
    clipped.score_clip = Some(29_999);
    let plans = [
        Plan { sources: vec![], ..good.clone() },
        Plan { batch: 0, ..good.clone() },
        Plan { block: 0, ..good.clone() },
        Plan { passes: 0, ..good.clone() },
        Plan { lag: 0, ..good.clone() },
        Plan { ranks: ranks(2, 2, 2), ..good.clone() },
        Plan { ranks: ranks(0, 2, 3), ..good.clone() },
        Plan { ranks: ranks(0, 1, 5), ..good.clone() },
        Plan { ranks: ranks(0, 1, 16), ..good.clone() },
        Plan { sources: weighted, ..good.clone() },
        Plan { epoch_records: Some(5), ..good.clone() },
        Plan { order: Order::Stream, passes: 2, ..good.clone() },
        Plan { order: Order::Stream, ranks: ranks(0, 1, 2), ..good.clone() },
        Plan { order: Order::Uniform, sources: vec![Source::new(&path).weight(1)], ..good.clone() },
        Plan { sources: vec![Source::new(&path).weight(0)], ..good.clone() },
        Plan { sources: vec![Source { score_scale: Some(-1.0), ..Source::new(&path) }], ..good.clone() },
        Plan { sources: vec![Source { skip_repetition: true, ..Source::new(&path) }], ..good.clone() },
        Plan { output: Output { targets: Some(clipped), ..Output::none() }, ..good.clone() },
    ];
    for plan in plans {
        let error = plan.start().map(drop).unwrap_err();
        assert_eq!(error.kind(), "bad_plan", "{error} {plan:?}");
        assert!(!error.in_lang(Lang::Ja).to_string().is_ascii());
    }
    let poor = Plan { memory: 2_000, per_tick: None, ..good.clone() };
    let error = poor.start().map(drop).unwrap_err();
    let LoaderError::TooLittleMemory { least } = error else { panic!("{error}") };
    // 64 records of 40 bytes in one tick of all.
    let enough = |memory| Plan { memory, ..poor.clone() }.start().is_ok();
    assert_eq!((enough(least), enough(least - 1)), (true, false));
    let missing = Plan { sources: vec![Source::new(files.path("none.psv"))], ..good };
    assert_eq!(missing.start().map(drop).unwrap_err().kind(), "open");
}

#[test]
fn states_that_are_none_are_refused() {
    let files = Files::new();
    let path = files.write("a.psv", numbered(500).as_flattened());
    let mut loader = small(vec![Source::new(&path)]).start().unwrap();
    let state = loader.state();
    let bad = |loader: &mut Loader, text: &str| match loader.resume(text) {
        Err(LoaderError::BadState(fault)) => fault,
        other => panic!("{other:?} {text}"),
    };
    for text in ["", "{}", "[]", "null", "{\"komabako_loader\":1}", &"[".repeat(10_000)] {
        assert!(matches!(bad(&mut loader, text), BadState::Json(_)));
    }
    assert_eq!(bad(&mut loader, &" ".repeat((1 << 20) + 1)), BadState::Length((1 << 20) + 1));
    let other = |from: &str, to: &str| {
        assert!(state.contains(from), "{state}");
        state.replace(from, to)
    };
    assert_eq!(
        bad(&mut loader, &other("\"komabako_loader\":1", "\"komabako_loader\":2")),
        BadState::Version(2)
    );
    for (from, to) in [
        ("\"places\":[[0,0]]", "\"places\":[[0,501]]"),
        ("\"places\":[[0,0]]", "\"places\":[[1,0]]"),
        ("\"places\":[[0,0]]", "\"places\":[]"),
        ("\"credits\":[\"0\"]", "\"credits\":[\"a\"]"),
        ("\"credits\":[\"0\"]", "\"credits\":[\"99999999999999999999999999999999\"]"),
        ("\"lag\":8", "\"lag\":0"),
        ("\"lag\":8", "\"lag\":99999999"),
        ("\"per_tick\":1", "\"per_tick\":9"),
    ] {
        assert_eq!(bad(&mut loader, &other(from, to)), BadState::Place, "{to}");
    }
    // And the loader is as it was.
    assert_eq!(loader.state(), state);
    assert_eq!(epoch(&mut loader).unwrap().len(), 11);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// A state with a changed byte is refused or leads to batches, but to no panic.
    #[test]
    fn damaged_states_never_panic(place in 0_usize..2_000, byte: u8, digits in "[0-9]{1,20}", streams in 1_u64..3) {
        let files = Files::new();
        let path = files.write("a.psv", numbered(200).as_flattened());
        let ranks = Ranks { rank: 0, world: 1, streams };
        let plan = Plan { threads: 0, ranks, ..small(vec![Source::new(&path)]) };
        let mut loader = begun(&plan);
        let state = loader.state();
        let mut bytes = state.clone().into_bytes();
        let place = place % bytes.len();
        if bytes[place].is_ascii_digit() {
            bytes.splice(place..=place, digits.bytes());
        } else {
            bytes[place] = byte;
        }
        if let Ok(text) = String::from_utf8(bytes)
            && loader.resume(&text).is_ok()
        {
            for _ in 0..3 {
                let _ = loader.next();
            }
        }
    }

    /// A plan of any numbers is refused or works.
    #[test]
    fn wild_plans_never_panic(
        numbers in prop::array::uniform8(prop_oneof![0_u64..5, 0_u64..200, any::<u64>()]),
        order in 0_usize..4,
        options in any::<[bool; 4]>(),
    ) {
        let files = Files::new();
        let path = files.write("a.psv", numbered(200).as_flattened());
        let [batch, memory, passes, lag, per_tick, block, streams, weight] = numbers;
        let source = if options[0] { Source::new(&path).weight(weight) } else { Source::new(&path) };
        let plan = Plan {
            sources: vec![source, Source { entry_weight: weight as f32, ..Source::new(&path) }],
            order: [Order::File, Order::Stream, Order::Riffle, Order::Uniform][order],
            batch: batch as usize,
            memory,
            passes,
            lag,
            per_tick: options[1].then_some(per_tick),
            block,
            ranks: Ranks { rank: weight, world: streams, streams },
            drop_last: options[2],
            threads: 0,
            ..Plan::new()
        };
        if let Ok(mut loader) = plan.start() {
            let _ = loader.quality(100.0);
            for _ in 0..3 {
                let _ = loader.next();
            }
        }
    }
}

//! Which records are kept, against the program's filter and the draws.

use std::path::Path;

use komabako_dataset::select::Filter;
use komabako_dataset::{Input, Output, Selection, convert};
use komabako_loader::error::Conflict;
use komabako_loader::order::{Chance, Draws};
use komabako_loader::{LoaderError, Plan, Rule, RuleChance, Select, Source, Targets};

use crate::common::{Files, epoch, number_of, numbered, numbers, order_of, small, sorted};

/// The selection of an expression.
pub fn where_(expression: &str) -> Select {
    Select { where_: Some(expression.parse().unwrap()), keep: vec![] }
}

#[test]
fn an_epoch_has_what_the_filter_keeps() {
    let files = Files::new();
    let path = files.write("a.psv", numbered(2_000).as_flattened());
    for expression in ["not in_check and abs(score) < 500", "result == 1 or drop", "ply % 7 == 3", "false"] {
        let kept = files.path("kept.psv");
        let mut job = convert::Job::new(vec![Input::path(&path)], Output::path(kept.clone()));
        job.select = Selection::Filter(Filter { expression: expression.parse().unwrap(), invert: false });
        job.plan().unwrap().run(&mut ()).unwrap();
        let filtered = std::fs::read(&kept).unwrap();
        std::fs::remove_file(kept).unwrap();
        let filtered: Vec<u64> = filtered.as_chunks().0.iter().map(number_of).collect();
        let plan = Plan { select: where_(expression), ..small(vec![Source::new(&path)]) };
        assert_eq!(sorted(order_of(&plan)), sorted(filtered), "{expression}");
        assert_eq!(plan.start().unwrap().len(), None);
    }
}

/// A selection leaves the order of what it keeps.
#[test]
fn what_is_kept_comes_in_the_order_of_all() {
    let files = Files::new();
    let path = files.write("a.psv", numbered(1_500).as_flattened());
    let plan = small(vec![Source::new(&path)]);
    let kept: Vec<u64> = order_of(&plan).into_iter().filter(|number| number % 3 == 0).collect();
    assert_eq!(order_of(&Plan { select: where_("ply % 3 == 0"), ..plan }), kept);
}

#[test]
fn rules_keep_by_chance_and_weigh() {
    let files = Files::new();
    let path = files.write("a.psv", numbered(3_000).as_flattened());
    let rules = vec![
        Rule { chance: RuleChance::If("ply % 2 == 0".parse().unwrap(), 0.25), weight: 4.0 },
        Rule { chance: RuleChance::By("ply".into(), vec![(1_000, 0.0), (2_000, 1.0)]), weight: 0.5 },
    ];
    let select = Select { where_: None, keep: rules };
    let source = Source { entry_weight: 2.0, ..Source::new(&path) };
    let plan = Plan { select, ..small(vec![source]) };
    let mut loader = plan.start().unwrap();
    let mut kept_of_epochs = Vec::new();
    for round in 0..2 {
        let batches = epoch(&mut loader).unwrap();
        let draws = Draws::new(7, round, 0);
        let is_kept = |number: &u64| {
            let on_curve = ((*number as f64 - 1_000.0) / 1_000.0).clamp(0.0, 1.0);
            let chance = if number.is_multiple_of(2) { 0.25 } else { on_curve };
            draws.keeps(Chance::new(chance).unwrap(), *number)
        };
        let expected: Vec<u64> = (0..3_000).filter(is_kept).collect();
        let kept: Vec<u64> = batches.iter().flat_map(numbers).collect();
        assert_eq!(sorted(kept.clone()), expected);
        for batch in &batches {
            for (record, weight) in batch.records.iter().zip(&batch.weights) {
                assert_eq!(*weight, if number_of(record).is_multiple_of(2) { 8.0 } else { 1.0 });
            }
        }
        kept_of_epochs.push(sorted(kept));
    }
    assert_ne!(kept_of_epochs[0], kept_of_epochs[1]);
}

#[test]
fn large_scores_weigh_nothing_or_are_left_out() {
    let files = Files::new();
    let path = files.write("a.psv", numbered(500).as_flattened());
    let mut targets = Targets::logistic(600.0);
    targets.score_drop_abs = Some(400);
    let output = komabako_loader::Output { targets: Some(targets.clone()), ..Default::default() };
    let plan = Plan { output, ..small(vec![Source::new(&path)]) };
    let mut loader = plan.start().unwrap();
    let score = |record: &[u8; 40]| i16::from_le_bytes([record[32], record[33]]);
    let mut heavy = Vec::new();
    for batch in epoch(&mut loader).unwrap() {
        for (record, weight) in batch.records.iter().zip(&batch.weights) {
            let is_large = score(record).unsigned_abs() >= 400;
            assert_eq!(*weight, if is_large { 0.0 } else { 1.0 });
            if !is_large {
                heavy.push(number_of(record));
            }
        }
    }
    assert!((1..500).contains(&heavy.len()));
    targets.drop = true;
    let output = komabako_loader::Output { targets: Some(targets), ..Default::default() };
    assert_eq!(order_of(&Plan { output, ..plan }), heavy);
}

#[test]
fn bad_rules_are_refused() {
    let files = Files::new();
    let path = files.write("a.psv", numbered(10).as_flattened());
    let refused = |keep: Rule| {
        let select = Select { where_: None, keep: vec![keep] };
        let plan = Plan { select, ..small(vec![Source::new(&path)]) };
        assert!(matches!(plan.start(), Err(LoaderError::BadPlan(_))));
    };
    refused(Rule { chance: RuleChance::If("true".parse().unwrap(), 1.5), weight: 1.0 });
    refused(Rule { chance: RuleChance::If("true".parse().unwrap(), 0.5), weight: f32::NAN });
    refused(Rule { chance: RuleChance::By("in_check".into(), vec![(0, 0.5)]), weight: 1.0 });
    refused(Rule { chance: RuleChance::By("ply".into(), vec![]), weight: 1.0 });
    refused(Rule { chance: RuleChance::By("ply".into(), vec![(3, 0.5), (3, 0.6)]), weight: 1.0 });
}

#[test]
fn targets_are_not_made_of_what_a_source_lacks() {
    let files = Files::new();
    let refused = |path: &Path, targets: Targets| {
        let output = komabako_loader::Output { targets: Some(targets), ..Default::default() };
        match (Plan { output, ..small(vec![Source::new(path)]) }).start() {
            Ok(_) => None,
            Err(LoaderError::BadPlan(Conflict::Field { field, .. })) => Some(field),
            Err(error) => panic!("{error}"),
        }
    };
    let scores = Targets::logistic(600.0);
    let results = scores.clone().lambda(0.0);
    let scheduled = scores.clone().lambda_by(|_, _| 1.0);
    let positions = files.convert("a.hcp", &numbered(200));
    assert_eq!(refused(&positions, scores.clone()), Some("score"));
    assert_eq!(refused(&positions, results.clone()), Some("result"));
    // Without results, but with scores.
    let scored = files.convert("a.ext36", &numbered(200));
    assert_eq!(refused(&scored, scores.clone()), None);
    assert_eq!(refused(&scored, scheduled.clone()), Some("result"));
    let mut with_results = scores;
    with_results.wdl = true;
    assert_eq!(refused(&scored, with_results), Some("result"));
    let mut dropping = results;
    dropping.score_drop_abs = Some(3);
    assert_eq!(refused(&positions, dropping), Some("score"));
    assert_eq!(refused(&files.convert("a.hcpe", &numbered(200)), scheduled), None);
}

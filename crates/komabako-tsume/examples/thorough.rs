//! Checks of the known answers that take too long for the tests: `thorough stops|tables|twins|findings|nodes`.
//!
//! * `stops`: a search stopped at every node count from 1 to 2,000 and then finished, for three problems and three goals.
//! * `tables`: every row of the files with a table of 1 MiB, in both conventions.
//! * `findings [NODES]`: the checker's findings on every row of `lengths.tsv`, with this limit for each search.
//! * `nodes [LIMIT]`: the nodes that each goal takes on all rows of the files, and the number of rows left undecided.
//! * `twins`: every row against the same board rotated by 180°, in both conventions.

#[path = "../tests/common/mod.rs"]
mod common;

use std::time::{Duration, Instant};

use common::{Row, check_nodes, compare_findings, rows, setup, turned_setup};
use komabako_board::Setup;
use komabako_tsume::{Convention, Goal, Limits, Memory, Outcome, Problem, Rules, Solver, Step, Verdict};

const STOPPED: [&str; 3] = [
    "8k/5B2n/9/9/5n3/9/9/P8/9 b RGrb3g4s2n4l17p 1",
    "6k2/9/9/4n2N1/3+s4+R/9/9/9/6P2 b RBb4g3s2n4l17p 1",
    "l8/2k6/9/9/9/9/9/9/9 b R2GSr2b2g3s4n3l18p 1",
];

fn main() {
    match std::env::args().nth(1).as_deref() {
        Some("stops") => stops(),
        Some("tables") => tables(),
        Some("twins") => twins(),
        Some("findings") => findings(),
        Some("nodes") => nodes(),
        _ => panic!("usage: thorough stops|tables|twins|findings|nodes"),
    }
}

fn finish(solver: &mut Solver, setup: &Setup, goal: Goal, first_step: u64) -> Outcome {
    let problem = Problem::new(setup, Rules::default()).expect("a problem");
    let mut solving = solver.start(&problem, goal);
    let mut step = solving.step(first_step);
    loop {
        match step {
            Step::Done(outcome) => return outcome,
            Step::Progress(_) => step = solving.step(1_000_000),
        }
    }
}

fn stops() {
    let mut solver = Solver::new(Memory::mebibytes(1));
    for sfen in STOPPED {
        let setup = setup(sfen);
        for goal in [Goal::Any, Goal::Shortest(Convention::Tsume), Goal::Shortest(Convention::Strict)] {
            let expected = finish(&mut solver, &setup, goal, u64::MAX);
            for nodes in 1..=2_000 {
                let outcome = finish(&mut solver, &setup, goal, nodes);
                assert_eq!(outcome.verdict, expected.verdict, "{goal:?} stopped at {nodes}: {sfen}");
            }
            println!("{goal:?}: 2,000 stops in {} nodes, one verdict: {sfen}", expected.nodes);
        }
    }
}

/// Every row of the known answers, with its strict length if it is a mate.
fn all() -> impl Iterator<Item = (Row, Option<u16>)> {
    let lengths = rows(include_str!("../tests/data/lengths.tsv")).map(|row| (row.number("strict"), row));
    let mates = rows(include_str!("../tests/data/mate.tsv")).map(|row| (row.number("mate_length"), row));
    let none = rows(include_str!("../tests/data/no_mate.tsv")).map(|row| (row, None));
    lengths.chain(mates).map(|(length, row)| (row, Some(length))).chain(none)
}

fn length(solver: &mut Solver, setup: &Setup, convention: Convention) -> Option<(u16, u32)> {
    match finish(solver, setup, Goal::Shortest(convention), u64::MAX).verdict {
        Verdict::Mate(mate) => {
            assert!(mate.length.is_exact() && mate.ties_settled);
            Some((mate.length.plies(), mate.left.len()))
        }
        Verdict::NoMate(_) => None,
        Verdict::Unknown { reason, .. } => panic!("no limit was set, but {reason:?}"),
    }
}

fn tables() {
    let mut small = Solver::new(Memory::bytes(0));
    let mut number = 0;
    for (row, strict) in all() {
        let setup = row.setup();
        let found = length(&mut small, &setup, Convention::Strict).map(|(plies, _)| plies);
        assert_eq!(found, strict, "{}", row.get("sfen"));
        let tsume = length(&mut small, &setup, Convention::Tsume).map(|(plies, _)| plies);
        assert_eq!(tsume.is_some(), strict.is_some(), "{}", row.get("sfen"));
        assert!(tsume <= strict, "{}", row.get("sfen"));
        if row.has("tsume") {
            assert_eq!(tsume, Some(row.number("tsume")), "{}", row.get("sfen"));
        }
        number += 1;
    }
    println!("{number} rows are right with a table of 1 MiB");
}

fn twins() {
    let mut solver = Solver::new(Memory::mebibytes(64));
    let mut number = 0;
    for (row, _) in all() {
        let setup = row.setup();
        let turned = turned_setup(&setup);
        for convention in [Convention::Strict, Convention::Tsume] {
            let own = length(&mut solver, &setup, convention);
            let other = length(&mut solver, &turned, convention);
            assert_eq!(own, other, "{convention:?} {}", row.get("sfen"));
        }
        number += 1;
    }
    println!("{number} rows and their twins are equal: verdict, lengths, number of pieces left");
}

fn nodes() {
    let limit = std::env::args().nth(2).map_or(50_000, |nodes| nodes.parse().expect("a number"));
    let limits = Limits { nodes: Some(limit), ..Limits::default() };
    let mut solver = Solver::new(Memory::mebibytes(64));
    let lengths = || rows(include_str!("../tests/data/lengths.tsv"));
    let mates = || rows(include_str!("../tests/data/mate.tsv"));
    let none = || rows(include_str!("../tests/data/no_mate.tsv"));
    for goal in [Goal::Any, Goal::Shortest(Convention::Strict), Goal::Shortest(Convention::Tsume)] {
        let sets: [(_, Vec<Row>); 3] =
            [("lengths", lengths().collect()), ("mate", mates().collect()), ("no_mate", none().collect())];
        for (name, rows) in sets {
            let mut total = 0;
            let mut open = 0;
            let mut inexact = 0;
            for row in &rows {
                let problem = Problem::new(&row.setup(), Rules::default()).expect("a problem");
                let outcome = solver.solve(&problem, goal, &limits);
                total += outcome.nodes;
                match outcome.verdict {
                    Verdict::Unknown { .. } => open += 1,
                    Verdict::Mate(mate) => inexact += usize::from(!mate.length.is_exact()),
                    Verdict::NoMate(_) => {}
                }
            }
            println!(
                "{goal:?}\t{name}\t{total} nodes, {open} of {} undecided, {inexact} not exact",
                rows.len()
            );
        }
    }
}

fn findings() {
    let nodes = std::env::args().nth(2).map_or(200_000, |nodes| nodes.parse().expect("a number"));
    let mut solver = Solver::new(Memory::mebibytes(64));
    let mut compared = 0;
    let mut undecided = 0;
    let mut differing = 0;
    let mut slowest = (Duration::ZERO, "");
    for row in rows(include_str!("../tests/data/lengths.tsv")) {
        let start = Instant::now();
        let report = check_nodes(&mut solver, &row.setup(), nodes);
        slowest = slowest.max((start.elapsed(), row.get("sfen")));
        let counts = compare_findings(&row, &report);
        for difference in &counts.differences {
            println!("{}\t{difference}", row.get("sfen"));
        }
        compared += counts.compared;
        undecided += counts.undecided;
        differing += counts.differences.len();
    }
    println!("slowest row: {:.1} s, {}", slowest.0.as_secs_f64(), slowest.1);
    println!(
        "{compared} findings, {differing} differ, {undecided} of the files undecided within {nodes} nodes"
    );
}

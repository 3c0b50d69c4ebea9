//! Stops, small tables, small stacks, and results for other hands.

mod common;

use common::{rows, setup};
use komabako_board::BaseKind;
use komabako_tsume::{
    Convention, Goal, Hands, Limits, Memory, Outcome, Problem, Reason, Root, Rules, Solver, Step, Verdict,
};

const NINE: &str = "8k/5B2n/9/9/5n3/9/9/P8/9 b RGrb3g4s2n4l17p 1";

const FIVE: &str = "6k2/9/9/4n2N1/3+s4+R/9/9/9/6P2 b RBb4g3s2n4l17p 1";

fn problem(sfen: &str) -> Problem {
    Problem::new(&setup(sfen), Rules::default()).expect("a problem")
}

fn finish(solving: &mut komabako_tsume::Solving<'_>) -> Outcome {
    loop {
        if let Step::Done(outcome) = solving.step(10_000) {
            return outcome;
        }
    }
}

/// `thorough stops` tries every number of nodes.
#[test]
fn every_stop_is_resumed_with_the_same_answer() {
    let mut solver = Solver::new(Memory::mebibytes(1));
    for goal in [Goal::Any, Goal::Shortest(Convention::Tsume), Goal::Shortest(Convention::Strict)] {
        let problem = problem(NINE);
        let expected = solver.solve(&problem, goal, &Limits::default());
        for nodes in (1..=40).step_by(2).chain((41..=2_000).step_by(240)) {
            let mut solving = solver.start(&problem, goal);
            let first = solving.step(nodes);
            let outcome = if let Step::Done(outcome) = first { outcome } else { finish(&mut solving) };
            // The node at which the search stopped is opened and counted again.
            assert_eq!(outcome.verdict, expected.verdict, "{goal:?} stopped at {nodes}");
        }
    }
}

#[test]
fn finished_search_keeps_its_result() {
    let mut solver = Solver::new(Memory::mebibytes(1));
    let problem = problem(FIVE);
    for goal in [Goal::Shortest(Convention::Tsume), Goal::Within(3, Convention::Strict)] {
        let mut solving = solver.start(&problem, goal);
        let outcome = finish(&mut solving);
        assert_eq!(solving.stop(Reason::Cancelled), outcome, "{goal:?}");
    }
}

/// Each step asks all questions again from the first one, so the problem is small.
#[test]
fn a_problem_is_solved_node_by_node() {
    let mut solver = Solver::new(Memory::mebibytes(1));
    let problem = problem(FIVE);
    for goal in [Goal::Any, Goal::Shortest(Convention::Tsume), Goal::Shortest(Convention::Strict)] {
        let expected = solver.solve(&problem, goal, &Limits::default());
        let mut solving = solver.start(&problem, goal);
        let outcome = loop {
            let before = solving.nodes();
            if let Step::Done(outcome) = solving.step(1) {
                break outcome;
            }
            // Testing a drop opens the positions after all its captures at once.
            assert!(solving.nodes() <= before + 8, "{before} to {}", solving.nodes());
        };
        assert_eq!(outcome.verdict, expected.verdict, "{goal:?}");
    }
}

/// Every other row: `thorough tables` takes all of them, in both conventions.
#[test]
fn small_tables_are_slower_but_never_wrong() {
    let mut solver = Solver::new(Memory::bytes(0));
    for row in rows(include_str!("data/lengths.tsv")).step_by(2) {
        let outcome =
            solver.solve(&problem(row.get("sfen")), Goal::Shortest(Convention::Tsume), &Limits::default());
        let Verdict::Mate(mate) = outcome.verdict else { panic!("{}", row.get("sfen")) };
        assert_eq!(mate.length.plies(), row.number("tsume"), "{}", row.get("sfen"));
    }
}

#[test]
fn unknown_verdict_names_the_limit() {
    let problem = problem(NINE);
    let mut solver = Solver::new(Memory::mebibytes(1));
    let mut verdict = |limits: Limits<'_>| solver.solve(&problem, Goal::Any, &limits).verdict;
    let nodes = Limits { nodes: Some(3), ..Limits::default() };
    assert!(matches!(verdict(nodes), Verdict::Unknown { reason: Reason::Nodes, .. }));
    let depth = Limits { depth: Some(7), ..Limits::default() };
    assert!(matches!(verdict(depth), Verdict::Unknown { reason: Reason::Depth, excluded: Some(7..) }));
    let within = |depth| {
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        let mut solver = Solver::new(Memory::mebibytes(1));
        solver.solve(&problem, Goal::Within(9, Convention::Tsume), &limits).verdict
    };
    assert!(matches!(within(6), Verdict::Unknown { reason: Reason::Depth, excluded: Some(5) }));
    assert!(matches!(within(9), Verdict::Mate(_)));
    let flag = core::sync::atomic::AtomicBool::new(true);
    let cancelled = Limits { cancel: Some(&flag), nodes: None, ..Limits::default() };
    let mut long = Solver::new(Memory::mebibytes(1));
    let zuko = "g3p3+r/3lPG3/1s4ppp/1l1B4P/L2b1kPl1/3+p3+R+p/3+p2+s1S/+NP+p1gS3/1g+p2P3 b 4P3n 1";
    let zuko = Problem::new(&setup(zuko), Rules::default()).expect("a problem");
    let verdict = long.solve(&zuko, Goal::Any, &cancelled).verdict;
    assert!(matches!(verdict, Verdict::Unknown { reason: Reason::Cancelled, .. }));
}

#[test]
fn long_paths_need_no_machine_stack() {
    let run = || {
        let zuko = "g3p3+r/3lPG3/1s4ppp/1l1B4P/L2b1kPl1/3+p3+R+p/3+p2+s1S/+NP+p1gS3/1g+p2P3 b 4P3n 1";
        let problem = Problem::new(&setup(zuko), Rules::default()).expect("a problem");
        let mut solver = Box::new(Solver::new(Memory::mebibytes(8)));
        let limits = Limits { nodes: Some(60_000), ..Limits::default() };
        solver.solve(&problem, Goal::Any, &limits).nodes
    };
    let thread = std::thread::Builder::new().stack_size(256 << 10).spawn(run).expect("a thread");
    assert!(thread.join().expect("no overflow") > 0);
}

/// A proof for a hand holds for larger hands, a refutation for smaller ones.
///
/// The bound is the row's own length: with a bound of nine plies for all, a row of seven took ten times as many nodes.
#[test]
fn larger_hands_mate_no_later() {
    let mut solver = Solver::new(Memory::mebibytes(4));
    let limits = Limits { nodes: Some(20_000), ..Limits::default() };
    for row in rows(include_str!("data/lengths.tsv")).step_by(4) {
        let given = row.setup();
        let strict = row.number("strict");
        let attacker = given.side_to_move();
        let defender = komabako_board::color::opponent(given.side_to_move());
        if strict > 9 {
            continue;
        }
        for kind in BaseKind::IN_HAND {
            let mut raised = given;
            let own = given.hand(attacker).count(kind);
            let other = given.hand(defender).count(kind);
            if other == 0 {
                continue;
            }
            raised.set_hand_count(defender, kind, other - 1).unwrap();
            raised.set_hand_count(attacker, kind, own + 1).unwrap();
            let rules = Rules { hands: Hands::AsGiven, root: Root::Attack };
            let problem = Problem::new(&raised, rules).expect("a problem");
            let verdict = solver.solve(&problem, Goal::Within(strict, Convention::Strict), &limits).verdict;
            let mates = matches!(&verdict, Verdict::Mate(mate) if mate.length.plies() <= strict);
            assert!(mates, "{} with one more {kind:?}: {verdict:?}", row.get("sfen"));
        }
    }
}

#[test]
fn invalid_problems_are_refused() {
    for sfen in [
        "9/9/9/9/9/9/9/9/9 b - 1",
        "9/9/9/9/9/9/9/9/8K b G 1",
        "4k4/4P4/9/9/9/9/9/9/9 b - 1",
        "P3k4/9/9/9/9/9/9/9/9 b - 1",
        "4k4/9/9/9/9/8P/8P/9/9 b - 1",
    ] {
        assert!(Problem::new(&setup(sfen), Rules::default()).is_err(), "{sfen}");
    }
    assert!(komabako_board::sfen::parse("l1k6/9/1pB6/9/9/9/9/9/9 b RGrb4g4s3n3l16p 1").is_err());
}

#[test]
fn the_defender_may_be_to_move() {
    let rules = Rules { root: Root::Defend, ..Rules::default() };
    let mut solver = Solver::new(Memory::mebibytes(1));
    let mut verdict = |sfen: &str| {
        let problem = Problem::new(&setup(sfen), rules).expect("a problem");
        solver.solve(&problem, Goal::Shortest(Convention::Tsume), &Limits::default()).verdict
    };
    let Verdict::Mate(mate) = verdict("4k4/4G4/4P4/9/9/9/9/9/9 w - 1") else { panic!("mated") };
    assert_eq!((mate.length.plies(), mate.line.len()), (0, 0));
    assert!(matches!(verdict("4k4/4G4/9/9/9/9/9/9/9 w - 1"), Verdict::NoMate(_)));
}

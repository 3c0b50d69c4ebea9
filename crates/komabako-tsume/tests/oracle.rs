//! The solver and the checker against the slow oracle on random positions, and the oracle against the known answers.
//!
//! `cargo test` compares the solver on 250 positions. For more, give a number:
//! `cargo run --release -p komabako-tsume --example against_oracle -- 100000`.

mod common;

use std::collections::HashSet;

use common::{Generated, check_nodes, rows};
use komabako_board::{Move, Setup};
use komabako_rules::Move16;
use komabako_testkit::cases;
use komabako_testkit::setups::Rng;
use komabako_testkit::tsume_oracle::{Oracle, Rules as OracleRules, Step};
use komabako_tsume::{CheckReport, Convention, Finding, FindingKind, Goal, Limits, Memory, Solver, Verdict};

#[path = "common/random.rs"]
mod random;

/// The number of random positions; the checker examines those with a short mate.
const RANDOM_REPORTS: usize = 1_200;

fn text(line: &[Move]) -> String {
    let usi = |&mv: &Move| Move16::from_move(mv).expect("a legal move").to_string();
    line.iter().map(usi).collect::<Vec<_>>().join(" ")
}

#[test]
fn oracle_agrees_with_the_known_answers() {
    let mut reached = 0;
    for row in rows(include_str!("data/lengths.tsv")).step_by(cases::one_in()) {
        let setup = row.setup();
        let attacker = setup.side_to_move();
        for (tsume, prefix) in [(false, "strict"), (true, "tsume")] {
            let length = row.number(prefix);
            let mut oracle = Oracle::new(Generated, attacker, tsume, 2_000);
            let Ok(found) = oracle.attack(&setup, length) else { continue };
            assert_eq!(found, Some(length), "{prefix} {}", row.get("sfen"));
            if let Ok((line, left)) = oracle.line(&setup, length) {
                assert_eq!(text(&line), row.get(&format!("{prefix}_line")));
                assert_eq!(left, u32::from(row.number(&format!("{prefix}_left"))));
                reached += 1;
            }
            if let (true, Ok((line, _))) = (tsume, oracle.author_line(&setup, length)) {
                assert_eq!(text(&line), row.get("author_line"), "{}", row.get("sfen"));
            }
        }
    }
    assert!(reached > cases::scaled(100), "{reached}");
}

#[test]
fn random_positions_agree_with_the_oracle() {
    let mut rng = Rng::new(1);
    let mut solver = Solver::new(Memory::mebibytes(1));
    let mut counts = random::Counts::default();
    for _ in 0..cases::scaled(250) {
        let problem = random::random_problem(&mut rng);
        let differences = random::compare(&mut solver, &problem, &mut counts);
        assert!(differences.is_empty(), "{differences:?}");
    }
    assert!(counts.mates > cases::scaled(40) && counts.refuted > cases::scaled(100), "{counts:?}");
}

/// The rules, except that the attacker has no move in some positions.
struct Without(HashSet<Setup>);

impl OracleRules for Without {
    fn steps(&self, setup: &Setup) -> Vec<Step> {
        if self.0.contains(setup) { Vec::new() } else { Generated.steps(setup) }
    }
}

/// Numbers of compared moves beside main lines.
#[derive(Clone, Copy, Debug, Default)]
struct Beside {
    mates: usize,
    refuted: usize,
    duals: usize,
    replies: usize,
}

impl Beside {
    /// Compares a report with the oracle in both directions, as far as the oracle gets within `positions` positions: each
    /// check that mates is reported with its length and the right kind, and so is each other reply that lasts as long.
    fn compare(&mut self, setup: Setup, report: &CheckReport, positions: u64) {
        use FindingKind::{Dual, EqualDefence, LastMove, Undecided, Unspecified};
        let line = &report.line;
        let mut setups = vec![setup];
        for &mv in line {
            let steps = Generated.steps(setups.last().expect("the first"));
            let is_it = |step: &&Step| Move16::from_move(step.mv) == Some(mv);
            setups.push(steps.iter().find(is_it).expect("a legal move").after);
        }
        let attacker = setup.side_to_move();
        let main_line: HashSet<Setup> = setups.iter().copied().step_by(2).collect();
        for (place, &mv) in line.iter().enumerate() {
            let attacks = place % 2 == 0;
            let is_last = place + 1 == line.len();
            let is_here = |finding: &&Finding| usize::from(finding.ply) == place + 1;
            let is_open = |finding: &Finding| finding.mv.is_none() && finding.kind == Undecided;
            if report.findings.iter().filter(is_here).any(is_open) {
                continue;
            }
            for step in Generated.steps(&setups[place]) {
                let other = Move16::from_move(step.mv);
                if other == Some(mv) || attacks && !step.check {
                    continue;
                }
                let at = format!("{setup} ply {} {:?}", place + 1, step.mv);
                let own = report.findings.iter().filter(is_here).find(|finding| finding.mv == other);
                let kind = own.map(|finding| finding.kind);
                let mut oracle = Oracle::new(Generated, attacker, true, positions);
                if !attacks {
                    // The oracle's attack does not decide whether a drop counts.
                    let rest = (line.len() - place - 1) as u16;
                    let Ok(length) = oracle.attack(&step.after, rest) else { continue };
                    let is_drop = matches!(step.mv, Move::Drop { .. });
                    match kind {
                        Some(EqualDefence) => assert_eq!(length, Some(rest), "{at}"),
                        Some(Undecided) => {}
                        kind => assert!(is_drop || length != Some(rest), "{at}: {kind:?}"),
                    }
                    self.replies += 1;
                    continue;
                }
                let bound = own.and_then(|finding| finding.length).map_or(4, |length| length - 1);
                let Ok(length) = oracle.defend(&step.after, bound) else { continue };
                match length {
                    None => {
                        assert!(own.and_then(|finding| finding.length).is_none(), "{at}: {kind:?}");
                        self.refuted += 1;
                    }
                    Some(_) if kind == Some(Undecided) => continue,
                    Some(length) => {
                        let own = own.unwrap_or_else(|| panic!("{at} {report:?}"));
                        // The length is absent if the search for it reached its limit.
                        assert_eq!(own.length.unwrap_or(length + 1), length + 1, "{at}: {kind:?}");
                        assert_eq!(own.kind == LastMove, is_last, "{at}");
                        self.mates += 1;
                    }
                }
                let mut oracle = Oracle::new(Without(main_line.clone()), attacker, false, positions);
                if let (false, Some(_), Ok(Some(_))) = (is_last, length, oracle.defend(&step.after, bound)) {
                    assert!(kind == Some(Dual) || kind == Some(Unspecified), "{at}: {kind:?}");
                    self.duals += 1;
                }
            }
        }
    }
}

/// Every other row: all rows take twice the time and find no more.
#[test]
fn oracle_confirms_findings_on_short_problems() {
    let mut solver = Solver::new(Memory::mebibytes(1));
    let mut beside = Beside::default();
    for row in rows(include_str!("data/lengths.tsv"))
        .filter(|row| row.number("tsume") <= 5)
        .step_by(2 * cases::one_in())
    {
        let report = check_nodes(&mut solver, &row.setup(), 3_000);
        if !report.line.is_empty() {
            assert_eq!(
                report.line.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "),
                row.get("tsume_line")
            );
            beside.compare(row.setup(), &report, 100);
        }
    }
    assert!(beside.mates > cases::scaled(100) && beside.duals > cases::scaled(20), "{beside:?}");
    // Replies are few: a sample of the rows may have only one or two.
    assert!(beside.replies > if cases::one_in() == 1 { 40 } else { 0 }, "{beside:?}");
}

/// Positions with one king or two; the defender holds all remaining pieces or some of them. One run compared 2,500 positions,
/// of which 197 had a report: 1,135 mating checks and 266 duals.
#[test]
fn oracle_confirms_findings_on_random_positions() {
    let mut rng = Rng::new(16);
    let mut solver = Solver::new(Memory::mebibytes(1));
    let limits = Limits { nodes: Some(1_000), report_nodes: Some(10_000), ..Limits::default() };
    let mut beside = Beside::default();
    let mut reports = 0;
    for _ in 0..cases::scaled(RANDOM_REPORTS) {
        let problem = random::random_problem(&mut rng);
        // Most positions have no short mate, so there is nothing to report.
        let quick = Limits { nodes: Some(200), ..Limits::default() };
        let verdict = solver.solve(&problem, Goal::Within(5, Convention::Tsume), &quick).verdict;
        if !matches!(verdict, Verdict::Mate(_)) {
            continue;
        }
        let report = solver.check(&problem, None, &limits).expect("no author's line");
        if !report.line.is_empty() {
            reports += 1;
            beside.compare(problem.setup(), &report, 100);
        }
    }
    assert!(reports > cases::scaled(60) && beside.mates > cases::scaled(300), "{reports} {beside:?}");
    // Duals are few too in random positions.
    assert!(beside.duals > if cases::one_in() == 1 { 60 } else { 0 }, "{reports} {beside:?}");
}

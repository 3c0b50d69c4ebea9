//! Solves the known answers in steps of a thousand nodes, as a page in a browser does, and runs some steps of Zuko 100.
//!
//! It needs no clock, threads or files and prints nothing. Built for `wasm32-unknown-unknown` it runs under Node as the
//! function `main` of the module, which traps if an answer is wrong.

use komabako_board::sfen;
use komabako_tsume::{Convention, Goal, Length, Memory, Problem, Reason, Rules, Solver, Step, Verdict};

const ROWS: &str = include_str!("../tests/data/lengths.tsv");
const ZUKO_100: &str = "g3p3+r/3lPG3/1s4ppp/1l1B4P/L2b1kPl1/3+p3+R+p/3+p2+s1S/+NP+p1gS3/1g+p2P3 b 4P3n 1";

fn problem(text: &str) -> Problem {
    Problem::new(&sfen::parse(text).expect("SFEN").setup, Rules::default()).expect("a problem")
}

fn main() {
    let mut solver = Solver::new(Memory::mebibytes(16));
    for row in ROWS.lines().skip(1) {
        let cells: Vec<&str> = row.split('\t').collect();
        let problem = problem(cells[0]);
        for (convention, cell) in [(Convention::Strict, cells[1]), (Convention::Tsume, cells[2])] {
            let mut solving = solver.start(&problem, Goal::Shortest(convention));
            let outcome = loop {
                if let Step::Done(outcome) = solving.step(1_000) {
                    break outcome;
                }
            };
            let Verdict::Mate(mate) = outcome.verdict else { panic!("no mate: {}", cells[0]) };
            assert_eq!(mate.length, Length::Exact(cell.parse().expect("a length")), "{}", cells[0]);
        }
    }
    // A caller that is cancelled during a step starts no further one.
    let zuko = problem(ZUKO_100);
    let mut solving = solver.start(&zuko, Goal::Any);
    for _ in 0..60 {
        let before = solving.nodes();
        assert!(matches!(solving.step(1_000), Step::Progress(_)));
        assert!(solving.nodes() <= before + 2_000, "{} nodes in a step", solving.nodes() - before);
    }
    let outcome = solving.stop(Reason::Cancelled);
    assert!(matches!(outcome.verdict, Verdict::Unknown { reason: Reason::Cancelled, .. }));
}

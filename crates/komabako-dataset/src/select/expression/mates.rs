//! Mates for `mate_in`: searches of a bounded number of nodes, with a small table for each thread.

use std::cell::RefCell;

use komabako_board::Setup;
use komabako_tsume::{Convention, Goal, Limits, Memory, Outcome, Problem, Rules, Solver, Verdict};

/// The value of `mate_in` if no mate was found: greater than any length.
pub(super) const NO_MATE: i64 = 65_535;

/// The maximum number of nodes to search for a record. That is enough to find mates of up to about nine plies; a few hundred
/// nodes refute nearly all positions without a mate.
const NODES: u64 = 10_000;

/// A table of this size keeps all entries of a search of `NODES` nodes.
const MEMORY: Memory = Memory::mebibytes(2);

thread_local! {
    static SOLVER: RefCell<Solver> = RefCell::new(Solver::new(MEMORY));
}

/// The length in plies of the shortest mate found for the side to move, against every legal reply.
pub(super) fn mate_in(setup: &Setup) -> i64 {
    match solve(setup, Goal::Shortest(Convention::Strict)).map(|outcome| outcome.verdict) {
        Some(Verdict::Mate(mate)) => mate.length.plies().into(),
        _ => NO_MATE,
    }
}

/// Whether a mate by the side to move within `plies` is found.
pub(super) fn mates_within(setup: &Setup, plies: u16) -> bool {
    let outcome = solve(setup, Goal::Within(plies, Convention::Strict));
    matches!(outcome.map(|outcome| outcome.verdict), Some(Verdict::Mate(_)))
}

/// `None` if the position is not a problem: its king is missing, or no game can be played from it.
fn solve(setup: &Setup, goal: Goal) -> Option<Outcome> {
    let problem = Problem::new(setup, Rules::default()).ok()?;
    let limits = Limits { nodes: Some(NODES), ..Limits::default() };
    Some(SOLVER.with_borrow_mut(|solver| solver.solve(&problem, goal, &limits)))
}

#[cfg(test)]
mod tests {
    use komabako_board::sfen;

    use super::*;

    fn setup(text: &str) -> Setup {
        sfen::parse(text).unwrap().setup
    }

    #[test]
    fn only_mates_that_the_solver_finds_count() {
        let three = setup("3sks3/9/4S4/9/9/B8/9/9/9 b S2rb4g4n4l18p 1");
        assert_eq!(mate_in(&three), 3);
        assert!(mates_within(&three, 3) && mates_within(&three, 7) && !mates_within(&three, 2));
        assert!(!mates_within(&three, 0));
        // A position without mate, one without a king to mate, and a mate in 611, which is out of reach.
        let zuko = "g3p3+r/3lPG3/1s4ppp/1l1B4P/L2b1kPl1/3+p3+R+p/3+p2+s1S/+NP+p1gS3/1g+p2P3 b 4P3n 1";
        for text in ["startpos", "9/9/9/9/9/9/9/9/4K4 b G 1", zuko] {
            assert_eq!(mate_in(&setup(text)), NO_MATE, "{text}");
            assert!(!mates_within(&setup(text), 700), "{text}");
        }
    }
}

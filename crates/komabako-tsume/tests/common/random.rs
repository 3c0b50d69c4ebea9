//! Random problems with one king or two, and a comparison of the solver with the oracle on them.

use komabako_board::{BaseKind, Color, Piece, Position, Setup, Square, square};
use komabako_rules::{Move16, MoveList, MoveSet, State};
use komabako_testkit::setups::Rng;
use komabako_testkit::tsume_oracle::Oracle;
use komabako_tsume::{
    Convention, Goal, Hands, Limits, Mate, Problem, Refutation, Root, Rules, Solver, Verdict,
};

use crate::common::Generated;

/// The longest mates that the oracle looks for.
const MAX: u16 = 7;

/// Numbers of questions by answer. Each position has two questions, one per convention.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    pub mates: usize,
    pub refuted: usize,
    /// Positions with different lengths in the two conventions.
    pub differing: usize,
    /// Questions that exceeded the oracle's limit.
    pub skipped: usize,
    /// Answers of the solver that a limit of nodes left open. None of them may be wrong.
    pub undecided: usize,
}

/// A king near a corner, some pieces around him, up to four pieces in the attacker's hand and the rest with the defender.
fn random_setup(rng: &mut Rng) -> Setup {
    let mut setup = Setup::EMPTY;
    let defender = if rng.below(2) == 0 { Color::White } else { Color::Black };
    let attacker = komabako_board::color::opponent(defender);
    let near = |rng: &mut Rng, spread: usize| {
        let file = rng.below(spread);
        let rank = rng.below(spread);
        let index = file * 9 + rank;
        let index = if rng.below(2) == 0 { index } else { (8 - file) * 9 + rank };
        square::from_index(if defender == Color::White { index } else { 80 - index }).unwrap_or(Square::SQ_5E)
    };
    let king = near(rng, 3);
    let _ = setup.place(king, Piece::new(BaseKind::King.unpromoted(), defender));
    if rng.below(4) == 0 {
        let own = near(rng, 9);
        if setup.piece_at(own).is_none() {
            let _ = setup.place(own, Piece::new(BaseKind::King.unpromoted(), attacker));
        }
    }
    for _ in 0..2 + rng.below(7) {
        let spread = if rng.below(3) == 0 { 9 } else { 5 };
        let to = near(rng, spread);
        let kind = BaseKind::IN_HAND[rng.below(7)];
        let promoted = rng.below(4) == 0;
        let kind = if promoted { kind.promoted().unwrap_or(kind.unpromoted()) } else { kind.unpromoted() };
        let side = if rng.below(2) == 0 { attacker } else { defender };
        if setup.piece_at(to).is_none() {
            let _ = setup.place(to, Piece::new(kind, side));
        }
    }
    for _ in 0..rng.below(5) {
        let kind = BaseKind::IN_HAND[rng.below(7)];
        let _ = setup.set_hand_count(attacker, kind, setup.hand(attacker).count(kind) + 1);
    }
    // Sometimes the defender holds at most one piece of each kind, as in positions of games.
    if rng.below(2) == 0 {
        for kind in BaseKind::IN_HAND {
            let _ = setup.set_hand_count(defender, kind, rng.below(2).min(setup.removed(kind).into()) as u8);
        }
    }
    setup.set_side_to_move(attacker);
    setup
}

/// A random setup that is a problem with at least one check.
pub fn random_problem(rng: &mut Rng) -> Problem {
    loop {
        let setup = random_setup(rng);
        let hands = if rng.below(2) == 0 { Hands::Auto } else { Hands::AsGiven };
        let Ok(problem) = Problem::new(&setup, Rules { hands, root: Root::Attack }) else { continue };
        let position = Position::new_tsume(problem.setup()).expect("a position");
        let mut checks = MoveList::new();
        State::<u64>::new(&position).expect("a problem").generate(MoveSet::Checks, &mut checks);
        if !checks.is_empty() {
            return problem;
        }
    }
}

/// Compares solver and oracle on a problem. Returns their differences.
pub fn compare(solver: &mut Solver, problem: &Problem, counts: &mut Counts) -> Vec<String> {
    let mut differences = Vec::new();
    let mut lengths = [None; 2];
    for (place, convention) in [Convention::Strict, Convention::Tsume].into_iter().enumerate() {
        let setup = problem.setup();
        let mut oracle = Oracle::new(Generated, problem.attacker(), place == 1, 4_000);
        let Ok(expected) = oracle.attack(&setup, MAX) else {
            counts.skipped += 1;
            continue;
        };
        let limits = Limits { nodes: Some(20_000), ..Limits::default() };
        let within = solver.solve(problem, Goal::Within(MAX, convention), &limits).verdict;
        let shortest = solver.solve(problem, Goal::Shortest(convention), &limits).verdict;
        let agrees_within = match (&within, expected) {
            (Verdict::Mate(mate), Some(length)) => (length..=MAX).contains(&mate.length.plies()),
            (Verdict::NoMate(_), None) => true,
            (Verdict::Unknown { .. }, _) => {
                counts.undecided += 1;
                true
            }
            _ => false,
        };
        let agrees = match (&shortest, expected) {
            (Verdict::Mate(mate), Some(length)) if mate.length.is_exact() => {
                lengths[place] = Some(length);
                counts.mates += 1;
                mate.length.plies() == length && agrees_on_line(mate, &mut oracle, &setup, length)
            }
            (Verdict::Mate(mate), expected) => {
                counts.undecided += usize::from(expected.is_some());
                mate.length.plies() >= expected.unwrap_or(MAX + 1)
            }
            (Verdict::NoMate(refutation), None) => {
                counts.refuted += 1;
                *refutation != Refutation::Longer
            }
            // The search for a mate of any length may exceed its limit where the oracle finds a short one.
            (Verdict::Unknown { excluded, .. }, expected) => {
                counts.undecided += 1;
                excluded.is_none_or(|excluded| expected.is_none_or(|length| length > excluded))
            }
            _ => false,
        };
        if !agrees_within || !agrees {
            differences
                .push(format!("{convention:?} {setup}: within {within:?}, {shortest:?}, not {expected:?}"));
        }
    }
    counts.differing += usize::from(lengths[0] != lengths[1]);
    differences
}

/// Whether the line is the determined one, as far as the oracle can tell.
fn agrees_on_line(mate: &Mate, oracle: &mut Oracle<Generated>, setup: &Setup, length: u16) -> bool {
    let Ok((line, left)) = oracle.line(setup, length) else { return true };
    let line: Vec<_> = line.into_iter().map(|mv| Move16::from_move(mv).expect("legal")).collect();
    mate.line == line && mate.left.len() == left
}

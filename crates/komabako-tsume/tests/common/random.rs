//! Random problems with one king and with two, and what the solver and the oracle say of them.

use komabako_board::{BaseKind, Color, Piece, Position, Setup, Square, square};
use komabako_rules::State;
use komabako_testkit::setups::Rng;
use komabako_testkit::tsume_oracle::Oracle;
use komabako_tsume::{
    Convention, Goal, Hands, Length, Limits, Memory, Problem, Refutation, Root, Rules, Solver, Verdict,
};

use crate::common::Generated;

/// How many positions came to what.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    pub mates: usize,
    pub refuted: usize,
    /// How many mates have different lengths in the two conventions.
    pub differing: usize,
    pub skipped: usize,
}

/// A king near the edge, some pieces around him, an attacker's hand of up to four and the rest with the defender.
fn random_setup(rng: &mut Rng) -> Setup {
    let mut setup = Setup::EMPTY;
    let defender = if rng.below(2) == 0 { Color::White } else { Color::Black };
    let attacker = komabako_board::color::opponent(defender);
    let near = |rng: &mut Rng, spread: usize| {
        let (file, rank) = (rng.below(spread), rng.below(spread));
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
    // Sometimes the defender lacks kinds, as in positions of games.
    if rng.below(2) == 0 {
        for kind in BaseKind::IN_HAND {
            let _ = setup.set_hand_count(defender, kind, rng.below(2).min(setup.removed(kind).into()) as u8);
        }
    }
    setup.set_side_to_move(attacker);
    setup
}

/// Compares solver and oracle on so many random positions that are problems; panics where they differ.
pub fn compare(seed: u64, positions: usize) -> Counts {
    const MAX: u16 = 7;
    let mut rng = Rng::new(seed);
    let mut counts = Counts::default();
    let mut solver = Solver::new(Memory::mebibytes(1));
    let mut done = 0;
    while done < positions {
        let setup = random_setup(&mut rng);
        let hands = if rng.below(2) == 0 { Hands::Auto } else { Hands::AsGiven };
        let Ok(problem) = Problem::new(&setup, Rules { hands, root: Root::Attack }) else { continue };
        let setup = problem.setup();
        let state = State::<u64>::new(&Position::new_tsume(setup).expect("a position")).expect("a problem");
        let mut checks = komabako_rules::MoveList::new();
        state.generate(komabako_rules::MoveSet::Checks, &mut checks);
        if checks.is_empty() {
            continue;
        }
        done += 1;
        let mut lengths = [None; 2];
        for (place, convention) in [Convention::Strict, Convention::Tsume].into_iter().enumerate() {
            let tsume = convention == Convention::Tsume;
            let mut oracle = Oracle::new(Generated, problem.attacker(), tsume, 4_000);
            let Ok(expected) = oracle.attack(&setup, MAX) else {
                counts.skipped += 1;
                continue;
            };
            let limits = Limits { nodes: Some(50_000), ..Limits::default() };
            let within = solver.solve(&problem, Goal::Within(MAX, convention), &limits).verdict;
            match (&within, expected) {
                (Verdict::Mate(_), Some(_)) => {}
                (Verdict::NoMate(_), None) => counts.refuted += 1,
                _ => panic!("{convention:?} within {MAX}: {within:?}, not {expected:?}: {setup}"),
            }
            let verdict = solver.solve(&problem, Goal::Shortest(convention), &limits).verdict;
            match (&verdict, expected) {
                (Verdict::Mate(mate), Some(length)) => {
                    assert_eq!(mate.length, Length::Exact(length), "{convention:?} {setup}");
                    lengths[place] = Some(length);
                    counts.mates += 1;
                    let (line, left) = match oracle.line(&setup, length) {
                        Ok(best) => best,
                        Err(_) => continue,
                    };
                    let line: Vec<_> = line
                        .into_iter()
                        .map(|mv| komabako_rules::Move16::from_move(mv).expect("legal"))
                        .collect();
                    assert_eq!(mate.line, line, "{convention:?} {setup}");
                    assert_eq!(mate.left.len(), left, "{convention:?} {setup}");
                }
                (Verdict::Mate(mate), None) => {
                    assert!(mate.length.plies() > MAX, "{convention:?} {verdict:?}: {setup}");
                }
                (Verdict::NoMate(refutation), None) => {
                    assert_ne!(*refutation, Refutation::Longer, "{setup}");
                }
                (Verdict::Unknown { .. }, None) => counts.skipped += 1,
                _ => panic!("{convention:?}: {verdict:?}, not {expected:?}: {setup}"),
            }
        }
        counts.differing += usize::from(lengths[0] != lengths[1]);
    }
    counts
}

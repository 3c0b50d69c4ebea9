//! The generator's handle on every backend, against moves judged one by one and against the state's own results.

use komabako_board::BaseKind;
use komabako_rules::{EvasionClass, Generator, Move16, MoveList, MoveSet, State};
use komabako_testkit::backends;

use crate::common::{random_games, random_positions};

/// All moves from a square to a square, and all drops, legal or not.
fn all_moves() -> Vec<Move16> {
    let squares = || komabako_board::square::all();
    let moved = squares().flat_map(|from| {
        squares().flat_map(move |to| [false, true].map(|promotes| Move16::board(from, to, promotes)))
    });
    let dropped =
        BaseKind::IN_HAND.into_iter().flat_map(|kind| squares().filter_map(move |to| Move16::drop(kind, to)));
    moved.chain(dropped).collect()
}

fn sorted(moves: &[Move16]) -> Vec<Move16> {
    let mut moves = moves.to_vec();
    moves.sort();
    moves
}

fn assert_agrees(generator: Generator, states: &[State], legal: &[Vec<Move16>]) {
    let mut moves = MoveList::new();
    let mut expected = MoveList::new();
    for (state, legal) in states.iter().zip(legal) {
        generator.legal_moves(state, &mut moves);
        assert_eq!(sorted(&moves), *legal, "{generator:?} {state:?}");
        assert_eq!(generator.count_legal_moves(state), legal.len(), "{generator:?} {state:?}");
        for most in [0, 1, 4, 6, 1000] {
            let count = generator.count_legal_moves_up_to(state, most);
            assert_eq!(count, legal.len().min(most as usize), "{generator:?} {state:?}");
        }
        assert_eq!(generator.has_legal_move(state), !legal.is_empty(), "{generator:?} {state:?}");
        generator.generate(state, MoveSet::Captures, &mut moves);
        state.generate(MoveSet::Captures, &mut expected);
        assert_eq!(&*moves, &*expected, "{generator:?} {state:?}");
        let mate = generator.mate_in_one_or_checks(state, &mut moves);
        let gives_check = |mv: &&Move16| state.gives_check(**mv);
        assert_eq!(sorted(&moves), sorted(&legal.iter().filter(gives_check).copied().collect::<Vec<_>>()));
        let mates = |check: &&Move16| {
            let mut after = (*state).clone();
            after.do_move(**check);
            after.count_legal_moves() == 0
        };
        assert_eq!(mate, moves.iter().find(mates).copied(), "{generator:?} {state:?}");
        let without_moves = state.check_without_moves(&moves);
        assert_eq!(generator.check_without_moves(state, &moves), without_moves, "{generator:?} {state:?}");
        for check in &moves {
            assert_eq!(
                generator.is_mate_after(state, *check),
                mates(&check),
                "{generator:?} {check} {state:?}"
            );
        }
        if !state.checkers().is_empty() {
            generator.evasions(state, &mut moves);
            assert_eq!(sorted(&moves), *legal, "{generator:?} {state:?}");
        }
    }
}

#[test]
fn generator_agrees_with_the_state_on_every_backend() {
    let states: Vec<State> = random_positions(21).take(150).chain(random_games(22).take(250)).collect();
    let all = all_moves();
    let legal: Vec<Vec<Move16>> = states
        .iter()
        .map(|state| sorted(&all.iter().copied().filter(|&mv| state.is_legal(mv)).collect::<Vec<_>>()))
        .collect();
    backends::for_each_backend(|backend| assert_agrees(Generator::new(backend), &states, &legal));
}

#[test]
fn classes_of_evasions_make_up_all_evasions() {
    let in_check = |state: &State| !state.checkers().is_empty();
    let states: Vec<State> =
        random_positions(23).take(4_000).chain(random_games(24).take(4_000)).filter(in_check).collect();
    backends::for_each_backend(|backend| {
        let generator = Generator::new(backend);
        let mut moves = MoveList::new();
        let mut counts = [0; 4];
        for state in &states {
            let mut joined = Vec::new();
            for (class, count) in EvasionClass::ALL.into_iter().zip(&mut counts) {
                generator.evasions_of(state, class, &mut moves);
                let king = state.king(state.side_to_move());
                for mv in &moves {
                    let captures = mv.to().is_some_and(|to| state.checkers().contains(to));
                    let own = match (mv.dropped(), mv.from() == king) {
                        (Some(_), _) => EvasionClass::Drops,
                        (None, true) => EvasionClass::KingMoves,
                        (None, false) if captures => EvasionClass::Captures,
                        (None, false) => EvasionClass::Interpositions,
                    };
                    assert_eq!(own, class, "{generator:?} {mv} {state:?}");
                }
                joined.extend_from_slice(&moves);
                *count += moves.len();
            }
            generator.evasions(state, &mut moves);
            assert_eq!(joined, *moves, "{generator:?} {state:?}");
        }
        assert!(counts.iter().all(|&count| count > 20), "{backend}: {counts:?}");
    });
    // A side that is not in check has no evasions.
    let mut moves = MoveList::new();
    for class in EvasionClass::ALL {
        State::<u64>::start().evasions_of(class, &mut moves);
        assert!(moves.is_empty());
    }
}

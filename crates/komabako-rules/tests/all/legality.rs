//! Legal moves against a slow reference and against rsshogi; single moves against lists.

use crate::common::{random_games, random_positions};
use komabako_board::{Color, color};
use komabako_rules::{Move16, MoveList, MoveSet, State};
use komabako_testkit::cases;
use komabako_testkit::peers::Rsshogi;
use komabako_testkit::reference_moves;

/// The moves' bits, ascending.
fn sorted(moves: impl IntoIterator<Item = Move16>) -> Vec<u16> {
    let mut bits: Vec<u16> = moves.into_iter().map(Move16::bits).collect();
    bits.sort_unstable();
    bits
}

fn generated(state: &State, set: MoveSet) -> Vec<u16> {
    let mut moves = MoveList::new();
    state.generate(set, &mut moves);
    sorted(moves.iter().copied())
}

fn positions() -> impl Iterator<Item = State> {
    let each = cases::scaled(4_000);
    random_positions(1).take(each).chain(random_games(2).take(each))
}

#[test]
fn lists_equal_the_reference() {
    for state in positions() {
        let setup = state.setup();
        let reference = |moves: std::collections::BTreeSet<_>| {
            sorted(moves.into_iter().map(|mv| Move16::from_move(mv).expect("no king is dropped")))
        };
        assert_eq!(
            generated(&state, MoveSet::Legal),
            reference(reference_moves::legal_moves(&setup)),
            "{setup}"
        );
        let pseudo_legal = reference(reference_moves::pseudo_legal_moves(&setup));
        assert_eq!(generated(&state, MoveSet::PseudoLegal), pseudo_legal, "{setup}");
    }
}

#[test]
fn move_sets_are_subsets_of_the_legal_moves() {
    for state in positions() {
        let legal = generated(&state, MoveSet::Legal);
        assert_eq!(state.count_legal_moves(), legal.len());
        let part = |set, belongs: &dyn Fn(Move16) -> bool| {
            let expected: Vec<u16> =
                legal.iter().copied().filter(|&bits| belongs(Move16::from_bits(bits))).collect();
            assert_eq!(generated(&state, set), expected, "{set:?} of {}", state.setup());
        };
        let captures = |mv: Move16| mv.to().is_some_and(|to| state.piece_at(to).is_some());
        part(MoveSet::Captures, &captures);
        part(MoveSet::Quiets, &|mv| !mv.is_drop() && !captures(mv));
        part(MoveSet::Drops, &Move16::is_drop);
        part(MoveSet::Checks, &|mv| {
            let mv = mv.to_move(state.side_to_move()).expect("a legal move is well-formed");
            let after = reference_moves::after(&state.setup(), mv);
            reference_moves::is_in_check(&after, after.side_to_move())
        });
    }
}

#[test]
fn single_moves_agree_with_the_lists() {
    for state in random_positions(3).take(150).chain(random_games(4).step_by(7).take(150)) {
        let legal = generated(&state, MoveSet::Legal);
        let pseudo_legal = generated(&state, MoveSet::PseudoLegal);
        let checks = generated(&state, MoveSet::Checks);
        for bits in 0..=u16::MAX {
            let mv = Move16::from_bits(bits);
            assert_eq!(
                state.is_pseudo_legal(mv),
                pseudo_legal.binary_search(&bits).is_ok(),
                "{mv:?} {state:?}"
            );
            assert_eq!(state.is_legal(mv), legal.binary_search(&bits).is_ok(), "{mv:?} {state:?}");
        }
        for &bits in &legal {
            let gives_check = state.gives_check(Move16::from_bits(bits));
            assert_eq!(gives_check, checks.binary_search(&bits).is_ok(), "{bits:#x} {state:?}");
        }
    }
}

#[test]
fn checks_equal_the_reference() {
    for state in positions() {
        for side in [Color::Black, Color::White] {
            assert_eq!(state.is_in_check(side), reference_moves::is_in_check(&state.setup(), side));
        }
        assert!(!state.is_in_check(color::opponent(state.side_to_move())));
    }
}

#[test]
fn piece_is_pinned_if_its_removal_gives_check() {
    for state in positions() {
        let setup = state.setup();
        let side = state.side_to_move();
        assert_eq!(state.checkers().is_empty(), !state.is_in_check(side));
        if state.is_in_check(side) {
            continue;
        }
        for square in setup.color(side) {
            let mut opened = setup;
            opened.clear(square);
            assert_eq!(
                state.pinned().contains(square),
                reference_moves::is_in_check(&opened, side),
                "{setup}"
            );
        }
    }
}

/// Set `KOMABAKO_POSITIONS` to the number of positions for a longer run.
#[test]
fn lists_equal_those_of_rsshogi() {
    let count = std::env::var("KOMABAKO_POSITIONS")
        .map_or_else(|_| cases::scaled(20_000), |text| text.parse().expect("a number"));
    let peer = Rsshogi::new();
    let mut compared = 0;
    let mut moves = 0;
    let mut states = random_games(5).zip(random_positions(6)).flat_map(|(game, setup)| [game, setup]);
    while compared < count {
        let state = states.next().expect("the iterators are endless");
        // rsshogi requires both kings.
        if [Color::Black, Color::White].into_iter().any(|side| state.king(side).is_none()) {
            continue;
        }
        let setup = state.setup();
        let Some(expected) = peer.legal_moves(&setup) else { continue };
        assert_eq!(generated(&state, MoveSet::Legal), expected, "{setup}");
        compared += 1;
        moves += expected.len();
    }
    assert!(moves > compared);
}

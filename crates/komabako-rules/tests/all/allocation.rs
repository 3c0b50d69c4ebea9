//! Operations per position and per move do not allocate.

use crate::common::{random_games, random_positions};
use allocation_counter::measure;
use komabako_board::Position;
use komabako_rules::{DeclarationRule, MoveList, MoveSet, State};

#[test]
fn generating_and_making_moves_does_not_allocate() {
    let mut states: Vec<State> = random_positions(41).take(200).chain(random_games(42).take(200)).collect();
    let mut moves = MoveList::new();
    let info = measure(|| {
        for state in &mut states {
            for set in [MoveSet::Legal, MoveSet::PseudoLegal, MoveSet::Checks, MoveSet::Captures] {
                state.generate(set, &mut moves);
                moves.retain(|mv| set != MoveSet::PseudoLegal || state.is_legal(mv));
                for &mv in &moves {
                    assert!(state.is_pseudo_legal(mv));
                    let checks = state.gives_check(mv);
                    let undo = state.do_move(mv);
                    assert_eq!(checks, !state.checkers().is_empty());
                    state.undo_move(undo);
                }
            }
            state.count_legal_moves();
            state.declare(DeclarationRule::Points27, 0);
        }
    });
    assert_eq!(info.count_total, 0);
}

#[test]
fn setting_up_a_position_does_not_allocate() {
    let setups: Vec<_> = random_games(43).take(200).map(|state| state.setup()).collect();
    let info = measure(|| {
        for &setup in &setups {
            let position = Position::new(setup).expect("a game has only positions");
            assert!(State::<u128>::new(&position).is_ok());
        }
    });
    assert_eq!(info.count_total, 0);
}

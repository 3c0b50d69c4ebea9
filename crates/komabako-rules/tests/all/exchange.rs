//! Exchanges, against those of a plain board.

use komabako_board::{PieceKind, Position, sfen};
use komabako_rules::{Move16, MoveList, State, material};
use komabako_testkit::{cases, reference_moves};

use crate::common::{random_games, random_positions};

#[test]
fn exchanges_are_those_of_the_reference() {
    let mut moves = MoveList::new();
    let mut long = 0;
    let positions = cases::scaled(50_000);
    for state in random_games(21).take(positions).chain(random_positions(22).take(positions)) {
        let setup = state.setup();
        let best = reference_moves::best_capture(&setup);
        assert_eq!(state.best_capture(), best, "{state:?}");
        for least in [-90, 0, 1, 100, 1000] {
            assert_eq!(
                state.wins_material(least),
                best.is_some_and(|best| best >= least),
                "{least} {state:?}"
            );
        }
        state.legal_moves(&mut moves);
        for &mv in moves.iter().step_by(7) {
            let expected = reference_moves::exchange(&setup, mv.to_move(setup.side_to_move()).unwrap());
            assert_eq!(state.exchange(mv), expected, "{mv} {state:?}");
            long += usize::from(expected != 0);
        }
    }
    assert!(long > positions / 10, "{long} moves win or lose something");
}

#[test]
fn no_material_is_too_little_to_win() {
    let state = State::<()>::start();
    for least in [i32::MIN, i32::MIN + 1, i32::MAX] {
        assert!(!state.wins_material(least), "{least}: no move captures or promotes");
    }
}

#[track_caller]
fn exchange(sfen: &str, mv: &str) -> i32 {
    let setup = sfen::parse(sfen).unwrap().setup;
    let position = Position::new_tsume(setup).unwrap();
    State::<()>::new(&position).unwrap().exchange(mv.parse::<Move16>().unwrap())
}

#[test]
fn exchanges_by_hand() {
    // Two rooks in a line against a protected pawn: the second is behind the first.
    assert_eq!(exchange("4k4/4g4/4p4/9/9/4R4/4R4/9/4K4 b - 1", "5f5c+"), 90 + 405 - 1395 + 540 + 405);
    // A king takes only what is not protected.
    assert_eq!(exchange("9/4k4/4p4/4P4/9/9/9/9/4K4 b - 1", "5d5c+"), 90 + 450 - 540);
    assert_eq!(exchange("9/4k4/4p4/4P4/4L4/9/9/9/4K4 b - 1", "5d5c+"), 90 + 450);
    // A drop wins nothing and may be taken.
    assert_eq!(exchange("4k4/4g4/9/9/9/9/9/9/4K4 b P 1", "P*5c"), -90);
    assert_eq!(exchange("4k4/9/9/9/9/9/9/9/4K4 b P 1", "P*5c"), 0);
    // Seen by White.
    assert_eq!(exchange("4k4/9/9/9/4p4/4P4/9/9/4K4 w - 1", "5e5f"), 90);
}

#[test]
fn material_has_a_value_for_each_kind() {
    assert_eq!(
        [PieceKind::Pawn, PieceKind::Gold, PieceKind::King, PieceKind::ProPawn, PieceKind::ProRook]
            .map(material),
        [90, 540, 0, 540, 1395]
    );
}

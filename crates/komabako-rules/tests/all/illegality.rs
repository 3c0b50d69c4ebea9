//! The reasons why moves are not legal, and moves in slices.

use crate::common::{random_games, random_positions};
use komabako_bits::Backend;
use komabako_board::{Position, Setup, sfen};
use komabako_rules::{Illegality, Move16, MoveList, State, first_illegal};
use komabako_testkit::backends;

fn state(text: &str) -> State {
    State::new(&Position::new_tsume(sfen::parse(text).unwrap().setup).unwrap()).unwrap()
}

/// Each reason: a position, a move, the reason's name and a part of its text.
const REASONS: [(&str, &str, &str, &str); 15] = [
    ("startpos", "G*5e", "MOVE_NOT_IN_HAND", "no Gold in hand"),
    ("4k4/9/9/9/9/9/9/9/4K4 b G 1", "G*5a", "MOVE_OCCUPIED", "5a"),
    ("startpos", "5e5d", "MOVE_NO_PIECE", "5e"),
    ("startpos", "3c3d", "MOVE_OPPONENTS_PIECE", "3c"),
    ("startpos", "9i9g", "MOVE_OWN_PIECE", "9g"),
    ("startpos", "8h2b+", "MOVE_UNREACHABLE", "in its way"),
    ("startpos", "2g2e", "MOVE_UNREACHABLE", "does not move so"),
    ("startpos", "7g7f+", "MOVE_PROMOTION", "cannot promote"),
    ("4k4/1G7/9/9/9/9/9/9/4K4 b - 1", "8b8a+", "MOVE_PROMOTION", "cannot promote"),
    ("4k4/1P7/9/9/9/9/9/9/4K4 b - 1", "8b8a", "MOVE_DEAD_END", "never move again"),
    ("4k4/9/9/9/9/9/9/9/4K4 w n 1", "N*2h", "MOVE_DEAD_END", "never move again"),
    ("4k4/9/9/9/9/9/4P4/9/4K4 b P 1", "P*5d", "MOVE_NIFU", "file 5"),
    ("4k4/9/9/9/9/4r4/9/4G4/4K4 b - 1", "5h4h", "MOVE_KING_IN_CHECK", "in check"),
    ("4k4/9/9/9/9/4r4/9/9/4K4 b P 1", "P*4h", "MOVE_KING_IN_CHECK", "in check"),
    ("7nk/7n1/8S/9/9/9/9/9/4K3R b P 1", "P*1b", "MOVE_PAWN_DROP_MATE", "may not mate"),
];

#[test]
fn every_reason_is_found_and_named() {
    for (position, mv, name, part) in REASONS {
        let reason = state(position).judge(mv.parse().unwrap()).unwrap_err();
        assert_eq!(reason.name(), name, "{mv} in {position}");
        assert!(reason.to_string().contains(part), "{reason}");
    }
    assert_eq!(state("startpos").judge(Move16::NONE), Err(Illegality::Malformed));
}

#[test]
fn exactly_the_legal_moves_are_judged_legal() {
    for state in random_positions(3).take(60).chain(random_games(4).take(60)) {
        for mv in (0..=u16::MAX).map(Move16::from_bits) {
            let verdict = state.judge(mv);
            assert_eq!(verdict.is_ok(), state.is_legal(mv), "{mv:?} in {}", state.setup());
            let is_for_the_king =
                matches!(verdict, Err(Illegality::KingInCheck | Illegality::PawnDropMate) | Ok(()));
            assert_eq!(is_for_the_king, state.is_pseudo_legal(mv), "{mv:?} in {}", state.setup());
        }
    }
}

#[test]
fn slices_and_single_moves_are_judged_alike_on_every_backend() {
    let mut moves = MoveList::new();
    let mut legal = |state: &State| {
        state.legal_moves(&mut moves);
        moves.last().copied()
    };
    let (setups, chosen): (Vec<Setup>, Vec<Move16>) =
        random_games(5).filter_map(|state| Some((state.setup(), legal(&state)?))).take(500).unzip();
    backends::for_each_backend(|backend| {
        assert_eq!(first_illegal(backend, &setups, &chosen), None);
        for at in [0, 1, 250, 499] {
            let mut moves = chosen.clone();
            moves[at] = Move16::NONE;
            assert_eq!(first_illegal(backend, &setups, &moves), Some(at));
            let mut damaged = setups.clone();
            damaged[at] = Setup::EMPTY;
            assert_eq!(first_illegal(backend, &damaged, &chosen), Some(at));
        }
    });
    assert_eq!(first_illegal(Backend::detect(), &[], &[]), None);
}

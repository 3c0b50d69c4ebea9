//! The queries of a mate solver, against lists and moves that are made.

use crate::common::{random_games, random_positions};
use komabako_board::{BaseKind, Color, File, Rank, Square, color};
use komabako_rules::{Move16, MoveList, MoveSet, State};

fn positions() -> impl Iterator<Item = State> {
    random_positions(11).take(6_000).chain(random_games(12).take(6_000))
}

fn list(state: &State, set: MoveSet) -> MoveList {
    let mut moves = MoveList::new();
    state.generate(set, &mut moves);
    moves
}

#[test]
fn has_legal_move_agrees_with_the_list() {
    for mut state in positions() {
        assert_eq!(state.has_legal_move(), state.count_legal_moves() > 0, "{state:?}");
        for &check in &*list(&state, MoveSet::Checks) {
            let undo = state.do_move(check);
            assert_eq!(state.has_legal_move(), state.count_legal_moves() > 0, "{check} {state:?}");
            state.undo_move(undo);
        }
    }
}

#[test]
fn mates_are_found_without_making_the_check() {
    let mut mates = 0;
    let mut answered_by_drops = 0;
    for mut state in positions() {
        let checks = list(&state, MoveSet::Checks);
        let mut first = None;
        let mut without_moves = None;
        for &check in &*checks {
            let undo = state.do_move(check);
            let replies = list(&state, MoveSet::Legal);
            state.undo_move(undo);
            assert_eq!(state.is_mate_after(check), replies.is_empty(), "{check} {state:?}");
            let only_drops = replies.iter().all(|reply| reply.is_drop());
            assert_eq!(state.check_without_moves(&[check]).is_some(), only_drops, "{check} {state:?}");
            first = first.or(replies.is_empty().then_some(check));
            without_moves = without_moves.or(only_drops.then_some(check));
            answered_by_drops += usize::from(only_drops && !replies.is_empty());
        }
        mates += usize::from(first.is_some());
        assert_eq!(state.check_without_moves(&checks), without_moves, "{state:?}");
        assert_eq!(state.mate_in_one(), first);
        let mut listed = MoveList::new();
        assert_eq!(state.mate_in_one_or_checks(&mut listed), first);
        assert_eq!(&*listed, &*checks);
    }
    assert!(mates > 100, "{mates}");
    assert!(answered_by_drops > 100, "{answered_by_drops}");
}

fn distance(a: Square, b: Square) -> u8 {
    let files = File::of(a).number().abs_diff(File::of(b).number());
    files.max(Rank::of(a).number().abs_diff(Rank::of(b).number()))
}

#[test]
fn evasions_are_the_legal_moves_in_their_classes() {
    let mut drops = 0;
    for mut state in positions() {
        for &check in &*list(&state, MoveSet::Checks) {
            let undo = state.do_move(check);
            let mut evasions = MoveList::new();
            state.evasions(&mut evasions);
            let sorted = |moves: &[Move16]| {
                let mut moves = moves.to_vec();
                moves.sort();
                moves
            };
            assert_eq!(sorted(&evasions), sorted(&list(&state, MoveSet::Legal)), "{state:?}");
            let king = state.king(state.side_to_move()).unwrap();
            let class = |mv: &Move16| {
                let to = mv.to().unwrap();
                match mv.dropped() {
                    Some(kind) => {
                        assert!(state.interposition_squares().contains(to));
                        (3, distance(king, to), kind as usize)
                    }
                    None if mv.from() == Some(king) => (0, 0, 0),
                    None if state.checkers().contains(to) => (1, 0, 0),
                    None => (2, 0, 0),
                }
            };
            assert!(evasions.iter().map(class).is_sorted(), "{state:?} {evasions:?}");
            drops += evasions.iter().filter(|mv| mv.is_drop()).count();
            state.undo_move(undo);
        }
    }
    assert!(drops > 1_000, "{drops}");
}

#[test]
fn board_keys_leave_out_only_the_hands() {
    for mut state in positions() {
        let before = state.clone();
        let key = state.key();
        let board_key = state.board_key();
        for giver in [Color::Black, Color::White] {
            for kind in BaseKind::IN_HAND {
                let has = state.hand(giver).count(kind) > 0;
                assert_eq!(state.give(kind, giver), has);
                if has {
                    assert_eq!(state.key(), state.key_from_scratch());
                    assert_ne!(state.key(), key);
                    assert_eq!(state.board_key(), board_key);
                    assert!(state.give(kind, color::opponent(giver)));
                }
                assert_eq!(state, before);
            }
        }
        let mut moves = MoveList::new();
        state.legal_moves(&mut moves);
        for &mv in &moves {
            let side = state.side_to_move();
            let after = (state.board_key_after(board_key, mv), state.hand_after(mv));
            let undo = state.do_move(mv);
            assert_eq!(after, (state.board_key(), state.hand(side)), "{mv}");
            state.undo_move(undo);
        }
        let mut bare = state.setup();
        for (side, kind) in
            [Color::Black, Color::White].into_iter().flat_map(|c| BaseKind::IN_HAND.map(|k| (c, k)))
        {
            bare.set_hand_count(side, kind, 0).unwrap();
        }
        if let Ok(bare) = komabako_board::Position::new_tsume(bare) {
            assert_eq!(State::<u64>::new(&bare).unwrap().key(), board_key);
        }
    }
}

//! Moves made and taken back. States are compared in all their fields: pieces, hands, kings, checkers, pins and key.

use crate::common::{random_games, random_positions};
use komabako_board::Position;
use komabako_rules::zobrist::Key;
use komabako_rules::{MoveList, State};
use komabako_testkit::reference_moves;

#[test]
fn undo_restores_everything_and_do_agrees_with_the_reference() {
    let mut moves = MoveList::new();
    let mut compared = 0;
    for mut state in random_positions(11).take(300).chain(random_games(12).take(300)) {
        let before = state.clone();
        state.legal_moves(&mut moves);
        for &mv in &moves {
            let undo = state.do_move(mv);
            let reference = mv.to_move(before.side_to_move()).expect("a legal move is well-formed");
            let expected = reference_moves::after(&before.setup(), reference);
            assert_eq!(state.setup(), expected, "{mv} in {}", before.setup());
            let rebuilt = State::new(&Position::new_tsume(expected).expect("legal moves keep the rules"));
            assert_eq!(Ok(state.clone()), rebuilt, "{mv} in {}", before.setup());
            compared += usize::from(!state.checkers().is_empty() || !state.pinned().is_empty());
            state.undo_move(undo);
            assert_eq!(state, before, "{mv}");
        }
    }
    assert!(compared > 1_000, "only {compared} of the moves check or pin");
}

#[test]
fn null_move_changes_only_the_side_to_move() {
    for mut state in random_games(13).take(500) {
        let before = state.clone();
        state.do_null_move();
        let mut setup = before.setup();
        setup.set_side_to_move(state.side_to_move());
        assert_eq!(state.setup(), setup);
        assert_eq!(state.key(), before.key() ^ 1);
        if before.checkers().is_empty() {
            let rebuilt = State::new(&Position::new(setup).expect("kings and pieces stay where they are"));
            assert_eq!(rebuilt.as_ref(), Ok(&state));
        }
        state.do_null_move();
        assert_eq!(state, before);
    }
}

#[test]
fn keys_are_updated_and_the_narrow_key_is_half_of_the_wide_one() {
    fn walk<K: Key>(seed: u64) -> Vec<K> {
        let mut state = State::<K>::start();
        let mut rng = komabako_testkit::setups::Rng::new(seed);
        let mut moves = MoveList::new();
        std::iter::from_fn(|| {
            state.legal_moves(&mut moves);
            if moves.is_empty() {
                return None;
            }
            state.do_move(moves[rng.below(moves.len())]);
            assert_eq!(state.key(), state.key_from_scratch());
            Some(state.key())
        })
        .take(400)
        .collect()
    }
    for seed in 0..20 {
        let wide = walk::<u128>(seed);
        assert!(wide.iter().map(|&key| key as u64).eq(walk::<u64>(seed)));
        assert_eq!(walk::<()>(seed).len(), wide.len());
    }
}

#[test]
fn published_keys_never_change() {
    let state = |sfen: &str| {
        let setup = komabako_board::sfen::parse(sfen).unwrap().setup;
        State::<u128>::new(&Position::new(setup).unwrap()).unwrap().key()
    };
    // Computed from the description in `zobrist` by another program.
    assert_eq!(state("startpos"), 0xb809_1b03_1854_1542_bab4_d1fa_8cd8_424c);
    assert_eq!(
        state("l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1"),
        0x6e86_ea61_6779_76c0_f15b_a439_1345_4b63
    );
}

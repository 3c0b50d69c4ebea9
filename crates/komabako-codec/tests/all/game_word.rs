//! The words of games, beside those of their positions.

use komabako_board::Move;
use komabako_codec::{BaseKind, GameWord, Hcp, PackedSfen, PositionCodec, Setup};
use komabako_testkit::cases::scaled;
use komabako_testkit::reference_moves::{after, pseudo_legal_moves};
use komabako_testkit::setups::{Family, Rng};

/// A random move that takes no king.
fn random_move(setup: &Setup, rng: &mut Rng) -> Option<Move> {
    let takes_king = |mv: &Move| {
        let (Move::Normal { to, .. } | Move::Drop { to, .. }) = *mv;
        setup.piece_at(to).is_some_and(|piece| BaseKind::of(piece.to_parts().0) == BaseKind::King)
    };
    let moves: Vec<Move> = pseudo_legal_moves(setup).into_iter().filter(|mv| !takes_king(mv)).collect();
    if moves.is_empty() { None } else { Some(moves[rng.below(moves.len())]) }
}

fn play(game: &mut GameWord, mv: Move) {
    match mv {
        Move::Normal { from, to, promote } => game.move_piece(from, to, promote),
        Move::Drop { piece, to } => game.drop_piece(BaseKind::of(piece.to_parts().0), to),
    }
}

#[test]
fn the_word_after_each_move_is_that_of_the_position() {
    let mut rng = Rng::new(7);
    let mut moves = 0;
    for number in 0..scaled(400) {
        let mut setup = match number % 9 {
            8 => Setup::START,
            family => Family::ALL[family].generate(&mut rng),
        };
        let (Ok(mut psv), Ok(mut hcp)) = (GameWord::psv(&setup), GameWord::hcp(&setup)) else {
            assert_eq!(GameWord::psv(&setup).err(), PackedSfen::new().pack(&setup).err());
            continue;
        };
        for _ in 0..60 {
            assert_eq!(Ok(psv.word()), PackedSfen::new().pack(&setup));
            assert_eq!(Ok(hcp.word()), Hcp::new().pack(&setup));
            let Some(mv) = random_move(&setup, &mut rng) else { break };
            setup = after(&setup, mv);
            play(&mut psv, mv);
            play(&mut hcp, mv);
            moves += 1;
        }
    }
    assert!(moves > 10 * scaled(400), "{moves} moves");
}

/// Moves that no game has give some word, and no panic.
#[test]
fn any_move_is_accepted() {
    let mut rng = Rng::new(8);
    let mut game = GameWord::psv(&Setup::START).unwrap();
    let squares: Vec<_> = komabako_board::square::all().collect();
    for _ in 0..scaled(100_000) {
        let from = squares[rng.below(81)];
        let to = squares[rng.below(81)];
        if rng.chance(50) {
            game.move_piece(from, to, rng.chance(50));
        } else {
            game.drop_piece(BaseKind::ALL[rng.below(8)], to);
        }
        game.word();
    }
}

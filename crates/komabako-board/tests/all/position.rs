//! Positions and conversions on random setups, against mailbox transcriptions of the rules.

use komabako_board::{
    Color, File, Piece, PieceKind, Position, PositionFault, Rank, Setup, Sfen, Square, color, interop, square,
};
use komabako_testkit::setups::{self, Family, Rng};

/// The squares of pieces that could never move, and the squares of pawns that share a file, by the wording of the rules.
fn bad_squares(setup: &Setup) -> (Vec<Square>, Vec<Square>) {
    let is = |square, piece| setup.piece_at(square) == Some(piece);
    let dead = |square: Square| {
        let rank = Rank::of(square).number();
        (rank == 1 && (is(square, Piece::B_P) || is(square, Piece::B_L)))
            || (rank <= 2 && is(square, Piece::B_N))
            || (rank == 9 && (is(square, Piece::W_P) || is(square, Piece::W_L)))
            || (rank >= 8 && is(square, Piece::W_N))
    };
    let doubled = |square: Square| {
        [Piece::B_P, Piece::W_P].into_iter().any(|pawn| {
            let of_file = |other: &Square| File::of(*other) == File::of(square);
            is(square, pawn) && square::all().filter(of_file).filter(|&other| is(other, pawn)).count() > 1
        })
    };
    (
        square::all().filter(|&square| dead(square)).collect(),
        square::all().filter(|&square| doubled(square)).collect(),
    )
}

#[test]
fn faults_agree_with_the_rules_square_by_square() {
    let mut playable = 0;
    for setup in setups::random(3).take(4000) {
        let result = Position::new(setup);
        let faults = result.as_ref().map_or_else(|error| error.faults(), |_| &[]);
        let mut dead = Vec::new();
        let mut doubled = Vec::new();
        let mut missing = Vec::new();
        for &fault in faults {
            match fault {
                PositionFault::KingMissing(color) => missing.push(color),
                PositionFault::Nifu(_, pawns) => doubled.extend(pawns),
                PositionFault::DeadEnd(square, piece) => {
                    assert_eq!(setup.piece_at(square), Some(piece));
                    dead.push(square);
                }
            }
        }
        dead.sort_unstable();
        doubled.sort_unstable();
        assert_eq!((dead, doubled), bad_squares(&setup));
        let has_king = |color| setup.pieces().any(|(_, piece)| piece == Piece::new(PieceKind::King, color));
        assert!(
            [Color::Black, Color::White].into_iter().all(|color| has_king(color) != missing.contains(&color))
        );
        playable += usize::from(result.is_ok());
    }
    assert!((500..3500).contains(&playable), "{playable} of 4000 random setups are playable");
}

#[test]
fn midgames_can_be_played() {
    let mut rng = Rng::new(4);
    for _ in 0..2000 {
        let setup = Family::Midgame.generate(&mut rng);
        assert_eq!(Position::new(setup).map(Setup::from), Ok(setup));
    }
}

#[test]
fn random_setups_round_trip_through_shogi_core() {
    for (ply, setup) in (1..).zip(setups::random(5).take(2000)) {
        let position = interop::to_partial_position(&Sfen { setup, ply: Some(ply) });
        assert_eq!(u32::from(position.ply()), ply);
        assert_eq!(position.side_to_move(), setup.side_to_move());
        for white in [false, true] {
            let color = color::from_bit(white);
            assert_eq!(position.king_position(color), setup.king(color));
        }
        assert_eq!(Setup::try_from(&position), Ok(setup));
    }
}

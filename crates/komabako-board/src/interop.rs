//! Conversions to and from the types of [`shogi_core`] that have a counterpart here.
//!
//! [`Color`], [`Square`](crate::Square), [`PieceKind`](crate::PieceKind), [`Piece`](crate::Piece) and
//! [`Move`](crate::Move) are `shogi_core`'s own. Boards and hands are not, and convert with `From` and `TryFrom`;
//! [`to_partial_position`] converts a whole setup. No conversion relies on the inner representation of a `shogi_core` type,
//! which its documentation calls unstable: each works square by square. Use them at the boundaries of a program, not in its
//! inner loops.

use crate::{BaseKind, Bitboard, Color, Hand, Setup, SetupError, Sfen, square};

impl From<shogi_core::Bitboard> for Bitboard {
    fn from(board: shogi_core::Bitboard) -> Bitboard {
        board.collect()
    }
}

impl From<Bitboard> for shogi_core::Bitboard {
    fn from(board: Bitboard) -> shogi_core::Bitboard {
        let singles = board.into_iter().map(shogi_core::Bitboard::single);
        singles.fold(shogi_core::Bitboard::empty(), shogi_core::Bitboard::or)
    }
}

impl TryFrom<shogi_core::Hand> for Hand {
    type Error = SetupError;

    /// # Errors
    /// [`SetupError::TooMany`]: a `shogi_core::Hand` counts to 255.
    fn try_from(hand: shogi_core::Hand) -> Result<Hand, SetupError> {
        BaseKind::IN_HAND.into_iter().try_fold(Hand::EMPTY, |all, kind| {
            let count = hand.count(kind.unpromoted()).unwrap_or_default();
            all.with(kind, count).ok_or(SetupError::TooMany(kind))
        })
    }
}

impl From<Hand> for shogi_core::Hand {
    fn from(hand: Hand) -> shogi_core::Hand {
        let mut all = shogi_core::Hand::new();
        for (kind, count) in hand.counts() {
            for _ in 0..count {
                all = all.added(kind.unpromoted()).unwrap_or(all);
            }
        }
        all
    }
}

impl TryFrom<&shogi_core::PartialPosition> for Setup {
    type Error = SetupError;

    /// Ply and last move are dropped.
    ///
    /// # Errors
    /// A `PartialPosition` may hold more pieces than a set: the first excess piece, in the order of the squares, then of the
    /// hands.
    fn try_from(position: &shogi_core::PartialPosition) -> Result<Setup, SetupError> {
        let mut setup = Setup::EMPTY;
        for square in square::all() {
            if let Some(piece) = position.piece_at(square) {
                setup.place(square, piece)?;
            }
        }
        for color in [Color::Black, Color::White] {
            for (kind, count) in Hand::try_from(position.hand_of_a_player(color))?.counts() {
                setup.set_hand_count(color, kind, count)?;
            }
        }
        setup.set_side_to_move(position.side_to_move());
        Ok(setup)
    }
}

/// The `PartialPosition` of a setup, without a last move; its ply is 1 where the setup's is unknown, 0 or beyond `u16`.
///
/// To compare two positions, compare their [`Setup`]s: `PartialPosition`'s `==` also compares ply, last move, and king
/// squares, which it keeps even when a king is removed.
///
/// ```
/// use komabako_board::{Setup, Sfen, interop};
/// let position = interop::to_partial_position(&Sfen { setup: Setup::START, ply: Some(1) });
/// assert_eq!(position, shogi_core::PartialPosition::startpos());
/// assert_eq!(Setup::try_from(&position), Ok(Setup::START));
/// ```
pub fn to_partial_position(sfen: &Sfen) -> shogi_core::PartialPosition {
    let mut position = shogi_core::PartialPosition::empty();
    for (square, piece) in sfen.setup.pieces() {
        position.piece_set(square, Some(piece));
    }
    for color in [Color::Black, Color::White] {
        *position.hand_of_a_player_mut(color) = sfen.setup.hand(color).into();
    }
    position.side_to_move_set(sfen.setup.side_to_move());
    let ply = sfen.ply.and_then(|ply| u16::try_from(ply).ok()).filter(|&ply| ply > 0);
    // Fails only for 0.
    let _ = position.ply_set(ply.unwrap_or(1));
    position
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Piece, PieceKind, Square, color};

    #[test]
    fn square_sets_convert_both_ways() {
        for square in square::all() {
            let theirs = shogi_core::Bitboard::single(square);
            assert_eq!(shogi_core::Bitboard::from(Bitboard::of(square)), theirs);
            assert_eq!(Bitboard::from(theirs), Bitboard::of(square));
        }
        let all = shogi_core::Bitboard::from(Bitboard::ALL);
        assert!(all.eq(Square::all()));
        assert_eq!(Bitboard::from(all), Bitboard::ALL);
        assert_eq!(Bitboard::from(shogi_core::Bitboard::empty()), Bitboard::EMPTY);
    }

    #[test]
    fn pieces_on_every_square_convert_both_ways() {
        for square in square::all() {
            for piece in Piece::all() {
                let mut setup = Setup::EMPTY;
                setup.place(square, piece).unwrap();
                setup.set_side_to_move(color::from_bit(piece.to_parts().1 == Color::Black));
                let position = to_partial_position(&Sfen { setup, ply: Some(7) });
                assert_eq!(position.piece_at(square), Some(piece));
                assert_eq!(Bitboard::from(position.piece_bitboard(piece)), Bitboard::of(square));
                assert_eq!(setup.piece_at(square), Some(piece));
                assert_eq!((position.side_to_move(), position.ply()), (setup.side_to_move(), 7));
                assert_eq!(Setup::try_from(&position), Ok(setup));
            }
        }
    }

    #[test]
    fn hand_counts_convert_both_ways() {
        for kind in BaseKind::IN_HAND {
            for count in 0..=kind.inventory() {
                let ours = Hand::EMPTY.with(kind, count).unwrap();
                let theirs = shogi_core::Hand::from(ours);
                for other in shogi_core::Hand::all_hand_pieces() {
                    let expected = if other == kind.unpromoted() { count } else { 0 };
                    assert_eq!(theirs.count(other), Some(expected));
                }
                assert_eq!(Hand::try_from(theirs), Ok(ours));
            }
            let full = shogi_core::Hand::from(Hand::EMPTY.with(kind, kind.inventory()).unwrap());
            let more = full.added(kind.unpromoted()).unwrap();
            assert_eq!(Hand::try_from(more), Err(SetupError::TooMany(kind)));
        }
    }

    #[test]
    fn more_than_a_set_is_refused() {
        let mut position = shogi_core::PartialPosition::startpos();
        *position.hand_of_a_player_mut(Color::White) = Hand::EMPTY.with(BaseKind::Rook, 1).unwrap().into();
        assert_eq!(Setup::try_from(&position), Err(SetupError::TooMany(BaseKind::Rook)));
        position.piece_set(Square::SQ_5E, Some(Piece::new(PieceKind::King, Color::Black)));
        assert_eq!(Setup::try_from(&position), Err(SetupError::SecondKing(Color::Black)));
    }

    #[test]
    fn oversized_ply_becomes_one() {
        for (ply, expected) in [(None, 1), (Some(0), 1), (Some(65535), 65535), (Some(65536), 1)] {
            assert_eq!(to_partial_position(&Sfen { setup: Setup::START, ply }).ply(), expected);
        }
    }
}

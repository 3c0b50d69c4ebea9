//! [`Player`]: the position that a certificate is at.

use alloc::vec::Vec;

use komabako_board::{Color, Hand, Square, color};
use komabako_rules::{Move16, MoveList, MoveSet, Undo};

use super::KINDS;
use crate::search::TsumeState;

/// The squares of a position, 5 bits each.
pub(super) type Board = [u64; 7];

/// The position that a certificate is at.
pub(super) struct Player {
    pub state: TsumeState,
    pub attacker: Color,
}

impl Player {
    /// The attacker's hand.
    pub fn hand(&self) -> Hand {
        self.state.hand(self.attacker)
    }

    /// The board, exactly: a hash would have to be trusted.
    pub fn board(&self) -> Board {
        let mut board = Board::default();
        for (place, square) in Square::all().enumerate() {
            let code = self.state.piece_at(square).map_or(0, |piece| u64::from(piece.as_u8()));
            board[place / 12] |= code << (5 * (place % 12));
        }
        board
    }

    /// The moves of a set, in the order of their numbers.
    pub fn moves(&self, set: MoveSet) -> Vec<Move16> {
        let mut list = MoveList::new();
        self.state.generate(set, &mut list);
        let mut moves = list.to_vec();
        moves.sort_unstable();
        moves
    }

    /// Exchanges pieces between the hands until the attacker holds this hand.
    pub fn set_hand(&mut self, hand: Hand) {
        let defender = color::opponent(self.attacker);
        for kind in KINDS {
            while self.hand().count(kind) < hand.count(kind) && self.state.give(kind, defender) {}
            while self.hand().count(kind) > hand.count(kind) && self.state.give(kind, self.attacker) {}
        }
    }

    /// Takes moves back, the last one first.
    pub fn take_back(&mut self, played: Vec<Undo<u128>>) {
        for undo in played.into_iter().rev() {
            self.state.undo_move(undo);
        }
    }
}

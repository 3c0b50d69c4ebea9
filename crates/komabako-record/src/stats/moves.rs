//! [`MoveCounts`]: the kinds of the recorded moves.

use komabako_board::{BaseKind, Bitboard, Move, Setup, color};

use super::add_all;
use super::saved::Numbers;
use crate::move16::Move16;
use crate::record::MoveBits;

/// The number of recorded moves of each kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MoveCounts {
    /// Records without a move: the field says "none", or the format has no such field.
    pub missing: u64,
    /// Pass, resignation, declaration of a win.
    pub special: u64,
    /// Bits that are not well-formed in their encoding.
    pub ill_formed: u64,
    /// Moves of pieces that the side to move does not have there: the encoding may be wrong.
    pub unmatched: u64,
    /// Moves on the board that capture a piece.
    pub captures: u64,
    /// Moves on the board that promote.
    pub promotions: u64,
    /// Moves on the board by base kind and by whether the piece was already promoted.
    board: [[u64; 2]; 8],
    /// Drops by kind.
    drops: [u64; 7],
}

impl MoveCounts {
    pub(super) fn add(&mut self, best_move: Option<MoveBits>, setup: &Setup) {
        let Some(bits) = best_move else {
            self.missing += 1;
            return;
        };
        let Ok(best_move) = bits.decode() else {
            self.ill_formed += 1;
            return;
        };
        let side = setup.side_to_move();
        match best_move.to_move(side) {
            None if best_move == Move16::NONE => self.missing += 1,
            None => self.special += 1,
            Some(Move::Drop { piece, .. }) => {
                let kind = BaseKind::of(piece.to_parts().0);
                if setup.hand(side).count(kind) > 0 {
                    self.drops[kind as usize] += 1;
                } else {
                    self.unmatched += 1;
                }
            }
            Some(Move::Normal { from, to, promote }) => {
                // Legality is not checked, which would take longer than all other counts together; only the piece must
                // exist.
                let own = Bitboard::of(from) & setup.color(side);
                let Some(kind) = BaseKind::ALL.into_iter().find(|&kind| setup.kind(kind).intersects(own))
                else {
                    self.unmatched += 1;
                    return;
                };
                self.board[kind as usize][usize::from(setup.promoted().contains(from))] += 1;
                self.captures += u64::from(setup.color(color::opponent(side)).contains(to));
                self.promotions += u64::from(promote);
            }
        }
    }

    pub(super) fn merge(&mut self, other: &MoveCounts) {
        self.missing += other.missing;
        self.special += other.special;
        self.ill_formed += other.ill_formed;
        self.unmatched += other.unmatched;
        self.captures += other.captures;
        self.promotions += other.promotions;
        add_all(self.board.as_flattened_mut(), other.board.as_flattened());
        add_all(&mut self.drops, &other.drops);
    }

    pub(super) fn visit(&mut self, numbers: &mut dyn Numbers) {
        for count in [
            &mut self.missing,
            &mut self.special,
            &mut self.ill_formed,
            &mut self.unmatched,
            &mut self.captures,
            &mut self.promotions,
        ] {
            numbers.count(count);
        }
        numbers.counts(self.board.as_flattened_mut());
        numbers.counts(&mut self.drops);
    }

    /// The number of moves on the board by a kind of piece.
    pub const fn on_board(&self, kind: BaseKind, was_promoted: bool) -> u64 {
        self.board[kind as usize][was_promoted as usize]
    }

    /// The number of drops of a kind; 0 for kings.
    pub const fn drops(&self, kind: BaseKind) -> u64 {
        match kind {
            BaseKind::King => 0,
            _ => self.drops[kind as usize],
        }
    }

    /// The number of moves on the board.
    pub fn board_total(&self) -> u64 {
        self.board.as_flattened().iter().sum()
    }

    /// The number of drops.
    pub fn drop_total(&self) -> u64 {
        self.drops.iter().sum()
    }
}

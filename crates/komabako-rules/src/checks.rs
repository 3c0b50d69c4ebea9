//! Checks, pins and attacked squares.

use komabako_board::Bitboard;

use crate::army::{Army, indices};
use crate::attacks::{self, SquareIndex, bit};
use crate::state::State;
use crate::zobrist::Key;

/// What threatens the king of the side to move.
#[derive(Clone, Copy)]
pub(crate) struct Threats {
    /// The opponent's pieces that give check.
    pub checkers: Bitboard,
    /// Our pieces that may move only on the line of the king.
    pub pinned: Bitboard,
}

impl Threats {
    /// The threats of `enemy`, which has the other colour, to the king of colour `WHITE`.
    #[inline(always)]
    pub fn of<const WHITE: bool>(king: SquareIndex, own: Bitboard, enemy: &Army) -> Self {
        let reach = attacks::reach(WHITE, king);
        let occupied = own | enemy.all;
        let mut threats = Self { checkers: enemy.steppers(reach), pinned: Bitboard::EMPTY };
        for sniper in indices(enemy.snipers(reach)) {
            let screen = attacks::between(king, sniper) & occupied;
            if screen.is_empty() {
                threats.checkers |= bit(sniper);
            } else if is_single(screen) {
                threats.pinned |= screen & own;
            }
        }
        threats
    }
}

/// Whether a set that is not empty has one square.
#[inline(always)]
pub(crate) fn is_single(set: Bitboard) -> bool {
    let [low, high] = set.lanes();
    // One lane must be empty and the other a power of two.
    (low | high) & (low | high).wrapping_sub(1) == 0 && (low == 0 || high == 0)
}

/// Whether the opponent of colour `WHITE` attacks a square.
#[inline(always)]
pub(crate) fn is_attacked<const WHITE: bool, K: Key>(
    state: &State<K>,
    square: SquareIndex,
    occupied: Bitboard,
) -> bool {
    if WHITE {
        Army::of::<false, K>(state).attacks::<false>(square, occupied)
    } else {
        Army::of::<true, K>(state).attacks::<true>(square, occupied)
    }
}

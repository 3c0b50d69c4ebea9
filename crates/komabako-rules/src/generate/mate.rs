//! Mate by a pawn drop (uchifuzume), which the rules forbid.

use komabako_board::Bitboard;

use crate::army::{Army, indices};
use crate::attacks::{self, SquareIndex, bit};
use crate::checks::Threats;

/// Whether a pawn of `US` dropped on `pawn`, the empty square in front of the other king, mates him.
#[inline(always)]
pub(crate) fn is_mate_by_pawn_drop<const US: bool, const THEM: bool>(
    own: &Army,
    enemy: &Army,
    king: SquareIndex,
    pawn: Bitboard,
) -> bool {
    let square = pawn.first_index();
    let occupied = own.all | enemy.all | pawn;
    // The king may capture the pawn.
    if !own.attacks::<US>(square, occupied) {
        return false;
    }
    // The king may step away; he does not shield the squares behind him.
    let escapes = attacks::reach(THEM, king).king.without(enemy.all | pawn);
    let without_king = occupied.without(bit(king));
    for escape in indices(escapes) {
        if !own.attacks::<US>(escape, without_king) {
            return false;
        }
    }
    // Another piece may capture it, unless it is pinned on another line.
    let pinned = Threats::of::<THEM>(king, enemy.all, own).pinned;
    let captors = enemy.attackers::<THEM>(square, occupied).without(enemy.king);
    captors.without(pinned.without(attacks::ray_through(king, square))).is_empty()
}

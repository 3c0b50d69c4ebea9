//! Proof hands and disproof hands (証明駒, 反証駒; Seo 1999): the other hands for which a result holds as well.
//!
//! The attacker and the defender share the pieces that are not on the board, so one hand determines the other. More pieces
//! in the attacker's hand never make a mate longer, fewer never make it shorter (in strict lengths):
//!
//! ```text
//! proof     mated, or all replies answered   the kindwise most that any answer needs; and if pieces may be dropped
//!                                            between, all of each kind that the defender lacks: he must not get one
//!           a check mates                    what the position after it needs, + the dropped piece, − the captured one
//! disproof  no ply left, a piece can move    all pieces: no hand of the attacker matters
//!           a reply refutes                  what that needs; if it drops a piece, one of the kind must stay with the
//!                                            defender
//!           all checks are refuted           the kindwise least over the checks, changed by drop or capture as above;
//!                                            a kind that the attacker lacks stays at none, or there were more checks
//! ```

use komabako_board::{BaseKind, Color, Hand, color};
use komabako_rules::Move16;

use super::position::TsumeState;

/// One piece.
fn one(kind: BaseKind) -> Hand {
    Hand::EMPTY.with(kind, 1).unwrap_or(Hand::EMPTY)
}

/// The proof or disproof hand before a check, given the one after it. The state is the one before the check.
pub(super) fn before_check(state: &TsumeState, check: Move16, after: Hand) -> Hand {
    if let Some(kind) = check.dropped() {
        return after.saturating_add(one(kind));
    }
    match check.to().and_then(|to| state.piece_at(to)) {
        Some(piece) => after.saturating_sub(one(BaseKind::of(piece.to_parts().0))),
        None => after,
    }
}

/// Extends the proof hand of a defender's position so that the defender holds no kind that he lacks now: he could drop it
/// between the checker and his king.
pub(super) fn keep_from_defender(state: &TsumeState, proof: Hand) -> Hand {
    if state.interposition_squares().is_empty() {
        return proof;
    }
    let defender = state.side_to_move();
    let held = state.hand(color::opponent(defender));
    proof.kindwise_max(held.of_kinds_absent_in(state.hand(defender)))
}

/// All pieces in both hands: the disproof hand where no hand of the attacker matters.
pub(super) fn all_pieces(state: &TsumeState) -> Hand {
    state.hand(Color::Black).saturating_add(state.hand(Color::White))
}

/// The start of a disproof hand: all pieces, in both hands, of the kinds that the attacker holds. The attacker is to move.
pub(super) fn all_of_held_kinds(state: &TsumeState) -> Hand {
    all_pieces(state).of_kinds_present_in(state.hand(state.side_to_move()))
}

/// The disproof hand before a reply of the defender, given the one after it. The defender is to move.
pub(super) fn before_reply(state: &TsumeState, reply: Move16, after: Hand) -> Hand {
    let Some(kind) = reply.dropped() else { return after };
    let defender = state.side_to_move();
    let all = state.hand(defender).count(kind) + state.hand(color::opponent(defender)).count(kind);
    let limit = all.saturating_sub(1);
    if after.count(kind) > limit { after.with(kind, limit).unwrap_or(after) } else { after }
}

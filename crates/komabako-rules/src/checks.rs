//! Checks, pins and attacked squares.

use komabako_board::{BaseKind, Bitboard, Color, Setup, SetupParts, color};

use crate::army::{Army, indices};
use crate::attacks::{self, SquareIndex, bit};
use crate::code::Code;
use crate::state::Keyless;

/// The threats to a king.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Threats {
    /// The opponent's pieces that give check.
    pub checkers: Bitboard,
    /// Our pieces that may move only on the line of the king.
    pub pinned: Bitboard,
}

impl Threats {
    /// No check and no pin.
    pub const NONE: Self = Self { checkers: Bitboard::EMPTY, pinned: Bitboard::EMPTY };

    /// The threats to the king of `US`; `THEM` is the other colour.
    #[inline(always)]
    pub fn to<const US: bool, const THEM: bool>(state: &Keyless) -> Self {
        let king = usize::from(state.kings[usize::from(US)]);
        Self::of::<US>(king, state.colors[usize::from(US)], &Army::of::<THEM>(state))
    }

    /// The threats to the king of `US`, the side to move, after a move of `THEM` brought `moved` to `to`.
    ///
    /// Before the move the king was not in check. So, apart from sliders, only the piece that moved can give check.
    #[inline(always)]
    pub fn after_move<const US: bool>(state: &Keyless, moved: Code, to: Bitboard) -> Self {
        let king = usize::from(state.kings[usize::from(US)]);
        let own = state.colors[usize::from(US)];
        let enemy = state.colors[usize::from(!US)];
        let reach = attacks::reach(US, king);
        let kind = |kind: BaseKind| state.kinds[kind as usize];
        // All sliders that face the king, not only those that the move uncovered: the pins may have changed with any
        // move, and the same loop finds them.
        let snipers = reach.lance & kind(BaseKind::Lance).without(state.promoted)
            | reach.bishop & kind(BaseKind::Bishop)
            | reach.rook & kind(BaseKind::Rook);
        // Only checks by one step: a slider that moved is one of the snipers.
        let checkers = attacks::contact(US, king, moved) & to;
        Self { checkers, pinned: Bitboard::EMPTY }.with_snipers(king, snipers & enemy, own, own | enemy)
    }

    /// The threats of `enemy`, which has the other colour, to the king of colour `WHITE`.
    #[inline(always)]
    pub fn of<const WHITE: bool>(king: SquareIndex, own: Bitboard, enemy: &Army) -> Self {
        let reach = attacks::reach(WHITE, king);
        let steppers = Self { checkers: enemy.steppers(reach), pinned: Bitboard::EMPTY };
        steppers.with_snipers(king, enemy.snipers(reach), own, own | enemy.all)
    }

    /// Adds the threats of `snipers`, the sliders that would meet the king on an empty board.
    #[inline(always)]
    fn with_snipers(
        mut self,
        king: SquareIndex,
        snipers: Bitboard,
        own: Bitboard,
        occupied: Bitboard,
    ) -> Self {
        for sniper in indices(snipers) {
            let screen = attacks::between(king, sniper) & occupied;
            if screen.is_empty() {
                self.checkers |= bit(sniper);
            } else if is_single(screen) {
                // If two pieces are on the line, neither is pinned: each shields the other. A single piece of the attacker's
                // own is masked off.
                self.pinned |= screen & own;
            }
        }
        self
    }
}

/// Whether the king of the side to move is attacked; `false` if it is missing. About 5 ns, a tenth of what a
/// [`State`](crate::State) takes. Nothing else of the position is judged: it may be one that no game can reach.
///
/// ```
/// use komabako_rules::is_in_check;
/// let setup = komabako_board::sfen::parse("4k4/9/9/9/9/9/9/4r4/4K4 b - 1")?.setup;
/// assert!(is_in_check(&setup));
/// # Ok::<(), komabako_board::SfenError>(())
/// ```
pub fn is_in_check(setup: &Setup) -> bool {
    let side = setup.side_to_move();
    let Some(king) = setup.king(side) else { return false };
    let SetupParts { colors, kinds, promoted, .. } = setup.parts();
    let enemy = Army::of_sets(setup.color(color::opponent(side)), kinds, *promoted);
    let occupied = colors[0] | colors[1];
    match side {
        Color::Black => enemy.attacks::<true>(king.array_index(), occupied),
        Color::White => enemy.attacks::<false>(king.array_index(), occupied),
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
pub(crate) fn is_attacked<const WHITE: bool>(
    state: &Keyless,
    square: SquareIndex,
    occupied: Bitboard,
) -> bool {
    if WHITE {
        Army::of::<false>(state).attacks::<false>(square, occupied)
    } else {
        Army::of::<true>(state).attacks::<true>(square, occupied)
    }
}

//! The moves that give check: a sink that lets only these through.

use komabako_board::{BaseKind, Bitboard};

use super::Sink;
use crate::army::{Army, indices};
use crate::attacks::{self, SquareIndex, bit};
use crate::checks::Threats;
use crate::ranks::forward;
use crate::state::Keyless;

/// Passes the moves that give check to another sink.
pub(super) struct Checks<'a, S> {
    state: &'a Keyless,
    sink: &'a mut S,
    king: SquareIndex,
    /// The squares from which an unpromoted piece of each base kind gives check, then the same for promoted ones.
    from: [[Bitboard; 8]; 2],
    /// Our pieces that are the only one between one of our sliders and the king.
    screens: Bitboard,
}

impl<'a, S: Sink> Checks<'a, S> {
    #[inline(always)]
    pub fn new<const US: bool, const THEM: bool>(state: &'a Keyless, sink: &'a mut S) -> Self {
        let king = usize::from(state.kings[usize::from(THEM)]);
        let own = Army::of::<US>(state);
        let occupied = state.occupied();
        // A piece of ours gives check from a square that the same piece of theirs would attack from the king's square.
        let reach = attacks::reach(THEM, king);
        let bishop = attacks::bishop(king, occupied);
        let rook = attacks::rook(king, occupied);
        let lance = attacks::lance(THEM, king, occupied);
        // P L N S G B R K; our king gives no check.
        let plain =
            [reach.pawn, lance, reach.knight, reach.silver, reach.gold, bishop, rook, Bitboard::EMPTY];
        let horse = bishop | reach.king;
        let dragon = rook | reach.king;
        let [gold, none] = [reach.gold, Bitboard::EMPTY];
        let promoted = [gold, gold, gold, gold, none, horse, dragon, none];
        // A piece of either colour may block a line; only ours can move off it.
        let screens =
            Threats::of::<THEM>(king, state.colors[usize::from(THEM)] | own.all, &own).pinned & own.all;
        Self { state, sink, king, from: [plain, promoted], screens }
    }

    /// The pieces that may give check at all: few of many on a full board. A pawn, silver or gold, and a piece that promotes
    /// to a gold, gives check from a neighbour of the king, which it must reach; knights and sliders do so from farther away.
    #[inline(always)]
    pub fn candidates<const THEM: bool>(&self, own: &Army) -> Bitboard {
        let near = own.near(attacks::zone(THEM, self.king));
        let steppers = near.pawns | near.lances | near.silvers | near.golds;
        self.screens | steppers | own.knights | own.bishops | own.rooks
    }

    /// The targets of a piece from which it gives check, or to which it moves off a line and uncovers one.
    #[inline(always)]
    fn checking(&self, from: SquareIndex, to: Bitboard, promotes: bool) -> Bitboard {
        let code = self.state.code_at(from);
        let direct = self.from[usize::from(promotes || code.is_promoted())][code.base()];
        // A screen that stays on its line still screens.
        let uncovering = if self.screens.intersects(bit(from)) {
            !attacks::ray_through(self.king, from)
        } else {
            Bitboard::EMPTY
        };
        to & (direct | uncovering)
    }
}

impl<S: Sink> Sink for Checks<'_, S> {
    #[inline(always)]
    fn pawns<const WHITE: bool>(&mut self, to: Bitboard, promotes: bool) {
        let mut checking = to & self.from[usize::from(promotes)][BaseKind::Pawn as usize];
        // Pawns come as one set, without their origins. Only a pawn that screens a slider can uncover a check: usually no pawn
        // does, and only those that do are tested one by one.
        for target in indices(to & forward::<WHITE>(self.screens)) {
            let from = if WHITE { target - 1 } else { target + 1 };
            checking |= self.checking(from, bit(target), promotes);
        }
        self.sink.pawns::<WHITE>(checking, promotes);
    }

    #[inline(always)]
    fn steps(&mut self, from: SquareIndex, to: Bitboard, promotes: bool) {
        self.sink.steps(from, self.checking(from, to, promotes), promotes);
    }

    #[inline(always)]
    fn slides(&mut self, from: SquareIndex, to: Bitboard, promotes: bool) {
        self.sink.slides(from, self.checking(from, to, promotes), promotes);
    }

    #[inline(always)]
    fn pawn_drops(&mut self, to: Bitboard) {
        self.sink.pawn_drops(to & self.from[0][BaseKind::Pawn as usize]);
    }

    #[inline(always)]
    fn drops(&mut self, kinds: usize, to: Bitboard) {
        // Each kind gives check from different squares, so that the set of kinds is split.
        for kind in 1..7 {
            if kinds >> kind & 1 == 1 {
                self.sink.drops(1 << kind, to & self.from[0][kind]);
            }
        }
    }
}

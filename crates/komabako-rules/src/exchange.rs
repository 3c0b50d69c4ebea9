//! The material that a move wins by the captures on its square: static exchange evaluation.
//!
//! ```text
//! exchange(move):
//!     gain = value of the captured piece + value gained by promoting
//!     return gain - best(opponent)
//!
//! best(side):                                  what a side wins on the square of the move
//!     if no piece of the side attacks the square: return 0
//!     take with the attacker of least value; among several on the square with the lowest index
//!         the king comes last, and takes only if the other side has no attacker left
//!         a piece that may promote does
//!     gain = value of the piece taken + value gained by promoting
//!     return max(0, gain - best(other side))   the side need not take
//! ```
//!
//! A piece that leaves its square opens the lines behind it. Pins are ignored, and so are checks. Promoting is never worse: a recapture
//! wins at most what the promotion had gained.

use komabako_bits::{Backend, BitOps, Kernel, dispatch};
use komabako_board::{BaseKind, Bitboard, PieceKind, kind};

use crate::Move16;
use crate::army::{Army, indices};
use crate::attacks::{self, SquareIndex, bit};
use crate::code::Code;
use crate::generate::{Sink, moves_on_board};
use crate::ranks::promotion_zone;
use crate::state::Keyless;

/// The values of P L N S G B R K, then of the same promoted, by [`Code::uncolored`].
const MATERIAL: [i32; 16] = [90, 315, 405, 495, 540, 855, 990, 0, 540, 540, 540, 540, 540, 945, 1395, 0];

/// No square has more attackers than there are pieces.
const MOST_CAPTURES: usize = 40;

/// The value of a kind of piece in [`Keyless::exchange`], which is that of YaneuraOu: P 90, L 315, N 405, S 495, G and promoted P, L,
/// N, S 540, B 855, R 990, promoted B 945, promoted R 1395. A king has 0, as it is never taken.
pub fn material(kind: PieceKind) -> i32 {
    MATERIAL[BaseKind::of(kind) as usize + if kind::is_promoted(kind) { 8 } else { 0 }]
}

impl Keyless {
    /// The [`material`] that the side to move wins by a legal move and the captures on its square that follow, each by the attacker of
    /// least value, where each side stops when that is better; negative if it loses material.
    ///
    /// Lines that open when a piece captures are included, and so are promotions. Pins and checks are ignored. About 50 ns. The
    /// result for a move that is not legal has no meaning.
    ///
    /// ```
    /// use komabako_board::{Position, sfen};
    /// use komabako_rules::State;
    /// let setup = sfen::parse("4k4/9/9/3l5/3pp4/4S4/9/9/4K4 b - 1")?.setup;
    /// let state = State::<()>::new(&Position::new(setup)?)?;
    /// // The pawn on 5e is unprotected. A lance protects that on 6e: a silver for a pawn.
    /// assert_eq!(state.exchange("5f5e".parse()?), 90);
    /// assert_eq!(state.exchange("5f6e".parse()?), 90 - 495);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn exchange(&self, mv: Move16) -> i32 {
        dispatch(Backend::detect(), Exchange { state: self, mv })
    }

    /// The greatest [`exchange`](Keyless::exchange) of the legal moves that capture or promote; `None` if there is none. About 200 ns.
    ///
    /// ```
    /// use komabako_rules::State;
    /// let mut state = State::<()>::start();
    /// assert_eq!(state.best_capture(), None);
    /// for mv in ["7g7f", "3c3d"] {
    ///     state.do_move(mv.parse()?);
    /// }
    /// // The bishops face each other, both protected: taking wins the promotion until it is retaken.
    /// assert_eq!(state.best_capture(), Some(0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn best_capture(&self) -> Option<i32> {
        dispatch(Backend::detect(), BestCapture(self))
    }
}

struct Exchange<'a> {
    state: &'a Keyless,
    mv: Move16,
}

impl Kernel for Exchange<'_> {
    type Output = i32;

    #[inline(always)]
    fn run<B: BitOps>(self, _: B) -> i32 {
        if self.state.white { self.value::<true, false>() } else { self.value::<false, true>() }
    }
}

impl Exchange<'_> {
    #[inline(always)]
    fn value<const US: bool, const THEM: bool>(&self) -> i32 {
        let exchanges = Exchanges::new::<US, THEM>(self.state);
        let to = self.mv.target();
        match self.mv.dropped() {
            Some(kind) => {
                exchanges.value::<US, THEM>(Bitboard::EMPTY, to, Code::unpromoted(kind as usize, US), 0)
            }
            None => {
                let from = self.mv.source();
                let before = self.state.code_at(from);
                let after = before.promoted_if(self.mv.is_promotion());
                let gain = exchanges.gain(before, after, to);
                exchanges.value::<US, THEM>(bit(from), to, after, gain)
            }
        }
    }
}

struct BestCapture<'a>(&'a Keyless);

impl Kernel for BestCapture<'_> {
    type Output = Option<i32>;

    #[inline(always)]
    fn run<B: BitOps>(self, ops: B) -> Option<i32> {
        if self.0.white {
            best_capture::<true, false, B>(ops, self.0)
        } else {
            best_capture::<false, true, B>(ops, self.0)
        }
    }
}

#[inline(always)]
fn best_capture<const US: bool, const THEM: bool, B: BitOps>(ops: B, state: &Keyless) -> Option<i32> {
    let mut best = Best::<US, THEM> { exchanges: Exchanges::new::<US, THEM>(state), value: None };
    moves_on_board::<US, THEM, B, _>(ops, state, &mut best);
    best.value
}

/// Both sides' pieces: the side to move and its opponent.
struct Exchanges<'a> {
    state: &'a Keyless,
    armies: [Army; 2],
}

impl<'a> Exchanges<'a> {
    #[inline(always)]
    fn new<const US: bool, const THEM: bool>(state: &'a Keyless) -> Self {
        Self { state, armies: [Army::of::<US>(state), Army::of::<THEM>(state)] }
    }

    /// What a move wins before it is answered.
    #[inline(always)]
    fn gain(&self, before: Code, after: Code, to: SquareIndex) -> i32 {
        let captured = self.state.code_at(to);
        let taken = if captured.is_empty() { 0 } else { value_of(captured) };
        taken + value_of(after) - value_of(before)
    }

    /// The value of a move that wins `gain` and after which `moved` is on `to`. `from` is empty for a drop.
    #[inline(always)]
    fn value<const US: bool, const THEM: bool>(
        &self,
        from: Bitboard,
        to: SquareIndex,
        moved: Code,
        gain: i32,
    ) -> i32 {
        let [own, enemy] = &self.armies;
        let mut occupied = (own.all | enemy.all).without(from);
        let mut attackers = enemy.attackers::<THEM>(to, occupied);
        if attackers.is_empty() {
            return gain;
        }
        attackers |= own.attackers::<US>(to, occupied) & occupied;
        let snipers = own.snipers(attacks::reach(THEM, to)) | enemy.snipers(attacks::reach(US, to));
        let zones = [promotion_zone::<US>(), promotion_zone::<THEM>()];
        let mut gains = [0; MOST_CAPTURES];
        let mut count = 0;
        let mut on_square = value_of(moved);
        let mut side = 1;
        while count < MOST_CAPTURES {
            let takers = self.armies[side].least_valuable(attackers);
            if takers.is_empty() {
                break;
            }
            let taker = takers.first_index();
            let taker_bit = bit(taker);
            occupied = occupied.without(taker_bit);
            attackers = attackers.without(taker_bit);
            for sniper in indices(snipers & occupied) {
                if !attacks::between(to, sniper).intersects(occupied) {
                    attackers |= bit(sniper);
                }
            }
            let before = self.state.code_at(taker);
            if before.base() == BaseKind::King as usize && attackers.intersects(self.armies[1 - side].all) {
                break;
            }
            let promotes = may_promote(before) && zones[side].intersects(taker_bit | bit(to));
            let after = before.promoted_if(promotes);
            gains[count] = on_square + value_of(after) - value_of(before);
            on_square = value_of(after);
            count += 1;
            side = 1 - side;
        }
        let mut best = 0;
        while count > 0 {
            count -= 1;
            best = (gains[count] - best).max(0);
        }
        gain - best
    }
}

impl Army {
    /// Those of the attackers that have the least value, all of one kind; empty if none of them is of this army.
    #[inline(always)]
    fn least_valuable(&self, attackers: Bitboard) -> Bitboard {
        let by_value = [
            self.pawns,
            self.lances,
            self.knights,
            self.silvers,
            self.golds,
            self.bishops.without(self.majors),
            self.bishops,
            self.rooks.without(self.majors),
            self.rooks,
            self.king,
        ];
        for pieces in by_value {
            let found = pieces & attackers;
            if !found.is_empty() {
                return found;
            }
        }
        Bitboard::EMPTY
    }
}

#[inline(always)]
fn value_of(code: Code) -> i32 {
    MATERIAL[usize::from(code.uncolored() & 15)]
}

#[inline(always)]
fn may_promote(code: Code) -> bool {
    !code.is_promoted() && code.base() != BaseKind::Gold as usize && code.base() != BaseKind::King as usize
}

/// Keeps the greatest value of the moves that capture or promote.
struct Best<'a, const US: bool, const THEM: bool> {
    exchanges: Exchanges<'a>,
    value: Option<i32>,
}

impl<const US: bool, const THEM: bool> Best<'_, US, THEM> {
    #[inline(always)]
    fn consider(&mut self, from: SquareIndex, to: Bitboard, promotes: bool) {
        let before = self.exchanges.state.code_at(from);
        let after = before.promoted_if(promotes);
        let wanted = if promotes { to } else { to & self.exchanges.armies[1].all };
        for to in indices(wanted) {
            let gain = self.exchanges.gain(before, after, to);
            // The answers only take from the gain.
            if self.value.is_none_or(|best| gain > best) {
                let value = self.exchanges.value::<US, THEM>(bit(from), to, after, gain);
                self.value = self.value.max(Some(value));
            }
        }
    }
}

impl<const US: bool, const THEM: bool> Sink for Best<'_, US, THEM> {
    #[inline(always)]
    fn pawns<const WHITE: bool>(&mut self, to: Bitboard, promotes: bool) {
        for target in indices(to) {
            let from = if WHITE { target - 1 } else { target + 1 };
            self.consider(from, bit(target), promotes);
        }
    }

    #[inline(always)]
    fn steps(&mut self, from: SquareIndex, to: Bitboard, promotes: bool) {
        self.consider(from, to, promotes);
    }

    #[inline(always)]
    fn slides(&mut self, from: SquareIndex, to: Bitboard, promotes: bool) {
        self.consider(from, to, promotes);
    }

    #[inline(always)]
    fn pawn_drops(&mut self, _: Bitboard) {}

    #[inline(always)]
    fn drops(&mut self, _: usize, _: Bitboard) {}
}

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

use crate::army::{Army, indices};
use crate::attacks::{self, SquareIndex, bit};
use crate::code::Code;
use crate::generate::{Sink, moves_on_board};
use crate::list::Writer;
use crate::ranks::promotion_zone;
use crate::state::Keyless;
use crate::{Move16, MoveList};

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
        if self.white {
            Exchanges::<true, false>::new(self).value(mv)
        } else {
            Exchanges::<false, true>::new(self).value(mv)
        }
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
        self.best_capture_above(None)
    }

    /// Whether a legal move that captures or promotes has an [`exchange`](Keyless::exchange) of at least `least`. Faster than
    /// [`best_capture`](Keyless::best_capture): most captures of a pawn need not be played out.
    #[inline]
    pub fn wins_material(&self, least: i32) -> bool {
        self.best_capture_above(least.checked_sub(1)) >= Some(least)
    }

    /// The greatest exchange of the captures and promotions, or `floor` if none is greater.
    fn best_capture_above(&self, floor: Option<i32>) -> Option<i32> {
        let mut moves = MoveList::new();
        let backend = Backend::detect().scalar();
        dispatch(backend, CapturesAndPromotions { state: self, moves: &mut moves });
        if self.white {
            Exchanges::<true, false>::new(self).greatest(&moves, floor)
        } else {
            Exchanges::<false, true>::new(self).greatest(&moves, floor)
        }
    }
}

/// A move before it is answered.
struct Played {
    /// The square that it leaves; empty for a drop.
    from: Bitboard,
    to: SquareIndex,
    /// What stands on `to` after it.
    code: Code,
    gain: i32,
}

/// Both sides' pieces: the side to move and its opponent.
///
/// The exchanges are not part of a kernel: they need no instructions that a CPU may lack, and a copy for each backend took 0.4 MB.
struct Exchanges<'a, const US: bool, const THEM: bool> {
    state: &'a Keyless,
    armies: [Army; 2],
}

impl<'a, const US: bool, const THEM: bool> Exchanges<'a, US, THEM> {
    fn new(state: &'a Keyless) -> Self {
        Self { state, armies: [Army::of::<US>(state), Army::of::<THEM>(state)] }
    }

    /// The greatest value of the moves, or `floor` if none is greater.
    fn greatest(&self, moves: &[Move16], floor: Option<i32>) -> Option<i32> {
        let mut best = floor;
        for &mv in moves {
            let played = self.play(mv);
            // The answers only take from the gain.
            if best.is_none_or(|best| played.gain > best) {
                best = best.max(Some(played.gain - self.best_answer(&played)));
            }
        }
        best
    }

    fn value(&self, mv: Move16) -> i32 {
        let played = self.play(mv);
        played.gain - self.best_answer(&played)
    }

    /// What a move does before it is answered.
    fn play(&self, mv: Move16) -> Played {
        let to = mv.target();
        if let Some(kind) = mv.dropped() {
            return Played { from: Bitboard::EMPTY, to, code: Code::unpromoted(kind as usize, US), gain: 0 };
        }
        let from = mv.source();
        let before = self.state.code_at(from);
        let code = before.promoted_if(mv.is_promotion());
        let captured = self.state.code_at(to);
        let taken = if captured.is_empty() { 0 } else { value_of(captured) };
        Played { from: bit(from), to, code, gain: taken + value_of(code) - value_of(before) }
    }

    /// What the other side wins by captures on the square of the move.
    fn best_answer(&self, played: &Played) -> i32 {
        let to = played.to;
        let [own, enemy] = &self.armies;
        let mut occupied = (own.all | enemy.all).without(played.from);
        let mut attackers = enemy.attackers::<THEM>(to, occupied);
        if attackers.is_empty() {
            return 0;
        }
        attackers |= own.attackers::<US>(to, occupied) & occupied;
        let snipers = own.snipers(attacks::reach(THEM, to)) | enemy.snipers(attacks::reach(US, to));
        let zones = [promotion_zone::<US>(), promotion_zone::<THEM>()];
        let mut gains = [0; MOST_CAPTURES];
        let mut count = 0;
        let mut on_square = value_of(played.code);
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
        best
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

/// Lists the legal moves that capture or promote.
struct CapturesAndPromotions<'a> {
    state: &'a Keyless,
    moves: &'a mut MoveList,
}

impl Kernel for CapturesAndPromotions<'_> {
    type Output = ();

    #[inline(always)]
    fn run<B: BitOps>(self, ops: B) {
        let enemy = self.state.colors[usize::from(!self.state.white)];
        let mut sink = CaptureSink { enemy, writer: self.moves.write(ops) };
        if self.state.white {
            moves_on_board::<true, false, _>(self.state, &mut sink);
        } else {
            moves_on_board::<false, true, _>(self.state, &mut sink);
        }
        sink.writer.finish();
    }
}

/// Lets promotions and captures through to a list.
struct CaptureSink<'a, B> {
    enemy: Bitboard,
    writer: Writer<'a, B>,
}

impl<B> CaptureSink<'_, B> {
    #[inline(always)]
    fn wanted(&self, to: Bitboard, promotes: bool) -> Bitboard {
        if promotes { to } else { to & self.enemy }
    }
}

impl<B: BitOps> Sink for CaptureSink<'_, B> {
    #[inline(always)]
    fn pawns<const WHITE: bool>(&mut self, to: Bitboard, promotes: bool) {
        self.writer.pawns::<WHITE>(self.wanted(to, promotes), promotes);
    }

    #[inline(always)]
    fn steps(&mut self, from: SquareIndex, to: Bitboard, promotes: bool) {
        self.writer.steps(from, self.wanted(to, promotes), promotes);
    }

    #[inline(always)]
    fn slides(&mut self, from: SquareIndex, to: Bitboard, promotes: bool) {
        self.writer.slides(from, self.wanted(to, promotes), promotes);
    }

    #[inline(always)]
    fn pawn_drops(&mut self, _: Bitboard) {}

    #[inline(always)]
    fn drops(&mut self, _: usize, _: Bitboard) {}
}

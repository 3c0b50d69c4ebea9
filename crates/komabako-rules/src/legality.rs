//! Tests of a single move: pseudo-legal, legal, gives check.

use komabako_bits::{Backend, BitOps, Kernel, dispatch};
use komabako_board::{BaseKind, Bitboard};

use crate::Move16;
use crate::army::{Army, any_sees};
use crate::attacks::{self, SquareIndex, bit};
use crate::checks::is_single;
use crate::code::Code;
use crate::generate::is_mate_by_pawn_drop;
use crate::hands::free_files;
use crate::ranks::{last, last_two, promotion_zone};
use crate::state::Keyless;

impl Keyless {
    /// Whether the side to move could make this move, ignoring checks on its king: the piece is on the square or in hand and
    /// moves this way, and the rules about promotion, two pawns on a file (nifu) and dead ends are met.
    ///
    /// Accepts any bits.
    pub fn is_pseudo_legal(&self, mv: Move16) -> bool {
        self.decide(mv, Question::PseudoLegal)
    }

    /// Whether the rules allow this move: it is pseudo-legal, leaves no king in check and does not mate by dropping a pawn.
    ///
    /// Accepts any bits. Repetition is handled by [`Game`](crate::Game). About 15 to 40 ns.
    ///
    /// ```
    /// use komabako_rules::{Move16, State};
    /// let state: State = State::start();
    /// assert!(state.is_legal("7g7f".parse().unwrap()));
    /// assert_eq!((0..=u16::MAX).filter(|&bits| state.is_legal(Move16::from_bits(bits))).count(), 30);
    /// ```
    pub fn is_legal(&self, mv: Move16) -> bool {
        self.decide(mv, Question::Legal)
    }

    #[inline(always)]
    fn decide(&self, mv: Move16, question: Question) -> bool {
        dispatch(Backend::detect().scalar(), JudgeMove { state: self, mv, question })
    }

    /// [`is_legal`](State::is_legal) for a kernel.
    #[inline(always)]
    pub(crate) fn is_legal_inlined(&self, mv: Move16) -> bool {
        if self.white { is_legal::<true, false>(self, mv) } else { is_legal::<false, true>(self, mv) }
    }

    /// Whether this move, which must be pseudo-legal, attacks the other king.
    pub fn gives_check(&self, mv: Move16) -> bool {
        self.decide(mv, Question::GivesCheck)
    }
}

enum Question {
    PseudoLegal,
    Legal,
    GivesCheck,
}

struct JudgeMove<'a> {
    state: &'a Keyless,
    mv: Move16,
    question: Question,
}

impl Kernel for JudgeMove<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<B: BitOps>(self, _: B) -> bool {
        if self.state.white { self.answer::<true, false>() } else { self.answer::<false, true>() }
    }
}

impl JudgeMove<'_> {
    #[inline(always)]
    fn answer<const US: bool, const THEM: bool>(self) -> bool {
        match self.question {
            Question::GivesCheck => gives_check::<US, THEM>(self.state, self.mv),
            Question::PseudoLegal => is_pseudo_legal::<US>(self.state, self.mv),
            Question::Legal => is_legal::<US, THEM>(self.state, self.mv),
        }
    }
}

#[inline(always)]
fn is_legal<const US: bool, const THEM: bool>(state: &Keyless, mv: Move16) -> bool {
    is_pseudo_legal::<US>(state, mv) && is_safe::<US, THEM>(state, mv)
}

#[inline(always)]
fn is_pseudo_legal<const US: bool>(state: &Keyless, mv: Move16) -> bool {
    if !mv.is_well_formed() {
        return false;
    }
    let own = state.colors[usize::from(US)];
    let to = bit(mv.target());
    if let Some(kind) = mv.dropped() {
        return !state.occupied().intersects(to)
            && state.hands[usize::from(US)].count(kind) > 0
            && !dead_end::<US>(kind as usize).intersects(to)
            && (kind != BaseKind::Pawn || {
                free_files((state.kinds[BaseKind::Pawn as usize] & own).without(state.promoted))
                    .intersects(to)
            });
    }
    let from = mv.source();
    let code = state.code_at(from);
    if code.is_empty() || code.is_white() != US || own.intersects(to) {
        return false;
    }
    if !reaches::<US>(code, from, mv.target(), state.occupied()) {
        return false;
    }
    if mv.is_promotion() {
        let may = !code.is_promoted()
            && code.base() != BaseKind::Gold as usize
            && code.base() != BaseKind::King as usize;
        may && promotion_zone::<US>().intersects(bit(from) | to)
    } else {
        code.is_promoted() || !dead_end::<US>(code.base()).intersects(to)
    }
}

/// The squares from which an unpromoted piece of a kind could never move.
#[inline(always)]
fn dead_end<const US: bool>(base: usize) -> Bitboard {
    match base {
        0 | 1 => last::<US>(),
        2 => last_two::<US>(),
        _ => Bitboard::EMPTY,
    }
}

/// Whether a piece attacks a square: one step away, or in sight on one of its lines.
///
/// Avoids the indirect jump by kind of [`attacks_of`], which is hard to predict in a file of games: callgrind counted two
/// mispredictions for three moves there.
#[inline(always)]
fn reaches<const US: bool>(code: Code, from: SquareIndex, to: SquareIndex, occupied: Bitboard) -> bool {
    let reach = attacks::reach(US, from);
    let only_if = |set: Bitboard, condition: bool| if condition { set } else { Bitboard::EMPTY };
    let on_empty_board = attacks::contact(US, from, code)
        | only_if(reach.lance, code.base() == BaseKind::Lance as usize && !code.is_promoted())
        | only_if(reach.bishop, code.base() == BaseKind::Bishop as usize)
        | only_if(reach.rook, code.base() == BaseKind::Rook as usize);
    // No squares are between the ends of a knight's jump.
    on_empty_board.intersects(bit(to)) && !attacks::between(from, to).intersects(occupied)
}

/// The squares that a piece attacks.
#[inline(always)]
fn attacks_of<const US: bool>(code: Code, from: SquareIndex, occupied: Bitboard) -> Bitboard {
    let reach = attacks::reach(US, from);
    let king = if code.is_promoted() { reach.king } else { Bitboard::EMPTY };
    match code.base() {
        // Promotion adds to the moves of these two and replaces the moves of the kinds below.
        5 => attacks::bishop(from, occupied) | king,
        6 => attacks::rook(from, occupied) | king,
        7 => reach.king,
        4 => reach.gold,
        _ if code.is_promoted() => reach.gold,
        0 => reach.pawn,
        1 => attacks::lance(US, from, occupied),
        2 => reach.knight,
        _ => reach.silver,
    }
}

/// Whether a pseudo-legal move does not leave our king in check and does not mate by dropping a pawn.
#[inline(always)]
fn is_safe<const US: bool, const THEM: bool>(state: &Keyless, mv: Move16) -> bool {
    let king = usize::from(state.kings[usize::from(US)]);
    let from = mv.source();
    let to = mv.target();
    // The king leaves his square, so he does not shield the squares behind him.
    if !mv.is_drop() && from == king {
        return !Army::of::<THEM>(state).attacks::<THEM>(to, state.occupied().without(bit(king)));
    }
    let threats = state.threats;
    if !threats.checkers.is_empty() {
        // No square is between the king and a neighbour or a knight: only a capture answers such a check.
        let meets = threats.checkers | attacks::between(king, threats.checkers.first_index());
        if !is_single(threats.checkers) || !meets.intersects(bit(to)) {
            return false;
        }
    }
    if !mv.is_drop() {
        return !threats.pinned.intersects(bit(from)) || attacks::ray_through(king, from).intersects(bit(to));
    }
    let enemy_king = usize::from(state.kings[usize::from(THEM)]);
    let head = attacks::reach(THEM, enemy_king).pawn;
    mv.dropped() != Some(BaseKind::Pawn) || head != bit(to) || {
        let own = Army::of::<US>(state);
        let enemy = Army::of::<THEM>(state);
        !is_mate_by_pawn_drop::<US, THEM>(&own, &enemy, enemy_king, head)
    }
}

#[inline(always)]
fn gives_check<const US: bool, const THEM: bool>(state: &Keyless, mv: Move16) -> bool {
    let king = usize::from(state.kings[usize::from(THEM)]);
    let to = mv.target();
    if let Some(kind) = mv.dropped() {
        // A drop does not vacate a square, so it uncovers no check.
        let code = Code::unpromoted(kind as usize, US);
        return attacks_of::<US>(code, to, state.occupied()).intersects(bit(king));
    }
    let from = mv.source();
    let occupied = state.occupied().without(bit(from)) | bit(to);
    let code = state.code_at(from).promoted_if(mv.is_promotion());
    if attacks_of::<US>(code, to, occupied).intersects(bit(king)) {
        return true;
    }
    // A slider behind the piece, on the line from the king through its square.
    let line = attacks::ray_through(king, from);
    let snipers = Army::of::<US>(state).snipers(attacks::reach(THEM, king)) & line.without(bit(from));
    any_sees(snipers, king, occupied)
}

//! Whether a side in check has a legal move, found without making a list and, for a check that is only considered, without
//! making the check. A mate solver asks this more often than anything else.
//!
//! A check mates if none of these exists, tested in the order of their likelihood:
//!
//! ```text
//! a king move to a neighbouring square without a piece of his own side, not attacked once the king has left his square
//! (the rest only if exactly one piece gives check)
//! a capture of the checker by a piece that is not pinned
//! a move of a piece that is not pinned to a square between; it attacks the square, since all pieces move as they capture
//! a drop on a square between
//! ```
//!
//! A pinned piece can do neither: the line of its pin and the line of the check meet only in the king.

use komabako_bits::{Backend, BitOps, Kernel};
use komabako_board::{BaseKind, Bitboard, Hand};

use crate::army::{Army, indices};
use crate::attacks::{self, SquareIndex, bit};
use crate::checks::{Threats, is_single};
use crate::code::Code;
use crate::generate::is_mate_by_pawn_drop;
use crate::generator::Generator;
use crate::ranks::{last, last_two};
use crate::state::Keyless;
use crate::{Move16, MoveList, hands};

impl Keyless {
    /// Whether a legal move exists. About 20 to 60 ns in check, where it stops at the first move it finds.
    ///
    /// ```
    /// use komabako_rules::State;
    /// assert!(State::<u64>::start().has_legal_move());
    /// ```
    pub fn has_legal_move(&self) -> bool {
        Generator::new(Backend::detect()).has_legal_move(self)
    }

    /// Whether a legal move that gives check mates, without making it; about 30 to 80 ns.
    ///
    /// The result for a move that is not legal or gives no check has no meaning.
    pub fn is_mate_after(&self, check: Move16) -> bool {
        Generator::new(Backend::detect()).is_mate_after(self, check)
    }

    /// A legal move that mates at once; if there are several, the one that the generator lists first.
    ///
    /// ```
    /// use komabako_board::{Position, sfen};
    /// use komabako_rules::State;
    /// let setup = sfen::parse("4k4/9/4P4/9/9/9/9/9/9 b G 1")?.setup;
    /// let state = State::<u64>::new(&Position::new_tsume(setup)?)?;
    /// assert_eq!(state.mate_in_one(), "G*5b".parse().ok());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn mate_in_one(&self) -> Option<Move16> {
        self.mate_in_one_or_checks(&mut MoveList::new())
    }

    /// The first of these checks that no move of a piece on the board answers, so that it mates unless a drop between answers it.
    /// The checks are legal moves that give check; about 20 to 50 ns each.
    ///
    /// ```
    /// use komabako_board::{Position, sfen};
    /// use komabako_rules::State;
    /// let setup = sfen::parse("4k4/9/4P4/9/9/9/9/9/9 b GR 1")?.setup;
    /// let state = State::<u64>::new(&Position::new_tsume(setup)?)?;
    /// let checks = ["R*5b".parse()?, "G*4b".parse()?, "G*5b".parse()?];
    /// assert_eq!(state.check_without_moves(&checks), Some(checks[2]));
    /// assert_eq!(state.check_without_moves(&checks[..2]), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn check_without_moves(&self, checks: &[Move16]) -> Option<Move16> {
        Generator::new(Backend::detect()).check_without_moves(self, checks)
    }

    /// [`mate_in_one`](Keyless::mate_in_one) that also replaces the list's content with all checks, which it generates anyway.
    pub fn mate_in_one_or_checks(&self, checks: &mut MoveList) -> Option<Move16> {
        Generator::new(Backend::detect()).mate_in_one_or_checks(self, checks)
    }
}

/// Whether a side in check has a legal move.
pub(crate) struct HasEvasion<'a>(pub &'a Keyless);

impl Kernel for HasEvasion<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<B: BitOps>(self, _: B) -> bool {
        let state = self.0;
        if state.white { in_check::<true, false>(state) } else { in_check::<false, true>(state) }
    }
}

#[inline(always)]
fn in_check<const US: bool, const THEM: bool>(state: &Keyless) -> bool {
    let side = SideInCheck {
        own: Army::of::<US>(state),
        enemy: Army::of::<THEM>(state),
        king: state.kings[usize::from(US)].into(),
        enemy_king: state.kings[usize::from(THEM)].into(),
        hand: state.hands[usize::from(US)],
    };
    side.has_king_move::<US, THEM>() || side.has_other_move::<US, THEM>(state.threats)
}

pub(crate) struct IsMateAfter<'a> {
    pub state: &'a Keyless,
    pub check: Move16,
}

impl Kernel for IsMateAfter<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<B: BitOps>(self, _: B) -> bool {
        let hand = self.state.hands[usize::from(!self.state.white)];
        if self.state.white {
            mates::<true, false>(self.state, self.check, hand)
        } else {
            mates::<false, true>(self.state, self.check, hand)
        }
    }
}

/// The first check of a slice that mates.
pub(crate) struct FirstMate<'a> {
    pub state: &'a Keyless,
    pub checks: &'a [Move16],
    /// Whether drops may answer a check.
    pub drops: bool,
}

impl Kernel for FirstMate<'_> {
    type Output = Option<Move16>;

    #[inline(always)]
    fn run<B: BitOps>(self, _: B) -> Option<Move16> {
        // Within the kernel, so that one choice of instructions serves all checks.
        if self.state.white {
            first_mate::<true, false>(self.state, self.checks, self.drops)
        } else {
            first_mate::<false, true>(self.state, self.checks, self.drops)
        }
    }
}

/// The first check of `US` that mates `THEM`.
///
/// Most checks leave the king a neighbouring square that is free already, and are told by what they change alone:
///
/// ```text
/// once: free = the neighbours to which the king could step now
/// for each check, unless the piece that moves leaves a line to the neighbours (then other pieces may attack them):
///     it mates only if the piece attacks all of `free` from its new square
/// ```
#[inline(always)]
fn first_mate<const US: bool, const THEM: bool>(
    state: &Keyless,
    checks: &[Move16],
    drops: bool,
) -> Option<Move16> {
    let hand = if drops { state.hands[usize::from(THEM)] } else { Hand::EMPTY };
    let mut free = Bitboard::EMPTY;
    let mut lines = Bitboard::EMPTY;
    // Without the king, which does not shield the squares behind it.
    let king = usize::from(state.kings[usize::from(THEM)]);
    let occupied = state.occupied().without(bit(king));
    if checks.len() >= WORTH_A_FILTER {
        let zone = attacks::zone(THEM, king);
        let near = Army::of::<US>(state).near(zone);
        let own = state.colors[usize::from(THEM)];
        free = attacks::reach(THEM, king).king.without(own | near.attacked::<US>(occupied));
        if !(near.lances | near.bishops | near.rooks).is_empty() {
            lines = zone.lance | zone.bishop | zone.rook;
        }
    }
    for &check in checks {
        if leaves_free::<US>(state, check, free, lines, occupied) {
            continue;
        }
        if mates::<US, THEM>(state, check, hand) {
            return Some(check);
        }
    }
    None
}

/// The least number of checks for which the free squares are found.
const WORTH_A_FILTER: usize = 4;

/// Whether a check surely leaves one of the `free` squares free: it moves no piece off the `lines`, and from its new square the piece
/// does not attack them all. `occupied` is without the king in check.
#[inline(always)]
fn leaves_free<const US: bool>(
    state: &Keyless,
    check: Move16,
    free: Bitboard,
    lines: Bitboard,
    occupied: Bitboard,
) -> bool {
    if free.is_empty() {
        return false;
    }
    let to = check.target();
    let mut from = Bitboard::EMPTY;
    let moved = match check.dropped() {
        Some(kind) => Code::unpromoted(kind as usize, US),
        None => {
            from = bit(check.source());
            state.code_at(check.source()).promoted_if(check.is_promotion())
        }
    };
    if lines.intersects(from) {
        return false;
    }
    let occupied = occupied.without(from);
    let mut attacked = attacks::contact(US, to, moved);
    if moved.base() == BaseKind::Lance as usize && !moved.is_promoted() {
        attacked |= attacks::lance(US, to, occupied);
    } else if moved.base() == BaseKind::Bishop as usize {
        attacked |= attacks::bishop(to, occupied);
    } else if moved.base() == BaseKind::Rook as usize {
        attacked |= attacks::rook(to, occupied);
    }
    !free.without(attacked).is_empty()
}

/// Whether a check of `US` mates `THEM`, who may drop the pieces of a hand.
#[inline(always)]
fn mates<const US: bool, const THEM: bool>(state: &Keyless, check: Move16, hand: Hand) -> bool {
    let to = bit(check.target());
    let attackers = Army::of::<US>(state);
    let (attackers, moved) = match check.dropped() {
        Some(kind) => (attackers, Code::unpromoted(kind as usize, US)),
        None => {
            let code = state.code_at(check.source()).promoted_if(check.is_promotion());
            (attackers.only(!bit(check.source())), code)
        }
    };
    let from_king = moved.base() == BaseKind::King as usize;
    let king = if from_king { check.target() } else { state.kings[usize::from(US)].into() };
    // The position after the check, as two armies: the check is not made and need not be taken back.
    let side = SideInCheck {
        own: Army::of::<THEM>(state).only(!to),
        enemy: attackers.with(moved, to),
        king: state.kings[usize::from(THEM)].into(),
        enemy_king: king,
        hand,
    };
    if side.has_king_move::<THEM, US>() {
        return false;
    }
    // Only now: the king answers most checks, and his moves do not need the threats.
    let threats = Threats::of::<THEM>(side.king, side.own.all, &side.enemy);
    !side.has_other_move::<THEM, US>(threats)
}

/// A side in check and its enemy.
struct SideInCheck {
    own: Army,
    enemy: Army,
    king: SquareIndex,
    enemy_king: SquareIndex,
    hand: Hand,
}

impl SideInCheck {
    #[inline(always)]
    fn has_king_move<const US: bool, const THEM: bool>(&self) -> bool {
        let to = attacks::reach(US, self.king).king.without(self.own.all);
        let near = self.enemy.near(attacks::zone(US, self.king));
        // Without the king: he does not shield the squares behind him.
        let occupied = (self.own.all | self.enemy.all).without(bit(self.king));
        for square in indices(to) {
            if !near.attacks::<THEM>(square, occupied) {
                return true;
            }
        }
        false
    }

    #[inline(always)]
    fn has_other_move<const US: bool, const THEM: bool>(&self, threats: Threats) -> bool {
        if !is_single(threats.checkers) {
            return false;
        }
        let checker = threats.checkers.first_index();
        let occupied = self.own.all | self.enemy.all;
        let mut movers = self.own.only(!threats.pinned);
        // The king's own moves were tested before.
        movers.king = Bitboard::EMPTY;
        if movers.attacks::<US>(checker, occupied) {
            return true;
        }
        let between = attacks::between(self.king, checker);
        for square in indices(between) {
            if movers.attacks::<US>(square, occupied) {
                return true;
            }
        }
        !between.is_empty() && !self.hand.is_empty() && self.has_drop::<US, THEM>(between)
    }

    /// Whether a piece in hand may be dropped on one of these squares.
    #[inline(always)]
    fn has_drop<const US: bool, const THEM: bool>(&self, between: Bitboard) -> bool {
        const PAWN: usize = 1 << BaseKind::Pawn as usize;
        const LANCE: usize = 1 << BaseKind::Lance as usize;
        const KNIGHT: usize = 1 << BaseKind::Knight as usize;
        let kinds = hands::kinds(self.hand);
        // Silvers, golds, bishops and rooks may be dropped anywhere: no square needs to be tested.
        let anywhere = kinds & !(PAWN | LANCE | KNIGHT) != 0;
        if anywhere
            || kinds & LANCE != 0 && !between.without(last::<US>()).is_empty()
            || kinds & KNIGHT != 0 && !between.without(last_two::<US>()).is_empty()
        {
            return true;
        }
        if kinds & PAWN == 0 {
            return false;
        }
        let to = hands::free_files(self.own.pawns).without(last::<US>()) & between;
        // The rules forbid interposing a pawn that itself mates the other king.
        let head = attacks::reach(THEM, self.enemy_king).pawn & to;
        let quiet = to.without(head);
        !quiet.is_empty()
            || !head.is_empty()
                && !is_mate_by_pawn_drop::<US, THEM>(&self.own, &self.enemy, self.enemy_king, head)
    }
}

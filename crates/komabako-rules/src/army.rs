//! [`Army`]: one colour's pieces, sorted by how they move.

use komabako_bits::{Backend, BitOps, Kernel, dispatch};
use komabako_board::{BaseKind, Bitboard, Color};

use crate::attacks::{self, SquareIndex};
use crate::code::Code;
use crate::ranks::forward;
use crate::state::Keyless;

/// One colour's pieces, sorted by how they move. The king has a set of its own.
#[derive(Clone, Copy)]
pub(crate) struct Army {
    pub all: Bitboard,
    pub pawns: Bitboard,
    pub lances: Bitboard,
    pub knights: Bitboard,
    pub silvers: Bitboard,
    /// Golds and all that moves like one: promoted pawns, lances, knights and silvers.
    pub golds: Bitboard,
    /// Bishops, promoted ones included.
    pub bishops: Bitboard,
    /// Rooks, promoted ones included.
    pub rooks: Bitboard,
    pub king: Bitboard,
    /// Promoted bishops and rooks.
    pub majors: Bitboard,
}

impl Army {
    #[inline(always)]
    pub fn of<const WHITE: bool>(state: &Keyless) -> Self {
        Self::within::<WHITE>(state, Bitboard::ALL)
    }

    /// The pieces of a colour on the squares of a set.
    #[inline(always)]
    pub fn within<const WHITE: bool>(state: &Keyless, set: Bitboard) -> Self {
        Self::of_sets(state.colors[usize::from(WHITE)] & set, &state.kinds, state.promoted)
    }

    /// The pieces on the squares `all`, given the squares of each kind and of promoted pieces, of both colours.
    #[inline(always)]
    pub fn of_sets(all: Bitboard, kinds: &[Bitboard; 8], promoted: Bitboard) -> Self {
        let plain = all.without(promoted);
        let kind = |kind: BaseKind| kinds[kind as usize];
        let sliders = kind(BaseKind::Bishop) | kind(BaseKind::Rook);
        Self {
            all,
            pawns: kind(BaseKind::Pawn) & plain,
            lances: kind(BaseKind::Lance) & plain,
            knights: kind(BaseKind::Knight) & plain,
            silvers: kind(BaseKind::Silver) & plain,
            // One set for all that move like a gold: nothing here depends on which of them was once a pawn.
            golds: (kind(BaseKind::Gold) | promoted.without(sliders)) & all,
            // Horses and dragons stay among the sliders, so that their lines need no special case; `majors` adds
            // their steps.
            bishops: kind(BaseKind::Bishop) & all,
            rooks: kind(BaseKind::Rook) & all,
            king: kind(BaseKind::King) & all,
            majors: promoted & sliders & all,
        }
    }

    /// The pieces of this army on the squares of a set.
    #[inline(always)]
    pub fn only(&self, set: Bitboard) -> Self {
        Self {
            all: self.all & set,
            pawns: self.pawns & set,
            lances: self.lances & set,
            knights: self.knights & set,
            silvers: self.silvers & set,
            golds: self.golds & set,
            bishops: self.bishops & set,
            rooks: self.rooks & set,
            king: self.king & set,
            majors: self.majors & set,
        }
    }

    /// These pieces and one more.
    #[inline(always)]
    pub fn with(mut self, piece: Code, square: Bitboard) -> Self {
        self.all |= square;
        // Sliders, king and gold come first: they stay in their set if they promote. Each of the other four moves like a
        // gold when promoted.
        match piece.base() {
            5 => self.bishops |= square,
            6 => self.rooks |= square,
            7 => self.king |= square,
            4 => self.golds |= square,
            _ if piece.is_promoted() => self.golds |= square,
            0 => self.pawns |= square,
            1 => self.lances |= square,
            2 => self.knights |= square,
            _ => self.silvers |= square,
        }
        if piece.is_promoted() && (piece.base() == 5 || piece.base() == 6) {
            self.majors |= square;
        }
        self
    }

    /// The pieces of this army, of the given colour, that attack a square, given the occupied squares.
    #[inline(always)]
    pub fn attackers<const WHITE: bool>(&self, square: SquareIndex, occupied: Bitboard) -> Bitboard {
        // A piece attacks a square if a piece of the other colour on that square attacks it.
        let reach = attacks::reach(!WHITE, square);
        let mut attackers = self.steppers(reach);
        for sniper in indices(self.snipers(reach)) {
            if !attacks::between(square, sniper).intersects(occupied) {
                attackers |= attacks::bit(sniper);
            }
        }
        attackers
    }

    /// Whether a piece of this army attacks a square: [`attackers`](Self::attackers) with an early exit.
    #[inline(always)]
    pub fn attacks<const WHITE: bool>(&self, square: SquareIndex, occupied: Bitboard) -> bool {
        let reach = attacks::reach(!WHITE, square);
        !self.steppers(reach).is_empty() || any_sees(self.snipers(reach), square, occupied)
    }

    /// The squares that this army, of the given colour, attacks, given the occupied squares.
    #[inline(always)]
    pub fn attacked<const WHITE: bool>(&self, occupied: Bitboard) -> Bitboard {
        // Piece by piece: few pieces are near a king, so this is faster than calling `attacks` for each square around him. To find
        // out only whether he can move at all, `attacks` is faster: it stops at the first free square.
        let reach = |from| attacks::reach(WHITE, from);
        let mut attacked = forward::<WHITE>(self.pawns);
        for from in indices(self.lances) {
            attacked |= attacks::lance(WHITE, from, occupied);
        }
        for from in indices(self.knights) {
            attacked |= reach(from).knight;
        }
        for from in indices(self.silvers) {
            attacked |= reach(from).silver;
        }
        for from in indices(self.golds) {
            attacked |= reach(from).gold;
        }
        for from in indices(self.bishops) {
            attacked |= attacks::bishop(from, occupied);
        }
        for from in indices(self.rooks) {
            attacked |= attacks::rook(from, occupied);
        }
        for from in indices(self.majors | self.king) {
            attacked |= reach(from).king;
        }
        attacked
    }

    /// The squares that at least one, two and three pieces of this army attack.
    #[inline(always)]
    fn attacked_often<const WHITE: bool>(&self, occupied: Bitboard) -> [Bitboard; 3] {
        let reach = |from| attacks::reach(WHITE, from);
        // Two pawns never attack the same square.
        let mut often = [forward::<WHITE>(self.pawns), Bitboard::EMPTY, Bitboard::EMPTY];
        let mut add = |set: Bitboard| {
            let [once, twice, thrice] = often;
            often = [once | set, twice | once & set, thrice | twice & set];
        };
        for from in indices(self.lances) {
            add(attacks::lance(WHITE, from, occupied));
        }
        for from in indices(self.knights) {
            add(reach(from).knight);
        }
        for from in indices(self.silvers) {
            add(reach(from).silver);
        }
        for from in indices(self.golds) {
            add(reach(from).gold);
        }
        // A major is one attacker, even of a square that both of its ways of moving reach.
        let of_major = |from| {
            if self.majors.intersects(attacks::bit(from)) { reach(from).king } else { Bitboard::EMPTY }
        };
        for from in indices(self.bishops) {
            add(attacks::bishop(from, occupied) | of_major(from));
        }
        for from in indices(self.rooks) {
            add(attacks::rook(from, occupied) | of_major(from));
        }
        for from in indices(self.king) {
            add(reach(from).king);
        }
        often
    }

    /// The pieces that take one step (majors and kings included) and are on the squares that `reach` holds for their kind.
    #[inline(always)]
    pub fn steppers(&self, reach: &attacks::Reach) -> Bitboard {
        reach.pawn & self.pawns
            | reach.knight & self.knights
            | reach.silver & self.silvers
            | reach.gold & self.golds
            // A major's steps along its own lines are found by `snipers` too; that is harmless in a union.
            | reach.king & (self.majors | self.king)
    }

    /// The sliders that would meet the square on an empty board.
    #[inline(always)]
    pub fn snipers(&self, reach: &attacks::Reach) -> Bitboard {
        reach.lance & self.lances | reach.bishop & self.bishops | reach.rook & self.rooks
    }

    /// The pieces that may attack a neighbour of the square `zone` belongs to.
    #[inline(always)]
    pub fn near(&self, zone: &attacks::Reach) -> Self {
        Self {
            all: self.all,
            // The zone assumes an empty board: it may keep a slider that is blocked, but drops none that attacks.
            pawns: zone.pawn & self.pawns,
            lances: zone.lance & self.lances,
            knights: zone.knight & self.knights,
            silvers: zone.silver & self.silvers,
            golds: zone.gold & self.golds,
            bishops: zone.bishop & self.bishops,
            rooks: zone.rook & self.rooks,
            king: zone.king & self.king,
            majors: zone.king & self.majors,
        }
    }

    /// Whether no piece is in any set by kind.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        (self.pawns
            | self.lances
            | self.knights
            | self.silvers
            | self.golds
            | self.bishops
            | self.rooks
            | self.king
            | self.majors)
            .is_empty()
    }
}

impl Keyless {
    /// The squares that at least one, at least two and at least three pieces of a colour attack, its own pieces' squares included.
    /// Pins are ignored. About 100 ns.
    ///
    /// ```
    /// use komabako_board::{Color, Square};
    /// use komabako_rules::State;
    /// let [once, twice, thrice] = State::<u64>::start().attacked_often(Color::Black);
    /// // A knight and a gold protect 7g, which is also on the bishop's diagonal.
    /// assert!(once.contains(Square::SQ_7G) && twice.contains(Square::SQ_7G) && !thrice.contains(Square::SQ_1G));
    /// ```
    pub fn attacked_often(&self, color: Color) -> [Bitboard; 3] {
        struct AttackedOften<'a>(&'a Keyless, Color);
        impl Kernel for AttackedOften<'_> {
            type Output = [Bitboard; 3];

            #[inline(always)]
            fn run<B: BitOps>(self, _: B) -> Self::Output {
                let AttackedOften(state, color) = self;
                match color {
                    Color::Black => Army::of::<false>(state).attacked_often::<false>(state.occupied()),
                    Color::White => Army::of::<true>(state).attacked_often::<true>(state.occupied()),
                }
            }
        }
        dispatch(Backend::detect().scalar(), AttackedOften(self, color))
    }
}

/// Whether one of the snipers has an unobstructed line to a square. A loop, since closures called by the standard library's
/// iterators are not compiled with the backend's instructions.
#[inline(always)]
pub(crate) fn any_sees(snipers: Bitboard, square: SquareIndex, occupied: Bitboard) -> bool {
    for sniper in indices(snipers) {
        if !attacks::between(square, sniper).intersects(occupied) {
            return true;
        }
    }
    false
}

/// The indices of a set's squares, ascending.
#[inline(always)]
pub(crate) fn indices(set: Bitboard) -> impl Iterator<Item = SquareIndex> {
    // Two words one after the other: each step on a `u128` would work on both.
    let [mut low, mut high] = set.lanes();
    core::iter::from_fn(move || {
        if low != 0 {
            let index = low.trailing_zeros() as usize;
            low &= low - 1;
            Some(index)
        } else if high != 0 {
            let index = 63 + high.trailing_zeros() as usize;
            high &= high - 1;
            Some(index)
        } else {
            None
        }
    })
}

#[cfg(test)]
mod tests {
    use komabako_board::Position;

    use super::*;
    use crate::{MoveList, State};

    /// A game of the first, second, … move of each list.
    #[test]
    fn attacks_are_counted_as_attackers_are() {
        let mut state = State::<()>::new(&Position::START).expect("the start");
        let mut moves = MoveList::new();
        let mut highest = 0;
        for ply in 0..300_usize {
            let occupied = state.occupied();
            let [black, white] = [Color::Black, Color::White].map(|color| state.attacked_often(color));
            for square in 0..81 {
                let count = |often: [Bitboard; 3]| often.map(|set| set.intersects(attacks::bit(square)));
                let of_black = Army::of::<false>(&state).attackers::<false>(square, occupied).len();
                let of_white = Army::of::<true>(&state).attackers::<true>(square, occupied).len();
                assert_eq!(count(black), [1, 2, 3].map(|least| of_black >= least), "{state:?} {square}");
                assert_eq!(count(white), [1, 2, 3].map(|least| of_white >= least), "{state:?} {square}");
                highest = highest.max(of_black);
            }
            state.legal_moves(&mut moves);
            if moves.is_empty() {
                break;
            }
            state.do_move(moves[ply * 7 % moves.len()]);
        }
        assert!(highest >= 3, "three attackers occurred");
    }
}

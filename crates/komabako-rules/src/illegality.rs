//! [`Illegality`]: the reason why a move is not legal, and the first illegal move in a slice.

use komabako_bits::{Backend, BitOps, Kernel, dispatch};
use komabako_board::{BaseKind, Bitboard, File, Position, PositionError, Setup, Square};
use komabako_messages::messages;

use crate::Move16;
use crate::state::{Keyless, State};

/// The reason why the rules forbid a move. If there are several, the first in this order, drops before moves on the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Illegality {
    /// The bits name neither two different squares nor a kind and a square.
    Malformed,
    /// The side to move has no such piece in hand.
    NotInHand(BaseKind),
    /// A drop on a piece.
    Occupied(Square),
    /// The square that the move starts from is empty.
    NoPiece(Square),
    /// The piece on the square that the move starts from is the opponent's.
    OpponentsPiece(Square),
    /// A piece of the side to move is on the target.
    OwnPiece(Square),
    /// The piece does not move this way, or another piece blocks it.
    Unreachable,
    /// The piece promotes, but cannot, or cannot there.
    Promotion,
    /// The piece could never move from the target.
    DeadEnd,
    /// A second unpromoted pawn on this file (二歩).
    Nifu(File),
    /// The king of the side to move would be in check.
    KingInCheck,
    /// The pawn that is dropped mates (打ち歩詰め).
    PawnDropMate,
}

impl Illegality {
    /// The reason's name for reports, e.g. `MOVE_NIFU`.
    pub const fn name(self) -> &'static str {
        match self {
            Illegality::Malformed => "MOVE_MALFORMED",
            Illegality::NotInHand(_) => "MOVE_NOT_IN_HAND",
            Illegality::Occupied(_) => "MOVE_OCCUPIED",
            Illegality::NoPiece(_) => "MOVE_NO_PIECE",
            Illegality::OpponentsPiece(_) => "MOVE_OPPONENTS_PIECE",
            Illegality::OwnPiece(_) => "MOVE_OWN_PIECE",
            Illegality::Unreachable => "MOVE_UNREACHABLE",
            Illegality::Promotion => "MOVE_PROMOTION",
            Illegality::DeadEnd => "MOVE_DEAD_END",
            Illegality::Nifu(_) => "MOVE_NIFU",
            Illegality::KingInCheck => "MOVE_KING_IN_CHECK",
            Illegality::PawnDropMate => "MOVE_PAWN_DROP_MATE",
        }
    }
}

messages! {
    Illegality {
        Malformed => "the bits are not a move", "指し手になっていません";
        NotInHand(kind) => "no {kind:?} in hand", "持ち駒に{kind}がありません";
        Occupied(square) => "a drop on {square}, where a piece stands", "{square} にはすでに駒があります";
        NoPiece(square) => "no piece stands on {square}", "{square} に駒がありません";
        OpponentsPiece(square) => "the piece on {square} is the opponent's", "{square} の駒は相手の駒です";
        OwnPiece(square) => "a piece of the same side stands on {square}", "{square} には自分の駒があります";
        Unreachable => "the piece does not move so, or another is in its way", "その駒はそこへ動けないか、間に駒があります";
        Promotion => "the piece cannot promote by this move", "その手では成れません";
        DeadEnd => "the piece could never move again", "行き所のない駒になります";
        Nifu(file) => "a second unpromoted pawn on file {file} (nifu)", "{file} 筋で二歩になります";
        KingInCheck => "it leaves the king in check", "玉に王手がかかったままになります";
        PawnDropMate => "a dropped pawn may not mate (uchifuzume)", "打ち歩詰めです";
    }
}

impl core::error::Error for Illegality {}

impl Keyless {
    /// [`is_legal`](Keyless::is_legal) with the reason if it is not. A legal move costs the same, an illegal one about 100 ns.
    ///
    /// # Errors
    /// The reason why the rules forbid the move.
    ///
    /// ```
    /// use komabako_rules::{Illegality, State};
    /// let state: State = State::start();
    /// assert_eq!(state.judge("7g7f".parse().unwrap()), Ok(()));
    /// assert_eq!(state.judge("8h2b+".parse().unwrap()), Err(Illegality::Unreachable));
    /// ```
    pub fn judge(&self, mv: Move16) -> Result<(), Illegality> {
        // Nearly all moves that are judged are legal: they pay nothing for the reasons.
        if self.is_legal(mv) {
            return Ok(());
        }
        if !mv.is_well_formed() {
            return Err(Illegality::Malformed);
        }
        let to = mv.to().ok_or(Illegality::Malformed)?;
        let pseudo_legal = self.is_pseudo_legal(mv);
        Err(match (mv.dropped(), mv.from()) {
            (Some(kind), _) if !pseudo_legal => self.why_no_drop(kind, to),
            (None, Some(from)) if !pseudo_legal => self.why_no_board_move(from, to, mv.is_promotion()),
            _ if self.leaves_check(mv) => Illegality::KingInCheck,
            // Pseudo-legal and the king is safe: no other reason is possible.
            _ => Illegality::PawnDropMate,
        })
    }

    /// The reason why a drop is not even pseudo-legal.
    fn why_no_drop(&self, kind: BaseKind, to: Square) -> Illegality {
        if self.hand(self.side_to_move()).count(kind) == 0 {
            Illegality::NotInHand(kind)
        } else if self.piece_at(to).is_some() {
            Illegality::Occupied(to)
        } else if kind == BaseKind::Pawn && self.has_pawn_on(File::of(to)) {
            Illegality::Nifu(File::of(to))
        } else {
            Illegality::DeadEnd
        }
    }

    /// Whether the side to move has an unpromoted pawn on a file.
    fn has_pawn_on(&self, file: File) -> bool {
        let own = self.colors[usize::from(self.white)];
        (self.kinds[BaseKind::Pawn as usize] & own).without(self.promoted).intersects(Bitboard::file(file))
    }

    /// The reason why a move on the board is not even pseudo-legal.
    fn why_no_board_move(&self, from: Square, to: Square, promotes: bool) -> Illegality {
        let side = self.side_to_move();
        let Some(piece) = self.piece_at(from) else { return Illegality::NoPiece(from) };
        if piece.to_parts().1 != side {
            return Illegality::OpponentsPiece(from);
        }
        if self.piece_at(to).is_some_and(|piece| piece.to_parts().1 == side) {
            return Illegality::OwnPiece(to);
        }
        // If the move with the opposite choice of promotion is fine, only that choice is wrong.
        match (self.is_pseudo_legal(Move16::board(from, to, !promotes)), promotes) {
            (false, _) => Illegality::Unreachable,
            (true, true) => Illegality::Promotion,
            (true, false) => Illegality::DeadEnd,
        }
    }

    /// Whether a pseudo-legal move leaves the king of its side in check.
    fn leaves_check(&self, mv: Move16) -> bool {
        // By making the move on a copy. Speed does not matter for a refused move, and this way shares no code with the test
        // that it explains.
        let mut after = State::<()>::from(self.clone());
        after.do_move(mv);
        after.is_in_check(self.side_to_move())
    }
}

/// The index of the first setup whose move is not legal or from which no game can be played
/// ([`Position::new_tsume`], [`State::new`]); the instructions are chosen once for all. About 150 ns per move.
///
/// # Panics
/// If the slices differ in length.
///
/// ```
/// use komabako_bits::Backend;
/// use komabako_board::Setup;
/// use komabako_rules::first_illegal;
/// let moves = ["7g7f", "7g7e"].map(|usi| usi.parse().unwrap());
/// assert_eq!(first_illegal(Backend::detect(), &[Setup::START; 2], &moves), Some(1));
/// ```
pub fn first_illegal(backend: Backend, setups: &[Setup], moves: &[Move16]) -> Option<usize> {
    assert_eq!(setups.len(), moves.len(), "as many moves as setups");
    dispatch(backend, FirstIllegal { setups, moves })
}

/// Drops the faults of a position outside of the kernel.
#[cold]
#[inline(never)]
fn refused(index: usize, _: PositionError) -> Option<usize> {
    Some(index)
}

struct FirstIllegal<'a> {
    setups: &'a [Setup],
    moves: &'a [Move16],
}

impl Kernel for FirstIllegal<'_> {
    type Output = Option<usize>;

    #[inline(always)]
    fn run<B: BitOps>(self, _: B) -> Option<usize> {
        // A loop, since closures would not be compiled with the backend's instructions.
        for (index, setup) in self.setups.iter().enumerate() {
            let mv = self.moves[index];
            let position = match Position::new_tsume(*setup) {
                Ok(position) => position,
                Err(error) => return refused(index, error),
            };
            let Ok(mut state) = Keyless::without_codes(&position) else { return Some(index) };
            // The test of a move looks at the piece on one square.
            state.find_code(mv.source());
            if !state.is_legal_inlined(mv) {
                return Some(index);
            }
        }
        None
    }
}

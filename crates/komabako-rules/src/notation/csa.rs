//! CSA text: `+7776FU`, `-0055KA`. It names the piece after the move.

use core::fmt;

use komabako_board::{BaseKind, Color, File, Piece, PieceKind, Rank, Square, kind, square};

use super::MoveTextError;
use crate::Move16;
use crate::code::Code;
use crate::move16::{DROP, PROMOTE};
use crate::state::State;
use crate::zobrist::Key;

/// A move in CSA notation, see [`State::csa`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Csa {
    from: Option<Square>,
    to: Square,
    /// The piece after the move.
    piece: Piece,
}

impl<K: Key> State<K> {
    /// A pseudo-legal move in CSA notation, or `None` if the bits name no move or its origin is empty.
    ///
    /// ```
    /// use komabako_rules::State;
    /// let state: State = State::start();
    /// let mv = "7g7f".parse().unwrap();
    /// assert_eq!(state.csa(mv).unwrap().to_string(), "+7776FU");
    /// assert_eq!(state.parse_csa("+7776FU"), Ok(mv));
    /// ```
    pub fn csa(&self, mv: Move16) -> Option<Csa> {
        let to = mv.to()?;
        if let Some(kind) = mv.dropped() {
            let piece = Piece::new(kind.unpromoted(), self.side_to_move());
            return Some(Csa { from: None, to, piece });
        }
        let from = mv.from()?;
        let (before, side) = self.piece_at(from)?.to_parts();
        let after = match BaseKind::of(before).promoted() {
            Some(promoted) if mv.is_promotion() => promoted,
            _ => before,
        };
        Some(Csa { from: Some(from), to, piece: Piece::new(after, side) })
    }

    /// The legal move that CSA text names. The sign of the side may be missing.
    ///
    /// # Errors
    /// [`MoveTextError`]; never [`Ambiguous`](MoveTextError::Ambiguous).
    pub fn parse_csa(&self, text: &str) -> Result<Move16, MoveTextError> {
        let side = self.side_to_move();
        let (sign, rest) = match text.as_bytes() {
            [sign @ (b'+' | b'-'), rest @ ..] => (Some(*sign), rest),
            rest => (None, rest),
        };
        if sign.is_some_and(|sign| (sign == b'+') != (side == Color::Black)) {
            return Err(MoveTextError::Side);
        }
        let start = text.len() - rest.len();
        // Offsets into CSA text are bytes. In other text such an offset may fall inside a character, where a caller could not
        // slice.
        let fault = |at| MoveTextError::Syntax(text.floor_char_boundary(at));
        let &[a, b, c, d, ref name @ ..] = rest else { return Err(fault(start)) };
        let square =
            |file: u8, rank: u8| Some(square::at(File::from_usi(file)?, Rank::new(rank.wrapping_sub(b'0'))?));
        let to = square(c, d).ok_or(fault(start + 2))?;
        let after = kind_named(name).ok_or(fault(start + 4))?;
        let mv = if [a, b] == *b"00" {
            if kind::is_promoted(after) { None } else { Move16::drop(BaseKind::of(after), to) }
        } else {
            let from = square(a, b).ok_or(fault(start))?;
            let before = self.piece_at(from).map(|piece| piece.to_parts().0);
            // CSA names the piece after the move: it promoted if a different piece is on the origin.
            before.and_then(|before| {
                if before == after {
                    Some(Move16::board(from, to, false))
                } else {
                    (BaseKind::of(before) == BaseKind::of(after) && kind::is_promoted(after))
                        .then(|| Move16::board(from, to, true))
                }
            })
        };
        mv.filter(|&mv| self.is_legal(mv)).ok_or(MoveTextError::NoSuchMove)
    }

    /// The legal move named by a line of a file, sign included: [`parse_csa`](State::parse_csa) without the error.
    /// For reading many games: it does not check UTF-8, and few of its branches depend on the move.
    ///
    /// ```
    /// use komabako_rules::State;
    /// let state: State = State::start();
    /// assert_eq!(state.move_of_csa(b"+7776FU"), state.parse_csa("+7776FU").ok());
    /// assert_eq!(state.move_of_csa(b"-3334FU"), None);
    /// ```
    // Called once a move by a reader, which loses a tenth of its speed without it.
    #[inline(always)]
    pub fn move_of_csa(&self, text: &[u8; 7]) -> Option<Move16> {
        let &[sign, from_file, from_rank, to_file, to_rank, first, second] = text;
        let Word { name, number, drop } = WORDS[kind_index(first, second)];
        let to = index_of(to_file, to_rank);
        if sign != (if self.white { b'-' } else { b'+' }) || name != [first, second] || to >= square::COUNT {
            return None;
        }
        let bits = if (from_file, from_rank) == (b'0', b'0') {
            DROP | drop << 7
        } else {
            let from = index_of(from_file, from_rank);
            let before = self.code_at(from).uncolored();
            // CSA names the piece after the move: it promoted if a different piece is on the origin.
            let promotes = before != number;
            if from >= square::COUNT || promotes && before | Code::PROMOTED != number {
                return None;
            }
            (from as u16) << 7 | if promotes { PROMOTE } else { 0 }
        };
        // An empty origin, the drop of a king or of a promoted piece: no such move is legal.
        let mv = Move16::from_bits(bits | to as u16);
        self.is_legal_inlined(mv).then_some(mv)
    }
}

/// The index of the square named by two digits; beyond the board if they name none.
#[inline(always)]
fn index_of(file: u8, rank: u8) -> usize {
    let file = usize::from(file.wrapping_sub(b'1'));
    let rank = usize::from(rank.wrapping_sub(b'1'));
    if file < 9 && rank < 9 { file * 9 + rank } else { square::COUNT }
}

/// The meaning of a kind's name in a move.
#[derive(Clone, Copy)]
struct Word {
    name: [u8; 2],
    /// The number of the kind's [`Code`], without the colour.
    number: u8,
    /// The kind's number in the bits of a [`Move16`] that drops it; 0, the number of no kind, if it cannot be dropped.
    drop: u16,
}

/// [`KINDS`] in the form that [`State::move_of_csa`] needs. An index without a name has a number that no piece has, and no drop.
static WORDS: [Word; 32] = {
    let mut words = [Word { name: [0; 2], number: u8::MAX, drop: 0 }; 32];
    let mut index = 0;
    while index < words.len() {
        if let Some((name, kind)) = KINDS[index] {
            let base = BaseKind::of(kind);
            let (number, drop) = match (kind::is_promoted(kind), base) {
                (true, _) => (base as u8 | Code::PROMOTED, 0),
                (false, BaseKind::King) => (base as u8, 0),
                (false, _) => (base as u8, base.yaneuraou_number()),
            };
            words[index] = Word { name, number, drop: drop as u16 };
        }
        index += 1;
    }
    words
};

/// Each kind and its name, at the [`kind_index`] of the name.
///
/// A table, because the jump of a `match` is hard to predict: one of the costliest steps of reading a game.
const KINDS: [Option<([u8; 2], PieceKind)>; 32] = {
    let kinds = [
        PieceKind::Pawn,
        PieceKind::Lance,
        PieceKind::Knight,
        PieceKind::Silver,
        PieceKind::Gold,
        PieceKind::Bishop,
        PieceKind::Rook,
        PieceKind::King,
        PieceKind::ProPawn,
        PieceKind::ProLance,
        PieceKind::ProKnight,
        PieceKind::ProSilver,
        PieceKind::ProBishop,
        PieceKind::ProRook,
    ];
    let mut table = [None; 32];
    let mut index = 0;
    while index < kinds.len() {
        let kind = kinds[index];
        let &[first, second] = csa_name(kind).as_bytes() else { panic!("names have two letters") };
        let entry = &mut table[kind_index(first, second)];
        assert!(entry.is_none(), "two kinds with one index");
        *entry = Some(([first, second], kind));
        index += 1;
    }
    table
};

/// A number below 32 that is different for each of the 14 names; the factor 15 was found by trial.
const fn kind_index(first: u8, second: u8) -> usize {
    (first as usize * 15 + second as usize) % 32
}

/// The kind that two letters name.
#[inline]
fn kind_named(name: &[u8]) -> Option<PieceKind> {
    let &[first, second] = name else { return None };
    let (known, kind) = KINDS[kind_index(first, second)]?;
    (known == [first, second]).then_some(kind)
}

/// The two letters with which CSA and JKF name a kind: `FU`, `NG`.
pub const fn csa_name(kind: PieceKind) -> &'static str {
    match kind {
        PieceKind::Pawn => "FU",
        PieceKind::Lance => "KY",
        PieceKind::Knight => "KE",
        PieceKind::Silver => "GI",
        PieceKind::Gold => "KI",
        PieceKind::Bishop => "KA",
        PieceKind::Rook => "HI",
        PieceKind::King => "OU",
        PieceKind::ProPawn => "TO",
        PieceKind::ProLance => "NY",
        PieceKind::ProKnight => "NK",
        PieceKind::ProSilver => "NG",
        PieceKind::ProBishop => "UM",
        PieceKind::ProRook => "RY",
    }
}

/// The kind that CSA and JKF name with these two letters.
pub fn kind_of_csa(name: &str) -> Option<PieceKind> {
    kind_named(name.as_bytes())
}

impl fmt::Display for Csa {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (kind, side) = self.piece.to_parts();
        f.write_str(if side == Color::Black { "+" } else { "-" })?;
        for square in [self.from, Some(self.to)] {
            match square {
                Some(square) => write!(f, "{}{}", File::of(square).number(), Rank::of(square).number())?,
                None => f.write_str("00")?,
            }
        }
        f.write_str(csa_name(kind))
    }
}

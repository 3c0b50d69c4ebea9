//! [`Move16`]: a move in 16 bits, and the [encodings](MoveEncoding) in which files and engines write it.

mod encoding;
mod encodings;

pub use encoding::{MoveEncoding, MoveFault, convert};
pub use encodings::Encodings;

use komabako_board::{BaseKind, Color, Move, Piece, PieceKind, Square, square};

/// A move in 16 bits, encoded as in YaneuraOu's `Move16` and the PSV format ("encoding A").
///
/// | bits | 0–6 | 7–13 | 14 | 15 |
/// |---|---|---|---|---|
/// | board move | to | from | 0 | promotes |
/// | drop | to | kind: P 1, L 2, N 3, S 4, B 5, R 6, G 7 | 1 | 0 |
///
/// Any 16 bits are a value; [`is_well_formed`](Move16::is_well_formed) checks whether they name squares and a kind, and
/// [`State::is_legal`](crate::Keyless::is_legal) accepts any of them. Four more values, whose squares are equal, have a
/// meaning in records: [`NONE`](Move16::NONE), [`NULL`](Move16::NULL), [`RESIGN`](Move16::RESIGN) and
/// [`WIN`](Move16::WIN). [`MoveEncoding::decode`] gives one of these or a well-formed move.
///
/// ```
/// use komabako_rules::Move16;
/// let mv: Move16 = "7g7f".parse().unwrap();
/// assert_eq!(mv.bits(), 0x1e3b);
/// assert_eq!("G*5e".parse::<Move16>().unwrap().bits(), 0x43a8);
/// assert_eq!(Move16::from_bits(0xa30a).to_string(), "8h2b+");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Move16(u16);

const INDEX: u16 = 0x7f;
pub(crate) const DROP: u16 = 0x4000;
pub(crate) const PROMOTE: u16 = 0x8000;

impl Move16 {
    /// No move is known: the bits 0, in every encoding.
    pub const NONE: Move16 = Move16(0);
    /// A pass.
    pub const NULL: Move16 = Move16(0x0081);
    /// The side to move resigns.
    pub const RESIGN: Move16 = Move16(0x0102);
    /// The side to move declares a win.
    pub const WIN: Move16 = Move16(0x0183);

    /// The move with these bits.
    #[inline(always)]
    pub const fn from_bits(bits: u16) -> Self {
        Self(bits)
    }

    /// The bits.
    #[inline(always)]
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// A move on the board.
    #[inline(always)]
    pub const fn board(from: Square, to: Square, promotes: bool) -> Self {
        Self(to.array_index() as u16 | (from.array_index() as u16) << 7 | if promotes { PROMOTE } else { 0 })
    }

    /// A drop, or `None` for a king.
    #[inline(always)]
    pub const fn drop(kind: BaseKind, to: Square) -> Option<Self> {
        match kind {
            BaseKind::King => None,
            _ => Some(Self(DROP | (kind.yaneuraou_number() as u16) << 7 | to.array_index() as u16)),
        }
    }

    /// Whether the move is a drop.
    #[inline(always)]
    pub const fn is_drop(self) -> bool {
        self.0 & DROP != 0
    }

    /// Whether the moved piece promotes.
    #[inline(always)]
    pub const fn is_promotion(self) -> bool {
        self.0 & PROMOTE != 0
    }

    /// The square the piece goes to, or `None` if the bits name none.
    #[inline(always)]
    pub const fn to(self) -> Option<Square> {
        square::from_index(self.target())
    }

    /// The square a piece of the board comes from, or `None` for a drop or if the bits name none.
    #[inline(always)]
    pub const fn from(self) -> Option<Square> {
        if self.is_drop() { None } else { square::from_index(self.source()) }
    }

    /// The kind of the dropped piece, or `None` for a board move or if the bits name none.
    #[inline(always)]
    pub const fn dropped(self) -> Option<BaseKind> {
        let number = self.source();
        if self.is_drop() && number >= 1 && number <= 7 {
            Some(BaseKind::YANEURAOU[number - 1])
        } else {
            None
        }
    }

    /// Whether the bits are a move of a piece: they name two different squares, or a kind and a square and no promotion.
    pub const fn is_well_formed(self) -> bool {
        let source = match self.dropped() {
            Some(_) => !self.is_promotion(),
            None => !self.is_drop() && self.source() < square::COUNT && self.source() != self.target(),
        };
        source && self.target() < square::COUNT
    }

    #[inline(always)]
    pub(crate) const fn target(self) -> usize {
        (self.0 & INDEX) as usize
    }

    /// The index of the square it comes from, or the number of the dropped kind.
    #[inline(always)]
    pub(crate) const fn source(self) -> usize {
        (self.0 >> 7 & INDEX) as usize
    }

    /// The move as a `shogi_core` move of a side; `None` if it is not well-formed.
    pub fn to_move(self, side: Color) -> Option<Move> {
        if !self.is_well_formed() {
            return None;
        }
        Some(match self.dropped() {
            Some(kind) => Move::Drop { piece: Piece::new(kind.unpromoted(), side), to: self.to()? },
            None => Move::Normal { from: self.from()?, to: self.to()?, promote: self.is_promotion() },
        })
    }

    /// A `shogi_core` move in 16 bits, well-formed; `None` for the drop of a king or a promoted piece, and for a move from a
    /// square to itself.
    pub fn from_move(mv: Move) -> Option<Self> {
        match mv {
            Move::Normal { from, to, .. } if from == to => None,
            Move::Normal { from, to, promote } => Some(Self::board(from, to, promote)),
            Move::Drop { piece, to } => {
                let (kind, _): (PieceKind, _) = piece.to_parts();
                let base = BaseKind::of(kind);
                if base.unpromoted() == kind { Self::drop(base, to) } else { None }
            }
        }
    }
}

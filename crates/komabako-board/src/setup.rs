//! [`Setup`]: any arrangement of a shogi set.

use alloc::vec::Vec;
use core::fmt;

use komabako_messages::messages;

use crate::{BaseKind, Bitboard, Color, Hand, Piece, PieceKind, Square, color, kind, square};

/// Any arrangement of the pieces of one set: the value that codecs pack.
///
/// A setup holds at most one king per colour and at most as many pieces of a kind as a set has, on the board and in
/// both hands together ([`BaseKind::inventory`]); a piece in neither place is *removed* (駒箱). Nothing else is
/// required: kings may be missing, pawns doubled, pieces without a move. `spec/sspf-family.md` §1.1 calls exactly
/// these setups representable. The ply, history and clocks are not part of it.
///
/// Every change keeps these bounds or is refused with a [`SetupError`]. 192 bytes, `Copy`, compared by value.
///
/// ```
/// use komabako_board::{BaseKind, Color, Piece, PieceKind, Setup, Square};
/// let mut setup = Setup::EMPTY;
/// setup.place(Square::SQ_5A, Piece::new(PieceKind::King, Color::White))?;
/// setup.place(Square::SQ_5C, Piece::new(PieceKind::ProPawn, Color::Black))?;
/// setup.set_hand_count(Color::Black, BaseKind::Gold, 1)?;
/// assert_eq!(setup.removed(BaseKind::Pawn), 17);
/// assert_eq!(setup.king(Color::Black), None);
/// # Ok::<(), komabako_board::SetupError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Setup(SetupParts);

/// The fields of a [`Setup`], as bitboards: the representation that codecs and move generators work on.
///
/// In the parts of a `Setup` every occupied square is in exactly one of `colors` and exactly one of `kinds`, and
/// `promoted` lies within P L N S B R.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SetupParts {
    /// The squares of Black's and White's pieces, kings included, by [`Color::array_index`].
    pub colors: [Bitboard; 2],
    /// The squares of each [`BaseKind`], promoted pieces included, in the order P L N S G B R K.
    pub kinds: [Bitboard; 8],
    /// The squares of promoted pieces.
    pub promoted: Bitboard,
    /// Black's and White's hands, by [`Color::array_index`].
    pub hands: [Hand; 2],
    /// The side to move.
    pub side: Color,
}

/// The reason why a change of a [`Setup`] was refused.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum SetupError {
    /// The set has no more pieces of this kind.
    TooMany(BaseKind),
    /// The colour has a king already.
    SecondKing(Color),
    /// A king cannot be in a hand.
    KingInHand,
    /// The parts contradict each other on this square.
    Inconsistent(Square),
}

messages! {
    SetupError {
        TooMany(kind) with (most = kind.inventory()) => "more than {most} pieces of kind {kind}, board and hands together",
            "{kind}は {most} 枚しかありません";
        SecondKing(color) => "a second king of {color}", "{color}の玉が 2 枚あります";
        KingInHand => "a king cannot be in a hand", "玉は持ち駒になりません";
        Inconsistent(square) => "the sets of colours, kinds and promotions disagree on square {square}",
            "{square} で色・駒の種類・成りの集合が合いません";
    }
}

impl core::error::Error for SetupError {}

impl Setup {
    /// Nothing on the board or in the hands, Black to move.
    pub const EMPTY: Setup = Setup(SetupParts {
        colors: [Bitboard::EMPTY; 2],
        kinds: [Bitboard::EMPTY; 8],
        promoted: Bitboard::EMPTY,
        hands: [Hand::EMPTY; 2],
        side: Color::Black,
    });

    /// The start of an even game (平手), Black to move.
    pub const START: Setup = Setup::of_diagram([
        b"lnsgkgsnl",
        b".r.....b.",
        b"ppppppppp",
        b".........",
        b".........",
        b".........",
        b"PPPPPPPPP",
        b".B.....R.",
        b"LNSGKGSNL",
    ]);

    /// The setup of a board drawn with SFEN's letters, empty hands, Black to move.
    const fn of_diagram(rows: [&[u8; 9]; 9]) -> Setup {
        let mut colors = [0_u128; 2];
        let mut kinds = [0_u128; 8];
        let mut index = 0;
        while index < square::COUNT {
            let letter = rows[index % 9][8 - index / 9];
            if let Some(kind) = BaseKind::from_letter(letter) {
                colors[letter.is_ascii_lowercase() as usize] |= 1 << index;
                kinds[kind as usize] |= 1 << index;
            }
            index += 1;
        }
        let mut parts = Setup::EMPTY.0;
        parts.colors = [Bitboard::from_u128(colors[0]), Bitboard::from_u128(colors[1])];
        let mut kind = 0;
        while kind < kinds.len() {
            parts.kinds[kind] = Bitboard::from_u128(kinds[kind]);
            kind += 1;
        }
        Setup(parts)
    }

    /// The setup with these parts.
    ///
    /// # Errors
    /// The first fault among: a square in two sets or in none ([`SetupError::Inconsistent`]), a second king, more
    /// pieces of a kind than a set has.
    pub fn from_parts(parts: SetupParts) -> Result<Setup, SetupError> {
        let [black, white] = parts.colors;
        let mut once = Bitboard::EMPTY;
        let mut faults = black & white;
        for set in parts.kinds {
            faults |= once & set;
            once |= set;
        }
        let plain = parts.kinds[BaseKind::Gold as usize] | parts.kinds[BaseKind::King as usize];
        faults |= once ^ (black | white) | parts.promoted.without(once.without(plain));
        if let Some(square) = faults.first() {
            return Err(SetupError::Inconsistent(square));
        }
        let setup = Setup(parts);
        for color in [Color::Black, Color::White] {
            if (setup.kind(BaseKind::King) & setup.color(color)).len() > 1 {
                return Err(SetupError::SecondKing(color));
            }
        }
        match BaseKind::IN_HAND.into_iter().find(|&kind| setup.used(kind) > u32::from(kind.inventory())) {
            Some(kind) => Err(SetupError::TooMany(kind)),
            None => Ok(setup),
        }
    }

    /// The setup with these parts, checked only in debug builds: for decoders, which have checked already.
    ///
    /// # Panics
    /// In debug builds, where [`Setup::from_parts`] would return an error.
    #[inline(always)]
    pub fn from_parts_trusted(parts: SetupParts) -> Setup {
        debug_assert_eq!(Setup::from_parts(parts).err(), None);
        Setup(parts)
    }

    /// The parts, for writing in place without a check: for decoders, which have checked already. The caller must leave parts
    /// that [`Setup::from_parts`] accepts.
    #[inline(always)]
    pub const fn parts_mut_trusted(&mut self) -> &mut SetupParts {
        &mut self.0
    }

    /// The fields as bitboards.
    #[inline(always)]
    pub const fn parts(&self) -> &SetupParts {
        &self.0
    }

    /// The side to move.
    #[inline(always)]
    pub const fn side_to_move(&self) -> Color {
        self.0.side
    }

    /// Gives the move to a side.
    #[inline(always)]
    pub const fn set_side_to_move(&mut self, side: Color) {
        self.0.side = side;
    }

    /// The squares of a colour's pieces.
    #[inline(always)]
    pub const fn color(&self, color: Color) -> Bitboard {
        self.0.colors[color.array_index()]
    }

    /// The squares of a kind's pieces, of both colours, promoted ones included.
    #[inline(always)]
    pub const fn kind(&self, kind: BaseKind) -> Bitboard {
        self.0.kinds[kind as usize]
    }

    /// The squares of promoted pieces.
    #[inline(always)]
    pub const fn promoted(&self) -> Bitboard {
        self.0.promoted
    }

    /// The squares of all pieces, kings included.
    #[inline(always)]
    pub fn occupied(&self) -> Bitboard {
        self.0.colors[0] | self.0.colors[1]
    }

    /// The square of a colour's king, or `None` if it is missing.
    #[inline(always)]
    pub fn king(&self, color: Color) -> Option<Square> {
        (self.kind(BaseKind::King) & self.color(color)).first()
    }

    /// The piece on a square.
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        let base = BaseKind::ALL.into_iter().find(|&kind| self.kind(kind).contains(square))?;
        let kind = match base.promoted() {
            Some(promoted) if self.promoted().contains(square) => promoted,
            _ => base.unpromoted(),
        };
        Some(Piece::new(kind, color::from_bit(self.color(Color::White).contains(square))))
    }

    /// The occupied squares and their pieces, ascending by square.
    pub fn pieces(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        self.occupied().into_iter().filter_map(|square| Some((square, self.piece_at(square)?)))
    }

    /// A colour's hand.
    #[inline(always)]
    pub const fn hand(&self, color: Color) -> Hand {
        self.0.hands[color.array_index()]
    }

    /// The number of pieces of a kind that are neither on the board nor in a hand; 0 to its inventory. For kings, the missing ones.
    pub fn removed(&self, kind: BaseKind) -> u8 {
        kind.inventory() - self.used(kind) as u8
    }

    /// Whether both kings are on the board and every other piece is there or in a hand: 40 pieces.
    #[inline(always)]
    pub fn is_complete(&self) -> bool {
        let in_hands = self.0.hands[0].len() + self.0.hands[1].len();
        self.occupied().len() + in_hands == 40
    }

    /// Puts a piece on a square, replacing the piece there, if any.
    ///
    /// # Errors
    /// [`SetupError::TooMany`] or [`SetupError::SecondKing`] if the set has no such piece left; the setup is unchanged.
    pub fn place(&mut self, square: Square, piece: Piece) -> Result<(), SetupError> {
        let (piece_kind, piece_color) = piece.to_parts();
        let base = BaseKind::of(piece_kind);
        let bit = Bitboard::of(square);
        // The piece on the square is replaced. If it has the same kind, it goes back to the set and can be used again.
        let others = self.0.kinds[base as usize].without(bit);
        let replaces_same_kind = self.0.kinds[base as usize].intersects(bit);
        if piece_kind == PieceKind::King {
            if others.intersects(self.0.colors[piece_color.array_index()]) {
                return Err(SetupError::SecondKing(piece_color));
            }
        } else if !replaces_same_kind && self.removed(base) == 0 {
            return Err(SetupError::TooMany(base));
        }
        self.clear(square);
        self.0.colors[piece_color.array_index()] |= bit;
        self.0.kinds[base as usize] |= bit;
        if kind::is_promoted(piece_kind) {
            self.0.promoted |= bit;
        }
        Ok(())
    }

    /// Takes the piece on a square, if any, off the board (into the box, not into a hand).
    pub fn clear(&mut self, square: Square) {
        let bit = Bitboard::of(square);
        for set in self.0.colors.iter_mut().chain(&mut self.0.kinds).chain([&mut self.0.promoted]) {
            *set = set.without(bit);
        }
    }

    /// Sets the number of pieces of a kind in a hand.
    ///
    /// # Errors
    /// [`SetupError::TooMany`] if the set has fewer left, [`SetupError::KingInHand`]; the setup is unchanged.
    pub fn set_hand_count(&mut self, color: Color, kind: BaseKind, count: u8) -> Result<(), SetupError> {
        if kind == BaseKind::King {
            return Err(SetupError::KingInHand);
        }
        let hand = &mut self.0.hands[color.array_index()];
        let before = *hand;
        *hand = before.with(kind, count).ok_or(SetupError::TooMany(kind))?;
        if self.used(kind) > u32::from(kind.inventory()) {
            self.0.hands[color.array_index()] = before;
            return Err(SetupError::TooMany(kind));
        }
        Ok(())
    }

    /// The number of pieces of a kind on the board and in both hands.
    fn used(&self, kind: BaseKind) -> u32 {
        let in_hands = self.0.hands.map(|hand| u32::from(hand.count(kind)));
        self.kind(kind).len() + in_hands[0] + in_hands[1]
    }
}

impl fmt::Debug for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pieces = self.pieces().map(|(square, piece)| {
            (crate::File::of(square).number(), crate::Rank::of(square).number(), piece)
        });
        f.debug_struct("Setup")
            .field("side", &self.side_to_move())
            .field("pieces", &pieces.collect::<Vec<_>>())
            .field("hands", &self.0.hands)
            .finish()
    }
}

//! [`Code`]: the content of a square in one byte.

use komabako_board::{BaseKind, Piece, color};

/// The content of a square: base kind in bits 0–2, promoted 3, white 4, occupied 5. An empty square is 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Code(u8);

impl Code {
    pub const EMPTY: Code = Code(0);
    pub const PROMOTED: u8 = 1 << 3;
    const WHITE: u8 = 1 << 4;
    const OCCUPIED: u8 = 1 << 5;

    /// A piece that is not promoted, by its base kind's number.
    #[inline(always)]
    pub const fn unpromoted(base: usize, white: bool) -> Self {
        Self(base as u8 & 7 | if white { Self::WHITE } else { 0 } | Self::OCCUPIED)
    }

    /// The code with these bits.
    #[inline(always)]
    pub const fn from_planes(bits: u8) -> Self {
        Self(bits)
    }

    /// 0..32: the piece without the bit for "occupied".
    #[inline(always)]
    pub const fn number(self) -> usize {
        (self.0 & 0x1f) as usize
    }

    /// 0..16: the base kind, and whether it is promoted. 0 for an empty square too.
    #[inline(always)]
    pub const fn uncolored(self) -> u8 {
        self.0 & 0xf
    }

    /// The base kind's number, in the order of [`BaseKind`].
    #[inline(always)]
    pub const fn base(self) -> usize {
        (self.0 & 7) as usize
    }

    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    #[inline(always)]
    pub const fn is_promoted(self) -> bool {
        self.0 & Self::PROMOTED != 0
    }

    #[inline(always)]
    pub const fn is_white(self) -> bool {
        self.0 & Self::WHITE != 0
    }

    #[inline(always)]
    pub const fn promoted_if(self, promotes: bool) -> Self {
        Self(self.0 | if promotes { Self::PROMOTED } else { 0 })
    }

    #[inline(always)]
    pub const fn demoted_if(self, promoted: bool) -> Self {
        Self(self.0 & if promoted { !Self::PROMOTED } else { !0 })
    }

    /// The piece, or `None` for an empty square.
    pub fn piece(self) -> Option<Piece> {
        if self.is_empty() {
            return None;
        }
        let base = BaseKind::ALL[self.base()];
        let promoted = if self.is_promoted() { base.promoted() } else { None };
        Some(Piece::new(promoted.unwrap_or(base.unpromoted()), color::from_bit(self.is_white())))
    }
}

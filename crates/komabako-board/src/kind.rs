//! The eight base kinds of pieces and the two orders in which formats list them.

use crate::PieceKind;

/// The kind of a piece, promotion aside.
///
/// The discriminants are the order of SSPFv1's fields and of every format's tails, kings last: P L N S G B R K.
/// YaneuraOu and Apery *number* kinds in another order (gold after rook): [`BaseKind::YANEURAOU`]. No code
/// converts between the two by arithmetic; [`BaseKind::yaneuraou_number`] is the map.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum BaseKind {
    /// 歩
    Pawn,
    /// 香
    Lance,
    /// 桂
    Knight,
    /// 銀
    Silver,
    /// 金
    Gold,
    /// 角
    Bishop,
    /// 飛
    Rook,
    /// 玉
    King,
}

impl BaseKind {
    /// Every kind in the order of the fields: P L N S G B R K.
    pub const ALL: [BaseKind; 8] = [
        BaseKind::Pawn,
        BaseKind::Lance,
        BaseKind::Knight,
        BaseKind::Silver,
        BaseKind::Gold,
        BaseKind::Bishop,
        BaseKind::Rook,
        BaseKind::King,
    ];

    /// The kinds that can be in a hand, in the order of the tails: P L N S G B R.
    pub const IN_HAND: [BaseKind; 7] = [
        BaseKind::Pawn,
        BaseKind::Lance,
        BaseKind::Knight,
        BaseKind::Silver,
        BaseKind::Gold,
        BaseKind::Bishop,
        BaseKind::Rook,
    ];

    /// The kinds by YaneuraOu's number less one: P L N S B R G K.
    pub const YANEURAOU: [BaseKind; 8] = [
        BaseKind::Pawn,
        BaseKind::Lance,
        BaseKind::Knight,
        BaseKind::Silver,
        BaseKind::Bishop,
        BaseKind::Rook,
        BaseKind::Gold,
        BaseKind::King,
    ];

    /// The order in which canonical SFEN writes a hand: R B G S N L P.
    pub const SFEN_HAND: [BaseKind; 7] = [
        BaseKind::Rook,
        BaseKind::Bishop,
        BaseKind::Gold,
        BaseKind::Silver,
        BaseKind::Knight,
        BaseKind::Lance,
        BaseKind::Pawn,
    ];

    /// The number of pieces of this kind in a set, both colours together: P 18, L N S G 4, B R K 2.
    #[inline(always)]
    pub const fn inventory(self) -> u8 {
        match self {
            BaseKind::Pawn => 18,
            BaseKind::Lance | BaseKind::Knight | BaseKind::Silver | BaseKind::Gold => 4,
            BaseKind::Bishop | BaseKind::Rook | BaseKind::King => 2,
        }
    }

    /// Whether the kind promotes: all but gold and king.
    #[inline(always)]
    pub const fn can_promote(self) -> bool {
        !matches!(self, BaseKind::Gold | BaseKind::King)
    }

    /// The kind's number in YaneuraOu, Apery, cshogi and nshogi: P 1, L 2, N 3, S 4, B 5, R 6, G 7, K 8.
    ///
    /// ```
    /// use komabako_board::BaseKind;
    /// for (index, kind) in BaseKind::YANEURAOU.into_iter().enumerate() {
    ///     assert_eq!(kind.yaneuraou_number() as usize, index + 1);
    /// }
    /// ```
    #[inline(always)]
    pub const fn yaneuraou_number(self) -> u8 {
        match self {
            BaseKind::Pawn => 1,
            BaseKind::Lance => 2,
            BaseKind::Knight => 3,
            BaseKind::Silver => 4,
            BaseKind::Bishop => 5,
            BaseKind::Rook => 6,
            BaseKind::Gold => 7,
            BaseKind::King => 8,
        }
    }

    /// The kind under a piece's promotion.
    ///
    /// ```
    /// use komabako_board::{BaseKind, PieceKind};
    /// assert_eq!(BaseKind::of(PieceKind::ProRook), BaseKind::Rook);
    /// ```
    #[inline(always)]
    pub const fn of(kind: PieceKind) -> BaseKind {
        match kind {
            PieceKind::Pawn | PieceKind::ProPawn => BaseKind::Pawn,
            PieceKind::Lance | PieceKind::ProLance => BaseKind::Lance,
            PieceKind::Knight | PieceKind::ProKnight => BaseKind::Knight,
            PieceKind::Silver | PieceKind::ProSilver => BaseKind::Silver,
            PieceKind::Gold => BaseKind::Gold,
            PieceKind::Bishop | PieceKind::ProBishop => BaseKind::Bishop,
            PieceKind::Rook | PieceKind::ProRook => BaseKind::Rook,
            PieceKind::King => BaseKind::King,
        }
    }

    /// The unpromoted piece kind.
    #[inline(always)]
    pub const fn unpromoted(self) -> PieceKind {
        match self {
            BaseKind::Pawn => PieceKind::Pawn,
            BaseKind::Lance => PieceKind::Lance,
            BaseKind::Knight => PieceKind::Knight,
            BaseKind::Silver => PieceKind::Silver,
            BaseKind::Gold => PieceKind::Gold,
            BaseKind::Bishop => PieceKind::Bishop,
            BaseKind::Rook => PieceKind::Rook,
            BaseKind::King => PieceKind::King,
        }
    }

    /// The promoted piece kind, or `None` for gold and king.
    #[inline(always)]
    pub const fn promoted(self) -> Option<PieceKind> {
        match self {
            BaseKind::Pawn => Some(PieceKind::ProPawn),
            BaseKind::Lance => Some(PieceKind::ProLance),
            BaseKind::Knight => Some(PieceKind::ProKnight),
            BaseKind::Silver => Some(PieceKind::ProSilver),
            BaseKind::Bishop => Some(PieceKind::ProBishop),
            BaseKind::Rook => Some(PieceKind::ProRook),
            BaseKind::Gold | BaseKind::King => None,
        }
    }

    /// The upper-case SFEN letter.
    pub const fn letter(self) -> char {
        b"PLNSGBRK"[self as usize] as char
    }

    /// The kind whose upper- or lower-case SFEN letter this is.
    ///
    /// ```
    /// use komabako_board::BaseKind;
    /// assert_eq!(BaseKind::from_letter(b'g'), Some(BaseKind::Gold));
    /// assert_eq!(BaseKind::from_letter(b'x'), None);
    /// ```
    pub const fn from_letter(letter: u8) -> Option<BaseKind> {
        Some(match letter.to_ascii_uppercase() {
            b'P' => BaseKind::Pawn,
            b'L' => BaseKind::Lance,
            b'N' => BaseKind::Knight,
            b'S' => BaseKind::Silver,
            b'G' => BaseKind::Gold,
            b'B' => BaseKind::Bishop,
            b'R' => BaseKind::Rook,
            b'K' => BaseKind::King,
            _ => return None,
        })
    }
}

impl From<PieceKind> for BaseKind {
    fn from(kind: PieceKind) -> Self {
        BaseKind::of(kind)
    }
}

/// Whether a piece kind is a promoted one.
#[inline(always)]
pub const fn is_promoted(kind: PieceKind) -> bool {
    matches!(
        kind,
        PieceKind::ProPawn
            | PieceKind::ProLance
            | PieceKind::ProKnight
            | PieceKind::ProSilver
            | PieceKind::ProBishop
            | PieceKind::ProRook
    )
}

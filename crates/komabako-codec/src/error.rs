//! The errors of codecs.

use core::fmt;

use komabako_board::{BaseKind, Color, SetupError};

/// The reason why a format cannot hold a setup.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum PackError {
    /// The colour has no king, and the format needs both.
    KingMissing(Color),
    /// A piece of this kind is neither on the board nor in a hand, and the format has no box.
    PieceRemoved(BaseKind),
    /// A [`Source`](crate::Source) is not an arrangement of one shogi set. Never returned for a
    /// [`Setup`](komabako_board::Setup).
    NotRepresentable(SetupError),
}

impl PackError {
    /// The error's name in the program's output: `KING_MISSING`, `PIECE_REMOVED` or `NOT_REPRESENTABLE`.
    pub const fn name(self) -> &'static str {
        match self {
            PackError::KingMissing(_) => "KING_MISSING",
            PackError::PieceRemoved(_) => "PIECE_REMOVED",
            PackError::NotRepresentable(_) => "NOT_REPRESENTABLE",
        }
    }
}

impl fmt::Display for PackError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PackError::KingMissing(color) => {
                write!(f, "{color:?}'s king is missing, and the format has no room for that")
            }
            PackError::PieceRemoved(kind) => write!(
                f,
                "a piece of kind {} is neither on the board nor in a hand, and the format has no box for it",
                kind.letter()
            ),
            PackError::NotRepresentable(error) => write!(f, "not an arrangement of one shogi set: {error}"),
        }
    }
}

impl core::error::Error for PackError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            PackError::NotRepresentable(error) => Some(error),
            _ => None,
        }
    }
}

/// The reason why a word was refused, and its place in the word.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct UnpackError {
    /// The fault.
    pub fault: UnpackFault,
    /// The field in which it shows.
    pub field: Field,
    /// The first bit of the word at which it shows, 0..=256.
    pub bit: u16,
}

impl UnpackError {
    /// The fault's name in the specification, e.g. `KING_CODE`.
    pub const fn name(&self) -> &'static str {
        self.fault.name()
    }
}

impl fmt::Display for UnpackError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (field {}, bit {}, {})", self.fault, self.field, self.bit, self.name())
    }
}

impl core::error::Error for UnpackError {}

/// An error at one element of a slice.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SliceError<E> {
    /// The index of the element.
    pub index: usize,
    /// The element's error.
    pub error: E,
}

impl<E: fmt::Display> fmt::Display for SliceError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "element {}: {}", self.index, self.error)
    }
}

impl<E: core::error::Error> core::error::Error for SliceError<E> {}

macro_rules! named {
    ($(#[$doc:meta])* $type:ident { $($(#[$variant_doc:meta])* $variant:ident = $name:literal: $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[non_exhaustive]
        pub enum $type {
            $(#[doc = concat!("`", $name, "`: ", $text, ".")] $(#[$variant_doc])* $variant,)*
        }

        impl $type {
            /// The name in the specification.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }
        }

        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(match self { $(Self::$variant => $text,)* })
            }
        }
    };
}

named! {
    /// A fault of a word, named as in [`spec::sspf_family`](crate::spec::sspf_family) and
    /// [`spec::formats`](crate::spec::formats).
    UnpackFault {
        KingCode = "KING_CODE": "a king's code is not a square",
        BaseKingMissing = "BASE_KING_MISSING": "a king is missing, which only the extension of SSPFv1 holds",
        KingsCollide = "KINGS_COLLIDE": "both kings stand on one square",
        PieceTotal = "PIECE_TOTAL": "more pieces on the board than a set has",
        NonpawnTotal = "NONPAWN_TOTAL": "more pieces besides pawns than a set has",
        PawnCount = "PAWN_COUNT": "more than 18 pawns",
        Pt1Tail = "PT1_TAIL": "bits set past the end of pt_bit1",
        Pt2Tail = "PT2_TAIL": "bits set past the end of pt_bit2",
        LanceCount = "LANCE_COUNT": "more than 4 lances",
        KnightCount = "KNIGHT_COUNT": "more than 4 knights",
        SilverCount = "SILVER_COUNT": "more than 4 silvers",
        GbrTotal = "GBR_TOTAL": "more than 8 golds, bishops and rooks",
        Pt3Tail = "PT3_TAIL": "bits set past the end of pt_bit3",
        GoldCount = "GOLD_COUNT": "more than 4 golds",
        BrTotal = "BR_TOTAL": "more than 4 bishops and rooks",
        Pt4Tail = "PT4_TAIL": "bits set past the end of pt_bit4",
        BishopCount = "BISHOP_COUNT": "more than 2 bishops",
        RookCount = "ROOK_COUNT": "more than 2 rooks",
        PromotedTail = "PROMOTED_TAIL": "bits set past the end of is_promoted",
        RemovedColor = "REMOVED_COLOR": "a removed piece has a colour",
        BasePieceRemoved = "BASE_PIECE_REMOVED": "a piece is removed, which only the extension of SSPFv1 holds",
        TailOrder = "TAIL_ORDER": "the pieces off the board are not in canonical order",
        SidePopcount = "SIDE_POPCOUNT": "between 35 and 40 ones, which is neither side's to move",
        BishopCode = "BISHOP_CODE": "no two bishops have this code",
        RookCode = "ROOK_CODE": "no two rooks have this code",
        MajorsCollide = "MAJORS_COLLIDE": "two kings, bishops or rooks stand on one square",
        MajorPromoted = "MAJOR_PROMOTED": "a bishop or rook off the board is promoted",
        Payload = "PAYLOAD": "the payload is not zero",
        TailCode = "TAIL_CODE": "no piece has this code off the board",
        PhantomPawns = "PHANTOM_PAWNS": "zeros at the end can be pawns in Black's hand or the room of removed pieces",
        Length = "LENGTH": "the codes do not end exactly at bit 256",
        Range = "RANGE": "the number is not below the number of positions; are bits 238 and 239 zero?",
    }
}

named! {
    /// A field of a packed word.
    Field {
        SideToMove = "side_to_move": "side_to_move",
        Occupied = "occupied": "occupied",
        Kings = "kings": "kings",
        IsPromoted = "is_promoted": "is_promoted",
        PtBit0 = "pt_bit0": "pt_bit0",
        PtBit1 = "pt_bit1": "pt_bit1",
        PtBit2 = "pt_bit2": "pt_bit2",
        PtBit3 = "pt_bit3": "pt_bit3",
        PtBit4 = "pt_bit4": "pt_bit4",
        Color = "color": "color",
        Bishops = "bishops": "bishops",
        Rooks = "rooks": "rooks",
        MajorColor = "major_color": "major_color",
        MajorPromoted = "major_promoted": "major_promoted",
        Payload = "payload": "payload",
        Rank = "rank": "rank",
        Board = "board": "board",
        BlackHand = "black_hand": "black_hand",
        WhiteHand = "white_hand": "white_hand",
        Box = "box": "box",
    }
}

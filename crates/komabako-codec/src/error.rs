//! The errors of codecs.

use core::fmt;

use komabako_board::{BaseKind, Color, SetupError};
use komabako_messages::{Lang, Message, messages, say};

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

messages! {
    PackError {
        KingMissing(color) => "{color}'s king is missing, and the format has no room for that",
            "{color}の玉がない局面は、この形式では表せません";
        PieceRemoved(kind) => "a piece of kind {kind} is neither on the board nor in a hand, and the format has no box for it",
            "盤にも持ち駒にもない{kind}があり、この形式では表せません";
        NotRepresentable(error) => "not an arrangement of one shogi set: {error}", "1 組の駒の局面ではありません: {error}";
    }
}

impl core::error::Error for PackError {}

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

impl Message for UnpackError {
    fn write(&self, lang: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        say!(
            f,
            lang,
            "{fault} (field {field}, bit {bit}, {name})",
            "{fault} (フィールド {field}、ビット {bit}、{name})",
            fault = self.fault,
            field = self.field.name(),
            bit = self.bit,
            name = self.name()
        )
    }
}

komabako_messages::english!(UnpackError);

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

/// Declares faults: the name in the specification, and the sentences.
macro_rules! faults {
    ($(#[$doc:meta])* $type:ident { $($variant:ident = $name:literal: $en:literal, $ja:literal;)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[non_exhaustive]
        pub enum $type {
            $(#[doc = concat!("`", $name, "`: ", $en, ".")] $variant,)*
        }

        impl $type {
            /// Every fault.
            pub const ALL: &[$type] = &[$($type::$variant),*];

            /// The name in the specification.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }
        }

        messages! { $type { $($variant => $en, $ja;)* } }
    };
}

faults! {
    /// A fault of a word, named as in [`spec::sspf_family`](crate::spec::sspf_family) and
    /// [`spec::formats`](crate::spec::formats).
    UnpackFault {
        KingCode = "KING_CODE": "a king's code is not a square", "玉の位置が盤のマスではありません";
        BaseKingMissing = "BASE_KING_MISSING": "a king is missing, which only the extension of SSPFv1 holds",
            "玉がありません (SSPFv1 の拡張形式でのみ表せます)";
        KingsCollide = "KINGS_COLLIDE": "both kings stand on one square", "両方の玉が同じマスにあります";
        PieceTotal = "PIECE_TOTAL": "more pieces on the board than a set has", "玉以外の駒が 38 枚を超えています";
        NonpawnTotal = "NONPAWN_TOTAL": "more pieces besides pawns than a set has",
            "玉と歩以外の駒が 20 枚を超えています";
        PawnCount = "PAWN_COUNT": "more than 18 pawns", "歩が 18 枚を超えています";
        Pt1Tail = "PT1_TAIL": "bits set past the end of pt_bit1", "pt_bit1 の終わりより後のビットが立っています";
        Pt2Tail = "PT2_TAIL": "bits set past the end of pt_bit2", "pt_bit2 の終わりより後のビットが立っています";
        LanceCount = "LANCE_COUNT": "more than 4 lances", "香が 4 枚を超えています";
        KnightCount = "KNIGHT_COUNT": "more than 4 knights", "桂が 4 枚を超えています";
        SilverCount = "SILVER_COUNT": "more than 4 silvers", "銀が 4 枚を超えています";
        GbrTotal = "GBR_TOTAL": "more than 8 golds, bishops and rooks", "金・角・飛が合わせて 8 枚を超えています";
        Pt3Tail = "PT3_TAIL": "bits set past the end of pt_bit3", "pt_bit3 の終わりより後のビットが立っています";
        GoldCount = "GOLD_COUNT": "more than 4 golds", "金が 4 枚を超えています";
        BrTotal = "BR_TOTAL": "more than 4 bishops and rooks", "角・飛が合わせて 4 枚を超えています";
        Pt4Tail = "PT4_TAIL": "bits set past the end of pt_bit4", "pt_bit4 の終わりより後のビットが立っています";
        BishopCount = "BISHOP_COUNT": "more than 2 bishops", "角が 2 枚を超えています";
        RookCount = "ROOK_COUNT": "more than 2 rooks", "飛が 2 枚を超えています";
        PromotedTail = "PROMOTED_TAIL": "bits set past the end of is_promoted",
            "is_promoted の終わりより後のビットが立っています";
        RemovedColor = "REMOVED_COLOR": "a removed piece has a colour", "駒箱の駒に先手・後手の別があります";
        BasePieceRemoved = "BASE_PIECE_REMOVED": "a piece is removed, which only the extension of SSPFv1 holds",
            "駒箱の駒があります (SSPFv1 の拡張形式でのみ表せます)";
        TailOrder = "TAIL_ORDER": "the pieces off the board are not in canonical order",
            "盤外の駒の並びが正規の順ではありません";
        SidePopcount = "SIDE_POPCOUNT": "between 35 and 40 ones, which is neither side's to move",
            "1 の数が 35 から 40 で、どちらの手番でもありません";
        BishopCode = "BISHOP_CODE": "no two bishops have this code", "この符号の角の組はありません";
        RookCode = "ROOK_CODE": "no two rooks have this code", "この符号の飛の組はありません";
        MajorsCollide = "MAJORS_COLLIDE": "two kings, bishops or rooks stand on one square",
            "玉・角・飛のうち 2 枚が同じマスにあります";
        MajorPromoted = "MAJOR_PROMOTED": "a bishop or rook off the board is promoted", "盤外の角か飛が成っています";
        Payload = "PAYLOAD": "the payload is not zero", "付加情報が 0 ではありません";
        TailCode = "TAIL_CODE": "no piece has this code off the board", "盤外の駒にこの符号はありません";
        PhantomPawns = "PHANTOM_PAWNS": "zeros at the end can be pawns in Black's hand or the room of removed pieces",
            "末尾の 0 が先手の持ち駒の歩か、省略された駒か決められません";
        Length = "LENGTH": "the codes do not end exactly at bit 256", "符号の終わりが 256 ビット目と一致しません";
        Range = "RANGE": "the number is not below the number of positions; are bits 238 and 239 zero?",
            "番号が局面の総数以上です。ビット 238、239 は 0 ですか";
    }
}

/// A field of a packed word.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Field {
    /// `side_to_move`.
    SideToMove,
    /// `occupied`.
    Occupied,
    /// `kings`.
    Kings,
    /// `is_promoted`.
    IsPromoted,
    /// `pt_bit0`.
    PtBit0,
    /// `pt_bit1`.
    PtBit1,
    /// `pt_bit2`.
    PtBit2,
    /// `pt_bit3`.
    PtBit3,
    /// `pt_bit4`.
    PtBit4,
    /// `color`.
    Color,
    /// `bishops`.
    Bishops,
    /// `rooks`.
    Rooks,
    /// `major_color`.
    MajorColor,
    /// `major_promoted`.
    MajorPromoted,
    /// `payload`.
    Payload,
    /// `rank`.
    Rank,
    /// `board`.
    Board,
    /// `black_hand`.
    BlackHand,
    /// `white_hand`.
    WhiteHand,
    /// `box`.
    Box,
}

impl Field {
    /// The name in the specification.
    pub const fn name(self) -> &'static str {
        match self {
            Field::SideToMove => "side_to_move",
            Field::Occupied => "occupied",
            Field::Kings => "kings",
            Field::IsPromoted => "is_promoted",
            Field::PtBit0 => "pt_bit0",
            Field::PtBit1 => "pt_bit1",
            Field::PtBit2 => "pt_bit2",
            Field::PtBit3 => "pt_bit3",
            Field::PtBit4 => "pt_bit4",
            Field::Color => "color",
            Field::Bishops => "bishops",
            Field::Rooks => "rooks",
            Field::MajorColor => "major_color",
            Field::MajorPromoted => "major_promoted",
            Field::Payload => "payload",
            Field::Rank => "rank",
            Field::Board => "board",
            Field::BlackHand => "black_hand",
            Field::WhiteHand => "white_hand",
            Field::Box => "box",
        }
    }
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

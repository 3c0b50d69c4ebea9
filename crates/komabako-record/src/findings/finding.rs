//! [`Finding`]: a fault of a record, and its level.

use core::fmt;

use komabako_board::Color;
use komabako_board::sfen::SfenFault;
use komabako_codec::UnpackFault;
use komabako_codec::packed_sfen::{Lenient, Variant};
use komabako_messages::{Lang, Message, say, say_match};
use komabako_rules::Move16;
use komabako_variants::WordFormat;

use super::{Level, Misread};
use crate::RecordFault;
use crate::fault::CellFault;
use crate::games::{GameCause, StreamFault};
use crate::legality::LegalityFault;
use crate::legality::Readings;
use crate::move16::MoveEncoding;

/// A fault of a record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Finding {
    /// The record, or a part of it, does not decode.
    Record(RecordFault),
    /// The position is PSV as an older program writes it, and not canonical.
    Variant {
        /// The program family that writes this variant.
        variant: Variant,
        /// The number of pawn codes that are not pawns but the zero bits left by removed pieces.
        phantom_pawns: u8,
    },
    /// The position does not decode or makes no sense, except with the codec of another format.
    OtherCodec(WordFormat),
    /// No game can be played from the position, or the move is not legal.
    Legality(LegalityFault),
    /// The move is not legal in the format's encoding, but is in another.
    OtherEncoding(OtherEncoding),
    /// The move is legal in the format's encoding, but the next position shows that another move was meant.
    Misread(Misread),
    /// The score is −32768 or 32002, which mean "no score".
    NoScore(i16),
    /// The score is larger than any mate score.
    ScoreRange(i16),
    /// The byte beside the result is not zero.
    Padding(u8),
    /// The ply is larger than in any real game.
    PlyRange(u32),
    /// Black moves at odd plies in a game from the start position, White at even ones; here it is the reverse.
    PlyParity(u32, Color),
    /// The game cannot be replayed to the end that it declares.
    Stream(StreamFault),
    /// The move is legal but does not mate, and this move would mate at once.
    MissedMate(Move16),
}

/// A move that is legal in encodings other than its format's, or in several.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OtherEncoding {
    bits: u16,
    readings: Readings,
}

impl OtherEncoding {
    /// The readings of the bits of a move; `None` if it is legal in no encoding.
    pub fn from_readings(bits: u16, readings: Readings) -> Option<OtherEncoding> {
        (!readings.encodings().is_empty()).then_some(OtherEncoding { bits, readings })
    }

    /// The bits as stored.
    pub const fn bits(&self) -> u16 {
        self.bits
    }

    /// The encodings in which the bits are a legal move, each with that move.
    pub fn moves(&self) -> impl Iterator<Item = (MoveEncoding, Move16)> {
        let readings = self.readings;
        readings.encodings().iter().filter_map(move |encoding| Some((encoding, readings.legal_in(encoding)?)))
    }

    const fn name(&self) -> &'static str {
        let a = self.readings.legal_in(MoveEncoding::YaneuraOu).is_some();
        let b = self.readings.legal_in(MoveEncoding::LegacyRshogi).is_some();
        let c = self.readings.legal_in(MoveEncoding::Apery).is_some();
        match (a, b, c) {
            (true, true, _) => "MOVE_ENCODING_A_OR_B",
            (true, false, _) => "MOVE_ENCODING_A",
            (false, true, true) => "MOVE_ENCODING_B_OR_C",
            (false, true, false) => "MOVE_ENCODING_B",
            (false, false, _) => "MOVE_ENCODING_C",
        }
    }
}

impl From<Lenient> for Finding {
    fn from(lenient: Lenient) -> Finding {
        Finding::Variant { variant: lenient.variant, phantom_pawns: lenient.dropped_pawns }
    }
}

impl Finding {
    /// Whether a score means "no score": −32768, and YaneuraOu's `VALUE_NONE`.
    pub const fn is_no_score(score: i16) -> bool {
        matches!(score, i16::MIN | 32_002)
    }

    /// The level of the finding.
    pub const fn level(&self) -> Level {
        match self {
            Finding::Record(fault) => level_of(fault),
            Finding::Variant { .. } => Level::Canonical,
            Finding::OtherCodec(_) => Level::Codec,
            Finding::Legality(fault) => match fault {
                LegalityFault::Record(fault) => level_of(fault),
                LegalityFault::Position(_) | LegalityFault::OpponentInCheck => Level::Rules,
                _ => Level::Move,
            },
            Finding::OtherEncoding(_) | Finding::Misread(_) => Level::Move,
            Finding::NoScore(_) | Finding::ScoreRange(_) => Level::Score,
            Finding::Padding(_) => Level::Result,
            Finding::PlyRange(_) | Finding::PlyParity(..) => Level::Ply,
            Finding::Stream(_) => Level::Stream,
            Finding::MissedMate(_) => Level::Mate,
        }
    }

    /// The finding's name for reports, e.g. `VARIANT_B` or `MOVE_ENCODING_C`.
    pub const fn name(&self) -> &'static str {
        match self {
            Finding::Record(fault) => fault.name(),
            Finding::Variant { variant: Variant::B, .. } => "VARIANT_B",
            Finding::Variant { variant: Variant::C, .. } => "VARIANT_C",
            Finding::Variant { .. } => "VARIANT_OTHER",
            Finding::OtherCodec(WordFormat::Sspf) => "CODEC_SSPFV1",
            Finding::OtherCodec(WordFormat::PackedSfen) => "CODEC_PSV",
            Finding::OtherCodec(WordFormat::Hcp) => "CODEC_HCP",
            Finding::OtherCodec(WordFormat::Nshogi) => "CODEC_NSHOGI",
            Finding::OtherCodec(_) => "CODEC_OTHER",
            Finding::Legality(fault) => fault.name(),
            Finding::OtherEncoding(other) => other.name(),
            Finding::Misread(_) => "MOVE_ENCODING_BY_NEXT",
            Finding::NoScore(_) => "SCORE_NONE",
            Finding::ScoreRange(_) => "SCORE_RANGE",
            Finding::Padding(_) => "PADDING",
            Finding::PlyRange(_) => "PLY_RANGE",
            Finding::PlyParity(..) => "PLY_PARITY",
            Finding::Stream(fault) => fault.name(),
            Finding::MissedMate(_) => "MATE_MISSED",
        }
    }
}

/// The level that reports a fault of a record.
const fn level_of(fault: &RecordFault) -> Level {
    match fault {
        RecordFault::Unpack(error) => match error.fault {
            UnpackFault::PieceTotal
            | UnpackFault::NonpawnTotal
            | UnpackFault::PawnCount
            | UnpackFault::LanceCount
            | UnpackFault::KnightCount
            | UnpackFault::SilverCount
            | UnpackFault::GbrTotal
            | UnpackFault::GoldCount
            | UnpackFault::BrTotal
            | UnpackFault::BishopCount
            | UnpackFault::RookCount
            | UnpackFault::BasePieceRemoved => Level::Inventory,
            UnpackFault::Pt1Tail
            | UnpackFault::Pt2Tail
            | UnpackFault::Pt3Tail
            | UnpackFault::Pt4Tail
            | UnpackFault::PromotedTail
            | UnpackFault::RemovedColor
            | UnpackFault::TailOrder
            | UnpackFault::MajorPromoted
            | UnpackFault::Payload
            | UnpackFault::PhantomPawns => Level::Canonical,
            _ => Level::Codec,
        },
        RecordFault::Sfen(error) => match error.fault {
            SfenFault::TooMany(_) | SfenFault::SecondKing(_) => Level::Inventory,
            _ => Level::Codec,
        },
        RecordFault::Move(_) | RecordFault::Cell(CellFault::Move(_), _) => Level::Move,
        RecordFault::Result(_) => Level::Result,
        RecordFault::Ply(_) => Level::Ply,
        RecordFault::Game(fault) => match &fault.cause {
            GameCause::Start(error) => level_of(&RecordFault::Unpack(*error)),
            GameCause::Position(_) | GameCause::OpponentInCheck => Level::Rules,
            GameCause::Result(_) => Level::Result,
            _ => Level::Move,
        },
        _ => Level::Codec,
    }
}

impl Message for Finding {
    fn write(&self, lang: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        say_match!(f, lang, self;
            Finding::Record(fault) => { fault.write(lang, f) };
            Finding::Variant { variant, phantom_pawns } => {
                say_match!(f, lang, variant;
                    Variant::B => "position: PSV of YaneuraOu before 2024 (variant B), not canonical",
                        "2024 年より前のやねうら王の PSV (変種 B) で、正規の形ではありません";
                    Variant::C => "position: PSV of rshogi (variant C), not canonical",
                        "rshogi の PSV (変種 C) で、正規の形ではありません";
                    _ => "position: PSV in no known order of hands, not canonical",
                        "持ち駒の並びが正規の形ではありません";
                )?;
                say_match!(f, lang, phantom_pawns;
                    0 => { Ok(()) };
                    pawns => "; {pawns} of its pawn codes are zeros left by removed pieces",
                        "。うち歩 {pawns} 枚は、ない駒の空きです", pawns;
                )
            };
            Finding::OtherCodec(format) =>
                "position: it makes no sense in the format's codec, but it does in that of {format}",
                "この形式では意味をなさず、{format} の符号語としてなら読めます", format;
            Finding::Legality(fault) => { fault.write(lang, f) };
            Finding::OtherEncoding(other) => { other.write(lang, f) };
            Finding::Misread(misread) => { misread.write(lang, f) };
            Finding::NoScore(score) => "score: {score} means \"no score\"",
                "評価値 {score} は「なし」を表す値です", score;
            Finding::ScoreRange(score) => "score: {score} exceeds every mate score",
                "評価値 {score} は詰みの値を超えています", score;
            Finding::Padding(byte) => "padding: the last byte is {byte:#04x}, not zero",
                "最後のバイトが 0 ではなく {byte:#04x} です", byte;
            Finding::PlyRange(ply) => "ply: no game has {ply} plies", "手数 {ply} は長すぎます", ply;
            Finding::PlyParity(ply, side) => "ply: {ply} with {side} to move",
                "手数 {ply} で{side}番です (先手番は奇数のはず)", ply, side;
            Finding::Stream(fault) => { fault.write(lang, f) };
            Finding::MissedMate(mate) => "move: {mate} would mate at once",
                "1 手詰の {mate} を逃しています", mate;
        )
    }
}

komabako_messages::english!(Finding);

impl Message for OtherEncoding {
    fn write(&self, lang: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bits = self.bits;
        say!(
            f,
            lang,
            "move: {bits:#06x} is illegal in the format's encoding, but legal",
            "指し手 {bits:#06x} はこの形式のエンコーディングでは反則ですが、",
            bits
        )?;
        for (index, (encoding, mv)) in self.moves().enumerate() {
            if index > 0 {
                say!(f, lang, " and", "、")?;
            }
            say!(f, lang, " in {encoding} ({mv})", "エンコーディング {encoding} ({mv})", encoding, mv)?;
        }
        say!(f, lang, "", " なら合法です")
    }
}

impl core::error::Error for Finding {}

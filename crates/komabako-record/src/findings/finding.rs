//! [`Finding`]: a fault of a record, and its level.

use core::fmt;

use komabako_board::Color;
use komabako_board::sfen::SfenFault;
use komabako_codec::UnpackFault;
use komabako_codec::packed_sfen::{Lenient, Variant};
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

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Finding::Record(fault) => fault.fmt(f),
            Finding::Variant { variant, phantom_pawns } => {
                match variant {
                    Variant::B => f.write_str("position: PSV of YaneuraOu before 2024 (variant B)"),
                    Variant::C => f.write_str("position: PSV of rshogi (variant C)"),
                    _ => f.write_str("position: PSV in no known order of hands"),
                }?;
                f.write_str(", not canonical")?;
                match phantom_pawns {
                    0 => Ok(()),
                    pawns => write!(f, "; {pawns} of its pawn codes are zeros left by removed pieces"),
                }
            }
            Finding::OtherCodec(format) => {
                write!(
                    f,
                    "position: it makes no sense in the format's codec, but it does in that of {format}"
                )
            }
            Finding::Legality(fault) => fault.fmt(f),
            Finding::OtherEncoding(other) => {
                write!(f, "move: {:#06x} is illegal in the format's encoding, but legal", other.bits)?;
                let mut moves = other.moves();
                let (encoding, mv) = moves.next().expect("legal in one encoding at least");
                write!(f, " in {} ({mv})", encoding.letter())?;
                moves.try_for_each(|(encoding, mv)| write!(f, " and in {} ({mv})", encoding.letter()))
            }
            Finding::Misread(misread) => misread.fmt(f),
            Finding::NoScore(score) => write!(f, "score: {score} means \"no score\""),
            Finding::ScoreRange(score) => write!(f, "score: {score} exceeds every mate score"),
            Finding::Padding(byte) => write!(f, "padding: the last byte is {byte:#04x}, not zero"),
            Finding::PlyRange(ply) => write!(f, "ply: no game has {ply} plies"),
            Finding::PlyParity(ply, side) => write!(f, "ply: {ply} with {side:?} to move"),
            Finding::Stream(fault) => fault.fmt(f),
            Finding::MissedMate(mate) => write!(f, "move: {mate} would mate at once"),
        }
    }
}

impl core::error::Error for Finding {}

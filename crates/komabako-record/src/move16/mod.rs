//! [`MoveField`] and the three encodings of a move in 16 bits (`spec/formats.md` §3).
//!
//! | bits | [`YaneuraOu`](MoveEncoding::YaneuraOu) (A) | [`Apery`](MoveEncoding::Apery) (C) | [`LegacyRshogi`](MoveEncoding::LegacyRshogi) (B) |
//! |---|---|---|---|
//! | 0–6 | to | to | to |
//! | 7–13 | from, or the kind's number 1..=7 of a drop | from, or 80 + the kind's number | from, or 81 + the kind's number |
//! | 14 | drop | promote | promote |
//! | 15 | promote | 0 | 0 |
//!
//! Squares are board indices; kinds have YaneuraOu's numbers ([`BaseKind::yaneuraou_number`]). A move that neither
//! drops nor promotes has the same bits in all three.

mod encodings;

pub use self::encodings::Encodings;

use core::fmt;
use core::str::FromStr;

use komabako_board::{BaseKind, Color, File, Move, Piece, Rank, Square, square};
use komabako_messages::{Lang, Message, messages};

/// An encoding of moves in 16 bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MoveEncoding {
    /// A: YaneuraOu's `Move16`; PSV, sbinpack, sazpack, `.ybb`.
    YaneuraOu,
    /// B: rshogi before 2026; some PSV files.
    LegacyRshogi,
    /// C: Apery and cshogi; hcpe, hcpe3, GenSfen `.pack`.
    Apery,
}

impl MoveEncoding {
    /// Every encoding, in the order A, B, C.
    pub const ALL: [MoveEncoding; 3] =
        [MoveEncoding::YaneuraOu, MoveEncoding::LegacyRshogi, MoveEncoding::Apery];

    /// The letter in the specification: A, B or C.
    pub const fn letter(self) -> char {
        match self {
            MoveEncoding::YaneuraOu => 'A',
            MoveEncoding::LegacyRshogi => 'B',
            MoveEncoding::Apery => 'C',
        }
    }

    /// The offset that B and C add to the number of a dropped kind; A has a flag instead.
    const fn drop_base(self) -> Option<u16> {
        match self {
            MoveEncoding::YaneuraOu => None,
            MoveEncoding::LegacyRshogi => Some(81),
            MoveEncoding::Apery => Some(80),
        }
    }

    const fn promotion_flag(self) -> u16 {
        match self {
            MoveEncoding::YaneuraOu => 1 << 15,
            MoveEncoding::LegacyRshogi | MoveEncoding::Apery => 1 << 14,
        }
    }
}

/// A well-formed move field: a move, "none" or a special move, independent of the encoding that it was read from.
///
/// Well-formed does not mean legal: the squares are on the board and differ, a dropped kind exists and does not promote.
/// The type has two bytes and stores YaneuraOu's bits.
///
/// ```
/// use komabako_record::move16::{MoveField, MoveEncoding};
/// let drop: MoveField = "G*5e".parse()?;
/// assert_eq!(drop.to_bits(MoveEncoding::YaneuraOu)?, 0x43a8);
/// assert_eq!(drop.to_bits(MoveEncoding::Apery)?, 0x2ba8);
/// assert_eq!(MoveField::from_bits(0x630a, MoveEncoding::Apery)?.to_string(), "8h2b+");
/// # Ok::<(), komabako_record::move16::MoveFault>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MoveField(u16);

/// The meaning of a [`MoveField`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MoveAction {
    /// No move is known.
    None,
    /// A pass.
    Null,
    /// The side to move resigns.
    Resign,
    /// The side to move declares a win.
    Win,
    /// A piece goes from one square to another.
    Normal {
        /// The source.
        from: Square,
        /// The destination.
        to: Square,
        /// Whether the piece promotes.
        promote: bool,
    },
    /// A piece is dropped from the hand of the side to move.
    Drop {
        /// The kind dropped; never a king.
        kind: BaseKind,
        /// The destination.
        to: Square,
    },
}

/// Why 16 bits or a text are not a move, or a move has no bits in an encoding.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum MoveFault {
    /// The destination is not a square: its 7 bits are more than 80.
    To(u8),
    /// The source is neither a square nor a dropped kind.
    From(u8),
    /// A drop that promotes.
    DropPromotes,
    /// Source and destination are the same square, and the bits are not a special move of the encoding.
    SameSquare(Square),
    /// Bit 15 is set, which is 0 in encodings B and C.
    HighBit,
    /// The encoding has no bits for this special move.
    NoSpecial(MoveField, MoveEncoding),
    /// The text is not a USI move, `none`, `null`, `resign` or `win`.
    Text,
}

impl MoveFault {
    /// The fault's name for reports, e.g. `MOVE_FROM`.
    pub const fn name(self) -> &'static str {
        match self {
            MoveFault::To(_) => "MOVE_TO",
            MoveFault::From(_) => "MOVE_FROM",
            MoveFault::DropPromotes => "MOVE_DROP_PROMOTES",
            MoveFault::SameSquare(_) => "MOVE_SAME_SQUARE",
            MoveFault::HighBit => "MOVE_HIGH_BIT",
            MoveFault::NoSpecial(..) => "MOVE_NO_SPECIAL",
            MoveFault::Text => "MOVE_TEXT",
        }
    }
}

messages! {
    MoveFault {
        To(index) => "the move goes to square {index}, past the last one (80)",
            "指し手の移動先 {index} は盤のマス (80 まで) ではありません";
        From(index) => "the move comes from {index}, neither a square nor a drop",
            "指し手の移動元 {index} はマスでも駒打ちでもありません";
        DropPromotes => "the move is a drop that promotes", "指し手が成りながらの駒打ちです";
        SameSquare(square) => "the move stays on square {square}", "指し手の移動元と移動先が同じです ({square})";
        HighBit => "bit 15 of the move is set, which only YaneuraOu's encoding allows",
            "指し手のビット 15 が立っています (やねうら王のエンコーディングのみで使用)";
        NoSpecial(special, encoding) => "the special move `{special}` has no code in encoding {encoding}",
            "特殊な指し手 `{special}` はエンコーディング {encoding} で表せません";
        Text => "not a USI move such as 7g7f, 8h2b+ or G*5e", "7g7f、8h2b+、G*5e のような USI の指し手ではありません";
    }
}

/// The letter.
impl Message for MoveEncoding {
    fn write(&self, _: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

komabako_messages::untranslated!(MoveField);

impl core::error::Error for MoveFault {}

const INDEX: u16 = 0x7f;
const DROP: u16 = 1 << 14;
const PROMOTE: u16 = MoveEncoding::YaneuraOu.promotion_flag();

impl MoveField {
    /// No move is known: 0 in every encoding.
    pub const NONE: MoveField = MoveField(0);
    /// A pass: 0x0081 in A and C.
    pub const NULL: MoveField = MoveField(0x0081);
    /// The side to move resigns: 0x0102 in A.
    pub const RESIGN: MoveField = MoveField(0x0102);
    /// The side to move declares a win: 0x0183 in A.
    pub const WIN: MoveField = MoveField(0x0183);

    /// A move of a piece on the board, or `None` if the squares are equal.
    pub const fn normal(from: Square, to: Square, promote: bool) -> Option<MoveField> {
        let from = from.array_index() as u16;
        let to = to.array_index() as u16;
        if from == to {
            return None;
        }
        Some(MoveField(to | from << 7 | if promote { PROMOTE } else { 0 }))
    }

    /// A drop, or `None` for a king.
    pub const fn drop(kind: BaseKind, to: Square) -> Option<MoveField> {
        match kind {
            BaseKind::King => None,
            _ => Some(MoveField(to.array_index() as u16 | (kind.yaneuraou_number() as u16) << 7 | DROP)),
        }
    }

    /// Reads the bits of an encoding.
    ///
    /// # Errors
    /// Bits that are not well-formed in that encoding: every [`MoveFault`] but `NoSpecial` and `Text`.
    #[inline]
    pub const fn from_bits(bits: u16, encoding: MoveEncoding) -> Result<MoveField, MoveFault> {
        let to = bits & INDEX;
        let field = bits >> 7 & INDEX;
        let promote = bits & encoding.promotion_flag() != 0;
        let drop = match encoding.drop_base() {
            None => bits & DROP != 0,
            Some(_) if bits >> 15 != 0 => return Err(MoveFault::HighBit),
            Some(base) => field > base,
        };
        let Some(to_square) = square::from_index(to as usize) else {
            return Err(MoveFault::To(to as u8));
        };
        let number = match encoding.drop_base() {
            Some(base) if drop => field - base,
            _ => field,
        };
        if drop {
            return match number {
                1..=7 if promote => Err(MoveFault::DropPromotes),
                1..=7 => Ok(MoveField(to | number << 7 | DROP)),
                _ => Err(MoveFault::From(field as u8)),
            };
        }
        if field > 80 {
            return Err(MoveFault::From(field as u8));
        }
        if to == field && !MoveField::is_special(bits, encoding) {
            return Err(MoveFault::SameSquare(to_square));
        }
        Ok(MoveField(to | field << 7 | if promote { PROMOTE } else { 0 }))
    }

    /// Writes the bits of an encoding.
    ///
    /// # Errors
    /// [`MoveFault::NoSpecial`]: B has no special move, C only null.
    #[inline]
    pub const fn to_bits(self, encoding: MoveEncoding) -> Result<u16, MoveFault> {
        let base = match encoding.drop_base() {
            None => return Ok(self.0),
            Some(base) => base,
        };
        if self.0 & DROP != 0 {
            return Ok((self.0 & !DROP) + (base << 7));
        }
        if self.0 & INDEX == self.0 >> 7 && !MoveField::is_special(self.0, encoding) {
            return Err(MoveFault::NoSpecial(self, encoding));
        }
        let promote = if self.0 & PROMOTE != 0 { encoding.promotion_flag() } else { 0 };
        Ok(self.0 & !PROMOTE | promote)
    }

    /// The bits of YaneuraOu's encoding, which every move has.
    pub const fn yaneuraou_bits(self) -> u16 {
        self.0
    }

    /// Whether the bits are "none" or one of the encoding's special moves.
    const fn is_special(bits: u16, encoding: MoveEncoding) -> bool {
        match encoding {
            MoveEncoding::YaneuraOu => matches!(bits, 0 | 0x0081 | 0x0102 | 0x0183),
            MoveEncoding::LegacyRshogi => bits == 0,
            MoveEncoding::Apery => matches!(bits, 0 | 0x0081),
        }
    }

    /// The meaning of the move field.
    pub const fn action(self) -> MoveAction {
        match self {
            MoveField::NONE => return MoveAction::None,
            MoveField::NULL => return MoveAction::Null,
            MoveField::RESIGN => return MoveAction::Resign,
            MoveField::WIN => return MoveAction::Win,
            _ => {}
        }
        let field = (self.0 >> 7 & INDEX) as usize;
        let Some(to) = square::from_index((self.0 & INDEX) as usize) else { unreachable!() };
        if self.0 & DROP != 0 {
            return MoveAction::Drop { kind: BaseKind::YANEURAOU[field - 1], to };
        }
        let Some(from) = square::from_index(field) else { unreachable!() };
        MoveAction::Normal { from, to, promote: self.0 & PROMOTE != 0 }
    }

    /// The move in the type of the rules, which has the same bits. The rules never accept special moves as legal.
    #[inline]
    pub const fn to_move16(self) -> komabako_rules::Move16 {
        komabako_rules::Move16::from_bits(self.0)
    }

    /// The move of a piece by `side`; `None` for "none" and the special moves.
    pub const fn to_move(self, side: Color) -> Option<Move> {
        match self.action() {
            MoveAction::Normal { from, to, promote } => Some(Move::Normal { from, to, promote }),
            MoveAction::Drop { kind, to } => {
                Some(Move::Drop { piece: Piece::new(kind.unpromoted(), side), to })
            }
            _ => None,
        }
    }
}

/// Rewrites a move from one encoding to another.
///
/// ```
/// use komabako_record::move16::{MoveEncoding::*, convert};
/// assert_eq!(convert(0x40a8, YaneuraOu, Apery), Ok(0x28a8)); // P*5e
/// assert_eq!(convert(0xa30a, YaneuraOu, Apery), Ok(0x630a)); // 8h2b+
/// ```
///
/// # Errors
/// The bits are not well-formed in `from` ([`MoveField::from_bits`]), or a special move that `to` lacks
/// ([`MoveField::to_bits`]).
#[inline]
pub const fn convert(bits: u16, from: MoveEncoding, to: MoveEncoding) -> Result<u16, MoveFault> {
    match MoveField::from_bits(bits, from) {
        Ok(mv) => mv.to_bits(to),
        Err(fault) => Err(fault),
    }
}

impl fmt::Display for MoveField {
    /// USI text; `none`, `null`, `resign` or `win` for special moves.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |square: Square| [File::of(square).to_usi(), Rank::of(square).to_usi()];
        match self.action() {
            MoveAction::None => f.write_str("none"),
            MoveAction::Null => f.write_str("null"),
            MoveAction::Resign => f.write_str("resign"),
            MoveAction::Win => f.write_str("win"),
            MoveAction::Normal { from, to, promote } => {
                let [file, rank] = name(from);
                let [to_file, to_rank] = name(to);
                write!(f, "{file}{rank}{to_file}{to_rank}{}", if promote { "+" } else { "" })
            }
            MoveAction::Drop { kind, to } => {
                let [file, rank] = name(to);
                write!(f, "{}*{file}{rank}", kind.letter())
            }
        }
    }
}

impl fmt::Debug for MoveField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MoveField({self})")
    }
}

impl FromStr for MoveField {
    type Err = MoveFault;

    /// Reads the text that `Display` writes.
    fn from_str(text: &str) -> Result<MoveField, MoveFault> {
        let named = |file: u8, rank: u8| Some(square::at(File::from_usi(file)?, Rank::from_usi(rank)?));
        let mv = match *text.as_bytes() {
            [kind, b'*', file, rank] if kind.is_ascii_uppercase() => BaseKind::from_letter(kind)
                .zip(named(file, rank))
                .and_then(|(kind, to)| MoveField::drop(kind, to)),
            [file, rank, to_file, to_rank, ref promote @ ..] if matches!(promote, b"" | b"+") => {
                named(file, rank)
                    .zip(named(to_file, to_rank))
                    .and_then(|(from, to)| MoveField::normal(from, to, !promote.is_empty()))
            }
            _ => None,
        };
        let special = || match text {
            "none" => Some(MoveField::NONE),
            "null" => Some(MoveField::NULL),
            "resign" => Some(MoveField::RESIGN),
            "win" => Some(MoveField::WIN),
            _ => None,
        };
        mv.or_else(special).ok_or(MoveFault::Text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use MoveEncoding::{Apery, LegacyRshogi, YaneuraOu};

    /// `spec/formats.md` §3.1; the B column follows from its rule.
    const KNOWN: [(&str, u16, u16, u16); 9] = [
        ("7g7f", 0x1e3b, 0x1e3b, 0x1e3b),
        ("8h2b+", 0xa30a, 0x630a, 0x630a),
        ("P*5e", 0x40a8, 0x2928, 0x28a8),
        ("G*5e", 0x43a8, 0x2c28, 0x2ba8),
        ("B*5e", 0x42a8, 0x2b28, 0x2aa8),
        ("R*5e", 0x4328, 0x2ba8, 0x2b28),
        ("none", 0, 0, 0),
        ("G*4i", 0x43a3, 0x2c23, 0x2ba3),
        ("3i1g+", 0x8d06, 0x4d06, 0x4d06),
    ];

    #[test]
    fn known_moves_have_known_bits_in_every_encoding() {
        for (text, a, b, c) in KNOWN {
            let mv: MoveField = text.parse().unwrap();
            assert_eq!(mv.to_string(), text);
            for (encoding, bits) in [(YaneuraOu, a), (LegacyRshogi, b), (Apery, c)] {
                assert_eq!(mv.to_bits(encoding), Ok(bits), "{text} in {encoding:?}");
                assert_eq!(MoveField::from_bits(bits, encoding), Ok(mv), "{text} in {encoding:?}");
            }
        }
    }

    /// Three oracles for all 2^16 values: the formulas of §3.2, the round trip, and USI text.
    #[test]
    fn every_bit_pattern_is_refused_or_survives_reencoding() {
        let mut well_formed = [0; 3];
        for (encoding, count) in MoveEncoding::ALL.into_iter().zip(&mut well_formed) {
            for bits in 0..=u16::MAX {
                let Ok(mv) = MoveField::from_bits(bits, encoding) else { continue };
                *count += 1;
                assert_eq!(mv.to_bits(encoding), Ok(bits));
                assert_eq!(mv.to_string().parse(), Ok(mv));
                let base = match encoding {
                    YaneuraOu => continue,
                    LegacyRshogi => 81,
                    Apery => 80,
                };
                let from = bits >> 7 & 0x7f;
                let (from, drop) = if from > base { (from - base, DROP) } else { (from, 0) };
                let promote = if bits & 0x4000 != 0 { 0x8000 } else { 0 };
                assert_eq!(mv.to_bits(YaneuraOu), Ok(bits & 0x7f | from << 7 | drop | promote));
            }
        }
        let moves = 81 * 80 * 2 + 81 * 7;
        assert_eq!(well_formed, [moves + 4, moves + 1, moves + 2]);
    }

    #[test]
    fn invalid_move_is_refused_by_name() {
        let fault = |bits, encoding| MoveField::from_bits(bits, encoding).unwrap_err().name();
        assert_eq!(fault(81, YaneuraOu), "MOVE_TO");
        assert_eq!(fault(81 << 7, YaneuraOu), "MOVE_FROM");
        assert_eq!(fault(DROP | 8 << 7, YaneuraOu), "MOVE_FROM");
        assert_eq!(fault(DROP, YaneuraOu), "MOVE_FROM");
        assert_eq!(fault(0xc0a8, YaneuraOu), "MOVE_DROP_PROMOTES");
        assert_eq!(fault(0x68a8, Apery), "MOVE_DROP_PROMOTES");
        assert_eq!(fault(88 << 7, Apery), "MOVE_FROM");
        assert_eq!(fault(81 << 7, LegacyRshogi), "MOVE_FROM");
        assert_eq!(fault(0x8081, Apery), "MOVE_HIGH_BIT");
        assert_eq!(fault(0x0102, Apery), "MOVE_SAME_SQUARE");
        assert_eq!(fault(0x8000, YaneuraOu), "MOVE_SAME_SQUARE");
        for text in ["", "7g7", "7g7f++", "7g7f=", "K*5e", "p*5e", "0a1b", "5e5e", "５五", "resigns"] {
            assert_eq!(text.parse::<MoveField>(), Err(MoveFault::Text), "{text}");
        }
    }

    #[test]
    fn specials_convert_only_between_encodings_that_have_them() {
        assert_eq!(convert(0x0081, YaneuraOu, Apery), Ok(0x0081));
        assert_eq!(convert(0x0081, Apery, YaneuraOu), Ok(0x0081));
        for special in [MoveField::RESIGN, MoveField::WIN] {
            assert_eq!(special.to_bits(Apery), Err(MoveFault::NoSpecial(special, Apery)));
            assert_eq!(special.to_bits(LegacyRshogi), Err(MoveFault::NoSpecial(special, LegacyRshogi)));
        }
    }
}

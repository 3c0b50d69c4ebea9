//! [`MoveEncoding`]: the three encodings of a move in 16 bits (`spec/formats.md` §3 of `komabako-record`).
//!
//! | bits | [`YaneuraOu`](MoveEncoding::YaneuraOu) (A) | [`Apery`](MoveEncoding::Apery) (C) | [`LegacyRshogi`](MoveEncoding::LegacyRshogi) (B) |
//! |---|---|---|---|
//! | 0–6 | to | to | to |
//! | 7–13 | from, or the kind's number 1..=7 of a drop | from, or 80 + the kind's number | from, or 81 + the kind's number |
//! | 14 | drop | promote | promote |
//! | 15 | promote | 0 | 0 |
//!
//! Squares are board indices; kinds have YaneuraOu's numbers ([`BaseKind::yaneuraou_number`](komabako_board::BaseKind)). A
//! move that neither drops nor promotes has the same bits in all three.

use core::fmt;

use komabako_board::{Square, square};
use komabako_messages::{Lang, Message, messages};

use super::{DROP, INDEX, Move16, PROMOTE};

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

    /// Its name: `yaneuraou`, `rshogi` or `apery`.
    pub const fn name(self) -> &'static str {
        match self {
            MoveEncoding::YaneuraOu => "yaneuraou",
            MoveEncoding::LegacyRshogi => "rshogi",
            MoveEncoding::Apery => "apery",
        }
    }

    /// The encoding with a name or a letter.
    ///
    /// ```
    /// use komabako_rules::move16::MoveEncoding;
    /// assert_eq!(MoveEncoding::find("apery"), Some(MoveEncoding::Apery));
    /// assert_eq!(MoveEncoding::find("C"), Some(MoveEncoding::Apery));
    /// assert_eq!(MoveEncoding::find("c"), None);
    /// ```
    pub fn find(name: &str) -> Option<MoveEncoding> {
        let is_named =
            |encoding: &MoveEncoding| encoding.name() == name || name.chars().eq([encoding.letter()]);
        MoveEncoding::ALL.into_iter().find(is_named)
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
    /// The move with these bits.
    ///
    /// ```
    /// use komabako_rules::move16::MoveEncoding;
    /// assert_eq!(MoveEncoding::Apery.decode(0x630a)?.to_string(), "8h2b+");
    /// # Ok::<(), komabako_rules::move16::MoveFault>(())
    /// ```
    ///
    /// # Errors
    /// Bits that are neither a well-formed move nor a special move of the encoding: every [`MoveFault`] but `NoSpecial`
    /// and `Text`.
    #[inline]
    pub const fn decode(self, bits: u16) -> Result<Move16, MoveFault> {
        let to = bits & INDEX;
        let field = bits >> 7 & INDEX;
        let promote = bits & self.promotion_flag() != 0;
        let drop = match self.drop_base() {
            None => bits & DROP != 0,
            Some(_) if bits >> 15 != 0 => return Err(MoveFault::HighBit),
            Some(base) => field > base,
        };
        let Some(to_square) = square::from_index(to as usize) else {
            return Err(MoveFault::To(to as u8));
        };
        let number = match self.drop_base() {
            Some(base) if drop => field - base,
            _ => field,
        };
        if drop {
            return match number {
                1..=7 if promote => Err(MoveFault::DropPromotes),
                1..=7 => Ok(Move16::from_bits(to | number << 7 | DROP)),
                _ => Err(MoveFault::From(field as u8)),
            };
        }
        if field > 80 {
            return Err(MoveFault::From(field as u8));
        }
        if to == field && !self.has_special(bits) {
            return Err(MoveFault::SameSquare(to_square));
        }
        Ok(Move16::from_bits(to | field << 7 | if promote { PROMOTE } else { 0 }))
    }

    /// The bits of a move. YaneuraOu's are the move's own, which are not checked.
    ///
    /// ```
    /// use komabako_rules::move16::MoveEncoding;
    /// assert_eq!(MoveEncoding::Apery.encode("G*5e".parse().unwrap()), Ok(0x2ba8));
    /// ```
    ///
    /// # Errors
    /// [`MoveFault::NoSpecial`]: B has no special move, C only null. For bits that name no move, their fault.
    #[inline]
    pub const fn encode(self, mv: Move16) -> Result<u16, MoveFault> {
        let Some(base) = self.drop_base() else { return Ok(mv.bits()) };
        if !mv.is_well_formed() {
            return match MoveEncoding::YaneuraOu.decode(mv.bits()) {
                Ok(_) if self.has_special(mv.bits()) => Ok(mv.bits()),
                Ok(special) => Err(MoveFault::NoSpecial(special, self)),
                Err(fault) => Err(fault),
            };
        }
        if mv.is_drop() {
            return Ok((mv.bits() & !DROP) + (base << 7));
        }
        let promote = if mv.is_promotion() { self.promotion_flag() } else { 0 };
        Ok(mv.bits() & !PROMOTE | promote)
    }

    /// Whether the bits are "none" or one of the encoding's special moves, which are the same in every encoding.
    const fn has_special(self, bits: u16) -> bool {
        match self {
            MoveEncoding::YaneuraOu => matches!(bits, 0 | 0x0081 | 0x0102 | 0x0183),
            MoveEncoding::LegacyRshogi => bits == 0,
            MoveEncoding::Apery => matches!(bits, 0 | 0x0081),
        }
    }
}

/// Rewrites a move from one encoding to another.
///
/// ```
/// use komabako_rules::move16::{MoveEncoding::*, convert};
/// assert_eq!(convert(0x40a8, YaneuraOu, Apery), Ok(0x28a8)); // P*5e
/// assert_eq!(convert(0xa30a, YaneuraOu, Apery), Ok(0x630a)); // 8h2b+
/// ```
///
/// # Errors
/// As [`MoveEncoding::decode`] of `from` and [`MoveEncoding::encode`] of `to`.
#[inline]
pub const fn convert(bits: u16, from: MoveEncoding, to: MoveEncoding) -> Result<u16, MoveFault> {
    match from.decode(bits) {
        Ok(mv) => to.encode(mv),
        Err(fault) => Err(fault),
    }
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
    NoSpecial(Move16, MoveEncoding),
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
        SameSquare(square) => "the move stays on square {square}", "指し手の移動元と移動先が同じです";
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

impl core::error::Error for MoveFault {}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

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
            let mv = Move16::from_label(text).unwrap();
            assert_eq!(mv.to_string(), text);
            for (encoding, bits) in [(YaneuraOu, a), (LegacyRshogi, b), (Apery, c)] {
                assert_eq!(encoding.encode(mv), Ok(bits), "{text} in {encoding:?}");
                assert_eq!(encoding.decode(bits), Ok(mv), "{text} in {encoding:?}");
            }
        }
    }

    /// Three oracles for all 2^16 values: the formulas of §3.2, the round trip, and USI text.
    #[test]
    fn every_bit_pattern_is_refused_or_survives_reencoding() {
        let mut well_formed = [0; 3];
        for (encoding, count) in MoveEncoding::ALL.into_iter().zip(&mut well_formed) {
            for bits in 0..=u16::MAX {
                let Ok(mv) = encoding.decode(bits) else { continue };
                *count += 1;
                assert_eq!(encoding.encode(mv), Ok(bits));
                assert_eq!(Move16::from_label(&mv.to_string()), Ok(mv));
                let base = match encoding {
                    YaneuraOu => continue,
                    LegacyRshogi => 81,
                    Apery => 80,
                };
                let from = bits >> 7 & 0x7f;
                let (from, drop) = if from > base { (from - base, DROP) } else { (from, 0) };
                let promote = if bits & 0x4000 != 0 { 0x8000 } else { 0 };
                assert_eq!(YaneuraOu.encode(mv), Ok(bits & 0x7f | from << 7 | drop | promote));
            }
        }
        let moves = 81 * 80 * 2 + 81 * 7;
        assert_eq!(well_formed, [moves + 4, moves + 1, moves + 2]);
    }

    #[test]
    fn invalid_move_is_refused_by_name() {
        let fault = |bits, encoding: MoveEncoding| encoding.decode(bits).unwrap_err().name();
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
            assert_eq!(Move16::from_label(text), Err(MoveFault::Text), "{text}");
        }
    }

    #[test]
    fn specials_convert_only_between_encodings_that_have_them() {
        assert_eq!(convert(0x0081, YaneuraOu, Apery), Ok(0x0081));
        assert_eq!(convert(0x0081, Apery, YaneuraOu), Ok(0x0081));
        for special in [Move16::RESIGN, Move16::WIN] {
            assert_eq!(Apery.encode(special), Err(MoveFault::NoSpecial(special, Apery)));
            assert_eq!(LegacyRshogi.encode(special), Err(MoveFault::NoSpecial(special, LegacyRshogi)));
        }
    }
}

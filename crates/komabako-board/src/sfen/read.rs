//! The parser: one pass over the bytes, a bitboard per kind as it goes.

use super::{Sfen, SfenError, SfenFault};
use crate::usi::Moves;
use crate::{BaseKind, Bitboard, Color, Rank, Setup, SetupParts, color, found};

pub(super) fn sfen(text: &[u8]) -> Result<Sfen, SfenError> {
    let mut reader = Reader { text, at: 0 };
    let sfen = reader.sfen()?;
    reader.skip_space();
    match reader.peek() {
        None => Ok(sfen),
        _ if reader.at_word(b"moves") => Err(reader.fault(SfenFault::Moves)),
        _ => Err(reader.fault(SfenFault::Trailing)),
    }
}

pub(super) fn game(text: &[u8]) -> Result<(Sfen, Moves<'_>), SfenError> {
    let mut reader = Reader { text, at: 0 };
    let sfen = reader.sfen()?;
    if !reader.skip_word(b"moves") && reader.peek().is_some() {
        return Err(reader.fault(SfenFault::Trailing));
    }
    Ok((sfen, Moves::at(text, reader.at, sfen.setup.side_to_move())))
}

struct Reader<'a> {
    text: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn sfen(&mut self) -> Result<Sfen, SfenError> {
        let is_command = self.skip_word(b"position");
        if self.skip_word(b"startpos") {
            return Ok(Sfen { setup: Setup::START, ply: Some(1) });
        }
        if !self.skip_word(b"sfen") && is_command {
            return Err(self.fault(SfenFault::Start));
        }
        let mut pieces = Pieces::new();
        self.board(&mut pieces)?;
        pieces.parts.side = self.side()?;
        self.hands(&mut pieces)?;
        let ply = self.ply()?;
        Ok(Sfen { setup: Setup::from_parts_trusted(pieces.parts), ply })
    }

    fn board(&mut self, pieces: &mut Pieces) -> Result<(), SfenError> {
        self.skip_space();
        if self.peek().is_none() {
            return Err(self.fault(SfenFault::BoardMissing));
        }
        for rank in Rank::all() {
            self.rank(rank, pieces)?;
            match (self.peek(), rank.number()) {
                (Some(b'/'), 9) => return Err(self.fault(SfenFault::TooManyRanks)),
                (Some(b'/'), _) => self.at += 1,
                (_, 9) => {}
                (_, ranks) => return Err(self.fault(SfenFault::RanksMissing(ranks))),
            }
        }
        Ok(())
    }

    /// Reads up to the end of a rank. No branch depends on which pieces are where, since no predictor could learn it.
    fn rank(&mut self, rank: Rank, pieces: &mut Pieces) -> Result<(), SfenError> {
        // The squares still to read. Also the file of the next one, as an SFEN starts at file 9.
        let mut left = 9;
        let mut promoted = false;
        while let Some(glyph) = self.peek().and_then(|byte| GLYPHS[usize::from(byte)]) {
            if glyph.squares > left {
                return Err(self.fault(SfenFault::RankTooLong(rank)));
            }
            if promoted && !glyph.can_promote() {
                break;
            }
            // For a `+` after the last square the index wraps around, and no square is set.
            let index = (usize::from(left) * 9 + usize::from(rank.number())).wrapping_sub(10);
            if !pieces.place(glyph, Bitboard::of_index(index), promoted) {
                return Err(self.fault_at(self.at - usize::from(promoted), glyph.one_too_many()));
            }
            promoted = glyph.squares == 0;
            left -= glyph.squares;
            self.at += 1;
        }
        match (self.peek(), self.letter()) {
            // The loop stops at a letter only if it comes after a `+` and does not promote.
            (_, Some((kind, _))) => Err(self.fault(SfenFault::DoesNotPromote(kind))),
            _ if promoted => Err(self.fault(SfenFault::Promoted)),
            (Some(byte), _) if byte != b'/' && !byte.is_ascii_whitespace() => {
                Err(self.fault(SfenFault::Board))
            }
            _ if left > 0 => Err(self.fault(SfenFault::RankTooShort(rank, 9 - left))),
            _ => Ok(()),
        }
    }

    fn side(&mut self) -> Result<Color, SfenError> {
        if self.skip_word(b"b") {
            Ok(Color::Black)
        } else if self.skip_word(b"w") {
            Ok(Color::White)
        } else {
            Err(self.fault(SfenFault::Side))
        }
    }

    fn hands(&mut self, pieces: &mut Pieces) -> Result<(), SfenError> {
        if self.skip_word(b"-") || self.at_word(b"moves") || self.at_number() {
            return Ok(());
        }
        while !self.at_end_of_field() {
            self.hand_pieces(pieces)?;
        }
        Ok(())
    }

    /// One kind in a hand, with or without a count.
    fn hand_pieces(&mut self, pieces: &mut Pieces) -> Result<(), SfenError> {
        let start = self.at;
        if self.peek() == Some(b'0') {
            return Err(self.fault(SfenFault::Count));
        }
        let count = match self.number() {
            _ if self.at == start => 1,
            count => count.map_or(u8::MAX, |count| u8::try_from(count).unwrap_or(u8::MAX)),
        };
        let (kind, color) = match self.letter() {
            Some((BaseKind::King, _)) => return Err(self.fault(SfenFault::KingInHand)),
            Some(piece) => piece,
            None if self.peek() == Some(b'+') => return Err(self.fault(SfenFault::PromotedInHand)),
            None => return Err(self.fault(SfenFault::Hand)),
        };
        if !pieces.take_from_set(kind, color, count) {
            return Err(self.fault_at(start, SfenFault::TooMany(kind)));
        }
        self.at += 1;
        let hand = &mut pieces.parts.hands[color.array_index()];
        let total = hand.count(kind) + count;
        *hand = hand.with(kind, total).unwrap_or(*hand);
        Ok(())
    }

    fn ply(&mut self) -> Result<Option<u32>, SfenError> {
        self.skip_space();
        if self.peek().is_none() || self.at_word(b"moves") {
            return Ok(None);
        }
        let start = self.at;
        let ply = self.number();
        if self.at == start || !self.at_end_of_field() {
            return Err(self.fault(SfenFault::Ply));
        }
        ply.ok_or_else(|| self.fault_at(start, SfenFault::PlyTooLarge)).map(Some)
    }

    /// Moves past the digits here; `None` if their value does not fit.
    fn number(&mut self) -> Option<u32> {
        let mut value = Some(0_u32);
        while let Some(digit @ b'0'..=b'9') = self.peek() {
            value = value.and_then(|value| value.checked_mul(10)?.checked_add(u32::from(digit - b'0')));
            self.at += 1;
        }
        value
    }

    /// Whether the field here is all digits.
    fn at_number(&self) -> bool {
        let rest = &self.text[self.at..];
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        digits > 0 && rest.get(digits).is_none_or(u8::is_ascii_whitespace)
    }

    /// Whether the field here is this word.
    fn at_word(&self, word: &[u8]) -> bool {
        let rest = &self.text[self.at..];
        rest.starts_with(word) && rest.get(word.len()).is_none_or(u8::is_ascii_whitespace)
    }

    /// Moves past white space and then past this word, if it is the next field.
    fn skip_word(&mut self, word: &[u8]) -> bool {
        self.skip_space();
        let found = self.at_word(word);
        self.at += if found { word.len() } else { 0 };
        found
    }

    fn skip_space(&mut self) {
        while self.peek().is_some_and(|byte| byte.is_ascii_whitespace()) {
            self.at += 1;
        }
    }

    fn at_end_of_field(&self) -> bool {
        self.peek().is_none_or(|byte| byte.is_ascii_whitespace())
    }

    /// The piece whose letter is here.
    fn letter(&self) -> Option<(BaseKind, Color)> {
        let glyph = GLYPHS[usize::from(self.peek()?)]?;
        glyph.is_piece.then_some((glyph.kind, glyph.color))
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn fault(&self, fault: SfenFault) -> SfenError {
        self.fault_at(self.at, fault)
    }

    #[cold]
    fn fault_at(&self, at: usize, fault: SfenFault) -> SfenError {
        SfenError { column: at + 1, fault, found: found::char_at(self.text, at) }
    }
}

/// The meaning of a byte of the board other than `/`.
#[derive(Clone, Copy)]
struct Glyph {
    /// Whether it is a piece's letter; if not, `kind` and `color` have no meaning.
    is_piece: bool,
    kind: BaseKind,
    color: Color,
    /// The number of squares it fills: 0 for `+`.
    squares: u8,
}

/// The glyph of every byte; `None` for bytes that do not occur on a board.
const GLYPHS: [Option<Glyph>; 256] = {
    let mut glyphs = [None; 256];
    let mut byte = 0;
    while byte < glyphs.len() {
        glyphs[byte] = Glyph::new(byte as u8);
        byte += 1;
    }
    glyphs
};

impl Glyph {
    const fn new(byte: u8) -> Option<Glyph> {
        let empty = Glyph { is_piece: false, kind: BaseKind::King, color: Color::Black, squares: 0 };
        match (byte, BaseKind::from_letter(byte)) {
            (b'+', _) => Some(empty),
            (b'1'..=b'9', _) => Some(Glyph { squares: byte - b'0', ..empty }),
            (_, Some(kind)) => {
                let color = color::from_bit(byte.is_ascii_lowercase());
                Some(Glyph { is_piece: true, kind, color, squares: 1 })
            }
            (_, None) => None,
        }
    }

    fn can_promote(self) -> bool {
        self.is_piece && self.kind.can_promote()
    }

    fn one_too_many(self) -> SfenFault {
        match self.kind {
            BaseKind::King => SfenFault::SecondKing(self.color),
            kind => SfenFault::TooMany(kind),
        }
    }
}

/// The pieces read so far.
struct Pieces {
    parts: SetupParts,
    /// The number of pieces of each kind left in the set; the last two are Black's and White's king.
    left: [u8; 9],
}

impl Pieces {
    fn new() -> Self {
        Pieces { parts: *Setup::EMPTY.parts(), left: [18, 4, 4, 4, 4, 2, 2, 1, 1] }
    }

    /// Puts a glyph's piece, if it is one, on a square; false if the set lacks the piece.
    fn place(&mut self, glyph: Glyph, square: Bitboard, promoted: bool) -> bool {
        let square = if glyph.is_piece { square } else { Bitboard::EMPTY };
        self.parts.colors[glyph.color.array_index()] |= square;
        self.parts.kinds[glyph.kind as usize] |= square;
        self.parts.promoted |= if promoted { square } else { Bitboard::EMPTY };
        self.take_from_set(glyph.kind, glyph.color, glyph.is_piece.into())
    }

    /// Takes pieces out of the set; false if it has fewer.
    fn take_from_set(&mut self, kind: BaseKind, color: Color, count: u8) -> bool {
        let slot = kind as usize + usize::from(kind == BaseKind::King) * color.array_index();
        let left = &mut self.left[slot];
        let enough = *left >= count;
        *left = left.wrapping_sub(count);
        enough
    }
}

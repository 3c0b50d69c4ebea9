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
        Some(_) if reader.at_word(b"moves") => Err(reader.fault(SfenFault::Moves)),
        Some(_) => Err(reader.fault(SfenFault::Trailing)),
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

    fn rank(&mut self, rank: Rank, pieces: &mut Pieces) -> Result<(), SfenError> {
        // How many squares are to come: also the file of the next one, as an SFEN starts at file 9.
        let mut left = 9;
        while let Some(byte) = self.peek() {
            let is_empty = matches!(byte, b'1'..=b'9');
            let squares = match byte {
                b'/' => break,
                _ if byte.is_ascii_whitespace() => break,
                _ if is_empty => byte - b'0',
                _ => 1,
            };
            if squares > left {
                return Err(self.fault(SfenFault::RankTooLong(rank)));
            }
            if is_empty {
                self.at += 1;
            } else {
                self.piece(usize::from(left - 1) * 9 + usize::from(rank.number() - 1), pieces)?;
            }
            left -= squares;
        }
        if left > 0 { Err(self.fault(SfenFault::RankTooShort(rank, 9 - left))) } else { Ok(()) }
    }

    fn piece(&mut self, index: usize, pieces: &mut Pieces) -> Result<(), SfenError> {
        let start = self.at;
        let promoted = self.peek() == Some(b'+');
        self.at += usize::from(promoted);
        let letter = self.peek().unwrap_or_default();
        let kind = match BaseKind::from_letter(letter) {
            None if promoted => return Err(self.fault(SfenFault::Promoted)),
            None => return Err(self.fault(SfenFault::Board)),
            Some(kind) if promoted && !kind.can_promote() => {
                return Err(self.fault(SfenFault::DoesNotPromote(kind)));
            }
            Some(kind) => kind,
        };
        self.at += 1;
        let color = color_of(letter);
        let bit = Bitboard::of_index(index);
        let parts = &mut pieces.parts;
        if kind == BaseKind::King {
            if parts.kinds[kind as usize].intersects(parts.colors[color.array_index()]) {
                return Err(self.fault_at(start, SfenFault::SecondKing(color)));
            }
        } else if !pieces.take(kind, 1) {
            return Err(self.fault_at(start, SfenFault::TooMany(kind)));
        }
        let parts = &mut pieces.parts;
        parts.colors[color.array_index()] |= bit;
        parts.kinds[kind as usize] |= bit;
        if promoted {
            parts.promoted |= bit;
        }
        Ok(())
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
        let letter = self.peek().unwrap_or_default();
        let kind = match BaseKind::from_letter(letter) {
            None if letter == b'+' => return Err(self.fault(SfenFault::PromotedInHand)),
            None => return Err(self.fault(SfenFault::Hand)),
            Some(BaseKind::King) => return Err(self.fault(SfenFault::KingInHand)),
            Some(kind) => kind,
        };
        if !pieces.take(kind, count) {
            return Err(self.fault_at(start, SfenFault::TooMany(kind)));
        }
        self.at += 1;
        let hand = &mut pieces.parts.hands[color_of(letter).array_index()];
        let total = hand.count(kind) + count;
        *hand = hand.with(kind, total).unwrap_or(*hand);
        Ok(())
    }

    fn ply(&mut self) -> Result<Option<u32>, SfenError> {
        self.skip_space();
        if self.peek().is_none() || self.at_word(b"moves") {
            return Ok(None);
        }
        if !self.at_number() {
            return Err(self.fault(SfenFault::Ply));
        }
        let start = self.at;
        let ply = self.number().ok_or_else(|| self.fault_at(start, SfenFault::PlyTooLarge))?;
        Ok(Some(ply))
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

/// The pieces read so far.
struct Pieces {
    parts: SetupParts,
    /// How many of each kind the set has left.
    left: [u8; 8],
}

impl Pieces {
    fn new() -> Self {
        Pieces { parts: *Setup::EMPTY.parts(), left: BaseKind::ALL.map(BaseKind::inventory) }
    }

    /// Takes pieces out of the set, if it has so many.
    fn take(&mut self, kind: BaseKind, count: u8) -> bool {
        let left = &mut self.left[kind as usize];
        let enough = *left >= count;
        *left -= if enough { count } else { 0 };
        enough
    }
}

/// SFEN writes Black's pieces in upper case, White's in lower case.
fn color_of(letter: u8) -> Color {
    color::from_bit(letter.is_ascii_lowercase())
}

//! Moves as USI text: `7g7f`, `8h2b+`, `P*5e`.

use core::fmt;

use komabako_messages::{Lang, Message, messages, say};

use crate::words::Found;
use crate::{BaseKind, Color, File, Move, Piece, Rank, Square, color, found, square};

/// Reads one move, made by `side`.
///
/// Drops need the side: [`Move::Drop`] holds a piece with its colour, and the text does not. The two squares differ; the
/// legality of the move is not checked.
///
/// ```
/// use komabako_board::{Color, Move, Piece, Square, usi};
/// let to = Square::SQ_5E;
/// assert_eq!(usi::parse("P*5e", Color::White)?, Move::Drop { piece: Piece::W_P, to });
/// let error = usi::parse("7g7j", Color::Black).unwrap_err();
/// assert_eq!(error.to_string(), "column 4: expected a rank, a to i, found `j`");
/// # Ok::<(), usi::UsiError>(())
/// ```
///
/// # Errors
/// The first fault of the text. `resign`, `win`, `0000` and the like are not moves, nor is `7g7g`.
pub fn parse<T: AsRef<[u8]> + ?Sized>(text: &T, side: Color) -> Result<Move, UsiError> {
    let mut reader = Reader { text: text.as_ref(), at: 0 };
    let mv = reader.parse(side)?;
    if reader.at < reader.text.len() { Err(reader.fault(UsiFault::Trailing)) } else { Ok(mv) }
}

/// The canonical text of a move, in a buffer on the stack.
///
/// ```
/// use komabako_board::{Move, Square, usi};
/// let mv = Move::Normal { from: Square::SQ_8H, to: Square::SQ_2B, promote: true };
/// assert_eq!(usi::write(mv).as_str(), "8h2b+");
/// ```
pub fn write(mv: Move) -> UsiText {
    let mut bytes = [0; 5];
    let mut put = |at: usize, square: Square| {
        bytes[at] = File::of(square).to_usi() as u8;
        bytes[at + 1] = Rank::of(square).to_usi() as u8;
    };
    let promote = match mv {
        Move::Normal { from, to, promote } => {
            put(0, from);
            put(2, to);
            promote
        }
        Move::Drop { piece, to } => {
            put(2, to);
            bytes[0] = BaseKind::of(piece.to_parts().0).letter() as u8;
            bytes[1] = b'*';
            false
        }
    };
    bytes[4] = b'+';
    UsiText { bytes, len: if promote { 5 } else { 4 } }
}

/// A move's text in a buffer on the stack. ASCII, four or five bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct UsiText {
    bytes: [u8; 5],
    len: usize,
}

impl UsiText {
    /// The text.
    pub fn as_str(&self) -> &str {
        // Cannot fail: `write` puts only ASCII here.
        str::from_utf8(self.as_bytes()).unwrap_or_default()
    }

    /// The text's bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}

impl fmt::Display for UsiText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for UsiText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_str().fmt(f)
    }
}

/// Reads moves separated by white space, the sides taking turns.
///
/// The iterator ends after an error. Columns count from the start of the whole text; for
/// [`sfen::parse_game`](crate::sfen::parse_game), from the start of its line.
///
/// ```
/// use komabako_board::{Color, usi};
/// let error = usi::moves("7g7f 3x3d", Color::Black).find_map(Result::err).unwrap();
/// assert_eq!(error.column, 7);
/// ```
pub fn moves<T: AsRef<[u8]> + ?Sized>(text: &T, side: Color) -> Moves<'_> {
    Moves::at(text.as_ref(), 0, side)
}

/// An iterator over the moves of a text: see [`moves`].
#[derive(Clone, Debug)]
pub struct Moves<'a> {
    reader: Reader<'a>,
    side: Color,
}

impl<'a> Moves<'a> {
    /// The moves of a text, starting at byte `at`.
    pub(crate) const fn at(text: &'a [u8], at: usize, side: Color) -> Self {
        Moves { reader: Reader { text, at }, side }
    }
}

impl Iterator for Moves<'_> {
    type Item = Result<Move, UsiError>;

    fn next(&mut self) -> Option<Self::Item> {
        let reader = &mut self.reader;
        while reader.peek()?.is_ascii_whitespace() {
            reader.at += 1;
        }
        let mv = reader.parse(self.side).and_then(|mv| match reader.peek() {
            Some(byte) if !byte.is_ascii_whitespace() => Err(reader.fault(UsiFault::Trailing)),
            _ => Ok(mv),
        });
        self.side = color::opponent(self.side);
        if mv.is_err() {
            reader.at = reader.text.len();
        }
        Some(mv)
    }
}

impl core::iter::FusedIterator for Moves<'_> {}

/// The reason why a text is not a move, and its place.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct UsiError {
    /// The column of the fault, counted from 1 in bytes; one past the last column at the end of the text.
    pub column: usize,
    /// The fault at this column.
    pub fault: UsiFault,
    /// The character there, U+FFFD if it is not UTF-8, or `None` at the end of the text.
    pub found: Option<char>,
}

/// A fault of a move's text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum UsiFault {
    /// Neither a file nor a piece that can be dropped.
    Start,
    /// A dropped piece without `*`.
    Star,
    /// Not a file.
    File,
    /// Not a rank.
    Rank,
    /// The destination is the square that the piece comes from.
    SameSquare,
    /// More text after the move.
    Trailing,
}

impl UsiError {
    /// The sentence without the column, for callers that show the column themselves.
    pub const fn what(&self) -> impl Message {
        Found { expected: self.fault, found: self.found }
    }
}

impl Message for UsiError {
    fn write(&self, lang: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        say!(
            f,
            lang,
            "column {column}: {what}",
            "{column} 桁目: {what}",
            column = self.column,
            what = self.what()
        )
    }
}

komabako_messages::english!(UsiError);

impl core::error::Error for UsiError {}

messages! {
    UsiFault {
        Start => "expected a file, 1 to 9, or a piece to drop, one of P L N S G B R",
            "筋の数字 1 から 9 か、打つ駒 P L N S G B R が必要です";
        Star => "expected `*` after the piece to drop", "打つ駒の後には `*` が必要です";
        File => "expected a file, 1 to 9", "筋の数字 1 から 9 が必要です";
        Rank => "expected a rank, a to i", "段の英字 a から i が必要です";
        SameSquare => "expected another square than the one that the piece comes from",
            "移動先が移動元と同じマスです";
        Trailing => "expected the end of the move", "指し手の後に余分な文字があります";
    }
}

#[derive(Clone, Debug)]
struct Reader<'a> {
    text: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn parse(&mut self, side: Color) -> Result<Move, UsiError> {
        let first = self.peek().unwrap_or_default();
        if first.is_ascii_digit() {
            let from = self.square()?;
            let destination = self.at;
            let to = self.square()?;
            // Files use the 16 bits of such a move for "no move", a pass and the like: see `Move16` in komabako-rules.
            if from == to {
                self.at = destination;
                return Err(self.fault(UsiFault::SameSquare));
            }
            let promote = self.peek() == Some(b'+');
            self.at += usize::from(promote);
            return Ok(Move::Normal { from, to, promote });
        }
        let piece = match BaseKind::from_letter(first) {
            Some(kind) if kind != BaseKind::King && first.is_ascii_uppercase() => {
                Piece::new(kind.unpromoted(), side)
            }
            _ => return Err(self.fault(UsiFault::Start)),
        };
        self.at += 1;
        if self.peek() != Some(b'*') {
            return Err(self.fault(UsiFault::Star));
        }
        self.at += 1;
        Ok(Move::Drop { piece, to: self.square()? })
    }

    fn square(&mut self) -> Result<Square, UsiError> {
        let file = File::from_usi(self.peek().unwrap_or_default());
        let file = file.ok_or_else(|| self.fault(UsiFault::File))?;
        self.at += 1;
        let rank = Rank::from_usi(self.peek().unwrap_or_default());
        let rank = rank.ok_or_else(|| self.fault(UsiFault::Rank))?;
        self.at += 1;
        Ok(square::at(file, rank))
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn fault(&self, fault: UsiFault) -> UsiError {
        UsiError { column: self.at + 1, fault, found: found::char_at(self.text, self.at) }
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;

    #[test]
    fn move_to_its_own_square_is_refused_at_the_destination() {
        for (text, found) in [("7g7g", '7'), ("1a1a+", '1')] {
            let refused = UsiError { column: 3, fault: UsiFault::SameSquare, found: Some(found) };
            assert_eq!(parse(text, Color::Black), Err(refused), "{text}");
        }
        let game: Vec<_> = moves("7g7f 3c3c 2g2f", Color::Black).collect();
        assert_eq!(game.len(), 2);
        assert_eq!(game[1].map_err(|error| (error.column, error.fault)), Err((8, UsiFault::SameSquare)));
    }
}

//! CSA's start position: `PI`, `P1…P9`, `P+`, `P-`.

use komabako_board::{BaseKind, Color, File, Piece, PieceKind, Rank, Setup, Square, kind, square};
use komabako_rules::kind_of_csa;

use crate::error::{Fault, KifuError};
use crate::lines::{Line, Lines};
use crate::record::UnplayableSetup;

/// The position described by the lines so far.
pub(super) struct PositionLines {
    pub setup: Setup,
    pub is_given: bool,
    /// The ranks of the board that were given, a bit each.
    ranks: u16,
}

/// [`PositionLines::ranks`] of a whole board.
const ALL_RANKS: u16 = 0x1ff;

/// The rows of the start of an even game, as floodgate writes them.
const EVEN_ROWS: &str = concat!(
    "P1-KY-KE-GI-KI-OU-KI-GI-KE-KY\n",
    "P2 * -HI *  *  *  *  * -KA * \n",
    "P3-FU-FU-FU-FU-FU-FU-FU-FU-FU\n",
    "P4 *  *  *  *  *  *  *  *  * \n",
    "P5 *  *  *  *  *  *  *  *  * \n",
    "P6 *  *  *  *  *  *  *  *  * \n",
    "P7+FU+FU+FU+FU+FU+FU+FU+FU+FU\n",
    "P8 * +KA *  *  *  *  * +HI * \n",
    "P9+KY+KE+GI+KI+OU+KI+GI+KE+KY\n",
);

impl PositionLines {
    pub const NONE: Self = Self { setup: Setup::EMPTY, is_given: false, ranks: 0 };

    /// Reads the nine rows of an even game if they come next and no position line preceded them, and returns the last
    /// row.
    ///
    /// A fast path: placing forty pieces took a sixth of the instructions of reading a floodgate game.
    pub fn read_even_rows<'a>(&mut self, lines: &mut Lines<'a>) -> Option<Line<'a>> {
        if self.is_given || !lines.remaining().starts_with(EVEN_ROWS) {
            return None;
        }
        *self = Self { setup: Setup::START, is_given: true, ranks: ALL_RANKS };
        lines.take(9).last()
    }

    /// Whether the lines give no row of the board, or all of them.
    pub fn is_complete(&self) -> bool {
        matches!(self.ranks, 0 | ALL_RANKS)
    }

    /// Reads a part of a line that starts with `P`.
    pub fn read(&mut self, line: Line<'_>, at: usize, text: &str) -> Result<(), KifuError> {
        let ranks = match text.as_bytes() {
            [b'P', b'I', ..] => ALL_RANKS,
            [b'P', rank @ b'1'..=b'9', ..] => 1 << (rank - b'1'),
            _ => 0,
        };
        // A row that was given, or a board after any piece, would replace what is there.
        if self.ranks & ranks != 0 || ranks == ALL_RANKS && self.is_given {
            return Err(KifuError::at(line, at, Fault::Contradiction));
        }
        self.ranks |= ranks;
        self.is_given = true;
        match text.as_bytes() {
            [b'P', b'I', ..] => self.read_even(line, at, text),
            [b'P', rank @ b'1'..=b'9', ..] => self.read_rank(line, at, text, rank - b'0'),
            [b'P', b'+', ..] => self.read_pieces(line, at, text, Color::Black),
            [b'P', b'-', ..] => self.read_pieces(line, at, text, Color::White),
            _ => Err(KifuError::at(line, at, Fault::Syntax)),
        }
    }

    /// Reads `PI82HI22KA`: the start of an even game without some pieces.
    fn read_even(&mut self, line: Line<'_>, at: usize, text: &str) -> Result<(), KifuError> {
        let side = self.setup.side_to_move();
        self.setup = Setup::START;
        self.setup.set_side_to_move(side);
        for (index, entry) in entries(&text[2..]) {
            let at = at + 2 + index;
            let (place, kind) =
                entry.and_then(parse_entry).ok_or_else(|| KifuError::at(line, at, Fault::Syntax))?;
            let there = place.and_then(|square| Some((square, self.setup.piece_at(square)?)));
            match there {
                Some((square, piece)) if piece.to_parts().0 == kind => self.setup.clear(square),
                _ => {
                    let absent =
                        place.map_or(Fault::Syntax, |square| Fault::Setup(UnplayableSetup::Absent(square)));
                    return Err(KifuError::at(line, at, absent));
                }
            }
        }
        Ok(())
    }

    /// Reads `P1-KY-KE-GI-KI-OU-KI-GI-KE-KY`. An empty cell is ` * `; mail programs join the blanks, and some programs leave
    /// it blank or end the row in a point.
    fn read_rank(&mut self, line: Line<'_>, at: usize, text: &str, number: u8) -> Result<(), KifuError> {
        let fault = |offset: usize| KifuError::at(line, at + offset, Fault::BoardRow);
        let rank = Rank::new(number).ok_or_else(|| fault(0))?;
        let before = self.setup;
        let bytes = text.as_bytes();
        let mut next = 2;
        for file in File::all().rev() {
            while bytes.get(next) == Some(&b' ') {
                next += 1;
            }
            let color = match bytes.get(next) {
                Some(b'*') => {
                    next += 1;
                    continue;
                }
                Some(b'+') => Color::Black,
                Some(b'-') => Color::White,
                _ => {
                    // With the blanks at the end.
                    let row = line.text[at..].split(',').next().and_then(|row| row.get(2..));
                    let cells = row.and_then(find_columns).ok_or_else(|| fault(next))?;
                    self.setup = before;
                    for (file, cell) in File::all().rev().zip(cells) {
                        if let Some((offset, color)) = cell {
                            let placed = self.place(text, offset, square::at(file, rank), color);
                            placed.map_err(|fault| KifuError::at(line, at + offset, fault))?;
                        }
                    }
                    return Ok(());
                }
            };
            let placed = self.place(text, next, square::at(file, rank), color);
            placed.map_err(|fault| KifuError::at(line, at + next, fault))?;
            next += 3;
        }
        if matches!(text[next..].trim(), "" | ".") { Ok(()) } else { Err(fault(next)) }
    }

    /// Places the piece whose sign is at a byte of a row.
    #[inline]
    fn place(&mut self, text: &str, offset: usize, square: Square, color: Color) -> Result<(), Fault> {
        let name = text.get(offset + 1..offset + 3).and_then(kind_of_csa);
        self.place_on_empty(square, Piece::new(name.ok_or(Fault::Syntax)?, color))
    }

    /// Places a piece on an empty square.
    fn place_on_empty(&mut self, square: Square, piece: Piece) -> Result<(), Fault> {
        if self.setup.piece_at(square).is_some() {
            return Err(Fault::Contradiction);
        }
        self.setup.place(square, piece).map_err(|error| Fault::Setup(UnplayableSetup::Set(error)))
    }

    /// Reads `P+59OU00FU00AL`: pieces on squares, pieces in the hand, and all remaining pieces.
    fn read_pieces(&mut self, line: Line<'_>, at: usize, text: &str, color: Color) -> Result<(), KifuError> {
        for (index, entry) in entries(text[2..].trim_end()) {
            let at = at + 2 + index;
            if entry == Some("00AL") {
                self.fill_hand(color);
                continue;
            }
            let (place, kind) =
                entry.and_then(parse_entry).ok_or_else(|| KifuError::at(line, at, Fault::Syntax))?;
            match place {
                Some(square) => {
                    let placed = self.place_on_empty(square, Piece::new(kind, color));
                    placed.map_err(|fault| KifuError::at(line, at, fault))?;
                }
                None => {
                    let base = BaseKind::of(kind);
                    let count = self.setup.hand(color).count(base) + 1;
                    let counted = self.setup.set_hand_count(color, base, count);
                    if kind::is_promoted(kind) || counted.is_err() {
                        return Err(KifuError::at(line, at, Fault::Hand));
                    }
                }
            }
        }
        Ok(())
    }

    /// Puts all remaining pieces of the set except kings into a hand.
    fn fill_hand(&mut self, color: Color) {
        for kind in BaseKind::IN_HAND {
            let count = self.setup.hand(color).count(kind) + self.setup.removed(kind);
            let filled = self.setup.set_hand_count(color, kind, count);
            debug_assert!(filled.is_ok());
        }
    }
}

/// The cells of a row: the byte of the sign and the colour of each piece.
type Cells = [Option<(usize, Color)>; 9];

/// The cells of a row of columns three characters wide, in which empty cells are blank and may be missing at the end; a point
/// may stand for the last one. `None` if the row is not of this form, or if it is short and has no blank cell: it may then lack
/// a piece.
#[cold]
fn find_columns(text: &str) -> Option<Cells> {
    const WIDTH: usize = 3 * 9;
    let row = text.trim_end();
    let point = row.strip_suffix('.').map(str::trim_end);
    let row = point.unwrap_or(row);
    let mut cells = [None; 9];
    let ends_in_point = point.is_some() && row.len() == WIDTH - 3;
    let mut has_blank = row.is_empty() || text.len() >= WIDTH || ends_in_point;
    for (index, column) in row.as_bytes().chunks(3).enumerate() {
        let cell = cells.get_mut(index)?;
        match column {
            [b'+', _, _] => *cell = Some((2 + 3 * index, Color::Black)),
            [b'-', _, _] => *cell = Some((2 + 3 * index, Color::White)),
            [b' ', b' ' | b'*' | b'.', b' '] | [b' ', b'*'] => has_blank |= column == b"   ",
            _ => return None,
        }
    }
    has_blank.then_some(cells)
}

/// The entries of four characters, with their offsets.
fn entries(text: &str) -> impl Iterator<Item = (usize, Option<&str>)> {
    (0..text.len()).step_by(4).map(|at| (at, text.get(at..at + 4)))
}

/// Parses `82HI`: a square, or `None` for `00`, and a kind.
fn parse_entry(text: &str) -> Option<(Option<Square>, PieceKind)> {
    let (place, name) = text.split_at_checked(2)?;
    let kind = kind_of_csa(name)?;
    if place == "00" {
        return Some((None, kind));
    }
    let digit = |index: usize| place.as_bytes()[index].wrapping_sub(b'0');
    Some((Some(square::at(File::new(digit(0))?, Rank::new(digit(1))?)), kind))
}

//! Shogi positions as pictures in SVG: as the web page draws them (`web/src/board/picture.ts`), or as books print them.
//!
//! ```
//! use komabako_picture::{Color, Setup, Style, svg};
//!
//! let picture = svg(&Setup::START, Style::Book, Color::Black).to_string();
//! assert!(picture.starts_with("<svg "));
//! ```

#![no_std]
#![forbid(unsafe_code)]

mod glyphs;

use core::fmt;

use komabako_board::diagram::{KANJI_NUMBERS, kanji_piece};
use komabako_board::{BaseKind, File, Piece, PieceKind, Rank, kind, square};
/// The board types of the interface, so that a first program needs no other crate.
pub use komabako_board::{Color, Setup};

use glyphs::{EM, glyph};

/// How a picture looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Style {
    /// A wooden board with wooden pieces.
    #[default]
    Board,
    /// Characters alone, black on white, those of the player above upside down.
    Book,
}

/// The colours of a style.
struct Palette {
    paper: &'static str,
    board: &'static str,
    lines: &'static str,
    ink: &'static str,
    /// The colour of a piece; `None` if only its character is drawn.
    wood: Option<&'static str>,
    edge: &'static str,
    unpromoted: &'static str,
    promoted: &'static str,
    side_to_move: &'static str,
}

const BOARD_COLORS: Palette = Palette {
    paper: "#fcf9f2",
    board: "#e6c285",
    lines: "#54401f",
    ink: "#2a2019",
    wood: Some("#f8e2b4"),
    edge: "#8d6a35",
    unpromoted: "#22190f",
    promoted: "#a8281a",
    side_to_move: "#9c3220",
};

const BOOK_COLORS: Palette = Palette {
    paper: "#fff",
    board: "#fff",
    lines: "#000",
    ink: "#000",
    wood: None,
    edge: "#000",
    unpromoted: "#000",
    promoted: "#000",
    side_to_move: "#000",
};

/// The width and height of a square, as on a real board.
const CELL: (i32, i32) = (40, 44);
/// The upper left corner of the board.
const BOARD: (i32, i32) = (54, 20);
const BOARD_SIZE: (i32, i32) = (9 * CELL.0, 9 * CELL.1);
/// The upper left corners of the hands of the players below and above.
const HAND_BELOW: (i32, i32) = (434, 86);
const HAND_ABOVE: (i32, i32) = (2, 20);
/// The outline of a piece around (0, 0), pointing up.
const OUTLINE: &str = "M0-19.5 12.3-14.6 16.8 18.6H-16.8L-12.3-14.6Z";

/// The board as a standalone picture in SVG, with `below` at the lower edge, the hands beside the board and the hand of the side to move
/// underlined.
///
/// It contains its colours and the outlines of its characters, so it needs no font.
///
/// ```
/// use komabako_picture::{Color, Setup, Style, svg};
/// let picture = svg(&Setup::START, Style::Board, Color::Black).to_string();
/// assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>"));
/// ```
pub fn svg(setup: &Setup, style: Style, below: Color) -> impl fmt::Display {
    let palette = match style {
        Style::Board => &BOARD_COLORS,
        Style::Book => &BOOK_COLORS,
    };
    Svg { setup, palette, below }
}

struct Svg<'a> {
    setup: &'a Setup,
    palette: &'static Palette,
    below: Color,
}

impl fmt::Display for Svg<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 480 422\" width=\"480\" height=\"422\">",
        )?;
        self.write_board(f)?;
        for (row, rank) in (0..).zip(Rank::all()) {
            for (column, file) in (0..).zip(File::all().rev()) {
                if let Some(standing) = self.setup.piece_at(square::at(file, rank)) {
                    let (column, row) =
                        if self.below == Color::Black { (column, row) } else { (8 - column, 8 - row) };
                    self.write_piece(f, (BOARD.0 + column * CELL.0, BOARD.1 + row * CELL.1), standing)?;
                }
            }
        }
        self.write_hand(f, Color::Black)?;
        self.write_hand(f, Color::White)?;
        f.write_str("</svg>")
    }
}

impl Svg<'_> {
    /// The empty board with its coordinates.
    fn write_board(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Palette { paper, board, lines, ink, .. } = self.palette;
        let (x, y) = BOARD;
        let (width, height) = BOARD_SIZE;
        write!(
            f,
            "<rect width=\"100%\" height=\"100%\" fill=\"{paper}\"/><rect x=\"{x}\" y=\"{y}\" width=\"{width}\" \
             height=\"{height}\" fill=\"{board}\" stroke=\"{lines}\" stroke-width=\"1.4\"/>"
        )?;
        for line in 1..9 {
            let across = x + line * CELL.0;
            let down = y + line * CELL.1;
            write!(
                f,
                "<path d=\"M{across} {y}v{height}M{x} {down}h{width}\" stroke=\"{lines}\" stroke-width=\".7\"/>"
            )?;
        }
        for place in 0..9 {
            let (file, rank) =
                if self.below == Color::Black { (9 - place, place) } else { (place + 1, 8 - place) };
            write_number(f, file, 13_000, (x + place * CELL.0 + 20, y - 9), ink)?;
            let at = (1000 * (x + width + 11), 1000 * (y + place * CELL.1 + 22));
            write_character(f, KANJI_NUMBERS[rank as usize], 12_500, at, ink)?;
        }
        Ok(())
    }

    /// A hand under the mark of its owner.
    fn write_hand(&self, f: &mut fmt::Formatter<'_>, color: Color) -> fmt::Result {
        let Palette { paper, ink, side_to_move, edge, .. } = self.palette;
        let (left, top) = if color == self.below { HAND_BELOW } else { HAND_ABOVE };
        let x = left + 22;
        let y = top + 12;
        let fill = if color == Color::Black { ink } else { paper };
        self.write_outline(f, (x, y), color, "0.42", (fill, edge))?;
        f.write_str("</g>")?;
        if self.setup.side_to_move() == color {
            write!(
                f,
                "<path d=\"M{} {}h28\" stroke=\"{side_to_move}\" stroke-width=\"2\"/>",
                x - 14,
                y + 10
            )?;
        }
        let mut slot = 0;
        for held in BaseKind::SFEN_HAND {
            let count = self.setup.hand(color).count(held);
            if count == 0 {
                continue;
            }
            let x = left + 2;
            let y = top + 22 + slot * CELL.1;
            self.write_piece(f, (x, y), Piece::new(held.unpromoted(), color))?;
            if count > 1 {
                write!(f, "<g stroke=\"{paper}\" stroke-width=\"40\" paint-order=\"stroke\">")?;
                write_number(f, count.into(), 15_000, (x + 35, y + 38), ink)?;
                f.write_str("</g>")?;
            }
            slot += 1;
        }
        Ok(())
    }

    /// A piece in the cell with this upper left corner.
    fn write_piece(&self, f: &mut fmt::Formatter<'_>, (x, y): (i32, i32), piece: Piece) -> fmt::Result {
        let (piece_kind, color) = piece.to_parts();
        let centre = (x + CELL.0 / 2, y + CELL.1 / 2);
        let fill =
            if kind::is_promoted(piece_kind) { self.palette.promoted } else { self.palette.unpromoted };
        // The stronger player, White, has 王.
        let character = match (piece_kind, color) {
            (PieceKind::King, Color::White) => '王',
            _ => kanji_piece(piece_kind),
        };
        match self.palette.wood {
            Some(wood) => {
                self.write_outline(f, centre, color, scale(piece_kind), (wood, self.palette.edge))?;
                write_character(f, character, 26_200, (0, 2_400), fill)?;
            }
            None => {
                let turn = self.turn(color);
                write!(f, "<g transform=\"translate({} {}){turn}\">", centre.0, centre.1)?;
                write_character(f, character, 32_000, (0, 0), fill)?;
            }
        }
        f.write_str("</g>")
    }

    /// Opens the group of a piece around its centre, with its outline.
    fn write_outline(
        &self,
        f: &mut fmt::Formatter<'_>,
        (x, y): (i32, i32),
        color: Color,
        scale: &str,
        (fill, edge): (&str, &str),
    ) -> fmt::Result {
        let turn = self.turn(color);
        write!(
            f,
            "<g transform=\"translate({x} {y}){turn}scale({scale})\"><path d=\"{OUTLINE}\" fill=\"{fill}\" \
             stroke=\"{edge}\" stroke-width=\".7\"/>"
        )
    }

    fn turn(&self, color: Color) -> &'static str {
        if color == self.below { "" } else { "rotate(180)" }
    }
}

/// The relative size of a piece, as on a real board: kings are larger.
fn scale(piece: PieceKind) -> &'static str {
    match BaseKind::of(piece) {
        BaseKind::King => "1.06",
        BaseKind::Bishop | BaseKind::Rook => "1.03",
        BaseKind::Gold | BaseKind::Silver => "1",
        BaseKind::Knight | BaseKind::Lance => "0.97",
        BaseKind::Pawn => "0.93",
    }
}

/// A number of one digit or two around a point; sizes are in thousandths.
fn write_number(
    f: &mut fmt::Formatter<'_>,
    number: i32,
    size: i32,
    (x, y): (i32, i32),
    fill: &str,
) -> fmt::Result {
    let step = size * 56 / 100;
    let digit = |value: i32| char::from(b'0' + value as u8);
    if number < 10 {
        return write_character(f, digit(number), size, (1000 * x, 1000 * y), fill);
    }
    write_character(f, digit(number / 10), size, (1000 * x - step / 2, 1000 * y), fill)?;
    write_character(f, digit(number % 10), size, (1000 * x + step / 2, 1000 * y), fill)
}

/// A character around a point, all in thousandths.
fn write_character(
    f: &mut fmt::Formatter<'_>,
    character: char,
    size: i32,
    (x, y): (i32, i32),
    fill: &str,
) -> fmt::Result {
    let scale = Thousandths((size + EM / 2) / EM);
    write!(
        f,
        "<path d=\"{}\" transform=\"translate({} {})scale({scale} {scale})\" fill=\"{fill}\"/>",
        glyph(character),
        Thousandths(x),
        Thousandths(y)
    )
}

/// A number that is not negative in thousandths, without trailing zeros.
struct Thousandths(i32);

impl fmt::Display for Thousandths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(value) = *self;
        write!(f, "{}", value / 1000)?;
        let mut rest = value % 1000;
        if rest > 0 {
            f.write_str(".")?;
        }
        while rest > 0 {
            write!(f, "{}", rest / 100)?;
            rest = rest % 100 * 10;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    extern crate alloc;

    use alloc::string::ToString;

    use super::*;

    #[test]
    fn picture_has_every_piece_and_the_side_to_move() {
        let setup: Setup = "k8/1+R7/9/9/9/9/9/9/7PK w 12Pg 1".parse().unwrap();
        let picture = svg(&setup, Style::Board, Color::Black).to_string();
        // Six pieces, and the mark of each hand.
        assert_eq!(picture.matches(OUTLINE).count(), 8);
        for part in [glyph('王'), glyph('玉'), "translate(74 42)rotate(180)scale(1.06)", "M10 42h28"] {
            assert!(picture.contains(part), "{part}");
        }
        assert!(picture.contains(
            &[glyph('龍'), "\" transform=\"translate(0 2.4)scale(0.164 0.164)\" fill=\"#a8281a\""].concat()
        ));
        assert!(
            picture.contains(&[glyph('1'), "\" transform=\"translate(466.8 146)scale(0.094 0.094)"].concat())
        );
        assert_eq!(picture.matches("<g").count(), picture.matches("</g>").count());
        assert_eq!(
            svg(&Setup::START, Style::Board, Color::Black).to_string().matches("rotate(180)").count(),
            21
        );
    }

    #[test]
    fn picture_turns_and_has_the_style_of_books() {
        let setup: Setup = "k8/9/9/9/9/9/9/9/9 b - 1".parse().unwrap();
        let turned = svg(&setup, Style::Book, Color::White).to_string();
        // The square 9a is at the lower right, and its piece points up.
        assert!(turned.contains(&["translate(394 394)\"><path d=\"", glyph('王')].concat()));
        // Only the marks of the hands have outlines, and all is black and white.
        assert_eq!(turned.matches(OUTLINE).count(), 2);
        let colors = turned
            .split("#")
            .skip(1)
            .filter(|color| !color.starts_with("000\"") && !color.starts_with("fff\""));
        assert_eq!(colors.count(), 0);
    }

    #[test]
    fn every_character_has_an_outline() {
        let shown = KANJI_NUMBERS.into_iter().chain('0'..='9').chain(['王']);
        for character in shown.chain(PieceKind::all().map(kanji_piece)) {
            assert!(glyph(character).starts_with('M'), "{character}");
        }
        assert_eq!(glyph('犬'), "");
    }
}

/// The README's code, which runs as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

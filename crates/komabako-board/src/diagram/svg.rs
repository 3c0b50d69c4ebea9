//! The board as a picture, in the style of the web page (`web/src/board/picture.ts`).

use core::fmt;

use super::{KANJI_NUMBERS, kanji_piece};
use crate::{BaseKind, Color, File, Piece, PieceKind, Rank, Setup, kind, square};

/// The size of a square, as on a real board.
const CELL: (u32, u32) = (40, 44);
/// The upper left corner of the board.
const BOARD: (u32, u32) = (100, 24);
/// The upper left corners of Black's and White's hands.
const HANDS: [(u32, u32); 2] = [(486, 222), (4, 20)];
/// The outline of a piece around (0, 0), pointing up.
const OUTLINE: &str = "M0-18.5 11.5-13.8 15.6 18.2H-15.6L-11.5-13.8Z";
const FONTS: &str =
    "'Noto Serif JP','Noto Serif CJK JP','Hiragino Mincho ProN','Yu Mincho','Noto Sans CJK JP',serif";

/// The board as a standalone picture in SVG, Black below, hands beside the board; the mark of the side to move is red.
///
/// It contains its colours, and uses whatever Japanese font the viewer has.
///
/// ```
/// use komabako_board::{Setup, diagram};
/// let picture = diagram::svg(&Setup::START).to_string();
/// assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>"));
/// ```
pub fn svg(setup: &Setup) -> impl fmt::Display {
    Svg(setup)
}

struct Svg<'a>(&'a Setup);

impl fmt::Display for Svg<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Svg(setup) = self;
        let (x, y) = BOARD;
        let width = 9 * CELL.0;
        let height = 9 * CELL.1;
        f.write_str(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 574 432\" width=\"574\" height=\"432\">\
             <rect width=\"100%\" height=\"100%\" fill=\"#fcf9f2\"/>",
        )?;
        write!(
            f,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"#e6c285\" stroke=\"#54401f\" \
             stroke-width=\"1.4\"/><path d=\""
        )?;
        for line in 1..9 {
            write!(f, "M{} {y}v{height}M{x} {}h{width}", x + line * CELL.0, y + line * CELL.1)?;
        }
        write!(
            f,
            "\" stroke=\"#54401f\" stroke-width=\".7\"/><g text-anchor=\"middle\" font-family=\"{FONTS}\">"
        )?;
        for place in 0..9 {
            text(f, (x + place * CELL.0 + 20, y - 7), 11, "#2a2019", 9 - place)?;
            text(f, (x + width + 12, y + place * CELL.1 + 26), 11, "#2a2019", KANJI_NUMBERS[place as usize])?;
        }
        for (row, rank) in (0..).zip(Rank::all()) {
            for (column, file) in (0..).zip(File::all().rev()) {
                if let Some(standing) = setup.piece_at(square::at(file, rank)) {
                    piece(f, (x + column * CELL.0, y + row * CELL.1), standing)?;
                }
            }
        }
        for (color, mark) in [(Color::Black, '☗'), (Color::White, '☖')] {
            let (left, top) = HANDS[color.array_index()];
            let fill = if setup.side_to_move() == color { "#a3341f" } else { "#2a2019" };
            text(f, (left + 42, top + 16), 16, fill, mark)?;
            for (slot, held) in (0..).zip(BaseKind::SFEN_HAND) {
                let at = (left + 2 + slot % 2 * CELL.0, top + 24 + slot / 2 * CELL.1);
                let count = setup.hand(color).count(held);
                if count > 0 {
                    piece(f, at, Piece::new(held.unpromoted(), color))?;
                }
                if count > 1 {
                    text(f, (at.0 + 35, at.1 + 42), 12, "#2a2019", count)?;
                }
            }
        }
        f.write_str("</g></svg>")
    }
}

fn text(
    f: &mut fmt::Formatter<'_>,
    (x, y): (u32, u32),
    size: u32,
    fill: &str,
    content: impl fmt::Display,
) -> fmt::Result {
    write!(f, "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" fill=\"{fill}\">{content}</text>")
}

/// A piece in the cell with this upper left corner.
fn piece(f: &mut fmt::Formatter<'_>, (x, y): (u32, u32), drawn: Piece) -> fmt::Result {
    let (of_kind, color) = drawn.to_parts();
    let turn = if color == Color::White { " rotate(180)" } else { "" };
    let fill = if kind::is_promoted(of_kind) { "#a8281a" } else { "#22190f" };
    // As on a real board: kings are larger, and the stronger player, White, has 王.
    let scale = match BaseKind::of(of_kind) {
        BaseKind::King => "1.06",
        BaseKind::Bishop | BaseKind::Rook => "1.03",
        BaseKind::Gold | BaseKind::Silver => "1",
        BaseKind::Knight | BaseKind::Lance => ".97",
        BaseKind::Pawn => ".93",
    };
    let glyph = match (of_kind, color) {
        (PieceKind::King, Color::White) => '王',
        _ => kanji_piece(of_kind),
    };
    write!(
        f,
        "<g transform=\"translate({} {}){turn} scale({scale})\"><path d=\"{OUTLINE}\" fill=\"#f8e2b4\" \
         stroke=\"#8d6a35\" stroke-width=\".7\"/><text y=\"8.6\" font-size=\"23\" font-weight=\"700\" \
         fill=\"{fill}\">{glyph}</text></g>",
        x + 20,
        y + 22
    )
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;

    #[test]
    fn picture_has_every_piece_and_the_side_to_move() {
        let setup: Setup = "k8/1+R7/9/9/9/9/9/9/7PK w 2Sg 1".parse().unwrap();
        let picture = svg(&setup).to_string();
        assert_eq!(picture.matches(OUTLINE).count(), 6);
        for part in [
            ">王</text>",
            ">玉</text>",
            "fill=\"#a8281a\">龍</text>",
            "translate(120 46) rotate(180) scale(1.06)",
            "fill=\"#a3341f\">☖</text>",
            "fill=\"#2a2019\">☗</text>",
        ] {
            assert!(picture.contains(part), "{part}");
        }
        assert!(picture.contains("font-size=\"12\" fill=\"#2a2019\">2</text>"));
        assert_eq!(svg(&Setup::START).to_string().matches("rotate(180)").count(), 20);
        assert_eq!(picture.matches("<g").count(), picture.matches("</g>").count());
    }
}

//! [`Spec`]: the differences between formats of codes, written as in their specifications.

use komabako_board::{BaseKind, Square, square};

/// The codes of a format and their order. A code is text, first bit first; an empty text means no code.
#[derive(Debug)]
pub struct Spec {
    /// The code of an empty square.
    pub empty: &'static str,
    /// By kind, P L N S G B R: Black's piece, White's, Black's promoted, White's promoted.
    pub board: [[&'static str; 4]; 7],
    /// By kind, P L N S G B R: a piece in Black's hand, in White's, in the box.
    pub tail: [[&'static str; 3]; 7],
    /// The order of the kinds in a hand and in the box.
    pub tail_order: [BaseKind; 7],
    /// Whether removed pieces are written.
    pub has_box: bool,
    /// Whether the side to move comes after the board instead of first.
    pub side_after_board: bool,
    /// Whether a file's squares are counted from rank 9 to rank 1.
    pub ranks_from_below: bool,
}

impl Spec {
    /// The bit after the kings' squares, 7 bits each, and after the side to move if it comes first.
    pub const fn board_start(&self) -> usize {
        if self.side_after_board { 14 } else { 15 }
    }

    /// The first bit of each king's square, Black's and White's.
    pub const fn kings(&self) -> [usize; 2] {
        [self.board_start() - 14, self.board_start() - 7]
    }

    /// The index of the square that the format numbers `code`, and the reverse.
    pub const fn renumber(&self, code: usize) -> usize {
        if self.ranks_from_below { code / 9 * 9 + (8 - code % 9) } else { code }
    }

    /// The square that the format numbers `code`, or `None` from 81 up.
    pub const fn square(&self, code: usize) -> Option<Square> {
        square::from_index(self.renumber(code))
    }

    /// The one bit of an empty square's code.
    pub const fn empty_bit(&self) -> bool {
        self.empty.as_bytes()[0] == b'1'
    }

    /// The properties of the pieces' codes that differ between formats.
    pub const fn shape(&self) -> Shape {
        let [pawn, _, knight, _, _, bishop, _] = &self.board;
        Shape {
            color_first: pawn[0].as_bytes()[2] != pawn[1].as_bytes()[2],
            silver_first: knight[0].as_bytes()[2] == b'1',
            majors_first: bishop[0].as_bytes()[4] == b'0',
        }
    }
}

/// The bits of pieces' codes have the same meaning in all formats, except for these differences.
///
/// | piece | bits 1 to 7 |
/// |---|---|
/// | P | 0 xy |
/// | L | 100 xy |
/// | N | 101 xy |
/// | S | 110 xy |
/// | G | 1110 c |
/// | B, R | 1111 r xy |
///
/// where `x` is promoted, `y` and `c` White's, and `r` a rook's.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// `x` is White's and `y` promoted.
    pub color_first: bool,
    /// N is 110 and S 101.
    pub silver_first: bool,
    /// B and R are 1110, G is 1111.
    pub majors_first: bool,
}

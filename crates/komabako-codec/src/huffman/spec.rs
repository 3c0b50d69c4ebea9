//! [`Spec`]: what tells one format of codes from another, written as in its specification.

use komabako_board::{BaseKind, Square, square};

/// The codes of a format and the order in which they come. A code is text, first bit first; an empty text is no code.
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
    /// Whether the side to move comes after the board, not first.
    pub side_after_board: bool,
    /// Whether a file's squares are counted from rank 9 to rank 1.
    pub ranks_from_below: bool,
}

impl Spec {
    /// The bit after the kings' squares, 7 bits each, and the side to move where it comes first.
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
}

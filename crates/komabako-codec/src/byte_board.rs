//! [`ByteBoard`]: a position as one byte for each square.

use komabako_bits::{BitOps, Bytes};
use komabako_board::{
    BaseKind, Bitboard, Color, Hand, Piece, Setup, SetupError, SetupParts, color, kind, square,
};

use crate::{PackError, Sink, Source};

/// What stands on a square, in five bits. The low three are the kind's place in P L N S G B R, from 1.
///
/// | 0 | 1–7 | 8 | +8 | +16 |
/// |---|---|---|---|---|
/// | empty | P L N S G B R | king | promoted | White's |
pub type Cell = u8;

/// How many values a [`Cell`] has.
pub const CELLS: usize = 32;
const KING: Cell = 8;
const PROMOTED: Cell = 8;
const WHITE: Cell = 16;

/// The piece of each cell.
const PIECES: [Option<Piece>; CELLS] = {
    let mut pieces = [None; CELLS];
    let mut index = 0;
    while index < BaseKind::ALL.len() {
        let base = BaseKind::ALL[index];
        let mut white = 0;
        while white < 2 {
            let (cell, side) = (white as u8 * WHITE, color::from_bit(white == 1));
            pieces[(cell | base_cell(base)) as usize] = Some(Piece::new(base.unpromoted(), side));
            if let Some(promoted) = base.promoted() {
                pieces[(cell | PROMOTED | base_cell(base)) as usize] = Some(Piece::new(promoted, side));
            }
            white += 1;
        }
        index += 1;
    }
    pieces
};

const fn base_cell(base: BaseKind) -> Cell {
    match base {
        BaseKind::King => KING,
        _ => base as Cell + 1,
    }
}

/// The piece of a cell, or `None` for an empty square.
#[inline(always)]
pub const fn piece(cell: Cell) -> Option<Piece> {
    PIECES[cell as usize % CELLS]
}

/// The cell of a piece.
#[inline(always)]
pub fn cell(piece: Piece) -> Cell {
    let (piece_kind, side) = piece.to_parts();
    let promoted = if kind::is_promoted(piece_kind) { PROMOTED } else { 0 };
    let white = [0, WHITE][side.array_index()];
    base_cell(BaseKind::of(piece_kind)) | promoted | white
}

/// A position as one [`Cell`] for each square: the view in which codes are written and read.
#[derive(Clone, Copy)]
pub struct ByteBoard {
    /// The cells by square index; those from 81 up stay empty.
    pub cells: Bytes,
    /// Black's and White's hands.
    pub hands: [Hand; 2],
    /// The side to move.
    pub side: Color,
}

impl ByteBoard {
    /// Nothing on the board or in the hands, Black to move.
    pub const EMPTY: ByteBoard = ByteBoard { cells: [0; 96], hands: [Hand::EMPTY; 2], side: Color::Black };

    /// The view of a setup.
    #[inline(always)]
    pub fn from_setup<B: BitOps>(ops: B, setup: &Setup) -> Self {
        let parts = setup.parts();
        let [p, l, n, s, g, b, r, k] = parts.kinds;
        let planes = [p | n | g | r, l | n | b | r, s | g | b | r, parts.promoted | k, parts.colors[1]];
        let cells = ops.boards_to_bytes(&planes.map(Bitboard::lanes));
        Self { cells, hands: parts.hands, side: parts.side }
    }

    /// The setup of this view, unchecked in release builds.
    #[inline(always)]
    pub fn to_setup<B: BitOps>(self, ops: B) -> Setup {
        Setup::from_parts_trusted(self.to_parts(ops))
    }

    /// The setup of a caller's position, checked.
    #[inline(always)]
    pub fn read_setup<B: BitOps>(ops: B, source: &impl Source) -> Result<Setup, PackError> {
        let mut board = Self { side: source.side_to_move(), ..Self::EMPTY };
        for (cell_at, square) in board.cells.iter_mut().zip(square::all()) {
            *cell_at = source.piece_at(square).map_or(0, cell);
        }
        for (hand, side) in board.hands.iter_mut().zip([Color::Black, Color::White]) {
            for kind in BaseKind::IN_HAND {
                *hand = hand
                    .with(kind, source.hand_count(side, kind))
                    .ok_or(PackError::NotRepresentable(SetupError::TooMany(kind)))?;
            }
        }
        Setup::from_parts(board.to_parts(ops)).map_err(PackError::NotRepresentable)
    }

    /// Writes the position to a caller's.
    pub fn write_to(&self, sink: &mut impl Sink) {
        sink.clear();
        sink.set_side_to_move(self.side);
        for (square, &cell) in square::all().zip(&self.cells) {
            if let Some(piece) = piece(cell) {
                sink.put(square, piece);
            }
        }
        for (side, hand) in [Color::Black, Color::White].into_iter().zip(self.hands) {
            hand.counts().for_each(|(kind, count)| sink.set_hand(side, kind, count));
        }
    }

    #[inline(always)]
    fn to_parts<B: BitOps>(self, ops: B) -> SetupParts {
        let [a, b, c, d, white] = ops.bytes_to_boards(&self.cells).map(Bitboard::from_lanes);
        let [ab, abc] = [a | b, a | b | c];
        SetupParts {
            colors: [(abc | d).without(white), white],
            kinds: [
                a.without(b | c),
                b.without(a | c),
                (a & b).without(c),
                c.without(ab),
                (a & c).without(b),
                (b & c).without(a),
                a & b & c,
                d.without(abc),
            ],
            promoted: d & abc,
            hands: self.hands,
            side: self.side,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_and_pieces_map_one_to_one() {
        assert_eq!((0..CELLS as u8).filter_map(piece).count(), 28);
        assert!(Piece::all().into_iter().all(|p| piece(cell(p)) == Some(p)));
    }
}

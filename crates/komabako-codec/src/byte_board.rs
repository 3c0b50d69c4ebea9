//! [`ByteBoard`]: a position as one byte for each square.

use core::slice::{from_mut, from_ref};

use komabako_bits::{Backend, BitOps, Bytes, Kernel, Soft, dispatch};
use komabako_board::{
    BaseKind, Bitboard, Color, Hand, Piece, PieceKind, Setup, SetupError, SetupParts, color, kind, square,
};

/// The content of a square, in five bits. The low three are the kind's place in P L N S G B R, from 1.
///
/// | 0 | 1–7 | 8 | +8 | +16 |
/// |---|---|---|---|---|
/// | empty | P L N S G B R | king | promoted | White's |
pub type Cell = u8;

/// The number of values of a [`Cell`].
pub const CELLS: usize = 32;
/// Black's king.
pub const KING: Cell = 8;
/// Added to the cell of a promoted piece.
pub const PROMOTED: Cell = 8;
/// Added to the cell of a White piece.
pub const WHITE: Cell = 16;

/// The piece of each cell.
const PIECES: [Option<Piece>; CELLS] = {
    let mut pieces = [None; CELLS];
    let mut index = 0;
    while index < BaseKind::ALL.len() {
        let base = BaseKind::ALL[index];
        let mut white = 0;
        while white < 2 {
            let cell = white as u8 * WHITE;
            let side = color::from_bit(white == 1);
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

pub(crate) const fn base_cell(base: BaseKind) -> Cell {
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

/// The piece of a cell, or a pawn for a cell without one: a load, and no test.
#[inline(always)]
pub(crate) fn piece_or_pawn(cell: Cell) -> Piece {
    static OR_PAWN: [Piece; CELLS] = {
        let mut pieces = [Piece::new(PieceKind::Pawn, Color::Black); CELLS];
        let mut cell = 0;
        while cell < CELLS {
            if let Some(piece) = PIECES[cell] {
                pieces[cell] = piece;
            }
            cell += 1;
        }
        pieces
    };
    OR_PAWN[usize::from(cell) % CELLS]
}

/// The cell of a piece.
#[inline(always)]
pub fn cell(piece: Piece) -> Cell {
    let (piece_kind, side) = piece.to_parts();
    let promoted = if kind::is_promoted(piece_kind) { PROMOTED } else { 0 };
    let white = [0, WHITE][side.array_index()];
    base_cell(BaseKind::of(piece_kind)) | promoted | white
}

/// A position as one byte per square, the alternative to [`Setup`]'s bitboards: the form in which codes are read and written,
/// and the form of an engine with a mailbox. Like a setup, it holds at most one set.
///
/// ```
/// use komabako_codec::{ByteBoard, ByteBoardCodec, PositionCodec, Setup, Sspf, cell};
/// let board = ByteBoard::of_setup(&Setup::START);
/// assert_eq!(board.cells()[0], cell::WHITE | cell::LANCE); // on 1a
/// let word = Sspf::new().pack_bytes(&board)?;
/// assert_eq!(Sspf::new().unpack_bytes(&word)?.to_setup(), Setup::START);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ByteBoard {
    /// By square index; cells from 81 up are empty.
    pub(crate) cells: Bytes,
    /// The indices of Black's and White's king, [`MISSING`] for none.
    pub(crate) kings: [u8; 2],
    pub(crate) hands: [Hand; 2],
    pub(crate) side: Color,
}

/// The index of a missing king: seven bits that are not a square.
pub(crate) const MISSING: u8 = 127;

impl ByteBoard {
    /// An empty board and empty hands, Black to move.
    pub const EMPTY: ByteBoard =
        ByteBoard { cells: [0; 96], kings: [MISSING; 2], hands: [Hand::EMPTY; 2], side: Color::Black };

    /// The position with these [`Cell`]s by square index, Black's and White's hand, and side to move.
    ///
    /// # Errors
    /// As [`Setup::from_parts`]; [`SetupError::Inconsistent`] for a byte that is not a cell.
    pub fn new(cells: &[Cell; square::COUNT], hands: [Hand; 2], side: Color) -> Result<Self, SetupError> {
        for (&cell, square) in cells.iter().zip(square::all()) {
            if usize::from(cell) >= CELLS {
                return Err(SetupError::Inconsistent(square));
            }
        }
        let mut board = Self { hands, side, ..Self::EMPTY };
        board.cells[..square::COUNT].copy_from_slice(cells);
        Setup::from_parts(board.parts(Soft)).map(|setup| Self::of_setup(&setup))
    }

    /// The view of a setup.
    pub fn of_setup(setup: &Setup) -> Self {
        Self::of_setup_on(Backend::detect(), setup)
    }

    /// The setup of this view.
    pub fn to_setup(&self) -> Setup {
        self.setup_on(Backend::detect())
    }

    pub(crate) fn of_setup_on(backend: Backend, setup: &Setup) -> Self {
        let mut board = Self::EMPTY;
        Self::of_setups(backend, from_ref(setup), from_mut(&mut board));
        board
    }

    /// Writes the views of setups.
    pub(crate) fn of_setups(backend: Backend, setups: &[Setup], boards: &mut [Self]) {
        struct OfSetups<'a>(&'a [Setup], &'a mut [ByteBoard]);
        impl Kernel for OfSetups<'_> {
            type Output = ();
            #[inline(always)]
            fn run<B: BitOps>(self, ops: B) {
                for (index, setup) in self.0.iter().enumerate() {
                    self.1[index] = ByteBoard::from_setup(ops, setup);
                }
            }
        }
        dispatch(backend, OfSetups(setups, boards));
    }

    pub(crate) fn setup_on(&self, backend: Backend) -> Setup {
        let mut setup = Setup::EMPTY;
        Self::to_setups(backend, from_ref(self), from_mut(&mut setup));
        setup
    }

    /// Writes the setups of views.
    pub(crate) fn to_setups(backend: Backend, boards: &[Self], setups: &mut [Setup]) {
        struct ToSetups<'a>(&'a [ByteBoard], &'a mut [Setup]);
        impl Kernel for ToSetups<'_> {
            type Output = ();
            #[inline(always)]
            fn run<B: BitOps>(self, ops: B) {
                for (index, board) in self.0.iter().enumerate() {
                    self.1[index] = board.setup(ops);
                }
            }
        }
        dispatch(backend, ToSetups(boards, setups));
    }

    /// The content of each square, by square index.
    ///
    /// # Panics
    /// Never: a board has 96 bytes.
    pub fn cells(&self) -> &[Cell; square::COUNT] {
        self.cells.first_chunk().expect("96 bytes are more than 81")
    }

    /// A colour's hand.
    pub fn hand(&self, color: Color) -> Hand {
        self.hands[color.array_index()]
    }

    /// The side to move.
    pub fn side_to_move(&self) -> Color {
        self.side
    }

    #[inline(always)]
    pub(crate) fn from_setup<B: BitOps>(ops: B, setup: &Setup) -> Self {
        let [a, b, c, d, white] = planes(setup);
        let king = setup.kind(BaseKind::King);
        let index = |color: Bitboard| ((king & color).first_index() as u8).min(MISSING);
        let [black, whites] = setup.parts().colors;
        Self {
            cells: ops.boards_to_bytes(&[a.lanes(), b.lanes(), c.lanes(), d.lanes(), white.lanes()]),
            kings: [index(black), index(whites)],
            hands: setup.parts().hands,
            side: setup.side_to_move(),
        }
    }

    /// The setup of this view, unchecked in release builds.
    #[inline(always)]
    pub(crate) fn setup<B: BitOps>(&self, ops: B) -> Setup {
        Setup::from_parts_trusted(self.parts(ops))
    }

    /// The squares of all pieces.
    pub fn occupied(&self) -> Bitboard {
        struct Occupied<'a>(&'a Bytes);
        impl Kernel for Occupied<'_> {
            type Output = Bitboard;
            #[inline(always)]
            fn run<B: BitOps>(self, ops: B) -> Bitboard {
                Bitboard::from_lanes(ops.nonzero(self.0))
            }
        }
        dispatch(Backend::detect(), Occupied(&self.cells))
    }

    #[inline(always)]
    fn parts<B: BitOps>(&self, ops: B) -> SetupParts {
        let [a, b, c, d, white] = ops.bytes_to_boards(&self.cells);
        let from = Bitboard::from_lanes;
        parts_of([from(a), from(b), from(c), from(d), from(white)], self.hands, self.side)
    }
}

/// The boards of the five bits of the [`Cell`]s of a setup.
#[inline(always)]
pub fn planes(setup: &Setup) -> [Bitboard; 5] {
    let parts = setup.parts();
    let [p, l, n, s, g, b, r, k] = parts.kinds;
    [p | n | g | r, l | n | b | r, s | g | b | r, parts.promoted | k, parts.colors[1]]
}

/// The parts of a position, given the boards of the five bits of its [`Cell`]s.
#[inline(always)]
pub fn parts_of([a, b, c, d, white]: [Bitboard; 5], hands: [Hand; 2], side: Color) -> SetupParts {
    let [pawn, lance, knight, silver, gold, bishop, rook] = kinds([a, b, c]);
    let any = a | b | c;
    SetupParts {
        colors: [(any | d).without(white), white],
        kinds: [pawn, lance, knight, silver, gold, bishop, rook, d.without(any)],
        promoted: d & any,
        hands,
        side,
    }
}

/// The boards of the kinds, P L N S G B R, given the boards of the three low bits of the [`Cell`]s.
#[inline(always)]
pub fn kinds([a, b, c]: [Bitboard; 3]) -> [Bitboard; 7] {
    let [ab, ac, bc, abc] = [a & b, a & c, b & c, a & b & c];
    [a.without(b | c), b.without(a | c), ab ^ abc, c.without(a | b), ac ^ abc, bc ^ abc, abc]
}

#[cfg(test)]
mod tests {
    use komabako_board::Square;

    use super::*;

    #[test]
    fn cells_and_pieces_map_one_to_one() {
        assert_eq!((0..CELLS as u8).filter_map(piece).count(), 28);
        assert!(Piece::all().into_iter().all(|p| piece(cell(p)) == Some(p)));
    }

    #[test]
    fn boards_with_more_than_one_set_are_refused() {
        let start = ByteBoard::of_setup(&Setup::START);
        let new = |cells: &[Cell; 81]| ByteBoard::new(cells, [Hand::EMPTY; 2], Color::Black);
        assert_eq!(new(start.cells()), Ok(start));
        assert_eq!(start.to_setup(), Setup::START);
        let with = |index: usize, cell| {
            let mut cells = *start.cells();
            cells[index] = cell;
            new(&cells)
        };
        let fault = Err(SetupError::Inconsistent(Square::SQ_5E));
        assert_eq!(with(40, WHITE), fault, "a colour without a piece");
        assert_eq!(with(40, 5 + PROMOTED), fault, "a promoted gold");
        assert_eq!(with(40, 32), fault, "not a cell");
        assert_eq!(with(40, KING), Err(SetupError::SecondKing(Color::Black)));
        assert_eq!(with(40, 7), Err(SetupError::TooMany(BaseKind::Rook)));
        assert_eq!(with(44, 0).map(|board| board.kings), Ok([127, 36]), "5i is empty");
    }
}

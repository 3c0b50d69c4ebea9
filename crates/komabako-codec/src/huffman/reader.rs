//! [`Reader`]: reads a word code by code. The reference, the lenient reader and the explanations use it.

use komabako_board::{BaseKind, Color, Piece, Setup, SetupError, Square, color, square};

use super::codebook::Codebook;
use super::spec::Spec;
use crate::word::{BITS, bit, number};
use crate::{Field, UnpackError, UnpackFault, Word};

/// A place in the stream of a word.
pub struct Reader<'a> {
    spec: &'a Spec,
    codebook: &'a Codebook,
    word: &'a Word,
    /// The next bit.
    pub at: usize,
}

/// A piece off the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OffBoard {
    /// Its place: [`Field::BlackHand`], [`Field::WhiteHand`] or [`Field::Box`].
    pub place: Field,
    pub kind: BaseKind,
}

/// The places off the board in the order of the stream.
pub const PLACES: [Field; 3] = [Field::BlackHand, Field::WhiteHand, Field::Box];

impl<'a> Reader<'a> {
    /// A reader at the first code of a square.
    pub fn new(codebook: &'a Codebook, word: &'a Word) -> Self {
        let spec = codebook.spec;
        Self { spec, codebook, word, at: spec.board_start() }
    }

    /// The kings' squares by the format's numbers, 0..128, Black's and White's.
    pub fn kings(&self) -> [usize; 2] {
        self.spec.kings().map(|start| number(self.word, start, 7) as usize)
    }

    /// The squares that have a code, in order: all except the kings'.
    pub fn coded_squares(&self) -> impl Iterator<Item = Square> + use<'a> {
        let spec = self.spec;
        let kings = self.kings();
        (0..square::COUNT).filter(move |code| !kings.contains(code)).filter_map(|code| spec.square(code))
    }

    /// Reads the code of a square: a piece or an empty square. `None`, and nothing is read, if the word ends within it.
    pub fn board_code(&mut self) -> Option<Option<Piece>> {
        // Beyond the end of the word the window is zeros, so the code that it begins with may not be in the word.
        let code = self.codebook.on_board(self.window())?;
        self.advance(code.len)?;
        let Some((kind, column)) = code.piece else { return Some(None) };
        let promoted = kind.promoted().unwrap_or(kind.unpromoted());
        let piece_kind = if column < 2 { kind.unpromoted() } else { promoted };
        Some(Some(Piece::new(piece_kind, color::from_bit(column % 2 != 0))))
    }

    /// Reads the code of a piece off the board.
    ///
    /// # Errors
    /// [`UnpackFault::Length`] if the word ends within a code, [`UnpackFault::TailCode`] if no code begins with these bits;
    /// nothing is read then.
    pub fn tail_code(&mut self) -> Result<OffBoard, UnpackFault> {
        if let Some(code) = self.codebook.off_board(self.window())
            && let Some((kind, column)) = code.piece
            && self.advance(code.len).is_some()
        {
            return Ok(OffBoard { place: PLACES[column], kind });
        }
        let cut = self.spec.tail.iter().flatten().any(|code| self.is_cut(code));
        Err(if cut { UnpackFault::Length } else { UnpackFault::TailCode })
    }

    /// Reads the side to move, the kings and the squares: a setup with empty hands.
    ///
    /// # Errors
    /// The first of: a king's code that is not a square; kings on one square; then, square by square, a code cut off by the end
    /// of the word, or a piece that the set lacks.
    pub fn board(&mut self) -> Result<Setup, UnpackError> {
        let mut setup = Setup::EMPTY;
        let kings = self.kings();
        let starts = self.spec.kings();
        for (i, color) in [Color::Black, Color::White].into_iter().enumerate() {
            let square = self.spec.square(kings[i]);
            let square = square.ok_or_else(|| fail(UnpackFault::KingCode, Field::Kings, starts[i]))?;
            if color == Color::White && setup.king(Color::Black) == Some(square) {
                return Err(fail(UnpackFault::KingsCollide, Field::Kings, starts[i]));
            }
            place(&mut setup, square, Piece::new(BaseKind::King.unpromoted(), color), starts[i])?;
        }
        for square in self.coded_squares() {
            let start = self.at;
            let code = self.board_code();
            if let Some(piece) = code.ok_or_else(|| fail(UnpackFault::Length, Field::Board, start))? {
                place(&mut setup, square, piece, start)?;
            }
        }
        let mut side = 0;
        if self.spec.side_after_board {
            side = self.at;
            if side == BITS {
                return Err(fail(UnpackFault::Length, Field::SideToMove, side));
            }
            self.at += 1;
        }
        setup.set_side_to_move(color::from_bit(bit(self.word, side)));
        Ok(setup)
    }

    /// Whether all bits up to the end are zero.
    pub fn rest_is_zero(&self) -> bool {
        (self.at..BITS).all(|index| !bit(self.word, index))
    }

    /// The next eight bits, the first of them least significant; beyond the word's end, zeros.
    fn window(&self) -> u8 {
        // A window begins anywhere in a byte and ends in the next, which the last bytes of a word do not have.
        let byte = |index| u16::from(self.word.get(index).copied().unwrap_or(0));
        ((byte(self.at / 8) | byte(self.at / 8 + 1) << 8) >> (self.at % 8)) as u8
    }

    /// Advances by `len` bits. `None`, without advancing, if the word has fewer left.
    fn advance(&mut self, len: usize) -> Option<()> {
        let end = self.at + len;
        (end <= BITS).then(|| self.at = end)
    }

    /// Whether the word ends within a code that begins here.
    fn is_cut(&self, code: &str) -> bool {
        self.at + code.len() > BITS && self.agrees(code)
    }

    /// Whether the bits from here, as far as there are any, are the first bits of a code.
    fn agrees(&self, code: &str) -> bool {
        (self.at..BITS).zip(code.bytes()).all(|(index, code_bit)| bit(self.word, index) == (code_bit == b'1'))
    }
}

/// Puts a piece that begins at bit `start` on an empty square, if the set has it.
fn place(setup: &mut Setup, square: Square, piece: Piece, start: usize) -> Result<(), UnpackError> {
    match setup.place(square, piece) {
        Err(SetupError::TooMany(kind)) => Err(fail(too_many(kind), Field::Board, start)),
        _ => Ok(()),
    }
}

/// The fault of more pieces of a kind than a set has.
pub fn too_many(kind: BaseKind) -> UnpackFault {
    match kind {
        BaseKind::Pawn => UnpackFault::PawnCount,
        BaseKind::Lance => UnpackFault::LanceCount,
        BaseKind::Knight => UnpackFault::KnightCount,
        BaseKind::Silver => UnpackFault::SilverCount,
        BaseKind::Gold => UnpackFault::GoldCount,
        BaseKind::Bishop => UnpackFault::BishopCount,
        BaseKind::Rook => UnpackFault::RookCount,
        BaseKind::King => UnpackFault::KingsCollide,
    }
}

/// The error for a fault at a bit of a field.
pub fn fail(fault: UnpackFault, field: Field, bit: usize) -> UnpackError {
    UnpackError { fault, field, bit: bit as u16 }
}

/// Adds a piece to a hand.
pub fn add_to_hand(setup: &mut Setup, color: Color, kind: BaseKind) -> Result<(), SetupError> {
    setup.set_hand_count(color, kind, setup.hand(color).count(kind) + 1)
}

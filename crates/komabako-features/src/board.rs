//! Positions as arrays of numbers (`spec/features.md` §5).

mod batch;

use komabako_board::{BaseKind, Bitboard, Color, Hand, Setup, SetupError, SetupParts, color};

pub use batch::Columns;

/// The number of a king that is not on the board, among squares from 0 to 80.
pub const NO_SQUARE: u8 = 81;

/// What White's pieces have more than Black's.
const WHITE: u8 = 16;
/// What promoted pieces have more than others.
const PROMOTED: u8 = 8;

/// A position as arrays: square s of the board is file s / 9 + 1, rank s % 9 + 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Arrays {
    /// The number of the piece on each square: 0 none, P L N S B R G K 1 to 8, 8 more if promoted, 16 more if White's.
    pub board: [u8; 81],
    /// How many pieces Black and White hold: P L N S G B R.
    pub hands: [[u8; 7]; 2],
    /// 0 Black to move, 1 White.
    pub side: u8,
    /// The squares of Black's and White's king, or [`NO_SQUARE`].
    pub kings: [u8; 2],
}

impl Arrays {
    /// The arrays of a position, square by square. For many, [`Columns`] is faster.
    pub fn new(setup: &Setup) -> Arrays {
        let parts = setup.parts();
        let mut board = [0; 81];
        for (kind, set) in BaseKind::ALL.into_iter().zip(parts.kinds) {
            for square in set {
                board[square.array_index()] = kind.yaneuraou_number();
            }
        }
        for square in parts.promoted {
            board[square.array_index()] += PROMOTED;
        }
        for square in parts.colors[Color::White.array_index()] {
            board[square.array_index()] += WHITE;
        }
        let king = |color| setup.king(color).map_or(NO_SQUARE, |square| square.array_index() as u8);
        Arrays {
            board,
            hands: parts.hands.map(|hand| BaseKind::IN_HAND.map(|kind| hand.count(kind))),
            side: parts.side.array_index() as u8,
            kings: [king(Color::Black), king(Color::White)],
        }
    }
}

/// Why arrays are not a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ArraysError {
    /// No piece has this number, on this square.
    Piece {
        /// The number.
        number: u8,
        /// The square, from 0.
        square: u8,
    },
    /// A hand holds more pieces of a kind than a set has.
    Hand(Color),
    /// The side to move is neither 0 nor 1.
    Side(u8),
    /// The pieces are not those of one set.
    Setup(SetupError),
}

impl ArraysError {
    /// The error's name in reports, e.g. `ARRAY_PIECE`.
    pub const fn name(self) -> &'static str {
        match self {
            ArraysError::Piece { .. } => "ARRAY_PIECE",
            ArraysError::Hand(_) => "ARRAY_HAND",
            ArraysError::Side(_) => "ARRAY_SIDE",
            ArraysError::Setup(_) => "NOT_REPRESENTABLE",
        }
    }
}

impl core::fmt::Display for ArraysError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            ArraysError::Piece { number, square } => {
                write!(f, "no piece has the number {number}, which square {square} has")
            }
            ArraysError::Hand(color) => write!(f, "{color:?}'s hand has more pieces of a kind than a set"),
            ArraysError::Side(side) => write!(f, "the side to move is {side}; 0 is Black, 1 is White"),
            ArraysError::Setup(error) => write!(f, "not an arrangement of one shogi set: {error}"),
        }
    }
}

impl core::error::Error for ArraysError {}

/// The position of a board, hands and a side to move as in [`Arrays`]. Kings are found on the board.
///
/// # Errors
/// The first number that means nothing, by square; then what one set cannot be arranged into.
pub fn setup(board: &[u8; 81], hands: [[u8; 7]; 2], side: u8) -> Result<Setup, ArraysError> {
    let mut kinds = [Bitboard::EMPTY; 8];
    let mut colors = [Bitboard::EMPTY; 2];
    let mut promoted = Bitboard::EMPTY;
    for (square, &number) in board.iter().enumerate() {
        if number == 0 {
            continue;
        }
        let (base, is_promoted) = match number % WHITE {
            // Number 8 is the king, and so would a promoted nothing be.
            base @ 1..=8 => (base, false),
            // Golds do not promote, and 16 is White's nothing.
            base @ 9..=14 => (base - PROMOTED, true),
            _ => return Err(ArraysError::Piece { number, square: square as u8 }),
        };
        if number >= 2 * WHITE {
            return Err(ArraysError::Piece { number, square: square as u8 });
        }
        let own = Bitboard::of_index(square);
        kinds[BaseKind::YANEURAOU[usize::from(base) - 1] as usize] |= own;
        colors[usize::from(number >= WHITE)] |= own;
        if is_promoted {
            promoted |= own;
        }
    }
    let hand = |color: Color| Hand::from_counts(hands[color.array_index()]).ok_or(ArraysError::Hand(color));
    let hands = [hand(Color::Black)?, hand(Color::White)?];
    let side = match side {
        0 | 1 => color::from_bit(side == 1),
        _ => return Err(ArraysError::Side(side)),
    };
    Setup::from_parts(SetupParts { colors, kinds, promoted, hands, side }).map_err(ArraysError::Setup)
}

#[cfg(test)]
mod tests {
    use super::setup as setup_of;
    use super::*;

    #[test]
    fn start_position_has_the_numbers_of_yaneuraou() {
        let arrays = Arrays::new(&Setup::START);
        // File 1 from rank a: White's lance, nothing, pawn, …, Black's pawn, nothing, lance.
        assert_eq!(arrays.board[..9], [18, 0, 17, 0, 0, 0, 1, 0, 2]);
        assert_eq!((arrays.board[7 + 9], arrays.board[7 + 63]), (6, 5));
        assert_eq!((arrays.kings, arrays.side, arrays.hands), ([44, 36], 0, [[0; 7]; 2]));
    }

    #[test]
    fn arrays_of_a_position_are_read_back() {
        let sfen = "sfen 4+P4/1+b7/4k4/9/9/9/9/4K2+R1/9 w GS2Pbr3l 1";
        let setup = komabako_board::sfen::parse(sfen).unwrap().setup;
        let arrays = Arrays::new(&setup);
        assert_eq!(setup_of(&arrays.board, arrays.hands, arrays.side), Ok(setup));
        assert_eq!(Arrays::new(&Setup::EMPTY).kings, [NO_SQUARE; 2]);
    }

    #[test]
    fn invalid_piece_numbers_are_refused() {
        for number in 0..=255 {
            let mut board = [0; 81];
            board[80] = number;
            let is_piece = matches!(number % 16, 1..=14) && number < 32;
            let read = setup_of(&board, [[0; 7]; 2], 0);
            assert_eq!(read.is_ok(), is_piece || number == 0, "{number}");
        }
    }

    #[test]
    fn arrays_beyond_one_set_are_refused() {
        let arrays = Arrays::new(&Setup::START);
        let with_hand = |counts| setup_of(&arrays.board, [counts, [0; 7]], 0).unwrap_err().name();
        assert_eq!(with_hand([255; 7]), "ARRAY_HAND");
        assert_eq!(with_hand([1, 0, 0, 0, 0, 0, 0]), "NOT_REPRESENTABLE");
        assert_eq!(setup_of(&arrays.board, arrays.hands, 2), Err(ArraysError::Side(2)));
        let mut board = arrays.board;
        board[40] = 8;
        assert!(matches!(setup_of(&board, arrays.hands, 0), Err(ArraysError::Setup(_))));
    }
}

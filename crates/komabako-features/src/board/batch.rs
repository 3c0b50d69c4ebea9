//! The arrays of many positions, computed with the backend's transposition of bitboards to bytes.

use komabako_bits::{Backend, BitOps, Kernel, dispatch};
use komabako_board::{Hand, Setup, SetupParts};

use super::NO_SQUARE;

/// The output columns for the [`Arrays`](super::Arrays) of many positions: one column per field, one row per position.
///
/// ```
/// use komabako_board::Setup;
/// use komabako_features::{Backend, board::Columns};
/// let (mut board, mut hands, mut side, mut kings) = ([[0; 81]], [[[0; 7]; 2]], [0], [[0; 2]]);
/// let columns = Columns { board: &mut board, hands: &mut hands, side: &mut side, kings: &mut kings };
/// columns.write(Backend::detect(), &[Setup::START]);
/// assert_eq!((board[0][..3].to_vec(), kings[0]), (vec![18, 0, 17], [44, 36]));
/// ```
#[derive(Debug)]
pub struct Columns<'a> {
    /// Like [`Arrays::board`](super::Arrays::board).
    pub board: &'a mut [[u8; 81]],
    /// Like [`Arrays::hands`](super::Arrays::hands).
    pub hands: &'a mut [[[u8; 7]; 2]],
    /// Like [`Arrays::side`](super::Arrays::side).
    pub side: &'a mut [u8],
    /// Like [`Arrays::kings`](super::Arrays::kings).
    pub kings: &'a mut [[u8; 2]],
}

impl Columns<'_> {
    /// Writes the arrays of positions; about 20 ns each on a CPU with AVX-512.
    ///
    /// # Panics
    /// If a column is shorter than `setups`.
    pub fn write(self, backend: Backend, setups: &[Setup]) {
        let rows = setups.len();
        let columns = Columns {
            board: &mut self.board[..rows],
            hands: &mut self.hands[..rows],
            side: &mut self.side[..rows],
            kings: &mut self.kings[..rows],
        };
        dispatch(backend, Write { setups, columns });
    }
}

struct Write<'a> {
    setups: &'a [Setup],
    columns: Columns<'a>,
}

impl Kernel for Write<'_> {
    type Output = ();

    #[inline(always)]
    fn run<B: BitOps>(self, ops: B) {
        let Columns { board, hands, side, kings } = self.columns;
        for (row, setup) in self.setups.iter().enumerate() {
            let &SetupParts { colors: [black, white], kinds, promoted, hands: [own, other], side: to_move } =
                setup.parts();
            let [p, l, n, s, g, b, r, k] = kinds;
            // One plane for each bit of YaneuraOu's numbers: P L N S B R G are 1 to 7, the king is 8, the promotion bit
            // alone.
            let bytes = ops.boards_to_bytes(&[
                (p | n | b | g).lanes(),
                (l | n | r | g).lanes(),
                (s | b | r | g).lanes(),
                (promoted | k).lanes(),
                white.lanes(),
            ]);
            let [cells @ .., _, _, _, _, _, _, _, _, _, _, _, _, _, _, _] = &bytes;
            board[row] = *cells;
            hands[row] = [counts(own), counts(other)];
            side[row] = to_move.array_index() as u8;
            kings[row] = [
                ((k & black).first_index() as u8).min(NO_SQUARE),
                ((k & white).first_index() as u8).min(NO_SQUARE),
            ];
        }
    }
}

/// The counts of a hand, one byte each: the pawns already have a byte, and the six nibbles above it are spread out.
#[inline(always)]
const fn counts(hand: Hand) -> [u8; 7] {
    let bits = hand.bits() as u64;
    let nibbles = bits >> 8;
    let nibbles = (nibbles | nibbles << 16) & 0x0000_00ff_0000_ffff;
    let nibbles = (nibbles | nibbles << 8) & 0x00ff_00ff_00ff;
    let nibbles = (nibbles | nibbles << 4) & 0x0f0f_0f0f_0f0f;
    let [a, b, c, d, e, f, g, _] = (nibbles << 8 | bits & 0xff).to_le_bytes();
    [a, b, c, d, e, f, g]
}

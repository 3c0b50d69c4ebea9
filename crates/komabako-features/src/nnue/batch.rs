//! The inputs of many positions, for both colours at once.
//!
//! Each piece is visited once: its byte from a transposition of the bitboards selects a row of a table with the first
//! number of such pieces for both colours, and a second table has its square as seen by each colour. Hands are written
//! four numbers at a time for any count, which avoids unpredictable branches on counts; excess numbers are overwritten by
//! the next ones.

use komabako_bits::{Backend, BitOps, Bytes, Kernel, dispatch};
use komabako_board::{BaseKind, Color, Hand, PieceKind, Setup};

use super::{HALF_KA_HM, HALF_KP, in_hand, mirrored, on_board};

/// The colour whose inputs come first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum First {
    /// The side to move.
    SideToMove,
    /// Black.
    Black,
}

/// Writes [`half_kp`](super::half_kp) of both colours of each position, padded with −1; about 80 ns per position.
///
/// Returns the number of positions without both kings, whose rows are zeros.
///
/// ```
/// use komabako_board::Setup;
/// use komabako_features::{Backend, nnue};
/// let mut rows = [[[0; 38]; 2]];
/// let lack_a_king = nnue::write_half_kp(Backend::detect(), &[Setup::START], nnue::First::Black, &mut rows);
/// assert_eq!((lack_a_king, rows[0][0].iter().min()), (0, Some(&68_208)));
/// ```
///
/// # Panics
/// If there are fewer rows than positions.
pub fn write_half_kp(backend: Backend, setups: &[Setup], first: First, rows: &mut [[[i32; 38]; 2]]) -> usize {
    let rows = &mut rows[..setups.len()];
    dispatch(backend, Write::<38, false> { setups, first, rows })
}

/// Writes [`half_ka_hm`](super::half_ka_hm) of both colours of each position, like [`write_half_kp`].
///
/// Returns the number of positions without both kings, whose rows are zeros.
///
/// # Panics
/// If there are fewer rows than positions.
pub fn write_half_ka_hm(
    backend: Backend,
    setups: &[Setup],
    first: First,
    rows: &mut [[[i32; 40]; 2]],
) -> usize {
    let rows = &mut rows[..setups.len()];
    dispatch(backend, Write::<40, true> { setups, first, rows })
}

/// `KINGS` selects `HalfKA_hm` instead of `HalfKP`: kings are inputs too, and the board may be mirrored.
struct Write<'a, const N: usize, const KINGS: bool> {
    setups: &'a [Setup],
    first: First,
    rows: &'a mut [[[i32; N]; 2]],
}

impl<const N: usize, const KINGS: bool> Kernel for Write<'_, N, KINGS> {
    type Output = usize;

    #[inline(always)]
    fn run<B: BitOps>(self, ops: B) -> usize {
        let mut lack_a_king = 0;
        for (setup, [first, second]) in self.setups.iter().zip(self.rows) {
            let parts = setup.parts();
            let king = parts.kinds[BaseKind::King as usize];
            let kings = [
                (king & parts.colors[0]).first_index().min(81),
                (king & parts.colors[1]).first_index().min(81),
            ];
            if kings[0] == 81 || kings[1] == 81 {
                lack_a_king += 1;
                (*first, *second) = ([0; N], [0; N]);
                continue;
            }
            let is_white_first = self.first == First::SideToMove && parts.side == Color::White;
            let (black, white) = if is_white_first { (second, first) } else { (first, second) };
            let mut lists = Lists::new::<KINGS>(kings);
            lists.push_hands(parts.hands);
            let pieces = if KINGS { setup.occupied() } else { setup.occupied().without(king) };
            lists.push_board::<KINGS>(&codes(ops, setup), pieces.lanes());
            *black = lists.padded(0);
            *white = lists.padded(1);
        }
        lack_a_king
    }
}

/// The row in [`BASES`] for each square's piece.
#[inline(always)]
fn codes<B: BitOps>(ops: B, setup: &Setup) -> Bytes {
    let parts = setup.parts();
    let [p, l, n, s, g, b, r, k] = parts.kinds;
    ops.boards_to_bytes(&[
        (p | n | g | r).lanes(),
        (l | n | b | r).lanes(),
        (s | g | b | r).lanes(),
        (parts.promoted | k).lanes(),
        parts.colors[1].lanes(),
    ])
}

/// The first number of a piece on the board, as seen by Black and by White. Kings are merged, which does not affect
/// `HalfKP`.
static BASES: [[i32; 2]; 32] = {
    let mut table = [[0; 2]; 32];
    let mut index = 0;
    while index < BaseKind::ALL.len() {
        let base = BaseKind::ALL[index];
        let (row, enemy) = if index == 7 { (8, 0) } else { (index + 1, 81) };
        let number = on_board(base.unpromoted());
        table[row] = [number, number + enemy];
        table[row + 16] = [number + enemy, number];
        if let Some(promoted) = base.promoted() {
            let number = on_board(promoted);
            table[row + 8] = [number, number + 81];
            table[row + 24] = [number + 81, number];
        }
        index += 1;
    }
    assert!(on_board(PieceKind::King) == 1548);
    table
};

/// Each square as seen by Black, by Black mirrored, by White, by White mirrored. Rows have 128 entries, so that a masked
/// index needs no bounds check.
static SEEN: [[u8; 128]; 4] = {
    let mut table = [[0; 128]; 4];
    let mut square = 0;
    while square < 81 {
        table[0][square] = square as u8;
        table[1][square] = mirrored(square) as u8;
        table[2][square] = 80 - square as u8;
        table[3][square] = mirrored(80 - square) as u8;
        square += 1;
    }
    table
};

/// The numbers of four pieces of a kind, by owner (Black, White), kind in the order of hands, and viewer (Black, White).
static HAND: [[[[i32; 4]; 2]; 7]; 2] = {
    let mut table = [[[[0; 4]; 2]; 7]; 2];
    let mut at = 0;
    while at < 2 * 7 * 2 * 4 {
        let owner = at / 56;
        let kind = at / 8 % 7;
        let eye = at / 4 % 2;
        let nth = at % 4;
        table[owner][kind][eye][nth] = in_hand(BaseKind::IN_HAND[kind])[(owner != eye) as usize] + nth as i32;
        at += 1;
    }
    table
};

/// The size of a list: a power of two that is at least 40, its maximum length, plus 4 for the numbers written past its
/// end.
const CAPACITY: usize = 64 + 4;

/// The inputs of Black and White, which have the same length.
struct Lists {
    indices: [[i32; CAPACITY]; 2],
    count: usize,
    /// The first index for each king's square.
    bucket: [i32; 2],
    seen: [&'static [u8; 128]; 2],
}

impl Lists {
    #[inline(always)]
    fn new<const KINGS: bool>(kings: [usize; 2]) -> Lists {
        let own = [kings[0], 80 - kings[1]];
        let mirrors = [KINGS && own[0] >= 45, KINGS && own[1] >= 45];
        let seen = [&SEEN[usize::from(mirrors[0])], &SEEN[2 + usize::from(mirrors[1])]];
        let places = if KINGS { HALF_KA_HM } else { HALF_KP };
        let bucket =
            [places * i32::from(seen[0][kings[0] & 127]), places * i32::from(seen[1][kings[1] & 127])];
        Lists { indices: [[0; CAPACITY]; 2], count: 0, bucket, seen }
    }

    /// Appends pieces in hand, Black's first.
    #[inline(always)]
    fn push_hands(&mut self, hands: [Hand; 2]) {
        for (hand, table) in hands.into_iter().zip(&HAND) {
            let mut bits = hand.bits();
            let mut width = 8;
            for numbers in table {
                let count = (bits & ((1 << width) - 1)) as usize;
                (bits, width) = (bits >> width, 4);
                let mut nth = 0;
                loop {
                    for (eye, list) in self.indices.iter_mut().enumerate() {
                        let at = (self.count + nth) & 63;
                        for (place, number) in list[at..at + 4].iter_mut().zip(numbers[eye]) {
                            *place = self.bucket[eye] + number + nth as i32;
                        }
                    }
                    nth += 4;
                    // Only pawns can number more than four.
                    if nth >= count {
                        break;
                    }
                }
                self.count += count;
            }
        }
    }

    /// Appends pieces on the board, by square.
    #[inline(always)]
    fn push_board<const KINGS: bool>(&mut self, codes: &Bytes, lanes: [u64; 2]) {
        for (lane, start) in lanes.into_iter().zip([0, 63]) {
            let mut left = lane;
            while left != 0 {
                let square = start + left.trailing_zeros() as usize;
                left &= left - 1;
                // The remainders replace bounds checks: a square is below 81.
                let bases = &BASES[usize::from(codes[square % 96] % 32)];
                let at = self.count & 63;
                self.indices[0][at] = self.bucket[0] + bases[0] + i32::from(self.seen[0][square & 127]);
                self.indices[1][at] = self.bucket[1] + bases[1] + i32::from(self.seen[1][square & 127]);
                self.count += 1;
            }
        }
    }

    #[inline(always)]
    fn padded<const N: usize>(&self, eye: usize) -> [i32; N] {
        let mut row = [-1; N];
        for (place, number) in row.iter_mut().enumerate() {
            // Selecting values instead of stopping early lets the loop be vectorised.
            *number = if place < self.count { self.indices[eye][place] } else { -1 };
        }
        row
    }
}

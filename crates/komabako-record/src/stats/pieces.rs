//! [`PieceCounts`] and [`KingSquares`]: the whereabouts of pieces.

use komabako_board::{BaseKind, Bitboard, Color, Setup, Square};

use super::add_all;
use super::saved::Numbers;

/// The number of pieces of each kind, summed over all positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PieceCounts {
    /// By colour, base kind and whether promoted.
    board: [[[u64; 2]; 8]; 2],
    /// By colour and kind.
    hands: [[u64; 7]; 2],
}

impl PieceCounts {
    #[inline]
    pub(super) fn add(&mut self, setup: &Setup) {
        for color in [Color::Black, Color::White] {
            let own = setup.color(color);
            for kind in BaseKind::ALL {
                let pieces = setup.kind(kind) & own;
                let promoted = if kind.can_promote() { pieces & setup.promoted() } else { Bitboard::EMPTY };
                let [plain_count, promoted_count] = &mut self.board[color.array_index()][kind as usize];
                let promoted = u64::from(promoted.len());
                *plain_count += u64::from(pieces.len()) - promoted;
                *promoted_count += promoted;
            }
            for kind in BaseKind::IN_HAND {
                self.hands[color.array_index()][kind as usize] += u64::from(setup.hand(color).count(kind));
            }
        }
    }

    pub(super) fn merge(&mut self, other: &PieceCounts) {
        add_all(self.board.as_flattened_mut().as_flattened_mut(), other.board.as_flattened().as_flattened());
        add_all(self.hands.as_flattened_mut(), other.hands.as_flattened());
    }

    pub(super) fn visit(&mut self, numbers: &mut dyn Numbers) {
        numbers.counts(self.board.as_flattened_mut().as_flattened_mut());
        numbers.counts(self.hands.as_flattened_mut());
    }

    /// The number of pieces on the boards.
    pub const fn on_board(&self, color: Color, kind: BaseKind, is_promoted: bool) -> u64 {
        self.board[color.array_index()][kind as usize][is_promoted as usize]
    }

    /// The number of pieces in the hands; 0 for kings.
    pub const fn in_hand(&self, color: Color, kind: BaseKind) -> u64 {
        match kind {
            BaseKind::King => 0,
            _ => self.hands[color.array_index()][kind as usize],
        }
    }
}

/// The number of positions with a king on each square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KingSquares {
    /// By colour and square.
    squares: [[u64; 81]; 2],
    /// The number of positions without a king, by colour: Black, White.
    pub missing: [u64; 2],
}

impl KingSquares {
    #[inline]
    pub(super) fn add(&mut self, setup: &Setup) {
        for color in [Color::Black, Color::White] {
            match setup.king(color) {
                Some(square) => self.squares[color.array_index()][square.array_index()] += 1,
                None => self.missing[color.array_index()] += 1,
            }
        }
    }

    pub(super) fn merge(&mut self, other: &KingSquares) {
        add_all(self.squares.as_flattened_mut(), other.squares.as_flattened());
        add_all(&mut self.missing, &other.missing);
    }

    pub(super) fn visit(&mut self, numbers: &mut dyn Numbers) {
        numbers.counts(self.squares.as_flattened_mut());
        numbers.counts(&mut self.missing);
    }

    /// The number of positions with a colour's king on a square.
    pub const fn on(&self, color: Color, square: Square) -> u64 {
        self.squares[color.array_index()][square.array_index()]
    }
}

impl Default for KingSquares {
    fn default() -> Self {
        KingSquares { squares: [[0; 81]; 2], missing: [0; 2] }
    }
}

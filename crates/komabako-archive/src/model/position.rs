//! Positions (`spec/archive.md` §5 c): square by square, as the side to move sees them.

use alloc::boxed::Box;
use alloc::vec;

use komabako_board::{BaseKind, Color, Hand, Setup, color};
use komabako_codec::{ByteBoard, Cell, cell};

use super::coder::{Bit, Coder};
use crate::error::Malformed;

const SQUARES: usize = 81;

/// A position as the side to move sees it: the board is turned for White.
#[derive(Clone)]
pub(super) struct Board {
    /// By square, the opponent's as White's.
    pub cells: [Cell; SQUARES],
    /// Of the side to move and of the opponent.
    pub hands: [[u8; 7]; 2],
    pub removed: [u8; 7],
    pub is_white: bool,
}

impl Board {
    pub const EMPTY: Board =
        Board { cells: [0; SQUARES], hands: [[0; 7]; 2], removed: [0; 7], is_white: false };

    pub fn new(setup: &Setup) -> Board {
        let side = setup.side_to_move();
        let board = ByteBoard::of_setup(setup);
        let counts = |hand: Hand| BaseKind::IN_HAND.map(|kind| hand.count(kind));
        Board {
            cells: turned(board.cells(), side == Color::White),
            hands: [counts(setup.hand(side)), counts(setup.hand(color::opponent(side)))],
            removed: BaseKind::IN_HAND.map(|kind| setup.removed(kind)),
            is_white: side == Color::White,
        }
    }

    /// The position; `None` if it has more than a set.
    pub fn to_setup(&self) -> Option<Setup> {
        let cells = turned(&self.cells, self.is_white);
        let [own, enemy] = self.hands;
        let hands = if self.is_white { [enemy, own] } else { [own, enemy] };
        let hands = [Hand::from_counts(hands[0])?, Hand::from_counts(hands[1])?];
        let board = ByteBoard::new(&cells, hands, color::from_bit(self.is_white)).ok()?;
        Some(board.to_setup())
    }

    /// The material of the side to move less the opponent's, in centipawns.
    pub fn material(&self) -> i32 {
        const VALUES: [i32; 16] = [0, 90, 315, 405, 495, 540, 855, 990, 0, 540, 540, 540, 540, 0, 945, 1395];
        let mut material = 0;
        for &piece in &self.cells {
            let value = VALUES[usize::from(piece % cell::WHITE)];
            material += if piece >= cell::WHITE { -value } else { value };
        }
        let [own, enemy] = self.hands;
        for kind in 0..7 {
            material += VALUES[kind + 1] * (i32::from(own[kind]) - i32::from(enemy[kind]));
        }
        material
    }
}

/// The cells of a board, turned if it is White's move: each is its own inverse.
pub(super) fn turned(cells: &[Cell; SQUARES], is_white: bool) -> [Cell; SQUARES] {
    let mut turned = *cells;
    if is_white {
        turned.reverse();
        for piece in &mut turned {
            *piece ^= if *piece == 0 { 0 } else { cell::WHITE };
        }
    }
    turned
}

/// The place beyond the edge of the board, as a class.
const EDGE: usize = 10;
const CLASSES: usize = 11;

/// The class of a neighbour: 0 empty; 1–5 own P | L N | S G and what moves like a gold | K | B R and promoted; 6–10 the enemy's.
const CLASS: [u8; 32] = {
    let mut classes = [0; 32];
    let mut piece = 1;
    while piece < 32 {
        let class = match piece % 16 {
            0 => 0,
            1 => 1,
            2 | 3 => 2,
            8 => 4,
            6 | 7 | 14 | 15 => 5,
            _ => 3,
        };
        classes[piece] = if piece > 16 { class + 5 } else { class };
        piece += 1;
    }
    classes
};

/// A missing king has this or a greater number.
const NO_SQUARE: u32 = 81;

/// The pieces of a set by kind, from index 1: P L N S G B R.
const SET: [u8; 8] = [0, 18, 4, 4, 4, 4, 2, 2];

/// The probabilities of positions, which the model adapts.
pub(super) struct PositionModel {
    side: [Bit; 3],
    complete: Bit,
    /// By ply.
    own_king: Box<[[Bit; 128]]>,
    /// By the own king's square.
    enemy_king: Box<[[Bit; 128]]>,
    /// Occupied? and whose? by square, pawns on the file, class above, class to the right.
    occupied: Box<[[Bit; 2]]>,
    /// By square, class above, pawns on the file and owner: at 0 pawn?, then the tree of the kind.
    kind: Box<[[Bit; 16]]>,
    removed: [[Bit; 32]; 7],
    /// By whether the own hand is ahead, kind and pieces left; then by the count so far.
    hand: Box<[[Bit; 32]]>,
}

const PLIES: usize = 14;

impl PositionModel {
    pub fn new() -> PositionModel {
        PositionModel {
            side: [Bit::NEW; 3],
            complete: Bit::NEW,
            own_king: vec![[Bit::NEW; 128]; PLIES].into(),
            enemy_king: vec![[Bit::NEW; 128]; SQUARES].into(),
            occupied: vec![[Bit::NEW; 2]; SQUARES * 4 * CLASSES * CLASSES].into(),
            kind: vec![[Bit::NEW; 16]; SQUARES * CLASSES * 4 * 2].into(),
            removed: [[Bit::NEW; 32]; 7],
            hand: vec![[Bit::NEW; 32]; 2 * 7 * 19].into(),
        }
    }

    /// Codes a board, which the decoder fills.
    pub fn code<C: Coder>(&mut self, coder: &mut C, board: &mut Board, ply: u16) -> Result<(), Malformed> {
        let parity = if ply == 0 { 2 } else { usize::from(ply % 2) };
        board.is_white = coder.bit(&mut self.side[parity], board.is_white);
        let is_complete = coder.bit(&mut self.complete, board.removed == [0; 7]);
        let (own_king, enemy_king) = self.code_kings(coder, board, ply)?;
        // The pieces that are not yet placed.
        let mut left = SET;
        // The classes on the file to the right.
        let mut right = [EDGE; 9];
        for file in 0..9 {
            let mut above = EDGE;
            // Bit 0: an own pawn was met on this file; bit 1: an enemy's.
            let mut pawns = 0;
            for (rank, right) in right.iter_mut().enumerate() {
                let square = file * 9 + rank;
                let piece = if square == own_king {
                    cell::KING
                } else if square == enemy_king {
                    cell::WHITE | cell::KING
                } else {
                    let context = square * 4 + pawns;
                    let occupied = &mut self.occupied[(context * CLASSES + above) * CLASSES + *right];
                    let kind = &mut self.kind[((square * CLASSES + above) * 4 + pawns) * 2..][..2];
                    code_piece(coder, occupied, kind, &mut left, board.cells[square])?
                };
                board.cells[square] = piece;
                if piece % cell::WHITE == cell::PAWN {
                    pawns |= if piece < cell::WHITE { 1 } else { 2 };
                }
                above = usize::from(CLASS[usize::from(piece) % 32]);
                *right = above;
            }
        }
        self.code_hands(coder, board, is_complete, &left)
    }

    fn code_kings<C: Coder>(
        &mut self,
        coder: &mut C,
        board: &Board,
        ply: u16,
    ) -> Result<(usize, usize), Malformed> {
        let find = |king: Cell| {
            if C::DECODES {
                return 0;
            }
            board.cells.iter().position(|&cell| cell == king).map_or(NO_SQUARE, |square| square as u32)
        };
        let by_ply = if ply == 0 { 0 } else { 1 + usize::from(ply / 12).min(PLIES - 2) };
        let own = coder.tree(&mut self.own_king[by_ply], find(cell::KING));
        if own >= NO_SQUARE {
            return Err(Malformed::Position);
        }
        let enemy = coder.tree(&mut self.enemy_king[own as usize], find(cell::WHITE | cell::KING));
        if enemy >= NO_SQUARE || enemy == own {
            return Err(Malformed::Position);
        }
        Ok((own as usize, enemy as usize))
    }

    /// Codes the hands, given the pieces that are not on the board.
    fn code_hands<C: Coder>(
        &mut self,
        coder: &mut C,
        board: &mut Board,
        is_complete: bool,
        left: &[u8; 8],
    ) -> Result<(), Malformed> {
        // How many more pieces of the kinds so far are in the own hand than in the enemy's.
        let mut ahead = 0;
        for kind in 0..7 {
            let mut rest = left[kind + 1];
            if !is_complete {
                let removed = coder.tree(&mut self.removed[kind], board.removed[kind].into()) as u8;
                board.removed[kind] = removed;
                rest = rest.checked_sub(removed).ok_or(Malformed::Position)?;
            }
            let is_ahead = usize::from(ahead > 0);
            let bits = &mut self.hand[(is_ahead * 7 + kind) * 19 + usize::from(rest)];
            let mut own = 0;
            while own < rest && coder.bit(&mut bits[usize::from(own) % 32], board.hands[0][kind] > own) {
                own += 1;
            }
            board.hands[0][kind] = own;
            board.hands[1][kind] = rest - own;
            ahead += 2 * i32::from(own) - i32::from(rest);
        }
        Ok(())
    }
}

/// Codes the content of a square without a king.
#[inline(always)]
fn code_piece<C: Coder>(
    coder: &mut C,
    occupied: &mut [Bit; 2],
    kinds: &mut [[Bit; 16]],
    left: &mut [u8; 8],
    piece: Cell,
) -> Result<Cell, Malformed> {
    if !coder.bit(&mut occupied[0], piece != 0) {
        return Ok(0);
    }
    let is_enemy = coder.bit(&mut occupied[1], piece >= cell::WHITE);
    let tree = &mut kinds[usize::from(is_enemy)];
    let kind = piece % cell::WHITE;
    let kind = if left[1] > 0 && coder.bit(&mut tree[0], kind == 1) {
        1
    } else {
        coder.tree(tree, kind.into()) as Cell
    };
    // Golds do not promote.
    const PROMOTED_GOLD: Cell = cell::PROMOTED | cell::GOLD;
    let base = usize::from(kind % cell::PROMOTED);
    if base == 0 || kind == PROMOTED_GOLD {
        return Err(Malformed::Symbol);
    }
    left[base] = left[base].checked_sub(1).ok_or(Malformed::Position)?;
    Ok(kind | if is_enemy { cell::WHITE } else { 0 })
}

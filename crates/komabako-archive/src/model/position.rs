//! Positions (`spec/archive.md` §5 c): square by square, as the side to move sees them.

use alloc::boxed::Box;
use alloc::vec;

use komabako_bits::prefetch;
use komabako_board::{BaseKind, Color, Hand, Setup, color};
use komabako_codec::{ByteBoard, Cell, cell};

use super::coder::{Bit, Coder};
use super::weight::{Rates, Weight, code_bit, rates};
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
    squares: Squares,
    removed: [[Bit; 32]; 7],
    /// By whether the own hand is ahead, kind and pieces left; then by the count so far.
    hand: Box<[[Bit; 32]]>,
}

/// The classes of plies: none, then dozens.
const PLIES: usize = 14;

fn ply_class(ply: u16) -> usize {
    if ply == 0 { 0 } else { 1 + usize::from(ply / 12).min(PLIES - 2) }
}

impl PositionModel {
    pub fn new() -> PositionModel {
        PositionModel {
            side: [Bit::NEW; 3],
            complete: Bit::NEW,
            own_king: vec![[Bit::NEW; 128]; PLIES].into(),
            enemy_king: vec![[Bit::NEW; 128]; SQUARES].into(),
            squares: Squares::new(),
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
        let kings = [own_king, enemy_king];
        let left = self.squares.code(coder, board, kings, ply_class(ply))?;
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
        let own = coder.tree(&mut self.own_king[ply_class(ply)], find(cell::KING));
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

/// What predicts the squares without kings. The parts of a king's square and of a ply are read in the order of the squares.
struct Squares {
    occupied: Occupied<Box<[ByClass]>, Parts<ByClass>, Parts<ByPawns>>,
    kinds: Kinds<Box<[KindRows]>, Parts<KindRows>>,
}

/// The tables for "occupied?" and "whose?", or what a record needs of them.
struct Occupied<A, B, C> {
    /// By square, pawns and class to the right; class above.
    shape: A,
    /// By king; square; class above.
    own_king: B,
    /// By king; square; pawns.
    enemy_king: C,
    /// By dozen; square; class to the right.
    ply: B,
}

/// The tables for kinds, or what a record needs of them.
struct Kinds<A, B> {
    /// By square, class above and pawns.
    shape: A,
    /// By king; square.
    own_king: B,
    enemy_king: B,
    /// By dozen; square.
    ply: B,
}

/// Occupied? and whose?
type Bits = [Weight; 2];
type ByClass = [Bits; CLASSES];
type ByPawns = [Bits; 4];
/// By owner: at 0 pawn?, then the tree of the kind.
type KindRows = [[Weight; 16]; 2];
type BySquare<T> = [T; SQUARES];
/// A part for each king's square or dozen.
type Parts<T> = Box<[BySquare<T>]>;

/// How fast the weights of the two are learnt.
static OCCUPIED_RATES: Rates = rates(12);
static KIND_RATES: Rates = rates(24);

/// The kinds other than pawns and kings, as the numbers of a tree: L N S G, then B R and promoted ones. It has two bits for the first
/// four, three for the others.
const KINDS: [Cell; 12] = [2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 14, 15];
const OTHERS: usize = 4;
/// The number of a kind in [`KINDS`].
const KIND_NUMBERS: [u8; 16] = {
    let mut numbers = [0; 16];
    let mut number = 0;
    while number < KINDS.len() {
        numbers[KINDS[number] as usize] = number as u8;
        number += 1;
    }
    numbers
};

/// What predicts the squares of a record.
struct Context<'a> {
    occupied: Occupied<&'a mut [ByClass], &'a mut BySquare<ByClass>, &'a mut BySquare<ByPawns>>,
    kinds: Kinds<&'a mut [KindRows], &'a mut BySquare<KindRows>>,
    left: [u8; 8],
}

impl Squares {
    fn new() -> Squares {
        let by_class = |parts| vec![[[[Weight::NEW; 2]; CLASSES]; SQUARES]; parts].into();
        let kinds = |parts| vec![[[[Weight::NEW; 16]; 2]; SQUARES]; parts].into();
        Squares {
            occupied: Occupied {
                shape: vec![[[Weight::NEW; 2]; CLASSES]; SQUARES * 4 * CLASSES].into(),
                own_king: by_class(SQUARES),
                enemy_king: vec![[[[Weight::NEW; 2]; 4]; SQUARES]; SQUARES].into(),
                ply: by_class(PLIES),
            },
            kinds: Kinds {
                shape: vec![[[Weight::NEW; 16]; 2]; SQUARES * CLASSES * 4].into(),
                own_king: kinds(SQUARES),
                enemy_king: kinds(SQUARES),
                ply: kinds(PLIES),
            },
        }
    }

    /// Codes the squares without kings. Returns how many pieces of each kind are left.
    fn code<C: Coder>(
        &mut self,
        coder: &mut C,
        board: &mut Board,
        [own_king, enemy_king]: [usize; 2],
        ply: usize,
    ) -> Result<[u8; 8], Malformed> {
        let Squares { occupied, kinds } = self;
        let mut context = Context {
            occupied: Occupied {
                shape: &mut occupied.shape,
                own_king: &mut occupied.own_king[own_king],
                enemy_king: &mut occupied.enemy_king[enemy_king],
                ply: &mut occupied.ply[ply],
            },
            kinds: Kinds {
                shape: &mut kinds.shape,
                own_king: &mut kinds.own_king[own_king],
                enemy_king: &mut kinds.enemy_king[enemy_king],
                ply: &mut kinds.ply[ply],
            },
            left: SET,
        };
        // The classes on the file to the right.
        let mut right = [EDGE; 9];
        for file in 0..9 {
            let mut above = EDGE;
            // Bit 0: an own pawn was met on this file; bit 1: an enemy's.
            let mut pawns = 0;
            for rank in 0..9 {
                let square = file * 9 + rank;
                context.fetch_ahead(square, [pawns, above], right[(rank + 1) % 9]);
                let piece = if square == own_king {
                    cell::KING
                } else if square == enemy_king {
                    cell::WHITE | cell::KING
                } else {
                    context.code_piece(coder, square, [pawns, above, right[rank]], board.cells[square])?
                };
                board.cells[square] = piece;
                if piece % cell::WHITE == cell::PAWN {
                    pawns |= if piece < cell::WHITE { 1 } else { 2 };
                }
                above = usize::from(CLASS[usize::from(piece) % 32]);
                right[rank] = above;
            }
        }
        Ok(context.left)
    }
}

/// How many squares ahead of its use a row of a table is fetched.
const AHEAD: usize = 3;

impl Context<'_> {
    /// Fetches what a square and some after it may need, since the tables are larger than the nearest caches, but for those of the ply. `next_right` is the
    /// class to the right of the next square.
    #[inline(always)]
    fn fetch_ahead(&self, square: usize, [pawns, above]: [usize; 2], next_right: usize) {
        let ahead = (square + AHEAD).min(SQUARES - 1);
        let next = (square + 1).min(SQUARES - 1);
        let Context { occupied, kinds, .. } = self;
        prefetch(&occupied.shape[(next * 4 + pawns) * CLASSES + next_right]);
        prefetch(&occupied.own_king[ahead]);
        prefetch(&kinds.shape[(square * CLASSES + above) * 4 + pawns]);
        prefetch(&kinds.own_king[ahead]);
        prefetch(&kinds.enemy_king[ahead]);
    }

    /// Codes the content of a square without a king.
    #[inline(always)]
    fn code_piece<C: Coder>(
        &mut self,
        coder: &mut C,
        square: usize,
        [pawns, above, right]: [usize; 3],
        piece: Cell,
    ) -> Result<Cell, Malformed> {
        let Context { occupied, kinds, left } = self;
        let a = &mut occupied.shape[(square * 4 + pawns) * CLASSES + right][above];
        let b = &mut occupied.own_king[square][above];
        let c = &mut occupied.enemy_king[square][pawns];
        let d = &mut occupied.ply[square][right];
        let weights = [&mut a[0], &mut b[0], &mut c[0], &mut d[0]];
        if !code_bit(coder, weights, &OCCUPIED_RATES, piece != 0) {
            return Ok(0);
        }
        let weights = [&mut a[1], &mut b[1], &mut c[1], &mut d[1]];
        let is_enemy = code_bit(coder, weights, &KIND_RATES, piece >= cell::WHITE);

        let owner = usize::from(is_enemy);
        let a = &mut kinds.shape[(square * CLASSES + above) * 4 + pawns][owner];
        let b = &mut kinds.own_king[square][owner];
        let c = &mut kinds.enemy_king[square][owner];
        let d = &mut kinds.ply[square][owner];
        let mut bit = |coder: &mut C, node: usize, bit: bool| {
            let weights = [&mut a[node], &mut b[node], &mut c[node], &mut d[node]];
            code_bit(coder, weights, &KIND_RATES, bit)
        };
        let kind = piece % cell::WHITE;
        let kind = if left[1] > 0 && bit(coder, 0, kind == 1) {
            1
        } else {
            let number = usize::from(KIND_NUMBERS[usize::from(kind)]);
            let is_other = bit(coder, 1, number >= OTHERS);
            // From 2 the nodes of the first four, from 5 those of the others.
            let (start, places) = if is_other { (4, 3) } else { (1, 2) };
            let given = if is_other { number.wrapping_sub(OTHERS) } else { number };
            let mut node = 1;
            for place in (0..places).rev() {
                node = node * 2 + usize::from(bit(coder, (start + node) % 16, given >> place & 1 == 1));
            }
            KINDS[if is_other { OTHERS + node % 8 } else { node % 4 }]
        };
        let left = &mut left[usize::from(kind % cell::PROMOTED)];
        *left = left.checked_sub(1).ok_or(Malformed::Position)?;
        Ok(kind | if is_enemy { cell::WHITE } else { 0 })
    }
}

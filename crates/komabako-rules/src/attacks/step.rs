//! The steps of pieces that take one step, and the empty-board rays of sliders: 32 KiB built at compile time.

use komabako_board::Bitboard;

use super::line::ray;
use super::{SQUARES, SquareIndex};
use crate::code::Code;

/// The attacks of one colour's pieces from one square, on an empty board.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(crate) struct Reach {
    pub pawn: Bitboard,
    pub knight: Bitboard,
    pub silver: Bitboard,
    pub gold: Bitboard,
    pub king: Bitboard,
    pub lance: Bitboard,
    pub bishop: Bitboard,
    pub rook: Bitboard,
}

impl Reach {
    const EMPTY: Reach = Reach {
        pawn: Bitboard::EMPTY,
        knight: Bitboard::EMPTY,
        silver: Bitboard::EMPTY,
        gold: Bitboard::EMPTY,
        king: Bitboard::EMPTY,
        lance: Bitboard::EMPTY,
        bishop: Bitboard::EMPTY,
        rook: Bitboard::EMPTY,
    };

    const fn of(square: usize, white: bool) -> Reach {
        let forward = if white { 1 } else { -1 };
        Reach {
            pawn: steps(square, forward, &[(0, 1)]),
            knight: steps(square, forward, &[(-1, 2), (1, 2)]),
            silver: steps(square, forward, &[(-1, 1), (0, 1), (1, 1), (-1, -1), (1, -1)]),
            gold: steps(square, forward, &[(-1, 1), (0, 1), (1, 1), (-1, 0), (1, 0), (0, -1)]),
            king: steps(
                square,
                forward,
                &[(-1, 1), (0, 1), (1, 1), (-1, 0), (1, 0), (-1, -1), (0, -1), (1, -1)],
            ),
            lance: ray(square, (0, forward)),
            bishop: union([
                ray(square, (1, 1)),
                ray(square, (1, -1)),
                ray(square, (-1, 1)),
                ray(square, (-1, -1)),
            ]),
            rook: union([
                ray(square, (0, 1)),
                ray(square, (0, -1)),
                ray(square, (1, 0)),
                ray(square, (-1, 0)),
            ]),
        }
    }

    const fn or(self, other: Reach) -> Reach {
        Reach {
            pawn: or(self.pawn, other.pawn),
            knight: or(self.knight, other.knight),
            silver: or(self.silver, other.silver),
            gold: or(self.gold, other.gold),
            king: or(self.king, other.king),
            lance: or(self.lance, other.lance),
            bishop: or(self.bishop, other.bishop),
            rook: or(self.rook, other.rook),
        }
    }
}

/// By colour (white 1) and square; empty from square 81 up, so that a missing king attacks nothing.
static REACH: [[Reach; SQUARES]; 2] = {
    let mut table = [[Reach::EMPTY; SQUARES]; 2];
    let mut square = 0;
    while square < 81 {
        table[0][square] = Reach::of(square, false);
        table[1][square] = Reach::of(square, true);
        square += 1;
    }
    table
};

/// The union of [`REACH`] over the neighbours of a square: the squares from which pieces of the *other* colour may attack a
/// square next to it.
static ZONE: [[Reach; SQUARES]; 2] = {
    let mut table = [[Reach::EMPTY; SQUARES]; 2];
    let mut square = 0;
    while square < 81 {
        let neighbours = REACH[0][square].king.to_u128();
        let mut neighbour = 0;
        while neighbour < 81 {
            if neighbours >> neighbour & 1 == 1 {
                table[0][square] = table[0][square].or(REACH[0][neighbour]);
                table[1][square] = table[1][square].or(REACH[1][neighbour]);
            }
            neighbour += 1;
        }
        square += 1;
    }
    table
};

/// The squares that pieces of a colour reach from a square.
#[inline(always)]
pub(crate) fn reach(white: bool, square: SquareIndex) -> &'static Reach {
    &REACH[usize::from(white)][square & 127]
}

/// The squares that pieces of a colour reach from any neighbour of a square.
#[inline(always)]
pub(crate) fn zone(white: bool, square: SquareIndex) -> &'static Reach {
    &ZONE[usize::from(white)][square & 127]
}

/// The squares from which a piece attacks a king by one step, by the king's colour and square and the piece's kind.
static CONTACT: [[[Bitboard; 16]; SQUARES]; 2] = {
    let mut table = [[[Bitboard::EMPTY; 16]; SQUARES]; 2];
    let mut square = 0;
    while square < 81 {
        let mut white = 0;
        while white < 2 {
            let Reach { pawn, knight, silver, gold, king, .. } = REACH[white][square];
            // Lines may be blocked, which no table can know: checks along them are found by looking at the snipers.
            let none = Bitboard::EMPTY;
            // P L N S G B R K, then promoted.
            table[white][square] = [
                pawn, none, knight, silver, gold, none, none, king, gold, gold, gold, gold, none, king, king,
                none,
            ];
            white += 1;
        }
        square += 1;
    }
    table
};

/// The squares from which a piece attacks the king of a colour by one step; lines are ignored.
#[inline(always)]
pub(crate) fn contact(white: bool, king: SquareIndex, piece: Code) -> Bitboard {
    CONTACT[usize::from(white)][king & 127][piece.number() & 15]
}

const fn steps(square: usize, forward: i8, steps: &[(i8, i8)]) -> Bitboard {
    let mut set = 0u128;
    let mut index = 0;
    while index < steps.len() {
        let file = square as i8 / 9 + steps[index].0;
        let rank = square as i8 % 9 + steps[index].1 * forward;
        if file >= 0 && file < 9 && rank >= 0 && rank < 9 {
            set |= 1 << (file * 9 + rank);
        }
        index += 1;
    }
    Bitboard::from_u128(set)
}

const fn or(a: Bitboard, b: Bitboard) -> Bitboard {
    Bitboard::from_u128(a.to_u128() | b.to_u128())
}

const fn union(sets: [Bitboard; 4]) -> Bitboard {
    or(or(sets[0], sets[1]), or(sets[2], sets[3]))
}

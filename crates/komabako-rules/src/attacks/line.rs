//! Rays, directions and the squares between two squares: tables of 17 KiB, built at compile time.

use komabako_board::Bitboard;

use super::{SQUARES, SquareIndex};

/// The eight directions as steps of file and rank. A direction and its opposite differ in the lowest bit.
pub(super) const DIRECTIONS: [(i8, i8); 8] =
    [(0, -1), (0, 1), (1, 0), (-1, 0), (1, -1), (-1, 1), (1, 1), (-1, -1)];

/// The number that means "not on a common line"; its rays are empty.
const NONE: usize = 8;

/// The squares that a piece on a square sees in one direction on an empty board, by direction and square.
pub(super) static RAYS: [[Bitboard; SQUARES]; 16] = {
    // Eight rows more than there are directions: `NONE` and `NONE ^ 1` have empty rays, and a mask replaces bounds
    // checks.
    let mut rays = [[Bitboard::EMPTY; SQUARES]; 16];
    let mut direction = 0;
    while direction < 8 {
        let mut square = 0;
        while square < 81 {
            rays[direction][square] = ray(square, DIRECTIONS[direction]);
            square += 1;
        }
        direction += 1;
    }
    rays
};

/// The direction from one square to another, or [`NONE`].
static DIRECTION: [[u8; SQUARES]; SQUARES] = {
    let mut table = [[NONE as u8; SQUARES]; SQUARES];
    let mut from = 0;
    while from < 81 {
        let mut direction = 0;
        while direction < 8 {
            let (file_step, rank_step) = DIRECTIONS[direction];
            let mut file = from as i8 / 9 + file_step;
            let mut rank = from as i8 % 9 + rank_step;
            while file >= 0 && file < 9 && rank >= 0 && rank < 9 {
                table[from][(file * 9 + rank) as usize] = direction as u8;
                file += file_step;
                rank += rank_step;
            }
            direction += 1;
        }
        from += 1;
    }
    table
};

/// The squares from a square to the edge, the square itself excluded.
pub(super) const fn ray(square: usize, (file_step, rank_step): (i8, i8)) -> Bitboard {
    let mut file = square as i8 / 9 + file_step;
    let mut rank = square as i8 % 9 + rank_step;
    let mut set = 0u128;
    while file >= 0 && file < 9 && rank >= 0 && rank < 9 {
        set |= 1 << (file * 9 + rank);
        file += file_step;
        rank += rank_step;
    }
    Bitboard::from_u128(set)
}

/// The squares strictly between two squares of a common line; empty if they share no line.
#[inline(always)]
pub(crate) fn between(a: SquareIndex, b: SquareIndex) -> Bitboard {
    // Two rays towards each other share the squares between. A table of sets by both squares would be six times the size.
    let direction = usize::from(DIRECTION[a & 127][b & 127]) & 15;
    RAYS[direction][a & 127] & RAYS[direction ^ 1][b & 127]
}

/// The squares from `from` (excluded) through `through` to the edge; empty if they share no line.
#[inline(always)]
pub(crate) fn ray_through(from: SquareIndex, through: SquareIndex) -> Bitboard {
    let direction = usize::from(DIRECTION[from & 127][through & 127]) & 15;
    RAYS[direction][from & 127]
}

#[cfg(test)]
mod tests {
    use super::super::bit;
    use super::*;

    #[test]
    fn between_and_rays_split_a_line() {
        for a in 0..81 {
            for b in 0..81 {
                let inner = between(a, b);
                let ray = ray_through(a, b);
                assert_eq!(inner, between(b, a));
                if ray.is_empty() {
                    assert!(inner.is_empty());
                    continue;
                }
                assert!(ray.intersects(bit(b)) && !inner.intersects(bit(a) | bit(b)));
                assert_eq!(ray, inner | bit(b) | ray.without(inner | bit(b)));
                assert_eq!(ray & ray_through(b, a), inner);
            }
        }
        assert_eq!(between(0, 80).len(), 7);
        assert_eq!(between(0, 1).len(), 0);
        assert!(between(0, 11).is_empty() && ray_through(0, 11).is_empty());
    }
}

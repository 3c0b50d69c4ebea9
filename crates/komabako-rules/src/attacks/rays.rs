//! Sliders by leading and trailing zeros, by carries, and by fills: only tables of rays.

use komabako_board::{Bitboard, Color, Square};

use super::line::{DIRECTIONS, RAYS};
use super::{SQUARES, Sliders};

/// Black's forward, towards rank 1.
const UP: usize = 0;
const DOWN: usize = 1;
/// The directions of a rook.
pub(super) const STRAIGHT: [usize; 4] = [UP, DOWN, 2, 3];
/// The directions of a bishop.
pub(super) const DIAGONAL: [usize; 4] = [4, 5, 6, 7];

/// The distance between the indices of neighbouring squares in a direction.
#[inline(always)]
const fn distance(direction: usize) -> u32 {
    let (file, rank) = DIRECTIONS[direction];
    (file * 9 + rank).unsigned_abs() as u32
}

/// Whether indices grow in a direction.
#[inline(always)]
const fn ascends(direction: usize) -> bool {
    let (file, rank) = DIRECTIONS[direction];
    file * 9 + rank > 0
}

/// The direction of a colour's pawns.
#[inline(always)]
const fn forward(color: Color) -> usize {
    match color {
        Color::Black => UP,
        Color::White => DOWN,
    }
}

/// Sliders by leading and trailing zeros: the first piece on a ray is its lowest or highest bit, and the ray beyond that
/// piece is removed. Tables: 16 KiB of rays.
#[derive(Clone, Copy, Debug, Default)]
pub struct Zeros;

impl Zeros {
    #[inline(always)]
    fn ray(direction: usize, square: Square, occupied: Bitboard) -> Bitboard {
        let ray = RAYS[direction][square.array_index()];
        let on_ray = (ray & occupied).to_u128();
        // Without a piece on the ray the index is 128 or 0, and 128 is masked to 0 below: the check of `on_ray` must come first.
        let first =
            if ascends(direction) { on_ray.trailing_zeros() } else { 127 - on_ray.leading_zeros().min(127) };
        let beyond = if on_ray == 0 { Bitboard::EMPTY } else { RAYS[direction][first as usize % SQUARES] };
        ray.without(beyond)
    }
}

impl Sliders for Zeros {
    #[inline(always)]
    fn lance(&self, color: Color, square: Square, occupied: Bitboard) -> Bitboard {
        Self::ray(forward(color), square, occupied)
    }

    #[inline(always)]
    fn bishop(&self, square: Square, occupied: Bitboard) -> Bitboard {
        DIAGONAL
            .into_iter()
            .fold(Bitboard::EMPTY, |all, direction| all | Self::ray(direction, square, occupied))
    }

    #[inline(always)]
    fn rook(&self, square: Square, occupied: Bitboard) -> Bitboard {
        STRAIGHT
            .into_iter()
            .fold(Bitboard::EMPTY, |all, direction| all | Self::ray(direction, square, occupied))
    }
}

/// Sliders by carry propagation (the Qugiy method, named after the engine whose author published it).
///
/// Subtracting one from the pieces on an ascending ray flips the bits up to the first of them. Descending rays are
/// reversed by swapping bytes, as diagonals and ranks have no two squares in one byte of the 81 bits; descending
/// files are smeared instead. Tables: 16 KiB of rays.
#[derive(Clone, Copy, Debug, Default)]
pub struct Carry;

impl Carry {
    #[inline(always)]
    fn ray(direction: usize, square: Square, occupied: u128) -> u128 {
        let ray = RAYS[direction][square.array_index()].to_u128();
        if ascends(direction) {
            ray & first_flips(occupied & ray)
        } else if direction == UP {
            // A file fits in two bytes, so that swapping bytes does not reverse it. Instead every piece is smeared
            // towards the edge, by up to seven squares: the longest possible distance behind a piece.
            let mut below = occupied & ray;
            below |= below >> 1;
            below |= below >> 2;
            below |= below >> 4;
            ray & !(below >> 1)
        } else {
            let ray = ray.swap_bytes();
            (ray & first_flips(occupied.swap_bytes() & ray)).swap_bytes()
        }
    }
}

/// The bits up to and including the lowest one that is set; all bits if the set is empty.
#[inline(always)]
const fn first_flips(set: u128) -> u128 {
    set ^ set.wrapping_sub(1)
}

impl Sliders for Carry {
    #[inline(always)]
    fn lance(&self, color: Color, square: Square, occupied: Bitboard) -> Bitboard {
        Bitboard::from_u128(Self::ray(forward(color), square, occupied.to_u128()))
    }

    #[inline(always)]
    fn bishop(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let occupied = occupied.to_u128();
        let rays = DIAGONAL.map(|direction| Self::ray(direction, square, occupied));
        Bitboard::from_u128(rays[0] | rays[1] | rays[2] | rays[3])
    }

    #[inline(always)]
    fn rook(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let occupied = occupied.to_u128();
        let rays = STRAIGHT.map(|direction| Self::ray(direction, square, occupied));
        Bitboard::from_u128(rays[0] | rays[1] | rays[2] | rays[3])
    }
}

/// Sliders by parallel fills (Kogge and Stone): three doublings flood the empty squares of a ray. Tables: 16 KiB of rays.
#[derive(Clone, Copy, Debug, Default)]
pub struct Fill;

impl Fill {
    #[inline(always)]
    fn ray(direction: usize, square: Square, occupied: Bitboard) -> u128 {
        let ray = RAYS[direction][square.array_index()].to_u128();
        let distance = distance(direction);
        let shift = |set: u128, times: u32| {
            if ascends(direction) { set << (distance * times) } else { set >> (distance * times) }
        };
        let mut filled = Bitboard::of(square).to_u128();
        let mut empty = ray & !occupied.to_u128();
        // These steps and the last shift add up to eight, the longest ray. Nothing wraps to another file: `empty` holds
        // squares of the ray alone.
        for times in [1, 2, 4] {
            filled |= empty & shift(filled, times);
            empty &= shift(empty, times);
        }
        shift(filled, 1) & ray
    }
}

impl Sliders for Fill {
    #[inline(always)]
    fn lance(&self, color: Color, square: Square, occupied: Bitboard) -> Bitboard {
        Bitboard::from_u128(Self::ray(forward(color), square, occupied))
    }

    #[inline(always)]
    fn bishop(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let rays = DIAGONAL.map(|direction| Self::ray(direction, square, occupied));
        Bitboard::from_u128(rays[0] | rays[1] | rays[2] | rays[3])
    }

    #[inline(always)]
    fn rook(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let rays = STRAIGHT.map(|direction| Self::ray(direction, square, occupied));
        Bitboard::from_u128(rays[0] | rays[1] | rays[2] | rays[3])
    }
}

//! Sliders with one lookup in a large table, indexed by `PEXT` or by multiplication.
//!
//! The squares that matter to a slider, those before the edge on its lines, never collide when the two lanes are combined with OR.
//! So one word holds their occupancy: at most 14 bits for a rook, 12 for a bishop.

use alloc::vec::Vec;

use komabako_bits::BitOps;
use komabako_board::{Bitboard, Color, Square, square};

use super::kindergarten::Kindergarten;
use super::magics::{BISHOP_MAGICS, ROOK_EXTRA_BIT, ROOK_MAGICS};
use super::{Sliders, reach};

/// The squares whose occupancy matters to a slider on a square, and the start of its part of a table.
#[derive(Clone, Copy, Debug, Default)]
struct Part {
    relevant: [u64; 2],
    start: usize,
    magic: u64,
    /// The number of bits of an index.
    bits: u32,
}

impl Part {
    /// The occupancy of the relevant squares, in one word.
    #[inline(always)]
    fn merge(&self, occupied: Bitboard) -> u64 {
        let [low, high] = occupied.lanes();
        low & self.relevant[0] | high & self.relevant[1]
    }

    #[inline(always)]
    fn mask(&self) -> u64 {
        self.relevant[0] | self.relevant[1]
    }

    #[inline(always)]
    fn magic_index(&self, occupied: Bitboard) -> usize {
        let product = self.merge(occupied).wrapping_mul(self.magic);
        self.start + (product >> (64 - self.bits)) as usize
    }
}

/// A table by square and occupancy of the relevant squares.
#[derive(Clone, Debug)]
struct Table {
    parts: [Part; 81],
    attacks: Vec<Bitboard>,
}

impl Table {
    /// A table whose part for a square has a magic factor and 2^(relevant squares + `extra_bits`) entries.
    fn new(
        attacks: impl Fn(Square, Bitboard) -> Bitboard,
        magic: impl Fn(usize) -> (u64, u32),
        index: impl Fn(&Part, Bitboard) -> usize,
    ) -> Self {
        let mut table = Self { parts: [Part::default(); 81], attacks: Vec::new() };
        for square in square::all() {
            let relevant = relevant(square, attacks(square, Bitboard::EMPTY));
            let (magic, extra_bits) = magic(square.array_index());
            // Each square has a part of its own size: with 14 bits for all of them a rook's table would be 20 MiB
            // instead of 7.6.
            let start = table.attacks.len();
            let bits = relevant.len() + extra_bits;
            let part = Part { relevant: relevant.lanes(), start, magic, bits };
            table.parts[square.array_index()] = part;
            table.attacks.resize(start + (1 << bits), Bitboard::EMPTY);
            // Every subset of the relevant squares, from none through all and back to none (the carry-rippler).
            let all = relevant.to_u128();
            let mut subset = 0u128;
            loop {
                let occupied = Bitboard::from_u128(subset);
                table.attacks[index(&part, occupied)] = attacks(square, occupied);
                subset = subset.wrapping_sub(all) & all;
                if subset == 0 {
                    break;
                }
            }
        }
        table
    }

    fn size(&self) -> usize {
        self.attacks.len() * size_of::<Bitboard>()
    }
}

/// The squares of the lines that are not the last ones of their lines.
fn relevant(square: Square, lines: Bitboard) -> Bitboard {
    // A piece on the last square of a line blocks no further squares: the line ends there anyway.
    let is_inner = |&at: &Square| {
        let beyond = super::line::ray_through(square.array_index(), at.array_index());
        !beyond
            .without(super::line::between(square.array_index(), at.array_index()) | Bitboard::of(at))
            .is_empty()
    };
    lines.into_iter().filter(is_inner).collect()
}

/// Tables indexed by `PEXT`: bishop 20,224 entries (316 KiB), rook 495,616 (7.6 MiB). Built in about 10 ms.
///
/// One `PEXT` and one load: fast while the tables are in cache and the CPU has a fast `PEXT`.
#[derive(Clone, Debug)]
pub struct PextTables<B: BitOps> {
    ops: B,
    bishop: Table,
    rook: Table,
}

impl<B: BitOps> PextTables<B> {
    /// Builds the tables.
    pub fn new(ops: B) -> Self {
        let index = |part: &Part, occupied| part.start + ops.pext(part.merge(occupied), part.mask()) as usize;
        Self {
            ops,
            bishop: Table::new(|square, occupied| Kindergarten.bishop(square, occupied), |_| (0, 0), index),
            rook: Table::new(|square, occupied| Kindergarten.rook(square, occupied), |_| (0, 0), index),
        }
    }

    /// The size of the tables in bytes.
    pub fn size(&self) -> usize {
        self.bishop.size() + self.rook.size()
    }

    #[inline(always)]
    fn look_up(&self, table: &Table, square: Square, occupied: Bitboard) -> Bitboard {
        let part = &table.parts[square.array_index()];
        table.attacks[part.start + self.ops.pext(part.merge(occupied), part.mask()) as usize]
    }
}

impl<B: BitOps> Sliders for PextTables<B> {
    #[inline(always)]
    fn lance(&self, color: Color, square: Square, occupied: Bitboard) -> Bitboard {
        // A lance's line is half of a rook's file, so that lances need no table.
        self.look_up(&self.rook, square, occupied) & reach(color == Color::White, square.array_index()).lance
    }

    #[inline(always)]
    fn bishop(&self, square: Square, occupied: Bitboard) -> Bitboard {
        self.look_up(&self.bishop, square, occupied)
    }

    #[inline(always)]
    fn rook(&self, square: Square, occupied: Bitboard) -> Bitboard {
        self.look_up(&self.rook, square, occupied)
    }
}

/// Tables indexed by "magic" multiplication: bishop 20,224 entries (316 KiB), rook 512,000 (7.8 MiB). Portable.
#[derive(Clone, Debug)]
pub struct MagicTables {
    bishop: Table,
    rook: Table,
}

impl MagicTables {
    /// Builds the tables.
    pub fn new() -> Self {
        let index = |part: &Part, occupied| part.magic_index(occupied);
        Self {
            bishop: Table::new(
                |square, occupied| Kindergarten.bishop(square, occupied),
                |at| (BISHOP_MAGICS[at], 0),
                index,
            ),
            rook: Table::new(
                |square, occupied| Kindergarten.rook(square, occupied),
                |at| (ROOK_MAGICS[at], u32::from(ROOK_EXTRA_BIT.contains(&at))),
                index,
            ),
        }
    }

    /// The size of the tables in bytes.
    pub fn size(&self) -> usize {
        self.bishop.size() + self.rook.size()
    }
}

impl Default for MagicTables {
    fn default() -> Self {
        Self::new()
    }
}

impl Sliders for MagicTables {
    #[inline(always)]
    fn lance(&self, color: Color, square: Square, occupied: Bitboard) -> Bitboard {
        self.rook(square, occupied) & reach(color == Color::White, square.array_index()).lance
    }

    #[inline(always)]
    fn bishop(&self, square: Square, occupied: Bitboard) -> Bitboard {
        self.bishop.attacks[self.bishop.parts[square.array_index()].magic_index(occupied)]
    }

    #[inline(always)]
    fn rook(&self, square: Square, occupied: Bitboard) -> Bitboard {
        self.rook.attacks[self.rook.parts[square.array_index()].magic_index(occupied)]
    }
}

//! Sliders by multiplication into one small table ("kindergarten bitboards", after Gerd Isenberg).
//!
//! A line meets each rank (or each file) at most once. So a multiplication by "a one in every file" gathers the
//! pieces of a diagonal by rank into nine bits, and a multiplication by "a one in every eighth bit" gathers the pieces of a
//! rank by file. A table of 9 × 128 entries, 2,304 bytes for all lines of all squares, gives the squares reached; a second
//! multiplication scatters them back.

use komabako_board::{Bitboard, Color, Square};

use super::line::ray;
use super::{SQUARES, Sliders, SquareIndex, reach};

/// A one at rank 1 of each of the seven files of lane 0.
const FILES: u64 = 0x0040_2010_0804_0201;
/// A one in every eighth bit, seven of them: gathers bits at multiples of nine from bit 48 up, and scatters them back.
const EIGHTS: u64 = 0x0001_0101_0101_0101;

/// The bits of a word at multiples of nine (the ones in [`FILES`]), gathered in its low seven.
#[inline(always)]
pub(crate) const fn gather_nines(word: u64) -> u64 {
    (word & FILES).wrapping_mul(EIGHTS) >> 48 & 0x7f
}

/// The nine squares of a line, by the slider's place on it and the occupancy of its seven inner squares; empty rows
/// from 9 up.
static LINE: [[u16; 128]; 16] = {
    let mut table = [[0; 128]; 16];
    let mut place = 0;
    while place < 9 {
        let mut inner = 0;
        while inner < 128 {
            // A piece on the first or last square of a line blocks no further squares: the edge ends the line there anyway.
            // So seven bits are enough.
            let occupied = (inner as u16) << 1;
            let mut reached = 0u16;
            let mut at = place;
            while at < 8 {
                at += 1;
                reached |= 1 << at;
                if occupied >> at & 1 == 1 {
                    break;
                }
            }
            at = place;
            while at > 0 {
                at -= 1;
                reached |= 1 << at;
                if occupied >> at & 1 == 1 {
                    break;
                }
            }
            table[place][inner] = reached;
            inner += 1;
        }
        place += 1;
    }
    table
};

/// The masks and places of a square's lines; 64 bytes.
#[derive(Clone, Copy)]
// Aligned, so that each square's entry is one cache line.
#[repr(align(64))]
struct Lines {
    /// The two diagonals, the square itself excluded.
    diagonals: [[u64; 2]; 2],
    /// The nine squares of the file, in the lane that has it.
    file: [u64; 2],
    /// The bit at which the file starts in its lane.
    file_shift: u8,
    file_number: u8,
    rank_number: u8,
}

static LINES: [Lines; SQUARES] = {
    // Place 9 has an empty row in `LINE`.
    let none = Lines { diagonals: [[0; 2]; 2], file: [0; 2], file_shift: 0, file_number: 9, rank_number: 9 };
    let mut table = [none; SQUARES];
    let mut square = 0;
    while square < 81 {
        let rising = ray(square, (1, -1)).to_u128() | ray(square, (-1, 1)).to_u128();
        let falling = ray(square, (1, 1)).to_u128() | ray(square, (-1, -1)).to_u128();
        let file = square / 9;
        table[square] = Lines {
            diagonals: [Bitboard::from_u128(rising).lanes(), Bitboard::from_u128(falling).lanes()],
            file: Bitboard::from_u128(0x1ff << (9 * file)).lanes(),
            file_shift: 9 * (file % 7) as u8,
            file_number: file as u8,
            rank_number: square as u8 % 9,
        };
        square += 1;
    }
    table
};

/// The squares of a line that a slider reaches, given the occupied ones; `occupied` may have bits beyond the nine.
#[inline(always)]
fn along(place: u8, occupied: u64) -> u64 {
    u64::from(LINE[usize::from(place & 15)][(occupied >> 1) as usize & 127])
}

/// The squares of a set on a diagonal with this mask, by rank in the low nine bits; higher ones have no meaning.
#[inline(always)]
fn by_rank([low_mask, high_mask]: [u64; 2], set: Bitboard) -> u64 {
    let [low, high] = set.lanes();
    let high = high & high_mask;
    // Seven copies, shifted by multiples of nine, are added up; in bits 54 to 62 each file of lane 0 arrives once. A
    // diagonal has one square on each rank, so that no two bits meet and nothing carries.
    (low & low_mask).wrapping_mul(FILES) >> 54 | high | high >> 9
}

#[inline(always)]
fn along_diagonal(place: u8, mask: [u64; 2], occupied: Bitboard) -> [u64; 2] {
    let [low_mask, high_mask] = mask;
    let reached = along(place, by_rank(mask, occupied));
    // Back again: the nine bits are copied to every file, and the mask keeps one bit per file.
    [reached.wrapping_mul(FILES) & low_mask, (reached | reached << 9) & high_mask]
}

#[inline(always)]
fn along_file(lines: &Lines, [low, high]: [u64; 2]) -> [u64; 2] {
    let shift = lines.file_shift & 63;
    let reached = along(lines.rank_number, (low & lines.file[0] | high & lines.file[1]) >> shift) << shift;
    [reached & lines.file[0], reached & lines.file[1]]
}

#[inline(always)]
fn along_rank(lines: &Lines, [low, high]: [u64; 2]) -> [u64; 2] {
    let rank = lines.rank_number & 15;
    // The ninth file is left out: it is an edge.
    let by_file = gather_nines(low >> rank) | (high >> rank & 1) << 7;
    let reached = along(lines.file_number, by_file);
    // Places 7 and 8 are the first squares of lane 1's two files, bits 0 and 9.
    let high = reached >> 7 | reached << 1;
    [((reached & 0x7f).wrapping_mul(EIGHTS) & FILES) << rank, (high & 0x201) << rank]
}

/// Sliders by multiplication into a table of 2,304 bytes ("kindergarten bitboards"); 8 KiB of masks by square.
///
/// The generator uses this method on every backend.
#[derive(Clone, Copy, Debug, Default)]
pub struct Kindergarten;

impl Sliders for Kindergarten {
    #[inline(always)]
    fn lance(&self, color: Color, square: Square, occupied: Bitboard) -> Bitboard {
        lance(color == Color::White, square.array_index(), occupied)
    }

    #[inline(always)]
    fn bishop(&self, square: Square, occupied: Bitboard) -> Bitboard {
        bishop(square.array_index(), occupied)
    }

    #[inline(always)]
    fn rook(&self, square: Square, occupied: Bitboard) -> Bitboard {
        rook(square.array_index(), occupied)
    }
}

/// The squares that a bishop attacks, the first piece in each direction included.
#[inline(always)]
pub(crate) fn bishop(square: SquareIndex, occupied: Bitboard) -> Bitboard {
    let lines = &LINES[square & 127];
    let [rising, falling] = lines.diagonals;
    let a = along_diagonal(lines.rank_number, rising, occupied);
    let b = along_diagonal(lines.rank_number, falling, occupied);
    Bitboard::from_lanes([a[0] | b[0], a[1] | b[1]])
}

/// The squares that a rook attacks, the first piece in each direction included.
#[inline(always)]
pub(crate) fn rook(square: SquareIndex, occupied: Bitboard) -> Bitboard {
    let lines = &LINES[square & 127];
    let a = along_file(lines, occupied.lanes());
    let b = along_rank(lines, occupied.lanes());
    Bitboard::from_lanes([a[0] | b[0], a[1] | b[1]])
}

/// The squares of a set on one line through a square.
pub(crate) struct Places {
    /// Nine bits; higher ones have no meaning.
    pub bits: usize,
    /// The index of the square of bit 0. If the line has no such square, it is where the square would be.
    pub first: u16,
    /// The difference of the indices of neighbours.
    pub step: u16,
}

/// The squares of a set on a square's file.
#[inline(always)]
pub(crate) fn file_places(square: SquareIndex, set: Bitboard) -> Places {
    let lines = &LINES[square & 127];
    let [low, high] = set.lanes();
    let file = (low & lines.file[0] | high & lines.file[1]) >> (lines.file_shift & 63);
    Places { bits: file as usize, first: u16::from(lines.file_number) * 9, step: 1 }
}

/// The squares of a set on a square's rank, itself excluded.
#[inline(always)]
pub(crate) fn rank_places(square: SquareIndex, set: Bitboard) -> Places {
    let lines = &LINES[square & 127];
    let rank = lines.rank_number & 15;
    let [low, high] = set.lanes();
    let high = high >> rank;
    let by_file = gather_nines(low >> rank) | (high & 1) << 7 | (high >> 9 & 1) << 8;
    Places { bits: by_file as usize, first: u16::from(lines.rank_number), step: 9 }
}

/// The squares of a set on a square's diagonals, itself excluded, by rank: the rising one and the falling one.
#[inline(always)]
pub(crate) fn diagonal_places(square: SquareIndex, set: Bitboard) -> [Places; 2] {
    let lines = &LINES[square & 127];
    let [rising, falling] = lines.diagonals;
    let rank = u16::from(lines.rank_number);
    let square = square as u16;
    [
        Places {
            bits: by_rank(rising, set) as usize,
            first: square.wrapping_add(8 * rank),
            step: 8_u16.wrapping_neg(),
        },
        Places { bits: by_rank(falling, set) as usize, first: square.wrapping_sub(10 * rank), step: 10 },
    ]
}

/// The squares that a lance attacks, the first piece included.
#[inline(always)]
pub(crate) fn lance(white: bool, square: SquareIndex, occupied: Bitboard) -> Bitboard {
    Bitboard::from_lanes(along_file(&LINES[square & 127], occupied.lanes())) & reach(white, square).lance
}

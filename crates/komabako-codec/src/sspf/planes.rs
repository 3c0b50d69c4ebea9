//! [`Planes`]: a word's fields as numbers, from and to the bitboards of a setup (`spec/sspf-family.md` §2.5). The base
//! form and the extension differ only in kings and pieces that are off the board, which are left to them.

use komabako_bits::BitOps;
use komabako_board::{Bitboard, Color, Hand, Setup, SetupParts, color};

use super::symbols::{self, Symbols};
use crate::byte_board::{KING, WHITE};
use crate::word::{from_lanes, to_lanes};
use crate::{ByteBoard, Word, gaps, lanes, squares};

/// The high bit of each byte lane: it stays set as long as a subtraction from the lane has not gone below zero.
const GUARD: u64 = 0x0080_8080_8080_8080;

/// The fields of a word, each in the low bits of its number.
#[derive(Clone, Copy, Debug)]
pub struct Planes {
    /// The side to move.
    pub white_to_move: bool,
    /// The squares without a king that have a piece: lanes of 63 and 18 bits, as of a board. Of a setup, all 79 to 81
    /// of them; of a word, 79. Of a setup, bit 63 of the first lane may be set and means nothing.
    pub occupied: [u64; 2],
    /// How many pieces are on the board, kings aside.
    pub pieces: u32,
    /// The codes of Black's and White's king.
    pub kings: [u64; 2],
    /// `is_promoted`.
    pub promoted: u64,
    /// `pt_bit0` to `pt_bit4`.
    pub kind: [u64; 5],
    /// `color`.
    pub color: u64,
}

impl Planes {
    /// The planes of the pieces on a board, without tails. A missing king's code is some number above 80.
    #[inline(always)]
    pub fn of_board<B: BitOps>(ops: B, setup: &Setup) -> Self {
        let parts = setup.parts();
        let [pawn, _, knight, silver, gold, bishop, rook, king] = parts.kinds;
        let [black, white] = parts.colors;
        let pieces = (black | white) ^ king;
        let bishops_rooks = bishop | rook;
        let gbr = gold | bishops_rooks;
        let symbols = Symbols {
            kind: [pieces ^ pawn, silver | gbr, knight | gbr, bishops_rooks, rook],
            promoted: parts.promoted,
            color: white,
        };
        let fields = symbols::compress(ops, pieces, &symbols);
        let [low, high] = pieces.lanes();
        Self {
            white_to_move: matches!(parts.side, Color::White),
            occupied: gaps::close(ops, pieces, king),
            pieces: ops.popcount(low) + ops.popcount(high),
            kings: [black, white].map(|color| (king & color).first_index() as u64),
            promoted: fields.promoted,
            kind: fields.kind,
            color: fields.color,
        }
    }

    /// The planes of the pieces on a byte board whose kings stand on these squares, without tails.
    #[inline(always)]
    pub fn of_bytes<B: BitOps>(ops: B, board: &ByteBoard, kings: Bitboard) -> Self {
        let pieces = Bitboard::from_lanes(ops.nonzero(&board.cells)) ^ kings;
        let fields = symbols::of_cells(ops, &board.cells, pieces).compress(ops);
        Self {
            white_to_move: matches!(board.side, Color::White),
            occupied: gaps::close(ops, pieces, kings),
            pieces: pieces.len(),
            kings: [u64::from(board.kings[0]), u64::from(board.kings[1])],
            promoted: fields.promoted,
            kind: fields.kind,
            color: fields.color,
        }
    }

    /// Writes a byte board with these pieces, kings and hands. Only for planes that [`Counts`] finds good, with both kings
    /// on the board and no more pieces than a set has.
    #[inline(always)]
    pub fn write_bytes<B: BitOps>(&self, ops: B, hands: [Hand; 2], board: &mut ByteBoard) {
        let [black, white] = self.kings;
        let pieces = gaps::open(ops, self.occupied, squares::set(black) | squares::set(white));
        let fields = Symbols { kind: self.kind, promoted: self.promoted, color: self.color };
        board.cells = symbols::to_cells(ops, &fields.expand(ops), pieces);
        board.cells[black as usize % 96] = KING;
        board.cells[white as usize % 96] = KING | WHITE;
        board.kings = [black as u8, white as u8];
        board.hands = hands;
        board.side = color::from_bit(self.white_to_move);
    }

    /// The setup with these pieces on the board, the kings on these squares if any, and these hands. Only for planes
    /// that [`Counts`] finds good, with no more pieces than a set has.
    #[inline(always)]
    pub fn to_setup<B: BitOps>(self, ops: B, kings: [Bitboard; 2], hands: [Hand; 2]) -> Setup {
        let king = kings[0] | kings[1];
        let pieces = gaps::open(ops, self.occupied, king);
        let fields = Symbols { kind: self.kind, promoted: self.promoted, color: self.color };
        let Symbols { kind, promoted, color } = symbols::expand(ops, pieces, &fields);
        let [nonpawns, bit1, bit2, bishops_rooks, rook] = kind;
        let gbr = bit1 & bit2;
        let white = color | kings[1];
        Setup::from_parts_trusted(SetupParts {
            colors: [(pieces | king) ^ white, white],
            kinds: [
                pieces ^ nonpawns,
                nonpawns ^ (bit1 | bit2),
                bit2 ^ gbr,
                bit1 ^ gbr,
                gbr ^ bishops_rooks,
                bishops_rooks ^ rook,
                rook,
                king,
            ],
            promoted,
            hands,
            side: color::from_bit(self.white_to_move),
        })
    }

    /// The word with these fields, none of which may have more bits than its field.
    #[inline(always)]
    pub fn join(&self) -> Word {
        let [low, high] = self.occupied;
        let [kind0, kind1, kind2, kind3, kind4] = self.kind;
        from_lanes([
            low << 1 | u64::from(self.white_to_move),
            high | self.kings[0] << 16 | self.kings[1] << 23 | self.promoted << 30,
            kind0 | kind1 << 38 | kind2 << 58,
            kind2 >> 6 | kind3 << 14 | kind4 << 22 | self.color << 26,
        ])
    }

    /// The fields of a word.
    #[inline(always)]
    pub fn split<B: BitOps>(ops: B, word: &Word) -> Self {
        let [a, b, c, d] = to_lanes(word);
        let occupied = [a >> 1, b & 0xffff];
        // pt_bit2 lies across lanes: bits 186 to 205 are in the four bytes from byte 23.
        let [_, e, _] = [&word[..23], &word[23..27], &word[27..]];
        let kind2 = u64::from(u32::from_le_bytes([e[0], e[1], e[2], e[3]]));
        Self {
            white_to_move: a & 1 != 0,
            occupied,
            pieces: ops.popcount(occupied[0]) + ops.popcount(occupied[1]),
            kings: [b >> 16 & 0x7f, b >> 23 & 0x7f],
            promoted: b >> 30,
            kind: [
                c & 0x3f_ffff_ffff,
                c >> 38 & 0xf_ffff,
                kind2 >> 2 & 0xf_ffff,
                d >> 14 & 0xff,
                d >> 22 & 0xf,
            ],
            color: d >> 26,
        }
    }
}

/// What can be counted in planes.
#[derive(Clone, Copy, Debug)]
pub struct Counts {
    /// The pieces of each kind off the board, in [lanes]; some number if the planes are not good.
    pub off_board: u64,
    /// Whether no kind has more pieces than a set has and no plane has ones past its last piece, but for the tails.
    pub are_good: bool,
}

impl Counts {
    /// Counts the pieces of planes whose `pt_bit0` has no tail.
    #[inline(always)]
    pub fn new<B: BitOps>(ops: B, planes: &Planes) -> Self {
        let [kind0, kind1, kind2, kind3, kind4] = planes.kind;
        let count = |bits: u64| u64::from(ops.popcount(bits));
        // Pieces, then those whose code goes on past pt_bit0, pt_bit2 and pt_bit3; rooks.
        let n = u64::from(planes.pieces);
        let (q, x, y, r) = (count(kind0), count(kind1 & kind2), count(kind3), count(kind4));
        let (bit1, bit2) = (count(kind1), count(kind2));
        // P = n - q, L = q + x - bit1 - bit2, N = bit2 - x, S = bit1 - x, G = x - y, B = y - r, R = r.
        let lane = |coefficients: [i64; 7]| {
            coefficients.iter().rev().fold(0_i64, |lanes, &one| (lanes << 8) + one) as u64
        };
        let on_board = n
            .wrapping_add(q.wrapping_mul(lane([-1, 1, 0, 0, 0, 0, 0])))
            .wrapping_add(x.wrapping_mul(lane([0, 1, -1, -1, 1, 0, 0])))
            .wrapping_add(bit1.wrapping_mul(lane([0, -1, 0, 1, 0, 0, 0])))
            .wrapping_add(bit2.wrapping_mul(lane([0, -1, 1, 0, 0, 0, 0])))
            .wrapping_add(y.wrapping_mul(lane([0, 0, 0, 0, -1, 1, 0])))
            .wrapping_add(r.wrapping_mul(lane([0, 0, 0, 0, 0, -1, 1])));
        // Without ones past the end no count is negative, and none is 128 or more: no lane borrows from the next.
        let guarded = (lanes::INVENTORY | GUARD).wrapping_sub(on_board);
        let golds = x.wrapping_sub(y);
        let past_end = kind0.wrapping_shr(n as u32)
            | (kind1 | kind2).wrapping_shr(q as u32)
            | kind3.wrapping_shr(x as u32)
            | kind4.wrapping_shr(y as u32)
            | planes.promoted.wrapping_shr(n.wrapping_sub(golds) as u32);
        let over = !guarded & GUARD;
        Self { off_board: guarded & !GUARD, are_good: (past_end | over) == 0 && n <= 38 }
    }
}

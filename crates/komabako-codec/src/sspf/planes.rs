//! [`Planes`]: a word's fields as numbers, from and to the bitboards of a setup (`spec/sspf-family.md` §2.5). The base
//! form and the extension differ only in kings and pieces off the board, which are handled by their own modules.

use komabako_bits::BitOps;
use komabako_board::{BaseKind, Bitboard, Color, Hand, Setup, SetupParts, color};

use super::symbols::Symbols;
use crate::byte_board::{self, KING, WHITE};
use crate::word::{from_lanes, to_lanes};
use crate::{ByteBoard, Word, gaps, lanes, squares};

/// The high bit of each byte lane: it stays set unless a subtraction from the lane goes below zero.
const GUARD: u64 = 0x0080_8080_8080_8080;

/// The fields of a word, each in the low bits of its number.
#[derive(Clone, Copy, Debug)]
pub struct Planes {
    /// The side to move.
    pub white_to_move: bool,
    /// The squares without a king that have a piece: lanes of 63 and 18 bits, as in a board. From a setup, all 79 to 81
    /// squares; from a word, 79. From a setup, bit 63 of the first lane may be set and has no meaning.
    pub occupied: [u64; 2],
    /// The number of pieces on the board, kings aside.
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
    /// The planes of the pieces on a board, without tails. A missing king's code is an arbitrary number above 80.
    #[inline(always)]
    pub fn of_board<B: BitOps>(ops: B, setup: &Setup) -> Self {
        let parts = setup.parts();
        let king = setup.kind(BaseKind::King);
        let [black, white] = parts.colors;
        let pieces = (black | white) ^ king;
        let [a, b, c, d, w] = byte_board::planes(setup);
        let boards = [a.lanes(), b.lanes(), c.lanes(), d.lanes(), w.lanes()];
        let cells = ops.boards_to_dense(&boards, pieces.lanes());
        let kings = [(king & black).first_index() as u64, (king & white).first_index() as u64];
        Self::of_cells(ops, cells, pieces, king, kings, parts.side)
    }

    /// The planes of the pieces on a byte board with kings on these squares, without tails.
    #[inline(always)]
    pub fn of_bytes<B: BitOps>(ops: B, board: &ByteBoard, king: Bitboard) -> Self {
        let pieces = Bitboard::from_lanes(ops.nonzero(&board.cells)) ^ king;
        let cells = ops.bytes_to_dense(&board.cells, pieces.lanes());
        let kings = [u64::from(board.kings[0]), u64::from(board.kings[1])];
        Self::of_cells(ops, cells, pieces, king, kings, board.side)
    }

    /// The planes of pieces whose cells' five bits are these dense numbers.
    #[inline(always)]
    pub fn of_cells<B: BitOps>(
        ops: B,
        cells: [u64; 5],
        pieces: Bitboard,
        king: Bitboard,
        kings: [u64; 2],
        side: Color,
    ) -> Self {
        let fields = Symbols::of_cells(cells).compress(ops);
        let [low, high] = pieces.lanes();
        Self {
            white_to_move: matches!(side, Color::White),
            occupied: gaps::close::<2, _>(ops, pieces, king),
            pieces: ops.popcount(low) + ops.popcount(high),
            kings,
            promoted: fields.promoted,
            kind: fields.kind,
            color: fields.color,
        }
    }

    /// The dense numbers of the five bits of the pieces' cells.
    #[inline(always)]
    fn to_cells<B: BitOps>(self, ops: B) -> [u64; 5] {
        Symbols { kind: self.kind, promoted: self.promoted, color: self.color }.expand(ops).to_cells()
    }

    /// Writes a byte board with these pieces, kings and hands. Only for planes that [`Counts`] finds valid, with both kings
    /// on the board and no more pieces than a set has.
    #[inline(always)]
    pub fn write_bytes<B: BitOps>(self, ops: B, hands: [Hand; 2], board: &mut ByteBoard) {
        let [black, white] = self.kings;
        let pieces = gaps::open::<2, _>(ops, self.occupied, squares::set(black) | squares::set(white));
        board.cells = ops.dense_to_bytes(&self.to_cells(ops), pieces.lanes());
        // Both are squares, by this function's contract: the remainder replaces a bounds check.
        board.cells[black as usize % 96] = KING;
        board.cells[white as usize % 96] = KING | WHITE;
        board.kings = [black as u8, white as u8];
        board.hands = hands;
        board.side = color::from_bit(self.white_to_move);
    }

    /// The setup with these pieces on the board, the kings on these squares if any, and these hands. Only for planes
    /// that [`Counts`] finds valid, with no more pieces than a set has.
    #[inline(always)]
    pub fn to_setup<B: BitOps>(self, ops: B, kings: [Bitboard; 2], hands: [Hand; 2]) -> Setup {
        let king = kings[0] | kings[1];
        let pieces = gaps::open::<2, _>(ops, self.occupied, king);
        let [a, b, c, promoted, white] = ops.dense_to_boards(&self.to_cells(ops), pieces.lanes());
        let set = Bitboard::from_lanes_trusted;
        let [pawn, lance, knight, silver, gold, bishop, rook] = byte_board::kinds([set(a), set(b), set(c)]);
        let promoted = set(promoted);
        let white = set(white) | kings[1];
        Setup::from_parts_trusted(SetupParts {
            colors: [(pieces | king) ^ white, white],
            kinds: [pawn, lance, knight, silver, gold, bishop, rook, king],
            promoted,
            hands,
            side: color::from_bit(self.white_to_move),
        })
    }

    /// Whether both kings are on the board, on different squares.
    #[inline(always)]
    pub fn have_kings(&self) -> bool {
        let [black, white] = self.kings;
        (black <= 80) & (white <= 80) & (black != white)
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
    ///
    /// # Panics
    /// Never: a word has 32 bytes.
    #[inline(always)]
    pub fn split<B: BitOps>(ops: B, word: &Word) -> Self {
        let mut planes = Self::of_lanes(ops, to_lanes(word));
        // A load of the four bytes that hold pt_bit2, instead of a shift of each lane.
        let kind2 = u64::from(u32::from_le_bytes(*word[23..].first_chunk().expect("nine bytes are left")));
        planes.kind[2] = kind2 >> 2 & 0xf_ffff;
        planes
    }

    /// The fields of a word with these four little-endian `u64`.
    #[inline(always)]
    pub fn of_lanes<B: BitOps>(ops: B, [a, b, c, d]: [u64; 4]) -> Self {
        let occupied = [a >> 1, b & 0xffff];
        Self {
            white_to_move: a & 1 != 0,
            occupied,
            pieces: ops.popcount(occupied[0]) + ops.popcount(occupied[1]),
            kings: [b >> 16 & 0x7f, b >> 23 & 0x7f],
            promoted: b >> 30,
            // pt_bit2, bits 186 to 205, crosses lanes.
            kind: [
                c & 0x3f_ffff_ffff,
                c >> 38 & 0xf_ffff,
                (c >> 58 | d << 6) & 0xf_ffff,
                d >> 14 & 0xff,
                d >> 22 & 0xf,
            ],
            color: d >> 26,
        }
    }
}

/// The counts of planes.
#[derive(Clone, Copy, Debug)]
pub struct Counts {
    /// The pieces of each kind off the board, in lanes; unspecified if the planes are not valid.
    pub off_board: u64,
    /// Whether no kind has more pieces than a set has and no plane has ones past its last piece, apart from the tails.
    pub are_valid: bool,
}

impl Counts {
    /// Counts the pieces of planes whose `pt_bit0` has no tail.
    #[inline(always)]
    pub fn new<B: BitOps>(ops: B, planes: &Planes) -> Self {
        let [kind0, kind1, kind2, kind3, kind4] = planes.kind;
        let count = |bits: u64| u64::from(ops.popcount(bits));
        // All pieces, then the pieces whose code continues past pt_bit0, pt_bit2 and pt_bit3; rooks.
        let n = u64::from(planes.pieces);
        let q = count(kind0 << 26);
        let x = count(kind1 & kind2);
        let y = count(kind3);
        let r = count(kind4);
        // If no plane has ones past its end, the sets are nested as they should be.
        let on_board = lanes::of_nested([n, q, count(kind1 | kind2), count(kind1), x, y, r]);
        // Then no count is negative, and none is 128 or more: no lane borrows from the next.
        let off_board = lanes::INVENTORY.wrapping_sub(on_board);
        let golds = x.wrapping_sub(y);
        // pt_bit0 is cut off with shifts: a mask of 38 ones would be a `BZHI` whose count depends on its register's old value.
        let past_end = (kind0 << 26).wrapping_shr(n as u32) >> 26
            | (kind1 | kind2).wrapping_shr(q as u32)
            | kind3.wrapping_shr(x as u32)
            | kind4.wrapping_shr(y as u32)
            | planes.promoted.wrapping_shr(n.wrapping_sub(golds) as u32);
        // More than 38 pieces are too many of some kind.
        let over = !off_board.wrapping_add(GUARD) & GUARD;
        Self { off_board, are_valid: (past_end | over) == 0 }
    }
}

/// Whether the pieces of a board, kings aside, and the hands are exactly those of a set, given the number of pieces on the board and
/// `pt_bit0` to `pt_bit4` without tails.
#[inline(always)]
pub fn is_whole<B: BitOps>(ops: B, pieces: u32, kind: [u64; 5], hands: [Hand; 2]) -> bool {
    let count = |bits: u64| u64::from(ops.popcount(bits));
    let [bit0, bit1, bit2, bit3, bit4] = kind;
    let on_board = lanes::of_nested([
        pieces.into(),
        count(bit0),
        count(bit1 | bit2),
        count(bit1),
        count(bit1 & bit2),
        count(bit3),
        count(bit4),
    ]);
    let in_hands = lanes::of_hand_on(ops, hands[0]) + lanes::of_hand_on(ops, hands[1]);
    on_board.wrapping_add(in_hands) == lanes::INVENTORY
}

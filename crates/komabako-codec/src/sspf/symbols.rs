//! [`Symbols`]: what is said of each piece on the board, as boards and as the fields of a word.

use komabako_bits::{BitOps, Bytes};
use komabako_board::Bitboard;

use crate::byte_board::{CELLS, PROMOTED, WHITE};

/// Seven bits of each piece, as seven `T`: bitboards; numbers with a bit for each piece, in which those for which a bit
/// has no meaning are zero (*dense*); or the fields of a word, which have no such bits.
#[derive(Clone, Copy, Debug)]
pub struct Symbols<T> {
    /// The bits of the kinds' codes: not a pawn; S G B R; N G B R; B R; R.
    pub kind: [T; 5],
    /// Promoted.
    pub promoted: T,
    /// White's.
    pub color: T,
}

/// The fields of the pieces on these squares.
#[inline(always)]
pub fn compress<B: BitOps>(ops: B, pieces: Bitboard, boards: &Symbols<Bitboard>) -> Symbols<u64> {
    let [nonpawns, bit1, bit2, bishops_rooks, rook] = boards.kind;
    if !B::GATHERS {
        let [kind0, kind1, kind2, kind3, kind4, promoted, color] = ops.boards_to_dense(
            &[nonpawns, bit1, bit2, bishops_rooks, rook, boards.promoted, boards.color].map(Bitboard::lanes),
            pieces.lanes(),
        );
        return Symbols { kind: [kind0, kind1, kind2, kind3, kind4], promoted, color }.compress(ops);
    }
    let among = |squares: Bitboard| ops.board_mask(squares.lanes());
    let gbr = bit1 & bit2;
    let (piece, nonpawn) = (among(pieces), among(nonpawns));
    Symbols {
        kind: [
            piece.compress_u64(nonpawns.lanes()),
            nonpawn.compress_u64(bit1.lanes()),
            nonpawn.compress_u64(bit2.lanes()),
            among(gbr).compress_u64(bishops_rooks.lanes()),
            among(bishops_rooks).compress_u64(rook.lanes()),
        ],
        promoted: among(pieces ^ gbr ^ bishops_rooks).compress_u64(boards.promoted.lanes()),
        color: piece.compress_u64(boards.color.lanes()),
    }
}

/// The boards of the pieces on these squares.
#[inline(always)]
pub fn expand<B: BitOps>(ops: B, pieces: Bitboard, fields: &Symbols<u64>) -> Symbols<Bitboard> {
    if !B::GATHERS {
        let Symbols { kind: [kind0, kind1, kind2, kind3, kind4], promoted, color } = fields.expand(ops);
        let [kind0, kind1, kind2, kind3, kind4, promoted, color] = ops
            .dense_to_boards(&[kind0, kind1, kind2, kind3, kind4, promoted, color], pieces.lanes())
            .map(Bitboard::from_lanes);
        return Symbols { kind: [kind0, kind1, kind2, kind3, kind4], promoted, color };
    }
    let among = |squares: Bitboard| {
        let mask = ops.board_mask(squares.lanes());
        move |field: u64| Bitboard::from_lanes(mask.expand_u64(field))
    };
    let piece = among(pieces);
    let nonpawns = piece(fields.kind[0]);
    let nonpawn = among(nonpawns);
    let (bit1, bit2) = (nonpawn(fields.kind[1]), nonpawn(fields.kind[2]));
    let gbr = bit1 & bit2;
    let bishops_rooks = among(gbr)(fields.kind[3]);
    Symbols {
        kind: [nonpawns, bit1, bit2, bishops_rooks, among(bishops_rooks)(fields.kind[4])],
        promoted: among(pieces ^ gbr ^ bishops_rooks)(fields.promoted),
        color: piece(fields.color),
    }
}

/// By [`Cell`](crate::Cell): the seven bits of a piece in the order of [`Symbols`]; nothing of kings.
const BITS: [u8; CELLS] = {
    let mut bits = [0; CELLS];
    let mut cell = 0;
    while cell < CELLS {
        // P L N S G B R, from 1.
        let kind = [0, 0b00000, 0b00001, 0b00101, 0b00011, 0b00111, 0b01111, 0b11111][cell & 7];
        if cell & 7 != 0 {
            bits[cell] = kind
                | ((cell & PROMOTED as usize != 0) as u8) << 5
                | ((cell & WHITE as usize != 0) as u8) << 6;
        }
        cell += 1;
    }
    bits
};

/// The dense numbers of the pieces on these squares of a byte board.
#[inline(always)]
pub fn of_cells<B: BitOps>(ops: B, cells: &Bytes, pieces: Bitboard) -> Symbols<u64> {
    let [kind0, kind1, kind2, kind3, kind4, promoted, color] =
        ops.bytes_to_dense(&ops.lookup(cells, &BITS), pieces.lanes());
    Symbols { kind: [kind0, kind1, kind2, kind3, kind4], promoted, color }
}

/// The cells of pieces on these squares, given their dense numbers.
#[inline(always)]
pub fn to_cells<B: BitOps>(ops: B, dense: &Symbols<u64>, pieces: Bitboard) -> Bytes {
    let [nonpawns, bit1, bit2, bishops_rooks, rooks] = dense.kind;
    let gbr = bit1 & bit2;
    let (silvers, knights, golds) = (bit1 ^ gbr, bit2 ^ gbr, gbr ^ bishops_rooks);
    let lances = nonpawns ^ (bit1 | bit2);
    let planes = [
        !nonpawns | knights | golds | rooks,
        lances | knights | bishops_rooks,
        silvers | gbr,
        dense.promoted,
        dense.color,
    ];
    ops.dense_to_bytes(&planes, pieces.lanes())
}

impl Symbols<u64> {
    /// The fields of dense numbers.
    #[inline(always)]
    pub fn compress<B: BitOps>(&self, ops: B) -> Self {
        let [nonpawns, bit1, bit2, bishops_rooks, rooks] = self.kind;
        let nonpawn = ops.mask(nonpawns);
        let gbr = bit1 & bit2;
        Self {
            kind: [
                nonpawns,
                ops.compress(bit1, &nonpawn),
                ops.compress(bit2, &nonpawn),
                ops.pext_few::<8>(bishops_rooks, gbr),
                ops.pext_few::<4>(rooks, bishops_rooks),
            ],
            promoted: ops.pext_most::<4>(self.promoted, gbr ^ bishops_rooks),
            color: self.color,
        }
    }

    /// The dense numbers of fields.
    #[inline(always)]
    pub fn expand<B: BitOps>(&self, ops: B) -> Self {
        let [nonpawns, kind1, kind2, kind3, kind4] = self.kind;
        let nonpawn = ops.mask(nonpawns);
        let (bit1, bit2) = (ops.expand(kind1, &nonpawn), ops.expand(kind2, &nonpawn));
        let gbr = bit1 & bit2;
        let bishops_rooks = ops.pdep_few::<8>(kind3, gbr);
        Self {
            kind: [nonpawns, bit1, bit2, bishops_rooks, ops.pdep_few::<4>(kind4, bishops_rooks)],
            promoted: ops.pdep_most::<4>(self.promoted, gbr ^ bishops_rooks),
            color: self.color,
        }
    }
}

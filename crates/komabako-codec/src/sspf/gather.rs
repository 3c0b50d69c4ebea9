//! The form for backends that gather and scatter bits with single instructions (`PEXT`, `PDEP`), in place.
//!
//! The order of the lines is the order of the instructions. Fields are stored in the word, and boards in the setup, as soon as
//! they are computed, since they would not all fit in registers; long computations start before work that does not need them.

use komabako_bits::BitOps;
use komabako_board::{BaseKind, Bitboard, Color, Hand, PieceKind, Setup, SetupParts, color};

use super::hands::{self, Spread};
use super::planes::{Counts, Planes, is_whole};
use crate::word::to_lanes;
use crate::{PieceBoards, Word, gaps, squares};

/// A board in the sets of squares that the fields of a word are gathered from.
///
/// Its methods are called where the set is used, so that few sets are in registers at once.
trait Sets {
    fn colors(&self) -> [Bitboard; 2];
    fn kings(&self) -> Bitboard;
    fn golds(&self) -> Bitboard;
    fn promoted(&self) -> Bitboard;
    /// `pieces`, all but the kings, without the pawns: those with bit 0 of the code.
    fn nonpawns(&self, pieces: Bitboard) -> Bitboard;
    /// Silvers, golds, bishops and rooks: bit 1.
    fn with_bit1(&self) -> Bitboard;
    /// Knights, golds, bishops and rooks: bit 2.
    fn with_bit2(&self) -> Bitboard;
    fn golds_bishops_rooks(&self) -> Bitboard;
    fn bishops_rooks(&self) -> Bitboard;
    fn rooks(&self) -> Bitboard;
}

impl Sets for Setup {
    #[inline(always)]
    fn colors(&self) -> [Bitboard; 2] {
        self.parts().colors
    }
    #[inline(always)]
    fn kings(&self) -> Bitboard {
        self.kind(BaseKind::King)
    }
    #[inline(always)]
    fn golds(&self) -> Bitboard {
        self.kind(BaseKind::Gold)
    }
    #[inline(always)]
    fn promoted(&self) -> Bitboard {
        self.parts().promoted
    }
    #[inline(always)]
    fn nonpawns(&self, pieces: Bitboard) -> Bitboard {
        pieces ^ self.kind(BaseKind::Pawn)
    }
    #[inline(always)]
    fn with_bit1(&self) -> Bitboard {
        self.kind(BaseKind::Silver) | self.golds_bishops_rooks()
    }
    #[inline(always)]
    fn with_bit2(&self) -> Bitboard {
        self.kind(BaseKind::Knight) | self.golds_bishops_rooks()
    }
    #[inline(always)]
    fn golds_bishops_rooks(&self) -> Bitboard {
        self.golds() | self.bishops_rooks()
    }
    #[inline(always)]
    fn bishops_rooks(&self) -> Bitboard {
        self.kind(BaseKind::Bishop) | self.rooks()
    }
    #[inline(always)]
    fn rooks(&self) -> Bitboard {
        self.kind(BaseKind::Rook)
    }
}

impl PieceBoards {
    /// The squares of a kind, promoted or not.
    #[inline(always)]
    fn both(&self, plain: PieceKind, promoted: PieceKind) -> Bitboard {
        self.kinds[plain.array_index()] | self.kinds[promoted.array_index()]
    }
}

impl Sets for PieceBoards {
    #[inline(always)]
    fn colors(&self) -> [Bitboard; 2] {
        self.colors
    }
    #[inline(always)]
    fn kings(&self) -> Bitboard {
        self.kinds[PieceKind::King.array_index()]
    }
    #[inline(always)]
    fn golds(&self) -> Bitboard {
        self.kinds[PieceKind::Gold.array_index()]
    }
    #[inline(always)]
    fn promoted(&self) -> Bitboard {
        let [.., pawns, lances, knights, silvers, bishops, rooks] = self.kinds;
        pawns | lances | knights | silvers | bishops | rooks
    }
    #[inline(always)]
    fn nonpawns(&self, pieces: Bitboard) -> Bitboard {
        pieces ^ self.both(PieceKind::Pawn, PieceKind::ProPawn)
    }
    #[inline(always)]
    fn with_bit1(&self) -> Bitboard {
        self.both(PieceKind::Silver, PieceKind::ProSilver) | self.golds_bishops_rooks()
    }
    #[inline(always)]
    fn with_bit2(&self) -> Bitboard {
        self.both(PieceKind::Knight, PieceKind::ProKnight) | self.golds_bishops_rooks()
    }
    #[inline(always)]
    fn golds_bishops_rooks(&self) -> Bitboard {
        self.golds() | self.bishops_rooks()
    }
    #[inline(always)]
    fn bishops_rooks(&self) -> Bitboard {
        self.both(PieceKind::Bishop, PieceKind::ProBishop) | self.rooks()
    }
    #[inline(always)]
    fn rooks(&self) -> Bitboard {
        self.both(PieceKind::Rook, PieceKind::ProRook)
    }
}

/// What a word was gathered from.
struct Gathered {
    /// The number of pieces on the board, kings aside.
    pieces: u32,
    in_hands: u32,
    /// All kings, Black's and White's.
    kings: [Bitboard; 3],
    /// The word's `pt_bit0` to `pt_bit4` without tails.
    kind: [u64; 5],
}

/// Packs a setup of forty pieces; for any other, returns `false` and writes an arbitrary word.
#[inline(always)]
pub fn pack<B: BitOps>(ops: B, setup: &Setup, word: &mut Word) -> bool {
    let parts = setup.parts();
    let gathered = gather(ops, setup, parts.hands, parts.side, word);
    gathered.pieces + gathered.in_hands + gathered.kings[0].len() == 40
}

/// Packs the boards of a whole set; for any others, returns `false` and writes an arbitrary word.
#[inline(always)]
pub fn pack_boards<B: BitOps>(ops: B, boards: &PieceBoards, word: &mut Word) -> bool {
    let is_consistent = boards.is_consistent(ops);
    let gathered = gather(ops, boards, boards.hands, boards.side, word);
    let [kings, black, white] = gathered.kings;
    is_consistent
        & is_whole(ops, gathered.pieces, gathered.kind, boards.hands)
        & (kings.len() == 2)
        & !black.is_empty()
        & !white.is_empty()
}

/// Writes the word of a board with hands, if these are forty pieces, and an arbitrary word otherwise.
#[inline(always)]
fn gather<B: BitOps, S: Sets>(
    ops: B,
    board: &S,
    in_hands: [Hand; 2],
    side: Color,
    word: &mut Word,
) -> Gathered {
    let among = |squares: Bitboard| ops.board_mask(squares.lanes());
    let lanes = word.as_chunks_mut().0;
    let hands = hands::pack(ops, in_hands);
    let [black, white] = board.colors();
    let king = board.kings();
    let pieces = (black | white) ^ king;

    let [black_king, white_king] = [king & black, king & white];
    let kings = (white_king.first_index() as u64) << 23 | (black_king.first_index() as u64) << 16;
    let [low, high] = gaps::close::<2, _>(ops, pieces, king);
    lanes[0] = (low << 1 | side.array_index() as u64).to_le_bytes();
    let promoted = among(pieces ^ board.golds()).compress_u64(board.promoted().lanes());
    lanes[1] = (high | kings | promoted << 30).to_le_bytes();

    let piece = among(pieces);
    let nonpawns = board.nonpawns(pieces);
    let bit0 = piece.compress_u64(nonpawns.lanes());
    let nonpawn = among(nonpawns);
    let bit1 = nonpawn.compress_u64(board.with_bit1().lanes());
    let bit2 = nonpawn.compress_u64(board.with_bit2().lanes());
    // The third bit plane crosses two lanes: six bits here, fourteen in the next.
    lanes[2] = (bit0 | bit1 << 38 | bit2 << 58).to_le_bytes();

    let bit3 = among(board.golds_bishops_rooks()).compress_u64(board.bishops_rooks().lanes());
    let bit4 = among(board.bishops_rooks()).compress_u64(board.rooks().lanes());
    let color = piece.compress_u64(white.lanes()) | hands.colors.wrapping_shl(piece.len());
    lanes[3] = (bit2 >> 6 | bit3 << 14 | bit4 << 22 | color << 26).to_le_bytes();
    Gathered {
        pieces: piece.len(),
        in_hands: hands.len,
        kings: [king, black_king, white_king],
        kind: [bit0, bit1, bit2, bit3, bit4],
    }
}

/// Unpacks a good word; for any other, returns `false` and leaves the setup unchanged.
#[inline(always)]
pub fn unpack<B: BitOps>(ops: B, word: &Word, setup: &mut Setup) -> bool {
    let planes = Planes::split(ops, word);
    let counts = Counts::new(ops, &planes);
    let hands = Spread::new(ops, counts.off_board, planes.color.wrapping_shr(planes.pieces));
    let is_valid = counts.are_valid && hands.are_ordered && planes.have_kings();
    if is_valid {
        scatter(ops, word, &planes, &hands, setup.parts_mut_trusted());
        debug_assert_eq!(Setup::from_parts(*setup.parts()), Ok(*setup));
    }
    is_valid
}

/// Writes the parts of a good word.
#[inline(always)]
fn scatter<B: BitOps>(ops: B, word: &Word, planes: &Planes, hands: &Spread, parts: &mut SetupParts) {
    let [black_king, white_king] = planes.kings;
    let king = squares::set(black_king) | squares::set(white_king);
    let free = squares::others(black_king) & squares::others(white_king);
    // Of the 79 squares, which start at bit 1 of the word, lane 0 has its number of free squares, 61 to 63; the others end in
    // byte 9.
    let [low, high] = free.lanes();
    let rest = u64::from_le_bytes(*word[7..].first_chunk().expect("25 bytes are more than eight"));
    let rest = rest.wrapping_shr(ops.popcount(low) + 9);
    let pieces = Bitboard::from_lanes_trusted([ops.pdep(planes.occupied[0], low), ops.pdep(rest, high)]);

    // Numbers with a bit per piece, possibly with bits past the last piece, are expanded to the board directly.
    let board = ops.board_mask(pieces.lanes());
    let among = |pieces: u64| Bitboard::from_lanes_trusted(board.expand_u64(pieces));
    parts.side = color::from_bit(planes.white_to_move);
    parts.kinds[BaseKind::King as usize] = king;
    let white = among(planes.color) | squares::set(white_king);
    parts.colors = [(pieces | king) ^ white, white];

    // The lane from pt_bit0 on. Cutting it off after 38 bits would cost more than two instructions: `BZHI` has its count in a
    // byte of a register, and depends on the register's old value.
    let nonpawns = to_lanes(word)[2];
    let [_, kind1, kind2, kind3, kind4] = planes.kind;
    parts.kinds[BaseKind::Pawn as usize] = among(!nonpawns);
    let bit1 = ops.pdep(kind1, nonpawns);
    let bit2 = ops.pdep(kind2, nonpawns);
    parts.kinds[BaseKind::Lance as usize] = among(nonpawns & !(bit1 | bit2));
    parts.kinds[BaseKind::Knight as usize] = among(bit2 & !bit1);
    parts.kinds[BaseKind::Silver as usize] = among(bit1 & !bit2);
    let gbr = bit1 & bit2;
    let bishops_rooks = ops.pdep(kind3, gbr);
    let golds = gbr & !bishops_rooks;
    parts.kinds[BaseKind::Gold as usize] = among(golds);
    parts.promoted = among(ops.pdep(planes.promoted, !golds));
    let rooks = ops.pdep(kind4, bishops_rooks);
    parts.kinds[BaseKind::Bishop as usize] = among(bishops_rooks & !rooks);
    parts.kinds[BaseKind::Rook as usize] = among(rooks);
    let [black, white] = hands.bits(ops);
    parts.hands = [Hand::from_bits_trusted(black), Hand::from_bits_trusted(white)];
}

//! [`GameWord`]: the word of a position on which moves are made.

use core::fmt;

use komabako_board::{BaseKind, Color, Setup, Square, color, square};

use super::pack::{Writer, codes_of_eight, codes_of_kind};
use super::tables::Tables;
use super::{Scheme, refusal, removed_lanes};
use crate::byte_board::{ByteBoard, Cell, KING, PROMOTED, WHITE};
use crate::hcp::HuffmanCodedPos;
use crate::packed_sfen::Psv;
use crate::{PackError, Word, lanes};

/// The squares whose codes are kept together.
const GROUP: usize = 8;
/// The groups of a board.
const GROUPS: usize = square::COUNT.div_ceil(GROUP);
/// The groups of a place off the board: pawns, then two kinds each.
const KINDS: usize = 4;

/// The PSV or HCP word of a position that changes by moves: a third of the work of packing each position of a game.
///
/// A move changes the codes of two squares and one or no kind in a hand, so the others are kept, in groups.
///
/// ```
/// use komabako_codec::{GameWord, PackedSfen, PositionCodec, Setup, Square};
/// let mut game = GameWord::psv(&Setup::START)?;
/// game.move_piece(Square::SQ_7G, Square::SQ_7F, false);
/// let setup = PackedSfen::new().unpack(&game.word())?;
/// assert_eq!((setup.piece_at(Square::SQ_7G), setup.piece_at(Square::SQ_7F).is_some()), (None, true));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct GameWord {
    tables: &'static Tables,
    /// The cells of the squares. Those beyond the board are kings, which have no code.
    cells: [Cell; GROUPS * GROUP],
    /// The codes of each group and their length, in the order of the word: the board, Black's hand, White's, removed pieces.
    codes: [(u64, u32); GROUPS + 3 * KINDS],
    /// The groups with codes: nearly every set is complete.
    used: usize,
    /// The squares of Black's and White's king.
    kings: [u8; 2],
    /// The pieces off the board by place, in [lanes].
    counts: [u64; 3],
    side: Color,
}

impl fmt::Debug for GameWord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GameWord")
            .field("kings", &self.kings)
            .field("side", &self.side)
            .finish_non_exhaustive()
    }
}

impl GameWord {
    /// The PSV word of a setup.
    ///
    /// # Errors
    /// As [`PackedSfen`](crate::PackedSfen): a king is missing.
    pub fn psv(setup: &Setup) -> Result<GameWord, PackError> {
        GameWord::with_scheme::<Psv>(setup)
    }

    /// The HCP word of a setup.
    ///
    /// # Errors
    /// As [`Hcp`](crate::Hcp): a king is missing.
    pub fn hcp(setup: &Setup) -> Result<GameWord, PackError> {
        GameWord::with_scheme::<HuffmanCodedPos>(setup)
    }

    fn with_scheme<S: Scheme>(setup: &Setup) -> Result<GameWord, PackError> {
        const {
            let spec = &S::SPEC;
            assert!(spec.has_box && !spec.side_after_board && !spec.ranks_from_below);
            let mut index = 0;
            while index < spec.tail_order.len() {
                assert!(spec.tail_order[index] as usize == index, "kinds are grouped in their order");
                index += 1;
            }
        }
        let (Some(black), Some(white)) = (setup.king(Color::Black), setup.king(Color::White)) else {
            return Err(refusal(&S::SPEC, setup));
        };
        let [of_black, of_white] = setup.parts().hands.map(lanes::of_hand);
        let removed = removed_lanes(setup);
        let mut game = GameWord {
            tables: S::TABLES,
            cells: [KING; GROUPS * GROUP],
            codes: [(0, 0); GROUPS + 3 * KINDS],
            used: GROUPS + if removed == 0 { 2 } else { 3 } * KINDS,
            kings: [black, white].map(|king| king.array_index() as u8),
            counts: [of_black, of_white, removed],
            side: setup.side_to_move(),
        };
        game.cells[..square::COUNT].copy_from_slice(ByteBoard::of_setup(setup).cells());
        (0..GROUPS).for_each(|group| game.encode_squares(group));
        for place in 0..3 {
            (0..7).for_each(|kind| game.encode_kind(place, kind));
        }
        Ok(game)
    }

    /// Moves a piece of the side to move, and takes what stands on its target into the hand.
    ///
    /// The move must be pseudo-legal and take no king; after others the word is unspecified.
    #[inline]
    pub fn move_piece(&mut self, from: Square, to: Square, promotes: bool) {
        let side = self.side.array_index();
        let from = from.array_index();
        let to = to.array_index();
        let moved = self.cells[from];
        let captured = usize::from(self.cells[to] & 7);
        if captured > 0 {
            self.counts[side] = self.counts[side].wrapping_add(1 << (8 * (captured - 1)));
            self.encode_kind(side, captured - 1);
        }
        if moved & !WHITE == KING {
            self.kings[side] = to as u8;
        }
        self.cells[from] = 0;
        self.cells[to] = moved | if promotes { PROMOTED } else { 0 };
        self.encode_squares(from / GROUP);
        self.encode_squares(to / GROUP);
        self.side = color::opponent(self.side);
    }

    /// Drops a piece of the side to move.
    ///
    /// The move must be pseudo-legal; after others the word is unspecified. Nothing happens if the piece is a king.
    #[inline]
    pub fn drop_piece(&mut self, kind: BaseKind, to: Square) {
        if kind == BaseKind::King {
            return;
        }
        let side = self.side.array_index();
        let to = to.array_index();
        self.counts[side] = self.counts[side].wrapping_sub(1 << (8 * kind as u32));
        self.encode_kind(side, kind as usize);
        self.cells[to] = kind as Cell + 1 + [0, WHITE][side];
        self.encode_squares(to / GROUP);
        self.side = color::opponent(self.side);
    }

    /// Finds the codes of a group of squares.
    #[inline(always)]
    fn encode_squares(&mut self, group: usize) {
        let eight = self.cells.as_chunks::<GROUP>().0[group];
        self.codes[group] = codes_of_eight(self.tables, u64::from_le_bytes(eight));
    }

    /// Finds the codes of the group of a kind in a place.
    #[inline(always)]
    fn encode_kind(&mut self, place: usize, kind: usize) {
        let runs = &self.tables.runs[place];
        let group = kind.div_ceil(2);
        let (mut codes, mut len) = codes_of_kind(self.tables, runs, 2 * group, self.counts[place]);
        if group > 0 {
            let (first, first_len) = codes_of_kind(self.tables, runs, 2 * group - 1, self.counts[place]);
            codes = first | codes.wrapping_shl(first_len);
            len += first_len;
        }
        self.codes[GROUPS + KINDS * place + group] = (codes, len);
    }

    /// The word.
    #[inline]
    pub fn word(&self) -> Word {
        let mut writer = Writer::new();
        let [black, white] = self.kings.map(u64::from);
        let side = u64::from(self.side == Color::White);
        writer.push_bits(side | black << 1 | white << 8, 15);
        writer.flush();
        // A group has at most 56 bits: four of eight squares hold a bishop or a rook, eighteen pawns have 54.
        for &(codes, len) in &self.codes[..self.used] {
            writer.push_bits(codes, len);
            writer.flush();
        }
        writer.word()
    }
}

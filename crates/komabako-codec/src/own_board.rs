//! Engines' own boards: sets of squares, a byte per square in the engine's codes, or any other type.
//!
//! Any board is converted to the parts of a [`Setup`] without a branch per square, checked as a whole, and packed from
//! there; unpacking uses the same steps in reverse.

use komabako_bits::{Backend, BitOps, Bytes, Kernel, Lanes, dispatch};
use komabako_board::{BaseKind, Bitboard, Color, Hand, Piece, Setup, SetupError, SetupParts, Square, square};

use crate::byte_board::{self, ByteBoard, CELLS};
use crate::kernels::Kernels;
use crate::{Form, Source, Word, lanes};

/// The number of kinds of pieces, promoted kinds included.
const KINDS: usize = 14;

/// The index of the first promoted kind in a [`PieceBoards`], P L N S B R.
const PROMOTED: usize = 8;

/// The kinds that promote, in the order of their promoted kinds.
const PROMOTABLE: [BaseKind; 6] =
    [BaseKind::Pawn, BaseKind::Lance, BaseKind::Knight, BaseKind::Silver, BaseKind::Bishop, BaseKind::Rook];

/// A position in the form of most engines: a set of squares for each of the fourteen kinds of pieces, and one for each colour.
///
/// For engines that keep eight sets, with promoted pieces marked in a ninth, see [`SetupParts`].
///
/// ```
/// use komabako_board::{Bitboard, PieceKind, Setup};
/// use komabako_codec::{ByteBoardCodec, PackedSfen, PieceBoards, PositionCodec};
/// let boards = PieceBoards::of_setup(&Setup::START);
/// assert_eq!(boards.kinds[PieceKind::Pawn.array_index()].len(), 18);
/// let word = PackedSfen::new().pack_from(&boards)?;
/// assert_eq!(PackedSfen::new().unpack_boards(&word)?, boards);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PieceBoards {
    /// The squares of each kind, of both colours, by [`PieceKind::array_index`](komabako_board::PieceKind::array_index):
    /// P L N S G B R K, then the promoted P L N S B R.
    pub kinds: [Bitboard; KINDS],
    /// The squares of Black's and White's pieces, kings included.
    pub colors: [Bitboard; 2],
    /// Black's and White's hands.
    pub hands: [Hand; 2],
    /// The side to move.
    pub side: Color,
}

impl PieceBoards {
    /// Nothing on the board or in the hands, Black to move.
    pub const EMPTY: Self = Self {
        kinds: [Bitboard::EMPTY; KINDS],
        colors: [Bitboard::EMPTY; 2],
        hands: [Hand::EMPTY; 2],
        side: Color::Black,
    };

    /// The boards of a setup.
    #[inline]
    pub fn of_setup(setup: &Setup) -> Self {
        let parts = setup.parts();
        let mut kinds = [Bitboard::EMPTY; KINDS];
        for (kind, base) in kinds.iter_mut().zip(&parts.kinds) {
            *kind = base.without(parts.promoted);
        }
        for (kind, base) in kinds[PROMOTED..].iter_mut().zip(PROMOTABLE) {
            *kind = parts.kinds[base as usize] & parts.promoted;
        }
        Self { kinds, colors: parts.colors, hands: parts.hands, side: parts.side }
    }

    /// Copies the boards of a setup, two per vector. Without vectors the compiler keeps all 28 words at once, most of them on the
    /// stack.
    #[inline]
    pub(crate) fn copy_from(&mut self, backend: Backend, setup: &Setup) {
        struct Split<'a>(&'a SetupParts, &'a mut PieceBoards);
        impl Kernel for Split<'_> {
            type Output = ();
            #[inline(always)]
            fn run<B: BitOps>(self, ops: B) {
                let Self(parts, boards) = self;
                let [p, l, n, s, g, b, r, k] = parts.kinds;
                let all_promoted = side_by_side(ops, [parts.promoted; 2]);
                let (plain, promoted) = boards.kinds.split_at_mut(PROMOTED);
                for (kinds, to) in plain.as_chunks_mut().0.iter_mut().enumerate() {
                    let kinds = [[p, l], [n, s], [g, b], [r, k]][kinds];
                    *to = apart::<B>(side_by_side(ops, kinds).without(all_promoted));
                }
                for (kinds, to) in promoted.as_chunks_mut().0.iter_mut().enumerate() {
                    let kinds = [[p, l], [n, s], [b, r]][kinds];
                    *to = apart::<B>(side_by_side(ops, kinds) & all_promoted);
                }
                (boards.colors, boards.hands, boards.side) = (parts.colors, parts.hands, parts.side);
            }
        }
        dispatch(backend, Split(setup.parts(), self));
    }

    /// The parts of these boards, and the squares that hold a kind both promoted and unpromoted.
    fn parts(&self) -> (SetupParts, Bitboard) {
        let mut kinds = [Bitboard::EMPTY; 8];
        kinds.copy_from_slice(&self.kinds[..PROMOTED]);
        let mut promoted = Bitboard::EMPTY;
        let mut twice = Bitboard::EMPTY;
        for (&more, base) in self.kinds[PROMOTED..].iter().zip(PROMOTABLE) {
            let kind = &mut kinds[base as usize];
            twice |= *kind & more;
            *kind |= more;
            promoted |= more;
        }
        let &Self { colors, hands, side, .. } = self;
        (SetupParts { colors, kinds, promoted, hands, side }, twice)
    }

    /// Writes the parts of these boards, and returns whether a [`Setup`] can have them.
    ///
    /// Two boards are joined at a time, in one vector. One at a time in general registers took 418 instructions on `bmi2`, of which
    /// 191 moved values to the stack and back.
    #[inline(always)]
    fn join<B: BitOps>(&self, ops: B, parts: &mut SetupParts) -> bool {
        const NONE: Bitboard = Bitboard::EMPTY;
        let [p, l, n, s, g, b, r, k, pro_p, pro_l, pro_n, pro_s, pro_b, pro_r] = self.kinds;
        let plain = [[p, l], [n, s], [g, b], [r, k]];
        let promoted = [[pro_p, pro_l], [pro_n, pro_s], [NONE, pro_b], [pro_r, NONE]];
        let mut all_promoted = side_by_side(ops, [NONE; 2]);
        for (pair, joined) in parts.kinds.as_chunks_mut().0.iter_mut().enumerate() {
            let promoted = side_by_side(ops, promoted[pair]);
            all_promoted = all_promoted | promoted;
            *joined = apart::<B>(side_by_side(ops, plain[pair]) | promoted);
        }
        let [first, second] = apart::<B>(all_promoted);
        parts.promoted = first | second;
        (parts.colors, parts.hands, parts.side) = (self.colors, self.hands, self.side);
        self.is_consistent(ops) & is_within_one_set(ops, parts)
    }

    /// Whether each square with a colour has one colour and one kind, and each other square none.
    #[inline(always)]
    pub(crate) fn is_consistent<B: BitOps>(&self, ops: B) -> bool {
        let none = side_by_side(ops, [Bitboard::EMPTY; 2]);
        let mut once = none;
        let mut twice = none;
        for &kinds in self.kinds.as_chunks().0 {
            let kinds = side_by_side(ops, kinds);
            twice = twice | once & kinds;
            once = once | kinds;
        }
        let [first, second] = apart::<B>(once);
        let [first, second] = [ops.v128(first.lanes()), ops.v128(second.lanes())];
        let [black, white] = [ops.v128(self.colors[0].lanes()), ops.v128(self.colors[1].lanes())];
        let faults = first & second | black & white | (first | second) ^ (black | white);
        twice.is_zero() & faults.is_zero()
    }
}

impl Form for PieceBoards {
    #[inline]
    fn pack(&self, kernels: &Kernels, backend: Backend, word: &mut Word) -> bool {
        kernels.pack_boards.is_some_and(|pack| pack(backend, self, word))
    }

    #[inline]
    fn write_setup(&self, backend: Backend, setup: &mut Setup) -> Result<(), SetupError> {
        struct Join<'a>(&'a PieceBoards, &'a mut SetupParts);
        impl Kernel for Join<'_> {
            type Output = bool;
            #[inline(always)]
            fn run<B: BitOps>(self, ops: B) -> bool {
                self.0.join(ops, self.1)
            }
        }
        if dispatch(backend, Join(self, setup.parts_mut_trusted())) {
            return Ok(());
        }
        let (parts, twice) = self.parts();
        match twice.first() {
            Some(square) => Err(SetupError::Inconsistent(square)),
            None => Setup::from_parts(parts).map(|slow| *setup = slow),
        }
    }
}

impl Form for SetupParts {
    /// [`Setup::from_parts`] on a backend, in place.
    #[inline]
    fn write_setup(&self, backend: Backend, setup: &mut Setup) -> Result<(), SetupError> {
        struct IsOneSet<'a>(&'a SetupParts);
        impl Kernel for IsOneSet<'_> {
            type Output = bool;
            #[inline(always)]
            fn run<B: BitOps>(self, ops: B) -> bool {
                is_one_set(ops, self.0)
            }
        }
        if dispatch(backend, IsOneSet(self)) {
            *setup.parts_mut_trusted() = *self;
            return Ok(());
        }
        Setup::from_parts(*self).map(|slow| *setup = slow)
    }
}

/// Two boards in one vector.
#[inline(always)]
fn side_by_side<B: BitOps>(ops: B, [first, second]: [Bitboard; 2]) -> B::V256 {
    let [a, b] = first.lanes();
    let [c, d] = second.lanes();
    ops.v256([a, b, c, d])
}

/// The two boards of a vector: the inverse of [`side_by_side`].
#[inline(always)]
fn apart<B: BitOps>(vector: B::V256) -> [Bitboard; 2] {
    let [a, b, c, d] = vector.to_words();
    [Bitboard::from_lanes_trusted([a, b]), Bitboard::from_lanes_trusted([c, d])]
}

/// Whether [`Setup::from_parts`] accepts these parts. There are no branches, since an engine's positions are normally good; the
/// slow check finds the fault of a bad one.
#[inline(always)]
fn is_one_set<B: BitOps>(ops: B, parts: &SetupParts) -> bool {
    let [black, white] = parts.colors;
    let [pawn, lance, knight, silver, gold, bishop, rook, king] = parts.kinds;
    let mut once = Bitboard::EMPTY;
    let mut faults = black & white;
    for set in [pawn, lance, knight, silver, gold, bishop, rook] {
        faults |= once & set;
        once |= set;
    }
    faults |= once & king | (once | king) ^ (black | white) | parts.promoted.without(once.without(gold));
    faults.is_empty() & is_within_one_set(ops, parts)
}

/// Whether board and hands hold at most as many pieces of each kind as a set has, and one king of each colour. All kinds are
/// counted side by side in the bytes of a word.
///
/// The counts are a chain of shifts on purpose: when they were shifted independently, the compiler counted with vectors that it
/// loaded from two of the boards just stored, and waited for both (1.25 times as long to pack bitboards as SSPFv1 on Zen 5).
#[inline(always)]
fn is_within_one_set<B: BitOps>(ops: B, parts: &SetupParts) -> bool {
    // The top bit of each byte lane: it stays set unless a subtraction from the lane goes below zero.
    const SPARE: u64 = 0x80_8080_8080_8080;
    let [pawn, lance, knight, silver, gold, bishop, rook, king] = parts.kinds;
    let in_hands = lanes::of_hand_on(ops, parts.hands[0]) + lanes::of_hand_on(ops, parts.hands[1]);
    let mut on_board = 0;
    for set in [rook, bishop, gold, silver, knight, lance, pawn] {
        on_board = on_board << 8 | count(ops, set);
    }
    let [black, white] = parts.colors;
    let is_within = ((lanes::INVENTORY | SPARE) - in_hands - on_board) & SPARE == SPARE;
    is_within & (count(ops, king & black) < 2) & (count(ops, king & white) < 2)
}

/// The number of squares of a set.
#[inline(always)]
fn count<B: BitOps>(ops: B, set: Bitboard) -> u64 {
    let [low, high] = set.lanes();
    u64::from(ops.popcount(low) + ops.popcount(high))
}

/// An engine's codes for the content of a square, a byte each, converted to and from [`Cell`](crate::Cell)s.
///
/// Made once, it converts a whole board at a time: with vectors if all codes are below 32, as in most engines.
///
/// ```
/// use komabako_board::{Color, Hand, Piece, PieceKind, Square};
/// use komabako_codec::{ByteBoardCodec, Hcp, Mailbox, PieceTable, PositionCodec};
/// // The kind's number, plus sixteen for White's.
/// let table = PieceTable::new(|piece| piece.map_or(0, Piece::as_u8));
/// let mut squares = [0; 81];
/// squares[Square::SQ_5I.array_index()] = Piece::new(PieceKind::King, Color::Black).as_u8();
/// squares[Square::SQ_5A.array_index()] = Piece::new(PieceKind::King, Color::White).as_u8();
/// let mailbox = Mailbox { squares: &squares, table: &table, hands: [Hand::EMPTY; 2], side: Color::White };
/// let word = Hcp::new().pack_from(&mailbox)?;
///
/// let mut unpacked = [0; 81];
/// let (hands, side) = Hcp::new().unpack_mailbox(&word, &table, &mut unpacked)?;
/// assert_eq!((unpacked, hands, side), (squares, [Hand::EMPTY; 2], Color::White));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct PieceTable {
    /// The cell of each code, [`NO_CELL`] for unused codes.
    cells: [u8; 256],
    /// The code of each cell.
    codes: [u8; CELLS],
    /// The cells of the codes below 32, if no code is higher.
    low_cells: Option<[u8; 32]>,
}

/// A bit that no [`Cell`] has.
const NO_CELL: u8 = 0x20;

impl PieceTable {
    /// The table of the codes that a function returns for an empty square and for the 28 pieces.
    ///
    /// # Panics
    /// If it returns the same code for two of them.
    pub fn new(code: impl Fn(Option<Piece>) -> u8) -> Self {
        let mut cells = [NO_CELL; 256];
        let mut codes = [code(None); CELLS];
        cells[usize::from(code(None))] = 0;
        for piece in Piece::all() {
            let cell = byte_board::cell(piece);
            let code = code(Some(piece));
            let entry = &mut cells[usize::from(code)];
            assert_eq!(*entry, NO_CELL, "the code {code} stands for {piece:?} and for something else");
            (*entry, codes[usize::from(cell)]) = (cell, code);
        }
        let low_cells = codes.iter().all(|&code| code < 32).then(|| *cells.first_chunk().expect("32 of 256"));
        Self { cells, codes, low_cells }
    }

    /// Writes the squares of a board in these codes.
    pub fn write(&self, board: &ByteBoard, squares: &mut [u8; square::COUNT]) {
        self.write_on(Backend::detect(), board, squares);
    }

    pub(crate) fn write_on(&self, backend: Backend, board: &ByteBoard, squares: &mut [u8; square::COUNT]) {
        struct LookUp<'a>(&'a Bytes, &'a [u8; 32], &'a mut [u8; square::COUNT]);
        impl Kernel for LookUp<'_> {
            type Output = ();
            #[inline(always)]
            fn run<B: BitOps>(self, ops: B) {
                *self.2 = *ops.lookup(self.0, self.1).first_chunk().expect("96 bytes are more than 81");
            }
        }
        dispatch(backend, LookUp(&board.cells, &self.codes, squares));
    }
}

/// A position as a byte per square in an engine's codes.
#[derive(Clone, Copy, Debug)]
pub struct Mailbox<'a> {
    /// The codes, by square index.
    pub squares: &'a [u8; square::COUNT],
    /// What they stand for. The first square whose code it lacks is [`SetupError::Inconsistent`].
    pub table: &'a PieceTable,
    /// Black's and White's hands.
    pub hands: [Hand; 2],
    /// The side to move.
    pub side: Color,
}

impl Mailbox<'_> {
    /// Converts the codes with a function.
    #[inline(always)]
    fn convert<T>(&self, convert: impl FnOnce(&Codes) -> T) -> T {
        let &Mailbox { squares, table, hands, side } = self;
        if let Some(low) = &table.low_cells {
            return convert(&Codes { squares, table: low, empty: table.codes[0], hands, side });
        }
        let cells = squares.map(|code| table.cells[usize::from(code)]);
        convert(&Codes { squares: &cells, table: &THEMSELVES, empty: 0, hands, side })
    }
}

impl Form for Mailbox<'_> {
    #[inline]
    fn pack(&self, kernels: &Kernels, backend: Backend, word: &mut Word) -> bool {
        kernels.pack_codes.is_some_and(|pack| self.convert(|codes| pack(backend, codes, word)))
    }

    fn write_setup(&self, backend: Backend, setup: &mut Setup) -> Result<(), SetupError> {
        self.convert(|codes| codes.write_setup(backend, setup))
    }
}

/// The table that maps each [`Cell`] to itself.
static THEMSELVES: [u8; CELLS] = {
    let mut cells = [0; CELLS];
    let mut cell = 0;
    while cell < CELLS {
        cells[cell] = cell as u8;
        cell += 1;
    }
    cells
};

/// The codes of a board to be converted and checked. A code beyond the table is invalid.
pub(crate) struct Codes<'a> {
    squares: &'a [u8; square::COUNT],
    table: &'a [u8; CELLS],
    /// The code of an empty square.
    empty: u8,
    pub hands: [Hand; 2],
    pub side: Color,
}

impl Codes<'_> {
    /// The cells, and whether each code is in the table.
    #[inline(always)]
    pub fn read<B: BitOps>(&self, ops: B) -> (Bytes, bool) {
        // Copied here instead of earlier, so that the bytes go from the engine's board to vectors without a store in between.
        let bytes = padded(self.squares, self.empty);
        let cells = ops.lookup(&bytes, self.table);
        let mut bits = 0;
        for (index, codes) in bytes.as_chunks().0.iter().enumerate() {
            bits |= u64::from_le_bytes(*codes) | u64::from_le_bytes(cells.as_chunks().0[index]);
        }
        (cells, bits & NOT_CELLS == 0)
    }
}

/// Writes the parts of a position and returns whether they are good.
struct ToParts<'a>(&'a Codes<'a>, &'a mut SetupParts);

impl Kernel for ToParts<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<B: BitOps>(self, ops: B) -> bool {
        let Self(codes, parts) = self;
        let (cells, are_cells) = codes.read(ops);
        (parts.hands, parts.side) = (codes.hands, codes.side);
        are_of_pieces(ops, ops.bytes_to_boards(&cells), parts) & is_within_one_set(ops, parts) & are_cells
    }
}

/// The bytes of a board and the code of an empty square behind them.
///
/// The last square and what follows it are one number: as a byte stored over others, it would make the load of the whole wait.
#[inline(always)]
fn padded(squares: &[u8; square::COUNT], empty: u8) -> Bytes {
    let fill = u64::from_le_bytes([empty; 8]);
    let (eighty, last) = squares.split_first_chunk::<80>().expect("81 squares");
    let mut bytes = [0; 96];
    *bytes.first_chunk_mut().expect("96 bytes are more than 80") = *eighty;
    let rest = bytes.as_chunks_mut::<8>().0;
    rest[10] = (fill & !0xff | u64::from(last[0])).to_le_bytes();
    rest[11] = fill.to_le_bytes();
    bytes
}

/// Writes the boards of the parts from the five bits of each cell, as [`byte_board::parts_of`] does, and returns whether each
/// cell is empty or a piece. If so, the kinds and the colours cannot overlap, since they are decoded from one cell per square.
///
/// A vector per board, not [`byte_board::parts_of`], whose general registers are too few: with it packing a mailbox as SSPFv1 took 17 %
/// more instructions on `bmi2`.
#[inline(always)]
fn are_of_pieces<B: BitOps>(ops: B, boards: [[u64; 2]; 5], parts: &mut SetupParts) -> bool {
    let [a, b, c, d, white] = boards;
    let [a, b, c, d, white] = [ops.v128(a), ops.v128(b), ops.v128(c), ops.v128(d), ops.v128(white)];
    let ab = a & b;
    let any = a | b | c;
    let gold = (a & c).without(b);
    let promoted = d & any;
    let occupied = any | d;
    parts.colors = [set::<B>(occupied.without(white)), set::<B>(white)];
    parts.kinds = [
        set::<B>(a.without(b | c)),
        set::<B>(b.without(a | c)),
        set::<B>(ab.without(c)),
        set::<B>(c.without(a | b)),
        set::<B>(gold),
        set::<B>((b & c).without(a)),
        set::<B>(ab & c),
        set::<B>(d.without(any)),
    ];
    parts.promoted = set::<B>(promoted);
    (white.without(occupied) | promoted & gold).is_zero()
}

/// The set of squares in a vector.
#[inline(always)]
fn set<B: BitOps>(vector: B::V128) -> Bitboard {
    Bitboard::from_lanes_trusted(vector.to_words())
}

/// The bits that no [`Cell`] has, in eight bytes.
const NOT_CELLS: u64 = u64::from_le_bytes([!(CELLS as u8 - 1); 8]);

impl Codes<'_> {
    #[inline]
    fn write_setup(&self, backend: Backend, setup: &mut Setup) -> Result<(), SetupError> {
        let parts = setup.parts_mut_trusted();
        if dispatch(backend, ToParts(self, parts)) { Ok(()) } else { Err(self.fault(parts)) }
    }

    /// The fault: the first square whose code is not a cell, or the result of the slow check.
    #[cold]
    fn fault(&self, parts: &SetupParts) -> SetupError {
        for (square, &code) in square::all().zip(self.squares) {
            if self.table.get(usize::from(code)).is_none_or(|&cell| usize::from(cell) >= CELLS) {
                return SetupError::Inconsistent(square);
            }
        }
        let Err(error) = Setup::from_parts(*parts) else {
            unreachable!("the fast check refuses only what the slow one refuses")
        };
        error
    }
}

/// The cells of [`Piece::as_u8`], 0 for none.
static CELLS_OF_PIECES: [u8; 32] = {
    let mut cells = [NO_CELL; 32];
    cells[0] = 0;
    let mut index = 0;
    while index < BaseKind::ALL.len() {
        let base = BaseKind::ALL[index];
        let cell = byte_board::base_cell(base);
        let kinds = [Some(base.unpromoted()), base.promoted()];
        let mut promoted = 0;
        while promoted < kinds.len() {
            if let Some(kind) = kinds[promoted] {
                let cell = cell | (byte_board::PROMOTED * promoted as u8);
                cells[kind as usize] = cell;
                cells[kind as usize + 16] = cell | byte_board::WHITE;
            }
            promoted += 1;
        }
        index += 1;
    }
    cells
};

/// From the source's bytes, or else square by square.
impl<S: Source> Form for S {
    #[inline]
    fn pack(&self, kernels: &Kernels, backend: Backend, word: &mut Word) -> bool {
        self.mailbox().is_some_and(|mailbox| mailbox.pack(kernels, backend, word))
    }

    fn write_setup(&self, backend: Backend, setup: &mut Setup) -> Result<(), SetupError> {
        if let Some(mailbox) = self.mailbox() {
            return mailbox.write_setup(backend, setup);
        }
        let mut squares = [0; square::COUNT];
        // File by file: in one loop the compiler inserts each code into a vector of AVX-512, which takes 1.7 times as long.
        for (file, codes) in (1..=9).zip(squares.as_chunks_mut::<9>().0) {
            for (rank, code) in (1..=9).zip(codes) {
                let piece = Square::new(file, rank).and_then(|square| self.piece_at(square));
                *code = piece.map_or(0, Piece::as_u8);
            }
        }
        let mut hands = [Hand::EMPTY; 2];
        for (hand, side) in hands.iter_mut().zip([Color::Black, Color::White]) {
            let counts = BaseKind::IN_HAND.map(|kind| self.hand_count(side, kind));
            *hand = Hand::from_counts(counts).ok_or_else(|| too_many(counts))?;
        }
        let side = self.side_to_move();
        Codes { squares: &squares, table: &CELLS_OF_PIECES, empty: 0, hands, side }
            .write_setup(backend, setup)
    }
}

/// The first kind whose count is too high for a hand.
#[cold]
fn too_many(counts: [u8; 7]) -> SetupError {
    let kinds = BaseKind::IN_HAND.into_iter().zip(counts);
    let kind = kinds.rev().fold(
        BaseKind::Rook,
        |first, (kind, count)| {
            if count > kind.inventory() { kind } else { first }
        },
    );
    SetupError::TooMany(kind)
}

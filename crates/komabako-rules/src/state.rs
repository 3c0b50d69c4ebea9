//! [`State`]: a position in which moves are made and taken back.

use core::fmt;
use core::ops::Deref;

use komabako_bits::{Backend, BitOps, Kernel, dispatch};
use komabako_board::{
    BaseKind, Bitboard, Color, Hand, Piece, Position, Setup, SetupParts, Square, color, square,
};
use komabako_messages::{Lang, Message, say};

use crate::attacks::{SQUARES, between, bit};
use crate::checks::{self, Threats};
use crate::code::Code;
use crate::zobrist::Key;
use crate::{Illegality, Move16};

/// A position to play from: board, hands, side to move and Zobrist key, changed in place by moves.
///
/// It consists of a [`Keyless`], which has the query methods, and a key. `K` is the width of the key (`u64`, `u128`, or `()`
/// for none). One king or both may be missing, as in tsume problems; a missing king is never in check.
///
/// ```
/// use komabako_rules::{MoveList, State};
/// let mut state: State = State::start();
/// let mut moves = MoveList::new();
/// state.legal_moves(&mut moves);
/// assert_eq!(moves.len(), 30);
///
/// let undo = state.do_move("7g7f".parse().unwrap());
/// state.undo_move(undo);
/// assert_eq!(state, State::start());
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct State<K: Key = u64> {
    pub(crate) keyless: Keyless,
    key: K,
}

/// All of a [`State`] but its key: everything that legal moves, checks and attacks depend on.
///
/// It keeps the sets of a [`Setup`], a byte for each square, the squares of the kings, and the checkers and pinned pieces
/// of the side to move: 352 bytes. A separate type, so that the generator is compiled once instead of once per key width.
#[derive(Clone, PartialEq, Eq)]
pub struct Keyless {
    pub(crate) kinds: [Bitboard; 8],
    pub(crate) colors: [Bitboard; 2],
    pub(crate) promoted: Bitboard,
    board: [Code; SQUARES],
    pub(crate) hands: [Hand; 2],
    /// The index of each king's square; 81 if it is missing.
    pub(crate) kings: [u8; 2],
    pub(crate) white: bool,
    /// The threats to the king of the side to move.
    pub(crate) threats: Threats,
}

impl fmt::Debug for Keyless {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Keyless")
            .field("hands", &self.hands)
            .field("kings", &self.kings)
            .finish_non_exhaustive()
    }
}

impl<K: Key> Deref for State<K> {
    type Target = Keyless;

    #[inline(always)]
    fn deref(&self) -> &Keyless {
        &self.keyless
    }
}

impl<K: Key> TryFrom<&Position> for State<K> {
    type Error = OpponentInCheck;

    fn try_from(position: &Position) -> Result<Self, OpponentInCheck> {
        Self::new(position)
    }
}

impl<K: Key> From<Keyless> for State<K> {
    /// The same position with a key of any width, or none: `State::<u128>::from(Keyless::clone(&state))`.
    fn from(keyless: Keyless) -> Self {
        let key = keyless.key_from_scratch();
        Self { keyless, key }
    }
}

/// The data with which [`State::undo_move`] takes a move back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Undo<K: Key = u64> {
    mv: Move16,
    captured: Code,
    threats: Threats,
    key: K,
}

impl<K: Key> Undo<K> {
    /// The move that this takes back.
    #[inline(always)]
    pub const fn mv(&self) -> Move16 {
        self.mv
    }

    /// Whether the move captured a piece.
    #[inline(always)]
    pub const fn is_capture(&self) -> bool {
        !self.captured.is_empty()
    }
}

/// The error for a position in which the side that is not to move is in check: it cannot arise in a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OpponentInCheck;

impl Message for OpponentInCheck {
    fn write(&self, lang: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        say!(f, lang, "the side that is not to move is in check", "手番でない側の玉に王手がかかっている")
    }
}

komabako_messages::english!(OpponentInCheck);

impl core::error::Error for OpponentInCheck {}

/// Makes a state from a position.
pub(crate) struct SetUp<'a>(pub &'a Position);

impl Kernel for SetUp<'_> {
    type Output = Result<Keyless, OpponentInCheck>;

    #[inline(always)]
    fn run<B: BitOps>(self, ops: B) -> Self::Output {
        let mut state = Keyless::without_codes(self.0)?;
        let [a, b, c, d, e, f] = state.code_planes();
        // One transposition makes the codes of all squares.
        let planes = [a.lanes(), b.lanes(), c.lanes(), d.lanes(), e.lanes(), f.lanes()];
        let bytes = ops.boards_to_bytes(&planes);
        for (square, &byte) in bytes[..square::COUNT].iter().enumerate() {
            state.board[square] = Code::from_planes(byte);
        }
        Ok(state)
    }
}

/// The first bit of each kind's field in a packed [`Hand`], by the number of [`BaseKind`].
const HAND_SHIFTS: [u32; 8] = [0, 8, 12, 16, 20, 24, 28, 0];
/// One piece of each kind in a packed [`Hand`]; 0 for kings.
const HAND_UNITS: [u32; 8] = [1, 1 << 8, 1 << 12, 1 << 16, 1 << 20, 1 << 24, 1 << 28, 0];

/// The base kind's number by YaneuraOu's number.
const BASE_OF_NUMBER: [u8; 8] = {
    let mut table = [0; 8];
    let mut number = 1;
    while number < 8 {
        table[number] = BaseKind::YANEURAOU[number - 1] as u8;
        number += 1;
    }
    table
};

impl<K: Key> State<K> {
    /// The state of a position. About 30 ns without a key.
    ///
    /// # Errors
    /// [`OpponentInCheck`]; [`Position`] guarantees all other requirements.
    pub fn new(position: &Position) -> Result<Self, OpponentInCheck> {
        let keyless = dispatch(Backend::detect(), SetUp(position))?;
        let key = keyless.key_from_scratch();
        Ok(Self { keyless, key })
    }

    /// The start of an even game.
    pub fn start() -> Self {
        match Self::new(&Position::START) {
            Ok(state) => state,
            Err(OpponentInCheck) => unreachable!("no piece attacks a king"),
        }
    }

    /// The Zobrist key, see [`zobrist`](crate::zobrist).
    #[inline(always)]
    pub const fn key(&self) -> K {
        self.key
    }

    /// Makes a move if the rules allow it.
    ///
    /// # Errors
    /// The reason why they forbid it; the state is unchanged.
    ///
    /// ```
    /// use komabako_rules::{Illegality, State};
    /// let mut state: State = State::start();
    /// assert!(state.play("7g7f".parse().unwrap()).is_ok());
    /// assert_eq!(state.play("3c3e".parse().unwrap()).err(), Some(Illegality::Unreachable));
    /// ```
    pub fn play(&mut self, mv: Move16) -> Result<Undo<K>, Illegality> {
        self.judge(mv)?;
        Ok(self.do_move(mv))
    }

    /// Makes a move that is known to be legal.
    ///
    /// The move must be pseudo-legal ([`is_pseudo_legal`](Keyless::is_pseudo_legal)) in this position, and capture no king;
    /// other moves leave the state inconsistent (but never panic in release builds). A move that leaves its own king in
    /// check must be taken back before another move is made.
    // In WebAssembly a call costs less than the bytes of an inlined copy in each caller.
    #[cfg_attr(target_family = "wasm", inline(never))]
    #[cfg_attr(not(target_family = "wasm"), inline)]
    pub fn do_move(&mut self, mv: Move16) -> Undo<K> {
        if self.white { self.make::<true>(mv) } else { self.make::<false>(mv) }
    }

    /// Takes back the last move that was made.
    #[cfg_attr(target_family = "wasm", inline(never))]
    #[cfg_attr(not(target_family = "wasm"), inline)]
    pub fn undo_move(&mut self, undo: Undo<K>) {
        if self.white { self.unmake::<false>(undo) } else { self.unmake::<true>(undo) }
    }

    /// Gives the move to the other side; calling it again takes that back. The side to move must not be in check.
    #[inline]
    pub fn do_null_move(&mut self) {
        self.keyless.white = !self.white;
        self.key.toggle_side();
        // Now the threats to the other king matter.
        self.keyless.threats = self.threats_from_scratch();
    }

    /// The Zobrist key of the board and the side to move, without the hands: equal for positions that differ only in hands.
    /// About 5 ns.
    #[inline]
    pub fn board_key(&self) -> K {
        let mut key = self.key;
        key.toggle_whole_hand(false, self.hands[0]);
        key.toggle_whole_hand(true, self.hands[1]);
        key
    }

    /// The [`board_key`](State::board_key) after a pseudo-legal move, computed from the present one. The move is not made; about
    /// 3 ns.
    #[inline]
    pub fn board_key_after(&self, board_key: K, mv: Move16) -> K {
        let mut key = board_key;
        let to = mv.target();
        if mv.is_drop() {
            let base = usize::from(BASE_OF_NUMBER[mv.source() % 8]);
            key.toggle_piece(Code::unpromoted(base, self.white).number(), to);
        } else {
            let before = self.code_at(mv.source());
            let captured = self.code_at(to);
            if !captured.is_empty() {
                key.toggle_piece(captured.number(), to);
            }
            key.toggle_piece(before.number(), mv.source());
            key.toggle_piece(before.promoted_if(mv.is_promotion()).number(), to);
        }
        key.toggle_side();
        key
    }

    /// Gives one piece in hand to the other colour and updates the key. Returns whether the hand had such a piece.
    ///
    /// Giving it back restores the state. A mate solver uses this to test whether a capture still mates if the captured piece is
    /// given back.
    #[inline]
    pub fn give(&mut self, kind: BaseKind, from: Color) -> bool {
        let giver = from.array_index();
        let taker = color::opponent(from).array_index();
        let (Some(fewer), Some(more)) = (self.hands[giver].removed(kind), self.hands[taker].added(kind))
        else {
            return false;
        };
        self.key.toggle_hand(giver * 8 + kind as usize, self.hands[giver].count(kind).into());
        self.key.toggle_hand(taker * 8 + kind as usize, more.count(kind).into());
        (self.keyless.hands[giver], self.keyless.hands[taker]) = (fewer, more);
        true
    }

    #[inline(always)]
    pub(crate) fn make<const WHITE: bool>(&mut self, mv: Move16) -> Undo<K> {
        let us = usize::from(WHITE);
        let Self { keyless: state, key } = self;
        let threats = state.threats;
        let key_before = *key;
        let to = mv.target();
        let to_bit = bit(to);
        let mut captured = Code::EMPTY;
        let moved;
        if mv.is_drop() {
            let base = usize::from(BASE_OF_NUMBER[mv.source() % 8]);
            let code = Code::unpromoted(base, WHITE);
            // While the hand still counts it: the word of the last piece of its kind is removed.
            key.toggle_hand(us * 8 + base, state.count_in_hand(us, base));
            state.hands[us] = Hand::from_bits_trusted(state.hands[us].bits().wrapping_sub(HAND_UNITS[base]));
            state.colors[us] ^= to_bit;
            state.kinds[base] ^= to_bit;
            state.board[to % SQUARES] = code;
            key.toggle_piece(code.number(), to);
            moved = code;
        } else {
            let from = mv.source();
            let before = state.code_at(from);
            let after = before.promoted_if(mv.is_promotion());
            let both = bit(from) | to_bit;
            captured = state.code_at(to);
            if !captured.is_empty() {
                let base = captured.base();
                state.colors[1 - us] ^= to_bit;
                state.kinds[base] ^= to_bit;
                // Before the moving piece, which may be promoted, sets its own flag on the same square.
                state.promoted = state.promoted.without(to_bit);
                state.hands[us] =
                    Hand::from_bits_trusted(state.hands[us].bits().wrapping_add(HAND_UNITS[base]));
                key.toggle_piece(captured.number(), to);
                key.toggle_hand(us * 8 + base, state.count_in_hand(us, base));
            }
            state.colors[us] ^= both;
            state.kinds[before.base()] ^= both;
            if after.is_promoted() {
                state.promoted = state.promoted.without(bit(from)) | to_bit;
            }
            state.board[from % SQUARES] = Code::EMPTY;
            state.board[to % SQUARES] = after;
            if before.base() == BaseKind::King as usize {
                state.kings[us] = to as u8;
            }
            key.toggle_piece(before.number(), from);
            key.toggle_piece(after.number(), to);
            moved = after;
        }
        state.white = !WHITE;
        key.toggle_side();
        state.threats = if WHITE {
            Threats::after_move::<false>(state, moved, to_bit)
        } else {
            Threats::after_move::<true>(state, moved, to_bit)
        };
        Undo { mv, captured, threats, key: key_before }
    }

    /// Takes back a move of the colour.
    #[inline(always)]
    pub(crate) fn unmake<const WHITE: bool>(&mut self, undo: Undo<K>) {
        let us = usize::from(WHITE);
        let Undo { mv, captured, threats, key } = undo;
        self.key = key;
        let state = &mut self.keyless;
        let to = mv.target();
        let to_bit = bit(to);
        let after = state.code_at(to);
        if mv.is_drop() {
            let base = after.base();
            state.hands[us] = Hand::from_bits_trusted(state.hands[us].bits().wrapping_add(HAND_UNITS[base]));
            state.colors[us] ^= to_bit;
            state.kinds[base] ^= to_bit;
            state.board[to % SQUARES] = Code::EMPTY;
        } else {
            let from = mv.source();
            let before = after.demoted_if(mv.is_promotion());
            let both = bit(from) | to_bit;
            state.colors[us] ^= both;
            state.kinds[after.base()] ^= both;
            if after.is_promoted() {
                state.promoted = state.promoted.without(to_bit);
                if before.is_promoted() {
                    state.promoted |= bit(from);
                }
            }
            if !captured.is_empty() {
                let base = captured.base();
                state.colors[1 - us] ^= to_bit;
                state.kinds[base] ^= to_bit;
                if captured.is_promoted() {
                    state.promoted |= to_bit;
                }
                state.hands[us] =
                    Hand::from_bits_trusted(state.hands[us].bits().wrapping_sub(HAND_UNITS[base]));
            }
            state.board[from % SQUARES] = before;
            state.board[to % SQUARES] = captured;
            if before.base() == BaseKind::King as usize {
                state.kings[us] = from as u8;
            }
        }
        state.white = WHITE;
        // The undo carries the threats: finding them again would need another look at all sliders.
        state.threats = threats;
    }

    #[inline(always)]
    pub(crate) fn undo_inlined(&mut self, undo: Undo<K>) {
        if self.white { self.unmake::<false>(undo) } else { self.unmake::<true>(undo) }
    }
}

impl Keyless {
    /// The board, the hands and the side to move.
    pub fn setup(&self) -> Setup {
        Setup::from_parts_trusted(SetupParts {
            colors: self.colors,
            kinds: self.kinds,
            promoted: self.promoted,
            hands: self.hands,
            side: self.side_to_move(),
        })
    }

    /// The side to move.
    #[inline(always)]
    pub const fn side_to_move(&self) -> Color {
        color::from_bit(self.white)
    }

    /// The piece on a square.
    #[inline(always)]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        self.code_at(square.array_index()).piece()
    }

    /// A colour's hand.
    #[inline(always)]
    pub const fn hand(&self, color: Color) -> Hand {
        self.hands[color.array_index()]
    }

    /// The hand of the side to move after a pseudo-legal move of its own, which is not made.
    #[inline]
    pub fn hand_after(&self, mv: Move16) -> Hand {
        let hand = self.hands[usize::from(self.white)].bits();
        let captured = self.code_at(mv.target());
        Hand::from_bits_trusted(if mv.is_drop() {
            hand.wrapping_sub(HAND_UNITS[usize::from(BASE_OF_NUMBER[mv.source() % 8])])
        } else if captured.is_empty() {
            hand
        } else {
            hand.wrapping_add(HAND_UNITS[captured.base()])
        })
    }

    /// The square of a colour's king, or `None` if it is missing.
    #[inline(always)]
    pub fn king(&self, color: Color) -> Option<Square> {
        square::from_index(self.kings[color.array_index()].into())
    }

    /// Whether a colour's king is attacked. For the side to move this is a load.
    #[inline]
    pub fn is_in_check(&self, color: Color) -> bool {
        let king = usize::from(self.kings[color.array_index()]);
        match color {
            _ if color == self.side_to_move() => !self.threats.checkers.is_empty(),
            Color::Black => checks::is_attacked::<false>(self, king, self.occupied()),
            Color::White => checks::is_attacked::<true>(self, king, self.occupied()),
        }
    }

    /// The opponent's pieces that give check to the side to move. Kept up to date by moves.
    #[inline(always)]
    pub const fn checkers(&self) -> Bitboard {
        self.threats.checkers
    }

    /// The pieces of the side to move that may move only on the line of their king. Kept up to date by moves.
    #[inline(always)]
    pub const fn pinned(&self) -> Bitboard {
        self.threats.pinned
    }

    /// The squares between the king of the side to move and the one slider that gives check; empty if no piece, more than
    /// one or a neighbour gives check. Drops in check are drops on these.
    #[inline]
    pub fn interposition_squares(&self) -> Bitboard {
        let checkers = self.threats.checkers;
        if checkers.is_empty() || !checks::is_single(checkers) {
            return Bitboard::EMPTY;
        }
        between(self.kings[usize::from(self.white)].into(), checkers.first_index())
    }

    /// The threats to the side to move, found from the pieces.
    #[inline(always)]
    fn threats_from_scratch(&self) -> Threats {
        if self.white { Threats::to::<true, false>(self) } else { Threats::to::<false, true>(self) }
    }

    /// The squares of all pieces.
    #[inline(always)]
    pub fn occupied(&self) -> Bitboard {
        self.colors[0] | self.colors[1]
    }

    #[inline(always)]
    pub(crate) fn code_at(&self, square: usize) -> Code {
        self.board[square % SQUARES]
    }

    #[inline(always)]
    fn count_in_hand(&self, side: usize, base: usize) -> usize {
        let field = self.hands[side].bits() >> HAND_SHIFTS[base];
        (field & if base == 0 { 0xff } else { 0xf }) as usize
    }

    /// A position without the codes of its squares, of which [`find_code`](Self::find_code) adds one.
    #[inline(always)]
    pub(crate) fn without_codes(position: &Position) -> Result<Self, OpponentInCheck> {
        let &SetupParts { colors, kinds, promoted, hands, side } = position.parts();
        let king = kinds[BaseKind::King as usize];
        // An empty set has an index beyond the board; 81 has an empty row in every table.
        let black_king = (king & colors[0]).first_index().min(square::COUNT);
        let white_king = (king & colors[1]).first_index().min(square::COUNT);
        let kings = [black_king as u8, white_king as u8];
        let board = [Code::EMPTY; SQUARES];
        let white = side == Color::White;
        let threats = Threats::NONE;
        let mut state = Keyless { kinds, colors, promoted, board, hands, kings, white, threats };
        state.threats = state.threats_from_scratch();
        let is_opponent_in_check = if white {
            checks::is_attacked::<false>(&state, black_king, state.occupied())
        } else {
            checks::is_attacked::<true>(&state, white_king, state.occupied())
        };
        if is_opponent_in_check { Err(OpponentInCheck) } else { Ok(state) }
    }

    /// A plane for each bit of a [`Code`].
    #[inline(always)]
    fn code_planes(&self) -> [Bitboard; 6] {
        let [_, l, n, s, g, b, r, k] = self.kinds;
        let white = self.colors[1];
        [l | s | b | k, n | s | r | k, g | b | r | k, self.promoted, white, self.colors[0] | white]
    }

    /// Finds the code of one square from the sets of pieces.
    #[inline(always)]
    pub(crate) fn find_code(&mut self, square: usize) {
        let mut bits = 0;
        for (place, plane) in self.code_planes().iter().enumerate() {
            bits |= u8::from(plane.intersects(bit(square))) << place;
        }
        self.board[square % SQUARES] = Code::from_planes(bits);
    }

    /// The key computed from the pieces; [`key`](State::key) must equal it.
    pub fn key_from_scratch<K: Key>(&self) -> K {
        let mut key = K::START;
        // Without a key the walk over all pieces has no effect, but would not be optimised away.
        if size_of::<K>() == 0 {
            return key;
        }
        for square in self.occupied() {
            key.toggle_piece(self.code_at(square.array_index()).number(), square.array_index());
        }
        for (side, hand) in self.hands.into_iter().enumerate() {
            for (kind, count) in hand.counts() {
                (1..=count).for_each(|count| key.toggle_hand(side * 8 + kind as usize, count.into()));
            }
        }
        if self.white {
            key.toggle_side();
        }
        key
    }
}

impl<K: Key> fmt::Debug for State<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("State").field("setup", &self.setup()).field("key", &self.key).finish()
    }
}

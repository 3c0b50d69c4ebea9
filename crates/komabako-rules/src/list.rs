//! [`MoveList`]: the moves of a position, in place.

use core::fmt;
use core::ops::Deref;

use komabako_bits::BitOps;

use crate::Move16;

/// The number of moves that a list can hold.
///
/// No position has more than 593 legal moves. A bound that holds for pseudo-legal moves of every setup: each of the
/// seven kinds in hand drops on at most 81 squares (567); on the board 2 rooks and 2 bishops have at most 16 squares
/// each, twice for promotion (128), 4 lances 8 (64), 4 knights 2 (16), 4 silvers 5 (40), 4 golds 6 (24), 18 tokins 6
/// (108) and the king 8: 955 in all.
const CAPACITY: usize = 1024;
/// The number of moves that [`Writer::push_chunk`] stores at once.
const CHUNK: usize = 8;
/// The number of moves that [`Writer::repeat`] stores at once.
const LONG_CHUNK: usize = 16;
/// The number of long chunks that hold a move to each square of the board.
const LONG_CHUNKS: usize = 6;
/// The entries after the capacity, which absorb the excess moves of chunks.
const SLACK: usize = LONG_CHUNKS * LONG_CHUNK;

/// The moves of a position: a list of fixed size, 2 KiB, that needs no allocation.
///
/// Creating a list clears its memory once; [generating](crate::Keyless::legal_moves) into it again does not. Keep one per ply.
#[derive(Clone)]
pub struct MoveList {
    moves: [Move16; CAPACITY + SLACK],
    len: usize,
}

impl MoveList {
    /// No moves.
    pub const fn new() -> Self {
        Self { moves: [Move16::NONE; CAPACITY + SLACK], len: 0 }
    }

    /// Discards the moves and starts writing.
    #[inline(always)]
    pub(crate) fn write<B: BitOps>(&mut self, ops: B) -> Writer<'_, B> {
        Writer { moves: &mut self.moves, len: 0, end: &mut self.len, ops }
    }

    /// Keeps only the moves for which `keep` returns true, in order.
    #[inline(always)]
    pub fn retain(&mut self, mut keep: impl FnMut(Move16) -> bool) {
        let mut len = 0;
        for index in 0..self.len {
            let mv = self.moves[index];
            // Every move is stored, and only the length depends on the result: no branch to predict.
            self.moves[len] = mv;
            len += usize::from(keep(mv));
        }
        self.len = len;
    }
}

impl Default for MoveList {
    fn default() -> Self {
        Self::new()
    }
}

impl Deref for MoveList {
    type Target = [Move16];
    #[inline(always)]
    fn deref(&self) -> &[Move16] {
        // The length never exceeds `CAPACITY`; without `min` the compiler, which cannot know that, would keep a bounds check.
        &self.moves[..self.len.min(CAPACITY)]
    }
}

/// The same moves in the same order.
impl PartialEq for MoveList {
    fn eq(&self, other: &Self) -> bool {
        self[..] == other[..]
    }
}

impl Eq for MoveList {}

impl fmt::Debug for MoveList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl<'a> IntoIterator for &'a MoveList {
    type Item = &'a Move16;
    type IntoIter = core::slice::Iter<'a, Move16>;

    #[inline(always)]
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// Appends to a [`MoveList`]. Its length is a local, so that it stays in a register.
pub(crate) struct Writer<'a, B> {
    moves: &'a mut [Move16; CAPACITY + SLACK],
    len: usize,
    end: &'a mut usize,
    /// The instructions to use.
    pub ops: B,
}

// Loops by index: closures, and `copy_from_slice` of the standard library, were called from kernels that other crates compile in many
// units.
impl<B> Writer<'_, B> {
    /// Appends one move.
    #[inline(always)]
    pub fn push(&mut self, bits: u16) {
        // Never wraps, by the proof of `CAPACITY`: the remainder replaces a bounds check, whose panic would cost a
        // branch per move.
        self.moves[self.len % CAPACITY] = Move16::from_bits(bits);
        self.len += 1;
    }

    /// Appends the first `count` of eight moves with one store; later moves overwrite the rest.
    #[inline(always)]
    pub fn push_chunk(&mut self, moves: [u16; CHUNK], count: u32) {
        let start = self.len % CAPACITY;
        let mut index = 0;
        while index < CHUNK {
            self.moves[start + index] = Move16::from_bits(moves[index]);
            index += 1;
        }
        self.len += count as usize;
    }

    /// Appends the last `count` moves again, at most one for each square of the board, each with some bits changed.
    #[inline(always)]
    pub fn repeat(&mut self, count: usize, change: u16) {
        let from = self.len.wrapping_sub(count) % CAPACITY;
        let to = self.len % CAPACITY;
        let mut chunk = 0;
        while chunk < LONG_CHUNKS && chunk * LONG_CHUNK < count {
            let mut moves = [Move16::NONE; LONG_CHUNK];
            let mut index = 0;
            while index < LONG_CHUNK {
                let old = self.moves[from + chunk * LONG_CHUNK + index];
                moves[index] = Move16::from_bits(old.bits() ^ change);
                index += 1;
            }
            // All loads come before the stores, so that the compiler makes vectors of both: the two ranges may overlap.
            index = 0;
            while index < LONG_CHUNK {
                self.moves[to + chunk * LONG_CHUNK + index] = moves[index];
                index += 1;
            }
            chunk += 1;
        }
        self.len += count;
    }

    /// Ends the list here.
    #[inline(always)]
    pub fn finish(self) {
        debug_assert!(self.len <= CAPACITY);
        *self.end = self.len;
    }
}

//! [`MoveList`]: the moves of a position, in place.

use core::fmt;
use core::ops::Deref;

use crate::Move16;

/// The number of moves that a list can hold.
///
/// No position has more than 593 legal moves. A bound that holds for pseudo-legal moves of every setup: each of the
/// seven kinds in hand drops on at most 81 squares (567); on the board 2 rooks and 2 bishops have at most 16 squares
/// each, twice for promotion (128), 4 lances 8 (64), 4 knights 2 (16), 4 silvers 5 (40), 4 golds 6 (24), 18 tokins 6
/// (108) and the king 8: 955 in all. The remaining entries absorb the excess moves of [`Writer::put`].
const CAPACITY: usize = 1024;
/// The number of moves that [`Writer::put`] stores at once.
const CHUNK: usize = 8;

/// The moves of a position: a list of fixed size, 2 KiB, that needs no allocation.
///
/// Creating a list clears its memory once; [generating](crate::Keyless::legal_moves) into it again does not. Keep one per ply.
#[derive(Clone)]
pub struct MoveList {
    moves: [Move16; CAPACITY + CHUNK],
    len: usize,
}

impl MoveList {
    /// No moves.
    pub const fn new() -> Self {
        Self { moves: [Move16::NONE; CAPACITY + CHUNK], len: 0 }
    }

    /// Discards the moves and starts writing.
    #[inline(always)]
    pub(crate) fn write(&mut self) -> Writer<'_> {
        Writer { moves: &mut self.moves, len: 0, end: &mut self.len }
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
pub(crate) struct Writer<'a> {
    moves: &'a mut [Move16; CAPACITY + CHUNK],
    len: usize,
    end: &'a mut usize,
}

impl Writer<'_> {
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
        self.moves[start..start + CHUNK].copy_from_slice(&moves.map(Move16::from_bits));
        self.len += count as usize;
    }

    /// Ends the list here.
    #[inline(always)]
    pub fn finish(self) {
        debug_assert!(self.len <= CAPACITY);
        *self.end = self.len;
    }
}

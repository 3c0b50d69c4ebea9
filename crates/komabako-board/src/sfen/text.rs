//! The canonical text.

use core::fmt;

use super::Sfen;
use crate::{BaseKind, Color, Setup};

/// The longest text: 40 pieces of two bytes on the board, at most five numbers of empty squares in a rank, eight `/`,
/// the side, `-` and a ply of ten digits. A piece in a hand takes two bytes at most as well.
const CAPACITY: usize = 40 * 2 + 9 * 5 + 8 + 2 + 2 + 11;

/// A canonical SFEN in a buffer on the stack. ASCII.
#[derive(Clone, Copy)]
pub struct SfenText {
    bytes: [u8; CAPACITY],
    len: usize,
}

impl SfenText {
    pub(super) fn new(sfen: &Sfen) -> SfenText {
        let mut text = SfenText { bytes: [0; CAPACITY], len: 0 };
        text.board(&sfen.setup);
        text.push(b' ');
        text.push(match sfen.setup.side_to_move() {
            Color::Black => b'b',
            Color::White => b'w',
        });
        text.push(b' ');
        text.hands(&sfen.setup);
        if let Some(ply) = sfen.ply {
            text.push(b' ');
            text.number(ply);
        }
        text
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        // Cannot fail: only ASCII is pushed.
        str::from_utf8(self.as_bytes()).unwrap_or_default()
    }

    /// The text's bytes: for writing files, as it skips the UTF-8 check.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    fn board(&mut self, setup: &Setup) {
        let letters = letters(setup);
        for (row, squares) in letters.chunks_exact(9).enumerate() {
            if row > 0 {
                self.push(b'/');
            }
            let mut empty = 0;
            for &letter in squares {
                // Every byte is written, then kept or overwritten without a branch: no predictor could learn where pieces are.
                let occupied = letter != 0;
                self.push_if(occupied & (empty > 0), b'0' + empty);
                self.push_if(letter & PROMOTED != 0, b'+');
                self.push_if(occupied, letter & !PROMOTED);
                empty = if occupied { 0 } else { empty + 1 };
            }
            self.push_if(empty > 0, b'0' + empty);
        }
    }

    fn hands(&mut self, setup: &Setup) {
        let start = self.len;
        for color in [Color::Black, Color::White] {
            let hand = setup.hand(color);
            for kind in BaseKind::SFEN_HAND {
                let count = hand.count(kind);
                if count > 1 {
                    self.number(count.into());
                }
                if count > 0 {
                    self.push(kind.letter() as u8 | if color == Color::White { LOWER_CASE } else { 0 });
                }
            }
        }
        if self.len == start {
            self.push(b'-');
        }
    }

    fn number(&mut self, value: u32) {
        if value >= 10 {
            self.number(value / 10);
        }
        self.push(b'0' + (value % 10) as u8);
    }

    fn push(&mut self, byte: u8) {
        self.push_if(true, byte);
    }

    fn push_if(&mut self, keep: bool, byte: u8) {
        self.bytes[self.len] = byte;
        self.len += usize::from(keep);
    }
}

/// The bit in which the letter of a White piece differs from Black's.
const LOWER_CASE: u8 = 0x20;
/// Marks the letter of a promoted piece.
const PROMOTED: u8 = 0x80;

/// For each square in the order of an SFEN, rank a first and file 9 first: 0 or the piece's letter with its marks.
fn letters(setup: &Setup) -> [u8; 81] {
    let mut letters = [0; 81];
    for kind in BaseKind::ALL {
        for square in setup.kind(kind) {
            letters[ROW_MAJOR[square.array_index()]] = kind.letter() as u8;
        }
    }
    for square in setup.color(Color::White) {
        letters[ROW_MAJOR[square.array_index()]] |= LOWER_CASE;
    }
    for square in setup.promoted() {
        letters[ROW_MAJOR[square.array_index()]] |= PROMOTED;
    }
    letters
}

/// The place in an SFEN of each square index.
const ROW_MAJOR: [usize; 81] = {
    let mut places = [0; 81];
    let mut index = 0;
    while index < 81 {
        places[index] = index % 9 * 9 + 8 - index / 9;
        index += 1;
    }
    places
};

impl fmt::Debug for SfenText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_str().fmt(f)
    }
}

impl fmt::Display for SfenText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

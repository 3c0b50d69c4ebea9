//! [`Codebook`]: the codes of a [`Spec`], found by the bits that they begin with.
//!
//! The slow readers look codes up here. Comparing with the text of every code, bit by bit, would take ten times as long, and
//! some files are full of words for these readers: faulty words, and words of older programs.

use komabako_board::BaseKind;

use super::spec::Spec;

/// A spec, and the code that any eight bits begin with. No code is longer, and none is a prefix of another.
#[derive(Debug)]
pub struct Codebook {
    /// The codes as written in the specification.
    pub spec: &'static Spec,
    board: [Entry; 256],
    tail: [Entry; 256],
}

/// A code that was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Code {
    /// The number of its bits.
    pub len: usize,
    /// The kind, and the column of the spec; `None` for an empty square.
    pub piece: Option<(BaseKind, usize)>,
}

/// The length of a code, its row and its column; length 0 means no code.
type Entry = (u8, u8, u8);

/// The row of the code of an empty square.
const EMPTY: u8 = 7;

impl Codebook {
    /// Computes the tables.
    pub const fn new(spec: &'static Spec) -> Self {
        let mut board = [(0, 0, 0); 256];
        let mut tail = [(0, 0, 0); 256];
        let mut bits = 0;
        while bits < 256 {
            board[bits] = entry(&spec.board, bits);
            tail[bits] = entry(&spec.tail, bits);
            // Written last, over an entry without a code: no piece's code begins with the bit of an empty square.
            if begins(bits, spec.empty) {
                board[bits] = (spec.empty.len() as u8, EMPTY, 0);
            }
            bits += 1;
        }
        Codebook { spec, board, tail }
    }

    /// The code of a square that eight bits begin with.
    pub fn on_board(&self, bits: u8) -> Option<Code> {
        code(self.board[usize::from(bits)])
    }

    /// The code of a piece off the board that eight bits begin with.
    pub fn off_board(&self, bits: u8) -> Option<Code> {
        code(self.tail[usize::from(bits)])
    }
}

fn code((len, row, column): Entry) -> Option<Code> {
    let piece = (row != EMPTY).then(|| (BaseKind::IN_HAND[usize::from(row)], usize::from(column)));
    (len > 0).then_some(Code { len: len.into(), piece })
}

/// The code that bits begin with.
const fn entry<const COLUMNS: usize>(codes: &[[&str; COLUMNS]; 7], bits: usize) -> Entry {
    let mut row = 0;
    while row < codes.len() {
        let mut column = 0;
        while column < COLUMNS {
            let code = codes[row][column];
            // The first match is the only one, since no code is a prefix of another.
            if begins(bits, code) {
                return (code.len() as u8, row as u8, column as u8);
            }
            column += 1;
        }
        row += 1;
    }
    (0, 0, 0)
}

/// Whether bits begin with a code that is not empty.
const fn begins(bits: usize, code: &str) -> bool {
    let code = code.as_bytes();
    let mut index = 0;
    while index < code.len() {
        // The first bit of a code is the least significant of the window.
        if (bits >> index & 1 == 1) != (code[index] == b'1') {
            return false;
        }
        index += 1;
    }
    !code.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hcp::HuffmanCodedPos;
    use crate::huffman::Scheme;
    use crate::nshogi::HuffmanCode;
    use crate::packed_sfen::Psv;

    /// Every code is found, for any bits after it, and none is a prefix of another.
    fn every_code_is_found<S: Scheme>() {
        let Codebook { spec, .. } = S::CODEBOOK;
        let board = spec.board.iter().flatten().chain([&spec.empty]);
        let check = |code: &str, found: fn(&Codebook, u8) -> Option<Code>| {
            let value = code.bytes().rev().fold(0, |bits, bit| bits << 1 | usize::from(bit == b'1'));
            for after in 0..1_usize << (8 - code.len()) {
                let found = found(S::CODEBOOK, (value | after << code.len()) as u8);
                assert_eq!(found.map(|found| found.len), Some(code.len()), "{} {code}", S::NAME);
            }
            1 << (8 - code.len())
        };
        let covered = |codes: &mut dyn Iterator<Item = &&str>, found| -> usize {
            codes.filter(|code| !code.is_empty()).map(|code| check(code, found)).sum()
        };
        let covered = [
            (covered(&mut board.into_iter(), Codebook::on_board), Codebook::on_board as fn(&_, _) -> _),
            (covered(&mut spec.tail.iter().flatten(), Codebook::off_board), Codebook::off_board),
        ];
        for (count, found) in covered {
            assert_eq!((0..=255).filter(|&bits| found(S::CODEBOOK, bits).is_some()).count(), count);
        }
        let knight = spec.board[BaseKind::Knight as usize][3];
        let bits = knight.bytes().rev().fold(0, |bits, bit| bits << 1 | u8::from(bit == b'1'));
        let piece = S::CODEBOOK.on_board(bits).and_then(|code| code.piece);
        assert_eq!(piece, Some((BaseKind::Knight, 3)), "{}", S::NAME);
    }

    #[test]
    fn every_code_of_every_format_is_found_by_its_bits() {
        every_code_is_found::<Psv>();
        every_code_is_found::<HuffmanCodedPos>();
        every_code_is_found::<HuffmanCode>();
    }
}

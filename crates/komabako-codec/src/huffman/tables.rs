//! [`Tables`]: the tables of the fast form, computed from a [`Spec`] by the compiler.

use super::codes::Codes;
use super::fields;
use super::spec::Spec;
use super::tail::Runs;
use crate::byte_board::{CELLS, Cell};

/// The tables of one format.
#[derive(Debug)]
pub struct Tables {
    /// The codes of two squares, the first cell in the low five bits of the index: the codes one after the other, and
    /// from bit 16 up their length.
    pub pairs: [u32; CELLS * CELLS],
    /// By cell: its code.
    pub codes: [u8; CELLS],
    /// By cell: the length of its code, 0 for kings.
    pub lens: [u8; CELLS],
    /// The cell whose code eight bits of the board begin with.
    pub cells: [Cell; 256],
    /// The codes that a window of the board begins with.
    pub codes_of_board: Codes,
    /// The code that seven bits of the tail begin with.
    pub tail: [TailCode; 128],
    /// The codes that a window of the tail begins with.
    pub runs_of_tail: Runs,
    /// By place and kind, P L N S G B R: the code repeated to fill 64 bits.
    pub runs: [[u64; 7]; 3],
    /// By kind, P L N S G B R: the length of a tail code.
    pub tail_len: [u8; 7],
    /// The states of the automaton; see [`Automaton`].
    pub automaton: Automaton,
}

/// The code that some bits of the tail begin with.
#[derive(Clone, Copy, Debug)]
pub struct TailCode {
    /// The length of the code; 7 if the bits begin with no code.
    pub len: u8,
    /// The place, 0..3: Black's hand, White's hand, box; 3 if the bits begin with no code.
    pub place: u8,
    /// The kind, P L N S G B R.
    pub kind: u8,
    /// One piece of that kind, in [fields]; 1 if the bits begin with no code.
    pub piece: u32,
    /// The code's rank in the order of the tail: it never comes before a code of lower rank. 21 if the bits begin with no code.
    pub rank: u8,
}

/// Finds the starts of codes on the board, eight bits at a time.
///
/// A state describes the last code of a byte: 0, it ended with the byte; 1 to 3, that many bits are left; 4 to 7, its first
/// 1 to 4 bits have been seen and its length is still open. A table's entry holds one byte
/// for each state, so that a step is a load that does not depend on the state, and a shift that does.
#[derive(Debug)]
pub struct Automaton {
    /// By byte: eight times the next state, for each state.
    pub next: [u64; 256],
    /// By byte: the bits at which a code begins, for each state.
    pub starts: [u64; 256],
}

impl Tables {
    /// Computes the tables.
    pub const fn new(spec: &Spec) -> Self {
        let codes = codes(spec);
        let board = board(&codes);
        let (tail, runs, tail_len) = tail(spec);
        let pairs = pairs(&codes);
        let automaton = Automaton::new(&board);
        let runs_of_tail = Runs::new(spec, &tail);
        let (codes, lens) = split(&codes);
        Self {
            pairs,
            codes,
            lens,
            cells: cells(&board),
            codes_of_board: Codes::new(&board),
            tail,
            runs_of_tail,
            runs,
            tail_len,
            automaton,
        }
    }
}

/// The value of a code, its first bit least significant.
pub const fn parse(code: &str) -> u64 {
    let bytes = code.as_bytes();
    let mut value = 0;
    let mut index = 0;
    while index < bytes.len() {
        value |= ((bytes[index] == b'1') as u64) << index;
        index += 1;
    }
    value
}

/// The code of each cell, and from bit 8 up its length. Kings have no code: their length is 0.
pub const fn codes(spec: &Spec) -> [u16; CELLS] {
    let mut codes = [0; CELLS];
    let mut cell = 0;
    while cell < CELLS {
        let kind = cell & 7;
        let promoted = cell >> 3 & 1;
        let white = cell >> 4;
        let code = match kind {
            0 if cell == 0 => spec.empty,
            0 => "",
            _ => spec.board[kind - 1][2 * promoted + white],
        };
        codes[cell] = parse(code) as u16 | (code.len() as u16) << 8;
        cell += 1;
    }
    codes
}

/// See [`Tables::codes`] and [`Tables::lens`].
const fn split(codes: &[u16; CELLS]) -> ([u8; CELLS], [u8; CELLS]) {
    let mut bits = [0; CELLS];
    let mut lens = [0; CELLS];
    let mut cell = 0;
    while cell < CELLS {
        (bits[cell], lens[cell]) = (codes[cell] as u8, (codes[cell] >> 8) as u8);
        cell += 1;
    }
    (bits, lens)
}

/// See [`Tables::pairs`].
const fn pairs(codes: &[u16; CELLS]) -> [u32; CELLS * CELLS] {
    let mut pairs = [0; CELLS * CELLS];
    let mut index = 0;
    while index < pairs.len() {
        let first = codes[index % CELLS] as u32;
        let second = codes[index / CELLS] as u32;
        let first_len = first >> 8;
        let second_len = second >> 8;
        pairs[index] = first & 0xff | (second & 0xff) << first_len | (first_len + second_len) << 16;
        index += 1;
    }
    pairs
}

/// The code that eight bits of the board begin with: its [`Cell`] in the low five bits, its length less one in the high
/// three.
pub const fn board(codes: &[u16; CELLS]) -> [u8; 256] {
    let mut board = [0; 256];
    let mut bits = 0;
    while bits < board.len() {
        let mut cell = 0;
        while cell < CELLS {
            let code = codes[cell] & 0xff;
            let len = codes[cell] >> 8;
            if len > 0 && bits as u16 & ((1 << len) - 1) == code {
                board[bits] = cell as Cell | (len as u8 - 1) << 5;
            }
            cell += 1;
        }
        bits += 1;
    }
    board
}

/// See [`Tables::cells`].
const fn cells(board: &[u8; 256]) -> [Cell; 256] {
    let mut cells = [0; 256];
    let mut bits = 0;
    while bits < cells.len() {
        cells[bits] = board[bits] & 31;
        bits += 1;
    }
    cells
}

/// See [`Tables::tail`], [`Tables::runs`] and [`Tables::tail_len`].
pub const fn tail(spec: &Spec) -> ([TailCode; 128], [[u64; 7]; 3], [u8; 7]) {
    let mut tail = [TailCode { len: 7, place: 3, kind: 0, piece: 1, rank: 21 }; 128];
    let mut runs = [[0; 7]; 3];
    let mut lens = [0; 7];
    let mut rank = 0;
    while rank < 21 {
        let place = rank / 7;
        let kind = spec.tail_order[rank % 7] as usize;
        let code = spec.tail[kind][place];
        let len = code.len();
        if len > 0 {
            let value = parse(code);
            // The last copy may be cut off: no run is longer than the 54 bits of eighteen pawns.
            let mut at = 0;
            while at < 64 {
                runs[place][kind] |= value << at;
                at += len;
            }
            lens[kind] = len as u8;
            // Every number that begins with the code.
            let mut bits = value as usize;
            while bits < tail.len() {
                tail[bits] = TailCode {
                    len: len as u8,
                    place: place as u8,
                    kind: kind as u8,
                    piece: fields::ONE[kind + 1],
                    rank: rank as u8,
                };
                bits += 1 << len;
            }
        }
        rank += 1;
    }
    (tail, runs, lens)
}

impl Automaton {
    /// The automaton of the codes that eight bits begin with.
    const fn new(board: &[u8; 256]) -> Self {
        let prefixes = open_prefixes(board);
        let mut next = [0; 256];
        let mut starts = [0; 256];
        let mut byte = 0;
        while byte < 256 {
            let mut from = 0;
            while from < 8 {
                let mut state = from;
                let mut bit = 0;
                while bit < 8 {
                    if state == 0 {
                        starts[byte] |= 1 << (8 * from + bit);
                    }
                    state = step(board, &prefixes, state, byte >> bit & 1);
                    bit += 1;
                }
                next[byte] |= (8 * state as u64) << (8 * from);
                from += 1;
            }
            byte += 1;
        }
        Self { next, starts }
    }
}

/// The state after one more bit.
const fn step(board: &[u8; 256], prefixes: &[usize; 5], state: usize, bit: usize) -> usize {
    if matches!(state, 1..=3) {
        return state - 1;
    }
    let seen = if state == 0 { 0 } else { state - 3 };
    let prefix = prefixes[seen] | bit << seen;
    match len(board, prefix, seen + 1) {
        Some(len) => len - (seen + 1),
        None => 4 + seen,
    }
}

/// The one way in which 0, 1, 2, 3 and 4 bits can begin a code and leave its length open.
const fn open_prefixes(board: &[u8; 256]) -> [usize; 5] {
    let mut prefixes = [0; 5];
    let mut seen = 0;
    while seen < 4 {
        let with_one = prefixes[seen] | 1 << seen;
        prefixes[seen + 1] = if len(board, with_one, seen + 1).is_none() { with_one } else { prefixes[seen] };
        seen += 1;
    }
    prefixes
}

/// The length of the codes that begin with the `seen` bits of `prefix`, or `None` if there are several lengths.
const fn len(board: &[u8; 256], prefix: usize, seen: usize) -> Option<usize> {
    let len = board[prefix] >> 5;
    let mut bits = prefix;
    while bits < board.len() {
        if board[bits] >> 5 != len {
            return None;
        }
        bits += 1 << seen;
    }
    Some(len as usize + 1)
}

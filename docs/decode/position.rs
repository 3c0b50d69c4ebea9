//! What the decoders share: bits of a word, and a position as SFEN.

pub const KINDS: &str = "PLNSGBR";

pub struct Position {
    pub white: bool,
    /// Square 9 * (file - 1) + rank - 1: empty, "P", "+R", "p".
    pub board: Vec<String>,
    /// The counts of Black and White, as `KINDS`.
    pub hands: [[usize; 7]; 2],
}

impl Position {
    pub fn empty() -> Self {
        Self { white: false, board: vec![String::new(); 81], hands: [[0; 7]; 2] }
    }

    pub fn to_sfen(&self) -> String {
        let mut text = String::new();
        for rank in 0..9 {
            let mut empty = 0;
            for file in (0..9).rev() {
                let there = &self.board[9 * file + rank];
                if there.is_empty() {
                    empty += 1;
                    continue;
                }
                if empty > 0 {
                    text += &empty.to_string();
                }
                empty = 0;
                text += there;
            }
            if empty > 0 {
                text += &empty.to_string();
            }
            text += if rank < 8 { "/" } else { " " };
        }
        text += if self.white { "w " } else { "b " };
        let mut held = String::new();
        for side in 0..2 {
            for kind in "RBGSNLP".chars() {
                let count = self.hands[side][KINDS.find(kind).unwrap()];
                if count > 1 {
                    held += &count.to_string();
                }
                if count > 0 {
                    held += &piece(kind, false, side == 1);
                }
            }
        }
        text + if held.is_empty() { "-" } else { &held }
    }
}

pub fn piece(kind: char, promoted: bool, white: bool) -> String {
    let letter = if white { kind.to_ascii_lowercase() } else { kind };
    if promoted { format!("+{letter}") } else { letter.to_string() }
}

pub struct Bits(Vec<u8>);

impl Bits {
    /// Bit i of a word is bit i % 8 of byte i / 8.
    pub fn get(&self, bit: usize) -> bool {
        self.0[bit / 8] >> (bit % 8) & 1 == 1
    }

    /// The first bit is the least significant.
    pub fn number(&self, offset: usize, length: usize) -> usize {
        (0..length).map(|at| usize::from(self.get(offset + at)) << at).sum()
    }
}

/// Arguments: the format, and words as hex digits.
pub fn run(decoders: &[(&str, fn(&Bits) -> Position)]) {
    let mut arguments = std::env::args().skip(1);
    let format = arguments.next().expect("a format");
    let (_, decode) =
        decoders.iter().find(|(name, _)| *name == format).expect("a format that this program decodes");
    for word in arguments {
        let byte = |at| u8::from_str_radix(&word[at..at + 2], 16).expect("hex digits");
        let bits = Bits((0..word.len()).step_by(2).map(byte).collect());
        println!("{}", decode(&bits).to_sfen());
    }
}

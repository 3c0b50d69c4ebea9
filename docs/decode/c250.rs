mod position;

use position::{Bits, KINDS, Position, piece, run};

// The offsets of the fields.
const KINGS_AT: usize = 75;
const MAJOR_COLOR: usize = 88;
const MAJOR_PROMOTED: usize = 92;
const PT1: usize = 96;
const PT2: usize = 112;
const PT0: usize = 128;
const PROMOTED: usize = 162;
const COLOR: usize = 192;
const BISHOPS: usize = 226;
const ROOKS: usize = 238;

/// Two numbers a ≤ b by b (b + 1) / 2 + a, and two more pairs off the board.
fn pair(code: usize) -> [usize; 2] {
    match code {
        3655 => [82, 81],
        3656 => [84, 83],
        _ => {
            let mut b = 0;
            while (b + 1) * (b + 2) / 2 <= code {
                b += 1;
            }
            [code - b * (b + 1) / 2, b]
        }
    }
}

fn decode(bits: &Bits) -> Position {
    let mut position = Position::empty();
    // The 75 bits are inverted if White is to move: at most 34 pieces are on these squares.
    let ones = (0..75).filter(|&at| bits.get(at)).count();
    position.white = ones > 40;
    let mut occupied: Vec<bool> = (0..75).map(|at| bits.get(at) != position.white).collect();

    let kings = bits.number(KINGS_AT, 13);
    let [bishop_0, bishop_1] = pair(bits.number(BISHOPS, 12));
    let [rook_0, rook_1] = pair(bits.number(ROOKS, 12));
    let majors = [kings % 83, kings / 83, bishop_0, bishop_1, rook_0, rook_1];
    for (at, (kind, index)) in "KKBBRR".chars().zip(majors).enumerate() {
        let white = if at < 2 { at == 1 } else { bits.get(MAJOR_COLOR + at - 2) };
        if index < 81 {
            position.board[index] = piece(kind, at > 1 && bits.get(MAJOR_PROMOTED + at - 2), white);
            continue;
        }
        // In a hand (81, 82) or removed: one more square is free, and its bit is 1 for odd numbers.
        occupied.push(index % 2 == 1);
        if at > 1 && index < 83 {
            position.hands[usize::from(white)][KINDS.find(kind).unwrap()] += 1;
        }
    }

    // P 0, L 100, N 101, S 110, G 111.
    let mut left = [18, 4, 4, 4, 4];
    let mut occupied = occupied.into_iter();
    let mut at = 0;
    let mut nonpawns = 0;
    let mut promotable = 0;
    for there in &mut position.board {
        if !there.is_empty() || !occupied.next().unwrap() {
            continue;
        }
        let mut kind = 'P';
        if bits.get(PT0 + at) {
            kind = ['L', 'N', 'S', 'G'][2 * bits.number(PT1 + nonpawns, 1) + bits.number(PT2 + nonpawns, 1)];
            nonpawns += 1;
        }
        let mut promoted = false;
        if kind != 'G' {
            promoted = bits.get(PROMOTED + promotable);
            promotable += 1;
        }
        *there = piece(kind, promoted, bits.get(COLOR + at));
        left[KINDS.find(kind).unwrap()] -= 1;
        at += 1;
    }
    for kind in 0..5 {
        for _ in 0..left[kind] {
            if !bits.get(PT0 + at) {
                position.hands[bits.number(COLOR + at, 1)][kind] += 1;
            }
            at += 1;
        }
    }
    position
}

fn main() {
    run(&[("c250", decode)]);
}
